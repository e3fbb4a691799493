"""Lines of text with styles, as a terminal shows them; and cards of SET made of them."""

from typing import Final, Literal

Style = Literal["", "bold", "dim", "red", "magenta", "green", "title", "key", "alarm"]
Span = tuple[str, Style]
Line = tuple[Span, ...]

COLOURS: Final[dict[str, Style]] = {"R": "red", "P": "magenta", "G": "green"}
_BRAILLE: Final = 0x2800
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bit of each dot of a braille cell by row and column (Unicode, block Braille Patterns)."""
_ROWS: Final = 3
_HEIGHT: Final = 4 * _ROWS


class Form:
    """How large cards are drawn. `cells`: characters a shape is wide; 0: cards are written, not drawn."""

    def __init__(self, cells: int, pad: int) -> None:
        self.cells = cells
        self._pad = pad
        self.width = 9 if cells == 0 else 3 * cells + 2 * pad + 3
        """Characters of a card and the gap behind it."""
        self.height = 1 if cells == 0 else _ROWS + 2

    def card(self, code: str, key: str, picked: bool) -> list[Line]:
        """A card such as 2WHR in `height` lines, with the key that picks it."""
        style = COLOURS[code[3]]
        if self.cells == 0:
            name: Span = (f"{'[' if picked else ' '}{code}{']' if picked else ' '}", style)
            return [((f"{key} ", "key"), name, (" ", ""))]
        number = int(code[0])
        inner = 3 * self.cells + 2 * self._pad
        shape = _shape(code[1], code[2], 2 * self.cells)
        frame: Style = "bold" if picked else "dim"
        h, v, corners = ("━", "┃", "┏┓┗┛") if picked else ("─", "│", "╭╮╰╯")
        lines: list[Line] = [
            ((corners[0] + h, frame), (key, "key"), (h * (inner - 2) + corners[1], frame), (" ", ""))
        ]
        for row in shape:
            whole = "".join([row] * number).center(inner)
            lines.append(((v, frame), (whole, style), (v, frame), (" ", "")))
        foot: Span = (corners[2] + h * (inner - 2), frame)
        lines.append((foot, (code[3], style), (h + corners[3], frame), (" ", "")))
        return lines


LARGE: Final = Form(4, 1)
SMALL: Final = Form(3, 0)
WRITTEN: Final = Form(0, 0)


def width_of(line: Line) -> int:
    """Characters of a line."""
    return sum(len(text) for text, _ in line)


def _shape(shape: str, shading: str, width: int) -> list[str]:
    """A shape in braille, `width` dots wide: its outline, stripes within it, or all of it."""
    # A dot's width is left free to the right, so that shapes side by side stay apart.
    lit = [[_is_lit(shape, shading, x, y, width - 1) for x in range(width)] for y in range(_HEIGHT)]
    rows = []
    for top in range(0, _HEIGHT, 4):
        cells = ""
        for left in range(0, width, 2):
            dots = sum(
                bit * lit[top + dy][left + dx] for dy, bits in enumerate(_DOTS) for dx, bit in enumerate(bits)
            )
            cells += chr(_BRAILLE + dots)
        rows.append(cells)
    return rows


def _is_lit(shape: str, shading: str, x: int, y: int, width: int) -> bool:
    if not _inside(shape, x, y, width):
        return False
    if shading == "S" or (shading == "H" and y % 2 == 1):
        return True
    return not all(_inside(shape, x + dx, y + dy, width) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))


def _inside(shape: str, x: int, y: int, width: int) -> bool:
    """Whether a dot's middle lies in the shape, which fills a box of `width` x _HEIGHT dots."""
    u, v = (2 * x + 1) / width - 1, (2 * y + 1) / _HEIGHT - 1
    if abs(v) > 1:
        return False
    match shape:
        case "O":
            return u * u + (max(0.0, abs(v) - 0.5) / 0.5) ** 2 <= 1.0
        case "D":
            return abs(u) + abs(v) <= 1.0
        case _:
            # The middle of the wave sways to the right above, and to the left below.
            return abs(u - 0.35 * (1 if v < 0 else -1) * min(1.0, 3 * abs(v))) <= 0.62
