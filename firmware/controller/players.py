"""Who sits at a controller: a person at a terminal, a program, or the computer. One contract for all.

A player hears news, is given what comes in on this side (keys, or lines of a program), and says when time
means something to it. No port, no clock and no thread lives here.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

import msgspec

from firmware.controller.client import Client
from firmware.controller.keys import KeyReader
from firmware.controller.news import Answered, GameChanged, Gone, Greeted, News, Refused, Said
from firmware.controller.person import Person, capital
from firmware.controller.set_hand import event_sentences, names_of
from firmware.controller.styled import Line
from firmware.games.catalogue import GAMES, Game
from firmware.games.chance import Chance
from firmware.games.protocol import Strength
from firmware.link.messages import GameTold
from firmware.link.wire import Request, WireError, encoded
from firmware.texts import Texts

_FRAME_S: Final = 0.1
"""A picture that moves by itself is drawn anew so often."""
_LONGEST_LINE: Final = 4096
_MOST_HELD: Final = 10_000
_LAST_S: Final = 20.0
"""So long a program whose input has ended waits for a board that is to be asked something."""
_LARGEST: Final = 2**53 - 1
"""The largest number of the link's."""


class Player(Protocol):
    """Who sits there."""

    @property
    def has_left(self) -> bool:
        """It wants to go."""
        ...

    def heard(self, news: Iterable[News], now: float) -> None:
        """The board told something."""

    def typed(self, data: bytes, now: float) -> None:
        """Bytes of this side's input; none is its end."""

    def due(self) -> float | None:
        """When to call `tick` at the latest; None if time means nothing."""
        ...

    def tick(self, now: float) -> None:
        """Time goes on, or something has changed."""


class AtTerminal:
    """A person who sees a screen and presses keys."""

    def __init__(
        self, person: Person, show: Callable[[Callable[[int, int], list[Line]]], None], pictures: bool = True
    ) -> None:
        """`show`: puts the lines on the screen that it gets for a width and a height; `pictures`: it shows
        more than ASCII."""
        self._person = person
        self._pictures = pictures
        self._show = show
        self._keys = KeyReader()
        self._at = float("-inf")

    @property
    def has_left(self) -> bool:
        """It wants to go."""
        return self._person.has_left

    def heard(self, news: Iterable[News], now: float) -> None:
        """Take it; it is drawn at the next `tick`."""
        self._person.heard(news, now)

    def typed(self, data: bytes, now: float) -> None:
        """Keys. A terminal that is gone has nobody before it."""
        if not data:
            self._person.has_left = True
        for key in self._keys.feed(data):
            self._person.pressed(key)

    def due(self) -> float | None:
        """The next picture."""
        return self._at + _FRAME_S if self._person.time_runs else None

    def tick(self, now: float) -> None:
        """Draw."""
        self._at = now
        self._show(lambda width, height: self._person.drawn(width, height, now, self._pictures))


class Teller:
    """Tells the news as it comes, one JSON object a line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def tell(self, news: Iterable[News]) -> None:
        """Write it."""
        for each in news:
            self._write(msgspec.json.encode(each).decode())

    def tell_mistake(self, text: str) -> None:
        """Write what is wrong with a line that came in."""
        self._write(msgspec.json.encode({"kind": "mistake", "text": text}).decode())


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program wants of the board: a method of the link. For `game.act` the act's number may be left to
    us, and so may the name for `seat.take`."""

    method: str
    params: dict[str, Any] = {}

    @property
    def counted(self) -> bool:
        """Whether the act's number is left to us."""
        return self.method == "game.act" and "number" not in self.params

    def told(self, name: str) -> dict[str, Any]:
        """The params, with what is left to us; but for an act's number."""
        return {"name": name, **self.params} if self.method == "seat.take" else self.params


