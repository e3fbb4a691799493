from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import Frame
from hardware.camera_facts import CameraFacts, facts_of
from hardware.cameras import open_camera
from hardware.turned import TurnedCamera


@pytest.mark.parametrize(("rotation", "turns"), [(0, 0), (90, -1), (180, 2), (270, 1)])
def test_pictures_are_turned_clockwise(tmp_path: Path, rotation: int, turns: int) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)
    path = tmp_path / "picture.png"
    cv2.imwrite(str(path), picture)
    camera = open_camera(str(path), rotation)  # type: ignore[arg-type]
    wanted = np.rot90(picture, turns)
    assert camera.size == (wanted.shape[1], wanted.shape[0])
    assert camera.frame_count == 1
    frame = camera.read()
    assert frame is not None
    assert (frame.image == wanted).all()
    assert (frame.number, frame.captured_at) == (0, 0.0)
    assert camera.read() is None
    camera.close()
    camera.close()


def test_a_turned_camera_tells_what_the_other_tells() -> None:
    class Told:
        size, fps, frame_count = (60, 40), 30.0, None

        def facts(self) -> CameraFacts:
            return CameraFacts(model="imx296", locked=True)

        def read(self) -> Frame | None:
            return None

        def close(self) -> None: ...

    assert facts_of(TurnedCamera(Told(), 90)) == CameraFacts(model="imx296", locked=True)


def test_a_camera_that_tells_nothing(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    cv2.imwrite(str(path), np.zeros((40, 60, 3), np.uint8))
    assert facts_of(open_camera(str(path), 90)) == CameraFacts()
