"""Which of a sensor's modes to play with: one that sees all of it, often enough.

Modes are mappings as picamera2 lists them; no vendor library here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hardware.errors import CameraError

WANTED_FPS: Final = 30.0
"""A stroke is followed at 30 frames a second; a mode that is slower is taken only where no other is whole."""
_LEAST_FPS: Final = 10.0
_CROP_PX: Final = 4
"""Of the sensor's pixels: by so many a crop may be off by rounding."""

Rectangle = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Mode:
    """A sensor's mode: pictures of `size` (width, height) and `bit_depth` bits, at most `fps` a second;
    `crop`: the part of the pixel array that it sees (x, y, width, height)."""

    size: tuple[int, int]
    bit_depth: int
    fps: float
    crop: Rectangle

    def __str__(self) -> str:
        return f"{self.size[0]}x{self.size[1]}, {self.bit_depth} bit, {self.fps:.0f} fps"

    def is_whole(self, crop: object) -> bool:
        """Whether a frame's crop, as its metadata has it, is all that the mode sees."""
        if not isinstance(crop, tuple | list) or len(crop) != 4:
            return False
        return all(abs(a - b) <= _CROP_PX for a, b in zip(crop, self.crop, strict=True))


def whole_mode(modes: Sequence[Mapping[str, Any]], array: tuple[int, int] | None, name: str) -> Mode:
    """The mode to play with: the largest of those that see all of the sensor 30 times a second, and of its
    kind the deepest; else the fastest that sees all.

    `array`: the sensor's width and height in pixels, if it is known; else the widest crop is all. `name`: the
    camera's, for errors: `CameraError` if every mode crops, or is too slow to follow a ball.
    """
    listed = [
        Mode(tuple(mode["size"]), int(mode["bit_depth"]), float(mode["fps"]), tuple(mode["crop_limits"]))
        for mode in modes
        if {"size", "bit_depth", "fps", "crop_limits"} <= mode.keys()
    ]
    if not listed:
        raise CameraError(f"{name} lists no modes, as none of the Pi's cameras does; name others as usb:0")
    width, height = array or max((mode.crop[2:] for mode in listed), key=lambda size: size[0] * size[1])
    whole = [
        mode for mode in listed if mode.crop[2] >= width - _CROP_PX and mode.crop[3] >= height - _CROP_PX
    ]
    if not whole:
        raise CameraError(
            f"every mode of {name} crops its {width}x{height} pixels, and a board at the border would be cut "
            "off; update the system (sudo apt full-upgrade), or use another camera"
        )
    best = max(whole, key=_rank)
    if best.fps < _LEAST_FPS:
        raise CameraError(
            f"{name} sees all of its field no more than {best.fps:.1f} times a second, too seldom to follow "
            "a ball; use another camera"
        )
    return best


def _rank(mode: Mode) -> tuple[bool, float, float, int]:
    width, height = mode.size
    quick = mode.fps >= WANTED_FPS
    return quick, width * height if quick else mode.fps, mode.fps, mode.bit_depth
