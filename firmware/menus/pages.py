"""The pages of the menu: which entries each has, with what they are set to and what taking them does.

A new entry, such as one for another kind of match, is a line in `_main` with its effect in effects.py and
its words in the texts under [menu].
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from firmware.config import Config
from firmware.config.sections import Place
from firmware.menus.effects import Calibrate, NewMatch, Redo, ShutDown
from firmware.menus.entries import (
    Ask,
    Back,
    Deed,
    Entry,
    Letters,
    Open,
    Page,
    Plain,
    Saying,
    Set,
    Spelling,
    Wait,
    as_written,
    nothing,
    words,
)
from firmware.menus.link_pages import LinkGame, end_entries, link_entries, link_title
from firmware.menus.spelling import letter_entries, spelling_entries
from firmware.rules import OPTION_NAMES, PRESETS, OptionName, idle_options
from firmware.rules.setup import GAMES_TO_SET, MOST_SETS, opponent_of
from firmware.texts import LANGUAGES, Language, Texts, explain_idle, load

Ability = Literal["calibrate"]
"""What not every rig can do: a recording is not calibrated anew."""

_SIDES: Final[tuple[Place, ...]] = ("A", "B")
_SEATS: Final[tuple[Place, ...]] = ("A1", "B1", "A2", "B2")
_NEXT_MATCH: Final = words("menu.note.next-match")
_AT_ONCE: Final = words("menu.note.at-once")


@dataclass(frozen=True, slots=True)
class Around:
    """What the pages depend on. `match_on`: a match would be left by a new one; `kept`: all that was done is,
    and a match could begin; `undone`: something was when it was opened, and can be done again; `can`: what
    the rig is able to do; `link`: the games on the link, if there are any."""

    config: Config
    match_on: bool
    can: frozenset[Ability]
    kept: bool = True
    undone: bool = False
    link: LinkGame | None = None


def entries_of(page: Page, around: Around) -> tuple[Entry, ...]:
    """The entries of a page, the last of which goes back."""
    match page:
        case Plain(name):
            entries = _PLAIN[name](around)
            # What is asked once more is to be read before either answer.
            note = entries[0].note if name in ("new-match", "shut-down", "link-end") else nothing
            return (*entries, Entry(words("menu.back"), Back(), note=note))
        case Spelling():
            return spelling_entries(page)
        case Letters():
            return letter_entries(page)


def title_of(page: Page, texts: Texts, link: LinkGame | None = None) -> str:
    """What a page is called; the link's as its game."""
    match page:
        case Plain("main"):
            return texts.say("menu.title")
        case Plain("new-match" | "shut-down" | "link-end" as name):
            return texts.say(f"menu.sure.{name}")
        case Plain("link"):
            return link_title(link) or texts.say("menu.link")
        case Plain(name):
            return texts.say(f"menu.{name}")
        case Spelling(place) | Letters(place):
            return texts.say("menu.name", place=place)


def _main(around: Around) -> tuple[Entry, ...]:
    config, can = around.config, around.can
    match, mute = config.match, config.speaker.mute
    level = tuple(PRESETS).index(match.preset)
    entries = [
        _beginning(around),
        Entry(
            words("menu.level"),
            Open(Plain("level"), level),
            value=words(f"preset.{match.preset}"),
            note=_NEXT_MATCH,
        ),
        Entry(words("menu.length"), Open(Plain("length")), note=_NEXT_MATCH),
        _setting(
            "first-server",
            "match.first_server",
            opponent_of(match.first_server),
            as_written(match.names.get(match.first_server, match.first_server)),
        ),
        _setting(
            "players",
            "match.doubles",
            not match.doubles,
            words("menu.doubles" if match.doubles else "menu.singles"),
        ),
        Entry(words("menu.names"), Open(Plain("names")), note=_NEXT_MATCH),
        _setting(
            "language",
            "match.language",
            _next(LANGUAGES, match.language),
            _own_name(match.language),
            note=_AT_ONCE,
        ),
        _setting("sound", "speaker.mute", not mute, _on_off(not mute), note=_AT_ONCE),
    ]
    if around.undone:
        again: Deed = Ask(Redo()) if around.kept else Wait()
        note = words("menu.note.redoes" if around.kept else "menu.note.unkept")
        entries.insert(1, Entry(words("menu.redo"), again, note=note))
    if around.link is not None:
        entries.insert(1, Entry(words("menu.link"), Open(Plain("link"))))
    if "calibrate" in can:
        note = words("menu.note.calibrates")
        entries.append(Entry(words("menu.calibrate"), Ask(Calibrate()), note=note))
    return (*entries, Entry(words("menu.shut-down"), Open(Plain("shut-down"), at=1)))


