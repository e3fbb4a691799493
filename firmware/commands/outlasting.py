"""A standard output that a match outlasts: whoever reads it may go, and the parts are closed all the same.

Nothing is known here of what is printed.
"""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final

from firmware.daemon.stopping import Stop

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

CLOSED: Final = 141
"""Exit code of a program whose standard output was closed: 128 + SIGPIPE, as shells report it. Not 0, so that
a service manager starts it again, nor an error that a person has to see to first."""


class Output:
    """What became of standard output: `failure` is None as long as it takes what is printed."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self.failure: OSError | None = None

    @property
    def closed(self) -> bool:
        """Whether its reader has gone."""
        return isinstance(self.failure, BrokenPipeError)

    def failed(self, error: OSError) -> None:
        """It takes nothing any more, which is the end; or it goes in the end, as a closed terminal does."""
        if not self._stop.is_set():
            self.failure = error
            self._stop.set()


@contextmanager
def outlasting(stop: Stop) -> Iterator[Output]:
    """Within it, printing never fails: when standard output does, `stop` is set instead, and what is printed
    after goes nowhere. A line that is printed in the middle of keeping a stroke must not spoil that."""
    output, stream = Output(stop), sys.stdout
    stream.flush()
    if not isinstance(stream, io.TextIOWrapper):
        yield output
        return
    raw = _Unfailing(stream.buffer, output)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(raw),
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

    def __init__(self, stream: BinaryIO, output: Output) -> None:
        self._stream = stream
        self._output = output
        self._fails = False

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
        length = memoryview(data).nbytes
        if not self._fails:
            try:
                self._stream.write(data)
                self._stream.flush()
            except OSError as error:
                self._fails = True
                self._output.failed(error)
        return length
