"""A game on the table: its states, what the table itself does when time is up, the computer's seats, undo.

Nothing is sent from here, and nothing done before it is kept. Times are seconds of one monotonic clock.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from firmware.gamebook.records import Acted, GameBegan, GameLeft, Later
from firmware.games.catalogue import Game
from firmware.games.chance import Chance
from firmware.games.protocol import IllegalAction
from firmware.keeping.records import CutBack
from firmware.link.messages import Strength

RETRY_S: Final = 1.0
"""What the table could not do, since it could not be kept, it tries again after so long."""


class Book(Protocol):
    """Where games are kept. What has returned from it is on disk; JournalError if it is not."""

    def begin(self, record: GameBegan) -> int:
        """Keep the beginning of a game; the game's id."""
        ...

    def append(self, game: int, record: Later, /) -> None:
        """Keep what happened in a game."""
        ...


class _Bot:
    """A seat that the computer plays, and what it is about to do."""

    def __init__(self, strength: Strength, chance: Chance) -> None:
        self.strength = strength
        self.chance = chance
        self.saw: Any = None
        self.move: Any = None
        self.due: float | None = None


@dataclass
class Played:
    """A game as far as it was played. `states`: the first one and those after each of `actions`."""

    id: int
    """Its number in the book."""
    seats: int
    states: list[Any]
    actions: list[Any] = field(default_factory=list)


