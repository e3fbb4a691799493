"""The last step of measuring the rim: every ray's brightness explained at once by one ball.

Lives here: a model of what a ray sees on its way out - the print, a ring of bare wood to the rim,
then the wall or whatever lies around - and its fit. An edge finder that takes each ray by itself
calls the end of the print the rim on the lit side and the end of the wood on the other, and is
wrong by half the ring.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.umpire.ball_view import BallShape, middle_of

Levels = NDArray[np.float32]
Array = NDArray[np.float64]

_STEPS = 4
_ENOUGH_PX = 0.01
"""A smaller step of the middle changes nothing that counts."""
_FROM_PX, _TO_PX, _SAMPLES = -4.0, 2.0, 13
"""What a ray is sampled over, about the rim: enough of the print, little of the surroundings."""
_LOGISTIC = 1.702
"""The logistic curve of this rate follows the normal distribution to 0.01."""
_RIDGE = np.diag([0.02, 0.05, 0.5])
"""Damping of each ray's own levels (beyond the rim, beyond the wall, print): in samples."""
_LEAST_WALL_PX = 0.4
"""A narrower wall cannot be told from the rim."""
_MEANS = np.array([0.0, 0.0, 0.972, 1.0, 0.8, 0.0])
"""Expected offsets, end of print and rim over the ball's radius, blur in px, wood minus print."""
_SPREADS = np.array([1e3, 1e3, 0.02, 0.004, 0.3, 25.0])
"""Their standard deviations: prints end 0 to 0.6 mm within the rim, the camera's scale is good to
0.4 %."""
_LEAST = np.array([-9.0, -9.0, 0.9, 0.9, 0.4, -255.0])
_MOST = np.array([9.0, 9.0, 1.02, 1.1, 2.5, 255.0])
_LONGEST = np.array([1.0, 1.0, 0.02, 0.02, 0.3, 255.0])
"""Bounds of the unknowns and of a step."""
_OUTLIER = 3.0
"""Rays that misfit by this much more than the middle one count half."""
_INFLATION = 3.2
"""Errors are this much larger than the fit's own covariance says, since what is left is not noise
but the model's shortcomings (measured on rendered balls of several renderers)."""
_FLOOR_PX = 0.045
_SHARP_PX = 1.3
_BLURRED = 0.6
"""Error in px per px of blur beyond `_SHARP_PX`: a ball in motion, or out of focus."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The rim refined: middle, standard deviation along an axis, and the end of print over the
    radius."""

    x_px: float
    y_px: float
    sigma_px: float
    print_scale: float
    rim_scale: float


def refine_rim(
    patch: Levels,
    middle: tuple[float, float],
    shape: BallShape,
    rays: tuple[Array, Array],
    trust: Array,
    channel: Array,
    face: Array,
) -> Edge | None:
    """The middle of the rim that explains the rays best, from a start good to a pixel; None if it
    runs away.

    `rays`: unit vectors, shape (n, 2), and their reach to the rim in px, (n,). `trust`: 0..1 of
    each ray. `channel`: weights of blue, green, red. `face`: level and slopes of that channel over
    the top.
    """
    directions, reach = rays
    along = reach[:, None] + np.linspace(_FROM_PX, _TO_PX, _SAMPLES)
    levels = _levels(patch, middle, along, directions, channel) - face[0]
    levels -= face[1] * along * directions[:, :1] + face[2] * along * directions[:, 1:]
    wall = directions @ np.array(shape.foot_px) + (shape.foot_scale - 1.0) * reach
    unknowns = _MEANS.copy()
    weights, trusted = trust, trust > 0.5
    normal = np.eye(6)
    prior = 1.0 / _SPREADS**2
    for step in range(_STEPS):
        residual, design = _misfit(unknowns, levels, along, directions, reach, wall)
        misfit = np.einsum("ij,ij->i", residual, residual) / _SAMPLES
        if step:
            usual = middle_of(misfit[trusted])
            weights = trust / (1.0 + (misfit / (_OUTLIER * usual + 0.15)) ** 2)
        scatter2 = float((weights * misfit).sum() / (weights.sum() + 1e-9)) + 0.3
        weighted = (design * weights[:, None, None]).reshape(-1, 6)
        normal = weighted.T @ design.reshape(-1, 6) / scatter2 + np.diag(prior)
        pull = weighted.T @ residual.ravel() / scatter2 + prior * (_MEANS - unknowns)
        change = np.linalg.solve(normal, pull)
        unknowns = unknowns + np.minimum(np.maximum(change, -_LONGEST), _LONGEST)
        unknowns = np.minimum(np.maximum(unknowns, _LEAST), _MOST)
        if step > 1 and float(np.abs(change[:2]).max()) < _ENOUGH_PX:
            break
    dx, dy, print_scale, rim_scale = unknowns[:4].tolist()
    covariance = np.linalg.inv(normal)
    variance = _INFLATION**2 * 0.5 * float(covariance[0, 0] + covariance[1, 1]) + _FLOOR_PX**2
    variance += (_BLURRED * max(0.0, float(unknowns[4]) - _SHARP_PX)) ** 2
    if not math.isfinite(variance) or math.hypot(dx, dy) > 2.0:
        return None
    return Edge(middle[0] + dx, middle[1] + dy, math.sqrt(variance), print_scale, rim_scale)


