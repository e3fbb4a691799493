"""A controller's side of the link: bytes and time in; bytes, and news of the board, out.

It greets, keeps a seat by its token, asks again what was lost on its way, and notices a board that is silent.
No port, no clock, no game's rules and no player live here.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from firmware.controller.news import (
    Answered,
    Board,
    GameChanged,
    GamePutAway,
    Gone,
    Greeted,
    LobbyChanged,
    News,
    Refused,
    Said,
    Seated,
    Unseated,
)
from firmware.link.messages import GameTold, LobbyTold
from firmware.link.wire import (
    METHOD_NOT_FOUND,
    PROTOCOL,
    SAY_HELLO,
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

AGAIN_S: Final = 2.0
"""A request that got no answer is made again after so long: its line, or the answer's, was lost."""
TRIES: Final = 5
ASK_S: Final = 8.0
"""A board that has said nothing for so long is asked; in time for it not to miss us (10 s)."""
GONE_S: Final = 20.0
"""So long the board may say nothing before it counts as gone."""
MOST_WAITING: Final = 64


@dataclass
class _Flight:
    """A request that waits for its answer."""

    request: Request
    sent_at: float
    tries: int = 1


class Client:
    """One controller. `tokens`: what seats are resumed by, by the boards' names."""

    def __init__(self, name: str, software: str, tokens: Mapping[str, str]) -> None:
        self.name = name
        self.tokens = dict(tokens)
        self.board: Board | None = None
        """None: nobody is there."""
        self.seat: int | None = None
        self.lobby: LobbyTold | None = None
        self.game: GameTold | None = None
        """As our seat may see it; None if none is on the table."""
        self._software = software
        self._reader = LineReader()
        self._out = bytearray()
        self._waiting: deque[tuple[str, Params]] = deque()
        self._flight: _Flight | None = None
        self._ids = 0
        self._acts = 0
        self._open = False
        self._missed = False
        self._heard_at = 0.0
        self._asked_at = 0.0

    # ------------------------------------------------------------ the port

    def opened(self, now: float) -> None:
        """A port to the board is there."""
        self._reader.forget()
        self._open = True
        self._heard_at = self._asked_at = now
        self._greet()

    def closed(self) -> tuple[News, ...]:
        """The port is gone."""
        self._open = False
        self._forget()
        return (Gone(),)

    def outgoing(self, now: float) -> bytes:
        """What is to be sent now."""
        if self._open:
            self._send_next(now)
        out = bytes(self._out)
        self._out.clear()
        return out

    def receive(self, data: bytes, now: float) -> tuple[News, ...]:
        """Bytes from the board; what they tell."""
        news: list[News] = []
        for message in self._reader.feed(data):
            self._heard_at = now
            if isinstance(message, Fault):
                # It may have been news: have it told anew.
                self._missed = self.board is not None
            else:
                news += self._heard(message)
        return tuple(news)

    def tick(self, now: float) -> tuple[News, ...]:
        """Time goes on."""
        flight = self._flight
        unheard = flight is not None and flight.tries > TRIES and flight.request.method != "hello"
        if self.board is not None and (unheard or now - self._heard_at >= GONE_S):
            self._forget()
            self._heard_at = now
            self._greet()
            return (Gone(),)
        return ()

    def due(self) -> float | None:
        """When to call `tick` and `outgoing` again at the latest; None while there is no port."""
        if not self._open:
            return None
        times = [max(self._heard_at, self._asked_at) + ASK_S]
        if self.board is not None:
            times.append(self._heard_at + GONE_S)
        if self._flight is not None:
            times.append(self._flight.sent_at + AGAIN_S)
        return min(times)

    # ------------------------------------------------------------ what is asked for

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._flight is not None or bool(self._waiting)

    def ask(self, method: str, /, **params: Any) -> None:
        """Ask the board, once it has answered what was asked before. The line has to fit (`encoded`)."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append((method, params))

    def act(self, action: Params) -> None:
        """Do something in the game. Acts are counted, so that one that is said twice is done once."""
        self._acts += 1
        self.ask("game.act", action=action, number=self._acts)

    def take_seat(self) -> None:
        """Take the first seat that is free."""
        self.ask("seat.take", name=self.name)

    def _greet(self) -> None:
        self.ask("hello", protocol=PROTOCOL, name=self.name, software=self._software)

    def _look(self) -> None:
        self.ask("lobby.view")
        self.ask("game.view")

    def _forget(self) -> None:
        self.board = self.seat = self.lobby = self.game = self._flight = None
        self._missed = False
        self._waiting.clear()

    def _send_next(self, now: float) -> None:
        if now - max(self._heard_at, self._asked_at) >= ASK_S:
            self._asked_at = now
            self.ask("ping")
        if self._missed and not self.busy:
            self._missed = False
            self._look()
        flight = self._flight
        if flight is None and self._waiting:
            method, params = self._waiting.popleft()
            self._ids += 1
            self._flight = _Flight(Request(self._ids, method, params), now)
            self._out += encoded(self._flight.request)
        elif flight is not None and now - flight.sent_at >= AGAIN_S:
            flight.tries += 1
            flight.sent_at = now
            self._out += encoded(flight.request)

    # ------------------------------------------------------------ what is heard

    def _heard(self, message: Message) -> Iterator[News]:
        match message:
            case Request(id_, method):
                answer = (
                    Result(id_, {})
                    if method == "ping"
                    else Failure(id_, METHOD_NOT_FOUND, "Method not found")
                )
                self._out += encoded(answer)
            case Notification(method, params):
                yield from self._told(method, params)
            case Result(id_, result):
                if (flight := self._landed(id_)) is not None:
                    yield from self._answered(flight.request.method, result)
            case Failure(id_, code, text, data):
                if (flight := self._landed(id_)) is not None:
                    refused = Refused(flight.request.method, code, str(data.get("reason", code)), text)
                    yield from self._refused(refused, flight)

    def _landed(self, id_: int | str | None) -> _Flight | None:
        flight = self._flight
        if flight is None or id_ != flight.request.id:
            return None
        self._flight = None
        return flight

    def _told(self, method: str, params: Params) -> Iterator[News]:
        """A notification. One that is not as this protocol has it tells nothing."""
        try:
            match method:
                case "lobby.changed":
                    yield from self._lobby(msgspec.convert(params, LobbyTold))
                case "game.changed":
                    yield from self._game(msgspec.convert(params, GameTold))
                case "seat.changed":
                    yield from self._seat_changed(params)
                case "said":
                    yield msgspec.convert({"kind": "said", **params}, Said)
        except (msgspec.ValidationError, KeyError):
            self._missed = True

    def _seat_changed(self, params: Params) -> Iterator[News]:
        number, ours = params["seat"], params["yours"]
        if ours and self.seat != number:
            self.seat = number
            yield Seated(number, params["name"])
        elif not ours and self.seat == number:
            self.seat = None
            yield Unseated()

    def _answered(self, method: str, result: Any) -> Iterator[News]:
        try:
            match method:
                case "hello":
                    self.board = msgspec.convert(result, Board)
                    yield Greeted(self.board)
                    self._sit()
                case "seat.take" | "seat.resume":
                    yield from self._seated(result)
                case "seat.leave":
                    self._drop_token()
                    if self.seat is not None:
                        self.seat = None
                        yield Unseated()
                case "lobby.view":
                    yield from self._lobby(msgspec.convert(result, LobbyTold))
                case "game.view":
                    yield from self._game(msgspec.convert(result, GameTold))
                case "ping":
                    return
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            yield Refused(
                method, 0, "answer", f"the board's answer cannot be used ({error}); update it, or this"
            )
            return
        yield Answered(method, result)

    def _refused(self, refused: Refused, flight: _Flight) -> Iterator[News]:
        reason = refused.reason
        if refused.method == "hello":
            # A board of another time. It may be changed for one that speaks with us: ask on.
            self._flight = flight
        elif refused.code == SAY_HELLO:
            # The board was started anew. What was asked of the old one is void.
            self._forget()
            self._greet()
            yield Gone()
            return
        elif refused.method == "seat.resume":
            self._drop_token()
            self.take_seat()
            return
        elif refused.method == "seat.take":
            if reason == "seated":
                # The answer that had the token was lost.
                self.ask("seat.leave")
                self.take_seat()
                return
            self._look()
        elif refused.method == "game.view":
            if self.game is not None:
                self.game = None
                yield GamePutAway()
            return
        yield refused

    def _sit(self) -> None:
        assert self.board is not None
        token = self.tokens.get(self.board.board)
        if token is None:
            self.take_seat()
        else:
            self.ask("seat.resume", token=token)

    def _seated(self, result: Params) -> Iterator[News]:
        if "token" in result and self.board is not None:
            self.tokens[self.board.board] = result["token"]
        self._acts = result["acts"]
        self._look()
        self.seat = result["seat"]
        yield Seated(result["seat"], result.get("name", self.name))

    def _drop_token(self) -> None:
        if self.board is not None:
            self.tokens.pop(self.board.board, None)

    def _lobby(self, told: LobbyTold) -> Iterator[News]:
        self.lobby = told
        yield LobbyChanged(told)
        if told.status == "lobby" and self.game is not None:
            self.game = None
            yield GamePutAway()

    def _game(self, told: GameTold) -> Iterator[News]:
        self.game = told
        yield GameChanged(told)
