"""A USB camera through OpenCV; the one adapter that opens video devices.

Files are recorded.py's.
"""

import math
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Frame
from hardware.errors import CameraError
from hardware.recorded import quieten_opencv

_DEFAULT_FPS = 30.0
_DROPPED_SHARE = 1.5  # a gap of this many frame times means that a frame was lost in between


class UsbCamera:
    """The video device `index`. `captured_at` is `time.monotonic()` when the frame arrived.

    `size` and `fps` are asked for; the camera decides, and the properties say what it gave.
    Errors are `CameraError`: no such device, device in use, device unplugged.
    """

    def __init__(
        self, index: int, *, size: tuple[int, int] | None = None, fps: float | None = None
    ) -> None:
        quieten_opencv()
        self._name = f"usb:{index}"
        linux = sys.platform.startswith("linux")
        if linux and not Path(f"/dev/video{index}").exists():
            raise CameraError(
                f"there is no camera {self._name} (/dev/video{index} is missing); plug it in, or "
                "look with `ls /dev/video*` which number it has"
            )
        self._capture = cv2.VideoCapture(index, cv2.CAP_V4L2 if linux else cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise CameraError(
                f"the camera {self._name} does not open; close other programs that use it, or "
                "add the user to the group `video`"
            )
        self._configure(size, fps)
        good, image = self._capture.read()
        if not good or image is None:
            self.close()
            raise CameraError(f"the camera {self._name} sends no picture; unplug it and plug it in")
        self._size = (int(image.shape[1]), int(image.shape[0]))
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._fps = rate if math.isfinite(rate) and rate > 0 else _DEFAULT_FPS
        self._number, self._last_at = -1, -math.inf

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._size

    @property
    def fps(self) -> float:
        """Frames a second, as the device says."""
        return self._fps

    @property
    def frame_count(self) -> int | None:
        """None: a camera goes on."""
        return None

    def read(self) -> Frame | None:
        """The next frame; `CameraError` when the device is gone."""
        good, image = self._capture.read()
        arrived_at = time.monotonic()
        if not good or image is None:
            raise CameraError(f"the camera {self._name} is gone; check its plug and cable")
        passed = (arrived_at - self._last_at) * self._fps
        self._number += round(passed) if _DROPPED_SHARE < passed < math.inf else 1
        self._last_at = arrived_at
        return Frame(np.asarray(image, dtype=np.uint8), arrived_at, self._number)

    def close(self) -> None:
        """Give the device back."""
        self._capture.release()

    def _configure(self, size: tuple[int, int] | None, fps: float | None) -> None:
        # Uncompressed pictures of this size do not fit through USB 2 at 30 frames a second.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        if size is not None:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        if fps is not None:
            self._capture.set(cv2.CAP_PROP_FPS, fps)
