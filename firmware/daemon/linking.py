"""The link beside a rig: its ports, its host with its game book, and who has the panels.

The link has a thread of its own, which nothing here waits for but its end; what it says is asked for by who
shows it, in that one's thread.
"""

import math
import os
import queue
import secrets
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.config import Role
from firmware.config.link import AUTO
from firmware.daemon.parts import BoardDrawing, MenuDrawing, Panels
from firmware.gamebook import GameBook
from firmware.keeping.errors import JournalError
from firmware.link.host import Host, Shown
from firmware.link.showing import LinkDrawing
from firmware.link.thread import LinkThread
from firmware.link.wire import Params
from firmware.texts import Texts, load
from hardware.errors import SerialPortError
from hardware.plugged_ports import BY_ID, PluggedPorts
from hardware.serial_port import Heard, SerialPort, may_wait, open_port
from hardware.tcp_ports import TcpPorts

if TYPE_CHECKING:
    from firmware.panel_bus import PanelNews, Picture

RETRY_S: Final = 5.0
"""A game book for which there is no room is tried again so often."""
ANSWER_S: Final = 0.5
"""So long the board's menu waits for the link: a busy one answers within milliseconds."""
RESULT_S: Final = 30.0
"""So long it is to be seen who won a game, unless the match goes on before."""
_ROLES: Final[tuple[Role, ...]] = ("in-rally", "game")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is served: serial ports, `auto` for all of USB; `tcp`: a port of this computer, 0 for any that is
    free, None for none."""

    ports: tuple[str, ...] = ()
    tcp: int | None = None

    @property
    def anything(self) -> bool:
        """Whether there is a link at all."""
        return bool(self.ports) or self.tcp is not None


class Linked:
    """The link, from `open` to `close`. One thread uses it; it has others of its own."""

    def __init__(self, wanted: Wanted, state: Path, clock: Callable[[], float], by_id: Path) -> None:
        """Use `open`."""
        self._wanted = wanted
        self._state = state
        self._clock = clock
        self._by_id = by_id
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread: LinkThread | None = None
        self._parts = ExitStack()
        self._retry_at_s = 0.0
        self._refused: str | None = None

    @classmethod
    def open(
        cls,
        wanted: Wanted,
        state: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        by_id: Path = BY_ID,
        waits: bool = False,
    ) -> "Linked":
        """Serve the link; the games are kept in the folder `state`, and the last one goes on. A disk without
        room is waited for. `by_id`: where udev names USB's serial ports.

        JournalError for a game book that cannot be had otherwise; SerialPortError for a TCP port that is
        taken; with `waits` these are said instead, and tried again. A serial port may be missing."""
        linked = cls(wanted, state, clock, by_id)
        if waits:
            linked._try_or_say()
        else:
            linked._try()
        return linked

    @property
    def shown(self) -> Shown | None:
        """What everybody may see; None as long as there is no room to keep it."""
        return None if self._thread is None else self._thread.shown

    def command(self, method: str, params: Params) -> Params:
        """What the board itself asks for (`Host.command`). Refused, with words for people; TimeoutError, with
        words too, while there is no room to keep games or the link has no time."""
        if self._thread is None:
            raise TimeoutError(self._refused or "the link is not served")
        return self._thread.command(method, params, ANSWER_S)

    def look(self) -> tuple[str, ...]:
        """What the link said since the last call, for people; also tries again what could not be had, and
        begins anew after a bug: the games are on disk."""
        if self._thread is not None and not self._thread.serves:
            self._parts.close()
            self._thread = None
            self._retry_at_s = self._clock() + RETRY_S
            self._lines.put("the link failed, and begins anew; tell the makers what the log says of it")
        if self._thread is None and self._clock() >= self._retry_at_s:
            self._try_or_say()
        lines = []
        while not self._lines.empty():
            lines.append(self._lines.get())
        return tuple(lines)

    def close(self) -> None:
        """Serve nobody any more. Twice is safe."""
        self._parts.close()
        self._thread = None
        self._retry_at_s = float("inf")

    # ------------------------------------------------------------ opening

    def _try(self) -> None:
        self._retry_at_s = self._clock() + RETRY_S
        try:
            book = GameBook.open(self._state)
        except JournalError as error:
            if error.kind != "full":
                raise
            self._refuse(error)
            return
        with ExitStack() as parts:
            parts.callback(book.close)
            self._serve(book, parts)
            self._parts = parts.pop_all()

    def _try_or_say(self) -> None:
        try:
            self._try()
        except (JournalError, SerialPortError) as error:  # a match beside it goes on
            self._refuse(error)

    def _refuse(self, error: Exception) -> None:
        """Say why, once."""
        if str(error) != self._refused:
            self._lines.put(str(error))
        self._refused = str(error)

    def _serve(self, book: GameBook, parts: ExitStack) -> None:
        kept = book.going_on()
        for warning in book.warnings:
            self._lines.put(warning)
        host = Host(
            book,
            tokens=partial(secrets.token_hex, 16),
            wall=lambda: datetime.now(UTC),
            board=socket.gethostname(),
            software=f"setmatch {version('setmatch-board')}",
            kept=kept,
            now=self._clock(),
        )
        thread = LinkThread(host, self._lines.put, self._clock)
        parts.callback(thread.stop)
        # Before it is started: a port that is taken is told at once. And closed before it is stopped, so that
        # nobody is left waiting who has just connected.
        listening = (
            None if self._wanted.tcp is None else TcpPorts(self._wanted.tcp, partial(_offer_once, thread))
        )
        if listening is not None:
            parts.callback(listening.close)
            self._lines.put(f"tcp:{listening.port}: programs on this computer can connect")
        thread.start()
        for port in self._wanted.ports:
            if port != AUTO:
                _offer(thread, port)
        if AUTO in self._wanted.ports:
            plugged = PluggedPorts(
                partial(self._plugged, thread), partial(self._unplugged, thread), self._by_id
            )
            plugged.start()
            parts.callback(plugged.close)
        self._thread = thread

    def _plugged(self, thread: LinkThread, path: str) -> None:
        """A port was put in. One that is named by itself is served by that name."""
        if os.path.realpath(path) not in map(os.path.realpath, self._wanted.ports):
            _offer(thread, path)

    def _unplugged(self, thread: LinkThread, path: str) -> None:
        """It was pulled out. One that is named by itself is waited for."""
        if path not in self._wanted.ports:
            thread.withdraw(path)


def _offer(thread: LinkThread, url: str) -> None:
    thread.offer(url, partial(open_port, url), slow=may_wait(url))


def _offer_once(thread: LinkThread, name: str, opener: Callable[[Heard], SerialPort]) -> None:
    thread.offer(name, opener, once=True)


# ---------------------------------------------------------------- who has the panels


class SharedPanels:
    """Panels of a match that the link has while a game is played on it, and no match is on; what came of that
    game stays for `RESULT_S`, or until `touched`. What the match shows meanwhile is shown afterwards. A menu
    that is open is always to be seen. Call `look` often."""

    def __init__(self, panels: Panels) -> None:
        self._panels = panels
        self._of_match: dict[str, Picture] = {}
        self._on_panels: dict[str, Picture] = {}
        self._link: Shown | None = None
        self._result_until_s = -math.inf
        self._texts: Texts = load("en")

    def show(self, role: str, picture: "Picture") -> None:
        """Have the panels of a role show this of the match."""
        if isinstance(picture, BoardDrawing):
            self._texts = picture.texts
        self._of_match[role] = picture
        self._draw(role)

    def look(self, shown: Shown | None, *, match_on: bool, now: float) -> None:
        """What is to be seen of the link (`Linked.shown`), beside a match that is on or is not. `now`:
        seconds of a clock that never goes back."""
        if match_on:
            self.touched()
        link = None if shown is None or match_on else self._seen(shown, now)
        if link is not self._link:
            self._link = link
            for role in _ROLES:
                self._draw(role)

    def touched(self) -> None:
        """Somebody goes on with the match: who has won on the link has been read."""
        self._result_until_s = -math.inf

    def _seen(self, shown: Shown, now: float) -> Shown | None:
        """What people look for: a game that is played, and then what came of it."""
        if shown.lobby.status != "over":
            return shown if _is_played(shown) else None
        if self._link is not None and self._link.lobby.status != "over":
            self._result_until_s = now + RESULT_S
        return shown if now < self._result_until_s else None

    def wake(self) -> None:
        """Wake the panels."""
        self._panels.wake()

    def works(self, role: str) -> bool:
        """Whether a panel of this role can be read."""
        return self._panels.works(role)

    def news(self) -> "list[PanelNews]":
        """Of the panels."""
        return self._panels.news()

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Stop the panels."""
        return self._panels.stop(timeout_s)

    def _draw(self, role: str) -> None:
        picture = self._of_match.get(role)
        if self._link is not None and not isinstance(picture, MenuDrawing):
            picture = LinkDrawing(role, self._link, self._texts)
        if picture is not None and picture != self._on_panels.get(role):
            self._on_panels[role] = picture
            self._panels.show(role, picture)


def _is_played(shown: Shown) -> bool:
    """Whether people look for the game: one that waits with nobody there would hide the match for ever."""
    lobby = shown.lobby
    somebody = any(seat.present and seat.bot is None for seat in lobby.table)
    return lobby.status in ("playing", "paused") and somebody


def wanted_of(given: Sequence[str] | None, ports: Sequence[str], tcp: int | None) -> Wanted:
    """What is served, by what is `given` (a port, `auto` or `tcp:PORT` each) or else by the configuration's
    `ports` and `tcp`. ValueError for what cannot be, with words."""
    if not given:
        return Wanted(tuple(dict.fromkeys(ports)), tcp)
    found: list[str] = []
    number: int | None = None
    for each in given:
        kind, _, rest = each.partition(":")
        if kind != "tcp":
            found.append(each)
        elif number is not None:
            raise ValueError("one tcp:PORT is enough: any number of programs can connect there")
        elif not (rest.isascii() and rest.isdigit() and int(rest) <= 65_535):
            raise ValueError(f"{each!r} names no port; write tcp:7311, or tcp:0 for any that is free")
        else:
            number = int(rest)
    return Wanted(tuple(dict.fromkeys(found)), number)
