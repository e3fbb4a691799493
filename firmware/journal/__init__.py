"""Matches that are never lost: what is done in them, on disk before it is shown, and how they go on.

The names below are what the rest of the firmware uses; README.md here tells how it is kept.
"""

from firmware.journal.files import default_directory, lock_of
from firmware.journal.folding import board_warning, replayed, resume
from firmware.journal.journal import Journal, JournalReader
from firmware.journal.reading import Ending, Summary
from firmware.journal.records import (
    Acted,
    Later,
    LetStand,
    MatchBegan,
    MatchLeft,
    Reading,
    Record,
    Reviewed,
    TableKind,
)
from firmware.keeping.errors import JournalError

__all__ = [
    "Acted",
    "Ending",
    "Journal",
    "JournalError",
    "JournalReader",
    "Later",
    "LetStand",
    "MatchBegan",
    "MatchLeft",
    "Reading",
    "Record",
    "Reviewed",
    "Summary",
    "TableKind",
    "board_warning",
    "default_directory",
    "lock_of",
    "replayed",
    "resume",
]
