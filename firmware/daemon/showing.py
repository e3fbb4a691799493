"""What stands on the panels and which lamps are lit: the scoreboard as it is kept, the most important of what
there is to be told, and beside them the ball of a review, or the place where it has to be laid.

What is drawn is told to the parts when it has changed, and not waited for; nothing is kept or decided here.
"""

from dataclasses import replace
from typing import Final, get_args

import msgspec

from firmware.chair.chair import Chair
from firmware.chair.notices import NOTICE_S
from firmware.chair.reviews import Review
from firmware.config import Role
from firmware.daemon.parts import (
    BoardDrawing,
    CloseUpDrawing,
    Drawing,
    LayBackDrawing,
    MenuDrawing,
    Rig,
    Terms,
)
from firmware.daemon.pressing import Lamps
from firmware.daemon.troubles import Troubles, coded, short
from firmware.match import BOTH_SIDES
from firmware.rules import DecisionAwaited, PlacementAwaited, ReturnAwaited
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import NoticeCode, match_goes_on, next_match, trouble_sentence, umpire_notice
from firmware.umpire.rest import Point, Position
from hardware.button import BUTTONS, Button

CLOSE_UP_S: Final = 8.0
"""So long the ball over the line is to be seen, unless somebody plays on."""
WINNER_S: Final = 10.0
"""So long only the winner is to be seen, before anything is asked, and told of the next match."""


