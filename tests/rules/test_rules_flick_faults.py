"""Flick faults: called by the opponent, confirmed or contested by the striker (rulebook, The Flick,
Direct Fault; SM-12, SM-20)."""

import pytest

from firmware.rules import (
    Called,
    Correct,
    Corrected,
    DecisionAwaited,
    FlickFaultCalled,
    FlickFaultContested,
    IllegalAction,
    Lay,
    Options,
    Outcome,
    Placed,
    PlacementAsked,
    PlacementAwaited,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    State,
    legal,
    start,
    step,
)
from tests.rules.builder import (
    ELSEWHERE,
    NET,
    YES,
    called,
    calls,
    lay,
    let,
    place,
    play,
    press,
    rallies,
    serve,
    stroke,
)

FIRST = start(Setup())
CALLED_BY_A, CALLED_BY_B = press("flick-fault", "A"), press("flick-fault", "B")


def confirmed(state: State) -> Called:
    """The stroke as it stands, after its striker confirmed the fault."""
    events = play(state, *CALLED_BY_A, *press("confirm", "B")).events
    corrected = events[1]
    assert isinstance(corrected, Corrected)
    return corrected.now


def returned() -> State:
    """B's return has come to rest at (-50, 5)."""
    start_at = place(at_mm=(30.0, 40.0))
    return play(
        FIRST,
        serve("left", 1, rest_mm=(30.0, 40.0)),
        stroke(2, start=start_at, rest_mm=(-50.0, 5.0)),
    ).state


def test_the_flick_a_fault_is_called_by_the_opponent() -> None:
    after = play(returned(), *CALLED_BY_A)
    assert after.events == (FlickFaultCalled(2, "B1"),)
    assert after.state.waiting == DecisionAwaited("B1", 2)


def test_sm_20_the_striker_cannot_call_it_on_himself() -> None:
    with pytest.raises(IllegalAction, match="opponent-calls-flick-faults"):
        play(returned(), *CALLED_BY_B)


def test_sm_20_nothing_is_played_until_it_is_decided() -> None:
    state = play(returned(), *CALLED_BY_A).state
    with pytest.raises(IllegalAction, match="decide-first"):
        play(state, stroke())
    with pytest.raises(IllegalAction, match="decide-first"):
        play(state, *CALLED_BY_A)
    assert legal(state, "A1") == ("lay", "undo")
    assert legal(state, "B1") == ("lay", "confirm", "challenge", "undo")
    assert play(state, lay(ELSEWHERE)).state == state


@pytest.mark.parametrize("button", ["confirm", "challenge"])
def test_sm_20_only_the_striker_decides(button: str) -> None:
    state = play(returned(), *CALLED_BY_A).state
    reason = "nothing-to-confirm" if button == "confirm" else "nothing-to-contest"
    with pytest.raises(IllegalAction, match=reason):
        play(state, *press(button, "A"))  # type: ignore[arg-type]


def test_sm_20_confirmed_in_a_rally_it_is_lost() -> None:
    state = returned()
    now = confirmed(state)
    assert (now.call, now.points, now.marker, now.rally_winner, now.ruled) == ("flick-fault", 0, 1, "A", True)
    after = play(state, *CALLED_BY_A, *press("confirm", "B"))
    assert after.events[2:] == (RallyWon("A", Score((1, 0))),)
    assert after.state.waiting == ServeAwaited("A1", "left", "right", 1)


def test_sm_12_a_flick_fault_is_a_direct_fault_whatever_was_won() -> None:
    """Even a winning shot."""
    state = play(FIRST, serve("left", 0), stroke(2), stroke(0), stroke(2)).state
    assert state.score.points == (0, 1)
    now = confirmed(state)
    assert (now.call, now.rally_winner, now.score) == ("flick-fault", "A", Score((1, 0)))


def test_sm_20_on_a_first_serve_it_is_a_fault() -> None:
    state = play(FIRST, serve("left", 2)).state
    after = play(state, *CALLED_BY_B, *press("confirm", "A"))
    assert calls(after.state) == ["fault"]
    assert after.state.waiting == ServeAwaited("A1", "right", "left", 2)
    assert after.state.marker == 0


def test_sm_20_on_a_second_serve_it_is_a_double_fault() -> None:
    state = play(FIRST, NET, serve("left", 2), *CALLED_BY_B, *press("confirm", "A")).state
    assert calls(state) == ["fault", "double-fault"]
    assert state.score.points == (0, 1)


