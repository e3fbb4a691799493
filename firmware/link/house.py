"""What the board has on the link: the lobby, the table, who is connected, and what there is to tell.

The methods work on it (`seating.py`, `playing.py`); nothing here knows a request or a line.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from firmware.gamebook.reading import Kept
from firmware.gamebook.records import SeatChanged, Seated
from firmware.games.catalogue import Game
from firmware.keeping.errors import JournalError
from firmware.link.lobby import Lobby, Seat
from firmware.link.messages import LobbyTold, Refused, Status, no_seat, nothing_played
from firmware.link.sessions import Session
from firmware.link.table import Book, Played, Table
from firmware.link.wire import INTERNAL_ERROR

AWAY_AFTER_S: Final = 60.0
"""A controller may be away so long before the others play on as if nobody sat there; its seat is kept."""


@dataclass
class News:
    """What has to be told to those who are connected."""

    game: bool = False
    lobby: bool = False
    events: list[Any] = field(default_factory=list)
    seats: set[int] = field(default_factory=set)
    said: list[tuple[str, str, int | None]] = field(default_factory=list)
    """Code, words for people, and the seat that it is about."""


class House:
    """The lobby and the table. `tokens`: 128 random bits in hex, anew at each call."""

    def __init__(
        self,
        games: Mapping[str, Game],
        book: Book,
        tokens: Callable[[], str],
        wall: Callable[[], datetime],
    ) -> None:
        self.games = games
        self.book = book
        self.tokens = tokens
        self.wall = wall
        self.sessions: dict[str, Session] = {}
        self.lobby = Lobby(next(iter(games)))
        self.table: Table | None = None
        self.why_paused: str | None = None
        self.undo: set[int] = set()
        """The seats that have asked for it."""
        self.end: set[int] = set()
        self.news = News()

    # ------------------------------------------------------------ what there is

    @property
    def game(self) -> Game:
        """The game that is chosen."""
        return self.games[self.lobby.game]

    @property
    def on(self) -> Table:
        """The game on the table; Refused if there is none."""
        if self.table is None:
            raise nothing_played()
        return self.table

    @property
    def status(self) -> Status:
        """How far it is."""
        if self.table is None:
            return "lobby"
        if self.table.over:
            return "over"
        return "paused" if self.table.paused else "playing"

    @property
    def told(self) -> LobbyTold:
        """What everybody may know."""
        return LobbyTold(
            status=self.status,
            game=self.lobby.game,
            seats=self.lobby.seats,
            options=self.lobby.options,
            table=self.lobby.told(),
            why_paused=self.why_paused if self.status == "paused" else None,
            undo=tuple(sorted(self.undo)),
            end=tuple(sorted(self.end)),
        )

    def seat_of(self, session: Session) -> Seat:
        """The seat of who asks; Refused if it has none."""
        if session.seat is None:
            raise no_seat()
        return self.lobby.table[session.seat]

    def let_manage(self, session: Session | None, now: float) -> None:
        """Refused if who asks may not choose what all have: while people sit there, only they may, and the
        board itself (None). Once all of them have been away for long, anybody may: their controllers may
        never come back, and the board is not theirs for ever."""
        if session is None or session.seat is not None:
            return
        if not all(seat.away_for(AWAY_AFTER_S, now) for seat in self.lobby.humans()):
            raise no_seat()

    def takable(self, limit: int, now: float) -> tuple[int, ...]:
        """The seats up to `limit` that may be taken: those that nobody has, then those whose controllers
        have been away for long, in a pause too."""
        table = self.lobby.table
        numbers = range(1, limit + 1)
        free = tuple(number for number in numbers if number not in table)
        return free + tuple(n for n in numbers if n in table and table[n].away_for(AWAY_AFTER_S, now))

    # ------------------------------------------------------------ who sits where

    def set_seat(self, number: int, seat: Seat | None) -> None:
        """Have another at a seat, or nobody; kept first, where a game is on. Refused if it cannot be kept."""
        if self.table is not None:
            kept = seat.kept if seat is not None else Seated()
            with_book(lambda: self.book.append(self.on.id, SeatChanged(number, kept, self.wall())))
        former = self.lobby.table.pop(number, None)
        # Who sits there now has asked for nothing.
        self.undo.discard(number)
        self.end.discard(number)
        if former is not None and former.port is not None:
            self.sessions[former.port].seat = None
        if seat is not None:
            self.lobby.table[number] = seat
        self.seat_news(number)

    def sit(self, session: Session, seat: Seat) -> None:
        """Have a connection hold a seat, from now on alone."""
        if seat.port is not None:
            self.rise(self.sessions[seat.port], away_since=None)
        seat.port, seat.away_since = session.port, None
        session.seat = seat.number
        session.sat_at.add(seat.number)
        session.outbox.forget_events()
        self.seat_news(seat.number)

    def rise(self, session: Session, away_since: float | None) -> None:
        """Have a connection hold no seat any more; what it had is kept for its token."""
        if session.seat is None:
            return
        seat = self.lobby.table[session.seat]
        # Who was silent before it went has been away since then.
        seat.port, seat.away_since = None, away_since if seat.away_since is None else seat.away_since
        session.seat = None
        session.outbox.forget_events()
        self.seat_news(seat.number)

    def put_away(self, why: str) -> None:
        """Have no game on the table any more. Refused if that cannot be kept."""
        with_book(lambda: self.on.leave(why))
        self.table, self.why_paused = None, None
        self.undo, self.end = set(), set()
        self.news.game = self.news.lobby = True

    def seat_news(self, number: int) -> None:
        """Something about a seat is to be told."""
        self.news.seats.add(number)
        self.news.lobby = self.news.game = True

    def tell_bots(self, now: float) -> None:
        """Have the table know which seats the computer plays."""
        if self.table is not None:
            self.table.seat_bots(self.lobby.bots(), now)

    def tell_table(self, now: float) -> None:
        """Have the game know where somebody sits, if it is played. JournalError."""
        if self.table is None or self.status != "playing" or now < self.table.not_before:
            return
        there = {number: self._there(number, now) for number in range(1, self.table.seats + 1)}
        events = self.table.seated(there, now)
        if events:
            self.news.events += events
            self.news.game = True

    def away_due(self) -> float | None:
        """When somebody will have been away for so long that the game is to know."""
        if self.table is None or self.status != "playing":
            return None
        away = [seat for seat in self.lobby.humans() if self.table.has_there(seat.number) is not False]
        times = [seat.away_since + AWAY_AFTER_S for seat in away if seat.away_since is not None]
        return max(min(times), self.table.not_before) if times else None

    def _there(self, number: int, now: float) -> bool:
        seat = self.lobby.table.get(number)
        return seat is not None and not seat.away_for(AWAY_AFTER_S, now)

    # ------------------------------------------------------------ after a start

    def restore(self, kept: Kept, now: float, bot_seed: str) -> None:
        """Have a game on the table as it stood when power went: paused, all controllers away."""
        game = self.games[kept.game]
        options = {option.name: getattr(kept.setup, option.name) for option in game.options}
        # The next game has as many seats as are taken then.
        self.lobby = Lobby(kept.game, None, options)
        for number, seated in kept.seats.items():
            if seated.name:
                bot: Any = seated.bot
                seat = Seat(number, seated.name, seated.token, bot)
                if seat.human:
                    seat.away_since = now
                for acted, position in kept.answered.get(number, {}).items():
                    seat.answered(acted, {"position": position})
                self.lobby.table[number] = seat
        played = Played(kept.id, kept.places, list(kept.states), list(kept.actions))
        self.table = Table(game, played, self.book, self.wall, bot_seed)
        self.table.begin_clocks(now)
        if not self.table.over:
            self.table.pause(now)
            self.why_paused = "restart"
        self.tell_bots(now)


def with_book(keep: Callable[[], Any]) -> Any:
    """What `keep` returns. Refused if it could not be kept: nothing is done then; ask again."""
    try:
        return keep()
    except JournalError as error:
        raise Refused(INTERNAL_ERROR, "not-kept", str(error), kind=error.kind) from error
