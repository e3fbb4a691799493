"""The rim of the ball's printed top to a fraction of a pixel: edge points on rays, one ellipse of
known shape.

Lives here: the contour of a ball that lies at a roughly known place. The camera gives the ellipse's
shape, so that its centre and size are the only unknowns; hands, lines beneath, the wall and shadows
spoil some rays and are outvoted.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.umpire.ball_edge import refine_rim
from firmware.umpire.ball_view import BallShape

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

_RAYS = 64
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
_LUMINANCE = np.array([0.114, 0.587, 0.299])
"""Blue, green, red: what JPEG and video keep at full resolution."""
_MOST_CHANGE_PX = 1.2
"""A refinement that moves the middle further has fitted something else, such as the streak of a
motion."""
_FINE_PX = 5.0
_FINE_STEPS = 21


@dataclass(frozen=True, slots=True)
class Rim:
    """A contour found. `scale`: its size over the ball's outer rim. `seen`: share of the rays on
    which the edge was found where the ellipse has it. `face`: colour of the top, blue-green-red.
    `even`: share of the top's samples that have that colour. `scatter_px`: of the edge points about
    the ellipse."""

    x_px: float
    y_px: float
    sigma_px: float
    scale: float
    seen: float
    face: tuple[float, float, float]
    even: float
    scatter_px: float


@dataclass(frozen=True, slots=True)
class _Face:
    """The top's colour as a plane over the picture, shape (3, 3): channel by (level, slope x, slope
    y)."""

    plane: Array
    noise: float
    even: float

    def at(self, dx: float, dy: float) -> tuple[Array, Array]:
        """The colour, shape (3,), and its slopes, (3, 2), at an offset from the middle."""
        slopes = self.plane[:, 1:]
        return self.plane[:, 0] + slopes @ np.array([dx, dy]), slopes

    def deviation(self, samples: Array, dx: Array, dy: Array) -> Array:
        """Samples (rays, steps, 3) minus the plane at offsets (rays, steps) from the middle."""
        level, slope_x, slope_y = self.plane.T
        return np.asarray(samples - (level + dx[..., None] * slope_x + dy[..., None] * slope_y))


def fit_rim(image: Image, x: float, y: float, shape: BallShape, slack_px: float) -> Rim | None:
    """The rim of a ball whose middle is within `slack_px` of (x, y); None when there is no such
    contour.

    `image`: (height, width, 3) levels, blue-green-red, of any depth.
    """
    reach = shape.reach_px(_DIRECTIONS)
    coarse = np.arange(0.32, 1.38, 1.0 / shape.radius_px)
    samples, dx, dy = _along(image, x, y, reach, coarse)
    face = _face(samples, dx, dy, coarse)
    edges = _first_departures(face.deviation(samples, dx, dy), face, coarse)
    start = _ellipse(edges * reach, reach, np.isfinite(edges), slack_px)
    if start is None:
        return None
    centre_x, centre_y, scale = x + start[0], y + start[1], start[2]
    fit = _fine(image, centre_x, centre_y, scale, reach, face, (x, y))
    if fit is None:
        return None
    centre_x, centre_y, scale = centre_x + fit.dx, centre_y + fit.dy, fit.scale
    if not math.hypot(centre_x - x, centre_y - y) <= slack_px + 2.0:
        return None
    sigma = fit.sigma_px
    level, slopes = face.at(centre_x - x, centre_y - y)
    channel = fit.channel
    edge = refine_rim(
        image,
        (centre_x, centre_y),
        shape,
        (_DIRECTIONS, reach),
        fit.hits.astype(float),
        channel,
        np.array([channel @ level, *(channel @ slopes)]),
    )
    if (
        edge is not None
        and math.hypot(edge.x_px - centre_x, edge.y_px - centre_y) < _MOST_CHANGE_PX
    ):
        centre_x, centre_y, sigma = edge.x_px, edge.y_px, edge.sigma_px
    blue, green, red = face.plane[:, 0].tolist()
    return Rim(
        x_px=centre_x,
        y_px=centre_y,
        sigma_px=sigma,
        scale=scale,
        seen=float(fit.hits.mean()),
        face=(blue, green, red),
        even=face.even,
        scatter_px=fit.scatter_px,
    )


def _along(
    image: Image, x: float, y: float, reach: Array, fractions: Array
) -> tuple[Array, Array, Array]:
    """Samples (rays, steps, 3) at `fractions` of each ray's reach, and their offsets from (x,
    y)."""
    far = reach[:, None] * (fractions if fractions.ndim == 2 else fractions[None, :])
    dx, dy = far * _DIRECTIONS[:, :1], far * _DIRECTIONS[:, 1:]
    border = float(far.max()) + 2.0
    left, top = max(0, int(x - border)), max(0, int(y - border))
    patch = image[top : int(y + border) + 2, left : int(x + border) + 2]
    samples = cv2.remap(
        patch.astype(np.float32),
        (dx + (x - left)).astype(np.float32),
        (dy + (y - top)).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return samples.astype(np.float64), dx, dy


def _face(samples: Array, dx: Array, dy: Array, fractions: Array) -> _Face:
    """The colour of the top about the dot: a plane through the samples that are alike."""
    inner = (fractions > 0.3) & (fractions < 0.82)
    colours = samples[:, inner].reshape(-1, 3)
    u, v = dx[:, inner].ravel(), dy[:, inner].ravel()
    level = np.median(colours, axis=0)
    away = np.abs(colours - level).max(axis=1)
    noise = 1.5 * float(np.median(away)) + 1.0
    alike = away < 3.0 * noise + 0.06 * float(level.max())
    design = np.column_stack((np.ones(len(u)), u, v))[alike]
    plane = np.linalg.lstsq(design, colours[alike], rcond=None)[0].T
    rest = np.abs(colours[alike] - design @ plane.T).max(axis=1)
    return _Face(plane, 1.2 * float(np.median(rest)) + 0.7, float(alike.mean()))


def _first_departures(deviation: Array, face: _Face, fractions: Array) -> Array:
    """Where each ray leaves the colour of the top for good, as a fraction of its reach; NaN if
    nowhere."""
    away = np.abs(deviation).max(axis=2)
    threshold = max(5.0 * face.noise, 0.07 * float(face.plane[:, 0].max()), 6.0)
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
    dx, dy, scale = unknowns.tolist()
    return dx, dy, scale


@dataclass(frozen=True, slots=True)
class _Fit:
    dx: float
    dy: float
    scale: float
    sigma_px: float
    hits: NDArray[np.bool_]
    channel: Array
    scatter_px: float


def _fine(
    image: Image,
    x: float,
    y: float,
    scale: float,
    reach: Array,
    face: _Face,
    face_at: tuple[float, float],
) -> _Fit | None:
    """One step of the fit: the half-way points between the top's colour and what lies just outside
    of it."""
    offsets = np.linspace(-_FINE_PX, _FINE_PX, _FINE_STEPS)
    samples, dx, dy = _along(image, x, y, reach, scale + offsets[None, :] / reach[:, None])
    deviation = face.deviation(samples, dx + (x - face_at[0]), dy + (y - face_at[1]))
    outside = deviation[:, (offsets > 1.4) & (offsets < 3.1)].mean(axis=1)
    within = deviation[:, (offsets > -4.1) & (offsets < -1.9)].mean(axis=1)
    step = outside - within
    contrast2 = np.einsum("ij,ij->i", step, step)
    rise = np.einsum("ijk,ik->ij", deviation - within[:, None, :], step) / (
        contrast2[:, None] + 1e-9
    )
    crossing = (rise[:, :-1] < 0.5) & (rise[:, 1:] >= 0.5)
    middle = np.abs(offsets[:-1] + 0.25)
    nearest = np.where(crossing, middle[None, :], np.inf).argmin(axis=1)
    rays = np.arange(_RAYS)
    before, after = rise[rays, nearest], rise[rays, nearest + 1]
    edge = offsets[nearest] + (0.5 - before) / np.where(after > before, after - before, 1.0) * 0.5
    least = max(4.0 * face.noise, 5.0)
    sound = crossing[rays, nearest] & (contrast2 > least * least) & (np.abs(edge) < 3.2)
    sound &= np.abs(within).max(axis=1) < 3.0 * face.noise + 0.08 * float(face.plane[:, 0].max())
    if sound.sum() < 8:
        return None
    design = np.column_stack((_DIRECTIONS, reach))
    trust = sound * contrast2 / (contrast2 + (10.0 * face.noise) ** 2)
    residual = edge
    unknowns = np.zeros(3)
    weights = trust
    for _ in range(4):
        residual = edge - design @ unknowns
        spread = 1.5 * float(np.median(np.abs(residual[sound]))) + 0.03
        weights = trust * np.maximum(0.0, 1.0 - (residual / (4.0 * spread)) ** 2) ** 2
        weighted = design * weights[:, None]
        normal = weighted.T @ design
        normal[2, 2] += 1e-3
        normal[0, 0] += 1e-6
        normal[1, 1] += 1e-6
        unknowns = np.linalg.solve(normal, weighted.T @ edge)
    residual = edge - design @ unknowns
    total = float(weights.sum())
    if total < 2.0:
        return None
    scatter2 = float((weights * residual * residual).sum()) / total + 0.02**2
    covariance = np.linalg.inv(normal)
    variance = scatter2 * _CORRELATION * 0.5 * float(covariance[0, 0] + covariance[1, 1])
    hits = sound & (np.abs(residual) < 0.75)
    return _Fit(
        dx=float(unknowns[0]),
        dy=float(unknowns[1]),
        scale=scale + float(unknowns[2]),
        sigma_px=math.sqrt(variance + _FLOOR_PX**2),
        hits=hits,
        channel=_telling_channel(step[hits], face),
        scatter_px=math.sqrt(scatter2),
    )


def _telling_channel(steps: Array, face: _Face) -> Array:
    """Weights of blue, green, red that tell the top from its surroundings, `steps` (n, 3).

    Luminance, unless the ball is as light as what it lies on: then the direction of most contrast.
    """
    if len(steps) == 0:
        return _LUMINANCE
    usual = float(np.median(np.abs(steps @ _LUMINANCE)))
    if usual > max(8.0, 6.0 * face.noise * float(np.linalg.norm(_LUMINANCE))):
        return _LUMINANCE
    direction = np.linalg.eigh(steps.T @ steps)[1][:, -1]
    return np.asarray(direction / np.abs(direction).sum())
