"""A USB camera through OpenCV; the one adapter that opens video devices.

Files are recorded.py's.
"""

import logging
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Frame
from hardware.camera_facts import CameraFacts
from hardware.errors import CameraError
from hardware.exposure import LightWatch, MainsHz
from hardware.recorded import quieten_opencv
from hardware.usb_lock import RESETTLE_MOST_S, Image, UsbLock
from hardware.usb_modes import LEAST_FPS, MJPG, UsbMode, best_mode, listed_modes

logger = logging.getLogger(__name__)

_DEFAULT_FPS = 30.0
_DROPPED_SHARE = 1.5  # a gap of this many frame times means that a frame was lost in between
_ASKED_EVERY = 30
"""Frames between two questions whether the settings still hold."""
_MOST_LOSSES = 3
_USUAL_SIZES = ((1920, 1080), (1280, 720))
"""What is asked of a camera that does not list its modes: it takes the nearest that it has."""
_MOST_TOLD = 6
"""Sizes named to a person; a camera may have forty."""


class UsbCamera:
    """The video device `index`. `captured_at` is `time.monotonic()` when the frame arrived.

    `size`: the pictures' width and height that are wanted, pixels; None is the best that it has, by
    `usb_modes.best_mode`. The camera decides, and the properties and `facts` say what it gave. Opening takes
    two seconds, of a slow camera up to ten: exposure, gain, white balance and focus settle and are locked,
    as far as the device has controls for them; exposures are multiples of the lamps' flicker at `mains_hz`.
    Errors are `CameraError`: no such device, device in use, device unplugged.
    """

    def __init__(self, index: int, *, size: tuple[int, int] | None = None, mains_hz: MainsHz = 50) -> None:
        quieten_opencv()
        self._name = f"usb:{index}"
        linux = sys.platform.startswith("linux")
        device = Path(f"/dev/video{index}")
        if linux and not device.exists():
            raise CameraError(
                f"there is no camera {self._name} ({device} is missing); plug it in, or "
                "look with `ls /dev/video*` which number it has"
            )
        modes = listed_modes(device) if linux else ()
        self._capture = cv2.VideoCapture(index, cv2.CAP_V4L2 if linux else cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise CameraError(
                f"the camera {self._name} does not open; close other programs that use it, or "
                "add the user to the group `video`"
            )
        self._choose(modes, size)
        good, image = self._capture.read()
        if not good or image is None:
            self.close()
            raise CameraError(f"the camera {self._name} sends no picture; unplug it and plug it in")
        self._size = (int(image.shape[1]), int(image.shape[0]))
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._fps = rate if math.isfinite(rate) and rate > 0 else _DEFAULT_FPS
        self._mode = str(UsbMode(self._packing(), self._size, self._fps))
        self._remark = _other_size(size, self._size, modes)
        logger.info("the camera %s: %s", self._name, self._mode)
        if self._remark:
            logger.warning("the camera %s: %s", self._name, self._remark)
        self._number, self._last_at = -1, -math.inf
        self._light, self._relight, self._losses = LightWatch(), False, 0
        self._lock: UsbLock | None = None
        if linux:  # elsewhere the same controls have other units
            self._lock = UsbLock(
                self._capture, self._picture, self._name, mains_hz, self._fps, time.monotonic
            )
            try:
                self._lock.settle()
            except BaseException:
                self.close()
                raise

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

    def facts(self) -> CameraFacts:
        """As it was locked; such a camera does not tell it of each frame."""
        lock, remarks = self._lock, (self._remark,) if self._remark else ()
        if lock is None:
            return CameraFacts(mode=self._mode, remarks=remarks)
        return CameraFacts(
            mode=self._mode,
            exposure_us=lock.exposure_us,
            locked=lock.holds,
            remarks=(*remarks, *lock.remarks.values()),
        )

    def read(self) -> Frame | None:
        """The next frame; `CameraError` when the device is gone."""
        if self._lock is not None and self._relight:
            self._relight = False
            logger.warning("the camera %s: the light has changed; it is exposed anew", self._name)
            self._lock.settle(RESETTLE_MOST_S)
        image = self._picture()
        arrived_at = time.monotonic()
        passed = (arrived_at - self._last_at) * self._fps
        self._number += round(passed) if _DROPPED_SHARE < passed < math.inf else 1
        self._last_at = arrived_at
        self._watch(image, arrived_at)
        return Frame(image, arrived_at, self._number)

    def close(self) -> None:
        """Give the device back."""
        self._capture.release()

    def _picture(self) -> Image:
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraError(f"the camera {self._name} is gone; check its plug and cable")
        return np.asarray(image, dtype=np.uint8)

    def _watch(self, image: Image, at: float) -> None:
        """Whether it has to be settled again: the light, or its settings, have changed."""
        lock = self._lock
        if lock is None or lock.exposure_us is None:
            return
        self._relight = self._light.changed(image, at)
        if self._number % _ASKED_EVERY == 0 and self._losses < _MOST_LOSSES and not lock.holds:
            self._losses += 1
            logger.warning("the camera %s has lost its settings; they are set again", self._name)
            self._relight = True

    def _choose(self, modes: Sequence[UsbMode], size: tuple[int, int] | None) -> None:
        """Ask for the best mode, or for `size`: else OpenCV asks for 640x480 (cap_v4l.cpp,
        DEFAULT_V4L_WIDTH)."""
        mode = best_mode(modes, size)
        if mode is not None:
            self._ask(mode.fourcc, mode.size, mode.fps)
            return
        for tried in _USUAL_SIZES if size is None else (size,):
            self._ask(MJPG, tried, _DEFAULT_FPS)
            if self._capture.get(cv2.CAP_PROP_FPS) >= LEAST_FPS:
                return

    def _ask(self, fourcc: str, size: tuple[int, int], fps: float) -> None:
        # Before the first picture: while it streams, a driver changes nothing. Width and height count only
        # together, and each change but the last is asked of the device with the rate of before.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*fourcc))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)

    def _packing(self) -> str:
        """What the device packs its pictures in, by its four letters."""
        code = max(0, int(self._capture.get(cv2.CAP_PROP_FOURCC)))
        letters = code.to_bytes(4, "little", signed=False).decode("latin-1") if code < 2**32 else ""
        return letters if letters.isalnum() else "packed otherwise"


def _other_size(wanted: tuple[int, int] | None, given: tuple[int, int], modes: Sequence[UsbMode]) -> str:
    """That another size came than was wanted, and what to do; empty if none did."""
    if wanted is None or wanted == given:
        return ""
    sizes = sorted({mode.size for mode in modes if mode.fps >= LEAST_FPS}, reverse=True)[:_MOST_TOLD]
    has = f", such as {', '.join(f'[{width}, {height}]' for width, height in sizes)}" if sizes else ""
    return (
        f"it gives pictures of {given[0]}x{given[1]} and not of {wanted[0]}x{wanted[1]}; set size under "
        f"[camera] to one that it has{has}, or leave it out"
    )
