"""What was undone, and can be done again: something lay on a button, or one side alone held it.

States and actions in, an action out; what becomes of it is the chair's.
"""

from firmware.match import Measured
from firmware.rules import Action, IllegalAction, State, Stroke, StrokeRefused, step

Again = tuple[Action, Measured | None]
"""An action, and what was measured of it, for a stroke."""


class TakenBack:
    """The latest first; until anything else is done that could be undone itself."""

    def __init__(self) -> None:
        self._taken_back: tuple[Again, ...] = ()
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
            self._taken_back = (*self._taken_back, (action, of_stroke))
        elif len(after.undoable) > len(before.undoable):
            done = after.actions[after.undoable[-1]]
            is_again = bool(self._taken_back) and self._taken_back[-1][0] == done
            self._taken_back = self._taken_back[:-1] if is_again else ()
            if measured is not None:
                self._measured[len(after.strokes)] = measured

    def latest(self, state: State) -> Again | None:
        """What can be done again in this state; None if there is nothing, or the rules do not allow it."""
        if not self._taken_back:
            return None
        action, measured = self._taken_back[-1]
        if isinstance(action, Stroke) and measured is None:
            return None
        try:
            events = step(state, action).events
        except IllegalAction:
            return None
        return None if any(isinstance(event, StrokeRefused) for event in events) else (action, measured)
