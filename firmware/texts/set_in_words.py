"""Sentences for SET: what happens at its table, and why something may not be done. Which text says what; no
wording. `names` are the seats' names by seat, from the first on; one that is missing or blank is a number.
"""

from collections.abc import Iterator, Sequence

from firmware.games.protocol import Outcome
from firmware.games.setgame.state import (
    Act,
    CardsAdded,
    Claimed,
    ClaimFailed,
    Event,
    GameOver,
    HandDealt,
    HandOver,
    NoneAgreed,
    Reason,
    SeatLeft,
    SeatTaken,
    SetIsThere,
    SetTaken,
)
from firmware.texts.games_in_words import seat_named, seats_named
from firmware.texts.table import Texts


def set_sentence(event: Event, names: Sequence[str], texts: Texts) -> str:
    """What is said of one event."""
    match event:
        case HandDealt(hand=hand, dealer=dealer):
            said = texts.say("games.set.told.hand-dealt", hand=hand, seat=seat_named(dealer, names, texts))
        case Claimed(seat=seat):
            said = texts.say("games.set.told.claimed", seat=seat_named(seat, names, texts))
        case SetTaken(seat=seat):
            said = texts.say("games.set.told.set-taken", seat=seat_named(seat, names, texts))
        case ClaimFailed():
            said = " ".join(_failed(event, names, texts))
        case NoneAgreed(seat=seat, agrees=agrees):
            key = "agrees" if agrees else "disagrees"
            said = texts.say(f"games.set.told.{key}", seat=seat_named(seat, names, texts))
        case SeatLeft(seat=seat):
            said = texts.say("games.set.told.seat-left", seat=seat_named(seat, names, texts))
        case SeatTaken(seat=seat):
            said = texts.say("games.set.told.seat-taken", seat=seat_named(seat, names, texts))
        case SetIsThere():
            said = texts.say("games.set.told.set-is-there")
        case CardsAdded():
            said = texts.say("games.set.told.cards-added")
        case HandOver(hand=hand):
            said = texts.say("games.set.told.hand-over", hand=hand)
        case GameOver(outcome=outcome):
            said = set_outcome(outcome, names, texts)
    return said[:1].upper() + said[1:]


def set_outcome(outcome: Outcome, names: Sequence[str], texts: Texts) -> str:
    """Who won a game of SET."""
    if outcome.reason in ("solo-won", "solo-lost"):
        return texts.say(f"games.set.over.{outcome.reason}")
    won = seats_named(outcome.winners, names, texts)
    if len(outcome.winners) == 1:
        return texts.say("games.set.over.won", seat=won)
    return texts.say("games.set.over.shared", seats=won)


def explain_set_reason(reason: Reason, texts: Texts) -> str:
    """Why an action may not be done, and what to do instead."""
    return texts.say(f"games.set.reason.{reason}")


def set_act(act: Act, texts: Texts) -> str:
    """What a seat may do, in a few letters."""
    return texts.say(f"games.set.act.{act}")


def _failed(event: ClaimFailed, names: Sequence[str], texts: Texts) -> Iterator[str]:
    late = "late" if event.cards is None else "wrong"
    yield texts.say(f"games.set.told.failed-{late}", seat=seat_named(event.seat, names, texts))
    if event.points:
        yield texts.say("games.set.told.failed-point")
    if event.waits:
        yield texts.say("games.set.told.failed-waits")
