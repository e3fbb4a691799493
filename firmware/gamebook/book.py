"""The game book: every game of the link as it was played, on disk before anything of it is sent.

`GameBook` is the one that writes, `GameBookReader` looks on, also while another program writes. Neither has a
clock: times come with the records. Called from one thread.
"""

import sqlite3
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from firmware.gamebook.reading import Kept, kept_of
from firmware.gamebook.records import CutBack, GameBegan, Later, Record
from firmware.keeping.errors import JournalError, telling
from firmware.keeping.files import Lock
from firmware.keeping.form import Form, Migration
from firmware.keeping.opening import LARGEST_ID, latest_in, rows_of, to_read, to_write, write_rows
from firmware.keeping.rows import Coder

SCHEMA: Final = 1
MIGRATIONS: dict[int, Migration] = {}
"""What makes of each older version the next one (`tables.rewrite` helps); the first version is 1."""
NAME: Final = "games.db"
FORM: Final = Form(NAME, "games.lock", "game", "game book", SCHEMA, MIGRATIONS)
CODER: Final[Coder[Record]] = Coder(Record, FORM)


class _Tail(NamedTuple):
    """Where a game goes on: after its last row, and after so many actions if something is at fault."""

    last: int
    actions: int = 0
    fault: str | None = None


class GameBookReader:
    """Looks at a game book. `warnings` are sentences for people on what was wrong with it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, warnings: list[str]) -> None:
        """Use `open`."""
        self._path = path
        self._connection = connection
        self.warnings = warnings

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The game book in a folder, to look at. JournalError if there is none, or a newer program's.

        Nothing is changed: what is readable of a damaged file is shown, and the file left as it is.
        """
        opened = to_read(directory, FORM)
        return cls(opened.path, opened.connection, opened.warnings)

    def games(self) -> tuple[Kept, ...]:
        """Every game whose beginning can be read, in the order in which they were begun."""
        with telling(self._path):
            rows = rows_of(self._connection, 0, LARGEST_ID)
            kept = [
                self._told(game, kept_of(game, CODER, its)) for game, its in groupby(rows, lambda r: r.of)
            ]
        return tuple(each for each in kept if each is not None)

    def game(self, game: int) -> Kept:
        """What was kept of a game: all of it, or up to what cannot be read, and a warning then. JournalError
        if there is no such game, or its beginning cannot be read."""
        with telling(self._path):
            rows = list(rows_of(self._connection, game, game)) if 0 < game <= LARGEST_ID else []
        if not rows:
            raise JournalError(f"there is no game {game} in {self._path}")
        kept = self._told(game, kept_of(game, CODER, rows))
        if kept is None:
            raise JournalError(f"game {game} cannot be read: its beginning is damaged, or another version's")
        return kept

    def going_on(self) -> Kept | None:
        """The game to go on with: the latest, unless it was left. One that is over goes on, since its last
        action can be taken back. None too for one that only another version can go on with, with a warning:
        it stays as it is."""
        with telling(self._path):
            latest = latest_in(self._connection)
            kept = self._told(latest, kept_of(latest, CODER, rows_of(self._connection, latest, latest)))
        if latest == 0 or kept is None or kept.left is not None or kept.other_version:
            return None
        return kept

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

    def _told(self, game: int, kept: Kept | None) -> Kept | None:
        """`kept`, with a warning if it is not all."""
        fault = kept.fault if kept is not None else None
        if kept is None and game > 0:
            fault = f"Game {game} cannot be read: its beginning is damaged, or another version's."
        if fault is not None and fault not in self.warnings:
            self.warnings.append(fault)
        return kept


class GameBook(GameBookReader):
    """Keeps games. What `begin` and `append` have returned from survives the loss of power."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, warnings: list[str], lock: Lock, *, mended: bool
    ) -> None:
        """Use `open`."""
        super().__init__(path, connection, warnings)
        self.mended = mended
        """Whether something was damaged, so that what was kept before may be missing. A last record that was
        cut off while it was written is no damage: it had not been told."""
        self._lock = lock
        self._tails: dict[int, _Tail] = {}

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The game book in a folder, to write; both are made if they are not there.

        A damaged file is moved aside, and what is readable of it kept. JournalError if another process has
        it, if a newer program wrote it, or if the folder cannot be written to.
        """
        opened = to_write(directory, FORM)
        assert opened.lock is not None
        return cls(opened.path, opened.connection, opened.warnings, opened.lock, mended=opened.mended)

    def begin(self, record: GameBegan) -> int:
        """Keep the beginning of a game; its number. JournalError if it could not be kept; try again."""
        with telling(self._path):
            game = latest_in(self._connection) + 1
            self._write(game, 1, [record])
        return game

    def append(self, game: int, record: Later) -> None:
        """Keep what happened in a game; it is on disk when this returns. JournalError if it could not be
        kept: it then is not there, and may be tried again as soon as there is room."""
        if game not in self._tails:
            self.game(game)
        tail = self._tails[game]
        records: list[Record] = [record]
        if tail.fault is not None:
            records.insert(0, CutBack(tail.actions, tail.fault, record.wall_time))
        with telling(self._path):
            self._write(game, tail.last + 1, records)

    def close(self) -> None:
        """Give up the file and the right to write it. Closing twice is safe."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _write(self, game: int, first: int, records: list[Record]) -> None:
        rows = [CODER.encoded(game, number, record) for number, record in enumerate(records, start=first)]
        write_rows(self._connection, rows)
        self._tails[game] = _Tail(rows[-1].number)

    def _told(self, game: int, kept: Kept | None) -> Kept | None:
        """What the reader tells; where the game goes on is remembered, and need not be read again."""
        if kept is not None:
            self._tails[game] = _Tail(kept.last, len(kept.actions), kept.fault)
        return super()._told(game, kept)
