"""The texts of the link's games: everything that can happen is said, shortly, in both languages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest

from firmware.games.catalogue import GAMES
from firmware.games.options import Choice, Number, Switch
from firmware.games.protocol import Outcome, Standing
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
from firmware.screens.font import fitted
from firmware.screens.letters import printable
from firmware.texts import (
    LANGUAGES,
    Language,
    Texts,
    explain_set_reason,
    load,
    option_in_brief,
    seat_named,
    set_act,
    set_outcome,
    set_sentence,
)
from firmware.texts.schema import required

every_language = pytest.mark.parametrize("language", LANGUAGES)
NAMES = ("Maximilien", "Anne-Laure", "Ève")
CARDS = ("1OSR", "2OSR", "3OSR")


def outcome(winners: tuple[int, ...], reason: str = "most-sets") -> Outcome:
    return Outcome(winners, reason, tuple(Standing(seat, 1, 5) for seat in (1, 2, 3)))


OUTCOMES = (
    outcome((1,)),
    outcome((1, 2)),
    outcome((1, 2, 3)),
    outcome((1,), "solo-won"),
    outcome((), "solo-lost"),
)


def all_events() -> Iterator[Event]:
    yield from (HandDealt(2, 3), Claimed(1), SetTaken(2, CARDS), SetIsThere(), CardsAdded(CARDS))
    yield from (HandOver(3, CARDS), SeatLeft(2), SeatTaken(2), NoneAgreed(1, True), NoneAgreed(1, False))
    for cards, points, waits in product((CARDS, None), (0, -1), (False, True)):
        yield ClaimFailed(1, cards, points, waits)
    yield from map(GameOver, OUTCOMES)


def everything(texts: Texts) -> Iterator[str]:
    for names in (NAMES, ()):
        yield from (set_sentence(event, names, texts) for event in all_events())
    yield from (explain_set_reason(reason, texts) for reason in get_args(Reason))


class Noticed(dict[str, str]):
    """A table that remembers which of its texts were asked for."""

    def __init__(self, table: Mapping[str, str]) -> None:
        super().__init__(table)
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return super().__getitem__(key)


def test_every_kind_of_event_is_here() -> None:
    assert {type(event) for event in all_events()} == set(get_args(Event))


@every_language
def test_every_text_is_said(language: Language) -> None:
    texts = load(language)
    table = Noticed(texts.table)
    noticed = replace(texts, table=table)
    assert all(said.strip() for said in everything(noticed))
    assert all(set_act(act, noticed) for act in get_args(Act))
    # Those of the panels are held by their pictures, and those of options by the command that lists them.
    others = (
        *("games.set.panel.", "games.set.option.", "games.set.value.", "games.set.brief."),
        *("games.strength.", "games.lobby."),
    )
    wanted = {key for key in required() if key.startswith("games.") and not key.startswith(others)}
    listed = {key for key in wanted if key.startswith(("games.seats", "games.unless"))}
    assert table.asked == wanted - listed


@every_language
def test_sentences_are_short_and_whole(language: Language) -> None:
    for said in everything(load(language)):
        assert len(said) <= 100, said
        assert said[-1] in ".!?", said
        assert said[0].isupper(), said
        assert not re.search(r"[{}_]|None|True|False|  ", said), said


@every_language
@pytest.mark.parametrize("size", [(128, 56), (64, 128)])
def test_sentences_fit_a_panel(language: Language, size: tuple[int, int]) -> None:
    for said in everything(load(language)):
        assert fitted(said, *size, largest=1).whole, said


@every_language
def test_acts_fit_a_controllers_screen(language: Language) -> None:
    for act in get_args(Act):
        assert len(set_act(act, load(language))) <= 12


@every_language
def test_every_letter_can_be_drawn(language: Language) -> None:
    for key, text in load(language).table.items():
        if key.startswith("games."):
            drawn = re.sub(r"\{\w+\}", "", text)
            assert printable(drawn).count("?") == drawn.count("?"), key


def test_french_has_no_word_that_a_name_would_shorten() -> None:
    for key, text in load("fr").table.items():
        if key.startswith("games."):
            assert not re.search(r"\b(de|que|le|la|si|ne|se)\s\{(seat|seats)\}", text), key


@pytest.mark.parametrize(
    ("event", "english", "french"),
    [
        (
            ClaimFailed(1, CARDS, -1, True),
            "No set, Ada. One point less. Wait until another claims.",
            "Pas de set, Ada. Un point en moins. Attendez une autre annonce.",
        ),
        (ClaimFailed(2, None, 0, False), "Time is up, seat 2.", "Trop tard, place 2."),
        (
            SeatLeft(3),
            "Seat 3 has left. The others play on.",
            "Place 3 a quitté la table. Les autres continuent.",
        ),
        (
            GameOver(outcome((1, 2, 3))),
            "A tie: Ada, seat 2 and seat 3 win.",
            "Égalité\u00a0: Ada, place 2 et place 3 gagnent.",
        ),
    ],
)
def test_what_is_said(event: Any, english: str, french: str) -> None:
    for language, said in zip(LANGUAGES, (english, french), strict=True):
        assert set_sentence(event, ("Ada", " "), load(language)) == said


def test_who_is_called_what() -> None:
    texts = load("en")
    assert seat_named(1, (" Ada ",), texts) == "Ada"
    assert seat_named(2, ("Ada",), texts) == "seat 2"
    assert set_outcome(outcome((2,)), ("Ada", "Bob"), texts) == "Bob wins."


@every_language
def test_every_option_of_every_game_is_told(language: Language) -> None:
    table = load(language).table
    for game in GAMES.values():
        for option in game.options:
            assert len(table[f"games.{game.name}.option.{option.name}"]) <= 60
            values = {
                Choice: getattr(option, "values", ()),
                Switch: (True, False),
                Number: (getattr(option, "least", 0), getattr(option, "most", 0)),
            }
            brief = {
                option_in_brief(game.name, option, value, load(language)) for value in values[type(option)]
            }
            assert len(brief) == 2
            assert all(len(said) <= 24 for said in brief)


@every_language
def test_what_the_panels_say_of_a_game_that_waits_fits_them(language: Language) -> None:
    texts = load(language)
    said = [
        texts.say("games.lobby.nobody"),
        *(texts.say(f"games.lobby.paused.{why}") for why in ("asked", "restart")),
    ]
    said += [texts.say(f"games.lobby.{asked}", seats=", ".join(NAMES)) for asked in ("undo", "end")]
    for each in said:
        assert fitted(each, 128, 32, largest=1).whole, each
        assert fitted(each, 64, 128, largest=1).whole, each
