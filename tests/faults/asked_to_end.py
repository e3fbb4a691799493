"""A daemon in a process of its own that stands still where it is told to, until it was asked to end.

Run as a program: `python -m tests.faults.asked_to_end WHERE FOLDER`. It prints the daemon's lines, `reached`
when it is there, and waits for a line; and in the end whether its panels are dark.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from PIL import Image

from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import ThreadedFrames
from firmware.daemon.measuring import in_a_thread
from firmware.daemon.stopping import Stop
from firmware.panel_bus import PanelCare, Placed
from firmware.panel_driver import PanelDriver
from firmware.report import Line
from firmware.rules import Side
from firmware.umpire.rest import Point
from hardware.button import Button
from hardware.camera import Frame
from hardware.panel import I2cBus, PanelSpec
from hardware.simulated.panel import SimulatedPanel
from tests.faults.bench import PICTURE, SERVE_FROM, SERVED, TURN_S, Bench
from tests.firmware.test_match import rest, stroke

NEVER = threading.Event()


def tell(line: Line) -> None:
    """In one piece: threads tell lines, too."""
    os.write(sys.stdout.fileno(), json.dumps(line).encode() + b"\n")


def reached() -> None:
    """Stand still until the other process has sent its signal and, after it, a line."""
    tell({"kind": "reached"})
    sys.stdin.readline()


def hangs(*args: object) -> Any:
    """A call into a driver that never returns."""
    reached()
    NEVER.wait()


class HangingPanel(SimulatedPanel):
    """A panel whose bus hangs in the middle of a picture."""

    def show(self, image: Image.Image) -> None:
        hangs()


class FailingCamera:
    """A camera that gives one picture. `read`: what happens where the next one is asked for; `give_back`:
    where it is given back."""

    size, fps, frame_count = (2, 2), 30.0, None

    def __init__(self, read: Callable[[], None], give_back: Callable[[], None]) -> None:
        self._read, self._give_back = read, give_back
        self._given = False

    def read(self) -> Frame | None:
        if self._given:
            self._read()
            return None
        self._given = True
        return Frame(PICTURE, time.monotonic(), 0)

    def close(self) -> None:
        self._give_back()


class Table:
    """A bench at which people do what `people` say, a thing each turn, until the end is asked for: unless
    told otherwise they serve, and miss."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.panels = [self.bench.panels.game, self.bench.panels.in_rally]
        self.parts: dict[str, Any] = {}
        """In place of the bench's."""
        self.people: Iterator[Callable[[], None]] = repeat(lambda: self.flick(SERVE_FROM, None))

    def stands_in(self, part: object, name: str) -> None:
        """Stand still when this method is called for the first time, before it does anything."""
        method = getattr(part, name)

        def standing(*args: object) -> object:
            setattr(part, name, method)
            reached()
            return method(*args)

        setattr(part, name, standing)

    def flick(self, from_mm: Point, to_mm: Point | None) -> None:
        """A frame in which the umpire sees this."""
        self.bench.umpire.lots.append([stroke(rest(from_mm), None if to_mm is None else rest(to_mm))])
        self.bench.frames.waiting.append(Frame(PICTURE, self.bench.clock.now, 0))

    def hold(self, side: Side, for_s: float) -> None:
        """A finger on CHALLENGE."""
        self.bench.buttons.press(Button(side, "challenge"), self.bench.clock.now, for_s)

    def run(self, stop: Stop) -> None:
        """Play until the end."""
        bench = self.bench
        rig = replace(bench.daemon._rig, **self.parts)
        daemon = Daemon(rig, bench.daemon._terms, bench.journal, tell=tell, launch=in_a_thread)
        daemon.run(stop, after_turn=self._next)
        tell({"kind": "dark", "panels": not any(panel.is_lit for panel in self.panels)})

    def _next(self) -> None:
        self.bench.clock.now += TURN_S
        if "panels" not in self.parts:
            self.bench.panels.step()
        next(self.people, _nothing)()


def _nothing() -> None:
    pass


def _a_frame(table: Table) -> None:
    table.stands_in(table.bench.umpire, "see")


def _a_write(table: Table) -> None:
    table.stands_in(table.bench.journal, "_write")


def _a_full_disk(table: Table) -> None:
    table.bench.journal.full = 1_000_000
    table.stands_in(table.bench.journal, "_want_room")


def _an_announcement(table: Table) -> None:
    table.stands_in(table.bench.speaker, "say")


def _a_picture(table: Table) -> None:
    table.stands_in(table.bench.panels, "show")


def _asking_the_buttons(table: Table) -> None:
    table.stands_in(table.bench.buttons, "drain")


def _the_end(table: Table) -> None:
    """It ends by itself, and is asked to while it does."""
    table.bench.frames.ended = True
    table.stands_in(table.bench.panels, "stop")


def _a_flick_fault(table: Table) -> None:
    """Before the striker has decided, whose lamps are lit."""
    table.people = iter([lambda: table.flick(SERVE_FROM, SERVED), *[lambda: table.hold("B", 0.05)] * 2])
    light = table.bench.buttons.light

    def lit(button: Button, on: bool) -> None:
        light(button, on)
        if on:
            table.bench.buttons.light = light  # type: ignore[method-assign]
            reached()

    table.bench.buttons.light = lit  # type: ignore[method-assign]


def _a_review(table: Table) -> None:
    """Whose measuring hangs."""
    table.parts["measure"] = hangs
    table.people = iter([lambda: table.flick(SERVE_FROM, SERVED), lambda: table.hold("B", 0.05)])


def _a_panel_that_hangs(table: Table) -> None:
    game = SimulatedPanel(PanelSpec("ssd1306", I2cBus(1, 0x3C)))
    hanging = HangingPanel(PanelSpec("ssd1306", I2cBus(3, 0x3C)))
    driver = PanelDriver([Placed("game", game), Placed("in-rally", hanging)], PanelCare())
    driver.start()
    table.panels = [game]
    table.parts["panels"] = driver


def _a_camera_that_hangs(table: Table) -> None:
    _watches(table, FailingCamera(hangs, _nothing))


def _a_camera_that_is_not_given_back(table: Table) -> None:
    _watches(table, FailingCamera(_nothing, hangs))


def _watches(table: Table, camera: FailingCamera) -> None:
    table.bench.umpire.lots.append([])
    table.parts["frames"] = ThreadedFrames(lambda: camera, time.monotonic)


WHERE: Final[Mapping[str, Callable[[Table], None]]] = {
    "a frame": _a_frame,
    "a write": _a_write,
    "a full disk": _a_full_disk,
    "an announcement": _an_announcement,
    "a picture": _a_picture,
    "asking the buttons": _asking_the_buttons,
    "a flick fault": _a_flick_fault,
    "a review": _a_review,
    "a panel that hangs": _a_panel_that_hangs,
    "a camera that hangs": _a_camera_that_hangs,
    "a camera that is not given back": _a_camera_that_is_not_given_back,
    "the end": _the_end,
}
"""Where it can be asked to end."""


def main(where: str, folder: str) -> None:
    """Play there."""
    with Stop.listening() as stop:
        table = Table(Path(folder))
        WHERE[where](table)
        table.run(stop)


if __name__ == "__main__":
    main(*sys.argv[1:])