def test_sm_20_on_a_beginners_second_serve_the_ball_is_laid_on_the_0() -> None:
    state = start(Setup(preset="discovery"))
    after = play(state, NET, serve("left", 2), *CALLED_BY_B, *press("confirm", "A"))
    assert after.events[-1] == PlacementAsked("A1", "zero", None, "left", None)
    assert calls(after.state) == ["fault", "fault"]


def test_sm_20_an_ace_and_a_let_can_be_badly_flicked() -> None:
    for served in (serve("left", ace=YES), let(FIRST)):
        state = play(FIRST, served, *CALLED_BY_B, *press("confirm", "A")).state
        assert (calls(state), state.score.points) == (["fault"], (0, 0))
        assert state.waiting == ServeAwaited("A1", "right", "left", 2)


def test_sm_20_contested_the_stroke_is_played_again_from_the_former_rest() -> None:
    after = play(returned(), *CALLED_BY_A, *press("challenge", "B"))
    again = PlacementAsked("B1", "again", None, None, (30.0, 40.0))
    assert after.events[1:] == (FlickFaultContested(2, "B1", Score()), again)
    state = after.state
    assert (calls(state), state.marker) == (["in", "void"], 1)
    assert state.waiting == PlacementAwaited("B1", "again", None, None, (30.0, 40.0))
    back = play(state, Lay(place(at_mm=(31.0, 40.0))))
    assert back.events == (Placed("B1", "again"),)
    assert back.state.waiting == ReturnAwaited("B1", False, (30.0, 40.0))
    event = called(back.state, stroke(1))
    assert (event.number, event.seat, event.marker) == (3, "B1", 0)


def test_sm_20_a_replay_from_elsewhere_does_not_count() -> None:
    state = play(returned(), *CALLED_BY_A, *press("challenge", "B")).state
    from_rest = play(state, stroke(2, start=place(at_mm=(-50.0, 5.0))))
    assert len(from_rest.state.strokes) == 2
    assert from_rest.state.waiting == PlacementAwaited("B1", "again", None, None, (30.0, 40.0))
    elsewhere = play(from_rest.state, lay(ELSEWHERE)).state
    assert elsewhere.waiting == state.waiting
    both = play(elsewhere, *press("confirm", "A", "B")).state
    assert both.waiting == ReturnAwaited("B1", False, (100.0, 50.0))


def test_sm_20_a_beginners_contested_return_is_replayed_from_the_0() -> None:
    state = play(start(Setup(preset="discovery")), NET, NET, lay(place(at_mm=(75.0, 24.0)))).state
    state = play(state, stroke(1, start=place(at_mm=(75.0, 24.0)))).state
    after = play(state, *CALLED_BY_A, *press("challenge", "B"))
    assert after.events[-1] == PlacementAsked("B1", "again", None, None, (75.0, 24.0))
    assert after.state.waiting == PlacementAwaited("B1", "again", None, None, (75.0, 24.0))
    back = play(after.state, lay(place(at_mm=(75.0, 24.0)))).state
    assert back.waiting == ReturnAwaited("B1", False, (75.0, 24.0))
    ruled = play(back, Correct(2, "out")).state  # says what it was called anyway
    assert ruled.waiting == back.waiting


def test_sm_20_a_contested_serve_may_be_played_again_from_an_agreed_place() -> None:
    state = play(FIRST, lay(ELSEWHERE), *press("confirm", "A", "B")).state
    state = play(state, serve("left", 1, start=ELSEWHERE), *CALLED_BY_B, *press("challenge", "A")).state
    assert called(state, serve("left", 1, start=ELSEWHERE)).call == "in"


@pytest.mark.parametrize("attempt", [1, 2])
def test_sm_20_a_contested_serve_is_served_again_with_the_same_attempt(attempt: int) -> None:
    state = play(FIRST, *[NET] * (attempt - 1), serve("left", 2)).state
    after = play(state, *CALLED_BY_B, *press("challenge", "A"))
    assert after.state.waiting == ServeAwaited("A1", "right", "left", attempt)
    assert after.state.marker == 0
    assert calls(after.state)[-1] == "void"


def test_sm_20_a_badly_flicked_return_under_pressure_is_lost() -> None:
    state = play(start(Setup(preset="advanced")), serve("left", 2), stroke(2)).state
    now = confirmed(state)
    assert (now.call, now.points, now.marker, now.rally_winner) == ("flick-fault", 0, 3, "A")


