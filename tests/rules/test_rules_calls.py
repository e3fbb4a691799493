"""The rulebook's clauses on what a single stroke is called and what it earns, one by one."""

from dataclasses import replace

import pytest

from firmware.rules import (
    Called,
    IllegalAction,
    Landing,
    ReturnAwaited,
    ServeAwaited,
    Setup,
    State,
    Stroke,
    start,
    step,
)
from tests.rules.builder import (
    NET,
    NO,
    OFF_BOARD,
    OUT,
    YES,
    for_striker,
    good_serve,
    play,
    serve,
    stroke,
)

FIRST = start(Setup())


def called(state: State, landing: Landing) -> Called:
    event = step(state, Stroke(landing)).events[0]
    assert isinstance(event, Called)
    return event


def in_rally(marker: int = 0) -> State:
    """A's stroke in a rally, with the marker where it is wanted."""
    state = play(FIRST, serve("left", max(marker, 0)), stroke(max(-marker, 0))).state
    assert (state.marker, state.standing.to_play) == (marker, "A1")
    return state


# Is the ball good or a fault? (Figure D1)


def test_figure_d1_beyond_the_net_and_within_the_court_is_good() -> None:
    assert called(in_rally(), stroke(2)).call == "in"


def test_sm_03_a_touched_line_is_good_in_any_proportion() -> None:
    assert called(in_rally(), stroke(in_singles=0.001)).call == "in"
    assert called(in_rally(), stroke(in_singles=0.0)).call == "in"
    assert called(in_rally(), stroke(in_singles=-0.001)).call == "out"


def test_sm_17_the_alleys_are_out_in_singles() -> None:
    landing = stroke(in_singles=-10.0)
    assert landing.by_a.in_doubles_mm > 0
    assert called(in_rally(), landing).call == "out"


def test_the_facts_are_those_of_the_side_that_strikes() -> None:
    by_a = for_striker("A", stroke(2), OUT)
    assert called(in_rally(), by_a).call == "in"
    assert called(play(FIRST, serve("left")).state, by_a).call == "out"


# How many stroke points? (Figure D2)


@pytest.mark.parametrize("points", [0, 1, 2])
def test_figure_d2_the_zone_under_the_dot_gives_the_points(points: int) -> None:
    assert called(in_rally(), stroke(points)).points == points


def test_sm_02_a_dot_on_a_zone_line_earns_the_higher_value() -> None:
    landing = stroke(1)
    facts = replace(landing.by_a, worth_mm=(YES, 0.0, NO))
    on_line = replace(landing, by_a=facts)
    assert called(in_rally(), on_line).points == 2


def test_sm_02_a_serve_is_worth_what_the_target_box_says() -> None:
    """The dot may lie outside the box, where the court has another value."""
    assert called(FIRST, serve("left", 2)).points == 2
    landing = stroke(0, left=serve("left", 2).by_a.left)
    assert called(FIRST, landing).points == 2


# Counting the stroke points (Figure D3, SM-01) and the winning shot (Figure E)


def test_figure_d3_the_marker_moves_towards_the_opponent() -> None:
    assert called(FIRST, serve("left", 2)).marker == 2
    assert called(play(FIRST, serve("left", 0)).state, stroke(2)).marker == -2


def test_sm_01_through_neutral_without_stopping() -> None:
    state = play(FIRST, serve("left", 1)).state
    assert called(state, stroke(2)).marker == -1


def test_figure_e_winning_shot() -> None:
    winner = called(in_rally(1), stroke(2))
    assert (winner.call, winner.points, winner.marker) == ("winner", 2, 3)
    assert winner.rally_winner == "A"


def test_figure_e_side_b_wins_at_the_other_end() -> None:
    state = play(FIRST, serve("left", 0), stroke(2), stroke(0)).state
    winner = called(state, stroke(1))
    assert (winner.call, winner.marker, winner.rally_winner) == ("winner", -3, "B")


def test_sm_01_the_marker_stops_at_point() -> None:
    winner = called(in_rally(2), stroke(2))
    assert (winner.points, winner.marker) == (2, 3)


def test_one_short_of_point_is_no_winner() -> None:
    after = called(in_rally(1), stroke(1))
    assert (after.call, after.marker, after.rally_winner) == ("in", 2, None)


# Direct faults (Figure H, SM-12) and the net (cases 1, 2, 3, 3B)


def test_figure_h_out_loses_the_rally() -> None:
    event = called(in_rally(1), OUT)
    assert (event.call, event.points, event.marker) == ("out", 0, 1)
    assert event.rally_winner == "B"


def test_sm_12_the_strikers_own_side_is_a_net_fault() -> None:
    event = called(in_rally(), stroke(passed_net=-100.0, in_singles=NO))
    assert (event.call, event.points, event.rally_winner) == ("net", 0, "B")


def test_sm_21_off_the_board_is_out() -> None:
    event = called(in_rally(), OFF_BOARD)
    assert (event.call, event.points, event.rally_winner) == ("out", 0, "B")
    assert (event.margin_mm, event.certain) == (None, True)


def test_net_case_1_short_of_the_line() -> None:
    assert called(in_rally(), stroke(passed_net=-6.0, touches_net=8.0)).call == "net"


