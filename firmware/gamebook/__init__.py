"""Games of the link that are never lost: what is done in them, on disk before it is sent, and how they go on.

The names below are what the rest of the firmware uses; README.md here tells how it is kept.
"""

from firmware.gamebook.book import GameBook, GameBookReader
from firmware.gamebook.reading import Kept
from firmware.gamebook.records import Acted, GameBegan, GameLeft, Later, Record, SeatChanged, Seated
from firmware.keeping.records import CutBack

__all__ = [
    "Acted",
    "CutBack",
    "GameBegan",
    "GameBook",
    "GameBookReader",
    "GameLeft",
    "Kept",
    "Later",
    "Record",
    "SeatChanged",
    "Seated",
]
