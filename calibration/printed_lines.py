"""The lines that are printed on a board, as polylines along the middle of each stroke.

For fitting a picture: only what is known to be printed, nothing of figures, texts or tints. Where
lines cross they are given whole.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from calibration.polygons import Array, Segments, atoms, chains, clipped, edges_of, joined
from calibration.zones import ZoneMap

_ON_LINE_MM = 0.02
_HALVES: tuple[tuple[Literal["A", "B"], float], ...] = (("A", -1.0), ("B", 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class PrintedLine:
    """A line as it is printed. `points_mm`, shape (n, 2), runs along the middle of the stroke, in
    the printed frame of `half` (None: the net, which both share). A curve is a polyline."""

    kind: Literal["court", "zone", "net", "bonus"]
    half: Literal["A", "B"] | None
    points_mm: Array
    width_mm: float
    dashed: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Stroke:
    """One printed line of the half x > 0: its middle, shape (n, 2) in mm, its width and kind."""

    kind: Literal["court", "zone", "bonus"]
    points_mm: Array
    width_mm: float
    dashed: bool = False


def printed_lines(layout: Layout, zones: ZoneMap) -> tuple[PrintedLine, ...]:
    """Everything printed as a line, on both halves, court lines first and the net last."""
    lines = [
        PrintedLine(stroke.kind, half, sign * stroke.points_mm, stroke.width_mm, stroke.dashed)
        for stroke in _of_half(layout, zones)
        for half, sign in _HALVES
    ]
    # The net line as far as the court is wide; boards print it longer.
    reach = layout.court.doubles_mm
    net = np.array([[0.0, -reach], [0.0, reach]])
    return (*lines, PrintedLine("net", None, net, layout.lines.net_mm, False))


def _of_half(layout: Layout, zones: ZoneMap) -> list[_Stroke]:
    """Every line printed on the half x > 0, court lines first."""
    pieces = _zone_pieces(layout, zones)
    return [*_court(layout), *_zones(layout, zones, pieces), *_bonuses(layout, zones, pieces)]


def _court(layout: Layout) -> list[_Stroke]:
    """Court lines: the file measures them to their outer edges, the middle is half a width
    inside."""
    court, width = layout.court, layout.lines.court_mm
    baseline, service = court.baseline_mm - width / 2.0, court.service_line_mm - width / 2.0
    singles, doubles = court.singles_mm - width / 2.0, court.doubles_mm - width / 2.0
    lines = [
        [(0.0, -doubles), (baseline, -doubles)],
        [(0.0, -singles), (baseline, -singles)],
        [(0.0, 0.0), (service, 0.0)],
        [(0.0, singles), (baseline, singles)],
        [(0.0, doubles), (baseline, doubles)],
        [(service, -singles), (service, singles)],
        [(baseline, -doubles), (baseline, doubles)],
    ]
    if court.centre_mark_mm is not None:
        lines.append([(court.baseline_mm - court.centre_mark_mm, 0.0), (court.baseline_mm, 0.0)])
    return [_Stroke("court", np.array(line), width) for line in lines]


def _zone_pieces(layout: Layout, zones: ZoneMap) -> Segments:
    """The edges where two zones meet, cut where they meet others; those on court lines included."""
    court, gap = layout.court, layout.gap_mm
    pieces = clipped(
        zones.pieces,
        (gap, court.baseline_mm),
        (-court.singles_mm, court.singles_mm),
    )
    border = np.zeros(len(pieces), dtype=bool)
    for axis, limit in (
        (0, gap),
        (0, court.baseline_mm),
        (1, court.singles_mm),
        (1, -court.singles_mm),
    ):
        border |= _runs_on(pieces, axis, limit)
    return pieces.only(~border)


def _runs_on(pieces: Segments, axis: int, value: float) -> NDArray[np.bool_]:
    """Which pieces lie on the line where one coordinate has that value."""
    both = np.stack((pieces.starts[:, axis], pieces.ends[:, axis]))
    return np.asarray((np.abs(both - value) <= _ON_LINE_MM).all(axis=0))


def _zones(layout: Layout, zones: ZoneMap, pieces: Segments) -> list[_Stroke]:
    width, dashed = layout.lines.zone_mm, layout.lines.zone_dash_mm is not None
    own = pieces.only(~zones.on_court_line(pieces))
    strokes = [_Stroke("zone", line, width, dashed) for line in chains(own)]
    if layout.zones and layout.gap_mm > 0.0:
        gap, singles = layout.gap_mm, layout.court.singles_mm
        strokes.append(_Stroke("zone", np.array([[gap, -singles], [gap, singles]]), width, dashed))
    return strokes


def _bonuses(layout: Layout, zones: ZoneMap, on_zones: Segments) -> list[_Stroke]:
    """Printed outlines of bonus zones, without the parts that zone or court lines already show."""
    court = layout.court
    drawn: list[Segments] = []
    for bonus in layout.bonuses:
        if bonus.printed and bonus.outline:
            for line in bonus.outline:
                corners = np.array(line)
                drawn.append(Segments(corners[:-1], corners[1:]))
        elif bonus.printed:
            drawn.append(edges_of(bonus.polygon))
    own = joined(drawn)
    if not len(own):
        return []
    pieces = clipped(
        atoms(joined((own, on_zones))), (0.0, court.baseline_mm), (-court.singles_mm, court.singles_mm)
    )
    taken = zones.on_court_line(pieces) | ~_lies_on(pieces, own) | _lies_on(pieces, on_zones)
    for axis, limit in (
        (0, 0.0),
        (0, court.baseline_mm),
        (1, court.singles_mm),
        (1, -court.singles_mm),
    ):
        taken |= _runs_on(pieces, axis, limit)
    if layout.zones and layout.gap_mm > 0.0:
        taken |= _runs_on(pieces, 0, layout.gap_mm)
    width = layout.lines.zone_mm
    return [_Stroke("bonus", line, width) for line in chains(pieces.only(~taken))]


def _lies_on(pieces: Segments, others: Segments) -> NDArray[np.bool_]:
    """Which pieces have their middle on one of the other segments (pieces are cut where they
    meet)."""
    if not len(others):
        return np.zeros(len(pieces), dtype=bool)
    return np.array([others.distances(at).min() <= _ON_LINE_MM for at in pieces.middles], dtype=bool)
