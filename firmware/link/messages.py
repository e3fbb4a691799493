"""What is said on the link: the parameters of every method and what is told, as values that are checked.

Who may say what, and what comes of it, is `host.py`'s. README.md beside this is the same in words.
"""

from typing import Annotated, Any, Final, Literal

import msgspec

from firmware.link.wire import ILLEGAL_ACTION, NOT_PLAYING, SAY_HELLO, SEAT_REFUSED, Params

MOST_SEATS: Final = 20
LONGEST_NAME: Final = 20
"""Characters of a name: a panel has to show it."""

Status = Literal["lobby", "playing", "paused", "over"]
Strength = Literal["easy", "fair", "strong"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
Token = Annotated[str, msgspec.Meta(max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=1, lt=2**53)]


class Refused(Exception):  # noqa: N818  # the word of the protocol
    """A request that is answered by a failure. `reason`: a code; `words`: what to do instead, for people."""

    def __init__(self, code: int, reason: str, words: str, **more: object) -> None:
        super().__init__(words)
        self.code = code
        self.data: Params = {"reason": reason, **more}


# ---------------------------------------------------------------- what is asked of the board


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A method without parameters."""


class Hello(msgspec.Struct, frozen=True):
    """The first thing that is said. What a later protocol adds to it is passed over, so that its speaker
    hears which one is spoken here."""

    protocol: int
    name: Name
    software: Annotated[str, msgspec.Meta(max_length=64)] = ""

    def __post_init__(self) -> None:
        _check_name(self.name)


class OneGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game by its name."""

    game: Annotated[str, msgspec.Meta(max_length=32)]


class Choose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next game. `seats` None: as many as are taken when it starts."""

    game: Annotated[str, msgspec.Meta(max_length=32)]
    seats: SeatNumber | None = None
    options: dict[str, Any] = {}


class PutBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A computer player for a seat; None takes it away."""

    seat: SeatNumber
    strength: Strength | None


class Take(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat, or the first that is free."""

    name: Name
    seat: SeatNumber | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)


class TakeBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seat of a token."""

    token: Token


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat does. `action`: as the game's README has it, its `seat` may be left out; `number`: the
    seat's acts are counted, so that one that is said twice is done once."""

    action: dict[str, Any]
    number: Count | None = None


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all have to agree to. `agree` false: what the seat had asked for is withdrawn."""

    agree: bool = True


def _check_name(name: str) -> None:
    if not name.isprintable() or name != name.strip():
        raise ValueError("a name is printable, and neither begins nor ends with a space")


# ---------------------------------------------------------------- what the board tells


class SeatTold(msgspec.Struct, frozen=True):
    """A seat as everybody may know it. `name` empty: it is free; `bot`: played by the computer; `present`:
    its controller is there."""

    seat: int
    name: str
    bot: Strength | None
    present: bool


class LobbyTold(msgspec.Struct, frozen=True):
    """What is played, or is to be, and who sits there. `seats` None: as many as are taken at the start.
    `undo`, `end`: the seats that have asked for it."""

    status: Status
    game: str
    seats: int | None
    options: Params
    table: tuple[SeatTold, ...]
    why_paused: str | None = None
    undo: tuple[int, ...] = ()
    end: tuple[int, ...] = ()


class GameTold(msgspec.Struct, frozen=True):
    """A game as one connection may see it. `position`: how many actions stand; `events`: what was announced
    since the last one that was told."""

    position: int
    status: Status
    view: Any
    legal: tuple[str, ...]
    events: tuple[Any, ...] = ()


def as_params(told: SeatTold | LobbyTold | GameTold) -> Params:
    """What is told as parameters or a result."""
    made: Params = msgspec.to_builtins(told)
    return made


# ---------------------------------------------------------------- refusals that several methods share


def no_hello() -> Refused:
    """Something came before `hello`."""
    return Refused(SAY_HELLO, "hello", "say hello first, with a protocol and a name")


def no_seat() -> Refused:
    """Who only looks on may not do that."""
    return Refused(SEAT_REFUSED, "no-seat", "take a seat first")


def nothing_played() -> Refused:
    """There is no game."""
    return Refused(NOT_PLAYING, "nothing-played", "no game is played; start one")


def playing() -> Refused:
    """It has to wait until the game is over."""
    return Refused(NOT_PLAYING, "playing", "a game is played; end it first")


def illegal(reason: str) -> Refused:
    """The rules of the game do not allow it now."""
    return Refused(ILLEGAL_ACTION, reason, "that may not be done now")
