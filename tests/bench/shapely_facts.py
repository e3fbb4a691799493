"""The peer of a landing's geometry: shapely, asked as many signed distances of the same areas at once.

Prepared geometries and whole arrays, the fastest that shapely offers. It leaves out what makes a margin
exact (the printed widths of lines, which line ends which area), so its answers are near ours, not the
same; the exact comparison is a test.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from calibration.edition import Edition
from calibration.zones import BOX_SIDES
from tests.bench.matches import Flick
from tests.shapely_board import ShapelyBoard

Array = NDArray[np.float64]
Asked = Literal["start", "dot", "disc"]

_PLACES: tuple[Asked, ...] = ("start", "dot", "disc")
_BONUSES: dict[str, tuple[Asked, ...]] = {
    "crosscourt": ("start", "dot"),
    "backcourt": ("start",),
    "dropshot": ("dot",),
}


class ShapelyFacts:
    """The areas of one edition, for a striker at either end."""

    def __init__(self, edition: Edition) -> None:
        asked, areas = zip(*_areas(edition), strict=True)
        once = [_PLACES.index(place) for place in asked]
        # The second half is for the striker at the other end.
        self._places = np.array(once + [place + len(_PLACES) for place in once])
        self._shapes = np.array([*areas, *areas])
        self._edges = shapely.boundary(self._shapes)
        shapely.prepare(self._shapes)
        shapely.prepare(self._edges)
        court = edition.court
        self._low, self._high = (0.0, -court.singles_mm), (court.baseline_mm, court.singles_mm)

    def margins_mm(self, flick: Flick) -> Array:
        """The signed distances of a stroke's start, dot and disc to all areas, for both strikers."""
        start, dot, disc = np.array((flick.from_mm, flick.dot_mm, flick.disc_mm))
        seen = np.array((-start, dot, disc, start, -dot, -disc))
        on_court = [0, 1, 3, 4]
        seen[on_court] = np.clip(seen[on_court], self._low, self._high)
        points = shapely.points(seen)[self._places]
        distance = shapely.distance(self._edges, points)
        return np.asarray(np.where(shapely.intersects(self._shapes, points), distance, -distance))


def _areas(edition: Edition) -> Iterator[tuple[Asked, BaseGeometry]]:
    """What is asked of which place, in the half x > 0."""
    board, court = ShapelyBoard(edition), edition.court
    for n in range(1, edition.zone_map.most + 1):
        worth = shapely.union_all([zone for points, zone in board.zones if points >= n])
        yield "dot", worth
        for side in BOX_SIDES:
            yield "dot", worth.intersection(board.box(side))
    for side in BOX_SIDES:
        yield "disc", board.box(side)
        yield "disc", board.ace(side)
    for half_width in (court.singles_mm, court.doubles_mm):
        yield "disc", box(0.0, -half_width, court.baseline_mm, half_width)
    for bonus in edition.bonuses:
        for place in _BONUSES[bonus.name]:
            yield place, Polygon(bonus.polygon)