class Program:
    """Another program: lines of JSON in (`{"method": "game.act", "params": {"action": {"kind": "claim"}}}`),
    lines of JSON out.

    What it asks is held until the board has answered hello and what was asked before, so that a file of
    requests is asked whole, and in its order. A board that goes takes with it what it was to be asked."""

    def __init__(self, client: Client, teller: Teller) -> None:
        self._client = client
        self._teller = teller
        self._line = b""
        self._held: deque[Asked] = deque()
        self._greeted = client.board is not None
        self._ended_at: float | None = None
        self._gives_up = False

    @property
    def has_left(self) -> bool:
        """Its input has ended, and all that it asked was answered; or nobody is there to be asked."""
        answered = not self._held and not (self._client.board is not None and self._client.busy)
        return self._gives_up or (self._ended_at is not None and answered)

    def heard(self, news: Iterable[News], now: float) -> None:
        """Tell it."""
        news = tuple(news)
        self._teller.tell(news)
        for each in news:
            if isinstance(each, Greeted):
                self._greeted = True
            elif isinstance(each, Gone) and self._greeted:
                self._held.clear()  # it was meant for what was seen then

    def typed(self, data: bytes, now: float) -> None:
        """Requests, one a line, the last one with or without its end. A mistake is told, and nothing is
        asked."""
        if not data and self._ended_at is None:
            self._ended_at = now
            data = b"\n"
        *lines, self._line = (self._line + data).split(b"\n")
        if len(self._line) > _LONGEST_LINE:
            self._line = b""
            self._teller.tell_mistake(f"a line is longer than {_LONGEST_LINE} bytes")
        for line in filter(None, map(bytes.strip, lines)):
            try:
                asked = msgspec.json.decode(line, type=Asked)
                _check_fits(asked, self._client.name)
            except (msgspec.MsgspecError, WireError, OverflowError, RecursionError) as error:
                self._teller.tell_mistake(f'{error}; write {{"method": "game.act", "params": {{...}}}}')
            else:
                self._hold(asked)

    def _hold(self, asked: Asked) -> None:
        if len(self._held) < _MOST_HELD:
            self._held.append(asked)
        else:
            self._teller.tell_mistake(f"{_MOST_HELD} requests wait; ask {asked.method!r} again later")

    def due(self) -> float | None:
        """When it gives up on a board that is not there, once its input has ended."""
        return None if self._ended_at is None or self._gives_up else self._ended_at + _LAST_S

    def tick(self, now: float) -> None:
        """Ask the next, if the board is free for it."""
        if self._client.board is not None:
            if self._held and not self._client.busy:
                self._ask(self._held.popleft())
            if self._ended_at is not None:
                self._ended_at = now
        elif (due := self.due()) is not None and now >= due:
            self._teller.tell_mistake("no board answers; not everything was asked")
            self._gives_up = True

    def _ask(self, asked: Asked) -> None:
        if asked.counted:
            self._client.act(asked.params.get("action", {}))
        else:
            self._client.ask(asked.method, **asked.told(self._client.name))


def _check_fits(asked: Asked, name: str) -> None:
    """WireError if there is no line for it."""
    params = asked.told(name) | ({"number": _LARGEST} if asked.counted else {})
    encoded(Request(_LARGEST, asked.method, params))


class Computer:
    """A computer player, which sees what its seat sees and no more."""

    def __init__(
        self, client: Client, strength: Strength, seed: str, tell: Callable[[Iterable[News]], None]
    ) -> None:
        self._client = client
        self._strength = strength
        self._chance = Chance(seed)
        self._tell = tell
        self._saw: Any = None
        self._move: dict[str, Any] | None = None
        self._due: float | None = None
        self.has_left = False

    def heard(self, news: Iterable[News], now: float) -> None:
        """Look, and think anew if the seat sees something else, or if its move was done or refused."""
        news = tuple(news)
        self._tell(news)
        acted = any(isinstance(each, Answered | Refused) and each.method == "game.act" for each in news)
        if acted or any(isinstance(each, GameChanged) for each in news):
            self._look(now, anew=acted)

    def _look(self, now: float, anew: bool) -> None:
        told, lobby = self._client.game, self._client.lobby
        game = None if lobby is None else GAMES.get(lobby.game)
        if told is None or game is None or told.status != "playing" or self._client.seat is None:
            self._saw = self._due = None
            return
        view: Any = self._view(game, told.view)
        if view is None or (view == self._saw and not anew):
            return
        thought = game.bot(view, self._strength, self._chance)
        self._saw, self._chance = view, thought.chance
        self._move = None if thought.move is None else msgspec.to_builtins(thought.move)
        self._due = None if thought.move is None else now + thought.after_s

    def _view(self, game: Game, told: Any) -> Any:
        try:
            view: Any = msgspec.convert(told, game.view_type)
        except msgspec.ValidationError:
            return None  # a board of another version, which it cannot play with
        return view if view.seat is not None and view.outcome is None else None

    def typed(self, data: bytes, now: float) -> None:
        """Nobody types."""

    def due(self) -> float | None:
        """When it moves; not while an answer is awaited, which has it look again."""
        return None if self._client.busy else self._due

    def tick(self, now: float) -> None:
        """Move, if it is time and it has not moved already."""
        if self._due is not None and now >= self._due and not self._client.busy and self._move is not None:
            self._due = None
            self._client.act(self._move)


class Narrator:
    """Tells a person in lines of text what the board says and what happens in a game."""

    def __init__(self, client: Client, texts: Texts, write: Callable[[str], None]) -> None:
        self._client = client
        self._texts = texts
        self._write = write

    def tell(self, news: Iterable[News]) -> None:
        """Write it."""
        for each in news:
            match each:
                case GameChanged(told):
                    for text in self._happened(told):
                        self._write(text)
                case Greeted(board):
                    self._write(capital(self._texts.say("controller.at", board=board.board)))
                case Gone():
                    self._write(self._texts.say("controller.waiting"))
                case Said(text=text) | Refused(text=text):
                    self._write(text)
                case _:
                    pass

    def _happened(self, told: GameTold) -> list[str]:
        try:
            return event_sentences(told, names_of(self._client.lobby), self._texts)
        except msgspec.ValidationError:
            return [self._texts.say("controller.too-old")]
