"""A review's picture: the ball over the line that decided, magnified, with the margin and its band.

Drawn from geometry, not from the camera's pixels, so that it can be read from two metres; which line it
was is told by deciding_line.py. Drawing only: what is written on it is given.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from calibration.edition import Edition
from firmware.screens.deciding_line import DecidingLine, Judged, Lying
from firmware.screens.font import Size, draw_block, draw_text, fitted, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.shapes import DARK, LIT, draw_box

Array = NDArray[np.float64]
Mode = Literal["1", "L"]

SIGMAS: Final = 3.0
"""The band: a margin within so many standard deviations is too close to call."""
_FINEST, _COARSEST = 9.0, 1.6
"""Pixels a millimetre: at the finest a few millimetres of contour are seen, bent enough to be a ball's."""
_SPAN = 0.42
"""Of the picture's smaller extent: what margin and band take up together, where the limits above let them."""
_CELL_PX = 4
"""The area inside the edge is asked for at every fourth pixel; between them it is interpolated."""
_BALL_PX, _EDGE_PX = 1.0, 0.8
"""Half the width of the contour and of the edge, pixels, at least."""
_MIDDLE_PX = 1.6
"""Radius of the dot's middle, where that is what counts."""
_SEAM_PX = 1.0
_COLUMN_PX = 66
"""Width of a column of words: "88.88" in letters 21 pixels high."""
_WIDE_PX, _CALL_PX = 3 * _COLUMN_PX, 80
"""From this width on the call has a column of its own, at the left, of that width."""
_TALL_PX = 192
"""From this height on an upright panel has room for large words above and below the picture."""
_FIGURES_PX, _LARGE_FIGURES_PX, _GAUGE_PX = 39, 48, 7
"""Heights of the figures with the band in small letters, and in larger ones; of the gauge."""

# Greys of the 16-grey panel, 0..255; the 1-bit panel has patterns instead.
_INK, _INSIDE, _EDGE, _BALL, _TINT = 96, 32, 176, 255, 48


_Field = tuple[int, int, int, int]
"""Left, top, width and height, pixels."""


