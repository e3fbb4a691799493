"""Joins a client, its port and its player: one queue of what comes in, one thread that does everything.

The port and this side's input have threads of their own, which only put what came into the queue.
"""

import queue
from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from firmware.controller.client import Client
from firmware.controller.news import News
from firmware.controller.players import Player
from hardware.errors import HardwareError

AGAIN_S: Final = 1.0
"""A port that is gone is tried again so often."""


class Arrived(msgspec.Struct, frozen=True):
    """Bytes from the board. `port`: ports are counted as they are opened."""

    port: int
    data: bytes


class PortGone(msgspec.Struct, frozen=True):
    """The port is gone."""

    port: int


class Typed(msgspec.Struct, frozen=True):
    """Bytes of this side's input; none is its end."""

    data: bytes


Input = Arrived | PortGone | Typed
Inbox = queue.Queue[Input]


class Port(Protocol):
    """An open way to the board, whose bytes come into the inbox."""

    def write(self, data: bytes) -> None:
        """Send bytes. HardwareError if the port is gone."""

    def close(self) -> None:
        """Give it back. Twice is safe."""


class Loop:
    """Plays until the player goes. `opened`: opens the port anew, with its count (HardwareError); `keep`: is
    called when the tokens are others."""

    def __init__(
        self,
        client: Client,
        player: Player,
        inbox: Inbox,
        opened: Callable[[int], Port],
        keep: Callable[[dict[str, str]], None],
        clock: Callable[[], float],
    ) -> None:
        self._client = client
        self._player = player
        self._inbox = inbox
        self._opened = opened
        self._keep = keep
        self._clock = clock
        self._port: Port | None = None
        self._ports = 0
        self._again_at = 0.0
        self._kept = dict(client.tokens)

    def run(self) -> None:
        """Play. HardwareError if the port cannot be opened the first time; later it is waited for."""
        self._open()
        try:
            while not self._player.has_left:
                self._step()
        finally:
            if self._port is not None:
                self._port.close()

    def _step(self) -> None:
        self._player.tick(self._clock())
        self._send()
        for each in self._inputs():
            now = self._clock()
            match each:
                case Arrived(port, data) if port == self._ports:
                    self._tell(self._client.receive(data, now))
                case PortGone(port) if port == self._ports:
                    self._lose()
                case Typed(data):
                    self._player.typed(data, now)
                case _:
                    pass  # a last word of a port that was given back
        self._tell(self._client.tick(self._clock()))
        if self._client.tokens != self._kept:
            self._kept = dict(self._client.tokens)
            self._keep(self._kept)
        if self._port is None and self._clock() >= self._again_at:
            self._try_again()

    def _inputs(self) -> list[Input]:
        """What came, waited for until something is due."""
        times = [self._player.due(), self._client.due(), self._again_at if self._port is None else None]
        due = min((time for time in times if time is not None), default=None)
        try:
            found = [self._inbox.get(timeout=None if due is None else max(0.0, due - self._clock()))]
        except queue.Empty:
            return []
        while not self._inbox.empty():
            found.append(self._inbox.get())
        return found

    def _tell(self, news: tuple[News, ...]) -> None:
        if news:
            self._player.heard(news, self._clock())

    def _send(self) -> None:
        data = self._client.outgoing(self._clock())
        if data and self._port is not None:
            try:
                self._port.write(data)
            except HardwareError:
                self._lose()

    def _open(self) -> None:
        self._ports += 1
        self._port = self._opened(self._ports)
        self._client.opened(self._clock())

    def _lose(self) -> None:
        if self._port is not None:
            self._port.close()
            self._port = None
            self._again_at = self._clock() + AGAIN_S
            self._tell(self._client.closed())

    def _try_again(self) -> None:
        try:
            self._open()
        except HardwareError:
            self._again_at = self._clock() + AGAIN_S
