"""Where the 0 of a service box is: the place on which the ball is laid when a player gets no serve in.

Knows printed figures and zones; that, and when, a ball is laid there is the rules' business.
"""

import heapq
import math

from calibration.layout import Layout
from calibration.polygons import Point, rectangle_margin_mm
from calibration.zones import BoxSide, ZoneMap

_CLOSE_MM = 0.05  # how much deeper a place may be than the one that is given
_TOWARDS_MIDDLE = 0.02  # depth given up for each millimetre nearer the box's middle


def zero_of_box(layout: Layout, zones: ZoneMap, side: BoxSide) -> Point:
    """The place of the 0 of a service box of the half x > 0, in mm.

    The printed figure 0 that the box holds, its lines included; of several the one farthest inside.
    Where none is printed: the place in the box that is worth 0 and lies farthest from the box's
    lines and from all that is worth more; of places alike the one nearest the box's middle. Where
    nothing in the box is worth 0: its middle.
    """
    held = [
        (zones.box_margin_mm(side, figure.at_mm), figure.at_mm)
        for figure in layout.figures
        if figure.points == 0
    ]
    depth, printed = max(held, key=lambda each: each[0], default=(-1.0, (0.0, 0.0)))
    return printed if depth >= 0.0 else _deepest_zero(layout, zones, side)


def _deepest_zero(layout: Layout, zones: ZoneMap, side: BoxSide) -> Point:
    """By branch and bound over squares: no place is deeper than the middle of a square that holds it
    by more than half the square's diagonal, for a depth is a distance."""
    court, lines = layout.court, layout.lines
    sign = 1.0 if side == "left" else -1.0
    x = (lines.net_mm / 2.0, court.service_line_mm - lines.court_mm)
    y = (lines.court_mm / 2.0, court.singles_mm - lines.court_mm)
    middle = ((x[0] + x[1]) / 2.0, (y[0] + y[1]) / 2.0)

    def rated(at: Point) -> tuple[float, float]:
        """The depth, and what counts: the depth less a little for the way from the middle."""
        depth = rectangle_margin_mm(at, x, y)
        for worth_1 in zones.box_worth_mm(side, (at[0], sign * at[1]))[:1]:
            depth = min(depth, -worth_1)
        return depth, depth - _TOWARDS_MIDDLE * math.dist(at, middle)

    best, found = middle, -math.inf
    squares: list[tuple[float, Point, float]] = []  # minus the best rating within, middle, half a side

    def look_at(square: Point, half: float) -> None:
        nonlocal best, found
        depth, rating = rated(square)
        if depth > 0.0 and rating > found:
            best, found = square, rating
        reach = (1.0 + _TOWARDS_MIDDLE) * math.sqrt(2.0) * half
        # Where the whole square pays, the middle's depth is below minus half the diagonal.
        if depth + math.sqrt(2.0) * half > _CLOSE_MM:
            heapq.heappush(squares, (-rating - reach, square, half))

    half = min(x[1] - x[0], y[1] - y[0]) / 2.0
    for i in range(math.ceil((x[1] - x[0]) / (2.0 * half))):
        for j in range(math.ceil((y[1] - y[0]) / (2.0 * half))):
            look_at((x[0] + half * (2 * i + 1), y[0] + half * (2 * j + 1)), half)
    while squares and -squares[0][0] > found + _CLOSE_MM:
        _, (cx, cy), half = heapq.heappop(squares)
        for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            look_at((cx + dx * half / 2.0, cy + dy * half / 2.0), half / 2.0)
    return best[0], sign * best[1]
