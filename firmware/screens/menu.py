"""A page of the menu as a picture: the highlighted entry large and dark on lit, what comes next, its note.

Layout and drawing only: what the entries say, and what they do, is not known here.
"""

from dataclasses import dataclass
from typing import Final

from PIL import Image

from firmware.screens.font import Block, Size, draw_block, draw_text, fitted, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.menu_page import MenuEntry, MenuPage
from firmware.screens.panels import Mode, blank, in_mode
from firmware.screens.shapes import DARK, LIT, draw_box, draw_disc

_DIM, _NEXT = 102, 176
"""Greys of the title that warns of nothing, and of the entries that are not highlighted."""
_GAP: Final = 2
_MARK_RADIUS, _LARGE_MARK_RADIUS = 3, 5
_HINT_WIDTH, _HINT_HEIGHT = 7, 4
_OTHER_LETTERS: Final[Size] = 2
"""The size of letters beside the highlighted one."""
_LEAST_BOX: Final = 27
"""The highlighted entry has so many pixels, three lines of small letters, however long its note is."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Heights in pixels, from top to foot. `before`, `after`: how many entries there are above and below
    the highlighted one. `box`, `row`: the largest letters of that one, and of the others. `columns`:
    letters beside each other."""

    title_high: int
    before: int
    box_high: int
    after: int
    row_high: int
    box: Size
    row: Size
    columns: int


_LAYOUTS: Final = {
    (128, 64): _Layout(7, 0, 34, 1, 7, 3, 1, 7),
    (256, 64): _Layout(7, 0, 27, 1, 14, 3, 2, 7),
    (64, 128): _Layout(16, 0, 56, 1, 30, 3, 2, 4),
    (64, 256): _Layout(16, 1, 86, 2, 34, 3, 2, 4),
}


@dataclass(frozen=True, slots=True)
class _Field:
    """A part of the picture, pixels."""

    left: int
    top: int
    width: int
    height: int

    def below(self, used: int) -> "_Field":
        """What is left of it under the first `used` rows."""
        return _Field(self.left, self.top + used, self.width, self.height - used)

    def beside(self, used: int) -> "_Field":
        """What is left of it beside the first `used` columns."""
        return _Field(self.left + used, self.top, self.width - used, self.height)


def menu_panel(page: MenuPage, size: tuple[int, int] = (128, 64), mode: Mode = "1") -> Image.Image:
    """The page on a panel of either role. `size` is one of `panels.SIZES`, `mode` as of `in_rally_panel`.
    ValueError for another size.

    From top to foot: the title; the highlighted entry; the one that comes after it, on the tallest panel
    others around it; the note, or what has been spelt. A long note takes the place of what comes after.
    """
    image = blank(size)
    layout = _LAYOUTS[size]
    _draw_title(image, page, layout)
    field = _Field(0, 0, *size).below(layout.title_high + _GAP)
    letters = page.typed is not None and all(len(entry.label) == 1 for entry in page.entries[:-1])
    for number in range(page.at - layout.before, page.at):
        if number >= 0 and not letters:
            _draw_row(image, page.entries[number], field, layout)
        field = field.below(layout.row_high + _GAP)
    note = _note(page, field)
    high = min(layout.box_high, field.height - note.height_px - _GAP)
    box = _Field(field.left, field.top, field.width, high)
    field = field.below(high + _GAP)
    if letters:
        _draw_letters(image, page, box, layout)
    else:
        draw_box(image, box.left, box.top, box.width, box.height, filled=True)
        inner = _Field(box.left + 2, box.top + 1, box.width - 4, box.height - 2)
        _draw_entry(image, page.entries[page.at], inner, layout.box, DARK, LIT)
    if page.typed is not None:
        _draw_typed(image, page.typed, field)
        return in_mode(image, mode)
    foot = field.below(field.height - note.height_px)
    _draw_left(image, note, foot, LIT)
    for entry in page.entries[page.at + 1 : page.at + 1 + layout.after]:
        if field.top + layout.row_high + (_GAP if note.lines else 0) > foot.top:
            break
        _draw_row(image, entry, field, layout)
        field = field.below(layout.row_high + _GAP)
    return in_mode(image, mode)


