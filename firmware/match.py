"""A match that is being watched: the umpire's strokes in; calls, stroke lines and scoreboards out.

Joins geometry, rules and panels for one stroke at a time. No camera, no clock, nothing is printed.
"""

from typing import Any

import msgspec

from calibration.edition import Edition
from firmware.errors import InputError
from firmware.landings import landing_of
from firmware.report import stroke_line
from firmware.rules import Called, Event, IllegalAction, Landing, Setup, State, Stroke, start, step
from firmware.screens.from_rules import scoreboard_of
from firmware.screens.scoreboard import Scoreboard
from firmware.umpire.observations import StrokeSeen
from firmware.umpire.rest import Position


class Match:
    """The state of a match on an edition. `take` moves it on; everything else reads."""

    def __init__(self, edition: Edition, setup: Setup) -> None:
        self._edition = edition
        self._state = start(setup)
        self._events: tuple[Event, ...] = ()

    @property
    def state(self) -> State:
        """The rules' state after the last stroke."""
        return self._state

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last stroke led to, its call first; empty before the first stroke."""
        return self._events

    def scoreboard(self, notice: str | None = None) -> Scoreboard:
        """What the panels show now."""
        return scoreboard_of(self._state, self._events, notice)

    def take(self, seen: StrokeSeen) -> dict[str, Any]:
        """Call and score a stroke; its stroke line.

        A stroke of which a part was not seen is never certain. InputError after the end of the
        match and for a stroke without a calibrated place.
        """
        start_position = _position(seen.from_rest.position)
        rest = seen.rest
        # A ball that left the board may lie in sight beside it: it has a place, and is off all the same.
        at = None if rest is None else _position(rest.position)
        off_board = seen.off_board or at is None
        landing = _landing(self._edition, start_position, None if off_board else at)
        called = self._judge(landing, seen.uncertain)
        return stroke_line(
            called,
            started_at=seen.started_at,
            rested_at=seen.rested_at,
            from_mm=start_position.dot_mm,
            dot_mm=None if at is None else at.dot_mm,
            disc_mm=None if at is None else at.disc_mm,
            sigma_mm=None if at is None else at.dot_sigma_mm,
            off_board=off_board,
        )

    def _judge(self, landing: Landing, uncertain: bool) -> Called:
        try:
            after = step(self._state, Stroke(landing))
        except IllegalAction as error:
            raise InputError(str(error)) from error
        # A stroke is always answered by its call, and first by it.
        called = next(event for event in after.events if isinstance(event, Called))
        called = msgspec.structs.replace(called, certain=called.certain and not uncertain)
        self._state, self._events = after.state, (called, *after.events[1:])
        return called


def _position(position: Position | None) -> Position:
    if position is None:
        raise InputError("a stroke was seen before the board was; calibrate, then play it again")
    return position


def _landing(edition: Edition, start_position: Position, at: Position | None) -> Landing:
    if at is None:
        place = start_position.dot_mm
        return landing_of(edition, place, place, place, off_board=True)
    return landing_of(
        edition,
        start_position.dot_mm,
        at.dot_mm,
        at.disc_mm,
        dot_sigma_mm=at.dot_sigma_mm,
        disc_sigma_mm=at.disc_sigma_mm,
    )
