"""Files that the machine writes: replaced in one step, on disk when that is said, the former ones kept.

What is in them is not known here. The firmware uses it for its own files.
"""

import glob
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

_FORMER_KEPT = 5


def make_folder(path: Path) -> None:
    """Have a folder, and those above it, on disk. OSError."""
    new = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for each in reversed(new):
        sync(each.parent)


def write_file(path: Path, data: bytes) -> None:
    """Write a file, replacing an older one in one step: a power cut leaves the old or the new.

    What a write that was cut off left beside it goes. OSError if it cannot be done; the older one then
    stands as it was.
    """
    with _in_its_place(path, data):
        pass


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as `write_file` does, and keep the older one.

    It is kept beside the new one as NAME.DATE.SUFFIX (UTC), the last five of them; who may read it may
    read the new one.
    """
    with _in_its_place(path, data) as new:
        if path.exists():
            _keep_former(path)
            shutil.copymode(path, new)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on disk. OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def is_running(process: int) -> bool:
    """Whether there is a process of that number, whosever it is."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # another user's
    return True


@contextmanager
def _in_its_place(path: Path, data: bytes) -> Iterator[Path]:
    """The new file under another name, its content on disk; after the body it takes its place."""
    _forget_cut_off(path)
    new = _temporary(path)
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield new
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    sync(path.parent)


def _temporary(path: Path, kind: str = "new") -> Path:
    """The name carries the process: two that write the same file do not write into each other's."""
    return path.with_name(f"{path.name}.{os.getpid()}.{kind}")


def _forget_cut_off(path: Path) -> None:
    """Delete what processes that are no more left half written."""
    start = len(path.name) + 1
    for kind in ("new", "copy"):
        for left in path.parent.glob(f"{glob.escape(path.name)}.*.{kind}"):
            process = left.name[start : -len(kind) - 1]
            if process.isdecimal() and (int(process) == os.getpid() or not is_running(int(process))):
                left.unlink(missing_ok=True)


def _keep_former(path: Path) -> None:
    """Keep the file that is about to be replaced as NAME.DATE.SUFFIX, the last few of them."""
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    former = path.with_name(f"{path.stem}.{written:%Y%m%dT%H%M%S}{path.suffix}")
    if former.exists():
        return  # a second has one: what stood at its beginning
    try:
        # Takes no room, and is there whole or not at all.
        os.link(path, former)
    except OSError:
        # A file system without links, such as a memory stick's.
        copy = _temporary(path, "copy")
        try:
            shutil.copy2(path, copy)
            sync(copy)
            os.replace(copy, former)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
    kept = sorted(path.parent.glob(f"{glob.escape(path.stem)}.????????T??????{path.suffix}"))
    for old in kept[:-_FORMER_KEPT]:
        old.unlink()
