"""The rulebook's clauses on what a stroke of a rally is called and what it earns, one by one."""

from dataclasses import replace

import pytest

from firmware.rules import Called, IllegalAction, Landing, RallyWon, Setup, Stroke, start, step
from tests.rules.builder import (
    NET,
    NO,
    OFF_BOARD,
    OUT,
    YES,
    called,
    for_striker,
    in_rally,
    play,
    serve,
    stroke,
)

FIRST = start(Setup())


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


def test_winning_shot_by_side_b_at_the_other_end() -> None:
    state = play(FIRST, serve("left", 0), stroke(2), stroke(0)).state
    winner = called(state, stroke(1))
    assert (winner.call, winner.marker, winner.rally_winner) == ("winner", -3, "B")


def test_sm_01_the_marker_stops_at_point() -> None:
    winner = called(in_rally(2), stroke(2))
    assert (winner.points, winner.marker) == (2, 3)


def test_the_in_rally_scorer_one_short_of_point_is_no_winner() -> None:
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
    """Points as usual, and nothing for the net without a drop shot."""
    event = called(in_rally(), stroke(1, passed_net=4.0, touches_net=7.0))
    assert (event.call, event.points) == ("in", 1)


def test_net_case_3b_on_the_serve_it_is_played_again() -> None:
    after = step(FIRST, Stroke(serve("left", 1, passed_net=4.0, touches_net=7.0)))
    event = after.events[0]
    assert isinstance(event, Called)
    assert (event.call, event.points, event.marker) == ("let", 0, 0)
    assert after.state.waiting == FIRST.waiting


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
def test_cumulating_bonuses(bonus: dict[str, float], points: int) -> None:
    assert called(in_rally(-2), stroke(1, **bonus)).points == points  # type: ignore[arg-type]


def test_figure_g_four_points() -> None:
    event = called(in_rally(), stroke(2, crosscourt=YES, dropshot=YES))
    assert (event.call, event.points, event.marker) == ("winner", 4, 3)


@pytest.mark.parametrize("fault", [{"passed_net": NO}, {"in_singles": NO}])
def test_the_bonuses_are_not_for_a_fault(fault: dict[str, float]) -> None:
    landing = stroke(2, crosscourt=YES, dropshot=YES, **fault)  # type: ignore[arg-type]
    assert called(in_rally(), landing).points == 0


@pytest.mark.parametrize(("bonus", "points"), [(YES, 2), (0.0, 2), (-0.001, 1), (NO, 1)])
def test_cross_court_bonus_from_corner_to_corner(bonus: float, points: int) -> None:
    assert called(in_rally(), stroke(1, crosscourt=bonus)).points == points


@pytest.mark.parametrize(("bonus", "points"), [(YES, 2), (0.0, 2), (-0.001, 1), (NO, 1)])
def test_dropshot_bonus_from_the_backcourt_to_the_net(bonus: float, points: int) -> None:
    assert called(in_rally(), stroke(1, dropshot=bonus)).points == points


@pytest.mark.parametrize(("touches", "points"), [(5.0, 3), (0.0, 3), (-0.001, 2)])
def test_sm_05_a_drop_shot_off_the_net_earns_one_more(touches: float, points: int) -> None:
    assert called(in_rally(), stroke(1, dropshot=YES, touches_net=touches)).points == points


def test_sm_05_any_other_stroke_off_the_net_is_worth_its_zone() -> None:
    assert called(in_rally(), stroke(2, touches_net=5.0)).points == 2
    assert called(in_rally(), stroke(2, touches_net=5.0, dropshot=-0.001)).points == 2


# The sections as a whole


@pytest.mark.parametrize(
    ("landing", "call"),
    [(stroke(), "in"), (stroke(in_singles=0.0), "in"), (OUT, "out"), (stroke(passed_net=NO), "net")],
)
def test_is_the_ball_good_or_a_fault(landing: Landing, call: str) -> None:
    assert called(in_rally(), landing).call == call


@pytest.mark.parametrize("points", [0, 1, 2, 3])
def test_how_many_stroke_points_on_the_serve_and_in_the_rally(points: int) -> None:
    assert called(FIRST, serve("left", points)).points == points
    assert called(in_rally(-2), stroke(points)).points == points


def test_counting_the_stroke_points_until_point() -> None:
    state = in_rally(0)
    state = play(state, stroke(1), stroke(0), stroke(1), stroke(0)).state
    assert state.marker == 2
    assert called(state, stroke(1)).call == "winner"


@pytest.mark.parametrize(("last", "winner"), [(stroke(3), "A"), (OUT, "B"), (NET, "B"), (OFF_BOARD, "B")])
def test_end_of_the_rally_by_a_winning_shot_or_a_direct_fault(last: Landing, winner: str) -> None:
    after = play(in_rally(), last)
    assert after.events[1:] == (RallyWon("A" if winner == "A" else "B", after.state.score),)
    assert after.state.score.points == ((1, 0) if winner == "A" else (0, 1))


@pytest.mark.parametrize("fault", [OUT, NET, OFF_BOARD])
def test_direct_fault_gives_the_rally_away_from_any_lead(fault: Landing) -> None:
    for marker in (-2, -1, 0, 1, 2):
        event = called(in_rally(marker), fault)
        assert (event.points, event.marker, event.rally_winner) == (0, marker, "B")


def test_the_in_rally_scorer_is_neutral_at_the_end_of_a_rally() -> None:
    assert play(in_rally(2), OUT).state.marker == 0
    assert play(in_rally(2), stroke(1)).state.marker == 0


def test_playing_a_rally_its_winner_gets_a_point_on_the_game_scorer() -> None:
    state = play(in_rally(2), stroke(1)).state
    assert state.score.point_names == ("15", "0")


# What a step refuses


@pytest.mark.parametrize("wrong", [{"passed_net": float("nan")}, {"dot_sigma": float("nan")}])
def test_a_margin_that_is_not_a_number_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(IllegalAction) as refused:
        step(FIRST, Stroke(stroke(**wrong)))  # type: ignore[arg-type]
    assert refused.value.reason == "not-a-number"
    with pytest.raises(IllegalAction, match="not-a-number"):
        step(in_rally(), Stroke(stroke(**wrong)))  # type: ignore[arg-type]


def test_a_ball_off_the_board_needs_no_numbers() -> None:
    nowhere = stroke(off_board=True, passed_net=float("nan"), dot_sigma=float("nan"))
    assert called(in_rally(), nowhere).call == "out"
