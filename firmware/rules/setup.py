"""What a match is played by: the presets as data, the options, and the setup a match starts from.

Only parameters live here. How a stroke is called is in `calls.py`, how it is scored in
`scoring.py`, who serves in `service.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

import msgspec

from firmware.rules.landing import Side

Preset = Literal["discovery", "confirmed", "advanced", "simplified", "children"]
Seat = Literal["A1", "B1", "A2", "B2"]
OptionName = Literal[
    "first_serve_bonus",
    "second_serve_ace_pressure",
    "advantage",
    "tie_break",
    "bonuses",
    "service_boxes",
    "aces",
    "free_serve_position",
    "change_ends",
]

POINT: Final = 3
"""The marker's last space on either side, POINT! (SM-01)."""
SIMPLIFIED_GOAL: Final = 12
"""Rallies that win a simplified match (SM-16)."""
TIE_BREAK_GOAL: Final = 5
"""Rallies that win a tie-break, with two clear (SM-14)."""
GAMES_TO_SET: Final = (3, 6)
"""How many games may be agreed to win a set."""
MOST_SETS: Final = 3
"""What the game scorer can show."""
OPTION_NAMES: Final[tuple[OptionName, ...]] = get_args(OptionName)


class SetupError(ValueError):
    """A match cannot be set up like this; the message says what is allowed."""


class Options(msgspec.Struct, frozen=True):
    """What can be agreed beyond the preset; each is on or off."""

    first_serve_bonus: bool = False
    """A first serve into a zone worth something earns one point more (rulebook, Advanced Rule: First
    Serve; SM-09)."""
    second_serve_ace_pressure: bool = False
    """A second serve's ace brings the marker to POINT! instead of winning (SM-07)."""
    advantage: bool = False
    """From 40-40 a game wants two rallies in a row (rulebook, Advantage)."""
    tie_break: bool = False
    """A set at two games all, or six, is decided by a tie-break (rulebook, Tie Break; SM-14)."""
    bonuses: bool = True
    """Cross-court and drop shot earn extra points in a rally (rulebook, The Bonuses)."""
    service_boxes: bool = True
    """A serve must reach the service box diagonally opposite, not just the court (SM-16)."""
    aces: bool = True
    """A serve that touches an ace zone wins the rally (SM-07)."""
    free_serve_position: bool = False
    """A serve may start anywhere (SM-13)."""
    change_ends: bool = False
    """The players change ends after odd games (SM-18)."""


class Level(msgspec.Struct, frozen=True):
    """What a preset stands for."""

    options: Options
    """What is on unless the players choose otherwise."""
    second_fault: Literal["double-fault", "zero"] = "double-fault"
    """A second missed serve loses the rally, or the ball is laid on the box's 0 (SM-11)."""
    scoring: Literal["tennis", "simplified"] = "tennis"
    """Points, games and sets, or a race to 12 (SM-16)."""


PRESETS: Final[Mapping[Preset, Level]] = MappingProxyType(
    {
        "discovery": Level(Options(), second_fault="zero"),
        "confirmed": Level(Options()),
        "advanced": Level(
            Options(
                first_serve_bonus=True,
                second_serve_ace_pressure=True,
                advantage=True,
                tie_break=True,
            )
        ),
        "simplified": Level(Options(bonuses=False), scoring="simplified"),
        "children": Level(Options(bonuses=False, service_boxes=False, aces=False), scoring="simplified"),
    }
)
"""Each preset, by its name (rulebook, Beginner to Advanced Level, Simplified Rules, For Children)."""

_TENNIS_ONLY: Final[tuple[OptionName, ...]] = ("advantage", "tie_break", "change_ends")


class Setup(msgspec.Struct, frozen=True):
    """What is agreed before a match. SetupError names the field that is not possible."""

    preset: Preset = "confirmed"
    chosen: Options | None = None
    """The options if they are not the preset's; `choose` makes them."""
    doubles: bool = False
    games_to_set: int = 3
    """3 or 6 games win a set; not used in a simplified match."""
    sets_to_win: int = 2
    """1 to 3 sets win the match; not used in a simplified match."""
    first_server: Side = "A"

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise SetupError(f"no preset {self.preset!r}; choose one of: {', '.join(PRESETS)}")
        if self.games_to_set not in GAMES_TO_SET:
            allowed = " or ".join(map(str, GAMES_TO_SET))
            raise SetupError(f"{self.games_to_set} games to win a set; choose {allowed}")
        if not 1 <= self.sets_to_win <= MOST_SETS:
            raise SetupError(f"{self.sets_to_win} sets to win; choose 1 to {MOST_SETS}")
        if self.first_server not in ("A", "B"):
            raise SetupError(f"no side {self.first_server!r} to serve first; choose A or B")

    @property
    def level(self) -> Level:
        """What the preset stands for."""
        return PRESETS[self.preset]

    @property
    def options(self) -> Options:
        """The options that are in force."""
        return self.level.options if self.chosen is None else self.chosen

    @property
    def simplified(self) -> bool:
        """The match is a race to 12 (SM-16)."""
        return self.level.scoring == "simplified"

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in the order in which they strike and serve (SM-17), side A's first."""
        return ("A1", "B1", "A2", "B2") if self.doubles else ("A1", "B1")

    @property
    def first_seat(self) -> Seat:
        """Who serves first in the match."""
        return "A1" if self.first_server == "A" else "B1"


def choose(preset: Preset, choices: Mapping[OptionName, bool]) -> Options | None:
    """The options of a preset with some chosen otherwise; None if that changes nothing.

    SetupError for a name that is none.
    """
    for name in choices:
        if name not in OPTION_NAMES:
            raise SetupError(f"no option {name!r}; choose from: {', '.join(OPTION_NAMES)}")
    if preset not in PRESETS:
        raise SetupError(f"no preset {preset!r}; choose one of: {', '.join(PRESETS)}")
    own = PRESETS[preset].options
    options = msgspec.structs.replace(own, **{str(name): on for name, on in choices.items()})
    return None if options == own else options


def idle_options(setup: Setup) -> tuple[OptionName, ...]:
    """The options that are on and yet change nothing beside the others of this setup."""
    options = setup.options
    idle = [name for name in _TENNIS_ONLY if setup.simplified and getattr(options, name)]
    if options.aces and not options.service_boxes:
        idle.append("aces")
    if options.second_serve_ace_pressure and not (options.aces and options.service_boxes):
        idle.append("second_serve_ace_pressure")
    return tuple(idle)


def side_of(seat: Seat) -> Side:
    """The side for which a seat plays."""
    return "A" if seat in ("A1", "A2") else "B"


def opponent_of(side: Side) -> Side:
    """The other side, or the other end of the board."""
    return "B" if side == "A" else "A"


def next_seat(setup: Setup, seat: Seat, steps: int = 1) -> Seat:
    """Who comes `steps` after a seat in the order of play (SM-17)."""
    order = setup.order
    return order[(order.index(seat) + steps) % len(order)]
