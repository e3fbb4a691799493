"""A match that is kept on a board: strokes, placements, buttons, rulings in; lines, scoreboards out.

Joins geometry, rules and panels, one action at a time. No camera, no clock, nothing is printed.
"""

from dataclasses import dataclass
from typing import Final

from calibration.edition import Edition
from firmware.errors import InputError
from firmware.landings import landing_of, place_of, zero_place
from firmware.report import Line, Point, called_anew, event_line, stroke_line, waiting_line
from firmware.rules import (
    Action,
    Called,
    Corrected,
    Event,
    FlickFaultContested,
    IllegalAction,
    Landing,
    Lay,
    PlacementAwaited,
    PlacementReason,
    Press,
    Setup,
    Side,
    State,
    Stroke,
    StrokeRefused,
    Undone,
    end_of,
    side_of,
    start,
    step,
)
from firmware.screens.from_rules import scoreboard_of
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import Language, Texts, stroke_played_on
from firmware.umpire.observations import PlacementSeen, StrokeSeen
from firmware.umpire.rest import Position

BOTH_SIDES: Final[tuple[Side, Side]] = ("A", "B")


@dataclass(frozen=True, slots=True)
class Measured:
    """A stroke as it was measured; the fields are those of `report.stroke_line`."""

    from_mm: Point
    dot_mm: Point | None
    disc_mm: Point | None
    sigma_mm: float | None = None
    disc_sigma_mm: float | None = None
    off_board: bool = False
    started_at: float | None = None
    rested_at: float | None = None
    unseen: bool = False
    """A part of the stroke was not seen; no call of it is then certain."""


