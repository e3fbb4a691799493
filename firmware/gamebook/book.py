"""The game book: every game of the link as it was played, on disk before anything of it is sent.

`GameBook` is the one that writes, `GameBookReader` looks on, also while another program writes. Only what is
a game's own is here; the rest is any book's (`firmware.keeping.book`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Self

from firmware.gamebook.reading import Kept, kept_of
from firmware.gamebook.records import GameBegan, Later, Record
from firmware.games.catalogue import GAMES, Game
from firmware.keeping.book import BookReader, BookWriter
from firmware.keeping.form import Form, Migration
from firmware.keeping.opening import Opened, to_read, to_write
from firmware.keeping.rows import Coder, Row

SCHEMA: Final = 1
MIGRATIONS: dict[int, Migration] = {}
"""What makes of each older version the next one (`tables.rewrite` helps); the first version is 1."""
NAME: Final = "games.db"
FORM: Final = Form(
    *(NAME, "games.lock", "game", "game book", SCHEMA, MIGRATIONS),
    unread="its beginning is damaged, or another version's",
)
CODER: Final[Coder[Record]] = Coder(Record, FORM)


class GameBookReader(BookReader[Kept]):
    """Looks at a game book. `warnings` are sentences for people on what was wrong with it."""

    def __init__(self, opened: Opened, games: Mapping[str, Game]) -> None:
        """Use `open`."""
        super().__init__(opened)
        self._games = games

    @classmethod
    def open(cls, directory: Path, games: Mapping[str, Game] = GAMES) -> Self:
        """The game book in a folder, to look at: no file is changed. Errors as of `to_read`."""
        return cls(to_read(directory, FORM), games)

    def games(self) -> tuple[Kept, ...]:
        """Every game whose beginning can be read, in the order in which they were begun."""
        return self._all()

    def game(self, game: int) -> Kept:
        """What was kept of a game: all of it, or up to what cannot be read, and a warning then. JournalError
        if there is no such game, or its beginning cannot be read."""
        return self._one(game)

    def going_on(self) -> Kept | None:
        """The game to go on with: the latest, unless it was left. One that is over goes on, since its last
        action can be taken back. None too for one that only another version can go on with, with a warning:
        it stays as it is."""
        latest = self._latest()
        kept = self._readable(latest) if latest > 0 else None
        return None if kept is None or kept.left is not None or kept.other_version else kept

    def _kept_of(self, of: int, rows: Iterable[Row]) -> Kept | None:
        return kept_of(of, CODER, rows, self._games)


class GameBook(GameBookReader, BookWriter[Kept, GameBegan, Later]):
    """Keeps games. What `begin` and `append` have returned from survives the loss of power."""

    _coder = CODER

    @classmethod
    def open(cls, directory: Path, games: Mapping[str, Game] = GAMES) -> Self:
        """The game book in a folder, to write, made or mended if need be. Errors as of `to_write`."""
        return cls(to_write(directory, FORM), games)
