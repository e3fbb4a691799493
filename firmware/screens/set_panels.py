"""A table of SET on the panels: its cards on the in-rally scorer's, scores and state on the game scorer's.

Drawing only, from what the whole table may see; the words are the texts'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from firmware.games.setgame import View
from firmware.screens.font import Block, Size, draw_block, draw_text, fitted, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX, printable
from firmware.screens.panels import Mode, blank, in_mode
from firmware.screens.set_cards import draw_cards
from firmware.screens.shapes import DARK, LIT, draw_box, draw_disc
from firmware.texts import Texts, load, seat_named

_GAP: Final = 2
_MARK_WIDTH: Final = 7
_LINE: Final = LETTER_HEIGHT_PX + _GAP
_LINES: Final = 2
"""What is going on has so many lines where how much is left stands below it."""
_DIM: Final = 102
_WIDE: Final = 128
"""Panels so wide have what is going on and what is left beside each other."""
_LEAST_LETTERS: Final = 4
"""A name of which fewer letters have room is left off, and the seat's number stands there."""
_WAYS: Final[tuple[tuple[Size, int, int], ...]] = (
    (3, 48, _MARK_WIDTH),
    (2, 24, _MARK_WIDTH),
    (1, 11, _MARK_WIDTH),
    (1, 11, 0),
)
"""The sizes of letters that are tried, with the least room for a name and that for a mark, pixels: eight
narrow letters, four, a number of two digits."""
_LOWEST: Final = -99
"""No lower score is shown."""
_NOT_LAST: Final = " -'\u2019."


def set_cards_panel(
    view: View,
    names: Sequence[str] = (),
    texts: Texts | None = None,
    size: tuple[int, int] = (128, 64),
    mode: Mode = "1",
    notice: str | None = None,
) -> Image.Image:
    """The cards on the table, and in a line below them what is going on. `names`: the players', by seat;
    `notice`: stands in the place of all that; `size` and `mode` as of `panels.in_rally_panel`. ValueError
    for another size."""
    texts = texts or load("en")
    image = blank(size)
    width, height = size
    if notice is not None:
        draw_block(image, 0, 0, width, height, fitted(notice, width, height, largest=2, narrow=True))
        return in_mode(image, mode)
    if not view.table:
        said, _ = _going_on(view, texts)
        draw_block(image, 0, 0, width, height, fitted(said, width, height, largest=3, narrow=True))
        return in_mode(image, mode)
    foot = _foot(view, names, texts, width)
    field = height - foot.height
    more = texts.table["games.set.panel.more"]
    draw_cards(image, view.table, 0, 0, width, field, more)
    _draw_foot(image, foot, field)
    return in_mode(image, mode)


