"""Where the ball has to be laid back: the court with the ball's place, and how far it is from which lines.

For a match that goes on after its power was cut. Drawing only: where the ball lay is given.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from PIL import Image

from calibration.edition import Edition
from firmware.screens.font import Size, draw_block, draw_text, fitted, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.panels import Mode, blank, in_mode
from firmware.screens.scoreboard import Side
from firmware.screens.shapes import DARK, LIT, draw_disc
from firmware.texts import Texts

Point = tuple[float, float]
Line = Literal["net", "service", "baseline", "centre", "singles", "doubles"]

_DIM, _WAY = 102, 176
"""Greys of court lines and of the ways to them."""
_BEHIND, _BESIDE, _PAST_NET = 0.14, 0.12, 0.05
"""How far beyond the court is to be seen: behind the baseline and past the net, of half the court's length;
beside the doubles lines, of half its width."""
_BALL_PX, _SEAM_PX = 3, 2
_DASH_PX = 2
_NO_MATTER_MM = 2.0
"""So far from a line it is no matter on which side of it a ball is laid back: hands do no better."""
_SMALL = LETTER_HEIGHT_PX
_UNDER_PX = 64
"""Width of a distance with its line under it."""
_WHOLE = ((256, 64), (64, 256))
"""Panels large enough for the whole court; the others show the half on which the ball lay."""


@dataclass(frozen=True, slots=True)
class Way:
    """How far the ball's dot is from a line: to the line's middle, mm. `along_x`: measured along the
    board, from net to baseline; else across it. `to_mm`: where the way ends."""

    line: Line
    mm: float
    along_x: bool
    to_mm: Point


@dataclass(frozen=True, slots=True)
class _View:
    """A part of the board, `low_mm` to `high_mm` along x, drawn into a field of the picture. Where it is
    `upright`, end A is at the foot, else at the left: a quarter turn apart, never mirrored."""

    left: int
    top: int
    size: tuple[int, int]
    px_per_mm: float
    middle_mm: float
    upright: bool

    @classmethod
    def of(cls, edition: Edition, span: Point, field: "_Field", upright: bool) -> "_View":
        """As large as the field allows. `span`: x from and to, mm."""
        left, top, width, height = field
        length, breadth = span[1] - span[0], 2 * (1 + _BESIDE) * edition.court.doubles_mm
        along, across = (height, width) if upright else (width, height)
        scale = min(along / length, across / breadth)
        return cls(left, top, (width, height), scale, sum(span) / 2, upright)

    def at(self, point_mm: Point, inset: int = 0) -> tuple[int, int]:
        """The pixel of a place on the board, within the field, `inset` pixels from its border."""
        x, y = (point_mm[0] - self.middle_mm) * self.px_per_mm, point_mm[1] * self.px_per_mm
        right, down = (-y, -x) if self.upright else (x, -y)
        width, height = self.size
        column, row = round((width - 1) / 2 + right), round((height - 1) / 2 + down)
        return (
            self.left + min(max(column, inset), width - 1 - inset),
            self.top + min(max(row, inset), height - 1 - inset),
        )


_Field = tuple[int, int, int, int]
"""Left, top, width and height, pixels."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things are: the court, the words on top, whose end, and both distances, each `high` letters
    large; with their lines `beside` them or under them."""

    court: _Field
    title: _Field
    end: _Field
    left: int
    tops: tuple[int, int]
    high: Size
    beside: bool = False

    @classmethod
    def of(cls, size: tuple[int, int], at_end_a: bool) -> "_Layout":
        """Of a half, the picture is where that half lies: end A's at the left, or at the foot."""
        if size == (256, 64):
            return cls((0, 0, 134, 64), (137, 0, 119, _SMALL), (137, 9, 119, _SMALL), 137, (19, 43), 3, True)
        if size == (128, 64):
            court, words = (0, 64) if at_end_a else (66, 0)
            end = (words, 9, 64, _SMALL)
            return cls((court, 9, 62, 55), (0, 0, 128, _SMALL), end, words, (18, 42), 2)
        if size == (64, 128):
            words, court = (18, 75) if at_end_a else (72, 17)
            end = (0, words, 64, _SMALL)
            return cls((0, court, 64, 53), (0, 0, 64, 16), end, 0, (words + 9, words + 34), 2)
        return cls((0, 112, 64, 144), (0, 0, 64, 25), (0, 29, 64, _SMALL), 0, (41, 77), 3)


