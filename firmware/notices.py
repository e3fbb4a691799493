"""Notices of a match: what stops the umpire from seeing, as long as it does, and what passes by itself.

Times come in. What a notice says, and what is shown instead of it, is not known here.
"""

from dataclasses import dataclass
from typing import Final

from firmware.umpire.observations import NoticeCode, NoticeSeen

NOTICE_S: Final = 4.0
"""So long, in seconds, a notice stands that nothing else takes away."""


@dataclass(frozen=True, slots=True)
class _Passing:
    text: str
    until_s: float


class Notices:
    """What people should know now. Seconds are of one clock that never goes back."""

    def __init__(self) -> None:
        self._troubles: dict[NoticeCode, str] = {}
        self._passing: _Passing | None = None

    def umpire(self, seen: NoticeSeen) -> None:
        """The umpire tells of a trouble, or of its end."""
        match seen.code:
            case "sight-back":
                self._end("too-dark", "covered")
            case "board-found":
                self._end("board-moved")
            case code:
                self._end(code)  # told again, it is the latest
                self._troubles[code] = seen.text

    def ball_seen(self) -> None:
        """The ball was seen: it is not lost, and though it be out of focus, whose end the umpire does not
        tell, calls go on."""
        self._end("ball-lost", "out-of-focus")

    def tell(self, text: str, now_s: float) -> None:
        """Have a notice stand for `NOTICE_S`, in place of the one before."""
        self._passing = _Passing(text, now_s + NOTICE_S)

    def clear(self) -> None:
        """Have no passing notice any more; a trouble stays."""
        self._passing = None

    @property
    def trouble(self) -> str | None:
        """The latest trouble that has not ended."""
        return next(reversed(self._troubles.values()), None)

    def passing(self, now_s: float) -> str | None:
        """The notice that stands now."""
        return None if self._passing is None or now_s >= self._passing.until_s else self._passing.text

    def _end(self, *codes: NoticeCode) -> None:
        for code in codes:
            self._troubles.pop(code, None)
