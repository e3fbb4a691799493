"""Rulings of which no other test would miss a mutant (see MUTANTS.md): what the players' word counts for,
and what it leaves."""

import pytest

from firmware.rules import (
    Called,
    Correct,
    Corrected,
    EndsChanged,
    IllegalAction,
    MatchWon,
    Options,
    Outcome,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    TieBreakBegan,
    start,
)
from firmware.rules.calls import ruled_verdict
from firmware.rules.corrections import recounted
from firmware.rules.state import Ruling
from tests.rules.builder import (
    NET,
    OUT,
    calls,
    correct,
    corrected,
    for_striker,
    in_rally,
    lay,
    let,
    play,
    rallies,
    reason_of,
    serve,
    stroke,
)

FIRST = start(Setup())
DISCOVERY = start(Setup(preset="discovery"))
NAN = float("nan")


def test_a_second_serve_that_was_good_can_be_ruled_a_double_fault() -> None:
    state = play(FIRST, NET, serve("left")).state
    assert calls(correct(state, 2, "double-fault").state) == ["fault", "double-fault"]


def test_a_ruling_to_the_same_effect_is_announced_and_changes_nothing() -> None:
    state = play(FIRST, serve("left"), NET, NET).state
    was = state.strokes[2].called
    after = correct(state, 3, "flick-fault")
    assert after.events == (Corrected(was, was, (), state.score),)
    assert after.state == state


def test_a_void_stroke_is_told_in_full() -> None:
    state = play(FIRST, serve("left", 1), stroke(2), stroke(1)).state
    event = corrected(state, 2, "out")
    assert event.changed == (
        Called(
            number=3,
            seat="A1",
            call="void",
            points=None,
            margin_mm=None,
            certain=True,
            marker=0,
            rally_winner=None,
            score=Score((1, 0)),
            unseen=False,
            ruled=True,
        ),
    )


def test_a_rally_that_is_left_open_leaves_no_points_to_the_next() -> None:
    state = play(FIRST, serve("left", 2), OUT, serve("right", 1)).state
    assert state.marker == 1
    after = correct(state, 2, "in", 1).state
    assert [played.called.marker for played in after.strokes] == [2, 1, 1]
    assert after.marker == 1


def test_a_missed_second_serve_loses_the_rally_also_when_the_first_was_good() -> None:
    """The second was played, and stands."""
    state = play(FIRST, NET, NET).state
    after = correct(state, 1, "in").state
    assert (calls(after), after.score.points) == (["in", "double-fault"], (0, 1))


def test_a_good_first_serve_that_was_played_again_stays_a_first_serve() -> None:
    """A let ruled good: the serve after it was a first one, and its fault costs one attempt only."""
    state = play(FIRST, let(FIRST), NET).state
    after = correct(state, 1, "in").state
    assert calls(after) == ["in", "fault"]
    assert after.waiting == ServeAwaited("A1", "right", "left", 2)


def test_a_ruling_counts_every_stroke_by_the_facts_of_its_own_end() -> None:
    """A's winner would be out for who plays from the other end, and B's return a net fault."""
    by_b = for_striker("B", stroke(1), NET)
    by_a = for_striker("A", stroke(2), OUT)
    state = play(FIRST, serve("left", 1), by_b, by_a).state
    after = correct(state, 1, points=2).state
    assert calls(after) == ["in", "in", "winner"]


def test_a_beginners_rally_from_the_0_is_counted_anew_like_any() -> None:
    state = play(DISCOVERY, NET, NET, lay(), stroke(1), stroke(2)).state
    after = correct(state, 3, points=2).state
    assert calls(after) == ["fault", "fault", "in", "in"]
    assert (after.marker, after.waiting) == (0, ReturnAwaited("B1", False, (0.0, 0.0)))


def test_no_strokes_are_counted_as_the_start_of_the_match() -> None:
    assert recounted(FIRST.setup, ()) == (FIRST.standing, (), ())


def test_a_ruling_may_bring_a_tie_break_and_change_the_ends() -> None:
    """A won three games and B the first of the next set; now each has two of the first set."""
    state = start(Setup(chosen=Options(tie_break=True, change_ends=True)))
    state = rallies(state, "AAAABBBAAAAAAAABBBB")
    assert (state.score.games, state.score.sets) == ((0, 1), (1, 0))
    eighth = [played.called for played in state.strokes if played.called.rally_winner][7]
    after = correct(state, eighth.number, "winner" if eighth.seat == "B1" else "net")
    score = Score((0, 0), (2, 2), (0, 0), "tie-break")
    assert after.state.score == score
    assert after.events[1:] == (TieBreakBegan(score), EndsChanged(score))


@pytest.mark.parametrize("points", [0, 9])
def test_points_can_be_ruled_up_to_what_no_board_earns(points: int) -> None:
    state = play(FIRST, serve("left")).state
    assert corrected(state, 1, points=points).now.points == points
    for beyond in (-1, 10):
        assert reason_of(state, Correct(1, points=beyond)) == "points-out-of-range"


def test_a_fault_may_be_ruled_with_its_no_points() -> None:
    state = in_rally()
    assert corrected(state, 2, "out", 0) == corrected(state, 2, "out")
    assert reason_of(state, Correct(2, "out", 1)) == "no-points-for-that-call"


@pytest.mark.parametrize(("points", "earned"), [(None, 4), (1, 4), (4, 4), (6, 6)])
def test_a_ruled_winner_earns_what_is_said_and_no_less_than_it_takes(points: int | None, earned: int) -> None:
    state = play(FIRST, serve("left", 1), stroke(1)).state
    now = corrected(state, 2, "winner", points).now
    assert (now.call, now.points, now.marker, now.rally_winner) == ("winner", earned, -3, "B")


@pytest.mark.parametrize("awaited", [ServeAwaited("A1", "right", "left", 1), ReturnAwaited("A1", False)])
def test_no_stroke_can_be_ruled_void(awaited: ServeAwaited | ReturnAwaited) -> None:
    landing = serve("left")
    with pytest.raises(IllegalAction) as refused:
        ruled_verdict(Ruling("void"), landing, landing.by_a, awaited, 0, FIRST.setup)
    assert refused.value.reason == "no-such-ruling"


def test_a_ruling_that_ends_the_match_changes_no_ends() -> None:
    """A led two games to one, after the third of which the ends were changed back; by the ruling A has won
    three in a row, and there is no end to change to."""
    setup = Setup(sets_to_win=1, chosen=Options(change_ends=True))
    state = rallies(start(setup), "AAAABBBAAABAAAAA")
    assert (state.score.games, state.standing.ends_changed) == ((2, 1), False)
    ended = [played.called for played in state.strokes if played.called.rally_winner][10]
    after = correct(state, ended.number, "net" if ended.seat == "B1" else "winner")
    won = MatchWon(Outcome("A", "sets"), Score((0, 0), (0, 0), (1, 0)))
    assert after.events[1:] == (won,)
    assert calls(after.state)[-2:] == ["void", "void"]


def test_points_alone_say_what_a_ruled_winner_earned_and_so_whether_it_is_one() -> None:
    state = correct(play(FIRST, serve("left", 1), stroke(1)).state, 2, "winner").state
    after = correct(state, 2, points=5).state
    assert [(each.called.call, each.called.points) for each in after.strokes] == [("in", 1), ("winner", 5)]
    less = correct(after, 2, points=1).state.strokes[1].called
    assert (less.call, less.points, less.marker) == ("in", 1, 0)
