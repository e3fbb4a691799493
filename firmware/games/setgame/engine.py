"""SET as an engine: start, step, legal, view. No clock, no I/O, and no rule of another game live here.

Simultaneous play is the order in which claims arrive (SET-03); who holds the table keeps the others waiting.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from firmware.games.chance import Chance
from firmware.games.protocol import IllegalAction, Outcome, Seat, Standing
from firmware.games.setgame.cards import CARDS, DECK, SOLID, Card, Three, code, has_set, is_set
from firmware.games.setgame.state import (
    Act,
    Action,
    AgreeNone,
    CardsAdded,
    Claim,
    Claimed,
    ClaimFailed,
    Code,
    Codes,
    Deal,
    Event,
    GameOver,
    HandDealt,
    HandOver,
    Leave,
    Name,
    NoneAgreed,
    Reason,
    SeatLeft,
    SeatTaken,
    SetIsThere,
    SetTaken,
    Setup,
    Sit,
    State,
    Step,
    TimeUp,
    View,
    Withdraw,
)

ON_TABLE: Final = 12
"""So many cards lie on the table, unless more are asked for or the deck has none left."""
ADDED: Final = 3


def start(setup: Setup) -> State:
    """The first hand, dealt by seat 1."""
    state = State(setup=setup, chance=Chance(setup.seed), scores=(0,) * setup.seats)
    return _dealt(state, 1).state


def step(state: State, action: Action) -> Step:
    """The next state and what is announced. IllegalAction, with a `Reason`, if it may not be done now."""
    if (reason := _refusal(state, action)) is not None:
        raise IllegalAction(reason)
    match action:
        case Claim(seat):
            return _claimed(state, seat)
        case Name(seat, (a, b, c) as named):
            cards = CARDS[a], CARDS[b], CARDS[c]
            return _taken(state, seat, cards) if is_set(*cards) else _failed(state, seat, named)
        case TimeUp():
            assert state.claimed is not None
            return _failed(state, state.claimed, None)
        case AgreeNone(seat):
            return _agreed(state, seat)
        case Withdraw(seat):
            return Step(_disagreeing(state, seat), (NoneAgreed(seat, agrees=False),))
        case Deal(seat):
            return _dealt(state, seat)
        case Leave(seat):
            return _left(state, seat)
        case Sit(seat):
            after = _with(state, away=tuple(each for each in state.away if each != seat))
            return Step(after, (SeatTaken(seat),))


def legal(state: State, seat: Seat) -> tuple[Act, ...]:
    """What `seat` may do now, and nothing else."""
    if _unseated(state, seat) is not None:
        return ()
    return tuple(act for act, refusal in _REFUSALS.items() if refusal(state, seat) is None)


def view(state: State, seat: Seat | None) -> View:
    """What `seat` sees; None for who only looks on."""
    return View(
        seat=seat,
        seats=state.setup.seats,
        deck=state.setup.deck,
        penalty=state.setup.penalty,
        tutor=state.setup.tutor,
        naming_s=state.setup.naming_s,
        hand=state.hand,
        hands=state.setup.hands_in_all,
        dealer=state.dealer,
        dealt=state.dealt,
        table=codes(state.table),
        in_deck=len(state.deck),
        scores=state.scores,
        claimed=state.claimed,
        locked=state.locked,
        agreed=state.agreed,
        away=state.away,
        hinted=state.hinted,
        last_taken=codes(state.taken[-1]) if state.taken else (),
        penalties=state.penalties,
        redeemed=state.redeemed,
        outcome=state.outcome,
        may=() if seat is None else legal(state, seat),
    )


def covered(seen: View) -> View:
    """A view while nothing may be done: the cards on the table are covered, so that nobody looks for sets."""
    return msgspec.structs.replace(seen, table=(), hinted=False, may=())


def codes(cards: Iterable[Card]) -> tuple[Code, ...]:
    """Cards as they are named outside of the engine."""
    return tuple(map(code, cards))


# ---------------------------------------------------------------- what may not be done


def _refusal(state: State, action: Action) -> Reason | None:
    match action:
        case TimeUp():
            return _unclaimed(state)
        case Leave(seat):
            return _unseated(state, seat)
        case Sit(seat):
            unseated = _unseated(state, seat)
            return {None: "seated-already", "not-seated": None}.get(unseated, unseated)
        case _:
            pass
    refused = _unseated(state, action.seat) or _REFUSALS[_ACTS[type(action)]](state, action.seat)
    if refused is None and isinstance(action, Name):
        return _misnamed(state, action.cards)
    return refused


def _unseated(state: State, seat: Seat) -> Reason | None:
    if not 1 <= seat <= state.setup.seats:
        return "no-such-seat"
    return "not-seated" if seat in state.away else None


def _over(state: State) -> Reason | None:
    if state.outcome is not None:
        return "game-over"
    return None if state.dealt else "hand-is-over"


def _unclaimed(state: State) -> Reason | None:
    return _over(state) or ("not-claimed" if state.claimed is None else None)


def _held(state: State) -> Reason | None:
    """The table is somebody's who names a set: nobody else may do anything (SET-03)."""
    return _over(state) or ("table-held" if state.claimed is not None else None)


