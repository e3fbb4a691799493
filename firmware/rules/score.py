"""The game scorer as a value, and how a match ended. How it moves is in `scoring.py`."""

from typing import Final, Literal

import msgspec

from firmware.rules.landing import Side

Counting = Literal["tennis", "tie-break", "simplified"]
"""How the points of a game are told: 0, 15, 30, 40, AD, or plain numbers."""

_NAMES: Final = ("0", "15", "30", "40")
_FORTY: Final = 3


class Score(msgspec.Struct, frozen=True):
    """The game scorer. Each pair is side A's count, then side B's."""

    points: tuple[int, int] = (0, 0)
    """Rallies won in this game; they only grow in it, also from advantage back to 40-40."""
    games: tuple[int, int] = (0, 0)
    """Games won in this set."""
    sets: tuple[int, int] = (0, 0)
    """Sets won in this match."""
    counting: Counting = "tennis"

    @property
    def point_names(self) -> tuple[str, str]:
        """The points of the game as they are called out (rulebook, Figure F): "0", "15", "30",
        "40", "AD"; plain numbers in a tie-break and in a simplified match."""
        a, b = self.points
        if self.counting != "tennis":
            return str(a), str(b)
        if max(a, b) <= _FORTY:
            return _NAMES[a], _NAMES[b]
        # Beyond 40 the scorer tells only who leads (rulebook, Advantage).
        return ("AD" if a > b else "40"), ("AD" if b > a else "40")


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended."""

    winner: Side
    reason: Literal["sets", "points"]
    """`sets`: the winner has the agreed number of sets; `points`: was the first to 12 (SM-16)."""
