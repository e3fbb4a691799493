"""Fitting a layout to measured lines: robust Levenberg-Marquardt with priors, and the covariance it leaves.

Everything unknown is in one problem: focal length with its prior, principal point, distortion, pose and
both halves. What the lines cannot tell (focal length against height) stays wide in the covariance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import Array
from calibration.lines import Expected, LineSamples, halves_of
from calibration.parameters import CENTRE, COUNT, DISTORTION, FOCAL, Layout

# Weak knowledge that holds for any camera over any board.
_DISTORTION_SIGMA = (0.2, 0.1, 0.002, 0.002)
"""Per thousand pixels, as in `calibration.parameters`; for lenses from a fisheye's edge to a tele."""
_CENTRE_SIGMA = 0.008
"""Of the picture's longer side: how far from its middle an uncropped sensor's axis lies."""
_SHIFT_SIGMA_MM = 1.0
_TURN_SIGMA_RAD = np.radians(0.4)
UNKNOWN_FOCAL_SIGMA = 0.35
"""Of the logarithm: from a wide phone lens to a short tele over a table."""
KNOWN_FOCAL_SIGMA = 0.01
"""A datasheet's focal length is good to about one per cent."""
_FIXED_FOCAL_SIGMA = 1e-5
_FOCAL_STEP, _FOCAL_REACH = 0.08, 0.8
"""Of the logarithm: the steps of the search along the valley, and how far from the start it goes."""
_CUT = 4.0
_FIRST_DAMPING, _LAST_DAMPING = 1e-13, 1e3
_SIGMA_FLOOR_PX = 0.03
_SHARED_SIGMA_PX = 0.07
"""Standard deviation of the error that all places share where a line lies alike on the pixel grid: the
mosaic, sharpening and compression shift a line by its phase, and a line along the grid has one phase."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is believed before looking: a mean (19,) and a precision matrix (19, 19)."""

    mean: Array
    precision: Array

    @property
    def focal_known(self) -> bool:
        """Whether the focal length is believed well enough for a fit by the slope alone."""
        return bool(self.precision[0, 0] > 1.0 / (3 * KNOWN_FOCAL_SIGMA) ** 2)


def camera_prior(size: tuple[int, int], focal_px: float, focal_sigma: float) -> Prior:
    """The prior of an unknown camera with pictures of `size`; `focal_sigma` is of the logarithm."""
    mean = np.zeros(COUNT)
    mean[FOCAL] = np.log(focal_px)
    mean[CENTRE] = (size[0] - 1) / 2, (size[1] - 1) / 2
    sigma = np.full(COUNT, np.inf)
    sigma[FOCAL] = focal_sigma
    sigma[CENTRE] = _CENTRE_SIGMA * max(size)
    sigma[DISTORTION] = _DISTORTION_SIGMA
    sigma[13:19] = (_SHIFT_SIGMA_MM, _SHIFT_SIGMA_MM, _TURN_SIGMA_RAD) * 2
    return Prior(mean, np.diag(1.0 / sigma**2))


