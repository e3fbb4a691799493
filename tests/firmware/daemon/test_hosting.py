"""A board without a camera: what its panels show, what people are told, how it ends."""

import itertools
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from firmware.config import Config
from firmware.daemon.hosting import host_games, lobby_line, status_line, trouble_line
from firmware.daemon.linking import Linked, Wanted
from firmware.daemon.lobby_menu import LobbyMenu
from firmware.daemon.parts import MenuDrawing
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision
from firmware.daemon.troubles import Troubles
from firmware.gamebook import GameBook
from firmware.gestures import HOLD_S
from firmware.link.host import Shown
from firmware.link.messages import LobbyTold, SeatTold
from firmware.link.showing import LinkDrawing
from firmware.panel_bus import PanelNews
from firmware.texts import load
from hardware.button import Button
from hardware.errors import ButtonError
from hardware.simulated.buttons import SimulatedButtons
from tests.firmware.daemon.test_asking import Served
from tests.firmware.link.rig import Rig

NOBODY = LobbyTold("lobby", "set", None, {}, ())
ANN = LobbyTold("playing", "set", 2, {}, (SeatTold(1, "Ann", None, True), SeatTold(2, "", "fair", True)))


class Link:
    """A link that shows one thing a turn, and says a line each."""

    def __init__(self, *shown: Shown | None) -> None:
        self._shown = list(shown)
        self.closed = False

    @property
    def shown(self) -> Shown | None:
        return self._shown[0]

    def look(self) -> tuple[str, ...]:
        return ("closes",) if self.closed else ("looks",)

    def next(self) -> bool:
        if len(self._shown) > 1:
            self._shown.pop(0)
            return True
        return False

    def close(self) -> None:
        self.closed = True


class Hosted(Served):
    """The link's real host, as `Linked` has it."""

    _last: Shown | None = None

    @property
    def shown(self) -> Shown | None:
        now = self.rig.host.shown
        if now != self._last:
            self._last = now
        return self._last

    def look(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        pass


class Panels:
    """Panels that remember; one is pulled out at once, and a bus hangs in the end."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, Any]] = []
        self._news = [
            PanelNews("gone", "game", "ssd1306", "see its wires"),
            PanelNews("back", "game", "ssd1306"),
        ]

    def wake(self) -> None:
        raise AssertionError("what controllers do changes the pictures, which wakes the panels")

    def works(self, role: str) -> bool:
        return True

    def show(self, role: str, picture: Any) -> None:
        self.shown.append((role, picture))

    def news(self) -> list[PanelNews]:
        news, self._news = self._news[:1], self._news[1:]
        return news

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        return ("i2c:1",)


def test_panels_show_what_is_new_and_lines_tell_it() -> None:
    first, same, second = Shown(NOBODY, 0, None), Shown(NOBODY, 1, None), Shown(ANN, 1, None)
    link, panels, stop = Link(None, first, first, same, second), Panels(), Stop()
    told: list[str] = []
    states: list[str] = []
    seconds = itertools.count()

    def sleep(seconds: float) -> None:
        if link.shown is None:
            assert panels.shown == []
        if not link.next():
            stop.set()

    def notify(*given: str) -> bool:
        states.extend(given)
        return True

    host_games(
        cast(Linked, link),
        panels,
        load("en"),
        stop,
        tell=told.append,
        sleep=sleep,
        supervision=Supervision(notify, None, lambda: float(next(seconds))),
    )
    texts = load("en")
    pictures = [
        LinkDrawing(role, each, texts) for each in (first, same, second) for role in ("in-rally", "game")
    ]
    assert [picture for _, picture in panels.shown] == pictures
    assert [role for role, _ in panels.shown] == ["in-rally", "game"] * 3
    assert link.closed
    assert [line for line in told if line != "looks"] == [
        "panel ssd1306: gone: see its wires",
        "set, lobby: nobody is seated",
        "panel ssd1306: back",
        "set, playing: 1 Ann, 2 fair",
        "panels on i2c:1: they hang; pull their plug",
        "closes",
    ]
    assert states[:2] == ["READY=1", "STATUS=Waits for room to keep games."]
    assert "STATUS=set, playing: 1 Ann, 2 fair" in states
    assert "STOPPING=1" in states


class Ended(SimulatedButtons):
    """Buttons whose pins hang when they are given back."""

    def close(self) -> None:
        super().close()
        raise ButtonError("the pins hang; switch off")


def test_buttons_walk_the_lobbys_menu_on_the_panels() -> None:
    now = 10.0
    rig, panels, stop, told = Rig(), Panels(), Stop(), list[str]()
    link = Hosted(rig)
    buttons = Ended(lambda: now)
    troubles = Troubles(lambda line: told.append(trouble_line(line)))
    menu = LobbyMenu(buttons, cast(Linked, link), Config(), load("en"), troubles, lambda: None)
    buttons.press(Button("A", "confirm"), 10.2)  # opens the menu
    buttons.press(Button("A", "confirm"), 11.0)  # starts a game in which nobody sits: it says why not
    buttons.press(Button("B", "confirm"), 16.0, HOLD_S + 0.5)  # leaves the menu

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        if now >= 12.0 and not rig.peers:
            rig.peer("ada")  # news beneath an open menu: seen once it is closed
        if now >= 20.0:
            stop.set()

    host_games(
        cast(Linked, link),
        panels,
        load("en"),
        stop,
        tell=told.append,
        sleep=sleep,
        menu=menu,
        clock=lambda: now,
    )
    pictures = [picture for role, picture in panels.shown if role == "in-rally"]
    assert [role for role, _ in panels.shown] == ["in-rally", "game"] * len(pictures)
    kinds = [type(picture) for picture in pictures]
    # The lobby, its menu, why it does not start, who has come, and what is to be seen without the menu.
    assert kinds == [LinkDrawing, MenuDrawing, MenuDrawing, MenuDrawing, LinkDrawing]
    en = load("en")
    notes = en.say("menu.note.seated", n=0), en.say("trouble.link-refused"), en.say("menu.note.seated", n=1)
    assert tuple(picture.page.note for picture in pictures[1:4]) == notes
    assert [seat.name for seat in pictures[-1].shown.lobby.table] == ["Ada"]
    assert any(line.startswith("link: lobby.start: ") for line in told)
    assert "the pins hang; switch off" in told
    assert buttons.lit == frozenset()


def test_who_asked_for_the_end_before_is_obeyed(tmp_path: Path) -> None:
    stop = Stop()
    stop.set()
    told: list[str] = []
    linked = Linked.open(Wanted(tcp=0), tmp_path)
    host_games(linked, Panels(), load("en"), stop, tell=told.append, sleep=lambda seconds: None)
    assert "can connect" in told[-1]
    with closing(GameBook.open(tmp_path)):  # it was given back
        pass


def test_how_it_is_told_in_a_line() -> None:
    away = LobbyTold("paused", "set", 2, {}, (SeatTold(1, "Ann", None, False),))
    assert lobby_line(away) == "set, paused: 1 Ann (away)"
    assert status_line(Shown(away, 0, None)) == lobby_line(away)
