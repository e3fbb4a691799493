"""The errors of keeping, and what SQLite's and the system's mean to who has to do something about them."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from firmware.errors import FirmwareError
from firmware.texts import Unkept

_FULL: Final = "the disk is full; free some space there, and go on: nothing that was kept is lost"
_READ_ONLY: Final = "it cannot be written to; give this user the right to, or another folder with --state"
_BUSY: Final = "another program holds it; close that program"
_DAMAGED: Final = "the file is damaged; start again, and what is readable is kept"
_KINDS: Final[dict[str, Unkept]] = {
    _FULL: "full",
    _READ_ONLY: "read-only",
    _BUSY: "busy",
    _DAMAGED: "damaged",
}
_ADVICE: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_IOERR: "the disk fails or is full; make room there and check it",
}
"""What to do, by SQLite's primary result code (https://sqlite.org/rescode.html)."""
_SOME_PAGES: Final = 65536
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_RIGHT: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalError(FirmwareError):
    """A journal, or the game book, cannot do what was asked: what it was to keep then is not kept. `kind`:
    why, for who has to say it in another language."""

    def __init__(self, message: str, kind: Unkept = "failed") -> None:
        super().__init__(message)
        self.kind: Unkept = kind


class DamagedError(Exception):
    """The file is not as it was written; the message says why. It never leaves this package."""


class UnreadableError(Exception):
    """A record cannot be read; the message says why. It never leaves this package."""


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the system within become a JournalError about `path`."""
    try:
        yield
    except sqlite3.Error as error:
        code = code_of(error)
        # SQLite calls a quota, and memory that it cannot map for want of room, an error of the disk.
        if code == sqlite3.SQLITE_IOERR and not _has_room(path if path.is_dir() else path.parent):
            code = sqlite3.SQLITE_FULL
        advice = _ADVICE.get(code, "check the disk, and that only this program writes there")
        at = _unwritable(path) if advice == _READ_ONLY else path
        raise JournalError(f"{at}: {error}: {advice}", _KINDS.get(advice, "failed")) from error
    except OSError as error:
        advice = "check the disk, or give another folder with --state"
        if error.errno in _NO_ROOM:
            advice = _FULL
        elif error.errno in _NO_RIGHT:
            advice = _READ_ONLY
        told = f"{error.filename or path}: {error.strerror or error}: {advice}"
        raise JournalError(told, _KINDS.get(advice, "failed")) from error


def _unwritable(path: Path) -> Path:
    """Which it is, as far as that shows: a database, what SQLite has beside it, or their folder."""
    files = [path, *(path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm"))]
    for each in (*files, path.parent):
        with suppress(OSError):
            if each.exists() and not os.access(each, os.W_OK, effective_ids=True):
                return each
    return path


def _has_room(folder: Path) -> bool:
    """Whether a few pages can be written there; also if that fails for another reason."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_SOME_PAGES))
            file.flush()
    except OSError as error:
        return error.errno not in _NO_ROOM
    return True


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 of an error that is the library's around it."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error of SQLite says that the file is not as it was written."""
    return code_of(error) in _DAMAGE