def set_scores_panel(
    view: View,
    names: Sequence[str] = (),
    texts: Texts | None = None,
    size: tuple[int, int] = (128, 64),
    mode: Mode = "1",
    notice: str | None = None,
) -> Image.Image:
    """Everybody's score, and what is going on. Dark on lit: who names a set, or has won. Marks: a disc for
    who sees no set, a cross for who has to wait, a dash for a seat that was left. A `notice` takes the
    place of what is going on, and of all if it has no room there. Else as `set_cards_panel`."""
    texts = texts or load("en")
    image = blank(size)
    width, height = size
    if notice is not None:
        words = fitted(notice, width, height // 2 - _GAP, largest=1)
        if not words.whole:
            draw_block(image, 0, 0, width, height, fitted(notice, width, height, largest=2, narrow=True))
            return in_mode(image, mode)
        field = height - words.height_px - _GAP
        draw_block(image, 0, field + _GAP, width, words.height_px, words)
    else:
        foot = _foot(view, names, texts, width)
        field = height - foot.height
        _draw_foot(image, foot, field)
    _draw_scores(image, view, [_called(seat, names, texts) for seat in _seats(view)], width, field)
    return in_mode(image, mode)


# ---------------------------------------------------------------- what is going on


@dataclass(frozen=True, slots=True)
class _Foot:
    """Words, dark on lit where somebody has the table; and how much is left, beside them or below."""

    words: Block
    urgent: bool
    left: str
    beside: bool

    @property
    def height(self) -> int:
        """Rows that it takes, with a gap above: the same whatever it says, so that no card moves for it."""
        return _LINE if self.beside else (_LINES + 1) * _LINE


def _foot(view: View, names: Sequence[str], texts: Texts, width: int) -> _Foot:
    said, seat = _going_on(view, texts)
    left = _how_much(view, texts)
    name = "" if seat is None else seat_named(seat, names, texts)
    urgent = view.claimed is not None
    room = width - 2 * _GAP
    if width < _WIDE:
        return _Foot(_in_lines(said, name, room, _LINES), urgent, left, beside=False)
    words = _in_lines(said, name, room - width_px(left) - 2 * _GAP, 1)
    if not words.lines or (words.whole and printable(name) in words.lines[0]):
        return _Foot(words, urgent, left, beside=True)
    # What is left can wait until the name has been read.
    return _Foot(_in_lines(said, name, room, 1), urgent, "", beside=True)


def _going_on(view: View, texts: Texts) -> tuple[str, int | None]:
    """What is to be told first, with {seat} for the seat that it tells."""
    key, seat = "", None
    values: dict[str, int | str] = {}
    if view.outcome is not None:
        winners = view.outcome.winners
        if view.outcome.reason in ("solo-won", "solo-lost"):
            key = view.outcome.reason
        elif len(winners) == 1:
            key, seat = "won", winners[0]
        else:
            key = "shared"
    elif view.claimed is not None:
        key, seat = "names", view.claimed
    elif not view.dealt:
        key, seat = "deals", _next_dealer(view)
    elif view.hinted:
        key = "hinted"
    elif view.agreed:
        key, values = "none", {"n": len(view.agreed), "of": view.seats - len(view.away)}
    elif view.penalties:
        key, values = "penalties", {"n": min(view.redeemed, view.penalties), "of": view.penalties}
    elif view.hands > 1:
        key, values = "hand", {"n": view.hand, "of": view.hands}
    if not key:
        return "", None
    if seat is not None:
        values["seat"] = "{seat}"
    return texts.say(f"games.set.panel.{key}", **values), seat


def _how_much(view: View, texts: Texts) -> str:
    return "" if view.outcome is not None else texts.say("games.set.panel.deck", n=view.in_deck)


def _in_lines(said: str, name: str, width: int, lines: int) -> Block:
    """The words in small letters, with as much of the name as has room; none for no words."""
    height = lines * _LINE - _GAP
    words = fitted(said.replace("{seat}", name), width, height, largest=1)
    for letters in range(len(name) - 1, 0, -1):
        if words.whole and not words.broken:
            break
        words = fitted(said.replace("{seat}", _shortened(name, letters)), width, height, largest=1)
    return words


def _shortened(name: str, letters: int) -> str:
    return name if letters >= len(name) else f"{name[:letters].rstrip(_NOT_LAST)}."


def _draw_foot(image: Image.Image, foot: _Foot, top: int) -> None:
    at, width = top + _GAP, image.width
    if foot.urgent:
        # As high as the gaps allow: a bar is seen from farther away than its letters.
        high = foot.words.height_px + 2
        end = foot.words.width_px + 2 * _GAP if foot.beside else width
        draw_box(image, 0, at - 1, end, high, filled=True)
    level = DARK if foot.urgent else LIT
    draw_block(image, _GAP, at, foot.words.width_px, foot.words.height_px, foot.words, level)
    left = width - width_px(foot.left)
    below = 0 if foot.beside else _LINES * _LINE
    draw_text(image, left, at + below, foot.left, level=LIT if foot.urgent else _DIM)


# ---------------------------------------------------------------- the scores


@dataclass(frozen=True, slots=True)
class _Columns:
    """How seats stand beside each other, pixels. `letters`: their size; `marks`: room for a mark each."""

    columns: int
    rows: int
    letters: Size
    score_width: int
    marks: int


def _called(seat: int, names: Sequence[str], texts: Texts) -> tuple[str, ...]:
    """What a seat is called, the best first: its name with fewer and fewer letters, and its number."""
    named = seat_named(seat, names, texts)
    if named == seat_named(seat, (), texts):
        return named, str(seat)
    shorter = range(len(named), min(_LEAST_LETTERS, len(named)) - 1, -1)
    return *(_shortened(named, letters) for letters in shorter), str(seat)


def _draw_scores(
    image: Image.Image, view: View, called: Sequence[tuple[str, ...]], width: int, height: int
) -> None:
    stand = _columns(view, width, height)
    across, down = width // stand.columns, height // stand.rows
    for number, seat in enumerate(_seats(view)):
        column, row = divmod(number, stand.rows)
        cell = column * across, row * down, across - (_GAP if column < stand.columns - 1 else 0), down
        _draw_seat(image, view, seat, called[number], cell, stand)


def _columns(view: View, width: int, height: int) -> _Columns:
    """As large letters as all have room in: a mark, the seat's number at the least, and a score."""
    for size, name_width, marks in _WAYS:
        # As wide as two digits at the least, so that nothing moves when somebody has ten.
        shown = ("88", *(_score(view, seat) for seat in _seats(view)))
        score_width = max(width_px(score, size) for score in shown)
        least = marks + name_width + score_width + 2 * _GAP
        for columns in range(1, view.seats + 1):
            rows = -(-view.seats // columns)
            room = width // columns - (_GAP if columns > 1 else 0)
            if rows * (size * LETTER_HEIGHT_PX + _GAP) <= height and least <= room:
                return _Columns(columns, rows, size, score_width, marks)
    # Nothing is smaller: twenty seats with the longest scores have room on the smallest panel.
    raise AssertionError(f"no room for {view.seats} seats on {width}x{height} pixels")


def _score(view: View, seat: int) -> str:
    return str(max(view.scores[seat - 1], _LOWEST))


def _draw_seat(
    image: Image.Image,
    view: View,
    seat: int,
    called: tuple[str, ...],
    cell: tuple[int, int, int, int],
    stand: _Columns,
) -> None:
    """A seat in its cell: left, top, width and height."""
    left, top, width, height = cell
    letters, high = stand.letters, stand.letters * LETTER_HEIGHT_PX
    middle = top + height // 2
    up = middle - high // 2
    lit = seat == view.claimed or (view.outcome is not None and seat in view.outcome.winners)
    if lit:
        draw_box(image, left, up - 1, width, high + 2, filled=True)
    level = DARK if lit else (_DIM if seat in view.away else LIT)
    if stand.marks:
        _draw_mark(image, view, seat, left + 1, middle, level)
    score = _score(view, seat)
    margin = _GAP // 2
    end = left + width - margin
    draw_text(image, end - width_px(score, letters), up, score, letters, level)
    start = left + margin + stand.marks
    block = _seat_name(called, end - stand.score_width - _GAP - start, letters)
    draw_block(image, start, up, block.width_px, high, block, level)


def _seat_name(called: tuple[str, ...], room: int, letters: Size) -> Block:
    """The first of the names that has room in letters no smaller than half."""
    high = letters * LETTER_HEIGHT_PX
    for name in called:
        block = fitted(name, room, high, largest=letters, narrow=True)
        if block.whole and not block.broken and len(block.lines) == 1 and 2 * block.size >= letters:
            break
    return block


def _draw_mark(image: Image.Image, view: View, seat: int, left: int, middle: int, level: int) -> None:
    if seat in view.away:
        draw_box(image, left, middle, 5, 1, filled=True, level=level)
    elif seat in view.agreed:
        draw_disc(image, left + 2, middle, 2, level)
    elif seat == view.locked:
        for step in range(5):
            image.putpixel((left + step, middle - 2 + step), level)
            image.putpixel((left + 4 - step, middle - 2 + step), level)


def _seats(view: View) -> range:
    return range(1, view.seats + 1)


def _next_dealer(view: View) -> int:
    """Who may deal: the next clockwise who sits there."""
    around = [seat % view.seats + 1 for seat in range(view.dealer, view.dealer + view.seats)]
    return next((seat for seat in around if seat not in view.away), around[0])