class Showing:
    """Panels and lamps of a rig, in the loop's thread. Times are the rig's clock."""

    def __init__(self, rig: Rig, troubles: Troubles) -> None:
        self._rig = rig
        self._troubles = troubles
        self._board: Scoreboard | None = None
        self.told = Scoreboard()
        """What the panels show of the match, what people are told included; also beneath an open menu."""
        self._shown: dict[str, Drawing] = {}
        self._close_up: tuple[CloseUpDrawing, float] | None = None
        self._lamps = Lamps(rig.buttons, troubles)
        self._goes_on = False
        self._won_at: float | None = None

    def begin(self, chair: Chair, now: float) -> None:
        """A match: its beginning is shown, though it cannot be kept yet."""
        self._board = chair.scoreboard(now)
        self._close_up = None
        self._goes_on = False

    def go_on(self) -> None:
        """A match goes on, and the ball has to be laid where it lay: after a power cut, or where a call was
        changed, or the board found anew, while the ball was in hand. It is said until the ball is seen."""
        self._goes_on = True

    def ball_seen(self) -> None:
        """The ball lies on the board, or is played."""
        self._goes_on = False

    def look_at(self, review: Review, chair: Chair, again: Position, terms: Terms, now: float) -> None:
        """Have the ball of a review be seen for a while: `again` is where it was measured to lie; the chair
        knows what came of it."""
        overturned = None if chair.review is None else chair.review.now
        drawing = CloseUpDrawing(
            terms.edition,
            review.stroke,
            overturned or review.stroke.called,
            again,
            "stands" if overturned is None else "overturned",
            terms.texts,
            chair.match.state.setup.doubles,
        )
        self._close_up = drawing, now + CLOSE_UP_S

    def show(
        self,
        chair: Chair,
        terms: Terms,
        now: float,
        *,
        waits: bool,
        blind: NoticeCode | None = None,
        menu: MenuPage | None = None,
        over: bool = False,
        next_awaited: bool = False,
    ) -> None:
        """Draw the panels and light the lamps, where anything changed. While something is not kept (`waits`),
        the panels show what was. `blind`: what keeps the umpire from seeing. A `menu` that is open is all
        that is to be seen, and takes every button. `over`: the match has been won, and another can be begun;
        `next_awaited`: it cannot go on, and CONFIRM leads to another."""
        self._won_at = (self._won_at or now) if over and not chair.asks else None
        try:
            if not waits or self._board is None:
                self._board = chair.scoreboard(now)
            board = self._with_notice(self._board, chair, terms, now, waits, blind)
            # The words stand on the in-rally panel, beside them the ball over the line, or its place.
            beside = None if waits else self._looked_at(chair, now) or self._laid_back(chair, terms)
            lights = {} if waits or self._winner_alone(now) else chair.lights()
        except Exception as error:  # a bug: what was shown stays, and the loop goes on
            self._troubles.failed("screens", error, coded("failed"), now)
            notice = trouble_sentence("failed", terms.texts)
            board = msgspec.structs.replace(self._board or Scoreboard(), notice=notice)
            beside, lights = None, {}
        else:
            self._troubles.well("screens")
        self.told = board
        self._troubles.stood(board.notice, terms.texts, now, seen=menu is None)
        if menu is not None:  # the board is kept up all the same: it is what was shown when keeping fails
            for role in get_args(Role):
                self._draw(role, MenuDrawing(menu))
            for button in BUTTONS:
                self._lamps.light(button, True, now)
            return
        self._draw("in-rally", BoardDrawing("in-rally", board, terms.texts))
        self._draw("game", self._on_game_panels(board, beside, terms))
        for side in BOTH_SIDES:
            confirm, challenge = lights.get(side, (False, False))
            self._lamps.light(Button(side, "confirm"), confirm or next_awaited, now)
            self._lamps.light(Button(side, "challenge"), challenge, now)

    def _on_game_panels(
        self, board: Scoreboard, beside: CloseUpDrawing | LayBackDrawing | None, terms: Terms
    ) -> Drawing:
        """What game panels show: what people have to read, too, as long as no in-rally panel tells it."""
        panels = self._rig.panels
        if board.notice is not None and panels.works("game") and not panels.works("in-rally"):
            return BoardDrawing("in-rally", board, terms.texts)
        if beside is None:
            return BoardDrawing("game", board, terms.texts)
        return replace(beside, texts=terms.texts)  # the language may be another since

    def _draw(self, role: str, drawing: Drawing) -> None:
        if drawing != self._shown.get(role):
            self._shown[role] = drawing
            self._rig.panels.show(role, drawing)

    def _looked_at(self, chair: Chair, now: float) -> CloseUpDrawing | None:
        """The close-up that is to be seen: for a while, as long as its call waits for an answer, no longer
        than its stroke is the last, and not beside another question."""
        if self._close_up is None or isinstance(chair.match.state.waiting, DecisionAwaited):
            return None
        (drawing, until), strokes, review = self._close_up, chair.match.state.strokes, chair.review
        asks = review is not None and review.now is not None
        if drawing.end == "overturned" and not asks:  # the answer was not to confirm it
            drawing, until = replace(drawing, end="let-stand"), max(until, now + NOTICE_S)
            self._close_up = drawing, until
        if (now < until or asks) and strokes and strokes[-1] == drawing.stroke:
            return drawing
        self._close_up = None
        return None

    def _place(self, chair: Chair) -> Point | None:
        """Where the ball has to be laid, mm in board axes, if it has to be: after it was moved, or in a match
        that goes on. A serve is played from behind the baseline, wherever the ball lay last."""
        waiting = chair.match.state.waiting
        match waiting:
            case PlacementAwaited():
                return waiting.at_mm
            case ReturnAwaited() if self._goes_on:
                return waiting.from_mm
            case _:
                return None

    def _laid_back(self, chair: Chair, terms: Terms) -> LayBackDrawing | None:
        """The picture of that place."""
        at_mm = self._place(chair)
        if at_mm is None:
            return None
        return LayBackDrawing(terms.edition, at_mm, terms.texts, chair.match.state.standing.ends_changed)

    def _goes_on_said(self, chair: Chair, terms: Terms) -> str | None:
        state = chair.match.state
        if not self._goes_on or state.waiting is None:
            return None
        return match_goes_on(self._place(chair), terms.texts, ends_changed=state.standing.ends_changed)

    def _next_said(self, chair: Chair, terms: Terms, now: float) -> str | None:
        """After the winner has been seen for a while, what leads to the next match."""
        outcome = chair.match.state.outcome
        if outcome is None or self._won_at is None or self._winner_alone(now):
            return None
        accepted = not any(confirm for confirm, _ in chair.lights().values())
        return next_match(outcome, terms.texts, accepted=accepted)

    def _winner_alone(self, now: float) -> bool:
        """Whether a match is just over: nothing is told or asked yet, for people to look."""
        return self._won_at is not None and now < self._won_at + WINNER_S

    def _with_notice(
        self,
        board: Scoreboard,
        chair: Chair,
        terms: Terms,
        now: float,
        waits: bool,
        blind: NoticeCode | None,
    ) -> Scoreboard:
        """The scoreboard, with the most important of what there is to be told. A score that cannot be kept
        comes first, then what waits for buttons, then a camera that sees nothing, and what is before it."""
        troubles, texts = self._troubles, terms.texts
        unkept, unseen = troubles.unkept(texts), troubles.unseen(texts)
        if unseen is None and blind is not None:
            unseen = umpire_notice(blind, texts)
        notice = board.notice
        if waits and unkept is not None:
            notice = unkept
        elif unseen is not None and not chair.asks:
            notice = unseen
        elif notice is None:
            passing = troubles.passing(now, texts)
            notice = passing or self._goes_on_said(chair, terms) or self._next_said(chair, terms, now)
        if notice is None or notice == board.notice:
            return board
        return msgspec.structs.replace(board, notice=short(notice))
