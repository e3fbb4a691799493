"""Opens the camera that a user names. Adapters are imported only when they are asked for."""

from typing import Literal

from hardware.camera import Camera
from hardware.errors import CameraError

_USB = "usb:"
_PI = "pi"
_SIMULATED = "simulated"


def is_live(source: str) -> bool:
    """Whether `source` names a camera, which goes on for ever, and not a recording."""
    return source in (_SIMULATED, _PI, "usb") or source.startswith(_USB)


def open_camera(
    source: str, rotation: Literal[0, 90, 180, 270] = 0, board: str = "classic"
) -> Camera:
    """The camera called `source`: a video or image file, `usb:N`, or `simulated`.

    Its pictures are turned clockwise by `rotation` degrees. `board`, a name or file, is what lies
    before the simulated camera; others show what they see. `CameraError` says what is wrong and what
    can be named instead.
    """
    camera = _opened(source, board)
    if rotation == 0:
        return camera
    from hardware.turned import TurnedCamera

    return TurnedCamera(camera, rotation)


def require_named(source: str) -> None:
    """Raise `CameraError` for a name that no camera of this build can have, plugged in or not. A name of a
    recording is not looked at."""
    if source == _PI:
        raise CameraError(
            "this build drives USB cameras (usb:0), files and the simulated table; it cannot "
            "open the Pi's camera module: record with rpicam-vid and give the file"
        )
    if source.startswith(_USB):
        _usb_index(source)


def _opened(source: str, board: str) -> Camera:
    if source == _SIMULATED:
        from hardware.simulated.camera import simulated_camera

        return simulated_camera(board)
    require_named(source)
    if source == "usb" or source.startswith(_USB):
        from hardware.usb import UsbCamera

        return UsbCamera(_usb_index(source))
    from hardware.recorded import RecordedCamera

    return RecordedCamera(source)


def _usb_index(source: str) -> int:
    number = source[len(_USB) :]
    if not (number.isascii() and number.isdigit()):
        raise CameraError(f"{source!r} names no USB camera; write usb:0 for the first one")
    return int(number)
