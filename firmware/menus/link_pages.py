"""The menu's pages of the games on the link: which one, seats and options, start, pause, go on, end.

Pure, as the other pages: what is asked of the link goes out as an effect. The link itself is not known here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from firmware.games.catalogue import GAMES, Game
from firmware.games.options import Choice, Number, Option, Switch, Value
from firmware.menus.effects import LinkAsked
from firmware.menus.entries import Ask, Entry, Open, Plain, Saying, Tell, as_written, words
from firmware.texts import Texts, option_in_brief

_ROUND: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 45, 60, 90)
"""Numbers that are stepped through; what lies between has to be chosen with a controller."""


@dataclass(frozen=True, slots=True)
class LinkGame:
    """The link as the menu has to know it. `seats`: None for as many as are taken; `taken`: how many are."""

    status: Literal["lobby", "playing", "paused", "over"]
    game: str
    seats: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    taken: int = 0


def link_entries(link: LinkGame) -> tuple[Entry, ...]:
    """What can be done with the link's game as it stands."""
    if link.status == "playing":
        return Entry(words("menu.pause"), Ask(LinkAsked("game.pause"))), _ending()
    if link.status == "paused":
        return Entry(words("menu.resume"), Ask(LinkAsked("game.resume"))), _ending()
    game = GAMES.get(link.game)
    start = Entry(words("menu.start"), Ask(LinkAsked("lobby.start")), note=_who_plays(link))
    if game is None:
        return (start,)
    which = (_which(link, game),) if len(GAMES) > 1 else ()
    options = (_option(link, game, option) for option in game.options)
    return (start, *which, _seats(link, game), *options)


def end_entries() -> tuple[Entry, ...]:
    """Asked once more: whether the game is to be ended."""
    return (Entry(words("menu.end-game"), Ask(LinkAsked("game.end")), note=words("menu.note.ends-game")),)


def link_title(link: LinkGame | None) -> str | None:
    """What the page is called: as the game is."""
    game = None if link is None else GAMES.get(link.game)
    return None if game is None else game.title


def _ending() -> Entry:
    return Entry(words("menu.end-game"), Open(Plain("link-end"), at=1))


def _who_plays(link: LinkGame) -> Saying:
    def said(texts: Texts) -> str:
        return texts.say("menu.note.seated", n=link.taken)

    return said


def _which(link: LinkGame, game: Game) -> Entry:
    names = tuple(GAMES)
    other = names[(names.index(link.game) + 1) % len(names)]
    # Another game has other options: they begin as it is meant.
    choose = LinkAsked("lobby.choose", {"game": other, "seats": None, "options": {}})
    return Entry(words("menu.link-game"), Tell(choose), value=as_written(game.title))


def _seats(link: LinkGame, game: Game) -> Entry:
    least, most = game.seats
    values = (None, *range(max(least, 1), most + 1))
    seats = values[(values.index(link.seats) + 1) % len(values)] if link.seats in values else None
    value = words("menu.who-comes") if link.seats is None else as_written(str(link.seats))
    return Entry(words("menu.seats"), Tell(_chosen(link, seats, {})), value=value)


def _option(link: LinkGame, game: Game, option: Option) -> Entry:
    now = link.options.get(option.name, option.default)

    def said(texts: Texts) -> str:
        return option_in_brief(game.name, option, now, texts)

    return Entry(said, Tell(_chosen(link, link.seats, {option.name: _after(option, now)})))


def _after(option: Option, now: object) -> Value:
    """The value after this one, the first after the last."""
    match option:
        case Choice(values=values):
            return values[(values.index(str(now)) + 1) % len(values)] if now in values else option.default
        case Switch():
            return not now
        case Number(least=least, most=most):
            there = sorted({*(float(n) for n in _ROUND if least <= n <= most), float(option.default)})
            larger = [n for n in there if isinstance(now, int | float) and n > now]
            value = larger[0] if larger else there[0]
            return int(value) if option.whole else value


def _chosen(link: LinkGame, seats: int | None, change: Mapping[str, object]) -> LinkAsked:
    options = {**link.options, **change}
    return LinkAsked("lobby.choose", {"game": link.game, "seats": seats, "options": options})
