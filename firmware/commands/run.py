"""`setmatch run`: a match at a table, refereed live: a real one, a recorded one, or the simulated one.

The command only: its options, which parts are joined, and what is printed. The daemon does the rest.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.commands.configured import IN_THE_FILE, check_config_file, config_of, state_folder
from firmware.commands.hosting import (
    NO_TABLE,
    LinkBeside,
    add_link_option,
    host,
    line_teller,
    link_wanted,
)
from firmware.commands.options import (
    add_board_option,
    add_language_option,
    add_match_options,
    add_state_option,
    at_least_one,
    seed_number,
    speed_factor,
)
from firmware.daemon.stopping import Stop, StoppedError
from firmware.errors import InputError

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.daemon.daemon import Daemon
    from firmware.daemon.frames import Frames
    from firmware.daemon.linking import Wanted
    from firmware.daemon.resuming import Start
    from firmware.daemon.rigs import Opened
    from firmware.display import Display
    from firmware.journal import Journal
    from firmware.live.onlookers import Onlooker
    from firmware.live.people import LiveMatch
    from firmware.mqtt import Publishing, Unpublished
    from firmware.report import Line

_SIMULATED = "simulated"
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
    invented on the simulated table."""
    if args.check_config:
        return check_config_file(args.config)
    config = config_of(args)
    source = config.camera.source
    _check_options(args, source)
    wanted = link_wanted(args, config)
    with Stop.listening() as stop, ExitStack() as stack:
        state = stack.enter_context(state_folder(args, config))
        refereed = host if source == NO_TABLE else _refereed
        code = refereed(args, config, state, stop, wanted)
    return _INTERRUPTED if stop.interrupted else code


def _check_options(args: argparse.Namespace, source: str) -> None:
    from hardware.cameras import is_live

    if source == NO_TABLE:
        return
    if source == "recorded":
        raise InputError("which recording? Give its file: --rig FILE")
    if args.autoplay and args.play is not None:
        raise InputError("--autoplay plays both sides; leave out --play, or --autoplay")
    if source == _SIMULATED:
        if args.json and not args.autoplay:
            raise InputError("--json prints for programs, and nobody could be asked; give --autoplay, too")
        return
    only = {"--autoplay": args.autoplay, "--play": args.play, "--games": args.games, "--seed": args.seed}
    if is_live(source):
        only["--speed"] = args.speed
    given = next((flag for flag, value in only.items() if value not in (None, False)), None)
    if given is not None:
        raise InputError(f"{given} is for the simulated table; leave it out, or play with --rig simulated")


def _refereed(args: argparse.Namespace, config: "Config", state: Path, stop: Stop, wanted: "Wanted") -> int:
    """Set up, play, and tell how it ended."""
    from calibration.edition import load_edition
    from firmware.daemon.closing import give_back
    from firmware.daemon.daemon import Daemon
    from firmware.daemon.opening import opened_with_room
    from firmware.daemon.supervision import Supervision
    from firmware.display import SilentDisplay, open_display
    from firmware.live.onlookers import Onlooker, ShownPanels
    from firmware.live.pace import sleeping
    from firmware.mqtt import Publishing, Unpublished, open_publishing
    from hardware.power import can_power_off, power_off

    edition = load_edition(config.board.edition, require_zones=True)
    display = SilentDisplay() if args.json else open_display(edition, texts=config.texts())
    journal, opened = _opened(args, config, state, display, edition.name)
    link = LinkBeside(ShownPanels(opened.rig.panels, display), line_teller(display, args.json))
    rig = replace(
        opened.rig,
        panels=link.panels,
        frames=_paced(args, config.camera.source, opened.rig.frames, stop),
    )
    onlooker = Onlooker(display, edition)
    publishing: Publishing | Unpublished = Unpublished()
    try:
        publishing = open_publishing(config, state)
        live = None if opened.simulated is None else _people(args, opened, onlooker, display, stop)
        tell = _telling(live or onlooker, args.json, publishing, link)
        supervision = Supervision.of_this_process()
        if journal is None:
            journal = opened_with_room(state, rig, opened.terms, tell, stop, sleeping(stop), supervision)
        if journal is None:
            display.close()
            publishing.close()
            return 0
        link.open(wanted, state)
        daemon = Daemon(
            rig,
            opened.terms,
            journal,
            tell=tell,
            settings=opened.settings,
            supervision=supervision,
            start=_start(args, config.camera.source),
            link=link.linked,
        )
        _warn_of_rules(daemon, opened)
        onlooker.watch(daemon)
    except BaseException:
        display.close()
        link.close()
        give_back(rig, journal, _telling(onlooker, args.json, publishing, link))
        publishing.close()
        raise

    def look() -> None:
        onlooker.look()
        link.look(daemon)
        for line in publishing.look(daemon):
            tell(line)

    try:
        _play(daemon, stop, look, live)
    finally:
        link.close()
        display.close()
        publishing.close()
    if daemon.shut_down and can_power_off():
        power_off()
    return 0 if live is None else _agreed(live, display, args.json)


