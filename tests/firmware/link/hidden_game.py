"""A game with hands that nobody else may see, for tests of the link: it has what SET has not, secrets.

Each seat holds three cards and plays one, which all see then, or changes its hand for another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import msgspec

from firmware.games.catalogue import SET, Game
from firmware.games.chance import Chance
from firmware.games.protocol import IllegalAction, Outcome, Seat, Strength

DECK: Final = 60
IN_HAND: Final = 3


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seats: int
    seed: str


class Play(msgspec.Struct, frozen=True, tag_field="kind", tag="play", forbid_unknown_fields=True):
    seat: Seat
    place: int


class Change(msgspec.Struct, frozen=True, tag_field="kind", tag="change", forbid_unknown_fields=True):
    seat: Seat


class Leave(msgspec.Struct, frozen=True, tag_field="kind", tag="leave", forbid_unknown_fields=True):
    seat: Seat


class Sit(msgspec.Struct, frozen=True, tag_field="kind", tag="sit", forbid_unknown_fields=True):
    seat: Seat


class TimeUp(msgspec.Struct, frozen=True, tag_field="kind", tag="time-up", forbid_unknown_fields=True):
    pass


class Played(msgspec.Struct, frozen=True, tag_field="kind", tag="played"):
    seat: Seat
    card: str


class Changed(msgspec.Struct, frozen=True, tag_field="kind", tag="changed"):
    seat: Seat


class State(msgspec.Struct, frozen=True):
    setup: Setup
    deck: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]
    played: tuple[str, ...] = ()
    away: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    lasts_s: float | None = None


class View(msgspec.Struct, frozen=True):
    seat: Seat | None
    hand: tuple[str, ...]
    sizes: tuple[int, ...]
    in_deck: int
    played: tuple[str, ...]


class Step(msgspec.Struct, frozen=True):
    state: State
    events: tuple[Any, ...]


def start(setup: Setup) -> State:
    names = tuple(f"K{number:02d}{'abcdefgh'[number % 8]}" for number in range(DECK))
    deck, _ = Chance(setup.seed).shuffled(names)
    hands = tuple(deck[at * IN_HAND : (at + 1) * IN_HAND] for at in range(setup.seats))
    return State(setup, deck[setup.seats * IN_HAND :], hands)


def step(state: State, action: Any) -> Step:
    if isinstance(action, TimeUp):
        raise IllegalAction("no-clock")
    if isinstance(action, Leave | Sit):
        if (action.seat in state.away) == isinstance(action, Leave):
            raise IllegalAction("as-it-is")
        away = (*state.away, action.seat) if isinstance(action, Leave) else ()
        return Step(msgspec.structs.replace(state, away=away), ())
    if len(state.deck) < IN_HAND:
        raise IllegalAction("deck-is-empty")
    hand = state.hands[action.seat - 1]
    hands = list(state.hands)
    if isinstance(action, Change):
        hands[action.seat - 1], deck = state.deck[:IN_HAND], state.deck[IN_HAND:] + hand
        return Step(msgspec.structs.replace(state, hands=tuple(hands), deck=deck), (Changed(action.seat),))
    if not 0 <= action.place < IN_HAND:
        raise IllegalAction("no-such-card")
    card = hand[action.place]
    hands[action.seat - 1] = (*(each for each in hand if each != card), state.deck[0])
    after = msgspec.structs.replace(
        state, hands=tuple(hands), deck=state.deck[1:], played=(*state.played, card)
    )
    return Step(after, (Played(action.seat, card),))


def legal(state: State, seat: Seat) -> tuple[Literal["play", "change"], ...]:
    return ("play", "change") if len(state.deck) >= IN_HAND else ()


def view(state: State, seat: Seat | None) -> View:
    hand = () if seat is None else state.hands[seat - 1]
    return View(seat, hand, tuple(map(len, state.hands)), len(state.deck), state.played)


def covered(seen: View) -> View:
    return msgspec.structs.replace(seen, hand=())


@dataclass
class Thought:
    after_s: float
    move: Any
    chance: Chance


def bot(seen: View, strength: Strength, chance: Chance) -> Thought:
    assert seen.seat is not None
    place, chance = chance.below(IN_HAND)
    return Thought(3.0, Play(seen.seat, place), chance)


HIDDEN: Final = replace(
    SET,  # the rest is as there
    name="hidden",
    title="Hidden",
    seats=(1, 6),
    options=(),
    setup_type=Setup,
    state_type=State,
    action_type=Play | Change | Leave | Sit | TimeUp,
    move_type=Play | Change,
    event_type=Played | Changed,
    view_type=View,
    start=start,
    step=step,
    legal=legal,
    view=view,
    covered=covered,
    bot=bot,
    time_up=TimeUp,
    left=Leave,
    taken=Sit,
)
GAMES: Final[Mapping[str, Game]] = {"hidden": HIDDEN}
