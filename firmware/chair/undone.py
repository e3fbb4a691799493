"""What was undone, and can be done again: something lay on a button, or one side alone held it.

States and actions in, actions out; what becomes of them is the chair's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.match import BOTH_SIDES, Match, Measured
from firmware.rules import Action, IllegalAction, Lay, Press, State, Stroke, StrokeRefused, step
from firmware.rules.landing import Place
from firmware.rules.state import WrongPlace


@dataclass(frozen=True, slots=True)
class _Undone:
    """An action that was undone, and what was `measured` of it, for a stroke; `agreed`: it was the second
    side's agreement to play on with the ball where it lay, and there is where that was."""

    action: Action
    measured: Measured | None = None
    agreed: WrongPlace | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """What does something again: actions, one after the other, and what was `measured` of the last."""

    actions: tuple[Action, ...]
    measured: Measured | None = None


class TakenBack:
    """The latest first; until anything else is done that could be undone itself."""

    def __init__(self) -> None:
        self._taken_back: tuple[_Undone, ...] = ()
        self._measured: dict[int, Measured] = {}

    @property
    def any(self) -> bool:
        """Whether there is something."""
        return bool(self._taken_back)

    def note(self, before: State, after: State, measured: Measured | None) -> None:
        """An action led from one state to the other; `measured` of a stroke."""
        if len(after.undoable) < len(before.undoable):
            action = before.actions[before.undoable[-1]]
            of_stroke = self._measured.get(len(before.strokes)) if isinstance(action, Stroke) else None
            agreed = _agreed(after, action)
            place = None if agreed is None else _place(after.actions, agreed)
            self._taken_back = (*self._taken_back, _Undone(action, of_stroke, agreed, place))
        elif len(after.undoable) > len(before.undoable):
            is_again = bool(self._taken_back) and _is_again(self._taken_back[-1], before, after)
            self._taken_back = self._taken_back[:-1] if is_again else ()
            if measured is not None:
                self._measured[len(after.strokes)] = measured

    def latest(self, match: Match) -> Again | None:
        """What can be done again as the match stands; None if there is nothing, or the rules do not allow
        it. An agreement is done again whole, at the place that was agreed on, wherever the ball lies now."""
        if not self._taken_back:
            return None
        undone, state = self._taken_back[-1], match.state
        if isinstance(undone.action, Stroke) and undone.measured is None:
            return None
        actions = (undone.action,) if undone.agreed is None else _agreement(undone, undone.agreed, match)
        try:
            for action in actions:
                after = step(state, action)
                if any(isinstance(event, StrokeRefused) for event in after.events):
                    return None
                state = after.state
        except IllegalAction:
            return None
        return Again(actions, undone.measured) if _is_again(undone, match.state, state) else None


def _agreed(before: State, action: Action) -> WrongPlace | None:
    """What both sides agreed on, if an action did that which was undoable: the same press admits a flick
    fault, too."""
    hold = before.standing.hold
    confirms = isinstance(action, Press) and action.button == "confirm"
    return hold if confirms and isinstance(hold, WrongPlace) else None


def _place(actions: Sequence[Action], agreed: WrongPlace) -> Place | None:
    """Where the ball lay then, with the facts of that place; None if no action told it."""
    for action in reversed(actions):
        match action:
            case Lay(place=place) if place.at_mm == agreed.at_mm:
                return place
            case Stroke(landing=landing) if landing.start.at_mm == agreed.at_mm:
                return landing.start
            case _:
                pass
    return None


def _agreement(undone: _Undone, agreed: WrongPlace, match: Match) -> tuple[Action, ...]:
    """Both sides agree to play on from there, who has not yet."""
    hold = match.state.standing.hold
    if isinstance(hold, WrongPlace) and hold.at_mm == agreed.at_mm:
        return tuple(Press("confirm", side) for side in BOTH_SIDES if side not in hold.agreed)
    presses = tuple(Press("confirm", side) for side in BOTH_SIDES)
    if agreed.at_mm is None:
        return presses
    lay = match.lay_of(agreed.at_mm) if undone.place is None else Lay(undone.place)
    return (lay, *presses)


def _is_again(undone: _Undone, before: State, after: State) -> bool:
    """Whether what led from one state to the other is what was undone. Of an agreement it does not matter
    who was the second to agree."""
    if len(after.undoable) <= len(before.undoable):
        return False
    done = after.actions[after.undoable[-1]]
    if undone.agreed is None:
        return done == undone.action
    is_agreement = isinstance(done, Press) and done.button == "confirm"
    # Where the rules had not been told of a place, there was none to agree on.
    return is_agreement and undone.agreed.at_mm in (None, after.standing.ball_mm)