def _opened(
    args: argparse.Namespace, config: "Config", state: Path, display: "Display", board: str
) -> "tuple[Journal | None, Opened]":
    """The journal, if there is room for one, and the rig. `board`: the edition's name."""
    from firmware.daemon.opening import opened_at_once
    from firmware.daemon.rigs import open_rig

    seed = args.seed or 0
    told = f", seed {seed}" if config.camera.source == _SIMULATED else ""
    journal = None
    try:
        # Before the rig is opened: a folder that another program uses is told at once.
        journal = opened_at_once(state)
        display.say(f"Board {board!r}, level {config.match.preset}{told}: finding the board")
        return journal, open_rig(config, state, file=args.config, seed=seed)
    except BaseException:
        display.close()
        if journal is not None:
            journal.close()
        raise


def _start(args: argparse.Namespace, source: str) -> "Start":
    """At a table a match that was won stands until people begin another: its last call can still be disputed.
    On the simulated one, and of a recording, nobody would."""
    from hardware.cameras import is_live

    if args.new_match:
        return "new"
    return "go-on" if is_live(source) and source != _SIMULATED else "go-on-unless-over"


def _warn_of_rules(daemon: "Daemon", opened: "Opened") -> None:
    """Say so where a match goes on by other rules than were asked for now."""
    state = daemon.chair.match.state
    if state.setup == opened.terms.setup:
        return
    what = "that was won stands" if state.waiting is None else "that was cut off goes on"
    print(
        f"Warning: the match {what}, by the rules it was begun with; --new-match "
        "leaves it and begins another",
        file=sys.stderr,
    )


def _people(
    args: argparse.Namespace, opened: "Opened", onlooker: "Onlooker", display: "Display", stop: Stop
) -> "LiveMatch":
    """Who sits at the simulated table."""
    from firmware.live.fingers import Fingers
    from firmware.live.people import LiveMatch, People, nobody
    from firmware.live.typed import person_at
    from hardware.simulated.players import Players

    parts, edition = opened.simulated, opened.terms.edition
    aim = nobody if args.autoplay else person_at(args.play or "A", edition, display, stop)
    assert parts is not None
    table = parts.table
    people = People(
        edition=edition,
        table=table,
        players=Players(table, args.seed or 0),
        fingers=Fingers(parts.buttons, lambda: table.now),
        aim=aim,
        display=display,
    )
    return LiveMatch(people, onlooker, args.games)


def _play(daemon: "Daemon", stop: Stop, look: Callable[[], None], live: "LiveMatch | None") -> None:
    def after_turn() -> None:
        # Before the hands: a person who is asked to aim wants to see the ball.
        look()
        if live is not None:
            live.turned()
            if live.over:
                stop.set()

    with suppress(StoppedError):
        try:
            if live is not None:
                live.begin(daemon)
        except BaseException:
            daemon.close()
            raise
        daemon.run(stop, after_turn=after_turn)


def _agreed(live: "LiveMatch", display: "Display", as_json: bool) -> int:
    agreement = live.agreement
    if as_json:
        print(json.dumps({"kind": "agreement", **agreement.line()}), flush=True)
    display.say(live.result())
    display.say(agreement.summary())
    return 0 if agreement.good else 1


def _telling(
    listener: "LiveMatch | Onlooker",
    as_json: bool,
    publishing: "Publishing | Unpublished",
    link: LinkBeside,
) -> "Callable[[Line], None]":
    """Passes each line on; as JSON it is printed first."""

    def tell(line: "Line") -> None:
        if as_json:
            print(json.dumps(line, default=str), flush=True)
        listener.tell(line)
        link.heard(line)
        publishing.tell(line)

    return tell


def _paced(args: argparse.Namespace, source: str, frames: "Frames", stop: Stop) -> "Frames":
    """The frames of what waits for us as fast as they are wanted; a camera has its own pace."""
    from firmware.live.pace import Pace, PacedFrames, sleeping
    from hardware.cameras import is_live

    if source != _SIMULATED and is_live(source):
        return frames
    speed = args.speed if args.speed is not None else (1.0 if sys.stdout.isatty() else 0.0)
    return PacedFrames(frames, Pace(speed, time.monotonic, sleeping(stop)))