def test_sm_20_a_contested_return_stays_under_pressure() -> None:
    state = start(Setup(preset="advanced"))
    state = play(state, serve("left", 2), stroke(1), *CALLED_BY_A, *press("challenge", "B"), lay()).state
    assert state.waiting == ReturnAwaited("B1", True, (0.0, 0.0))
    assert state.marker == 3


def test_sm_20_a_contested_winner_takes_the_rally_back() -> None:
    state = play(FIRST, serve("left", 0), stroke(2), stroke(0), stroke(2)).state
    after = play(state, *CALLED_BY_A, *press("challenge", "B"))
    assert after.state.score == Score()
    assert after.state.marker == -2


def test_sm_20_the_last_stroke_of_a_match_can_be_called() -> None:
    match_point = rallies(start(Setup(preset="children")), "A" * 11)
    over = play(match_point, stroke(0), stroke(0, passed_net=-9.0)).state
    if over.outcome is None:  # B served the twelfth rally
        over = play(match_point, stroke(0), stroke(0), stroke(0, passed_net=-9.0)).state
    assert over.outcome == Outcome("A", "points")
    with pytest.raises(IllegalAction, match="already-a-fault"):
        play(over, *CALLED_BY_A)


def test_sm_20_a_match_that_a_flick_fault_undoes_goes_on() -> None:
    state = start(Setup(sets_to_win=1, chosen=Options()))
    over = play(rallies(state, "A" * 11), serve("right", ace=YES)).state
    assert over.outcome == Outcome("A", "sets")
    question = play(over, *CALLED_BY_B).state
    assert question.waiting == DecisionAwaited("A1", len(over.strokes))
    again = play(question, *press("challenge", "A")).state
    assert (again.outcome, again.score.points, again.score.games) == (None, (3, 0), (2, 0))
    assert again.waiting == ServeAwaited("A1", "left", "right", 1)
    confirmed_state = play(question, *press("confirm", "A")).state
    assert confirmed_state.waiting == ServeAwaited("A1", "left", "right", 2)


# When it can be called


def test_sm_20_no_stroke_no_fault() -> None:
    with pytest.raises(IllegalAction, match="no-stroke-yet"):
        play(FIRST, *CALLED_BY_B)


@pytest.mark.parametrize("faults", [[NET], [serve("left", 1), NET], [NET, NET]])
def test_sm_20_a_fault_is_not_called_twice(faults: list[object]) -> None:
    state = play(FIRST, *faults).state  # type: ignore[arg-type]
    caller = press("flick-fault", "A" if len(faults) == 2 and faults[0] is not NET else "B")
    with pytest.raises(IllegalAction, match="already-a-fault"):
        play(state, *caller)


def test_sm_20_an_accepted_call_is_not_called_a_flick_fault() -> None:
    state = play(FIRST, serve("left", 1), *press("confirm", "B")).state
    with pytest.raises(IllegalAction, match="call-was-accepted"):
        play(state, *CALLED_BY_B)


def test_sm_20_acceptance_is_of_one_stroke() -> None:
    state = play(FIRST, serve("left", 1), *press("confirm", "B"), stroke(1), stroke(1)).state
    assert play(state, *CALLED_BY_B).state.waiting == DecisionAwaited("A1", 3)


def test_sm_20_a_void_stroke_cannot_be_called() -> None:
    state = play(returned(), *CALLED_BY_A, *press("challenge", "B")).state
    with pytest.raises(IllegalAction, match="stroke-is-void"):
        play(state, *CALLED_BY_A)


def test_sm_20_it_can_be_called_while_a_moved_ball_is_put_back() -> None:
    state = play(returned(), lay(ELSEWHERE)).state
    after = play(state, *CALLED_BY_A, *press("confirm", "B")).state
    assert after.waiting == ServeAwaited("A1", "left", "right", 1)


def test_a_confirmed_flick_fault_leaves_the_old_state_alone() -> None:
    state = returned()
    before = state
    play(state, *CALLED_BY_A, *press("confirm", "B"))
    assert step(state, stroke_of(1)).state == step(before, stroke_of(1)).state


def stroke_of(points: int) -> Lay:
    return lay(place(at_mm=(-50.0, 5.0 + points)))
