"""A person at a terminal, at the real host: what is on the screen, and what keys do."""

import msgspec
import pytest

from firmware.controller.keys import card_key
from firmware.controller.news import GameChanged
from firmware.controller.person import next_value
from firmware.controller.players import Narrator
from firmware.games.options import Choice, Number, Switch
from firmware.games.setgame.state import View
from firmware.texts import LANGUAGES, Language, load
from firmware.texts.controller_schema import keys
from tests.firmware.controller.seated import AtKeys, a_set, no_set, pump, wait
from tests.firmware.link.rig import Rig


def at_a_table(**options: object) -> tuple[Rig, AtKeys, AtKeys]:
    """Two who have begun a game."""
    rig = Rig()
    anna, ben = AtKeys(rig, "anna"), AtKeys(rig, "ben")
    anna.client.ask("lobby.choose", game="set", options=options)
    anna.client.ask("lobby.start")
    both(anna, ben)
    return rig, anna, ben


def both(*seated: AtKeys) -> None:
    pump(seated[0].rig, list(seated))
    for each in seated:
        each.hear()


def view(at: AtKeys) -> View:
    assert at.client.game is not None
    return msgspec.convert(at.client.game.view, View)


def test_the_lobby_tells_who_sits_there_and_what_can_be_done() -> None:
    rig = Rig()
    anna, ben = AtKeys(rig, "anna"), AtKeys(rig, "ben")
    both(anna, ben)
    screen = anna.screen()
    for words in ("SET: who plays?", "at Board", "1  Anna (you)", "2  Ben", "ENTER start", "q quit"):
        assert words in screen
    anna.press("+", "+")
    assert "4  Bot 4 (fair)" in anna.screen()
    anna.press("b")
    assert "3  Bot 3 (strong)" in anna.screen()
    assert "4  Bot 4 (strong)" in anna.screen()
    anna.press("-", "-")
    assert "Bot" not in anna.screen()
    assert "fewer" not in anna.screen()
    ben.unplug()
    both(anna)
    assert "Ben (away)" in anna.screen()


def test_options_are_stepped_through_and_the_board_has_them() -> None:
    rig = Rig()
    anna = AtKeys(rig, "anna")
    anna.press("o")
    assert "2 point" in anna.screen()
    anna.press("1", "2", "3", "4", "5", "9")
    assert rig.host.shown.lobby.options == {
        "deck": "beginner",
        "penalty": "lockout_only",
        "tutor": True,
        "hands": 2,
        "naming_s": 6.0,
    }
    assert "1 beginner" in anna.screen()
    anna.press("escape")
    assert "ENTER start" in anna.screen()


@pytest.mark.parametrize(
    ("option", "value", "after"),
    [
        (Choice("c", ("a", "b"), "a"), "b", "a"),
        (Switch("s", False), True, False),
        (Number("n", 0, 2, 1), 2, 0),
        (Number("n", 1, 9, 1, whole=False), 1.5, 2.5),
    ],
)
def test_values_go_round(option: Choice | Switch | Number, value: object, after: object) -> None:
    found = next_value(option, value)  # type: ignore[arg-type]
    assert found == after
    assert type(found) is type(after)


def test_a_set_is_called_named_and_told_to_all() -> None:
    _, anna, ben = at_a_table()
    anna.press("space")
    both(anna, ben)
    assert "Your set! Name three cards." in anna.screen()
    assert "Set! Anna names it." in ben.screen()
    assert "▸Anna" in ben.screen()
    places = a_set(view(anna))
    assert places is not None
    cards = [view(anna).table[place] for place in places]
    anna.press(*map(card_key, places))
    both(anna, ben)
    assert view(ben).scores == (1, 0)
    assert f"A set for Anna.  {' '.join(cards)}" in ben.screen()


def test_cards_are_picked_and_put_back() -> None:
    _, anna, _ = at_a_table()
    anna.press("space", "q", "q", "w", "escape")
    assert "┏" not in anna.screen()
    anna.press("q")
    assert "┏━q" in anna.screen()
    assert view(anna).claimed == 1


