"""Printed lines measured in a picture: how far each lies, across itself, from where it is expected.

Two readings: a coarse one that finds a line within a wide search, and a fine one that fits two blurred
steps and gives the middle with its standard deviation. Knows no court and moves no camera.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import Array
from calibration.parameters import Half, Layout
from calibration.sampling import Grey, sample

_SHARP_TURN = np.cos(np.radians(20.0))
_STEP_PX = 0.5
_FAINT = 0.03
"""Of the court lines' contrast: what is fainter is a scratch, a shadow's edge, or not there."""
_BLUR_RANGE_PX = (0.35, 4.0)


class Printed(Protocol):
    """What is needed of a printed line (see `calibration.edition.PrintedLine`)."""

    @property
    def kind(self) -> str:
        """The line's kind: court, zone, net or bonus."""
        ...

    @property
    def half(self) -> Half | None:
        """The half that carries it; None for a line on the join."""
        ...

    @property
    def points_mm(self) -> Array:
        """Polyline (n, 2) along the middle of the stroke."""
        ...

    @property
    def width_mm(self) -> float:
        """The printed width."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LineSamples:
    """Places along the printed lines where a line can be measured without another in the way.

    All arrays have one row a place: `at_mm` (n, 2) and unit `normal` (n, 2) in the printed frame,
    `width_mm` (n,), `clear_mm` (n,) free space beside the stroke, `is_court` (n,), `is_b` (n,) half B,
    `line` (n,) the index of the printed line.
    """

    at_mm: Array
    normal: Array
    width_mm: Array
    clear_mm: Array
    is_court: NDArray[np.bool_]
    is_b: NDArray[np.bool_]
    line: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.at_mm)

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> "LineSamples":
        """The places picked by a mask or by indices."""
        return LineSamples(
            self.at_mm[keep],
            self.normal[keep],
            self.width_mm[keep],
            self.clear_mm[keep],
            self.is_court[keep],
            self.is_b[keep],
            self.line[keep],
        )


def sample_lines(lines: Sequence[Printed], step_mm: float) -> LineSamples:
    """Places every `step_mm` along all lines but the net, a court line's width away from their vertices.

    The net's edges belong to two sheets that may be shifted, so its middle means nothing.
    """
    rows: list[tuple[Array, Array, Array, int]] = []
    court_mm = max(line.width_mm for line in lines if line.kind == "court")
    for index, line in enumerate(lines):
        for start, end, sharp_start, sharp_end in _stretches(np.asarray(line.points_mm, float)):
            length = float(np.hypot(*(end - start)))
            low = court_mm if sharp_start else 0.0
            high = length - (court_mm if sharp_end else 0.0)
            if high <= low or length == 0.0:
                continue
            count = max(1, int((high - low) / step_mm))
            along = low + (np.arange(count) + 0.5) * (high - low) / count
            direction = (end - start) / length
            at = start + along[:, None] * direction
            normal = np.broadcast_to([-direction[1], direction[0]], at.shape)
            rows.append((at, normal, np.full(count, line.width_mm), index))
    at_mm = np.concatenate([row[0] for row in rows])
    index_of = np.concatenate([np.full(len(row[0]), row[3]) for row in rows]).astype(np.intp)
    kinds = np.array([line.kind for line in lines])
    halves = np.array([line.half or "" for line in lines])
    every = LineSamples(
        at_mm,
        np.concatenate([row[1] for row in rows]),
        np.concatenate([row[2] for row in rows]),
        np.full(len(at_mm), np.inf),
        kinds[index_of] == "court",
        halves[index_of] == "B",
        index_of,
    )
    clear = _clearances(every)
    on_half = halves[index_of] != ""
    free = on_half & (kinds[index_of] != "net") & (clear > court_mm / 2)
    return LineSamples(
        every.at_mm, every.normal, every.width_mm, clear, every.is_court, every.is_b, every.line
    ).select(free)


def _stretches(points: Array) -> list[tuple[Array, Array, bool, bool]]:
    """The polyline's straight stretches and whether each of their ends turns sharply or stops."""
    legs = np.diff(points, axis=0)
    lengths = np.maximum(np.hypot(legs[:, 0], legs[:, 1]), 1e-9)
    legs = legs / lengths[:, None]
    closed = bool(np.allclose(points[0], points[-1]))
    bends = [float(legs[i - 1] @ legs[i]) < _SHARP_TURN for i in range(1, len(legs))]
    seam = float(legs[-1] @ legs[0]) < _SHARP_TURN if closed else True
    turns = [seam, *bends, seam]
    return [(points[i], points[i + 1], turns[i], turns[i + 1]) for i in range(len(legs))]


