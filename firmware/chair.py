"""The umpire's chair: what is made of what is seen, pressed and measured again, in one match.

Joins the match with notices, reviews and overruling. No camera, no thread, no clock, no file: times come
in, and what has to be kept, said and measured goes out as values. Whoever drives it keeps the records
before anything is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from firmware.gestures import Gesture
from firmware.journal.records import Acted, Later, Reading, Reviewed
from firmware.match import BOTH_SIDES, Match, Measured, measured_of
from firmware.overruling import Overruling, overruling_of_last
from firmware.report import Line
from firmware.rules import (
    Action,
    Called,
    Correct,
    DecisionAwaited,
    Event,
    IllegalAction,
    PlacementAwaited,
    Press,
    Side,
    State,
    called_by,
    side_of,
)
from firmware.rules.setup import opponent_of
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import (
    Texts,
    Trouble,
    announcement,
    explain_reason,
    no_reviews_left,
    nothing_to_review,
    overruling_choice,
    review_asked,
    review_let_stand,
    review_overturned,
    review_stands,
    review_unclear,
    waiting_sentence,
)
from firmware.umpire.observations import NoticeSeen, Observation, PlacementSeen, StrokeSeen

NOTICE_S: Final = 4.0
"""So long, in seconds, a notice stands that nothing else takes away."""
_ALL_IS_WELL: Final = ("sight-back", "board-found")


@dataclass(frozen=True, slots=True)
class ReviewWanted:
    """A stroke is to be measured again from the frames of its rest; `Chair.reviewed` takes the answer."""

    number: int
    by: Side


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What comes of something. `records` are kept first, in order; then `said` is announced, the
    `lines` told to other programs, and the panels drawn anew from the chair. `events`: what the rules
    announced, for a voice that speaks from clips."""

    records: tuple[Later, ...] = ()
    lines: tuple[Line, ...] = ()
    events: tuple[Event, ...] = ()
    said: tuple[str, ...] = ()
    review: ReviewWanted | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A review that goes on: of which stroke, who asked, and what it is called now if it was
    overturned; the opponent of `by` then confirms it, or lets the first call stand."""

    number: int
    by: Side
    now: Called | None = None

    @property
    def ruling(self) -> Correct | None:
        """The ruling that it came to."""
        return None if self.now is None else Correct(self.number, self.now.call, self.now.points)


@dataclass(frozen=True, slots=True)
class _Notice:
    text: str
    until_s: float


class Chair:
    """One match. What changes something takes the present: `now_s`, seconds of the camera's kind of
    clock, and `wall_time`, UTC.

    `review_limit`: wrong challenges that a side may make in a set; None for any number.
    """

    def __init__(self, match: Match, texts: Texts, *, review_limit: int | None = None) -> None:
        self.match = match
        self._texts = texts
        self._review_limit = review_limit
        self._lost: dict[tuple[int, Side], int] = {}
        self._sight: str | None = None
        self._notice: _Notice | None = None
        self.review: Review | None = None
        self.overruling: Overruling | None = None

    @property
    def _state(self) -> State:
        return self.match.state

    def scoreboard(self, now_s: float) -> Scoreboard:
        """What the panels show now: what cannot be seen comes first, then what is asked of people."""
        return self.match.scoreboard(self._telling(now_s))

    def lights(self) -> dict[Side, tuple[bool, bool]]:
        """For each side, whether a press of CONFIRM and of CHALLENGE is awaited."""
        waiting = self._state.waiting
        lit: dict[Side, tuple[bool, bool]] = {"A": (False, False), "B": (False, False)}
        if self.overruling is not None:
            for side in BOTH_SIDES:
                lit[side] = (side not in self.overruling.agreed, True)
        elif self.review is not None and self.review.ruling is not None:
            lit[opponent_of(self.review.by)] = (True, True)
        elif isinstance(waiting, DecisionAwaited):
            lit[side_of(waiting.seat)] = (True, True)
        elif isinstance(waiting, PlacementAwaited):
            for side in BOTH_SIDES:
                lit[side] = (side not in waiting.agreed, False)
        return lit

    def observe(self, seen: Observation, now_s: float, wall_time: datetime) -> Outgoing:
        """The umpire saw something. InputError as for `match.measured_of`."""
        match seen:
            case NoticeSeen():
                self._sight = None if seen.code in _ALL_IS_WELL else seen.text
                return Outgoing()
            case StrokeSeen():
                # A review and an overruling are about the last stroke, and end with the next.
                self.review = self.overruling = None
                measured = measured_of(seen)
                action = self.match.stroke_of(measured)
                return self._act(action, now_s, wall_time, measured=measured, captured_at=seen.at)
            case PlacementSeen():
                position = seen.rest.position
                if position is None:
                    return Outgoing()
                lay = self.match.lay_of(position.dot_mm, position.disc_mm)
                return self._act(lay, now_s, wall_time, captured_at=seen.at)
            case _:
                return Outgoing()

    def press(self, gesture: Gesture, now_s: float, wall_time: datetime) -> Outgoing:
        """Somebody pressed something."""
        side = gesture.side
        if gesture.meaning == "overrule" or side is None:
            self.review = None
            self.overruling = overruling_of_last(self._state)
            if self.overruling is None:
                return self._told(nothing_to_review(self._texts), now_s)
            return Outgoing()
        if self.overruling is not None:
            return self._in_overruling(self.overruling, gesture.meaning, side, now_s, wall_time)
        if self.review is not None and self.review.ruling is not None:
            return self._in_review(self.review, self.review.ruling, gesture.meaning, side, now_s, wall_time)
        waiting = self._state.waiting
        decides = isinstance(waiting, DecisionAwaited) and side_of(waiting.seat) == side
        if gesture.meaning == "challenge" and not decides:
            return self._challenge(side, now_s)
        return self._act(Press(gesture.meaning, side), now_s, wall_time)

    def reviewed(
        self,
        number: int,
        again: Measured | Trouble,
        now_s: float,
        wall_time: datetime,
        pictures: Sequence[str] = (),
    ) -> Outgoing:
        """The answer to a `ReviewWanted`: the stroke as it was measured again, or why it cannot be.
        Nothing if play has gone on since."""
        review = self.review
        if review is None or review.number != number or review.ruling is not None:
            return Outgoing()
        before = self._state.strokes[number - 1].called
        if isinstance(again, str):
            self.review = None
            return self._told(review_unclear(again, self._texts), now_s)
        landing = self.match.stroke_of(again).landing
        after = called_by(self._state, number, landing)
        stands = (after.call, after.points) == (before.call, before.points)
        record = Reviewed(
            number=number,
            by=review.by,
            outcome="stands" if stands else "overturned",
            before=_reading(before, None),
            after=_reading(after, again.sigma_mm),
            wall_time=wall_time,
            pictures=tuple(pictures),
        )
        if stands:
            self.review = None
            self._lost[self._set(), review.by] = self._lost.get((self._set(), review.by), 0) + 1
            return replace(self._told(review_stands(after, self._texts), now_s), records=(record,))
        self.review = Review(number, review.by, after)
        text = review_overturned(after, opponent_of(review.by), self._texts)
        return Outgoing(records=(record,), said=(text,))

    def _challenge(self, side: Side, now_s: float) -> Outgoing:
        if self.review is not None:
            return Outgoing()  # it is being measured already
        strokes = self._state.strokes
        if not strokes or strokes[-1].called.call == "void" or strokes[-1].called.ruled:
            return self._told(nothing_to_review(self._texts), now_s)
        lost, limit = self._lost.get((self._set(), side), 0), self._review_limit
        if limit is not None and lost >= limit:
            return self._told(no_reviews_left(side, self._texts), now_s)
        number = strokes[-1].called.number
        self.review = Review(number, side)
        return Outgoing(said=(review_asked(side, self._texts),), review=ReviewWanted(number, side))

    def _in_review(
        self, review: Review, ruling: Correct, meaning: str, side: Side, now_s: float, wall_time: datetime
    ) -> Outgoing:
        """The opponent of who asked has the last word on a call that was overturned."""
        if side == review.by or meaning not in ("confirm", "challenge"):
            return Outgoing()
        self.review = None
        if meaning == "confirm":
            return self._act(ruling, now_s, wall_time)
        called = self._state.strokes[review.number - 1].called
        return self._told(review_let_stand(called, self._texts), now_s)

    def _in_overruling(
        self, dialog: Overruling, meaning: str, side: Side, now_s: float, wall_time: datetime
    ) -> Outgoing:
        match meaning:
            case "challenge" | "flick-fault":
                self.overruling = dialog.stepped()
            case "confirm":
                self.overruling = dialog.confirmed(side)
            case _:
                self.overruling = None  # CONFIRM held: leave it
        if self.overruling is None or not self.overruling.decided:
            return Outgoing()
        ruling, self.overruling = self.overruling.choice.ruling, None
        return self._act(ruling, now_s, wall_time)

    def _act(
        self,
        action: Action,
        now_s: float,
        wall_time: datetime,
        *,
        measured: Measured | None = None,
        captured_at: float | None = None,
    ) -> Outgoing:
        state = self._state
        try:
            lines = self.match.act(action, measured)
        except IllegalAction as error:
            return self._told(explain_reason(error.reason, self._texts), now_s)
        if not lines and self._state is state:
            return Outgoing()
        self._notice = None
        events = self.match.events if lines else ()
        said = announcement(events, self._texts, state.setup) if events else ""
        record = Acted(action, wall_time, measured, captured_at)
        return Outgoing((record,), tuple(lines), events, (said,) if said else ())

    def _told(self, text: str, now_s: float) -> Outgoing:
        self._notice = _Notice(text, now_s + NOTICE_S)
        return Outgoing(said=(text,))

    def _telling(self, now_s: float) -> str | None:
        if self._sight is not None:
            return self._sight
        if self.overruling is not None:
            return overruling_choice(self.overruling.choice.called, self._texts)
        if self._notice is not None and now_s < self._notice.until_s:
            return self._notice.text
        if (review := self._review_text()) is not None:
            return review
        waiting = self._state.waiting
        if isinstance(waiting, PlacementAwaited | DecisionAwaited):
            return waiting_sentence(waiting, self._texts, self._state.setup)
        return None

    def _review_text(self) -> str | None:
        review = self.review
        if review is None:
            return None
        if review.now is None:
            return review_asked(review.by, self._texts)
        return review_overturned(review.now, opponent_of(review.by), self._texts)

    def _set(self) -> int:
        return sum(self._state.score.sets)


def _reading(called: Called, sigma_mm: float | None) -> Reading:
    return Reading(called.call, called.points, called.margin_mm, sigma_mm)