def lay_back_panel(
    edition: Edition,
    at_mm: Point,
    texts: Texts,
    size: tuple[int, int] = (128, 64),
    mode: Mode = "1",
    *,
    ends_changed: bool = False,
) -> Image.Image:
    """Where to lay the ball: `at_mm` is where its dot was, mm in board axes.

    `size`, `mode`: as `panels.in_rally_panel`. Small panels show the half on which the ball lay, end A at
    the left or at the foot as on large ones. `ends_changed`: side A plays at end B, and ends are called by
    who plays there. ValueError for another size, and for a place that is not a number.
    """
    if not all(map(math.isfinite, at_mm)):
        raise ValueError(f"the ball cannot lie at {at_mm!r}; give two numbers in mm")
    image = blank(size)
    at_end_a = at_mm[0] < 0
    layout = _Layout.of(size, at_end_a)
    behind, past = (1 + _BEHIND) * edition.court.baseline_mm, _PAST_NET * edition.court.baseline_mm
    whole = size in _WHOLE
    span = (-behind, behind) if whole else (-behind, past) if at_end_a else (-past, behind)
    view = _View.of(edition, span, layout.court, upright=size[1] > size[0])
    to = ways(edition, at_mm)
    if whole:
        _draw_letters(image, edition, view, ends_changed)
    _draw_court(image, edition, view, at_mm, to)
    _draw_words(image, layout.title, texts.say("lay-back.title"))
    _draw_end(image, layout.end, texts, "A" if at_end_a is not ends_changed else "B")
    for top, way in zip(layout.tops, to, strict=True):
        draw = _draw_beside if layout.beside else _draw_under
        draw(image, layout.left, top, way, texts, layout.high)
    return in_mode(image, mode)


def ways(edition: Edition, at_mm: Point) -> tuple[Way, Way]:
    """From the ball's dot to the nearest line along the board, and to the nearest across it; of the lines
    that are beside it. Not to one that is under the ball, where it could be taken for either side of it,
    unless that is no matter."""
    x, y = at_mm
    hidden = edition.ball.diameter_mm / 2
    along = _nearest(_along(edition, x, y), x, hidden)
    across = _nearest(_across(edition, x, y), y, hidden)
    return (
        Way(along[0], abs(x - along[1]), True, (along[1], y)),
        Way(across[0], abs(y - across[1]), False, (x, across[1])),
    )


def _nearest(lines: Iterable[tuple[Line, float]], at: float, hidden_mm: float) -> tuple[Line, float]:
    near = sorted(lines, key=lambda one: abs(at - one[1]))
    told = (one for one in near if not _NO_MATTER_MM < abs(at - one[1]) < hidden_mm)
    return next(told, near[0])


def _along(edition: Edition, x: float, y: float) -> Iterator[tuple[Line, float]]:
    """The lines from sideline to sideline, and the x of their middles, of the half the ball is on."""
    court, inset = edition.court, edition.lines.court_mm / 2
    sign = math.copysign(1.0, x)
    yield "net", 0.0
    yield "baseline", sign * (court.baseline_mm - inset)
    if abs(y) <= court.singles_mm:
        yield "service", sign * (court.service_line_mm - inset)


def _across(edition: Edition, x: float, y: float) -> Iterator[tuple[Line, float]]:
    """The lines from net to baseline, and the y of their middles, of the side the ball is on."""
    court, inset = edition.court, edition.lines.court_mm / 2
    sign = math.copysign(1.0, y)
    yield "singles", sign * (court.singles_mm - inset)
    yield "doubles", sign * (court.doubles_mm - inset)
    marked = court.centre_mark_mm is not None and abs(x) > court.baseline_mm - court.centre_mark_mm
    if marked or abs(x) <= court.service_line_mm:
        yield "centre", 0.0


