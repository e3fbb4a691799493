"""A camera that shows a tape at the pace of real time. Nothing is printed here."""

import time
from collections.abc import Sequence

from hardware.camera import Frame
from tests.bench.elsewhere import FPS
from tests.bench.tape import Tape, picture_of

_AHEAD_S = 0.025
"""So long before a frame is due its picture is unpacked: the daemon has done with the last one then, and
two threads on one chip would slow each other."""


class PacedCamera:
    """Gives each frame when the next one begins, for a sensor has to be read out: first the pictures with
    nobody there, over and over, from `begin_play` on the play. `spent_s`: the processor time that this
    took, all in all."""

    def __init__(self, tape: Tape) -> None:
        self.size, self.fps, self.frame_count = tape.size, FPS, None
        self.spent_s = 0.0
        self.late: list[float] = []
        """When frames were due that came later by more than a quarter of the time between two, which is
        no fault of the daemon."""
        self.ahead_s: float | None = None
        """By how much this clock is ahead of the tape's, once the play has begun."""
        self._tape = tape
        self._next: Sequence[bytes] = tape.rest
        self._number = self._first = 0
        self._began_at: float | None = None
        self._is_asked = False

    def clock(self) -> float:
        """Seconds since the first frame was asked for; frames have these times."""
        return 0.0 if self._began_at is None else time.monotonic() - self._began_at

    def begin_play(self) -> None:
        """Show the play from the next frame on."""
        self._is_asked = True

    def read(self) -> Frame | None:
        """The next frame, when it is due; after the play its last picture for ever."""
        start = time.thread_time()
        if self._began_at is None:
            self._began_at = time.monotonic()
        if self._is_asked and self.ahead_s is None:
            self._next, self._first = self._tape.play, self._number
            self.ahead_s = self._number / FPS - self._tape.began_at
        shown = self._number - self._first
        if self.ahead_s is None:
            shown %= len(self._next)
        due = (self._number + 1) / FPS
        time.sleep(max(due - _AHEAD_S - self.clock(), 0.0))
        image = picture_of(self._next[min(shown, len(self._next) - 1)])
        time.sleep(max(due - self.clock(), 0.0))
        if self.clock() - due > 0.25 / FPS:
            self.late.append(due)
        frame = Frame(image, self._number / FPS, self._number)
        self._number += 1
        self.spent_s += time.thread_time() - start
        return frame

    def close(self) -> None:
        """Nothing is held."""