def held_focal(prior: Prior, log_focal: float | None = None) -> Prior:
    """The same belief with the focal length as good as known: at its mean, or at another value."""
    mean, precision = prior.mean.copy(), prior.precision.copy()
    precision[FOCAL, FOCAL] = 1.0 / KNOWN_FOCAL_SIGMA**2
    if log_focal is not None:
        mean[FOCAL] = log_focal
        precision[FOCAL, FOCAL] = 1.0 / _FIXED_FOCAL_SIGMA**2
    return Prior(mean, precision)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A fitted layout: its covariance (19, 19), and for the samples the residuals (n,) in px across the
    line after the fit, and which of them (n,) count as inliers. `unit` is the residuals' robust
    standard deviation in units of the stated ones, at least 1; `cost` half the robust chi-square."""

    layout: Layout
    covariance: Array
    residual_px: Array
    inlier: NDArray[np.bool_]
    unit: float
    cost: float


def fit(
    layout: Layout,
    samples: LineSamples,
    expected: Expected,
    offset_px: Array,
    sigma_px: Array,
    prior: Prior,
    *,
    free: NDArray[np.bool_] | None = None,
    steps: int = 20,
) -> Fitted:
    """Move the layout so that each sample projects onto its line, measured at `offset_px` along the
    expected normal with standard deviation `sigma_px`; Tukey's weights, then the covariance.

    `free` (19,) names the parameters that may move; the others keep their values.
    """
    movable = np.ones(COUNT, dtype=bool) if free is None else free
    target = expected.at_px + offset_px[:, None] * expected.normal_px
    sigma = np.hypot(sigma_px, _SIGMA_FLOOR_PX)
    crowd = _crowds(samples, expected)
    vector = layout.vector()
    residual, slope = _linearise(vector, samples, target, expected.normal_px)
    unit = _scale(residual / sigma)
    damping = _FIRST_DAMPING
    for _ in range(steps):
        cost = _cost(vector, residual, sigma * unit, crowd, prior)
        weight = _weights(residual, sigma * unit, crowd)
        normal, gradient = _normal_equations(vector, residual, slope, weight, prior)
        normal, gradient = normal[np.ix_(movable, movable)], gradient[movable]
        while damping < _LAST_DAMPING:
            step = np.zeros(COUNT)
            step[movable] = _solve(normal, gradient, damping)
            trial, trial_slope = _linearise(vector + step, samples, target, expected.normal_px)
            if _cost(vector + step, trial, sigma * unit, crowd, prior) <= cost * (1 + 1e-9):
                break
            damping *= 10.0
        else:
            break
        vector, residual, slope = vector + step, trial, trial_slope
        unit, damping = _scale(residual / sigma), max(damping / 10.0, _FIRST_DAMPING)
        if np.max(np.abs(slope @ step), initial=0.0) < 1e-5:
            break
    weight = _weights(residual, sigma * unit, crowd)
    normal, _ = _normal_equations(vector, residual, slope, weight, prior)
    covariance = np.zeros((COUNT, COUNT))
    covariance[np.ix_(movable, movable)] = _inverse(normal[np.ix_(movable, movable)])
    inlier = np.abs(residual) < _CUT * sigma * unit
    cost = _cost(vector, residual, sigma * unit, crowd, prior)
    return Fitted(Layout.from_vector(vector), covariance, residual, inlier, unit, cost)


def fit_along_focal(
    layout: Layout,
    samples: LineSamples,
    expected: Expected,
    offset_px: Array,
    sigma_px: Array,
    prior: Prior,
) -> Fitted:
    """As `fit`, for a focal length that is not known, with its best value sought along the valley.

    The foreshortening of a tilted board grows with the square of the tilt, and with it the valley bends:
    steps by the slope alone creep. With the focal length fixed the rest is well posed, so fixed values
    are tried, each from its neighbour's answer, and the best is let go.
    """

    def at(log_focal: float, near: Layout) -> Fitted:
        start = near.vector()
        start[12] += log_focal - start[0]
        start[0] = log_focal
        held = held_focal(prior, log_focal)
        return fit(Layout.from_vector(start), samples, expected, offset_px, sigma_px, held)

    def worth(fitted: Fitted) -> float:
        apart = float(fitted.layout.vector()[0] - prior.mean[0])
        return fitted.cost + 0.5 * apart**2 * float(prior.precision[0, 0])

    begin = float(prior.mean[0])
    best = first = at(begin, layout)
    for direction in (-1, 1):
        last, step = first, 1
        while step * _FOCAL_STEP <= _FOCAL_REACH:
            trial = at(begin + direction * step * _FOCAL_STEP, last.layout)
            if worth(trial) < worth(best):
                best = trial
            elif worth(trial) > worth(best) + 8.0:
                break
            last, step = trial, step + 1
    width = _FOCAL_STEP / 2
    while width > 0.002:
        middle = float(best.layout.vector()[0])
        sides = [at(middle + side * width, best.layout) for side in (-1, 1)]
        best = min((best, *sides), key=worth)
        width /= 2
    return fit(best.layout, samples, expected, offset_px, sigma_px, prior)


def _linearise(vector: Array, samples: LineSamples, target: Array, normal_px: Array) -> tuple[Array, Array]:
    """Signed distances (n,) of the targets from the projected samples, and their slopes (n, 19)."""
    layout = Layout.from_vector(vector)
    at_px = np.empty((len(samples), 2))
    by_parameters = np.empty((len(samples), 2, COUNT))
    for half, mask in halves_of(samples):
        at_px[mask], by_parameters[mask], _ = layout.jacobian(half, samples.at_mm[mask])
    residual = np.einsum("ni,ni->n", target - at_px, normal_px)
    return residual, np.einsum("nij,ni->nj", by_parameters, normal_px)


def _normal_equations(
    vector: Array, residual: Array, slope: Array, weight: Array, prior: Prior
) -> tuple[Array, Array]:
    # einsum and not a matrix product: BLAS would split so small a product over all cores, and wait 0.2 s
    # for one that is busy.
    weighted = weight[:, None] * slope
    normal = np.einsum("ni,nj->ij", weighted, slope) + prior.precision
    gradient = np.einsum("ni,n->i", weighted, residual) + prior.precision @ (prior.mean - vector)
    return normal, gradient


def _solve(normal: Array, gradient: Array, damping: float) -> Array:
    """Levenberg's step, the rows brought to one scale first: radians and millimetres differ by 1e4."""
    scale = 1.0 / np.sqrt(np.diag(normal))
    scaled = normal * scale[:, None] * scale[None, :] + damping * np.eye(len(normal))
    return np.asarray(scale * np.linalg.solve(scaled, scale * gradient), dtype=float)


