"""Errors of the calibration layer. Each message says what is wrong and what to do next."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # whoever catches errors is not to load it
    import numpy as np
    from numpy.typing import NDArray

Refusal = Literal[
    "too-dark",
    "too-bright",
    "out-of-focus",
    "too-small",
    "not-found",
    "not-whole",
    "covered",
    "other-board",
    "not-flat",
]
"""Why a picture cannot be calibrated on, for who has to say it in another language."""


class CalibrationError(Exception):
    """Base of all errors this package raises on purpose."""


class EditionError(CalibrationError, ValueError):
    """A board file is wrong; the message names the file, the line and the reason."""


class RefusedError(CalibrationError):
    """A picture that cannot be calibrated on; the message gives the reason and the remedy.

    `seen_px`: where a board was thought to be all the same, a polyline (n, 2) for each of its lines, px;
    empty if nowhere.
    """

    def __init__(
        self, message: str, kind: Refusal = "not-found", seen_px: "tuple[NDArray[np.float64], ...]" = ()
    ) -> None:
        super().__init__(message)
        self.kind: Refusal = kind
        self.seen_px = seen_px


class ProfileError(CalibrationError, ValueError):
    """A saved calibration that cannot be used here (unreadable, other schema, size or rotation)."""
