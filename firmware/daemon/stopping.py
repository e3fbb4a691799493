"""The wish to stop, as the system tells it: SIGTERM, SIGINT from a keyboard, SIGHUP of a closed terminal."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StoppedError(Exception):
    """The program has been asked to end while it waited for a person, or the person wants it to."""


def _heard() -> Iterator[signal.Signals]:
    yield from (signal.SIGTERM, signal.SIGINT)
    # nohup has it ignored: the program is to outlive the terminal.
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        yield signal.SIGHUP


class Stop:
    """Whether the program has been asked to end: only a flag is raised, whatever it does just now.

    No threading.Event: a second signal that comes while the first sets it would wait for itself.
    """

    def __init__(self) -> None:
        self._told = False
        self._breaks = False
        self.interrupted = False
        """It was a person at the keyboard who asked (SIGINT)."""

    def is_set(self) -> bool:
        """Whether to end."""
        return self._told

    def set(self) -> None:
        """Ask for the end."""
        self._told = True

    @classmethod
    @contextmanager
    def listening(cls) -> "Iterator[Stop]":
        """Within it, these signals ask for the end instead of ending at once. In the main thread."""
        stop = cls()
        before = {number: signal.signal(number, stop._asked) for number in _heard()}
        try:
            yield stop
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """Within it, a person is waited for, who may be away: to be asked for the end is a StoppedError,
        also if that was before."""
        self._breaks = True
        try:
            if self._told:
                raise StoppedError
            yield
        finally:
            self._breaks = False

    def _asked(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = self.interrupted or number == signal.SIGINT
        self.set()
        if self._breaks:
            self._breaks = False
            raise StoppedError
