"""What may be pressed and done and why not, each reason once at least; undo; what a seat sees."""

from typing import get_args

import pytest

from firmware.rules import (
    Action,
    Button,
    CallAccepted,
    Correct,
    DecisionAwaited,
    IllegalAction,
    Landing,
    Lay,
    Options,
    Press,
    Reason,
    ReturnAwaited,
    ServeAwaited,
    ServerReady,
    Setup,
    State,
    Stroke,
    Undone,
    legal,
    start,
    step,
    view,
)
from firmware.rules.state import Refusal
from tests.rules.builder import (
    ELSEWHERE,
    NET,
    NO,
    OUT,
    YES,
    calls,
    correct,
    lay,
    play,
    press,
    rallies,
    serve,
    stroke,
)

FIRST = start(Setup())
CHILDREN = start(Setup(preset="children"))
OVER = rallies(start(Setup(sets_to_win=1)), "A" * 12)
GOOD, RETURN = serve("left", 1), stroke(1)
QUESTION = press("flick-fault", "B")


def press_one(button: Button, side: str) -> Press:
    return press(button, "A" if side == "A" else "B")[0]


REFUSED: list[tuple[Reason, State, list[Landing | Action], Action]] = [
    ("match-over", OVER, [], Stroke(NET)),
    ("decide-first", FIRST, [GOOD, *QUESTION], Stroke(RETURN)),
    ("decide-first", FIRST, [GOOD, *QUESTION], Correct(1, "out")),
    ("decide-first", FIRST, [GOOD, *QUESTION], press_one("flick-fault", "B")),
    ("nothing-to-confirm", FIRST, [], press_one("confirm", "B")),
    ("nothing-to-confirm", FIRST, [GOOD, *press("confirm", "A")], press_one("confirm", "A")),
    ("nothing-to-confirm", FIRST, [GOOD, *QUESTION], press_one("confirm", "B")),
    (
        "nothing-to-confirm",
        FIRST,
        [GOOD, *QUESTION, *press("challenge", "A")],
        press_one("confirm", "B"),
    ),
    ("already-agreed", FIRST, [lay(ELSEWHERE), *press("confirm", "A")], press_one("confirm", "A")),
    ("nothing-to-contest", FIRST, [], press_one("challenge", "A")),
    ("nothing-to-contest", FIRST, [GOOD], press_one("challenge", "A")),
    ("nothing-to-contest", FIRST, [GOOD, *QUESTION], press_one("challenge", "B")),
    ("no-stroke-yet", FIRST, [], press_one("flick-fault", "B")),
    ("no-stroke-yet", FIRST, [], Correct(1, "out")),
    ("call-was-accepted", FIRST, [GOOD, *press("confirm", "B")], press_one("flick-fault", "B")),
    ("opponent-calls-flick-faults", FIRST, [GOOD], press_one("flick-fault", "A")),
    ("already-a-fault", FIRST, [NET], press_one("flick-fault", "B")),
    ("already-a-fault", FIRST, [GOOD, OUT], press_one("flick-fault", "A")),
    ("already-a-fault", FIRST, [NET, NET], press_one("flick-fault", "B")),
    ("no-such-stroke", FIRST, [GOOD], Correct(2, "out")),
    ("no-such-stroke", FIRST, [GOOD], Correct(0, "out")),
    ("no-such-stroke", FIRST, [GOOD], Correct(-1, "out")),
    ("stroke-is-void", FIRST, [GOOD, RETURN, Correct(1, "fault")], Correct(2, "out")),
    ("stroke-is-void", FIRST, [GOOD, *QUESTION, *press("challenge", "A")], Correct(1, "in")),
    ("no-such-ruling", FIRST, [GOOD], Correct(1)),
    ("no-such-ruling", FIRST, [GOOD], Correct(1, "void")),
    ("no-such-ruling", FIRST, [GOOD], Correct(1, "void", 1)),
    ("no-such-ruling", FIRST, [GOOD, RETURN], Correct(2, "void")),
    ("first-serve-only-faults", FIRST, [NET], Correct(1, "double-fault")),
    ("first-serve-only-faults", FIRST, [GOOD], Correct(1, "double-fault")),
    ("no-aces-here", CHILDREN, [GOOD], Correct(1, "ace")),
    ("no-aces-here", start(Setup(chosen=Options(aces=False))), [GOOD], Correct(1, "ace")),
    ("no-points-for-that-call", FIRST, [GOOD], Correct(1, "ace", 1)),
    ("no-points-for-that-call", FIRST, [GOOD, OUT], Correct(2, "out", 1)),
    ("no-points-for-that-call", FIRST, [GOOD, RETURN], Correct(2, "net", -1)),
    ("points-out-of-range", FIRST, [GOOD], Correct(1, points=-1)),
    ("points-out-of-range", FIRST, [GOOD], Correct(1, points=10)),
    ("points-out-of-range", FIRST, [GOOD, RETURN], Correct(2, "winner", 10)),
    ("nothing-to-undo", FIRST, [], press_one("undo", "A")),
    ("nothing-to-undo", FIRST, [lay(ELSEWHERE)], press_one("undo", "A")),
    ("nothing-to-undo", FIRST, [GOOD, *press("undo", "A")], press_one("undo", "B")),
    ("not-a-number", FIRST, [], Stroke(stroke(passed_net=float("nan")))),
    ("serve-ruling-only", FIRST, [GOOD, RETURN], Correct(2, "let")),
    ("serve-ruling-only", FIRST, [GOOD, RETURN], Correct(2, "ace")),
    ("serve-ruling-only", FIRST, [GOOD, RETURN], Correct(2, "fault")),
    ("serve-ruling-only", FIRST, [GOOD, RETURN], Correct(2, "double-fault")),
    ("rally-ruling-only", FIRST, [GOOD], Correct(1, "winner")),
]
"""What is refused: the reason, the state it starts from, what was done before, and what is not done."""