@dataclass(frozen=True, slots=True)
class _View:
    """A window of `size` (width, height) pixels onto the board; `at` (h, w, 2) are its pixels, mm."""

    size: tuple[int, int]
    px_per_mm: float
    at: Array

    @classmethod
    def about(
        cls, middle_mm: tuple[float, float], px_per_mm: float, size: tuple[int, int], upright: bool
    ) -> "_View":
        """x to the right, as the board lies before who reads the panel with end A at the left; on an
        `upright` panel a quarter turn from that, with end A at the foot."""
        right = (np.arange(size[0]) - (size[0] - 1) / 2) / px_per_mm
        up = -(np.arange(size[1]) - (size[1] - 1) / 2) / px_per_mm
        rights, ups = np.meshgrid(right, up)
        x, y = (ups, -rights) if upright else (rights, ups)
        return cls(size, px_per_mm, np.stack((x + middle_mm[0], y + middle_mm[1]), axis=-1))


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things are on a panel; words are set in letters of `largest` size at most."""

    picture: _Field
    title: _Field
    figures: _Field
    note: _Field
    largest: Size = 3
    upright: bool = False

    @classmethod
    def of(cls, width: int, height: int) -> "_Layout":
        """That of a panel; ValueError if it is too small for any."""
        column, low, high = _COLUMN_PX, LETTER_HEIGHT_PX, _LARGE_FIGURES_PX
        if width < height:
            if width < 64 or height < 128:
                raise ValueError(f"an upright close-up needs 64x128 pixels or more, not {width}x{height}")
            if height < _TALL_PX:
                figures, note = (0, height - high - 9, width, high), (0, height - low, width, low)
                return cls((0, 17, width, height - high - 28), (0, 0, width, 16), figures, note, 2, True)
            figures, note = (0, height - high - 34, width, high), (0, height - 30, width, 30)
            return cls((0, 33, width, height - high - 70), (0, 0, width, 30), figures, note, 2, True)
        if width < 128 or height < 64:
            raise ValueError(f"a close-up needs 128x64 pixels or more, not {width}x{height}")
        right = width - column
        if width >= _WIDE_PX:
            half, figures = height // 2, (right, (height - high) // 2, column, high)
            title, note = (0, 0, _CALL_PX, half + 4), (0, half + 6, _CALL_PX, half - 6)
            return cls((_CALL_PX + 2, 0, right - _CALL_PX - 4, height), title, figures, note)
        spare = height - 64
        figures, note = (right, 17 + spare // 2, column, _FIGURES_PX), (right, 57 + spare, column, low)
        return cls((0, 0, right - 2, height), (right, 0, column, 16), figures, note)


def close_up(
    edition: Edition,
    place: Lying,
    line: DecidingLine | None,
    *,
    sigma_mm: float,
    title: str,
    note: str = "",
    size: tuple[int, int] = (128, 64),
    mode: Mode = "1",
) -> Image.Image:
    """The review's picture, of `size` (128x64, upright 64x128 at least) and mode "1" or "L".

    `place` is where the ball lies and `line` the edge that decided; without one there are words alone.
    `sigma_mm`: standard deviation of the margin. `title`: the call; `note`: what became of it. The area
    that counts is dotted (dim), printed lines are dense (grey), the edge itself is a bright line. What is
    judged, contour or dot's middle, is drawn as thick as it is in doubt: three standard deviations either
    way. The gauge under the figures shows the same: the edge in its middle, good to the right; the band is
    dark on lit where it reaches over the edge, and the call was too close.
    """
    if not (math.isfinite(sigma_mm) and sigma_mm >= 0):
        raise ValueError(f"sigma_mm is {sigma_mm!r}; give a standard deviation in mm")
    layout = _Layout.of(*size)
    image = Image.new(mode, size)
    if line is None:
        half = size[1] // 2
        _draw_words(image, (0, 0, size[0], half + 4), title)
        _draw_words(image, (0, half + 6, size[0], half - 6), note)
        return image
    band_mm = SIGMAS * sigma_mm
    left, top, width, height = layout.picture
    picture = _picture(edition, place, line, band_mm, (width, height), mode, layout.upright)
    image.paste(picture, (left, top))
    _draw_words(image, layout.title, title, layout.largest)
    _draw_figures(image, layout.figures, line, band_mm)
    _draw_words(image, layout.note, note, layout.largest)
    return image


def _picture(
    edition: Edition,
    place: Lying,
    line: DecidingLine,
    band_mm: float,
    size: tuple[int, int],
    mode: Mode,
    upright: bool,
) -> Image.Image:
    """The ball over the line, of `size` pixels."""
    view = _View.about(*_framed(line, band_mm, min(size)), size, upright)
    inside = _inside_mm(line.inside, view)
    grey = np.zeros(inside.shape, dtype=np.uint8)
    grey[inside > 0.0] = _INSIDE
    grey[_printed_mm(edition, line, view) < 0.0] = _INK
    grey[np.abs(inside) * view.px_per_mm < _EDGE_PX] = _EDGE
    if line.by == "disc":
        # The side of the contour on which the ball is must be seen, and what lies under it too.
        x, y = place.disc_mm
        under = np.hypot(view.at[..., 0] - x, view.at[..., 1] - y) < edition.ball.diameter_mm / 2
        grey[under] += _TINT
    if mode == "1":
        grey = _patterned(grey)
    # A dark seam about the ball parts it from lines and dots behind.
    for beyond_px, level in ((_SEAM_PX, 0), (0.0, _BALL)):
        grey[_ball_px(edition, place, line.by, band_mm, view) < beyond_px] = level
    return Image.fromarray(grey)


def _ball_px(edition: Edition, place: Lying, by: Judged, band_mm: float, view: _View) -> Array:
    """Distance of each pixel to what is drawn of the ball, pixels, negative on it."""
    ball, scale = edition.ball, view.px_per_mm
    to_disc, to_dot = (
        scale * np.hypot(*np.moveaxis(view.at - centre, -1, 0)) for centre in (place.disc_mm, place.dot_mm)
    )
    rim, dot_rim = scale * ball.diameter_mm / 2, scale * ball.dot_diameter_mm / 2
    doubt = scale * band_mm
    if by == "disc":
        contour = np.abs(to_disc - rim) - max(_BALL_PX, doubt)
        return np.asarray(np.minimum(contour, to_dot - dot_rim))
    rings = np.minimum(np.abs(to_disc - rim), np.abs(to_dot - dot_rim)) - _BALL_PX
    return np.asarray(np.minimum(rings, to_dot - max(_MIDDLE_PX, doubt)))


def _framed(line: DecidingLine, band_mm: float, low_px: int) -> tuple[tuple[float, float], float]:
    """The middle of the view, mm, and its scale, pixels a millimetre. `low_px`: its smaller extent."""
    span = abs(line.margin_mm) + band_mm
    scale = min(max(_SPAN * low_px / max(span, 1e-6), _COARSEST), _FINEST)
    # With the contour's point and the edge about the middle, both sides of the edge are seen.
    x = (line.judged_mm[0] + line.edge_mm[0]) / 2
    y = (line.judged_mm[1] + line.edge_mm[1]) / 2
    return (x, y), scale


def _inside_mm(inside: Callable[[tuple[float, float]], float], view: _View) -> Array:
    """How far each pixel is inside the area that the edge bounds, mm, shape (h, w)."""
    height, width = view.at.shape[:2]
    rows = np.unique(np.append(np.arange(0, height, _CELL_PX), height - 1))
    columns = np.unique(np.append(np.arange(0, width, _CELL_PX), width - 1))
    known = np.array(
        [[inside((float(view.at[r, c, 0]), float(view.at[r, c, 1]))) for c in columns] for r in rows]
    )
    across = np.array([np.interp(np.arange(width), columns, row) for row in known])
    return np.array([np.interp(np.arange(height), rows, column) for column in across.T]).T


def _printed_mm(edition: Edition, line: DecidingLine, view: _View) -> Array:
    """Distance of each pixel to the nearest printed stroke, mm, negative on it; of the half on which the
    ball lies, and of the net."""
    half = "A" if line.edge_mm[0] < 0 else "B"
    nearest = np.full(view.at.shape[:2], np.inf)
    low, high = view.at.min(axis=(0, 1)), view.at.max(axis=(0, 1))
    for printed in edition.printed_lines:
        if printed.half not in (half, None):
            continue
        reach = printed.width_mm / 2
        for start, end in zip(printed.points_mm[:-1], printed.points_mm[1:], strict=True):
            beyond = (np.minimum(start, end) - reach > high) | (np.maximum(start, end) + reach < low)
            if not beyond.any():
                nearest = np.minimum(nearest, _to_segment(view.at, start, end) - reach)
    return nearest


def _to_segment(at: Array, start: Array, end: Array) -> Array:
    """Distances of points (..., 2) to a segment, mm."""
    along = end - start
    length2 = float(along @ along)
    share = np.clip((at - start) @ along / length2, 0.0, 1.0) if length2 > 0 else np.zeros(at.shape[:-1])
    apart = at - start - share[..., None] * along
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]))


def _patterned(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Greys as patterns of lit pixels: sparse dots inside the edge, every other pixel on printed lines,
    dashes level with one another under the ball."""
    rows, columns = np.indices(grey.shape)
    dots = (rows % 4 == 1) & ((columns + rows // 4 * 2) % 4 == 1)
    chequer = (rows + columns) % 2 == 0
    dashes = (rows % 5 == 2) & (columns % 4 < 2)
    lit = grey >= _EDGE
    lit |= ((grey == _INK) | (grey == _INK + _TINT)) & chequer
    lit |= (grey == _INSIDE) & dots
    lit |= ((grey == _TINT) | (grey == _INSIDE + _TINT)) & dashes
    return np.where(lit, 255, 0).astype(np.uint8)


def _draw_figures(image: Image.Image, field: _Field, line: DecidingLine, band_mm: float) -> None:
    """The margin in the largest letters, its band, and both as a gauge."""
    left, top, width, height = field
    _draw_words(image, (left, top, width, 21), _figure(abs(line.margin_mm)))
    size: Size = 1 if height < _LARGE_FIGURES_PX else 2
    high, band, unit = size * LETTER_HEIGHT_PX, f"\u00b1{_figure(band_mm)}", width_px("mm")
    wide = width_px(band, size) + 3 + unit
    start, level = left + (width - wide) // 2, LIT
    if abs(line.margin_mm) < band_mm:
        level, reach = DARK, min(2, start - left)
        draw_box(image, start - reach, top + 22, wide + 2 * reach, high + 2 * size, filled=True)
    draw_text(image, start, top + 22 + size, band, size, level)
    draw_text(image, start + wide - unit, top + 22 + size + high - LETTER_HEIGHT_PX, "mm", level=level)
    _draw_gauge(image, left, top + height - _GAUGE_PX, width, line.margin_mm, band_mm)


def _draw_gauge(
    image: Image.Image, left: int, top: int, width: int, margin_mm: float, band_mm: float
) -> None:
    """The edge as a post in the middle, the band as a bar about the margin, with a gap where that is."""
    half = width // 2 - 1
    middle, row = left + half, top + _GAUGE_PX // 2
    scale = half / max(abs(margin_mm) + band_mm, 1e-6)
    low, at, high = (
        middle + round(scale * mm) for mm in (margin_mm - band_mm, margin_mm, margin_mm + band_mm)
    )
    for column in range(left, left + 2 * half + 1, 4):
        image.paste(LIT, (column, row, column + 1, row + 1))
    image.paste(LIT, (low, row - 1, high + 1, row + 2))
    image.paste(DARK, (at - 1, row - 1, at + 2, row + 2))
    image.paste(LIT, (at, row - 3, at + 1, row + 4))
    image.paste(DARK, (middle - 2, top, middle + 3, top + _GAUGE_PX))
    image.paste(LIT, (middle - 1, top, middle + 2, top + _GAUGE_PX))


def _figure(mm: float) -> str:
    """A length in four characters at most: hundredths where they matter."""
    return f"{mm:.2f}" if mm < 9.995 else f"{mm:.1f}" if mm < 99.95 else f"{mm:.0f}"


def _draw_words(image: Image.Image, field: _Field, text: str, largest: Size = 3) -> None:
    left, top, width, height = field
    draw_block(image, left, top, width, height, fitted(text, width, height, largest, narrow=True))
