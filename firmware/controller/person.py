"""A person at a terminal: what is on the screen and what keys do, in the lobby, in the menu, at the table.

No terminal is opened here: keys and time come in, lines of text go out.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, get_args

import msgspec

from firmware.controller.client import Client
from firmware.controller.news import GameChanged, GamePutAway, Gone, LobbyChanged, News, Refused, Said
from firmware.controller.set_hand import SetHand, centred, event_sentences, names_of
from firmware.controller.styled import Line, Span, width_of
from firmware.games.catalogue import GAMES
from firmware.games.options import Choice, Option, Switch, Value, chosen
from firmware.games.protocol import STRENGTHS, SetupError
from firmware.games.setgame.state import Reason, View
from firmware.link.messages import GameTold, LobbyTold, SeatTold
from firmware.texts import Texts, explain_set_reason, set_outcome

_SAID: Final = 3
"""So many of the last sentences are in sight."""
_SAID_CODES: Final = ("undo-asked", "end-asked", "undone", "ended")
_REASONS: Final[dict[str, Reason]] = {reason: reason for reason in get_args(Reason)}
"""Those of the board's reasons that are the game's, and have words of this side's own."""


@dataclass(frozen=True)
class _Key:
    """A key that does something now. `cap`: what is printed on it."""

    key: str
    cap: str
    label: str
    do: Callable[[], None]


