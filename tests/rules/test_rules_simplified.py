"""The simplified rules and those for children (rulebook, Simplified Rules, For Children; SM-16)."""

import pytest

from firmware.rules import (
    Called,
    MatchWon,
    Options,
    Outcome,
    RallyWon,
    Score,
    ServeAwaited,
    Setup,
    Side,
    State,
    start,
)
from tests.rules.builder import (
    MISSED_BOX,
    NET,
    NO,
    OFF_BOARD,
    OUT,
    YES,
    awaited_serve,
    called,
    good_serve,
    in_rally,
    play,
    rallies,
    serve,
    stroke,
)

SIMPLIFIED = start(Setup(preset="simplified"))
CHILDREN = start(Setup(preset="children"))


def simplified(**options: bool) -> State:
    """Simplified, with its boxes and aces, and options on top."""
    return start(Setup(preset="simplified", chosen=Options(**{"bonuses": False, **options})))


# Counting


def test_simplified_rules_points_count_by_one() -> None:
    assert [rallies(SIMPLIFIED, "A" * n).score.point_names[0] for n in range(12)] == [
        str(n) for n in range(12)
    ]


def test_simplified_scorer_seven() -> None:
    state = rallies(SIMPLIFIED, "AAAAABBAA")
    assert (state.score.point_names, state.score.games, state.score.sets) == (("7", "2"), (0, 0), (0, 0))


@pytest.mark.parametrize("winner", ["A", "B"])
def test_what_changes_twelve_win_the_match(winner: Side) -> None:
    state = rallies(SIMPLIFIED, winner * 11)
    assert state.outcome is None
    over = rallies(state, winner)
    assert over.outcome == Outcome(winner, "points")
    assert over.score.point_names == (("12", "0") if winner == "A" else ("0", "12"))
    assert over.waiting is None


def test_sm_16_twelve_to_eleven_is_enough() -> None:
    state = rallies(SIMPLIFIED, "AB" * 11)
    assert (state.score.points, state.outcome) == ((11, 11), None)
    assert rallies(state, "B").outcome == Outcome("B", "points")


def test_simplified_rules_the_end_is_announced() -> None:
    state = rallies(SIMPLIFIED, "B" * 11)
    assert awaited_serve(state).seat == "B1"
    after = play(state, good_serve(state), NET)
    score = Score((0, 12), counting="simplified")
    assert after.events[2:] == (RallyWon("B", score), MatchWon(Outcome("B", "points"), score))
    called_last = after.events[1]
    assert isinstance(called_last, Called)
    assert called_last.score == after.state.score == score


def test_sm_16_sets_and_games_are_not_used() -> None:
    state = start(Setup(preset="simplified", sets_to_win=1, games_to_set=6))
    assert rallies(state, "A" * 11).outcome is None


# Service


@pytest.mark.parametrize("winners", ["AAAAAAAAAAA", "ABABABABABAB", "BBBAABBBAABA"])
def test_sm_16_the_server_changes_at_every_even_total(winners: str) -> None:
    state, seats, sides = SIMPLIFIED, "", []
    for winner in winners:
        seats += awaited_serve(state).seat[0]
        sides.append(awaited_serve(state).side)
        state = rallies(state, winner)
    assert seats == "AABBAABBAABB"[: len(winners)]
    assert sides == (["right", "left"] * 6)[: len(winners)]


def test_simplified_rules_b_may_serve_first() -> None:
    state = start(Setup(preset="simplified", first_server="B"))
    assert awaited_serve(state).seat == "B1"
    assert awaited_serve(rallies(state, "AA")).seat == "A1"
    assert awaited_serve(rallies(state, "AAAA")).seat == "B1"


def test_sm_16_two_attempts_then_the_rally_is_lost() -> None:
    second = play(SIMPLIFIED, NET).state
    assert second.waiting == ServeAwaited("A1", "right", "left", 2)
    event = called(second, serve("right"))
    assert (event.call, event.rally_winner, event.score.points) == ("double-fault", "B", (0, 1))


# What the preset has


