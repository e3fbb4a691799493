"""What a controller hears of the board, as values; with `--json` they are its output."""

from typing import Any

import msgspec

from firmware.link.messages import GameTold, LobbyTold


class Board(msgspec.Struct, frozen=True):
    """What a board says of itself. `boot`: another one after each start of it."""

    protocol: int
    board: str
    software: str
    boot: str


class Greeted(msgspec.Struct, frozen=True, tag_field="kind", tag="greeted"):
    """The board is there, and speaks with us."""

    board: Board


class Gone(msgspec.Struct, frozen=True, tag_field="kind", tag="gone"):
    """The board says nothing any more, or its port is gone."""


class Seated(msgspec.Struct, frozen=True, tag_field="kind", tag="seated"):
    """We have a seat. `name`: what it is called."""

    seat: int
    name: str


class Unseated(msgspec.Struct, frozen=True, tag_field="kind", tag="unseated"):
    """We have no seat any more."""


class LobbyChanged(msgspec.Struct, frozen=True, tag_field="kind", tag="lobby"):
    """What is played, or is to be, and who sits there."""

    lobby: LobbyTold


class GameChanged(msgspec.Struct, frozen=True, tag_field="kind", tag="game"):
    """What we see of the game, and what happened in it."""

    game: GameTold


class GamePutAway(msgspec.Struct, frozen=True, tag_field="kind", tag="put-away"):
    """There is no game on the table any more."""


class Said(msgspec.Struct, frozen=True, tag_field="kind", tag="said"):
    """The board says something to all. `seat`: whom it is about."""

    code: str
    text: str
    seat: int | None = None


class Refused(msgspec.Struct, frozen=True, tag_field="kind", tag="refused"):
    """Something that we asked for is not to be had. `reason`: a code; `text`: for people."""

    method: str
    code: int
    reason: str
    text: str


class Answered(msgspec.Struct, frozen=True, tag_field="kind", tag="answered"):
    """Something that we asked for was done."""

    method: str
    result: Any


News = (
    Greeted | Gone | Seated | Unseated | LobbyChanged | GameChanged | GamePutAway | Said | Refused | Answered
)
