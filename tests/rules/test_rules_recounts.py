"""Rulings on strokes of earlier rallies: what they do to the game, the set and the match since."""

from firmware.rules import (
    Correct,
    Corrected,
    EndsChanged,
    GameWon,
    MatchWon,
    Options,
    Outcome,
    PlacementAsked,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    SetWon,
    TieBreakBegan,
    start,
)
from tests.rules.builder import ELSEWHERE, NET, YES, calls, correct, lay, play, press, rallies, serve, stroke

FIRST = start(Setup())
DISCOVERY = start(Setup(preset="discovery"))


def test_a_stroke_of_an_earlier_rally() -> None:
    state = play(FIRST, serve("left"), NET, serve("right", 2), stroke(1)).state
    after = correct(state, 2, "winner")
    assert after.state.score.points == (0, 1)
    assert (calls(after.state), after.state.marker) == (["in", "winner", "in", "in"], 1)
    assert after.state.waiting == state.waiting
    event = after.events[0]
    assert isinstance(event, Corrected)
    assert [now.score.points for now in event.changed] == [(0, 1), (0, 1)]
    assert len(after.events) == 1


def test_an_earlier_rally_that_is_left_open_counts_for_nobody() -> None:
    state = play(FIRST, serve("left"), NET, NET, serve("right", 1), NET).state
    assert state.score.points == (2, 0)
    for ruling in (Correct(2, "in"), Correct(1, "fault"), Correct(1, "let")):
        after = play(state, ruling).state
        assert calls(after)[2:] == ["fault", "in", "net"]
        assert after.score.points == (1, 0)


def test_an_ace_ruled_a_fault_after_the_next_rally() -> None:
    state = play(FIRST, serve("left", ace=YES), NET, serve("right"), NET).state
    after = correct(state, 1, "fault").state
    assert (calls(after), after.score.points) == (["fault", "fault", "in", "net"], (1, 0))


def test_across_the_end_of_a_game_and_back() -> None:
    state = rallies(FIRST, "AAAA")
    last = len(state.strokes)
    after = correct(state, last, "in")
    assert (after.state.score, after.state.standing.to_play) == (Score((3, 0)), "A1")
    assert isinstance(after.state.waiting, ReturnAwaited)
    back = correct(after.state, last, "net")
    assert back.state.score == state.score
    assert back.state.waiting == ServeAwaited("B1", "right", "left", 1)
    assert back.events[1:] == (RallyWon("A", state.score), GameWon("A", state.score))


def test_across_the_end_of_a_game_with_the_next_one_under_way() -> None:
    """Fifteen-love in B's game; the game before it is not over now, and B's serve stands."""
    state = rallies(FIRST, "AAAA" + "A")
    assert state.score == Score((1, 0), (1, 0))
    after = correct(state, 2, "winner").state  # the first rally to B
    assert after.score == Score((0, 0), (1, 0))
    assert after.waiting == ServeAwaited("B1", "right", "left", 1)


def test_a_game_that_ends_earlier_gives_the_rest_to_the_next() -> None:
    state = rallies(FIRST, "BAAAA")
    assert state.score == Score((0, 0), (1, 0))
    after = play(rallies(FIRST, "BAAA"), Correct(1, "ace")).state
    assert after.score == Score((0, 0), (1, 0))
    assert after.waiting == ServeAwaited("B1", "right", "left", 1)
    after = correct(state, 1, "ace").state
    assert after.score == Score((1, 0), (1, 0))


def test_across_the_end_of_a_set_and_back() -> None:
    state = rallies(FIRST, "AAAA" * 3)
    assert state.score == Score(sets=(1, 0))
    last = len(state.strokes)
    open_again = correct(state, last, "in").state
    assert open_again.score == Score((3, 0), (2, 0))
    closed = correct(open_again, last, "out")
    assert closed.state.score == state.score
    assert closed.events[1:] == (
        RallyWon("A", state.score),
        GameWon("A", state.score),
        SetWon("A", (3, 0), state.score),
    )


def test_across_the_end_of_the_match_and_back() -> None:
    over = rallies(start(Setup(sets_to_win=1)), "A" * 12)
    last = len(over.strokes)
    again = correct(over, last, "in")
    assert (again.state.outcome, again.state.score) == (None, Score((3, 0), (2, 0)))
    assert isinstance(again.state.waiting, ReturnAwaited)
    assert len(again.events) == 1
    ended = correct(again.state, last, "net")
    assert ended.state.outcome == Outcome("A", "sets")
    assert ended.events[-1] == MatchWon(Outcome("A", "sets"), over.score)


def test_an_earlier_rally_takes_the_end_of_the_match_back() -> None:
    over = rallies(start(Setup(sets_to_win=1)), "A" * 12)
    after = correct(over, 2, "winner")
    assert (after.state.outcome, after.state.score) == (None, Score((3, 0), (2, 0)))
    assert after.state.waiting == ServeAwaited("A1", "left", "right", 1)
    again = rallies(after.state, "A")
    assert again.outcome == Outcome("A", "sets")


