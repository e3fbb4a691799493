"""Frames for the loop: read as they come, or by a thread whose camera may vanish, freeze or hang.

What frames show is not looked at, but for whether they change at all. Which camera it is, the rig says.
"""

import logging
import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from hardware.camera import Camera, Frame
from hardware.errors import CameraError, CameraHangsError

FROZEN_S: Final = 3.0
"""So long without a new picture, in seconds, and the camera counts as frozen: it is opened anew."""
LONGEST_PAUSE_S: Final = 30.0
"""Between attempts to open it: doubled from `FROZEN_S` to so many seconds."""
OPENING_S: Final = 20.0
"""A camera that is opened may take so long until its first picture: exposure and focus settle, or another
program has still to give it back."""
STALLED_S: Final = 60.0
"""So long without a new picture, in seconds, while the camera's driver hangs: it has been opened anew several
times by then, and only the end of the process frees it."""
MOST_HANGING: Final = 8
"""Threads that a camera may leave hanging in its driver; then the last one is waited for."""
WAITING: Final = 8
"""Frames that may wait for the loop: the older go, a stroke is followed through gaps of a quarter second."""
STALE_S: Final = 0.5
"""A frame that arrives so much later than the quickest, in seconds after it was taken, lay in a buffer."""
_DRIFT: Final = 1e-3
_LEAST_S: Final = 1e-3
_THINNED: Final = 16  # every so-manieth pixel tells a picture from the one before

logger = logging.getLogger(__name__)

Trouble = Literal["gone", "frozen", "lost", "late"]
Clock = Callable[[], float]
"""Seconds that never go back: `time.monotonic`, or a test's own."""


@dataclass(frozen=True, slots=True)
class CameraNews:
    """What people should hear of the camera, once each time: it is `gone`, `frozen`, `lost` (it does not
    come back by itself), `late` (its pictures are of the past), or `back`. `reason`: in words, with what to
    do. Empty for `back`."""

    kind: Literal["gone", "frozen", "lost", "late", "back"]
    reason: str = ""


class Frames(Protocol):
    """Where the loop's frames come from."""

    @property
    def ended(self) -> bool:
        """Whether a recording is over and no frame will come."""
        ...

    @property
    def stalled(self) -> bool:
        """Whether the camera hangs in its driver, and no opening anew helps. One that is unplugged, or whose
        recording has ended, is waited for and does not hang."""
        ...

    def next(self, timeout_s: float) -> Frame | None:
        """The oldest frame that waits; None if none comes within so many seconds."""
        ...

    def news(self) -> list[CameraNews]:
        """What is to be told since the last call, the oldest first."""
        ...

    def close(self, timeout_s: float = 1.0) -> bool:
        """Give the camera back; False if it hangs in its driver and is left to the end of the process."""
        ...


class FramesInTurn:
    """Every frame of a camera that waits for the loop: a recording, or the simulated table's."""

    stalled = False
    """It is the loop itself that would hang."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._news: list[CameraNews] = []
        self.ended = False

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame; it is read now. None once it has ended, or broken off (`news` says why)."""
        if self.ended:
            threading.Event().wait(timeout_s)  # the loop still has buttons to ask, but not all the time
            return None
        try:
            frame = self._camera.read()
        except CameraError as error:
            self._news.append(CameraNews("gone", str(error)))
            frame = None
        except Exception as error:  # a bug in an adapter: what is on record is told all the same
            logger.exception("camera")
            self._news.append(CameraNews("gone", f"the camera failed: {error}; tell the makers"))
            frame = None
        self.ended = frame is None
        return frame

    def news(self) -> list[CameraNews]:
        """What is to be told since the last call."""
        news, self._news = self._news, []
        return news

    def close(self, timeout_s: float = 1.0) -> bool:
        """Give the camera back."""
        self.ended = True
        self._camera.close()
        return True


class _Reader(threading.Thread):
    """Reads one camera from its opening to its closing; whatever hangs in it, hangs here."""

    def __init__(self, opener: Callable[[], Camera], clock: Clock) -> None:
        # A daemon: a driver that never returns must not keep the program from ending.
        super().__init__(name="camera", daemon=True)
        self.changed = threading.Condition()
        self.frames: deque[tuple[Frame, float]] = deque(maxlen=WAITING)
        """Each with the time at which it arrived."""
        self.error: CameraError | None = None
        self.ended = False
        """It reads no more: it was told to stop, the camera failed (`error`), or there was no picture."""
        self.stopping = False
        self.sends = False
        """There has been a picture since it was opened."""
        self._opener = opener
        self._clock = clock

    def run(self) -> None:
        """The thread's life."""
        error: CameraError | None = None
        try:
            camera = self._opener()
            try:
                while not self.stopping:
                    frame = camera.read()
                    if frame is None:
                        error = CameraError("the camera sends no pictures any more; check its plug")
                        break
                    with self.changed:
                        self.frames.append((frame, self._clock()))
                        self.sends = True
                        self.changed.notify_all()
            finally:
                camera.close()
        except CameraError as failure:
            error = failure
        except Exception as failure:  # a bug in an adapter: the camera is opened anew, as if it were gone
            logger.exception("camera")
            error = CameraError(f"the camera failed: {failure}; tell the makers")
        with self.changed:
            self.error, self.ended = error, True
            self.changed.notify_all()


