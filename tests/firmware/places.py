"""A ball's calibrated place, as tests give it to the match without a calibration."""

from dataclasses import dataclass

from firmware.umpire.rest import Point


@dataclass(frozen=True)
class Place:
    """Implements `firmware.umpire.rest.Position`."""

    dot_mm: Point
    disc_mm: Point
    dot_sigma_mm: float = 0.02
    disc_sigma_mm: float = 0.02

    @property
    def half(self) -> str:
        return "A" if self.dot_mm[0] < 0 else "B"
