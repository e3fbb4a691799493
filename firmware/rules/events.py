"""What the rules announce. Values only; a journal tells them apart by their `kind`."""

from typing import Literal

import msgspec

from firmware.rules.landing import Side
from firmware.rules.setup import Seat
from firmware.rules.state import Outcome, Score, State

Call = Literal["in", "out", "net", "let", "ace", "fault", "double-fault", "winner"]


class Called(msgspec.Struct, frozen=True, tag_field="kind", tag="called"):
    """A stroke was called."""

    number: int
    """Counted from 1 through the match."""
    seat: Seat
    call: Call
    points: int | None
    """Stroke points; None for an ace, whose points are not counted (SM-07)."""
    margin_mm: float | None
    """How far the landing was from another call or other points: the signed margin of the fact on
    which this hung (positive where it was measured true). None when the ball left the board."""
    certain: bool
    """False when that is too close for the measurement; the benefit of the doubt was then given."""
    marker: int
    """After the stroke, before a finished rally puts it back to neutral."""
    rally_winner: Side | None
    score: Score
    """After the stroke, and after the rally if this ended it."""


class RallyWon(msgspec.Struct, frozen=True, tag_field="kind", tag="rally"):
    """A rally ended."""

    winner: Side
    score: Score


class GameWon(msgspec.Struct, frozen=True, tag_field="kind", tag="game"):
    """A game ended."""

    winner: Side
    score: Score


class SetWon(msgspec.Struct, frozen=True, tag_field="kind", tag="set"):
    """A set ended."""

    winner: Side
    games: tuple[int, int]
    """The games of that set, A's and B's."""
    score: Score


class MatchWon(msgspec.Struct, frozen=True, tag_field="kind", tag="match"):
    """The match ended."""

    outcome: Outcome
    score: Score


Event = Called | RallyWon | GameWon | SetWon | MatchWon


class Step(msgspec.Struct, frozen=True):
    """The answer to an action: the next state, and what is announced, in order."""

    state: State
    events: tuple[Event, ...]