class Table:
    """One game, from its first state on."""

    def __init__(
        self, game: Game, played: Played, book: Book, wall: Callable[[], datetime], bot_seed: str
    ) -> None:
        self.game = game
        self.id = played.id
        self.seats = played.seats
        self._states = played.states
        self._actions = played.actions
        self._book = book
        self._wall = wall
        self._seed = bot_seed
        self._bots: dict[int, _Bot] = {}
        self._there: dict[int, bool] = {}
        """At which seats the game has somebody sit, where that is known."""
        self._lasts_until: float | None = None
        self.not_before = float("-inf")
        """What could not be kept is tried again from then on."""
        self._paused_at: float | None = None

    @property
    def state(self) -> Any:
        """What the game stands at."""
        return self._states[-1]

    @property
    def position(self) -> int:
        """How many actions stand."""
        return len(self._states) - 1

    @property
    def over(self) -> bool:
        """Whether the game has an outcome; an undo can still take it back."""
        return self.state.outcome is not None

    @property
    def paused(self) -> bool:
        """Whether nothing may be done, and no time runs."""
        return self._paused_at is not None

    def view(self, seat: int | None) -> Any:
        """What a seat may see, and nothing else; None for who looks on."""
        return self.game.view(self.state, seat)

    def legal(self, seat: int | None) -> tuple[str, ...]:
        """What a seat may do now."""
        return () if seat is None or self.paused else self.game.legal(self.state, seat)

    # ------------------------------------------------------------ what is done

    def act(self, action: Any, now: float, seat: int | None, number: int | None = None) -> tuple[Any, ...]:
        """Do it, once it is kept; what is announced. IllegalAction, JournalError: nothing is done then."""
        step = self.game.step(self.state, action)
        kept = Acted(msgspec.Raw(msgspec.json.encode(action)), self._wall(), seat, number)
        self._book.append(self.id, kept)
        self._states.append(step.state)
        self._actions.append(action)
        self._changed(now, clock_runs_on=self._is_seating(action))
        return tuple(step.events)

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return self._undone() is not None

    def undo(self, now: float) -> None:
        """Take back the last thing that was played; there is one. JournalError. Who came and went since then
        is to be told anew, by `seated`."""
        to = self._undone()
        assert to is not None
        self._book.append(self.id, CutBack(to, "undo", self._wall()))
        del self._states[to + 1 :], self._actions[to:]
        self._there.clear()
        self._changed(now)

    def seated(self, there: Mapping[int, bool], now: float) -> tuple[Any, ...]:
        """Let the game know at which seats nobody sits for good, and at which somebody does; what is
        announced. JournalError."""
        events: tuple[Any, ...] = ()
        for seat, is_there in sorted(there.items()):
            if self._there.get(seat) == is_there:
                continue
            try:
                events += self.act(self.game.taken(seat) if is_there else self.game.left(seat), now, None)
            except IllegalAction:
                pass  # the game knows
            except Exception:
                self.not_before = now + RETRY_S
                raise
            self._there[seat] = is_there
        return events

    def has_there(self, seat: int) -> bool | None:
        """Whether the game has somebody sit at a seat; None if that is not known."""
        return self._there.get(seat)

    def _undone(self) -> int | None:
        """How many actions stand once the last one that was played is taken back."""
        played = [at for at, action in enumerate(self._actions) if not self._is_seating(action)]
        return played[-1] if played else None

    def _is_seating(self, action: Any) -> bool:
        """Whether an action only tells who is there."""
        seat = getattr(action, "seat", None)
        return seat is not None and action in (self.game.left(seat), self.game.taken(seat))

    def leave(self, reason: str) -> None:
        """Put the game away. JournalError."""
        self._book.append(self.id, GameLeft(reason, self._wall()))

    def pause(self, now: float) -> None:
        """Stop the clocks."""
        self._paused_at = now

    def go_on(self, now: float) -> None:
        """Let them go on where they stood."""
        if self._paused_at is not None:
            stood, self._paused_at = now - self._paused_at, None
            if self._lasts_until is not None:
                self._lasts_until += stood
            for seat, bot in self._bots.items():
                self._think(seat, bot, now)

    # ------------------------------------------------------------ the computer's seats

    def seat_bots(self, bots: Mapping[int, Strength], now: float) -> None:
        """Have the computer play these seats, and no others."""
        for seat in set(self._bots) - set(bots):
            del self._bots[seat]
        for seat, strength in sorted(bots.items()):
            if seat not in self._bots or self._bots[seat].strength != strength:
                bot = _Bot(strength, Chance(f"{self._seed}/{seat}/{self.position}"))
                self._bots[seat] = bot
                self._think(seat, bot, now)

    def _think(self, seat: int, bot: _Bot, now: float) -> None:
        """Have it look at the table: what it does and when follows from its own view alone."""
        bot.saw = self.view(seat)
        thought = self.game.bot(bot.saw, bot.strength, bot.chance)
        bot.chance, bot.move = thought.chance, thought.move
        bot.due = None if thought.move is None else now + max(thought.after_s, 0.0)

    # ------------------------------------------------------------ time

    def begin_clocks(self, now: float) -> None:
        """Let time run from now on, for the state as it is."""
        self._changed(now)

    def due(self) -> float | None:
        """When something is to be done by the table or a computer player; None if nothing is."""
        if self.paused or self.over:
            return None
        times = [bot.due for bot in self._bots.values() if bot.due is not None]
        if self._lasts_until is not None:
            times.append(self._lasts_until)
        return max(min(times), self.not_before) if times else None

    def do_due(self, now: float) -> tuple[Any, ...]:
        """Do what is due first; what is announced. JournalError: it is tried again a little later."""
        # Who plays is before the clock: a claim in the last instant counts.
        bots = [(bot.due, seat) for seat, bot in self._bots.items() if bot.due is not None]
        first = min(bots, default=None)
        try:
            if first is None or (self._lasts_until is not None and self._lasts_until < first[0]):
                return self.act(self.game.time_up(), now, None)
            bot = self._bots[first[1]]
            try:
                return self.act(bot.move, now, first[1])
            except IllegalAction:
                bot.due = None  # it looks again when something has changed
                return ()
        except IllegalAction:
            self._lasts_until = None
            return ()
        except Exception:
            self.not_before = now + RETRY_S
            raise

    def _changed(self, now: float, *, clock_runs_on: bool = False) -> None:
        lasts_s = self.state.lasts_s
        if lasts_s is None:
            self._lasts_until = None
        elif self._lasts_until is None or not clock_runs_on:
            self._lasts_until = now + lasts_s
        for seat, bot in self._bots.items():
            if bot.saw != self.view(seat):
                self._think(seat, bot, now)
