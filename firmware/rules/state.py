"""The state of a match and what it waits for. Values only: nothing in here decides anything."""

import msgspec

from firmware.rules.actions import Action, Button, Reason
from firmware.rules.events import Call, Called, Event, PlacementReason
from firmware.rules.landing import BoxSide, Landing, Point, Side
from firmware.rules.score import Outcome, Score
from firmware.rules.service import server, service_side, target_box
from firmware.rules.setup import Seat, Setup
from firmware.rules.transitions import Phase


class ServeAwaited(msgspec.Struct, frozen=True, tag_field="kind", tag="serve"):
    """A serve is due."""

    seat: Seat
    side: BoxSide
    """On which side of the centre mark the server stands, as the server sees it (SM-13)."""
    box: BoxSide | None
    """Which box of the far half it must reach, as the server sees it; None without service boxes."""
    attempt: int
    """1 or 2."""


class ReturnAwaited(msgspec.Struct, frozen=True, tag_field="kind", tag="return"):
    """A stroke of the rally is due, from where the ball lies (SM-19)."""

    seat: Seat
    pressure: bool
    """The serve brought the marker to POINT!, so this return must earn zone points (SM-08)."""
    from_mm: Point | None = None
    """Where the ball lies; None where the rules were not told (a ball laid on the 0)."""


class PlacementAwaited(msgspec.Struct, frozen=True, tag_field="kind", tag="placement"):
    """The ball must be laid elsewhere, or both sides agree to play on (SM-11, SM-13, SM-19).

    The fields are those of `events.PlacementAsked`.
    """

    seat: Seat
    reason: PlacementReason
    side: BoxSide | None
    box: BoxSide | None
    at_mm: Point | None
    agreed: tuple[Side, ...] = ()
    """The sides that have agreed to play on."""


class DecisionAwaited(msgspec.Struct, frozen=True, tag_field="kind", tag="decision"):
    """A flick fault was called; the striker confirms or contests (SM-20)."""

    seat: Seat
    number: int
    """The stroke in question."""


Stroking = ServeAwaited | ReturnAwaited
"""A stroke is waited for."""
Waiting = ServeAwaited | ReturnAwaited | PlacementAwaited | DecisionAwaited


class WrongPlace(msgspec.Struct, frozen=True, tag_field="kind", tag="wrong-place"):
    """Play is held up: the ball does not lie where it may be played from."""

    reason: PlacementReason
    at_mm: Point | None
    """Where it lies, or was played from; None where the rules were not told."""
    agreed: tuple[Side, ...] = ()


class FlickFaultInQuestion(msgspec.Struct, frozen=True, tag_field="kind", tag="flick-fault"):
    """Play is held up: a flick fault was called on the last stroke."""


Hold = WrongPlace | FlickFaultInQuestion


class Standing(msgspec.Struct, frozen=True):
    """Where a match stands: everything that decides what may come, and nothing of how it came."""

    phase: Phase
    to_play: Seat
    """Whose stroke is due: the server, or who returns."""
    game_server: Seat
    """Who served first in this game, tie-break or simplified match."""
    score: Score = Score()
    marker: int = 0
    """The in-rally marker, -3..3, positive towards A winning (SM-01)."""
    ball_mm: Point | None = None
    """In a rally, where the ball rests. Before a serve, from where both sides agreed to have it
    served although it is no place to serve from."""
    ends_changed: bool = False
    """Side A plays at end B (SM-18)."""
    outcome: Outcome | None = None
    hold: Hold | None = None
    accepted: tuple[Side, ...] = ()
    """The sides that accepted the last call."""


class Ruling(msgspec.Struct, frozen=True):
    """What the players say a stroke was."""

    call: Call
    points: int | None = None
    """All that it earned; None leaves them as measured."""


class Played(msgspec.Struct, frozen=True):
    """A stroke of the match, as it was played and as it stands called."""

    awaited: Stroking
    """What it was: a serve or a return, whose, and into which box. A correction of an earlier
    stroke does not change that."""
    rally: int
    """In which rally of the match, counted from 1 as they were played."""
    end: Side
    """From which end of the board."""
    landing: Landing
    called: Called
    ruling: Ruling | None = None


class State(msgspec.Struct, frozen=True):
    """A match between two actions."""

    setup: Setup
    standing: Standing
    strokes: tuple[Played, ...] = ()
    """Every stroke of the match."""
    actions: tuple[Action, ...] = ()
    """Everything that was done, without what was undone."""
    undoable: tuple[int, ...] = ()
    """How many actions there were before each that can be undone."""

    @property
    def waiting(self) -> Waiting | None:
        """What the match waits for; None when it is over."""
        standing = self.standing
        hold = standing.hold
        if isinstance(hold, FlickFaultInQuestion):
            return DecisionAwaited(self.strokes[-1].called.seat, self.strokes[-1].called.number)
        if standing.outcome is not None:
            return None
        if isinstance(hold, WrongPlace):
            return placement_awaited(standing)
        match standing.phase:
            case "first serve" | "second serve":
                return self.serve_awaited(1 if standing.phase == "first serve" else 2)
            case "ball on the 0":
                return placement_awaited(standing)
            case "return" | "return under pressure":
                under_pressure = standing.phase == "return under pressure"
                return ReturnAwaited(standing.to_play, under_pressure, standing.ball_mm)

    def serve_awaited(self, attempt: int) -> ServeAwaited:
        """The serve that is due by the score."""
        side = service_side(self.standing.score)
        box = target_box(side) if self.setup.options.service_boxes else None
        return ServeAwaited(self.standing.to_play, side, box, attempt)

    @property
    def server(self) -> Seat:
        """Who serves, or served, this rally."""
        return server(self.setup, self.score, self.standing.game_server)

    @property
    def score(self) -> Score:
        """The game scorer."""
        return self.standing.score

    @property
    def marker(self) -> int:
        """The in-rally marker (see `Standing`)."""
        return self.standing.marker

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self.standing.outcome


class Step(msgspec.Struct, frozen=True):
    """The answer to an action: the next state, and what is announced, in order."""

    state: State
    events: tuple[Event, ...]


class Refusal(msgspec.Struct, frozen=True):
    """A button that may not be pressed now, and why."""

    button: Button
    reason: Reason


class View(msgspec.Struct, frozen=True):
    """What a seat may see of the match. Nothing is hidden in this game, so it is the same for all
    but for `yours` and what may be pressed."""

    seat: Seat
    yours: bool
    """What is waited for is this seat's."""
    waiting: Waiting | None
    may_press: tuple[Button, ...]
    may_not: tuple[Refusal, ...]
    score: Score
    marker: int
    outcome: Outcome | None


def placement_awaited(standing: Standing) -> PlacementAwaited:
    """Where the ball has to be laid, when play is held up for it or a beginner's ball belongs on
    the 0 (SM-11)."""
    hold = standing.hold if isinstance(standing.hold, WrongPlace) else WrongPlace("zero", None)
    side = service_side(standing.score)
    return PlacementAwaited(
        seat=standing.to_play,
        reason=hold.reason,
        side=side if hold.reason == "serve-position" else None,
        box=target_box(side) if hold.reason == "zero" else None,
        at_mm=standing.ball_mm if hold.reason in ("moved", "again") else None,
        agreed=hold.agreed,
    )
