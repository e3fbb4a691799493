"""The journal's errors, and what SQLite's and the system's mean to who has to do something about them."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firmware.errors import FirmwareError

_FULL: Final = "the disk is full; free some space there, and go on: nothing that was kept is lost"
_READ_ONLY: Final = "it cannot be written to; give this user the right to, or another folder with --state"
_ADVICE: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_BUSY: "another program holds it; close that program",
    sqlite3.SQLITE_LOCKED: "another program holds it; close that program",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; start again, and what is readable is kept",
    sqlite3.SQLITE_NOTADB: "the file is damaged; start again, and what is readable is kept",
    sqlite3.SQLITE_IOERR: "the disk fails or is full; make room there and check it",
}
"""What to do, by SQLite's primary result code (https://sqlite.org/rescode.html)."""
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_RIGHT: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalError(FirmwareError):
    """The journal cannot do what was asked: what it then was to keep is not kept."""


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
        advice = _ADVICE.get(code_of(error), "check the disk, and that only this program writes there")
        raise JournalError(f"{path}: {error}: {advice}") from error
    except OSError as error:
        advice = "check the disk, or give another folder with --state"
        if error.errno in _NO_ROOM:
            advice = _FULL
        elif error.errno in _NO_RIGHT:
            advice = _READ_ONLY
        raise JournalError(f"{path}: {error.strerror or error}: {advice}") from error


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 of an error that is the library's around it."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error of SQLite says that the file is not as it was written."""
    return code_of(error) in _DAMAGE
