"""A standard output that a match outlasts: whoever reads it may go, and the parts are closed all the same.

Nothing is known here of what is printed.
"""

import errno
import io
import sys
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


class Output:
    """What became of standard output: `failure` is None as long as it takes what is printed. `spares`: a disk
    that is full is not the end, but leaves out what there is no room for."""

    def __init__(self, stop: Stop, *, spares: bool) -> None:
        self._stop = stop
        self._spares = spares
        self._told = False
        self.failure: OSError | None = None

    @property
    def closed(self) -> bool:
        """Whether its reader has gone."""
        return isinstance(self.failure, BrokenPipeError)

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
        """All of it, or nowhere."""
        whole = memoryview(data).cast("B")
        rest = whole
        try:
            while rest and self._output.failure is None:
                rest = rest[self._stream.write(rest) or 0 :]
        except OSError as error:
            self._output.failed(error)
        return len(whole)
