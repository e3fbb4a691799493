"""A book's lock, and the names beside its file. What is in the files is not known here."""

import fcntl
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from calibration.files import is_running
from firmware.keeping.errors import JournalError
from firmware.keeping.form import Form

_FORMER_KEPT: Final = 5


class Lock:
    """The right to write a book. It goes with the process, however that ends."""

    def __init__(self, directory: Path, form: Form) -> None:
        """Take it. JournalError, with the process that has it, if it is taken; OSError."""
        path = directory / form.lock
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            self.release()
            who = f"process {holder}" if holder.isdecimal() else "another process"
            raise JournalError(
                f"{directory} is in use: {who} keeps the {form.of_all} there; stop it, or give another "
                "folder with --state",
                "busy",
            ) from None
        except BaseException:
            self.release()
            raise
        # Who holds the lock matters to people only; a full disk is told by what is kept.
        with suppress(OSError):
            os.ftruncate(self._file, 0)
            os.write(self._file, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Give it back. Twice is safe."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def has_writer(directory: Path, form: Form) -> bool:
    """Whether a program that writes the book there seems to run: one has the number that was left."""
    try:
        return is_running(int((directory / form.lock).read_bytes()))
    except (OSError, ValueError):
        return False


def log_of(path: Path) -> Path:
    """The write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def contents(path: Path) -> tuple[bytes, bytes]:
    """A database and its log; empty where there is none. The log comes first: what leaves it while it is
    read is in the database by then."""
    wal = log_of(path).read_bytes() if log_of(path).exists() else b""
    return (path.read_bytes() if path.exists() else b""), wal


def dated(path: Path, what: str, of: Path) -> Path:
    """A free name beside `path` that tells what it is, and when the file `of` was last written (UTC)."""
    written = datetime.fromtimestamp(of.stat().st_mtime, UTC)
    stem = f"{path.stem}.{what}-{written:%Y%m%dT%H%M%S}"
    name, again = path.with_name(f"{stem}{path.suffix}"), 1
    while name.exists():
        again += 1
        name = path.with_name(f"{stem}-{again}{path.suffix}")
    return name


def forget_oldest(path: Path, what: str, latest: Path) -> None:
    """Keep the last few of the files that `dated` has named, `latest` among them: each may be as large as
    the book itself. Their names are in the order of their dates."""
    former = set(path.parent.glob(f"{path.stem}.{what}-*{path.suffix}")) - {latest}
    for old in sorted(former)[: 1 - _FORMER_KEPT]:
        remove(old)


def remove(database: Path) -> None:
    """Delete a database, and what SQLite has beside it, where it is."""
    for suffix in ("", "-wal", "-shm"):
        database.with_name(f"{database.name}{suffix}").unlink(missing_ok=True)
