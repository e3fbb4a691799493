"""The scoreboard of a match, made from the rules' states and events."""

import pytest

from firmware.rules import BoxFacts, Facts, Landing, Setup, State, Step, Stroke, start, step
from firmware.screens.from_rules import scoreboard_of
from firmware.screens.scoreboard import Called, Scoreboard, Serve, Won


def landing(passed_net_mm: float = 50.0, worth: int = 2, sigma_mm: float = 0.02) -> Landing:
    """A stroke that is in by far and worth `worth`, or one that is short of the net."""
    worth_mm = tuple(20.0 if n <= worth else -20.0 for n in (1, 2))
    box = BoxFacts(touched_mm=30.0, ace_mm=-30.0, worth_mm=worth_mm)
    facts = Facts(
        passed_net_mm=passed_net_mm,
        touches_net_mm=-30.0,
        in_singles_mm=30.0,
        in_doubles_mm=60.0,
        worth_mm=worth_mm,
        crosscourt_mm=-20.0,
        dropshot_mm=-20.0,
        right=box,
        left=box,
    )
    return Landing(
        off_board=False,
        dot_sigma_mm=sigma_mm,
        disc_sigma_mm=sigma_mm,
        by_a=facts,
        by_b=facts,
    )


def play(*landings: Landing, sets: int = 2) -> Step:
    after = Step(start(Setup(sets_to_win=sets)), ())
    for one in landings:
        after = step(after.state, Stroke(one))
    return after


def shown(after: Step) -> Scoreboard:
    return scoreboard_of(after.state, after.events)


FAULT = landing(passed_net_mm=-40.0)


def test_before_the_first_serve() -> None:
    board = scoreboard_of(start(Setup()))
    assert board == Scoreboard(to_play="A1", serve=Serve(1, "right"))


def test_a_good_serve_hands_the_ball_to_the_other_side() -> None:
    board = shown(play(landing(worth=1)))
    assert board.to_play == "B1"
    assert board.serve is None
    assert board.marker == 1
    assert board.last == Called("A1", "in", 1)


def test_a_fault_leaves_the_second_serve() -> None:
    board = shown(play(FAULT))
    assert board.serve == Serve(2, "right")
    assert board.last == Called("A1", "fault", 0)


def test_a_call_by_a_hair_is_shown_as_too_close() -> None:
    board = shown(play(landing(passed_net_mm=0.05)))
    assert board.last is not None
    assert not board.last.certain


def test_the_marker_stays_at_point_until_the_next_stroke() -> None:
    won = play(landing(worth=2), landing(worth=0), landing(worth=2))
    board = shown(won)
    assert won.state.marker == 0
    assert board.marker == 3
    assert board.rally_winner == "A"
    assert board.points == ("15", "0")
    assert board.serve == Serve(1, "left")
    after = step(won.state, Stroke(FAULT))
    assert shown(after).marker == 0
    assert shown(after).rally_winner is None


def test_the_end_of_the_match_is_shown() -> None:
    """Each server faults twice in every rally, so games go to the receivers in turn."""
    after = Step(start(Setup(sets_to_win=1)), ())
    while after.state.outcome is None:
        after = step(after.state, Stroke(FAULT))
    board = shown(after)
    assert board.outcome == Won(after.state.outcome.winner)
    assert board.to_play is None
    assert board.serve is None
    assert max(board.sets) == 1


@pytest.mark.parametrize("notice", [None, "camera sees no board"])
def test_a_notice_comes_with_the_score(notice: str | None) -> None:
    state: State = play(landing(worth=1)).state
    board = scoreboard_of(state, (), notice)
    assert board.notice == notice
    assert board.marker == 1
