"""The daemon: the loop that joins a rig's parts with the chair, and keeps a match before it shows it.

Parts come ready made and by protocol, times from the clocks that are given; no vendor's library, no option
and no rule lives here. Other threads (camera, panels, speaker, a review) are asked, not waited for.
"""

import json
import logging
from collections.abc import Callable, Sequence
from typing import Final

from firmware.chair import Chair, Outgoing
from firmware.errors import FirmwareError, InputError
from firmware.hearing import Hearing
from firmware.journal import Journal, JournalError, MatchLeft, board_warning
from firmware.ledger import Ledger
from firmware.match import Match
from firmware.measuring import Launch, Measuring, in_a_thread
from firmware.parts import CloseUpDrawing, Rig, Terms, Watcher, lay_back
from firmware.report import Line
from firmware.reviews import ReviewWanted
from firmware.showing import Showing
from firmware.stopping import Stop
from firmware.texts import Trouble
from firmware.texts.announcing import call_said
from firmware.troubles import Tell, Troubles, as_it_is
from firmware.umpire.observations import NoticeSeen, Observation, StrokeSeen
from firmware.umpire.rest import Position
from hardware.camera import Frame
from hardware.errors import HardwareError

TURN_S: Final = 0.02
"""So long, in seconds, a turn waits for a frame: a press is answered, and a stop begun, within it."""

logger = logging.getLogger(__name__)


def log_line(line: Line) -> None:
    """Log an event as a line of JSON."""
    logger.info("%s", json.dumps(line, default=str, ensure_ascii=False))


