"""Counting a match anew after the players ruled on one of its strokes.

As in tennis, what was played stands: a stroke keeps being the serve or the return that it was, and
its call, its marker and the score follow from what now came before it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from firmware.rules.actions import Correct, IllegalAction
from firmware.rules.events import Call, Called, Corrected, Event, MatchWon
from firmware.rules.rally import opening, strike
from firmware.rules.setup import Setup
from firmware.rules.state import (
    Played,
    ReturnAwaited,
    Ruling,
    ServeAwaited,
    Standing,
    State,
    Stroking,
)
from firmware.rules.transitions import RETURNS, SERVES

VOID = Ruling(call="void")
"""The stroke is played again (SM-20)."""


class Recount(NamedTuple):
    """A match counted from its first stroke."""

    standing: Standing
    strokes: tuple[Played, ...]
    last: tuple[Event, ...]
    """What the last stroke brought about."""


def recounted(setup: Setup, strokes: Sequence[Played]) -> Recount:
    """The match with these strokes, each by its ruling where it has one.

    A rally that now ends earlier makes void what was still played in it. A rally that is now left
    open, while play went on with another serve, counts for nobody. IllegalAction for a ruling that
    a stroke cannot have.
    """
    standing, again = opening(setup), []
    events: tuple[Event, ...] = ()
    for number, played in enumerate(strokes, start=1):
        resumed = None if played.ruling == VOID else _resumed(standing, played.awaited)
        if resumed is None:
            called, events = _void(standing, played, number), ()
        else:
            struck = strike(setup, *resumed, played.end, played.landing, number, played.ruling)
            standing, called, events = struck
        again.append(msgspec.structs.replace(played, called=called))
    return Recount(standing, tuple(again), events)


def ruling_of(action: Correct, before: Ruling | None) -> Ruling:
    """The ruling that a correction makes of a stroke that was ruled `before`. A ruled call has the
    measured points unless points are given with it; ruled points leave the call."""
    # What a missed serve is depends on the attempt, which a later correction may change.
    call: Call | None = "fault" if action.call == "double-fault" else action.call
    if call is None and before is not None:
        call = before.call
    return Ruling(call, action.points)


def ruled(state: State, number: int, ruling: Ruling) -> tuple[State, tuple[Event, ...]]:
    """The match with a ruling on stroke `number`, and what is announced; its log is the caller's.

    A ruling to the same effect leaves everything as it is. IllegalAction for a ruling that the
    stroke cannot have.
    """
    index = number - 1
    strokes = list(state.strokes)
    was = strokes[index].called
    strokes[index] = msgspec.structs.replace(strokes[index], ruling=ruling)
    standing, again, last = recounted(state.setup, strokes)
    now = again[index].called
    if (now.call, now.points) == (was.call, was.points):
        return state, (Corrected(was, was, (), state.score),)
    changed = tuple(
        new.called
        for old, new in zip(state.strokes[number:], again[number:], strict=True)
        if old.called != new.called
    )
    events: tuple[Event, ...] = (Corrected(was, now, changed, standing.score),)
    if number == len(again):
        events += last
    elif standing.outcome is not None and state.outcome is None:
        events += (MatchWon(standing.outcome, standing.score),)
    after = msgspec.structs.replace(state, standing=_still_held(state.standing, standing), strokes=again)
    return after, events


def _resumed(standing: Standing, awaited: Stroking) -> tuple[Standing, Stroking] | None:
    """The match as it takes in a stroke that was played as `awaited`; None if the stroke counts for
    nothing, because the match or its rally is over before it."""
    if standing.outcome is not None:
        return None
    phase, marker = standing.phase, standing.marker
    match awaited:
        case ServeAwaited():
            if phase not in SERVES:
                phase, marker = SERVES[awaited.attempt - 1], 0
            as_played: Stroking = msgspec.structs.replace(awaited, attempt=SERVES.index(phase) + 1)
        case ReturnAwaited():
            if phase in SERVES:
                return None
            if phase not in RETURNS:
                phase = "return"
            pressure = phase == "return under pressure"
            as_played = msgspec.structs.replace(awaited, pressure=pressure)
    resumed = msgspec.structs.replace(standing, phase=phase, marker=marker, to_play=awaited.seat)
    return resumed, as_played


def _void(standing: Standing, played: Played, number: int) -> Called:
    return Called(
        number=number,
        seat=played.awaited.seat,
        call="void",
        points=None,
        margin_mm=None,
        certain=True,
        marker=standing.marker,
        rally_winner=None,
        score=standing.score,
        ruled=True,
    )


def _still_held(before: Standing, after: Standing) -> Standing:
    """`after`, with the ball's place and what holds play up, if the same stroke is still due."""
    due = [(s.phase in SERVES, s.phase in RETURNS, s.to_play, s.outcome) for s in (before, after)]
    if due[0] != due[1]:
        return after
    return msgspec.structs.replace(after, ball_mm=before.ball_mm, hold=before.hold)


def checked(state: State, action: Correct) -> Played:
    """The stroke that a correction is about; IllegalAction if it cannot be corrected so."""
    if not state.strokes:
        raise IllegalAction("no-stroke-yet")
    if not 1 <= action.number <= len(state.strokes):
        raise IllegalAction("no-such-stroke")
    played = state.strokes[action.number - 1]
    if played.called.call == "void":
        raise IllegalAction("stroke-is-void")
    if action.call is None and action.points is None:
        raise IllegalAction("no-such-ruling")
    return played
