"""A sheet of paper to draw on, as SVG: lines, boxes, circles and words, in the order in which they are drawn.

Knows nothing of what is drawn. Lengths are in the sheet's units, of which four are a millimetre on paper.
"""

from collections.abc import Sequence
from typing import Literal
from xml.sax.saxutils import escape

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
INK, PALE, PAPER = "#1a1a1a", "#9a9a9a", "#ffffff"
_FONT = "DejaVu Sans, Verdana, sans-serif"
_PER_MM = 4.0


class Sheet:
    """A drawing of `width` by `height` units."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_figure(width / _PER_MM)}mm" '
            f'height="{_figure(height / _PER_MM)}mm" viewBox="0 0 {_figure(width)} {_figure(height)}" '
            f'font-family="{_FONT}">\n<title>{escape(title)}</title>'
        )
        self._drawn: list[str] = []
        self.box(0, 0, width, height, line=PAPER, fill=PAPER)

    def line(
        self,
        points: Sequence[Point],
        colour: str = INK,
        width: float = 2.0,
        *,
        halo: float = 0.0,
        dashed: bool = False,
    ) -> None:
        """A line through points; with a `halo` of paper, that much wider, over what it crosses."""
        corners = " ".join(f"{_figure(x)},{_figure(y)}" for x, y in points)
        dashes = ' stroke-dasharray="8 6"' if dashed else ""
        for stroke, wide in ((PAPER, width + halo), (colour, width)):
            if stroke is not PAPER or halo > 0:
                self._drawn.append(
                    f'<polyline points="{corners}" fill="none" stroke="{stroke}" '
                    f'stroke-width="{_figure(wide)}" stroke-linejoin="round"{dashes}/>'
                )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        line: str = INK,
        fill: str = "none",
        thick: float = 2.0,
        round_by: float = 0.0,
    ) -> None:
        """A rectangle."""
        self._drawn.append(
            f'<rect x="{_figure(x)}" y="{_figure(y)}" width="{_figure(width)}" height="{_figure(height)}" '
            f'rx="{_figure(round_by)}" fill="{fill}" stroke="{line}" stroke-width="{_figure(thick)}"/>'
        )

    def disc(self, centre: Point, radius: float, *, line: str = INK, fill: str = PAPER) -> None:
        """A circle."""
        x, y = centre
        self._drawn.append(
            f'<circle cx="{_figure(x)}" cy="{_figure(y)}" r="{_figure(radius)}" fill="{fill}" '
            f'stroke="{line}" stroke-width="1.5"/>'
        )

    def area(self, points: Sequence[Point], fill: str = INK) -> None:
        """A filled polygon."""
        corners = " ".join(f"{_figure(x)},{_figure(y)}" for x, y in points)
        self._drawn.append(f'<polygon points="{corners}" fill="{fill}"/>')

    def words(
        self,
        at: Point,
        text: str,
        *,
        size: float = 12.0,
        anchor: Anchor = "start",
        bold: bool = False,
        colour: str = INK,
    ) -> None:
        """A line of text, whose baseline starts, ends or has its middle at a point."""
        weight = ' font-weight="bold"' if bold else ""
        self._drawn.append(
            f'<text x="{_figure(at[0])}" y="{_figure(at[1])}" font-size="{_figure(size)}" '
            f'text-anchor="{anchor}" fill="{colour}"{weight} xml:space="preserve">{escape(text)}</text>'
        )

    def svg(self) -> str:
        """The file's text."""
        return "\n".join((self._head, *self._drawn, "</svg>", ""))


def _figure(value: float) -> str:
    return f"{round(value, 2):g}"
