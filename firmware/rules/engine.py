"""Set & Match as an engine: step, legal, view, replay. No clock and no I/O may live here.

A match is its setup and its actions; the same actions give the same states and events, always.
"""

import math
from collections.abc import Iterable
from typing import Literal

import msgspec

from firmware.rules.actions import Action, Button, Correct, IllegalAction, Lay, Press, Stroke
from firmware.rules.buttons import BUTTONS, refusal
from firmware.rules.corrections import VOID, corrected, rally_of_next, recounted, ruled
from firmware.rules.events import (
    CallAccepted,
    Event,
    FlickFaultCalled,
    FlickFaultContested,
    Placed,
    PlacementAgreed,
    ServerReady,
    StrokeRefused,
    Undone,
)
from firmware.rules.landing import Landing, Place
from firmware.rules.placing import fault_of_place, is_held, laid_right, played_on
from firmware.rules.rally import asked, end_of, opening, strike
from firmware.rules.setup import Seat, Setup, side_of
from firmware.rules.state import (
    FlickFaultInQuestion,
    Played,
    Refusal,
    ReturnAwaited,
    Ruling,
    ServeAwaited,
    Standing,
    State,
    Step,
    Stroking,
    View,
    WrongPlace,
    placement_awaited,
)
from firmware.rules.transitions import RETURNS

Act = Literal["stroke", "lay", "correct"] | Button
"""What a seat may do: strike, lay the ball, have a call corrected, or press a button."""


def start(setup: Setup) -> State:
    """The state before the first serve of a match."""
    return State(setup=setup, standing=opening(setup))


def step(state: State, action: Action) -> Step:
    """The next state and what is announced. IllegalAction, with the reason, if it may not be done
    now; `state` is unchanged in any case."""
    match action:
        case Stroke():
            return _stroke(state, action)
        case Lay():
            return _laid(state, action)
        case Correct():
            return _corrected(state, action)
        case Press():
            return _pressed(state, action)


def legal(state: State, seat: Seat) -> tuple[Act, ...]:
    """What `seat` may do now, and nothing else. While the ball has to be laid elsewhere a stroke may
    still be made, from there: it shows that the ball was laid there."""
    acts: list[Act] = []
    standing = state.standing
    flick_fault = isinstance(standing.hold, FlickFaultInQuestion)
    if (
        standing.outcome is None
        and not flick_fault
        and played_on(state.setup, standing, None).to_play == seat
    ):
        acts.append("stroke")
    acts.append("lay")
    if not flick_fault and any(played.called.call != "void" for played in state.strokes):
        acts.append("correct")
    side = side_of(seat)
    return (*acts, *(button for button in BUTTONS if refusal(state, button, side) is None))


def view(state: State, seat: Seat) -> View:
    """What `seat` may see of the match, what it may press, and why not the rest."""
    waiting, side = state.waiting, side_of(seat)
    refused = {button: refusal(state, button, side) for button in BUTTONS}
    return View(
        seat=seat,
        yours=waiting is not None and waiting.seat == seat,
        waiting=waiting,
        may_press=tuple(button for button, reason in refused.items() if reason is None),
        may_not=tuple(Refusal(button, reason) for button, reason in refused.items() if reason is not None),
        score=state.score,
        marker=state.marker,
        outcome=state.outcome,
    )


def replay(setup: Setup, actions: Iterable[Action]) -> Step:
    """The state after all of `actions`, and every event on the way. IllegalAction as for `step`."""
    state = start(setup)
    events: list[Event] = []
    for action in actions:
        after = step(state, action)
        state = after.state
        events.extend(after.events)
    return Step(state, tuple(events))


def _stroke(state: State, action: Stroke) -> Step:
    landing, standing = action.landing, state.standing
    if isinstance(standing.hold, FlickFaultInQuestion):
        raise IllegalAction("decide-first")
    if standing.outcome is not None:
        raise IllegalAction("match-over")
    if not landing.start.is_measured or any(map(math.isnan, landing.rest_mm or ())):
        raise IllegalAction("not-a-number")
    reason = fault_of_place(state.setup, standing, landing.start)
    # A hand that moved the ball is announced when it is seen to; that a stroke alone starts
    # elsewhere is left to the eye that saw where it started (SM-19).
    if reason is not None and (is_held(standing) or standing.phase not in RETURNS):
        return _refused(state, action, landing)
    if is_held(standing):
        standing = played_on(state.setup, standing, landing.start.at_mm)
    ready = msgspec.structs.replace(state, standing=standing)
    awaited = ready.waiting
    assert isinstance(awaited, Stroking)
    end = end_of(side_of(awaited.seat), standing.ends_changed)
    number = len(state.strokes) + 1
    struck = strike(state.setup, standing, awaited, end, landing, number)
    rally = rally_of_next(state.strokes)
    played = Played(awaited, rally, end, landing, struck.called)
    after = _logged(state, action, struck.standing, (*state.strokes, played), undoable=True)
    return Step(after, (struck.called, *struck.events))


def _refused(state: State, action: Stroke, landing: Landing) -> Step:
    """A stroke from where the ball may not be played: it does not count (SM-13, SM-19)."""
    standing, events = _held_up(state.setup, state.standing, landing.start)
    wanted = placement_awaited(standing)
    refused = StrokeRefused(wanted.seat, wanted.reason)
    return Step(_logged(state, action, standing), (refused, *events))


