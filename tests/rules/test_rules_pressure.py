"""Serves that bring the marker to POINT! and the returns to them (rulebook, First Serve, Ace on a
Second Serve; SM-07, SM-08, SM-09)."""

from dataclasses import replace

import pytest

from firmware.rules import (
    Called,
    Landing,
    Options,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    State,
    start,
)
from tests.rules.builder import (
    NET,
    NO,
    OFF_BOARD,
    OUT,
    YES,
    called,
    let,
    play,
    rally,
    serve,
    stroke,
)

CONFIRMED = start(Setup())
ADVANCED = start(Setup(preset="advanced"))
BONUS = start(Setup(chosen=Options(first_serve_bonus=True)))
ACE_PRESSURE = start(Setup(chosen=Options(second_serve_ace_pressure=True)))


def pressed(state: State = BONUS) -> State:
    """B's return, with the marker at POINT! on A's side of it."""
    after = play(state, serve("left", 2)).state
    assert (after.marker, after.waiting) == (3, ReturnAwaited("B1", True, (0.0, 0.0)))
    return after


# The first serve's bonus


@pytest.mark.parametrize(("zone", "points"), [(0, 0), (1, 2), (2, 3)])
def test_sm_09_a_first_serve_that_earned_points_earns_one_more(zone: int, points: int) -> None:
    event = called(BONUS, serve("left", zone))
    assert (event.call, event.points, event.marker) == ("in", points, points)


@pytest.mark.parametrize("zone", [0, 1, 2])
def test_sm_09_no_bonus_for_a_second_serve(zone: int) -> None:
    assert called(play(BONUS, NET).state, serve("left", zone)).points == zone


def test_sm_09_a_let_keeps_the_first_serve_and_its_bonus() -> None:
    assert called(play(BONUS, let(BONUS)).state, serve("left", 1)).points == 2


def test_sm_09_no_bonus_in_the_rally() -> None:
    assert called(play(BONUS, serve("left", 0)).state, stroke(1)).points == 1


def test_sm_09_no_bonus_unless_it_is_agreed() -> None:
    assert called(CONFIRMED, serve("left", 2)).points == 2


def test_first_serve_in_a_two_goes_to_point_and_the_rally_goes_on() -> None:
    event = called(BONUS, serve("left", 2))
    assert (event.call, event.marker, event.rally_winner) == ("in", 3, None)
    assert play(BONUS, serve("left", 2)).state.waiting == ReturnAwaited("B1", True, (0.0, 0.0))


def test_first_serve_bonus_is_counted_for_side_b_towards_its_own_end() -> None:
    state = start(Setup(chosen=Options(first_serve_bonus=True), first_server="B"))
    after = play(state, serve("left", 2)).state
    assert (after.marker, after.waiting) == (-3, ReturnAwaited("A1", True, (0.0, 0.0)))
    assert called(after, stroke(0)).rally_winner == "B"
    assert called(after, stroke(2)).marker == -1


# The second serve's ace


def test_ace_on_a_second_serve_brings_the_marker_to_point() -> None:
    state = play(ACE_PRESSURE, NET).state
    after = play(state, serve("left", 2, ace=YES))
    event = after.events[0]
    assert isinstance(event, Called)
    assert (event.call, event.points, event.marker, event.rally_winner) == ("ace", None, 3, None)
    assert after.events[1:] == ()
    assert after.state.waiting == ReturnAwaited("B1", True, (0.0, 0.0))


def test_sm_07_with_pressure_a_first_serves_ace_still_wins() -> None:
    event = called(ACE_PRESSURE, serve("left", ace=YES))
    assert (event.call, event.rally_winner) == ("ace", "A")


def test_sm_07_without_pressure_a_second_serves_ace_wins() -> None:
    event = called(play(BONUS, NET).state, serve("left", ace=YES))
    assert (event.call, event.marker, event.rally_winner) == ("ace", 0, "A")


def test_sm_07_after_the_pressure_of_an_ace_the_return_is_as_any_under_pressure() -> None:
    state = play(ACE_PRESSURE, NET, serve("left", ace=YES)).state
    assert called(state, stroke(0)).rally_winner == "A"
    after = play(state, stroke(1)).state
    assert (after.marker, after.waiting) == (2, ReturnAwaited("A1", False, (0.0, 0.0)))


# The return under pressure


def test_sm_08_no_option_is_needed_where_a_board_has_zones_of_three() -> None:
    event = called(CONFIRMED, serve("left", 3))
    assert (event.call, event.points, event.marker, event.rally_winner) == ("in", 3, 3, None)
    assert play(CONFIRMED, serve("left", 3)).state.waiting == ReturnAwaited("B1", True, (0.0, 0.0))


