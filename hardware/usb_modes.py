"""Which modes a USB camera has, as V4L2's driver lists them, and which of them to play with.

The device is opened for questions only: none is set here, and no picture is fetched.
"""

import ctypes
import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

LEAST_FPS: Final = 25.0
"""A ball that is flicked is followed from so many pictures a second on."""
WANTED_FPS: Final = 30.0
"""What the umpire's promises were measured at; more pictures cost more and tell nothing new."""
MOST_PIXELS: Final = 1920 * 1080
"""What a board of 390 mm with its margin takes at 0.36 mm a pixel, where the umpire's promises were measured
(0.37). More buys little and costs much: OpenCV takes 7 to 8 ms to unpack a JPEG of this size on the x86 core
of tests/bench, and a Pi 4's core is about four times slower, so that one of them is busy with it."""
_LONG, _SHORT = 4, 3
"""The form of the boards with their margin, 540 x 390 mm: of a wider picture the rest shows the table."""

RAW: Final = ("YUYV", "UYVY", "NV12")
"""Uncompressed: nothing is lost, and a picture of 2 megapixels takes 0.7 ms instead of 7."""
MJPG: Final = "MJPG"
_READ: Final = (*RAW, MJPG)
"""What OpenCV makes colours of, and cameras offer (cap_v4l.cpp); H.264 and the like are not among it."""

_COMMON: Final = (
    *((1920, 1080), (1600, 1200), (1280, 1024), (1280, 960), (1280, 720)),
    *((1024, 768), (800, 600), (640, 480), (320, 240)),
)
"""Sizes to be had of a driver that takes any between two."""
_MOST_LISTED: Final = 256
"""Of one kind: a driver that never says that there are no more is not believed."""


@dataclass(frozen=True, slots=True)
class UsbMode:
    """Pictures of `size` (width, height), packed as `fourcc`, at `fps` a second."""

    fourcc: str
    size: tuple[int, int]
    fps: float

    def __str__(self) -> str:
        return f"{self.size[0]}x{self.size[1]}, {self.fourcc}, {self.fps:.0f} fps"


def best_mode(modes: Iterable[UsbMode], size: tuple[int, int] | None = None) -> UsbMode | None:
    """The mode to play with, of those of `size` if one is wanted; None if there is none.

    The one that shows a board largest 25 times a second, of no more than 2 megapixels; if none is as quick
    the quickest. Of one size the uncompressed one, if that is quick enough, and the rate nearest to 30.
    """
    fit = [mode for mode in modes if (mode.size == size if size else _pixels(mode) <= MOST_PIXELS)]
    return max(fit, key=_rank, default=None)


def listed_modes(device: Path) -> tuple[UsbMode, ...]:
    """The modes of a video device that can be read here. Empty where none are told: no such device, no V4L2,
    or a driver that does not list them."""
    with suppress(OSError):
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
        try:
            return tuple(_modes(handle))
        finally:
            os.close(handle)
    return ()


def _pixels(mode: UsbMode) -> int:
    return mode.size[0] * mode.size[1]


def _rank(mode: UsbMode) -> tuple[float, ...]:
    quick = mode.fps >= LEAST_FPS
    shown = min(mode.size[0] * _SHORT, mode.size[1] * _LONG)
    # Above 30 the nearest; below, the quickest: drivers round 30 to 29.97.
    rate = -mode.fps if mode.fps >= WANTED_FPS - 0.5 else mode.fps - 1e6
    if not quick:
        return (0.0, mode.fps, shown, _pixels(mode), 0.0, mode.fourcc in RAW)
    return (1.0, 0.0, shown, _pixels(mode), mode.fourcc in RAW, rate)


# ------------------------------------------------------------ <linux/videodev2.h>, on every machine alike


class _Discrete(ctypes.Structure):
    _fields_ = (("width", ctypes.c_uint32), ("height", ctypes.c_uint32))


class _Stepwise(ctypes.Structure):
    _fields_ = tuple(
        (f"{which}_{what}", ctypes.c_uint32)
        for what in ("width", "height")
        for which in ("least", "most", "step")
    )


class _Sizes(ctypes.Union):
    _fields_ = (("discrete", _Discrete), ("stepwise", _Stepwise))


class _SizeAsked(ctypes.Structure):
    """`struct v4l2_frmsizeenum`."""

    _fields_ = (
        *((name, ctypes.c_uint32) for name in ("index", "fourcc", "kind")),
        ("size", _Sizes),
        ("reserved", ctypes.c_uint32 * 2),
    )


class _Time(ctypes.Structure):
    """`struct v4l2_fract`, in seconds."""

    _fields_ = (("numerator", ctypes.c_uint32), ("denominator", ctypes.c_uint32))


class _TimeAsked(ctypes.Structure):
    """`struct v4l2_frmivalenum`; if stepwise the first time is the shortest, the second the longest."""

    _fields_ = (
        *((name, ctypes.c_uint32) for name in ("index", "fourcc", "width", "height", "kind")),
        ("times", _Time * 3),
        ("reserved", ctypes.c_uint32 * 2),
    )


_DISCRETE: Final = 1
ASK_SIZE: Final = 0xC02C564A
"""VIDIOC_ENUM_FRAMESIZES, and VIDIOC_ENUM_FRAMEINTERVALS."""
ASK_TIME: Final = 0xC034564B


def _modes(handle: int) -> Iterator[UsbMode]:
    for fourcc in _READ:
        for size in _sizes(handle, fourcc):
            for fps in _rates(handle, fourcc, size):
                yield UsbMode(fourcc, size, fps)


def _sizes(handle: int, fourcc: str) -> Iterator[tuple[int, int]]:
    for asked in _enumerated(handle, ASK_SIZE, lambda at: _SizeAsked(index=at, fourcc=_code(fourcc))):
        if asked.kind == _DISCRETE:
            yield asked.size.discrete.width, asked.size.discrete.height
            continue
        steps = asked.size.stepwise
        for width, height in _COMMON:
            if _fits(width, steps.least_width, steps.most_width, steps.step_width) and _fits(
                height, steps.least_height, steps.most_height, steps.step_height
            ):
                yield width, height
        return


def _fits(value: int, least: int, most: int, step: int) -> bool:
    return least <= value <= most and (value - least) % max(step, 1) == 0


def _rates(handle: int, fourcc: str, size: tuple[int, int]) -> Iterator[float]:
    def question(at: int) -> _TimeAsked:
        return _TimeAsked(index=at, fourcc=_code(fourcc), width=size[0], height=size[1])

    for asked in _enumerated(handle, ASK_TIME, question):
        if not (fastest := _per_second(asked.times[0])):
            continue
        if asked.kind == _DISCRETE:
            yield fastest
            continue
        slowest = _per_second(asked.times[1])
        yield min(fastest, max(slowest, WANTED_FPS))
        return


def _per_second(time: _Time) -> float:
    return time.denominator / time.numerator if time.numerator else 0.0


def _enumerated(handle: int, code: int, question: Callable[[int], Any]) -> Iterator[Any]:
    """The answers to a question with a rising index, up to the error that says that there are no more."""
    for at in range(_MOST_LISTED):
        asked = question(at)
        try:
            fcntl.ioctl(handle, code, asked)
        except OSError:
            return
        yield asked


def _code(fourcc: str) -> int:
    return int.from_bytes(fourcc.encode("ascii"), "little")
