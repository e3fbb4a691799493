"""The score: the game scorer (Figure F), games, sets, the match, service, and whole rallies as
printed."""

import pytest

from firmware.rules import (
    Called,
    GameWon,
    IllegalAction,
    MatchWon,
    Outcome,
    RallyWon,
    Score,
    ServeAwaited,
    Setup,
    SetWon,
    Stroke,
    legal,
    start,
    step,
    view,
)
from tests.rules.builder import NET, YES, good_serve, play, rallies, rally, serve, stroke

FIRST = start(Setup())


def test_figure_j_rally_example() -> None:
    after = play(FIRST, serve("left", 1), stroke(2), stroke(1, crosscourt=YES), stroke(0), stroke(2))
    calls = [event for event in after.events if isinstance(event, Called)]
    assert [(c.seat, c.call, c.points, c.marker) for c in calls] == [
        ("A1", "in", 1, 1),
        ("B1", "in", 2, -1),
        ("A1", "in", 2, 1),
        ("B1", "in", 0, 1),
        ("A1", "winner", 2, 3),
    ]
    assert [c.number for c in calls] == [1, 2, 3, 4, 5]
    assert after.events[-1] == RallyWon("A", Score(points=(1, 0)))
    assert (after.state.marker, after.state.waiting) == (0, ServeAwaited("A1", "left", "right", 1))


def test_figure_f_game_scorer() -> None:
    """Two sets to love, one game to two, thirty to fifteen."""
    state = rallies(start(Setup(sets_to_win=3)), "AAAA" * 6 + "AAAA" + "BBBB" * 2 + "ABA")
    assert state.score == Score(points=(2, 1), games=(1, 2), sets=(2, 0))
    assert state.score.point_names == ("30", "15")


def test_figure_f_names_of_the_points() -> None:
    assert [rallies(FIRST, "A" * n).score.point_names[0] for n in range(4)] == [
        "0",
        "15",
        "30",
        "40",
    ]


def test_the_game_scorer_past_forty_wins_the_game() -> None:
    state = rallies(FIRST, "ABABA")
    after = play(state, good_serve(state), NET)
    score = Score(games=(1, 0))
    assert after.events[-2:] == (RallyWon("A", score), GameWon("A", score))
    assert after.state.score == score


@pytest.mark.parametrize(("last", "games"), [("A", (1, 0)), ("B", (0, 1))])
def test_sm_15_forty_all_is_decided_by_the_next_rally(last: str, games: tuple[int, int]) -> None:
    state = rallies(FIRST, "ABABAB")
    assert state.score.point_names == ("40", "40")
    assert rallies(state, last).score == Score(games=games)


def test_the_game_scorer_three_games_win_a_set() -> None:
    state = rallies(FIRST, "AAAA" + "BBBB" + "AAAA" + "AAA")
    after = play(state, *((good_serve(state), stroke(0), NET)))
    score = Score(sets=(1, 0))
    assert after.events[-3:] == (
        RallyWon("A", score),
        GameWon("A", score),
        SetWon("A", (3, 1), score),
    )


def test_sm_15_two_games_all_is_decided_by_the_next_game() -> None:
    state = rallies(FIRST, "AAAABBBB" * 2)
    assert state.score.games == (2, 2)
    assert rallies(state, "BBBB").score == Score(sets=(0, 1))


@pytest.mark.parametrize("sets_to_win", [1, 2, 3])
def test_object_of_the_game_the_match_ends_with_the_agreed_sets(sets_to_win: int) -> None:
    state = rallies(start(Setup(sets_to_win=sets_to_win)), "B" * (12 * sets_to_win - 1))
    assert state.outcome is None
    over = rally(state, "B")
    assert over.outcome == Outcome("B", "sets")
    assert over.score.sets == (0, sets_to_win)
    assert over.waiting is None
    assert sum(played.called.rally_winner == "B" for played in over.strokes) == 12 * sets_to_win


def test_the_match_is_announced_last() -> None:
    state = rallies(start(Setup(sets_to_win=1)), "A" * 11)
    # The third game is A's to serve again.
    after = play(state, good_serve(state), NET)
    assert after.events[-1] == MatchWon(Outcome("A", "sets"), Score(sets=(1, 0)))
    called = after.events[-5]
    assert isinstance(called, Called)
    assert called.score == after.state.score


def test_no_stroke_after_the_match() -> None:
    over = rallies(start(Setup(sets_to_win=1)), "A" * 12)
    with pytest.raises(IllegalAction, match="match-over"):
        step(over, Stroke(NET))
    assert "stroke" not in {*legal(over, "A1"), *legal(over, "B1")}


def test_sm_14_the_server_changes_every_game_and_through_the_sets() -> None:
    state, servers = FIRST, ""
    for _ in range(6):
        servers += state.standing.to_play
        state = rallies(state, "AAAA")
    assert servers == "A1B1A1B1A1B1"
    assert state.outcome is not None
    assert rallies(start(Setup(first_server="B")), "AAAA").standing.to_play == "A1"


def test_b_serves_by_the_same_sides_as_it_sees_them() -> None:
    state = start(Setup(first_server="B"))
    assert state.waiting == ServeAwaited("B1", "right", "left", 1)
    assert rally(state, "A").waiting == ServeAwaited("B1", "left", "right", 1)


def test_a_game_starts_on_the_right() -> None:
    state = rallies(FIRST, "AABBAA")
    assert sum(state.score.points) == 0
    assert state.waiting == ServeAwaited("B1", "right", "left", 1)


def test_strokes_are_counted_through_the_match() -> None:
    state = play(FIRST, serve("left"), NET, NET, NET, serve("left")).state
    assert [played.called.number for played in state.strokes] == [1, 2, 3, 4, 5]


def test_only_the_awaited_seat_may_strike() -> None:
    assert ["stroke" in legal(FIRST, seat) for seat in FIRST.setup.order] == [True, False]
    state = play(FIRST, serve("left")).state
    assert ["stroke" in legal(state, seat) for seat in FIRST.setup.order] == [False, True]


def test_a_view_is_the_state_as_a_seat_sees_it() -> None:
    state = play(FIRST, serve("left", 2)).state
    mine, theirs = view(state, "B1"), view(state, "A1")
    assert (mine.yours, theirs.yours) == (True, False)
    assert (mine.waiting, mine.marker, mine.score) == (state.waiting, 2, Score())
    assert mine.outcome is None


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (FIRST, "marker"),
        (FIRST.setup, "preset"),
        (FIRST.setup.options, "bonuses"),
        (FIRST.score, "points"),
        (FIRST.waiting, "seat"),
        (play(FIRST, serve("left")).state.waiting, "seat"),
        (play(FIRST, serve("left")).events[0], "call"),
        (view(FIRST, "A1"), "marker"),
        (Outcome("A", "sets"), "winner"),
        (Stroke(NET), "landing"),
    ],
)
def test_nothing_of_a_match_can_be_changed_in_place(value: object, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(value, name, getattr(value, name))
