"""The games that can be played on the link, by name, with all that hosts and simulations need of one.

A game's entry joins its engine, its types and its computer players; nothing of a game is decided here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol, get_args

from firmware.games import setgame
from firmware.games.chance import Chance
from firmware.games.options import Choice, Number, Option, Switch, chosen
from firmware.games.protocol import Seat, SetupError, Step, Strength
from firmware.games.setgame import players, state


class Thought(Protocol):
    """What a computer player does next unless what it sees changes before; then it is asked anew."""

    @property
    def after_s(self) -> float:
        """In so many seconds."""
        ...

    @property
    def move(self) -> Any:
        """The action; None: it waits for the others."""
        ...

    @property
    def chance(self) -> Chance:
        """What it is asked with the next time."""
        ...


@dataclass(frozen=True, slots=True)
class Game:
    """A game. Types are those of the engine's frozen values, which msgspec writes and reads."""

    name: str
    """In files and on the command line."""
    title: str
    """As it is printed on the box."""
    seats: tuple[int, int]
    """At the least and at the most."""
    options: tuple[Option, ...]
    counts: Mapping[str, str]
    """What is told of a match beside its scores: in words, and the kind of event that is counted for it."""
    setup_type: type
    state_type: type
    """Has `setup`, `outcome` and `lasts_s`."""
    action_type: Any
    """The union of all actions, the table's own among them: what a journal holds."""
    move_type: Any
    """The union of what a seat may do itself; each has `seat`."""
    event_type: Any
    view_type: type
    start: Callable[[Any], Any]
    step: Callable[[Any, Any], Step[Any]]
    legal: Callable[[Any, Seat], tuple[str, ...]]
    view: Callable[[Any, Seat | None], Any]
    covered: Callable[[Any], Any]
    """A view without what nobody is to look at while the game waits."""
    bot: Callable[[Any, Strength, Chance], Thought]
    time_up: Callable[[], Any]
    """The table's action once a state has lasted for `lasts_s`."""
    left: Callable[[Seat], Any]
    """The table's action when a seat is left in a game that is on."""
    taken: Callable[[Seat], Any]
    """The table's action when such a seat is taken again."""

    def setup(self, seats: int, seed: str, options: Mapping[str, object]) -> Any:
        """What the engine starts from. `options`: what was chosen by name, as values or as people type them.
        SetupError, with what to choose instead."""
        least, most = self.seats
        if not least <= seats <= most:
            raise SetupError(f"{self.title} is for {least} to {most} seats, not {seats}")
        return self.setup_type(seats=seats, seed=seed, **chosen(self.options, options))


SET: Final = Game(
    name="set",
    title="SET",
    seats=(1, state.MOST_SEATS),
    options=(
        Choice("deck", get_args(state.DeckName), "full"),
        Choice("penalty", get_args(state.Penalty), "point"),
        Switch("tutor", False),
        Number("hands", 0, state.MOST_HANDS, 1),
        Number("naming_s", *state.NAMING_RANGE_S, state.NAMING_S, whole=False),
    ),
    counts=MappingProxyType(
        {"sets": "set-taken", "wrong claims": "claim-failed", "more cards": "cards-added"}
    ),
    setup_type=state.Setup,
    state_type=state.State,
    action_type=state.Action,
    move_type=state.Move,
    event_type=state.Event,
    view_type=state.View,
    start=setgame.start,
    step=setgame.step,
    legal=setgame.legal,
    view=setgame.view,
    covered=setgame.covered,
    bot=players.thought,
    time_up=state.TimeUp,
    left=state.Leave,
    taken=state.Sit,
)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({SET.name: SET})
"""By name, in the order in which they are offered."""


def game_named(name: str) -> Game:
    """The game. SetupError, with what there is, if there is none such."""
    try:
        return GAMES[name]
    except KeyError:
        raise SetupError(f"there is no game {name[:40]!r}; choose from: {', '.join(GAMES)}") from None
