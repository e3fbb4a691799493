"""Set & Match as an engine: step, legal, view, replay. No clock and no I/O may live here.

A match is its setup and its actions; the same actions give the same states and events, always.
"""

from collections.abc import Iterable

import msgspec

from firmware.rules.calls import verdict
from firmware.rules.events import Called, Event, GameWon, MatchWon, Step
from firmware.rules.landing import Side
from firmware.rules.scoring import score_rally
from firmware.rules.setup import POINT, Seat, Setup, opponent_of, side_of
from firmware.rules.state import Action, IllegalAction, State, Stroke, View, other_seat, start


def step(state: State, action: Action) -> Step:
    """The next state and what is announced. IllegalAction, with the reason, if it may not be done
    now."""
    waiting = state.waiting
    if waiting is None:
        raise IllegalAction("the match is over; start a new one to play on")
    landing = action.landing
    striker = side_of(waiting.seat)
    towards = 1 if striker == "A" else -1
    decision, margin_mm, certain = verdict(
        landing,
        landing.by_a if striker == "A" else landing.by_b,
        waiting,
        state.marker * towards,
        state.setup.options,
    )
    # SM-01: through neutral without stopping, and no farther than POINT!.
    moved = state.marker + towards * (decision.points or 0)
    marker = max(-POINT, min(POINT, moved))
    struck = msgspec.structs.replace(state, marker=marker, strokes=state.strokes + 1)
    winner: Side | None = None
    won: tuple[Event, ...] = ()
    match decision.then:
        case "return":
            after = msgspec.structs.replace(struck, returner=other_seat(waiting.seat))
        case "same serve":
            after = struck
        case "next serve":
            after = msgspec.structs.replace(struck, attempt=state.attempt + 1)
        case "striker wins" | "opponent wins":
            winner = striker if decision.then == "striker wins" else opponent_of(striker)
            after, won = _rally_over(struck, winner)
    called = Called(
        number=struck.strokes,
        seat=waiting.seat,
        call=decision.call,
        points=decision.points,
        margin_mm=margin_mm,
        certain=certain,
        marker=marker,
        rally_winner=winner,
        score=after.score,
    )
    return Step(after, (called, *won))


def legal(state: State, seat: Seat) -> tuple[type[Action], ...]:
    """The kinds of action that may be done by `seat` now: a stroke, if it is that seat's turn."""
    waiting = state.waiting
    return (Stroke,) if waiting is not None and waiting.seat == seat else ()


def view(state: State, seat: Seat) -> View:
    """What `seat` may see of the match."""
    return View(
        seat=seat,
        yours=bool(legal(state, seat)),
        waiting=state.waiting,
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


def _rally_over(state: State, winner: Side) -> tuple[State, tuple[Event, ...]]:
    """The state at the next serve, or at the match's end; the server changes every game (SM-14)."""
    score, events = score_rally(state.score, winner, state.setup)
    outcome = next((event.outcome for event in events if isinstance(event, MatchWon)), None)
    game_over = any(isinstance(event, GameWon) for event in events)
    after = msgspec.structs.replace(
        state,
        server=other_seat(state.server) if game_over else state.server,
        score=score,
        attempt=1,
        returner=None,
        marker=0,
        rallies=state.rallies + 1,
        outcome=outcome,
    )
    return after, events
