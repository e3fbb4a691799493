"""Chance that a state can hold: a seed and how often it was asked, so that a game replays bit for bit.

Numbers are SHA-256 over seed and position rather than of a library's generator, whose methods may give other
numbers in another version of Python.
"""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import msgspec

_T = TypeVar("_T")
_SPAN = 1 << 64


class Chance(msgspec.Struct, frozen=True):
    """Where a sequence of chances stands. `seed`: any text; `position`: how many numbers were taken."""

    seed: str
    position: int = 0

    def below(self, n: int) -> "tuple[int, Chance]":
        """A number from 0 to n - 1, each as likely, and the chance after it. ValueError for n < 1."""
        if n < 1:
            raise ValueError(f"there is no number below {n}")
        position = self.position
        while True:
            digest = hashlib.sha256(f"{self.seed}/{position}".encode()).digest()
            position += 1
            number = int.from_bytes(digest[:8], "big")
            if number < _SPAN - _SPAN % n:  # what is beyond would make small numbers likelier
                return number % n, Chance(self.seed, position)

    def shuffled(self, items: Sequence[_T]) -> "tuple[tuple[_T, ...], Chance]":
        """The items in another order, each order as likely (Fisher and Yates), and the chance after it."""
        order, chance = list(items), self
        for last in range(len(order) - 1, 0, -1):
            other, chance = chance.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order), chance
