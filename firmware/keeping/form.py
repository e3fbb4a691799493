"""What one book is, for all that keeps books: its files, its version, its words for people."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Migration = Callable[[sqlite3.Connection], None]


@dataclass(frozen=True)
class Form:
    """A kind of book."""

    name: str
    """Of its database, in the state folder."""
    lock: str
    """Of the file that whoever writes it holds a lock on."""
    of: str
    """What it is of, as people call one: a match, a game."""
    of_all: str
    """What the whole is called: the journal, the game book."""
    schema: int
    """The version of its records and tables, from 1."""
    migrations: Mapping[int, Migration]
    """What makes of each older version the next one; it runs within a transaction."""
    unread: str
    """Why one cannot be read of which the beginning cannot, for people."""
    listed: str = ""
    """What people are told beside, where one is not there: how to see which are."""
