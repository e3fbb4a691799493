"""Pictures of reviews: kept whole, and within their space."""

from concurrent.futures import ThreadPoolExecutor
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
    (tmp_path / "cut-off.png.7.new").write_bytes(b"left by a power cut")
    pictures = ReviewPictures(tmp_path, 0.03)
    kept = [pictures.keep(WANTED, FRAMES, NOON + timedelta(minutes=minute)) for minute in range(5)]
    there = sorted(path.name for path in tmp_path.iterdir())
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 30_000
    everything = [name for names in kept for name in names]
    assert 3 <= len(there) < len(everything)
    assert there == everything[-len(there) :]


def test_the_latest_is_what_was_kept_last_whatever_the_clock_says(tmp_path: Path) -> None:
    """A Pi has no clock of its own, and may begin where it ended, or years ago."""
    before = ReviewPictures(tmp_path, 0.03).keep(WANTED, FRAMES, NOON)
    for days in (1, 300):
        names = ReviewPictures(tmp_path, 0.03).keep(WANTED, FRAMES, NOON - timedelta(days=days))
        there = {path.name for path in tmp_path.iterdir()}
        assert len(names) == 3
        assert there > set(names)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 30_000
        assert there - set(names) <= set(before)
        before = names


def test_what_was_just_kept_stays_though_it_needs_more_room_than_there_is(tmp_path: Path) -> None:
    pictures = ReviewPictures(tmp_path, 1e-6)
    for _ in range(2):
        names = pictures.keep(WANTED, FRAMES, NOON)
        assert len(names) == 3
        assert {path.name for path in tmp_path.iterdir()} == set(names)


def test_pictures_of_before_they_were_numbered_are_the_oldest_and_others_are_not_touched(
    tmp_path: Path,
) -> None:
    former = [f"2099010{day}-120000-000000-stroke-7-1.png" for day in range(1, 4)]
    for name in former:
        (tmp_path / name).write_bytes(bytes(12_000))
    (tmp_path / "20200101-of-grandmother.png").write_bytes(bytes(50_000))
    names = ReviewPictures(tmp_path, 0.03).keep(WANTED, FRAMES, NOON)
    there = {path.name for path in tmp_path.iterdir()}
    assert there == {former[-1], *names, "20200101-of-grandmother.png"}


def test_what_another_review_is_writing_is_left_alone(tmp_path: Path) -> None:
    pictures = ReviewPictures(tmp_path, 1.0)
    pictures.keep(WANTED, FRAMES, NOON)
    part = tmp_path / "000009-20260501-120000-000000-stroke-8-1.png.7.new"
    part.write_bytes(b"half a picture")
    pictures.keep(WANTED, FRAMES, NOON)
    assert part.exists(), "what is cut off is known at the start only"


def test_many_reviews_at_once_all_have_their_pictures(tmp_path: Path) -> None:
    pictures = ReviewPictures(tmp_path, 10.0)
    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(lambda _: pictures.keep(WANTED, FRAMES, NOON), range(24)))
    everything = {name for names in kept for name in names}
    assert len(everything) == 72
    assert {path.name for path in tmp_path.iterdir()} == everything


def test_a_review_without_frames_or_room_has_no_pictures(tmp_path: Path) -> None:
    assert ReviewPictures(tmp_path, 1.0).keep(WANTED, [], NOON) == ()
    (tmp_path / "file").write_text("in the way")
    assert ReviewPictures(tmp_path / "file", 1.0).keep(WANTED, FRAMES, NOON) == ()
