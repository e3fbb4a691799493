"""Where the point values of a board change, and how far a dot is from there.

Works in the frame of the half x > 0: callers turn a dot of the other half first. No picture, no
rules.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.layout import Bonus, Layout
from calibration.polygons import (
    Array,
    Rings,
    Segments,
    atoms,
    clipped,
    edges_of,
    joined,
    rectangle_margin_mm,
    signed_distance_mm,
    union_outline,
)

BoxSide = Literal["right", "left"]
BOX_SIDES: tuple[BoxSide, BoxSide] = ("right", "left")
Values = NDArray[np.int64]

_INSIDE_MM = 1e-6  # a point is looked up this far inside the border, where polygons hold it
_ON_LINE_MM = 0.02  # curves and edges are given to this


@dataclass(frozen=True, slots=True, eq=False)
class _ValueEdges:
    """Edges at which the value changes from `low` to `high`, with half the printed width of each.

    Where `leads_out`, the lower side can be reached from the higher: across the bounding line of a
    box it cannot, for the dot is never looked up beyond, yet a dot short of the line may be on it.
    """

    edges: Segments
    half_width: Array
    low: Values
    high: Values
    leads_out: NDArray[np.bool_]

    def worth_mm(self, at: Array, value: int, most: int, span_mm: float) -> tuple[float, ...]:
        """The margins of "worth at least n" for n = 1 to `most` at a point whose zone has
        `value`."""
        distance = self.edges.distances(at) if len(self.edges) else np.empty(0)
        margins = []
        for n in range(1, most + 1):
            counts = (self.low < n) & (n <= self.high)
            if value >= n:
                counts &= self.leads_out
                margins.append(float(np.min((distance + self.half_width)[counts], initial=span_mm)))
            else:
                margins.append(float(np.max((self.half_width - distance)[counts], initial=-span_mm)))
        return tuple(margins)


@dataclass(frozen=True, slots=True)
class _Box:
    """A service box with its bounding lines, and the same up to the lines' middles."""

    x: tuple[float, float]
    y: tuple[float, float]
    middle_x: float
    middle_y: tuple[float, float]


