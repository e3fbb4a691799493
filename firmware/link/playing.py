"""What is asked of the game on the table: seeing, acting, pausing, undoing, ending.

Each method is given the house, who asks (None: the board itself), its parameters and the time; what it
returns is the answer. Refused: nothing has changed then.
"""

from typing import Any

import msgspec

from firmware.games.protocol import IllegalAction
from firmware.link.house import House, with_book
from firmware.link.lobby import Seat
from firmware.link.messages import Act, GameTold, Nothing, Refused, Vote, as_params, illegal, no_seat
from firmware.link.sessions import Session
from firmware.link.table import Table
from firmware.link.wire import ILLEGAL_ACTION, INVALID_PARAMS, NOT_PLAYING, Params


def game_told(house: House, seat: int | None, events: tuple[Any, ...] = ()) -> GameTold:
    """The game as a seat may see it; None for who looks on. What a pause hides is covered for everybody: a
    pause is no time to think. Refused if there is none."""
    table, status = house.on, house.status
    view = table.view(seat)
    shown = table.game.covered(view) if status == "paused" else view
    return GameTold(table.position, status, shown, table.legal(seat), events)


def view_game(house: House, session: Session | None, params: Nothing, now: float) -> Params:
    """The game as who asks may see it."""
    return as_params(game_told(house, None if session is None else session.seat))


def legal(house: House, session: Session | None, params: Nothing, now: float) -> Params:
    """What the seat of who asks may do."""
    seat = None if session is None else session.seat
    return {"position": house.on.position, "legal": list(house.on.legal(seat))}


def act(house: House, session: Session, params: Act, now: float) -> Params:
    """Do what a seat does. What was numbered and answered once is answered the same, and not done again."""
    seat, number = house.seat_of(session), params.number
    if number is not None:
        former = seat.answers.get(number)
        if isinstance(former, Refused):
            raise former
        if former is not None:
            return former
        if number <= seat.last_number:
            raise Refused(ILLEGAL_ACTION, "old-number", f"go on from number {seat.last_number}")
    try:
        answer = _done(house, seat, params, now)
    except Refused as refusal:
        if number is not None and refusal.code in (ILLEGAL_ACTION, INVALID_PARAMS):
            seat.answered(number, refusal)
        raise
    if number is not None:
        seat.answered(number, answer)
    return answer


def _done(house: House, seat: Seat, params: Act, now: float) -> Params:
    table = _going_on(house)
    if params.action.get("seat", seat.number) != seat.number:
        raise Refused(INVALID_PARAMS, "seat", f"you have seat {seat.number}")
    try:
        move = msgspec.convert({**params.action, "seat": seat.number}, table.game.move_type)
    except msgspec.ValidationError as error:
        raise Refused(INVALID_PARAMS, "action", str(error)) from error
    try:
        events = with_book(lambda: table.act(move, now, seat.number, params.number))
    except IllegalAction as error:
        raise illegal(error.reason) from error
    acted(house, events)
    # Who plays on does not want to end any more; others may.
    _withdraw(house, house.end, seat.number)
    return {"position": table.position}


def acted(house: House, events: tuple[Any, ...]) -> None:
    """Something was done: it is told, and what was asked about what came before is forgotten."""
    house.news.events += events
    house.news.game = True
    if house.undo or house.status == "over":
        house.news.lobby = True
    house.undo.clear()


def pause(house: House, session: Session | None, params: Nothing, now: float) -> Params:
    """Stop the game; nothing may be done, and no time runs."""
    _may_play(session)
    table = _going_on(house)
    if table.over:
        raise _over()
    table.pause(now)
    house.why_paused = "asked"
    house.news.game = house.news.lobby = True
    return {}


def go_on(house: House, session: Session | None, params: Nothing, now: float) -> Params:
    """Go on with a game that was paused."""
    house.let_manage(session, now)
    if house.on.over:
        raise _over()
    if house.on.paused:
        if session is None or session.seat is not None:
            # Who has not come back yet has as long again as anybody who goes away.
            for seat in house.lobby.humans():
                if seat.away_since is not None:
                    seat.away_since = now
        house.on.go_on(now)
        house.news.game = house.news.lobby = True
    return {}


def undo(house: House, session: Session | None, params: Vote, now: float) -> Params:
    """Ask for the last action to be taken back; it is, once everybody who sits here has asked."""
    _may_play(session)
    table = house.on
    if not params.agree:
        _withdraw(house, house.undo, None if session is None else session.seat)
        return {"agreed": False, "position": table.position}
    if table.paused and not table.over:
        raise Refused(NOT_PLAYING, "paused", "the game is paused; go on with it first")
    if not table.can_undo:
        raise illegal("nothing-to-undo")
    if not _agreed(house, house.undo, session, "undo-asked", "asks to take the last action back"):
        return {"agreed": False, "position": table.position}
    with_book(lambda: table.undo(now))
    house.undo.clear()
    house.news.said.append(("undone", "the last action is taken back", None))
    house.news.game = house.news.lobby = True
    for each in house.sessions.values():
        each.outbox.forget_events()
    return {"agreed": True, "position": table.position}


def end(house: House, session: Session | None, params: Vote, now: float) -> Params:
    """Ask for the game to be ended; it is, once everybody who sits here has asked. One that is over goes at
    once, and so does one whose players have all been away for long."""
    house.let_manage(session, now)
    table = house.on
    if not params.agree:
        _withdraw(house, house.end, None if session is None else session.seat)
        return {"agreed": False}
    agreed = table.over or _agreed(house, house.end, session, "end-asked", "asks to end the game")
    if agreed:
        house.put_away("ended")
        house.news.said.append(("ended", "the game is put away", None))
    return {"agreed": agreed}


def _agreed(house: House, asked: set[int], session: Session | None, code: str, words: str) -> bool:
    """Whether all agree now that one more asks. Who is away is not waited for; the board need not ask, nor
    who looks on where all have been away for long."""
    if session is None or session.seat is None:
        return True
    seat = house.seat_of(session)
    new = seat.number not in asked
    asked.add(seat.number)
    agreed = all(each.number in asked for each in house.lobby.humans() if each.present)
    if new and not agreed:
        house.news.lobby = True
        house.news.said.append((code, f"{seat.name} {words}", seat.number))
    return agreed


def _withdraw(house: House, asked: set[int], seat: int | None) -> None:
    """What a seat had asked for, it asks for no more."""
    if seat in asked:
        asked.remove(seat)
        house.news.lobby = True


def _may_play(session: Session | None) -> None:
    if session is not None and session.seat is None:
        raise no_seat()


def _over() -> Refused:
    return Refused(NOT_PLAYING, "over", "the game is over")


def _going_on(house: House) -> Table:
    """The game, if something may be done in it."""
    table = house.on
    if table.paused and not table.over:
        raise Refused(NOT_PLAYING, "paused", "the game is paused; go on with it first")
    return table