class Match:
    """The state of a match on an edition. What changes it answers with lines for other programs, one
    for each thing that is announced; everything else reads."""

    def __init__(self, edition: Edition, setup: Setup) -> None:
        self._edition = edition
        self._state = start(setup)
        self._events: tuple[Event, ...] = ()
        self._strokes: dict[int, Line] = {}

    @property
    def state(self) -> State:
        """The rules' state after the last action."""
        return self._state

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last action that announced anything led to; empty before it."""
        return self._events

    def scoreboard(self, notice: str | None = None) -> Scoreboard:
        """What the panels show now."""
        return scoreboard_of(self._state, notice)

    def waiting_line(self) -> Line:
        """What the match waits for, or its outcome."""
        return waiting_line(self._state, self.wanted_mm())

    def wanted_mm(self) -> Point | None:
        """Where the ball has to be laid now; None if nowhere, or in no place that is a point."""
        waiting = self._state.waiting
        if not isinstance(waiting, PlacementAwaited):
            return None
        if waiting.reason != "zero" or waiting.box is None:
            return waiting.at_mm
        end = end_of(side_of(waiting.seat), self._state.standing.ends_changed)
        return zero_place(self._edition, end, waiting.box)

    def act(self, action: Action, measured: Measured | None = None, *, follows: bool = False) -> list[Line]:
        """Do something, and what came of it; `measured` for a stroke, and only for one. `follows`: it goes
        with the last action, and is announced with it. IllegalAction if it may not be done now."""
        after = step(self._state, action)
        self._state = after.state
        if after.events:
            self._events = (*self._events, *after.events) if follows else after.events
        return [line for event in after.events for line in self._lines(event, measured)]

    def lay_of(self, at_mm: Point, disc_mm: Point | None = None) -> Lay:
        """The action of a hand that laid the ball there."""
        return Lay(place_of(self._edition, at_mm, disc_mm))

    def stroke_of(self, measured: Measured) -> Stroke:
        """The action of a stroke."""
        return Stroke(self._landing(measured))

    def lay(self, at_mm: Point, disc_mm: Point | None = None) -> list[Line]:
        """A hand laid the ball there. Nothing is said if that changes nothing."""
        return self.act(self.lay_of(at_mm, disc_mm))

    def stroke(self, measured: Measured) -> list[Line]:
        """Call and score a stroke. IllegalAction if none may be made now."""
        return self.act(self.stroke_of(measured), measured)

    def take(self, seen: StrokeSeen) -> list[Line]:
        """Call and score a stroke that the umpire saw.

        InputError for a stroke without a calibrated place; IllegalAction if none may be made now.
        """
        return self.stroke(measured_of(seen))

    def wrong_place(self, stroke: Stroke) -> PlacementReason | None:
        """Why a stroke would not count, for where the ball lay; None if it would, or may not be made."""
        try:
            events = step(self._state, stroke).events
        except IllegalAction:
            return None
        return next((event.reason for event in events if isinstance(event, StrokeRefused)), None)

    def take_as_played(self, seen: StrokeSeen, texts: Texts | Language = "en") -> list[Line]:
        """As `take`, of a recording: where a stroke may not count because the ball lay wrong, nobody
        is there to put it back, and players who played on have agreed to it (SM-19). A notice before
        the stroke's line says so, instead of the agreement."""
        stroke, number = self.stroke_of(measured_of(seen)), len(self._state.strokes) + 1
        wrong = self.wrong_place(stroke)
        if wrong is None:
            return self.take(seen)
        for action in played_on(stroke):
            self.act(action)
        return [played_on_line(number, wrong, seen.at, texts), *self.take(seen)]

    def take_placement(self, seen: PlacementSeen) -> list[Line]:
        """A hand laid the ball where the umpire saw it; nothing where that place is not known."""
        position = seen.rest.position
        return [] if position is None else self.lay(position.dot_mm, position.disc_mm)

    def _landing(self, measured: Measured) -> Landing:
        # A ball that left the board may lie in sight beside it: it has a place, and is off all the same.
        off_board = measured.off_board or measured.dot_mm is None
        dot_mm, disc_mm = measured.dot_mm, measured.disc_mm
        if off_board or dot_mm is None or disc_mm is None:
            dot_mm = disc_mm = measured.from_mm
        sigma_mm = measured.sigma_mm or 0.0
        disc_sigma_mm = measured.disc_sigma_mm
        return landing_of(
            self._edition,
            measured.from_mm,
            dot_mm,
            disc_mm,
            off_board=off_board,
            dot_sigma_mm=0.0 if off_board else sigma_mm,
            disc_sigma_mm=0.0 if off_board else sigma_mm if disc_sigma_mm is None else disc_sigma_mm,
            unseen=measured.unseen,
        )

    def _lines(self, event: Event, measured: Measured | None) -> list[Line]:
        if isinstance(event, Called):
            assert measured is not None
            line = stroke_line(
                event,
                started_at=measured.started_at,
                rested_at=measured.rested_at,
                from_mm=measured.from_mm,
                dot_mm=measured.dot_mm,
                disc_mm=measured.disc_mm,
                sigma_mm=measured.sigma_mm,
                off_board=measured.off_board,
            )
            self._strokes[event.number] = line
            return [line]
        if isinstance(event, Corrected):
            # The stroke that was ruled on is told even if nothing has changed: it was asked about.
            return [event_line(event), *self._called_anew(event.now.number)]
        if isinstance(event, FlickFaultContested | Undone):
            return [event_line(event), *self._called_anew()]
        return [event_line(event, self.wanted_mm())]

    def _called_anew(self, number: int | None = None) -> list[Line]:
        """The lines of the strokes that are now called otherwise than when they were last told, and
        of stroke `number`; those of strokes that were undone are forgotten."""
        played = self._state.strokes
        self._strokes = {n: line for n, line in self._strokes.items() if n <= len(played)}
        anew = []
        for each in played:
            told = self._strokes[each.called.number]
            line = called_anew(told, each.called)
            if line != told or each.called.number == number:
                self._strokes[each.called.number] = line
                anew.append(line)
        return anew


def played_on(stroke: Stroke) -> tuple[Action, ...]:
    """What both sides do who agree that a stroke counts though the ball lay wrong (SM-19)."""
    return (Lay(stroke.landing.start), *(Press("confirm", side) for side in BOTH_SIDES))


def played_on_line(number: int, wrong: PlacementReason, at: float, texts: Texts | Language) -> Line:
    """A notice that stroke `number`, seen `at` seconds of the camera's, counts though the ball lay wrong."""
    text = stroke_played_on(number, wrong, texts)
    return {"kind": "notice", "at": round(at, 4), "code": "played-on", "text": text}


def measured_of(seen: StrokeSeen) -> Measured:
    """A stroke as the umpire measured it. InputError if the board was not calibrated then."""
    start_position = _position(seen.from_rest.position)
    at = None if seen.rest is None else _position(seen.rest.position)
    return Measured(
        from_mm=start_position.dot_mm,
        dot_mm=None if at is None else at.dot_mm,
        disc_mm=None if at is None else at.disc_mm,
        sigma_mm=None if at is None else at.dot_sigma_mm,
        disc_sigma_mm=None if at is None else at.disc_sigma_mm,
        off_board=seen.off_board or at is None,
        started_at=seen.started_at,
        rested_at=seen.rested_at,
        unseen=seen.uncertain,
    )


def _position(position: Position | None) -> Position:
    if position is None:
        raise InputError("a stroke was seen before the board was; calibrate, then play it again")
    return position
