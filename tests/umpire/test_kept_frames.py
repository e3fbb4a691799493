"""What is kept of a rest for a review, and what is not: made-up frames, whose number is in their pixels."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.errors import InputError
from firmware.umpire.kept_frames import Cutout, KeptFrames
from firmware.umpire.observations import (
    BumpSeen,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.rest import Point, Rest
from tests.umpire.drawn_balls import BALL, camera

RADIUS = 20.0
SIZE = (640, 480)
HERE, THERE, ELSEWHERE = (200.0, 150.0), (400.0, 300.0), (300.0, 100.0)


@dataclass(frozen=True)
class Shot:
    image: NDArray[np.uint8]
    captured_at: float


def shot(number: int) -> Shot:
    """Frame `number` at 30 a second, whose pixels are all `number`."""
    return Shot(np.full((SIZE[1], SIZE[0], 3), number % 256, np.uint8), number / 30)


def rest_at(place: Point, first: int, last: int) -> Rest:
    """A rest seen in frames `first` to `last`."""
    return Rest(place, place, 0.03, 0.05, RADIUS, last - first + 1, first / 30, last / 30, (0.0, 0.0))


def stroke(rest: Rest | None, ball: int = 1) -> StrokeSeen:
    return StrokeSeen(0.0, ball, 0.0, 0.0, rest_at(ELSEWHERE, 0, 1), rest, rest is None, False)


def numbers(frames: tuple[Cutout, ...]) -> list[int]:
    """Which frames these are parts of."""
    for frame in frames:
        assert frame.image.min() == frame.image.max() == round(frame.captured_at * 30) % 256
    return [round(frame.captured_at * 30) for frame in frames]


def played(
    kept: KeptFrames, first: int, place: Point, *, agreed: int, until: int, by: str = "stroke"
) -> Rest:
    """A ball that comes to lie at `place` with frame `first`, agreed and left with the frames given."""
    rest = rest_at(place, first, agreed)
    kinds: dict[str, Observation] = {
        "stroke": stroke(rest),
        "placement": PlacementSeen(0.0, 1, None, rest),
        "found": RestSeen(0.0, 1, rest),
        "bump": BumpSeen(0.0, 1, rest, rest),
    }
    for number in range(first, until):
        kept.offer(shot(number), [(place, number >= agreed)], [kinds[by]] if number == agreed else [])
    return rest


@pytest.mark.parametrize("by", ["stroke", "placement", "found", "bump"])
def test_a_rest_has_its_frames_from_before_it_was_agreed(by: str) -> None:
    kept = KeptFrames(RADIUS)
    for number in range(5):
        kept.offer(shot(number), [((HERE[0] - 50 + 9 * number, HERE[1]), False)], [])
    rest = played(kept, 5, HERE, agreed=9, until=20, by=by)
    assert numbers(kept.frames_of(rest)) == list(range(5, 20))
    whole = kept.whole_of(rest)
    assert whole is not None
    assert whole.shape == (SIZE[1], SIZE[0], 3)
    assert whole[0, 0, 0] == 9


def test_frames_from_before_the_rest_are_none_of_it() -> None:
    """A ball that was there a moment ago, and was stirred, did not rest yet."""
    kept = KeptFrames(RADIUS)
    for number in range(4):
        kept.offer(shot(number), [(HERE, False)], [])
    rest = played(kept, 4, HERE, agreed=9, until=12)
    assert numbers(kept.frames_of(rest)) == list(range(4, 12))


def test_the_ball_with_all_its_surroundings_is_in_each_cutout() -> None:
    kept = KeptFrames(RADIUS)
    rest = played(kept, 0, HERE, agreed=4, until=6)
    for frame in kept.frames_of(rest):
        for axis, size in ((0, frame.image.shape[1]), (1, frame.image.shape[0])):
            assert HERE[axis] - frame.corner[axis] > 1.6 * RADIUS
            assert frame.corner[axis] + size - 1 - HERE[axis] > 1.6 * RADIUS


def test_cutouts_are_copies() -> None:
    """A camera may use a picture's memory again."""
    kept = KeptFrames(RADIUS)
    rest = rest_at(HERE, 0, 3)
    buffer = shot(0)
    for number in range(5):
        buffer.image[:] = number
        again = Shot(buffer.image, number / 30)
        kept.offer(again, [(HERE, number > 2)], [stroke(rest)] if number == 3 else [])
    assert numbers(kept.frames_of(rest)) == list(range(5))
    whole = kept.whole_of(rest)
    assert whole is not None
    assert whole.max() == 3


def test_a_long_rest_is_spread_over_what_there_is_room_for() -> None:
    kept = KeptFrames(RADIUS)
    rest = played(kept, 0, HERE, agreed=4, until=2000)
    kept_numbers = numbers(kept.frames_of(rest))
    assert 16 <= len(kept_numbers) <= 32
    assert kept_numbers[0] == 0
    assert kept_numbers[-1] > 1800
    assert len(set(np.diff(kept_numbers))) == 1