def _level(around: Around) -> tuple[Entry, ...]:
    """Which level holds, and its options, with which every level begins as it is meant."""
    match = around.config.match
    levels = [
        Entry(
            words(f"preset.{preset}"),
            Set({"match.preset": preset, "match.options": {}}, leaves=True),
            chosen=preset == match.preset,
            note=_NEXT_MATCH,
        )
        for preset in PRESETS
    ]
    return (*levels, Entry(words("menu.options"), Open(Plain("options")), note=_NEXT_MATCH))


def _options(around: Around) -> tuple[Entry, ...]:
    setup = around.config.setup()
    idle = idle_options(setup)
    return tuple(_option(around.config, name, name in idle) for name in OPTION_NAMES)


def _option(config: Config, name: OptionName, idle: bool) -> Entry:
    """An option, on or off. What the level has anyway is not written down, so that another level may have it
    otherwise."""
    now = getattr(config.setup().options, name)
    own = getattr(PRESETS[config.match.preset].options, name)
    change = None if own is not now else not now
    return Entry(
        words(f"option.{name}"),
        Set({f"match.options.{name}": change}),
        value=_on_off(now),
        idle=idle,
        note=(lambda texts: texts.say("menu.note.idle", why=explain_idle(name, texts)))
        if idle
        else _NEXT_MATCH,
    )


def _length(around: Around) -> tuple[Entry, ...]:
    match, idle = around.config.match, around.config.setup().simplified
    note = words("menu.note.no-sets") if idle else _NEXT_MATCH
    sets = tuple(range(1, MOST_SETS + 1))
    return (
        _setting(
            "sets", "match.sets", _next(sets, match.sets), as_written(str(match.sets)), note=note, idle=idle
        ),
        _setting(
            "games",
            "match.games",
            _next(GAMES_TO_SET, match.games),
            as_written(str(match.games)),
            note=note,
            idle=idle,
        ),
    )


def _names(around: Around) -> tuple[Entry, ...]:
    match = around.config.match
    places = (*_SIDES, *_SEATS) if match.doubles else _SIDES
    return tuple(
        Entry(
            as_written(place),
            Open(Spelling(place, match.names.get(place, ""))),
            value=as_written(match.names.get(place, "-")),
            note=_NEXT_MATCH,
        )
        for place in places
    )


def _beginning(around: Around) -> Entry:
    """A new match. Who leaves one is asked first, with the entry highlighted that leaves nothing."""
    if not around.kept:
        return _not_yet()
    begin: Deed = Open(Plain("new-match"), at=1) if around.match_on else Ask(NewMatch())
    return Entry(words("menu.new-match"), begin)


def _new_match(around: Around) -> tuple[Entry, ...]:
    if not around.kept:
        return (_not_yet(),)
    return (Entry(words("menu.new-match"), Ask(NewMatch()), note=words("menu.note.leaves-match")),)


def _not_yet() -> Entry:
    """No match can begin before the last thing that was done is kept."""
    return Entry(words("menu.new-match"), Wait(), note=words("menu.note.unkept"))


def _shut_down(around: Around) -> tuple[Entry, ...]:
    return (Entry(words("menu.shut-down"), Ask(ShutDown()), note=words("menu.note.shuts-down")),)


def _link(around: Around) -> tuple[Entry, ...]:
    return () if around.link is None else link_entries(around.link)


def _link_end(around: Around) -> tuple[Entry, ...]:
    return end_entries()


_PLAIN: Final[dict[str, Callable[[Around], tuple[Entry, ...]]]] = {
    "main": _main,
    "level": _level,
    "options": _options,
    "length": _length,
    "names": _names,
    "new-match": _new_match,
    "shut-down": _shut_down,
    "link": _link,
    "link-end": _link_end,
}


def _setting(
    name: str,
    path: str,
    then: str | int,
    value: Saying,
    *,
    note: Saying = _NEXT_MATCH,
    idle: bool = False,
) -> Entry:
    """A setting that goes round where it stands: each time it is taken it is the next value, `then`."""
    return Entry(words(f"menu.{name}"), Set({path: then}), value=value, note=note, idle=idle)


def _next(values: tuple[Any, ...], value: object) -> Any:
    """The value after this one, the first after the last."""
    return values[(values.index(value) + 1) % len(values)]


def _on_off(on: bool) -> Saying:
    return words("menu.on" if on else "menu.off")


def _own_name(language: Language) -> Saying:
    """What a language is called in itself: that is what those look for who cannot read the others."""
    own = load(language).say("menu.own-language")
    return as_written(own)
