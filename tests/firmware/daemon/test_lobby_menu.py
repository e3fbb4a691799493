"""The menu of a board without a camera, walked with the twin's buttons, at the link's real host."""

import pytest

from firmware.config import Config
from firmware.daemon.lobby_menu import LobbyMenu
from firmware.daemon.parts import MenuDrawing
from firmware.daemon.troubles import Troubles
from firmware.gestures import HOLD_S
from firmware.menus import MENU_S
from firmware.report import Line
from firmware.screens.menu_page import MenuPage
from firmware.screens.panels import SIZES
from firmware.texts import load
from hardware.button import Button
from hardware.errors import ButtonError
from hardware.simulated.buttons import SimulatedButtons
from tests.firmware.daemon.test_asking import Served, Unserved
from tests.firmware.link.rig import Rig

A_CONFIRM, A_CHALLENGE = Button("A", "confirm"), Button("A", "challenge")
B_CONFIRM, B_CHALLENGE = Button("B", "confirm"), Button("B", "challenge")
CONFIRMS = frozenset({A_CONFIRM, B_CONFIRM})


class Board:
    """A board with buttons. Time passes in turns of 50 ms."""

    def __init__(self, link: Served | None = None) -> None:
        self.rig = Rig()
        self.now = 10.0
        self.lines: list[Line] = []
        self.buttons = SimulatedButtons(lambda: self.now)
        self.link = link or Served(self.rig)
        self.menu = LobbyMenu(
            self.buttons, self.link, Config(), load("en"), Troubles(self.lines.append), lambda: None
        )
        self.page: MenuPage | None = None

    def turn(self, seconds: float = 0.05) -> MenuPage | None:
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = min(end, self.now + 0.05)
            self.page = self.menu.turn(self.now)
        return self.page

    def press(self, button: Button, for_s: float = 0.15) -> MenuPage | None:
        self.buttons.press(button, self.now, for_s)
        return self.turn(for_s + 0.2)

    def take(self, label: str) -> MenuPage | None:
        """Go to the entry that begins so, and take it."""
        for _ in range(20):
            assert self.page is not None
            if self.page.entries[self.page.at].label.startswith(label):
                return self.press(B_CONFIRM)
            self.press(A_CHALLENGE)
        raise AssertionError(label)

    @property
    def status(self) -> str:
        return self.rig.host.shown.lobby.status

    def labels(self) -> list[str]:
        assert self.page is not None
        return [entry.label for entry in self.page.entries]


def test_a_confirm_opens_the_lobby_and_a_challenge_does_not() -> None:
    board = Board()
    assert board.turn() is None
    assert board.press(A_CHALLENGE) is None
    assert board.buttons.lit == CONFIRMS
    page = board.press(B_CONFIRM)
    assert page is not None
    assert page.title == "SET"
    assert page.at == 0
    assert board.labels()[0] == load("en").say("menu.start")
    assert board.labels()[-1] == load("en").say("menu.back")
    assert board.buttons.lit == {*CONFIRMS, A_CHALLENGE, B_CHALLENGE}
    # Each CHALLENGE is one step, however soon the next comes.
    for at in (1, 2, 3):
        page = board.press(A_CHALLENGE, 0.06)
        assert page is not None
        assert page.at == at
    # What is held leads back, out of its first page.
    assert board.press(A_CONFIRM, HOLD_S + 0.1) is None
    assert board.buttons.lit == CONFIRMS


def test_a_game_is_chosen_started_paused_and_ended_with_buttons() -> None:
    board = Board()
    board.rig.peer("ada")
    en = load("en")
    board.press(A_CONFIRM)
    board.take(en.say("menu.seats"))
    assert board.rig.host.shown.lobby.seats == 1
    assert board.page is not None  # it stays, and shows what came of it
    assert board.page.entries[board.page.at].value == "1"
    assert board.take(en.say("menu.start")) is None
    assert board.status == "playing"
    board.press(A_CONFIRM)
    assert board.take(en.say("menu.pause")) is None
    assert board.status == "paused"
    board.press(A_CONFIRM)
    assert board.take(en.say("menu.resume")) is None
    assert board.status == "playing"
    board.press(A_CONFIRM)
    page = board.take(en.say("menu.end-game"))
    assert page is not None
    assert page.title == en.say("menu.sure.link-end")
    board.take(en.say("menu.back"))
    assert board.status == "playing"
    board.take(en.say("menu.end-game"))
    assert board.take(en.say("menu.end-game")) is None
    assert board.status == "lobby"
    assert board.lines == []


def test_why_it_may_not_be_is_to_be_read_in_the_menu() -> None:
    board = Board()
    board.press(A_CONFIRM)
    page = board.take("Start")
    assert page is not None
    assert page.note == load("en").say("trouble.link-refused")
    for size in SIZES:
        assert MenuDrawing(page)(size, "1").size == size
    assert [line["part"] for line in board.lines] == ["link"]
    page = board.turn(5.0)
    assert page is not None
    assert page.note == load("en").say("menu.note.seated", n=0)


def test_a_menu_that_nobody_touches_closes() -> None:
    board = Board()
    board.press(A_CONFIRM)
    assert board.turn(MENU_S - 1.0) is not None
    assert board.turn(1.5) is None


def test_a_game_that_begins_meanwhile_begins_its_page_anew() -> None:
    board = Board()
    ada = board.rig.peer("ada")
    board.press(A_CONFIRM)
    board.press(A_CHALLENGE)
    # Pressed for another entry than the one that is highlighted by then.
    board.buttons.press(B_CONFIRM, board.now + 0.01, 0.3)
    board.turn(0.1)
    ada.ask("lobby.start")
    page = board.turn(0.5)
    assert page is not None
    assert board.labels()[0] == load("en").say("menu.pause")
    assert board.status == "playing"


def test_a_link_that_is_not_served_has_no_menu() -> None:
    rig = Rig()
    board = Board(Unserved(rig))
    assert board.press(A_CONFIRM) is None
    assert board.buttons.lit == set()
    board = Board()
    assert board.press(A_CONFIRM) is not None
    board.link = board.menu._link = Unserved(board.rig)
    assert board.turn() is None
    assert board.buttons.lit == set()


def test_buttons_that_fail_are_told_once_and_are_back() -> None:
    board = Board()
    board.buttons.lose(A_CONFIRM)
    board.turn(1.0)
    board.buttons.mend(A_CONFIRM)
    board.turn(1.0)
    assert [(line["kind"], line["part"]) for line in board.lines] == [
        ("trouble", "buttons"),
        ("well", "buttons"),
    ]
    assert board.press(A_CONFIRM) is not None


def test_a_bug_closes_the_menu_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board()

    def broken(method: str, params: object) -> None:
        raise ZeroDivisionError("a bug")

    board.press(A_CONFIRM)
    with monkeypatch.context() as patch:
        patch.setattr(board.link, "command", broken)
        assert board.take("Start") is None
    assert "ZeroDivisionError" in board.lines[0]["text"]
    assert board.press(A_CONFIRM) is not None


def test_buttons_that_cannot_be_given_back_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board()

    def stuck() -> None:
        raise ButtonError("the pins hang; switch off")

    assert board.menu.close() is None
    monkeypatch.setattr(board.buttons, "close", stuck)
    assert board.menu.close() == "the pins hang; switch off"