def _draw_court(image: Image.Image, edition: Edition, view: _View, at_mm: Point, to: tuple[Way, Way]) -> None:
    """Lines, the ball, and from it a dashed way to each of two lines."""
    half = None if abs(view.middle_mm) < 1.0 else "A" if view.middle_mm < 0 else "B"
    for line in edition.printed_lines:
        if line.kind == "net" or (line.kind == "court" and half in (line.half, None)):
            (x0, y0), (x1, y1) = line.points_mm[0], line.points_mm[-1]
            _draw_bar(image, view.at((float(x0), float(y0))), view.at((float(x1), float(y1))), line.kind)
    ball = view.at(at_mm, _BALL_PX)
    for way in to:
        _draw_way(image, ball, view.at(way.to_mm))
    draw_disc(image, *ball, _BALL_PX + _SEAM_PX, DARK)
    draw_disc(image, *ball, _BALL_PX)


def _draw_bar(image: Image.Image, start: tuple[int, int], end: tuple[int, int], kind: str) -> None:
    """A line along the picture's rows or columns; the net is thick, bright, and a little longer."""
    (left, right), (top, bottom) = (sorted(pair) for pair in zip(start, end, strict=True))
    reach = 1 if kind == "net" else 0
    level = LIT if kind == "net" else _DIM
    image.paste(level, (max(left - reach, 0), max(top - reach, 0), right + reach + 1, bottom + reach + 1))


def _draw_way(image: Image.Image, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Dashes from the ball to a line, across or down; the last pixels reach the line."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    for step in range(steps):
        if step // _DASH_PX % 2 == 0:
            column = end[0] + (start[0] - end[0]) * step // steps
            row = end[1] + (start[1] - end[1]) * step // steps
            image.paste(_WAY, (column, row, column + 1, row + 1))


def _draw_letters(image: Image.Image, edition: Edition, view: _View, ends_changed: bool) -> None:
    """Who plays at either end, behind a corner of the court, where no ball is served from."""
    court = edition.court
    sides: tuple[Side, Side] = ("B", "A") if ends_changed else ("A", "B")
    for side, x in zip(sides, (-court.baseline_mm, court.baseline_mm), strict=True):
        column, row = view.at((x, court.doubles_mm))
        if view.upright:
            row += 3 if x < 0 else -2 - _SMALL
        else:
            column += -2 - width_px(side) if x < 0 else 3
        draw_text(image, column, row, side, level=_WAY)


def _draw_end(image: Image.Image, field: _Field, texts: Texts, end: Side) -> None:
    """Which end, by who plays there; by the side's letter where there is no room for the name."""
    said = texts.say("lay-back.end", side=texts.side(end))
    whole = fitted(said, field[2], field[3], largest=1).whole
    _draw_words(image, field, said if whole else texts.say("lay-back.end", side=end))


def _draw_under(image: Image.Image, left: int, top: int, way: Way, texts: Texts, largest: Size) -> None:
    """A distance, and under it the line; in the middle of `_UNDER_PX` pixels."""
    number, unit = f"{way.mm:.0f}", width_px("mm")
    size = _fitting(number, _UNDER_PX - 3 - unit, largest)
    start, foot = left + (_UNDER_PX - width_px(number, size) - 3 - unit) // 2, top + largest * _SMALL
    draw_text(image, start, foot - size * _SMALL, number, size)
    draw_text(image, start + width_px(number, size) + 3, foot - _SMALL, "mm")
    _draw_words(image, (left, foot + largest - 1, _UNDER_PX, _SMALL), _to(way, texts))


def _draw_beside(image: Image.Image, left: int, top: int, way: Way, texts: Texts, largest: Size) -> None:
    """A distance, and at its right the line."""
    number, words = f"{way.mm:.0f}", left + 57
    size = _fitting(number, 53, largest)
    draw_text(image, words - 4 - width_px(number, size), top, number, size)
    draw_text(image, words, top + 2, "mm")
    draw_text(image, words, top + 12, _to(way, texts))


def _fitting(number: str, room: int, largest: Size) -> Size:
    """The size at which a number has room."""
    sizes: tuple[Size, ...] = (4, 3, 2)
    return next((size for size in sizes if size <= largest and width_px(number, size) <= room), 1)


def _to(way: Way, texts: Texts) -> str:
    return texts.say(f"lay-back.{way.line}")


def _draw_words(image: Image.Image, field: _Field, text: str) -> None:
    left, top, width, height = field
    draw_block(image, left, top, width, height, fitted(text, width, height, largest=2))
