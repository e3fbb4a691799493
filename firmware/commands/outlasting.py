"""A standard output that a match outlasts: whoever reads it may stand still, or go, and the parts are closed
all the same.

Nothing is known here of what is printed.
"""

import errno
import io
import math
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from firmware.daemon.stopping import Stop

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CLOSED: Final = 141
"""Exit code of a program whose standard output was closed: 128 + SIGPIPE, as shells report it. Not 0, so that
a service manager starts it again, nor an error that a person has to see to first."""

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PIECE: Final = 512
"""So many bytes a pipe takes at once, if it takes any (POSIX, PIPE_BUF)."""
_LOOK_S: Final = 0.1
"""While somebody stands still it is looked so often whether the end is asked for."""
_PATIENCE_S: Final = 0.5
"""So long a match waits for who stands still, once; then it goes on without."""


class Output:
    """What became of standard output: `failure` is None as long as it takes what is printed. `spares`: a disk
    that is full, or a reader who stands still, is not the end and holds up nothing: what it does not take is
    left out."""

    def __init__(self, stop: Stop, *, spares: bool) -> None:
        self._stop = stop
        self._spares = spares
        self._told = False
        self._patience_s = _PATIENCE_S if spares else math.inf
        self.failure: OSError | None = None

    @property
    def closed(self) -> bool:
        """Whether its reader has gone."""
        return isinstance(self.failure, BrokenPipeError)

    def takes(self, descriptor: int) -> bool:
        """Whether it takes something now. Somebody who stands still is waited for, at a live table not for
        long, and not at all once the end is asked for."""
        until = time.monotonic() + self._patience_s
        while self.failure is None:
            if select.select([], [descriptor], [], 0 if self._ends(until) else _LOOK_S)[1]:
                self._patience_s = _PATIENCE_S if self._spares else math.inf
                return True
            if self._ends(until):
                self._patience_s = 0.0  # for the next line, too, until something is taken again
                break
        return False

    def _ends(self, until: float) -> bool:
        return self._stop.is_set() or time.monotonic() >= until

    def failed(self, error: OSError) -> None:
        """It does not take this. That is the end; or it goes in the end, as a closed terminal does."""
        if self._spares and error.errno in _NO_ROOM:
            if not self._told:
                self._told = True
                with suppress(OSError):  # it may lie on the same disk
                    print(
                        f"Warning: standard output takes nothing ({error.strerror}); make room there. What "
                        "there is no room for is left out, and the match goes on",
                        file=sys.stderr,
                    )
        elif not self._stop.is_set():
            self.failure = error
            self._stop.set()


@contextmanager
def outlasting(stop: Stop, *, spares: bool) -> Iterator[Output]:
    """Within it, printing never fails: when standard output does, `stop` is set instead, and what is printed
    after goes nowhere. A line that is printed in the middle of keeping a stroke must not spoil that.
    `spares`: as `Output` has it."""
    output, stream = Output(stop, spares=spares), sys.stdout
    stream.flush()
    if not isinstance(stream, io.TextIOWrapper):
        yield output
        return
    # Without its buffer, which would keep what it could not write, and complain of it in the end.
    raw: Any = getattr(stream.buffer, "raw", stream.buffer)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Unfailing(raw, output)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    try:
        yield output
    finally:
        sys.stdout.flush()
        sys.stdout = stream


class _Unfailing(io.RawIOBase):
    """Writes through to a stream as long as that takes it."""

    def __init__(self, stream: io.RawIOBase, output: Output) -> None:
        self._stream = stream
        self._output = output
        self._cut = False
        try:
            self._descriptor: int | None = stream.fileno()
        except OSError:  # it is no file of the system's, and takes all
            self._descriptor = None

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """The stream's own: it is asked whether it is a terminal, and how wide."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Whether people read it."""
        return self._stream.isatty()

    def write(self, data: "ReadableBuffer", /) -> int:
        """All of it, as far as it is taken: whoever prints hears nothing of that. What is cut off ends its
        line."""
        whole = memoryview(data).cast("B")
        rest = memoryview(b"\n" + whole if self._cut else whole)
        try:
            while rest and self._takes():
                rest = rest[self._stream.write(rest[:_PIECE]) or 0 :]
                self._cut = False
        except OSError as error:
            self._output.failed(error)
        self._cut = self._cut or 0 < len(rest) < len(whole)
        return len(whole)

    def _takes(self) -> bool:
        output = self._output
        return output.failure is None if self._descriptor is None else output.takes(self._descriptor)
