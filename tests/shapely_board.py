"""A board in shapely: an independent geometry to hold the product's own against.

It is built from an edition's data and shares nothing else with the product. Margins are as the
product defines them, mm, positive where a fact is true, zero on its edge, for arrays of points of
shape (m, 2) in the half x > 0.
"""

import itertools
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from calibration.edition import Edition

Array = NDArray[np.float64]
FAR_MM = 1e4
_HAIR_MM = 1e-7


def signed_mm(shape: BaseGeometry, edge: BaseGeometry, at: Array) -> Array:
    """Distance of each point to `edge`, positive where `shape` holds the point or its border does."""
    shapely.prepare(shape)
    distance = distance_mm(edge, at)
    return np.where(shapely.intersects_xy(shape, at[:, 0], at[:, 1]), distance, -distance)


def distance_mm(shape: BaseGeometry, at: Array) -> Array:
    """Distance of each point to a shape; infinite if the shape is empty."""
    if shape.is_empty:
        return np.full(len(at), np.inf)
    return np.asarray(shapely.distance(shapely.points(at), shape))


class ShapelyBoard:
    """The half x > 0 of one edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        court = edition.court
        self.court = box(0.0, -court.singles_mm, court.baseline_mm, court.singles_mm)
        self._worth: dict[int, tuple[BaseGeometry, BaseGeometry, BaseGeometry]] = {}

    def in_court(self, at: Array) -> Array:
        """The nearest point of the singles half court to each point."""
        return self._nearest(self.court, at)

    def in_box(self, side: str, at: Array) -> Array:
        """The nearest point of a service box, its lines included, to each point."""
        return self._nearest(self.box(side), at)

    def worth(self, n: int, at: Array) -> Array:
        """Worth n or more, at points of the half court: in such a zone or on a line of its edge."""
        shape, wide, fine = self._at_least(n)
        shapely.prepare(shape)
        inside = shapely.intersects_xy(shape, at[:, 0], at[:, 1])
        edges = (
            (distance_mm(wide, at), self.edition.lines.court_mm / 2),
            (distance_mm(fine, at), self.edition.lines.zone_mm / 2),
        )
        within = np.minimum(*(distance + half for distance, half in edges))
        without = np.maximum(*(half - distance for distance, half in edges))
        return np.where(inside, within, without)

    def box(self, side: str) -> BaseGeometry:
        """A service box with its lines."""
        court, half = self.edition.court, self.edition.lines.court_mm / 2
        return _of_side(side, box(0.0, -half, court.service_line_mm, court.singles_mm))

    def ace(self, side: str) -> BaseGeometry:
        """The ace zones of a box with the pieces of its lines beside them; may be empty."""
        court, width = self.edition.court, self.edition.lines.court_mm
        service, singles = court.service_line_mm, court.singles_mm
        # Each line, and an endless band across it for a stretch along it.
        lines = (
            (box(service - width, -width / 2, service, singles), 1),
            (box(0.0, singles - width, service, singles), 0),
            (box(0.0, -width / 2, service, width / 2), 0),
        )
        parts: list[BaseGeometry] = [Polygon(polygon) for polygon in self.edition.aces]
        for polygon, (line, along) in itertools.product(self.edition.aces, lines):
            for edge in itertools.pairwise([*polygon, polygon[0]]):
                x0, y0, x1, y1 = LineString(edge).bounds
                if line.covers(LineString(edge)) and (x1 - x0, y1 - y0)[1 - along] == 0.0:
                    across = box(x0, -FAR_MM, x1, FAR_MM) if along == 0 else box(-FAR_MM, y0, FAR_MM, y1)
                    parts.append(line.intersection(across))
        return _of_side(side, unary_union(parts))

    def bonus(self, name: str, at: Array) -> tuple[Array, ...]:
        """In each bonus zone of that name, at points of the half court, on whose border none ends."""
        found = []
        for bonus in self.edition.bonuses:
            if bonus.name == name:
                shape = self._to_the_net(Polygon(bonus.polygon))
                found.append(signed_mm(shape, shape.boundary.intersection(self._inner), at))
        return tuple(found)

    @cached_property
    def zones(self) -> tuple[tuple[int, BaseGeometry], ...]:
        """Points and place of every zone as it counts, up to the net."""
        found, free = [], self.court
        for zone in self.edition.zones:
            shape = self._to_the_net(Polygon(zone.polygon))
            found.append((zone.points, shape.intersection(free)))
            free = free.difference(shape)
        return tuple(found)

    @property
    def _inner(self) -> BaseGeometry:
        return self.court.buffer(-_HAIR_MM, join_style="mitre")

    def _to_the_net(self, shape: BaseGeometry) -> BaseGeometry:
        """With its face at the gap carried on straight to the net."""
        if self.edition.gap_mm == 0.0:
            return shape
        begin = self.edition.gap_mm + _HAIR_MM
        face = shape.intersection(LineString([(begin, -FAR_MM), (begin, FAR_MM)]))
        ends = [part.bounds for part in shapely.get_parts(face) if not part.is_empty]
        return unary_union([shape, *(box(0.0, low, begin, high) for _, low, _, high in ends)])

    def _at_least(self, n: int) -> tuple[BaseGeometry, BaseGeometry, BaseGeometry]:
        """Where n or more is earned, and the middles of the lines at its edge: court lines, zone
        lines."""
        if n not in self._worth:
            court, width = self.edition.court, self.edition.lines.court_mm
            service = court.service_line_mm - width / 2
            middles = unary_union(
                [
                    LineString([(service, -court.singles_mm), (service, court.singles_mm)]),
                    LineString([(0.0, 0.0), (service, 0.0)]),
                ]
            )
            shape = unary_union([zone for points, zone in self.zones if points >= n])
            edge = shape.boundary.intersection(self._inner)
            # A line that crosses a court line leaves a crumb in the band and stays what it is.
            along = shapely.get_parts(edge.intersection(middles.buffer(_HAIR_MM)))
            wide = unary_union([part for part in along if part.length > 1e-2])
            self._worth[n] = (shape, wide, edge.difference(wide.buffer(2 * _HAIR_MM)))
        return self._worth[n]

    @staticmethod
    def _nearest(shape: BaseGeometry, at: Array) -> Array:
        x0, y0, x1, y1 = shape.bounds
        return np.clip(at, (x0, y0), (x1, y1))


def _of_side(side: str, left: BaseGeometry) -> BaseGeometry:
    return left if side == "left" else affinity.scale(left, 1.0, -1.0, origin=(0.0, 0.0))
