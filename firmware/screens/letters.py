"""The panels' letters: the pixel font, read from its data file, and which letters of it stand for a text.

Characters and rows of pixels only: nothing is drawn, so that who only asks what can be shown loads none.
"""

import unicodedata
from functools import cache
from importlib import resources
from typing import Final

Bitmap = tuple[tuple[bool, ...], ...]

LETTER_HEIGHT_PX = 7
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_QUOTES: Final = {ord("\u2018"): "'", ord("\u2019"): "'", ord("\u201c"): '"', ord("\u201d"): '"'}
_PLAIN: Final = {
    **{"Ł": "L", "Ø": "O", "Đ": "D", "Ð": "D", "Ħ": "H", "Ŧ": "T", "Ŋ": "N", "ĸ": "K", "Þ": "TH", "ẞ": "SS"},
    **dict.fromkeys("\u02b9\u02bb\u02bc", "'"),
    **{"Ə": "E", "Ɛ": "E", "Ɔ": "O", "Ɓ": "B", "Ɗ": "D", "Ɖ": "D", "Ƒ": "F", "Ƙ": "K", "Ƴ": "Y", "Ƶ": "Z"},
}
"""Latin capitals that Unicode takes for letters of their own, with no plain one in them, as they are written
where there is none of them: of northern and western Europe, Poland, Vietnam, Azerbaijan and West Africa; and
letters that look like an apostrophe, of Hawaii and elsewhere."""
_NO_BREAK, _NARROW_NO_BREAK = "\u00a0", "\u202f"
_NAMED: Final = {"SPACE": " ", "NO-BREAK": _NO_BREAK}
_NONE: Final = "?"
"""Stands for what has no letter."""


@cache
def glyphs() -> dict[str, Bitmap]:
    """The drawn letters by character, each seven rows of lit (True) and dark pixels."""
    text = resources.files(__package__).joinpath("fonts/court.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(";")]
    drawn: dict[str, Bitmap] = {}
    stride = 1 + LETTER_HEIGHT_PX
    for first in range(0, len(lines), stride):
        names = lines[first].split()[1:]
        rows = [line.split() for line in lines[first + 1 : first + stride]]
        for name, *columns in zip(names, *rows, strict=True):
            pixels = tuple(tuple(pixel == "#" for pixel in row) for row in columns)
            drawn[_NAMED.get(name, name)] = pixels
    # French has it before "!" and "?": the gap that follows each letter, twice, is as narrow as it gets.
    drawn[_NARROW_NO_BREAK] = ((),) * LETTER_HEIGHT_PX
    return drawn


def printable(text: str) -> str:
    """`text` in the letters the font has: capitals, without the accents and strokes it lacks; "?" for any
    other."""
    return "".join(map(_known, _capitals(text)))


def undrawn(text: str) -> str:
    """The characters of `text` that have no letter, each once, as they are written in it."""
    chars = unicodedata.normalize("NFC", text)
    none = (char for char in chars if char not in _NONE and _NONE in printable(char))
    return "".join(dict.fromkeys(none))


def _capitals(text: str) -> str:
    return unicodedata.normalize("NFC", text.translate(_DASHES | _QUOTES)).upper()


def _known(char: str) -> str:
    """The letters that stand for one character; none for a mark that belongs to no letter."""
    if char in glyphs():
        return char
    plain = unicodedata.normalize("NFKD", char).upper()
    return "".join(_drawn(part) for part in plain if not unicodedata.combining(part))


def _drawn(part: str) -> str:
    """The letters for a character that has no parts."""
    if part in glyphs():
        return part
    return " " if part.isspace() else _PLAIN.get(part, _NONE)
