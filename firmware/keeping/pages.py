"""The bytes of a book's files, without SQLite: whether they are as SQLite leaves them, and every
readable row in them, wherever it lies and whatever became of the pages around it.

The format is that of https://sqlite.org/fileformat2.html. Bytes in, values out; no file is opened here.
"""

import struct
from collections.abc import Iterator
from typing import Final

from firmware.keeping.rows import BODY_START, Row, is_sound

PAGE_SIZE: Final = 4096
_HEADER: Final = b"SQLite format 3\x00" + PAGE_SIZE.to_bytes(2, "big") + bytes([2, 2, 0, 64, 32, 32])
"""How a database begins in WAL mode, with pages of that size (file format, 1.3)."""
_LEAF_LOCAL: Final = PAGE_SIZE - 35
"""A longer payload of a table's leaf goes on in overflow pages (file format, 1.5)."""
_LEAST_LOCAL: Final = (PAGE_SIZE - 12) * 32 // 255 - 23
_WAL_HEADER: Final = struct.Struct(">8I")
_FRAME_HEADER: Final = struct.Struct(">6I")
_FRAME_SIZE: Final = _FRAME_HEADER.size + PAGE_SIZE
_WAL_MAGIC: Final = 0x377F0682
"""The lowest bit says whether the checksums' words are big-endian (file format, 4.1)."""
_MOST_WRITINGS: Final = 2**16
"""So many times a log is begun again before all of what is left in it is written over."""
CUT_OFF: Final = "power went, or its program was killed, in the middle of a write"
"""The fault where the last transaction alone cannot be read: nobody had been told of it, unless damage has
hit just that."""
_MOST_IN_ONE: Final = 8
"""Frames of one transaction: a record and those of the tables above it."""
_INTEGER_SIZES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer by its serial type (file format, 2.1)."""
_LONGEST_VARINT: Final = 9


def fault_of_header(data: bytes) -> str | None:
    """Why the first bytes of a database are not as a journal's are; None if they are."""
    return None if data.startswith(_HEADER) else "its header is damaged"


def fault_of_log(wal: bytes) -> str | None:
    """Why SQLite would pass over something that was committed to a write-ahead log; None if it would not.

    SQLite takes a log up to the first frame whose checksum fails, without a word. What follows may be
    left from before, with the salts of a former writing; but a commit of this writing, or what is of no
    writing, has been cut off: by damage, or by power that went before it was on disk.
    """
    if not wal:
        return None
    if len(wal) < _WAL_HEADER.size:
        return "its log is cut short"
    magic, _, page_size, _, *salts, sum_1, sum_2 = _WAL_HEADER.unpack_from(wal)
    words = ">" if magic & 1 else "<"
    sums = _wal_sums(wal[:24], words, (0, 0))
    if magic & ~1 != _WAL_MAGIC or page_size != PAGE_SIZE or sums != (sum_1, sum_2):
        return "its log's header is damaged"
    whole, fault = True, None
    bad = commits = 0
    # A frame of which there is only the header was being written by a program that was killed.
    for at in range(_WAL_HEADER.size, len(wal) - _FRAME_HEADER.size, _FRAME_SIZE):
        _, pages, salt_1, salt_2, sum_1, sum_2 = _FRAME_HEADER.unpack_from(wal, at)
        if whole and at + _FRAME_SIZE <= len(wal):
            sums = _wal_sums(wal[at : at + 8], words, sums)
            sums = _wal_sums(wal[at + _FRAME_HEADER.size : at + _FRAME_SIZE], words, sums)
            whole = [salt_1, salt_2] == salts and sums == (sum_1, sum_2)
        else:
            whole = False
        # The first salt grows by one each time that the log is begun again, the second is random.
        this = salt_1 == salts[0] or salt_2 == salts[1]
        former = 0 < (salts[0] - salt_1) % 2**32 < _MOST_WRITINGS
        if not whole and (this or not former):
            bad, commits = bad + 1, commits + (this and pages > 0)
            if pages or not this:
                fault = CUT_OFF if bad <= _MOST_IN_ONE and commits <= 1 else "the end of its log is damaged"
    return fault


