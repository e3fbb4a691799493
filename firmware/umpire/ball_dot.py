"""The dot of the ball to a small fraction of a pixel: a soft disc fitted together with its ground.

Lives here: the fit and its standard deviation. Where to start is the caller's business. A plain
centroid is dragged by the edge of a shadow or by a gleam across the ball; fitted together with a
sloping ground it is not.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware.umpire.ball_view import BallShape, middle_of

Array = NDArray[np.float64]
Levels = NDArray[np.float32]

_STEPS = 9
_ENOUGH_PX = 0.005
"""A step smaller than this is beyond what a picture tells."""
_SIZE_HOLD = 0.05
"""Damping of size and softness, relative to the squared contrast."""
_HUBER = 2.0
"""Residuals beyond so many standard deviations count less: specks, the edge of a gleam."""
_CORRELATION = 2.0
"""Demosaicing, sharpening and JPEG make the noise of neighbours alike; the variance grows by
this."""
_FLOOR_PX = 0.02
"""What no residual shows: demosaicing and the print's own roughness."""


_UNCLEAR = 2.2
"""A moving dot is a streak, often with two cores: the error grows as the square of this over the
clarity."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot found. `contrast`: ground minus dot in grey levels, negative for a light dot. `sizes`:
    its radius over the expected one. `clarity`: contrast over the scatter left by the fit."""

    x_px: float
    y_px: float
    sigma_px: float
    sizes: float
    contrast: float
    clarity: float


def fit_dot(grey: Levels, x: float, y: float, shape: BallShape) -> Dot | None:
    """The dot near (x, y) in pixels of `grey`, shape (height, width), one channel in levels of
    0..255.

    The start must be within about a radius of the dot. None when nothing like a dot is there. A
    disc with a soft (logistic) edge on a sloping plane is fitted by Gauss-Newton with Huber
    weights: position, radius, softness, contrast and the plane, eight unknowns.
    """
    reach = 1.9 * shape.dot_px + 3.0
    left, top = max(0, math.ceil(x - reach)), max(0, math.ceil(y - reach))
    right = min(grey.shape[1] - 1, math.floor(x + reach))
    bottom = min(grey.shape[0] - 1, math.floor(y + reach))
    if right - left < reach or bottom - top < reach:
        return None
    columns, rows = np.meshgrid(np.arange(left, right + 1.0), np.arange(top, bottom + 1.0))
    near = (columns - x) ** 2 + (rows - y) ** 2 <= reach * reach
    across, down = columns[near] - x, rows[near] - y
    levels = grey[top : bottom + 1, left : right + 1][near].astype(float)
    fit = _gauss_newton(across, down, levels, shape, reach)
    if fit is None:
        return None
    unknowns, weights, slopes, residual = fit
    freedom = max(float(weights.sum()) - 8.0, 1.0)
    scatter2 = float((weights * residual * residual).sum()) / freedom
    try:
        covariance = np.linalg.inv((slopes * weights) @ slopes.T)
    except np.linalg.LinAlgError:
        return None
    variance = scatter2 * _CORRELATION * 0.5 * float(covariance[0, 0] + covariance[1, 1])
    if not 0.0 <= variance < shape.dot_px**2:
        return None
    dx, dy, radius, _, contrast = unknowns[:5].tolist()
    clarity = abs(contrast) / math.sqrt(scatter2 + 1.0)
    streak = shape.dot_px * (_UNCLEAR / clarity) ** 2 if clarity > 0 else shape.dot_px
    return Dot(
        x_px=x + dx,
        y_px=y + dy,
        sigma_px=math.sqrt(variance + _FLOOR_PX**2 + min(streak, shape.dot_px) ** 2),
        sizes=radius / shape.dot_px,
        contrast=contrast,
        clarity=clarity,
    )


def _gauss_newton(
    across: Array, down: Array, levels: Array, shape: BallShape, reach: float
) -> tuple[Array, Array, Array, Array] | None:
    """Unknowns (dx, dy, radius, softness, contrast, level, slopes), weights, Jacobian (8, n) and
    residuals."""
    xx, xy = (shape.mm_per_px[0] * shape.px_per_mm).tolist()
    yx, yy = (shape.mm_per_px[1] * shape.px_per_mm).tolist()
    inner = across * across + down * down < shape.dot_px**2
    level = middle_of(levels[~inner])
    contrast = level - middle_of(levels[inner])
    unknowns = np.array([0.0, 0.0, shape.dot_px, 0.6, contrast, level, 0.0, 0.0])
    # Row by row: numpy writes and multiplies rows several times faster than columns.
    slopes = np.empty((8, len(levels)))
    slopes[5], slopes[6], slopes[7] = 1.0, across, down
    weights = np.ones(len(levels))
    residual = weights
    limit = 0.5 * shape.dot_px
    for step in range(_STEPS):
        dx, dy, radius, soft, contrast = unknowns[:5].tolist()
        ax, ay = across - dx, down - dy
        u, v = xx * ax + xy * ay, yx * ax + yy * ay
        away = np.sqrt(u * u + v * v) + 1e-9
        z = (away - radius) / soft
        inside = 0.5 - 0.5 * np.tanh(0.5 * z)
        np.multiply(inside * (inside - 1.0), contrast / soft, out=slopes[2])
        outwards = slopes[2] / away
        np.multiply(outwards, xx * u + yx * v, out=slopes[0])
        np.multiply(outwards, xy * u + yy * v, out=slopes[1])
        np.multiply(slopes[2], z, out=slopes[3])
        np.negative(inside, out=slopes[4])
        residual = levels - unknowns[4:] @ slopes[4:]
        if step:
            size = np.abs(residual)
            spread = 1.5 * middle_of(size) + 0.5
            weights = np.minimum(1.0, _HUBER * spread / (size + 1e-9))
        weighted = slopes * weights
        normal = weighted @ slopes.T
        normal.flat[::9] *= 1.0 + 1e-6
        # Size and softness are let free only once the place is good: far off, they run away.
        hold = (1e3 if step < 2 else 1.0) * _SIZE_HOLD * contrast * contrast
        normal[2, 2] += hold
        normal[3, 3] += hold
        try:
            change = np.linalg.solve(normal, weighted @ residual)
        except np.linalg.LinAlgError:
            return None
        change[:3] = np.minimum(np.maximum(change[:3], -limit), limit)
        unknowns += change
        dx, dy, radius, soft = unknowns[:4].tolist()
        unknowns[3] = min(max(soft, 0.25), 2.5)
        if not (0.45 < radius / shape.dot_px < 1.8) or math.hypot(dx, dy) > 0.7 * reach:
            return None
        if step > 2 and max(abs(float(change[0])), abs(float(change[1]))) < _ENOUGH_PX:
            break
    return unknowns, weights, slopes, residual
