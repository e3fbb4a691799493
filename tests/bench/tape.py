"""A stretch of play that was drawn once, to be shown to a daemon at the pace of a camera: drawing hands in
real time is more than one core can do.

The table's players play what a first daemon waits for. Nothing is measured here.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.daemon.frames import CameraNews
from hardware.camera import Frame
from hardware.simulated.table import StrokeTruth
from tests.bench.directing import Director
from tests.bench.elsewhere import FPS, Size, TableElsewhere
from tests.bench.glass import timed_wires
from tests.bench.rig import SEED, Table, daemon_at

_REST_FRAMES = 60
"""Of a table at which nobody is; more would differ in their noise only."""
_QUALITY = 95


@dataclass(frozen=True, slots=True)
class Tape:
    """Pictures as JPEG, as many cameras give them: `rest` with nobody there, then `play`."""

    size: Size
    rest: tuple[bytes, ...]
    play: tuple[bytes, ...]
    began_at: float
    """When the first picture of `play` was captured, in seconds of the table, as in `strokes`."""
    strokes: tuple[StrokeTruth, ...]


class EveryFrame:
    """The frames of a table one after the other, each as soon as a daemon wants it."""

    ended = stalled = False

    def __init__(self, table: TableElsewhere) -> None:
        self.last: Frame | None = None
        self._table = table

    def next(self, timeout_s: float) -> Frame:
        self.last = self._table.read()
        self._table.ask()
        return self.last

    def news(self) -> list[CameraNews]:
        return []

    def close(self, timeout_s: float = 1.0) -> bool:
        return True


def recorded(size: Size, seconds: float) -> Tape:
    """So much play, after a while in which nobody is there."""
    table = TableElsewhere(size, SEED)
    try:
        with TemporaryDirectory() as folder, timed_wires():
            frames = EveryFrame(table)
            rig = daemon_at(Path(folder), size, frames, lambda: table.now)
            try:
                return _recorded(table, frames, rig, seconds)
            finally:
                rig.daemon.close()
    finally:
        table.close()


def _recorded(table: TableElsewhere, frames: EveryFrame, rig: Table, seconds: float) -> Tape:
    rest = [_turned(frames, rig) for _ in range(_REST_FRAMES)]
    director = Director(rig.daemon, table, rig.buttons, lambda: table.now, presses=False)
    play = []
    for _ in range(round(seconds * FPS)):
        director.direct()
        play.append(_turned(frames, rig))
    return Tape(table.size, tuple(rest), tuple(play), len(rest) / FPS, tuple(director.done.strokes))


def _turned(frames: EveryFrame, rig: Table) -> bytes:
    """A turn of the daemon; the picture that it was given."""
    rig.daemon.turn()
    assert frames.last is not None
    return cv2.imencode(".jpg", frames.last.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()


def picture_of(jpeg: bytes) -> NDArray[np.uint8]:
    """A picture of a tape, shape (height, width, 3)."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(image, np.uint8)