def test_net_case_2_the_dot_on_the_line() -> None:
    assert called(in_rally(), stroke(passed_net=-1.0, touches_net=11.0)).call == "net"


def test_sm_04_the_far_edge_of_the_line_is_still_the_line() -> None:
    assert called(in_rally(), stroke(passed_net=0.0, touches_net=11.0)).call == "net"
    assert called(in_rally(), stroke(passed_net=0.001, touches_net=11.0)).call == "in"


def test_net_case_3_in_a_rally_the_stroke_is_good() -> None:
    """SM-05: points as usual, and nothing for the net without a drop shot."""
    event = called(in_rally(), stroke(1, passed_net=4.0, touches_net=7.0))
    assert (event.call, event.points) == ("in", 1)


def test_net_case_3b_on_the_serve_it_is_played_again() -> None:
    after = step(FIRST, Stroke(serve("left", 1, passed_net=4.0, touches_net=7.0)))
    event = after.events[0]
    assert isinstance(event, Called)
    assert (event.call, event.points, event.marker) == ("let", 0, 0)
    assert after.state.waiting == FIRST.waiting


# The serve (Figure C)


def test_sm_13_right_side_first_then_left() -> None:
    assert FIRST.waiting == ServeAwaited("A1", "right", "left", 1)
    state = play(FIRST, serve("left"), NET).state
    assert state.waiting == ServeAwaited("A1", "left", "right", 1)
    state = play(state, serve("right"), NET).state
    assert state.waiting == ServeAwaited("A1", "right", "left", 1)


def test_after_a_good_serve_the_receiver_plays() -> None:
    assert play(FIRST, serve("left")).state.waiting == ReturnAwaited("B1", False)


def test_the_wrong_box_is_a_fault() -> None:
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


def test_sm_10_bonuses_do_not_count_on_a_serve() -> None:
    left = serve("left", 1).by_a.left
    assert called(FIRST, stroke(1, crosscourt=YES, dropshot=YES, left=left)).points == 1


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


def test_an_ace_zone_means_nothing_in_a_rally() -> None:
    hit = serve("left", ace=YES).by_a.left
    assert called(in_rally(), stroke(1, left=hit)).call == "in"


# The bonuses (Figure G, SM-10)


@pytest.mark.parametrize(
    ("bonus", "points"),
    [
        ({}, 1),
        ({"crosscourt": YES}, 2),
        ({"dropshot": YES}, 2),
        ({"crosscourt": YES, "dropshot": YES}, 3),
        ({"touches_net": 5.0}, 1),
        ({"crosscourt": YES, "touches_net": 5.0}, 2),
        ({"dropshot": YES, "touches_net": 5.0}, 3),
        ({"crosscourt": YES, "dropshot": YES, "touches_net": 5.0}, 4),
    ],
)
def test_bonuses_add_up(bonus: dict[str, float], points: int) -> None:
    assert called(in_rally(-2), stroke(1, **bonus)).points == points  # type: ignore[arg-type]


def test_figure_g_four_points() -> None:
    event = called(in_rally(), stroke(2, crosscourt=YES, dropshot=YES))
    assert (event.call, event.points, event.marker) == ("winner", 4, 3)


@pytest.mark.parametrize("fault", [{"passed_net": NO}, {"in_singles": NO}])
def test_no_bonus_for_a_fault(fault: dict[str, float]) -> None:
    landing = stroke(2, crosscourt=YES, dropshot=YES, **fault)  # type: ignore[arg-type]
    assert called(in_rally(), landing).points == 0


# Pressure (SM-08): a board whose zones go to three brings a serve to POINT! without an option


def test_sm_08_a_serve_at_point_does_not_win() -> None:
    after = step(FIRST, Stroke(serve("left", 3)))
    event = after.events[0]
    assert isinstance(event, Called)
    assert (event.call, event.marker, event.rally_winner) == ("in", 3, None)
    assert after.state.waiting == ReturnAwaited("B1", True)


@pytest.mark.parametrize("bonus", [NO, YES])
def test_sm_08_a_return_of_no_value_loses_whatever_its_bonus(bonus: float) -> None:
    state = play(FIRST, serve("left", 3)).state
    event = called(state, stroke(0, crosscourt=bonus))
    assert (event.call, event.rally_winner) == ("in", "A")


@pytest.mark.parametrize(("fault", "call"), [(OUT, "out"), (NET, "net")])
def test_sm_08_a_fault_loses(fault: Landing, call: str) -> None:
    event = called(play(FIRST, serve("left", 3)).state, fault)
    assert (event.call, event.rally_winner, event.marker) == (call, "A", 3)


def test_sm_08_a_return_with_points_moves_the_marker_back() -> None:
    after = step(play(FIRST, serve("left", 3)).state, Stroke(stroke(2)))
    assert after.state.marker == 1
    assert after.state.waiting == ReturnAwaited("A1", False)


# What a step refuses


def test_a_margin_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(IllegalAction, match="measure the ball again"):
        step(FIRST, Stroke(stroke(passed_net=float("nan"))))
    with pytest.raises(IllegalAction, match="measure the ball again"):
        step(FIRST, Stroke(stroke(dot_sigma=float("nan"))))


def test_good_serve_of_the_builder_is_good() -> None:
    assert called(FIRST, good_serve(FIRST, 1)).call == "in"
