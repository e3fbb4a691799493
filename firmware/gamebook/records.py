"""What the game book keeps of a game on the link, as values: how it began, what was done, who sat where.

Only the shapes live here. A field that is added needs a default, or a migration.
"""

import msgspec

from firmware.keeping.records import CutBack, WallTime


class Seated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who has a seat. `name` empty: nobody; `token`: SHA-256 of what its controller resumes it by, in hex;
    `bot`: how strong the computer plays it."""

    name: str = ""
    token: str | None = None
    bot: str | None = None


class GameBegan(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="game-began"
):
    """A game was begun: all that is needed beside its actions to play it again, and who sat there."""

    game: str
    """Its name in the catalogue."""
    setup: msgspec.Raw
    """Its setup, in JSON."""
    seats: tuple[Seated, ...]
    wall_time: WallTime


class Acted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="acted"):
    """Something was done that the rules allowed, by a seat or by the table."""

    action: msgspec.Raw
    """The action, in JSON."""
    wall_time: WallTime
    seat: int | None = None
    number: int | None = None
    """As the seat's controller counted it, so that after a cut it is not done twice."""


class SeatChanged(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="seat-changed"
):
    """Another has a seat, or nobody."""

    seat: int
    now: Seated
    wall_time: WallTime


class GameLeft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="game-left"):
    """The game was ended before its end, or put away after it."""

    reason: str
    wall_time: WallTime


Later = Acted | SeatChanged | GameLeft | CutBack
"""What may follow the beginning of a game."""
Record = GameBegan | Later
