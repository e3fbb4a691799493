"""`setmatch run`: a match at a table, refereed live: a real one, a recorded one, or the simulated one.

The command only: its options, and which of them go together. What is joined and printed is in `table`, or,
for a board without a camera, in `hosting`.
"""

import argparse
from pathlib import Path

from firmware.commands.configured import IN_THE_FILE, check_config_file, config_of, state_folder
from firmware.commands.hosting import NO_TABLE, add_link_option, host, link_wanted
from firmware.commands.options import (
    add_board_option,
    add_language_option,
    add_match_options,
    add_state_option,
    at_least_one,
    seed_number,
    speed_factor,
)
from firmware.commands.outlasting import CLOSED, outlasting
from firmware.commands.outputs import complain
from firmware.commands.table import SIMULATED, play_at_table
from firmware.daemon.stopping import Stop
from firmware.errors import InputError

_INTERRUPTED = 130


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "run",
        help="referee a match, live",
        description="Referees a match at a table: sees, calls, counts, shows, and keeps every stroke before "
        "it is shown, so that a match goes on where it was after a power cut. On the simulated table a "
        "camera looks at it, and its frames are all that the umpire knows; without --autoplay you play side "
        "A with the keyboard, and it ends with how many calls agreed with the table's own truth (exit code 1 "
        "if the umpire erred).",
    )
    table = parser.add_argument_group("the table")
    table.add_argument(
        "--rig",
        metavar="RIG",
        help="what to play on: simulated, pi for the Pi's camera, usb:0 for a USB camera, a recording's "
        "file, or none for the link's games alone (default: as the configuration says)",
    )
    add_link_option(table)
    table.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="the board's configuration, a .toml file (default: none, and what these options say)",
    )
    table.add_argument(
        "--check-config",
        action="store_true",
        help="say what is wrong with --config FILE, and play nothing (default: play)",
    )
    add_state_option(
        parser,
        "as the configuration says, or $XDG_STATE_HOME/setmatch, or ~/.local/state/setmatch; without a "
        "configuration simulated and recorded matches are not kept",
    )
    parser.add_argument(
        "--new-match",
        action="store_true",
        help="leave the last match and begin another (default: it goes on; one that was won can still be "
        "disputed at a table, until another is begun, and is followed by another elsewhere)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print a JSON object for every event, a line each (default: panels)",
    )
    _add_simulated_options(parser.add_argument_group("the simulated table"))
    add_match_options(parser, "--games-to-set")
    add_language_option(parser)
    add_board_option(parser)
    # What was not given must be told from what was: a configuration file has its own.
    parser.set_defaults(run=run, **dict.fromkeys(IN_THE_FILE))


def _add_simulated_options(parser: "argparse._ArgumentGroup") -> None:
    parser.add_argument(
        "--autoplay",
        action="store_true",
        help="simulated players on both sides (default: you play side A)",
    )
    parser.add_argument(
        "--play",
        choices=["A", "B", "both"],
        help="the side you play (default: A); not with --autoplay",
    )
    parser.add_argument(
        "--games",
        type=at_least_one,
        metavar="N",
        help="stop after N games; a race to 12 has none (default: play the match to its end)",
    )
    parser.add_argument(
        "--speed",
        type=speed_factor,
        metavar="X",
        help="X times real time, 0 as fast as it goes; recordings too (default: 1 on a terminal, else 0)",
    )
    parser.add_argument(
        "--seed",
        type=seed_number,
        metavar="S",
        help="another match for each number (default: 0)",
    )


def run(args: argparse.Namespace) -> int:
    """Referee until the match is over, or a signal ends it; 0, or 1 if a certain call was wrong, missed or
    invented on the simulated table. `CLOSED` if standard output was closed before, OSError if it failed
    otherwise."""
    from hardware.cameras import is_live

    if args.check_config:
        return check_config_file(args.config)
    config = config_of(args)
    source = config.camera.source
    _check_options(args, source)
    wanted = link_wanted(args, config)
    # What people watch or play just now is not spoilt by a log; a trial is looked at, or read by a program.
    spares = source == NO_TABLE or (is_live(source) and source != SIMULATED)
    with (
        Stop.listening() as stop,
        outlasting(stop, spares=spares) as output,
        state_folder(args, config) as state,
    ):
        refereed = host if source == NO_TABLE else play_at_table
        code = refereed(args, config, state, stop, wanted)
    if output.closed:
        complain("setmatch: standard output was closed by whoever read it, and so it ends; start it again")
        return CLOSED
    if output.failure is not None:
        raise output.failure
    return _INTERRUPTED if stop.interrupted else code


def _check_options(args: argparse.Namespace, source: str) -> None:
    from hardware.cameras import is_live

    if source == NO_TABLE:
        return
    if source == "recorded":
        raise InputError("which recording? Give its file: --rig FILE")
    if args.autoplay and args.play is not None:
        raise InputError("--autoplay plays both sides; leave out --play, or --autoplay")
    if source == SIMULATED:
        if args.json and not args.autoplay:
            raise InputError("--json prints for programs, and nobody could be asked; give --autoplay, too")
        return
    only = {"--autoplay": args.autoplay, "--play": args.play, "--games": args.games, "--seed": args.seed}
    if is_live(source):
        only["--speed"] = args.speed
    given = next((flag for flag, value in only.items() if value not in (None, False)), None)
    if given is not None:
        raise InputError(f"{given} is for the simulated table; leave it out, or play with --rig simulated")
