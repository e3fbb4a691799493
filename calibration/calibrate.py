"""From one picture to a calibration: find the court, refine it on every line, tell the ends, or refuse.

The steps only; finding is in court.py, measuring in lines.py, fitting in fit.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.court import CourtShape, find_court
from calibration.edition import Edition
from calibration.ends import rim_corners_px, tell_ends
from calibration.errors import RefusedError
from calibration.fit import (
    KNOWN_FOCAL_SIGMA,
    UNKNOWN_FOCAL_SIGMA,
    Fitted,
    Prior,
    camera_prior,
    fit,
    fit_along_focal,
    held_focal,
)
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
from calibration.profile import Calibration, Region, Rotation, half_turned
from calibration.sampling import Grey, linear_luma

_USUAL_FOCAL = 1.1
"""Of the picture's longer side: a field of view of about 50 degrees, where an unknown lens starts."""
_COARSE_SEARCH = (0.011, 0.007, 0.004)
"""Of the longer side: how far off a line may be at each pass of the coarse search."""
_LEAST_SEEN = 0.55
_PLACES_PER_HALF = 150
"""Places along half a court's length: 1.5 mm apart on a board of the usual size."""
_LEAST_SEEN_OF_A_HALF = 0.35
_WORST_RESIDUAL_PX = 0.6
_WORST_RESIDUAL = 0.07
"""Of a court line's width: good fits leave 0.01, another board's lines, bent to fit, 0.1 and more."""
_LEAST_ZONES, _WHOLE = 0.3, 0.8
_MISSING, _MOST_MISSING = 0.1, 2
"""A line is missing when less than this share of it is found; a hand hides two, another board more."""
_LEAST_INSIDE = 0.4
"""Of the court that must lie in the picture before it is said to be cut rather than not there."""
_WORST_BLUR = 0.35
"""Standard deviation of an edge, of a court line's width."""
_SHIFT_WARNING_MM = 0.5
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


def calibrate(
    image_bgr: NDArray[np.uint8],
    edition: Edition,
    *,
    focal_px: float | None = None,
    rotation: Rotation = 0,
    swap_ends: bool = False,
) -> Calibration:
    """Find and measure the board in a picture, shape (height, width, 3).

    `focal_px` is the focal length as a datasheet gives it, good to one per cent; without it the focal
    length is unknown and the covariance says so. `swap_ends` puts side A at the other end than the one
    the picture tells. Raises `RefusedError` with the reason when no good fit is possible.
    """
    height, width = image_bgr.shape[:2]
    size = (width, height)
    if min(size) < 200:
        raise RefusedError(
            f"the picture is {width}x{height}, too small to measure a board; use a larger camera mode"
        )
    picture = linear_luma(image_bgr)
    samples = samples_of(edition)
    start_focal = focal_px or _USUAL_FOCAL * max(size)
    prior = camera_prior(size, start_focal, KNOWN_FOCAL_SIGMA if focal_px else UNKNOWN_FOCAL_SIGMA)
    best: Refined | None = None
    for guess in find_court(image_bgr, _shape_of(edition), samples, start_focal):
        refined = _refine_from_guess(picture, guess.layout, samples, prior, size)
        if refined is None:
            continue
        good = fault_of(refined, edition) is None
        if best is None or (good, refined.seen_share) > (fault_of(best, edition) is None, best.seen_share):
            best = refined
        if good and refined.seen_share > _WHOLE:
            break
    best = _require_good(best, image_bgr, size, edition)
    ends = tell_ends(image_bgr, best.layout, edition)
    _require_whole(half_turned(best.layout) if ends.turned else best.layout, edition, size)
    if ends.turned != swap_ends:
        turned = refine(picture, half_turned(best.layout), samples, prior, best.measured.blur_px)
        best = _require_good(turned, image_bgr, size, edition)
    warnings = list(shift_warnings(best.layout, edition))
    if not ends.clear:
        warnings.append(
            "which end is side A cannot be told from this picture; "
            "if the sides are the wrong way round, swap them with --swap-ends"
        )
    return as_calibration(best, edition, size, rotation, focal_px is not None, tuple(warnings))


