"""Whole matches between computer players, in a time of their own: no clock is asked, and a seed gives the
same match for ever. Only the protocol of a game is known here, and no rule of any.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from firmware.games.catalogue import Game
from firmware.games.chance import Chance
from firmware.games.protocol import Outcome, Seat, Strength

LONGEST_S: Final = 86_400.0
"""A match that takes longer than a day never ends."""


class EndlessError(RuntimeError):
    """Players whose match does not end: a mistake in them, or in the rules."""


class Match(msgspec.Struct, frozen=True):
    """A match that was played to its end."""

    seed: str
    strengths: tuple[Strength, ...]
    """By seat."""
    outcome: Outcome
    length_s: float
    """Of the players' own time."""
    actions: int
    events: Mapping[str, int]
    """How often each kind of event was announced."""
    by_seat: tuple[Mapping[str, int], ...]
    """The same of each seat, where an event tells one."""


def played(game: Game, setup: Any, strengths: Sequence[Strength]) -> Match:
    """A match of the setup, which has a seed, between players of these strengths, by seat. ValueError for
    another number of players than seats; EndlessError."""
    if len(strengths) != setup.seats:
        raise ValueError(f"{len(strengths)} players for {setup.seats} seats; give as many as there are seats")
    return _Table(game, setup, tuple(strengths)).played()


class _Table:
    def __init__(self, game: Game, setup: Any, strengths: tuple[Strength, ...]) -> None:
        self._game, self._setup, self._strengths = game, setup, strengths
        self._seats: tuple[Seat, ...] = tuple(range(1, len(strengths) + 1))
        self._state = game.start(setup)
        self._now_s = 0.0
        self._since_s = 0.0
        self._chances = {seat: Chance(f"{setup.seed}/player {seat}") for seat in self._seats}
        self._views: dict[Seat, Any] = {}
        self._due: dict[Seat, tuple[float, Any]] = {}
        self._actions = 0
        self._events: Counter[str] = Counter()
        self._by_seat = {seat: Counter[str]() for seat in self._seats}

    def played(self) -> Match:
        while self._state.outcome is None:
            self._ask()
            self._now_s, action = self._next()
            if self._now_s > LONGEST_S:
                raise EndlessError(f"no end after {LONGEST_S:.0f} s of {self._setup}")
            self._do(action)
        return Match(
            seed=self._setup.seed,
            strengths=self._strengths,
            outcome=self._state.outcome,
            length_s=round(self._now_s, 3),
            actions=self._actions,
            events=dict(sorted(self._events.items())),
            by_seat=tuple(dict(sorted(self._by_seat[seat].items())) for seat in self._seats),
        )

    def _ask(self) -> None:
        """Every player who sees something new thinks again."""
        for seat in self._seats:
            view = self._game.view(self._state, seat)
            if seat in self._views and view == self._views[seat]:
                continue
            thought = self._game.bot(view, self._strengths[seat - 1], self._chances[seat])
            self._views[seat], self._chances[seat] = view, thought.chance
            self._due.pop(seat, None)
            if thought.move is not None:
                self._due[seat] = self._now_s + thought.after_s, thought.move

    def _next(self) -> tuple[float, Any]:
        """What comes first: a player's move, or the end of the time that the state may last."""
        moves = [(at_s, number, move) for number, (at_s, move) in self._due.items()]
        if self._state.lasts_s is not None:
            moves.append((self._since_s + self._state.lasts_s, 0, self._game.time_up()))
        if not moves:
            raise EndlessError(f"nobody does anything: {self._setup}")
        at_s, _, move = min(moves, key=lambda each: each[:2])
        return at_s, move

    def _do(self, action: Any) -> None:
        done = self._game.step(self._state, action)
        if done.state.lasts_s != self._state.lasts_s or done.state.lasts_s is None:
            self._since_s = self._now_s
        self._state = done.state
        self._actions += 1
        # Who has done something thinks again, whatever came of it.
        self._views.pop(getattr(action, "seat", 0), None)
        for event in done.events:
            kind = str(type(event).__struct_config__.tag)
            self._events[kind] += 1
            seat = getattr(event, "seat", None)
            if seat in self._by_seat:
                self._by_seat[seat][kind] += 1
