"""What the journal keeps of a match, as values: how it began, what was done, reviews, and how it was left.

Only the shapes live here. A field that is added needs a default, or a migration in schema.py.
"""

from typing import Final, Literal

import msgspec

from firmware.keeping.records import CutBack, WallTime
from firmware.match import Measured
from firmware.rules import Action, Call, Seat, Setup, Side, Stroke, side_of
from firmware.texts import Language

TableKind = Literal["live", "simulated", "recording"]
"""What a match is played on: a table under a camera, the simulated one, or one that was recorded."""
_SIDES: Final[tuple[Side, ...]] = ("A", "B")


class MatchBegan(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="match-began"
):
    """A match was begun: all that is needed beside its actions to play it again."""

    setup: Setup
    board: str
    """The board's name, or the file that describes it, as `calibration.edition.load_edition` takes it."""
    board_digest: str
    """`Edition.digest` of the board."""
    ball: str
    """The ball's colour, as `--ball` takes it."""
    language: Language
    wall_time: WallTime
    names: tuple[str, ...] = ()
    """The players' names, in the order of `setup.order`; empty where nobody gave any."""
    side_names: tuple[str, ...] = ()
    """What sides A and B are called where two play on each; empty where nobody said."""
    table: TableKind | None = None
    """None in a journal from before this was kept."""

    @property
    def called(self) -> dict[Side | Seat, str]:
        """What players and sides are called, those that were named, as `Texts.named` takes it: in singles a
        side is its player."""
        places = self.setup.order if self.setup.doubles else tuple(map(side_of, self.setup.order))
        named = (*zip(places, self.names, strict=False), *zip(_SIDES, self.side_names, strict=False))
        return {place: name for place, name in named if name}


class Acted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="acted"):
    """Something was done that the rules allowed. ValueError for a stroke without what was measured."""

    action: Action
    wall_time: WallTime
    measured: Measured | None = None
    """A stroke as it was measured; None for whatever is no stroke."""
    captured_at: float | None = None
    """When the camera saw it, seconds of its clock; None for a button."""

    def __post_init__(self) -> None:
        if isinstance(self.action, Stroke) != (self.measured is not None):
            raise ValueError("a stroke has what was measured of it, and nothing else has")


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stroke's call and its margin (mm, positive where the call's fact is true), at one time."""

    call: Call
    points: int | None
    margin_mm: float | None
    sigma_mm: float | None = None


class Reviewed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="reviewed"):
    """A stroke was measured again. What that changed in the score is an `Acted` of its own."""

    number: int
    """The stroke, as its call was numbered."""
    by: Side
    """Who asked for it."""
    outcome: Literal["stands", "overturned"]
    before: Reading
    after: Reading
    wall_time: WallTime
    pictures: tuple[str, ...] = ()
    """Names of the picture files."""


class LetStand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="let-stand"):
    """A review had overturned a call, and the opponent of who asked for it let the first one stand."""

    number: int
    """The stroke, as its call was numbered."""
    by: Side
    """Who let it stand."""
    wall_time: WallTime


class MatchLeft(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="match-left"
):
    """The match was left before its end."""

    reason: str
    """A word or two for people, such as "new match"."""
    wall_time: WallTime


Later = Acted | Reviewed | LetStand | MatchLeft
"""What may follow the beginning of a match."""
Record = MatchBegan | Later
"""What is told of a match."""
Stored = Record | CutBack
"""What a row holds. Only the journal itself writes a `CutBack`."""
