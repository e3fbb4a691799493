"""The simulated table in a picture of half a camera's size, and where the board lies in it: found once."""

from dataclasses import replace

import pytest

from calibration.calibrate import calibrate
from calibration.edition import Edition, load_edition
from calibration.profile import Calibration
from firmware.doctor.sight import Image
from hardware.simulated.camera import simulated_scene
from hardware.simulated.renderer import Renderer
from hardware.simulated.scene import default_scene
from hardware.simulated.table import SimulatedTable

SIZE = (728, 544)


@pytest.fixture(scope="session")
def edition() -> Edition:
    return load_edition("classic")


@pytest.fixture(scope="session")
def picture(edition: Edition) -> Image:
    scene = simulated_scene(default_scene(edition, SIZE))
    table = SimulatedTable(scene, 0)
    return Renderer(scene, 0).expose([table.at(0.0)], 0)


@pytest.fixture(scope="session")
def found(edition: Edition, picture: Image) -> Calibration:
    return replace(calibrate(picture, edition), made_at="2026-05-08T11:00:00+00:00")
