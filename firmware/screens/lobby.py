"""A game on the link before it begins, on panels of either role: which, who sits there, what was chosen.

Drawing only, from plain values.
"""

from typing import Final

import msgspec
from PIL import Image

from firmware.screens.font import Block, Size, draw_block, draw_text, fitted, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.panels import Mode, blank, in_mode
from firmware.screens.shapes import DARK, LIT, draw_box

_GAP: Final = 2
_DIM: Final = 102
_NOT_LAST: Final = " -'\u2019."
_SIZES: Final[tuple[Size, ...]] = (2, 1)
_LEAST_NAME_PX: Final[dict[Size, int]] = {2: 48, 1: 26}
"""Eight narrow letters, and four small ones."""


class Sitting(msgspec.Struct, frozen=True):
    """Somebody at a seat; `here`: their controller is plugged in."""

    name: str
    here: bool = True


class LobbyPage(msgspec.Struct, frozen=True):
    """What there is to be seen. `taken`: how many seats of how many, in a few letters; `chosen`: options that
    are not as usual, a few letters each; `note`: what is to be done if nobody sits there."""

    title: str
    taken: str
    seats: tuple[Sitting, ...] = ()
    chosen: tuple[str, ...] = ()
    note: str = ""


def lobby_panel(page: LobbyPage, size: tuple[int, int] = (128, 64), mode: Mode = "1") -> Image.Image:
    """The page on a panel. `size` is one of `panels.SIZES`, `mode` as of `in_rally_panel`. ValueError for
    another size.

    From top to foot: the game, dark on lit, and how many have come; their names; what was chosen.
    """
    image = blank(size)
    width, height = size
    top = _draw_title(image, page)
    chosen = fitted(", ".join(page.chosen), width, (height - top) * 3 // 5, largest=1)
    foot = chosen.height_px + _GAP if page.chosen else 0
    draw_block(image, 0, height - chosen.height_px, width, chosen.height_px, chosen, _DIM)
    field = height - top - foot
    if page.seats:
        _draw_seats(image, page.seats, top, width, field)
    else:
        draw_block(image, 0, top, width, field, fitted(page.note, width, field, largest=2, narrow=True))
    return in_mode(image, mode)


def _draw_title(image: Image.Image, page: LobbyPage) -> int:
    """A bar; how high it is, with a gap."""
    room = image.width - width_px(page.taken) - 3 * _GAP
    words = fitted(page.title, room, 2 * LETTER_HEIGHT_PX, largest=2, narrow=True)
    high = 2 * LETTER_HEIGHT_PX + 2
    draw_box(image, 0, 0, image.width, high, filled=True)
    draw_block(image, _GAP, 1, words.width_px, high - 2, words, DARK)
    end = image.width - width_px(page.taken) - _GAP
    draw_text(image, end, (high - LETTER_HEIGHT_PX) // 2, page.taken, level=DARK)
    return high + _GAP


def _draw_seats(image: Image.Image, seats: tuple[Sitting, ...], top: int, width: int, height: int) -> None:
    """Names in columns, downwards, in the largest letters in which all have room; of more the last place
    tells how many. Who is away is in parentheses."""
    columns, rows, letters = _columns(len(seats), width, height)
    across, down = width // columns, height // rows
    shown = seats if len(seats) <= columns * rows else seats[: columns * rows - 1]
    called = [f"({seat.name})" if not seat.here else seat.name for seat in shown]
    if len(shown) < len(seats):
        called.append(f"+{len(seats) - len(shown)}")
    for number, name in enumerate(called):
        column, row = divmod(number, rows)
        block = _name(name, across - _GAP, letters)
        level = LIT if number >= len(shown) or shown[number].here else _DIM
        draw_block(image, column * across, top + row * down, block.width_px, down, block, level)


def _columns(seats: int, width: int, height: int) -> tuple[int, int, Size]:
    for letters in _SIZES:
        most_rows = height // (letters * LETTER_HEIGHT_PX + _GAP)
        for columns in range(1, seats + 1):
            rows = -(-seats // columns)
            if rows <= most_rows and width // columns >= _LEAST_NAME_PX[letters]:
                return columns, rows, letters
    return max(width // _LEAST_NAME_PX[1], 1), max(height // (LETTER_HEIGHT_PX + _GAP), 1), 1


def _name(name: str, room: int, letters: Size) -> Block:
    """As much of a name as has room in a line of such letters, or narrow ones."""
    high = letters * LETTER_HEIGHT_PX
    for kept in range(len(name), 0, -1):
        shortened = name if kept == len(name) else f"{name[:kept].rstrip(_NOT_LAST)}."
        block = fitted(shortened, room, high, largest=letters, narrow=True)
        if block.whole and not block.broken and len(block.lines) == 1 and block.size == letters:
            break
    return block
