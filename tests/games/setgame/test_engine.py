"""SET clause by clause: claims, lock-outs, more cards, ends, longer and lonely play, beginners, the tutor."""

from collections.abc import Sequence
from itertools import combinations
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.games.chance import Chance
from firmware.games.protocol import IllegalAction, Outcome, SetupError
from firmware.games.setgame import (
    Action,
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
    legal,
    start,
    step,
    view,
)
from firmware.games.setgame.cards import DECK, SOLID, code, has_set, sets_among, sums
from firmware.games.setgame.engine import codes
from firmware.games.setgame.state import (
    Act,
    CardsAdded,
    Claimed,
    ClaimFailed,
    Codes,
    Event,
    GameOver,
    HandDealt,
    HandOver,
    NoneAgreed,
    SeatLeft,
    SeatTaken,
    SetIsThere,
    SetTaken,
)


def begun(seats: int = 3, seed: str = "1", **given: object) -> State:
    return start(Setup(seats=seats, seed=seed, **given))  # type: ignore[arg-type]


def after(state: State, *actions: Action) -> State:
    for action in actions:
        state = step(state, action).state
    return state


def told(state: State, *actions: Action) -> tuple[Event, ...]:
    events: list[Event] = []
    for action in actions:
        done = step(state, action)
        state = done.state
        events += done.events
    return tuple(events)


def refused(state: State, action: Action) -> str:
    with pytest.raises(IllegalAction) as caught:
        step(state, action)
    return caught.value.reason


def named(a: int, b: int, c: int) -> Codes:
    return code(a), code(b), code(c)


def a_set(state: State) -> Codes:
    return named(*sets_among(state.table)[0])


def no_set(state: State) -> Codes:
    return next(named(*three) for three in combinations(state.table, 3) if not sets_among(three))


def taking(state: State, seat: int = 1) -> tuple[Action, ...]:
    return Claim(seat), Name(seat, a_set(state))


def all_agree(state: State) -> tuple[Action, ...]:
    return tuple(AgreeNone(seat) for seat in range(1, state.setup.seats + 1))


def seed_where(without_set: bool, seats: int = 3, **given: object) -> State:
    """A deal with a set on the table, or without."""
    return next(
        state
        for number in range(1000)
        if has_set((state := begun(seats, str(number), **given)).table) is not without_set
    )


# ------------------------------------------------------------ the deal


def test_twelve_cards_are_dealt_from_the_whole_deck() -> None:
    state = begun()
    assert len(state.table) == 12
    assert sorted(state.table + state.deck) == list(DECK)
    assert (state.scores, state.dealer, state.hand) == ((0, 0, 0), 1, 1)


def test_the_seed_makes_the_deal() -> None:
    assert begun(seed="a") == begun(seed="a")
    assert begun(seed="a").table != begun(seed="b").table


def test_beginners_play_with_the_solid_cards() -> None:
    state = begun(deck="beginner")
    assert sorted(state.table + state.deck) == list(SOLID)


@pytest.mark.parametrize("seats", [0, 21, -1])
def test_one_to_twenty_seats(seats: int) -> None:
    with pytest.raises(SetupError, match="1 to 20"):
        Setup(seats=seats, seed="x")


@pytest.mark.parametrize(
    "given", [{"hands": -1}, {"hands": 100}, {"naming_s": 0.5}, {"naming_s": float("nan")}]
)
def test_what_is_out_of_range_is_refused(given: dict[str, float]) -> None:
    with pytest.raises(SetupError, match="choose"):
        Setup(seats=2, seed="x", **given)  # type: ignore[arg-type]


# ------------------------------------------------------------ SET-01: claims


def test_a_right_claim_is_a_point_and_three_new_cards_in_place() -> None:
    state = seed_where(without_set=False)
    three = a_set(state)
    taken = after(state, Claim(2), Name(2, three))
    assert taken.scores == (0, 1, 0)
    assert len(taken.table) == 12
    for before, now in zip(state.table, taken.table, strict=True):
        assert (now != before) == (code(before) in three)
    assert told(state, Claim(2), Name(2, three)) == (Claimed(2), SetTaken(2, three))


