"""Counting a match anew after the players ruled on one of its strokes.

As in tennis, what was played stands: a stroke keeps being the serve or the return that it was, and
its call, its marker and the score follow from what now came before it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from firmware.rules.actions import Correct, IllegalAction
from firmware.rules.events import (
    Called,
    Corrected,
    EndsChanged,
    Event,
    MatchWon,
    TieBreakBegan,
)
from firmware.rules.landing import Landing
from firmware.rules.rally import asked, opening, strike
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
    open, while play went on with the next one, counts for nobody. IllegalAction for a ruling that a
    stroke cannot have.
    """
    standing, again = opening(setup), []
    events: tuple[Event, ...] = ()
    rally, rally_is_over = 0, True
    for number, played in enumerate(strokes, start=1):
        resumed = None
        if played.ruling != VOID and standing.outcome is None:
            if played.rally != rally:
                # One that was left open counts for nobody.
                standing = msgspec.structs.replace(standing, phase="first serve", marker=0)
                rally, rally_is_over = played.rally, False
            resumed = None if rally_is_over else _resumed(standing, played.awaited)
        if resumed is None:
            called, events = _void(standing, played, number), ()
        else:
            struck = strike(setup, *resumed, played.end, played.landing, number, played.ruling)
            standing, called, events = struck
            rally_is_over = called.rally_winner is not None
        again.append(msgspec.structs.replace(played, called=called))
    return Recount(standing, tuple(again), events)


def called_by(state: State, number: int, landing: Landing) -> Called:
    """What stroke `number` would be called if it had come to rest as `landing` says: for a review.
    IllegalAction as for `calls.verdict`."""
    strokes = list(state.strokes)
    strokes[number - 1] = msgspec.structs.replace(strokes[number - 1], landing=landing, ruling=None)
    return recounted(state.setup, strokes[:number]).strokes[number - 1].called


def rally_of_next(strokes: Sequence[Played]) -> int:
    """The number of the rally in which the next stroke will be played, from 1."""
    for played in reversed(strokes):
        if played.called.call != "void" and played.called.rally_winner is None:
            return played.rally
        if played.called.call != "void":
            break
    # Never a number again that a stroke already has: a void one may be the last.
    return strokes[-1].rally + 1 if strokes else 1


def corrected(state: State, action: Correct) -> tuple[State, tuple[Event, ...]]:
    """The match with the players' ruling, and what is announced; its log is the caller's. A ruling
    that says what the stroke is called anyway leaves everything as it is.

    IllegalAction for a stroke that cannot be ruled so.
    """
    called = _checked(state, action).called
    same_call = action.call in (None, called.call)
    if same_call and action.points in (None, called.points):
        return state, (Corrected(called, called, (), state.score),)
    # Points can only be those of a good stroke. A ruled call has the measured points without them.
    call = "in" if action.call is None else action.call
    after, events = ruled(state, action.number, Ruling(call, action.points))
    now = after.strokes[action.number - 1].called
    if action.call == "double-fault" and now.call != "double-fault":
        raise IllegalAction("first-serve-only-faults")
    return after, events


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
    standing = _as_it_lies(state, standing)
    events: tuple[Event, ...] = (Corrected(was, now, changed, standing.score),)
    events += last if number == len(again) else _turned(state.standing, standing)
    if standing.hold is not None and asked(standing) != asked(state.standing):
        events += (asked(standing),)  # with the points the side to serve from has changed
    return msgspec.structs.replace(state, standing=standing, strokes=again), events


def _turned(before: Standing, after: Standing) -> tuple[Event, ...]:
    """What a ruling on an earlier stroke brought about, beyond the score."""
    events: tuple[Event, ...] = ()
    if after.score.counting == "tie-break" != before.score.counting:
        events += (TieBreakBegan(after.score),)
    if after.outcome is None:
        if after.ends_changed != before.ends_changed:
            events += (EndsChanged(after.score),)
    elif before.outcome is None:
        events += (MatchWon(after.outcome, after.score),)
    return events


def _resumed(standing: Standing, awaited: Stroking) -> tuple[Standing, Stroking] | None:
    """The match as it takes in a stroke of the same rally that was played as `awaited`; None if the
    stroke counts for nothing, because a serve is still due before it."""
    phase, marker = standing.phase, standing.marker
    match awaited:
        case ServeAwaited():
            if phase not in SERVES:
                # A serve that is now good, while a second one was played: the second stands.
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


def _as_it_lies(state: State, after: Standing) -> Standing:
    """`after`, with where the ball lies and what holds play up, if the ruling left the same stroke
    due: those do not come of the strokes."""
    live = state.standing
    before = recounted(state.setup, state.strokes).standing
    due = [(each.phase, each.to_play, each.outcome) for each in (before, after)]
    if due[0] != due[1]:
        return after
    return msgspec.structs.replace(
        after, phase=live.phase, to_play=live.to_play, ball_mm=live.ball_mm, hold=live.hold
    )


def _checked(state: State, action: Correct) -> Played:
    """The stroke that a correction is about; IllegalAction if there is none to correct."""
    if not state.strokes:
        raise IllegalAction("no-stroke-yet")
    if not 1 <= action.number <= len(state.strokes):
        raise IllegalAction("no-such-stroke")
    played = state.strokes[action.number - 1]
    if played.called.call == "void":
        raise IllegalAction("stroke-is-void")
    # Only a flick fault that is contested makes a stroke void (SM-20).
    if action.call == "void" or (action.call is None and action.points is None):
        raise IllegalAction("no-such-ruling")
    return played