class Daemon:
    """A match at a table, from `turn` to `turn`. Goes on with the journal's unfinished match, else begins
    one on `terms`. `tell` is given a line for every event; `launch` runs a review's measuring."""

    def __init__(
        self, rig: Rig, terms: Terms, journal: Journal, *, tell: Tell = log_line, launch: Launch = in_a_thread
    ) -> None:
        self._rig = rig
        self._terms = terms
        self._journal = journal
        self._tell = tell
        self._troubles = Troubles(tell)
        self._hearing = Hearing(rig, self._troubles)
        self._ledger = Ledger(journal, tell, self._troubles)
        self._showing = Showing(rig, self._troubles)
        self._measuring = Measuring(rig.kept.frames_of, rig.measure, rig.picture, launch)
        self._finished = False
        for warning in journal.warnings:
            self._say("journal", warning)
        self.chair = self._resumed() or self._fresh()
        self._show(rig.clock())

    # ------------------------------------------------------------ the loop

    @property
    def over(self) -> bool:
        """Whether the match has been won, and that is kept; or a recording has ended."""
        won = self.chair.match.state.waiting is None and not self.paused
        return won or self._finished

    @property
    def paused(self) -> bool:
        """Whether scoring waits, since the last thing that was done is not kept yet."""
        return self._ledger.waits

    @property
    def umpire(self) -> Watcher | None:
        """What sees the ball now."""
        return self._rig.umpire

    def run(
        self, stop: Stop, *, until_over: bool = False, after_turn: Callable[[], None] | None = None
    ) -> None:
        """Turn until `stop` is set (SIGTERM, at any time), a recording has ended, or, where that is wanted,
        the match is over; then close. `after_turn` is called after each turn; its errors are raised here."""
        try:
            while not (stop.is_set() or self._rig.frames.ended or (until_over and self.over)):
                self.turn()
                if after_turn is not None:
                    after_turn()
        finally:
            self.close()

    def turn(self, timeout_s: float = TURN_S) -> None:
        """One frame, or `timeout_s` seconds without one; the presses, answers and news since the last."""
        frame = self._rig.frames.next(timeout_s)
        now = self._rig.clock()
        self._hearing.news(now)
        if (out := self._ledger.retry(now)) is not None:
            self._announce(out)
        if frame is not None:
            self._see(frame, now)
        elif self._rig.frames.ended and not self._finished:
            self._finished = True
            self._take_in(self._rig.umpire, self._rig.umpire.finish(), now)
        self._feel(now)
        while not self.paused and (answer := self._measuring.answer()) is not None:
            self._answer(*answer, now)
        self._show(now)

    def new_match(self, reason: str = "new match") -> None:
        """Leave the match, if it is not over, and begin one on the same terms. Nothing happens while the
        last action is not yet kept."""
        now = self._rig.clock()
        if not self.paused and self.chair.match.state.waiting is not None:
            self._take(Outgoing((MatchLeft(reason, self._rig.wall_clock()),)), now)
        if self.paused:
            return
        self.chair = self._fresh()
        self._show(now)

    def close(self) -> None:
        """Give every part back, however the others end; waits a bounded time for each."""
        rig = self._rig
        if (out := self._ledger.retry(rig.clock(), at_once=True)) is not None:
            self._announce(out)
        parts: tuple[tuple[str, Callable[[], object]], ...] = (
            ("speaker", rig.speaker.close),
            ("panels", rig.panels.stop),
            ("buttons", rig.buttons.close),
            ("camera", rig.frames.close),
            ("journal", self._journal.close),
        )
        for name, close in parts:
            try:
                close()
            except (FirmwareError, HardwareError) as error:
                self._tell({"kind": "trouble", "part": name, "text": str(error)})
            except Exception:  # the other parts are to be given back all the same
                logger.exception("closing the %s", name)
        self._tell({"kind": "stopped", "match": self._ledger.match})

    # ------------------------------------------------------------ how a match begins

    def _fresh(self) -> Chair:
        """The chair of a new match; the ledger has its beginning kept."""
        terms, now = self._terms, self._rig.clock()
        voice, limit = self._rig.voice.texts, terms.review_limit
        chair = Chair(Match(terms.edition, terms.setup), terms.texts, voice=voice, review_limit=limit)
        self._showing.begin(chair, now)
        self._ledger.begin(terms.began(self._rig.wall_clock()), now)
        return chair

    def _resumed(self) -> Chair | None:
        """The chair of the match that was cut off, if there is one that can go on."""
        terms = self._terms
        voice, limit = self._rig.voice.texts, terms.review_limit
        try:
            open_match = self._journal.unfinished()
            if open_match is None:
                return None
            records = self._journal.records(open_match.id)
            chair = Chair.resumed(terms.edition, records, terms.texts, voice=voice, review_limit=limit)
        except JournalError as error:
            self._say("journal", f"The last match cannot go on: {error}")
            return None
        self._ledger.match = open_match.id
        self._tell({"kind": "resumed", "match": open_match.id, "strokes": open_match.strokes})
        self._showing.lay_back = lay_back(chair.match.state, records)
        if (warning := board_warning(terms.edition, records)) is not None:
            self._say("match", warning)
        return chair

    # ------------------------------------------------------------ what comes in

    def _see(self, frame: Frame, now: float) -> None:
        umpire = self._rig.umpire
        try:
            found = umpire.see(frame)
        except InputError as error:
            self._troubles.wrong("pictures", str(error), as_it_is(str(error)), now)
            return
        self._troubles.well("pictures")
        try:
            self._rig.kept.offer(frame, umpire.balls, found)
        except InputError as error:  # calls go on without them
            self._troubles.wrong("reviews", str(error), as_it_is(str(error)), now)
        self._take_in(umpire, found, now)

    def _take_in(self, umpire: Watcher, found: Sequence[Observation], now: float) -> None:
        """What the umpire saw."""
        for seen in found:
            if isinstance(seen, StrokeSeen) and seen.rest is not None:
                self._measuring.came_to_rest(seen.rest, umpire.calibration)
            if isinstance(seen, NoticeSeen):
                self._tell({"kind": "notice", "at": round(seen.at, 4), "code": seen.code, "text": seen.text})
            else:
                self._showing.lay_back = None
                if self.paused:
                    continue  # the panels say so
            try:
                self._take(self.chair.observe(seen, now, self._rig.wall_clock()), now)
            except InputError as error:
                self._say("umpire", str(error))

    def _feel(self, now: float) -> None:
        for gesture in self._hearing.gestures(now, immediate=self.chair.choosing):
            if self.paused:
                continue  # as with what is seen: nothing is scored now
            self._tell({"kind": "press", "press": gesture.meaning, "side": gesture.side})
            self._take(self.chair.press(gesture, now, self._rig.wall_clock()), now)

    def _answer(
        self, wanted: ReviewWanted, again: Position | Trouble, pictures: Sequence[str], now: float
    ) -> None:
        """A rest has been measured again."""
        review = self.chair.review
        out = self.chair.reviewed(wanted, again, now, self._rig.wall_clock(), pictures)
        if review is not None and out.records and not isinstance(again, str):
            state, after = self.chair.match.state, self.chair.review
            called = review.stroke.called if after is None or after.now is None else after.now
            title = call_said(called, self._terms.texts)
            drawing = CloseUpDrawing(
                self._terms.edition, review.stroke, called, again, title, state.setup.doubles
            )
            self._showing.look_at(drawing, now)
        self._take(out, now)

    # ------------------------------------------------------------ what goes out

    def _take(self, out: Outgoing, now: float) -> None:
        """Keep, then tell. Only called while nothing waits, or with what needs no keeping."""
        kept = self._ledger.keep(out, now)
        if kept is not None:
            self._announce(kept)

    def _announce(self, out: Outgoing) -> None:
        for line in out.lines:
            self._tell(line)
        if out.review is not None:
            self._measuring.begin(out.review)
        clips = [clip for spoken in out.spoken for clip in self._rig.voice.clips(spoken)]
        if clips:
            # The panels are told first: what is shown and said is kept already.
            self._show(self._rig.clock())
            self._rig.speaker.say(clips)

    def _show(self, now: float) -> None:
        self._showing.show(self.chair, self._terms, now, waits=self.paused)

    def _say(self, part: str, text: str) -> None:
        self._troubles.say(part, text, as_it_is(text), self._rig.clock())
