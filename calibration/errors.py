"""Errors of the calibration layer. Each message says what is wrong and what to do next."""


class CalibrationError(Exception):
    """Base of all errors this package raises on purpose."""


class EditionError(CalibrationError, ValueError):
    """A board file is wrong; the message names the file, the line and the reason."""


class RefusedError(CalibrationError):
    """A picture that cannot be calibrated on; the message gives the reason and the remedy."""


class ProfileError(CalibrationError, ValueError):
    """A saved calibration that cannot be used here (unreadable, other schema, size or rotation)."""
