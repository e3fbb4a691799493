"""Opens the camera that a user names. Adapters are imported only when they are asked for."""

from typing import Literal

from hardware.camera import Camera
from hardware.errors import CameraError
from hardware.exposure import MainsHz

_USB, _PI = "usb", "pi"
_SIMULATED = "simulated"
_KINDS = {_USB: "USB camera", _PI: "camera module"}


def is_live(source: str) -> bool:
    """Whether `source` names a camera, which goes on for ever, and not a recording."""
    return source == _SIMULATED or _kind(source) is not None


def open_camera(
    source: str,
    rotation: Literal[0, 90, 180, 270] = 0,
    board: str = "classic",
    *,
    lens_mm: float | None = None,
    mains_hz: MainsHz = 50,
    size: tuple[int, int] | None = None,
) -> Camera:
    """The camera called `source`: a video or image file, `pi` or `pi:N` for the Raspberry Pi's camera
    modules, `usb:N`, or `simulated`.

    Its pictures are turned clockwise by `rotation` degrees. `board`, a name or file, is what lies
    before the simulated camera; others show what they see. `lens_mm`: what is written on the lens of a
    camera module with a mount. `mains_hz`: of the lamps, whose flicker exposures fit. `size`: the width and
    height that are wanted of a USB camera, before it is turned; None is its best. `CameraError` says what is
    wrong and what can be named instead.
    """
    camera = _opened(source, board, lens_mm, mains_hz, size)
    if rotation == 0:
        return camera
    from hardware.turned import TurnedCamera

    return TurnedCamera(camera, rotation)


def require_named(source: str) -> None:
    """Raise `CameraError` for a name that no camera can have, plugged in or not. A name of a recording is not
    looked at."""
    if (kind := _kind(source)) is not None:
        _index(source, kind)


def _opened(
    source: str, board: str, lens_mm: float | None, mains_hz: MainsHz, size: tuple[int, int] | None
) -> Camera:
    kind = _kind(source)
    if kind == _PI:
        from hardware.picamera import PiCamera

        return PiCamera(_index(source, kind), lens_mm=lens_mm, mains_hz=mains_hz)
    if kind == _USB:
        from hardware.usb import UsbCamera

        return UsbCamera(_index(source, kind), size=size, mains_hz=mains_hz)
    if source == _SIMULATED:
        from hardware.simulated.camera import simulated_camera

        return simulated_camera(board)
    from hardware.recorded import RecordedCamera

    return RecordedCamera(source)


def _kind(source: str) -> str | None:
    """What sort of live camera is named: `pi`, `usb`, or none."""
    return next((kind for kind in _KINDS if source == kind or source.startswith(f"{kind}:")), None)


def _index(source: str, kind: str) -> int:
    """The number of a camera of its kind; `pi` is the first one, as there mostly is one."""
    if source == _PI:
        return 0
    number = source[len(kind) + 1 :]
    if not (number.isascii() and number.isdigit()):
        raise CameraError(f"{source!r} names no {_KINDS[kind]}; write {kind}:0 for the first one")
    return int(number)
