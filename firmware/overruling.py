"""Overruling: the calls that a stroke can be given, and two sides that step through them and agree.

Values in, values out: which buttons are pressed, and what is drawn of it, is not known here.
"""

from dataclasses import dataclass, replace
from typing import Final

from firmware.rules import Called, Correct, IllegalAction, ServeAwaited, Side, State, step
from firmware.rules.events import Call, Corrected

_MOST_POINTS: Final = 6
"""A zone of 3 and all bonuses: more is seldom meant, and nobody wants to step through it."""
_SERVES: Final[tuple[Call, ...]] = ("in", "let", "ace", "fault")
_RETURNS: Final[tuple[Call, ...]] = ("in", "out", "net", "flick-fault")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a stroke could be called: the ruling, and the call that it would come to."""

    ruling: Correct
    called: Called


@dataclass(frozen=True, slots=True)
class Overruling:
    """Both sides look for another call of stroke `number`. `at`: the highlighted choice; `agreed`:
    the sides that have confirmed it."""

    number: int
    choices: tuple[Choice, ...]
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

    @property
    def decided(self) -> bool:
        """Both sides have agreed."""
        return len(self.agreed) == 2


def overruling_of_last(state: State) -> Overruling | None:
    """The choices for the last stroke that counts, as it is called now first; None if there is none."""
    last = next((each for each in reversed(state.strokes) if each.called.call != "void"), None)
    if last is None:
        return None
    calls = _SERVES if isinstance(last.awaited, ServeAwaited) else _RETURNS
    number = last.called.number
    rulings = [
        Correct(number, call, points)
        for call in calls
        for points in (range(_MOST_POINTS + 1) if call == "in" else (None,))
    ]
    choices = [Choice(Correct(number, last.called.call, last.called.points), last.called)]
    for ruling in rulings:
        try:
            after = step(state, ruling)
        except IllegalAction:
            continue
        now = next(event.now for event in after.events if isinstance(event, Corrected))
        if all(_read(now) != _read(choice.called) for choice in choices):
            choices.append(Choice(ruling, now))
    return Overruling(number, tuple(choices))


def _read(called: Called) -> tuple[Call, int | None]:
    return called.call, called.points
