"""The link's host with peers that speak to it in memory: requests are bytes, and so are answers.

`Peer` is what a controller is; `Rig` has the clock, the book in memory or on disk, and can lose its power.
"""

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from firmware.gamebook import GameBegan, Kept, Later
from firmware.gamebook.book import CODER
from firmware.gamebook.reading import kept_of
from firmware.games.catalogue import GAMES, Game
from firmware.keeping.errors import JournalError
from firmware.link.host import Host
from firmware.link.table import Book
from firmware.link.wire import (
    LONGEST_LINE,
    Failure,
    Fault,
    LineReader,
    Message,
    Notification,
    Params,
    Request,
    Result,
    encoded,
)

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


class MemoryBook:
    """A game book without a disk; `refuses`: it is full."""

    def __init__(self) -> None:
        self.rows: dict[int, list[Any]] = {}
        self.refuses: str | None = None

    def begin(self, record: GameBegan) -> int:
        game = len(self.rows) + 1
        self._keep(game, record)
        return game

    def append(self, game: int, record: Later) -> None:
        self._keep(game, record)

    def going_on(self, games: Mapping[str, Game] = GAMES) -> Kept | None:
        """As the book on disk has it."""
        if not self.rows:
            return None
        latest = max(self.rows)
        kept = kept_of(latest, CODER, self.rows[latest], games)
        return None if kept is None or kept.left is not None else kept

    def records(self, game: int = 1) -> list[Any]:
        return [CODER.decoded(row) for row in self.rows[game]]

    def _keep(self, game: int, record: Any) -> None:
        if self.refuses is not None:
            raise JournalError(self.refuses, "full")
        rows = self.rows.setdefault(game, [])
        rows.append(CODER.encoded(game, len(rows) + 1, record))


class Rig:
    """A board. `now`: its clock, seconds."""

    def __init__(
        self,
        book: Book | None = None,
        games: Mapping[str, Game] = GAMES,
        tokens: str = "t",
        kept: Kept | None = None,
    ) -> None:
        self.book: Any = book if book is not None else MemoryBook()
        self.games = games
        self.now = 100.0
        self.given: list[str] = []
        """Every random word that was used: tokens, seeds."""
        self._numbers = itertools.count(1)
        self._prefix = tokens
        self.peers: dict[str, Peer] = {}
        self.notes: list[str] = []
        self.host = self._made(kept)

    def _made(self, kept: Kept | None) -> Host:
        return Host(
            self.book,
            tokens=self.token,
            wall=lambda: NOON,
            board="Board",
            software="1.2",
            kept=kept,
            games=self.games,
            now=self.now,
        )

    def token(self) -> str:
        self.given.append(f"{self._prefix}-{next(self._numbers):04d}-{'7' * 20}")
        return self.given[-1]

    def power_cut(self) -> None:
        """All ports and all that is in memory are gone; the book is not."""
        self.now += 50
        self.peers.clear()
        self.host = self._made(self.book.going_on(self.games))

    def open(self, port: str) -> "Peer":
        """A port that is there, and on which nothing was said."""
        peer = Peer(self, port)
        self.peers[port] = peer
        self.host.opened(port, self.now)
        return peer

    def peer(
        self, port: str, seat: int | None = None, *, token: str | None = None, looks_on: bool = False
    ) -> "Peer":
        """A controller that has said hello, and taken or resumed a seat."""
        peer = self.open(port)
        peer.ask("hello", protocol=1, name=port.title())
        if token is not None:
            peer.seat_from(peer.ask("seat.resume", token=token))
        elif not looks_on:
            peer.seat_from(
                peer.ask("seat.take", name=port.title(), **({} if seat is None else {"seat": seat}))
            )
        peer.read()
        return peer

    def unplug(self, port: str) -> None:
        self.host.closed(port, self.now)
        self.peers.pop(port, None)

    def wait(self, seconds: float, answering: bool = True) -> None:
        """Let time go by; peers that are there answer what they are asked."""
        end = self.now + seconds
        while True:
            due = self.host.tick(self.now)
            self.notes += self.host.notes()
            if answering:
                for peer in list(self.peers.values()):
                    peer.read()
            if due is None or due >= end:
                break
            self.now = max(self.now, due)
        self.now = end
        self.host.tick(self.now)
        if answering:
            for peer in list(self.peers.values()):
                peer.read()

    def read_all(self) -> None:
        for peer in list(self.peers.values()):
            peer.read()


class Peer:
    """What is at the other end of a port."""

    def __init__(self, rig: Rig, port: str) -> None:
        self.rig = rig
        self.port = port
        self.seat: int | None = None
        self.token = ""
        self.bytes = b""
        """All that was sent to it."""
        self.heard: list[Message] = []
        self.answers_pings = True
        self._reader = LineReader()
        self._ids = itertools.count(1)

    def seat_from(self, answer: Params) -> None:
        self.seat, self.token = answer["seat"], answer["token"]

    def send(self, data: bytes) -> None:
        self.rig.host.receive(self.port, data, self.rig.now)

    def tell(self, method: str, **params: Any) -> int:
        """Send a request, and read nothing; its id."""
        id_ = next(self._ids)
        self.send(encoded(Request(id_, method, params)))
        return id_

    def answer(self, method: str, **params: Any) -> Result | Failure:
        """The answer to a request."""
        id_ = self.tell(method, **params)
        (found,) = (each for each in self.read() if isinstance(each, Result | Failure) and each.id == id_)
        return found

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request, which is none that is refused."""
        answer = self.answer(method, **params)
        assert isinstance(answer, Result), answer
        return answer.result

    def refused(self, method: str, **params: Any) -> tuple[int, str]:
        """Code and reason of a request that is refused."""
        answer = self.answer(method, **params)
        assert isinstance(answer, Failure), answer
        return answer.code, answer.data["reason"]

    def act(self, kind: str, number: int | None = None, **more: Any) -> Result | Failure:
        params: Params = {"action": {"kind": kind, **more}}
        return self.answer("game.act", **params, **({} if number is None else {"number": number}))

    def read(self, room: int = 1 << 22) -> list[Message]:
        """What the host sends now."""
        data = self.rig.host.outgoing(self.port, room)
        self.bytes += data
        found: list[Message] = []
        for each in self._reader.feed(data):
            assert not isinstance(each, Fault), "the board has sent what is no message"
            found.append(each)
            if isinstance(each, Request) and self.answers_pings:
                self.send(encoded(Result(each.id, {})))
        assert all(len(line) <= LONGEST_LINE for line in data.split(b"\n"))
        self.heard += found
        return found

    def told(self, method: str) -> list[Params]:
        """The parameters of all that it was told by a notification of that name."""
        return [
            each.params for each in self.heard if isinstance(each, Notification) and each.method == method
        ]

    @property
    def game(self) -> Params:
        """The game as it was told last."""
        return self.told("game.changed")[-1]

    @property
    def lobby(self) -> Params:
        """The lobby as it was told last."""
        return self.told("lobby.changed")[-1]


def begun(rig: Rig, seats: int = 2, **options: Any) -> list[Peer]:
    """A game of SET, with a controller at each seat."""
    peers = [rig.peer("abcdefghijklmnopqrst"[number]) for number in range(seats)]
    peers[0].ask("lobby.choose", game="set", options=options)
    peers[0].ask("lobby.start")
    rig.read_all()
    return peers
