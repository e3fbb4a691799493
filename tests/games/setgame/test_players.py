"""SET's computer players: legal in everything, right as far as they are strong, slow as far as it is hard."""

from itertools import combinations
from statistics import mean

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.games.chance import Chance
from firmware.games.protocol import STRENGTHS, Strength
from firmware.games.setgame import (
    AgreeNone,
    Claim,
    Deal,
    Leave,
    Name,
    Setup,
    Sit,
    State,
    TimeUp,
    Withdraw,
    start,
)
from firmware.games.setgame.cards import CARDS, DECK, SETS, Card, Three, differing, is_set, sets_among, third
from firmware.games.setgame.engine import step, view
from firmware.games.setgame.players import SKILLS, Thought, thought

every_strength = pytest.mark.parametrize("strength", STRENGTHS)


def at(table: tuple[Card, ...], seats: int = 2, **other: object) -> State:
    """A state with these cards on the table."""
    state = start(Setup(seats=seats, seed="a seed"))
    deck = tuple(card for card in DECK if card not in table)
    return msgspec.structs.replace(state, table=table, deck=deck, **other)


def filled(three: Three | None, size: int) -> tuple[Card, ...]:
    """A table with one set, or with none."""
    table = list(three or ())
    for card in DECK:
        if len(table) == size:
            break
        if card not in table and all(third(a, b) != card for a, b in combinations(table, 2)):
            table.append(card)
    assert len(table) == size
    assert sets_among(table) == ((three,) if three else ())
    return tuple(table)


def asked(state: State, strength: Strength, seed: int, seat: int = 1) -> Thought:
    return thought(view(state, seat), strength, Chance(str(seed)))


def one_set(features: int) -> Three:
    """A set that differs in so many features, among whose fellows there is room for others."""
    return next(three for three in SETS if differing(three) == features)


def mean_claim_s(table: tuple[Card, ...], strength: Strength) -> float:
    thoughts = [asked(at(table), strength, seed) for seed in range(300)]
    return mean(each.after_s for each in thoughts if isinstance(each.move, Claim))


@every_strength
def test_sets_whose_cards_are_alike_are_found_sooner(strength: Strength) -> None:
    times = [mean_claim_s(filled(one_set(features), 12), strength) for features in (1, 2, 3, 4)]
    assert times == sorted(times)
    assert times[-1] > 1.3 * times[0]


@every_strength
def test_more_cards_take_longer(strength: Strength) -> None:
    three = one_set(2)
    times = [mean_claim_s(filled(three, size), strength) for size in (9, 12, 15)]
    assert times == sorted(times)
    assert times[-1] > 1.3 * times[0]


def test_more_sets_are_found_sooner() -> None:
    three = one_set(3)
    two = next(t for t in SETS if not set(t) & set(three) and differing(t) == 3)
    many = (*three, *two)
    assert mean_claim_s(many, "fair") < mean_claim_s(filled(three, 6), "fair")


def test_the_stronger_is_faster() -> None:
    table = filled(one_set(3), 12)
    strong, fair, easy = (mean_claim_s(table, strength) for strength in ("strong", "fair", "easy"))
    assert strong < fair < easy


def claims(state: State, strength: Strength, times: int = 400) -> list[Name]:
    held = msgspec.structs.replace(state, claimed=1)
    moves = [asked(held, strength, seed).move for seed in range(times)]
    assert all(isinstance(move, Name) for move in moves)
    return [move for move in moves if isinstance(move, Name)]


