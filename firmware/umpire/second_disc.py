"""The disc for a second look: the whole ball explained at once, in light and in board millimetres.

Lives here: a model of every pixel about the ball - print, bare wood, wall, and whatever lies around - and
its fit. It shares nothing with the first reading of the rim (ball_rim.py, ball_edge.py) but the camera:
no rays, no ellipse, no levels of their own for each direction, light instead of coded levels.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from firmware.umpire.ball_view import BallSize
from firmware.umpire.rest import Point

Array = NDArray[np.float64]

_INNER, _OUTER_MM = 0.7, 1.5
"""What is fitted: from this share of the radius to so far beyond the ball's outline. The dot is
farther in; farther out, the board's print is not smooth any more."""
_HARMONICS, _WALL_HARMONICS = 6, 2
"""What lies around changes with the direction up to this order; so does the light on the wall."""
_MEANS = (0.972, 1.0, 0.8)
"""End of print and rim over the ball's radius, blur in px, as expected: see ball_edge.py."""
_SPREADS = (0.02, 0.004, 0.3)
"""Their standard deviations: prints end 0 to 0.6 mm within the rim, the scale is good to 0.4 %."""
_BLUR_PX = (0.4, 3.0)
_STEPS, _ENOUGH_MM = 9, 0.001
_PROBE = np.array([0.01, 0.01, 0.01, 0.01, 0.03])
"""Steps of the numerical derivatives: mm, and px for the blur."""
_LONGEST = np.array([0.5, 0.5, 0.2, 0.1, 0.4])
_CORRELATION = 100.0
"""What is left is not noise but the model's shortcomings, alike over ten by ten pixels: it weighs
against the spreads above by that much less."""
_OUTLIER2 = 9.0
"""Squared residuals over the middle one at which a pixel counts half: a line's edge, a figure."""
_RIDGE = 1e-5
_SECTORS = 12
_SHORTCOMING = 3.0
"""Errors over what leaving out one sector of the ring after the other tells (rendered stills)."""
_FLOOR_PX = 0.04
"""What no residual shows, measured on the same: contact shadows, the grid of the colour filter."""
_SHARP_PX, _BLURRED = 0.7, 0.2
"""Error in px for each px of blur beyond that: what a soft rim is taken for depends on what lies around."""
_LOGISTIC = 1.702


@dataclass(frozen=True, slots=True, eq=False)
class DiscFit:
    """The disc's centre on the plane of the ball's top, board mm. `sigma_px`: standard deviation along
    either axis of what does not change from frame to frame. `blur_px`: of the picture's edges.
    `frames_mm`, shape (n, 2): the centre that each frame by itself gives."""

    centre_mm: Point
    sigma_px: float
    blur_px: float
    frames_mm: Array


