"""The daemon: the loop that joins a rig's parts with the chair, and keeps a match before it shows it.

Parts come ready made and by protocol, times from the clocks that are given; no vendor's library, no option
and no rule lives here. Other threads (camera, panels, speaker, a review) are asked, not waited for.
"""

import json
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from firmware.chair import Chair, Outgoing
from firmware.errors import FirmwareError, InputError
from firmware.frames import CameraNews
from firmware.gestures import Gestures
from firmware.journal import Journal, JournalError, MatchBegan, MatchLeft, board_warning
from firmware.match import BOTH_SIDES, Match
from firmware.measuring import Launch, Measuring, in_a_thread
from firmware.notices import Notices
from firmware.parts import BoardDrawing, CloseUpDrawing, Rig, Terms, lay_back
from firmware.report import Line
from firmware.reviews import ReviewWanted
from firmware.screens.scoreboard import Scoreboard
from firmware.stopping import Stop
from firmware.texts import Trouble
from firmware.texts.announcing import call_said
from firmware.troubles import Troubles, short
from firmware.umpire.observations import NoticeSeen, StrokeSeen
from firmware.umpire.rest import Position
from hardware.button import Button
from hardware.camera import Frame
from hardware.debounce import Debouncer
from hardware.errors import ButtonError, HardwareError
from hardware.speaker import SpeakerNews

if TYPE_CHECKING:
    from firmware.panel_driver import PanelNews