@lru_cache(maxsize=8)
def samples_of(edition: Edition) -> LineSamples:
    """The places at which this edition's lines are measured."""
    return sample_lines(edition.printed_lines(), edition.court.baseline_mm / _PLACES_PER_HALF)


def _shape_of(edition: Edition) -> CourtShape:
    court, half = edition.court, edition.lines.court_mm / 2
    across = (court.baseline_mm - half, court.service_line_mm - half)
    along = (court.doubles_mm - half, court.singles_mm - half)
    return CourtShape(
        (-across[0], -across[1], across[1], across[0]),
        (-along[0], -along[1], 0.0, along[1], along[0]),
    )


def _refine_from_guess(
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
        halves = tuple(
            float(good[court & (samples.is_b == is_b)].mean()) for is_b in (False, True)
        )
        result = Refined(
            fitted,
            samples.select(seen),
            measured,
            _select(expected, seen),
            float(good[inside].mean()) if inside.any() else 0.0,
            float(inside.sum() / court.sum()),
            float(good[~court].mean()) if not court.all() else 1.0,
            sum(
                float(good[samples.line == line].mean()) < _MISSING
                for line in np.unique(samples.line[court])
            ),
            (halves[0], halves[1]),
        )
    return result


def residuals(refined: Refined) -> tuple[float, float]:
    """What the fit leaves over, root mean square in px and mm."""
    kept = refined.fitted.inlier
    left_px = refined.fitted.residual_px[kept]
    return rms(left_px), rms(left_px * refined.expected.mm_per_px[kept])


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


def _require_good(
    refined: Refined | None, image_bgr: NDArray[np.uint8], size: tuple[int, int], edition: Edition
) -> Refined:
    """The fit itself, or `RefusedError` with why it will not do."""
    if refined is None or refined.seen_share < _LEAST_SEEN or refined.inside_share < _LEAST_INSIDE:
        raise RefusedError(_why_nothing_was_found(image_bgr, edition))
    _require_whole_court(refined.layout, edition, size)
    fault = fault_of(refined, edition)
    if fault is not None:
        raise RefusedError(fault)
    return refined


def fault_of(refined: Refined, edition: Edition) -> str | None:
    """Why a fit will not do, with what to do next; None for a good one."""
    if refined.seen_share < _LEAST_SEEN or min(refined.seen_share_of_halves) < _LEAST_SEEN_OF_A_HALF:
        half = "A" if refined.seen_share_of_halves[0] < refined.seen_share_of_halves[1] else "B"
        return f"too little of half {half} can be seen; take hands and things off the board"
    # Zone lines may be too faint to be seen: a court of which nothing is missing answers for them.
    other_zones = refined.zone_share < _LEAST_ZONES and refined.seen_share < _WHOLE
    if other_zones or refined.missing_lines > _MOST_MISSING:
        return (
            f"this is not the board {edition.name!r}: lines that it has are not there; check --board, and "
            "take hands and things off the board"
        )
    blur = refined.measured.blur_px * float(np.median(refined.expected.mm_per_px))
    if blur > _WORST_BLUR * edition.lines.court_mm:
        return (
            f"the picture is out of focus: edges are {blur:.1f} mm wide on the board; "
            "focus the lens on the board"
        )
    left_px, left_mm = residuals(refined)
    if left_px > _WORST_RESIDUAL_PX or left_mm > _WORST_RESIDUAL * edition.lines.court_mm:
        return (
            f"the lines do not fit the board {edition.name!r}: {left_px:.2f} px or {left_mm:.2f} mm are "
            "left over; check --board, and that the board lies flat"
        )
    return None


def _why_nothing_was_found(image_bgr: NDArray[np.uint8], edition: Edition) -> str:
    grey = image_bgr.mean(axis=2)
    low, high = np.percentile(grey, (1, 99))
    if high < 45:
        return "the picture is too dark to see a board; switch a lamp on or take the lens cap off"
    if low > 210:
        return "the picture is overexposed; lower the exposure or move the lamp"
    across = np.abs(np.diff(grey[::2, ::2], axis=1))
    if high - low > 30 and np.percentile(across, 99.5) < 0.12 * (high - low):
        return "the picture is out of focus, no line is sharp; focus the lens on the board"
    return (
        f"no whole court of the board {edition.name!r} was found in the picture; put the board "
        "wholly in view, keep hands off it, and check --board"
    )


def _require_whole_court(layout: Layout, edition: Edition, size: tuple[int, int]) -> None:
    court = edition.court
    corners = [
        [x, y, 0.0]
        for x in (-court.baseline_mm, court.baseline_mm)
        for y in (-court.doubles_mm, court.doubles_mm)
    ]
    side = _outside(layout.camera.project(corners), size)
    if side:
        raise RefusedError(
            f"the court is not whole in the picture: it is cut at the {side}; "
            "move the camera or the board"
        )


def _require_whole(layout: Layout, edition: Edition, size: tuple[int, int]) -> None:
    _require_whole_court(layout, edition, size)
    scale = np.abs(layout.camera.focal_px / layout.camera.translation_mm[2])
    side = _outside(rim_corners_px(layout, edition), size, slack_px=edition.lines.court_mm * float(scale))
    if side:
        raise RefusedError(
            f"the board is not whole in the picture: it is cut at the {side}; "
            "move the camera or the board"
        )


def _outside(
    corners_px: NDArray[np.float64], size: tuple[int, int], slack_px: float = 0.0
) -> str | None:
    sides = {
        "left": -corners_px[:, 0].min(),
        "right": corners_px[:, 0].max() - (size[0] - 1),
        "top": -corners_px[:, 1].min(),
        "bottom": corners_px[:, 1].max() - (size[1] - 1),
    }
    worst = max(sides, key=lambda name: float(sides[name]))
    return worst if sides[worst] > slack_px else None


def shift_warnings(layout: Layout, edition: Edition) -> tuple[str, ...]:
    """A sentence when the two sheets do not meet at the net by more than half a millimetre."""
    ends = np.array([[0.0, -edition.court.doubles_mm], [0.0, edition.court.doubles_mm]])
    apart = layout.half_b.to_board(ends) - layout.half_a.to_board(ends)
    worst = float(np.hypot(apart[:, 0], apart[:, 1]).max())
    if worst <= _SHIFT_WARNING_MM:
        return ()
    gap, slip = apart.mean(axis=0)
    turn = np.degrees(layout.half_b.turn_rad - layout.half_a.turn_rad)
    return (
        f"the halves do not meet by up to {worst:.1f} mm at the net (gap {gap:+.1f} mm, shifted "
        f"{slip:+.1f} mm, turned {turn:+.2f} degrees); push them together and calibrate again, "
        "or play on: each half is judged by its own lines",
    )


def as_calibration(
    refined: Refined,
    edition: Edition,
    size: tuple[int, int],
    rotation: Rotation,
    focal_known: bool,
    warnings: tuple[str, ...],
) -> Calibration:
    """The value that leaves this module."""
    fitted, samples = refined.fitted, refined.samples
    kept = fitted.inlier
    left_px, left_mm = residuals(refined)
    residual_mm = fitted.residual_px * refined.expected.mm_per_px
    third = edition.court.baseline_mm / 3
    reach = np.abs(samples.at_mm[:, 0])
    regions = []
    for half, is_b in (("A", False), ("B", True)):
        for name, low, high in (
            ("near the net", 0.0, third),
            ("middle", third, 2 * third),
            ("back", 2 * third, np.inf),
        ):
            here = kept & (samples.is_b == is_b) & (reach >= low) & (reach < high)
            regions.append(
                Region(
                    f"{half} {name}",
                    int(here.sum()),
                    rms(fitted.residual_px[here]),
                    rms(residual_mm[here]),
                )
            )
    return Calibration(
        edition=edition.name,
        edition_digest=edition.digest,
        size=size,
        rotation=rotation,
        layout=fitted.layout,
        covariance=fitted.covariance,
        ball=edition.ball,
        focal_known=focal_known,
        residual_px=left_px,
        residual_mm=left_mm,
        regions=tuple(regions),
        blur_px=refined.measured.blur_px,
        warnings=warnings,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def rms(values: NDArray[np.float64]) -> float:
    """Root mean square; 0 of nothing."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