def _clearances(samples: LineSamples) -> Array:
    """Free space (n,) in mm between each stroke's edge and the nearest stroke of another line."""
    clear = np.full(len(samples), np.inf)
    for start in range(0, len(samples), 256):
        block = slice(start, start + 256)
        apart = samples.at_mm[block, None, :] - samples.at_mm[None, :, :]
        distance = np.hypot(apart[..., 0], apart[..., 1]) - samples.width_mm[None, :] / 2
        distance[samples.line[block, None] == samples.line[None, :]] = np.inf
        clear[block] = distance.min(axis=1) - samples.width_mm[block] / 2
    return clear


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Where a layout expects the samples: pixels, unit normals in pixels and stroke widths in pixels."""

    at_px: Array
    normal_px: Array
    width_px: Array
    mm_per_px: Array


def expect(layout: Layout, samples: LineSamples) -> Expected:
    """Project the samples, with their normals and widths.

    The image of a normal is not the normal of the image under tilt: the part across the line counts.
    """
    at_px = np.empty((len(samples), 2))
    by_printed = np.empty((len(samples), 2, 2))
    for half, mask in halves_of(samples):
        at_px[mask], _, by_printed[mask] = layout.jacobian(half, samples.at_mm[mask])
    along = np.column_stack((samples.normal[:, 1], -samples.normal[:, 0]))
    tangent = np.einsum("nij,nj->ni", by_printed, along)
    tangent /= np.hypot(tangent[:, 0], tangent[:, 1])[:, None]
    normal = np.column_stack((-tangent[:, 1], tangent[:, 0]))
    across = np.einsum("ni,nij,nj->n", normal, by_printed, samples.normal)
    normal *= np.sign(across)[:, None]
    scale = np.abs(across)
    return Expected(at_px, normal, samples.width_mm * scale, 1.0 / scale)


def halves_of(samples: LineSamples) -> Iterator[tuple[Half, NDArray[np.bool_]]]:
    """The masks of the samples on each half that has any."""
    if not samples.is_b.all():
        yield "A", ~samples.is_b
    if samples.is_b.any():
        yield "B", samples.is_b


def _profiles(picture: Grey, expected: Expected, reach_px: float) -> tuple[Array, Array]:
    """Offsets (m,) in px and the values (n, m) read across each line at those offsets."""
    count = int(np.ceil(reach_px / _STEP_PX))
    offsets = np.asarray(np.arange(-count, count + 1) * _STEP_PX, dtype=float)
    x = expected.at_px[:, 0, None] + expected.normal_px[:, 0, None] * offsets
    y = expected.at_px[:, 1, None] + expected.normal_px[:, 1, None] * offsets
    return offsets, sample(picture, x, y)


def find_coarsely(
    picture: Grey, expected: Expected, search_px: float
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Offsets (n,) of the best bright stroke within `search_px`, its contrast (n,), and where one is.

    A stroke must stand out against both of its sides, so an edge between two grounds is none.
    """
    margin = float(np.max(expected.width_px, initial=2.0)) * 1.5 + 2.0
    offsets, values = _profiles(picture, expected, search_px + margin)
    total = np.concatenate((np.zeros((len(values), 1)), np.cumsum(values, axis=1)), axis=1)

    def mean(low: Array, high: Array) -> Array:
        first = np.clip(np.round((low - offsets[0]) / _STEP_PX).astype(int), 0, len(offsets) - 1)
        last = np.clip(np.round((high - offsets[0]) / _STEP_PX).astype(int), 0, len(offsets) - 1)
        last = np.maximum(first, last)
        within = np.take_along_axis(total, last + 1, 1) - np.take_along_axis(total, first, 1)
        return np.asarray(within / (last - first + 1), dtype=float)

    trial = offsets[np.abs(offsets) <= search_px][None, :] + np.zeros((len(values), 1))
    half = np.maximum(expected.width_px[:, None] / 2, 0.75)
    inside = mean(trial - half * 0.6, trial + half * 0.6)
    left = mean(trial - 2.2 * half - 1.0, trial - half - 1.0)
    right = mean(trial + half + 1.0, trial + 2.2 * half + 1.0)
    contrast = inside - np.maximum(left, right)
    contrast = np.where(np.isnan(contrast), -np.inf, contrast)
    # Of two lines that look alike the nearer one is likelier.
    preference = contrast * (1.0 - 0.3 * np.abs(trial) / (search_px + 1.0))
    best = np.argmax(preference, axis=1)
    rows = np.arange(len(values))
    strength = contrast[rows, best]
    threshold = 0.35 * np.percentile(strength[np.isfinite(strength)], 80) if len(strength) else 0.0
    found = np.isfinite(strength) & (strength > max(threshold, 2.0))
    return trial[rows, best], np.where(found, strength, 0.0), found


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Lines measured finely: `offset_px` (n,) of the middle along the normal, its `sigma_px` (n,),
    `contrast` (n,) in grey levels, `seen` (n,), and the picture's `blur_px` across lines."""

    offset_px: Array
    sigma_px: Array
    contrast: Array
    seen: NDArray[np.bool_]
    blur_px: float


