"""The daemon: the loop that joins a rig's parts with the chair, and keeps a match before it shows it.

Parts come ready made and by protocol, times from the clocks that are given; no vendor's library, no option
and no rule lives here. Other threads (camera, panels, speaker, a review) are asked, not waited for.
"""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from firmware.chair.chair import Chair
from firmware.chair.outgoing import Outgoing
from firmware.chair.reviews import ReviewWanted
from firmware.daemon.asking import LinkPort, ask, game_beside
from firmware.daemon.beside import Beside, would_be_lost
from firmware.daemon.closing import give_back
from firmware.daemon.hearing import Hearing
from firmware.daemon.ledger import Ledger
from firmware.daemon.looking import Looking
from firmware.daemon.measuring import Measuring, in_a_thread
from firmware.daemon.menuing import Menuing, Settings
from firmware.daemon.parts import Launch, Rig, Terms, Watcher
from firmware.daemon.resuming import Resuming, Start, goes_on, new_chair, resumed_chair
from firmware.daemon.showing import Showing
from firmware.daemon.speaking import Speaking
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision, status_of, unsupervised
from firmware.daemon.troubles import Tell, Troubles, coded, log_line
from firmware.errors import InputError
from firmware.gestures import Gesture
from firmware.journal import Journal, LetStand, MatchBegan, MatchLeft, Summary, board_warning
from firmware.match import BOTH_SIDES
from firmware.menus import Calibrate, LinkAsked, NewMatch, Redo, SettingChanged, ShutDown
from firmware.rules import Corrected, ReturnAwaited, Undone
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import Language, Texts, Trouble, TroubleCode, load, umpire_notice
from firmware.umpire.observations import NoticeSeen, Observation, StrokeSeen
from firmware.umpire.rest import Position

TURN_S: Final = 0.02
"""So long, in seconds, a turn waits for a frame: a press is answered, and a stop begun, within it."""
logger = logging.getLogger(__name__)