class ThreadedFrames:
    """The latest frames of a camera that `opener` opens, and opens again when it fails, freezes or hangs.

    `CameraError` never leaves here; `news` tells. The frames' times rise for ever, though the camera's may
    begin anew when it is opened again.
    """

    def __init__(self, opener: Callable[[], Camera], clock: Clock) -> None:
        self._opener = opener
        self._clock = clock
        self._news: list[CameraNews] = []
        self._trouble: Trouble | None = None
        self._hanging: list[_Reader] = []
        self._hangs = False
        """It said so itself."""
        self._pause_s = FROZEN_S
        self._look = b""  # also over an opening: a camera that then shows the same is frozen still
        self._timing = _Timing()
        self._reader: _Reader | None = None
        self._pictured_at = clock()
        self._begin()

    @property
    def ended(self) -> bool:
        """Never: a camera goes on, or comes back."""
        return False

    @property
    def stalled(self) -> bool:
        """Whether its driver hangs, and there has been no new picture for `STALLED_S`."""
        if self._clock() < self._pictured_at + STALLED_S:
            return False
        return self._hangs or any(reader.is_alive() for reader in self._hanging)

    def next(self, timeout_s: float) -> Frame | None:
        """The oldest frame that waits; None if none comes within so many seconds of real time."""
        reader = self._reader
        if reader is None:
            if self._clock() < self._retry_at:
                threading.Event().wait(timeout_s)
                return None
            self._begin()
            return None
        with reader.changed:
            reader.changed.wait_for(lambda: reader.frames or reader.ended, timeout_s)
            item = reader.frames.popleft() if reader.frames else None
            error = reader.error if item is None and reader.ended else None
            patience_s = max(FROZEN_S if reader.sends else OPENING_S, self._pause_s)
        if item is not None:
            return self._taken(*item)
        if error is not None:
            self._hangs = isinstance(error, CameraHangsError)
            self._leave("gone", str(error))
        elif self._clock() >= self._changed_at + patience_s:
            self._froze()
        return None

    def news(self) -> list[CameraNews]:
        """What is to be told since the last call."""
        news, self._news = self._news, []
        return news

    def close(self, timeout_s: float = 1.0) -> bool:
        """End the thread, if it can be ended."""
        reader = self._reader
        if reader is None:
            return True
        reader.stopping = True
        reader.join(timeout_s)
        return not reader.is_alive()

    def _begin(self) -> None:
        self._changed_at = self._clock()
        self._retry_at = math.inf
        self._timing.opened()
        self._reader = _Reader(self._opener, self._clock)
        self._reader.start()

    def _taken(self, frame: Frame, arrived_at: float) -> Frame | None:
        """The frame, if it is of now, and differs from the one before: a sensor's noise is never twice the
        same."""
        at = self._timing.of(frame.captured_at, arrived_at)
        thin = frame.image[::_THINNED, ::_THINNED]
        look = thin.tobytes()
        # A lens that is covered in the dark gives the same black for ever, and the umpire says so.
        if at is not None and (look != self._look or thin.min() == thin.max()):
            self._look = look
            self._changed_at = self._pictured_at = self._clock()
            self._pause_s = FROZEN_S
            if self._trouble is not None:
                self._trouble = None
                self._news.append(CameraNews("back"))
            return replace(frame, captured_at=at)
        if self._clock() >= self._changed_at + max(FROZEN_S, self._pause_s):
            self._froze(late=at is None)
        return None

    def _froze(self, *, late: bool = False) -> None:
        self._hanging = [reader for reader in self._hanging if reader.is_alive()]
        if len(self._hanging) >= MOST_HANGING:
            self._tell("lost", "it does not come back; unplug it and plug it in")
            self._changed_at = self._clock()
        elif late:
            self._leave("late", f"its pictures have been old ones for {FROZEN_S:.0f} s; it is started again")
        else:
            self._leave("frozen", f"no new picture for {FROZEN_S:.0f} s; it is started again")

    def _leave(self, kind: Trouble, reason: str) -> None:
        """Let go of the reader, however it ends, and open the camera anew after a pause."""
        self._tell(kind, reason)
        if self._reader is not None:
            self._reader.stopping = True
            if self._reader.is_alive():
                self._hanging.append(self._reader)
        self._reader = None
        self._retry_at = self._clock() + (self._pause_s if kind == "gone" else 0.0)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def _tell(self, kind: Trouble, reason: str) -> None:
        if self._trouble is None or (kind == "lost" and self._trouble != "lost"):
            self._trouble = kind
            self._news.append(CameraNews(kind, reason))


class _Timing:
    """Times of a camera's frames: which are old ones, and one time that rises from opening to opening."""

    def __init__(self) -> None:
        self._told_at, self._told_arrived_at = -math.inf, 0.0
        self.opened()

    def opened(self) -> None:
        """What its times are counted from is not known any more."""
        self._last_at = -math.inf
        self._least_lag_s = math.inf
        self._lag_of_s = 0.0
        self._shift_s: float | None = None

    def of(self, captured_at: float, arrived_at: float) -> float | None:
        """The time of a frame; None if it is an old one: not after the one before, or from a buffer in
        which it lay while nobody read it. Its age is not known, but how much older it is than the youngest
        was (two clocks may go differently by `_DRIFT`)."""
        lag = arrived_at - captured_at
        self._least_lag_s = min(self._least_lag_s + _DRIFT * (arrived_at - self._lag_of_s), lag)
        self._lag_of_s = arrived_at
        if captured_at <= self._last_at or lag > self._least_lag_s + STALE_S:
            return None
        self._last_at = captured_at
        if self._shift_s is None:
            since = max(arrived_at - self._told_arrived_at, _LEAST_S)
            self._shift_s = self._told_at + since - captured_at if captured_at <= self._told_at else 0.0
        self._told_at, self._told_arrived_at = captured_at + self._shift_s, arrived_at
        return self._told_at
