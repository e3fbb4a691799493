"""A match at a table, refereed live: what is joined for it, who hears of it, and how all of it is closed.

The parts and what they do are the daemon's; the options are `run`'s.
"""

import argparse
import json
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.commands.hosting import LinkBeside, line_teller
from firmware.commands.outputs import complain
from firmware.daemon.stopping import Stop, StoppedError

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.daemon.daemon import Daemon
    from firmware.daemon.frames import Frames
    from firmware.daemon.linking import Wanted
    from firmware.daemon.parts import Terms
    from firmware.daemon.resuming import Start
    from firmware.daemon.rigs import Opened
    from firmware.display import Display
    from firmware.journal import Journal
    from firmware.live.onlookers import Onlooker
    from firmware.live.people import LiveMatch
    from firmware.mqtt import Publishing
    from firmware.report import Line

SIMULATED: Final = "simulated"
"""The rig whose table is drawn, and whose people may be."""


def play_at_table(
    args: argparse.Namespace, config: "Config", state: Path, stop: Stop, wanted: "Wanted"
) -> int:
    """Set up, play, and tell how it ended; the exit code of `run`."""
    from calibration.edition import load_edition
    from firmware.daemon.closing import give_back
    from firmware.daemon.daemon import Daemon
    from firmware.daemon.opening import opened_with_room
    from firmware.daemon.rigs import terms_of
    from firmware.daemon.supervision import Supervision
    from firmware.display import SilentDisplay, open_display
    from firmware.live.onlookers import Onlooker, ShownPanels
    from firmware.live.pace import sleeping
    from firmware.mqtt import open_publishing
    from hardware.power import can_power_off, power_off

    edition = load_edition(config.board.edition, require_zones=True)
    display = SilentDisplay() if args.json else open_display(edition, texts=config.texts())
    with ExitStack() as beside:
        beside.callback(display.close)
        terms = terms_of(config, edition)
        journal, start, opened = _opened(args, config, state, display, terms)
        link = LinkBeside(ShownPanels(opened.rig.panels, display), line_teller(display, args.json))
        beside.callback(link.close)
        frames = _paced(args, config.camera.source, opened.rig.frames, stop)
        rig = replace(opened.rig, panels=link.panels, frames=frames)
        bystanders = Bystanders(Onlooker(display, edition), link, as_json=args.json)
        with ExitStack() as undriven:
            # The daemon closes them, once it drives them.
            undriven.callback(lambda: give_back(rig, journal, bystanders.tell))
            bystanders.publishing = open_publishing(config, state)
            beside.callback(bystanders.publishing.close)
            if opened.simulated is not None:
                bystanders.people = _people(args, opened, bystanders.onlooker, display, stop)
            supervision = Supervision.of_this_process()
            if journal is None:
                wait = sleeping(stop)
                journal = opened_with_room(state, rig, terms, bystanders.tell, stop, wait, supervision)
            if journal is None:  # asked to end before there was room, and all is given back
                undriven.pop_all()
                return 0
            start = start or _start(args, journal, state, terms)
            link.open(wanted, state)
            daemon = Daemon(
                rig,
                opened.terms,
                journal,
                tell=bystanders.tell,
                settings=opened.settings,
                supervision=supervision,
                start=start,
                link=link.linked,
            )
            undriven.pop_all()
        _play(daemon, stop, bystanders)
    if daemon.shut_down and can_power_off():
        power_off()
    return 0 if bystanders.people is None else _agreed(bystanders.people, display, args.json)


class Bystanders:
    """Whoever is beside a match: `onlooker` at the terminal, `people` at a simulated table, who hear through
    it, `link` for controllers, `publishing` for a broker; `as_json` for programs. They hear every line of the
    daemon's, and look at it after each of its turns."""

    def __init__(self, onlooker: "Onlooker", link: LinkBeside, *, as_json: bool) -> None:
        from firmware.mqtt import Unpublished

        self.onlooker = onlooker
        self.people: LiveMatch | None = None
        self.publishing: Publishing | Unpublished = Unpublished()
        self._link = link
        self._as_json = as_json

    def tell(self, line: "Line") -> None:
        """Have everybody hear a line; programs first."""
        if self._as_json:
            print(json.dumps(line, default=str), flush=True)
        (self.people or self.onlooker).tell(line)
        self._link.heard(line)
        self.publishing.tell(line)

    def look(self, daemon: "Daemon") -> None:
        """Have everybody look at the match."""
        self.onlooker.look()
        self._link.look(daemon)
        for line in self.publishing.look(daemon):
            self.tell(line)


def _opened(
    args: argparse.Namespace, config: "Config", state: Path, display: "Display", terms: "Terms"
) -> "tuple[Journal | None, Start | None, Opened]":
    """The journal and how to start with it, if it can be written just now, and the rig."""
    from firmware.daemon.opening import opened_at_once
    from firmware.daemon.rigs import open_rig

    seed = args.seed or 0
    told = f", seed {seed}" if terms.table == "simulated" else ""
    # Before the rig is opened: a folder that another program uses, or another table, is told at once.
    journal = opened_at_once(state, live=terms.table == "live")
    try:
        start = None if journal is None else _start(args, journal, state, terms)
        board, level = config.board.edition, config.match.preset
        display.say(f"Board {board!r}, level {level}{told}: finding the board")
        return journal, start, open_rig(config, state, file=args.config, seed=seed)
    except BaseException:
        if journal is not None:
            journal.close()
        raise


def _start(args: argparse.Namespace, journal: "Journal", state: Path, terms: "Terms") -> "Start":
    """With which match it starts; what is to be said of that is told."""
    from firmware.daemon.starting import start_with

    start, said = start_with(journal, state, terms, anew=args.new_match, named=args.state is not None)
    if said is not None:
        complain(f"Warning: {said}")
    return start


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


def _play(daemon: "Daemon", stop: Stop, bystanders: Bystanders) -> None:
    """Have the match be played; the daemon gives back what it drives."""
    people = bystanders.people

    def after_turn() -> None:
        # Before the hands: a person who is asked to aim wants to see the ball.
        bystanders.look(daemon)
        if people is not None:
            people.turned()
            if people.over:
                stop.set()

    with suppress(StoppedError):
        try:
            bystanders.onlooker.watch(daemon)
            if people is not None:
                people.begin(daemon)
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


def _paced(args: argparse.Namespace, source: str, frames: "Frames", stop: Stop) -> "Frames":
    """The frames of what waits for us as fast as they are wanted; a camera has its own pace."""
    from firmware.live.pace import Pace, PacedFrames, sleeping
    from hardware.cameras import is_live

    if source != SIMULATED and is_live(source):
        return frames
    speed = args.speed if args.speed is not None else (1.0 if sys.stdout.isatty() else 0.0)
    return PacedFrames(frames, Pace(speed, time.monotonic, sleeping(stop)))
