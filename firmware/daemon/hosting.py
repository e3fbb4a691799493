"""A board without a camera: it hosts the link's games, and shows them on its panels if it has some, with the
menu of its buttons.

The loop only; who plays and by which rules is the link's.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Final, get_args

from firmware.config import Role
from firmware.daemon.linking import Linked
from firmware.daemon.lobby_menu import LobbyMenu
from firmware.daemon.parts import MenuDrawing, Panels
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision, unsupervised
from firmware.link.host import Shown
from firmware.link.messages import LobbyTold
from firmware.link.showing import LinkDrawing
from firmware.report import Line
from firmware.screens.menu_page import MenuPage
from firmware.texts import Texts

TURN_S: Final = 0.05
"""So long a turn is, seconds: panels show ten pictures a second."""


def host_games(
    linked: Linked,
    panels: Panels,
    texts: Texts,
    stop: Stop,
    *,
    tell: Callable[[str], None],
    sleep: Callable[[float], None],
    supervision: Supervision | None = None,
    menu: LobbyMenu | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Show the link on the panels until `stop` is set; then all is given back. `tell` takes lines for people;
    `sleep` waits for some seconds, or until `stop` is set. `menu`: of the board's buttons, if it has some;
    `clock`: theirs."""
    supervision = supervision or unsupervised()
    hosted = _HostedPanels(panels, texts)
    last: Shown | None = None
    try:
        while not stop.is_set():
            for line in linked.look():
                tell(line)
            page = None if menu is None else menu.turn(clock())
            shown = linked.shown
            if shown is not None and shown is not last:
                if last is None or shown.lobby != last.lobby:
                    tell(lobby_line(shown.lobby))
                last = shown
            hosted.show(last, page)
            for news in panels.news():
                tell(f"panel {news.panel}: {news.kind}{': ' if news.reason else ''}{news.reason}")
            supervision.turned(False, partial(status_line, shown))
            sleep(TURN_S)
    finally:
        supervision.ends()
        linked.close()
        wrong = None if menu is None else menu.close()
        if wrong is not None:
            tell(wrong)
        for hung in panels.stop():
            tell(f"panels on {hung}: they hang; pull their plug")
        for line in linked.look():
            tell(line)


class _HostedPanels:
    """What stands on the panels: told to them when it is another."""

    def __init__(self, panels: Panels, texts: Texts) -> None:
        self._panels = panels
        self._texts = texts
        self._on_them: tuple[Shown | None, MenuPage | None] = None, None

    def show(self, shown: Shown | None, page: MenuPage | None) -> None:
        """A page of the menu, if it is open, and else the link."""
        before, self._on_them = self._on_them, (shown, page)
        if shown is None or (before[0] is shown and before[1] == page):
            return
        if page is not None and before[1] == page:
            return  # what has changed is beneath it
        for role in get_args(Role):
            self._panels.show(role, MenuDrawing(page) if page else LinkDrawing(role, shown, self._texts))


def trouble_line(line: Line) -> str:
    """What is wrong with a part, or well again (`Troubles`), in a line."""
    return f"{line['part']}: {line.get('text', 'well again')}"


def status_line(shown: Shown | None) -> str:
    """How it is, for the service manager."""
    return "Waits for room to keep games." if shown is None else lobby_line(shown.lobby)


def lobby_line(lobby: LobbyTold) -> str:
    """What is played and who sits there, in a line."""
    seats = ", ".join(
        f"{seat.seat} {seat.name or seat.bot or 'a computer'}{'' if seat.present else ' (away)'}"
        for seat in lobby.table
        if seat.name or seat.bot
    )
    return f"{lobby.game}, {lobby.status}: {seats or 'nobody is seated'}"
