"""What a command writes: files, checked before the long work and put in place whole at its end; warnings.

Nothing here knows what is written. An input is never overwritten, and a half-written file is never
seen under the name that was asked for.
"""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from firmware.errors import InputError

_MODE = 0o644
"""What anybody may read; temporary files are made for their owner's eyes alone."""


def complain(text: str) -> None:
    """A line on standard error, if it takes one: who is not there to read it is no error of a command's."""
    if sys.stderr is not None:  # print() takes None for standard output
        with suppress(OSError):
            print(text, file=sys.stderr, flush=True)


def check_output(option: str, path: Path, others: Iterable[object] = ()) -> None:
    """InputError unless a file can be written at `path`, the value of `option`, without destroying
    one of `others`: the files, or names of other things, that the command reads and writes."""
    for other in others:
        if other is not None and _is_same(path, Path(str(other))):
            raise InputError(
                f"{option} {path} would overwrite {other}, which this command uses; give it another name"
            )
    with suppress(OSError):
        if path.exists() and not path.is_file():
            raise InputError(f"{option} {path} is no file; give the name of a file to write")
    os.unlink(_placeholder(path))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside `path`, of the same kind by its name, to be written by the body; it takes the
    place of `path` when the body ends well, and is deleted when it does not. InputError if the
    folder cannot be written to."""
    temporary = _placeholder(path)
    try:
        yield temporary
        os.chmod(temporary, _MODE)
        os.replace(temporary, path.resolve())
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _placeholder(path: Path) -> Path:
    """A new empty file in the folder of `path`, with the same suffix: it tells the format."""
    target = path.resolve()
    try:
        with suppress(FileNotFoundError):
            # A name that is too long is refused here, not after the work.
            target.lstat()
        handle, name = tempfile.mkstemp(
            dir=target.parent, prefix=f"{target.stem[:40]}.", suffix=target.suffix
        )
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error
    os.close(handle)
    return Path(name)


def _unwritable(path: Path, reason: str) -> InputError:
    return InputError(
        f"{path} cannot be written ({reason}); give a name in a folder that exists and can be written to"
    )


def _is_same(a: Path, b: Path) -> bool:
    """Whether both names are of one file, be it there already or not."""
    try:
        return a.samefile(b)
    except (OSError, ValueError):
        return os.path.abspath(a) == os.path.abspath(b)
