"""The lines that are printed on the half x > 0, as polylines along the middle of each stroke.

For fitting a picture: only what is known to be printed, nothing of figures, texts or tints. Where
lines cross they are given whole.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.polygons import Array, Segments, atoms, chains, clipped, edges_of, joined

if TYPE_CHECKING:
    from calibration.edition import Edition

_ON_LINE_MM = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """One printed line of the half x > 0: its middle, shape (n, 2) in mm, its width and kind."""

    kind: Literal["court", "zone", "bonus"]
    points_mm: Array
    width_mm: float
    dashed: bool = False


def of_half(edition: "Edition") -> tuple[Stroke, ...]:
    """Every line printed on the half x > 0, court lines first."""
    zones = _zone_pieces(edition)
    return (*_court(edition), *_zones(edition, zones), *_bonuses(edition, zones))


def net_line_mm(edition: "Edition") -> Array:
    """The net line's middle as far as the court is wide, shape (2, 2); boards print it longer."""
    reach = edition.court.doubles_mm
    return np.array([[0.0, -reach], [0.0, reach]])


def _court(edition: "Edition") -> list[Stroke]:
    """Court lines: the file measures them to their outer edges, the middle is half a width
    inside."""
    court, width = edition.court, edition.lines.court_mm
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
    return [Stroke("court", np.array(line), width) for line in lines]


def _zone_pieces(edition: "Edition") -> Segments:
    """The edges where two zones meet, cut where they meet others; those on court lines included."""
    court, gap = edition.court, edition.gap_mm
    pieces = clipped(
        edition.zone_map.pieces,
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


def _zones(edition: "Edition", pieces: Segments) -> list[Stroke]:
    width, dashed = edition.lines.zone_mm, edition.lines.zone_dash_mm is not None
    own = pieces.only(~edition.zone_map.on_court_line(pieces))
    strokes = [Stroke("zone", line, width, dashed) for line in chains(own)]
    if edition.zones and edition.gap_mm > 0.0:
        gap, singles = edition.gap_mm, edition.court.singles_mm
        strokes.append(Stroke("zone", np.array([[gap, -singles], [gap, singles]]), width, dashed))
    return strokes


def _bonuses(edition: "Edition", zones: Segments) -> list[Stroke]:
    """Printed outlines of bonus zones, without the parts that zone or court lines already show."""
    court = edition.court
    drawn: list[Segments] = []
    for bonus in edition.bonuses:
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
        atoms(joined((own, zones))), (0.0, court.baseline_mm), (-court.singles_mm, court.singles_mm)
    )
    taken = (
        edition.zone_map.on_court_line(pieces) | ~_lies_on(pieces, own) | _lies_on(pieces, zones)
    )
    for axis, limit in (
        (0, 0.0),
        (0, court.baseline_mm),
        (1, court.singles_mm),
        (1, -court.singles_mm),
    ):
        taken |= _runs_on(pieces, axis, limit)
    if edition.zones and edition.gap_mm > 0.0:
        taken |= _runs_on(pieces, 0, edition.gap_mm)
    width = edition.lines.zone_mm
    return [Stroke("bonus", line, width) for line in chains(pieces.only(~taken))]


def _lies_on(pieces: Segments, others: Segments) -> NDArray[np.bool_]:
    """Which pieces have their middle on one of the other segments (pieces are cut where they
    meet)."""
    if not len(others):
        return np.zeros(len(pieces), dtype=bool)
    return np.array(
        [others.distances(at).min() <= _ON_LINE_MM for at in pieces.middles], dtype=bool
    )
