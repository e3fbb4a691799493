"""From one picture to a calibration: find the court, refine it on every printed line, tell the ends.

The steps only; finding is in court.py, refining in refine.py, what will not do in refusals.py.
"""

from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from calibration.court import CourtShape, find_court
from calibration.edition import Edition
from calibration.ends import tell_ends
from calibration.errors import RefusedError
from calibration.fit import KNOWN_FOCAL_SIGMA, UNKNOWN_FOCAL_SIGMA, camera_prior
from calibration.overlay import seen_lines_px
from calibration.profile import Calibration, Region, Rotation, half_turned
from calibration.refine import Refined, refine, refine_from_guess, residuals, rms, samples_of
from calibration.refusals import (
    MOSTLY_SEEN,
    fault_of,
    is_likely,
    require_good,
    require_whole,
    shift_warnings,
)
from calibration.sampling import linear_luma

_USUAL_FOCAL = 1.1
"""Of the picture's longer side: a field of view of about 50 degrees, where an unknown lens starts."""


def calibrate(
    image_bgr: NDArray[np.uint8],
    edition: Edition,
    *,
    focal_px: float | None = None,
    focal_sigma: float = KNOWN_FOCAL_SIGMA,
    rotation: Rotation = 0,
    swap_ends: bool = False,
) -> Calibration:
    """Find and measure the board in a picture, shape (height, width, 3).

    `focal_px` is the focal length as a datasheet gives it, good to `focal_sigma`, a share of it; without it
    the focal length is unknown and the covariance says so. `swap_ends` puts side A at the other end than the
    one the picture tells. Raises `RefusedError` with the reason when no good fit is possible.
    """
    height, width = image_bgr.shape[:2]
    size = (width, height)
    if min(size) < 200:
        raise RefusedError(
            f"the picture is {width}x{height}, too small to measure a board; use a larger camera mode",
            "too-small",
        )
    picture = linear_luma(image_bgr)
    samples = samples_of(edition)
    start_focal = focal_px or _USUAL_FOCAL * max(size)
    prior = camera_prior(size, start_focal, focal_sigma if focal_px else UNKNOWN_FOCAL_SIGMA)
    best: Refined | None = None
    for guess in find_court(image_bgr, _shape_of(edition), samples, start_focal):
        refined = refine_from_guess(picture, guess.layout, samples, prior, size)
        if refined is None:
            continue
        good = fault_of(refined, edition) is None
        if best is None or (good, refined.seen_share) > (fault_of(best, edition) is None, best.seen_share):
            best = refined
        if good and refined.seen_share > MOSTLY_SEEN:
            break
    seen_px = seen_lines_px(best.layout, edition) if best is not None and is_likely(best) else ()
    try:
        best = require_good(best, image_bgr, size, edition)
        ends = tell_ends(image_bgr, best.layout, edition)
        require_whole(half_turned(best.layout) if ends.turned else best.layout, edition, size)
    except RefusedError as error:
        raise RefusedError(str(error), error.kind, seen_px) from None
    if ends.turned != swap_ends:
        turned = refine(picture, half_turned(best.layout), samples, prior, best.measured.blur_px)
        best = require_good(turned, image_bgr, size, edition)
    warnings = list(shift_warnings(best.layout, edition))
    if not ends.clear:
        warnings.append(
            "which end is side A cannot be told from this picture; "
            "if the sides are the wrong way round, swap them with --swap-ends"
        )
    return as_calibration(best, edition, size, rotation, focal_px is not None, tuple(warnings))


def _shape_of(edition: Edition) -> CourtShape:
    court, half = edition.court, edition.lines.court_mm / 2
    across = (court.baseline_mm - half, court.service_line_mm - half)
    along = (court.doubles_mm - half, court.singles_mm - half)
    return CourtShape(
        (-across[0], -across[1], across[1], across[0]),
        (-along[0], -along[1], 0.0, along[1], along[0]),
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