def test_an_earlier_rally_ends_the_match_and_the_rest_is_void() -> None:
    state = rallies(start(Setup(sets_to_win=1)), "B" + "A" * 11)
    # A has won two games and leads 40-0: had A won the first rally, the match were over.
    assert state.score == Score((3, 0), (2, 0))
    served = play(state, serve("right", 1)).state
    after = correct(served, 1, "ace")
    assert after.state.outcome == Outcome("A", "sets")
    assert calls(after.state)[-1] == "void"
    assert after.events[1:] == (MatchWon(Outcome("A", "sets"), Score(sets=(1, 0))),)


def test_a_ruling_that_brings_a_tie_break_announces_it() -> None:
    options = Options(tie_break=True)
    state = rallies(start(Setup(chosen=options)), "AAAABBBBAAAA" + "BBBB" + "A")
    assert state.score == Score((1, 0), (2, 2), counting="tie-break")
    first = correct(state, len(state.strokes), "in").state
    assert first.score.counting == "tie-break"
    # A won the first rally of B's last game instead: that game is not over.
    before = rallies(start(Setup(chosen=options)), "AAAABBBBAAAA" + "ABBB")
    assert before.score == Score((1, 3), (2, 1))
    number = next(s.called.number for s in before.strokes if s.called.score == Score((1, 0), (2, 1)))
    served = play(before, serve("left", 1)).state
    after = correct(served, number, "in").state
    assert after.score == Score((0, 3), (2, 1))
    swung = correct(served, number - 2, "ace")
    assert swung.state.score == Score((0, 0), (2, 2), counting="tie-break")
    assert TieBreakBegan(swung.state.score) in swung.events


def test_a_ruling_that_changes_the_ends_announces_it() -> None:
    state = rallies(start(Setup(chosen=Options(change_ends=True))), "BAAA" + "A")
    assert state.standing.ends_changed
    after = correct(state, 1, "fault")  # the first rally to nobody
    assert after.state.standing.ends_changed == (after.state.score.games != (0, 0))
    short = rallies(start(Setup(chosen=Options(change_ends=True))), "BAAA")
    served = play(short, serve("left")).state
    ended = correct(served, 1, "ace")
    assert ended.state.score == Score((0, 0), (1, 0))
    assert EndsChanged(ended.state.score) in ended.events


def test_a_rally_that_a_ruling_opened_keeps_its_strokes_in_later_rulings() -> None:
    """Although a serve of the next one was played, called a flick fault and contested."""
    state = play(FIRST, serve("left"), NET, serve("right")).state
    state = play(state, *press("flick-fault", "B"), *press("challenge", "A"), Correct(2, "in")).state
    state = play(state, stroke(1)).state
    assert (calls(state), state.marker) == (["in", "in", "void", "in"], 1)
    after = correct(state, 1, points=2).state
    assert (calls(after), after.marker) == (["in", "in", "void", "in"], 2)
    assert [played.rally for played in after.strokes] == [1, 1, 2, 1]


def test_a_service_that_a_ruling_opened_keeps_its_attempts() -> None:
    state = play(FIRST, serve("left", ace=YES), serve("right")).state
    state = play(state, *press("flick-fault", "B"), *press("challenge", "A"), Correct(1, "fault")).state
    assert state.waiting == ServeAwaited("A1", "right", "left", 2)
    state = play(state, NET).state
    assert (calls(state), state.score.points) == (["fault", "void", "double-fault"], (0, 1))
    assert correct(state, 3, "let").state.waiting == ServeAwaited("A1", "right", "left", 2)


def test_a_ruling_that_changes_the_side_to_serve_from_asks_for_it_anew() -> None:
    state = play(FIRST, serve("left"), NET, lay(ELSEWHERE))
    assert state.events[-1] == PlacementAsked("A1", "serve-position", "left", None, None)
    open_again = play(rallies(FIRST, "AA"), lay(ELSEWHERE))
    assert open_again.events == (PlacementAsked("A1", "serve-position", "right", None, None),)
    # The first rally counts for nobody: the next is served from the left.
    after = correct(open_again.state, 2, "in")
    assert after.state.score.points == (1, 0)
    assert after.events[1:] == (PlacementAsked("A1", "serve-position", "left", None, None),)
    same_side = correct(open_again.state, 2, "winner")
    assert (same_side.state.score.points, len(same_side.events)) == ((1, 1), 1)


# A beginner's ball on the 0


def test_a_beginners_ball_that_lies_on_the_0_stays_there() -> None:
    state = play(DISCOVERY, serve("left"), NET, NET, NET, lay()).state
    after = correct(state, 2, "out").state
    assert after.waiting == state.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


def test_a_beginners_second_fault_ruled_good_needs_no_0() -> None:
    state = play(DISCOVERY, NET, NET).state
    after = correct(state, 2, "in", 1).state
    assert (after.marker, after.waiting) == (1, ReturnAwaited("B1", False, (0.0, 0.0)))
    back = correct(after, 2, "fault")
    assert back.events[-1] == PlacementAsked("A1", "zero", None, "left", None)


def test_a_beginners_fault_ruled_a_let_before_the_0() -> None:
    state = play(DISCOVERY, NET, NET).state
    after = correct(state, 1, "let").state
    assert after.waiting == ServeAwaited("A1", "right", "left", 2)
