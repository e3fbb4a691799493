"""The menu beside the real link: how its game stands, what is asked of it, and why it may not be."""

from typing import Any

import pytest

from firmware.daemon.asking import ask, game_beside
from firmware.daemon.troubles import Troubles
from firmware.link.host import Shown
from firmware.menus import LinkAsked, LinkGame
from firmware.report import Line
from firmware.texts import load
from tests.firmware.link.rig import Rig

EN = load("en")


class Served:
    """A link whose host is asked directly."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.late = False

    @property
    def shown(self) -> Shown | None:
        return self.rig.host.shown

    def command(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if self.late:
            raise TimeoutError("the link does not serve")
        return self.rig.host.command(method, params, self.rig.now)


class Unserved(Served):
    """There is no room to keep games."""

    @property
    def shown(self) -> Shown | None:
        return None


@pytest.fixture
def lines() -> list[Line]:
    return []


@pytest.fixture
def troubles(lines: list[Line]) -> Troubles:
    return Troubles(lines.append)


def test_a_game_is_chosen_started_paused_and_ended(troubles: Troubles, lines: list[Line]) -> None:
    rig = Rig()
    link = Served(rig)
    rig.peer("ada")
    chosen = {"game": "set", "seats": None, "options": {"tutor": True}}
    ask(link, LinkAsked("lobby.choose", chosen), troubles, 1.0)
    beside = game_beside(link)
    assert beside is not None
    assert (beside.status, beside.game, beside.seats, beside.taken) == ("lobby", "set", None, 1)
    assert beside.options["tutor"] is True
    for method, status in (
        ("lobby.start", "playing"),
        ("game.pause", "paused"),
        ("game.resume", "playing"),
        ("game.end", "lobby"),
    ):
        ask(link, LinkAsked(method), troubles, 1.0)  # type: ignore[arg-type]
        beside = game_beside(link)
        assert isinstance(beside, LinkGame)
        assert beside.status in (status, "over") if method == "game.end" else beside.status == status
    assert lines == []


def test_why_it_may_not_be_is_told_for_a_moment(troubles: Troubles, lines: list[Line]) -> None:
    link = Served(Rig())
    ask(link, LinkAsked("lobby.start"), troubles, 1.0)
    assert troubles.passing(1.5, EN) == "Not now: take the seats of the game with controllers first."
    link.late = True
    ask(link, LinkAsked("game.pause"), troubles, 2.0)
    assert [line["part"] for line in lines] == ["link", "link"]
    assert "game.pause: the link does not serve" in lines[-1]["text"]


def test_without_a_link_there_is_nothing_to_ask(troubles: Troubles, lines: list[Line]) -> None:
    assert game_beside(None) is None
    assert game_beside(Unserved(Rig())) is None
    ask(None, LinkAsked("lobby.start"), troubles, 1.0)
    assert lines == []