def _levels(
    patch: Levels, middle: tuple[float, float], along: Array, directions: Array, channel: Array
) -> Array:
    """One channel of the picture, shape (rays, samples), at distances along the rays from the
    middle."""
    samples = cv2.remap(
        cv2.transform(patch, channel[None, :]),
        (middle[0] + along * directions[:, :1]).astype(np.float32),
        (middle[1] + along * directions[:, 1:]).astype(np.float32),
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(samples, dtype=np.float64)


def _misfit(
    unknowns: Array, levels: Array, along: Array, directions: Array, reach: Array, wall: Array
) -> tuple[Array, Array]:
    """Residuals (rays, samples) and Jacobian (rays, samples, 6), each ray's own levels fitted away.

    A ray sees: print, + `wood` beyond the print's end, + an own step at the rim, + another where
    the wall ends, + an own level. The own ones enter linearly and are eliminated (variable
    projection, Kaufman's Jacobian).
    """
    dx, dy, print_scale, rim_scale, blur, wood = unknowns.tolist()
    shift = directions @ np.array([dx, dy])
    z_print = (along - (print_scale * reach + shift)[:, None]) / blur
    z_rim = (along - (rim_scale * reach + shift)[:, None]) / blur
    past_print, past_rim = _rise(z_print), _rise(z_rim)
    past_wall = np.where(
        wall[:, None] > _LEAST_WALL_PX, _rise(z_rim - np.maximum(wall, 0.0)[:, None] / blur), 0.0
    )
    own = np.empty((*along.shape, 3))
    own[..., 0], own[..., 1], own[..., 2] = past_rim, past_wall, 1.0
    own_t = own.transpose(0, 2, 1)
    solver = np.linalg.inv(own_t @ own + _RIDGE) @ own_t
    free = levels - wood * past_print
    heights = solver @ free[..., None]
    residual = free - (own @ heights)[..., 0]
    at_print = past_print * (1.0 - past_print) * (_LOGISTIC * wood / blur)
    at_rim = past_rim * (1.0 - past_rim) * (_LOGISTIC / blur) * heights[:, :1, 0]
    both = at_print + at_rim
    design = np.empty((*along.shape, 6))
    np.multiply(both, -directions[:, :1], out=design[..., 0])
    np.multiply(both, -directions[:, 1:], out=design[..., 1])
    np.multiply(at_print, -reach[:, None], out=design[..., 2])
    np.multiply(at_rim, -reach[:, None], out=design[..., 3])
    np.negative(at_print * z_print + at_rim * z_rim, out=design[..., 4])
    design[..., 5] = past_print
    return residual, design - own @ (solver @ design)


def _rise(z: Array) -> Array:
    """A step from 0 to 1 blurred by one unit."""
    return np.asarray(0.5 + 0.5 * np.tanh((0.5 * _LOGISTIC) * z))
