"""How the board is found before one camera: by a calibration that was saved, or anew, which is then saved.

Pictures in, calibrations and umpires out; no camera is read and no thread begun here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.drift import refit
from calibration.edition import Edition
from calibration.errors import ProfileError
from calibration.profile import Calibration, Rotation, load, save
from firmware.daemon.parts import Found, Image, Sight
from firmware.setting_up import TRIES, calibrated, given_focal, heard_of_lens, umpire_for
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import KeptFrames
from hardware.camera import FocalLength

if TYPE_CHECKING:
    from firmware.umpire.ball import BallLook


@dataclass(frozen=True, slots=True)
class View:
    """A board before a camera. `focal_px`: the lens's focal length where it is known, in pixels. `rotation`:
    degrees clockwise by which the pictures are turned. `swap_ends`: side A is at the other end than found."""

    edition: Edition
    focal_px: float | None = None
    rotation: Rotation = 0
    swap_ends: bool = False

    def of(self, found: Calibration) -> Calibration:
        """A calibration as it was found, for this view of it."""
        return found.with_ends_swapped() if self.swap_ends else found


def load_for(path: Path, view: View) -> Calibration:
    """A saved calibration for such a view. ProfileError if it cannot be read, or is another board's, turned
    otherwise, or of another lens; the size of the pictures is not known yet."""
    calibration = load(path)
    calibration.require(calibration.size, view.rotation, view.edition)
    if view.focal_px is not None:
        calibration = calibration.with_focal(view.focal_px)
    return view.of(calibration)


class BoardFinder:
    """Finds the board of a view; `look` is the ball's. `saved`: where it lay, by `load_for`: fitted to where
    it lies now, and forgotten after a few tries in vain. `keep`: the file that has what was found anew.
    `lens`: what the camera knows of its lens by the time that its pictures come."""

    def __init__(
        self,
        view: View,
        look: "BallLook",
        *,
        saved: Calibration | None = None,
        keep: Path | None = None,
        lens: Callable[[], FocalLength | None] = lambda: None,
    ) -> None:
        self._view = view
        self._look = look
        self._saved = saved
        self._keep = keep
        self._lens = lens
        self._tries = 0

    def find(self, picture: Image, *, anew: bool) -> Found:
        """As `parts.Finder.find`."""
        if anew:
            self._saved = None
        if self._saved is not None:
            return Found(self._refitted(self._saved, picture))
        view = self._view
        focal = given_focal(view.focal_px) or self._lens()
        found = calibrated(picture, view.edition, focal, view.rotation)
        return Found(view.of(found), self._kept(found))

    def sight(self, calibration: Calibrated) -> Sight:
        """As `parts.Finder.sight`, of a calibration that was found here."""
        assert isinstance(calibration, Calibration)
        edition = self._view.edition
        return Sight(
            umpire_for(calibration, edition, self._look),
            KeptFrames.of_camera(calibration.model, edition.ball),
            calibration.residual_mm,
        )

    def _refitted(self, saved: Calibration, picture: Image) -> Calibration:
        height, width = picture.shape[:2]
        try:
            saved.require((width, height), self._view.rotation, self._view.edition)
            if self._view.focal_px is None:
                saved = heard_of_lens(saved, self._lens())
        except ProfileError as error:
            self._saved = None
            why, _, _ = str(error).partition(";")
            raise ProfileError(f"{why}; the board is sought anew") from error
        fitted = refit(saved, self._view.edition, picture)
        if fitted is not None:
            return fitted
        self._tries += 1
        if self._tries == TRIES:
            self._saved = None
            raise ProfileError("the board does not lie where it was saved; it is sought anew")
        raise ProfileError("the board does not lie where it was saved, or a hand is over it; looking again")

    def _kept(self, found: Calibration) -> str:
        """Keep what was found; why that cannot be. Only what was measured anew is kept: a fit to a former
        calibration believes in its lens, and would be believed twice when it is fitted again."""
        if self._keep is None:
            return ""
        try:
            save(found, self._keep)
        except ProfileError as error:
            return str(error)
        return ""