def rows_in(database: bytes, wal: bytes) -> dict[int, Row]:
    """Every row that is readable in a journal's two files, by its id, in order of the ids.

    A row is found by how its text begins and proved by its checksum, so no page has to be sound but
    where the row itself lies. What is in the log is newer, and wins.
    """
    frames = [
        (int.from_bytes(wal[at : at + 4], "big"), wal[at + _FRAME_HEADER.size : at + _FRAME_SIZE])
        for at in range(_WAL_HEADER.size, len(wal), _FRAME_SIZE)
    ]
    found: dict[int, Row] = {}
    for start in range(0, len(database), PAGE_SIZE):
        found |= _rows_of_page(database[start : start + PAGE_SIZE], database, frames)
    for _, page in frames:
        found |= _rows_of_page(page, database, frames)
    return dict(sorted(found.items()))


_Frames = list[tuple[int, bytes]]


def _rows_of_page(page: bytes, database: bytes, frames: _Frames) -> dict[int, Row]:
    found = {}
    at = page.find(BODY_START)
    while at >= 0:
        for row in _candidates(page, at, database, frames):
            if is_sound(row):
                found[row.id] = row
        at = page.find(BODY_START, at + 1)
    return found


def _candidates(page: bytes, at: int, database: bytes, frames: _Frames) -> Iterator[Row]:
    """The rows that may have their text at `at`: before it lie the payload's size, the rowid, the
    header's size and the serial types of id (NULL: it is the rowid), text and checksum."""
    for width in range(1, _LONGEST_VARINT + 1):
        types_at = at - 1 - width
        if types_at < 3 or page[types_at - 1] != 0 or page[types_at - 2] != width + 3:
            continue
        serial, end = _varint(page, types_at)
        crc_type = page[at - 1]
        if end != at - 1 or serial < 13 or serial % 2 == 0 or crc_type not in _INTEGER_SIZES:
            continue
        size = (serial - 13) // 2
        payload = _payload(page, at, width + 3, size + _INTEGER_SIZES[crc_type], database, frames)
        crc = int.from_bytes(payload[size:], "big", signed=True)
        for rowid_width in range(1, _LONGEST_VARINT + 1):
            rowid_at = types_at - 2 - rowid_width
            if rowid_at >= 0:
                rowid, end = _varint(page, rowid_at)
                if end == types_at - 2:
                    yield Row(rowid, payload[:size], crc)


def _payload(page: bytes, at: int, before: int, size: int, database: bytes, frames: _Frames) -> bytes:
    """`size` bytes of a payload from `at`, where `before` bytes of it lie before; as many as there are."""
    total = before + size
    if total <= _LEAF_LOCAL:
        return page[at : at + size]
    local = _LEAST_LOCAL + (total - _LEAST_LOCAL) % (PAGE_SIZE - 4)
    if local > _LEAF_LOCAL:
        local = _LEAST_LOCAL
    end = at + local - before
    data, following = page[at:end], int.from_bytes(page[end : end + 4], "big")
    # A damaged chain may be a ring: it is followed no farther than the payload is long.
    while len(data) < size and following:
        start = (following - 1) * PAGE_SIZE
        stored = database[start : start + PAGE_SIZE]
        overflow = next((copy for number, copy in reversed(frames) if number == following), stored)
        if len(overflow) < PAGE_SIZE:
            break
        following = int.from_bytes(overflow[:4], "big")
        data += overflow[4:]
    return data[:size]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length integer, and where it ends (file format, 1.6)."""
    value = 0
    for index in range(at, min(at + _LONGEST_VARINT, len(data))):
        if index == at + _LONGEST_VARINT - 1:
            return value << 8 | data[index], index + 1
        value = value << 7 | data[index] & 0x7F
        if data[index] < 0x80:
            return value, index + 1
    return value, len(data) + 1


def _wal_sums(data: bytes, words: str, sums: tuple[int, int]) -> tuple[int, int]:
    """The checksum of a log, continued over `data` (file format, 4.2)."""
    first, second = sums
    numbers = struct.unpack(f"{words}{len(data) // 4}I", data)
    for a, b in zip(numbers[::2], numbers[1::2], strict=True):
        first = (first + a + second) & 0xFFFFFFFF
        second = (second + b + first) & 0xFFFFFFFF
    return first, second