def fit_disc(
    frames: Array, corner: tuple[int, int], model: CameraModel, ball: BallSize, start_mm: Point
) -> DiscFit | None:
    """The disc near `start_mm` (board mm, within 1 mm); None if the fit runs away.

    `frames`: light of one channel, linear, shape (n, h, w); their first pixel is `corner` (x, y).
    """
    start = start_mm
    for _ in range(3):
        region = _Region.about(frames.shape[1:], corner, model, ball, start)
        if region is None:
            return None
        fit = _fit(region, frames.reshape(len(frames), -1)[:, region.inside])
        if fit is None:
            return None
        moved = math.dist(fit.centre_mm, start)
        # Which pixels take part hangs on the start: from a poor one, once more.
        if moved < 0.15:
            return fit
        start = fit.centre_mm
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """The pixels that take part, n of them. `inside`: which of the cut-out. `top`, `foot`, (n, 2): where
    they see the plane of the top and the board, mm from `origin`. `waves`: harmonics of the direction."""

    inside: NDArray[np.bool_]
    origin: Point
    top: Array
    foot: Array
    angle: Array
    waves: Array
    radius_mm: float
    mm_per_px: float

    @classmethod
    def about(
        cls, shape: tuple[int, ...], corner: tuple[int, int], model: CameraModel, ball: BallSize, at: Point
    ) -> "_Region | None":
        """None when the cut-out does not hold all of it."""
        rows, columns = np.mgrid[: shape[0], : shape[1]]
        pixels = np.column_stack((columns.ravel() + corner[0], rows.ravel() + corner[1])).astype(float)
        top = model.locate(pixels, ball.height_mm) - at
        foot = model.locate(pixels) - at
        radius = ball.diameter_mm / 2
        inside = np.hypot(top[:, 0], top[:, 1]) > _INNER * radius
        inside &= _outline_mm(top, foot, np.zeros(2)) < radius + _OUTER_MM
        grid = inside.reshape(shape)
        if not inside.any() or grid[0].any() or grid[-1].any() or grid[:, 0].any() or grid[:, -1].any():
            return None
        # The cut-out's pixels lie on a grid: steps along it, all over, give the mean scale.
        across = np.diff(top.reshape(*shape, 2), axis=1).mean(axis=(0, 1))
        down = np.diff(top.reshape(*shape, 2), axis=0).mean(axis=(0, 1))
        top, foot = top[inside], foot[inside]
        angle = np.arctan2(top[:, 1], top[:, 0])
        orders = np.arange(1, _HARMONICS + 1)
        waves = np.empty((len(angle), 2 * _HARMONICS + 1))
        waves[:, 0] = 1.0
        waves[:, 1::2], waves[:, 2::2] = np.cos(angle[:, None] * orders), np.sin(angle[:, None] * orders)
        scale = math.sqrt(abs(float(across[0] * down[1] - across[1] * down[0])))
        return cls(inside, at, top, foot, angle, waves, radius, scale)

    def explained(self, unknowns: Array) -> Array:
        """The parts that make up the light, shape (n, parts), for (x, y, end of print, rim, blur)."""
        centre, (print_mm, rim_mm, blur_px) = unknowns[:2], unknowns[2:]
        blur_mm = blur_px * self.mm_per_px
        away = self.top - centre
        from_axis = np.hypot(away[:, 0], away[:, 1])
        beyond = _outline_mm(self.top, self.foot, centre) - rim_mm
        face = _rise((print_mm - from_axis) / blur_mm)
        disc = _rise((rim_mm - from_axis) / blur_mm)
        body = np.maximum(_rise(-beyond / blur_mm), disc)
        around = (1.0 - body)[:, None] * self.waves
        return np.hstack(
            (
                face[:, None],
                (face / self.radius_mm)[:, None] * away,
                (disc - face)[:, None],
                (body - disc)[:, None] * self.waves[:, : 2 * _WALL_HARMONICS + 1],
                around,
                np.maximum(beyond, 0.0)[:, None] * around,
            )
        )

    def misfit(self, unknowns: Array, light: Array, weights: Array) -> Array:
        """What no mixture of the parts explains of `light`, shape (n, pictures)."""
        parts = self.explained(unknowns)
        weighted = parts * weights[:, None]
        normal = weighted.T @ parts
        normal.flat[:: len(normal) + 1] += _RIDGE * len(parts)
        return np.asarray(light - parts @ np.linalg.solve(normal, weighted.T @ light))


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A step of the fit: Jacobian (n, 5), residuals and weights (n,), information (5, 5), pull (5,) and
    the variance of a pixel."""

    jacobian: Array
    left: Array
    weights: Array
    information: Array
    pull: Array
    variance: float

    @property
    def change(self) -> Array:
        """The step that the pixels ask for."""
        return np.asarray(np.linalg.solve(self.information, self.pull))


def _fit(region: _Region, frames: Array) -> DiscFit | None:
    """The fit on the frames' mean (frames: (n, pixels)), then how each frame would move it."""
    light = frames.mean(axis=0)[:, None]
    trust = 1.0 / (0.003 + 0.02 * np.maximum(light[:, 0], 0.0))  # shot noise over a floor, any scale
    trust /= trust.mean()
    radius = region.radius_mm
    means = np.array([0.0, 0.0, _MEANS[0] * radius, _MEANS[1] * radius, _MEANS[2]])
    prior = np.array([1e3, 1e3, _SPREADS[0] * radius, _SPREADS[1] * radius, _SPREADS[2]]) ** -2.0
    unknowns, weights = means.copy(), trust
    for _ in range(_STEPS):
        step, weights = _step(region, light, unknowns, (means, prior), trust, weights)
        change = np.clip(step.change, -_LONGEST, _LONGEST)
        unknowns = unknowns + change
        unknowns[2] = min(unknowns[2], unknowns[3])
        unknowns[4] = min(max(unknowns[4], _BLUR_PX[0]), _BLUR_PX[1])
        if math.hypot(unknowns[0], unknowns[1]) > 2.0 or not np.isfinite(unknowns).all():
            return None
        if float(np.abs(change[:2]).max()) < _ENOUGH_MM:
            break
    spread_px = float(np.sqrt(np.square(_left_out(region, step)).mean())) / region.mm_per_px
    # Each frame pulls from where their mean has come to rest; the mean of the pulls is nought.
    left = region.misfit(unknowns, frames.T, weights)
    pulls = -(step.jacobian * step.weights[:, None]).T @ left / step.variance
    own = np.linalg.solve(step.information, pulls)[:2].T
    centre, blur_px = np.asarray(region.origin) + unknowns[:2], float(unknowns[4])
    return DiscFit(
        centre_mm=(float(centre[0]), float(centre[1])),
        sigma_px=math.hypot(_FLOOR_PX, _SHORTCOMING * spread_px, _BLURRED * max(0.0, blur_px - _SHARP_PX)),
        blur_px=blur_px,
        frames_mm=centre + own - own.mean(axis=0),
    )


