"""What keeps the umpire from seeing: it tells changes only, and what they come to is remembered here.

One of these for each umpire, since the next one tells anew. What people read of it is not known here.
"""

from collections.abc import Sequence
from typing import Final

from firmware.texts import NoticeCode
from firmware.umpire.observations import NoticeSeen, Observation

_WITHHELD: Final[tuple[NoticeCode, ...]] = ("too-dark", "covered", "board-moved")
"""What the umpire makes no calls under; under all else it goes on."""


class Blindness:
    """What one umpire has told to be wrong, and not to be well again."""

    def __init__(self) -> None:
        self._troubles: list[NoticeCode] = []  # the latest last

    def heard(self, found: Sequence[Observation]) -> None:
        """What became certain with a frame."""
        for seen in found:
            if isinstance(seen, NoticeSeen):
                self._told(seen.code)
            else:
                # A ball that is seen is not lost. Nor is a picture out of focus told any longer: the umpire
                # does not say when it is sharp again, calls go on meanwhile, and the score has to be seen.
                self._end("ball-lost", "out-of-focus")

    def new_match(self) -> None:
        """The ball that is lost was of another match: it need not be put anywhere."""
        self._end("ball-lost")

    @property
    def trouble(self) -> NoticeCode | None:
        """The latest that has not ended."""
        return self._troubles[-1] if self._troubles else None

    @property
    def withholds(self) -> bool:
        """Whether nothing is called for one of them."""
        return any(code in _WITHHELD for code in self._troubles)

    def _told(self, code: NoticeCode) -> None:
        match code:
            case "sight-back":
                self._end("too-dark", "covered")
            case "board-found":
                self._end("board-moved")
            case _:
                self._end(code)  # told again, it is the latest
                self._troubles.append(code)

    def _end(self, *codes: NoticeCode) -> None:
        self._troubles = [code for code in self._troubles if code not in codes]
