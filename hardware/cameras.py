"""Opens the camera that a user names. Adapters are imported only when they are asked for."""

from typing import Literal

from hardware.camera import Camera
from hardware.errors import CameraError

_USB = "usb:"


def open_camera(source: str, rotation: Literal[0, 90, 180, 270] = 0) -> Camera:
    """The camera called `source`: a video or image file, `usb:N`, or `simulated`.

    Its pictures are turned clockwise by `rotation` degrees. `CameraError` says what is wrong and what
    can be named instead.
    """
    camera = _opened(source)
    if rotation == 0:
        return camera
    from hardware.turned import TurnedCamera

    return TurnedCamera(camera, rotation)


def _opened(source: str) -> Camera:
    if source == "simulated":
        from hardware.simulated.camera import simulated_camera

        return simulated_camera()
    if source == "pi":
        raise CameraError(
            "this build drives USB cameras (usb:0), files and the simulated table; it cannot "
            "open the Pi's camera module: record with rpicam-vid and give the file"
        )
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
