"""What one frame says, free of pixels: balls seen, hands over places, whether the camera saw at
all.

The tracker is fed these and nothing else, so that it can be tested on made-up tracks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from firmware.umpire.rest import Point
from firmware.umpire.sighting import Sighting


class Cover(Protocol):
    """What lies on or over the board that is neither board nor a ball at rest: hands, sleeves."""

    def over(self, at_mm: Point, radius_mm: float) -> float:
        """Part (0..1) of the disc of `radius_mm` about `at_mm` that is covered."""
        ...

    def around(self, at_mm: Point, inner_mm: float, outer_mm: float) -> float:
        """Part (0..1) of the ring about `at_mm` that is covered."""
        ...


class NoCover:
    """Nothing is over the board."""

    def over(self, at_mm: Point, radius_mm: float) -> float:
        """Always 0."""
        return 0.0

    def around(self, at_mm: Point, inner_mm: float, outer_mm: float) -> float:
        """Always 0."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A ball in one frame with its place in the plane of the ball's top, mm in board axes."""

    sighting: Sighting
    dot_mm: Point
    disc_mm: Point
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One frame. `unchanged`: numbers of balls at rest whose picture did not change, so that they
    were not measured again. `blind`: the camera saw nothing of use. `held`: camera or board moved
    and is not fitted again yet. `refitted`: this is the first frame with a new fit; by it `relocate`
    places what was seen while there was none."""

    captured_at: float
    glimpses: tuple[Glimpse, ...] = ()
    cover: Cover = field(default_factory=NoCover)
    unchanged: frozenset[int] = frozenset()
    blind: bool = False
    held: bool = False
    refitted: bool = False
    relocate: Callable[[Sighting], Glimpse] | None = None


class Field(Protocol):
    """Where the board and the picture end, in the plane of the ball's top."""

    @property
    def ball_radius_mm(self) -> float:
        """Half the ball's diameter."""
        ...

    def on_board(self, at_mm: Point) -> bool:
        """Whether a ball with its centre there lies on the printed board."""
        ...

    def in_picture(self, at_mm: Point) -> bool:
        """Whether a whole ball there would be in the picture."""
        ...
