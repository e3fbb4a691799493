"""The rulebook's figures C to J and its interesting cases, played on the classic board: places in mm, from
which the calls follow. A sits at x < 0; a ball is 22 mm wide, the net line 3 mm."""

from itertools import pairwise

import pytest

from calibration.edition import load_edition
from firmware.landings import landing_of, place_of, zero_place
from firmware.rules import (
    Called,
    Landing,
    Lay,
    Point,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    State,
    start,
)
from tests.rules.builder import called, play

CLASSIC = load_edition("classic")
FIRST = start(Setup())
DOUBLES = start(Setup(doubles=True))
FROM = (-235.0, -34.0)
"""Where A serves from on the right; the box is that at y > 0."""


def ball(at: Point, *, start_at: Point = FROM) -> Landing:
    return landing_of(CLASSIC, start_at, at, at)


def after_serve(at: Point = (80.0, 20.0), setup: State = FIRST) -> State:
    """B's stroke, after a serve to `at` that is worth nothing unless told."""
    return play(setup, ball(at)).state


def returned(at: Point, *, start_at: Point = (80.0, 20.0), setup: State = FIRST) -> Called:
    """B's return to `at` (x < 0)."""
    return called(after_serve(start_at, setup), ball(at, start_at=start_at))


# Figure C: the serve


@pytest.mark.parametrize(
    ("at", "call", "points"),
    [
        ((80.0, 20.0), "in", 0),
        ((60.0, 54.0), "in", 1),
        ((60.0, 68.0), "in", 2),
        ((60.0, -4.0), "in", 0),  # over the central line, but touching it
        ((60.0, -12.4), "in", 0),
        ((60.0, -14.0), "fault", 0),
        ((80.0, -20.0), "fault", 0),
        ((128.9, 36.0), "in", 0),
        ((129.1, 36.0), "fault", 0),
        ((112.0, 70.0), "ace", None),
        ((114.0, 4.0), "ace", None),
        ((104.0, -4.0), "ace", None),
        ((112.0, -70.0), "fault", 0),
    ],
)
def test_figure_c_serve(at: Point, call: str, points: int | None) -> None:
    event = called(FIRST, ball(at))
    assert (event.call, event.points) == (call, points)


def test_figure_c_the_outline_decides_the_ace_and_not_the_dot() -> None:
    """The dot in front of the triangle at the central line, whose edge runs from (102, 0) to (118, 16)."""
    event = called(FIRST, ball((95.0, 8.0)))
    assert event.call == "ace"
    assert called(FIRST, ball((88.0, 12.0))).call == "in"


def test_figure_c_the_left_side_serves_into_the_right_box() -> None:
    state = play(FIRST, ball((80.0, 20.0)), ball((-300.0, 0.0), start_at=(80.0, 20.0))).state
    assert state.waiting == ServeAwaited("A1", "left", "right", 1)
    served = ball((80.0, -20.0), start_at=(-235.0, 34.0))
    assert called(state, served).call == "in"


# Figure D: good or fault, points, the rally scorer


@pytest.mark.parametrize(
    ("at", "call"),
    [
        ((-100.0, 0.0), "in"),
        ((-230.9, 0.0), "in"),
        ((-231.1, 0.0), "out"),
        ((-100.0, 86.9), "in"),
        ((-100.0, 87.1), "out"),
        ((-1.6, 0.0), "in"),
        ((-1.4, 0.0), "net"),
    ],
)
def test_figure_d1_is_the_ball_good_or_fault(at: Point, call: str) -> None:
    assert returned(at).call == call


@pytest.mark.parametrize(
    ("at", "points"),
    [((-100.0, 0.0), 0), ((-100.0, 50.0), 1), ((-100.0, 70.0), 2), ((-196.0, 0.0), 1), ((-210.0, 0.0), 2)],
)
def test_figure_d2_how_many_points_for_this_stroke(at: Point, points: int) -> None:
    assert returned(at).points == points


def test_figure_d2_on_a_zone_line_the_higher_value() -> None:
    assert returned((-100.0, 46.0)).points == 1
    assert returned((-100.0, 62.0)).points == 2


