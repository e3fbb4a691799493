"""A USB camera as OpenCV's V4L2 backend has it: `get` is -1 for a control that it has not, `set` False.

Source: OpenCV's cap_v4l.cpp, and the kernel's reference of V4L2's camera controls: exposure in units of 100
microseconds, by hand when V4L2_CID_EXPOSURE_AUTO is 1, and what is set while the camera exposes by itself is
ignored. Many devices do not tell what they chose by themselves.

Sizes: the backend asks for 640x480 and 30 frames a second when it opens, and after each change of format or
size for what was last set; width and height count once both were set. The device gives the nearest that it
has in that format (VIDIOC_S_FMT), and once it streams nothing of it can be changed (EBUSY).
"""

import errno
import os
import struct
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest

ALL_CONTROLS = {
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_GAIN: 32.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_AUTOFOCUS: 1.0,
    cv2.CAP_PROP_FOCUS: 40.0,
}
_OF = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0.0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 0.0),
}
"""Which control has to have which value before another is heard."""
_FIRST_TRIED = ("YUYV", "UYVY", "NV12", "MJPG")
"""The order in which the backend tries formats when it is not told one."""
_HANDLE = 1_000_001
ENUM_FRAMESIZES, ENUM_FRAMEINTERVALS = 0xC02C564A, 0xC034564B


@dataclass(frozen=True)
class FakeMode:
    """`fps`: all that it has at this size; `to`: of a driver that takes every eighth pixel up to that size,
    and every rate up to the first of `fps`."""

    fourcc: str
    size: tuple[int, int]
    fps: tuple[float, ...] = (30.0,)
    to: tuple[int, int] | None = None


WEBCAM = (
    FakeMode("YUYV", (640, 480), (30.0, 15.0)),
    FakeMode("YUYV", (1280, 720), (10.0, 5.0)),
    FakeMode("YUYV", (1920, 1080), (5.0,)),
    FakeMode("H264", (3840, 2160)),
    FakeMode("MJPG", (640, 480), (120.0, 60.0, 30.0)),
    FakeMode("MJPG", (1280, 720), (60.0, 30.0)),
    FakeMode("MJPG", (1920, 1080), (60.0, 30.0, 15.0)),
    FakeMode("MJPG", (3840, 2160), (30.0,)),
)
"""What a usual one has on USB 2: uncompressed it is slow."""


