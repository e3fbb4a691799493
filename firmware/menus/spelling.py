"""Spelling a name with two buttons: groups of letters, then a letter. What the entries are, and what text
comes of each.

A letter out of an alphabet of fifty in one row would take some twenty presses; a group and then a letter of
it take six or so.
"""

from typing import Final

from firmware.config.sections import Place
from firmware.menus.entries import Back, Deed, Entry, Letters, Open, Set, Spelling, Spelt, as_written, words

LONGEST: Final = 16
"""Letters of a name, as the configuration has it (`firmware.config.sections.Name`)."""
GROUPS: Final = ("ABCDEF", "GHIJKL", "MNOPQR", "STUVWX", "YZ-'.", "ÉÈÊËÇŒ", "ÀÂÄÎÏÆ", "ÔÖÙÛÜŸ")
"""The letters; the last groups are the accents of French, which a game in English needs seldom."""
_PLAIN_GROUPS: Final = 5
"""So many groups come before `done`: with a name of plain letters it is near."""
_AFTER: Final = " -'."
"""After these a capital begins; all other letters are small ones."""
_DONE: Final = _PLAIN_GROUPS
_DELETE: Final = _DONE + 2


def spelling_entries(page: Spelling) -> tuple[Entry, ...]:
    """Groups of letters, done, space, delete, groups of accents, back."""
    place, text = page.place, page.text
    groups = [
        Entry(as_written(" ".join(letters)), Open(Letters(place, text, number)))
        for number, letters in enumerate(GROUPS)
    ]
    return (
        *groups[:_PLAIN_GROUPS],
        Entry(words("menu.spelling.done"), _named(place, text)),
        Entry(words("menu.spelling.space"), _spelt(text, " ")),
        Entry(words("menu.spelling.delete"), Spelt(text[:-1], _DELETE)),
        *groups[_PLAIN_GROUPS:],
        Entry(words("menu.back"), Back()),
    )


def letter_entries(page: Letters) -> tuple[Entry, ...]:
    """The letters of a group, back."""
    return (
        *(Entry(as_written(letter), _spelt(page.text, letter)) for letter in GROUPS[page.group]),
        Entry(words("menu.back"), Back()),
    )


def _named(place: Place, text: str) -> Deed:
    """The name as it was spelt; without letters there is none any more."""
    return Set({f"match.names.{place}": text.strip() or None}, leaves=True)


def _spelt(text: str, letter: str) -> Spelt:
    """The text with one more letter, if it may have that: a space only between letters, and nothing beyond
    the longest name."""
    begins = not text or text[-1] in _AFTER
    if letter == " " and (not text or text[-1] == " "):
        longer = text
    else:
        longer = text + (letter if begins else letter.lower())
    if len(longer) >= LONGEST:
        return Spelt(longer[:LONGEST], _DONE)
    return Spelt(longer, 0)
