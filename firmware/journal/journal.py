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

from calibration.files import make_folder, sync
from firmware.journal.coding import MOST_RECORDS, Row, encoded
from firmware.journal.errors import DamagedError, JournalError, code_of, is_damage, telling
from firmware.journal.files import NAME, Lock, contents, has_writer, log_of
from firmware.journal.mending import finish_mending, mend, mended_of
from firmware.journal.pages import CUT_OFF, PAGE_SIZE, fault_of_header, fault_of_log, rows_in
from firmware.journal.reading import Kept, Summary, kept_of
from firmware.journal.records import CutBack, Later, MatchBegan, Record, Stored
from firmware.journal.schema import SCHEMA, create, insert, make_ready, transaction, version_of

_PATIENCE_S: Final = 5.0
"""So long SQLite waits for another connection's short lock."""
_PAGES_OF_LOG: Final = 250
"""A megabyte: SQLite then writes the log back, and the check of its frames on opening stays short."""
_CANNOT_WRITE: Final = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
)
_ANOTHER: Final = "begin another match, by the menu or with --new-match"
_LARGEST_ID: Final = 2**63 // MOST_RECORDS - 1


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
        path = directory / NAME
        with telling(path):
            if mended_of(path).exists():
                path = mended_of(path)  # its writer was killed before it was in place
            if not any(each.exists() and each.stat().st_size for each in (path, log_of(path))):
                raise JournalError(
                    f"no match has been kept in {directory}; play one, or name another folder with --state"
                )
            return cls(path, *_looked_at(path))

    def matches(self, latest: int | None = None) -> tuple[Summary, ...]:
        """The `latest` so many matches, or every one, in the order in which they were begun. Each is
        counted anew, which takes a small computer a tenth of a second a match."""
        with telling(self._path):
            first = 0 if latest is None else max(0, self._latest() - latest + 1)
            matches = groupby(self._rows(first, _LARGEST_ID), lambda row: row.match)
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
        if 0 < match <= _LARGEST_ID:
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
        found = self._connection.execute(
            "SELECT id, body, crc FROM records WHERE id BETWEEN ? AND ? ORDER BY id",
            (first * MOST_RECORDS, (last + 1) * MOST_RECORDS - 1),
        )
        return map(Row._make, found)

    def _latest(self) -> int:
        """The id of the match that was begun last; 0 if there is none."""
        (largest,) = self._connection.execute("SELECT max(id) FROM records").fetchone()
        return 0 if largest is None else int(largest) // MOST_RECORDS

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
        path = directory / NAME
        with telling(directory):
            make_folder(directory)
            lock = Lock(directory)
        try:
            with telling(path):
                connection, warnings, mended = _opened(path)
                return cls(path, connection, warnings, lock, mended=mended)
        except BaseException:
            lock.release()
            raise

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
        rows = [encoded(match, number, record) for number, record in enumerate(records, start=first)]
        with transaction(self._connection):
            insert(self._connection, rows)
        self._tails[match] = _Tail(rows[-1].number)

    def _told(self, match: int, kept: Kept | None) -> Kept | None:
        """What the reader tells; where the match goes on is remembered, and need not be read again."""
        if kept is not None:
            self._tails[match] = _Tail(kept.last, kept.last_kept, kept.fault)
        return super()._told(match, kept)


def _opened(path: Path) -> tuple[sqlite3.Connection, list[str], bool]:
    """A connection to a sound journal, for writing, what is to be said of how it came to be so, and whether
    there was damage.

    The files' bytes are looked at before SQLite opens them: it passes over the damaged end of a log
    without a word, and writes over it.
    """
    finish_mending(path)
    warnings = []
    fault = _fault_of_files(path)
    if fault is not None:
        warnings.append(mend(path, fault))
    try:
        return _connected(path, warnings), warnings, fault not in (None, CUT_OFF)
    except DamagedError as error:
        warnings.append(mend(path, str(error)))
    # What was just written is sound, or the disk is not.
    try:
        return _connected(path, warnings), warnings, True
    except DamagedError as error:
        raise JournalError(f"{path} cannot be mended ({error}); check the disk") from error


def _connected(path: Path, warnings: list[str]) -> sqlite3.Connection:
    """DamagedError, with nothing open, if SQLite finds fault with the file."""
    connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None)
    try:
        connection.text_factory = bytes
        # SQLite names FULL as what keeps the last commits of a WAL through a loss of power.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_OF_LOG}")
        warnings += make_ready(connection, path)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != b"wal":
            raise JournalError(f"{path}: this disk cannot keep a journal safely; give another with --state")
        sync(path.parent)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error) and is_damage(error):
            raise DamagedError(str(error)) from error
        raise
    return connection


def _fault_of_files(path: Path) -> str | None:
    """Why the bytes of a journal are not to be shown to SQLite; None if they may, or if there are none."""
    log = log_of(path)
    if not path.exists() or path.stat().st_size == 0:
        return "its database is empty, its log is not" if log.exists() and log.stat().st_size else None
    with path.open("rb") as file:
        fault = fault_of_header(file.read(100))
    if fault is not None and path.stat().st_size <= PAGE_SIZE and not rows_in(*contents(path)):
        return CUT_OFF  # it was just being made
    return fault or (fault_of_log(log.read_bytes()) if log.exists() else None)


def _looked_at(path: Path) -> tuple[sqlite3.Connection, list[str]]:
    """A connection that changes no file, and what is to be said.

    Where SQLite would have to write (the log of a stopped program, in a folder of another user's or on a
    full disk) or finds damage, it is given what can be read of the bytes instead.
    """
    warnings: list[str] = []
    connection: sqlite3.Connection | None = None
    try:
        if not path.exists():
            raise DamagedError("its database is not there, its log is")
        with path.open("rb") as file:
            fault = fault_of_header(file.read(100))
        # A log that is just being written looks as if it were cut off, and whoever writes it has looked.
        if fault is None and not has_writer(path.parent):
            fault = _fault_of_files(path)
        if fault is not None:
            raise DamagedError(fault)
        # Without a log nobody writes; and SQLite would leave an empty one, of this user's, to the writer.
        log = log_of(path)
        how = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}", uri=True, timeout=_PATIENCE_S, isolation_level=None
        )
        connection.text_factory = bytes
        version = version_of(connection, path)
        if version == SCHEMA:
            return connection, warnings
        if version is not None:
            raise JournalError(
                f"{path} was written by an older version of this program; `setmatch run` brings it up to date"
            )
    except DamagedError as error:
        warnings.append(f"{path}: {error}. What is readable is shown; `setmatch run` mends it.")
    except sqlite3.Error as error:
        if code_of(error) not in _CANNOT_WRITE:
            raise
    if connection is not None:
        connection.close()
    memory = sqlite3.connect(":memory:", isolation_level=None)
    memory.text_factory = bytes
    create(memory, rows_in(*contents(path)).values())
    return memory, warnings