def test_figure_d3_two_points_towards_me() -> None:
    """The opponent's stroke of two points moves the pawn two spaces towards my side."""
    assert returned((-100.0, 70.0)).marker == -2


# Interesting cases


@pytest.mark.parametrize(
    ("at", "points"), [((-226.0, 0.0), 2), ((-100.0, 80.0), 2), ((-225.0, 82.0), 2), ((-3.0, 0.0), 2)]
)
def test_interesting_case_the_dot_outside_the_court_counts_the_nearest_zone(at: Point, points: int) -> None:
    event = returned(at)
    assert (event.call, event.points) == ("in", points)


@pytest.mark.parametrize(("at", "points"), [((60.0, 82.0), 2), ((60.0, -8.0), 0), ((126.0, 36.0), 0)])
def test_interesting_case_a_serve_may_be_good_with_the_dot_outside_the_box(at: Point, points: int) -> None:
    event = called(FIRST, ball(at))
    assert (event.call, event.points) == ("in", points)


# Figure E: the winning shot


def test_figure_e_from_one_to_point() -> None:
    state = play(FIRST, ball((60.0, 54.0)), ball((-80.0, 10.0), start_at=(60.0, 54.0))).state
    assert state.marker == 1
    event = called(state, ball((100.0, 70.0), start_at=(-80.0, 10.0)))
    assert (event.seat, event.call, event.points, event.marker) == ("A1", "winner", 2, 3)
    assert event.rally_winner == "A"


# Figure G: bonuses


@pytest.mark.parametrize(
    ("start_at", "at", "points"),
    [
        ((-200.0, 60.0), (20.0, -60.0), 4),  # as printed: 2, cross-court, drop shot
        ((-200.0, 60.0), (20.0, 60.0), 3),  # straight
        ((-100.0, 60.0), (20.0, -60.0), 3),  # not from the backcourt
        ((-200.0, 60.0), (9.0, -60.0), 5),  # and it touched the net
        ((-100.0, 60.0), (9.0, -60.0), 3),  # which counts for a drop shot only
        ((-200.0, 0.0), (30.0, 0.0), 2),
        ((-100.0, 60.0), (100.0, -54.0), 2),
        ((-100.0, 60.0), (100.0, 54.0), 1),
        ((-226.0, 80.0), (20.0, -60.0), 4),  # from outside: the nearest point of the court
    ],
)
def test_figure_g_bonuses(start_at: Point, at: Point, points: int) -> None:
    state = play(FIRST, ball((80.0, 20.0)), ball(start_at, start_at=(80.0, 20.0))).state
    assert called(state, ball(at, start_at=start_at)).points == points


@pytest.mark.parametrize(
    ("start_at", "points"), [((-206.0, -60.0), 4), ((-219.9, -60.0), 4), ((-220.1, -60.0), 2), (FROM, 2)]
)
def test_sm_10_a_serve_starts_where_it_lies(start_at: Point, points: int) -> None:
    """On the baseline the dot may lie in the zones at the back; behind it, in none."""
    event = called(FIRST, ball((20.0, 60.0), start_at=start_at))
    assert (event.call, event.points, event.rally_winner) == ("in", points, None)


# Figure H: faults


def test_figure_h_direct_faults() -> None:
    assert returned((-240.0, 0.0)).rally_winner == "A"
    assert returned((-100.0, 90.0)).rally_winner == "A"
    assert returned((30.0, 10.0)).call == "net"


@pytest.mark.parametrize("x", [8.0, 1.6])
def test_net_case_1_touching_the_net_and_not_across_it(x: float) -> None:
    landing = ball((x, 10.0), start_at=(80.0, 20.0))
    assert landing.by_b.touches_net_mm > 0
    event = called(after_serve(), landing)
    assert (event.call, event.points, event.rally_winner) == ("net", 0, "A")


@pytest.mark.parametrize("x", [1.4, 0.0, -1.5])
def test_net_case_2_the_dot_on_the_net_line(x: float) -> None:
    assert returned((x, 10.0)).call == "net"