class Daemon:
    """A match at a table, from `turn` to `turn`: the journal's latest, or one on `terms`, as `start` says.
    `tell` is given a line for every event; `launch` runs a review's measuring. `settings`: what the menu
    changes; without them there is no menu. `supervision`: whoever restarts it if it hangs. `link`: the games
    that its menu leads to."""

    def __init__(
        self,
        rig: Rig,
        terms: Terms,
        journal: Journal,
        *,
        tell: Tell = log_line,
        launch: Launch = in_a_thread,
        settings: Settings | None = None,
        supervision: Supervision | None = None,
        start: Start = "go-on",
        link: LinkPort | None = None,
    ) -> None:
        self._rig = rig
        self._link = link
        self._terms = self._given = terms
        self._start: Start = start
        self._journal = journal
        self._tell = tell
        self._supervision = supervision or unsupervised()
        self._troubles = Troubles(tell)
        self._hearing = Hearing(rig, self._troubles)
        self._ledger = Ledger(journal, tell, self._troubles)
        self._showing = Showing(rig, self._troubles)
        self._speaking = Speaking(rig.voice, rig.speaker, self._troubles)
        self._looking = Looking(rig, tell, self._troubles, launch)
        self._measuring = Measuring(self._looking.frames_of, rig.measure, rig.picture, launch)
        self._menuing = None if settings is None else Menuing(settings, tell, self._troubles)
        self._resuming = Resuming(self._troubles)
        self._english = load("en")
        self._sight = self._looking.sight
        self.shut_down = False
        """People have asked for it; `run` ends then."""
        self._finished = False
        self._on_since = -math.inf
        """A press that began before it was of what was shown while scoring waited, or before a bug."""
        for warning in journal.warnings:
            if journal.mended:
                self._troubles.have_read("journal", warning, "journal-mended")
            else:  # nobody has to check a score for it
                self._troubles.log("journal", warning)
        self.chair = new_chair(terms, rig.voice)
        self._go_on(rig.clock())
        self._show(rig.clock())

    # ------------------------------------------------------------ the loop

    @property
    def over(self) -> bool:
        """Whether the match has been won, and that is kept; or a recording has ended."""
        return self._won or self._finished

    @property
    def _won(self) -> bool:
        return self.chair.match.state.waiting is None and not self.paused

    @property
    def _next_awaited(self) -> bool:
        """Whether people are waited for to begin another match, since the last cannot go on."""
        return self._menuing is not None and self._resuming.stuck

    @property
    def paused(self) -> bool:
        """Whether scoring waits: what was done is not kept yet, or how the match goes on is not known."""
        return self._ledger.waits or self._resuming.waits

    @property
    def scoreboard(self) -> Scoreboard:
        """What the panels show of the match, or would without an open menu."""
        return self._showing.told

    @property
    def match_number(self) -> int | None:
        """The match's number in the journal; None until its beginning is kept."""
        return self._ledger.match

    @property
    def seeks(self) -> bool:
        """Whether the board is sought, and nothing is scored meanwhile."""
        return self._looking.seeks

    @property
    def umpire(self) -> Watcher | None:
        """What sees the ball now; None while it is not known where the board lies."""
        return self._looking.umpire

    def run(self, stop: Stop, *, after_turn: Callable[[], None] | None = None) -> None:
        """Turn until `stop` is set (SIGTERM, at any time), a recording has ended, or people shut down; then
        close. `after_turn` is called after each turn; its errors are raised here."""
        try:
            while not self._ends(stop):
                self.turn()
                self._supervision.turned(self._rig.frames.stalled, self._status)
                if after_turn is not None:
                    after_turn()
        finally:
            self._supervision.ends()
            self.close()

    def _status(self) -> str:
        troubles, texts = self._troubles, self._english
        # A score that is not kept yet is not told, either.
        return troubles.unkept(texts) or status_of(self.chair.match, texts, troubles.unseen(texts))

    def _ends(self, stop: Stop) -> bool:
        return stop.is_set() or self._rig.frames.ended or self.shut_down

    def turn(self, timeout_s: float = TURN_S) -> None:
        """One frame, or `timeout_s` seconds without one; the presses, answers and news since the last."""
        frame = self._rig.frames.next(timeout_s)
        now = self._rig.clock()
        self._hearing.news(now)
        paused, scored = self.paused, not (self.paused or self.seeks)
        if (out := self._ledger.retry(now)) is not None:
            self._kept(out)
        if self._resuming.due(now):
            self._go_on(now)
        if paused and not self.paused:
            self._on_since = now
        self._looking.attend(now)
        if self._looking.sight is not self._sight:
            self._sight = self._looking.sight
            self.chair.look_anew()
            self._measuring.look_anew()
            scored = False
        if not (scored or self.paused or self.seeks):
            self._settle(now)
        if frame is not None:
            self._take_in(self._looking.see(frame, now), now)
        elif self._rig.frames.ended and not self._finished:
            self._finished = True
            self._take_in(self._looking.finish(now), now)
        if not self.seeks and self._looking.ball_lies:
            self._showing.ball_seen()
        self._feel(now)
        self.chair.attend(now)
        while not self.paused and (answer := self._measuring.answer()) is not None:
            self._answer(*answer, now)
        self._show(now)

    def calibrate(self) -> None:
        """Have the board found anew, now. Scoring waits for it; if it is not found, it is taken to lie where
        it did."""
        now = self._rig.clock()
        self._looking.calibrate(now)
        self._show(now)

    def speak(self, texts: Texts, language: Language) -> None:
        """Say and show everything with these texts from now on, also what stands already. The language of
        the match that is on stays on record as it was begun."""
        self._terms = replace(self._terms, texts=texts, language=language)
        self.chair.speak(texts, self._speaking.voice.texts)
        self._show(self._rig.clock())

    def new_match(self, terms: Terms | None = None, reason: str = "new match") -> None:
        """Leave the match, if it is not over, and begin one: on these terms, or on the same. Nothing happens
        while the last action is not yet kept; and it is begun once the end of the former is. One that cannot
        go on stays as it is, for the version that can."""
        if self._ledger.waits:
            return
        now = self._rig.clock()
        self._terms = terms or self._terms
        if self._resuming.waits or self.chair.match.state.waiting is None:
            self._resuming.end()
            self.chair = self._fresh()
        else:
            self._take(Outgoing((MatchLeft(reason, self._rig.wall_clock()),)), now)
        self._show(now)

    def close(self) -> None:
        """Give every part back, however the others end; waits a bounded time for each."""
        if (out := self._ledger.retry(self._rig.clock(), at_once=True)) is not None:
            self._announce(out)
        give_back(self._rig, self._journal, self._tell)
        self._tell({"kind": "stopped", "match": self._ledger.match})

    # ------------------------------------------------------------ how a match begins

    def _fresh(self) -> Chair:
        """The chair of a new match; the ledger has its beginning kept."""
        terms, now = self._terms, self._rig.clock()
        chair = new_chair(terms, self._speaking.voice)
        self._looking.new_match()
        self._showing.begin(chair, now)
        self._ledger.begin(terms.began(self._rig.wall_clock()), now)
        return chair

    def _begin_as_set(self) -> None:
        """Leave the match, and begin another by what is set for it."""
        terms = self._given
        if self._menuing is not None:
            terms = self._menuing.begin()
            self._speaking.voice = self._menuing.voice()
        self.new_match(terms)

    def _go_on(self, now: float) -> None:
        """Go on with the latest match as it was kept, or begin one if there is none to go on with. As long as
        the journal cannot tell, nothing is begun but what people ask for."""
        last: Summary | None = None
        warning: str | None = None
        with self._resuming.trying(now):
            if (last := self._journal.going_on()) is not None:
                warning = self._resume(last)
        start, stuck = self._start, self._resuming.stuck
        if self._resuming.waits and not (stuck and start == "new"):
            return
        self._start = "go-on"
        if last is not None and not goes_on(last, self._given.table):
            start = "new"  # who chose how to start may not have been able to read it
        if start == "new" and (last is not None or stuck):
            self._begin_as_set()
        elif last is None:
            self.chair = self._fresh()
        elif start == "go-on-unless-over" and last.ending == "over":
            self._begin_as_set()
        else:
            self._tell_resumed(last, warning)

    def _resume(self, last: Summary) -> str | None:
        """Have the match that is on be this one, with its players' names; what is to be said of the board.
        JournalError."""
        records = self._journal.records(last.id)
        began = records[0]
        assert isinstance(began, MatchBegan)
        if self._menuing is not None:
            self._menuing.resumed(began)
            self._speaking.voice = self._menuing.voice()
        terms = self._terms.as_begun(began)
        chair = resumed_chair(records, terms, self._speaking.voice)
        # The journal may have been read at last, or a bug left behind: the umpire saw the ball meanwhile.
        chair.see_on(self.chair)
        self.chair = chair
        self._terms = terms
        self._ledger.match = last.id
        return board_warning(terms.edition, records)

    def _tell_resumed(self, last: Summary, warning: str | None) -> None:
        over = last.ending == "over"
        self._tell({"kind": "resumed", "match": last.id, "strokes": last.strokes, "over": over})
        if self.chair.match.state.actions:
            self._showing.go_on()
        if last.fault is not None:
            self._troubles.have_read("journal", last.fault, "journal-mended")
        if warning is not None:
            self._troubles.have_read("match", warning, "board-changed")

    # ------------------------------------------------------------ what comes in

    def _take_in(self, found: Sequence[Observation], now: float) -> None:
        """What the umpire saw."""
        umpire = self._looking.umpire
        if found:  # somebody plays
            self._rig.panels.wake()
        for seen in found:
            if isinstance(seen, StrokeSeen) and seen.rest is not None and umpire is not None:
                self._measuring.came_to_rest(seen.rest, umpire.calibration)
            if isinstance(seen, NoticeSeen):
                text = umpire_notice(seen.code, self._english)
                self._tell({"kind": "notice", "at": round(seen.at, 4), "code": seen.code, "text": text})
                continue  # the sight remembers it
            if self.paused or self.seeks:
                self.chair.overlook(seen)
                continue  # the panels say so
            if self._judged(partial(self.chair.observe, seen, now, self._rig.wall_clock()), now) is not None:
                self._showing.ball_seen()
            elif not self.paused:
                self._settle(now)  # it is no stroke, and lies elsewhere all the same

    def _feel(self, now: float) -> None:
        menuing = self._menuing
        immediate = BOTH_SIDES if menuing is not None and menuing.is_open else self.chair.answering
        for gesture in self._hearing.gestures(now, immediate=immediate):
            if menuing is not None and menuing.is_past(gesture):
                continue  # of the match, under the menu that was opened, or of one that was closed
            walks = menuing is not None and menuing.takes(gesture, self._beside, stuck=self._next_awaited)
            if not walks and (self.paused or gesture.pressed_at_s < self._on_since):
                continue  # as with what is seen: nothing is scored now
            self._tell({"kind": "press", "press": gesture.meaning, "side": gesture.side})
            if gesture.meaning == "confirm" and self._troubles.is_read(gesture.pressed_at_s):
                continue  # it was about what stood on the panels
            if menuing is not None and walks:
                self._walk(menuing, gesture, now)
            else:
                out = self._judged(partial(self.chair.press, gesture, now, self._rig.wall_clock()), now)
                if out is not None and _changes_a_call(out):
                    self._ask_for_ball()

    def _settle(self, now: float) -> None:
        """It is scored again: the ball may lie elsewhere than it did."""
        self._judged(partial(self.chair.settle, now, self._rig.wall_clock()), now)
        self._ask_for_ball()

    def _ask_for_ball(self) -> None:
        """Have people told where the ball has to lie in a rally, if it does not lie: it may be in hand."""
        if isinstance(self.chair.match.state.waiting, ReturnAwaited) and not self._looking.ball_lies:
            self._showing.go_on()

    @property
    def _beside(self) -> Beside:
        """What the menu has to know of the match."""
        unseen = self._looking.withholds or self._troubles.unseen(self._english) is not None
        return Beside(
            match_on=would_be_lost(self.chair) or self._resuming.waits,
            kept=not self._ledger.waits,
            scores=not (self.paused or unseen),
            asks=self.chair.asks and not self.paused,
            undone=self.chair.can_redo,
            link=game_beside(self._link),
        )

    def _walk(self, menuing: Menuing, gesture: Gesture, now: float) -> None:
        """A gesture of the menu's, which is open or to be opened."""
        for effect in menuing.press(gesture, now, self._beside):
            match effect:
                case SettingChanged():
                    self._take_over(menuing)
                case NewMatch():  # not asked for before all is kept (`Beside`)
                    self._begin_as_set()
                case Redo():  # nor is this
                    self._judged(partial(self.chair.redo, now, self._rig.wall_clock()), now)
                case Calibrate():
                    self.calibrate()
                case LinkAsked():
                    ask(self._link, effect, self._troubles, now)
                case ShutDown():
                    self.shut_down = True

    def _take_over(self, menuing: Menuing) -> None:
        """What is set for the match that is on: its language, and whether there is sound."""
        playing = menuing.playing
        self._speaking.mute(playing.speaker.mute)
        if playing.match.language != self._terms.language:
            self._speaking.voice = menuing.voice()
            self.speak(playing.texts(), playing.match.language)

    def _answer(
        self, wanted: ReviewWanted, again: Position | Trouble, pictures: Sequence[str], now: float
    ) -> None:
        """A rest has been measured again."""
        review, wall_time = self.chair.review, self._rig.wall_clock()
        out = self._judged(partial(self.chair.reviewed, wanted, again, now, wall_time, pictures), now)
        if review is None or out is None or not out.records or isinstance(again, str):
            return
        self._showing.look_at(review, self.chair, again, self._terms, now)

    def _judged(self, judge: Callable[[], Outgoing], now: float) -> Outgoing | None:
        """What the chair makes of something, kept and told; None if it can make nothing of it. A bug in it
        must not end the match, which then goes on as it was kept."""
        try:
            out = judge()
        except (InputError, ValueError, OverflowError) as error:  # a place that is no number
            self._say("umpire", str(error), "unplaced")
            return None
        except Exception as error:
            logger.exception("chair")
            self._say("umpire", f"the rules failed; tell the makers: {error!r}", "unplaced")
            self._go_on(now)
            self._on_since = now
            return None
        self._take(out, now)
        return out

    # ------------------------------------------------------------ what goes out

    def _take(self, out: Outgoing, now: float) -> None:
        """Keep, then tell. Only called while nothing waits, or with what needs no keeping."""
        kept = self._ledger.keep(out, now)
        if kept is not None:
            self._kept(kept)

    def _kept(self, out: Outgoing) -> None:
        """It is on disk, and may be told."""
        self._announce(out)
        if out.records and isinstance(out.records[-1], MatchLeft):
            self.chair = self._fresh()

    def _announce(self, out: Outgoing) -> None:
        for line in out.lines:
            self._tell(line)
        if out.review is not None:
            self._measuring.begin(out.review)
        if out.spoken:
            # The panels are told first: what is shown and said is kept already.
            self._show(self._rig.clock())
            self._speaking.say(out.spoken, self._rig.clock())

    def _show(self, now: float) -> None:
        page = None if self._menuing is None else self._menuing.page(now, self._beside)
        self._showing.show(
            self.chair,
            self._terms,
            now,
            waits=self.paused,
            blind=self._looking.trouble,
            menu=page,
            over=self._won and self._menuing is not None,
            next_awaited=self._next_awaited,
        )

    def _say(self, part: str, detail: str, code: TroubleCode) -> None:
        self._troubles.say(part, detail, coded(code), self._rig.clock())


def _changes_a_call(out: Outgoing) -> bool:
    """Whether it may have changed where the ball has to lie: a call was changed, undone, or let stand."""
    changed = any(isinstance(event, Corrected | Undone) for event in out.events)
    return changed or any(isinstance(record, LetStand) for record in out.records)
