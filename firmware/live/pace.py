"""Time at the simulated table and in recordings, as fast as people want it to pass."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from firmware.daemon.frames import Frames
from firmware.daemon.stopping import Stop, StoppedError

if TYPE_CHECKING:
    from firmware.daemon.frames import CameraNews
    from hardware.camera import Frame


class Pace:
    """Lets time pass `speed` times as fast as it does (0: without waiting). `clock` gives seconds,
    `sleep` waits for some."""

    def __init__(self, speed: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._speed = speed
        self._clock = clock
        self._sleep = sleep
        self._since: tuple[float, float] | None = None

    def wait(self, table_s: float) -> None:
        """Return when it is time for `table_s` on the table's clock.

        Lost time (a person thinking, a slow computer) is not made up for: play would rush.
        """
        if self._speed == 0:
            return
        now = self._clock()
        if self._since is not None:
            due = self._since[0] + (table_s - self._since[1]) / self._speed
            if due > now:
                self._sleep(due - now)
                now = due
        self._since = (now, table_s)


def sleeping(stop: Stop) -> Callable[[float], None]:
    """Waits for some seconds, or until the program is asked to end."""

    def sleep(seconds: float) -> None:
        with suppress(StoppedError), stop.breaking():
            time.sleep(seconds)

    return sleep


class PacedFrames:
    """Frames that come no faster than `pace` lets them."""

    def __init__(self, frames: Frames, pace: Pace) -> None:
        self._frames = frames
        self._pace = pace

    @property
    def ended(self) -> bool:
        """As the frames."""
        return self._frames.ended

    @property
    def stalled(self) -> bool:
        """As the frames."""
        return self._frames.stalled

    def next(self, timeout_s: float) -> "Frame | None":
        """The next one, at its time."""
        frame = self._frames.next(timeout_s)
        if frame is not None:
            self._pace.wait(frame.captured_at)
        return frame

    def news(self) -> "list[CameraNews]":
        """Of the frames."""
        return self._frames.news()

    def close(self, timeout_s: float = 1.0) -> bool:
        """Close the frames."""
        return self._frames.close(timeout_s)
