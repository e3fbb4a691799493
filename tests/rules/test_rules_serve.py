"""The serve: attempts, boxes, lets, aces (rulebook, The Serve and Figure C; SM-03, SM-06, SM-07,
SM-13)."""

import pytest

from firmware.rules import Landing, Options, ReturnAwaited, ServeAwaited, Setup, Stroke, start, step
from tests.rules.builder import (
    NET,
    NO,
    OFF_BOARD,
    OUT,
    YES,
    called,
    in_rally,
    play,
    serve,
    stroke,
)

FIRST = start(Setup())


# The serve (Figure C)


def test_sm_13_right_side_first_then_left() -> None:
    assert FIRST.waiting == ServeAwaited("A1", "right", "left", 1)
    state = play(FIRST, serve("left"), NET).state
    assert state.waiting == ServeAwaited("A1", "left", "right", 1)
    state = play(state, serve("right"), NET).state
    assert state.waiting == ServeAwaited("A1", "right", "left", 1)


def test_the_serve_begins_the_rally_and_the_receiver_plays() -> None:
    assert play(FIRST, serve("left")).state.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


def test_the_serve_into_the_wrong_box_is_a_fault() -> None:
    event = called(FIRST, serve("right", 1))
    assert (event.call, event.points, event.rally_winner) == ("fault", 0, None)


def test_sm_03_a_serve_that_touches_the_box_is_good() -> None:
    assert called(FIRST, serve("left", touched=0.0)).call == "in"
    assert called(FIRST, serve("left", touched=-0.001)).call == "fault"


@pytest.mark.parametrize("missed", [OUT, NET, OFF_BOARD, serve("right")])
def test_confirmed_level_two_attempts_then_the_rally_is_lost(missed: Landing) -> None:
    after = step(FIRST, Stroke(missed)).state
    assert after.waiting == ServeAwaited("A1", "right", "left", 2)
    event = called(after, missed)
    assert (event.call, event.points, event.rally_winner) == ("double-fault", 0, "B")
    assert event.score.point_names == ("0", "15")


def test_confirmed_level_the_next_service_has_two_attempts_again() -> None:
    state = play(FIRST, NET, NET).state
    assert state.waiting == ServeAwaited("A1", "left", "right", 1)
    state = play(state, NET, serve("right"), NET).state
    assert state.waiting == ServeAwaited("A1", "right", "left", 1)


def test_sm_06_lets_cost_no_attempt_however_many() -> None:
    let = serve("left", touches_net=5.0)
    second = play(FIRST, let, let, let, NET, let, let).state
    assert second.waiting == ServeAwaited("A1", "right", "left", 2)
    assert called(second, NET).call == "double-fault"


def test_sm_06_a_serve_off_the_net_into_no_box_is_a_fault() -> None:
    assert called(FIRST, serve("left", touched=NO, touches_net=5.0)).call == "fault"


def test_sm_06_a_serve_into_the_net_is_a_fault() -> None:
    assert called(FIRST, serve("left", passed_net=-1.0, touches_net=5.0)).call == "fault"


def test_sm_06_a_let_comes_before_an_ace() -> None:
    assert called(FIRST, serve("left", touches_net=5.0, ace=5.0)).call == "let"


def test_sm_10_a_serve_from_behind_the_baseline_starts_in_no_zone() -> None:
    left = serve("left", 1).by_a.left
    served = stroke(1, crosscourt=YES, dropshot=YES, start_in_court=-0.001, left=left)
    assert called(FIRST, served).points == 1


@pytest.mark.parametrize(
    ("bonus", "points"),
    [({"crosscourt": YES}, 2), ({"dropshot": YES}, 2), ({"crosscourt": YES, "dropshot": YES}, 3), ({}, 1)],
)
def test_sm_10_bonuses_count_on_a_serve_that_starts_in_a_zone(bonus: dict[str, float], points: int) -> None:
    left = serve("left", 1).by_a.left
    served = stroke(1, start_in_court=0.0, left=left, **bonus)  # type: ignore[arg-type]
    event = called(FIRST, served)
    assert (event.call, event.points, event.marker, event.rally_winner) == ("in", points, points, None)
    without = start(Setup(chosen=Options(bonuses=False)))
    assert called(without, served).points == 1


def test_sm_10_a_rally_strokes_start_counts_as_in_the_court() -> None:
    assert called(in_rally(), stroke(1, crosscourt=YES, start_in_court=NO)).points == 2


def test_sm_09_the_first_serves_bonus_wants_a_zone_that_is_worth_something() -> None:
    state = start(Setup(chosen=Options(first_serve_bonus=True)))
    nothing = stroke(0, start_in_court=YES, crosscourt=YES, left=serve("left", 0).by_a.left)
    assert called(state, nothing).points == 1
    one = stroke(1, start_in_court=YES, crosscourt=YES, left=serve("left", 1).by_a.left)
    assert called(state, one).points == 3


# Ace (Figure C, SM-07)


@pytest.mark.parametrize("attempt", [1, 2])
def test_sm_07_an_ace_wins_the_rally_at_once(attempt: int) -> None:
    state = play(FIRST, *[NET] * (attempt - 1)).state
    event = called(state, serve("left", 2, ace=0.5))
    assert (event.call, event.points, event.marker) == ("ace", None, 0)
    assert (event.rally_winner, event.score.point_names) == ("A", ("15", "0"))


def test_sm_07_the_outline_that_just_touches_the_ace_zone_is_an_ace() -> None:
    assert called(FIRST, serve("left", ace=0.0)).call == "ace"
    assert called(FIRST, serve("left", ace=-0.001)).call == "in"


def test_sm_07_an_ace_zone_of_the_other_box_is_none() -> None:
    assert called(FIRST, serve("right", ace=YES)).call == "fault"


def test_ace_zones_mean_nothing_in_a_rally() -> None:
    hit = serve("left", ace=YES).by_a.left
    assert called(in_rally(), stroke(1, left=hit)).call == "in"
