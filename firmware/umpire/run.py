"""Free runs: does a path look like a ball that was flicked and then slowed down by the cloth alone?

Kinematics of points in mm and seconds. Nothing in here knows hands' shapes, pictures or reports.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware.umpire.rest import Point

Array = NDArray[np.float64]

# A disc on cloth or card loses 0.5 to 6 m/s^2 (friction 0.05 to 0.6); the bounds are wide, since
# they only keep out creeping and stops against something hard.
_DECELERATION_MM_S2 = (150.0, 20_000.0)

# How far a path may stray from the law, root mean square: a fixed part for blurred sightings, and
# a part that grows with the way for cloth that is not the same everywhere.
_STRAY_MM = 0.25
_STRAY_PART = 0.02

# Nearer to the end than this a sample says little about the speed. Nearer to the start the ball has
# not been struck: a finger laid on it to aim stirs it, or hides a part and drags what is measured.
_NEAR_END_MM, _NEAR_START_MM = 0.6, 1.5


@dataclass(frozen=True, slots=True)
class Sample:
    """The disc's centre on its way. `near`: a hand was beside the ball."""

    at: float
    disc_mm: Point
    near: bool


@dataclass(frozen=True, slots=True)
class Run:
    """The part of a path that ends in a free run. `explained`: its share (0..1) of the whole way.
    `started_at`, `stopped_at`: when the law says the run began and ended, seconds."""

    started_at: float
    stopped_at: float
    deceleration_mm_s2: float
    explained: float
    samples: int


def distance(a: Point, b: Point) -> float:
    """Distance in mm of two points."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def free_run(
    path: Sequence[Sample],
    start_mm: Point,
    end_mm: Point,
    left_after: float,
    still_at: float,
) -> Run | None:
    """The longest free run that ends `path`, or None.

    Under constant friction the way still to go is s = a/2 (T - t)^2, so sqrt(s) falls on a straight
    line; a hand that carries or pushes first speeds up and then slows down, which bends it. The
    ball lay at `start_mm` until `left_after` and lay at `end_mm` from `still_at` on.
    """
    way = distance(start_mm, end_mm)
    waiting = 0
    for number, sample in enumerate(path, 1):
        # However it was seen before (a knock's jerk), a ball that lies where it lay was not struck yet.
        if distance(sample.disc_mm, start_mm) < _NEAR_START_MM:
            left_after, waiting = sample.at, number
    moving = [s for s in path[waiting:] if distance(s.disc_mm, end_mm) > _NEAR_END_MM]
    if not moving or way <= _NEAR_END_MM:
        return None
    for first in range(len(moving)):
        tail = moving[first:]
        origin = start_mm if first == 0 else tail[0].disc_mm
        fit = _fit(tail, origin, end_mm, still_at, way)
        if fit is None:
            continue
        slope, stopped_at = fit
        began_at = stopped_at - math.sqrt(way) / slope
        interval = tail[0].at - left_after
        explained = min(1.0, distance(tail[0].disc_mm, end_mm) / way)
        if first == 0 and left_after - 0.6 * interval <= began_at <= tail[0].at:
            explained = 1.0
        started_at = min(max(began_at, left_after), moving[0].at)
        return Run(started_at, stopped_at, 2.0 * slope**2, explained, len(tail))
    return None


def _fit(
    tail: Sequence[Sample], origin: Point, end_mm: Point, still_at: float, way: float
) -> tuple[float, float] | None:
    """Slope of sqrt(way to go) in sqrt(mm)/s and time of the stop, if the law holds over `tail`."""
    tolerance = _STRAY_MM + _STRAY_PART * way
    if any(_aside(s.disc_mm, origin, end_mm) > 4.0 * tolerance + 0.05 * way for s in tail):
        return None
    at: Array = np.array([s.at for s in tail])
    to_go: Array = np.array([distance(s.disc_mm, end_mm) for s in tail])
    if bool(np.any(np.diff(to_go) > tolerance)):
        return None
    root, weight = np.sqrt(to_go), to_go.copy()
    times, roots, weights = at, root, weight
    gap = still_at - tail[-1].at
    if len(tail) < 3:
        # One or two samples leave the stop open: it lay between the last move and the first rest.
        if gap > 0.2:
            return None
        times = np.append(at, tail[-1].at + gap / 2)
        roots, weights = np.append(root, 0.0), np.append(weight, 0.25)
    mean_at = float(np.average(times, weights=weights))
    mean_root = float(np.average(roots, weights=weights))
    spread = float(np.average(np.square(times - mean_at), weights=weights))
    if spread <= 0:
        return None
    slope = -float(np.average((times - mean_at) * (roots - mean_root), weights=weights)) / spread
    if not _DECELERATION_MM_S2[0] <= 2.0 * slope * abs(slope) <= _DECELERATION_MM_S2[1]:
        return None
    stopped_at = mean_at + mean_root / slope
    law = np.square(np.maximum(slope * (stopped_at - at), 0.0))
    # A stop that the law puts long after the ball was seen lying still was made by a hand.
    if float(np.sqrt(np.mean(np.square(law - to_go)))) > tolerance or stopped_at > still_at + 0.05:
        return None
    return slope, stopped_at


def _aside(point: Point, start: Point, end: Point) -> float:
    """Distance in mm of `point` from the line through `start` and `end`."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length < 1e-9:
        return 0.0
    return abs((point[0] - start[0]) * dy - (point[1] - start[1]) * dx) / length


def velocity(path: Sequence[Sample], window_s: float = 0.12) -> Point:
    """Velocity in mm/s at the end of `path`, by a straight line through its last `window_s`.

    (0, 0) for fewer than two samples, or samples of one instant.
    """
    if len(path) < 2:
        return (0.0, 0.0)
    recent = [s for s in path if s.at >= path[-1].at - window_s]
    if len(recent) < 2:
        recent = list(path[-2:])
    at = np.array([s.at for s in recent])
    xy = np.array([s.disc_mm for s in recent])
    at = at - at.mean()
    spread = float(at @ at)
    if spread <= 0.0:
        return (0.0, 0.0)
    vx, vy = (at @ (xy - xy.mean(axis=0))) / spread
    return (float(vx), float(vy))


def coasted(path: Sequence[Sample], seconds: float, deceleration_mm_s2: float) -> Point:
    """Where a ball at the end of `path` is after `seconds` of slowing down, mm."""
    vx, vy = velocity(path)
    speed = math.hypot(vx, vy)
    x, y = path[-1].disc_mm
    if speed < 1e-6:
        return (x, y)
    time = min(seconds, speed / deceleration_mm_s2)
    way = speed * time - deceleration_mm_s2 * time * time / 2
    return (x + vx / speed * way, y + vy / speed * way)
