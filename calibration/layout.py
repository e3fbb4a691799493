"""The layout of a board edition: what is printed on a board, as plain data.

Sizes and shapes only. What follows from them is worked out elsewhere, and how they are read from a file is
`edition`'s.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.polygons import Point

BonusName = Literal["dropshot", "backcourt", "crosscourt"]


@dataclass(frozen=True, slots=True)
class BallSize:
    """The ball, lengths in mm. `height_mm` is that of the printed top face above the board."""

    diameter_mm: float
    height_mm: float
    dot_diameter_mm: float


@dataclass(frozen=True, slots=True)
class LineWidths:
    """Widths of the printed lines, mm. `zone_dash_mm`: printed and blank length of dashed lines."""

    court_mm: float
    zone_mm: float
    net_mm: float
    zone_dash_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Court:
    """Half lengths and half widths to the outer edges of the lines, mm. `centre_mark_mm`: how far
    the mark at the baseline's middle reaches into the court; None where the file does not say."""

    baseline_mm: float
    singles_mm: float
    doubles_mm: float
    service_line_mm: float
    centre_mark_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Zone:
    """A point zone of the half x > 0. A hole is filled by zones that come earlier in the file."""

    points: int
    polygon: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus zone of the half x > 0, lying over the point zones.

    `printed`: outlined with fine lines; `outline` names the polylines when only those are printed.
    `label` is where its name stands.
    """

    name: BonusName
    polygon: tuple[Point, ...]
    printed: bool
    outline: tuple[tuple[Point, ...], ...] = ()
    label: Point | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed value of the half x > 0 and where its middle is, mm."""

    points: int
    at_mm: Point


@dataclass(frozen=True)
class Layout:
    """A board's. Zones, aces and bonuses are those of the half x > 0; the other is its half turn.

    `extent_x_mm`, `extent_y_mm`: the printed board. `aces`: polygons of the box y > 0, mirrored
    in y. `gap_mm`: where zones begin; up to there they count as extended straight to the net.
    """

    name: str
    extent_x_mm: tuple[float, float]
    extent_y_mm: tuple[float, float]
    ball: BallSize
    lines: LineWidths
    court: Court
    zones: tuple[Zone, ...] = ()
    aces: tuple[tuple[Point, ...], ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    figures: tuple[Figure, ...] = ()
    figure_height_mm: float | None = None
    gap_mm: float = 0.0
    mirror: bool = False

    @property
    def span_mm(self) -> float:
        """The printed board's diagonal: no shift that keeps a ball on the board is longer."""
        (x0, x1), (y0, y1) = self.extent_x_mm, self.extent_y_mm
        return float(np.hypot(x1 - x0, y1 - y0))
