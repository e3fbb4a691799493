"""What the rules are told of the ball: facts with signed margins, free of pixels and polygons.

Every margin is in millimetres, positive where the fact is true: how far the deciding point or
contour could move before the fact changed. Facts are given for a stroke from either end of the
board, since only the rules know who struck; left and right are as the striker sees the far half.
"""

import math
from dataclasses import dataclass
from typing import Literal

Side = Literal["A", "B"]
"""A side of the match; also an end of the board, A at x < 0. With changed ends (SM-18) side A plays
at end B."""
BoxSide = Literal["right", "left"]
Point = tuple[float, float]
"""x and y in mm, in the frame of the printed half on which the point lies."""


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """One service box of the far half."""

    touched_mm: float
    """Disc against the box, its bounding lines included (SM-03)."""
    ace_mm: float
    """Disc against the nearest ace zone of the box, bordering lines included (SM-07)."""
    worth_mm: tuple[float, ...]
    """As `Facts.worth_mm`, for the point of this box nearest to the dot (SM-02)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a landing for one striker."""

    passed_net_mm: float
    """Dot beyond the far edge of the net line (SM-04)."""
    touches_net_mm: float
    """Disc against the net line."""
    in_singles_mm: float
    """Disc against the far singles half court, its lines included (SM-03)."""
    in_doubles_mm: float
    """The same with the alleys."""
    worth_mm: tuple[float, ...]
    """worth_mm[n - 1] is the margin of "worth at least n": the signed distance from the dot,
    clamped to the half court, to the edge of the area whose zones and bounding lines earn n or
    more (SM-02)."""
    crosscourt_mm: float
    """Start and landing in cross-court zones that lie diagonally (SM-10); the lesser margin."""
    dropshot_mm: float
    """Start in the backcourt zone and landing in the dropshot zone; the lesser margin."""
    start_in_court_mm: float
    """Dot within the striker's own singles half court at the start. A serve from outside starts in
    no zone; any other stroke starts at the nearest point of the court (SM-10)."""
    right: BoxFacts
    left: BoxFacts


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """A ball that lies still, for whoever plays from one end."""

    serve_right_mm: float
    """Within the place to serve from on the right of the centre mark (SM-13): the disc behind the
    baseline or touching it, its centre between the middle of the centre mark and the singles
    sideline extended; the lesser margin, without the tolerance."""
    serve_left_mm: float
    """The same on the left."""
    zero_right_mm: float
    """Distance from the dot to the printed 0 of the far half's right service box (SM-11)."""
    zero_left_mm: float
    """The same for the left box."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ball lies still: laid there by a hand, or before a stroke."""

    at_mm: Point
    """The dot."""
    by_a: PlaceFacts
    """The facts for who plays from end A."""
    by_b: PlaceFacts
    """The facts for who plays from end B."""

    @property
    def is_measured(self) -> bool:
        """Whether every figure is a number."""
        return not any(
            math.isnan(value)
            for facts in (self.by_a, self.by_b)
            for value in (
                *self.at_mm,
                facts.serve_right_mm,
                facts.serve_left_mm,
                facts.zero_right_mm,
                facts.zero_left_mm,
            )
        )


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a stroke came to rest. `off_board` is a ball that left the board or the picture
    (SM-21); its other facts then count for nothing."""

    off_board: bool
    dot_sigma_mm: float
    """Standard deviation of the dot's place across any line."""
    disc_sigma_mm: float
    """The same for the disc's contour."""
    by_a: Facts
    """The facts if the stroke came from end A."""
    by_b: Facts
    """The facts if it came from end B."""
    start: Place
    """Where the ball was struck."""
    rest_mm: Point | None
    """Where the dot came to rest; None for a ball off the board."""
    unseen: bool = False
    """A part of the stroke was not seen: no call of it is certain."""
