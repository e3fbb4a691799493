"""Fingers at the simulated table's buttons: what a person types becomes presses, as long as people press.

Words and times only; what a press leads to is known to gestures and chair.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, get_args

from firmware.errors import InputError
from firmware.gestures import HOLD_S, TWICE_S, Meaning
from firmware.rules import Side
from hardware.button import Button, Kind

_PRESS_S: Final = 0.12
_SOON_S: Final = 0.05
_APART_S: Final = 0.22
"""From the first of two presses to the second."""
_LONG_S: Final = HOLD_S + 0.2
_SETTLED_S: Final = 0.2
"""After a press has counted: its picture is on the panels by then."""

_BOTH: Final[tuple[Side, Side]] = ("A", "B")
_WORDS: Final[dict[str, Meaning]] = {word: word for word in get_args(Meaning)}
_OF_BOTH: Final[tuple[Meaning, ...]] = ("overrule", "menu")
HELP: Final = f"{', '.join(_WORDS)}; with a or b in front for that side's button"
"""What may be typed."""


@dataclass(frozen=True, slots=True)
class Pressing:
    """Buttons to be pressed so that it means this. `side` is None for what both do together."""

    meaning: Meaning
    side: Side | None


class Pressed(Protocol):
    """What is asked of the simulated buttons."""

    def press(self, button: Button, at_s: float, for_s: float) -> None:
        """A finger presses."""
        ...


class Fingers:
    """The fingers of both sides. `clock`: the buttons' seconds."""

    def __init__(self, buttons: Pressed, clock: Callable[[], float]) -> None:
        self._buttons = buttons
        self._clock = clock

    def do(self, pressing: Pressing) -> float:
        """Press what it takes; the second at which that has counted."""
        sides = _BOTH if pressing.side is None else (pressing.side,)
        match pressing.meaning:
            case "confirm":
                return self._press(sides, "confirm", _PRESS_S)
            case "challenge":
                return self._press(sides, "challenge", _PRESS_S) + TWICE_S
            case "flick-fault":
                self._press(sides, "challenge", _PRESS_S)
                return self._press(sides, "challenge", _PRESS_S, _APART_S)
            case "undo" | "menu":
                return self._press(sides, "confirm", _LONG_S)
            case "overrule":
                return self._press(sides, "challenge", _LONG_S)

    def _press(self, sides: tuple[Side, ...], kind: Kind, for_s: float, after_s: float = 0.0) -> float:
        at_s = self._clock() + _SOON_S + after_s
        for side in sides:
            self._buttons.press(Button(side, kind), at_s, for_s)
        return at_s + for_s + _SETTLED_S


def pressing(text: str, side: Side) -> Pressing | None:
    """The buttons that `text` names, such as "challenge" (of `side`) or "b confirm"; None if it begins with
    no such word. InputError if it goes on otherwise."""
    words = text.lower().split()
    named: dict[str, Side] = {"a": "A", "b": "B"}
    if len(words) > 1 and words[0] in named and words[1] in _WORDS:
        side, words = named[words[0]], words[1:]
    if not words or words[0] not in _WORDS:
        return None
    meaning = _WORDS[words[0]]
    if len(words) > 1:
        raise InputError(f"{text!r}: type {HELP}")
    return Pressing(meaning, None if meaning in _OF_BOTH else side)