def test_a_wrong_claim_costs_a_point_and_the_cards_stay() -> None:
    state = begun()
    three = no_set(state)
    wrong = after(state, Claim(3), Name(3, three))
    assert wrong.scores == (0, 0, -1)
    assert wrong.table == state.table
    assert told(state, Claim(3), Name(3, three))[-1] == ClaimFailed(3, three, -1, waits=True)


def test_naming_nothing_in_time_is_a_wrong_claim() -> None:
    state = after(begun(), Claim(1))
    assert state.lasts_s == 5.0
    late = step(state, TimeUp())
    assert late.events == (ClaimFailed(1, None, -1, waits=True),)
    assert late.state.lasts_s is None


def test_who_claimed_wrongly_waits_until_another_claims() -> None:
    state = after(begun(), Claim(1), TimeUp())
    assert refused(state, Claim(1)) == "locked-out"
    assert "agree-none" in legal(state, 1)
    freed = after(state, Claim(2), TimeUp())
    assert "claim" in legal(freed, 1)
    assert refused(freed, Claim(2)) == "locked-out"


def test_the_lock_out_alone_may_be_the_penalty() -> None:
    state = after(begun(penalty="lockout_only"), Claim(1), TimeUp())
    assert state.scores == (0, 0, 0)
    assert refused(state, Claim(1)) == "locked-out"


def test_a_slip_of_the_finger_is_no_wrong_claim() -> None:
    state = after(begun(), Claim(1))
    elsewhere = code(state.deck[0])
    a, b, c = named(*state.table[:3])
    assert refused(state, Name(1, (a, b, elsewhere))) == "not-on-table"
    assert refused(state, Name(1, (a, b, "4XXX"))) == "not-on-table"
    assert refused(state, Name(1, (a, b, b))) == "not-three"
    assert state.claimed == 1
    assert refused(begun(), Name(1, (a, b, c))) == "not-claimed"


# ------------------------------------------------------------ SET-03: who holds the table


def test_while_a_seat_names_all_others_wait() -> None:
    state = after(begun(), Claim(1))
    for action in (Claim(2), AgreeNone(2), Claim(1), Name(2, a_set(state))):
        assert refused(state, action) == "table-held"
    assert legal(state, 2) == ()
    assert legal(state, 1) == ("name",)


# ------------------------------------------------------------ SET-02: more cards


def test_three_more_cards_when_all_agree() -> None:
    state = begun()
    agreed = after(state, AgreeNone(1), AgreeNone(3))
    assert agreed.table == state.table
    more = step(agreed, AgreeNone(2))
    assert len(more.state.table) == 15
    assert more.state.table[:12] == state.table
    assert more.events == (NoneAgreed(2, agrees=True), CardsAdded(codes(more.state.table[12:])))
    assert more.state.agreed == ()


def test_agreement_can_be_taken_back_and_ends_with_a_claim_of_ones_own() -> None:
    state = after(begun(), AgreeNone(1), AgreeNone(2))
    assert refused(state, AgreeNone(1)) == "agreed-already"
    assert after(state, Withdraw(1)).agreed == (2,)
    assert told(state, Withdraw(1)) == (NoneAgreed(1, agrees=False),)
    assert refused(state, Withdraw(3)) == "not-agreed"
    assert after(state, Claim(2), TimeUp()).agreed == (1,)


def test_no_refill_above_twelve() -> None:
    state = after(seed_where(without_set=True), *all_agree(begun()))
    assert len(state.table) == 15
    three = a_set(state)
    taken = after(state, *taking(state))
    assert len(taken.table) == 12
    assert taken.deck == state.deck
    # Only gaps are filled: all cards of the twelve that stay lie where they lay.
    for place, card in enumerate(state.table[:12]):
        if code(card) not in three:
            assert taken.table[place] == card
    again = after(taken, *taking(taken)) if has_set(taken.table) else None
    assert again is None or len(again.table) == 12


