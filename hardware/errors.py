"""Errors of the hardware layer. Each message says what is wrong and what to do next."""


class HardwareError(Exception):
    """Base of all errors this package raises on purpose."""


class CameraError(HardwareError, OSError):
    """A camera or recording that cannot be opened or read."""
