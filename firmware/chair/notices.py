"""Notices of a match, which pass by themselves.

Times come in. What a notice says, and what is shown instead of it, is not known here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.texts import Texts

NOTICE_S: Final = 4.0
"""So long, in seconds, a notice stands that nothing else takes away."""
TAKEN_S: Final = 2.0
"""So long one stands that tells only that a press was taken: what it hides is the last call."""
ENDS_S: Final = 12.0
"""So long one stands for which people get up."""

Saying = Callable[[Texts], str]
"""A sentence, in whatever language is spoken when it is shown."""


@dataclass(frozen=True, slots=True)
class _Passing:
    saying: Saying
    until_s: float


class Notices:
    """What people should know now. Seconds are of one clock that never goes back."""

    def __init__(self) -> None:
        self._passing: _Passing | None = None

    def tell(self, saying: Saying, now_s: float, for_s: float = NOTICE_S) -> None:
        """Have a notice stand for so many seconds, in place of the one before."""
        self._passing = _Passing(saying, now_s + for_s)

    def clear(self) -> None:
        """Have no notice any more."""
        self._passing = None

    def passing(self, now_s: float) -> Saying | None:
        """The notice that stands now."""
        return None if self._passing is None or now_s >= self._passing.until_s else self._passing.saying
