"""A board edition as ink: everything that is printed, in the artwork's own frame. No light, no
camera.

Lines, aces, figures and labels come from the edition; only the colours, the words and the scorer
band are this package's own.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from hardware.simulated.band import print_band
from hardware.simulated.ink import Canvas, dashes
from hardware.simulated.palettes import Colour, Palette, colour

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

_TEXELS_ACROSS = 2500
_DRAWN_FIRST = ("zone", "bonus", "court", "net")
_MOTTLE = 0.035  # spread of the ink's density over centimetres, and ...
_GRAIN = 0.02  # ... from texel to texel
_SIDES = ((1.0, -1), (-1.0, 1))  # sign of a half's frame, and the turn in which its player reads


class Artwork:
    """The print of both halves of a board; `seed` fixes its wear."""

    def __init__(self, edition: Edition, palette: Palette, seed: int) -> None:
        (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
        texel = (x1 - x0) / _TEXELS_ACROSS
        self._canvas = Canvas((x0, x1, y0, y1), texel, colour(palette.surround))
        court = edition.court
        self._canvas.rectangle(
            (-court.baseline_mm, court.baseline_mm),
            (-court.doubles_mm, court.doubles_mm),
            colour(palette.ground),
        )
        _print_aces(self._canvas, edition, palette)
        _print_lines(self._canvas, edition, palette)
        _print_words(self._canvas, edition, palette)
        print_band(self._canvas, edition, palette)
        _wear(self._canvas, seed)

    def sample(self, x_mm: Float32, y_mm: Float32) -> Float32:
        """Linear albedo, (..., 3), of the print at points of the artwork's frame."""
        return self._canvas.sample(x_mm, y_mm)


@lru_cache(maxsize=2)
def artwork_of(edition: Edition, palette: Palette, seed: int) -> Artwork:
    """The artwork, printed once for all the pictures of a board (50 MB each, so the last two)."""
    return Artwork(edition, palette, seed)


def _print_aces(canvas: Canvas, edition: Edition, palette: Palette) -> None:
    for polygon in edition.aces:
        corners = np.asarray(polygon, dtype=float)
        for sign_x in (1.0, -1.0):
            for sign_y in (1.0, -1.0):
                canvas.polygon(corners * (sign_x, sign_y), colour(palette.ace))


def _print_lines(canvas: Canvas, edition: Edition, palette: Palette) -> None:
    inks = {
        "zone": colour(palette.zone_line),
        "bonus": colour(palette.zone_line),
        "court": colour(palette.line),
        "net": colour(palette.net),
    }
    lines = edition.printed_lines
    for kind in _DRAWN_FIRST:
        for line in lines:
            if line.kind != kind:
                continue
            pieces = [line.points_mm]
            if line.dashed and edition.lines.zone_dash_mm is not None:
                pieces = list(dashes(line.points_mm, *edition.lines.zone_dash_mm))
            for piece in pieces:
                canvas.stroke(piece, line.width_mm, inks[kind])
    _fill_corners(canvas, edition, inks["court"])


def _fill_corners(canvas: Canvas, edition: Edition, ink: Colour) -> None:
    """The outer quarter of the court's four corners, which lines between middles leave blank."""
    court, width = edition.court, edition.lines.court_mm
    for sign_x in (-1.0, 1.0):
        for sign_y in (-1.0, 1.0):
            x = sorted((sign_x * court.baseline_mm, sign_x * (court.baseline_mm - width)))
            y = sorted((sign_y * court.doubles_mm, sign_y * (court.doubles_mm - width)))
            canvas.rectangle((x[0], x[1]), (y[0], y[1]), ink)


def _print_words(canvas: Canvas, edition: Edition, palette: Palette) -> None:
    ink = colour(palette.line)
    court, scale = edition.court, edition.court.baseline_mm / 220.0
    tall = edition.figure_height_mm or 6.0 * scale
    x1 = edition.extent_x_mm[1]
    for sign, turn in _SIDES:
        for figure in edition.figures:
            at = sign * np.asarray(figure.at_mm)
            canvas.words(str(figure.points), at, tall, turn, ink)
        for bonus in edition.bonuses:
            if bonus.label is not None:
                at = sign * np.asarray(bonus.label)
                along = np.ptp(np.asarray(bonus.polygon), axis=0)
                # A name runs along its strip: strips beside the court lie lengthwise.
                lengthwise = turn if along[1] > along[0] else 1 - turn
                canvas.words(bonus.name.upper(), at, 2.4 * scale, lengthwise, ink)
        name = "SIDE B" if sign > 0 else "SIDE A"
        below = -(court.doubles_mm - edition.extent_y_mm[0]) / 2
        canvas.words(name, (sign * court.baseline_mm / 2, below), 4.6 * scale, 0, ink)
        behind = sign * np.array([(court.baseline_mm + x1) / 2, 40.0 * scale])
        canvas.words("FLICK OPEN", behind, 4.6 * scale, turn, ink)
        corner = sign * np.array([(court.baseline_mm + x1) / 2, -0.92 * court.doubles_mm])
        canvas.ellipse(corner, (7.0 * scale, 4.5 * scale), colour(palette.emblem))


def _wear(canvas: Canvas, seed: int) -> None:
    """Uneven ink and a few scratches; factors about 1, so that no edge moves."""
    random = np.random.default_rng((seed, 0xA27))
    height, width = canvas.albedo.shape[:2]
    coarse = random.standard_normal((height // 40 + 2, width // 40 + 2)).astype(np.float32)
    mottle = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    grain = random.standard_normal((height, width), dtype=np.float32)
    canvas.albedo *= (1 + _MOTTLE * 0.6 * mottle + _GRAIN * grain)[..., None]
    (x0, x1), (y0, y1) = canvas.extent_x_mm, canvas.extent_y_mm
    for _ in range(int(random.integers(0, 6))):
        start = np.array([random.uniform(x0, x1), random.uniform(y0, y1)])
        reach = random.uniform(10, 60) * np.array([1.0, random.uniform(-1, 1)])
        tone = np.float32(random.uniform(0.5, 0.7)) * np.ones(3, dtype=np.float32)
        canvas.stroke(np.vstack((start, start + reach)), 0.15, tone)
    np.clip(canvas.albedo, 0.004, 0.95, out=canvas.albedo)
