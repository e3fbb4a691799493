"""What the umpire reports: strokes, placements, bumps, rests and notices, as frozen values.

Geometry and time only. Whose stroke it was, whether it was in, and what it earned is not known
here.
"""

from dataclasses import dataclass
from typing import Literal

from firmware.umpire.rest import Rest

NoticeCode = Literal[
    "too-dark",
    "covered",
    "out-of-focus",
    "sight-back",
    "board-moved",
    "board-found",
    "ball-lost",
]


@dataclass(frozen=True, slots=True)
class RestSeen:
    """Ball number `ball` was found lying still; how it came there was not seen."""

    at: float
    ball: int
    rest: Rest


@dataclass(frozen=True, slots=True)
class StrokeSeen:
    """A flick: from rest to rest, or off the board or out of the picture.

    `rest` is None when the ball never came to rest in sight; it may be given with `off_board` when
    the ball lies beyond the board's edge. `uncertain` tells that part of the run was not seen (a
    stroke through dropped frames, a ball taken while it rolled). Times in seconds, the camera's.
    """

    at: float
    ball: int
    started_at: float
    rested_at: float | None
    from_rest: Rest
    rest: Rest | None
    off_board: bool
    uncertain: bool


@dataclass(frozen=True, slots=True)
class PlacementSeen:
    """A hand moved the ball: carried, dragged or nudged. `from_rest` is None for a ball that came
    from outside."""

    at: float
    ball: int
    from_rest: Rest | None
    rest: Rest


@dataclass(frozen=True, slots=True)
class BumpSeen:
    """The ball lies elsewhere because the board, the table or the camera was knocked."""

    at: float
    ball: int
    from_rest: Rest
    rest: Rest


@dataclass(frozen=True, slots=True)
class NoticeSeen:
    """Something people should know; what it means and what to do about it is in the texts."""

    at: float
    code: NoticeCode


BallSeen = RestSeen | StrokeSeen | PlacementSeen | BumpSeen
"""Something about a ball."""

Observation = BallSeen | NoticeSeen
