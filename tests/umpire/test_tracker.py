"""What is a stroke and what is not, on made-up tracks without pictures (promises 2 and 3)."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.umpire.observations import (
    BumpSeen,
    NoticeSeen,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.rest import Point
from tests.umpire.made_up import Show, during, finger, flicked, lying, mix, of_kind, smooth

EXAMPLES = settings(max_examples=25, deadline=None, derandomize=True)
START, END, TOUCH = (-200.0, 30.0), (90.0, -40.0), 1.5
FPS = st.sampled_from([25.0, 30.0, 50.0, 60.0])
PHASE = st.floats(0.05, 0.95)


def near(rest_mm: Point, true_mm: Point, limit: float = 0.15) -> bool:
    return math.dist(rest_mm, true_mm) < limit


@EXAMPLES
@given(
    fps=FPS,
    phase=PHASE,
    heading=st.floats(-3.14, 3.14),
    way=st.floats(12.0, 230.0),
    friction=st.floats(800.0, 3500.0),
)
def test_every_flick_is_one_stroke(fps, phase, heading, way, friction):
    start = (-110.0 * math.cos(heading), 50.0 - 110.0 * math.sin(heading))
    end = (start[0] + way * math.cos(heading), start[1] + way * math.sin(heading))
    ball, rested = flicked(start, end, TOUCH, friction)
    show = Show([ball], [finger(start, end, TOUCH)], fps=fps, phase=phase)
    told = show.play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert not of_kind(PlacementSeen, told)
    assert stroke.rest is not None
    assert near(stroke.from_rest.about_mm, start)
    assert near(stroke.rest.about_mm, end)
    assert not stroke.off_board
    assert not stroke.uncertain
    assert abs(stroke.started_at - TOUCH) < 1.5 / fps
    # The last frame of a run moves less than a rest's scatter, so the rest may be seen a little early.
    assert -2.5 / fps < stroke.rested_at - rested < 2 / fps
    assert stroke.at - rested < 0.25


@EXAMPLES
@given(
    fps=FPS,
    phase=PHASE,
    lasts=st.floats(0.5, 1.5),
    end=st.tuples(st.floats(-230, 230), st.floats(-100, 100)),
    beside=st.booleans(),
)
def test_a_carry_is_a_placement_seen_or_hidden(fps, phase, lasts, end, beside):
    start = (0.0, 50.0)
    if math.dist(start, end) < 60:
        end = (end[0] + 150.0, end[1])
    ball = smooth(start, end, TOUCH, lasts)
    # Beside: held by its rim, in sight all the time. Else the hand is over it.
    off = 46.0 if beside else 0.0

    def hand(t: float) -> Point:
        x, y = ball(t)
        return (x, y + off + 400.0 * max(0.0, TOUCH - 0.2 - t, t - TOUCH - lasts - 0.2))

    show = Show([ball], [during(hand, TOUCH - 0.8, TOUCH + lasts + 0.8)], fps=fps, phase=phase)
    told = show.play()
    assert not of_kind(StrokeSeen, told)
    (placed,) = of_kind(PlacementSeen, told)
    assert placed.from_rest is not None
    assert near(placed.from_rest.about_mm, start)
    assert near(placed.rest.about_mm, end)


@EXAMPLES
@given(phase=PHASE, way=st.floats(1.0, 5.0), lasts=st.floats(0.05, 0.5), hand=st.booleans())
def test_a_nudge_is_never_a_stroke(phase, way, lasts, hand):
    start = (30.0, 20.0)
    end = (start[0] + way, start[1])
    hands = [finger(start, end, TOUCH)] if hand else []
    told = Show([smooth(start, end, TOUCH, lasts)], hands, phase=phase).play()
    assert not of_kind(StrokeSeen, told)
    (moved,) = of_kind(PlacementSeen if hand else BumpSeen, told)
    assert near(moved.rest.about_mm, end)


@pytest.mark.parametrize("over", [True, False])
def test_a_hand_that_stays_and_goes_is_nothing(over):
    hand = during(lying((0.0, 50.0 if over else 95.0)), 1.0, 6.0)
    told = Show([lying((0.0, 50.0))], [hand], seconds=8).play()
    assert [type(o) for o in told] == [RestSeen]


def test_hands_that_pass_over_a_lying_ball_are_nothing():
    hands = [during(smooth((-300, 0), (300, 60), at, 0.6), at, at + 0.6) for at in (1, 2, 2.3, 4)]
    told = Show([lying((0.0, 50.0))], hands, seconds=6).play()
    assert [type(o) for o in told] == [RestSeen]


@EXAMPLES
@given(phase=PHASE, where=st.floats(0.15, 0.85), radius=st.floats(20.0, 50.0))
def test_a_forearm_over_the_run_does_not_swallow_the_stroke(phase, where, radius):
    ball, _ = flicked(START, END, TOUCH)
    hands = [finger(START, END, TOUCH), during(lying(mix(START, END, where)), 1.2, 2.6)]
    if math.dist(mix(START, END, where), START) < radius + 25:
        hands = hands[1:]
    told = Show([ball], hands, phase=phase, hand_radius_mm=radius, seconds=6).play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert near(stroke.rest.about_mm, END)
    assert not of_kind(PlacementSeen, told)


def test_a_ball_that_stops_under_the_opponents_hand_is_waited_for():
    ball, _ = flicked(START, END, TOUCH)
    hands = [finger(START, END, TOUCH), during(lying(END), 1.0, 5.0)]
    show = Show([ball], hands, hand_radius_mm=30, seconds=4.9)
    assert not of_kind(StrokeSeen, show.play())
    show.seconds = 7.0
    (stroke,) = of_kind(StrokeSeen, show.play())
    assert stroke.rest is not None
    assert near(stroke.rest.about_mm, END)


@EXAMPLES
@given(st.sets(st.integers(0, 150), max_size=60), PHASE)
def test_dropped_frames_neither_invent_nor_swallow(dropped, phase):
    ball, _ = flicked(START, END, TOUCH)
    show = Show([ball], [finger(START, END, TOUCH)], dropped=frozenset(dropped), phase=phase)
    told = show.play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert near(stroke.rest.about_mm, END)


@EXAMPLES
@given(phase=PHASE, way=st.floats(20.0, 300.0), stir=st.floats(0.2, 1.2))
def test_a_finger_that_aims_for_a_while_stirs_the_ball_but_does_not_swallow_the_stroke(phase, way, stir):
    start, end = (-100.0, 20.0), (-100.0 + way, 20.0)
    struck, _ = flicked(start, end, 3.0)

    def ball(t: float) -> Point:
        x, y = struck(t)
        return (x, y + (stir * math.sin(9 * t) if 1.5 < t < 3.0 else 0.0))

    hand = during(lying((start[0] - 47.0, start[1])), 1.4, 3.3)
    told = Show([ball], [hand], phase=phase, seconds=6).play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.rest is not None
    assert near(stroke.from_rest.about_mm, start)
    assert near(stroke.rest.about_mm, end)
    assert not of_kind(PlacementSeen, told)


@pytest.mark.parametrize("end", [(-600.0, 60.0), (40.0, -500.0), (600.0, 100.0)])
def test_a_ball_out_of_the_picture_is_off_after_six_tenths(end):
    start = (0.0, 50.0)
    ball, _ = flicked(start, end, TOUCH)
    left = next(t / 1000 for t in range(1500, 4000) if not _in_sight(ball(t / 1000)))
    (stroke,) = of_kind(StrokeSeen, Show([ball], [finger(start, end, TOUCH)]).play())
    assert stroke.off_board
    assert stroke.rest is None
    assert 0.6 <= stroke.at - left + 0.04 < 0.75
    assert abs(stroke.started_at - TOUCH) < 0.06


def _in_sight(at_mm: Point) -> bool:
    return -299 <= at_mm[0] <= 299 and -174 <= at_mm[1] <= 274


def test_a_ball_beyond_the_boards_edge_lies_off_the_board():
    ball, _ = flicked((100.0, 0.0), (280.0, 20.0), TOUCH)
    (stroke,) = of_kind(StrokeSeen, Show([ball]).play())
    assert stroke.off_board
    assert stroke.rest is not None


def test_a_ball_that_came_back_in_a_hand_is_in_play_again():
    start, end = (0.0, 50.0), (600.0, 100.0)
    out, _ = flicked(start, end, TOUCH)
    back, again = (-230.0, 0.0), (60.0, 10.0)
    second, _ = flicked(back, again, 6.0)
    hand = during(lying(back), 3.9, 4.5)
    hands = [finger(start, end, TOUCH), hand, finger(back, again, 6.0)]
    told = Show([lambda t: out(t) if t < 4.0 else second(t)], hands, seconds=8).play()
    assert [type(o) for o in told] == [RestSeen, StrokeSeen, PlacementSeen, StrokeSeen]
    assert len({o.ball for o in told}) == 1


def test_a_second_ball_is_let_lie():
    ball, _ = flicked(START, END, TOUCH)
    show = Show([ball, lying((150.0, 90.0))], [finger(START, END, TOUCH)])
    told = show.play()
    assert [type(o) for o in told] == [RestSeen, RestSeen, StrokeSeen]


@pytest.mark.parametrize("stops_at", [(70.0, 50.0), (25.0, 14.0)])
def test_a_ball_that_was_hit_by_the_one_in_play_was_not_struck(stops_at):
    first, _ = flicked(START, (40.0, 0.0), TOUCH)
    hit_at = next(t / 1000 for t in range(1500, 4000) if first(t / 1000)[0] > -2)
    second, _ = flicked((18.0, 10.0), stops_at, hit_at)
    told = Show([first, second], [finger(START, (40.0, 0.0), TOUCH)]).play()
    strokes = of_kind(StrokeSeen, told)
    assert [near(s.from_rest.about_mm, START) for s in strokes] == [True]


def test_a_ball_taken_while_it_rolls_is_an_uncertain_stroke_and_a_placement():
    ball, _ = flicked(START, END, TOUCH)
    caught, to = ball(1.8), (-220.0, -20.0)
    carried = smooth(caught, to, 1.9, 0.8)

    def path(t: float) -> Point:
        return ball(t) if t < 1.8 else carried(t)

    hands = [finger(START, END, TOUCH), during(lambda t: path(max(t, 1.8)), 1.75, 3.0)]
    told = Show([path], hands).play()
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.uncertain
    assert stroke.rest is None
    (placed,) = of_kind(PlacementSeen, told)
    assert near(placed.rest.about_mm, to)


def test_nothing_is_called_while_the_board_is_out_of_place():
    ball, rested = flicked(START, END, TOUCH)
    show = Show([ball], [finger(START, END, TOUCH)], held=lambda t: 1.6 < t < 4.0, refitted_at=4.0)
    (stroke,) = of_kind(StrokeSeen, show.play())
    assert stroke.at >= 4.0
    assert rested < 3.0
    assert stroke.rest is not None
    assert near(stroke.rest.about_mm, END)


def test_a_ball_that_a_knock_shifted_was_bumped():
    start = (10.0, 10.0)
    shifted = smooth(start, (16.5, 12.5), 2.0, 0.05)
    show = Show([shifted], held=lambda t: 2.0 < t < 2.6, refitted_at=2.6)
    told = show.play()
    assert [type(o) for o in told] == [RestSeen, BumpSeen]


def test_a_knock_that_moved_the_picture_alone_is_nothing():
    show = Show([lying((10.0, 10.0))], held=lambda t: 2.0 < t < 2.6, refitted_at=2.6)
    assert [type(o) for o in show.play()] == [RestSeen]


def test_darkness_over_a_lying_ball_is_nothing():
    show = Show([lying((10.0, 10.0))], blind=lambda t: 1.0 < t < 3.0)
    assert [type(o) for o in show.play()] == [RestSeen]


def test_darkness_during_the_run_does_not_swallow_the_stroke():
    ball, _ = flicked(START, END, TOUCH)
    show = Show([ball], [finger(START, END, TOUCH)], blind=lambda t: 1.8 < t < 3.0)
    (stroke,) = of_kind(StrokeSeen, show.play())
    assert stroke.rest is not None
    assert near(stroke.rest.about_mm, END)


def test_a_running_ball_lost_in_mid_board_is_told_and_then_called_uncertain():
    ball, _ = flicked((-200.0, 0.0), (-20.0, 0.0), TOUCH)
    show = Show([lambda t: ball(t) if t < 1.7 else None], [finger((-200, 0), (0, 0), TOUCH)])
    told = show.play()
    assert [o.code for o in of_kind(NoticeSeen, told)] == ["ball-lost"]
    (stroke,) = of_kind(StrokeSeen, told)
    assert stroke.uncertain


@EXAMPLES
@given(flip=st.sampled_from([(-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]), phase=PHASE)
def test_a_mirrored_table_gives_mirrored_strokes(flip, phase):
    ball, _ = flicked((-200.0, 30.0), (80.0, -50.0), TOUCH)
    hands = [finger((-200.0, 30.0), (80.0, -50.0), TOUCH)]
    (one,) = of_kind(StrokeSeen, Show([ball], hands, phase=phase, noise_mm=0.0).play())
    (two,) = of_kind(StrokeSeen, Show([ball], hands, phase=phase, noise_mm=0.0, flip=flip).play())
    assert one.rest is not None
    assert two.rest is not None
    mirrored = (flip[0] * two.rest.about_mm[0], flip[1] * two.rest.about_mm[1])
    assert near(one.rest.about_mm, mirrored, 1e-9)
    assert (one.started_at, one.rested_at) == pytest.approx((two.started_at, two.rested_at))