def _draw_title(image: Image.Image, page: MenuPage, layout: _Layout) -> None:
    """The title; how far down the list the highlighted entry is, where there is room; and a hint each that
    there is more above and below."""
    right, lowest = image.width - _HINT_WIDTH, layout.title_high - _HINT_HEIGHT
    beside = image.width > image.height
    if page.at < len(page.entries) - 1:
        _draw_hint(image, right, 2 if beside else lowest, up=False)
    if beside:
        right -= _HINT_WIDTH + _GAP
    if page.at > 0:
        _draw_hint(image, right, 2, up=True)
    right -= _GAP
    if beside:
        place = f"{page.at + 1}/{len(page.entries)}"
        right -= width_px(place) + _GAP
        draw_text(image, right, 0, place, level=_DIM)
        right -= _GAP
    field = _Field(0, 0, right, layout.title_high)
    title = fitted(page.title, right, layout.title_high, largest=1)
    _draw_left(image, title, field, LIT if page.waits else _DIM)


def _draw_hint(image: Image.Image, left: int, top: int, up: bool) -> None:
    """A small arrowhead."""
    for row in range(_HINT_HEIGHT):
        inset = _HINT_HEIGHT - 1 - row if up else row
        image.paste(LIT, (left + inset, top + row, left + _HINT_WIDTH - inset, top + row + 1))


def _note(page: MenuPage, field: _Field) -> Block:
    """The note in small letters, in as many lines as leave the highlighted entry its room."""
    room = field.height - _LEAST_BOX - _GAP
    return fitted("" if page.typed is not None else page.note, field.width, room, largest=1)


def _draw_row(image: Image.Image, entry: MenuEntry, field: _Field, layout: _Layout) -> None:
    row = _Field(field.left + 2, field.top, field.width - 4, layout.row_high)
    _draw_entry(image, entry, row, layout.row, _NEXT, DARK)


