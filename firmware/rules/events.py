"""What the rules announce. Values only; a journal tells them apart by their `kind`."""

from typing import Literal

import msgspec

from firmware.rules.landing import BoxSide, Point, Side
from firmware.rules.score import Outcome, Score
from firmware.rules.setup import Seat

Call = Literal[
    "in",
    "out",
    "net",
    "let",
    "ace",
    "fault",
    "double-fault",
    "winner",
    "flick-fault",
    "void",
]
"""`flick-fault`: a rally stroke that was badly flicked (SM-20); a serve so flicked is a fault.
`void`: a stroke that counts for nothing, since it is played again (SM-20) or was played in a rally
that a correction ended before it."""
PlacementReason = Literal["serve-position", "zero", "moved", "again"]
"""Why the ball must be laid somewhere: it may not be served from where it lies (SM-13), both serves
of a beginner missed (SM-11), a hand moved it in a rally (SM-19), a stroke is played again (SM-20)."""


class Called(msgspec.Struct, frozen=True, tag_field="kind", tag="called"):
    """A stroke was called."""

    number: int
    """Counted from 1 through the match."""
    seat: Seat
    call: Call
    points: int | None
    """Stroke points; None for an ace, whose points are not counted (SM-07), and for a void stroke."""
    margin_mm: float | None
    """How far the landing was from another call or other points: the signed margin of the fact on
    which this hung (positive where it was measured true). None when the ball left the board and
    when the players ruled."""
    certain: bool
    """False when that is too close for the measurement; the benefit of the doubt was then given."""
    marker: int
    """After the stroke, before a finished rally puts it back to neutral."""
    rally_winner: Side | None
    score: Score
    """After the stroke, and after the rally if this ended it."""
    unseen: bool = False
    """A part of the stroke was not seen, whatever its margin; it is not certain then."""
    ruled: bool = False
    """The players' ruling, not the measurement's call (design, promise 5)."""


class RallyWon(msgspec.Struct, frozen=True, tag_field="kind", tag="rally"):
    """A rally ended."""

    winner: Side
    score: Score


class GameWon(msgspec.Struct, frozen=True, tag_field="kind", tag="game"):
    """A game ended, or a tie-break."""

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


class TieBreakBegan(msgspec.Struct, frozen=True, tag_field="kind", tag="tie-break"):
    """The games are level, and a tie-break decides the set."""

    score: Score


class EndsChanged(msgspec.Struct, frozen=True, tag_field="kind", tag="ends-changed"):
    """The players change ends (SM-18)."""

    score: Score


class PlacementAsked(msgspec.Struct, frozen=True, tag_field="kind", tag="placement-asked"):
    """The ball has to be laid elsewhere before play goes on."""

    seat: Seat
    """Whose serve or stroke is held up; a beginner's ball on the 0 is laid by who served."""
    reason: PlacementReason
    side: BoxSide | None
    """From which side of the centre mark to serve; None unless the reason is `serve-position`."""
    box: BoxSide | None
    """The box, as the server sees it, whose 0 is meant; None unless the reason is `zero`."""
    at_mm: Point | None
    """Where the ball belongs; None where the rules know no point (a serve, the 0)."""


class Placed(msgspec.Struct, frozen=True, tag_field="kind", tag="placed"):
    """The ball lies where it was asked for; play goes on."""

    seat: Seat
    reason: PlacementReason


class PlacementAgreed(msgspec.Struct, frozen=True, tag_field="kind", tag="placement-agreed"):
    """A side agreed that play goes on with the ball where it lies (SM-19)."""

    side: Side
    reason: PlacementReason
    both: bool
    """Both sides have: play goes on."""


class StrokeRefused(msgspec.Struct, frozen=True, tag_field="kind", tag="stroke-refused"):
    """The ball was played from where it may not be; the stroke does not count (SM-13, SM-19)."""

    seat: Seat
    reason: PlacementReason


class ServerReady(msgspec.Struct, frozen=True, tag_field="kind", tag="server-ready"):
    """The server confirmed that the serve comes."""

    seat: Seat


class CallAccepted(msgspec.Struct, frozen=True, tag_field="kind", tag="call-accepted"):
    """A side accepted the last call and calls no flick fault on that stroke any more."""

    side: Side
    number: int


class FlickFaultCalled(msgspec.Struct, frozen=True, tag_field="kind", tag="flick-fault-called"):
    """The opponent says that a stroke was no flick; the striker decides (SM-20)."""

    number: int
    seat: Seat
    """Who struck."""


class FlickFaultContested(msgspec.Struct, frozen=True, tag_field="kind", tag="flick-fault-contested"):
    """The striker contests: the stroke is played again (SM-20)."""

    number: int
    seat: Seat
    score: Score


class Corrected(msgspec.Struct, frozen=True, tag_field="kind", tag="corrected"):
    """The players ruled on an earlier stroke, and the match was counted anew from there."""

    was: Called
    now: Called
    """The same call again when the ruling changed nothing."""
    changed: tuple[Called, ...]
    """Every later stroke of which something changed, as it now stands."""
    score: Score
    """Of the match, after the last stroke."""


class Undone(msgspec.Struct, frozen=True, tag_field="kind", tag="undone"):
    """The last stroke, ruling or decision was taken back."""

    what: Literal["stroke", "correction", "flick-fault", "agreement"]
    number: int | None
    """The stroke that was taken back; None if it was something else."""
    score: Score


Event = (
    Called
    | RallyWon
    | GameWon
    | SetWon
    | MatchWon
    | TieBreakBegan
    | EndsChanged
    | PlacementAsked
    | Placed
    | PlacementAgreed
    | StrokeRefused
    | ServerReady
    | CallAccepted
    | FlickFaultCalled
    | FlickFaultContested
    | Corrected
    | Undone
)
