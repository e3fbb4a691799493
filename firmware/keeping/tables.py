"""A book's tables, their version, and how an older one becomes today's. No record is understood here.

The version stands in two places, so that a damaged one is not taken for that of a newer program.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from calibration.files import sync
from firmware.keeping.errors import DamagedError, JournalError, code_of, is_damage
from firmware.keeping.files import dated, forget_oldest, remove
from firmware.keeping.form import Form
from firmware.keeping.pages import PAGE_SIZE
from firmware.keeping.rows import Row, checksum, is_sound

TABLES: Final = {
    b"about": b"CREATE TABLE about (schema INTEGER NOT NULL)",
    b"records": b"CREATE TABLE records (id INTEGER PRIMARY KEY, body TEXT NOT NULL, crc INTEGER NOT NULL)",
}
"""Each table as it was made. A record's id holds its match and its number (rows.py): rows lie in the
order in which they are read, and no index has to be kept and checked."""


def create(connection: sqlite3.Connection, version: int, rows: Iterable[Row] = ()) -> None:
    """Make the tables of an empty database, with `rows` of that version: all or nothing. sqlite3.Error."""
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    # Before there is a table: then a database with one is always marked as in WAL mode.
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    with transaction(connection):
        for made in TABLES.values():
            connection.execute(made.decode())
        insert(connection, rows)
        connection.execute("INSERT INTO about VALUES (?)", (version,))
        connection.execute(f"PRAGMA user_version = {version}")


def insert(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Add rows. The text is stored as text, so that anybody can read it with any tool."""
    connection.executemany(
        "INSERT INTO records VALUES (?, CAST(? AS TEXT), ?)", ((row.id, row.body, row.crc) for row in rows)
    )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing of what is done within; on disk when it ends well."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself where that failed which a transaction needs.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def make_ready(connection: sqlite3.Connection, path: Path, form: Form) -> list[str]:
    """Have the tables of today's version there: make them, check them, or migrate them; what is to be
    said of it. DamagedError; JournalError for a newer version, or what is none; sqlite3.Error."""
    version = version_of(connection, path, form)
    if version is None:
        create(connection, form.schema)
        return []
    return [_migrated(connection, path, form, version)] if version < form.schema else []


def version_of(connection: sqlite3.Connection, path: Path, form: Form) -> int | None:
    """The version of a book that is whole; None of an empty database. Errors as of `make_ready`."""
    try:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != b"ok":
            raise DamagedError(f"a page of it is damaged ({verdict.decode(errors='replace')})")
        made = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        if not made and connection.execute("PRAGMA user_version").fetchone() == (0,):
            return None
        if b"about" not in made:
            raise DamagedError(f"its tables are not a {form.of_all}'s")
        versions = connection.execute("SELECT schema FROM about").fetchall()
        versions += connection.execute("PRAGMA user_version").fetchall()
        for row in map(Row._make, connection.execute("SELECT id, body, crc FROM records")):
            if not is_sound(row):
                raise DamagedError(f"record {row.number} of {form.of} {row.of} is damaged")
    except sqlite3.Error as error:
        if not is_damage(error) and code_of(error) != sqlite3.SQLITE_ERROR:
            raise
        # SQLITE_ERROR: a statement that does not fit the tables, whose descriptions are damaged then.
        raise DamagedError(str(error)) from error
    first, *others = (version for (version,) in versions)
    if len(others) != 1 or others[0] != first or not isinstance(first, int):
        raise DamagedError("its version is damaged")
    if first > form.schema:
        raise JournalError(
            f"{path} was written by a newer version of this program (schema {first}, this one reads "
            f"{form.schema}); update the program, or give another folder with --state",
            "other-version",
        )
    if first == form.schema and made != TABLES:
        raise DamagedError("the description of its tables is damaged")
    return first


def rewrite(connection: sqlite3.Connection, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """For migrations: have `change` make a new record of each that is as it was written. It is given what
    it has made already, and leaves it, where power went in the middle: mending takes the newest of each."""
    for (id_,) in connection.execute("SELECT id FROM records").fetchall():
        row = Row(*connection.execute("SELECT id, body, crc FROM records WHERE id = ?", (id_,)).fetchone())
        if isinstance(row.body, bytes) and is_sound(row):
            body = msgspec.json.encode(change(msgspec.json.decode(row.body)))
            new = (body, checksum(id_, body), id_)
            connection.execute("UPDATE records SET body = CAST(? AS TEXT), crc = ? WHERE id = ?", new)


def _migrated(connection: sqlite3.Connection, path: Path, form: Form, version: int) -> str:
    """Make today's version of an older one, of which a copy is kept; what is to be said of it."""
    missing = next((n for n in range(version, form.schema) if n not in form.migrations), None)
    if missing is not None:
        raise JournalError(
            f"{path} has schema {missing}, which this version cannot read any more; give another folder "
            "with --state, or open it with an older version first",
            "other-version",
        )
    kept = dated(path, f"schema-{version}", path)
    # Under another name until it is whole; what was left of one that was cut off goes.
    copy = path.with_name(f"{path.stem}.copy{path.suffix}")
    remove(copy)
    try:
        connection.execute("VACUUM INTO ?", (str(copy),))
        sync(copy)
        os.replace(copy, kept)
    except BaseException:
        remove(copy)
        raise
    sync(path.parent)
    forget_oldest(path, f"schema-{version}", kept)
    with transaction(connection):
        for number in range(version, form.schema):
            form.migrations[number](connection)
        connection.execute("UPDATE about SET schema = ?", (form.schema,))
        connection.execute(f"PRAGMA user_version = {form.schema}")
    return (
        f"The {form.of_all} was an older version's; it is now of schema {form.schema}, and as it was in "
        f"{kept}."
    )
