"""What the panels show of the link, from the real host: the lobby, the table, a game that waits."""

import msgspec
import pytest
from PIL import Image

from firmware.link.host import Shown
from firmware.link.messages import LobbyTold
from firmware.link.showing import LinkDrawing, lobby_page, names_by_seat, notice
from firmware.screens.lobby import Sitting, lobby_panel
from firmware.screens.set_panels import set_cards_panel, set_scores_panel
from firmware.texts import load
from tests.firmware.link.rig import Rig, begun

TEXTS = load("en")
SIZE = (128, 64)
every_role = pytest.mark.parametrize("role", ["in-rally", "game"])


def drawn(role: str, shown: Shown) -> Image.Image:
    return LinkDrawing(role, shown, TEXTS)(SIZE, "1")


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


@every_role
def test_before_a_game_the_lobby_is_shown(role: str) -> None:
    rig = Rig()
    page = lobby_page(rig.host.shown, TEXTS)
    assert (page.title, page.taken, page.seats) == ("SET", "0/20", ())
    a = rig.peer("ada")
    rig.peer("bob")
    a.ask("lobby.choose", game="set", seats=4, options={"tutor": True, "hands": 1})
    a.ask("lobby.bot", seat=3, strength="easy")
    rig.unplug("bob")
    page = lobby_page(rig.host.shown, TEXTS)
    assert page.taken == "3/4"
    assert page.chosen == ("tutor",)
    assert page.seats == (Sitting("Ada"), Sitting("Bob", here=False), Sitting("Bot 3 easy"))
    assert same(drawn(role, rig.host.shown), lobby_panel(page, SIZE, "1"))


def test_a_game_shows_its_cards_and_its_scores() -> None:
    rig = Rig()
    begun(rig)
    shown = rig.host.shown
    assert names_by_seat(shown) == ("A", "B")
    assert shown.view is not None
    assert same(drawn("in-rally", shown), set_cards_panel(shown.view, ("A", "B"), TEXTS, SIZE, "1"))
    assert same(drawn("game", shown), set_scores_panel(shown.view, ("A", "B"), TEXTS, SIZE, "1"))


def test_a_game_that_waits_covers_its_cards() -> None:
    """They would be looked at while nobody may claim."""
    rig, other = Rig(tokens="t"), Rig(tokens="u")
    pictures = []
    for each in (rig, other):
        a, _ = begun(each)
        before = each.host.shown
        a.ask("game.pause")
        assert each.host.shown.view.table == before.view.table
        assert notice(each.host.shown, TEXTS) == "Paused. Any seat goes on."
        pictures.append((drawn("in-rally", before), drawn("in-rally", each.host.shown)))
    (played, paused), (other_played, other_paused) = pictures
    assert not same(played, other_played)
    assert same(paused, other_paused)
    assert not same(drawn("game", rig.host.shown), paused)


def test_after_a_power_cut_it_is_told_that_nothing_is_lost() -> None:
    rig = Rig()
    begun(rig)
    rig.power_cut()
    assert notice(rig.host.shown, TEXTS) == "The game is as it was. Any seat goes on."


def test_what_is_asked_for_is_told_with_who_agrees() -> None:
    rig = Rig()
    a, b, _ = begun(rig, seats=3)
    a.act("agree-none")
    assert notice(rig.host.shown, TEXTS) is None
    a.ask("game.undo")
    assert notice(rig.host.shown, TEXTS) == "Take it back? Agreed: A."
    b.ask("game.end")
    assert notice(rig.host.shown, TEXTS) == "End the game? Agreed: B."


@every_role
def test_a_seat_without_a_name_and_a_game_without_a_drawing_are_shown(role: str) -> None:
    rig = Rig()
    begun(rig)
    lobby: LobbyTold = rig.host.shown.lobby
    table = tuple(msgspec.structs.replace(seat, name="") for seat in lobby.table)
    shown = Shown(msgspec.structs.replace(lobby, game="whist", table=table), 0, rig.host.shown.view)
    page = lobby_page(shown, TEXTS)
    assert (page.title, page.taken) == ("whist", "2/2")
    assert page.seats == (Sitting("seat 1"), Sitting("seat 2"))
    assert same(drawn(role, shown), lobby_panel(page, SIZE, "1"))


def test_equal_things_shown_are_equal_drawings() -> None:
    rig = Rig()
    begun(rig)
    assert LinkDrawing("game", rig.host.shown, TEXTS) == LinkDrawing("game", rig.host.shown, TEXTS)
