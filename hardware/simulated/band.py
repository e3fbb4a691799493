"""The scorer band beside the court: where its spots are, how it is printed, pawns that stand on it.

House data: laid out like the scorers of the classic board and scaled with the board's length.
"""

from dataclasses import dataclass

import numpy as np

from calibration.edition import Edition
from hardware.simulated.ink import Canvas
from hardware.simulated.palettes import Palette, colour
from hardware.simulated.scene import Pawn, Point

_ROWS = (
    ("points", 136.0, ("0", "15", "30", "40", "AD")),
    ("games", 164.0, ("0", "1", "2", "3")),
    ("sets", 190.0, ("0", "1", "2", "3")),
)
_FIRST_X, _STEP_X = 90.0, 22.0
_MARKER_Y, _MARKER_STEP = 140.0, 20.0
_RALLY_Y = 212.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A printed circle for a pawn. `scorer`: "marker", or side and row, "A points"."""

    scorer: str
    value: str
    at_mm: Point
    radius_mm: float


def band_from_mm(edition: Edition) -> float:
    """The y above which the scorers are printed."""
    return -edition.extent_y_mm[0] - 10.0 * _scale(edition)


def spots(edition: Edition) -> tuple[Spot, ...]:
    """Every spot of the band."""
    size = _scale(edition)
    found = []
    for step in range(-3, 4):
        at = (size * step * _MARKER_STEP, size * _MARKER_Y)
        found.append(Spot("marker", f"{step:+d}" if step else "0", at, 8.6 * size))
    for row, y, values in _ROWS:
        for side, sign in (("A", -1.0), ("B", 1.0)):
            for index, value in enumerate(values):
                x = sign * (_FIRST_X + index * _STEP_X)
                found.append(Spot(f"{side} {row}", value, (size * x, size * y), 7.0 * size))
    return tuple(found)


def starting_pawns(edition: Edition, paint: str = "d8d8d4") -> tuple[Pawn, ...]:
    """Seven pawns, each on its scorer's zero."""
    size = _scale(edition)
    return tuple(
        Pawn(spot.scorer, spot.at_mm, 6.0 * size, 14.0 * size, paint)
        for spot in spots(edition)
        if spot.value == "0"
    )


def scattered_pawns(edition: Edition, paint: str, random: np.random.Generator) -> tuple[Pawn, ...]:
    """Seven pawns, each on some spot of its scorer, not quite in the middle."""
    size = _scale(edition)
    every = spots(edition)
    pawns = []
    for scorer in dict.fromkeys(spot.scorer for spot in every):
        choice = [spot for spot in every if spot.scorer == scorer]
        x, y = choice[int(random.integers(len(choice)))].at_mm
        dx, dy = random.uniform(-1.5, 1.5, 2) * size
        pawns.append(Pawn(scorer, (x + dx, y + dy), 6.0 * size, 14.0 * size, paint))
    return tuple(pawns)


def print_band(canvas: Canvas, edition: Edition, palette: Palette) -> None:
    """Ground, circles and words of the band."""
    size, ink = _scale(edition), colour(palette.band_ink)
    (x0, x1), y1 = edition.extent_x_mm, edition.extent_y_mm[1]
    canvas.rectangle((x0 - 9, x1 + 9), (band_from_mm(edition), y1 + 9), colour(palette.band))
    for spot in spots(edition):
        canvas.ring(spot.at_mm, spot.radius_mm, 0.7 * size, ink)
        if spot.scorer == "marker":
            label = "POINT!" if spot.value in ("+3", "-3") else spot.value
            below = (spot.at_mm[0], spot.at_mm[1] - 12.0 * size)
            canvas.words(label, below, 2.0 * size, 0, ink)
        else:
            canvas.words(spot.value, spot.at_mm, 3.6 * size, 0, ink)
    rule = size * (_MARKER_Y - 15.5)
    canvas.stroke([[-62 * size, rule], [62 * size, rule]], 0.7 * size, ink)
    for row, y, values in _ROWS:
        for sign in (-1.0, 1.0):
            x = sign * (_FIRST_X + len(values) * _STEP_X + 2)
            canvas.words(row.upper(), (size * x, size * y), 2.2 * size, 0, ink)
    for number in range(1, 13):
        at = (size * (number - 6.5) * 24.0, size * _RALLY_Y)
        canvas.ring(at, 6.6 * size, 0.7 * size, ink)
        canvas.words(str(number), at, 3.4 * size, 0, ink)
    canvas.ellipse((0.0, 190.0 * size), (12.0 * size, 7.5 * size), colour(palette.emblem))


def _scale(edition: Edition) -> float:
    x0, x1 = edition.extent_x_mm
    return (x1 - x0) / 500.0
