"""A record as a row of a book and back. A row's checksum covers its number and its text: SQLite has
none of its own, and a flipped bit in a landing would be another score."""

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from firmware.keeping.errors import JournalError, UnreadableError
from firmware.keeping.form import Form

MOST_RECORDS: Final = 2**20
"""Rows that a match or a game can have: a thousand times those of the longest ever played."""
BODY_START: Final = b'{"record":"'
"""How the text of every record begins: its tag comes first."""

StoredT = TypeVar("StoredT")


class Row(NamedTuple):
    """A row of the table `records`. The values are whatever the file holds: they may be damaged."""

    id: int
    body: object
    """JSON in UTF-8."""
    crc: object

    @property
    def of(self) -> int:
        """The match or the game that it is of, from 1."""
        return self.id // MOST_RECORDS

    @property
    def number(self) -> int:
        """Its place there, from 1."""
        return self.id % MOST_RECORDS


def row_id(of: int, number: int) -> int:
    """The id of a row."""
    return of * MOST_RECORDS + number


def checksum(id_: int, body: bytes) -> int:
    """CRC-32 of a row's id and text."""
    return zlib.crc32(body, zlib.crc32(b"%d " % id_))


def is_sound(row: Row) -> bool:
    """Whether a row is as it was written."""
    return isinstance(row.body, bytes) and row.crc == checksum(row.id, row.body)


class Gap(NamedTuple):
    """A record that does not count: it cannot be read, is not there, or may not stand where it does."""

    number: int
    why: str
    other_version: bool = False
    """It is as it was written, and says nothing to this version."""


class Coder(Generic[StoredT]):
    """Records of one type as rows, and back."""

    def __init__(self, type_: Any, form: Form) -> None:
        """`type_`: the union of all records, each tagged by a field `record`."""
        self._decoder: msgspec.json.Decoder[StoredT] = msgspec.json.Decoder(type_)
        self._form = form

    def encoded(self, of: int, number: int, record: StoredT) -> Row:
        """The row of a record. JournalError if it could not be read again, which is a fault of whoever made
        the record: a time without its zone, a number that is none."""
        body = msgspec.json.encode(record, enc_hook=_plain)
        try:
            same = self._decoder.decode(body) == record
        except msgspec.ValidationError as error:
            raise JournalError(f"a record cannot be kept ({error}); report this fault: {record}") from error
        if not same:
            raise JournalError(
                f"a record cannot be kept, a number in it is none; report this fault: {record}"
            )
        if number >= MOST_RECORDS:
            raise JournalError(
                f"{self._form.of} {of} has {MOST_RECORDS} records and takes no more; begin a new one"
            )
        id_ = row_id(of, number)
        return Row(id_, body, checksum(id_, body))

    def decoded(self, row: Row) -> StoredT:
        """The record of a row. UnreadableError if it is damaged, or not of this version."""
        if not isinstance(row.body, bytes) or not is_sound(row):
            raise UnreadableError("it is damaged")
        try:
            return self._decoder.decode(row.body)
        except msgspec.MsgspecError as error:
            raise UnreadableError(f"this version does not know it ({error})") from error

    def entries(self, rows: Iterable[Row]) -> Iterator[tuple[int, StoredT | Gap]]:
        """The records of a match or a game whose rows, in order, are given, each with its number; a gap for
        each that cannot be read, and where rows are missing."""
        last = 0
        for row in rows:
            if row.number != last + 1:
                yield last + 1, Gap(last + 1, "it is missing")
            last = row.number
            try:
                yield last, self.decoded(row)
            except UnreadableError as error:
                yield last, Gap(last, str(error), is_sound(row))


def _plain(value: object) -> object:
    """Numbers of numpy's, which measuring brings along, as Python's own."""
    item = getattr(value, "item", None)
    if callable(item):
        plain: object = item()
        return plain
    raise JournalError(f"a record cannot be kept: it holds {value!r}; report this fault")