def test_the_stroke_and_the_one_before_are_kept_and_no_more() -> None:
    kept = KeptFrames(RADIUS)
    first = played(kept, 0, HERE, agreed=4, until=10)
    second = played(kept, 40, THERE, agreed=44, until=50)
    assert numbers(kept.frames_of(first)) == list(range(10))
    third = played(kept, 80, HERE, agreed=84, until=90)
    assert kept.frames_of(first) == ()
    assert kept.whole_of(first) is None
    assert numbers(kept.frames_of(second)) == list(range(40, 50))
    assert numbers(kept.frames_of(third)) == list(range(80, 90))


def test_carrying_the_ball_away_does_not_take_the_strokes_frames() -> None:
    """A call may be challenged while the ball is laid for the next serve."""
    kept = KeptFrames(RADIUS)
    out = played(kept, 0, HERE, agreed=4, until=10)
    for turn in range(4):
        laid = played(kept, 40 * (turn + 1), THERE, agreed=40 * (turn + 1) + 4, until=40 * turn + 50,
                      by="placement")  # fmt: skip
    assert numbers(kept.frames_of(out)) == list(range(10))
    assert numbers(kept.frames_of(laid)) == list(range(160, 170))


def test_a_ball_laid_where_a_stroke_ended_adds_nothing_to_that_rest() -> None:
    kept = KeptFrames(RADIUS)
    struck = played(kept, 0, HERE, agreed=4, until=10)
    laid = played(kept, 300, HERE, agreed=304, until=310, by="placement")
    assert numbers(kept.frames_of(struck)) == list(range(10))
    assert numbers(kept.frames_of(laid)) == list(range(300, 310))


def test_another_ball_and_a_ball_on_its_way_are_not_taken_for_it() -> None:
    kept = KeptFrames(RADIUS)
    rest = rest_at(HERE, 0, 4)
    for number in range(10):
        balls = [(THERE, True), (HERE, number >= 4)] if number < 6 else [(THERE, True), (HERE, False)]
        kept.offer(shot(number), balls, [stroke(rest)] if number == 4 else [])
    assert numbers(kept.frames_of(rest)) == list(range(6))


def test_a_ball_at_the_pictures_border_has_smaller_cutouts() -> None:
    kept = KeptFrames(RADIUS)
    place = (36.0, 240.0)
    rest = played(kept, 0, place, agreed=4, until=6)
    frames = kept.frames_of(rest)
    assert len(frames) == 6
    assert frames[0].corner[0] == 0
    beyond = played(kept, 50, (5.0, 240.0), agreed=54, until=56)
    assert kept.frames_of(beyond) == ()


def test_a_stroke_without_a_rest_and_notices_change_nothing() -> None:
    kept = KeptFrames(RADIUS)
    rest = played(kept, 0, HERE, agreed=4, until=10)
    kept.offer(shot(30), [], [stroke(None), NoticeSeen(1.0, "covered")])
    assert numbers(kept.frames_of(rest)) == list(range(10))


@pytest.mark.parametrize("limit_mb", [1.5, 3.0, 8.0, 40.0])
def test_what_is_kept_stays_below_the_limit(limit_mb: float) -> None:
    kept = KeptFrames(RADIUS, limit_mb)
    most = 0
    for turn in range(6):
        place, by = (HERE, "stroke") if turn % 2 else (THERE, "placement")
        start = 400 * turn
        rest = rest_at(place, start, start + 4)
        seen = stroke(rest) if by == "stroke" else PlacementSeen(0.0, 1, None, rest)
        for number in range(start, start + 200):
            balls = [(place, number >= start + 4), (ELSEWHERE, True), (HERE, False)]
            kept.offer(shot(number), balls, [seen] if number == start + 4 else [])
            most = max(most, kept.bytes_kept)
        assert len(kept.frames_of(rest)) >= 4
        assert (kept.whole_of(rest) is not None) == (limit_mb >= 8.0)
    assert most <= limit_mb * 1e6


def test_a_limit_that_holds_no_review_is_refused() -> None:
    with pytest.raises(InputError, match=r"need 1 MB .* raise the limit"):
        KeptFrames(RADIUS, 0.5).offer(shot(0), [], [])


@pytest.mark.parametrize(("radius", "limit"), [(0.0, 1.0), (-1.0, 1.0), (20.0, 0.0), (float("nan"), 1.0)])
def test_what_cannot_be_a_size_is_refused(radius: float, limit: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        KeptFrames(radius, limit)


def test_the_balls_size_is_told_by_the_camera() -> None:
    model = camera()
    kept = KeptFrames.of_camera(model, BALL)
    outline = model.circle_px((0.0, 0.0), BALL.diameter_mm / 2, BALL.height_mm)
    radius = float(np.ptp(outline[:, 0])) / 2
    rest = played(kept, 0, HERE, agreed=4, until=5)
    side = kept.frames_of(rest)[0].image.shape[0]
    assert 2 * 1.6 * radius + 10 < side < 2 * 1.8 * radius + 16
