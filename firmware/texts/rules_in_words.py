"""The rules of a setup in words: which statements hold for it, as keys and values of the texts.

Every statement follows from the setup; the fixed numbers are those of the rules.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from firmware.rules import Setup
from firmware.rules.placing import BACK_TOLERANCE_MM, SERVE_TOLERANCE_MM, ZERO_TOLERANCE_MM
from firmware.rules.setup import SIMPLIFIED_GOAL, TIE_BREAK_GOAL, next_seat
from firmware.texts.schema import TOPICS
from firmware.texts.table import Texts

_Said = Iterator[tuple[str, str]]
"""The last part of a statement's key, and its text."""


class Statement(NamedTuple):
    """One rule that is in force."""

    topic: str
    """One of `schema.TOPICS`."""
    key: str
    """Tells statements apart in every language."""
    text: str


def statements(setup: Setup, texts: Texts) -> tuple[Statement, ...]:
    """The rules by which a match of this setup is played, topic by topic."""
    return tuple(
        Statement(topic, f"{topic}.{key}", text)
        for topic in TOPICS
        for key, text in _TOPICS[topic](setup, texts)
    )


def _say(texts: Texts, topic: str, *keys: str) -> _Said:
    for key in keys:
        yield key, texts.say(f"rules.{topic}.{key}")


def _match(setup: Setup, texts: Texts) -> _Said:
    order = [next_seat(setup, setup.first_seat, steps) for steps in range(len(setup.order))]
    names = [texts.seat(seat, setup) for seat in order]
    if setup.doubles:
        yield "doubles", texts.say("rules.match.doubles", order=", ".join(names))
    else:
        yield from _say(texts, "match", "singles")
    yield "first-server", texts.say("rules.match.first-server", seat=names[0])
    if setup.simplified:
        yield "simplified", texts.say("rules.match.simplified", goal=SIMPLIFIED_GOAL)
    else:
        yield "sets", texts.count("rules.match.sets", setup.sets_to_win)


def _serve(setup: Setup, texts: Texts) -> _Said:
    yield from _say(texts, "serve", "box" if setup.options.service_boxes else "court", "let", "points")
    if setup.options.first_serve_bonus:
        yield from _say(texts, "serve", "first-bonus")
    yield from _say(texts, "serve", "pressure")


def _fault(setup: Setup, texts: Texts) -> _Said:
    yield from _say(texts, "fault", "two")
    if setup.level.second_fault == "zero":
        yield "zero", texts.say("rules.fault.zero", mm=round(ZERO_TOLERANCE_MM))
    else:
        yield from _say(texts, "fault", "double-fault")


def _ace(setup: Setup, texts: Texts) -> _Said:
    options = setup.options
    if not (options.aces and options.service_boxes):
        yield from _say(texts, "ace", "none")
        return
    yield from _say(texts, "ace", "wins")
    if options.second_serve_ace_pressure:
        yield from _say(texts, "ace", "pressure")


def _rally(setup: Setup, texts: Texts) -> _Said:
    yield from _say(texts, "rally", "good", "lines", "dot", "net", "marker", "faults")


def _bonus(setup: Setup, texts: Texts) -> _Said:
    on = setup.options.bonuses
    yield from _say(texts, "bonus", *(("crosscourt", "dropshot", "net", "sum") if on else ("none",)))


def _game(setup: Setup, texts: Texts) -> _Said:
    if setup.simplified:
        yield "simplified", texts.say("rules.game.simplified", goal=SIMPLIFIED_GOAL)
        return
    yield from _say(texts, "game", "tennis", "advantage" if setup.options.advantage else "no-advantage")


def _set(setup: Setup, texts: Texts) -> _Said:
    if setup.simplified:
        return
    yield "games", texts.say("rules.set.games", n=setup.games_to_set)
    three = setup.games_to_set == 3
    if not three:
        yield from _say(texts, "set", "clear")
    level = 2 if three else setup.games_to_set
    if setup.options.tie_break:
        yield "tie-break", texts.say("rules.set.tie-break", n=level, goal=TIE_BREAK_GOAL)
    elif three:
        yield "decider", texts.say("rules.set.decider", n=level)


def _order(setup: Setup, texts: Texts) -> _Said:
    if setup.simplified:
        yield from _say(texts, "order", "simplified")
        return
    yield from _say(texts, "order", "games")
    if setup.options.tie_break:
        yield from _say(texts, "order", "tie-break")


def _place(setup: Setup, texts: Texts) -> _Said:
    if setup.options.free_serve_position:
        yield from _say(texts, "place", "free")
    else:
        yield from _say(texts, "place", "serve")
        yield "tolerance", texts.say("rules.place.tolerance", mm=round(SERVE_TOLERANCE_MM))
    yield "moved", texts.say("rules.place.moved", mm=round(BACK_TOLERANCE_MM))
    changes = setup.options.change_ends and not setup.simplified
    yield from _say(texts, "place", "change-ends" if changes else "same-ends")


def _buttons(setup: Setup, texts: Texts) -> _Said:
    one_side = ("confirm", "challenge", "review", "flick-fault", "undo")
    yield from _say(texts, "buttons", *one_side, "overrule", "menu", "correct")


_TOPICS: Final[dict[str, Callable[[Setup, Texts], _Said]]] = {
    "match": _match,
    "serve": _serve,
    "fault": _fault,
    "ace": _ace,
    "rally": _rally,
    "bonus": _bonus,
    "game": _game,
    "set": _set,
    "order": _order,
    "place": _place,
    "buttons": _buttons,
}
