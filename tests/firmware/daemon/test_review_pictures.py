"""Pictures of reviews: kept whole, and within their space."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from firmware.chair.reviews import ReviewWanted
from firmware.daemon.review_pictures import ReviewPictures
from firmware.umpire.kept_frames import Cutout
from tests.firmware.test_match import SERVE

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
WANTED = ReviewWanted(7, "B", SERVE)
NOISE = np.random.default_rng(1).integers(0, 256, (5, 40, 40, 3)).astype(np.uint8)
FRAMES = [Cutout(image, (0, 0), float(count)) for count, image in enumerate(NOISE)]


def test_the_first_the_middle_and_the_last_frame_are_kept_as_they_were(tmp_path: Path) -> None:
    names = ReviewPictures(tmp_path / "reviews", 1.0).keep(WANTED, FRAMES, NOON)
    assert len(names) == 3
    for name, index in zip(names, (0, 2, 4), strict=True):
        assert "stroke-7" in name
        assert np.array_equal(cv2.imread(str(tmp_path / "reviews" / name)), NOISE[index])


def test_the_oldest_go_when_there_is_no_more_room(tmp_path: Path) -> None:
    pictures = ReviewPictures(tmp_path, 0.03)
    (tmp_path / "cut-off.png.7.new").write_bytes(b"left by a power cut")
    kept = [pictures.keep(WANTED, FRAMES, NOON + timedelta(minutes=minute)) for minute in range(5)]
    there = sorted(path.name for path in tmp_path.iterdir())
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 30_000
    everything = [name for names in kept for name in names]
    assert 3 <= len(there) < len(everything)
    assert there == everything[-len(there) :]


def test_a_review_without_frames_or_room_has_no_pictures(tmp_path: Path) -> None:
    assert ReviewPictures(tmp_path, 1.0).keep(WANTED, [], NOON) == ()
    (tmp_path / "file").write_text("in the way")
    assert ReviewPictures(tmp_path / "file", 1.0).keep(WANTED, FRAMES, NOON) == ()
