"""What the rows of a game amount to: its actions as far as they can be read and the rules allow them, the
states that they make, who sits where, and why they end where they end. Values in, values out; no file.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec

from firmware.gamebook.records import Acted, GameBegan, GameLeft, Record, SeatChanged, Seated
from firmware.games.catalogue import GAMES, Game
from firmware.games.protocol import IllegalAction, SetupError
from firmware.keeping.records import CutBack
from firmware.keeping.rows import Coder, Gap, Row

_NUMBERS_KEPT: Final = 8
"""Of a seat's acts: so many answers can be given again."""


class Kept(msgspec.Struct, frozen=True):
    """What is readable of a game."""

    id: int
    game: str
    """Its name in the catalogue."""
    began: datetime
    """UTC, for people."""
    setup: Any
    places: int
    """How many seats it has."""
    seats: Mapping[int, Seated]
    """Who has a seat, by its number; those that nobody has are not in it."""
    actions: tuple[Any, ...]
    """Those that stand."""
    states: tuple[Any, ...]
    """The first state, and the one after each action."""
    events: tuple[tuple[Any, ...], ...]
    """What each action announced."""
    answered: Mapping[int, Mapping[int, int]]
    """By seat and by the number that its controller gave an act: the position that it was answered with."""
    left: str | None
    """Why it was left; None if it was not."""
    last: int
    """The number of the last row that there is."""
    fault: str | None
    """Why the actions end where they end, in a sentence; None if nothing is missing."""
    other_version: bool = False
    """What follows is there as it was written: another version kept it, and can go on with it."""

    @property
    def stands(self) -> int:
        """How many of its actions do."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self.states[-1].outcome is not None


class _Game:
    """A game as its rows are gone through."""

    def __init__(self, began: GameBegan, game: Game) -> None:
        self.game = game
        self.began = began
        self.setup: Any = msgspec.json.decode(began.setup, type=game.setup_type)
        self.seats = {number: seated for number, seated in enumerate(began.seats, start=1) if seated.name}
        self.actions: list[Any] = []
        self.states = [game.start(self.setup)]
        self.events: list[tuple[Any, ...]] = []
        self.answered: dict[int, dict[int, int]] = {}
        self.left: str | None = None
        self.gap: Gap | None = None
        """What lies behind the actions, until a CutBack goes before it."""

    def follow(self, number: int, record: Record | Gap) -> None:
        """Take the next row."""
        match record:
            case Gap():
                self.gap = self.gap or record
            case Acted():
                if self.gap is None:
                    self.gap = self._act(number, record)
            case SeatChanged(seat, now):
                self.answered.pop(seat, None)
                self.seats.pop(seat, None)
                if now.name:
                    self.seats[seat] = now
            case CutBack(to):
                if to <= len(self.actions):
                    del self.actions[to:], self.states[to + 1 :], self.events[to:]
                    self.gap = None
                else:
                    self.gap = self.gap or Gap(number, "it goes back to what is not there")
            case GameLeft(reason):
                self.left = reason
            case GameBegan():
                self.gap = self.gap or Gap(number, "another game begins there")

    def _act(self, number: int, record: Acted) -> Gap | None:
        try:
            action = msgspec.json.decode(record.action, type=self.game.action_type)
            step = self.game.step(self.states[-1], action)
        except msgspec.MsgspecError as error:
            return Gap(number, f"this version does not know the action ({error})", other_version=True)
        except IllegalAction as error:
            why = f"the rules of this version do not allow it ({error.reason})"
            return Gap(number, why, other_version=True)
        self.actions.append(action)
        self.states.append(step.state)
        self.events.append(tuple(step.events))
        if record.seat is not None and record.number is not None:
            numbers = self.answered.setdefault(record.seat, {})
            numbers[record.number] = len(self.actions)
            for old in sorted(numbers)[:-_NUMBERS_KEPT]:
                del numbers[old]
        return None


def kept_of(
    id_: int, coder: Coder[Record], rows: Iterable[Row], games: Mapping[str, Game] = GAMES
) -> Kept | None:
    """What is readable of the game whose rows, in order, are given; None if its beginning is not, or names a
    game that this version has not."""
    game: _Game | None = None
    last = 0
    for last, record in coder.entries(rows):
        if game is not None:
            game.follow(last, record)
        elif not isinstance(record, GameBegan) or (game := _begun(record, games)) is None:
            return None
    if game is None:
        return None
    fault = None
    if game.gap is not None:
        stands = f"Game {id_} is kept up to its action {len(game.actions)}"
        fault = f"{stands}; of record {game.gap.number}: {game.gap.why}."
    return Kept(
        id=id_,
        game=game.game.name,
        began=game.began.wall_time,
        setup=game.setup,
        places=len(game.began.seats),
        seats=game.seats,
        actions=tuple(game.actions),
        states=tuple(game.states),
        events=tuple(game.events),
        answered=game.answered,
        left=game.left,
        last=last,
        fault=fault,
        other_version=game.gap is not None and game.gap.other_version,
    )


def _begun(record: GameBegan, games: Mapping[str, Game]) -> _Game | None:
    if record.game not in games:
        return None
    try:
        return _Game(record, games[record.game])
    except (msgspec.MsgspecError, SetupError):
        return None
