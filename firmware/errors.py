"""Errors the command line reports in one line.

The layers may not import one another upwards, so each has its own base; this module, at the top, says
which of them are meant for the user. Anything else is a bug and keeps its traceback.
"""

from calibration.errors import CalibrationError
from hardware.errors import HardwareError


class FirmwareError(Exception):
    """Base of the errors of this package; each message says what is wrong and what to do next."""


class InputError(FirmwareError, ValueError):
    """A file, a line or an option that cannot be used."""


REPORTED: tuple[type[Exception], ...] = (FirmwareError, HardwareError, CalibrationError)
"""The errors that end a command with one clear line and exit code 2."""