def test_a_lie_is_only_told_by_the_tutor() -> None:
    plain = seed_where(without_set=False)
    assert len(after(plain, *all_agree(plain)).table) == 15
    tutored = seed_where(without_set=False, tutor=True)
    events = told(tutored, *all_agree(tutored))
    assert events[-1] == SetIsThere()
    still = after(tutored, *all_agree(tutored))
    assert (len(still.table), still.agreed, still.hinted) == (12, (), True)
    assert not after(still, *taking(still)).hinted
    honest = seed_where(without_set=True, tutor=True)
    assert len(after(honest, *all_agree(honest)).table) == 15


# ------------------------------------------------------------ seats that are left


def test_who_has_left_need_not_agree() -> None:
    state = after(begun(), AgreeNone(1), AgreeNone(2))
    gone = step(state, Leave(3))
    assert gone.events == (SeatLeft(3), CardsAdded(codes(gone.state.table[12:])))
    assert refused(gone.state, AgreeNone(3)) == refused(gone.state, Leave(3)) == "not-seated"
    assert legal(gone.state, 3) == ()
    back = step(gone.state, Sit(3))
    assert back.events == (SeatTaken(3),)
    assert refused(back.state, Sit(3)) == "seated-already"
    assert refused(back.state, Sit(4)) == refused(back.state, Leave(0)) == "no-such-seat"
    assert len(after(back.state, AgreeNone(1), AgreeNone(2)).table) == 15


def test_leaving_takes_back_that_there_is_none_and_adds_no_cards_by_itself() -> None:
    assert after(begun(2), AgreeNone(1), Leave(1)).agreed == ()
    assert len(after(begun(2), Leave(2), Leave(1)).table) == 12


def test_a_claim_of_who_leaves_runs_out_and_then_the_others_have_agreed() -> None:
    state = after(begun(), AgreeNone(1), AgreeNone(2), Claim(3), Leave(3))
    assert (state.claimed, len(state.table)) == (3, 12)
    late = step(state, TimeUp())
    assert [type(event) for event in late.events] == [ClaimFailed, CardsAdded]


def test_who_is_left_alone_does_not_wait_for_another_claim() -> None:
    locked = after(begun(2), Claim(1), TimeUp())
    assert "claim" not in legal(locked, 1)
    assert "claim" in legal(after(locked, Leave(2)), 1)
    assert "claim" in legal(after(begun(2), Leave(2), Claim(1), TimeUp()), 1)
    assert "claim" not in legal(after(begun(3), Claim(1), TimeUp(), Leave(3)), 1)


def test_the_next_who_sits_there_deals() -> None:
    state = after(played_out(begun(3, hands=0)), Leave(2))
    assert refused(state, Deal(2)) == "not-seated"
    assert after(state, Deal(3)).dealer == 3


# ------------------------------------------------------------ SET-04: ends


def played_out(state: State, seat: int = 1) -> State:
    """Every set is taken by one seat; all agree where there is none."""
    while state.dealt:
        if has_set(state.table):
            state = after(state, *taking(state, seat))
        else:
            state = after(state, *all_agree(state))
    return state


def test_the_hand_ends_by_itself_when_no_set_is_left() -> None:
    state = begun()
    while state.dealt:
        before = state
        state = after(state, *(taking(state) if has_set(state.table) else all_agree(state)))
    assert before.deck == () or len(before.deck) == 3
    assert not has_set(state.table)
    assert len(state.table) in (0, 6, 9, 12, 15, 18)
    assert refused(state, Claim(1)) == "game-over"


def test_a_hand_ends_too_when_the_last_cards_that_come_make_no_set() -> None:
    """No set is left then, and nobody has to find that out (SET-04)."""
    left = (1, 4, 5, 8, 9, 11, 13, 14, 19, 44, 46, 55, 58, 59, 62)
    state = msgspec.structs.replace(begun(2), table=left[:12], deck=left[12:])
    ended = step(after(state, AgreeNone(1)), AgreeNone(2))
    assert [type(event) for event in ended.events] == [NoneAgreed, CardsAdded, HandOver, GameOver]
    assert ended.state.table == (*left[:12], *reversed(left[12:]))
    assert not ended.state.dealt