def _step(
    region: _Region,
    light: Array,
    unknowns: Array,
    expected: tuple[Array, Array],
    trust: Array,
    weights: Array,
) -> tuple[_Step, Array]:
    """One step of Gauss and Newton, and the weights (n,) it was made with: misfitting pixels count less.

    `expected`: the unknowns' means and inverse variances.
    """
    left = region.misfit(unknowns, light, weights)[:, 0]
    squared = left * left * trust
    weights = trust / (1.0 + squared / (_OUTLIER2 * float(np.median(squared)) + 1e-12))
    left = region.misfit(unknowns, light, weights)[:, 0]
    jacobian = np.empty((len(left), 5))
    for k, size in enumerate(_PROBE):
        probe = unknowns.copy()
        probe[k] += size
        jacobian[:, k] = (region.misfit(probe, light, weights)[:, 0] - left) / size
    variance = _CORRELATION * float(weights @ (left * left)) / float(weights.sum()) + 1e-12
    weighted = jacobian * weights[:, None]
    means, prior = expected
    information = weighted.T @ jacobian / variance + np.diag(prior)
    pull = -(weighted.T @ left) / variance + prior * (means - unknowns)
    return _Step(jacobian, left, weights, information, pull, variance), weights


def _left_out(region: _Region, step: _Step) -> Array:
    """Standard deviation (2,) of the centre in mm, by leaving out each sector of the ring in turn
    (the jackknife): what misfits does so over whole sectors, which no single pixel's noise tells."""
    sector = ((region.angle + np.pi) / (2 * np.pi) * _SECTORS).astype(int) % _SECTORS
    weighted = step.jacobian * step.weights[:, None]
    changes = np.empty((_SECTORS, 2))
    for k in range(_SECTORS):
        out = sector == k
        information = step.information - weighted[out].T @ step.jacobian[out] / step.variance
        pull = step.pull + weighted[out].T @ step.left[out] / step.variance
        changes[k] = np.linalg.solve(information, pull)[:2]
    spread = np.square(changes - changes.mean(axis=0)).sum(axis=0) * (_SECTORS - 1) / _SECTORS
    return np.asarray(np.sqrt(spread))


def _outline_mm(top: Array, foot: Array, centre: Array) -> Array:
    """Distance, mm, from the ball's axis at `centre` (2,) to the rays that see `top` and `foot` (n, 2):
    a ray meets the ball where it comes nearer than its radius between both planes."""
    start, along = foot - centre, top - foot
    length2 = np.einsum("ij,ij->i", along, along) + 1e-12
    share = np.clip(-np.einsum("ij,ij->i", start, along) / length2, 0.0, 1.0)
    nearest = start + share[:, None] * along
    return np.asarray(np.hypot(nearest[:, 0], nearest[:, 1]))


def _rise(z: Array) -> Array:
    """A step from 0 to 1 blurred by one unit: the logistic curve follows the normal one to 0.01."""
    return np.asarray(0.5 + 0.5 * np.tanh((0.5 * _LOGISTIC) * z))
