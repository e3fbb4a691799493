"""A rendered table whose camera can be unplugged, can freeze, hang and lag, under the thread that reads it.

The test renders each picture and hands it to that thread; both go in step, on the table's clock.
"""

import threading
from collections import deque
from dataclasses import replace
from pathlib import Path
from queue import Queue

from firmware.daemon.frames import Frames, FramesInTurn, ThreadedFrames
from hardware.camera import Camera, Frame
from hardware.errors import CameraError
from tests.faults.rendered import RenderedTable

LONG_S = 60.0
"""A thread that does nothing for so long hangs."""
FRAME_S = 1 / 30


class Driver:
    """A camera's driver from its opening to its closing; it waits for what comes by the `cable`."""

    size, fps, frame_count = (0, 0), 1 / FRAME_S, None

    def __init__(self) -> None:
        self.cable: Queue[Frame | None] = Queue()
        self.let_go = threading.Event()
        """Clear: the giving back of it hangs."""
        self.let_go.set()

    def read(self) -> Frame | None:
        frame = self.cable.get()
        if frame is None:
            raise CameraError("the camera simulated is gone; check its plug and cable")
        return frame

    def close(self) -> None:
        self.let_go.wait()


class UnsteadyTable(RenderedTable):
    """Its camera is as the test says: `plugged`; `frozen`, and repeats its last picture; `hangs`, its reads
    never return; `lag`: so many frames lie in its buffer, and those that it gives are as old."""

    def __init__(self, folder: Path) -> None:
        self.plugged = True
        self.frozen = self.hangs = False
        self.lag = 0
        self._drivers: list[Driver] = []
        self._opened: Queue[Driver | None] = Queue()
        self._driver: Driver | None = None
        self._buffer: deque[Frame] = deque()
        self._last: Frame | None = None
        super().__init__(folder)

    def frames_of(self, frames: Frames) -> Frames:
        assert isinstance(frames, FramesInTurn)
        self._camera: Camera = frames._camera
        self._threaded = ThreadedFrames(self._open, lambda: self.table.now)
        self._reader = self._threaded._reader
        self._driver = self._opened.get(timeout=LONG_S)
        return self._threaded

    def turns(self, seconds: float) -> None:
        until = self.table.now + seconds
        while self.table.now < until:
            self._happens()
            self.daemon.turn(0.0)
            self.panels.step()
            reader = self._threaded._reader
            if reader is not self._reader:
                self._reader = reader
                self._driver = None if reader is None else self._opened.get(timeout=LONG_S)

    def hang_in_closing(self) -> None:
        """To give the camera back takes for ever."""
        assert self._driver is not None
        self._driver.let_go.clear()

    def end(self) -> None:
        """Close the daemon, and let every thread go."""
        self.plugged = False
        if self._driver is not None:
            self._driver.cable.put(None)
        self.daemon.close()
        for driver in self._drivers:
            driver.cable.put(None)
            driver.let_go.set()

    def _open(self) -> Driver:
        """Called in the camera's thread."""
        if not self.plugged:
            self._opened.put(None)
            raise CameraError("there is no camera simulated; plug it in")
        driver = Driver()
        self._drivers.append(driver)
        self._opened.put(driver)
        return driver

    def _happens(self) -> None:
        """A frame's time passes; what comes of it has reached the loop's queue."""
        frame = self._picture()
        driver, reader = self._driver, self._reader
        if driver is None or reader is None or self.hangs:
            return
        if not self.plugged:
            frame = None
        elif frame is None:
            return
        driver.cable.put(frame)
        if frame is None and not driver.let_go.is_set():
            return
        with reader.changed:
            assert reader.changed.wait_for(lambda: reader.frames or reader.ended, LONG_S)

    def _picture(self) -> Frame | None:
        """What the camera sends for this frame's time; None if that lies in its buffer still."""
        before = self._last
        frame = self._camera.read()
        assert frame is not None
        if self.frozen and before is not None:
            frame = replace(frame, image=before.image)
        self._last = frame
        self._buffer.append(frame)
        while len(self._buffer) > self.lag + 1:
            self._buffer.popleft()  # it lags no more
        return self._buffer.popleft() if len(self._buffer) > self.lag else None