def _laid(state: State, action: Lay) -> Step:
    standing = state.standing
    if not action.place.is_measured:
        raise IllegalAction("not-a-number")
    if isinstance(standing.hold, FlickFaultInQuestion) or standing.outcome is not None:
        return Step(state, ())  # nothing is to be played: where the ball lies does not matter
    place = action.place
    if fault_of_place(state.setup, standing, place) is not None:
        standing, events = _held_up(state.setup, standing, place)
        return Step(_logged(state, action, standing), events)
    after = laid_right(state.setup, standing, place)
    if after == standing:
        return Step(state, ())
    logged = _logged(state, action, after)
    if not is_held(standing):
        return Step(logged, ())
    wanted = placement_awaited(standing)
    return Step(logged, (Placed(wanted.seat, wanted.reason),))


def _held_up(setup: Setup, standing: Standing, place: Place) -> tuple[Standing, tuple[Event, ...]]:
    """Play held up for a ball that lies wrong at `place`; it is asked for once."""
    reason = fault_of_place(setup, standing, place)
    assert reason is not None
    held = msgspec.structs.replace(standing, hold=WrongPlace(reason, place.at_mm))
    return held, () if is_held(standing) else (asked(held),)


def _pressed(state: State, action: Press) -> Step:
    reason = refusal(state, action.button, action.side)
    if reason is not None:
        raise IllegalAction(reason)
    match action.button:
        case "undo":
            return _undone(state)
        case "flick-fault":
            last = state.strokes[-1].called
            held = msgspec.structs.replace(state.standing, hold=FlickFaultInQuestion())
            after = _logged(state, action, held, undoable=True)
            return Step(after, (FlickFaultCalled(last.number, last.seat),))
        case "challenge":
            return _contested(state, action)
        case "confirm":
            return _confirmed(state, action)


def _confirmed(state: State, action: Press) -> Step:
    standing, side = state.standing, action.side
    if isinstance(standing.hold, FlickFaultInQuestion):
        number = len(state.strokes)
        after, events = ruled(_freed(state), number, Ruling(call="flick-fault"))
        logged = _logged(state, action, after.standing, after.strokes, undoable=True)
        return Step(logged, events)
    if standing.outcome is None and is_held(standing):
        return _agreed(state, action)
    waiting = state.waiting
    if isinstance(waiting, ServeAwaited) and side_of(waiting.seat) == side:
        return Step(state, (ServerReady(waiting.seat),))
    accepted = msgspec.structs.replace(standing, accepted=(*standing.accepted, side))
    return Step(_logged(state, action, accepted), (CallAccepted(side, len(state.strokes)),))


def _agreed(state: State, action: Press) -> Step:
    """A side agrees to play on with the ball where it lies; both have to (SM-19)."""
    standing, side = state.standing, action.side
    wanted = placement_awaited(standing)
    hold = standing.hold if isinstance(standing.hold, WrongPlace) else WrongPlace("zero", None)
    both = len(hold.agreed) == 1
    if both:
        after = played_on(state.setup, standing, hold.at_mm)
    else:
        hold = msgspec.structs.replace(hold, agreed=(*hold.agreed, side))
        after = msgspec.structs.replace(standing, hold=hold)
    event = PlacementAgreed(side, wanted.reason, both)
    return Step(_logged(state, action, after, undoable=both), (event,))


def _contested(state: State, action: Press) -> Step:
    """The striker contests a flick fault: the stroke is played again from the former rest
    (SM-20)."""
    last = state.strokes[-1]
    void = msgspec.structs.replace(last, ruling=VOID)
    standing, strokes, _ = recounted(state.setup, (*state.strokes[:-1], void))
    events: tuple[Event, ...] = (FlickFaultContested(last.called.number, last.called.seat, standing.score),)
    if isinstance(last.awaited, ReturnAwaited):
        # Also a beginner's first return: its former rest is where the ball was laid on the 0.
        standing = msgspec.structs.replace(
            standing,
            phase=standing.phase if standing.phase in RETURNS else "return",
            to_play=last.awaited.seat,
            ball_mm=last.landing.start.at_mm,
            hold=WrongPlace("again", last.landing.rest_mm),
        )
        events += (asked(standing),)
    else:
        standing = msgspec.structs.replace(standing, ball_mm=last.landing.start.at_mm)
    return Step(_logged(state, action, standing, strokes, undoable=True), events)


def _corrected(state: State, action: Correct) -> Step:
    if isinstance(state.standing.hold, FlickFaultInQuestion):
        raise IllegalAction("decide-first")
    after, events = corrected(state, action)
    if after is state:
        return Step(state, events)
    return Step(_logged(state, action, after.standing, after.strokes, undoable=True), events)


def _undone(state: State) -> Step:
    """Back to before the last stroke, ruling or decision. Where a hand laid the ball since is
    nothing to undo."""
    before = replay(state.setup, state.actions[: state.undoable[-1]]).state
    undone = state.actions[state.undoable[-1]]
    what: Literal["stroke", "correction", "flick-fault", "agreement"] = "agreement"
    number = None
    if isinstance(undone, Stroke):
        what, number = "stroke", len(before.strokes) + 1
    elif isinstance(undone, Correct):
        what = "correction"
    elif isinstance(undone, Press) and (
        undone.button == "flick-fault" or isinstance(before.standing.hold, FlickFaultInQuestion)
    ):
        what = "flick-fault"
    return Step(before, (Undone(what, number, before.score),))


def _freed(state: State) -> State:
    return msgspec.structs.replace(state, standing=msgspec.structs.replace(state.standing, hold=None))


def _logged(
    state: State,
    action: Action,
    standing: Standing,
    strokes: tuple[Played, ...] | None = None,
    *,
    undoable: bool = False,
) -> State:
    """`state` after an action that was done."""
    return State(
        setup=state.setup,
        standing=standing,
        strokes=state.strokes if strokes is None else strokes,
        actions=(*state.actions, action),
        undoable=(*state.undoable, len(state.actions)) if undoable else state.undoable,
    )
