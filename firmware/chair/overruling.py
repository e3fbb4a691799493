"""Overruling: the calls that a stroke can be given, and two sides that step through them and agree.

Values in, values out: which buttons are pressed, and what is drawn of it, is not known here.
"""

from dataclasses import dataclass, replace
from typing import Final

import msgspec

from firmware.gestures import Meaning
from firmware.rules import Called, Correct, IllegalAction, Played, ServeAwaited, Side, State, start, step
from firmware.rules.events import Call, Corrected
from firmware.rules.setup import POINT

CHOICES_S: Final = 60.0
"""So long, in seconds, choices stand that nobody touches."""
_MOST_POINTS: Final = 2 * POINT
"""They bring the marker from the opponent's POINT! to one's own: more do nothing that these do not."""
_SERVES: Final[tuple[Call, ...]] = ("in", "let", "ace", "fault")
_RETURNS: Final[tuple[Call, ...]] = ("in", "out", "net", "flick-fault")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a stroke could be called: the ruling, and the call that it comes to."""

    ruling: Correct
    called: Called
    """Its `score` is the present one, not what the ruling would make of it."""


@dataclass(frozen=True, slots=True)
class Overruling:
    """Both sides look for another call of `stroke`. `at`: the highlighted choice; `agreed`: the sides
    that have confirmed it."""

    stroke: Played
    choices: tuple[Choice, ...]
    """The present call first; no two of them do the same."""
    at: int = 0
    agreed: tuple[Side, ...] = ()

    @property
    def choice(self) -> Choice:
        """The highlighted choice."""
        return self.choices[self.at]

    def stepped(self) -> "Overruling":
        """The next choice highlighted; what was agreed on the former one is over."""
        return replace(self, at=(self.at + 1) % len(self.choices), agreed=())

    def confirmed(self, side: Side) -> "Overruling":
        """With the agreement of `side`, given once."""
        return self if side in self.agreed else replace(self, agreed=(*self.agreed, side))

    def after(self, meaning: Meaning, side: Side) -> "Overruling | None":
        """What is left of it after what a side did; None if that left it."""
        match meaning:
            case "challenge":
                return self.stepped()
            case "flick-fault":
                return self.stepped().stepped()  # two presses, begun before the dialog
            case "confirm":
                return self.confirmed(side)
            case _:
                return None  # CONFIRM held

    @property
    def decided(self) -> bool:
        """Both sides have agreed."""
        return len(self.agreed) == 2


def overruling_of_last(state: State) -> Overruling | None:
    """The choices for the last stroke that counts; None if there is none.

    A choice that does what an earlier one does (a winner with yet more points) is left out.
    """
    last = last_that_counts(state)
    if last is None:
        return None
    number, called = last.called.number, last.called
    choices = [Choice(Correct(number, called.call, called.points), called)]
    calls = _SERVES if isinstance(last.awaited, ServeAwaited) else _RETURNS
    for call in calls:
        for points in range(_MOST_POINTS + 1) if call == "in" else (None,):
            ruling = Correct(number, call, points)
            now = ruled_as(state, ruling)
            if now is not None and all(_effect(now) != _effect(choice.called) for choice in choices):
                choices.append(Choice(ruling, now))
    return Overruling(last, tuple(choices))


def last_that_counts(state: State) -> Played | None:
    """The last stroke that is not void; None if there is none."""
    return next((each for each in reversed(state.strokes) if each.called.call != "void"), None)


def ruled_as(state: State, ruling: Correct) -> Called | None:
    """What a ruling makes of its stroke, with the present score; None if the stroke cannot be ruled so.

    A stroke's call hangs on its own rally alone, so that one is all that is counted anew: a match of
    hundreds of strokes would take seconds, for a dozen choices, on a small computer.
    """
    if not 1 <= ruling.number <= len(state.strokes):
        return None
    stroke = state.strokes[ruling.number - 1]
    rally = tuple(each for each in state.strokes if each.rally == stroke.rally)
    alone = msgspec.structs.replace(start(state.setup), strokes=rally)
    place = next(n for n, each in enumerate(rally, start=1) if each is stroke)
    try:
        after = step(alone, msgspec.structs.replace(ruling, number=place))
    except IllegalAction:
        return None
    now = next(event.now for event in after.events if isinstance(event, Corrected))
    return msgspec.structs.replace(now, number=ruling.number, score=state.score)


def _effect(called: Called) -> tuple[Call, int, Side | None]:
    return called.call, called.marker, called.rally_winner
