"""A book's file, read and changed as any tool may: what damage, another version or another program left."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from firmware.keeping.rows import row_id


@contextmanager
def by_hand(path: Path) -> Iterator[sqlite3.Connection]:
    """A database, whose changes are kept when all went well."""
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def lose(path: Path, number: int, of: int = 1) -> None:
    """Take a record out of a match or a game."""
    with by_hand(path) as connection:
        assert connection.execute("DELETE FROM records WHERE id = ?", (row_id(of, number),)).rowcount == 1
