"""Boards for Picos on their ptys: the link's real host, and one that says what the test wants.

Everything is done in the test's own thread, while it waits for something to be so.
"""

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from firmware.games.catalogue import SET
from firmware.games.setgame.state import Setup, State
from firmware.link.messages import LobbyTold, SeatTold, as_params
from firmware.link.wire import Failure, LineReader, Notification, Request, Result, encoded
from tests.firmware.link.rig import Rig
from tests.hardware.controllers.picos import Pico
from tests.hardware.controllers.wires import Wire

BOUND_S = 20.0
"""Nothing that is waited for takes so long, on any machine."""
_SLICE_S = 0.004
_QUIET = 30
"""Slices without a new picture; a key takes ten."""


class HostBoard:
    """The link's host, with Picos plugged in. Its clock is the real one."""

    def __init__(self) -> None:
        self.rig = Rig()
        self.rig.now = time.monotonic()
        self.picos: dict[str, Pico | Wire] = {}
        self._left: dict[str, bytes] = {}
        """What a pty had no room for."""
        self.others: list[Callable[[], None]] = []
        """What else is to be done while something is waited for."""

    def plug(self, port: str, pico: Pico | Wire) -> None:
        self.picos[port] = pico
        self._left[port] = b""
        self.rig.now = time.monotonic()
        self.rig.host.opened(port, self.rig.now)

    def unplug(self, port: str) -> None:
        self.picos.pop(port).unplug()
        self.rig.host.closed(port, self.rig.now)

    def until(self, what: Callable[[], object], bound_s: float = BOUND_S) -> None:
        """Go on until something is so; fail if it does not come to be."""
        end = time.monotonic() + bound_s
        while not what():
            assert time.monotonic() < end, "it did not come to be"
            self.go_on()

    def go_on(self) -> None:
        """Move the bytes that there are."""
        by_link = {pico.link: port for port, pico in self.picos.items()}
        readable, _, _ = select.select(list(by_link), [], [], _SLICE_S)
        self.rig.now = now = time.monotonic()
        for link in readable:
            self.rig.host.receive(by_link[link], self.picos[by_link[link]].read(), now)
        self.rig.host.tick(now)
        for other in self.others:
            other()
        for port, pico in self.picos.items():
            pico.look()
            left = self._left.get(port, b"") or self.rig.host.outgoing(port, 8192)
            with suppress(BlockingIOError):
                left = left[os.write(pico.link, left) :]
            self._left[port] = left

    @property
    def view(self) -> Any:
        """The game as who looks on sees it."""
        return self.rig.host.shown.view


class SayingBoard:
    """A board that answers with the lobby and the game that the test gives it."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.status = "lobby"
        self.state: State | None = None
        self.names = ("Pico", "Ben")
        self.seat: int | None = 1
        self.undo: tuple[int, ...] = ()
        self.end: tuple[int, ...] = ()
        self.asked: list[Request] = []
        self._reader = LineReader()
        self._seen = b""

    def lobby(self) -> dict[str, Any]:
        table = tuple(
            SeatTold(number, name, None if number < 3 else "fair", number != 2)
            for number, name in enumerate(self.names, start=1)
        )
        told = LobbyTold(self.status, "set", None, {}, table, undo=self.undo, end=self.end)  # type: ignore[arg-type]
        return as_params(told)

    def game(self, events: tuple[Any, ...] = ()) -> dict[str, Any]:
        assert self.state is not None
        seat = self.seat
        view = msgspec.to_builtins(SET.view(self.state, seat))
        legal = [] if seat is None else list(SET.legal(self.state, seat))
        return {
            "position": 1,
            "status": self.status,
            "view": view,
            "legal": legal,
            "events": msgspec.to_builtins(events),
        }

    def tell(self, status: str, state: State | None = None, events: tuple[Any, ...] = ()) -> None:
        """Say that it is so now."""
        self.status, self.state = status, state
        self.say(Notification("lobby.changed", self.lobby()))
        if state is not None:
            self.say(Notification("game.changed", self.game(events)))

    def say(self, message: Any) -> None:
        self.write(encoded(message))

    def write(self, data: bytes) -> None:
        while data:
            _, writable, _ = select.select([], [self.pico.link], [], _SLICE_S)
            if writable:
                data = data[os.write(self.pico.link, data[:512]) :]
            self.go_on()

    def until(self, what: Callable[[], object], bound_s: float = BOUND_S) -> None:
        end = time.monotonic() + bound_s
        while not what():
            assert time.monotonic() < end, "it did not come to be"
            self.go_on()

    def until_asked(self, method: str) -> Request:
        """Wait for a request; the last of its kind."""
        before = len([each for each in self.asked if each.method == method])
        self.until(lambda: len([each for each in self.asked if each.method == method]) > before)
        return self.asked[-1]

    def settled(self) -> None:
        """Wait until the Pico has done all that it was told, and draws nothing more for a while."""
        seen = self._pongs
        self.say(Request(f"t{seen}", "ping"))
        self.until(lambda: self._pongs > seen and not self.pico.keys_left)
        pictures = -1
        while pictures != self.pico.pictures:
            pictures = self.pico.pictures
            for _ in range(_QUIET):
                self.go_on()

    _pongs = 0

    def go_on(self) -> None:
        readable, _, _ = select.select([self.pico.link], [], [], _SLICE_S)
        if readable:
            for message in self._reader.feed(self.pico.read()):
                if isinstance(message, Request):
                    self.asked.append(message)
                    os.write(self.pico.link, encoded(self._answer(message)))
                else:
                    assert isinstance(message, Result), message
                    self._pongs += 1
        self.pico.look()

    def _answer(self, request: Request) -> Result | Failure:
        match request.method:
            case "hello":
                return Result(request.id, {"protocol": 1, "board": "B", "software": "1", "boot": "1"})
            case "seat.take" | "seat.resume":
                return Result(request.id, {"seat": self.seat, "token": "7" * 32, "acts": 0})
            case "lobby.view":
                return Result(request.id, self.lobby())
            case "game.view" if self.state is not None:
                return Result(request.id, self.game())
            case "game.view":
                return Failure(request.id, -32004, "no game is played", {"reason": "nothing-played"})
            case _:
                return Result(request.id, {})


def dealt(table: str, seats: int = 3, **more: Any) -> State:
    """A hand of SET with these cards on the table, by their codes."""
    from firmware.games.setgame.cards import CARDS, DECK

    cards = tuple(CARDS[code] for code in table.split())
    state = SET.start(Setup(seats=seats, seed="s"))
    rest = tuple(card for card in DECK if card not in cards)
    return msgspec.structs.replace(state, **{"table": cards, "deck": rest, **more})