def _inverse(normal: Array) -> Array:
    scale = 1.0 / np.sqrt(np.diag(normal))
    scaled = normal * scale[:, None] * scale[None, :]
    return np.asarray(np.linalg.inv(scaled) * scale[:, None] * scale[None, :], dtype=float)


def _cost(vector: Array, residual: Array, sigma: Array, crowd: Array, prior: Prior) -> float:
    """Tukey's loss of the residuals and the prior's, on the scale of half a chi-square."""
    inside = np.clip(1.0 - (residual / (_CUT * sigma)) ** 2, 0.0, None)
    weight = sigma**2 / (sigma**2 + (crowd - 1.0) * _SHARED_SIGMA_PX**2)
    loss = _CUT**2 / 6.0 * float((weight * (1.0 - inside**3)).sum())
    apart = prior.mean - vector
    return loss + 0.5 * float(apart @ prior.precision @ apart)


def _scale(normalised: Array) -> float:
    """Robust standard deviation by the median; never below one: the stated noise is a floor."""
    return max(1.0, float(1.4826 * np.median(np.abs(normalised)))) if len(normalised) else 1.0


def _crowds(samples: LineSamples, expected: Expected) -> Array:
    """How many places (n,) share each place's line and its phase on the pixel grid, to half a pixel."""
    steep = np.abs(expected.normal_px[:, 0]) > np.abs(expected.normal_px[:, 1])
    phase = np.where(steep, expected.at_px[:, 0], expected.at_px[:, 1])
    key = np.column_stack((samples.line, np.round(phase * 2).astype(np.intp)))
    _, inverse, counts = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse.reshape(-1)], dtype=float)


def _weights(residual: Array, sigma: Array, crowd: Array) -> Array:
    """Tukey's weights, a crowd of places with a common error counting as what they say together."""
    return _tukey(residual / sigma) / (sigma**2 + (crowd - 1.0) * _SHARED_SIGMA_PX**2)


def _tukey(normalised: Array) -> Array:
    inside = np.clip(1.0 - (normalised / _CUT) ** 2, 0.0, None)
    return np.asarray(inside * inside, dtype=float)
