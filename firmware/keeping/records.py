"""What the records of every book share. A field that is added needs a default, or a migration in each."""

from datetime import datetime
from typing import Annotated, Protocol

import msgspec

WallTime = Annotated[datetime, msgspec.Meta(tz=True)]
"""The time of day in UTC, for people; nothing is ordered by it, since clocks are set."""


class Timed(Protocol):
    """A record of any kind."""

    @property
    def wall_time(self) -> datetime:
        """When it was made."""


class CutBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="record", tag="cut-back"):
    """A match or a game went on from an earlier place: because what followed could not be read, or by an undo
    on the link. Who sat where is not touched. Rows are never deleted."""

    to: int
    """What still counts: of a match the rows up to this number, of a game so many actions."""
    why: str
    wall_time: WallTime
