"""The umpire's chair: what is made of what is seen, pressed and measured again, in one match.

Joins the match with notices, reviews and overruling. No camera, no thread, no clock, no file: times come
in, and what has to be kept, said and measured goes out as values. Whoever drives it keeps the records
before anything is shown.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from calibration.edition import Edition
from firmware.chair.announcer import Announcer
from firmware.chair.asking import Lamps, lamps, serves, told
from firmware.chair.meant import Meant
from firmware.chair.notices import ENDS_S, TAKEN_S, Saying
from firmware.chair.outgoing import Outgoing
from firmware.chair.overruling import CHOICES_S, Overruling, last_that_counts, overruling_of_last
from firmware.chair.reviews import Review, Reviews, ReviewWanted, measured_again
from firmware.chair.undone import TakenBack
from firmware.chair.whereabouts import Whereabouts, lay_as_it_lies, lay_to_tell, leads_elsewhere
from firmware.gestures import TWICE_S, Gesture, Meaning
from firmware.journal import Acted, Later, LetStand, Record, Reviewed, replayed, resume
from firmware.match import Match, measured_of, played_on, played_on_line
from firmware.rules import (
    Action,
    Called,
    Correct,
    DecisionAwaited,
    IllegalAction,
    Press,
    Side,
    State,
    Undone,
    side_of,
    start,
)
from firmware.rules.setup import opponent_of
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import (
    Texts,
    Trouble,
    announcement,
    ends_changed,
    explain_reason,
    hold_again,
    nothing_to_review,
    press_again,
    review_asked,
    review_let_stand,
    review_overturned,
    review_stands,
    review_unclear,
    sentence,
)
from firmware.umpire.observations import BallSeen, StrokeSeen
from firmware.umpire.rest import Position


class Chair:
    """One match. What changes something takes the present: `now_s`, seconds of one clock that never
    goes back, and `wall_time`, UTC.

    `voice`: the texts of which `Outgoing.spoken` is made, such as `Voice.texts`; `texts` if None.
    `review_limit`: wrong challenges that a side may make in a set; None for any number. `as_played`: of a
    recording, in which nobody puts a ball back: where it lay wrong both sides count as agreed (SM-19).
    """

    def __init__(
        self,
        match: Match,
        texts: Texts,
        *,
        voice: Texts | None = None,
        review_limit: int | None = None,
        as_played: bool = False,
    ) -> None:
        self.match = match
        self._as_played = as_played
        self._mouth = Announcer(texts, voice)
        self._reviews = Reviews(review_limit)
        self._whereabouts = Whereabouts()
        self.review: Review | None = None
        self.overruling: Overruling | None = None
        self._meant = Meant(match.state)
        self._contested_s: dict[Side, float] = {}
        self._taken_back = TakenBack()
        self._stepped_s = -math.inf

    @classmethod
    def resumed(
        cls,
        edition: Edition,
        records: Sequence[Record],
        texts: Texts,
        *,
        voice: Texts | None = None,
        review_limit: int | None = None,
        as_played: bool = False,
    ) -> "Chair":
        """The chair of a match that goes on: as it was kept, with the reviews that were lost, and one that
        waits for an answer still. JournalError as for `journal.resume`."""

        def of(match: Match) -> Chair:
            return cls(match, texts, voice=voice, review_limit=review_limit, as_played=as_played)

        chair: Chair | None = None
        for record, match, _ in replayed(edition, records):
            if chair is None:
                chair, before = of(match), start(match.state.setup)
            if isinstance(record, Acted):
                chair._taken_back.note(before, match.state, record.measured)
                before = match.state
            if isinstance(record, Reviewed):
                chair._came_to(chair._reviews.came_to(record, match.state))
            elif isinstance(record, LetStand):
                chair.review = None
            chair._lapse(record.action if isinstance(record, Acted) else None)
        if chair is None:
            return of(resume(edition, records))
        chair._meant = Meant(chair.match.state, chair.review)
        return chair

    @property
    def texts(self) -> Texts:
        """What is said is made of these."""
        return self._mouth.texts

    def speak(self, texts: Texts, voice: Texts | None = None) -> None:
        """Say and show everything with these texts from now on, also what stands already."""
        self._mouth.speak(texts, voice)

    def look_anew(self) -> None:
        """Another umpire sees from now on: the first ball that lies is the one in play."""
        self._whereabouts.look_anew()

    def see_on(self, before: "Chair") -> None:
        """Sit down where `before` sat: the same umpire goes on seeing, and the ball lies where it saw it."""
        self._whereabouts = before._whereabouts

    @property
    def _state(self) -> State:
        return self.match.state

    @property
    def answering(self) -> frozenset[Side]:
        """The sides whose CHALLENGE answers something or steps through choices: each press by itself."""
        return frozenset(side for side, (_, challenge) in self.lights().items() if challenge)

    @property
    def asks(self) -> bool:
        """Whether something is asked that only buttons answer. A ball that has to be laid is not: laying it
        does."""
        return bool(self.answering)

    @property
    def can_redo(self) -> bool:
        """Whether something was undone, and nothing done since that takes its place."""
        return self._taken_back.any

    def redo(self, now_s: float, wall_time: datetime) -> Outgoing:
        """Both sides want what was undone last to count again, if the rules still allow it."""
        again = self._taken_back.latest(self.match)
        if again is None:
            return self._mouth.announce(lambda texts: explain_reason("nothing-to-undo", texts), now_s)
        *first, last = again.actions
        led = [self._act(Acted(action, wall_time), now_s) for action in first]
        return self._act(Acted(last, wall_time, again.measured), now_s, again=True).after(led)

    def attend(self, now_s: float) -> None:
        """So late is it: choices that nobody has touched for long are left, since people walked away."""
        if self.overruling is not None and now_s >= self._stepped_s + CHOICES_S:
            self.overruling = None
            self._note(now_s)

    def is_past(self, gesture: Gesture) -> bool:
        """Whether what a gesture was about when it began does not stand any more."""
        return self._meant.is_past(gesture)

    def scoreboard(self, now_s: float) -> Scoreboard:
        """What the panels show now: what waits for buttons comes first, since nobody should press them
        unseeing; then what else there is to be told."""
        return self._shown(self._mouth.passing(now_s))

    def _shown(self, passing: Saying | None) -> Scoreboard:
        return self.match.scoreboard(told(self._state, self.review, self.overruling, passing, self.texts))

    def lights(self) -> Lamps:
        """For each side, whether a press of CONFIRM and of CHALLENGE is awaited."""
        return lamps(self._state, self.review, self.overruling)

    # ------------------------------------------------------------ what is seen

    def observe(self, seen: BallSeen, now_s: float, wall_time: datetime) -> Outgoing:
        """The umpire saw a ball. InputError as for `match.measured_of`."""
        if not self._whereabouts.saw(seen):
            return Outgoing()
        if isinstance(seen, StrokeSeen):
            return self._struck(seen, now_s, wall_time)
        # However it came there, it is put back if it lies wrong, as if a hand had moved it (SM-19).
        return self._laid(seen.rest.position, seen.at, now_s, wall_time)

    def overlook(self, seen: BallSeen) -> None:
        """The umpire saw a ball while nothing is scored: where it lies is remembered for `settle`."""
        self._whereabouts.saw(seen)

    def settle(self, now_s: float, wall_time: datetime) -> Outgoing:
        """It is scored again. A ball that lies elsewhere in a rally than it did is one that was moved."""
        lying = self._whereabouts.lying
        lay = lay_to_tell(self.match, lying)
        if lying is None or lay is None:
            return Outgoing()
        return self._act(Acted(lay, wall_time, captured_at=lying.seen_at), now_s)

    def _struck(self, seen: StrokeSeen, now_s: float, wall_time: datetime) -> Outgoing:
        if self.review is not None and self.review.now is not None:
            # As under a flick fault that is in question: who gains by the first call plays on in vain.
            return self._asked_again(self.review, self.review.now)
        measured, played = measured_of(seen), len(self._state.strokes)
        stroke = self.match.stroke_of(measured)
        wrong = self.match.wrong_place(stroke) if self._as_played else None
        agreement: list[Later] = []
        for action in () if wrong is None else played_on(stroke):
            self.match.act(action)
            agreement.append(Acted(action, wall_time, captured_at=seen.at))
        out = self._act(Acted(stroke, wall_time, measured, seen.at), now_s)
        if wrong is not None:
            told = played_on_line(played + 1, wrong, seen.at, self.texts)
            out = out.after([Outgoing(tuple(agreement), (told,))])
        if len(self._state.strokes) > played:
            self._reviews.played(played + 1, seen)
        return out

    def _laid(self, at: Position | None, seen_at: float, now_s: float, wall_time: datetime) -> Outgoing:
        if at is None:
            return Outgoing()
        lay = self.match.lay_of(at.dot_mm, at.disc_mm)
        return self._act(Acted(lay, wall_time, captured_at=seen_at), now_s)

    # ------------------------------------------------------------ what is pressed

    def press(self, gesture: Gesture, now_s: float, wall_time: datetime) -> Outgoing:
        """Somebody pressed something, about what stood when that began. If it is past nothing is done, which
        is told where people would wonder; but who is ready to serve is so whatever came between."""
        side, meaning = gesture.side, gesture.meaning
        is_ready = meaning == "confirm" and not self.asks and serves(self._state, side)
        if self._meant.is_past(gesture) and not is_ready:
            missed, saying = self._meant.is_missed(meaning), hold_again if meaning == "undo" else press_again
            return self._mouth.announce(saying, now_s) if missed else Outgoing()
        if side is not None and meaning in ("challenge", "flick-fault"):
            if gesture.pressed_at_s < self._contested_s.get(side, -math.inf) + TWICE_S:
                return Outgoing()  # the second of two presses; the first was an answer
            if self.overruling is None and side in self.answering:
                self._contested_s[side] = gesture.pressed_at_s
        out = self._pressed(meaning, side, now_s, wall_time)
        self._note(now_s)
        return out

    def _pressed(self, meaning: Meaning, side: Side | None, now_s: float, wall_time: datetime) -> Outgoing:
        if meaning == "menu":
            self.overruling = None  # each side leaves it so; else it is no matter of a match
            return Outgoing()
        if meaning == "overrule" or side is None:
            return self._overrule(now_s)
        if self.overruling is not None:
            return self._in_overruling(self.overruling, meaning, side, now_s, wall_time)
        if self.review is not None and (ruling := self.review.ruling) is not None:
            return self._in_review(self.review, ruling, meaning, side, now_s, wall_time)
        waiting = self._state.waiting
        decides = isinstance(waiting, DecisionAwaited) and side_of(waiting.seat) == side
        if meaning == "challenge" and not decides:
            return self._challenge(side, now_s)
        return self._act(Acted(Press(meaning, side), wall_time), now_s)

    def _overrule(self, now_s: float) -> Outgoing:
        if isinstance(self._state.waiting, DecisionAwaited):
            return self._mouth.announce(lambda texts: explain_reason("decide-first", texts), now_s)
        self._stepped_s = now_s
        self.overruling = self.overruling or overruling_of_last(self._state)
        return self._mouth.announce(nothing_to_review, now_s) if self.overruling is None else Outgoing()

    def _in_overruling(
        self, dialog: Overruling, meaning: Meaning, side: Side, now_s: float, wall_time: datetime
    ) -> Outgoing:
        self.overruling, self._stepped_s = dialog.after(meaning, side), now_s
        if self.overruling is None or not self.overruling.decided:
            return Outgoing()
        ruling, self.overruling = self.overruling.choice.ruling, None
        return self._act(Acted(ruling, wall_time), now_s)

    def _in_review(
        self, review: Review, ruling: Correct, meaning: Meaning, side: Side, now_s: float, wall_time: datetime
    ) -> Outgoing:
        """The opponent of who asked has the last word on a call that was overturned. CONFIRM held takes back
        what is asked, whoever holds it, as it does everywhere; nothing else is done while it stands."""
        if meaning != "undo" and (side == review.by or meaning == "flick-fault"):
            return Outgoing()
        self.review = None
        if meaning == "confirm":
            return self._act(Acted(ruling, wall_time), now_s)
        out = self._mouth.announce(lambda texts: review_let_stand(review.stroke.called, texts), now_s)
        # Who did not wait for the answer may have played on, which was no stroke: the ball lies elsewhere.
        laid = self.settle(now_s, wall_time)
        both = replace(laid, said=out.said + laid.said, spoken=out.spoken + laid.spoken)
        return both.after([Outgoing((LetStand(review.number, side, wall_time),))])

    # ------------------------------------------------------------ what is measured again

    def _challenge(self, side: Side, now_s: float) -> Outgoing:
        if isinstance(self._state.waiting, DecisionAwaited):
            return self._mouth.announce(lambda texts: explain_reason("decide-first", texts), now_s)
        if self.review is not None:
            return Outgoing()  # it is being measured already
        match self._reviews.asked(side, self._state):
            case ReviewWanted() as wanted:
                self.review = Review(self._state.strokes[-1], side)
                self._mouth.clear()
                return replace(self._mouth.say(lambda texts: review_asked(side, texts)), review=wanted)
            case Review() as answer:
                return self._answered(answer, answer.stroke.called, now_s)
            case saying:
                return self._mouth.announce(saying, now_s)

    def reviewed(
        self,
        wanted: ReviewWanted,
        again: Position | Trouble,
        now_s: float,
        wall_time: datetime,
        pictures: Sequence[str] = (),
    ) -> Outgoing:
        """The answer to `wanted`: where the ball lies as it was measured again, or why it cannot be.
        Nothing if play has gone on since. `pictures`: names of the files that show it."""
        review = self.review
        if review is None or review.now is not None or self._reviews.seen(review.number) != wanted.stroke:
            return Outgoing()  # also for a stroke of that number that was undone
        if isinstance(again, str):
            return self._unclear(again, now_s)
        try:
            record, now = measured_again(self.match, review, wanted.stroke, again, wall_time, pictures)
        except IllegalAction:
            return self._unclear("not-found", now_s)
        answer = self._reviews.came_to(record, self._state, now)
        assert answer is not None
        out = replace(self._answered(answer, now, now_s), records=(record,))
        self._note(now_s)
        return out

    def _unclear(self, trouble: Trouble, now_s: float) -> Outgoing:
        self.review = None
        return self._mouth.announce(lambda texts: review_unclear(trouble, texts), now_s)

    def _answered(self, answer: Review, called: Called, now_s: float) -> Outgoing:
        """Tell what came of a review; `called`: the call as it stands if it does."""
        self._came_to(answer)
        if answer.now is None:
            return self._mouth.announce(lambda texts: review_stands(called, texts), now_s)
        return self._asked_again(answer, answer.now)

    def _asked_again(self, review: Review, now: Called) -> Outgoing:
        self._mouth.clear()
        side = opponent_of(review.by)
        return self._mouth.say(lambda texts: review_overturned(now, side, texts))

    def _came_to(self, answer: Review | None) -> None:
        self.review = None if answer is None or answer.now is None else answer

    # ------------------------------------------------------------ what comes of it

    def _act(self, done: Acted, now_s: float, *, again: bool = False) -> Outgoing:
        """Do it, if the rules allow it. `again`: it had been undone."""
        state, action, shown = self._state, done.action, self._shown(None)
        try:
            lines = self.match.act(action, done.measured)
        except IllegalAction as error:
            reason = error.reason
            return self._mouth.announce(lambda texts: explain_reason(reason, texts), now_s)
        if not lines and self._state is state:
            return Outgoing()
        records: list[Later] = [done]
        self._taken_back.note(state, self._state, done.measured)
        if (again or leads_elsewhere(state, action, self._state)) and self._state is not state:
            laid = lay_as_it_lies(self.match, self._whereabouts.lying, done.wall_time)
            records, lines = records + laid.records, lines + laid.lines
        self._mouth.clear()
        events = self.match.events if lines else ()
        # It may be somebody's who only leaned on the button: it is read, not only said.
        if events and isinstance(undone := events[0], Undone):
            self._mouth.tell(lambda texts: sentence(undone, texts, state.setup), now_s)
        if self._state.standing.ends_changed != state.standing.ends_changed:
            self._mouth.tell(ends_changed, now_s, ENDS_S)
        self._lapse(action)
        self._note(now_s)
        if not lines:
            return Outgoing(tuple(records))
        if isinstance(action, Press | Correct) and self._shown(None) == shown:
            # Nothing else is to be seen of it.
            self._mouth.tell(lambda texts: announcement(events, texts, state.setup), now_s, TAKEN_S)
        out = self._mouth.say(lambda texts: announcement(events, texts, state.setup))
        return replace(out, records=tuple(records), lines=tuple(lines), events=events)

    def _lapse(self, action: Action | None) -> None:
        """A review and an overruling are about the last stroke as it stands, and end with the next one,
        with a ruling on it, with an undo, and with the question whether it was a flick fault."""
        if self.review is not None and self.review.is_settled(self._state, action):
            self.review = None
        if self.overruling is not None and last_that_counts(self._state) != self.overruling.stroke:
            self.overruling = None

    def _note(self, now_s: float) -> None:
        """What stands has changed, or may have."""
        self._meant.note(self._state, self.review, self.overruling, now_s)
