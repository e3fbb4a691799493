"""A board without a camera: it hosts the link's games, and shows them on its panels if it has some.

The loop only; who plays and by which rules is the link's.
"""

from collections.abc import Callable
from typing import Final, get_args

from firmware.config import Role
from firmware.daemon.linking import Linked
from firmware.daemon.parts import Panels
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision, unsupervised
from firmware.link.host import Shown
from firmware.link.messages import LobbyTold
from firmware.link.showing import LinkDrawing
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
) -> None:
    """Show the link on the panels until `stop` is set; then both are given back. `tell` takes lines for
    people; `sleep` waits for some seconds, or until `stop` is set."""
    supervision = supervision or unsupervised()
    last: Shown | None = None
    try:
        while not stop.is_set():
            for line in linked.look():
                tell(line)
            shown = linked.shown
            if shown is not None and shown is not last:
                if last is None or shown.lobby != last.lobby:
                    tell(lobby_line(shown.lobby))
                last = shown
                for role in get_args(Role):
                    panels.show(role, LinkDrawing(role, shown, texts))
            for news in panels.news():
                tell(f"panel {news.panel}: {news.kind}{': ' if news.reason else ''}{news.reason}")
            supervision.turned(False, lambda shown=shown: status_line(shown))  # type: ignore[misc]
            sleep(TURN_S)
    finally:
        supervision.ends()
        linked.close()
        for hung in panels.stop():
            tell(f"panels on {hung}: they hang; pull their plug")
        for line in linked.look():
            tell(line)


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
