"""The benchmark's peers of the search for sets find what ours finds: else their times would mean nothing."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.games.setgame.cards import DECK, Card, sets_among
from tests.bench.set_search import by_pairs, by_triples


@given(st.sets(st.sampled_from(DECK), max_size=24))
def test_the_peers_find_the_same(cards: set[Card]) -> None:
    assert by_triples(cards) == by_pairs(cards) == sets_among(cards)


def test_on_the_whole_deck_too() -> None:
    assert by_triples(DECK) == by_pairs(DECK) == sets_among(DECK)
