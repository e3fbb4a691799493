"""The journal: every match as it was played, on disk before anything of it is shown.

`Journal` is the one that writes, `JournalReader` looks on, also while another program writes. Neither has
a clock: times come with the records. Called from one thread.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from firmware.journal.coding import CODER
from firmware.journal.reading import Kept, Summary, kept_of
from firmware.journal.records import CutBack, Later, MatchBegan, Record, Stored
from firmware.journal.schema import form
from firmware.keeping.errors import JournalError, telling
from firmware.keeping.files import Lock
from firmware.keeping.opening import LARGEST_ID, latest_in, rows_of, to_read, to_write, write_rows
from firmware.keeping.rows import Row

_ANOTHER: Final = "begin another match, by the menu or with --new-match"


class _Tail(NamedTuple):
    """Where a match goes on: after its last row, and after which readable one if something is at fault."""

    last: int
    last_kept: int = 0
    fault: str | None = None


class JournalReader:
    """Looks at a journal. `warnings` are sentences for people on what was wrong with it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, warnings: list[str]) -> None:
        """Use `open`."""
        self._path = path
        self._connection = connection
        self.warnings = warnings

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The journal in a folder, to look at. JournalError if there is none, or a newer program's.

        Nothing is changed: what is readable of a damaged file is shown, and the file left as it is.
        """
        opened = to_read(directory, form())
        return cls(opened.path, opened.connection, opened.warnings)

    def matches(self, latest: int | None = None) -> tuple[Summary, ...]:
        """The `latest` so many matches, or every one, in the order in which they were begun. Each is
        counted anew, which takes a small computer a tenth of a second a match."""
        with telling(self._path):
            first = 0 if latest is None else max(0, self._latest() - latest + 1)
            matches = groupby(self._rows(first, LARGEST_ID), lambda row: row.of)
            kept = [self._told(match, kept_of(match, rows)) for match, rows in matches]
        return tuple(each.summary for each in kept if each is not None)

    def records(self, match: int) -> tuple[Record, ...]:
        """What was kept of a match, its beginning first: all of it, or up to what cannot be read, and a
        warning then. JournalError if there is no such match."""
        return self._kept(match).records

    def summary(self, match: int) -> Summary:
        """A match as `matches` lists it. Warnings and errors as of `records`."""
        return self._kept(match).summary

    def going_on(self) -> Summary | None:
        """The match to go on with: the latest, unless it was left. One that is over goes on until another is
        begun: its last call can be disputed. A match that was begun after another has ended that.

        JournalError of kind "other-version" for a match that only the version can go on with that kept it,
        and "unreadable" for one whose beginning is damaged: it stays as it is, beside the next.
        """
        with telling(self._path):
            latest = self._latest()
        if latest == 0:
            return None
        with telling(self._path):
            kept = self._told(latest, kept_of(latest, self._rows(latest, latest)))
        if kept is None:
            raise JournalError(
                f"match {latest} cannot be read: its beginning is damaged; {_ANOTHER}", "unreadable"
            )
        if kept.summary.ending == "left":
            return None
        if kept.other_version:
            raise JournalError(
                f"{kept.fault} Another version kept it: use that one, or {_ANOTHER}", "other-version"
            )
        return kept.summary

    def close(self) -> None:
        """Give up the file. Closing twice is safe."""
        with telling(self._path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _kept(self, match: int) -> Kept:
        rows: list[Row] = []
        if 0 < match <= LARGEST_ID:
            with telling(self._path):
                rows = list(self._rows(match, match))
        if not rows:
            raise JournalError(f"there is no match {match} in {self._path}; `setmatch matches` lists them")
        kept = self._told(match, kept_of(match, rows))
        if kept is None:
            raise JournalError(f"match {match} cannot be read: its beginning is damaged")
        return kept

    def _rows(self, first: int, last: int) -> Iterator[Row]:
        """The rows of some matches, in order."""
        return rows_of(self._connection, first, last)

    def _latest(self) -> int:
        """The id of the match that was begun last; 0 if there is none."""
        return latest_in(self._connection)

    def _told(self, match: int, kept: Kept | None) -> Kept | None:
        """`kept`, with a warning if it is not all."""
        fault = f"Match {match} cannot be read: its beginning is damaged." if kept is None else kept.fault
        if fault is not None and fault not in self.warnings:
            self.warnings.append(fault)
        return kept


class Journal(JournalReader):
    """Keeps matches. What `begin` and `append` have returned from survives the loss of power."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, warnings: list[str], lock: Lock, *, mended: bool
    ) -> None:
        """Use `open`."""
        super().__init__(path, connection, warnings)
        self.mended = mended
        """Whether something was damaged, so that what was kept before may be missing. A last record that was
        cut off while it was written is no damage: it had not been shown."""
        self._lock = lock
        self._tails: dict[int, _Tail] = {}

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The journal in a folder, to write; both are made if they are not there.

        A damaged file is moved aside, and what is readable of it kept. JournalError if another process
        has it, if a newer program wrote it, or if the folder cannot be written to.
        """
        opened = to_write(directory, form())
        assert opened.lock is not None
        return cls(opened.path, opened.connection, opened.warnings, opened.lock, mended=opened.mended)

    def begin(self, record: MatchBegan) -> int:
        """Keep the beginning of a match; the match's id. JournalError if it could not be kept; try again."""
        with telling(self._path):
            match = self._latest() + 1
            self._write(match, 1, [record])
        return match

    def append(self, match: int, record: Later) -> None:
        """Keep what happened in a match; it is on disk when this returns. JournalError if it could not be
        kept: it then is not there, and may be tried again as soon as there is room."""
        if match not in self._tails:
            self._kept(match)
        tail = self._tails[match]
        records: list[Stored] = [record]
        if tail.fault is not None:
            records.insert(0, CutBack(tail.last_kept, tail.fault, record.wall_time))
        with telling(self._path):
            self._write(match, tail.last + 1, records)

    def close(self) -> None:
        """Give up the file and the right to write it. Closing twice is safe."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _write(self, match: int, first: int, records: Sequence[Stored]) -> None:
        rows = [CODER.encoded(match, number, record) for number, record in enumerate(records, start=first)]
        write_rows(self._connection, rows)
        self._tails[match] = _Tail(rows[-1].number)

    def _told(self, match: int, kept: Kept | None) -> Kept | None:
        """What the reader tells; where the match goes on is remembered, and need not be read again."""
        if kept is not None:
            self._tails[match] = _Tail(kept.last, kept.last_kept, kept.fault)
        return super()._told(match, kept)
