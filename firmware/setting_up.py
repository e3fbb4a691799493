"""What every command that sees sets up first: the board's calibration, the ball's look, the umpire.

Joins the camera port with the calibration; draws, calls and prints nothing.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from calibration.edition import Edition
    from calibration.profile import Calibration, Rotation
    from firmware.umpire.ball import BallLook
    from firmware.umpire.umpire import Umpire
    from hardware.camera import Camera, FocalLength

_AVERAGED = 8
"""Frames of a video that make the first picture: noise falls by three, a slow hand stays small."""
_NO_PICTURE = "there is no picture to calibrate on; check the camera"
TRIES = 6
"""First pictures looked at, `PAUSE_S` apart, before a board is said not to be there."""
PAUSE_S = 0.5
"""Between two of them: a hand has moved on."""


class MeanPicture:
    """The mean of a few pictures of one size, shape (height, width, 3): less noisy than any of them."""

    def __init__(self) -> None:
        self._total: NDArray[np.uint32] | None = None
        self._count = 0

    @property
    def full(self) -> bool:
        """Whether it is made of enough pictures."""
        return self._count == _AVERAGED

    def add(self, image: "NDArray[np.uint8]") -> None:
        """Take a picture in; one of another size begins anew."""
        if self._total is None or self._total.shape != image.shape:
            self._total, self._count = image.astype("uint32"), 0
        else:
            self._total += image
        self._count += 1

    def picture(self) -> "NDArray[np.uint8] | None":
        """The mean so far; None of no picture."""
        if self._total is None:
            return None
        return ((self._total + self._count // 2) // self._count).astype("uint8")


def _first_picture(camera: "Camera") -> "NDArray[np.uint8] | None":
    """The mean of the next frames of a camera, an image's only one, or None at the end."""
    mean = MeanPicture()
    while not mean.full and (frame := camera.read()) is not None:
        mean.add(frame.image)
    return mean.picture()


def given_focal(focal_px: float | None) -> "FocalLength | None":
    """A focal length that a person has given, good to a per cent; None if nobody has."""
    from calibration.fit import KNOWN_FOCAL_SIGMA
    from hardware.camera import FocalLength

    return None if focal_px is None else FocalLength(focal_px, KNOWN_FOCAL_SIGMA)


def focal_length(camera: "Camera", focal_px: float | None) -> "FocalLength | None":
    """What is known of the lens: what a person says of it, else what the camera knows; None for nothing."""
    from hardware.camera import focal_length_of

    return given_focal(focal_px) or focal_length_of(camera)


def calibrated(
    picture: "NDArray[np.uint8]",
    edition: "Edition",
    focal: "FocalLength | None",
    rotation: "Rotation" = 0,
    swap_ends: bool = False,
) -> "Calibration":
    """A calibration on one picture, through a lens of which so much is known. `RefusedError`."""
    from calibration.calibrate import calibrate

    if focal is None:
        return calibrate(picture, edition, rotation=rotation, swap_ends=swap_ends)
    return calibrate(
        picture,
        edition,
        focal_px=focal.px,
        focal_sigma=focal.sigma,
        rotation=rotation,
        swap_ends=swap_ends,
    )


def self_calibrated(
    camera: "Camera",
    edition: "Edition",
    *,
    focal_px: float | None = None,
    rotation: "Rotation" = 0,
    swap_ends: bool = False,
    looked_at: "Callable[[NDArray[np.uint8]], object]" = lambda _: None,
) -> "tuple[Calibration, NDArray[np.uint8]]":
    """A calibration from what a camera sees first, and the picture it was made from. `focal_px`: the lens's
    focal length, if somebody knows it better than the camera does. `looked_at` is given each picture that the
    board is looked for in, before it is.

    A hand may lie over the board in the first half second, so a few more are tried; if none will do
    the last refusal is raised.
    """
    from calibration.errors import RefusedError

    focal = focal_length(camera, focal_px)
    refusal: RefusedError | None = None
    for picture in _first_pictures(camera):
        looked_at(picture)
        try:
            return calibrated(picture, edition, focal, rotation, swap_ends), picture
        except RefusedError as error:
            refusal = error
    raise refusal or InputError(_NO_PICTURE)


