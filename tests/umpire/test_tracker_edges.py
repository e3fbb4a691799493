"""Moves at the edges of what is seen: short ones beside hands, and recordings that end in the middle."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.umpire.observations import PlacementSeen, RestSeen, StrokeSeen
from firmware.umpire.rest import Point
from tests.umpire.made_up import Path, Show, during, finger, flicked, lying, of_kind, smooth

EXAMPLES = settings(max_examples=15, deadline=None, derandomize=True)
START, END, TOUCH = (-200.0, 30.0), (90.0, -40.0), 1.5


def then(first: Path, second: Path, from_s: float) -> Path:
    return lambda t: first(t) if t < from_s else second(t)


@EXAMPLES
@given(way=st.floats(0.8, 20.0), stays_s=st.floats(0.2, 1.5))
def test_a_ball_put_down_beside_where_it_lay_is_served_from_there(way, stays_s):
    put = (START[0], START[1] + way)
    moved = smooth(START, put, TOUCH, 0.4)
    gone = TOUCH + 0.4 + stays_s
    hand = during(lambda t: (moved(t)[0] - 47.0 - 500.0 * max(0.0, t - gone), moved(t)[1]), 1.0, gone + 0.5)
    touch = gone + 1.5
    run, _ = flicked(put, END, touch)
    show = Show([then(moved, run, touch)], [hand, finger(put, END, touch)], seconds=7)
    told = show.play()
    (placed,) = of_kind(PlacementSeen, told)
    (stroke,) = of_kind(StrokeSeen, told)
    assert math.dist(placed.rest.about_mm, put) < 0.1
    assert math.dist(stroke.from_rest.about_mm, put) < 0.1
    assert math.dist(stroke.rest.about_mm, END) < 0.1


@pytest.mark.parametrize("more", [2, 3, 4, 6])
@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0])
def test_a_recording_may_end_just_after_the_ball_has_stopped(fps, more):
    ball, rested = flicked(START, END, TOUCH)
    first_still = math.ceil(rested * fps - 0.37)
    show = Show([ball], [finger(START, END, TOUCH)], fps=fps, seconds=(first_still + more) / fps)
    (stroke,) = of_kind(StrokeSeen, show.play(ends=True))
    assert stroke.rest is not None
    assert math.dist(stroke.rest.about_mm, END) < 0.1
    assert abs(stroke.rested_at - rested) < 2 / fps


@pytest.mark.parametrize("end_s", [1.2, 1.7, 1.9, 2.1, 2.3])
def test_a_recording_that_ends_in_a_hand_or_in_the_run_ends_without_a_stroke(end_s):
    carried = smooth(START, END, TOUCH, 0.8)
    hand: Path = lambda t: (carried(t)[0] - 46.0, carried(t)[1])  # noqa: E731
    told = Show([carried], [during(hand, 1.0, 3.0)], seconds=end_s).play(ends=True)
    assert [type(o) for o in told] == [RestSeen]
    ball, rested = flicked(START, END, TOUCH)
    if end_s < rested - 0.1:
        told = Show([ball], [finger(START, END, TOUCH)], seconds=end_s).play(ends=True)
        assert [type(o) for o in told] == [RestSeen]


@EXAMPLES
@given(after_s=st.floats(0.17, 0.6), phase=st.floats(0.05, 0.95), over=st.booleans())
def test_a_ball_taken_as_soon_as_it_lies_was_struck_and_then_placed(after_s, phase, over):
    ball, rested = flicked(START, END, TOUCH)
    taken = rested + after_s
    carry = smooth(END, (-220.0, -60.0), taken + 0.1, 0.9)

    def hand(t: float) -> Point:
        x, y = carry(t)
        return (x, y + (0.0 if over else 46.0) + 500.0 * max(0.0, taken - t, t - taken - 1.2))

    hands = [finger(START, END, TOUCH), during(hand, taken - 0.5, taken + 2.0)]
    told = Show([then(ball, carry, taken + 0.1)], hands, phase=phase, seconds=6).play()
    (stroke,) = of_kind(StrokeSeen, told)
    (placed,) = of_kind(PlacementSeen, told)
    assert stroke.rest is not None
    assert math.dist(stroke.rest.about_mm, END) < 0.15
    assert math.dist(placed.rest.about_mm, (-220.0, -60.0)) < 0.15


@EXAMPLES
@given(after_s=st.floats(0.2, 1.0), phase=st.floats(0.05, 0.95), fps=st.sampled_from([25.0, 30.0, 60.0]))
def test_a_finger_at_the_ball_as_soon_as_it_lies_makes_two_strokes(after_s, phase, fps):
    ball, rested = flicked(START, END, TOUCH)
    again = rested + after_s
    back_to = (-80.0, 70.0)
    back, _ = flicked(END, back_to, again)
    hands = [finger(START, END, TOUCH), finger(END, back_to, again)]
    told = Show([then(ball, back, again)], hands, phase=phase, fps=fps, seconds=6).play()
    first, second = of_kind(StrokeSeen, told)
    assert first.rest is not None
    assert math.dist(first.rest.about_mm, END) < 0.15
    assert math.dist(second.from_rest.about_mm, END) < 0.15
    assert not of_kind(PlacementSeen, told)


def test_a_fingertip_that_looks_like_a_ball_does_not_swallow_the_stroke():
    ball, _ = flicked(START, END, TOUCH)
    hand = finger(START, END, TOUCH)

    def fingertip(t: float) -> Point | None:
        at = hand(t)
        return None if at is None else (at[0] + 30.0, at[1] + 36.0)

    told = Show([ball, fingertip], [hand], seconds=4).play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert math.dist(stroke.rest.about_mm, END) < 0.15


@pytest.mark.parametrize("again", [3.0, 9.0])
def test_what_lay_there_once_and_was_no_ball_is_given_up(again):
    # A pawn's top, taken for a ball until its pawn was moved, and seen again elsewhere much later.
    first, second = (150.0, 90.0), (-60.0, -80.0)

    def pawn(t: float) -> Point | None:
        return first if t < 1.0 else (second if t > again else None)

    told = Show([lying((0.0, 50.0)), pawn], seconds=again + 1).play()
    assert not of_kind(StrokeSeen, told)
    assert isinstance(told[-1], RestSeen) == (again > 6)


@EXAMPLES
@given(angle=st.floats(0.0, 6.28), seed=st.integers(0, 99), fps=st.sampled_from([25.0, 30.0, 60.0]))
def test_hands_in_which_balls_are_seen_neither_swallow_nor_invent_strokes(angle, seed, fps):
    put, back_to = (60.0, 70.0), (-120.0, -30.0)
    ball, rested = flicked(START, END, TOUCH)
    taken = rested + 0.8
    carry = smooth(END, put, taken, 0.8)
    back, _ = flicked(put, back_to, taken + 2.0)

    def place(t: float) -> Point:
        return ball(t) if t < taken else carry(t) if t < taken + 2.0 else back(t)

    def carrier(t: float) -> Point:
        x, y = carry(t)
        return (x, y + 500.0 * max(0.0, taken - 0.1 - t, t - taken - 1.0))

    hands = [
        finger(START, END, TOUCH),
        during(carrier, taken - 0.7, taken + 1.5),
        finger(put, back_to, taken + 2.0),
    ]
    random = np.random.default_rng(seed)

    def phantom(t: float) -> Point | None:
        for hand in hands:
            at = hand(t)
            if at is not None and random.random() < 0.7:
                seen = (at[0] + 42.0 * math.cos(angle), at[1] + 42.0 * math.sin(angle))
                return seen if math.dist(seen, place(t)) > 16.0 else None
        return None

    told = Show([place, phantom], hands, fps=fps, seconds=7).play()
    strokes = of_kind(StrokeSeen, told)
    ends = [stroke.rest.about_mm for stroke in strokes if stroke.rest is not None]
    assert len(strokes) == len(ends) == 2
    assert math.dist(ends[0], END) < 0.15
    assert math.dist(ends[1], back_to) < 0.15


@pytest.mark.parametrize("before_s", [0.0, 0.3])
@pytest.mark.parametrize("after_s", [0.05, 0.4])
@pytest.mark.parametrize("fits", [True, False])
def test_a_knock_that_hides_the_whole_run_does_not_swallow_the_stroke(before_s, after_s, fits):
    ball, rested = flicked(START, END, TOUCH)
    from_s, to_s = TOUCH - before_s, rested + after_s
    show = Show(
        [ball],
        [finger(START, END, TOUCH)],
        held=lambda t: from_s <= t < to_s,
        refitted_at=to_s if fits else math.inf,
        knock_mm=(4.0, -3.0) if fits else (0.0, 0.0),
    )
    told = show.play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert math.dist(stroke.from_rest.about_mm, START) < 0.15
    assert math.dist(stroke.rest.about_mm, END) < 0.15
    assert abs(stroke.rested_at - rested) < 0.1
    assert not of_kind(PlacementSeen, told)


def test_a_hand_is_not_taken_for_the_ball_that_left_the_picture():
    ball, _ = flicked((5.0, -80.0), (290.0, -590.0), TOUCH, friction=2400.0)
    hand = finger((5.0, -80.0), (290.0, -590.0), TOUCH)

    def knuckle(t: float) -> Point | None:
        at = hand(t)
        return None if at is None or t < TOUCH else (at[0] + 42.0, at[1] + 10.0)

    (stroke,) = of_kind(StrokeSeen, Show([ball, knuckle], [hand], fps=25.0, seconds=4).play())
    assert stroke.off_board
    assert stroke.rest is None


def test_a_covered_ball_is_the_same_when_meanwhile_the_hand_looked_like_it():
    at = (0.0, 50.0)
    run, _ = flicked(at, (150.0, 20.0), 5.0)
    hand = during(lying(at), 1.0, 3.0)
    leaving = during(smooth(at, (0.0, 320.0), 3.0, 0.5), 3.0, 3.5)

    def knuckle(t: float) -> Point | None:
        if 1.2 < t <= 3.0:
            return (at[0] + 42.0, at[1] + 3.0 * math.sin(15.0 * t))
        above = leaving(t)
        return None if above is None else (above[0] + 42.0, above[1])

    hands = [hand, leaving, finger(at, (150.0, 20.0), 5.0)]
    told = Show([lambda t: at if t < 5.0 else run(t), knuckle], hands, seconds=7).play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert not of_kind(PlacementSeen, told)
    assert {o.ball for o in of_kind(RestSeen, told) if o.at < 1.0} == {stroke.ball}


@pytest.mark.parametrize("angle_deg", [0, 100, 220, 240, 260, 280])
def test_a_ball_put_down_by_a_hand_that_looks_like_it_is_struck_next(angle_deg):
    begin, first, put, end = (-120.0, -80.0), (-200.0, -10.0), (-180.0, 0.0), (-199.0, -5.0)
    intro, _ = flicked(begin, first, 1.0)
    moved = smooth(first, put, 3.0, 1.2)
    run, _ = flicked(put, end, 6.0)
    carrier = during(lambda t: (moved(t)[0], moved(t)[1] + 500.0 * max(0.0, 2.8 - t, t - 4.4)), 2.2, 5.2)
    hands = [finger(begin, first, 1.0), carrier, finger(put, end, 6.0)]
    ball = then(intro, then(moved, run, 6.0), 2.5)
    x, y = 42.0 * math.cos(math.radians(angle_deg)), 42.0 * math.sin(math.radians(angle_deg))

    def knuckle(t: float) -> Point | None:
        above, at = carrier(t), ball(t)
        if above is None or at is None:
            return None
        seen = (above[0] + x, above[1] + y + 2.0 * math.sin(15.0 * t))
        return seen if math.dist(seen, at) > 16.0 else None

    told = Show([ball, knuckle], hands, seconds=9).play()
    _, stroke = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert math.dist(stroke.from_rest.about_mm, put) < 0.15
    assert math.dist(stroke.rest.about_mm, end) < 0.15
