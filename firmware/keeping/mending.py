"""What is readable of a damaged book, in a new one that takes its place in one step.

The damaged files are kept, whatever happens in between; nothing is judged here but bytes.
"""

import os
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from calibration.files import sync
from firmware.keeping.files import contents, dated, forget_oldest, log_of, remove
from firmware.keeping.form import Form
from firmware.keeping.pages import rows_in
from firmware.keeping.rows import Row
from firmware.keeping.tables import create

_VERSION_AT: Final = 60
"""Where a database has its user version (SQLite's file format, 1.3)."""


def mend(path: Path, form: Form, why: str) -> str:
    """Put a new book, with all that is readable, in the place of a damaged one, which is kept; what
    is to be said of it. OSError, sqlite3.Error: the damaged one is then still in its place."""
    database, wal = contents(path)
    rows = rows_in(database, wal)
    damaged = [each for each in (path, log_of(path)) if each.exists()]
    aside = dated(path, "damaged", damaged[0])
    kept = {path: aside, log_of(path): log_of(aside)}
    try:
        for each in damaged:
            _keep(each, kept[each])
        _write_mended(path, form, database, rows)
    except BaseException:
        # A mended file that waits for its place will still take it: the damaged one is to be kept then.
        if not mended_of(path).exists():
            for each in damaged:
                kept[each].unlink(missing_ok=True)
        remove(_new(path))
        raise
    finish_mending(path)
    forget_oldest(path, "damaged", aside)
    return f"{path}: {why}. {len(rows)} readable records are kept; the file as it was is {aside}."


def finish_mending(path: Path) -> None:
    """Put a mended book in place, if one waits for it, and clear away one that was never finished. The
    log goes first: SQLite would play a log into whatever database lies beside it."""
    remove(_new(path))
    mended = mended_of(path)
    if not mended.exists():
        return
    for suffix in ("-wal", "-shm"):
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)
    sync(path.parent)
    os.replace(mended, path)
    sync(path.parent)


def _write_mended(path: Path, form: Form, database: bytes, rows: Mapping[int, Row]) -> None:
    """Have the mended book on disk; from then on it takes the damaged one's place, even if power goes
    in between."""
    new = _new(path)
    remove(new)
    version = int.from_bytes(database[_VERSION_AT : _VERSION_AT + 4], "big")
    connection = sqlite3.connect(new, isolation_level=None)
    try:
        create(connection, version if 0 < version < form.schema else form.schema, rows.values())
        # Closing would do it too, but keep an error to itself.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()
    os.replace(new, mended_of(path))
    sync(path.parent)


def _keep(path: Path, aside: Path) -> None:
    """Have the same bytes under another name. A link takes no room, which a full disk does not have."""
    try:
        os.link(path, aside)
    except OSError:
        # A file system without links, such as a memory stick's.
        shutil.copy2(path, aside)
        sync(aside)


def _new(path: Path) -> Path:
    return path.with_name(f"{path.stem}.new{path.suffix}")


def mended_of(path: Path) -> Path:
    """Where a mended book waits for its place."""
    return path.with_name(f"{path.stem}.mended{path.suffix}")
