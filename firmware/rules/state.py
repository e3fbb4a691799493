"""The state of a match and what it waits for. Values only: nothing in here decides anything.

Values are frozen msgspec structs rather than dataclasses, because a journal has to tell the members
of a union apart again, and only structs carry a tag.
"""

from typing import Final, Literal

import msgspec

from firmware.rules.landing import BoxSide, Landing, Side
from firmware.rules.setup import POINT, Seat, Setup, opponent_of, seat_of, side_of

POINT_NAMES: Final = ("0", "15", "30", "40")
"""What the game scorer says after so many rallies won (rulebook, Figure F)."""


class IllegalAction(Exception):  # noqa: N818 (the protocol's name, shared by the games)
    """An action that may not be done now; the message is the reason."""


class Score(msgspec.Struct, frozen=True):
    """The game scorer. Each pair is side A's count, then side B's."""

    points: tuple[int, int] = (0, 0)
    """Rallies won in this game."""
    games: tuple[int, int] = (0, 0)
    """Games won in this set."""
    sets: tuple[int, int] = (0, 0)
    """Sets won in this match."""

    @property
    def point_names(self) -> tuple[str, str]:
        """The points of the game as they are called out: "0", "15", "30", "40"."""
        return POINT_NAMES[self.points[0]], POINT_NAMES[self.points[1]]


class Stroke(msgspec.Struct, frozen=True, tag_field="kind", tag="stroke"):
    """The action: the ball was flicked and came to rest. It is the stroke of whose turn it is
    (SM-17)."""

    landing: Landing


Action = Stroke


class ServeAwaited(msgspec.Struct, frozen=True, tag_field="kind", tag="serve"):
    """A serve is due."""

    seat: Seat
    side: BoxSide
    """On which side of the centre mark the server stands, as the server sees it (SM-13)."""
    box: BoxSide
    """Which box of the far half it must reach, as the server sees it."""
    attempt: int
    """1 or 2."""


class ReturnAwaited(msgspec.Struct, frozen=True, tag_field="kind", tag="return"):
    """A stroke of the rally is due, from where the ball lies (SM-19)."""

    seat: Seat
    pressure: bool
    """The serve brought the marker to POINT!, so this return must earn zone points (SM-08)."""


Waiting = ServeAwaited | ReturnAwaited


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended."""

    winner: Side
    reason: Literal["sets"]
    """`sets`: the winner has the agreed number of sets."""


class State(msgspec.Struct, frozen=True):
    """A match between two strokes."""

    setup: Setup
    server: Seat
    """Who serves this game."""
    score: Score = Score()
    attempt: int = 1
    """Which serve of this service is due, or brought this rally about."""
    returner: Seat | None = None
    """Whose stroke is due in a rally; None while a serve is due."""
    marker: int = 0
    """The in-rally marker, -3..3, positive towards A winning (SM-01)."""
    strokes: int = 0
    """Strokes called so far in the match."""
    rallies: int = 0
    """Rallies finished so far in the match."""
    outcome: Outcome | None = None

    @property
    def waiting(self) -> Waiting | None:
        """What the match waits for; None when it is over."""
        if self.outcome is not None:
            return None
        if self.returner is not None:
            return ReturnAwaited(seat=self.returner, pressure=abs(self.marker) == POINT)
        # The rulebook serves first to one box and then to the other. A court has the server on its
        # right at even points (SM-13) and the box diagonally opposite: the left one, seen from
        # there.
        even = sum(self.score.points) % 2 == 0
        return ServeAwaited(
            seat=self.server,
            side="right" if even else "left",
            box="left" if even else "right",
            attempt=self.attempt,
        )


class View(msgspec.Struct, frozen=True):
    """What a seat may see of the match. Nothing is hidden in this game, so it is the same for both
    but for `yours`."""

    seat: Seat
    yours: bool
    """The stroke that is waited for is this seat's."""
    waiting: ServeAwaited | ReturnAwaited | None
    score: Score
    marker: int
    outcome: Outcome | None


def start(setup: Setup) -> State:
    """The state before the first serve of a match."""
    return State(setup=setup, server=seat_of(setup.first_server))


def other_seat(seat: Seat) -> Seat:
    """Who strikes after this seat, in singles."""
    return seat_of(opponent_of(side_of(seat)))