def measure(
    picture: Grey, expected: Expected, samples: LineSamples, reach_px: float, blur_px: float | None = None
) -> Measured:
    """Fit two blurred steps across each line, its two grounds free, and give the middle.

    Blur, sharpening and exposure move both edges oppositely, so the middle stays. `reach_px` is how
    far from the expected place a middle may be. The blur is fitted over all lines unless given.
    """
    flank = np.minimum(3.5, np.maximum(1.5, samples.clear_mm / expected.mm_per_px - 1.0))
    half_window = expected.width_px / 2 + flank
    offsets, values, usable = _pixel_rows(picture, expected, float(half_window.max(initial=1.0)) + reach_px)
    middle = np.zeros(len(values))
    if blur_px is None:
        blur_px = _common_blur(offsets, values, expected.width_px, half_window, usable)
    for _ in range(8):
        middle, fit = _fit_step(offsets, values, expected.width_px, half_window, middle, blur_px)
        middle = np.clip(middle, -2 * reach_px, 2 * reach_px)
    contrast, noise, sigma = fit
    court = contrast[samples.is_court & usable]
    typical = float(np.percentile(court, 75)) if len(court) else 0.0
    seen = (
        usable
        & (np.abs(middle) <= reach_px)
        & (np.abs(contrast) > np.maximum(4.0 * noise, _FAINT * typical))
        & (np.where(samples.is_court, contrast, np.abs(contrast)) > 0)
        & (sigma < 0.5)
    )
    return Measured(middle, sigma, contrast, seen, blur_px)


def _pixel_rows(picture: Grey, expected: Expected, reach_px: float) -> tuple[Array, Array, NDArray[np.bool_]]:
    """The pixels that cross each line along a row or column, whichever crosses it more squarely.

    Returns their offsets (n, m) from the expected middle along the normal, their values (n, m), and
    which rows (n,) lie inside the picture. Nothing is interpolated: a sharp picture is undersampled, and
    interpolating it shifts a line by its phase on the pixel grid.
    """
    height, width = picture.shape
    steep = np.abs(expected.normal_px[:, 0]) > np.abs(expected.normal_px[:, 1])
    count = int(np.ceil(reach_px * np.sqrt(2.0))) + 1
    k = np.arange(-count, count + 1)
    column = np.round(expected.at_px[:, 0]).astype(int)[:, None] + np.where(steep[:, None], k, 0)
    row = np.round(expected.at_px[:, 1]).astype(int)[:, None] + np.where(steep[:, None], 0, k)
    usable = ((column >= 0) & (row >= 0) & (column < width) & (row < height)).all(axis=1)
    values = picture[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)].astype(float)
    offsets = (column - expected.at_px[:, :1]) * expected.normal_px[:, :1] + (
        row - expected.at_px[:, 1:]
    ) * expected.normal_px[:, 1:]
    return offsets, values, usable