@pytest.mark.parametrize(("reason", "state", "before", "action"), REFUSED)
def test_what_may_not_be_done_says_why(
    reason: Reason, state: State, before: list[Landing | Action], action: Action
) -> None:
    state = play(state, *before).state
    with pytest.raises(IllegalAction) as refused:
        step(state, action)
    assert (refused.value.reason, str(refused.value)) == (reason, reason)
    if isinstance(action, Press):
        seat = "A1" if action.side == "A" else "B1"
        assert Refusal(action.button, reason) in view(state, "A1" if seat == "A1" else "B1").may_not


def test_every_reason_can_be_met() -> None:
    assert {reason for reason, *_ in REFUSED} == set(get_args(Reason))


# What may be pressed


def test_before_the_first_serve_the_server_may_say_that_it_comes() -> None:
    assert legal(FIRST, "A1") == ("stroke", "lay", "confirm")
    assert legal(FIRST, "B1") == ("lay",)
    after = play(FIRST, *press("confirm", "A"))
    assert (after.events, after.state) == ((ServerReady("A1"),), FIRST)


def test_the_server_may_say_so_as_often_as_wanted() -> None:
    after = play(FIRST, *press("confirm", "A", "A"))
    assert (after.events, after.state) == ((ServerReady("A1"),) * 2, FIRST)


def test_after_a_stroke_a_side_may_accept_or_call_a_flick_fault() -> None:
    state = play(FIRST, GOOD).state
    assert legal(state, "A1") == ("lay", "correct", "confirm", "undo")
    assert legal(state, "B1") == ("stroke", "lay", "correct", "confirm", "flick-fault", "undo")
    accepted = play(state, *press("confirm", "B"))
    assert accepted.events == (CallAccepted("B", 1),)
    assert legal(accepted.state, "B1") == ("stroke", "lay", "correct", "undo")
    both = play(accepted.state, *press("confirm", "A"))
    assert both.events == (CallAccepted("A", 1),)
    assert legal(both.state, "A1") == ("lay", "correct", "undo")


def test_acceptance_of_the_next_stroke_is_asked_anew() -> None:
    state = play(FIRST, GOOD, *press("confirm", "A", "B"), RETURN).state
    assert {"confirm", "flick-fault"} <= set(legal(state, "A1"))
    assert play(state, *press("confirm", "A")).events == (CallAccepted("A", 2),)


def test_after_the_match_it_can_be_accepted_corrected_and_undone() -> None:
    assert legal(OVER, "A1") == ("lay", "correct", "confirm", "undo")
    assert play(OVER, *press("confirm", "B")).events == (CallAccepted("B", len(OVER.strokes)),)


def test_a_view_says_why_not() -> None:
    seen = view(FIRST, "B1")
    assert seen.may_press == ()
    assert seen.may_not == (
        Refusal("confirm", "nothing-to-confirm"),
        Refusal("challenge", "nothing-to-contest"),
        Refusal("flick-fault", "no-stroke-yet"),
        Refusal("undo", "nothing-to-undo"),
    )
    assert (seen.seat, seen.yours, seen.outcome) == ("B1", False, None)
    assert view(OVER, "B1").outcome == OVER.outcome


# Undo


