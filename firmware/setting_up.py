"""What every command that sees sets up first: camera options, the board's calibration, the ball's look.

Joins the camera port with the calibration; draws, calls and prints nothing.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from calibration.edition import Edition
    from calibration.profile import Calibration, Rotation
    from firmware.umpire.ball import BallLook
    from hardware.camera import Camera

_AVERAGED = 8
"""Frames of a video that make the first picture: noise falls by three, a slow hand stays small."""
_TRIES = 6
"""First pictures looked at, half a second apart, before a board is said not to be there."""
_FOCAL_RANGE_PX = (100.0, 100_000.0)


def add_sight_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that looks at pictures."""
    parser.add_argument(
        "--board", default="classic", metavar="NAME|FILE", help="the board (default: classic)"
    )
    parser.add_argument(
        "--focal-px",
        type=_focal,
        metavar="F",
        help="the lens's focal length in pixels, as its datasheet gives it (good to 1 %%)",
    )
    parser.add_argument(
        "--rotate",
        type=int,
        choices=(0, 90, 180, 270),
        default=0,
        help="turn the pictures clockwise by so many degrees (default: 0)",
    )
    parser.add_argument(
        "--swap-ends", action="store_true", help="side A is at the other end than found"
    )


def add_calibration_option(parser: argparse.ArgumentParser) -> None:
    """The option of commands that can use a saved calibration."""
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="CAL.json",
        help="a calibration that `setmatch calibrate` saved for this camera (default: find the board "
        "in the first pictures)",
    )


def add_ball_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that looks for the ball."""
    parser.add_argument(
        "--ball",
        default="yellow",
        metavar="COLOUR|PICTURE",
        help="the ball's colour: a name, #rrggbb, or a picture of the board with just the ball on it "
        "to learn it from (default: yellow)",
    )


def _focal(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not _FOCAL_RANGE_PX[0] <= value <= _FOCAL_RANGE_PX[1]:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no focal length in pixels; give a number such as 1700"
        )
    return value


def _first_picture(camera: "Camera") -> "NDArray[np.uint8] | None":
    """The mean of the next frames of a camera, an image's only one, or None at the end."""
    import numpy as np

    total: NDArray[np.uint32] | None = None
    count = 0
    while count < _AVERAGED and (frame := camera.read()) is not None:
        total = frame.image.astype(np.uint32) if total is None else total + frame.image
        count += 1
    if total is None:
        return None
    return ((total + count // 2) // count).astype(np.uint8)


def self_calibrated(
    camera: "Camera",
    edition: "Edition",
    *,
    focal_px: float | None = None,
    rotation: "Rotation" = 0,
    swap_ends: bool = False,
) -> "tuple[Calibration, NDArray[np.uint8]]":
    """A calibration from what a camera sees first, and the picture it was made from.

    A hand may lie over the board in the first half second, so a few more are tried; if none will do
    the last refusal is raised.
    """
    from calibration.calibrate import calibrate
    from calibration.errors import RefusedError

    refusal: RefusedError | None = None
    for picture in _first_pictures(camera):
        try:
            calibration = calibrate(
                picture, edition, focal_px=focal_px, rotation=rotation, swap_ends=swap_ends
            )
            return calibration, picture
        except RefusedError as error:
            refusal = error
    raise refusal or InputError("there is no picture to calibrate on; check the camera")


def _first_pictures(camera: "Camera") -> "Iterator[NDArray[np.uint8]]":
    """A few first pictures, half a second apart."""
    for _ in range(_TRIES):
        picture = _first_picture(camera)
        if picture is None:
            return
        yield picture
        for _ in range(round(camera.fps / 2)):
            if camera.read() is None:
                return


def calibration_for(
    camera: "Camera",
    edition: "Edition",
    saved: Path | None,
    *,
    focal_px: float | None = None,
    rotation: "Rotation" = 0,
    swap_ends: bool = False,
) -> "tuple[Calibration, NDArray[np.uint8]]":
    """The calibration for what a camera sees, and the first picture: saved in a file, or its own.

    A saved one is fitted to where the lines lie today, so a board that was nudged since is no matter.
    `ProfileError` if the file is of another size, rotation or board; `RefusedError` if no board is
    there.
    """
    if saved is None:
        return self_calibrated(
            camera, edition, focal_px=focal_px, rotation=rotation, swap_ends=swap_ends
        )
    from calibration.drift import refit
    from calibration.errors import RefusedError
    from calibration.profile import load

    calibration = load(saved)
    calibration.require(camera.size, rotation, edition.name)
    if swap_ends:
        calibration = calibration.with_ends_swapped()
    for picture in _first_pictures(camera):
        fitted = refit(calibration, edition, picture)
        if fitted is not None:
            return fitted, picture
    raise RefusedError(
        f"the board does not lie where {saved} says; put it back, or calibrate again"
    )


def ball_look(text: str, edition: "Edition", focal_px: float | None) -> "BallLook":
    """The look that `--ball` means: a colour, or learnt from a picture that calibrates itself."""
    from firmware.umpire.ball import BallFinder, BallLook, BallView

    if not Path(text).is_file():
        return BallLook.parse(text)
    from hardware.cameras import open_camera

    camera = open_camera(text)
    try:
        calibration, picture = self_calibrated(camera, edition, focal_px=focal_px)
    finally:
        camera.close()
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    board = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    size = (picture.shape[1], picture.shape[0])
    view = BallView.from_camera(calibration.model, edition.ball, size, board)
    return BallFinder(BallLook.any_colour(), view).learn(picture)