def test_cards_that_were_picked_are_picked_after_a_pause() -> None:
    _, anna, ben = at_a_table()
    anna.press("space", "q")
    ben.client.ask("game.pause")
    both(anna, ben)
    assert view(anna).table == ()
    assert "┏" not in anna.screen()
    ben.client.ask("game.resume")
    both(anna, ben)
    assert "┏━q" in anna.screen()


def test_who_names_no_set_pays_and_waits() -> None:
    _, anna, ben = at_a_table()
    places = no_set(view(anna))
    anna.press("space", *map(card_key, places))
    both(anna, ben)
    assert view(anna).scores == (-1, 0)
    assert "Your last claim was wrong." in anna.screen()
    assert "SPACE" not in anna.screen()
    anna.press("space")
    assert view(anna).claimed is None


def test_time_runs_out_before_ones_eyes() -> None:
    rig, anna, ben = at_a_table()
    anna.press("space")
    assert anna.person.time_runs
    full = anna.screen().count("█")
    rig.now += 2.5
    assert anna.screen().count("█") < full
    wait(rig, [anna, ben], 3.0)
    both(anna, ben)
    assert "Time is up, Anna." in anna.screen()
    assert not anna.person.time_runs


def test_none_is_agreed_and_taken_back() -> None:
    _, anna, ben = at_a_table()
    assert "0 No set" in anna.screen()
    anna.press("0")
    both(anna, ben)
    assert "Anna 0 ∅" in ben.screen()
    assert "0 Look again" in anna.screen()
    anna.press("0")
    assert view(anna).agreed == ()
    anna.press("0")
    ben.press("0")
    both(anna, ben)
    assert len(view(anna).table) == 15
    assert "t" in [card_key(place) for place in range(15)]
    assert "─t─" in anna.screen(90)


def test_letters_do_nothing_where_nothing_is_claimed() -> None:
    _, anna, _ = at_a_table()
    sent = anna.sent
    anna.press(*"qwertyuiopasdfghjklzxcvbnm", "enter", "escape")
    assert anna.sent == sent
    assert not anna.person.has_left


def test_the_menu_pauses_takes_back_and_ends() -> None:
    rig, anna, ben = at_a_table()
    anna.press("tab")
    assert "p pause" in anna.screen()
    anna.press("p")
    both(anna, ben)
    assert "Paused." in ben.screen()
    ben.press("enter")
    both(anna, ben)
    anna.press("space")
    places = a_set(view(anna))
    assert places is not None
    anna.press(*map(card_key, places))
    anna.press("tab", "u")
    both(anna, ben)
    assert "Anna asks to take back" in ben.screen()
    ben.press("tab", "u")
    both(anna, ben)
    assert "Taken back." in anna.screen()
    assert view(anna).scores == (0, 0)
    anna.press("tab", "e")
    both(anna, ben)
    assert "Anna asks to end the game." in ben.screen()
    ben.press("tab", "e")
    both(anna, ben)
    assert "who plays?" in anna.screen()
    assert rig.host.shown.lobby.status == "lobby"


@pytest.mark.parametrize(("key", "what"), [("u", "undo"), ("e", "end")])
def test_what_was_asked_for_is_withdrawn_and_never_done_by_that(key: str, what: str) -> None:
    rig, anna, ben = at_a_table()
    anna.press("0", "tab", key)
    both(anna, ben)
    assert getattr(rig.host.shown.lobby, what) == (1,)
    ben.press("tab", "l")  # whoever is left would agree with herself
    both(anna, ben)
    anna.press("tab")
    assert f"{key} no {what} after all" in anna.screen()
    anna.press(key)
    both(anna, ben)
    assert getattr(rig.host.shown.lobby, what) == ()
    assert rig.host.shown.lobby.status == "playing"
    anna.press("tab")
    assert "after all" not in anna.screen()