TURN_S: Final = 0.02
"""So long, in seconds, a turn waits for a frame: a press is answered, and a stop begun, within it."""
CLOSE_UP_S: Final = 8.0
"""So long the ball over the line is to be seen, unless somebody plays on."""
RETRY_S: Final = 1.0
"""So often it is tried to keep what the journal could not."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Held:
    """Something that is not kept yet, and therefore not told; `kept`: so many of its records are."""

    out: Outgoing
    kept: int = 0
    retry_at: float = 0.0


def log_line(line: Line) -> None:
    """Log an event as a line of JSON."""
    logger.info("%s", json.dumps(line, default=str, ensure_ascii=False))


class Daemon:
    """A match at a table, from `turn` to `turn`. Goes on with the journal's unfinished match, else begins
    one on `terms`. `tell` is given a line for every event; `launch` runs a review's measuring."""

    def __init__(
        self,
        rig: Rig,
        terms: Terms,
        journal: Journal,
        *,
        tell: Callable[[Line], None] = log_line,
        launch: Launch = in_a_thread,
    ) -> None:
        self._rig = rig
        self._terms = terms
        self._journal = journal
        self._tell = tell
        self._debouncer, self._gestures = Debouncer(), Gestures()
        self._notices, self._troubles = Notices(), Troubles()
        self._measuring = Measuring(rig.kept.frames_of, rig.measure, rig.picture, launch)
        self._lay_back: str | None = None
        self._held: _Held | None = None
        self._began: MatchBegan | None = None
        self._match_id: int | None = None
        self._board: Scoreboard | None = None
        self._shown: dict[str, BoardDrawing | CloseUpDrawing] = {}
        self._close_up: tuple[CloseUpDrawing, float] | None = None
        self._lit: dict[Button, bool] = {}
        for warning in journal.warnings:
            self._say("journal", warning)
        self.chair = self._resumed() or self._fresh()
        self._show(self._rig.clock())

    # ------------------------------------------------------------ the loop

    @property
    def over(self) -> bool:
        """Whether the match has been won, and that is kept; or a recording has ended."""
        won = self.chair.match.state.waiting is None and not self.paused
        return won or self._rig.frames.ended

    @property
    def paused(self) -> bool:
        """Whether scoring waits, since the last thing that was done is not kept yet."""
        return self._held is not None

    def run(self, stop: Stop, *, until_over: bool = False) -> None:
        """Turn until `stop` is set (SIGTERM, at any time), or the match is over; then close."""
        try:
            while not stop.is_set() and not (until_over and self.over):
                self.turn()
        finally:
            self.close()

    def turn(self, timeout_s: float = TURN_S) -> None:
        """One frame, or `timeout_s` seconds without one; the presses, answers and news since the last."""
        frame = self._rig.frames.next(timeout_s)
        now = self._rig.clock()
        self._hear_news(now)
        if self._held is not None and now >= self._held.retry_at:
            self._keep(now)
        if frame is not None:
            self._see(frame, now)
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
        self._match_id = None
        self.chair = self._fresh()
        self._show(now)

    def close(self) -> None:
        """Give every part back, however the others end; waits a bounded time for each."""
        rig, now = self._rig, self._rig.clock()
        if self._held is not None:
            self._keep(now)
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
                self._log(name, str(error))
            except Exception:  # the other parts are to be given back all the same
                logger.exception("closing the %s", name)
        self._tell({"kind": "stopped", "match": self._match_id})

    # ------------------------------------------------------------ how a match begins

    def _fresh(self) -> Chair:
        """The chair of a new match; `_keep` has its beginning kept."""
        terms = self._terms
        self._began = terms.began(self._rig.wall_clock())
        self._held = _Held(Outgoing())
        voice, limit = self._rig.voice.texts, terms.review_limit
        chair = Chair(Match(terms.edition, terms.setup), terms.texts, voice=voice, review_limit=limit)
        self._board = chair.scoreboard(self._rig.clock())
        self._keep(self._rig.clock())
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
        self._match_id = open_match.id
        self._tell({"kind": "resumed", "match": open_match.id, "strokes": open_match.strokes})
        self._lay_back = lay_back(chair.match.state, records)
        if (warning := board_warning(terms.edition, records)) is not None:
            self._say("match", warning)
        return chair

    # ------------------------------------------------------------ what comes in

    def _see(self, frame: Frame, now: float) -> None:
        umpire = self._rig.umpire
        try:
            found = umpire.see(frame)
        except InputError as error:
            self._trouble("pictures", str(error), now)
            return
        self._well("pictures")
        try:
            self._rig.kept.offer(frame, umpire.balls, found)
        except InputError as error:
            self._trouble("reviews", str(error), now)  # calls go on without them
        for seen in found:
            if isinstance(seen, StrokeSeen) and seen.rest is not None:
                self._measuring.came_to_rest(seen.rest, umpire.calibration)
            if isinstance(seen, NoticeSeen):
                self._tell({"kind": "notice", "at": round(seen.at, 4), "code": seen.code, "text": seen.text})
            else:
                self._lay_back = None
                if self.paused:
                    continue  # the panels say so
            try:
                self._take(self.chair.observe(seen, now, self._rig.wall_clock()), now)
            except InputError as error:
                self._say("umpire", str(error))

    def _feel(self, now: float) -> None:
        try:
            edges = self._rig.buttons.drain()
            self._well("buttons")
        except ButtonError as error:
            self._trouble("buttons", str(error), now)
            edges = ()
        clean = self._debouncer.feed(edges, now)
        for gesture in self._gestures.feed(clean, now, immediate=self.chair.choosing):
            if self.paused:
                continue  # as with what is seen: nothing is scored now
            self._tell({"kind": "press", "press": gesture.meaning, "side": gesture.side})
            self._take(self.chair.press(gesture, now, self._rig.wall_clock()), now)
        stuck = self._gestures.stuck()
        for button in stuck:
            self._trouble(str(button), f"{button} is stuck or something lies on it; free it", now)
        for name in [str(button) for button in self._lit if button not in stuck]:
            self._well(name)

    def _hear_news(self, now: float) -> None:
        rig = self._rig
        news: list[CameraNews | SpeakerNews | PanelNews] = [
            *rig.frames.news(),
            *rig.speaker.news(),
            *rig.panels.news(),
        ]
        for each in news:
            match each:
                case CameraNews():
                    part, text = "camera", f"Camera: {each.reason}; scoring waits."
                case SpeakerNews():
                    part, text = "speaker", f"No voice: {each.reason}"
                case _:
                    part, text = each.panel, f"Panel ({each.role}): {each.reason}"
            if each.kind == "back":
                self._well(part)
            else:
                self._trouble(part, text, now)

    # ------------------------------------------------------------ what goes out

    def _take(self, out: Outgoing, now: float) -> None:
        """Keep, then tell. Only called while nothing is held, or with what needs no keeping."""
        if out.records:
            self._held = _Held(out)
            self._keep(now)
        else:
            self._announce(out)

    def _keep(self, now: float) -> None:
        """Have kept what is held, from where it failed; when all is, it is told."""
        held = self._held
        assert held is not None
        try:
            if self._match_id is None:
                assert self._began is not None
                self._match_id = self._journal.begin(self._began)
                self._tell({"kind": "began", "match": self._match_id})
            for record in held.out.records[held.kept :]:
                self._journal.append(self._match_id, record)
                held.kept += 1
        except JournalError as error:
            held.retry_at = now + RETRY_S
            self._trouble("journal", str(error), now)
            return
        self._held = None
        self._well("journal")
        self._announce(out=held.out)

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
            self._close_up = (drawing, now + CLOSE_UP_S)
        self._take(out, now)

    def _looked_at(self, now: float) -> CloseUpDrawing | None:
        """The close-up that is to be seen: for a while, as long as its call waits for an answer, and no
        longer than its stroke is the last. None before it is kept."""
        if self._close_up is None or self.paused:
            return None
        (drawing, until), strokes, review = self._close_up, self.chair.match.state.strokes, self.chair.review
        asks = review is not None and review.now is not None
        if (now < until or asks) and strokes and strokes[-1] == drawing.stroke:
            return drawing
        self._close_up = None
        return None

    def _show(self, now: float) -> None:
        """Draw the panels and light the lamps, where anything changed. While something is not kept, the
        panels show what was."""
        if self._held is None:
            self._board = self.chair.scoreboard(now)
        assert self._board is not None
        board = self._with_notice(self._board, now)
        # The words of a review stand on the in-rally panel, beside them the ball over the line.
        beside = self._looked_at(now) or BoardDrawing("game", board)
        for drawing, role in ((BoardDrawing("in-rally", board), "in-rally"), (beside, "game")):
            if drawing != self._shown.get(role):
                self._shown[role] = drawing
                self._rig.panels.show(role, drawing)
        lights = self.chair.lights() if not self.paused else {}
        for side in BOTH_SIDES:
            confirm, challenge = lights.get(side, (False, False))
            self._light(Button(side, "confirm"), confirm)
            self._light(Button(side, "challenge"), challenge)

    def _with_notice(self, board: Scoreboard, now: float) -> Scoreboard:
        """The scoreboard, with the most important of what there is to be told. A score that cannot be kept
        comes first, then what waits for buttons, then a camera that sees nothing."""
        troubles, review = self._troubles, self.chair.review
        asks = self.chair.overruling is not None or (review is not None and review.now is not None)
        notice = board.notice
        if self.paused and troubles.unkept is not None:
            notice = troubles.unkept
        elif troubles.unseen is not None and not asks:
            notice = troubles.unseen
        elif notice is None:
            notice = self._notices.passing(now) or self._lay_back
        if notice is None or notice == board.notice:
            return board
        return msgspec.structs.replace(board, notice=short(notice))

    def _light(self, button: Button, on: bool) -> None:
        if self._lit.get(button, False) is on and button in self._lit:
            return
        self._lit[button] = on
        with suppress(ButtonError):  # a lamp that fails is told by `drain`, whose pins fail with it
            self._rig.buttons.light(button, on)

    # ------------------------------------------------------------ what is wrong

    def _trouble(self, part: str, text: str, now: float) -> None:
        """Something is wrong with a part: logged once, until it is well. What stops the scoring is shown as
        long as it lasts, all else for a moment."""
        if self._troubles.is_new(part, text):
            self._log(part, text)
            if not self._troubles.stops(part):
                self._notices.tell(short(text), now)

    def _well(self, part: str) -> None:
        if self._troubles.ended(part):
            self._tell({"kind": "well", "part": part})

    def _say(self, part: str, text: str) -> None:
        """Tell people once of something that is no trouble any more."""
        self._log(part, text)
        self._notices.tell(short(text), self._rig.clock())

    def _log(self, part: str, text: str) -> None:
        self._tell({"kind": "trouble", "part": part, "text": text})
