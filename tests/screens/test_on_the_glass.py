"""That what was recorded is what stands on the glass: through the adapter and a chip, turned as the panel is
mounted; and dimmed and moved a little after a while.
"""

from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from firmware.panel_bus import PanelBus, PanelCare, PanelNews, Placed
from hardware.luma_panel import LumaPanel
from hardware.panel import Driver, I2cBus, PanelSpec, Rotation, SpiBus
from hardware.simulated.panel import SimulatedPanel
from tests.contract.oled_chips import CHIPS, Wires, wire_up
from tests.screens.recorded import FOLDER

BESIDE = {(128, 64): "mono", (256, 64): "grey", (64, 128): "upright", (64, 256): "tall"}
FOLDERS = {
    (128, 64): ("", "french/"),
    (256, 64): ("wide/", "wide_french/"),
    (64, 128): ("upright/", "upright_french/"),
    (64, 256): ("tall/", "tall_french/"),
}


def recorded(size: tuple[int, int]) -> dict[str, Image.Image]:
    """Pictures of every kind for panels of a size."""
    names = [
        f"{folder}{state}.{role}.png"
        for folder in FOLDERS[size]
        for state in ("doubles-tie-break", "names-won", "placement")
        for role in ("in-rally", "game")
    ]
    for language in ("en", "fr"):
        names.append(f"close_up/too-close.{BESIDE[size]}.{language}.png")
        names.append(f"lay_back/backcourt.{size[0]}x{size[1]}.{language}.png")
    found = {}
    for name in names:
        with Image.open(FOLDER / name) as picture:
            found[name] = picture.copy()
    return found


def lit(picture: Image.Image) -> NDArray[np.uint8]:
    """The levels that a chip with sixteen greys can show of a picture."""
    levels = np.asarray(picture.convert("L"), np.uint8) >> np.uint8(4)
    return np.asarray(levels * np.uint8(17), np.uint8)


@pytest.mark.parametrize("rotation", get_args(Rotation))
@pytest.mark.parametrize("driver", CHIPS)
def test_recorded_pictures_stand_on_the_glass_turned_as_the_panel_is_mounted(
    driver: Driver, rotation: Rotation, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = PanelSpec(driver, SpiBus(), rotation)
    chip: Any = CHIPS[driver]()
    wires = Wires(chip)
    wire_up(wires, monkeypatch)
    panel = LumaPanel(spec)
    panel.open()
    for name, picture in recorded(spec.size).items():
        panel.show(picture)
        turned = np.rot90(lit(picture), k=-(rotation // 90))  # clockwise
        assert np.array_equal(chip.glass(), turned), name


@pytest.mark.parametrize("rotation", get_args(Rotation))
@pytest.mark.parametrize("driver", CHIPS)
def test_the_twin_shows_them_as_they_were_recorded(driver: Driver, rotation: Rotation) -> None:
    panel = SimulatedPanel(PanelSpec(driver, SpiBus(), rotation))
    panel.open()
    for name, picture in recorded(panel.size).items():
        panel.show(picture)
        assert np.array_equal(lit(panel.glass), lit(picture)), name


def test_when_nothing_changes_they_are_dimmed_and_move_by_a_pixel_or_two() -> None:
    now = [1000.0]
    panel = SimulatedPanel(PanelSpec("ssd1306", I2cBus()))
    care, news = PanelCare(), list[PanelNews]()
    bus = PanelBus([Placed("game", panel)], care, news.append, lambda: now[0])
    picture = recorded(panel.size)["names-won.game.png"]
    bus.step({"game": picture})
    assert (panel.level, panel.glass.tobytes()) == (care.bright, picture.tobytes())
    moved = set()
    for _ in range(64):
        now[0] += max(care.idle_after_s, care.shift_every_s)
        bus.step({"game": picture})
        bus.step({"game": picture})
        moved.add(panel.glass.tobytes())
        assert panel.level == care.dim
    places = {}
    for across in range(-2, 3):
        for down in range(-2, 3):
            place = Image.new("1", picture.size)
            place.paste(picture, (across, down))
            places[place.tobytes()] = (across, down)
    assert moved <= set(places)
    assert len(moved) > 5
    assert news == []
