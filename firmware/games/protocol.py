"""What the engines of the link's games have in common: the protocol by which a table is played.

A game is its setup and its actions; the same actions give the same states and events, always. State is
frozen and holds its own chance (`chance.py`). Time is the table's: a state only says how long it may last.
"""

from typing import Any, Final, Literal, Protocol, TypeVar, get_args

import msgspec

Seat = int
"""A place at the table, from 1 on, clockwise."""


Strength = Literal["easy", "fair", "strong"]
"""How well a computer player plays."""
STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)


class IllegalAction(ValueError):  # noqa: N818  # the word of the rules
    """An action that may not be done now; the state is what it was. `reason`: a code, which each game's
    texts explain."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SetupError(ValueError):
    """A game that cannot be begun so; the message says what can be chosen instead."""


class Standing(msgspec.Struct, frozen=True):
    """A place in the final ranking: 1 is the best, and who shares it has the same."""

    seat: Seat
    rank: int
    score: int


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game. `winners`: none, one, or all who share the first place; `reason`: a code."""

    winners: tuple[Seat, ...]
    reason: str
    ranking: tuple[Standing, ...]


SetupT = TypeVar("SetupT", contravariant=True)
StateT = TypeVar("StateT")
NextT = TypeVar("NextT", covariant=True)
ActionT = TypeVar("ActionT", contravariant=True)
ViewT = TypeVar("ViewT", covariant=True)


class Step(Protocol[NextT]):
    """What comes of an action: the next state, and what is announced to the whole table."""

    @property
    def state(self) -> NextT:
        """The next state."""
        ...

    @property
    def events(self) -> tuple[Any, ...]:
        """What is announced, in order; nothing that a seat may not see."""
        ...


class Engine(Protocol[SetupT, StateT, ActionT, ViewT]):
    """A game. Every action carries the seat that does it, but for those of the table's own (time)."""

    def start(self, setup: SetupT) -> StateT:
        """The state before the first action. SetupError."""
        ...

    def step(self, state: StateT, action: ActionT) -> Step[StateT]:
        """What comes of an action. IllegalAction, with the reason, if it may not be done now."""
        ...

    def legal(self, state: StateT, seat: Seat) -> tuple[str, ...]:
        """The kinds of actions that a seat may do now, and no others."""
        ...

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """What a seat may see; None for what the whole table may, such as its panels."""
        ...
