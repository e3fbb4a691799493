"""The simulated table in a process of its own: its drawing is not to be counted as the daemon's, neither
its time nor its memory. Acts are asked for, frames come through shared memory.

Nothing is measured or printed here.
"""

import multiprocessing
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np

from calibration.edition import load_edition
from hardware.camera import Frame
from hardware.simulated.camera import SimulatedCamera, simulated_scene
from hardware.simulated.players import Players, Situation
from hardware.simulated.scene import default_scene
from hardware.simulated.table import PlacementTruth, Side, SimulatedTable, StrokeTruth

Size = tuple[int, int]
Point = tuple[float, float]

FPS = 30.0


class TableElsewhere:
    """A table that another process draws.

    `ask` has the next frame drawn while other things are done; what is asked for after it begins a
    frame later.
    """

    def __init__(self, size: Size, seed: int) -> None:
        self.size = size
        self.now = 0.0
        """When the last frame was captured, in seconds of the table."""
        width, height = size
        self._shape = (height, width, 3)
        self._memory = SharedMemory(create=True, size=width * height * 3)
        # Not a fork: what this process holds by then is not to be copied into the measured memory.
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(
            target=_draw, args=(there, self._memory.name, size, seed), name="table", daemon=True
        )
        self._process.start()
        there.close()
        self._drawn: tuple[float, int] | None = None
        self._is_drawing = False

    def ask(self) -> None:
        """Have the next frame drawn."""
        if self._drawn is None and not self._is_drawing:
            self._here.send(("frame",))
            self._is_drawing = True

    def read(self) -> Frame:
        """The next frame."""
        self.ask()
        self._receive()
        assert self._drawn is not None
        captured_at, number = self._drawn
        self._drawn = None
        image = np.ndarray(self._shape, np.uint8, buffer=self._memory.buf).copy()
        self.now = captured_at
        return Frame(image, captured_at, number)

    def play(self, situation: Situation) -> StrokeTruth:
        """Have a player play a stroke; its truth, known beforehand."""
        truth: StrokeTruth = self._asked("play", situation)
        return truth

    def carry(self, side: Side, dot_to_mm: Point) -> PlacementTruth:
        """Have `side` carry the ball."""
        truth: PlacementTruth = self._asked("carry", side, dot_to_mm)
        return truth

    def close(self) -> None:
        """End the process."""
        with suppress(OSError):
            self._here.send(("end",))
        self._process.join(5.0)
        if self._process.is_alive():
            self._process.kill()
        self._here.close()
        with suppress(FileNotFoundError):
            self._memory.close()
            self._memory.unlink()

    def _asked(self, *request: object) -> Any:
        self._receive()
        self._here.send(request)
        return self._here.recv()

    def _receive(self) -> None:
        """Take in the word that a frame is drawn, if it is on its way."""
        if self._is_drawing:
            self._drawn = self._here.recv()
            self._is_drawing = False


def _draw(there: Connection, memory: str, size: Size, seed: int) -> None:
    """The life of the other process."""
    scene = simulated_scene(default_scene(load_edition("classic", require_zones=True), size))
    table = SimulatedTable(scene, seed)
    camera, players = SimulatedCamera(table, fps=FPS, seed=seed), Players(table, seed)
    shared = SharedMemory(memory)
    pixels = np.ndarray((size[1], size[0], 3), np.uint8, buffer=shared.buf)
    with suppress(EOFError, BrokenPipeError):
        while True:
            match there.recv():
                case ("frame",):
                    frame = camera.read()
                    assert frame is not None
                    pixels[:] = frame.image
                    there.send((frame.captured_at, frame.number))
                case ("play", situation):
                    there.send(players.play(situation))
                case ("carry", side, dot_to_mm):
                    there.send(table.carry(side, dot_to_mm))
                case _:
                    break
    del pixels
    shared.close()
