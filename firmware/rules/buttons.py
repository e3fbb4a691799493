"""What may be pressed, and why something may not. Checks only: what a press does is in `engine.py`."""

from typing import Final, get_args

from firmware.rules.actions import Button, Reason
from firmware.rules.landing import Side
from firmware.rules.placing import is_held
from firmware.rules.setup import side_of
from firmware.rules.state import FlickFaultInQuestion, ServeAwaited, State, WrongPlace

BUTTONS: Final[tuple[Button, ...]] = get_args(Button)


def refusal(state: State, button: Button, side: Side) -> Reason | None:
    """Why `side` may not press this now; None if it may."""
    match button:
        case "confirm":
            return _no_confirmation(state, side)
        case "challenge":
            return None if _decides(state, side) else "nothing-to-contest"
        case "flick-fault":
            return _no_flick_fault(state, side)
        case "undo":
            return None if state.undoable else "nothing-to-undo"


def _decides(state: State, side: Side) -> bool:
    """A flick fault is in question, and it is for this side to confirm or contest it (SM-20)."""
    questioned = isinstance(state.standing.hold, FlickFaultInQuestion)
    return questioned and side_of(state.strokes[-1].called.seat) == side


def _no_confirmation(state: State, side: Side) -> Reason | None:
    standing = state.standing
    if isinstance(standing.hold, FlickFaultInQuestion):
        return None if _decides(state, side) else "nothing-to-confirm"
    if standing.outcome is None and is_held(standing):
        agreed = standing.hold.agreed if isinstance(standing.hold, WrongPlace) else ()
        return "already-agreed" if side in agreed else None
    waiting = state.waiting
    if isinstance(waiting, ServeAwaited) and side_of(waiting.seat) == side:
        return None
    if not state.strokes or state.strokes[-1].called.call == "void":
        return "nothing-to-confirm"
    if side not in standing.accepted:
        return None
    return "nothing-to-confirm" if standing.outcome is None else "match-over"


def _no_flick_fault(state: State, side: Side) -> Reason | None:
    if isinstance(state.standing.hold, FlickFaultInQuestion):
        return "decide-first"
    if not state.strokes:
        return "no-stroke-yet"
    last = state.strokes[-1].called
    if last.call == "void":
        return "stroke-is-void"
    if side_of(last.seat) == side:
        return "opponent-calls-flick-faults"
    if last.call == "fault" or last.rally_winner == side:
        return "already-a-fault"
    return "call-was-accepted" if side in state.standing.accepted else None