@pytest.mark.parametrize("by", ["A", "B"])
def test_undo_of_a_stroke(by: str) -> None:
    state = play(FIRST, GOOD).state
    played = play(state, RETURN).state
    after = step(played, press_one("undo", by))
    assert after.state == state
    assert after.events == (Undone("stroke", 2, state.score),)


def test_undo_of_all_there_is_one_by_one() -> None:
    states = [FIRST]
    for landing in (NET, GOOD, RETURN, OUT, serve("right", 2)):
        states.append(play(states[-1], landing).state)
    state = states[-1]
    for former in reversed(states[:-1]):
        state = play(state, *press("undo", "A")).state
        assert state == former


@pytest.mark.parametrize("winners", ["AAAA", "AAAA" * 3, "AAAA" * 6])
def test_undo_across_the_end_of_a_game_a_set_and_the_match(winners: str) -> None:
    before = rallies(FIRST, winners[:-1])
    state = rallies(FIRST, winners)
    while len(state.strokes) > len(before.strokes):
        state = play(state, *press("undo", "B")).state
    assert state == before
    assert state.outcome is None


def test_undo_of_a_correction() -> None:
    state = play(FIRST, GOOD, RETURN).state
    ruled = correct(state, 1, "fault").state
    after = play(ruled, *press("undo", "A"))
    assert (after.state, after.events) == (state, (Undone("correction", None, state.score),))


def test_undo_of_a_stroke_after_a_correction() -> None:
    ruled = correct(play(FIRST, GOOD).state, 1, points=2).state
    after = play(ruled, RETURN, *press("undo", "A"))
    assert after.state == ruled
    assert play(after.state, *press("undo", "A")).state == play(FIRST, GOOD).state


def test_a_correction_that_changed_nothing_is_nothing_to_undo() -> None:
    state = play(FIRST, GOOD, RETURN).state
    same = correct(state, 2, "in").state
    assert play(same, *press("undo", "A")).state == play(FIRST, GOOD).state


def test_undo_of_a_flick_fault_and_of_its_decision() -> None:
    state = play(FIRST, GOOD).state
    question = play(state, *QUESTION).state
    for decision in ("confirm", "challenge"):
        decided = play(question, press_one("confirm" if decision == "confirm" else "challenge", "A")).state
        after = play(decided, *press("undo", "B"))
        assert (after.state, after.events) == (question, (Undone("flick-fault", None, state.score),))
    withdrawn = play(question, *press("undo", "B"))
    assert (withdrawn.state, withdrawn.events) == (state, (Undone("flick-fault", None, state.score),))
    assert question.waiting == DecisionAwaited("A1", 1)


def test_undo_of_an_agreement() -> None:
    one = play(FIRST, GOOD, lay(ELSEWHERE), *press("confirm", "A")).state
    after = play(
        one,
        *press(
            "confirm",
            "B",
        ),
        *press("undo", "A"),
    )
    assert (after.state, after.events[-1]) == (one, Undone("agreement", None, one.score))


def test_where_a_hand_laid_the_ball_is_not_undone_by_itself() -> None:
    state = play(FIRST, GOOD, lay(ELSEWHERE)).state
    after = play(state, *press("undo", "A")).state
    assert after == FIRST


def test_undo_before_a_lay_keeps_what_came_before_the_stroke() -> None:
    held = play(FIRST, lay(ELSEWHERE)).state
    state = play(held, GOOD, *press("undo", "A")).state
    assert state == held


def test_a_refused_stroke_is_nothing_to_undo() -> None:
    state = play(FIRST, serve("left", start=ELSEWHERE)).state
    assert "undo" not in legal(state, "A1")


def test_undo_leads_on_to_another_match() -> None:
    state = play(FIRST, NET, *press("undo", "A"), GOOD).state
    assert (calls(state), state.actions) == (["in"], (Stroke(GOOD),))
    assert state.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


def test_undo_of_a_second_serve_is_the_second_serve_again() -> None:
    state = play(FIRST, NET, serve("left", ace=YES, passed_net=NO), *press("undo", "A")).state
    assert state.waiting == ServeAwaited("A1", "right", "left", 2)


def test_a_step_leaves_the_state_it_was_given() -> None:
    state = play(FIRST, GOOD).state
    kept = (state.standing, state.strokes, state.actions, state.undoable)
    actions: list[Action] = [Stroke(OUT), Lay(ELSEWHERE), Correct(1, "ace"), *QUESTION, *press("undo", "A")]
    for action in actions:
        step(state, action)
        assert (state.standing, state.strokes, state.actions, state.undoable) == kept
