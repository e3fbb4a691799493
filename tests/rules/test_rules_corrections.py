"""The players' rulings on calls and points, at once or strokes later: what is counted anew, and what
stays (the umpire's promise that the players have the last word)."""

import pytest

from firmware.rules import (
    Call,
    Corrected,
    IllegalAction,
    Landing,
    PlacementAwaited,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    State,
    Step,
    start,
)
from tests.rules.builder import (
    ELSEWHERE,
    NET,
    OFF_BOARD,
    OUT,
    YES,
    called,
    calls,
    correct,
    corrected,
    lay,
    let,
    play,
    press,
    serve,
    stroke,
)

FIRST = start(Setup())
ADVANCED = start(Setup(preset="advanced"))
DISCOVERY = start(Setup(preset="discovery"))


def markers(state: State) -> list[int]:
    return [played.called.marker for played in state.strokes]


# The last stroke


@pytest.mark.parametrize("points", [0, 1, 2])
def test_the_points_of_the_last_stroke(points: int) -> None:
    state = play(FIRST, serve("left", 1), stroke(1)).state
    after = correct(state, 2, points=points).state
    assert (calls(after), after.marker) == (["in", "in"], 1 - points)


def test_a_ruled_call_is_certain_and_has_no_margin() -> None:
    state = play(FIRST, serve("left", 1), stroke(in_singles=-0.1)).state
    event = corrected(state, 2, "in")
    assert (event.was.call, event.was.certain, event.was.margin_mm, event.was.ruled) == (
        "out",
        False,
        -0.1,
        False,
    )
    now = event.now
    assert (now.call, now.points, now.certain, now.margin_mm, now.ruled) == ("in", 1, True, None, True)
    assert (now.number, now.seat, now.marker, now.rally_winner) == (2, "B1", 0, None)


def test_out_ruled_in_takes_the_rally_back_and_it_goes_on() -> None:
    state = play(FIRST, serve("left", 1), stroke(2, in_singles=-1.0)).state
    assert (state.score.points, state.marker) == ((1, 0), 0)
    after = correct(state, 2, "in")
    assert (after.state.score, after.state.marker) == (Score(), -1)
    assert after.state.waiting == ReturnAwaited("A1", False, (0.0, 0.0))
    assert len(after.events) == 1
    played_on = play(after.state, stroke(1)).state
    assert (played_on.marker, calls(played_on)) == (0, ["in", "in", "in"])


def test_in_ruled_out_gives_the_rally() -> None:
    state = play(FIRST, serve("left", 1), stroke(1)).state
    after = correct(state, 2, "out")
    assert after.events[1:] == (RallyWon("A", Score((1, 0))),)
    assert after.state.waiting == ServeAwaited("A1", "left", "right", 1)


@pytest.mark.parametrize(
    ("ruled", "waiting", "points"),
    [
        ("let", ServeAwaited("A1", "right", "left", 1), (0, 0)),
        ("ace", ServeAwaited("A1", "left", "right", 1), (1, 0)),
        ("fault", ServeAwaited("A1", "right", "left", 2), (0, 0)),
        ("flick-fault", ServeAwaited("A1", "right", "left", 2), (0, 0)),
    ],
)
@pytest.mark.parametrize(
    "served", [serve("left", 1), NET, OFF_BOARD, serve("left", ace=YES), serve("left", touches_net=YES)]
)
def test_any_serve_can_be_ruled_any_call(
    served: Landing, ruled: Call, waiting: ServeAwaited, points: tuple[int, int]
) -> None:
    state = correct(play(FIRST, served).state, 1, ruled).state
    assert (state.waiting, state.score.points) == (waiting, points)
    assert calls(state) == ["fault" if ruled == "flick-fault" else ruled]


@pytest.mark.parametrize(
    "served", [NET, OUT, OFF_BOARD, serve("right", 1), serve("left", ace=YES), let(FIRST)]
)
def test_any_serve_can_be_ruled_in(served: Landing) -> None:
    state = correct(play(FIRST, served).state, 1, "in", 2).state
    waiting = state.waiting
    assert isinstance(waiting, ReturnAwaited)
    assert (calls(state), state.marker, waiting.seat) == (["in"], 2, "B1")