def _first_pictures(camera: "Camera") -> "Iterator[NDArray[np.uint8]]":
    """A few first pictures, `PAUSE_S` apart."""
    for _ in range(TRIES):
        picture = _first_picture(camera)
        if picture is None:
            return
        yield picture
        for _ in range(round(camera.fps * PAUSE_S)):
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
    there; `InputError` if there is no picture. A focal length given beside a saved calibration is one
    more witness of the lens; `ProfileError` if the two, or it and the camera's own, cannot be of one lens.
    """
    if saved is None:
        return self_calibrated(camera, edition, focal_px=focal_px, rotation=rotation, swap_ends=swap_ends)
    from calibration.drift import refit
    from calibration.errors import RefusedError
    from calibration.profile import load

    calibration = load(saved)
    calibration.require(camera.size, rotation, edition)
    calibration = heard_of_lens(calibration, focal_length(camera, focal_px), again=focal_px is not None)
    if swap_ends:
        calibration = calibration.with_ends_swapped()
    seen = False
    for picture in _first_pictures(camera):
        seen = True
        fitted = refit(calibration, edition, picture)
        if fitted is not None:
            return fitted, picture
    if not seen:
        raise InputError(_NO_PICTURE)
    raise RefusedError(f"the board does not lie where {saved} says; put it back, or calibrate again")


def heard_of_lens(
    calibration: "Calibration", focal: "FocalLength | None", *, again: bool = False
) -> "Calibration":
    """A saved calibration before a camera of whose lens so much is known. What the camera itself knows was
    heard when it was calibrated, and is believed once; `again`: this is another witness. `ProfileError` if
    it was saved for another lens, or a mode that shows more or less."""
    if focal is None:
        return calibration
    if again or not calibration.focal_known:
        return calibration.with_focal(focal.px, focal.sigma)
    calibration.require_focal(focal.px, focal.sigma)
    return calibration


def umpire_for(calibration: "Calibration", edition: "Edition", look: "BallLook | None" = None) -> "Umpire":
    """An umpire that fits the calibration anew when board or camera were knocked. `look`: the ball's
    colour, yellow by default."""
    from calibration.drift import refit
    from calibration.profile import Calibration
    from firmware.umpire.ball import BallLook
    from firmware.umpire.umpire import Umpire

    def fitted(image: "NDArray[np.uint8]") -> Calibration | None:
        # From where the board lay last: several knocks may carry it farther than one fit reaches. What
        # is believed of the lens stays the first calibration's, or each fit would count it once more.
        last = umpire.calibration
        assert isinstance(last, Calibration)
        return refit(replace(last, covariance=calibration.covariance), edition, image)

    umpire = Umpire(calibration, edition, look or BallLook.default, fitted)
    return umpire


def ball_look(text: str, edition: "Edition", focal_px: float | None) -> "BallLook":
    """The look that `--ball` means: a colour, or learnt from a picture that calibrates itself.

    A colour's name means the colour though there be a file of that name. InputError for what is
    neither; errors as of `open_camera` and `self_calibrated` for a picture that will not do.
    """
    from firmware.umpire.ball import BallFinder, BallLook, BallView

    try:
        return BallLook.parse(text)
    except InputError:
        if not _names_a_file(text):
            raise
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


def _names_a_file(text: str) -> bool:
    """Whether `text` is meant as a file: one that is there, or that is written like one."""
    path = Path(text)
    try:
        return path.is_file() or path.suffix != "" or len(path.parts) > 1
    except OSError:
        # A name that no file can have is told as such by whoever opens it.
        return True
