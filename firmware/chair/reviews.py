"""Reviews of a match's calls: who may ask, what is to be measured, and what came of it.

What is said and shown of a review, and who has to agree to it, is the chair's; how a rest is measured
again is the umpire's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from firmware.chair.notices import Saying
from firmware.chair.overruling import ruled_as
from firmware.journal import Reading, Reviewed
from firmware.match import Match, measured_of
from firmware.rules import (
    Action,
    Called,
    Correct,
    DecisionAwaited,
    IllegalAction,
    Played,
    Side,
    State,
    called_by,
    side_of,
)
from firmware.rules.setup import POINT
from firmware.texts import no_reviews_left, nothing_to_review, review_unclear
from firmware.umpire.observations import StrokeSeen
from firmware.umpire.rest import Position

_STROKES_KEPT: Final = 8
"""So many of the latest strokes are remembered as they were seen: after an undo or two the last stroke
is an earlier one."""


@dataclass(frozen=True, slots=True)
class ReviewWanted:
    """A stroke is to be measured again from the frames of its rest, `stroke.rest`, which there always is;
    `Chair.reviewed` takes the answer."""

    number: int
    by: Side
    stroke: StrokeSeen


@dataclass(frozen=True, slots=True)
class Review:
    """A review of `stroke`, asked for by `by`, and what it is called `now` if it was overturned; the
    opponent then confirms it, or lets the first call stand."""

    stroke: Played
    by: Side
    now: Called | None = None

    @property
    def number(self) -> int:
        """The stroke, as its call was numbered."""
        return self.stroke.called.number

    @property
    def ruling(self) -> Correct | None:
        """The ruling that it came to."""
        return None if self.now is None else Correct(self.number, self.now.call, self.now.points)

    def is_settled(self, state: State, action: Action | None) -> bool:
        """Whether it is no matter any more, after an action that led to this state."""
        ruled = isinstance(action, Correct) and action.number == self.number
        asked = isinstance(state.waiting, DecisionAwaited)
        return ruled or asked or not state.strokes or state.strokes[-1] != self.stroke


@dataclass(frozen=True, slots=True)
class _Lost:
    """A review that `by` asked for in vain: `stroke`, called as it was then, in the set after so many."""

    stroke: Played
    by: Side
    after_sets: int


class Reviews:
    """What is remembered of a match for its reviews. `limit`: wrong challenges that a side may make in a
    set; None for any number."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._lost: tuple[_Lost, ...] = ()
        self._seen: dict[int, StrokeSeen] = {}
        self._last: Review | None = None

    def played(self, number: int, seen: StrokeSeen) -> None:
        """Stroke `number` counts, and was seen so."""
        near = range(number - _STROKES_KEPT + 1, number)
        self._seen = {n: stroke for n, stroke in self._seen.items() if n in near} | {number: seen}

    def seen(self, number: int) -> StrokeSeen | None:
        """How a stroke was seen; None if that is not remembered."""
        return self._seen.get(number)

    def asked(self, side: Side, state: State) -> ReviewWanted | Review | Saying:
        """What comes of it that a side wants the last call reviewed: it is to be measured again; or it was,
        and would be no better, which costs nobody anything; or why not."""
        last = state.strokes[-1] if state.strokes else None
        if last is None or last.called.ruled:  # a void one is, too
            return nothing_to_review
        if self._last is not None and self._last.stroke == last:
            return replace(self._last, by=side)
        if not self.are_left(side, last, state):
            return lambda texts: no_reviews_left(side, texts)
        seen = self.seen(last.called.number)
        if seen is None:
            return lambda texts: review_unclear("no-frames", texts)
        if seen.rest is None:
            return lambda texts: review_unclear("not-found", texts)
        return ReviewWanted(last.called.number, side, seen)

    def are_left(self, side: Side, stroke: Played, state: State) -> bool:
        """Whether a side may have a stroke reviewed. A review that was lost costs nothing any more once both
        sides rule that who asked for it was right, or once its stroke is undone."""
        of_set = _set_of(stroke, state)
        lost = [lost for lost in self._lost if (lost.by, lost.after_sets) == (side, of_set)]
        return self._limit is None or sum(not _is_forgiven(each, state) for each in lost) < self._limit

    def came_to(self, record: Reviewed, state: State, now: Called | None = None) -> Review | None:
        """Remember a review; None if its stroke is not there, or cannot be called so by the rules of this
        version. `now`: what the stroke is called, where the record alone is not all that is known."""
        if not 1 <= record.number <= len(state.strokes):
            return None
        stroke = state.strokes[record.number - 1]
        if record.outcome == "stands":
            self._lost += (_Lost(stroke, record.by, _set_of(stroke, state)),)
            now = None
        elif now is None:
            now = ruled_as(state, Correct(record.number, record.after.call, record.after.points))
            if now is None:
                return None
        self._last = Review(stroke, record.by, now)
        return self._last


def measured_again(
    match: Match, review: Review, seen: StrokeSeen, at: Position, wall_time: datetime, pictures: Sequence[str]
) -> tuple[Reviewed, Called]:
    """What a review came to, and what the stroke is called with the ball `at` that place. IllegalAction for
    a place that is not a number."""
    measured = replace(
        measured_of(seen),
        dot_mm=at.dot_mm,
        disc_mm=at.disc_mm,
        sigma_mm=at.dot_sigma_mm,
        disc_sigma_mm=at.disc_sigma_mm,
    )
    if not all(map(math.isfinite, (*at.dot_mm, *at.disc_mm))):
        raise IllegalAction("not-a-number")
    before = review.stroke.called
    after = called_by(match.state, review.number, match.stroke_of(measured).landing)
    stands = (after.call, after.points) == (before.call, before.points)
    record = Reviewed(
        number=review.number,
        by=review.by,
        outcome="stands" if stands else "overturned",
        before=_reading(before, review.stroke.landing.dot_sigma_mm),
        after=_reading(after, at.dot_sigma_mm),
        wall_time=wall_time,
        pictures=tuple(pictures),
    )
    return record, after


def _set_of(stroke: Played, state: State) -> int:
    """How many sets were over before a stroke: the one that ends a set belongs to it."""
    number = stroke.called.number
    return sum(state.strokes[number - 2].called.score.sets) if number > 1 else 0


def _is_forgiven(lost: _Lost, state: State) -> bool:
    """Whether the stroke was undone since, or the players have ruled that it was better for who had it
    reviewed than the umpire called it. Not by its flick, which nobody measured."""
    number = lost.stroke.called.number
    now = state.strokes[number - 1] if number <= len(state.strokes) else None
    if now is None or now.landing != lost.stroke.landing:
        return True
    if now.ruling is None or now.ruling.call in ("flick-fault", "void") or now.called.call == "void":
        return False
    better = _for_striker(now.called) - _for_striker(lost.stroke.called)
    return better > 0 if side_of(now.called.seat) == lost.by else better < 0


def _for_striker(called: Called) -> int:
    """How good a call is for who struck: only which of two calls of one stroke is better means anything. A
    rally comes before the marker; and a serve that is a fault costs an attempt."""
    striker = side_of(called.seat)
    towards = 1 if striker == "A" else -1
    won = 0 if called.rally_winner is None else 1 if called.rally_winner == striker else -1
    return 2 * (2 * POINT + 1) * won + 2 * towards * called.marker - (called.call == "fault")


def _reading(called: Called, sigma_mm: float) -> Reading:
    return Reading(called.call, called.points, called.margin_mm, sigma_mm)
