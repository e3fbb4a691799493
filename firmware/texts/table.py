"""A language's table of texts: read from its file, checked whole, and filled in.

Nothing here knows what a text is about; which texts there must be is in `schema.py`.
"""

import difflib
import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from firmware.errors import FirmwareError
from firmware.rules import Seat, Setup, Side, side_of
from firmware.texts.schema import NUMBERS, required

Language = Literal["en", "fr"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

_FOLDER: Final = Path(__file__).parent
_SINGULAR: Final = "language.singular"


class TextsError(FirmwareError, ValueError):
    """A table of texts cannot be used; the message names the file, the key and what to do."""


@dataclass(frozen=True, slots=True)
class Texts:
    """One language's texts, and what the players are called in it."""

    language: str
    singular: frozenset[int]
    """The numbers that the language counts in the singular: 1 in English, 0 and 1 in French."""
    table: Mapping[str, str]
    """By dotted key; checked to hold every key of the schema with its placeholders."""

    def say(self, key: str, **values: str | int) -> str:
        """The text at `key`, with its placeholders filled. KeyError for a key that the schema does
        not have, or a placeholder without a value: mistakes of the caller."""
        return self.table[key].format_map(values)

    def count(self, key: str, n: int) -> str:
        """The form of the counted text at `key` for `n` >= 0, with the number filled in."""
        one, other = NUMBERS
        return self.say(f"{key}.{one if n in self.singular else other}", n=n)

    def side(self, side: Side) -> str:
        """What a side is called."""
        return self.table[f"names.{side}"]

    def seat(self, seat: Seat, setup: Setup) -> str:
        """What a player is called; in singles the side's name will do."""
        return self.table[f"names.{seat}"] if setup.doubles else self.side(side_of(seat))

    def named(self, names: Mapping[Side | Seat, str]) -> "Texts":
        """The same texts with players' names, by side (all that singles need) or seat. TextsError for
        a key that is neither, and for a blank name."""
        table = dict(self.table)
        for place, name in names.items():
            if f"names.{place}" not in table:
                raise TextsError(f"nobody plays at {place!r}; name A, B, A1, B1, A2 or B2")
            if not name.strip():
                raise TextsError(f"the name of {place} is blank; give it some letters")
            table[f"names.{place}"] = name.strip()
        return replace(self, table=MappingProxyType(table))


@cache
def load(language: Language) -> Texts:
    """The texts of a language. TextsError if there is none such, or its file cannot be used."""
    if language not in LANGUAGES:
        raise TextsError(f"no texts in {language!r}; choose from: {', '.join(LANGUAGES)}")
    path = _FOLDER / f"{language}.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TextsError(f"{path} cannot be read ({error}); install the program anew") from error
    return texts_from(text, language, str(path))


def texts_from(text: str, language: str, where: str) -> Texts:
    """The texts of a TOML file's content; `where` names the file in errors.

    TextsError for what is not TOML, a key that is unknown, missing or no text, and a text that is
    blank or has other placeholders than every language has there.
    """
    try:
        flat = dict(_flat(tomllib.loads(text)))
    except tomllib.TOMLDecodeError as error:
        raise TextsError(f"{where} is not TOML: {error}; correct that line") from error
    singular = _singular(flat.pop(_SINGULAR, None), where)
    wanted = required()
    # Unknown keys first: a misspelt key is not to be told as a missing one.
    for key in flat.keys() - wanted.keys():
        raise TextsError(f"{where}: {key} is not a known key{_near(key, wanted)}; rename or delete it")
    for key in wanted.keys() - flat.keys():
        raise TextsError(f"{where}: {key} is missing; add it with {_told(wanted[key])}")
    for key, value in flat.items():
        _check(key, value, wanted[key], where)
    return Texts(language, singular, MappingProxyType(flat))


def _flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            yield from _flat(value, key)
        else:
            yield key, value


def _singular(value: object, where: str) -> frozenset[int]:
    numbers = value if isinstance(value, list) else []
    if not numbers or not all(type(n) is int and n >= 0 for n in numbers):
        raise TextsError(
            f"{where}: {_SINGULAR} must list the numbers counted in the singular; write for example [1]"
        )
    return frozenset(numbers)


def _check(key: str, value: object, wanted: frozenset[str], where: str) -> None:
    if not isinstance(value, str) or not value.strip():
        raise TextsError(f"{where}: {key} must be a text; write a few words in quotes")
    try:
        parts = [part[1:] for part in string.Formatter().parse(value)]
    except ValueError as error:
        raise TextsError(f"{where}: {key}: {error}; write placeholders like {{n}}") from error
    for name, form, conversion in parts:
        if name is not None and (form or conversion):
            raise TextsError(f"{where}: {key}: write {{{name}}} without a format")
    found = {name for name, _, _ in parts if name is not None}
    if found != wanted:
        raise TextsError(f"{where}: {key} must have {_told(wanted)}, and has {_told(found)}")


def _told(names: frozenset[str] | set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "no placeholders"


def _near(key: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""
