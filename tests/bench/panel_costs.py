"""What a panel's picture costs: our drawing of a scoreboard beside luma's own full redraw of it.

Processor time of this thread; nothing is sent, nothing printed.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

from luma.core.framebuffer import full_frame
from luma.core.interface.serial import noop
from luma.oled.device import ssd1306, ssd1322

from firmware.daemon.parts import BoardDrawing
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import load
from hardware.panel import Mode
from tests.bench.costs import least_ms

_DRIVERS: dict[str, tuple[Any, tuple[int, int], Mode]] = {
    "ssd1306, 128x64": (ssd1306, (128, 64), "1"),
    "ssd1322, 256x64 in greys": (ssd1322, (256, 64), "L"),
}
_TRIES = 20


@dataclass(frozen=True, slots=True)
class PanelCosts:
    """Times in ms a picture."""

    name: str
    drawn_ms: float
    luma_ms: float
    """From the picture to the chip's bytes, which go nowhere."""


def measure_panels(board: Scoreboard) -> list[PanelCosts]:
    """A scoreboard on the in-rally and the game panel, of pixels that are lit or dark, and of greys."""
    texts, costs = load("en"), []
    for name, (make, size, mode) in _DRIVERS.items():
        device = make(noop(), width=size[0], height=size[1], framebuffer=full_frame())
        for role in ("in-rally", "game"):
            drawing = BoardDrawing(role, board, texts)
            image = drawing(size, mode)
            if mode == "L":
                image = image.convert("RGB")  # as the adapter has to give it to luma
            draw, redraw = partial(drawing, size, mode), partial(device.display, image)
            costs.append(PanelCosts(f"{name}, {role}", least_ms(draw, _TRIES), least_ms(redraw, _TRIES)))
    return costs
