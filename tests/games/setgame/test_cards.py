"""SET-05: what the deck holds, counted; and the fast search held against trying every three cards."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.games.setgame.cards import (
    CARDS,
    DECK,
    SETS,
    SOLID,
    Card,
    code,
    differing,
    has_set,
    is_set,
    sets_among,
    sums,
    third,
)

TWO_VALUES = tuple(
    card
    for name, card in CARDS.items()
    if name[0] in "12" and name[1] in "OD" and name[2] in "SH" and name[3] in "RP"
)
"""Sixteen cards of two values in each feature: no three of them can all differ."""


def is_set_by_words(cards: tuple[Card, ...]) -> bool:
    """The rule as it is told: each feature all alike or all different."""
    codes = [code(card) for card in cards]
    return all(len({each[feature] for each in codes}) in (1, 3) for feature in range(4))


def test_the_deck_has_1080_sets() -> None:
    assert len(SETS) == len(set(SETS)) == 1080
    assert set(SETS) == {three for three in combinations(DECK, 3) if is_set_by_words(three)}


def test_each_card_is_in_forty() -> None:
    assert Counter(card for three in SETS for card in three) == dict.fromkeys(DECK, 40)


def test_sets_by_features_that_differ() -> None:
    assert Counter(map(differing, SETS)) == {1: 108, 2: 324, 3: 432, 4: 216}


def test_two_cards_have_one_third() -> None:
    for a, b in combinations(DECK, 2):
        assert is_set_by_words((a, b, third(a, b)))
        assert third(a, b) == third(b, a)
        assert third(a, third(a, b)) == b


def test_codes_are_read_back() -> None:
    assert {code(card): card for card in DECK} == CARDS
    assert code(CARDS["2WHR"]) == "2WHR"


def test_the_beginners_deck_is_solid() -> None:
    assert len(SOLID) == 27
    assert {code(card)[2] for card in SOLID} == {"S"}
    assert len(sets_among(SOLID)) == 117


def test_the_deck_sums_to_nothing() -> None:
    assert sums(DECK) == sums(SOLID) == (0, 0, 0, 0)
    assert all(sums(three) == (0, 0, 0, 0) for three in SETS)
    assert sums([CARDS["1OSR"]]) == (0, 0, 0, 0)
    assert sums([CARDS["2DHP"]]) == (1, 1, 1, 1)


def test_a_card_makes_no_set_with_itself() -> None:
    assert not is_set(5, 5, 5)
    assert not has_set((7,))


def test_sixteen_cards_of_two_values_hold_none() -> None:
    assert len(TWO_VALUES) == 16
    assert sets_among(TWO_VALUES) == ()
    assert not has_set(TWO_VALUES)


@given(st.sets(st.sampled_from(DECK), max_size=81))
def test_all_sets_are_found_and_no_others(cards: set[Card]) -> None:
    expected = tuple(three for three in SETS if cards.issuperset(three))
    assert sets_among(cards) == expected
    assert has_set(tuple(cards)) == bool(expected)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 12, 15, 21, 35, 36, 37, 81])
def test_the_search_at_every_size_that_matters(size: int) -> None:
    cards = DECK[:size]
    assert sets_among(reversed(cards)) == tuple(t for t in combinations(cards, 3) if is_set_by_words(t))


TWENTY = (1, 4, 5, 8, 9, 11, 13, 14, 19, 44, 46, 55, 58, 59, 62, 71, 76, 77, 78, 79)


def test_twenty_cards_may_hold_none_and_any_more_makes_one() -> None:
    assert not has_set(TWENTY)
    for card in set(DECK) - set(TWENTY):
        assert has_set((*TWENTY, card))


@pytest.mark.parametrize(
    ("size", "chance", "deals"), [(12, 0.0323019786, 20_000), (15, 0.00036468507, 60_000)]
)
def test_the_chance_of_no_set(size: int, chance: float, deals: int) -> None:
    draw = random.Random(size)
    without = sum(not has_set(draw.sample(DECK, size)) for _ in range(deals))
    # Four standard deviations of the count: passed by one seed in 16,000, and this is one seed.
    error = 4 * (deals * chance * (1 - chance)) ** 0.5
    assert abs(without - deals * chance) < error
