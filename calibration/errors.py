"""Errors of the calibration layer. Each message says what is wrong and what to do next."""

from typing import Literal

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
    """A picture that cannot be calibrated on; the message gives the reason and the remedy."""

    def __init__(self, message: str, kind: Refusal = "not-found") -> None:
        super().__init__(message)
        self.kind: Refusal = kind


class ProfileError(CalibrationError, ValueError):
    """A saved calibration that cannot be used here (unreadable, other schema, size or rotation)."""