def _common_blur(
    offsets: Array, values: Array, width: Array, half_window: Array, usable: NDArray[np.bool_]
) -> float:
    """The standard deviation, px, of the edge blur that explains all profiles best (golden section)."""
    rows = np.flatnonzero(usable)
    rows = rows[:: max(1, len(rows) // 400)]
    if len(rows) < 8:
        return 1.0

    def misfit(blur: float) -> float:
        middle = np.zeros(len(rows))
        for _ in range(4):
            middle, fit = _fit_step(offsets[rows], values[rows], width[rows], half_window[rows], middle, blur)
        contrast, noise, _ = fit
        strong = np.abs(contrast) > 4 * np.maximum(noise, 1e-6)
        if strong.sum() < 8:
            return float("inf")
        return float(np.median((noise / np.abs(contrast))[strong]))

    low, high = np.log(_BLUR_RANGE_PX[0]), np.log(_BLUR_RANGE_PX[1])
    ratio = (np.sqrt(5.0) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    f_a, f_b = misfit(float(np.exp(a))), misfit(float(np.exp(b)))
    for _ in range(9):
        if f_a < f_b:
            high, b, f_b = b, a, f_a
            a = high - ratio * (high - low)
            f_a = misfit(float(np.exp(a)))
        else:
            low, a, f_a = a, b, f_b
            b = low + ratio * (high - low)
            f_b = misfit(float(np.exp(b)))
    return float(np.exp((low + high) / 2))


def _fit_step(
    offsets: Array, values: Array, width: Array, half_window: Array, middle: Array, blur: float
) -> tuple[Array, tuple[Array, Array, Array]]:
    """One Gauss-Newton step of `ground_left, line, ground_right, middle` for all profiles at once.

    Returns the new middles and (contrast, residual noise, sd of the middle) at the old ones.
    """
    t = offsets - middle[:, None]
    left = (t + width[:, None] / 2) / blur
    right = (t - width[:, None] / 2) / blur
    up, down = _normal_cdf(left), _normal_cdf(right)
    weight = (np.abs(t) <= half_window[:, None]).astype(float)
    basis = np.stack((1.0 - up, up - down, down), axis=2)
    normal = np.einsum("nmi,nm,nmj->nij", basis, weight, basis) + 1e-6 * np.eye(3)
    levels = np.linalg.solve(normal, np.einsum("nmi,nm,nm->ni", basis, weight, values)[..., None])[..., 0]
    model = np.einsum("nmi,ni->nm", basis, levels)
    residual = values - model
    density_l, density_r = _normal_pdf(left) / blur, _normal_pdf(right) / blur
    slope = -(
        density_l * (levels[:, 1] - levels[:, 0])[:, None]
        + density_r * (levels[:, 2] - levels[:, 1])[:, None]
    )
    # Take the levels' share out of the slope (variable projection, Kaufman's form).
    share = np.linalg.solve(normal, np.einsum("nmi,nm,nm->ni", basis, weight, slope)[..., None])
    slope = slope - np.einsum("nmi,ni->nm", basis, share[..., 0])
    curvature = np.einsum("nm,nm->n", weight, slope * slope) + 1e-9
    step = np.einsum("nm,nm,nm->n", weight, slope, residual) / curvature
    freedom = np.maximum(weight.sum(axis=1) - 4.0, 1.0)
    noise = np.sqrt(np.einsum("nm,nm->n", weight, residual**2) / freedom)
    sigma = noise / np.sqrt(curvature)
    contrast = levels[:, 1] - 0.5 * (levels[:, 0] + levels[:, 2])
    return middle + np.clip(step, -1.0, 1.0), (contrast, noise, sigma)


def _normal_pdf(z: Array) -> Array:
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi), dtype=float)


def _normal_cdf(z: Array) -> Array:
    """The normal distribution function to 1e-7 (Abramowitz and Stegun 26.2.17)."""
    x = np.abs(z)
    k = 1.0 / (1.0 + 0.2316419 * x)
    tail = (
        _normal_pdf(x)
        * k
        * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    )
    return np.where(z >= 0, 1.0 - tail, tail)
