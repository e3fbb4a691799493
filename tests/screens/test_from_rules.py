"""The scoreboard of a match, made from the rules' states."""

import pytest

from firmware.rules import Landing, Lay, Press, Setup, State, Step, Stroke, choose, start, step
from firmware.screens.from_rules import scoreboard_of
from firmware.screens.scoreboard import Called, Scoreboard, Serve, Won
from tests.rules import builder


def landing(passed_net_mm: float = 50.0, worth: int = 2, ace: float = builder.NO) -> Landing:
    """A stroke that is in by far and worth `worth`, or one that is short of the net."""
    box = builder.box(worth, ace=ace)
    return builder.stroke(worth, passed_net=passed_net_mm, right=box, left=box)


def play(*landings: Landing, setup: Setup | None = None) -> Step:
    after = Step(start(setup or Setup()), ())
    for one in landings:
        after = step(after.state, Stroke(one))
    return after


def shown(after: Step) -> Scoreboard:
    return scoreboard_of(after.state)


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
    board = scoreboard_of(state, notice)
    assert board.notice == notice
    assert board.marker == 1


def test_a_return_under_pressure_is_shown_until_it_is_played() -> None:
    advanced = Setup("advanced")
    board = shown(play(landing(worth=2), setup=advanced))
    assert (board.marker, board.pressure, board.rally_winner) == (3, True, None)
    board = shown(play(landing(worth=2), landing(worth=1), setup=advanced))
    assert (board.marker, board.pressure) == (2, False)


def test_a_decision_that_is_awaited_is_the_striker_s_and_then_the_flick_fault_is_the_call() -> None:
    served = play(landing(worth=1), landing(worth=1))
    questioned = step(served.state, Press("flick-fault", "A"))
    board = shown(questioned)
    assert (board.to_play, board.deciding, board.serve) == ("B1", True, None)
    board = shown(step(questioned.state, Press("confirm", "B")))
    assert (board.deciding, board.rally_winner, board.points) == (False, "A", ("15", "0"))
    assert board.last == Called("B1", "flick-fault", 0)


def test_a_stroke_that_is_played_again_is_no_call_any_more() -> None:
    served = play(landing(worth=1), landing(worth=1))
    questioned = step(served.state, Press("flick-fault", "A"))
    board = shown(step(questioned.state, Press("challenge", "B")))
    assert board.last == Called("A1", "in", 1)
    assert (board.marker, board.to_play) == (1, "B1")


def test_a_beginner_places_the_ball_on_the_0_before_the_other_side_plays() -> None:
    discovery = Setup("discovery")
    faults = play(FAULT, FAULT, setup=discovery)
    board = shown(faults)
    assert (board.to_play, board.placing, board.serve, board.rally_winner) == ("A1", True, None, None)
    board = shown(step(faults.state, Lay(builder.ANYWHERE)))
    assert (board.to_play, board.placing) == ("B1", False)


def test_doubles_show_who_of_four_serves_and_plays() -> None:
    doubles = Setup(doubles=True)
    board = shown(play(landing(worth=1), landing(worth=0), setup=doubles))
    assert (board.server, board.to_play) == ("A1", "A2")
    game = [FAULT] * 8
    board = shown(play(*game, *game, setup=doubles))
    assert (board.server, board.to_play, board.serve) == ("A2", "A2", Serve(1, "right"))


def test_advantage_and_the_tie_break_are_shown_as_they_are_called_out() -> None:
    """Servers fault, so every rally goes to the receiver; an ace goes to the server."""
    advanced = Setup("advanced")
    ace = landing(worth=0, ace=builder.YES)
    deuce = [FAULT] * 6 + [ace] * 3
    assert shown(play(*deuce, setup=advanced)).points == ("40", "40")
    assert shown(play(*deuce, ace, setup=advanced)).points == ("AD", "40")
    level = shown(play(*[FAULT] * 32, setup=advanced))
    assert (level.games, level.points) == ((2, 2), ("0", "0"))
    assert shown(play(*[FAULT] * 36, setup=advanced)).points == ("1", "1")


def test_a_simplified_match_is_shown_as_a_race() -> None:
    simplified = Setup("simplified")
    board = shown(play(*[FAULT] * 6, setup=simplified))
    assert (board.points, board.points_to_win, board.server) == (("1", "2"), 12, "B1")
    ace = landing(worth=0, ace=builder.YES)
    four_to_a = [ace, ace, FAULT, FAULT, FAULT, FAULT]
    board = shown(play(*four_to_a * 3, setup=simplified))
    assert board.outcome == Won("A")
    assert board.points[0] == "12"


def test_changed_ends_are_shown() -> None:
    """After the first game, which the receiver wins by double faults."""
    setup = Setup(chosen=choose("confirmed", {"change_ends": True}))
    assert not shown(play(*[FAULT] * 7, setup=setup)).ends_changed
    assert shown(play(*[FAULT] * 8, setup=setup)).ends_changed
