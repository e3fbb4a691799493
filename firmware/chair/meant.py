"""What a press is about: what stood when it began. Kept here is what each would be about, and since when.

Read off the rules' state, a review and an overruling; times come in. What a press does is the chair's.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal

from firmware.chair.overruling import Overruling
from firmware.chair.reviews import Review
from firmware.gestures import Gesture, Meaning
from firmware.rules import DecisionAwaited, PlacementAwaited, State
from firmware.rules.state import WrongPlace


@dataclass(frozen=True, slots=True)
class _Matter:
    """Something that a press can be about: the last call, what an undo would take back, or a question."""

    kind: Literal["call", "undo", "question"]
    what: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Standing:
    """A matter, and since when it stands; `succeeds`: it took the place of another of its kind."""

    matter: _Matter
    since_s: float
    succeeds: bool


_PRESSES: Final[tuple[Meaning, ...]] = ("confirm", "challenge", "flick-fault", "undo", "overrule")


class Meant:
    """Which presses come too late for what they were about, as of the times of `note`: seconds of the clock
    on which presses begin (`Gesture.pressed_at_s`)."""

    def __init__(self, state: State, review: Review | None = None) -> None:
        """What stands has stood since before any press."""
        self._standing = {
            meaning: _Standing(_matter(meaning, state, review, None), -math.inf, False)
            for meaning in _PRESSES
        }

    def note(self, state: State, review: Review | None, overruling: Overruling | None, now_s: float) -> None:
        """How it stands now."""
        for meaning, before in self._standing.items():
            matter = _matter(meaning, state, review, overruling)
            if matter != before.matter:
                succeeds = matter.kind == before.matter.kind != "question"
                self._standing[meaning] = _Standing(matter, now_s, succeeds)

    def is_past(self, gesture: Gesture) -> bool:
        """Whether what it was about when it began does not stand any more."""
        standing = self._standing.get(gesture.meaning)
        return standing is not None and gesture.pressed_at_s < standing.since_s

    def is_missed(self, meaning: Meaning) -> bool:
        """Whether people would wonder why such a press that is past did nothing: nothing is asked, and there
        is another call or deed that it could be about."""
        return meaning != "confirm" and self._standing[meaning].succeeds


def _matter(meaning: Meaning, state: State, review: Review | None, overruling: Overruling | None) -> _Matter:
    """What a press of this meaning would be about. Every question is one about the last call, too."""
    last, waiting = state.strokes[-1:], state.waiting
    if overruling is not None and meaning != "overrule":
        # Steps and leaving are about the whole dialog, an agreement is about the highlighted choice.
        at = (overruling.at,) if meaning == "confirm" else ()
        return _Matter("question", (overruling.stroke, *at))
    if review is not None and review.now is not None and meaning != "overrule":
        return _Matter("question", (review.stroke, review.by, review.now))
    if meaning == "undo":
        return _Matter("undo", (state.undoable,))
    if meaning in ("confirm", "challenge"):
        if isinstance(waiting, DecisionAwaited):
            return _Matter("question", (last, "flick-fault"))
        if isinstance(waiting, PlacementAwaited) and meaning == "confirm":
            # Agreement is about the place, whoever has agreed to it already.
            hold = state.standing.hold
            at_mm = hold.at_mm if isinstance(hold, WrongPlace) else None
            return _Matter("question", (last, waiting.reason, at_mm))
    return _Matter("call", last)
