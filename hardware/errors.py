"""Errors of the hardware layer. Each message says what is wrong and what to do next."""


class HardwareError(Exception):
    """Base of all errors this package raises on purpose."""


class CameraError(HardwareError, OSError):
    """A camera or recording that cannot be opened or read."""


class CameraHangsError(CameraError):
    """A camera that hangs in its driver; while this program runs, nobody can open it again."""


class PanelError(HardwareError, OSError):
    """A panel that cannot be reached, or is asked for what its chip cannot do."""


class PictureError(PanelError, ValueError):
    """A picture that does not fit the panel it is meant for; the panel is well."""


class ButtonError(HardwareError, OSError):
    """A button or lamp that cannot be opened, read or switched."""


class SpeakerError(HardwareError, OSError):
    """A sound device that cannot be used, or is not there."""


class ClipError(SpeakerError, ValueError):
    """Clips that cannot be said: missing, damaged, or of another form; the device is well."""


class SerialPortError(HardwareError, OSError):
    """A serial port that cannot be opened, or is gone."""


class PowerError(HardwareError, OSError):
    """A computer that cannot be switched off from here."""


class OpticsError(HardwareError, ValueError):
    """A lens that cannot be on a camera, or has to be named."""