@pytest.mark.parametrize("x", [-1.6, -8.0, -12.0])
def test_net_case_3_touching_the_net_and_across_it(x: float) -> None:
    event = returned((x, 10.0))
    assert (event.call, event.points) == ("in", 2)


@pytest.mark.parametrize(("x", "call"), [(1.5, "fault"), (1.6, "let"), (12.4, "let"), (12.6, "in")])
def test_net_case_3b_touching_the_net_on_the_serve(x: float, call: str) -> None:
    assert called(FIRST, ball((x, 30.0))).call == call


# Figure I: doubles


@pytest.mark.parametrize(
    ("at", "singles", "doubles", "points"),
    [
        ((-100.0, 95.0), "out", "in", 2),
        ((-100.0, 112.9), "out", "in", 2),
        ((-100.0, 113.1), "out", "out", 0),
        ((-226.0, 95.0), "out", "in", 2),
    ],
)
def test_figure_i_extending_the_point_zones(at: Point, singles: str, doubles: str, points: int) -> None:
    assert returned(at).call == singles
    event = returned(at, setup=DOUBLES)
    assert (event.call, event.points) == (doubles, points)


def test_figure_i_serve_orders() -> None:
    state = after_serve(setup=DOUBLES)
    way = [(-80.0, 10.0), (80.0, 10.0), (-80.0, -10.0), (80.0, -10.0), (-80.0, 0.0)]
    at = (80.0, 20.0)
    for following in way:
        state, at = play(state, ball(following, start_at=at)).state, following
    assert [s.called.seat for s in state.strokes] == ["A1", "B1", "A2", "B2", "A1", "B1"]


# Figure J: a rally as printed


def test_figure_j_a_rally_on_the_board() -> None:
    way = [FROM, (60.0, 54.0), (-60.0, 70.0), (100.0, -54.0), (-80.0, -10.0), (100.0, 70.0)]
    after = play(FIRST, *(ball(at, start_at=start_at) for start_at, at in pairwise(way)))
    calls = [event for event in after.events if isinstance(event, Called)]
    assert [(c.seat, c.call, c.points, c.marker) for c in calls] == [
        ("A1", "in", 1, 1),
        ("B1", "in", 2, -1),
        ("A1", "in", 2, 1),  # one, and one for the cross-court
        ("B1", "in", 0, 1),
        ("A1", "winner", 2, 3),
    ]
    assert after.events[-1] == RallyWon("A", Score((1, 0)))
    assert after.state.waiting == ServeAwaited("A1", "left", "right", 1)


# Places


def test_beginner_level_the_printed_0_of_the_box() -> None:
    state = play(start(Setup(preset="discovery")), ball((30.0, -40.0)), ball((30.0, -40.0))).state
    x, y = zero_place(CLASSIC, "A", "left")
    assert (x > 0, y > 0) == (True, True)
    near = play(state, Lay(place_of(CLASSIC, (x + 7.9, y)))).state
    assert near.waiting == ReturnAwaited("B1", False, (x + 7.9, y))
    far = play(state, Lay(place_of(CLASSIC, (x + 8.1, y)))).state
    assert far.waiting == state.waiting
    other = play(state, Lay(place_of(CLASSIC, zero_place(CLASSIC, "A", "right")))).state
    assert other.waiting == state.waiting


@pytest.mark.parametrize(
    ("at", "good"),
    [
        ((-235.0, -34.0), True),
        ((-228.0, -34.0), True),  # touching the baseline
        ((-196.5, -34.0), True),  # ten millimetres inside it
        ((-195.5, -34.0), False),
        ((-235.0, 9.9), True),
        ((-235.0, 10.1), False),
        ((-235.0, -85.9), True),
        ((-235.0, -86.1), False),
        ((235.0, 34.0), False),  # behind the other baseline
    ],
)
def test_sm_13_the_place_to_serve_from(at: Point, good: bool) -> None:
    event = play(FIRST, ball((80.0, 20.0), start_at=at)).events[0]
    assert isinstance(event, Called) == good