def test_the_strong_name_sets_and_others_now_and_then_what_nearly_is_one() -> None:
    state = at(filled(one_set(4), 12))
    wrong: dict[Strength, int] = {}
    for strength in STRENGTHS:
        named = [tuple(CARDS[card] for card in move.cards) for move in claims(state, strength)]
        failed = [cards for cards in named if not is_set(*cards)]
        wrong[strength] = len(failed)
        for a, b, c in failed:
            digits = [(a // place % 3 + b // place % 3 + c // place % 3) % 3 for place in (27, 9, 3, 1)]
            assert sum(digit != 0 for digit in digits) == 1
    assert wrong["strong"] == 0
    assert 0 < wrong["fair"] < wrong["easy"] < 400


@every_strength
@pytest.mark.parametrize("naming_s", [1.0, 5.0, 60.0])
def test_a_set_is_named_in_time(strength: Strength, naming_s: float) -> None:
    state = at(filled(one_set(1), 12), claimed=1)
    state = msgspec.structs.replace(state, setup=msgspec.structs.replace(state.setup, naming_s=naming_s))
    assert all(0 < asked(state, strength, seed).after_s < naming_s for seed in range(200))


@every_strength
def test_without_a_set_everybody_comes_to_believe_so(strength: Strength) -> None:
    bare = at(filled(None, 12))
    moves = [asked(bare, strength, seed).move for seed in range(200)]
    assert any(isinstance(move, AgreeNone) for move in moves)
    if strength == "strong":
        assert all(isinstance(move, AgreeNone) for move in moves)


def test_only_the_strong_are_never_wrong_about_there_being_none() -> None:
    state = at(filled(one_set(4), 15))
    agreed = {
        strength: sum(isinstance(asked(state, strength, seed).move, AgreeNone) for seed in range(400))
        for strength in STRENGTHS
    }
    assert agreed["strong"] == 0
    assert agreed["fair"] > 0
    assert 0 < agreed["easy"] < 400


@pytest.mark.parametrize(
    ("agreed", "away", "times"),
    [
        ((), (), 1),
        ((2, 3, 4), (), 5),
        ((3,), (), 1 + 4 / 3),
        ((3,), (4,), 3),
        ((3,), (2, 4), 5),
        ((), (2, 3, 4), 1),
    ],
)
def test_who_hears_the_others_agree_believes_sooner(
    agreed: tuple[int, ...], away: tuple[int, ...], times: float
) -> None:
    """By how many of those who sit there do; the strong think of nothing else where there is no set."""
    bare, reaction_s = filled(None, 12), SKILLS["strong"].reaction_s
    for seed in range(20):
        alone = asked(at(bare, seats=4), "strong", seed).after_s - reaction_s
        heard = asked(at(bare, seats=4, agreed=agreed, away=away), "strong", seed)
        assert isinstance(heard.move, AgreeNone)
        assert alone / (heard.after_s - reaction_s) == pytest.approx(times, rel=1e-3)


@every_strength
def test_who_was_told_that_there_is_one_looks_on(strength: Strength) -> None:
    told = at(filled(one_set(4), 12), hinted=True)
    assert not any(isinstance(asked(told, strength, seed).move, AgreeNone) for seed in range(200))


def test_who_is_locked_out_and_sees_a_set_takes_back_that_there_is_none() -> None:
    state = at(filled(one_set(1), 12), locked=1, agreed=(1,))
    assert isinstance(asked(state, "strong", 1).move, Withdraw)
    assert asked(at(filled(one_set(1), 12), locked=1), "strong", 1).move is None


def test_who_waits_for_another_does_nothing() -> None:
    state = at(filled(None, 12), claimed=2)
    assert asked(state, "easy", 1) == Thought(0.0, None, Chance("1"))


def test_onlookers_are_not_played_for() -> None:
    with pytest.raises(ValueError, match="seat"):
        thought(view(at(filled(None, 12)), None), "easy", Chance("1"))


def test_the_same_chance_gives_the_same_for_ever() -> None:
    state = at(filled(one_set(2), 12))
    assert [asked(state, strength, 7) for strength in STRENGTHS] == RECORDED


RECORDED = [
    Thought(5.482518, Claim(1), Chance("7", 2)),
    Thought(3.100263, Claim(1), Chance("7", 2)),
    Thought(1.568898, Claim(1), Chance("7", 2)),
]


@settings(deadline=None, max_examples=40)
@given(st.data(), st.integers(1, 4), st.sampled_from(STRENGTHS), st.sampled_from(["full", "beginner"]))
def test_whatever_happens_moves_are_legal_and_know_only_the_view(
    data: st.DataObject, seats: int, strength: Strength, deck: str
) -> None:
    given_setup = msgspec.convert({"seats": seats, "seed": "7", "deck": deck, "hands": 2}, Setup)
    state = start(given_setup)
    chance = Chance(str(data.draw(st.integers(0, 999))))
    for _ in range(40):
        if state.outcome is not None:
            break
        seat = data.draw(st.integers(1, seats))
        if seat in state.away:
            state = step(state, Sit(seat)).state
            continue
        if data.draw(st.integers(0, 19)) == 0:
            state = step(state, Leave(seat)).state
            continue
        if state.claimed is not None and data.draw(st.integers(0, 4)) == 0:
            state = step(state, TimeUp()).state
            continue
        seen = view(state, seat)
        other = msgspec.structs.replace(state, deck=state.deck[::-1], chance=Chance("another"))
        assert view(other, seat) == seen
        done = thought(seen, strength, chance)
        assert thought(seen, strength, chance) == done
        chance = done.chance
        assert done.after_s >= 0
        if done.move is not None:
            assert done.move.seat == seat
            state = step(state, done.move).state


def test_every_strength_has_its_skill() -> None:
    assert tuple(SKILLS) == STRENGTHS


def test_only_the_next_dealer_deals_and_soon() -> None:
    state = at(filled(None, 12), seats=3, dealt=False, dealer=1)
    state = msgspec.structs.replace(state, setup=msgspec.structs.replace(state.setup, hands=2))
    deals = [asked(state, "easy", seed, seat=2) for seed in range(50)]
    assert all(each.move == Deal(2) and 1.0 < each.after_s < 6.0 for each in deals)
    assert asked(state, "easy", 1, seat=1).move is None
