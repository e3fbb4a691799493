"""The pictures of reviews on disk, so that they can be looked at later, within a bounded space.

Files only: whole or not there, the oldest go first. What a review came to is the journal's.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import cv2

from calibration.files import make_folder, write_file
from firmware.chair.reviews import ReviewWanted
from firmware.umpire.kept_frames import Cutout

FOLDER: Final = "reviews"
"""In the folder for state."""
_KEPT: Final = 3
"""Frames of a rest that are kept: its first, its middle and its last."""

logger = logging.getLogger(__name__)


class ReviewPictures:
    """Keeps pictures in `folder`, at most `keep_mb` megabytes of them."""

    def __init__(self, folder: Path, keep_mb: float) -> None:
        self._folder = folder
        self._limit = keep_mb * 1e6

    def keep(self, wanted: ReviewWanted, frames: Sequence[Cutout], wall_time: datetime) -> tuple[str, ...]:
        """Keep what a review is made from; the files' names. None if they cannot be written: a review is
        worth more than its pictures. Called from any thread, one at a time."""
        spread = sorted({0, len(frames) // 2, len(frames) - 1})[-_KEPT:] if frames else []
        stem = f"{wall_time:%Y%m%d-%H%M%S-%f}-stroke-{wanted.number}"
        names = []
        try:
            make_folder(self._folder)
            for count, index in enumerate(spread, start=1):
                name = f"{stem}-{count}.png"
                write_file(self._folder / name, cv2.imencode(".png", frames[index].image)[1].tobytes())
                names.append(name)
            self._drop_old()
        except (OSError, cv2.error) as error:
            logger.warning("the pictures of a review cannot be kept in %s: %s", self._folder, error)
        return tuple(name for name in names if (self._folder / name).exists())

    def _drop_old(self) -> None:
        """The names begin with the time: in their order the oldest are first."""
        # No other picture ever has the name of one that was cut off, and deletes what is left of it.
        for left in self._folder.glob("*.new"):
            left.unlink()
        files = sorted(self._folder.glob("*.png"))
        sizes = [file.stat().st_size for file in files]
        total = sum(sizes)
        for file, size in zip(files, sizes, strict=True):
            if total <= self._limit:
                return
            file.unlink()
            total -= size