@pytest.mark.parametrize("ruled", ["out", "net"])
@pytest.mark.parametrize("served", [serve("left", 1), serve("left", ace=YES), let(FIRST), OFF_BOARD])
def test_a_serve_ruled_out_or_into_the_net_is_a_fault(served: Landing, ruled: Call) -> None:
    first = correct(play(FIRST, served).state, 1, ruled).state
    assert (calls(first), first.waiting) == (["fault"], ServeAwaited("A1", "right", "left", 2))
    second = correct(play(FIRST, NET, served).state, 2, ruled).state
    assert (calls(second), second.score.points) == (["fault", "double-fault"], (0, 1))


def test_a_second_serve_ruled_a_double_fault() -> None:
    state = correct(play(FIRST, NET, serve("left", 1)).state, 2, "double-fault").state
    assert (calls(state), state.score.points) == (["fault", "double-fault"], (0, 1))


@pytest.mark.parametrize("played", [OUT, NET, OFF_BOARD])
def test_points_alone_make_a_stroke_good(played: Landing) -> None:
    returned = play(FIRST, serve("left", 0), played).state
    event = corrected(returned, 2, points=2)
    assert (event.now.call, event.now.points, event.now.marker) == ("in", 2, -2)
    # No points are what a fault has anyway.
    assert correct(returned, 2, points=0).state == returned


@pytest.mark.parametrize("served", [NET, serve("left", ace=YES), let(FIRST)])
def test_points_alone_make_a_serve_good(served: Landing) -> None:
    event = corrected(play(FIRST, served).state, 1, points=2)
    assert (event.now.call, event.now.points, event.now.rally_winner) == ("in", 2, None)


def test_a_second_serve_ruled_an_ace_under_pressure_brings_the_marker_to_point() -> None:
    state = correct(play(ADVANCED, NET, serve("left", 1)).state, 2, "ace").state
    assert (calls(state), state.marker) == (["fault", "ace"], 3)
    assert state.waiting == ReturnAwaited("B1", True, (0.0, 0.0))


@pytest.mark.parametrize("ruled", ["out", "net", "flick-fault"])
@pytest.mark.parametrize("played", [stroke(1), OUT, NET, OFF_BOARD, stroke(3)])
def test_any_rally_stroke_can_be_ruled_any_fault(played: Landing, ruled: Call) -> None:
    state = correct(play(FIRST, serve("left", 1), played).state, 2, ruled).state
    assert (calls(state), state.score.points, state.marker) == (["in", ruled], (1, 0), 0)


@pytest.mark.parametrize("played", [stroke(1), OUT, NET, OFF_BOARD])
def test_any_rally_stroke_can_be_ruled_a_winner(played: Landing) -> None:
    event = corrected(play(FIRST, serve("left", 1), played).state, 2, "winner")
    assert (event.now.call, event.now.marker, event.now.rally_winner) == ("winner", -3, "B")
    assert event.now.points == 4  # from +1 to POINT! at the other side
    assert event.score.points == (0, 1)


def test_a_ball_off_the_board_ruled_in_is_worth_what_the_players_say() -> None:
    state = play(FIRST, serve("left", 0), OFF_BOARD).state
    assert corrected(state, 2, "in").now.points == 0
    after = correct(state, 2, "in", 2).state
    assert (after.marker, after.waiting) == (-2, ReturnAwaited("A1", False, None))
    assert called(after, stroke(1, start=ELSEWHERE)).call == "in"


def test_ruled_points_are_all_that_a_stroke_earns() -> None:
    """Bonuses are in them."""
    assert corrected(play(ADVANCED, serve("left", 1)).state, 1, points=1).now.marker == 1
    state = play(FIRST, serve("left", 0), stroke(1, crosscourt=YES)).state
    assert corrected(state, 2, points=1).now.marker == -1


def test_a_ruled_call_has_the_measured_points_unless_points_are_given() -> None:
    state = play(FIRST, serve("left", 0), stroke(2, in_singles=-1.0)).state
    assert corrected(state, 2, "in").now.points == 2
    assert corrected(state, 2, "in", 1).now.points == 1


# Earlier strokes of the rally


def test_points_of_an_earlier_stroke_move_the_marker_from_there() -> None:
    state = play(FIRST, serve("left", 1), stroke(1), stroke(1)).state
    event = corrected(state, 1, points=0)
    assert [now.number for now in event.changed] == [2, 3]
    after = correct(state, 1, points=0).state
    assert (markers(state), markers(after), after.marker) == ([1, 0, 1], [0, -1, 0], 0)