def test_simplified_rules_have_boxes_and_aces_but_no_bonuses() -> None:
    assert called(SIMPLIFIED, serve("right")).call == "fault"
    assert called(SIMPLIFIED, serve("left", ace=YES)).call == "ace"
    assert called(in_rally(0, SIMPLIFIED.setup), stroke(1, crosscourt=YES, dropshot=YES)).points == 1


def test_what_does_not_change_points_are_counted_within_the_rally() -> None:
    state = in_rally(1, SIMPLIFIED.setup)
    event = called(state, stroke(2))
    assert (event.call, event.marker, event.rally_winner, event.score.points) == ("winner", 3, "A", (1, 0))


@pytest.mark.parametrize("name", ["bonuses", "service_boxes", "aces"])
def test_simplified_rules_each_option_can_be_chosen(name: str) -> None:
    on, off = simplified(**{name: True}), simplified(**{name: False})
    landing = {
        "bonuses": stroke(1, crosscourt=YES),
        "service_boxes": serve("right", 1),
        "aces": serve("left", ace=YES),
    }[name]
    before_on, before_off = (in_rally(0, s.setup) if name == "bonuses" else s for s in (on, off))
    with_it, without = called(before_on, landing), called(before_off, landing)
    assert (with_it.call, with_it.points, without.call, without.points) == {
        "bonuses": ("in", 2, "in", 1),
        "service_boxes": ("fault", 0, "in", 1),
        "aces": ("ace", None, "in", 1),
    }[name]


# Without service boxes


def test_for_children_no_boxes_no_aces_no_bonuses() -> None:
    assert CHILDREN.waiting == ServeAwaited("A1", "right", None, 1)
    anywhere = stroke(2, right=MISSED_BOX, left=MISSED_BOX)
    event = called(CHILDREN, anywhere)
    assert (event.call, event.points) == ("in", 2)
    assert called(CHILDREN, serve("left", 1, ace=YES)).call == "in"
    assert called(in_rally(0, CHILDREN.setup), stroke(0, crosscourt=YES, dropshot=YES)).points == 0


@pytest.mark.parametrize(
    ("missed", "attempts"), [(OUT, 1), (NET, 1), (OFF_BOARD, 1), (stroke(in_singles=-0.001), 1)]
)
def test_sm_16_without_boxes_a_serve_must_pass_the_net_and_be_in(missed: object, attempts: int) -> None:
    event = called(CHILDREN, missed)  # type: ignore[arg-type]
    assert (event.call, event.points) == ("fault", 0)
    assert awaited_serve(play(CHILDREN, missed).state).attempt == attempts + 1  # type: ignore[arg-type]


def test_sm_16_without_boxes_a_let_touches_the_net_and_is_in() -> None:
    assert called(CHILDREN, stroke(1, touches_net=3.0)).call == "let"
    assert called(CHILDREN, stroke(1, touches_net=3.0, in_singles=NO - 40.0)).call == "fault"
    assert called(CHILDREN, stroke(1, touches_net=3.0, passed_net=-1.0)).call == "fault"


def test_sm_16_without_boxes_the_points_are_those_of_the_court() -> None:
    landing = stroke(0, left=serve("left", 2).by_a.left)
    assert called(CHILDREN, landing).points == 0
    assert called(SIMPLIFIED, landing).points == 2


def test_for_children_the_side_of_service_still_changes() -> None:
    assert awaited_serve(rallies(CHILDREN, "A")).side == "left"
    assert awaited_serve(rallies(CHILDREN, "A")).box is None


def test_for_children_boxes_can_be_agreed() -> None:
    state = start(Setup(preset="children", chosen=Options(bonuses=False, aces=False)))
    assert called(state, serve("right")).call == "fault"
    assert called(state, serve("left", ace=YES)).call == "in"


def test_confirmed_without_boxes_has_no_aces() -> None:
    state = start(Setup(chosen=Options(service_boxes=False)))
    assert called(state, serve("left", 1, ace=YES)).call == "in"
    assert awaited_serve(state).box is None