def test_all_may_agree_to_end_a_hand_whose_deck_is_empty() -> None:
    state = begun()
    while state.deck:
        state = after(state, *all_agree(state))
    assert has_set(state.table)
    ended = step(after(state, AgreeNone(1), AgreeNone(2)), AgreeNone(3))
    assert isinstance(ended.events[-2], HandOver)
    assert ended.state.outcome is not None
    assert ended.state.outcome.winners == (1, 2, 3)


def test_ties_are_shared() -> None:
    state = begun(4)
    state = after(state, *taking(state, 2)) if has_set(state.table) else state
    state = msgspec.structs.replace(state, scores=(3, 7, 7, -1))
    while state.deck:
        state = after(state, *all_agree(state))
    outcome = after(state, *all_agree(state)).outcome
    assert outcome is not None
    assert outcome.winners == (2, 3)
    assert [(each.seat, each.rank, each.score) for each in outcome.ranking] == [
        (1, 3, 3),
        (2, 1, 7),
        (3, 1, 7),
        (4, 4, -1),
    ]


def test_longer_play_passes_the_deal_to_the_left_and_adds_up() -> None:
    state = begun(3, hands=0)
    dealers = []
    scores: list[tuple[int, ...]] = []
    while True:
        dealers.append(state.dealer)
        state = played_out(state, seat=2)
        scores.append(state.scores)
        if state.outcome is not None:
            break
        assert legal(state, state.dealer) == ()
        assert refused(state, Claim(1)) == "hand-is-over"
        next_dealer = state.dealer % 3 + 1
        assert refused(state, Deal(state.dealer)) == "not-the-dealer"
        dealt = step(state, Deal(next_dealer))
        assert dealt.events == (HandDealt(len(dealers) + 1, next_dealer),)
        assert dealt.state.table != begun(3).table
        state = dealt.state
        assert refused(state, Deal(next_dealer)) == "hand-is-on"
    assert dealers == [1, 2, 3]
    assert scores[0][1] < scores[1][1] < scores[2][1]


def test_alone_three_more_cards_cost_a_point_and_nobody_waits() -> None:
    state = begun(1)
    more = after(state, AgreeNone(1))
    assert (more.scores, more.penalties, len(more.table)) == ((-1,), 1, 15)
    late = step(after(state, Claim(1)), TimeUp())
    assert late.events == (ClaimFailed(1, None, -1, waits=False),)
    assert "claim" in legal(late.state, 1)


def solo_outcome(seed: int) -> tuple[State, Outcome]:
    state = played_out(begun(1, str(seed)))
    assert state.outcome is not None
    return state, state.outcome


def test_alone_one_wins_who_makes_up_for_penalties_with_the_last_cards() -> None:
    ends = [solo_outcome(seed) for seed in range(60)]
    for state, outcome in ends:
        won = not state.lost
        assert won == (state.redeemed >= state.penalties)
        assert (outcome.winners, outcome.reason) == (((1,), "solo-won") if won else ((), "solo-lost"))
        assert state.scores == (len(state.taken) - state.penalties,)
    assert {outcome.reason for _, outcome in ends} == {"solo-won", "solo-lost"}
    assert any(state.penalties and outcome.winners for state, outcome in ends)


def test_alone_only_sets_from_the_last_cards_make_up() -> None:
    """Those that are taken once the deck has run out, be they dealt last or left over."""
    counted = set()
    for seed in range(12):
        state, redeemed = begun(1, str(seed), hands=2), 0
        while state.dealt:
            if has_set(state.table):
                redeemed += not state.deck
                state = after(state, *taking(state))
            else:
                state = after(state, *all_agree(state))
            assert state.redeemed == redeemed
        counted.add(redeemed)
        again = after(state, Deal(1))
        assert (again.redeemed, again.penalties) == (0, 0)
    assert len(counted) > 2


