"""`setmatch controller`: a seat at a board's link games, for a person, a program, or the computer.

The command only: its options, and which parts are joined.
"""

import argparse
import secrets
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from importlib.metadata import version
from typing import TYPE_CHECKING

from firmware.commands.options import add_language_option, add_state_option
from firmware.errors import InputError

if TYPE_CHECKING:
    from firmware.controller.client import Client
    from firmware.controller.loop import Inbox, Port
    from firmware.controller.players import Player

_LONGEST_NAME = 20
_READ = 4096


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "controller",
        help="play a card game at a board, on this computer",
        description="A seat at the games that a board hosts on its link: the cards are drawn in this "
        "terminal, and keys play them. A seat is kept while the controller is away: started again with the "
        "same name it goes on where it was.",
    )
    parser.add_argument(
        "--port",
        required=True,
        metavar="PORT",
        help="where the board is: a serial device, or socket://HOST:PORT",
    )
    parser.add_argument(
        "--name",
        required=True,
        type=_name,
        metavar="NAME",
        help=f"what the others see, {_LONGEST_NAME} letters at most",
    )
    parser.add_argument(
        "--bot",
        choices=("easy", "fair", "strong"),
        help="have the computer play, and tell what happens (default: you play)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="for programs: what is heard is one JSON object a line, and so is what is asked for on standard "
        'input, such as {"method": "game.act", "params": {"action": {"kind": "claim"}}} (default: a screen)',
    )
    add_language_option(parser)
    add_state_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until the player goes. SerialPortError if the port cannot be opened."""
    from firmware.controller.client import Client
    from firmware.controller.kept import keep_tokens, kept_tokens
    from firmware.controller.loop import Inbox, Loop
    from firmware.journal import default_directory

    state = default_directory() if args.state is None else args.state
    client = Client(args.name, f"setmatch {version('setmatch-board')}", kept_tokens(state, args.name))
    inbox: Inbox = Inbox()
    with ExitStack() as stack:
        # The port first: what is wrong with it is told on the terminal as it was.
        first = _opener(args.port, inbox)(1)
        stack.callback(first.close)
        ports = iter((first,))
        opened = _opener(args.port, inbox)
        player = _player(args, client, inbox, stack)
        Loop(
            client,
            player,
            inbox,
            lambda count: next(ports, None) or opened(count),
            lambda tokens: keep_tokens(state, args.name, tokens),
            time.monotonic,
        ).run()
    return 0


def _opener(url: str, inbox: "Inbox") -> "Callable[[int], Port]":
    from firmware.controller.loop import Arrived, PortGone
    from hardware.serial_port import open_port

    def opened(count: int) -> "Port":
        return open_port(
            url, lambda data: inbox.put(PortGone(count) if data is None else Arrived(count, data))
        )

    return opened


def _player(args: argparse.Namespace, client: "Client", inbox: "Inbox", stack: ExitStack) -> "Player":
    """Who sits here."""
    from firmware.controller.person import Person
    from firmware.controller.players import AtTerminal, Computer, Narrator, Program, Teller
    from firmware.full_screen import FullScreen, is_terminal, single_keys
    from firmware.terminal import pictures_possible
    from firmware.texts import load

    if args.bot is not None:
        tell = Teller(_print).tell if args.json else Narrator(client, load(args.language), _print).tell
        return Computer(client, args.bot, secrets.token_hex(16), tell)
    if args.json:
        _read(sys.stdin.fileno(), inbox)
        return Program(client, Teller(_print))
    if not is_terminal():
        raise InputError("there is no terminal to play at; use --json for a program, or --bot")
    pictures = pictures_possible(sys.stdout)
    keyboard = stack.enter_context(single_keys())
    screen = stack.enter_context(FullScreen())
    _read(keyboard, inbox)
    person = Person(client, load(args.language))
    return AtTerminal(person, lambda drawn: screen.show(drawn(*screen.size)), pictures)


def _read(descriptor: int, inbox: "Inbox") -> None:
    """Have what comes in there put into the inbox, by a thread of its own."""
    import os

    from firmware.controller.loop import Typed

    def read() -> None:
        data = b"-"
        while data:
            try:
                data = os.read(descriptor, _READ)
            except OSError:
                data = b""
            inbox.put(Typed(data))

    threading.Thread(target=read, name="reads the input", daemon=True).start()


def _print(line: str) -> None:
    print(line, flush=True)


def _name(text: str) -> str:
    name = text.strip()
    if not name.isprintable() or not 1 <= len(name) <= _LONGEST_NAME:
        raise argparse.ArgumentTypeError(f"{text!r} is no name; give 1 to {_LONGEST_NAME} letters")
    return name
