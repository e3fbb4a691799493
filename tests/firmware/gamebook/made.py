"""What the game book's tests keep: a game of SET that could have been played, and its records."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import msgspec

from firmware.gamebook import Acted, GameBegan, Seated
from firmware.games.catalogue import SET
from firmware.games.setgame import AgreeNone, Claim, Deal, Name, Setup
from firmware.games.setgame.cards import code, sets_among

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
SETUP = Setup(seats=2, seed="book", deck="beginner")
SEATS = (Seated("Ann", "a" * 64), Seated("Bot 2", bot="fair"))


def raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def began(setup: Setup = SETUP) -> GameBegan:
    return GameBegan("set", raw(setup), SEATS, NOON)


def actions_of(setup: Setup = SETUP) -> Iterator[tuple[Any, Any]]:
    """A game to its end: each action and the state after it. Seats take sets in turn."""
    state = SET.start(setup)
    turn = 0
    while state.outcome is None:
        found = sets_among(state.table)
        seat = turn % setup.seats + 1
        turn += 1
        actions: tuple[Any, ...] = tuple(AgreeNone(each) for each in range(1, setup.seats + 1))
        if not state.dealt:
            dealers = (each for each in range(1, setup.seats + 1) if "deal" in SET.legal(state, each))
            actions = tuple(map(Deal, dealers))
        elif found:
            actions = (Claim(seat), Name(seat, tuple(map(code, found[0]))))  # type: ignore[arg-type]
        for action in actions:
            state = SET.step(state, action).state
            yield action, state
            if state.outcome is not None or not state.dealt:
                break


@cache
def played(setup: Setup = SETUP) -> tuple[Acted, ...]:
    """The records of that game."""
    return tuple(
        Acted(raw(action), NOON + timedelta(seconds=number), action.seat, number)
        for number, (action, _) in enumerate(actions_of(setup), start=1)
    )


@cache
def states(setup: Setup = SETUP) -> tuple[Any, ...]:
    """The state before the first action, and after each."""
    return (SET.start(setup), *(state for _, state in actions_of(setup)))