def test_a_seat_that_is_free_can_be_taken_while_the_game_waits() -> None:
    _, anna, ben = at_a_table()
    ben.press("tab", "l")
    anna.press("tab", "p")
    both(anna, ben)
    assert "t take a seat" in ben.screen()
    assert "t take a seat" not in anna.screen()
    ben.press("t")
    both(anna, ben)
    assert ben.client.seat == 2
    ben.press("enter")
    both(anna, ben)
    assert view(ben).seat == 2


def test_who_has_left_the_seat_looks_on_and_can_take_it_again() -> None:
    _, anna, ben = at_a_table()
    ben.press("tab", "l")
    both(anna, ben)
    assert "You look on." in ben.screen()
    assert "SPACE" not in ben.screen()
    ben.press("tab", "t")
    both(anna, ben)
    assert "Ben (you)" in ben.screen()


def test_a_power_cut_is_told_and_gone_on_from() -> None:
    rig, anna, ben = at_a_table()
    before = view(anna).table
    rig.power_cut()
    for each in (anna, ben):
        each.client.closed()
        each.plug()
    both(anna, ben)
    assert "The board was switched off." in anna.screen()
    anna.press("enter")
    both(anna, ben)
    assert view(anna).table == before


def test_hands_are_dealt_in_turn_and_a_game_is_over() -> None:
    _, anna, ben = at_a_table(deck="beginner", hands=2)
    played_hand(anna, ben)
    assert "The hand is over." in anna.screen()
    assert "You deal the next hand." in ben.screen()
    ben.press("enter")
    both(anna, ben)
    assert "hand 2 of 2" in anna.screen()
    played_hand(anna, ben)
    screen = anna.screen()
    assert "SET: over" in screen
    assert "Anna wins." in screen
    assert "1. Anna" in screen
    assert "ENTER play again" in screen
    anna.press("enter")
    both(anna, ben)
    assert "hand 1 of 2" in anna.screen()


def played_hand(anna: AtKeys, ben: AtKeys) -> None:
    """Anna takes all sets of a hand."""
    while view(anna).dealt:
        places = a_set(view(anna))
        if places is None:
            anna.press("0")
            ben.press("0")
        else:
            anna.press("space", *map(card_key, places))
        both(anna, ben)


@pytest.mark.parametrize("told", [{"view": {"words": 1}}, {"events": [{"kind": "dance"}]}])
def test_a_game_of_another_version_is_told_and_nothing_fails(told: dict[str, object]) -> None:
    rig, anna, _ = at_a_table()
    assert anna.client.game is not None
    game = msgspec.structs.replace(anna.client.game, **told)
    said: list[str] = []
    narrator = Narrator(anna.client, load("en"), said.append)
    anna.person.heard([GameChanged(game)], rig.now)
    narrator.tell([GameChanged(game)])
    assert "does not know" in anna.screen()
    anna.press("space", "q", "tab")
    assert "q quit" in anna.screen()
    if "events" in told:
        assert "does not know" in said[0]


def test_a_board_that_is_gone_is_waited_for() -> None:
    _, anna, _ = at_a_table()
    anna.unplug()
    assert anna.screen().startswith("No board answers.")
    anna.press("q")
    assert anna.person.has_left


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 20), (40, 12), (200, 60), (1, 1)])
def test_every_page_fits_where_it_can_and_is_drawn_everywhere(
    language: Language, width: int, height: int
) -> None:
    rig = Rig()
    anna, ben = AtKeys(rig, "anna", language), AtKeys(rig, "ben", language)
    for pressed in ((), ("o",), ("escape", "enter"), ("space",), ("tab",)):
        anna.press(*pressed)
        both(anna, ben)
        for pictures in (True, False):
            lines = anna.screen(width, height, pictures).splitlines()
            if width >= 80:
                assert max(map(len, lines)) <= width
                assert len(lines) <= height
            if not pictures:
                assert not any(0x2800 <= ord(letter) < 0x2900 for line in lines for letter in line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_controller_is_short_enough_for_its_place(language: Language) -> None:
    texts = load(language)
    for key, _ in keys():
        most = 34 if key.startswith("controller.key.") else 10 if key.startswith("controller.cap.") else 76
        assert 0 < len(texts.table[key]) <= most, key
