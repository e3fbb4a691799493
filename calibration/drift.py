"""When camera or board was knocked: the old calibration fitted to where the lines lie now.

The lens has not changed, so what was known of it stays known; the pose, and a little of the halves, move.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.calibrate import (
    LEAST_SEEN,
    WORST_RESIDUAL_MM,
    WORST_RESIDUAL_PX,
    as_calibration,
    follow_lines,
    residuals,
    samples_of,
)
from calibration.edition import Edition
from calibration.fit import Prior
from calibration.parameters import COUNT
from calibration.profile import Calibration
from calibration.sampling import linear_luma

_LENS = slice(0, 7)
_SHIFT_SIGMA_MM = 0.5
_TURN_SIGMA_RAD = np.radians(0.2)
_SEARCHES = (0.02, 0.008, 0.004)
"""Of the picture's longer side: a knock of 10 mm at the first pass."""


def refit(
    calibration: Calibration, edition: Edition, image_bgr: NDArray[np.uint8]
) -> Calibration | None:
    """The calibration for a board or camera that was moved by millimetres; None if the lines are not
    found there (a hand is in the way, or it was moved too far)."""
    size = calibration.size
    if image_bgr.shape[:2] != (size[1], size[0]):
        return None
    refined = follow_lines(
        linear_luma(image_bgr),
        calibration.layout,
        samples_of(edition),
        _prior_after(calibration),
        [search * max(size) for search in _SEARCHES],
        calibration.blur_px,
    )
    if refined is None or refined.seen_share < LEAST_SEEN:
        return None
    left_px, left_mm = residuals(refined)
    if left_px > WORST_RESIDUAL_PX or left_mm > WORST_RESIDUAL_MM:
        return None
    again = as_calibration(
        refined,
        edition,
        size,
        calibration.rotation,
        calibration.focal_known,
        calibration.warnings,
    )
    return replace(again, made_at=calibration.made_at)


def _prior_after(calibration: Calibration) -> Prior:
    """Belief after a knock: the lens as it was fitted, a free pose, the halves about where they were."""
    precision = np.zeros((COUNT, COUNT))
    precision[_LENS, _LENS] = np.linalg.inv(calibration.covariance[_LENS, _LENS])
    halves = np.array((_SHIFT_SIGMA_MM, _SHIFT_SIGMA_MM, _TURN_SIGMA_RAD) * 2)
    precision[range(13, 19), range(13, 19)] = 1.0 / halves**2
    return Prior(calibration.layout.vector(), precision)