def _no_claim(state: State, seat: Seat) -> Reason | None:
    return _held(state) or ("locked-out" if seat == state.locked else None)


def _no_name(state: State, seat: Seat) -> Reason | None:
    if (refused := _unclaimed(state)) is not None:
        return refused
    return None if state.claimed == seat else "table-held"


def _no_agreement(state: State, seat: Seat) -> Reason | None:
    return _held(state) or ("agreed-already" if seat in state.agreed else None)


def _no_withdrawal(state: State, seat: Seat) -> Reason | None:
    return _held(state) or (None if seat in state.agreed else "not-agreed")


def _no_deal(state: State, seat: Seat) -> Reason | None:
    if state.outcome is not None:
        return "game-over"
    if state.dealt:
        return "hand-is-on"
    return None if seat == _next_dealer(state) else "not-the-dealer"


def _misnamed(state: State, cards: Codes) -> Reason | None:
    """A slip of the finger is no wrong claim: only three different cards that lie there can be named."""
    if len(set(cards)) != len(cards):
        return "not-three"
    return None if all(CARDS.get(card) in state.table for card in cards) else "not-on-table"


_REFUSALS: Final[dict[Act, Callable[[State, Seat], Reason | None]]] = {
    "claim": _no_claim,
    "name": _no_name,
    "agree-none": _no_agreement,
    "withdraw": _no_withdrawal,
    "deal": _no_deal,
}
_ACTS: Final[dict[type, Act]] = {
    Claim: "claim",
    Name: "name",
    AgreeNone: "agree-none",
    Withdraw: "withdraw",
    Deal: "deal",
}


# ---------------------------------------------------------------- what comes of it


def _dealt(state: State, dealer: Seat) -> Step:
    """A hand, from the whole deck."""
    cards = SOLID if state.setup.deck == "beginner" else DECK
    deck, chance = state.chance.shuffled(cards)
    after = _with(
        state,
        chance=chance,
        hand=state.hand + 1,
        dealer=dealer,
        deck=deck[:-ON_TABLE],
        table=deck[: -ON_TABLE - 1 : -1],
        claimed=None,
        locked=None,
        agreed=(),
        dealt=True,
        taken=(),
        penalties=0,
        redeemed=0,
    )
    return Step(after, (HandDealt(after.hand, dealer),))


def _claimed(state: State, seat: Seat) -> Step:
    """The table is the seat's. Who was locked out may claim again once another does (SET-01), and who claims
    does not hold any more that there is no set."""
    return Step(_with(_disagreeing(state, seat), claimed=seat, locked=None), (Claimed(seat),))


def _taken(state: State, seat: Seat, cards: Three) -> Step:
    """Right: a point, and three cards in their places while there are no more than twelve (SET-02)."""
    table, deck = _replaced(state.table, cards, state.deck)
    redeemed = state.redeemed + (1 if not state.deck else 0)
    after = _with(
        _scored(state, seat, 1),
        table=table,
        deck=deck,
        claimed=None,
        agreed=(),
        hinted=False,
        taken=(*state.taken, cards),
        redeemed=redeemed,
    )
    a, b, c = cards
    return _or_hand_over(after, (SetTaken(seat, (code(a), code(b), code(c))),))


def _failed(state: State, seat: Seat, cards: Codes | None) -> Step:
    """Wrong, or too late: the cards stay, and the seat waits for another's claim. Nobody waits alone."""
    points = -1 if state.setup.penalty == "point" else 0
    locked = seat if state.seated > 1 else None
    after = _with(_scored(state, seat, points), claimed=None, locked=locked)
    # The others may have agreed already, if the claimant has left.
    return _added_if_all_agree(after, (ClaimFailed(seat, cards, points, waits=locked is not None),))


