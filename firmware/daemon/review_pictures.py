"""The pictures of reviews on disk, so that they can be looked at later, within a bounded space.

Files only: whole or not there; the oldest go first, as they are counted. What a review came to is the
journal's.
"""

import logging
import re
import threading
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

_OURS: Final = re.compile(r"(?:(\d+)-)?(\d{8}-\d{6}-\d{6})-stroke-\d+-(\d+)\.png", re.ASCII)
"""A picture's name: the review's number, its time, the stroke, the frame's count. Without a number, as it was
once, it is older than any that has one."""

logger = logging.getLogger(__name__)


class ReviewPictures:
    """Keeps pictures in `folder`, at most `keep_mb` megabytes of them, or those of the last review alone.

    Nobody else writes there: who keeps matches has their journal's lock.
    """

    def __init__(self, folder: Path, keep_mb: float) -> None:
        self._folder = folder
        self._limit = keep_mb * 1e6
        self._one_at_a_time = threading.Lock()  # one that has lapsed may go on while the next has begun
        self._started = False

    def keep(self, wanted: ReviewWanted, frames: Sequence[Cutout], wall_time: datetime) -> tuple[str, ...]:
        """Keep what a review is made from; the files' names. None if they cannot be written: a review is
        worth more than its pictures. Called from any thread."""
        spread = sorted({0, len(frames) // 2, len(frames) - 1})[-_KEPT:] if frames else []
        names: list[str] = []
        with self._one_at_a_time:
            try:
                make_folder(self._folder)
                self._start()
                # Counted, since the clock of a computer that has none of its own may go back at a start.
                number = max((number for number, *_ in self._kept()), default=0) + 1
                stem = f"{number:06}-{wall_time:%Y%m%d-%H%M%S-%f}-stroke-{wanted.number}"
                for count, index in enumerate(spread, start=1):
                    name = f"{stem}-{count}.png"
                    write_file(self._folder / name, cv2.imencode(".png", frames[index].image)[1].tobytes())
                    names.append(name)
                self._drop_old(before=number)
            except (OSError, cv2.error) as error:
                logger.warning("the pictures of a review cannot be kept in %s: %s", self._folder, error)
        return tuple(names)

    def _start(self) -> None:
        """Delete what is left of pictures that were cut off: no other one ever has their names."""
        if not self._started:
            for left in self._folder.glob("*.new"):
                left.unlink()
            self._started = True

    def _kept(self) -> list[tuple[int, str, int, Path]]:
        """The pictures, the oldest first: the review's number, its time, the frame's count, the file."""
        kept = []
        for file in self._folder.glob("*.png"):
            if (name := _OURS.fullmatch(file.name)) is not None:
                number, time, count = name.groups()
                kept.append((int(number or 0), time, int(count), file))
        return sorted(kept)

    def _drop_old(self, *, before: int) -> None:
        """Drop the oldest that are too many, of reviews `before` that number."""
        files = [(number, file, file.stat().st_size) for number, *_, file in self._kept()]
        total = sum(size for *_, size in files)
        for number, file, size in files:
            if total <= self._limit or number >= before:
                return
            file.unlink()
            total -= size