class ZoneMap:
    """The zones of one edition: values, value edges, ace regions and bonus zones.

    `most` is the highest value; `pieces` are all edges of zones in the half court, cut where they
    meet and carried on over the gap to the net.

    A line belongs to the higher of the values it parts, in its full printed width: inside the
    higher zone a margin is the distance to the edge plus half the width, outside it is half the
    width minus the distance.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._polygons = [np.array(zone.polygon) for zone in layout.zones]
        self._rings = Rings(self._polygons)
        self._points = np.array([zone.points for zone in layout.zones], dtype=np.int64)
        self.most = int(self._points.max(initial=0))
        self.pieces = self._pieces()
        self._court_edges = self._edges_with_values(self.pieces, self.values_at)
        self._boxes = {side: self._box(side) for side in BOX_SIDES}
        self._box_edges = {side: self._edges_of_box(side) for side in BOX_SIDES}
        self._aces = {side: self._ace_region(side) for side in BOX_SIDES}
        self._bonuses = [self._bonus(bonus) for bonus in layout.bonuses]

    def clamped(self, point: ArrayLike) -> Array:
        """The nearest point of the singles half court, shape (2,)."""
        court = self._layout.court
        x, y = np.asarray(point, dtype=float)
        return np.array(
            [min(max(x, 0.0), court.baseline_mm), min(max(y, -court.singles_mm), court.singles_mm)]
        )

    def values_at(self, points: Array) -> Values:
        """The value of the zone at each point, shape (n, 2), lines left aside; outside, the
        nearest; 0 where there are no zones."""
        if not self._polygons:
            return np.zeros(len(points), dtype=np.int64)
        at = np.clip(points, *self._look_up_range(self._layout.gap_mm))
        held = self._rings.hold(at)
        # The first polygon that holds a point gives its zone: later ones lie below it.
        values = np.asarray(self._points[held.argmax(axis=0)])
        for i in np.flatnonzero(~held.any(axis=0)):
            near = [signed_distance_mm(polygon, at[i]) for polygon in self._polygons]
            values[i] = self._points[int(np.argmax(near))]
        return values

    def worth_mm(self, dot: ArrayLike) -> tuple[float, ...]:
        """Margins of "worth at least n", n = 1 .. `most`, at the point of the half court nearest to
        the dot (SM-02); plus or minus the board's diagonal where no place of the court differs."""
        if not self._polygons:
            return ()
        at = self.clamped(dot)
        value = int(self.values_at(at[None])[0])
        return self._court_edges.worth_mm(at, value, self.most, self._layout.span_mm)

    def box_worth_mm(self, side: BoxSide, dot: ArrayLike) -> tuple[float, ...]:
        """The same at the point of the service box nearest to the dot, lines included; only changes
        within the box count, since the dot is never looked up beyond it (SM-02, on a serve)."""
        if not self._polygons:
            return ()
        box = self._boxes[side]
        at = np.clip(np.asarray(dot, dtype=float), (box.x[0], box.y[0]), (box.x[1], box.y[1]))
        value = int(self._values_in_box(box, at[None])[0])
        return self._box_edges[side].worth_mm(at, value, self.most, self._layout.span_mm)

    def box_margin_mm(self, side: BoxSide, point: ArrayLike) -> float:
        """Signed distance of a point to a service box, its bounding lines included (SM-03)."""
        box = self._boxes[side]
        return rectangle_margin_mm(point, box.x, box.y)

    def ace_margin_mm(self, side: BoxSide, point: ArrayLike) -> float:
        """Signed distance of a point to the ace zones of a box with the bordering pieces of the
        box's lines (SM-07); minus the board's diagonal when the edition has no ace zones."""
        outline, rings = self._aces[side]
        if not len(outline):
            return -self._layout.span_mm
        distance = float(outline.distances(point).min())
        return distance if rings.hold(point).any() else -distance

    def bonus_margins_mm(self, name: str, point: ArrayLike) -> tuple[float, ...]:
        """Signed distances of the nearest point of the half court to the bonus zones of that name,
        in the file's order. The court's own border ends no bonus zone: a dot beyond it counts as on
        it."""
        span = self._layout.span_mm
        margins = []
        for bonus, (edges, ring, start_x) in zip(self._layout.bonuses, self._bonuses, strict=True):
            if bonus.name != name:
                continue
            at = self.clamped(point)
            inside = ring.hold(np.clip(at, *self._look_up_range(start_x)))[0, 0]
            distance = float(edges.distances(at).min()) if len(edges) else span
            margins.append(distance if inside else -distance)
        return tuple(margins)

    def _look_up_range(self, start_x: float) -> tuple[Array, Array]:
        """The corners of the half court from `start_x` on, drawn in so that polygons hold them."""
        court = self._layout.court
        low, high = (start_x, -court.singles_mm), (court.baseline_mm, court.singles_mm)
        return np.array(low) + _INSIDE_MM, np.array(high) - _INSIDE_MM

    def _bonus(self, bonus: Bonus) -> tuple[Segments, Rings, float]:
        """The edges at which a bonus zone ends within the half court, its polygon, and the x from
        which on that is drawn: one that begins with the zones, at the gap, goes on to the net as
        they do."""
        court, gap = self._layout.court, self._layout.gap_mm
        edges = edges_of(bonus.polygon)
        from_gap = abs(float(edges.starts[:, 0].min()) - gap) <= _ON_LINE_MM
        start_x = gap if from_gap else 0.0
        both = np.stack((edges.starts, edges.ends))
        border = np.zeros(len(edges), dtype=bool)
        for axis, limit in (
            (0, start_x),
            (0, court.baseline_mm),
            (1, court.singles_mm),
            (1, -court.singles_mm),
        ):
            border |= (np.abs(both[..., axis] - limit) <= _ON_LINE_MM).all(axis=0)
        within = edges.only(~border)
        return joined((within, _bridges(within, start_x))), Rings([np.array(bonus.polygon)]), start_x

    def _pieces(self) -> Segments:
        court, gap = self._layout.court, self._layout.gap_mm
        everything = atoms(joined(edges_of(polygon) for polygon in self._polygons))
        pieces = clipped(everything, (gap, court.baseline_mm), (-court.singles_mm, court.singles_mm))
        return joined((pieces, _bridges(pieces, gap)))

    def _edges_with_values(self, pieces: Segments, values: Callable[[Array], Values]) -> _ValueEdges:
        """Those pieces at which the value differs from side to side."""
        left, right = pieces.sides()
        on_left, on_right = values(left), values(right)
        differ = on_left != on_right
        edges = pieces.only(differ)
        widths = self._layout.lines
        wide = self.on_court_line(edges)
        return _ValueEdges(
            edges,
            np.where(wide, widths.court_mm, widths.zone_mm) / 2.0,
            np.minimum(on_left, on_right)[differ],
            np.maximum(on_left, on_right)[differ],
            np.ones(len(edges), dtype=bool),
        )

    def on_court_line(self, pieces: Segments) -> NDArray[np.bool_]:
        """Which pieces run along the middle of the service line or of the centre line."""
        court, width = self._layout.court, self._layout.lines.court_mm
        both = np.stack((pieces.starts, pieces.ends))
        service = np.abs(both[..., 0] - (court.service_line_mm - width / 2.0)) <= _ON_LINE_MM
        centre = (np.abs(both[..., 1]) <= _ON_LINE_MM) & (both[..., 0] <= court.service_line_mm + _ON_LINE_MM)
        return np.asarray(service.all(axis=0) | centre.all(axis=0))

    def _box(self, side: BoxSide) -> _Box:
        court, half = self._layout.court, self._layout.lines.court_mm / 2.0
        y, middle_y = (-half, court.singles_mm), (0.0, court.singles_mm)
        if side == "right":
            y, middle_y = (-y[1], -y[0]), (-middle_y[1], -middle_y[0])
        return _Box((0.0, court.service_line_mm), y, court.service_line_mm - half, middle_y)

    def _values_in_box(self, box: _Box, points: Array) -> Values:
        """The value at points of a box. On the outer half of its lines the zone beyond and the zone
        within meet: the line belongs to the higher."""
        inner = np.clip(
            points,
            (-np.inf, box.middle_y[0] + _INSIDE_MM),
            (box.middle_x - _INSIDE_MM, box.middle_y[1] - _INSIDE_MM),
        )
        return np.maximum(self.values_at(points), self.values_at(inner))

    def _edges_of_box(self, side: BoxSide) -> _ValueEdges:
        box, pieces = self._boxes[side], self.pieces
        centre, edge_y = box.middle_y[0], box.y[0]
        if side == "right":
            centre, edge_y = box.middle_y[1], box.y[1]
        # Where zones meet on the middle of a bounding line, their parting goes on straight over it.
        ends = np.concatenate((pieces.starts, pieces.ends))
        on_service = ends[np.abs(ends[:, 0] - box.middle_x) <= _ON_LINE_MM]
        on_centre = ends[np.abs(ends[:, 1] - centre) <= _ON_LINE_MM]
        across, down = on_service.copy(), on_centre.copy()
        across[:, 0], down[:, 1] = box.x[1], edge_y
        every = joined((pieces, Segments(on_service, across), Segments(on_centre, down)))
        # Cut at the lines' middles: one piece must not lie on both sides of one.
        inner_x, strip_x = (box.x[0], box.middle_x), (box.middle_x, box.x[1])
        strip_y = (min(centre, edge_y), max(centre, edge_y))
        strips = [
            clipped(every, inner_x, strip_y),
            clipped(every, strip_x, box.middle_y),
            clipped(every, strip_x, strip_y),
        ]
        local = joined((clipped(pieces, inner_x, box.middle_y), atoms(joined(strips))))
        inside = self._edges_with_values(local, lambda points: self._values_in_box(box, points))
        left, right = inside.edges.sides()
        printed = self.values_at(left) != self.values_at(right)
        # Lines just beyond the box may be wide enough to reach into it.
        reach = self._layout.lines.zone_mm / 2.0
        beyond = self._edges_with_values(
            clipped(
                self._court_edges.edges,
                (box.x[0], box.x[1] + reach),
                (box.y[0] - reach, box.y[1] + reach),
            ),
            self.values_at,
        )
        return _ValueEdges(
            joined((inside.edges, beyond.edges)),
            np.concatenate((np.where(printed, inside.half_width, 0.0), beyond.half_width)),
            np.concatenate((inside.low, beyond.low)),
            np.concatenate((inside.high, beyond.high)),
            np.concatenate((inside.leads_out, np.zeros_like(beyond.leads_out))),
        )

    def _ace_region(self, side: BoxSide) -> tuple[Segments, Rings]:
        """The outline and the parts of a box's ace zones with the pieces of line that border
        them."""
        mirror = np.array([1.0, 1.0 if side == "left" else -1.0])
        parts = [
            part * mirror
            for polygon in self._layout.aces
            for part in (np.array(polygon), *self._line_pieces_beside(edges_of(polygon)))
        ]
        return (union_outline(parts) if parts else joined(())), Rings(parts)

    def _line_pieces_beside(self, edges: Segments) -> list[Array]:
        """The rectangles of box line, in the box y > 0, along which some of `edges` run."""
        court, width = self._layout.court, self._layout.lines.court_mm
        bands = (
            (0, court.service_line_mm - width, court.service_line_mm),
            (1, court.singles_mm - width, court.singles_mm),
            (1, -width / 2.0, width / 2.0),
        )
        pieces: list[Array] = []
        for axis, low, high in bands:
            beside = np.sort(np.stack((edges.starts[:, axis], edges.ends[:, axis])), axis=0)
            along = np.sort(np.stack((edges.starts[:, 1 - axis], edges.ends[:, 1 - axis])), axis=0)
            within = (beside[0] >= low - _ON_LINE_MM) & (beside[1] <= high + _ON_LINE_MM)
            parallel = beside[1] - beside[0] <= _ON_LINE_MM
            for first, last in along[:, within & parallel].T:
                corners = [(low, first), (high, first), (high, last), (low, last)]
                pieces.append(np.array(corners if axis == 0 else [(b, a) for a, b in corners]))
        return pieces


def _bridges(pieces: Segments, gap: float) -> Segments:
    """The pieces that reach the gap at x = `gap`, carried straight on to the net; none without one."""
    ends = np.concatenate((pieces.starts, pieces.ends))
    at_gap = np.unique(np.round(ends[np.abs(ends[:, 0] - gap) <= _INSIDE_MM, 1], 9))
    if gap == 0.0:
        at_gap = at_gap[:0]
    return Segments(
        np.column_stack((np.zeros_like(at_gap), at_gap)),
        np.column_stack((np.full_like(at_gap, gap), at_gap)),
    )
