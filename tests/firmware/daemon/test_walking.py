"""A menu that is walked: presses count for what stood there when they began."""

from dataclasses import replace

import pytest

from firmware.config import Config
from firmware.daemon.walking import Walk
from firmware.gestures import Gesture, Meaning
from firmware.menus import LinkAsked, LinkGame, opened_at_link

LOBBY = LinkGame("lobby", "set", None, {}, 2)
PLAYING = replace(LOBBY, status="playing")


def gesture(meaning: Meaning, began: float) -> Gesture:
    return Gesture(meaning, "A", began)


@pytest.fixture
def walk() -> Walk:
    walk = Walk()
    walk.open(opened_at_link(Config(), LOBBY, now_s=10.0), 10.0)
    return walk


def test_what_began_before_it_was_opened_or_closed_is_past(walk: Walk) -> None:
    assert not Walk().is_past(gesture("confirm", 0.0))
    assert walk.is_past(gesture("confirm", 9.9))
    assert not walk.is_past(gesture("confirm", 10.0))
    walk.close(12.0)
    assert walk.menu is None
    assert walk.is_past(gesture("confirm", 11.9))
    assert not walk.is_past(gesture("confirm", 12.0))


def test_a_confirm_is_for_the_entry_that_stood_there_when_it_began(walk: Walk) -> None:
    assert walk.press(gesture("challenge", 10.5), 11.0) == ()
    assert walk.press(gesture("confirm", 10.9), 11.1) == ()
    assert walk.menu is not None
    (effect,) = walk.press(gesture("confirm", 11.0), 11.2)
    assert isinstance(effect, LinkAsked)
    assert effect.method == "lobby.choose"
    # A challenge is no choice: it counts however early it began.
    before = walk.menu.path
    walk.press(gesture("challenge", 10.0), 11.3)
    assert walk.menu.path != before


def test_another_page_that_comes_by_itself_takes_no_press_for_the_former(walk: Walk) -> None:
    assert walk.beside(11.0, match_on=False, kept=True, link=LOBBY) is walk.menu
    assert walk.press(gesture("challenge", 11.0), 11.0) == ()
    walk.beside(12.0, match_on=False, kept=True, link=PLAYING)
    assert walk.press(gesture("confirm", 11.9), 12.1) == ()
    assert walk.press(gesture("confirm", 12.0), 12.2) == (LinkAsked("game.pause"),)
    assert walk.menu is None
    assert walk.is_past(gesture("confirm", 12.1))
