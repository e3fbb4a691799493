"""Opening a book: to write it, mended and brought up to date, or to look at it, with no file changed."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from calibration.files import make_folder, sync
from firmware.keeping.errors import DamagedError, JournalError, code_of, is_damage, telling
from firmware.keeping.files import Lock, contents, has_writer, log_of
from firmware.keeping.form import Form
from firmware.keeping.mending import finish_mending, mend, mended_of
from firmware.keeping.pages import CUT_OFF, PAGE_SIZE, fault_of_header, fault_of_log, rows_in
from firmware.keeping.rows import MOST_RECORDS, Row
from firmware.keeping.tables import create, insert, make_ready, transaction, version_of

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
LARGEST_ID: Final = 2**63 // MOST_RECORDS - 1
"""The largest number that a match or a game can have."""


class Opened(NamedTuple):
    """A book that can be read, and written if there is a `lock`."""

    path: Path
    form: Form
    connection: sqlite3.Connection
    warnings: list[str]
    """What is to be said of how it came to be so, in sentences for people."""
    lock: Lock | None = None
    mended: bool = False
    """Whether something was damaged, so that what was kept before may be missing. A last record that was cut
    off while it was written is no damage: it had not been shown."""


def to_write(directory: Path, form: Form) -> Opened:
    """The book in a folder, to write; both are made if they are not there.

    A damaged file is moved aside, and what is readable of it kept. JournalError if another process has it, if
    a newer program wrote it, or if the folder cannot be written to.
    """
    path = directory / form.name
    with telling(directory):
        make_folder(directory)
        lock = Lock(directory, form)
    try:
        with telling(path):
            return Opened(path, form, *_opened(path, form, lock))
    except BaseException:
        lock.release()
        raise


def to_read(directory: Path, form: Form) -> Opened:
    """The book in a folder, to look at. JournalError if there is none, or a newer program's.

    Nothing is changed: what is readable of a damaged file is shown, and the file left as it is.
    """
    path = directory / form.name
    with telling(path):
        if mended_of(path).exists():
            path = mended_of(path)  # its writer was killed before it was in place
        if not any(each.exists() and each.stat().st_size for each in (path, log_of(path))):
            raise JournalError(
                f"no {form.of} has been kept in {directory}; play one, or name another folder with --state"
            )
        return Opened(path, form, *_looked_at(path, form))


def rows_of(connection: sqlite3.Connection, first: int, last: int) -> Iterator[Row]:
    """The rows of some matches or games, in order. sqlite3.Error."""
    found = connection.execute(
        "SELECT id, body, crc FROM records WHERE id BETWEEN ? AND ? ORDER BY id",
        (first * MOST_RECORDS, (last + 1) * MOST_RECORDS - 1),
    )
    return map(Row._make, found)


def latest_in(connection: sqlite3.Connection) -> int:
    """The number of what was begun last; 0 if nothing was. sqlite3.Error."""
    (largest,) = connection.execute("SELECT max(id) FROM records").fetchone()
    return 0 if largest is None else int(largest) // MOST_RECORDS


def write_rows(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Add rows, all or none; they are on disk when this returns. sqlite3.Error."""
    with transaction(connection):
        insert(connection, rows)


def _opened(path: Path, form: Form, lock: Lock) -> tuple[sqlite3.Connection, list[str], Lock, bool]:
    """A connection to a sound book, for writing, what is to be said of how it came to be so, and whether
    there was damage.

    The files' bytes are looked at before SQLite opens them: it passes over the damaged end of a log
    without a word, and writes over it.
    """
    finish_mending(path)
    warnings = []
    fault = _fault_of_files(path)
    if fault is not None:
        warnings.append(mend(path, form, fault))
    try:
        return _connected(path, form, warnings), warnings, lock, fault not in (None, CUT_OFF)
    except DamagedError as error:
        warnings.append(mend(path, form, str(error)))
    # What was just written is sound, or the disk is not.
    try:
        return _connected(path, form, warnings), warnings, lock, True
    except DamagedError as error:
        raise JournalError(f"{path} cannot be mended ({error}); check the disk") from error


def _connected(path: Path, form: Form, warnings: list[str]) -> sqlite3.Connection:
    """DamagedError, with nothing open, if SQLite finds fault with the file."""
    # Whoever opens it may hand it on to another thread; two never have it at once.
    connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        connection.text_factory = bytes
        # SQLite names FULL as what keeps the last commits of a WAL through a loss of power.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_OF_LOG}")
        warnings += make_ready(connection, path, form)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != b"wal":
            raise JournalError(f"{path}: this disk cannot keep a book safely; give another with --state")
        sync(path.parent)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.Error) and is_damage(error):
            raise DamagedError(str(error)) from error
        raise
    return connection


def _fault_of_files(path: Path) -> str | None:
    """Why the bytes of a book are not to be shown to SQLite; None if they may, or if there are none."""
    log = log_of(path)
    if not path.exists() or path.stat().st_size == 0:
        return "its database is empty, its log is not" if log.exists() and log.stat().st_size else None
    with path.open("rb") as file:
        fault = fault_of_header(file.read(100))
    if fault is not None and path.stat().st_size <= PAGE_SIZE and not rows_in(*contents(path)):
        return CUT_OFF  # it was just being made
    return fault or (fault_of_log(log.read_bytes()) if log.exists() else None)


def _looked_at(path: Path, form: Form) -> tuple[sqlite3.Connection, list[str]]:
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
        if fault is None and not has_writer(path.parent, form):
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
        version = version_of(connection, path, form)
        if version == form.schema:
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
    create(memory, form.schema, rows_in(*contents(path)).values())
    return memory, warnings
