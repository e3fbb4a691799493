"""When camera or board was knocked: the old calibration fitted to where the lines lie now.

The lens has not changed, so what was known of it stays known; the pose, and a little of the halves, move.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.calibrate import as_calibration
from calibration.court import shifted_onto_lines
from calibration.edition import Edition
from calibration.fit import Prior
from calibration.parameters import COUNT
from calibration.profile import Calibration
from calibration.refine import follow_lines, samples_of
from calibration.refusals import fault_of, shift_warnings
from calibration.sampling import linear_luma

_LENS = slice(0, 7)
_SHIFT_SIGMA_MM = 0.5
_TURN_SIGMA_RAD = np.radians(0.2)
_KNOCK = 0.04
"""Of the picture's longer side: a knock of 20 mm over a board that fills the picture."""
_SEARCHES = (0.012, 0.006, 0.004)
"""What a turn and a tilt leave to be followed line by line after the shift is found."""


def refit(calibration: Calibration, edition: Edition, image_bgr: NDArray[np.uint8]) -> Calibration | None:
    """The calibration for a board or camera that was moved by millimetres; None if the lines are not
    found there (a hand is in the way, or it was moved too far)."""
    size = calibration.size
    if image_bgr.shape[:2] != (size[1], size[0]):
        return None
    samples = samples_of(edition)
    refined = follow_lines(
        linear_luma(image_bgr),
        shifted_onto_lines(image_bgr, calibration.layout, samples, _KNOCK),
        samples,
        _prior_after(calibration),
        [search * max(size) for search in _SEARCHES],
        calibration.blur_px,
    )
    if refined is None or fault_of(refined, edition) is not None:
        return None
    # Halves that were pushed apart since, or together, are told anew; the rest of what was said stands.
    told = [text for text in calibration.warnings if text not in shift_warnings(calibration.layout, edition)]
    again = as_calibration(
        refined,
        edition,
        size,
        calibration.rotation,
        calibration.focal_known,
        (*shift_warnings(refined.layout, edition), *told),
    )
    return replace(again, made_at=calibration.made_at)


def _prior_after(calibration: Calibration) -> Prior:
    """Belief after a knock: the lens as it was fitted, a free pose, the halves about where they were."""
    precision = np.zeros((COUNT, COUNT))
    precision[_LENS, _LENS] = np.linalg.inv(calibration.covariance[_LENS, _LENS])
    halves = np.array((_SHIFT_SIGMA_MM, _SHIFT_SIGMA_MM, _TURN_SIGMA_RAD) * 2)
    precision[range(13, 19), range(13, 19)] = 1.0 / halves**2
    return Prior(calibration.layout.vector(), precision)
