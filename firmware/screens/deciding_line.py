"""Which edge on the board a call hung on, and how the ball lies to it: the geometry of a review's picture.

Lives here: the choice among the edges that a call knows, each as its margin at any place. The same margins
make a landing (firmware/landings.py), whose tests hold both together. Nothing is drawn, nothing called.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.polygons import rectangle_margin_mm
from firmware.rules.events import Call
from firmware.rules.landing import BoxSide, Point, Side

Array = NDArray[np.float64]
Field = Callable[[Point], float]
"""A margin in mm at a place in mm."""

Edge = Literal["net passed", "net touched", "court", "box", "ace", "zone", "crosscourt", "dropshot"]
Judged = Literal["dot", "disc"]

JUDGED_BY: Final[Mapping[Edge, Judged]] = {
    "net passed": "dot",
    "net touched": "disc",
    "court": "disc",
    "box": "disc",
    "ace": "disc",
    "zone": "dot",
    "crosscourt": "dot",
    "dropshot": "dot",
}
"""What of the ball counts at each edge (SM-02 to SM-04, SM-07, SM-10)."""

_GOOD: Final[tuple[Edge, ...]] = ("court", "zone", "net passed", "net touched", "crosscourt", "dropshot")
EDGES_OF_CALL: Final[Mapping[Call, tuple[Edge, ...]]] = {
    "in": ("box", *_GOOD, "ace"),
    "winner": _GOOD,
    "out": ("court", "net passed"),
    "net": ("net passed", "court"),
    "let": ("net touched", "box", "net passed"),
    "ace": ("ace", "net touched", "net passed"),
    "fault": ("box", "court", "net passed"),
    "double-fault": ("box", "court", "net passed"),
    "flick-fault": (),
    "void": (),
}
"""The edges that a call can hang on, the likeliest first. On a serve into a box the court's own edges do
not count, in a rally those of the boxes do not."""

_SAME_MM = 0.02
"""A margin told by the rules and the same computed here differ by rounding; two edges may lie anywhere."""
_STEP_MM = 0.01
_LEAST_SLOPE = 0.5


class Lying(Protocol):
    """Where the ball lies, mm in the printed frame of its half (`umpire.rest.Position`)."""

    @property
    def dot_mm(self) -> Point:
        """The dot."""
        ...

    @property
    def disc_mm(self) -> Point:
        """The disc's centre."""
        ...


@dataclass(frozen=True, slots=True)
class DecidingLine:
    """An edge beside the ball, in the printed frame of the half on which the ball lies.

    `judged_mm`: the dot's middle, or the point of the disc's contour that counts. `edge_mm`: the point of
    the edge that is nearest to it. `towards`: unit vector to where the margin grows. `inside`: how far a
    place is within the area that the edge bounds, mm, negative outside.
    """

    edge: Edge
    by: Judged
    margin_mm: float
    judged_mm: Point
    edge_mm: Point
    towards: Point
    inside: Field


def deciding_line(
    edition: Edition,
    place: Lying,
    call: Call,
    margin_mm: float | None,
    *,
    striker: Side,
    box: BoxSide | None = None,
    doubles: bool = False,
) -> DecidingLine | None:
    """The edge on which `call` hung: the one of its edges to which the ball at `place` has `margin_mm`.

    `striker`: the end of the board that the stroke came from. `box`: the box of a serve, None in a rally
    and where the court is served into. None when no edge decided: a ball off the board, a ruling, a bonus
    that hung on where the stroke began.
    """
    if margin_mm is None:
        return None
    sign = 1.0 if striker == "A" else -1.0
    seen: dict[Judged, Point] = {
        "dot": (sign * place.dot_mm[0], sign * place.dot_mm[1]),
        "disc": (sign * place.disc_mm[0], sign * place.disc_mm[1]),
    }
    found: list[tuple[float, int, Edge, Field]] = []
    for edge, margin in _margins(edition, box, doubles):
        if edge in EDGES_OF_CALL[call]:
            apart = abs(margin(seen[JUDGED_BY[edge]]) - margin_mm)
            found.append((round(apart, 6), EDGES_OF_CALL[call].index(edge), edge, margin))
    if not found:
        return None
    apart, _, edge, margin = min(found, key=lambda one: one[:2])
    if apart > _SAME_MM:
        return None
    return _beside(edition, edge, margin, seen[JUDGED_BY[edge]], sign)


