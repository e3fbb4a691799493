"""Which game is to be played and who sits where: the seats, their tokens, and what may be done with them.

No message and no game's state is known here. A token is known by its hash alone.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Any, Final

from firmware.gamebook.records import Seated
from firmware.link.messages import MOST_SEATS, Refused, SeatTold, Strength
from firmware.link.wire import Params

_ANSWERS_KEPT: Final = 8
"""A controller waits for one answer before it acts again; a few more are kept for those that do not."""


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class Seat:
    """A place at the table."""

    number: int
    name: str = ""
    """Empty: nobody has it."""
    token: str | None = None
    """The hash of what it is resumed by."""
    bot: Strength | None = None
    port: str | None = None
    """The port whose controller holds it; None if that is away."""
    away_since: float | None = None
    """Since when its controller is away."""
    last_number: int = 0
    """Of its acts, as its controller counts them."""
    answers: dict[int, Params | Refused] = field(default_factory=dict)
    """To its last acts, by their numbers."""

    @property
    def free(self) -> bool:
        """Whether nobody has it."""
        return not self.name

    @property
    def human(self) -> bool:
        """Whether a controller has it, be it here or away."""
        return bool(self.name) and self.bot is None

    @property
    def present(self) -> bool:
        """Whether somebody plays there who can."""
        return self.bot is not None or (self.port is not None and self.away_since is None)

    def away_for(self, seconds: float, now: float) -> bool:
        """Whether its controller has been away for so long."""
        return self.away_since is not None and now >= self.away_since + seconds

    @property
    def told(self) -> SeatTold:
        """As everybody may know it."""
        return SeatTold(self.number, self.name, self.bot, self.present)

    @property
    def kept(self) -> Seated:
        """As the game book keeps it."""
        return Seated(self.name, self.token, self.bot)

    def answered(self, number: int, answer: Params | Refused) -> None:
        """Remember an answer."""
        self.last_number = max(number, self.last_number)
        self.answers[number] = answer
        for old in sorted(self.answers)[:-_ANSWERS_KEPT]:
            del self.answers[old]


@dataclass
class Lobby:
    """The choice of a game, and its seats."""

    game: str
    seats: int | None = None
    """None: as many as are taken when it starts."""
    options: dict[str, Any] = field(default_factory=dict)
    table: dict[int, Seat] = field(default_factory=dict)
    """The seats that somebody has, by their numbers."""

    def limit(self, most: int) -> int:
        """The highest seat that can be taken, where the game has up to `most`."""
        return min(most if self.seats is None else self.seats, MOST_SEATS)

    def first_free(self, most: int) -> int | None:
        """The lowest seat that nobody has."""
        return next((n for n in range(1, self.limit(most) + 1) if n not in self.table), None)

    def by_token(self, token: str) -> Seat | None:
        """The seat of a token."""
        hash_ = hashed(token)
        return next((seat for seat in self.table.values() if seat.token == hash_), None)

    def humans(self) -> tuple[Seat, ...]:
        """The seats of controllers, here or away."""
        return tuple(seat for seat in self.table.values() if seat.human)

    def bots(self) -> dict[int, Strength]:
        """The computer's seats."""
        return {seat.number: seat.bot for seat in self.table.values() if seat.bot is not None}

    def told(self) -> tuple[SeatTold, ...]:
        """The seats that somebody has, in order."""
        return tuple(self.table[number].told for number in sorted(self.table))
