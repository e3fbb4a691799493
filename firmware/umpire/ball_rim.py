"""The rim of the ball's printed top to a fraction of a pixel: edge points on rays, one ellipse of
known shape.

Lives here: the contour of a ball that lies at a roughly known place. The camera gives the ellipse's
shape, so that its centre and size are the only unknowns; hands, lines beneath, the wall and shadows
spoil some rays and are outvoted.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.umpire.ball_edge import refine_rim
from firmware.umpire.ball_view import BallShape, middle_of

Levels = NDArray[np.float32]
Array = NDArray[np.float64]

_RAYS = 48
_ANGLES = np.arange(_RAYS) * (2 * np.pi / _RAYS)
_DIRECTIONS = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
_PRINT = 0.972
"""The print ends up to 0.6 mm within the rim of a 22 mm ball: the mean of print radius over ball
radius."""
_PRINT_SPREAD = 0.03
_CORRELATION = 2.5
"""Neighbouring rays share pixels and edges: the variance grows by this."""
_FLOOR_PX = 0.03
"""What no residual shows: the wall and shadows that blur into one side of the rim."""
_UNSEEN_PX = 1.2
"""Error in px of a contour of which hardly anything was seen where the ellipse has it."""
COARSE_FROM_PX = 3.0
"""From a start this good the half-way points are found without a coarse look first."""
_NEAR_PX = 3.0
_LEAST_SEEN = 0.25
"""With less of the contour within `_NEAR_PX` of an ellipse there is none."""
_LUMINANCE = np.array([0.114, 0.587, 0.299])
"""Blue, green, red: what JPEG and video keep at full resolution."""
_MOST_CHANGE_PX = 1.2
"""A refinement that moves the middle further has fitted something else, such as the streak of a
motion."""
_OFFSETS = np.arange(-4.0, 4.01, 0.5)
_BETWEEN = np.abs(_OFFSETS[:-1] + 0.25)
_OUTSIDE = (_OFFSETS > 1.4) & (_OFFSETS < 3.1)
_WITHIN = (_OFFSETS > -4.1) & (_OFFSETS < -1.9)


@dataclass(frozen=True, slots=True, eq=False)
class Rim:
    """A contour found. `scale`: its size over the ball's outer rim. `seen`: share of the rays on
    which the edge was found where the ellipse has it. `face`: colour of the top, blue-green-red.
    `even`: share of the top's samples that have that colour. `hits`: which rays were seen, shape
    (n,). `channel`: the weights of blue, green, red that tell the top from its surroundings;
    `channel_face`: level and two slopes of that channel over the top."""

    x_px: float
    y_px: float
    sigma_px: float
    scale: float
    seen: float
    face: tuple[float, float, float]
    even: float
    hits: NDArray[np.bool_]
    channel: Array
    channel_face: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """The top's colour about (x, y) as a plane, shape (3, 3): channel by (level, slope x, slope
    y)."""

    x: float
    y: float
    plane: Array
    noise: float
    even: float

    @property
    def brightest(self) -> float:
        return float(self.plane[:, 0].max())

    def deviation(self, samples: Levels, x: Levels, y: Levels) -> Levels:
        """Samples (rays, steps, 3) at x, y (rays, steps) minus the plane."""
        level, slope_x, slope_y = self.plane.T.astype(np.float32)
        dx, dy = x - np.float32(self.x), y - np.float32(self.y)
        return np.asarray(samples - (level + dx[..., None] * slope_x + dy[..., None] * slope_y))


def find_rim(patch: Levels, x: float, y: float, shape: BallShape, slack_px: float) -> Rim | None:
    """The rim of a ball whose middle is within `slack_px` of (x, y); None when there is no such
    contour.

    `patch`: (height, width, 3) levels of 0..255, blue-green-red. Good to a tenth of a pixel where
    nothing but the ball is seen; `refined` makes it better.
    """
    reach = shape.reach_px(_DIRECTIONS)
    start: tuple[float, float, float] | None = (0.0, 0.0, _PRINT)
    if slack_px < COARSE_FROM_PX:
        fractions = np.linspace(0.32, 0.81, 9)
        samples, at_x, at_y = _along(patch, x, y, reach[:, None] * fractions)
        face = _face(samples, at_x, at_y, fractions, (x, y))
    else:
        fractions = np.arange(0.32, 1.36, 1.25 / shape.radius_px)
        samples, at_x, at_y = _along(patch, x, y, reach[:, None] * fractions)
        face = _face(samples, at_x, at_y, fractions, (x, y))
        edges = _first_departures(face.deviation(samples, at_x, at_y), face, fractions)
        start = _ellipse(edges * reach, reach, np.isfinite(edges), slack_px)
    if start is None:
        return None
    fit = _fine(patch, x + start[0], y + start[1], start[2], reach, face)
    if fit is None or not math.hypot(fit.x_px - x, fit.y_px - y) <= slack_px + 2.0:
        return None
    return fit


def refined(patch: Levels, rim: Rim, shape: BallShape) -> Rim:
    """The rim with its middle from the model of print, wood and wall, if that can be fitted."""
    edge = refine_rim(
        patch,
        (rim.x_px, rim.y_px),
        shape,
        (_DIRECTIONS, shape.reach_px(_DIRECTIONS)),
        rim.hits.astype(float),
        rim.channel,
        rim.channel_face,
    )
    if edge is None or math.hypot(edge.x_px - rim.x_px, edge.y_px - rim.y_px) > _MOST_CHANGE_PX:
        return replace(rim, sigma_px=math.hypot(rim.sigma_px, _UNSEEN_PX * (1.0 - rim.seen)))
    sigma = math.hypot(edge.sigma_px, _UNSEEN_PX * (1.0 - rim.seen))
    return replace(rim, x_px=edge.x_px, y_px=edge.y_px, sigma_px=sigma)


def _along(patch: Levels, x: float, y: float, far: Array) -> tuple[Levels, Levels, Levels]:
    """Samples (rays, steps, 3) at distances `far` (rays, steps) from (x, y), and where they are."""
    at_x = (x + far * _DIRECTIONS[:, :1]).astype(np.float32)
    at_y = (y + far * _DIRECTIONS[:, 1:]).astype(np.float32)
    samples = cv2.remap(patch, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(samples, dtype=np.float32), at_x, at_y


def _face(
    samples: Levels, at_x: Levels, at_y: Levels, fractions: Array, middle: tuple[float, float]
) -> _Face:
    """The colour of the top about the dot: a plane through the samples that are alike."""
    inner = (fractions > 0.3) & (fractions < 0.82)
    # Every other ray is plenty for three unknowns a channel.
    colours = samples[::2, inner].reshape(-1, 3).astype(float)
    u, v = at_x[::2, inner].ravel() - middle[0], at_y[::2, inner].ravel() - middle[1]
    level = np.median(colours, axis=0)
    away = np.abs(colours - level).max(axis=1)
    noise = 1.5 * middle_of(away) + 1.0
    alike = away < 3.0 * noise + 0.06 * float(level.max())
    design = np.column_stack((np.ones(len(u)), u, v))[alike]
    normal = design.T @ design + np.diag([1e-6, 1.0, 1.0])
    plane = np.linalg.solve(normal, design.T @ colours[alike])
    rest = np.abs(colours[alike] - design @ plane).max(axis=1)
    left = 1.2 * middle_of(rest) + 0.7
    return _Face(*middle, plane.T, left, float(alike.mean()))


def _first_departures(deviation: Levels, face: _Face, fractions: Array) -> Array:
    """Where each ray leaves the colour of the top for good, as a fraction of its reach; NaN if
    nowhere."""
    away = np.abs(deviation).max(axis=2)
    threshold = max(5.0 * face.noise, 0.07 * face.brightest, 6.0)
    left = (away[:, :-2] > threshold) & (away[:, 1:-1] > threshold) & (away[:, 2:] > threshold)
    left &= fractions[None, :-2] > 0.45
    first = left.argmax(axis=1)
    return np.where(left.any(axis=1), fractions[first], np.nan)


def _ellipse(
    edges_px: Array, reach: Array, valid: Array, slack_px: float
) -> tuple[float, float, float] | None:
    """Offset and scale of the ellipse through most of the edges, from a rough start."""
    if valid.sum() < 12:
        return None
    directions, lengths, edges = _DIRECTIONS[valid], reach[valid], edges_px[valid]
    design = np.column_stack((directions, lengths))
    unknowns = np.array([0.0, 0.0, _PRINT])
    radius = float(reach.mean())
    prior = np.diag([0.02, 0.02, 1.0 / _PRINT_SPREAD**2])
    for gate in (
        slack_px + 0.1 * radius,
        slack_px * 0.6 + 0.08 * radius,
        0.1 * radius,
        0.07 * radius,
        2.0,
    ):
        residual = edges - design @ unknowns
        weights = np.maximum(0.0, 1.0 - (residual / gate) ** 2) ** 2
        if (weights > 0).sum() < 10:
            return None
        weighted = design * weights[:, None]
        away = np.array([0.0, 0.0, _PRINT]) - unknowns
        change = np.linalg.solve(weighted.T @ design + prior, weighted.T @ residual + prior @ away)
        unknowns = unknowns + change
    if (np.abs(edges - design @ unknowns) < _NEAR_PX).sum() < _LEAST_SEEN * _RAYS:
        return None
    dx, dy, scale = unknowns.tolist()
    return dx, dy, scale


def _fine(patch: Levels, x: float, y: float, scale: float, reach: Array, face: _Face) -> Rim | None:
    """The rim from a start good to a few pixels: on each ray the point half-way between the top's
    colour and what lies just outside of it, and the ellipse through them."""
    samples, at_x, at_y = _along(patch, x, y, scale * reach[:, None] + _OFFSETS)
    deviation = face.deviation(samples, at_x, at_y)
    outside = deviation[:, _OUTSIDE].mean(axis=1)
    within = deviation[:, _WITHIN].mean(axis=1)
    step = outside - within
    contrast2 = np.einsum("ij,ij->i", step, step)
    rise = ((deviation - within[:, None, :]) @ step[:, :, None])[..., 0]
    rise /= contrast2[:, None] + np.float32(1e-6)
    crossing = (rise[:, :-1] < 0.5) & (rise[:, 1:] >= 0.5)
    nearest = np.where(crossing, _BETWEEN, np.inf).argmin(axis=1)
    rays = np.arange(_RAYS)
    before, after = rise[rays, nearest], rise[rays, nearest + 1]
    edge = _OFFSETS[nearest] + (0.5 - before) / np.where(after > before, after - before, 1.0) * 0.5
    least = max(4.0 * face.noise, 5.0)
    sound = crossing[rays, nearest] & (contrast2 > least * least) & (np.abs(edge) < 3.2)
    sound &= np.abs(within).max(axis=1) < 3.0 * face.noise + 0.08 * face.brightest
    if sound.sum() < 8:
        return None
    trust = sound * contrast2 / (contrast2 + (10.0 * face.noise) ** 2)
    fit = _robust_ellipse(edge, reach, sound, trust)
    if fit is None:
        return None
    (dx, dy, growth), sigma, hits = fit
    middle_x, middle_y = x + dx, y + dy
    channel = _telling_channel(step[hits].astype(float), face)
    slopes = face.plane[:, 1:]
    level = face.plane[:, 0] + slopes @ np.array([middle_x - face.x, middle_y - face.y])
    blue, green, red = face.plane[:, 0].tolist()
    return Rim(
        x_px=middle_x,
        y_px=middle_y,
        sigma_px=sigma,
        scale=scale + growth,
        seen=float(hits.mean()),
        face=(blue, green, red),
        even=face.even,
        hits=hits,
        channel=channel,
        channel_face=np.array([channel @ level, *(channel @ slopes)]),
    )


def _robust_ellipse(
    edge: Array, reach: Array, sound: NDArray[np.bool_], trust: Array
) -> tuple[tuple[float, float, float], float, NDArray[np.bool_]] | None:
    """Change of middle and scale, its standard deviation in px, and the rays that agree.

    Tukey's weights about the middle residual: a hand's edge is not an error of the rim.
    """
    design = np.column_stack((_DIRECTIONS, reach))
    unknowns = np.zeros(3)
    weights, normal = trust, np.eye(3)
    for _ in range(3):
        residual = edge - design @ unknowns
        spread = 1.5 * middle_of(np.abs(residual[sound])) + 0.03
        weights = trust * np.maximum(0.0, 1.0 - (residual / (4.0 * spread)) ** 2) ** 2
        weighted = design * weights[:, None]
        normal = weighted.T @ design + np.diag([1e-6, 1e-6, 1e-3])
        unknowns = np.linalg.solve(normal, weighted.T @ edge)
    residual = edge - design @ unknowns
    total = float(weights.sum())
    if total < 2.0:
        return None
    scatter2 = float((weights * residual * residual).sum()) / total + 0.02**2
    covariance = np.linalg.inv(normal)
    variance = scatter2 * _CORRELATION * 0.5 * float(covariance[0, 0] + covariance[1, 1])
    dx, dy, growth = unknowns.tolist()
    hits = sound & (np.abs(residual) < 0.75)
    return (dx, dy, growth), math.sqrt(variance + _FLOOR_PX**2), hits


def _telling_channel(steps: Array, face: _Face) -> Array:
    """Weights of blue, green, red that tell the top from its surroundings, `steps` (n, 3).

    Luminance, unless the ball is as light as what it lies on: then the direction of most contrast.
    """
    if len(steps) == 0:
        return _LUMINANCE
    usual = middle_of(np.abs(steps @ _LUMINANCE))
    if usual > max(8.0, 6.0 * face.noise * float(np.linalg.norm(_LUMINANCE))):
        return _LUMINANCE
    direction = np.linalg.eigh(steps.T @ steps)[1][:, -1]
    return np.asarray(direction / np.abs(direction).sum())
