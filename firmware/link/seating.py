"""What is asked of the lobby and of the seats: which game, who sits where, resuming by token.

Each method is given the house, who asks (None: the board itself), its parameters and the time; what it
returns is the answer. Refused: nothing has changed then.
"""

from typing import Any

import msgspec

from firmware.gamebook.records import GameBegan
from firmware.games.catalogue import Game
from firmware.games.protocol import SetupError
from firmware.link.house import House, with_book
from firmware.link.lobby import Seat, hashed
from firmware.link.messages import (
    Choose,
    Nothing,
    OneGame,
    PutBot,
    Refused,
    Take,
    TakeBack,
    as_params,
    no_seat,
    playing,
)
from firmware.link.sessions import Session
from firmware.link.table import Played, Table
from firmware.link.wire import INVALID_PARAMS, NOT_PLAYING, SEAT_REFUSED, Params


def view_lobby(house: House, session: Session | None, params: Nothing, now: float) -> Params:
    """Everything that everybody may know, and which games there are."""
    return {**as_params(house.told), "games": sorted(house.games)}


def view_game_offer(house: House, session: Session | None, params: OneGame, now: float) -> Params:
    """A game's title, seats and options."""
    game = _game(house, params.game)
    least, most = game.seats
    options: Any = msgspec.to_builtins(game.options)
    return {"game": game.name, "title": game.title, "seats": [least, most], "options": options}


def choose(house: House, session: Session | None, params: Choose, now: float) -> Params:
    """Choose the next game, its seats and options."""
    house.let_manage(session, now)
    if house.status in ("playing", "paused"):
        raise playing()
    game = _game(house, params.game)
    least, most = game.seats
    seats = params.seats
    if seats is not None and not least <= seats <= most:
        raise Refused(INVALID_PARAMS, "seats", f"{game.title} has {least} to {most} seats")
    _set_up(game, least if seats is None else seats, "", params.options)
    last = max(house.lobby.table, default=0)
    if last > (most if seats is None else seats):
        raise Refused(SEAT_REFUSED, "seats-taken", f"seat {last} is taken; have it left first")
    if house.table is not None:
        # What is over makes room: what is told of the lobby and of the game is about one game.
        house.put_away("another was chosen")
    house.lobby.game, house.lobby.seats, house.lobby.options = params.game, seats, params.options
    house.news.lobby = True
    return as_params(house.told)


def start(house: House, session: Session | None, params: Nothing, now: float) -> Params:
    """Begin the game that is chosen."""
    house.let_manage(session, now)
    if house.status in ("playing", "paused"):
        raise playing()
    lobby, game = house.lobby, house.game
    seats = lobby.seats or max((*lobby.table, game.seats[0]))
    free = [number for number in range(1, seats + 1) if number not in lobby.table]
    if free:
        raise Refused(NOT_PLAYING, "seats-free", f"seat {free[0]} is free: take it, or put a bot there")
    setup = _set_up(game, seats, house.tokens(), lobby.options)
    state = game.start(setup)
    kept = tuple(lobby.table[number].kept for number in range(1, seats + 1))
    began = GameBegan(game.name, msgspec.Raw(msgspec.json.encode(setup)), kept, house.wall())
    id_ = with_book(lambda: house.book.begin(began))
    house.table = Table(game, Played(id_, seats, [state]), house.book, house.wall, house.tokens())
    house.undo, house.end = set(), set()
    for each in house.sessions.values():
        each.sat_at = set() if each.seat is None else {each.seat}
        each.outbox.forget_events()
    for seat in lobby.table.values():
        seat.last_number, seat.answers = 0, {}
    house.table.begin_clocks(now)
    house.tell_bots(now)
    house.news.lobby = house.news.game = True
    return {"position": 0}


def put_bot(house: House, session: Session | None, params: PutBot, now: float) -> Params:
    """Have the computer play a seat that is free, or whose controller is away; or free it again."""
    house.let_manage(session, now)
    number, there = params.seat, house.lobby.table.get(params.seat)
    if number > _limit(house):
        raise Refused(SEAT_REFUSED, "no-such-seat", f"there are {_limit(house)} seats")
    if there is not None and there.human and there.present:
        raise Refused(SEAT_REFUSED, "taken", "somebody sits there")
    seat = None
    if params.strength is not None:
        seat = Seat(number, f"Bot {number}", bot=params.strength)
    elif there is None:
        raise Refused(SEAT_REFUSED, "free", "nobody sits there")
    house.set_seat(number, seat)
    house.tell_bots(now)
    return as_params(house.told)


def take(house: House, session: Session, params: Take, now: float) -> Params:
    """Take a free seat, or one whose controller has been away for long; the token is told this once. `acts`:
    the number of its last act, from which its controller counts on."""
    if session.seat is not None:
        raise Refused(SEAT_REFUSED, "seated", "leave your seat first")
    limit = _limit(house)
    takable = house.takable(limit, now)
    number = params.seat if params.seat is not None else next(iter(takable), None)
    if number is None:
        raise Refused(SEAT_REFUSED, "none-free", "all seats are taken; you can look on")
    if number > limit:
        raise Refused(SEAT_REFUSED, "no-such-seat", f"there are {limit} seats")
    if number not in takable:
        raise Refused(SEAT_REFUSED, "taken", f"seat {number} is taken; take another")
    if house.status in ("playing", "paused") and session.sat_at - {number}:
        # It has seen what another seat has in its hand.
        raise Refused(SEAT_REFUSED, "knows-too-much", "you have had another seat in this game; look on")
    token = house.tokens()
    seat = Seat(number, params.name, hashed(token))
    house.set_seat(number, seat)
    house.sit(session, seat)
    house.tell_bots(now)
    return {"seat": number, "token": token, "acts": 0}


def take_back(house: House, session: Session, params: TakeBack, now: float) -> Params:
    """Have the seat of a token again; who else has it loses it."""
    seat = house.lobby.by_token(params.token)
    if seat is None:
        raise Refused(SEAT_REFUSED, "unknown-token", "that seat is not kept any more; take one")
    if session.seat not in (None, seat.number):
        raise Refused(SEAT_REFUSED, "seated", "leave your seat first")
    if session.seat is None:
        house.sit(session, seat)
    return {"seat": seat.number, "token": params.token, "acts": seat.last_number}


def leave(house: House, session: Session, params: Nothing, now: float) -> Params:
    """Leave the seat for good: it is free, and its token worth nothing."""
    if session.seat is None:
        raise no_seat()
    house.set_seat(session.seat, None)
    session.outbox.forget_events()
    return {}


def _limit(house: House) -> int:
    """The highest seat that there is."""
    if house.table is not None and house.status != "over":
        return house.table.seats
    return house.lobby.limit(house.game.seats[1])


def _game(house: House, name: str) -> Game:
    if name not in house.games:
        raise Refused(
            INVALID_PARAMS, "game", f"there is no such game; choose {', '.join(sorted(house.games))}"
        )
    return house.games[name]


def _set_up(game: Game, seats: int, seed: str, options: Params) -> Any:
    try:
        return game.setup(seats, seed, options)
    except SetupError as error:
        raise Refused(INVALID_PARAMS, "options", str(error)) from error
