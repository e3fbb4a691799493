"""A board without a camera: what its panels show, what people are told, how it ends."""

import itertools
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from firmware.daemon.hosting import host_games, lobby_line, status_line
from firmware.daemon.linking import Linked, Wanted
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision
from firmware.gamebook import GameBook
from firmware.link.host import Shown
from firmware.link.messages import LobbyTold, SeatTold
from firmware.link.showing import LinkDrawing
from firmware.panel_bus import PanelNews
from firmware.texts import load

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