def test_sm_08_a_serve_of_more_than_three_does_not_win() -> None:
    event = called(BONUS, serve("left", 3))
    assert (event.call, event.points, event.marker, event.rally_winner) == ("in", 4, 3, None)


def test_sm_08_a_serve_of_two_puts_nobody_under_pressure() -> None:
    assert play(CONFIRMED, serve("left", 2)).state.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


@pytest.mark.parametrize(
    ("fault", "call"), [(OUT, "out"), (NET, "net"), (OFF_BOARD, "out"), (stroke(2, in_singles=-1.0), "out")]
)
def test_sm_08_a_fault_under_pressure_loses(fault: Landing, call: str) -> None:
    after = play(pressed(), fault)
    event = after.events[0]
    assert isinstance(event, Called)
    assert (event.call, event.points, event.marker, event.rally_winner) == (call, 0, 3, "A")
    assert after.events[1:] == (RallyWon("A", Score((1, 0))),)
    assert after.state.waiting == ServeAwaited("A1", "left", "right", 1)


@pytest.mark.parametrize(
    "bonuses",
    [
        {},
        {"crosscourt": YES},
        {"dropshot": YES},
        {"crosscourt": YES, "dropshot": YES},
        {"crosscourt": YES, "dropshot": YES, "touches_net": YES},
    ],
)
def test_sm_08_a_return_into_a_zone_of_nothing_loses_whatever_its_bonuses(bonuses: dict[str, float]) -> None:
    event = called(pressed(), stroke(0, **bonuses))  # type: ignore[arg-type]
    assert (event.call, event.points, event.marker) == ("in", 0, 3)
    assert (event.rally_winner, event.score) == ("A", Score((1, 0)))


@pytest.mark.parametrize(
    ("zone", "bonuses", "points", "marker"),
    [
        (1, {}, 1, 2),
        (2, {}, 2, 1),
        (1, {"crosscourt": YES}, 2, 1),
        (1, {"crosscourt": YES, "dropshot": YES}, 3, 0),
        (2, {"crosscourt": YES, "dropshot": YES}, 4, -1),
        (2, {"crosscourt": YES, "dropshot": YES, "touches_net": YES}, 5, -2),
    ],
)
def test_sm_08_a_return_with_points_moves_the_marker_back(
    zone: int, bonuses: dict[str, float], points: int, marker: int
) -> None:
    after = play(pressed(), stroke(zone, **bonuses))  # type: ignore[arg-type]
    event = after.events[0]
    assert isinstance(event, Called)
    assert (event.call, event.points, event.marker, event.rally_winner) == ("in", points, marker, None)
    assert after.state.waiting == ReturnAwaited("A1", False, (0.0, 0.0))


def test_sm_08_the_pressure_is_over_with_the_return() -> None:
    state = play(pressed(), stroke(1)).state
    event = called(state, stroke(0))
    assert (event.call, event.marker, event.rally_winner) == ("in", 2, None)
    assert called(state, stroke(1)).call == "winner"


def test_sm_08_a_doubtful_value_saves_the_return() -> None:
    """In doubt the higher number (SM-02), so that a return in doubt has not earned nothing."""
    facts = stroke(0, dot_sigma=0.5)
    state = pressed()
    near = for_worth(facts, (-1.4, NO, NO))
    event = called(state, near)
    assert (event.call, event.points, event.certain, event.rally_winner) == ("in", 1, False, None)
    assert called(state, for_worth(facts, (-1.6, NO, NO))).rally_winner == "A"


def for_worth(landing: Landing, worth_mm: tuple[float, ...]) -> Landing:
    facts = replace(landing.by_a, worth_mm=worth_mm)
    return replace(landing, by_a=facts, by_b=facts)


# The level as a whole


def test_advanced_rule_all_of_it_is_on() -> None:
    assert called(ADVANCED, serve("left", 1)).points == 2
    assert called(play(ADVANCED, NET).state, serve("left", ace=YES)).rally_winner is None
    assert called(ADVANCED, serve("left", ace=YES)).rally_winner == "A"


def test_advanced_double_fault_is_lost() -> None:
    assert called(play(ADVANCED, NET).state, OUT).call == "double-fault"


def test_sm_08_the_next_rally_starts_without_pressure() -> None:
    state = rally(play(pressed(), OUT).state, "A")
    assert state.marker == 0
    assert play(play(pressed(), OUT).state, serve("right", 0)).state.waiting == ReturnAwaited(
        "B1", False, (0.0, 0.0)
    )
