"""A record as a row of the journal and back. A row's checksum covers its number and its text: SQLite has
none of its own, and a flipped bit in a landing would be another score."""

import zlib
from typing import Final, NamedTuple

import msgspec

from firmware.journal.errors import JournalError, UnreadableError
from firmware.journal.records import Stored

MOST_RECORDS: Final = 2**20
"""Rows that a match can have: a thousand times those of the longest ever played."""
BODY_START: Final = b'{"record":"'
"""How the text of every record begins: its tag comes first."""

_DECODER: Final = msgspec.json.Decoder(Stored)


class Row(NamedTuple):
    """A row of the table `records`. The values are whatever the file holds: they may be damaged."""

    id: int
    body: object
    """JSON in UTF-8."""
    crc: object

    @property
    def match(self) -> int:
        """The match that it is of, from 1."""
        return self.id // MOST_RECORDS

    @property
    def number(self) -> int:
        """Its place in the match, from 1."""
        return self.id % MOST_RECORDS


def row_id(match: int, number: int) -> int:
    """The id of a row. JournalError if the match has as many as it can have."""
    if number >= MOST_RECORDS:
        raise JournalError(f"match {match} has {MOST_RECORDS} records and takes no more; begin a new one")
    return match * MOST_RECORDS + number


def checksum(id_: int, body: bytes) -> int:
    """CRC-32 of a row's id and text."""
    return zlib.crc32(body, zlib.crc32(b"%d " % id_))


def encoded(match: int, number: int, record: Stored) -> Row:
    """The row of a record. JournalError if it could not be read again, which is a fault of whoever made
    the record: a time without its zone, a number that is none."""
    body = msgspec.json.encode(record, enc_hook=_plain)
    try:
        same = _DECODER.decode(body) == record
    except msgspec.ValidationError as error:
        raise JournalError(f"a record cannot be kept ({error}); report this fault: {record}") from error
    if not same:
        raise JournalError(f"a record cannot be kept, a number in it is none; report this fault: {record}")
    id_ = row_id(match, number)
    return Row(id_, body, checksum(id_, body))


def is_sound(row: Row) -> bool:
    """Whether a row is as it was written."""
    return isinstance(row.body, bytes) and row.crc == checksum(row.id, row.body)


def decoded(row: Row) -> Stored:
    """The record of a row. UnreadableError if it is damaged, or not of this version."""
    if not isinstance(row.body, bytes) or not is_sound(row):
        raise UnreadableError("it is damaged")
    try:
        return _DECODER.decode(row.body)
    except msgspec.MsgspecError as error:
        raise UnreadableError(f"this version does not know it ({error})") from error


def _plain(value: object) -> object:
    """Numbers of numpy's, which measuring brings along, as Python's own."""
    item = getattr(value, "item", None)
    if callable(item):
        plain: object = item()
        return plain
    raise JournalError(f"a record cannot be kept: it holds {value!r}; report this fault")
