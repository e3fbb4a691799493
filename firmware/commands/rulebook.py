"""`setmatch rules`: prints the rules that a setup is played by, in words, or a rally as a diagram.

Only the layout lives here: which rules hold is picked in `firmware.texts`, and said by its tables.
"""

import argparse
import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from firmware.commands.options import add_match_options, setup_from
from firmware.errors import InputError
from firmware.rules import OPTION_NAMES, Setup, idle_options
from firmware.rules.diagram import diagram
from firmware.texts import LANGUAGES, Texts, explain_idle, load, statements

_WIDTH = 96
_BULLET = "  - "


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `rules` to the command line."""
    parser = subparsers.add_parser(
        "rules",
        help="print the rules of a match in words",
        description="Prints the rules by which a match with these options is played and called.",
    )
    add_match_options(parser)
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="the language of the rules (default: en)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object (default: text)")
    form.add_argument(
        "--diagram",
        action="store_true",
        help="print how a rally goes on, whatever the options, as a Mermaid state diagram "
        "(default: the rules in words)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rules. TextsError if a table of texts cannot be used, InputError if standard output
    cannot take its letters."""
    if args.diagram:
        print(diagram(), end="")
        return 0
    setup, texts = setup_from(args), load(args.language)
    if args.json:
        shown = msgspec.json.encode(as_json(setup, texts)).decode()
    else:
        shown = "\n".join(as_lines(setup, texts))
    try:
        print(shown)
    except UnicodeEncodeError as error:
        raise InputError(
            f"standard output takes {error.encoding} only, and the rules have other letters; "
            "set PYTHONIOENCODING=utf-8"
        ) from error
    return 0


def as_lines(setup: Setup, texts: Texts) -> Iterator[str]:
    """The rules as lines to read: a heading, the options, and each topic's statements."""
    heading = "rules.heading.doubles" if setup.doubles else "rules.heading.singles"
    yield texts.say(heading, preset=texts.say(f"preset.{setup.preset}"))
    idle = idle_options(setup)
    on = [name for name in OPTION_NAMES if getattr(setup.options, name) and name not in idle]
    named = ", ".join(texts.say(f"option.{name}") for name in on)
    listed = texts.say("rules.heading.options", options=named)
    yield from textwrap.wrap(listed if on else texts.say("rules.heading.no-options"), _WIDTH)
    for name in idle:
        why = explain_idle(name, texts)
        told = texts.say("rules.heading.idle", option=texts.say(f"option.{name}"), why=why)
        yield from textwrap.wrap(told, _WIDTH)
    for topic, told_of_it in groupby(statements(setup, texts), key=lambda statement: statement.topic):
        yield ""
        yield texts.say(f"topic.{topic}")
        for statement in told_of_it:
            yield from textwrap.wrap(
                statement.text, _WIDTH, initial_indent=_BULLET, subsequent_indent=" " * len(_BULLET)
            )


def as_json(setup: Setup, texts: Texts) -> dict[str, Any]:
    """The same for programs: the setup, what is on, what has no effect, and every statement."""
    return {
        "kind": "rules",
        "language": texts.language,
        "preset": setup.preset,
        "doubles": setup.doubles,
        "games_to_set": setup.games_to_set,
        "sets_to_win": setup.sets_to_win,
        "first_server": setup.first_server,
        "options": {name: getattr(setup.options, name) for name in OPTION_NAMES},
        "idle": [{"option": name, "why": explain_idle(name, texts)} for name in idle_options(setup)],
        "rules": [statement._asdict() for statement in statements(setup, texts)],
    }