def test_alone_every_hand_has_to_be_won() -> None:
    lost = next(state for seed in range(60) if (state := solo_outcome(seed)[0]).lost)
    first = msgspec.structs.replace(lost, setup=Setup(1, lost.setup.seed, hands=2), outcome=None)
    hands = [
        played_out(step(msgspec.structs.replace(first, chance=Chance(str(seed))), Deal(1)).state)
        for seed in range(9)
    ]
    assert any(state.redeemed >= state.penalties for state in hands)
    assert {state.outcome.reason for state in hands if state.outcome} == {"solo-lost"}


# ------------------------------------------------------------ what one sees and may do


def test_nobody_sees_the_deck() -> None:
    state = begun(seed="hidden-seed")
    text = msgspec.json.encode([view(state, seat) for seat in (None, 1, 2, 3)]).decode()
    assert "hidden-seed" not in text
    assert not any(code(card) in text for card in state.deck)


def test_the_last_set_can_be_looked_at_again() -> None:
    state = begun()
    assert view(state, 1).last_taken == ()
    for _ in range(3):
        claimed = step(after(state, Claim(1)), Name(1, a_set(state)))
        assert view(claimed.state, 2).last_taken == a_set(state)
        state = claimed.state


def test_a_seat_that_is_none_may_do_nothing() -> None:
    assert legal(begun(), 4) == legal(begun(), 0) == ()
    assert refused(begun(), Claim(4)) == "no-such-seat"
    assert view(begun(), None).may == ()


def an_action(act: Act, seat: int, state: State) -> Action:
    """One of that kind; odd seats name sets, even ones any cards."""
    found = sets_among(state.table) if seat % 2 else ()
    three = found[0] if found else (*state.table, 0, 1, 2)[:3]
    make: dict[Act, Action] = {
        "claim": Claim(seat),
        "name": Name(seat, named(*three)),
        "agree-none": AgreeNone(seat),
        "withdraw": Withdraw(seat),
        "deal": Deal(seat),
    }
    return make[act]


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(1, 5), st.booleans(), st.sampled_from(["full", "beginner"]))
def test_any_play_keeps_the_cards_and_the_rules(
    data: st.DataObject, seats: int, tutor: bool, deck: str
) -> None:
    state = begun(seats, str(data.draw(st.integers(0, 99))), tutor=tutor, deck=deck, hands=2)
    whole = set(SOLID if deck == "beginner" else DECK)
    for _ in range(60):
        if state.outcome is not None:
            break
        acts: Sequence[tuple[int, Act]] = [
            (seat, act) for seat in range(1, seats + 1) for act in legal(state, seat)
        ]
        if not acts:
            assert state.claimed in state.away or len(state.away) == seats
            state = after(state, TimeUp() if state.claimed else Sit(1))
            continue
        for seat in range(1, seats + 1):
            for act in set(get_args(Act)) - set(legal(state, seat)):
                refused(state, an_action(act, seat, state))
        seat, act = data.draw(st.sampled_from(acts))
        state = after(state, an_action(act, seat, state))
        if data.draw(st.integers(0, 9)) == 0:
            state = after(state, Sit(seat) if seat in state.away else Leave(seat))
        cards = [*state.table, *state.deck, *(card for three in state.taken for card in three)]
        assert len(cards) == len(whole)
        assert set(cards) == whole
        assert sums((*state.table, *state.deck)) == (0, 0, 0, 0)
        assert len(state.table) <= 81


def test_an_action_is_read_back_from_json() -> None:
    for action in (
        Claim(3),
        Name(2, ("1OSR", "2DHP", "3WEG")),
        AgreeNone(1),
        Withdraw(1),
        Deal(4),
        Leave(2),
        Sit(2),
        TimeUp(),
    ):
        assert msgspec.json.decode(msgspec.json.encode(action), type=Action) == action


def test_the_last_event_is_the_outcome() -> None:
    state = begun(2)
    while state.deck:
        state = after(state, *all_agree(state))
    events = told(state, *all_agree(state))
    assert isinstance(events[-1], GameOver)
    assert events[-1].outcome == after(state, *all_agree(state)).outcome


def test_what_is_left_at_the_end() -> None:
    left = {len(played_out(begun(2, str(seed))).table) for seed in range(150)}
    assert left <= {0, 6, 9, 12, 15, 18}
    assert {6, 9, 12} <= left
