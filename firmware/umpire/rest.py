"""A rest: a ball lying still, averaged over the frames in which it was seen whole.

Values and arithmetic only; whether the ball is at rest is decided in track.py, where it lies on the
printed board is the calibration's answer, attached as `position`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from firmware.umpire.sighting import Sighting

Point = tuple[float, float]

# What averaging can never take off a standard deviation: the part of a single frame's error that
# is the same in every frame (the pixel grid under the dot, a gleam, the fit's own model).
_SHARED_PART = 0.25


class Position(Protocol):
    """Where a ball lies on the printed board: the half that holds its dot, mm in that half's
    frame."""

    @property
    def half(self) -> str:
        """ "A" or "B"."""
        ...

    @property
    def dot_mm(self) -> Point:
        """The dot in the printed frame of the half, mm."""
        ...

    @property
    def disc_mm(self) -> Point:
        """The disc's centre in the printed frame of the half, mm."""
        ...

    @property
    def dot_sigma_mm(self) -> float:
        """Standard deviation of the dot along either axis, mm, the calibration's own included."""
        ...

    @property
    def disc_sigma_mm(self) -> float:
        """The same for the disc."""
        ...


@dataclass(frozen=True, slots=True)
class Rest:
    """The ball lying still. Pixels are means over `frames` frames, each `*_sigma_px` the standard
    deviation of that mean along either axis. `about_mm` is the dot in the tracker's board plane;
    `position` the calibrated place at the time of the rest. Times are the camera's, in seconds."""

    dot_px: Point
    disc_px: Point
    dot_sigma_px: float
    disc_sigma_px: float
    radius_px: float
    frames: int
    first_at: float
    last_at: float
    about_mm: Point
    position: Position | None = None


def mean_rest(sightings: Sequence[Sighting], first_at: float, last_at: float, about_mm: Point) -> Rest:
    """The rest that `sightings` (one or more, of one lying ball) add up to.

    A mean weighted by 1/sigma^2. Its variance is scatter^2 / n plus a shared part, sigma^2 -
    scatter^2 but at least (sigma / 4)^2: averaging beats what changes from frame to frame, not what
    stays.
    """
    dot, dot_sigma = _mean([s.dot_px for s in sightings], [s.dot_sigma_px for s in sightings])
    disc, disc_sigma = _mean([s.disc_px for s in sightings], [s.disc_sigma_px for s in sightings])
    return Rest(
        dot_px=dot,
        disc_px=disc,
        dot_sigma_px=dot_sigma,
        disc_sigma_px=disc_sigma,
        radius_px=float(np.median([s.radius_px for s in sightings])),
        frames=len(sightings),
        first_at=first_at,
        last_at=last_at,
        about_mm=about_mm,
    )


def _mean(points: Sequence[Point], sigmas: Sequence[float]) -> tuple[Point, float]:
    xy: NDArray[np.float64] = np.asarray(points, dtype=float)
    sigma = np.asarray(sigmas, dtype=float)
    # One frame in which a hand's shadow crossed the ball must not pull the mean: points far from
    # the median, measured by the typical scatter and the claimed noise, are left out.
    away = np.hypot(*(xy - np.median(xy, axis=0)).T)
    keep = away <= 3.0 * np.maximum(np.median(away), sigma)
    xy, sigma = xy[keep], sigma[keep]
    weight = 1.0 / np.square(sigma)
    mean = (xy * weight[:, None]).sum(axis=0) / weight.sum()
    single = math.sqrt(1.0 / float(weight.mean()))
    n = len(xy)
    scatter2 = float(np.square(xy - mean).sum()) / (2 * (n - 1)) if n > 1 else single**2
    if n < 4:  # too few to tell more noise than claimed from chance
        scatter2 = min(scatter2, single**2)
    shared2 = max(single**2 - scatter2, (_SHARED_PART * single) ** 2)
    variance = single**2 if n == 1 else shared2 + scatter2 / n
    return (float(mean[0]), float(mean[1])), math.sqrt(variance)
