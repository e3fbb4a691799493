"""The dot for a second look: the centre of gravity of what is darker than the ball's top.

Lives here: that moment and its standard deviation. The first reading (ball_dot.py) fits a soft-edged disc
to coded levels; this one fits none, and counts light: a lens's blur then moves no centre of gravity.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from firmware.umpire.ball_view import BallSize
from firmware.umpire.rest import Point

Array = NDArray[np.float64]

_WINDOW, _GROUND = 1.7, (1.9, 3.3)
"""In radii of the dot: what is weighed, and the ring of bare print that tells what darkness is."""
_CUT = 0.12
"""Less of the dot's depth than this, or more than one minus it, counts as none and as all: the print's
own specks and the sharpening's halo weigh nothing."""
_STEPS, _ENOUGH_PX = 12, 0.001
_LEAST_DEPTH = 0.25
"""A dot is darker (or lighter) than the top by this share of it, or it is not seen."""
_SIZES = (0.5, 1.7)
"""Area weighed over the printed one."""
_FLOOR_PX = 0.03
"""What no residual shows, measured on rendered stills: the colour filter's grid, sharpening."""
_ALIKE = 3.0
"""Demosaicing and compression make the noise of neighbours alike: errors grow by the root of this."""


@dataclass(frozen=True, slots=True, eq=False)
class DotMoment:
    """The dot's centre of area in pixels. `sigma_px`: standard deviation along either axis of what does
    not change from frame to frame. `frames_px`, shape (n, 2): the centre that each frame gives."""

    at_px: Point
    sigma_px: float
    frames_px: Array


def dot_moment(
    frames: Array, corner: tuple[int, int], model: CameraModel, ball: BallSize, start_px: Point
) -> DotMoment | None:
    """The dot within about its radius of `start_px`; None where nothing stands out there.

    `frames`: light of one channel, linear, shape (n, h, w); their first pixel is `corner` (x, y).
    """
    here = model.locate([start_px, (start_px[0] + 1, start_px[1]), (start_px[0], start_px[1] + 1)],
                        ball.height_mm)  # fmt: skip
    across, down = here[1] - here[0], here[2] - here[0]
    radius = ball.dot_diameter_mm / 2 / math.sqrt(abs(float(across[0] * down[1] - across[1] * down[0])))
    x, y = start_px[0] - corner[0], start_px[1] - corner[1]
    found = _moment(frames.mean(axis=0), (x, y), radius)
    if found is None:
        return None
    (x, y), noise_px = found
    own = [_moment(frame, (x, y), radius) for frame in frames]
    seen = np.array([one[0] for one in own if one is not None]).reshape(-1, 2)
    return DotMoment(
        at_px=(x + corner[0], y + corner[1]),
        sigma_px=math.hypot(_FLOOR_PX, noise_px),
        frames_px=seen + corner,
    )


def _moment(light: Array, start: Point, radius: float) -> tuple[Point, float] | None:
    """Centre of gravity in pixels of `light` (h, w), and its standard deviation by the ground's noise."""
    x, y = start
    for _ in range(_STEPS):
        patch = _patch(light, (x, y), radius)
        if patch is None:
            return None
        across, down, levels = patch
        away = np.hypot(across, down)
        ring = (away > _GROUND[0] * radius) & (away < _GROUND[1] * radius)
        ground, noise = _ground(across / radius, down / radius, levels, ring)
        dark = ground - levels
        depth = float(dark[away < 0.5 * radius].mean())
        level = float(ground.mean())
        if level <= 0 or abs(depth) < _LEAST_DEPTH * level:
            return None
        window = np.clip(_WINDOW * radius + 0.5 - away, 0.0, 1.0)
        mass = window * np.clip((dark / depth - _CUT) / (1.0 - 2.0 * _CUT), 0.0, 1.0)
        area = float(mass.sum())
        if not _SIZES[0] < area / (math.pi * radius * radius) < _SIZES[1]:
            return None
        dx, dy = float(mass @ across) / area, float(mass @ down) / area
        x, y = x + dx, y + dy
        if math.hypot(x - start[0], y - start[1]) > 1.5 * radius:
            return None
        if max(abs(dx), abs(dy)) < _ENOUGH_PX:
            break
    # Only pixels on the dot's edge pass their noise on: those that are neither cut off nor full.
    edge = (mass > 0.0) & (mass < 1.0)
    lever = float(np.square(across[edge]).sum() + np.square(down[edge]).sum()) / 2.0
    sigma = noise / abs(depth) / (1.0 - 2.0 * _CUT) * math.sqrt(_ALIKE * lever) / area
    return (x, y), sigma


def _patch(light: Array, at: Point, radius: float) -> tuple[Array, Array, Array] | None:
    """Pixels about a place: how far right and below it they lie, and their light; None at the border."""
    reach = _GROUND[1] * radius + 1.0
    left, top = math.ceil(at[0] - reach), math.ceil(at[1] - reach)
    right, bottom = math.floor(at[0] + reach), math.floor(at[1] + reach)
    if left < 0 or top < 0 or right >= light.shape[1] or bottom >= light.shape[0]:
        return None
    rows, columns = np.mgrid[top : bottom + 1, left : right + 1]
    return columns.ravel() - at[0], rows.ravel() - at[1], light[top : bottom + 1, left : right + 1].ravel()


def _ground(u: Array, v: Array, levels: Array, ring: NDArray[np.bool_]) -> tuple[Array, float]:
    """The top's light as a bowl fitted to a ring about the dot, at every pixel, and its noise there."""
    basis = np.column_stack((np.ones_like(u), u, v, u * u + v * v))
    weights = np.ones(int(ring.sum()))
    for _ in range(3):
        weighted = basis[ring] * weights[:, None]
        bowl = np.linalg.lstsq(weighted.T @ basis[ring], weighted.T @ levels[ring], rcond=None)[0]
        left = np.abs(levels[ring] - basis[ring] @ bowl)
        middle = float(np.median(left)) + 1e-9
        weights = 1.0 / (1.0 + (left / (2.0 * middle)) ** 2)  # specks, a gleam's edge
    return basis @ bowl, 1.48 * middle
