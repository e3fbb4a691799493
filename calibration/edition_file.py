"""A TOML file read strictly: typed values, ranges, no unknown keys, and the line of every fault.

Knows TOML and numbers, not boards: which keys there are and what they mean is said in edition.py.
"""

import difflib
import math
import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NoReturn

from calibration.errors import EditionError
from calibration.polygons import Point

KeyPath = tuple[str | int, ...]
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
"""The keys of printed figures, by their points."""

_LARGEST_MM = 5000.0


class Source:
    """The text of one file, where its keys stand, and how its faults are told."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._lines = _lines_of_keys(text)

    def fail(self, path: KeyPath, reason: str) -> NoReturn:
        """Raise `EditionError` for the value at `path` (or the nearest table around it)."""
        at = path
        while at and at not in self._lines:
            at = at[:-1]
        line = self._lines.get(at, 1)
        raise EditionError(f"{self.name}, line {line}: {_written(path)}{reason}")


class Table:
    """One table of the file. A key that is not among `known` is refused before anything is read, so
    that a misspelt key is not reported as a missing one."""

    def __init__(self, source: Source, path: KeyPath, values: dict[str, Any], known: Collection[str]) -> None:
        self.source, self.path, self._values = source, path, values
        for key in values:
            if key not in known:
                allowed = ", ".join(known)
                self.fail(key, f"is not a known key{_nearest(key, known)}; allowed: {allowed}")

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._values

    def fail(self, key: str, reason: str) -> NoReturn:
        """Raise `EditionError` for one key of this table."""
        self.source.fail((*self.path, key), reason)

    def number(self, key: str, low: float = 0.0, high: float = _LARGEST_MM, *, above: bool = True) -> float:
        """A finite number in `low` (excluded when `above`) to `high`, mm unless said otherwise."""
        value = _number(self.source, (*self.path, key), self._required(key))
        if value > high or value < low or (above and value == low):
            bound = f"more than {low:g}" if above else f"at least {low:g}"
            self.fail(key, f"is {value:g}; it must be {bound} and at most {high:g}")
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value = self._required(key)
        if type(value) is not int or not low <= value <= high:
            self.fail(key, f"is {value!r}; it must be a whole number from {low} to {high}")
        return value

    def flag(self, key: str, otherwise: bool) -> bool:
        """true or false; `otherwise` when the key is not there."""
        if not self.has(key):
            return otherwise
        value = self._values[key]
        if type(value) is not bool:
            self.fail(key, f"is {value!r}; it must be true or false")
        return value

    def text(self, key: str, allowed: Iterable[str] = ()) -> str:
        """A text of 1 to 64 characters; one of `allowed` if any are given."""
        value = self._required(key)
        choices = tuple(allowed)
        if not isinstance(value, str) or not 1 <= len(value) <= 64:
            self.fail(key, f"is {value!r}; it must be a text of 1 to 64 characters")
        if choices and value not in choices:
            self.fail(key, f"is {value!r}; allowed: {', '.join(choices)}{_nearest(value, choices)}")
        return value

    def pair(self, key: str, *, positive: bool = False) -> Point:
        """Two numbers."""
        value = _point(self.source, (*self.path, key), self._required(key))
        if positive and min(value) <= 0.0:
            self.fail(key, f"is {list(value)}; both lengths must be more than 0")
        return value

    def points(self, key: str, fewest: int) -> tuple[Point, ...]:
        """A list of at least `fewest` points [x, y]."""
        return _points(self.source, (*self.path, key), self._required(key), fewest)

    def lists_of_points(self, key: str, fewest: int) -> tuple[tuple[Point, ...], ...]:
        """A list of lists of points; empty when the key is not there."""
        if not self.has(key):
            return ()
        value, path = self._values[key], (*self.path, key)
        if not isinstance(value, list):
            self.fail(key, "must be a list of lists of points [x, y]")
        return tuple(_points(self.source, (*path, i), each, fewest) for i, each in enumerate(value))

    def table(self, key: str, known: Collection[str]) -> "Table":
        """A table below this one."""
        value = self._required(key)
        if not isinstance(value, dict):
            self.fail(key, f"is {value!r}; it must be a table")
        return Table(self.source, (*self.path, key), value, known)

    def tables(self, key: str, known: Collection[str]) -> tuple["Table", ...]:
        """An array of tables, [[key]]; empty when there is none."""
        if not self.has(key):
            return ()
        value = self._values[key]
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.fail(key, f"must be an array of tables, each under a line [[{key}]]")
        return tuple(Table(self.source, (*self.path, key, i), each, known) for i, each in enumerate(value))

    def _required(self, key: str) -> Any:
        if not self.has(key):
            self.source.fail(self.path, f"has no key {key!r}; add it")
        return self._values[key]


def read_table(path: Path, known: Collection[str]) -> Table:
    """The top table of a TOML file; `EditionError` when it cannot be read or is not TOML."""
    try:
        text = path.read_bytes().decode("utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        reason = error.strerror or str(error)
        raise EditionError(f"{path}: cannot be read ({reason}); check the path") from error
    except UnicodeDecodeError as error:
        raise EditionError(f"{path}: is not a text in UTF-8; give a board file") from error
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"{path}: is not valid TOML: {error}; correct it there") from error
    return Table(Source(str(path), text), (), values, known)


def _number(source: Source, path: KeyPath, value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        source.fail(path, f"is {value!r}; it must be a number")
    return float(value)


def _point(source: Source, path: KeyPath, value: Any) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        source.fail(path, f"is {value!r}; it must be two numbers, [x, y]")
    x, y = (_number(source, (*path, i), each) for i, each in enumerate(value))
    if max(abs(x), abs(y)) > _LARGEST_MM:
        source.fail(path, f"is {value!r}; it must lie within {_LARGEST_MM:g} mm of the net's middle")
    return x, y


def _points(source: Source, path: KeyPath, value: Any, fewest: int) -> tuple[Point, ...]:
    if not isinstance(value, list) or len(value) < fewest:
        source.fail(path, f"must be a list of at least {fewest} points [x, y]")
    return tuple(_point(source, (*path, i), each) for i, each in enumerate(value))


def _nearest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _written(path: KeyPath) -> str:
    """A path as a person counts: zone 2, polygon, point 3. Ends in a blank."""
    words = ""
    for part in path:
        if isinstance(part, int):
            words += f"[{part + 1}]"
        else:
            words += f".{part}" if words else part
    return f"{words or 'the file'} "


def _lines_of_keys(text: str) -> dict[KeyPath, int]:
    """The line, from 1, of every key, table and element of a list in a valid TOML text."""
    scan = _Scan(text)
    scan.run()
    return scan.lines


class _Scan:
    """One pass over a TOML text that is known to be valid: tomllib gives values but no lines."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1
        self.lines: dict[KeyPath, int] = {}
        self._counts: dict[KeyPath, int] = {}
        self._table: KeyPath = ()

    def run(self) -> None:
        """Fill `lines`."""
        while self._skip_blank():
            if self.text[self.at] == "[":
                self._header()
            else:
                path = (*self._table, *self._keys("="))
                self._note(path)
                self._value(path)

    def _note(self, path: KeyPath) -> None:
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], self.line)

    def _step(self, count: int = 1) -> None:
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def _skip_blank(self) -> bool:
        """Move to the next significant character; False at the end."""
        while self.at < len(self.text):
            if self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self._step((end if end >= 0 else len(self.text)) - self.at)
            elif self.text[self.at].isspace():
                self._step()
            else:
                return True
        return False

    def _header(self) -> None:
        many = self.text.startswith("[[", self.at)
        self._step(2 if many else 1)
        path: KeyPath = ()
        keys = self._keys("]")
        for depth, key in enumerate(keys):
            path = (*path, key)
            if many and depth == len(keys) - 1:
                self._counts[path] = self._counts.get(path, -1) + 1
            if path in self._counts:
                self.lines.setdefault(path, self.line)
                path = (*path, self._counts[path])
        self._note(path)
        self._table = path
        if many:
            self._step()

    def _keys(self, end: str) -> list[str]:
        """The parts of a dotted key up to and over the character `end`."""
        parts = [""]
        while self.text[self.at] != end:
            character = self.text[self.at]
            if character in "\"'":
                start = self.at
                self._string()
                parts[-1] += self.text[start + 1 : self.at - 1]
                continue
            if character == ".":
                parts.append("")
            elif not character.isspace():
                parts[-1] += character
            self._step()
        self._step()
        return parts

    def _string(self) -> None:
        quote = self.text[self.at]
        mark = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        self._step(len(mark))
        while not self.text.startswith(mark, self.at):
            self._step(2 if quote == '"' and self.text[self.at] == "\\" else 1)
        self._step(len(mark))
        # A multi-line string may end in up to two quotes of its own.
        while len(mark) == 3 and self.text.startswith(quote, self.at):
            self._step()

    def _value(self, path: KeyPath) -> None:
        self._skip_blank()
        character = self.text[self.at]
        if character in "\"'":
            self._string()
        elif character in "[{":
            self._collection(path, "]" if character == "[" else "}")
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]}#\n":
                self._step()

    def _collection(self, path: KeyPath, end: str) -> None:
        self._step()
        index = 0
        while self._skip_blank() and self.text[self.at] != end:
            if self.text[self.at] == ",":
                self._step()
                continue
            inner = (*path, index) if end == "]" else (*path, *self._keys("="))
            self._note(inner)
            self._value(inner)
            index += 1
        self._step()