class Person:
    """One player. `client` is theirs; what keys ask for goes there."""

    def __init__(self, client: Client, texts: Texts) -> None:
        self._client = client
        self._texts = texts
        self._hand = SetHand()
        self._view: View | None = None
        self._said: deque[str] = deque(maxlen=_SAID)
        self._page = ""
        self._status = ""
        self.has_left = False
        """The person wants to go."""

    # ------------------------------------------------------------ what is heard

    def heard(self, news: Iterable[News], now: float) -> None:
        """Take what the board told."""
        for each in news:
            match each:
                case GameChanged(told):
                    self._see(told, now)
                case LobbyChanged(lobby):
                    if lobby.status != self._status:
                        self._page = ""
                    if (self._status, lobby.status) in (("lobby", "playing"), ("over", "playing")):
                        self._said.clear()
                    self._status = lobby.status
                case GamePutAway():
                    self._view = None
                case Gone():
                    self._view = None
                    self._page = ""
                    self._said.clear()
                case Said(code, text, seat):
                    known = code in _SAID_CODES
                    self._said.append(self._say(code, seat=self._name(seat)) if known else capital(text))
                case Refused(_, _, reason, text):
                    ours = _REASONS.get(reason)
                    self._said.append(
                        capital(text) if ours is None else explain_set_reason(ours, self._texts)
                    )
                case _:
                    pass

    def _see(self, told: GameTold, now: float) -> None:
        try:
            self._view = self._hand.told(told, now)
            self._said.extend(event_sentences(told, self._names(), self._texts))
        except msgspec.ValidationError:
            # A board of another version, or a game that came after this program.
            self._view = None
            self._said.append(self._say("too-old"))

    @property
    def time_runs(self) -> bool:
        """Whether the picture moves by itself."""
        return self._view is not None and self._hand.time_runs

    # ------------------------------------------------------------ keys

    def pressed(self, key: str) -> None:
        """A key was pressed (its name, see keys.py)."""
        found = next((each for each in self._keys() if each.key == key), None)
        if found is not None:
            found.do()
        elif self._plays and self._page == "" and self._view is not None:
            action = self._hand.pressed(key, self._view)
            if action is not None:
                self._client.act(action)
        elif self._page == "options" and key.isdecimal():
            self._change_option(int(key) - 1)

    @property
    def _plays(self) -> bool:
        lobby = self._client.lobby
        return lobby is not None and lobby.status == "playing"

    def _keys(self) -> list[_Key]:
        lobby = self._client.lobby
        if self._client.board is None or lobby is None:
            return [self._quit()]
        if self._page == "menu":
            return self._menu_keys(lobby)
        if self._page == "options":
            return [self._key("escape", "back", lambda: self._turn(""))]
        if lobby.status == "playing":
            return [self._key("tab", "menu", lambda: self._turn("menu"))]
        if lobby.status == "paused":
            resume = self._asking("enter", "resume", "game.resume")
            if self._client.seat is None:
                # To go on is for who looks on, too, when nobody who plays is there.
                return [self._key("t", "take", self._client.take_seat), resume, self._quit()]
            return [resume, self._asking("l", "leave", "seat.leave"), self._quit()]
        return self._lobby_keys(lobby)

    def _menu_keys(self, lobby: LobbyTold) -> list[_Key]:
        keys = [self._key("escape", "back", lambda: self._turn(""))]
        if self._client.seat is None:
            keys.append(self._key("t", "take", self._client.take_seat))
        else:
            keys += [
                self._asking("p", "pause", "game.pause"),
                self._voting("u", "undo", self._client.seat in lobby.undo),
                self._voting("e", "end", self._client.seat in lobby.end),
                self._asking("l", "leave", "seat.leave"),
            ]
        return [*keys, self._quit()]

    def _lobby_keys(self, lobby: LobbyTold) -> list[_Key]:
        if self._client.seat is None:
            return [self._key("t", "take", self._client.take_seat), self._quit()]
        bots = [seat for seat in lobby.table if seat.bot is not None]
        keys = [
            self._asking("enter", "again" if lobby.status == "over" else "start", "lobby.start"),
            self._key("+", "more", lambda: self._more_bots(lobby)),
        ]
        if bots:
            keys.append(self._key("-", "fewer", lambda: self._put_bot(bots[-1].seat, None)))
            keys.append(self._key("b", "strength", lambda: self._strengthen(bots)))
        if len(GAMES) > 1:
            keys.append(self._key("g", "game", lambda: self._another_game(lobby)))
        keys.append(self._key("o", "options", lambda: self._turn("options")))
        keys.append(self._asking("l", "leave", "seat.leave"))
        return [*keys, self._quit()]

    def _key(self, key: str, label: str, do: Callable[[], None]) -> _Key:
        cap = self._say(f"cap.{key}") if len(key) > 1 else key
        return _Key(key, cap, self._say(f"key.{label}"), do)

    def _asking(self, key: str, label: str, method: str, **params: Any) -> _Key:
        def do() -> None:
            self._page = ""
            self._client.ask(method, **params)

        return self._key(key, label, do)

    def _voting(self, key: str, what: str, asked: bool) -> _Key:
        """What everybody has to agree to: asked for, or not any more."""
        if asked:
            return self._asking(key, f"no-{what}", f"game.{what}", agree=False)
        return self._asking(key, what, f"game.{what}")

    def _quit(self) -> _Key:
        return self._key("q", "quit", self._leave)

    def _leave(self) -> None:
        self.has_left = True

    def _turn(self, page: str) -> None:
        self._page = page

    # ------------------------------------------------------------ the lobby

    def _more_bots(self, lobby: LobbyTold) -> None:
        taken = {seat.seat for seat in lobby.table}
        free = next(number for number in range(1, len(taken) + 2) if number not in taken)
        strengths = [seat.bot for seat in lobby.table if seat.bot is not None]
        self._put_bot(free, strengths[-1] if strengths else "fair")

    def _strengthen(self, bots: list[SeatTold]) -> None:
        after = STRENGTHS[(STRENGTHS.index(bots[-1].bot or "fair") + 1) % len(STRENGTHS)]
        for bot in bots:
            self._put_bot(bot.seat, after)

    def _put_bot(self, seat: int, strength: str | None) -> None:
        self._client.ask("lobby.bot", seat=seat, strength=strength)

    def _another_game(self, lobby: LobbyTold) -> None:
        names = list(GAMES)
        at = names.index(lobby.game) if lobby.game in names else -1
        self._client.ask("lobby.choose", game=names[(at + 1) % len(names)])

    def _options(self) -> list[tuple[Option, Value]]:
        lobby = self._client.lobby
        game = None if lobby is None else GAMES.get(lobby.game)
        if lobby is None or game is None:
            return []
        try:
            values = chosen(game.options, lobby.options)
        except SetupError:
            # The board has options that this program does not know.
            return []
        return [(option, values[option.name]) for option in game.options]

    def _change_option(self, number: int) -> None:
        lobby, options = self._client.lobby, self._options()
        if lobby is None or not 0 <= number < len(options):
            return
        option, value = options[number]
        changed = {each.name: was for each, was in options} | {option.name: next_value(option, value)}
        self._client.ask("lobby.choose", game=lobby.game, seats=lobby.seats, options=changed)

    # ------------------------------------------------------------ the screen

    def drawn(self, width: int, height: int, now: float, pictures: bool = True) -> list[Line]:
        """What is on a screen of so many characters; `pictures`: it shows more than ASCII."""
        foot = [(), *self._foot(width)]
        lobby, board = self._client.lobby, self._client.board
        if board is None or lobby is None:
            return [((self._say("waiting"), "title"),), (), *self._told(), *foot]
        where: Span = (f"  {self._say('at', board=board.board)}", "dim")
        if lobby.status in ("playing", "paused") and self._view is not None:
            return self._table_page(lobby, self._view, where, foot, (width, height), now, pictures)
        return self._lobby_page(lobby, where, foot)

    def _table_page(
        self,
        lobby: LobbyTold,
        view: View,
        where: Span,
        foot: list[Line],
        size: tuple[int, int],
        now: float,
        pictures: bool,
    ) -> list[Line]:
        width, height = size
        head: list[Line] = [((self._hand.title(view, self._texts), "title"), where)]
        head += wrapped([self._scored(seat, view) for seat in range(1, view.seats + 1)], width)
        status = self._hand.status(view, self._names(), self._texts, now)
        if lobby.status == "paused":
            status = ((self._say(f"paused.{lobby.why_paused or 'asked'}"), "alarm"),)
        tail: list[Line] = [status, *self._told(), *foot]
        room = height - len(head) - len(tail) - 1
        return [*head, *centred(self._hand.table(view, width, room, pictures), width), *tail]

    def _lobby_page(self, lobby: LobbyTold, where: Span, foot: list[Line]) -> list[Line]:
        game = GAMES.get(lobby.game)
        title = "title.over" if lobby.status == "over" else "title.lobby"
        lines: list[Line] = [
            ((self._say(title, game=game.title if game else lobby.game), "title"), where),
            (),
        ]
        if self._page == "options" and game is not None:
            lines += self._option_lines(game.name)
        elif lobby.status == "over" and self._view is not None and self._view.outcome is not None:
            lines += self._result(self._view)
        else:
            lines += [((f"{seat.seat:>4}  ", "dim"), (self._called(seat), "")) for seat in lobby.table]
        return [*lines, (), *self._told(), *foot]

    def _result(self, view: View) -> list[Line]:
        assert view.outcome is not None
        names = self._names()
        ranking = sorted(view.outcome.ranking, key=lambda each: (each.rank, each.seat))
        places: list[Line] = [
            (
                (f"{each.rank:>4}. ", "dim"),
                (f"{self._name(each.seat):<22}", ""),
                (f"{each.score:>3}", "bold"),
            )
            for each in ranking
        ]
        return [((set_outcome(view.outcome, names, self._texts), "bold"),), (), *places]

    def _option_lines(self, game: str) -> list[Line]:
        lines: list[Line] = []
        for number, (option, value) in enumerate(self._options(), start=1):
            about = self._texts.say(f"games.{game}.option.{option.name}")
            lines.append(
                ((f"{number:>4} ", "key"), (f"{self._worded(option, value):<14}", "bold"), (about, ""))
            )
        return lines

    def _worded(self, option: Option, value: Value) -> str:
        if isinstance(option, Switch):
            return self._say("on" if value else "off")
        return value if isinstance(value, str) else f"{value:g}"

    def _foot(self, width: int) -> list[Line]:
        spans: list[Line] = []
        if self._page == "options" and (options := self._options()):
            label = self._say("key.option", first=1, last=len(options))
            spans.append((("1…", "key"), (f" {label}", "")))
        if self._plays and self._page == "" and self._view is not None:
            caps = self._hand.keys(self._view, self._texts)
            spans += [((cap, "key"), (f" {label}", "")) for cap, label in caps]
        spans += [((each.cap, "key"), (f" {each.label}", "")) for each in self._keys()]
        return wrapped(spans, width)

    def _told(self) -> list[Line]:
        """The last sentences, the newest first and alone in full light."""
        said = list(reversed(self._said))
        lines: list[Line] = [((text, "" if number == 0 else "dim"),) for number, text in enumerate(said)]
        return lines + [()] * (_SAID - len(lines))

    # ------------------------------------------------------------ names

    def _scored(self, seat: int, view: View) -> Line:
        told = next((each for each in self._seats() if each.seat == seat), None)
        name = self._name(seat) if told is None else self._called(told)
        mark: Span = ("▸" if view.claimed == seat else "", "alarm")
        none: Span = (" ∅" if seat in view.agreed else "", "dim")
        return (mark, (f"{name} ", ""), (str(view.scores[seat - 1]), "bold"), none)

    def _called(self, seat: SeatTold) -> str:
        if seat.seat == self._client.seat:
            return self._say("you", name=seat.name)
        if seat.bot is not None:
            return self._say("bot", name=seat.name, strength=self._texts.say(f"games.strength.{seat.bot}"))
        return seat.name if seat.present else self._say("away", name=seat.name)

    def _seats(self) -> tuple[SeatTold, ...]:
        return () if self._client.lobby is None else self._client.lobby.table

    def _names(self) -> list[str]:
        return names_of(self._client.lobby)

    def _name(self, seat: int | None) -> str:
        names = self._names()
        named = names[seat - 1] if seat is not None and seat <= len(names) else ""
        return named or self._texts.say("games.seat", n=seat or 0)

    def _say(self, key: str, **values: Any) -> str:
        return self._texts.say(f"controller.{key}", **values)


def capital(text: str) -> str:
    """A sentence of the board's, which begins with a small letter, as one that stands alone."""
    return text[:1].upper() + text[1:]


def next_value(option: Option, value: Value) -> Value:
    """The value that comes after one, when a person steps through them."""
    if isinstance(option, Choice):
        return option.values[(option.values.index(str(value)) + 1) % len(option.values)]
    if isinstance(option, Switch):
        return not value
    after = float(value) + 1
    after = option.least if after > option.most else after
    return int(after) if option.whole else after


def wrapped(pieces: list[Line], width: int) -> list[Line]:
    """Pieces side by side, three blanks apart, in lines of at most so many characters where that can be."""
    lines: list[Line] = [()]
    for piece in pieces:
        joined: Line = (*lines[-1], ("   ", ""), *piece) if lines[-1] else piece
        if lines[-1] and width_of(joined) > width:
            lines.append(piece)
        else:
            lines[-1] = joined
    return lines
