"""One stroke of a rally: from where a match stands to where it stands after it.

Whether the stroke may be made at all is the engine's business; what it is called is that of
`calls.py`, and what follows the call is a table in `transitions.py`.
"""

from typing import NamedTuple

import msgspec

from firmware.rules.calls import ruled_verdict, verdict
from firmware.rules.events import (
    Called,
    EndsChanged,
    Event,
    GameWon,
    MatchWon,
    PlacementAsked,
    SetWon,
)
from firmware.rules.landing import Landing, Side
from firmware.rules.scoring import opening_score, score_rally
from firmware.rules.service import server
from firmware.rules.setup import POINT, Setup, next_seat, opponent_of, side_of
from firmware.rules.state import Ruling, Standing, Stroking, placement_awaited
from firmware.rules.transitions import TRANSITIONS


class Struck(NamedTuple):
    """What a stroke did."""

    standing: Standing
    called: Called
    events: tuple[Event, ...]
    """What it ended or brought about, after its call."""


def opening(setup: Setup) -> Standing:
    """Where a match stands before its first serve."""
    first = setup.first_seat
    return Standing(phase="first serve", to_play=first, game_server=first, score=opening_score(setup))


def end_of(side: Side, ends_changed: bool) -> Side:
    """The end of the board at which a side plays."""
    return opponent_of(side) if ends_changed else side


def strike(
    setup: Setup,
    standing: Standing,
    awaited: Stroking,
    end: Side,
    landing: Landing,
    number: int,
    ruling: Ruling | None = None,
) -> Struck:
    """Call the stroke that was awaited and count it. `end`: from which end it was played.

    IllegalAction as for `calls.verdict` and `calls.ruled_verdict`.
    """
    striker = side_of(awaited.seat)
    towards = 1 if striker == "A" else -1
    facts = landing.by_a if end == "A" else landing.by_b
    lead = standing.marker * towards
    if ruling is None:
        decision, margin_mm, certain = verdict(landing, facts, awaited, lead, setup)
    else:
        decision, margin_mm, certain = ruled_verdict(ruling, landing, facts, awaited, lead, setup)
    if decision.sequel == "ace at POINT!":
        marker = POINT * towards
    else:
        # SM-01: through neutral without stopping, and no farther than POINT!.
        moved = standing.marker + towards * (decision.points or 0)
        marker = max(-POINT, min(POINT, moved))
    struck = msgspec.structs.replace(standing, marker=marker, ball_mm=landing.rest_mm, hold=None, accepted=())
    winner: Side | None = None
    events: tuple[Event, ...] = ()
    match TRANSITIONS[standing.phase][decision.sequel]:
        case "to the striker":
            winner = striker
        case "to the opponent":
            winner = opponent_of(striker)
        case "ball on the 0":
            after = msgspec.structs.replace(struck, phase="ball on the 0", ball_mm=None)
            events = (asked(after),)
        case "first serve" | "second serve" as phase:
            after = msgspec.structs.replace(struck, phase=phase, ball_mm=None)
        case "return" | "return under pressure" as phase:
            to_play = next_seat(setup, awaited.seat)
            after = msgspec.structs.replace(struck, phase=phase, to_play=to_play)
    if winner is not None:
        after, events = _rally_over(setup, struck, winner)
    called = Called(
        number=number,
        seat=awaited.seat,
        call=decision.call,
        points=decision.points,
        margin_mm=margin_mm,
        certain=certain,
        marker=marker,
        rally_winner=winner,
        score=after.score,
        unseen=landing.unseen and ruling is None,
        ruled=ruling is not None,
    )
    return Struck(after, called, events)


def asked(standing: Standing) -> PlacementAsked:
    """The request to lay the ball where this standing wants it."""
    wanted = placement_awaited(standing)
    return PlacementAsked(wanted.seat, wanted.reason, wanted.side, wanted.box, wanted.at_mm)


def _rally_over(setup: Setup, standing: Standing, winner: Side) -> tuple[Standing, tuple[Event, ...]]:
    """Where the match stands at the next serve, or at its end; the server changes every game
    (SM-14)."""
    score, events = score_rally(standing.score, winner, setup)
    game_server, ends_changed = standing.game_server, standing.ends_changed
    outcome = next((event.outcome for event in events if isinstance(event, MatchWon)), None)
    if any(isinstance(event, GameWon) for event in events):
        game_server = next_seat(setup, game_server)
        ended_set = next((event.games for event in events if isinstance(event, SetWon)), None)
        # Odd counts of the set's games; a set that ends on an even one has the next change after
        # the first game of the next set (SM-18, as in tennis).
        odd = sum(score.games if ended_set is None else ended_set) % 2 == 1
        if setup.options.change_ends and odd and outcome is None:
            ends_changed = not ends_changed
            events += (EndsChanged(score),)
    after = Standing(
        phase="first serve",
        to_play=server(setup, score, game_server),
        game_server=game_server,
        score=score,
        ends_changed=ends_changed,
        outcome=outcome,
    )
    return after, events
