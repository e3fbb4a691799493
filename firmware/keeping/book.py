"""A book: to look at what was kept, also while another program writes, and to keep more of it.

What a kept match or game amounts to, and which one goes on, is its own book's to say. No clock is here: times
come with the records. Called from one thread.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import groupby
from types import TracebackType
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from firmware.keeping.errors import JournalError, telling
from firmware.keeping.opening import LARGEST_ID, Opened, latest_in, rows_of, write_rows
from firmware.keeping.records import CutBack, Timed
from firmware.keeping.rows import Coder, Row


class Readable(Protocol):
    """What is readable of a match or a game, as far as a book has to know it."""

    @property
    def last(self) -> int:
        """The number of the last row that there is."""

    @property
    def stands(self) -> int:
        """How much of it is readable, as `CutBack.to` counts it."""

    @property
    def fault(self) -> str | None:
        """Why it ends before `last`, in a sentence; None if nothing is missing."""


KeptT = TypeVar("KeptT", bound=Readable)
BeganT = TypeVar("BeganT", bound=Timed)
LaterT = TypeVar("LaterT", bound=Timed)


class _Tail(NamedTuple):
    """Where a match or a game goes on: after its last row, and after what stands if something is at fault."""

    last: int
    stands: int = 0
    fault: str | None = None


class BookReader(ABC, Generic[KeptT]):
    """Looks at a book. `warnings` are sentences for people on what was wrong with it."""

    def __init__(self, opened: Opened) -> None:
        """Use `open`."""
        self._path, self._form, self._connection = opened.path, opened.form, opened.connection
        self.warnings = opened.warnings

    def close(self) -> None:
        """Give up the file. Closing twice is safe."""
        with telling(self._path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def _kept_of(self, of: int, rows: Iterable[Row]) -> KeptT | None:
        """What is readable of the match or game whose rows, in order, are given; None if its beginning is
        not."""

    def _latest(self) -> int:
        """The number of what was begun last; 0 if nothing was."""
        with telling(self._path):
            return latest_in(self._connection)

    def _all(self, first: int = 0) -> tuple[KeptT, ...]:
        """All that are readable from number `first` on, with warnings of what is not."""
        with telling(self._path):
            found = groupby(rows_of(self._connection, first, LARGEST_ID), lambda row: row.of)
            kept = [self._told(of, self._kept_of(of, rows)) for of, rows in found]
        return tuple(each for each in kept if each is not None)

    def _one(self, of: int) -> KeptT:
        """What is readable of one, with a warning if it is not all. JournalError if it is not there, or its
        beginning cannot be read."""
        kept = self._readable(of)
        if kept is None:
            raise JournalError(self._lost(of))
        return kept

    def _readable(self, of: int) -> KeptT | None:
        """The same; None, with a warning, if its beginning cannot be read."""
        rows: list[Row] = []
        if 0 < of <= LARGEST_ID:
            with telling(self._path):
                rows = list(rows_of(self._connection, of, of))
        if not rows:
            raise JournalError(f"there is no {self._form.of} {of} in {self._path}{self._form.listed}")
        return self._told(of, self._kept_of(of, rows))

    def _lost(self, of: int) -> str:
        return f"{self._form.of} {of} cannot be read: {self._form.unread}"

    def _told(self, of: int, kept: KeptT | None) -> KeptT | None:
        """`kept`, with a warning if it is not all."""
        fault = f"{self._lost(of).capitalize()}." if kept is None else kept.fault
        if fault is not None and fault not in self.warnings:
            self.warnings.append(fault)
        return kept


class BookWriter(BookReader[KeptT], Generic[KeptT, BeganT, LaterT]):
    """Keeps matches or games. What `begin` and `append` have returned from survives the loss of power."""

    _coder: ClassVar[Coder[Any]]

    def __init__(self, opened: Opened) -> None:
        """Use `open`."""
        super().__init__(opened)
        assert opened.lock is not None
        self.mended = opened.mended
        """As `Opened` has it."""
        self._lock = opened.lock
        self._tails: dict[int, _Tail] = {}

    def begin(self, record: BeganT) -> int:
        """Keep the beginning of a match or a game; its number. JournalError if it could not be kept; try
        again."""
        of = self._latest() + 1
        self._write(of, 1, [record])
        return of

    def append(self, of: int, record: LaterT) -> None:
        """Keep what happened in it; it is on disk when this returns. JournalError if it could not be kept: it
        then is not there, and may be tried again as soon as there is room."""
        if of not in self._tails:
            self._one(of)
        tail = self._tails[of]
        cut = [] if tail.fault is None else [CutBack(tail.stands, tail.fault, record.wall_time)]
        self._write(of, tail.last + 1, [*cut, record])

    def close(self) -> None:
        """Give up the file and the right to write it. Closing twice is safe."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _write(self, of: int, first: int, records: Sequence[Timed]) -> None:
        rows = [self._coder.encoded(of, number, record) for number, record in enumerate(records, start=first)]
        with telling(self._path):
            write_rows(self._connection, rows)
        self._tails[of] = _Tail(rows[-1].number)

    def _told(self, of: int, kept: KeptT | None) -> KeptT | None:
        """What the reader tells; where it goes on is remembered, and need not be read again."""
        if kept is not None:
            self._tails[of] = _Tail(kept.last, kept.stands, kept.fault)
        return super()._told(of, kept)
