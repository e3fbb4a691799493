"""Text in the panels' letters: measured, wrapped and drawn. Which letters there are is in `letters`.

Nothing in here knows a scoreboard. Letters are 1-bit: no outline fonts, so nothing is smoothed into
grey and thresholded, and the same pixels come out with every version of Pillow.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from PIL import Image

from firmware.screens.letters import LETTER_HEIGHT_PX, Bitmap, glyphs, printable
from firmware.screens.shapes import DARK, LIT, draw_box

Size = Literal[1, 2, 3, 4]
"""How many pixels a pixel of the drawn font becomes: letters are 7, 14, 21 or 28 pixels high."""
Cut = Literal["plain", "bold", "thin"]
"""How letters are enlarged: as drawn; or half as wide, for words that would have to be small otherwise.
Upright strokes of narrow letters are "thin", or "bold": a pixel more, where that closes no gap."""

_AFTER_HYPHEN = re.compile(r"(?<=[^\W\d_]-)(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Block:
    """Wrapped text: its lines, the size they are set in, and the extent in pixels."""

    lines: tuple[str, ...]
    size: Size
    width_px: int
    height_px: int
    whole: bool = True
    """False when the end of the text had to be left off."""
    cut: Cut = "plain"
    broken: bool = False
    """A word had to be cut into pieces."""

    @property
    def reach(self) -> int:
        """A number that is higher the farther away it can be read."""
        return len(_CUTS) - _CUTS.index((self.size, self.cut))


_CUTS: tuple[tuple[Size, Cut], ...] = (
    (4, "plain"),
    (3, "plain"),
    (4, "bold"),
    (4, "thin"),
    (2, "plain"),
    (2, "bold"),
    (2, "thin"),
    (1, "plain"),
)
"""From the one that is read from farthest to the smallest."""
_BREAKING: tuple[tuple[tuple[Size, Cut], ...], ...] = ((), ((2, "thin"), (1, "plain")))
"""In which letters words may be cut: in none; and where they have to be in the smallest."""


def width_px(text: str, size: Size = 1, cut: Cut = "plain") -> int:
    """Width of one line of `text` in pixels, without a gap after its last letter."""
    letters = printable(text)
    widths = (_letter_px(char, size, cut) for char in letters)
    return sum(widths) + _across(size, cut) * max(len(letters) - 1, 0)


def wrap(text: str, width: int, size: Size, cut: Cut = "plain") -> tuple[str, ...]:
    """`text` in lines of at most `width` pixels, which end at blanks and after hyphens; a word too long for
    one is cut into pieces."""
    lines: list[str] = []
    current = ""
    for word in _words(text):
        blank = " " if current else ""
        for part in _parts(word):
            for piece in _pieces(part, width, size, cut):
                joined = f"{current}{blank}{piece}"
                if width_px(joined, size, cut) <= width:
                    current = joined
                else:
                    lines.append(current)
                    current = piece
                blank = ""
    return (*lines, current) if current else tuple(lines)


def fitted(text: str, width: int, height: int, largest: Size = 3, *, narrow: bool = False) -> Block:
    """`text` wrapped at the largest size at which all of it fits `width` x `height` pixels.

    A size at which a word would have to be cut is passed over while at a smaller one none is; `narrow`
    letters come before small ones, if asked for. What does not fit at the smallest size ends in "...",
    so that it shows.
    """
    parts = [part for word in _words(text) for part in _parts(word)]
    broken = any(width_px(part) > width for part in parts)
    for size, cut in _CUTS:
        if size > largest or (cut != "plain" and not narrow):
            continue
        longest = max((width_px(part, size, cut) for part in parts), default=0)
        if longest > width and (size, cut) not in _BREAKING[broken]:
            continue
        block = _block(wrap(text, width, size, cut), size, cut)
        if block.height_px <= height:
            return replace(block, broken=longest > width)
    lines = wrap(text, width, 1)
    shown = _shortened(lines, width, height)
    return replace(_block(shown, 1), whole=shown == lines, broken=broken)


def of_a_pair(
    pair: tuple[object, object],
    index: int,
    width: int,
    height: int,
    largest: Size = 3,
    *,
    narrow: bool = False,
) -> Block:
    """One of two numbers that stand for both sides, in letters in which the other has room, too."""
    blocks = [fitted(str(value), width, height, largest, narrow=narrow) for value in pair]
    widest = min(blocks, key=lambda block: block.reach)
    return _block((printable(str(pair[index])),), widest.size, widest.cut)


def draw_text(
    image: Image.Image,
    left: int,
    top: int,
    text: str,
    size: Size = 1,
    level: int = LIT,
    cut: Cut = "plain",
) -> None:
    """Draw one line of `text` in grey `level`, its corner at (`left`, `top`) pixels."""
    at = left
    for char in printable(text):
        mask = _mask(char, size, cut)
        if mask.width:
            image.paste(level, (at, top, at + mask.width, top + mask.height), mask)
        at += mask.width + _across(size, cut)


def draw_block(
    image: Image.Image, left: int, top: int, width: int, height: int, block: Block, level: int = LIT
) -> None:
    """Draw `block` in grey `level` in the middle of a field of `width` x `height` pixels."""
    size, cut = block.size, block.cut
    step = size * LETTER_HEIGHT_PX + _gap_px(size)
    at = top + (height - block.height_px) // 2
    for line in block.lines:
        draw_text(image, left + (width - width_px(line, size, cut)) // 2, at, line, size, level, cut)
        at += step


def draw_badge(
    image: Image.Image,
    lines: tuple[str, ...],
    left: int,
    width: int,
    top: int,
    size: Size = 1,
    cut: Cut = "plain",
) -> None:
    """Draw lines of text dark on a lit field, in the middle of `width` pixels."""
    longest = max(width_px(line, size, cut) for line in lines)
    start, step = left + (width - longest) // 2, size * LETTER_HEIGHT_PX + 2
    draw_box(image, start - 3, top, longest + 6, len(lines) * step + 1, filled=True)
    for number, line in enumerate(lines):
        at = start + (longest - width_px(line, size, cut)) // 2
        draw_text(image, at, top + 1 + number * step, line, size, DARK, cut)


def _words(text: str) -> list[str]:
    """What lines are made of: parted by blanks, not by those at which no line may end."""
    return [word for word in printable(text).split(" ") if word]


def _parts(word: str) -> list[str]:
    """A word, parted after the hyphens between its letters: there a line may end."""
    return _AFTER_HYPHEN.split(word)


def _gap_px(size: Size) -> int:
    """Dark rows between lines; small letters need as many as large ones to be told apart."""
    return max(size, 2)


def _across(size: Size, cut: Cut) -> int:
    """How many pixels wide a pixel of the drawn font becomes; so wide is the gap between letters, too."""
    return size if cut == "plain" else max(size // 2, 1)


def _letter_px(char: str, size: Size, cut: Cut) -> int:
    drawn = len(glyphs()[char][0])
    return _across(size, cut) * (drawn + (1 if cut == "bold" and drawn else 0))


def _pieces(word: str, width: int, size: Size, cut: Cut) -> list[str]:
    """A word in pieces that have room, with a hyphen between letters that were parted."""
    pieces = []
    while len(word) > 1 and width_px(word, size, cut) > width:
        # Three letters are left for the next line, if there are as many.
        most = max(len(word) - 3, 1)
        ends = range(most, 0, -1)
        end = next((n for n in ends if width_px(f"{word[:n]}-", size, cut) <= width), 0)
        if end and word[end - 1].isalpha() and word[end].isalpha():
            pieces.append(f"{word[:end]}-")
        else:
            end = next((n for n in ends if width_px(word[:n], size, cut) <= width), 1)
            pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _block(lines: tuple[str, ...], size: Size, cut: Cut = "plain") -> Block:
    gap = _gap_px(size)
    height = len(lines) * (size * LETTER_HEIGHT_PX + gap) - gap if lines else 0
    width = max((width_px(line, size, cut) for line in lines), default=0)
    return Block(lines, size, width, height, cut=cut)


def _shortened(lines: tuple[str, ...], width: int, height: int) -> tuple[str, ...]:
    room = max((height + _gap_px(1)) // (LETTER_HEIGHT_PX + _gap_px(1)), 1)
    if len(lines) <= room:
        return lines
    last = lines[room - 1]
    while last and width_px(f"{last}...") > width:
        last = last[:-1].rstrip()
    return (*lines[: room - 1], f"{last}...")


@lru_cache(maxsize=1024)
def _mask(char: str, size: Size, cut: Cut) -> Image.Image:
    bitmap = _bolder(glyphs()[char]) if cut == "bold" else glyphs()[char]
    across = _across(size, cut)
    mask = Image.new("1", (len(bitmap[0]) * across, len(bitmap) * size))
    for row, pixels in enumerate(bitmap):
        for column, lit in enumerate(pixels):
            left, top = column * across, row * size
            if lit:
                mask.paste(LIT, (left, top, left + across, top + size))
            elif size > 1 and cut == "plain":
                for x, y in _filled_corners(bitmap, row, column):
                    mask.putpixel((left + x * (size - 1), top + y * (size - 1)), LIT)
    return mask


def _bolder(bitmap: Bitmap) -> Bitmap:
    """Every stroke a pixel wider to its right, but for those whose gap to the next is one pixel wide."""
    wider = []
    for pixels in bitmap:
        padded = (*pixels, False, False) if pixels else ()
        wider.append(
            tuple(
                padded[x] or (x > 0 and padded[x - 1] and not padded[x + 1]) for x in range(len(padded) - 1)
            )
        )
    return tuple(wider)


def _filled_corners(bitmap: Bitmap, row: int, column: int) -> Iterator[tuple[int, int]]:
    """The corners (x, y in 0..1) of a dark pixel that lie in the step of a diagonal stroke.

    Enlarged pixels of a diagonal touch at their corners only; lighting the corners beside it makes
    the stroke as wide as a straight one. Square corners stay square: they tell D from O, B from 8.
    """

    def lit(dy: int, dx: int) -> bool:
        y, x = row + dy, column + dx
        return 0 <= y < len(bitmap) and 0 <= x < len(bitmap[0]) and bitmap[y][x]

    for y, x in itertools.product((0, 1), repeat=2):
        dy, dx = 2 * y - 1, 2 * x - 1
        if lit(dy, 0) and lit(0, dx) and not lit(dy, dx):
            yield x, y
