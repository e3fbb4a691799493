"""Finding all sets among cards: ours beside testing every three, and beside a hash of every pair's third.

The peers are what people write: plain Python, with features looked up once. Nothing is printed.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from firmware.games.setgame.cards import DECK, Card, Three, has_set, sets_among
from tests.bench.costs import least_ms

SIZES: Final = (12, 15, 21, 81)
_TABLES: Final = {12: 100, 15: 100, 21: 50, 81: 1}
"""How many tables of each size; of 81 there is one, and ours is asked a hundred times."""
_AGAIN: Final = 100

Features = tuple[int, int, int, int]
_FEATURES: Final[tuple[Features, ...]] = tuple(
    (card // 27, card // 9 % 3, card // 3 % 3, card % 3) for card in DECK
)
_CARDS: Final[dict[Features, Card]] = {features: card for card, features in enumerate(_FEATURES)}


@dataclass(frozen=True, slots=True)
class SearchCosts:
    """Means in ms a table."""

    cards: int
    sets: float
    """So many there were."""
    ours_ms: float
    triples_ms: float
    pairs_ms: float
    any_ms: float
    """Ours, for whether there is a set at all."""


def by_triples(cards: Iterable[Card]) -> tuple[Three, ...]:
    """Every three cards are tested, feature by feature until one tells."""
    found = []
    for a, b, c in combinations(sorted(cards), 3):
        for x, y, z in zip(_FEATURES[a], _FEATURES[b], _FEATURES[c], strict=True):
            if (x + y + z) % 3:
                break
        else:
            found.append((a, b, c))
    return tuple(found)


def by_pairs(cards: Iterable[Card]) -> tuple[Three, ...]:
    """The third card of every pair is made, and looked up among those there."""
    there = sorted(cards)
    present = set(there)
    found = []
    for a, b in combinations(there, 2):
        p, q = _FEATURES[a], _FEATURES[b]
        c = _CARDS[(-p[0] - q[0]) % 3, (-p[1] - q[1]) % 3, (-p[2] - q[2]) % 3, (-p[3] - q[3]) % 3]
        if c > b and c in present:
            found.append((a, b, c))
    return tuple(found)


def measure_searches() -> list[SearchCosts]:
    """The same random tables for all. AssertionError if they do not find the same sets."""
    draw = random.Random(1)
    costs = []
    for size in SIZES:
        tables = [tuple(draw.sample(DECK, size)) for _ in range(_TABLES[size])]
        found = [sets_among(table) for table in tables]
        assert found == [by_triples(table) for table in tables] == [by_pairs(table) for table in tables]
        again = _AGAIN // len(tables)
        costs.append(
            SearchCosts(
                cards=size,
                sets=sum(map(len, found)) / len(tables),
                ours_ms=_a_table(sets_among, tables, again),
                triples_ms=_a_table(by_triples, tables),
                pairs_ms=_a_table(by_pairs, tables),
                any_ms=_a_table(has_set, tables, again),
            )
        )
    return costs


def _a_table(
    search: Callable[[Sequence[Card]], object], tables: Sequence[Sequence[Card]], again: int = 1
) -> float:
    """Time that one table takes, ms."""

    def work() -> None:
        for _ in range(again):
            for table in tables:
                search(table)

    return least_ms(work) / len(tables) / again
