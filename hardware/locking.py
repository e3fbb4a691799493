"""A camera's settings held still: what they are to be, and whether a frame was taken with them.

Settings and a frame's own word for them are plain mappings, by libcamera's names; no vendor library here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_TIME_PART: Final = 0.01
"""Sensors expose whole lines, of 10 to 30 microseconds: of an exposure of 8.33 ms less than half of it."""
_GAIN_PART: Final = 0.05
"""Sensors have steps of gain: mostly 0.1 dB, 1.2 per cent. The IMX219's (Camera Module 2) are 256 / (256 - n)
and rounded down by libcamera (cam_helper_imx219.cpp): of its greatest, 10.7, up to 4.2 per cent are lost."""
_COLOUR_PART: Final = 0.01
_FOCUS_DIOPTRES: Final = 0.1
_LEAST_US: Final = 60.0

Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lock:
    """What holds still. `time_us`: the exposure in microseconds; `gain`: analogue, 1 and more;
    `colour_gains`: of red and blue beside green, None of a grey sensor; `focus`: dioptres, None of a lens
    without a motor."""

    time_us: float
    gain: float
    colour_gains: tuple[float, float] | None = None
    focus: float | None = None

    def controls(self) -> dict[str, Any]:
        """The settings that make it so. That focus is by hand is an enum of libcamera's, and not in it."""
        wanted: dict[str, Any] = {
            "AeEnable": False,
            "ExposureTime": round(self.time_us),
            "AnalogueGain": float(self.gain),
        }
        if self.colour_gains is not None:
            wanted |= {"AwbEnable": False, "ColourGains": self.colour_gains}
        if self.focus is not None:
            wanted["LensPosition"] = float(self.focus)
        return wanted

    def deviations(self, metadata: Metadata) -> tuple[str, ...]:
        """What in a frame is otherwise, in words; empty if the lock held for it."""
        found = []
        time = metadata.get("ExposureTime")
        if not _near(time, self.time_us, max(_LEAST_US, _TIME_PART * self.time_us)):
            found.append(f"an exposure of {_told(time)} us instead of {self.time_us:.0f}")
        gain = metadata.get("AnalogueGain")
        if not _near(gain, self.gain, _GAIN_PART * self.gain):
            found.append(f"a gain of {_told(gain)} instead of {self.gain:.2f}")
        if self.colour_gains is not None:
            seen = metadata.get("ColourGains") or (None, None)
            if not all(_near(a, b, _COLOUR_PART * b) for a, b in zip(seen, self.colour_gains, strict=True)):
                wanted = " and ".join(f"{each:.2f}" for each in self.colour_gains)
                found.append(f"colour gains of {' and '.join(map(_told, seen))} instead of {wanted}")
        if self.focus is not None:
            focus = metadata.get("LensPosition")
            if not _near(focus, self.focus, _FOCUS_DIOPTRES):
                found.append(f"a focus of {_told(focus)} instead of {self.focus:.2f} dioptres")
        return tuple(found)


def _near(seen: object, wanted: float, by: float) -> bool:
    return isinstance(seen, int | float) and abs(seen - wanted) <= by


def _told(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else "unknown"
