"""The link's host: bytes of every port and the time go in, bytes for every port come out.

Nothing here opens a port, reads a clock or starts a thread; whoever does so calls from one thread, in the
order in which things came. No input of any kind raises.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, ParamSpec

import msgspec

from firmware.gamebook.reading import Kept
from firmware.games.catalogue import GAMES, Game
from firmware.keeping.errors import JournalError
from firmware.link import playing, seating
from firmware.link.house import House, News
from firmware.link.messages import (
    Act,
    Choose,
    Hello,
    LobbyTold,
    Nothing,
    OneGame,
    PutBot,
    Refused,
    Take,
    TakeBack,
    Vote,
    as_params,
    no_hello,
    no_seat,
)
from firmware.link.outbox import News as What
from firmware.link.outbox import Outbox
from firmware.link.sessions import GONE_AFTER_S, Session
from firmware.link.table import Book, Table
from firmware.link.wire import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    PROTOCOL,
    SAY_HELLO,
    TOO_FAST,
    Failure,
    Fault,
    Message,
    Notification,
    Params,
    Request,
    Result,
    WireError,
)

P = ParamSpec("P")
_Method = Callable[[House, Any, Any, float], Params]
_METHODS: Final[dict[str, tuple[type, _Method]]] = {
    "lobby.view": (Nothing, seating.view_lobby),
    "lobby.game": (OneGame, seating.view_game_offer),
    "lobby.choose": (Choose, seating.choose),
    "lobby.start": (Nothing, seating.start),
    "lobby.bot": (PutBot, seating.put_bot),
    "seat.take": (Take, seating.take),
    "seat.resume": (TakeBack, seating.take_back),
    "seat.leave": (Nothing, seating.leave),
    "game.view": (Nothing, playing.view_game),
    "game.legal": (Nothing, playing.legal),
    "game.act": (Act, playing.act),
    "game.pause": (Nothing, playing.pause),
    "game.resume": (Nothing, playing.go_on),
    "game.undo": (Vote, playing.undo),
    "game.end": (Vote, playing.end),
}
_OF_A_PEER: Final = ("seat.take", "seat.resume", "seat.leave", "game.act")
"""What the board itself does not do: it has no seat."""
_MOST_AT_ONCE: Final = 1000
"""Things that the table does in one call: a clock that jumps by hours is no reason to hang."""


class Shown(msgspec.Struct, frozen=True):
    """What everybody may see, for panels. `view`: the game as who looks on sees it; None if there is none."""

    lobby: LobbyTold
    position: int
    view: Any


class Host:
    """Everything that is on the link. Times are seconds of one monotonic clock, that of the arrivals."""

    def __init__(
        self,
        book: Book,
        *,
        tokens: Callable[[], str],
        wall: Callable[[], datetime],
        board: str,
        software: str,
        kept: Kept | None = None,
        games: Mapping[str, Game] = GAMES,
        now: float = 0.0,
    ) -> None:
        """`tokens`: 128 random bits in hex, anew at each call (`secrets.token_hex(16)`); `kept`: the game to
        go on with."""
        self._house = House(games, book, tokens, wall)
        self._now = now
        self._told: Params = {
            "protocol": PROTOCOL,
            "board": board,
            "software": software,
            "boot": tokens(),
        }
        self._notes: list[str] = []
        self._unkept: str | None = None
        """Why the last thing that the table did by itself could not be kept."""
        self.changes = 0
        """Grows whenever `shown` may be another."""
        if kept is not None:
            self._house.restore(kept, now, tokens())
            self._flush()

    # ------------------------------------------------------------ in

    def opened(self, port: str, now: float) -> None:
        """A port is there. One of that name that was there before has gone."""
        now = self._advance(now)
        if port in self._house.sessions:
            self.closed(port, now)
        outbox = Outbox(lambda what, events: self._news_for(port, what, events))
        self._house.sessions[port] = Session(port, outbox, now)

    def closed(self, port: str, now: float) -> None:
        """A port is gone. Its seat is kept."""
        now = self._advance(now)
        session = self._house.sessions.get(port)
        if session is None:
            return
        if session.unanswered:
            self._notes.append(f"{port}: {session.unanswered} lines that could not be read, or came too fast")
        self._house.rise(session, now)
        del self._house.sessions[port]
        self._settle(now)

    def receive(self, port: str, data: bytes, now: float) -> None:
        """Bytes have come from a port. What they ask for is done in the order of these calls: what was called
        out first counts."""
        now = self._advance(now)
        session = self._house.sessions.get(port)
        if session is None:
            return
        for message in session.reader.feed(data):
            if session.dropped:
                break
            self._hear(session, message, now)
            self._settle(now)

    def tick(self, now: float) -> float | None:
        """Time goes on; when to call again at the latest. Call it when whatever came before `now` has been
        received: a claim in the last instant counts."""
        now = self._advance(now)
        for session in list(self._house.sessions.values()):
            due = session.due()
            if due is not None and due <= now:
                self._silent(session, now)
        self._settle(now)
        house = self._house
        times = [session.due() for session in house.sessions.values()]
        times += [house.away_due(), house.table.due() if house.table is not None else None]
        return min((time for time in times if time is not None), default=None)

    def command(self, method: str, params: Params, now: float) -> Params:
        """What the board itself asks for, by its menu: a method of the lobby or the game, with its answer.
        Refused, with words for people."""
        now = self._advance(now)
        if method not in _METHODS or method in _OF_A_PEER:
            raise no_seat()
        answer = self._called(method, None, params, now)
        self._settle(now)
        return answer

    # ------------------------------------------------------------ out

    def waiting(self) -> tuple[str, ...]:
        """The ports for which there is something to send."""
        return tuple(port for port, session in self._house.sessions.items() if len(session.outbox))

    def outgoing(self, port: str, room: int) -> bytes:
        """Whole lines for a port, at most `room` bytes; what does not fit waits. A line has up to 4,097
        bytes. What is taken counts as sent."""
        session = self._house.sessions.get(port)
        return b"" if session is None or session.dropped else session.outbox.take(room)

    def to_close(self) -> tuple[str, ...]:
        """Ports to be closed, since nobody reads there: close them, then call `closed`."""
        return tuple(port for port, session in self._house.sessions.items() if session.dropped)

    def greeted(self, port: str) -> bool:
        """Whether who is at a port has said `hello`."""
        session = self._house.sessions.get(port)
        return session is not None and session.greeted

    def silent(self, port: str) -> bool:
        """Whether who is at a port has said `hello`, and then nothing for so long that it counts as gone."""
        session = self._house.sessions.get(port)
        return session is not None and session.gone

    def notes(self) -> tuple[str, ...]:
        """What is to be logged since the last call. No token and no card is in it."""
        notes, self._notes = tuple(self._notes), []
        return notes

    @property
    def shown(self) -> Shown:
        """What everybody may see."""
        table = self._house.table
        view = None if table is None else table.view(None)
        return Shown(self._house.told, 0 if table is None else table.position, view)

    # ------------------------------------------------------------ one message

    def _hear(self, session: Session, message: Message | Fault, now: float) -> None:
        if isinstance(message, Fault):
            self._answer_if(session.faults.spend(now), session, message.answer)
            return
        session.heard(now)
        if session.gone:
            self._back(session)
        if not session.requests.spend(now):
            if isinstance(message, Request):
                slower = Failure(message.id, TOO_FAST, "Too fast", {"reason": "too-fast"})
                self._answer_if(session.faults.spend(now), session, slower)
        elif isinstance(message, Request):
            answer = self._answer(session, message, now)
            self._put(session, answer)
            if message.method == "hello" and isinstance(answer, Result):
                session.outbox.changed("lobby")
                session.outbox.changed("game")

    def _answer_if(self, may: bool, session: Session, answer: Message) -> None:
        if not may:
            session.unanswered += 1
            return
        self._put(session, answer)

    def _answer(self, session: Session, request: Request, now: float) -> Message:
        try:
            if request.method == "hello":
                return Result(request.id, self._hello(session, request.params, now))
            if request.method == "ping":
                return Result(request.id, {})
            if request.method not in _METHODS:
                return Failure(request.id, METHOD_NOT_FOUND, "Method not found")
            if not session.greeted:
                raise no_hello()
            return Result(request.id, self._called(request.method, session, request.params, now))
        except Refused as refusal:
            return Failure(request.id, refusal.code, str(refusal), refusal.data)
        except Exception as error:  # a bug of ours; whoever plays elsewhere plays on
            self._notes.append(f"{session.port}: {request.method} failed: {error!r}; report this fault")
            return Failure(request.id, INTERNAL_ERROR, "Internal error", {"reason": "bug"})

    def _called(self, method: str, session: Session | None, params: Params, now: float) -> Params:
        shape, function = _METHODS[method]
        try:
            checked: Any = msgspec.convert(params, shape)
        except msgspec.ValidationError as error:
            raise Refused(INVALID_PARAMS, "params", str(error)) from error
        return function(self._house, session, checked, now)

    def _hello(self, session: Session, params: Params, now: float) -> Params:
        try:
            hello = msgspec.convert(params, Hello)
        except msgspec.ValidationError as error:
            raise Refused(INVALID_PARAMS, "params", str(error)) from error
        if hello.protocol != PROTOCOL:
            words = f"this board speaks protocol {PROTOCOL}"
            raise Refused(SAY_HELLO, "protocol", words, protocol=PROTOCOL)
        # Who greets again has begun again, and waits for nothing that was asked before.
        self._house.rise(session, now)
        session.outbox.clear()
        session.name = hello.name
        return self._told

    # ------------------------------------------------------------ silence and time

    def _silent(self, session: Session, now: float) -> None:
        if session.asked_at is not None:
            session.gone = True
            self._notes.append(f"{session.port}: silent for {GONE_AFTER_S:g} s")
            if session.seat is not None:
                seat = self._house.lobby.table[session.seat]
                seat.away_since = now
                self._house.seat_news(session.seat)
        else:
            session.asked_at = now
            session.pings += 1
            self._put(session, Request(f"b{session.pings}", "ping"))

    def _back(self, session: Session) -> None:
        session.gone = False
        if session.seat is not None:
            self._house.lobby.table[session.seat].away_since = None
            self._house.seat_news(session.seat)

    def _advance(self, now: float) -> float:
        """What the table does by itself until `now`; no clock goes back."""
        self._now = max(self._now, now)
        for _ in range(_MOST_AT_ONCE):
            table = self._house.table
            due = None if table is None else table.due()
            if table is None or due is None or due > self._now:
                break
            self._guarded(self._do_due, table, due)
            self._flush()
        return self._now

    def _settle(self, now: float) -> None:
        """What follows from what was just done: the game hears who is there, everybody what is new."""
        self._guarded(self._house.tell_table, now)
        self._flush()

    def _do_due(self, table: Table, due: float) -> None:
        playing.acted(self._house, table.do_due(due))
        self._unkept = None

    def _guarded(self, do: Callable[P, None], *given: P.args, **named: P.kwargs) -> None:
        """Do what the table does by itself; what cannot be kept is tried again, and said once."""
        try:
            do(*given, **named)
        except JournalError as error:
            if self._unkept != str(error):
                self._unkept = str(error)
                self._notes.append(self._unkept)
                self._house.news.said.append(("not-kept", self._unkept, None))
        except Exception as error:  # a bug of a game's; the others' moves are still taken
            self._notes.append(f"the table failed: {error!r}; report this fault")

    # ------------------------------------------------------------ what is told

    def _flush(self) -> None:
        """Have everybody told what is new."""
        news, self._house.news = self._house.news, News()
        if not (news.game or news.lobby or news.seats or news.said):
            return
        self.changes += 1
        for session in self._house.sessions.values():
            if not session.greeted:
                continue
            for number in sorted(news.seats):
                self._put(session, Notification("seat.changed", self._seat_told(session, number)))
            for code, words, seat in news.said:
                self._put(session, Notification("said", {"code": code, "text": words, "seat": seat}))
            if news.lobby:
                session.outbox.changed("lobby")
            if news.game:
                session.outbox.changed("game", tuple(news.events))
            self._drop_if_full(session)
        # A peer that is dropped leaves its seat, which is news again.
        self._flush()

    def _seat_told(self, session: Session, number: int) -> Params:
        seat = self._house.lobby.table.get(number)
        told = as_params(seat.told) if seat is not None else {"seat": number, "name": "", "bot": None}
        return {"present": False, **told, "yours": session.seat == number}

    def _news_for(self, port: str, what: What, events: tuple[Any, ...]) -> Message | None:
        """What a peer is told now: what its own seat may see, and nothing else."""
        session = self._house.sessions[port]
        if what == "lobby":
            return Notification("lobby.changed", as_params(self._house.told))
        if self._house.table is None:
            return None
        told = playing.game_told(self._house, session.seat, events)
        return Notification("game.changed", as_params(told))

    def _put(self, session: Session, message: Message) -> None:
        try:
            session.outbox.put(message)
        except WireError as error:
            self._notes.append(f"{session.port}: {error}")
            if isinstance(message, Result | Failure):
                code = message.code if isinstance(message, Failure) else INTERNAL_ERROR
                too_long = {"reason": "too-long"}
                session.outbox.put(Failure(message.id, code, "the answer is too long to be told", too_long))
        self._drop_if_full(session)

    def _drop_if_full(self, session: Session) -> None:
        if session.outbox.full and not session.dropped:
            self._notes.append(f"{session.port}: does not read; it is closed, its seat kept")
            self._house.rise(session, self._now)
            session.dropped = True
            session.outbox.clear()
