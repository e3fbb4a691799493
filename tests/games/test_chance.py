"""Chance that replays: the same seed gives the same numbers in every version, each as likely as another."""

from collections import Counter
from itertools import permutations

import pytest

from firmware.games.chance import Chance

RECORDED = (8, 1, 3, 9, 2, 0, 5, 7, 6, 4)


def test_the_same_seed_gives_the_same_for_ever() -> None:
    order, after = Chance("7").shuffled(range(10))
    assert order == RECORDED
    assert after == Chance("7", 9)
    assert Chance("7").shuffled(range(10))[0] == order
    assert Chance("8").shuffled(range(10))[0] != order


def test_a_number_from_each_position() -> None:
    first, after = Chance("x").below(1000)
    second, _ = after.below(1000)
    assert (first, second) == (Chance("x").below(1000)[0], Chance("x", after.position).below(1000)[0])
    assert after.position >= 1


def test_every_order_is_as_likely() -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    chance = Chance("fair")
    for _ in range(6000):
        order, chance = chance.shuffled((0, 1, 2))
        counts[order] += 1
    assert set(counts) == set(permutations((0, 1, 2)))
    # Chi squared with five degrees of freedom; 20.5 is passed once in a thousand seeds, and this is one seed.
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


def test_there_is_nothing_below_nothing() -> None:
    with pytest.raises(ValueError, match="no number below 0"):
        Chance("x").below(0)
    assert Chance("x").below(1)[0] == 0
