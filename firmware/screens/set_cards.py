"""Cards of SET as pictures: number, shape and shading drawn, the colour as a letter, since panels have none.

Shapes and where cards lie in a field; nothing of the game is known here but how a card is written.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from PIL import Image

from firmware.screens.font import Size, draw_text, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.shapes import LIT

Mask = tuple[tuple[bool, ...], ...]
"""Rows of a shape: whether each pixel belongs to it."""

_ACROSS, _DOWN = 3, 3
"""Dark pixels between cards, more than there are within one."""
_DOWN_ABOVE: Final = 2
"""The same from a card to the next one's letter, where that stands above its shapes."""
_BETWEEN: Final = 1
"""Dark pixels between the shapes of a card, and between its letter and its shapes."""
_MOST_SHAPES: Final = 3
_LEAST_WIDTH, _LEAST_HEIGHT = 7, 5
"""A smaller shape does not show what it is, or how it is shaded."""
_MOST_HEIGHT: Final = 13
_SMALL: Final = 7
"""Width and height of the shape of a card that is written rather than drawn: a digit, a shape, a letter."""
_LETTERS: Final = "RPG"
_SIZES: Final[tuple[Size, ...]] = (2, 1)


@dataclass(frozen=True, slots=True)
class Laying:
    """How cards lie in a field, pixels. `letter`: the size of a colour's letter, which stands beside the
    shapes or above them; `drawn`: a shape is there as often as on the card, else a digit says how often."""

    columns: int
    rows: int
    cell_width: int
    cell_height: int
    letter: Size
    shape_width: int
    shape_height: int
    above: bool = False
    drawn: bool = True


