"""The link games' part of the benchmark's page. Layout only; every number comes measured."""

from collections.abc import Sequence

from tests.bench.report import Target
from tests.bench.set_search import SearchCosts

_TIMES = 20
"""So many times as fast as testing all triples ours has to be on the whole deck."""


def print_searches(costs: Sequence[SearchCosts]) -> None:
    """All sets among so many cards, beside the peers."""
    print(
        "\nAll sets among     there  ours, us  triples, us  pairs, us  triples / ours  pairs / ours  any, us"
    )
    for each in costs:
        triples, pairs = each.triples_ms / each.ours_ms, each.pairs_ms / each.ours_ms
        print(
            f"  {each.cards:>3} cards        {each.sets:7.1f} {1e3 * each.ours_ms:9.1f} "
            f"{1e3 * each.triples_ms:12.1f} {1e3 * each.pairs_ms:10.1f} {triples:15.1f} {pairs:13.1f} "
            f"{1e3 * each.any_ms:8.1f}"
        )


def search_targets(costs: Sequence[SearchCosts]) -> list[Target]:
    """Whether ours is as much faster as it should be."""
    whole = costs[-1]
    ratio = whole.triples_ms / whole.ours_ms
    what = f"all sets of {whole.cards} cards: {_TIMES} times as fast as all triples"
    return [Target(what, f"{ratio:.0f} times", ratio >= _TIMES)]
