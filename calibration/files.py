"""Files that the machine writes: replaced in one step, on disk when that is said, the former ones kept.

What is in them is not known here. The firmware uses it for its own files.
"""

import glob
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

_FORMER_KEPT = 5


def replace_file(path: Path, data: bytes) -> None:
    """Write a file, replacing an older one in one step: a power cut leaves the old or the new.

    The older one is kept beside it as NAME.DATE.SUFFIX (UTC), the last five of them; who may read it may
    read the new one. OSError if that cannot be done; the older one then stands as it was.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _keep_former(path)
        if path.exists():
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _keep_former(path: Path) -> None:
    """Keep the file that is about to be replaced as NAME.DATE.SUFFIX, the last few of them."""
    if not path.exists():
        return
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    former = path.with_name(f"{path.stem}.{written:%Y%m%dT%H%M%S}{path.suffix}")
    if former.exists():
        return  # a second has one: what stood at its beginning
    try:
        # Takes no room, and is there whole or not at all.
        os.link(path, former)
    except OSError:
        # A file system without links, such as a memory stick's.
        shutil.copy2(path, former)
    kept = sorted(path.parent.glob(f"{glob.escape(path.stem)}.????????T??????{path.suffix}"))
    for old in kept[:-_FORMER_KEPT]:
        old.unlink()