def test_a_rally_that_ends_earlier_makes_void_what_was_played_after() -> None:
    state = play(FIRST, serve("left", 1), stroke(1), stroke(1), stroke(0)).state
    after = correct(state, 2, "out")
    assert calls(after.state) == ["in", "out", "void", "void"]
    assert after.state.score.points == (1, 0)
    assert after.state.waiting == ServeAwaited("A1", "left", "right", 1)
    event = after.events[0]
    assert isinstance(event, Corrected)
    assert [(now.number, now.call, now.points) for now in event.changed] == [
        (3, "void", None),
        (4, "void", None),
    ]
    assert all(now.rally_winner is None for now in event.changed)


def test_a_rally_that_ended_and_then_ends_earlier_goes_to_whom_the_ruling_gives_it() -> None:
    state = play(FIRST, serve("left", 1), stroke(1), NET).state
    assert state.score.points == (0, 1)
    after = correct(state, 2, "out").state
    assert (calls(after), after.score.points) == (["in", "out", "void"], (1, 0))


def test_points_that_reach_point_earlier_make_a_winner_and_void_the_rest() -> None:
    state = play(FIRST, serve("left", 2), stroke(0), stroke(0), stroke(2)).state
    after = correct(state, 3, points=1).state
    assert (calls(after), after.score.points) == (["in", "in", "winner", "void"], (1, 0))


def test_a_winner_that_no_more_reaches_point_leaves_the_rally_open() -> None:
    state = play(FIRST, serve("left", 1), stroke(0), stroke(2)).state
    after = correct(state, 1, points=0).state
    assert (calls(after), after.score, after.marker) == (["in", "in", "in"], Score(), 2)
    assert after.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


def test_a_serve_ruled_a_fault_makes_the_rally_void_and_a_second_serve_due() -> None:
    state = play(FIRST, serve("left", 1), stroke(1), stroke(1)).state
    after = correct(state, 1, "fault").state
    assert calls(after) == ["fault", "void", "void"]
    assert (after.waiting, after.marker) == (ServeAwaited("A1", "right", "left", 2), 0)
    second = play(after, serve("left", 2)).state
    assert (calls(second)[-1], second.marker) == ("in", 2)


def test_a_let_ruled_a_fault_costs_the_attempt_it_should_have() -> None:
    state = play(FIRST, let(FIRST), NET).state
    assert calls(state) == ["let", "fault"]
    after = correct(state, 1, "fault").state
    assert (calls(after), after.score.points) == (["fault", "double-fault"], (0, 1))


def test_a_fault_ruled_a_let_gives_the_attempt_back() -> None:
    state = play(FIRST, NET, NET).state
    after = correct(state, 1, "let").state
    assert (calls(after), after.score) == (["let", "fault"], Score())
    assert after.waiting == ServeAwaited("A1", "right", "left", 2)


def test_a_fault_ruled_a_let_makes_the_serve_after_it_a_first_one() -> None:
    """With the first serve's bonus."""
    state = play(ADVANCED, NET, serve("left", 1)).state
    after = correct(state, 1, "let").state
    assert (state.marker, after.marker) == (1, 2)


def test_a_fault_ruled_good_after_the_second_serve_was_played_counts_the_second() -> None:
    """What was played stands: nobody returned the first."""
    state = play(FIRST, NET, serve("left", 2), stroke(1)).state
    after = correct(state, 1, "in", 1).state
    assert (calls(after), after.marker) == (["in", "in", "in"], 1)
    assert after.waiting == ReturnAwaited("A1", False, (0.0, 0.0))


def test_a_fault_ruled_an_ace_after_the_rally_was_played_on() -> None:
    state = play(FIRST, NET, serve("left", 1), stroke(1), NET).state
    assert state.score.points == (0, 1)
    after = correct(state, 1, "ace").state
    assert (calls(after), after.score.points) == (["ace", "void", "void", "void"], (1, 0))
    assert after.waiting == ServeAwaited("A1", "left", "right", 1)


def test_a_serve_ruled_to_point_puts_the_return_under_pressure() -> None:
    state = play(FIRST, serve("left", 1), stroke(0), stroke(1)).state
    after = correct(state, 1, points=3).state
    assert (calls(after), after.score.points) == (["in", "in", "void"], (1, 0))


