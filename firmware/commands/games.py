"""`setmatch games`: the games that controllers play on the link, with their seats and options; those that
were played, and one of them told again.

The layout only; what there is stands in `firmware.games.catalogue`, and its words in `firmware.texts`.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from firmware.commands.options import add_json_option, add_language_option, add_state_option
from firmware.errors import InputError

if TYPE_CHECKING:
    from firmware.games.catalogue import Game
    from firmware.games.options import Option
    from firmware.texts import Texts

_WIDTH = 96
_NAME_WIDTH = 12


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "games",
        help="list the games that controllers play on the link",
        description="Lists the games that can be played with controllers on the serial link, for how many "
        "seats each is, and what can be chosen. With --played or --replay: games that were played.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--played", action="store_true", help="list the games that were played (default: what there is)"
    )
    which.add_argument(
        "--replay",
        type=int,
        metavar="N",
        help="tell the game N of --played again, from its beginning (default: list)",
    )
    add_state_option(parser)
    add_language_option(parser)
    add_json_option(parser, "a game (default: text)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the games. InputError if standard output cannot take the letters; JournalError for games that
    cannot be read."""
    import msgspec

    from firmware.games.catalogue import GAMES
    from firmware.texts import load

    texts = load(args.language)
    if args.played or args.replay is not None:
        shown = _kept(args, texts)
    elif args.json:
        shown = [msgspec.json.encode(as_json(game, texts)).decode() for game in GAMES.values()]
    else:
        shown = ["\n".join(as_lines(game, texts)) for game in GAMES.values()]
    apart = "\n" if args.json or args.played or args.replay is not None else "\n\n"
    try:
        print(apart.join(shown))
    except UnicodeEncodeError as error:
        raise InputError(
            f"standard output takes {error.encoding} only, and the games have other letters; "
            "set PYTHONIOENCODING=utf-8"
        ) from error
    return 0


def _kept(args: argparse.Namespace, texts: "Texts") -> list[str]:
    """The lines about games that were played."""
    import json

    from firmware.gamebook import GameBookReader
    from firmware.gamebook.telling import as_actions, as_summary, in_a_line, retold
    from firmware.journal import default_directory

    with GameBookReader.open(args.state or default_directory()) as book:
        if args.played:
            games = book.games()
            lines = [json.dumps(as_summary(game)) if args.json else in_a_line(game) for game in games]
        else:
            game = book.game(args.replay)
            as_json_lines = (as_summary(game), *as_actions(game))
            lines = [json.dumps(each) for each in as_json_lines] if args.json else [*retold(game, texts)]
        for warning in book.warnings:
            print(f"Warning: {warning}", file=sys.stderr)
    return lines


def as_lines(game: "Game", texts: "Texts") -> Iterator[str]:
    """A game as lines to read: its name, its seats, each option with what it is for and its values."""
    least, most = game.seats
    yield f"{game.name:<{_NAME_WIDTH}}{game.title}, {texts.say('games.seats', least=least, most=most)}"
    for option in game.options:
        about = texts.say(f"games.{game.name}.option.{option.name}")
        yield from _wrapped(f"  {option.name}", f"{about} ({_default(option, texts)})")
        for value, told in _values(game, option, texts):
            yield from _wrapped(f"    {value}", told)


def as_json(game: "Game", texts: "Texts") -> dict[str, Any]:
    """The same for programs."""
    import msgspec

    options = []
    for option in game.options:
        told = msgspec.to_builtins(option)
        told["about"] = texts.say(f"games.{game.name}.option.{option.name}")
        options.append(told)
    return {
        "kind": "game",
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "options": options,
    }


def _default(option: "Option", texts: "Texts") -> str:
    from firmware.games.options import Number, Switch

    if isinstance(option, Switch):
        return texts.say("games.unless-switched", value="on" if option.default else "off")
    if isinstance(option, Number):
        least, most = f"{option.least:g}", f"{option.most:g}"
        return texts.say("games.unless-numbered", least=least, most=most, value=f"{option.default:g}")
    return texts.say("games.unless-chosen", value=option.default)


def _values(game: "Game", option: "Option", texts: "Texts") -> Iterator[tuple[str, str]]:
    from firmware.games.options import Choice

    if isinstance(option, Choice):
        for value in option.values:
            yield value, texts.say(f"games.{game.name}.value.{value}")


def _wrapped(head: str, text: str) -> Iterator[str]:
    indent = " " * (_NAME_WIDTH + 6)
    first, *rest = textwrap.wrap(text, _WIDTH - len(indent))
    yield f"{head:<{len(indent) - 1}} {first}"
    yield from (f"{indent}{line}" for line in rest)
