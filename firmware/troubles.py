"""What is wrong with the parts of a table: told once each, and what of it stops the scoring.

Sentences only; what is logged and shown of them is the daemon's.
"""

from typing import Final

_SIGHT: Final = ("camera", "pictures")
_KEEPING: Final = "journal"
_NOTICE_LENGTH: Final = 200
"""What a scoreboard's notice may have."""


class Troubles:
    """One sentence for each part that is not well."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def is_new(self, part: str, text: str) -> bool:
        """Note it; whether it was not known."""
        new = self._told.get(part) != text
        self._told[part] = text
        return new

    def ended(self, part: str) -> bool:
        """It is well again; whether it was not."""
        return self._told.pop(part, None) is not None

    @staticmethod
    def stops(part: str) -> bool:
        """Whether nothing is scored without this part."""
        return part in _SIGHT or part == _KEEPING

    @property
    def unkept(self) -> str | None:
        """Why nothing can be kept, for the panels; None if it can."""
        text = self._told.get(_KEEPING)
        return None if text is None else short(f"Scoring waits, nothing can be saved. {short(text)}")

    @property
    def unseen(self) -> str | None:
        """Why nothing is seen, for the panels; None if it is."""
        return next((short(self._told[part]) for part in _SIGHT if part in self._told), None)


def short(text: str) -> str:
    """What a panel has room for, without the name of a file in front: nobody at the table needs it."""
    head, _, tail = text.partition(": ")
    if "/" in head:
        text = tail
    return text if len(text) <= _NOTICE_LENGTH else text[: _NOTICE_LENGTH - 1] + "…"