@dataclass
class FakeCapture:
    """cv2.VideoCapture. `light`: how bright the scene is, 1 exposes to the middle at 10 ms. `now`: when the
    last picture came, seconds; while the camera exposes by itself only `auto_fps` come a second."""

    light: float = 1.0
    fps: float = 30.0
    """At first its only rate; then the one that was negotiated, as is `size`."""
    auto_fps: float = 30.0
    now: float = 0.0
    size: tuple[int, int] = (160, 120)
    modes: tuple[FakeMode, ...] = ()
    """All that it has; of nothing else than MJPG of `size` at `fps` unless told otherwise."""
    lists: bool = True
    """Whether its driver answers questions after its modes."""
    controls: dict[int, float] = field(default_factory=lambda: dict(ALL_CONTROLS))
    ignores: set[int] = field(default_factory=set)
    """Controls that are taken and not kept."""
    refuses: set[int] = field(default_factory=set)
    """Controls that are there, and cannot be set."""
    steps: dict[int, float] = field(default_factory=dict)
    """Controls that have only multiples of something, to which the driver rounds without a word."""
    unplugged: bool = False
    opened: bool = True
    released: int = 0
    frames: int = 0

    def __post_init__(self) -> None:
        self.modes = self.modes or (FakeMode("MJPG", self.size, (self.fps,)),)
        self._wanted, self._half = (640, 480), {cv2.CAP_PROP_FRAME_WIDTH: 0, cv2.CAP_PROP_FRAME_HEIGHT: 0}
        self.fourcc = next(name for name in _FIRST_TRIED if any(mode.fourcc == name for mode in self.modes))
        self._negotiate(30.0)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have it be /dev/video0."""
        real_open, real_close = os.open, os.close
        monkeypatch.setattr("hardware.usb.cv2.VideoCapture", lambda *_: self)
        monkeypatch.setattr(
            "hardware.usb.Path.exists", lambda path: str(path) == "/dev/video0" or os.path.exists(path)
        )
        monkeypatch.setattr(
            "hardware.usb_modes.os.open",
            lambda path, *rest: _HANDLE if str(path) == "/dev/video0" else real_open(path, *rest),
        )
        monkeypatch.setattr(
            "hardware.usb_modes.os.close", lambda handle: None if handle == _HANDLE else real_close(handle)
        )
        monkeypatch.setattr("hardware.usb_modes.fcntl.ioctl", self._ioctl)

    def _ioctl(self, handle: int, code: int, asked: Any) -> int:
        """By the offsets of <linux/videodev2.h>."""
        assert handle == _HANDLE
        if not self.lists:
            raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")
        raw = memoryview(asked).cast("B")
        index, fourcc = struct.unpack_from("<I4s", raw)
        modes = [mode for mode in self.modes if mode.fourcc.encode() == fourcc]
        if code == ENUM_FRAMESIZES and index < len(modes):
            assert len(raw) == 44
            mode = modes[index]
            if mode.to is None:
                struct.pack_into("<3I", raw, 8, 1, *mode.size)
            else:
                (w, h), (to_w, to_h) = mode.size, mode.to
                struct.pack_into("<7I", raw, 8, 3, w, to_w, 8, h, to_h, 8)
            return 0
        if code == ENUM_FRAMEINTERVALS:
            assert len(raw) == 52
            size = struct.unpack_from("<2I", raw, 8)
            (mode,) = (mode for mode in modes if mode.size == size or mode.to is not None)
            if mode.to is not None and index == 0:
                struct.pack_into("<7I", raw, 16, 3, 1000, round(1000 * mode.fps[0]), 1, 1, 1, 1000)
                return 0
            if mode.to is None and index < len(mode.fps):
                struct.pack_into("<3I", raw, 16, 1, 1000, round(1000 * mode.fps[index]))
                return 0
        raise OSError(errno.EINVAL, "Invalid argument")

    def _negotiate(self, fps: float) -> None:
        of_format = [mode for mode in self.modes if mode.fourcc == self.fourcc]
        area = self._wanted[0] * self._wanted[1]
        mode = min(of_format, key=lambda mode: abs(mode.size[0] * mode.size[1] - area))
        if mode.to is not None:
            self.size, self.fps = self._wanted, min(fps, mode.fps[0])
        else:
            self.size, self.fps = mode.size, min(mode.fps, key=lambda rate: abs(rate - fps))
        self._asked_fps = fps

    def _set_form(self, control: int, value: float) -> bool:
        if self.frames:
            return False
        if control == cv2.CAP_PROP_FPS:
            self._negotiate(value)
        elif control == cv2.CAP_PROP_FOURCC:
            fourcc = int(value).to_bytes(4, "little").decode()
            if all(mode.fourcc != fourcc for mode in self.modes):
                return False
            self.fourcc = fourcc
            self._negotiate(self._asked_fps)
        else:
            self._half[control] = int(value)
            if all(self._half.values()):
                self._wanted = (self._half[cv2.CAP_PROP_FRAME_WIDTH], self._half[cv2.CAP_PROP_FRAME_HEIGHT])
                self._half = dict.fromkeys(self._half, 0)
                self._negotiate(self._asked_fps)
        return True

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.opened

    def get(self, control: int) -> float:
        if control == cv2.CAP_PROP_FPS:
            return self.fps
        if control == cv2.CAP_PROP_FOURCC:
            return float(int.from_bytes(self.fourcc.encode(), "little"))
        if control in self._half:
            return float(self.size[control - cv2.CAP_PROP_FRAME_WIDTH])
        return self.controls.get(control, -1.0)

    def set(self, control: int, value: float) -> bool:
        if control in (cv2.CAP_PROP_FPS, cv2.CAP_PROP_FOURCC, *self._half):
            return self._set_form(control, value)
        if control not in self.controls or control in self.refuses:
            return False
        if control in self.ignores:
            return True
        needs = _OF.get(control)
        if needs is None or self.controls.get(needs[0], needs[1]) == needs[1]:
            step = self.steps.get(control)
            self.controls[control] = value if step is None else round(value / step) * step
        return True

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.unplugged:
            return False, None
        self.frames += 1
        by_hand = self.controls.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
        self.now += 1.0 / (self.fps if by_hand else self.auto_fps)
        exposed = self.controls[cv2.CAP_PROP_EXPOSURE] / 100 * self.light if by_hand else 1.0
        level = min(255.0, 110.0 * exposed**0.6)
        noise = np.random.default_rng(self.frames).integers(0, 3, (1, self.size[0], 3))
        row = np.clip(level + noise - 1, 0, 255).astype(np.uint8)
        return True, np.repeat(row, self.size[1], axis=0)

    def release(self) -> None:
        self.released += 1
