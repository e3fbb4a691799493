"""What a match is played by: the presets as data, and the setup a match starts from.

Only parameters live here. How a stroke is called is in `calls.py`, how it is scored in
`scoring.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from firmware.rules.landing import Side

Preset = Literal["confirmed"]
Seat = Literal["A1", "B1"]

ATTEMPTS: Final = 2
"""Serves a player has in one service (rulebook, Confirmed Level)."""
POINT: Final = 3
"""The marker's last space on either side, POINT! (SM-01)."""
RALLIES_TO_GAME: Final = 4
"""One rally past 40; at 40-40 the next rally decides (rulebook, The Game Scorer; SM-15)."""
MOST_SETS: Final = 3
"""What the game scorer can show."""


class SetupError(ValueError):
    """A match cannot be set up like this; the message says what is allowed."""


class Options(msgspec.Struct, frozen=True):
    """What presets differ in."""

    bonuses: bool
    """Cross-court and drop shot earn extra points in a rally (rulebook, The Bonuses)."""
    games_to_set: int
    """Games that win a set (rulebook, The Game Scorer)."""


PRESETS: Final[Mapping[str, Options]] = MappingProxyType(
    {"confirmed": Options(bonuses=True, games_to_set=3)}
)
"""Each preset's options, by its name."""


class Setup(msgspec.Struct, frozen=True):
    """What is agreed before a match of singles. SetupError names the field that is not possible."""

    preset: Preset = "confirmed"
    sets_to_win: int = 2
    """1 to 3 sets win the match."""
    first_server: Side = "A"

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise SetupError(f"no preset {self.preset!r}; choose one of: {', '.join(PRESETS)}")
        if not 1 <= self.sets_to_win <= MOST_SETS:
            raise SetupError(f"{self.sets_to_win} sets to win; choose 1 to {MOST_SETS}")
        if self.first_server not in ("A", "B"):
            raise SetupError(f"no side {self.first_server!r} to serve first; choose A or B")

    @property
    def options(self) -> Options:
        """The options of the preset."""
        return PRESETS[self.preset]


def side_of(seat: Seat) -> Side:
    """The end of the board at which a seat is."""
    return "A" if seat == "A1" else "B"


def seat_of(side: Side) -> Seat:
    """The seat at an end of the board, in singles."""
    return "A1" if side == "A" else "B1"


def opponent_of(side: Side) -> Side:
    """The other end of the board."""
    return "B" if side == "A" else "A"