def _margins(edition: Edition, box: BoxSide | None, doubles: bool) -> Iterator[tuple[Edge, Field]]:
    """Every edge with the margin of dot or disc to it, for a striker who faces the half x > 0."""
    court, zones = edition.court, edition.zone_map
    net, radius = edition.lines.net_mm / 2.0, edition.ball.diameter_mm / 2.0
    yield "net passed", lambda dot: dot[0] - net
    yield "net touched", lambda disc: radius + net - abs(disc[0])
    if box is None:
        far, side = (-np.inf, court.baseline_mm), court.doubles_mm if doubles else court.singles_mm
        yield "court", lambda disc: radius + rectangle_margin_mm(disc, far, (-side, side))
    else:
        yield "box", lambda disc: radius + zones.box_margin_mm(box, disc)
        yield "ace", lambda disc: radius + zones.ace_margin_mm(box, disc)
    for index in range(zones.most if edition.zones else 0):
        yield "zone", _worth(edition, box, index)
    for bonus in {bonus.name for bonus in edition.bonuses} & {"crosscourt", "dropshot"}:
        yield ("crosscourt" if bonus == "crosscourt" else "dropshot"), _bonus(edition, bonus)


def _worth(edition: Edition, box: BoxSide | None, index: int) -> Field:
    """The margin of "worth at least `index` + 1"."""
    zones = edition.zone_map
    if box is None:
        return lambda dot: zones.worth_mm(dot)[index]
    return lambda dot: zones.box_worth_mm(box, dot)[index]


def _bonus(edition: Edition, name: str) -> Field:
    zones = edition.zone_map
    return lambda dot: max(zones.bonus_margins_mm(name, dot))


def _beside(edition: Edition, edge: Edge, margin: Field, centre: Point, sign: float) -> DecidingLine | None:
    """How a ball lies to an edge, from the slope of the margin; back in the board's own axes.

    Every margin is a signed distance, so its slope is one and points straight away from the edge: only
    where the dot counts as the nearest point of the court (SM-02) it is looked up from there.
    """
    by = JUDGED_BY[edge]
    at = centre
    slope = _slope(margin, at)
    if float(np.hypot(*slope)) < _LEAST_SLOPE:
        x, y = edition.zone_map.clamped(centre)
        at = (float(x), float(y))
        slope = 2.0 * _slope(margin, at)  # beyond the border nothing changes: half of it is missing
    length = float(np.hypot(*slope))
    if length < _LEAST_SLOPE:
        return None
    towards = slope / length
    value = margin(at)
    reach = edition.ball.diameter_mm / 2.0 if by == "disc" else 0.0
    judged = np.asarray(at) + reach * towards
    nearest = judged - value * towards

    def inside(point: Point) -> float:
        return margin((sign * point[0], sign * point[1])) - reach

    return DecidingLine(
        edge=edge,
        by=by,
        margin_mm=float(value),
        judged_mm=(float(sign * judged[0]), float(sign * judged[1])),
        edge_mm=(float(sign * nearest[0]), float(sign * nearest[1])),
        towards=(float(sign * towards[0]), float(sign * towards[1])),
        inside=inside,
    )


def _slope(margin: Field, at: Point) -> Array:
    """The gradient of a margin, by differences over two hundredths of a millimetre."""
    x, y = at
    across = margin((x + _STEP_MM, y)) - margin((x - _STEP_MM, y))
    along = margin((x, y + _STEP_MM)) - margin((x, y - _STEP_MM))
    return np.array([across, along]) / (2.0 * _STEP_MM)