def test_a_serve_ruled_short_of_point_takes_the_pressure_off() -> None:
    state = play(ADVANCED, serve("left", 2), stroke(0)).state
    assert state.score.points == (1, 0)
    after = correct(state, 1, points=2).state
    assert (calls(after), after.marker) == (["in", "in"], 2)
    assert after.waiting == ReturnAwaited("A1", False, (0.0, 0.0))


def test_under_pressure_ruled_points_tell_whether_the_return_earned_any() -> None:
    state = play(ADVANCED, serve("left", 2), stroke(0)).state
    after = correct(state, 2, points=1).state
    assert (after.score, after.marker) == (Score(), 2)
    back = correct(after, 2, points=0).state
    assert (back.score.points, calls(back)) == ((1, 0), ["in", "in"])


# To itself, twice, undone


@pytest.mark.parametrize(
    "landing", [serve("left", 1), NET, serve("left", ace=YES), let(FIRST), OFF_BOARD, serve("left", 3)]
)
def test_a_serves_call_corrected_to_itself_changes_nothing(landing: Landing) -> None:
    state = play(FIRST, landing).state
    now = state.strokes[0].called
    for points in (None, now.points):
        after = correct(state, 1, now.call, points)
        assert after == Step(state, (Corrected(now, now, (), state.score),))


@pytest.mark.parametrize("landing", [stroke(1), stroke(0), OUT, NET, OFF_BOARD, stroke(3)])
def test_a_rally_strokes_call_corrected_to_itself_changes_nothing(landing: Landing) -> None:
    state = play(FIRST, serve("left", 0), landing, *([stroke(1)] if landing == stroke(1) else [])).state
    now = state.strokes[1].called
    for points in (None, now.points):
        assert correct(state, 2, now.call, points).state == state


def test_a_double_fault_corrected_to_itself_changes_nothing() -> None:
    state = play(FIRST, NET, NET).state
    assert correct(state, 2, "double-fault").state == state
    assert correct(state, 2, "fault").state == state


def test_a_ruled_call_corrected_to_itself_changes_nothing() -> None:
    state = correct(play(FIRST, serve("left", 1)).state, 1, points=2).state
    assert correct(state, 1, "in").state == state
    assert correct(state, 1, "in", 2).state == state
    assert state.marker == 2


def test_a_second_ruling_replaces_the_first() -> None:
    state = play(FIRST, serve("left", 1), stroke(1)).state
    twice = correct(correct(state, 2, "out").state, 2, "net")
    event = twice.events[0]
    assert isinstance(event, Corrected)
    assert (event.was.call, event.now.call) == ("out", "net")
    once = correct(state, 2, "net").state
    assert (twice.state.standing, twice.state.strokes) == (once.standing, once.strokes)


def test_ruled_points_leave_a_ruled_call() -> None:
    state = play(FIRST, serve("left", 0), OUT).state
    ruled = correct(state, 2, "in").state
    after = correct(ruled, 2, points=2).state
    assert (calls(after), after.marker) == (["in", "in"], -2)


def test_two_strokes_can_be_ruled_in_any_order() -> None:
    state = play(FIRST, serve("left", 1), stroke(1), stroke(0)).state
    one = correct(correct(state, 1, points=2).state, 2, points=0).state
    two = correct(correct(state, 2, points=0).state, 1, points=2).state
    assert (one.standing, one.strokes) == (two.standing, two.strokes)
    assert markers(one) == [2, 2, 2]


def test_a_voided_stroke_comes_back_with_what_voided_it() -> None:
    state = play(FIRST, serve("left", 1), stroke(1), stroke(1)).state
    void = correct(state, 1, "fault").state
    with pytest.raises(IllegalAction, match="stroke-is-void"):
        correct(void, 2, "out")
    back = correct(void, 1, "in").state
    assert [s.called for s in back.strokes[1:]] == [s.called for s in state.strokes[1:]]
    assert back.marker == state.marker


# What a ruling leaves as it is


def test_a_moved_ball_stays_moved() -> None:
    state = play(FIRST, serve("left", 1), NET, serve("right", 1), lay(ELSEWHERE)).state
    assert isinstance(state.waiting, PlacementAwaited)
    after = correct(state, 2, "winner").state
    assert after.waiting == state.waiting
    agreed = play(after, *press("confirm", "A", "B")).state
    ruled = correct(agreed, 2, "out").state
    assert ruled.waiting == ReturnAwaited("B1", False, (100.0, 50.0))