def _left(state: State, seat: Seat) -> Step:
    """Who stays need not wait for the one who left, be it to agree or to claim."""
    after = _with(_disagreeing(state, seat), away=tuple(sorted((*state.away, seat))))
    if after.seated < 2:
        after = _with(after, locked=None)
    return _added_if_all_agree(after, (SeatLeft(seat),))


def _agreed(state: State, seat: Seat) -> Step:
    after = _with(state, agreed=tuple(sorted((*state.agreed, seat))))
    return _added_if_all_agree(after, (NoneAgreed(seat, agrees=True),))


def _disagreeing(state: State, seat: Seat) -> State:
    return _with(state, agreed=tuple(each for each in state.agreed if each != seat))


def _added_if_all_agree(after: State, events: tuple[Event, ...]) -> Step:
    """Once all who sit there agree there are three more cards, and if there are none the hand is over
    (SET-02, SET-04). Only a tutor knows better."""
    if after.claimed is not None or not after.agreed or len(after.agreed) < after.seated:
        return Step(after, events)
    if after.setup.tutor and has_set(after.table):
        return Step(_with(after, agreed=(), hinted=True), (*events, SetIsThere()))
    if not after.deck:
        return _hand_over(after, events)
    added, deck = after.deck[: -ADDED - 1 : -1], after.deck[:-ADDED]
    after = _with(after, table=(*after.table, *added), deck=deck, agreed=())
    if after.setup.solo:
        after = _with(_scored(after, 1, -1), penalties=after.penalties + 1)
    return _or_hand_over(after, (*events, CardsAdded(codes(added))))


def _or_hand_over(state: State, events: tuple[Event, ...]) -> Step:
    """The hand goes on unless the deck is empty and no set is left (SET-04)."""
    if state.deck or has_set(state.table):
        return Step(state, events)
    return _hand_over(state, events)


def _hand_over(state: State, events: tuple[Event, ...]) -> Step:
    over: tuple[Event, ...] = (*events, HandOver(state.hand, codes(state.table)))
    lost = state.lost or state.redeemed < state.penalties
    after = _with(state, dealt=False, claimed=None, agreed=(), locked=None, lost=lost)
    if state.hand < state.setup.hands_in_all:
        return Step(after, over)
    outcome = _outcome(after)
    return Step(_with(after, outcome=outcome), (*over, GameOver(outcome)))


def _outcome(state: State) -> Outcome:
    """Ranked by score, ties shared (SET-04). Alone one wins who has made up, in every hand, for each penalty
    by a set from the cards that were left when the deck ran out."""
    ranking = tuple(
        Standing(seat, 1 + sum(other > score for other in state.scores), score)
        for seat, score in enumerate(state.scores, start=1)
    )
    if state.setup.solo:
        return Outcome(() if state.lost else (1,), "solo-lost" if state.lost else "solo-won", ranking)
    return Outcome(tuple(each.seat for each in ranking if each.rank == 1), "most-sets", ranking)


def _replaced(
    table: tuple[Card, ...], gone: Three, deck: tuple[Card, ...]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The table without three cards, and the deck. New ones take their places; where there are none, or more
    than twelve lie there, cards from the end do, so that the others stay where people remember them."""
    left: list[Card | None] = [None if card in gone else card for card in table]
    rest = list(deck)
    refill = len(table) <= ON_TABLE and bool(rest)
    for place, card in enumerate(left):
        if card is None and refill and rest:
            left[place] = rest.pop()
    while None in left:
        last = left.pop()
        if last is not None:
            left[left.index(None)] = last
    return tuple(card for card in left if card is not None), tuple(rest)


def _scored(state: State, seat: Seat, points: int) -> State:
    scores = list(state.scores)
    scores[seat - 1] += points
    return _with(state, scores=tuple(scores))


def _next_dealer(state: State) -> Seat:
    """Who sits to the left of the dealer; seats are counted clockwise, which is to the left."""
    around = [seat % state.setup.seats + 1 for seat in range(state.dealer, state.dealer + state.setup.seats)]
    return next((seat for seat in around if seat not in state.away), around[0])


def _with(state: State, **changes: object) -> State:
    return msgspec.structs.replace(state, **changes)