def _draw_letters(image: Image.Image, page: MenuPage, box: _Field, layout: _Layout) -> None:
    """Letters beside each other, the highlighted one dark on lit; the last entry, which goes back, is an
    arrow."""
    columns = layout.columns
    rows = -(-len(page.entries) // columns)
    width, height = box.width // columns, box.height // rows
    for number, entry in enumerate(page.entries):
        label = entry.label if number < len(page.entries) - 1 else "<"
        left, top = box.left + number % columns * width, box.top + number // columns * height
        here = number == page.at
        draw_box(image, left, top, width, height, filled=True, level=LIT if here else DARK)
        block = fitted(label, width, height, layout.box if here else _OTHER_LETTERS)
        draw_block(image, left, top, width, height, block, DARK if here else LIT)


def _draw_typed(image: Image.Image, typed: str, field: _Field) -> None:
    """The letters so far, and a line where the next one comes."""
    block = fitted(f"{typed}-", field.width, field.height, largest=2, narrow=True)
    *above, last = block.lines
    size, cut = block.size, block.cut
    high = size * LETTER_HEIGHT_PX
    at = field.top + (field.height - block.height_px) // 2
    for line in above:
        draw_text(image, field.left, at, line, size, LIT, cut)
        at += high + _line_gap(size)
    draw_text(image, field.left, at, last[:-1], size, LIT, cut)
    width = width_px("-", size, cut)
    left = field.left + width_px(last, size, cut) - width
    draw_box(image, left, at + high - size, width, size, filled=True)


def _draw_entry(
    image: Image.Image, entry: MenuEntry, field: _Field, largest: Size, level: int, ground: int
) -> None:
    """An entry in grey `level` on `ground`: its mark, its words, and what it is set to, beside them or
    below, wherever that leaves the larger letters."""
    if entry.chosen is not None:
        _draw_choice(image, entry, field, largest, level, ground)
        return
    if not entry.value:
        _draw_left(image, _words(entry.label, field, largest), field, level)
        return
    value = f"({entry.value})" if entry.idle else entry.value
    label, told, beside = _arranged(entry.label, value, field, largest)
    if told is None:
        _draw_left(image, label, field, level)
    elif beside:
        _draw_left(image, label, field, level)
        _draw_left(image, told, field.beside(field.width - told.width_px), level)
    else:
        high = label.height_px + _line_gap(told.size) + told.height_px
        field = field.below((field.height - high) // 2)
        _draw_left(image, label, _Field(field.left, field.top, field.width, label.height_px), level)
        field = field.below(high - told.height_px).beside(field.width - told.width_px)
        _draw_left(image, told, _Field(field.left, field.top, field.width, told.height_px), level)


def _draw_choice(
    image: Image.Image, entry: MenuEntry, field: _Field, largest: Size, level: int, ground: int
) -> None:
    """One of several: its words, and a ring with a dot in it if this one holds, at the left of them, or under
    them where they have no room beside it."""
    radius = _MARK_RADIUS if largest == 1 or field.width < 2 * field.height else _LARGE_MARK_RADIUS
    across = 2 * radius + 1
    beside = field.beside(across + 2 * _GAP)
    if _is_uncut(entry.label, beside):
        _draw_left(image, _words(entry.label, beside, largest), beside, level)
        x, y = field.left + radius, field.top + field.height // 2
    else:
        above = _Field(field.left, field.top, field.width, field.height - across - _GAP)
        words = _words(entry.label, above, largest)
        field = field.below((above.height - words.height_px) // 2)
        _draw_left(image, words, _Field(field.left, field.top, field.width, words.height_px), level)
        x, y = field.left + radius, field.top + words.height_px + _GAP + radius
    draw_disc(image, x, y, radius, level)
    draw_disc(image, x, y, radius - 1, ground)
    if entry.chosen:
        draw_disc(image, x, y, radius - 2, level)


def _arranged(label: str, value: str, field: _Field, largest: Size) -> tuple[Block, Block | None, bool]:
    """Words and value as large as they fit, and whether beside each other. Where there is no room for all
    of both, the words alone."""
    ways: list[tuple[tuple[bool, int, int, int, bool], Block, Block | None]] = []
    for size in _up_to(largest):
        told = fitted(value, field.width, field.height, size, narrow=True)
        beside = field.beside(told.width_px + 2 * _GAP * told.size)
        below = field.below(told.height_px + _line_gap(told.size))
        for room, is_beside in ((beside, True), (below, False)):
            if not told.whole or room.width < LETTER_HEIGHT_PX or room.height < LETTER_HEIGHT_PX:
                continue
            words = _words(label, room, largest)
            if words.whole:
                least, both = min(words.size, told.size), words.size + told.size
                plain = (words.cut == "plain") + (told.cut == "plain")
                ways.append(((_is_uncut(label, room), least, plain, both, is_beside), words, told))
    if not ways:
        return _words(label, field, largest), None, True
    (*_, is_beside), words, told_best = max(ways, key=lambda way: way[0])
    return words, told_best, is_beside


def _words(text: str, field: _Field, largest: Size) -> Block:
    """Words as large as they fit; one that is wider than the field is parted at its hyphens."""
    too_wide = any(width_px(word) > field.width for word in text.split(" "))
    return fitted(_parted(text) if too_wide else text, field.width, field.height, largest, narrow=True)


def _is_uncut(text: str, field: _Field) -> bool:
    """Whether every word, or what is between its hyphens, has room in small letters."""
    return all(width_px(word) <= field.width for word in _parted(text).split(" "))


def _parted(text: str) -> str:
    return text.replace("-", "- ")


def _up_to(largest: Size) -> tuple[Size, ...]:
    sizes: tuple[Size, ...] = (4, 3, 2, 1)
    return tuple(size for size in sizes if size <= largest)


def _line_gap(size: Size) -> int:
    return max(size, 2)


def _draw_left(image: Image.Image, block: Block, field: _Field, level: int) -> None:
    """Draw lines from the left edge of a field, in the middle of its height."""
    at = field.top + (field.height - block.height_px) // 2
    for line in block.lines:
        draw_text(image, field.left, at, line, block.size, level, block.cut)
        at += block.size * LETTER_HEIGHT_PX + _line_gap(block.size)