def laying(cards: int, width: int, height: int) -> Laying:
    """How so many cards are best laid in a field of `width` x `height` pixels: with shapes as large as there
    is room for, and where they would be too small to tell apart, written. Of more cards than have room
    even then, some are left off."""
    best: tuple[tuple[int, int, int], Laying] | None = None
    for columns, letter, above in product(range(1, cards + 1), _SIZES, (False, True)):
        rows = -(-cards // columns)
        found = _drawn(columns, rows, (width // columns, height // rows), letter, above)
        if found is None:
            continue
        rank = min(found.shape_width, 2 * found.shape_height), letter, -columns * rows
        if best is None or rank > best[0]:
            best = rank, found
    if best is not None:
        return best[1]
    written = 2 * _letter_width(1) + _SMALL + 2 * _BETWEEN
    rows = height // (_SMALL + _BETWEEN)
    columns = min(-(-cards // rows), width // (written + _ACROSS - 1))
    return Laying(columns, rows, width // columns, height // rows, 1, _SMALL, _SMALL, drawn=False)


def draw_cards(
    image: Image.Image, cards: tuple[str, ...], left: int, top: int, width: int, height: int, more: str
) -> None:
    """Draw cards, as `2WHR` each, in a field, row by row. `more`: what stands in the last place, with {n}
    for how many, where not all have room."""
    laid = laying(max(len(cards), 1), width, height)
    room = laid.columns * laid.rows
    shown = cards if len(cards) <= room else cards[: room - 1]
    across = left + (width - laid.columns * laid.cell_width) // 2
    for number, card in enumerate(shown):
        draw_card(image, card, *_corner(number, laid, across, top), laid)
    if len(shown) < len(cards):
        x, y = _corner(len(shown), laid, across, top)
        draw_text(image, x, y, more.format(n=len(cards) - len(shown)))


def draw_card(image: Image.Image, card: str, left: int, top: int, laid: Laying) -> None:
    """Draw a card in the middle of its cell: its letter, and its shapes one above the other."""
    number, shape, shading, colour = int(card[0]), *card[1:]
    mask = shaded(shape, shading, laid.shape_width, laid.shape_height)
    letter_width = _letter_width(laid.letter)
    if not laid.drawn:
        draw_text(image, left, top, card[0])
        _paste(image, mask, left + letter_width + _BETWEEN, top)
        draw_text(image, left + letter_width + laid.shape_width + 2 * _BETWEEN, top, colour)
        return
    width, height = laid.cell_width - _ACROSS, laid.cell_height - _down(laid.above)
    letter_height = laid.letter * LETTER_HEIGHT_PX
    high = number * (laid.shape_height + _BETWEEN) - _BETWEEN
    if laid.above:
        most = _MOST_SHAPES * (laid.shape_height + _BETWEEN)
        top += (height - letter_height - most) // 2
        draw_text(image, left + (width - width_px(colour, laid.letter)) // 2, top, colour, laid.letter)
        left += (width - laid.shape_width) // 2
        top += letter_height + _BETWEEN
    else:
        left += (width - letter_width - _BETWEEN - laid.shape_width) // 2
        middle = top + height // 2
        start = left + (letter_width - width_px(colour, laid.letter)) // 2
        draw_text(image, start, middle - letter_height // 2, colour, laid.letter)
        left += letter_width + _BETWEEN
        top = middle - high // 2
    for each in range(number):
        _paste(image, mask, left, top + each * (laid.shape_height + _BETWEEN))


@lru_cache(maxsize=256)
def shaded(shape: str, shading: str, width: int, height: int) -> Mask:
    """A shape (O, D or W) of `width` x `height` pixels as it is lit: solid (S), hatched (H: every other
    column), or empty (E: its outline)."""
    whole = outline(shape, width, height)
    if shading == "S":
        return whole
    return tuple(
        tuple(
            lit and (_is_edge(whole, x, y) or (shading == "H" and x % 2 == width // 2 % 2))
            for x, lit in enumerate(row)
        )
        for y, row in enumerate(whole)
    )


def outline(shape: str, width: int, height: int) -> Mask:
    """What a shape covers of `width` x `height` pixels: oval (O), diamond (D) or wave (W)."""
    covers = {"O": _in_oval, "D": _in_diamond, "W": _in_wave}[shape]
    return tuple(tuple(covers(x, y, width, height) for x in range(width)) for y in range(height))


def _in_oval(x: int, y: int, width: int, height: int) -> bool:
    """A rectangle whose ends are half discs."""
    radius = min(width, height)
    # Twice the distance from the line between the discs' middles, in pixels, so that numbers are whole.
    dx = max(abs(2 * x - width + 1) - (width - radius), 0)
    dy = max(abs(2 * y - height + 1) - (height - radius), 0)
    return dx * dx + dy * dy <= radius * radius - radius // 2


def _in_diamond(x: int, y: int, width: int, height: int) -> bool:
    dx, dy = abs(2 * x - width + 1), abs(2 * y - height + 1)
    return dx * height + dy * width <= width * height


def _in_wave(x: int, y: int, width: int, height: int) -> bool:
    """A band whose left half is up and whose right half is down, with a slope between them; its ends are cut
    so that it does not look like two boxes."""
    rise = 2 * max(height // 5, 1)
    thick = height - rise
    down = _slope(x, width, rise)
    if not down <= y < down + thick:
        return False
    if x in (0, width - 1):
        return y not in (down, down + thick - 1)
    return True


def _slope(x: int, width: int, rise: int) -> int:
    """How far down the band is at a column, the same from either end."""
    if 2 * x == width - 1:
        return rise // 2
    if 2 * x > width - 1:
        return rise - _slope(width - 1 - x, width, rise)
    steps = max(width // 4, 2) + 1
    return rise * max(x - (width - steps) // 2 + 1, 0) // steps


def _is_edge(mask: Mask, x: int, y: int) -> bool:
    """Whether a neighbour of a pixel is not of the shape."""
    beside = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return not all(0 <= b < len(mask) and 0 <= a < len(mask[0]) and mask[b][a] for a, b in beside)


def _drawn(columns: int, rows: int, cell: tuple[int, int], letter: Size, above: bool) -> Laying | None:
    """Cards of drawn shapes in cells of that width and height, if they have room."""
    width, height = cell[0] - _ACROSS, cell[1] - _down(above)
    if above:
        height -= letter * LETTER_HEIGHT_PX + _BETWEEN
    else:
        width -= _letter_width(letter) + _BETWEEN
        if height < letter * LETTER_HEIGHT_PX:
            return None
    shape_height = (height - (_MOST_SHAPES - 1) * _BETWEEN) // _MOST_SHAPES
    shape_height = min(shape_height, width, _MOST_HEIGHT)
    # Not much wider than high, and odd either way, so that a diamond has points.
    shape_width = min(width, 2 * shape_height + 3)
    shape_width -= 1 - shape_width % 2
    shape_height -= 1 - shape_height % 2
    if shape_width < _LEAST_WIDTH or shape_height < _LEAST_HEIGHT:
        return None
    return Laying(columns, rows, *cell, letter, shape_width, shape_height, above)


def _down(above: bool) -> int:
    return _DOWN_ABOVE if above else _DOWN


def _corner(number: int, laid: Laying, left: int, top: int) -> tuple[int, int]:
    row, column = divmod(number, laid.columns)
    return left + column * laid.cell_width, top + row * laid.cell_height


def _letter_width(size: Size) -> int:
    return max(width_px(letter, size) for letter in _LETTERS)


def _paste(image: Image.Image, mask: Mask, left: int, top: int) -> None:
    for y, row in enumerate(mask):
        for x, lit in enumerate(row):
            if lit:
                image.putpixel((left + x, top + y), LIT)
