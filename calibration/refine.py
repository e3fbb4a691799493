"""A layout fitted to a picture: its lines followed from where they are thought to be, measured, fitted.

Lives here: the passes from some pixels off to sub-pixel, and what a fit rests on. Whether it will do is
decided in refusals.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.fit import Fitted, Prior, fit, fit_along_focal, held_focal
from calibration.lines import (
    Expected,
    LineSamples,
    Measured,
    expect,
    find_coarsely,
    measure,
    sample_lines,
)
from calibration.parameters import COUNT, POSE, Layout
from calibration.sampling import Grey

_COARSE_SEARCH = (0.011, 0.007, 0.004)
"""Of the longer side: how far off a line may be at each pass of the coarse search."""
_PLACES_PER_HALF = 150
"""Places along half a court's length: 1.5 mm apart on a board of the usual size."""
_MISSING = 0.1
"""A line is missing when less than this share of it is found."""
_ROUGHLY = np.zeros(COUNT, dtype=bool)
"""What moves at the first pass of a search: the pose, and k1, of which a guess tries a few values."""
_ROUGHLY[POSE] = _ROUGHLY[3] = True


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """A layout fitted to a picture: the fit, the samples it rests on and how they were measured.

    `seen_share` is the share of the court's lines in the picture that were found where they should be,
    `inside_share` the share of the court that is in the picture, `zone_share` that of the zone lines that
    were found (1 if the board has none), `missing_lines` how many lines of the court were not.
    """

    fitted: Fitted
    samples: LineSamples
    measured: Measured
    expected: Expected
    seen_share: float
    inside_share: float
    zone_share: float
    missing_lines: int
    seen_share_of_halves: tuple[float, float]

    @property
    def layout(self) -> Layout:
        """The fitted layout."""
        return self.fitted.layout


@lru_cache(maxsize=8)
def samples_of(edition: Edition) -> LineSamples:
    """The places at which this edition's lines are measured."""
    return sample_lines(edition.printed_lines, edition.court.baseline_mm / _PLACES_PER_HALF)


def refine_from_guess(
    picture: Grey, layout: Layout, samples: LineSamples, prior: Prior, size: tuple[int, int]
) -> Refined | None:
    """From a few pixels off to a fit on all lines; None if the guess leads nowhere.

    The focal length is held near its start until the lines are found to a pixel: let go too early it
    runs along the valley in which focal length and height cannot be told apart.
    """
    searches = [search * max(size) for search in _COARSE_SEARCH]
    near = follow_lines(picture, layout, samples, held_focal(prior), searches, None)
    if near is None:
        return None
    return refine(picture, near.layout, samples, prior, near.measured.blur_px, reaches_px=(1.0, 1.0))


def follow_lines(
    picture: Grey,
    layout: Layout,
    samples: LineSamples,
    prior: Prior,
    searches_px: Sequence[float],
    blur_px: float | None,
) -> Refined | None:
    """Fit a layout that is some pixels off: strokes within each search in turn, then sub-pixel."""
    for step, search in enumerate(searches_px):
        expected = expect(layout, samples)
        offset, _, found = find_coarsely(picture, expected, search)
        if found.sum() < 0.3 * len(samples):
            return None
        fitted = fit(
            layout,
            samples.select(found),
            _select(expected, found),
            offset[found],
            np.full(int(found.sum()), 0.5),
            prior,
            free=_ROUGHLY if step == 0 else None,
        )
        layout = fitted.layout
        if layout.camera.position_mm[2] <= 0 or not np.isfinite(layout.vector()).all():
            return None
    return refine(picture, layout, samples, prior, blur_px, reaches_px=(2.0, 1.0))


def refine(
    picture: Grey,
    layout: Layout,
    samples: LineSamples,
    prior: Prior,
    blur_px: float | None,
    *,
    reaches_px: tuple[float, ...] = (2.0, 1.0, 1.0),
) -> Refined | None:
    """Measure all lines at sub-pixel level and fit, a few times over; None if hardly a line is there."""
    result: Refined | None = None
    for reach in reaches_px:
        expected = expect(layout, samples)
        measured = measure(picture, expected, samples, reach, blur_px)
        blur_px = measured.blur_px
        seen = measured.seen
        if seen.sum() < 60:
            return None
        solve = fit if prior.focal_known else fit_along_focal
        fitted = solve(
            layout,
            samples.select(seen),
            _select(expected, seen),
            measured.offset_px[seen],
            measured.sigma_px[seen],
            prior,
        )
        layout = fitted.layout
        good = np.zeros(len(samples), dtype=bool)
        good[seen] = fitted.inlier
        court = samples.is_court
        inside = court & _inside(expected.at_px, picture)
        halves = tuple(float(good[court & (samples.is_b == is_b)].mean()) for is_b in (False, True))
        result = Refined(
            fitted,
            samples.select(seen),
            measured,
            _select(expected, seen),
            float(good[inside].mean()) if inside.any() else 0.0,
            float(inside.sum() / court.sum()),
            float(good[~court].mean()) if not court.all() else 1.0,
            sum(
                float(good[samples.line == line].mean()) < _MISSING for line in np.unique(samples.line[court])
            ),
            (halves[0], halves[1]),
        )
    return result


def residuals(refined: Refined) -> tuple[float, float]:
    """What the fit leaves over, root mean square in px and mm."""
    kept = refined.fitted.inlier
    left_px = refined.fitted.residual_px[kept]
    return rms(left_px), rms(left_px * refined.expected.mm_per_px[kept])


def rms(values: NDArray[np.float64]) -> float:
    """Root mean square; 0 of nothing."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0


def _inside(at_px: NDArray[np.float64], picture: Grey) -> NDArray[np.bool_]:
    height, width = picture.shape
    low, high = at_px.min(axis=1), at_px - [width - 1, height - 1]
    return np.asarray((low >= 0) & (high.max(axis=1) <= 0))


def _select(expected: Expected, keep: NDArray[np.bool_]) -> Expected:
    return Expected(
        expected.at_px[keep],
        expected.normal_px[keep],
        expected.width_px[keep],
        expected.mm_per_px[keep],
    )
