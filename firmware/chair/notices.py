"""Notices of a match: what stops the umpire from seeing, as long as it does, and what passes by itself.

Times come in. What a notice says, and what is shown instead of it, is not known here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.texts import NoticeCode, Texts

NOTICE_S: Final = 4.0
"""So long, in seconds, a notice stands that nothing else takes away."""

Saying = Callable[[Texts], str]
"""A sentence, in whatever language is spoken when it is shown."""


@dataclass(frozen=True, slots=True)
class _Passing:
    saying: Saying
    until_s: float


class Notices:
    """What people should know now. Seconds are of one clock that never goes back."""

    def __init__(self) -> None:
        self._troubles: list[NoticeCode] = []  # the latest last
        self._passing: _Passing | None = None

    def umpire(self, code: NoticeCode) -> None:
        """The umpire tells of a trouble, or of its end."""
        match code:
            case "sight-back":
                self._end("too-dark", "covered")
            case "board-found":
                self._end("board-moved")
            case _:
                self._end(code)  # told again, it is the latest
                self._troubles.append(code)

    def ball_seen(self) -> None:
        """The ball was seen: it is not lost. Nor is a picture out of focus told any longer: the umpire does
        not say when it is sharp again, calls go on meanwhile, and the score has to be seen."""
        self._end("ball-lost", "out-of-focus")

    def tell(self, saying: Saying, now_s: float) -> None:
        """Have a notice stand for `NOTICE_S`, in place of the one before."""
        self._passing = _Passing(saying, now_s + NOTICE_S)

    def clear(self) -> None:
        """Have no passing notice any more; a trouble stays."""
        self._passing = None

    @property
    def trouble(self) -> NoticeCode | None:
        """The latest trouble that has not ended."""
        return self._troubles[-1] if self._troubles else None

    def passing(self, now_s: float) -> Saying | None:
        """The notice that stands now."""
        return None if self._passing is None or now_s >= self._passing.until_s else self._passing.saying

    def _end(self, *codes: NoticeCode) -> None:
        self._troubles = [code for code in self._troubles if code not in codes]
