"""`setmatch run`: a match on the simulated table, refereed live. The command only."""

import argparse
import math
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware.errors import InputError
from firmware.options import add_board_option, add_language_option, add_match_options, setup_from
from firmware.rules import ReturnAwaited, State, end_of, side_of
from firmware.texts import load

if TYPE_CHECKING:
    from calibration.edition import Edition
    from firmware.display import Display
    from firmware.live import Aim, LiveMatch, Sight
    from firmware.umpire.umpire import Umpire
    from hardware.camera import Camera

_SIZE = (728, 544)
"""Half the global shutter camera's picture: the umpire still measures to 0.02 mm, and a small
computer draws and referees it in real time."""
_LARGEST_SEED = 2**31 - 1
_HIGHEST_SPEED = 1000.0
_STOP_WORDS = ("q", "quit", "exit")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "run",
        help="play a match, refereed live in the terminal",
        description="Play a match on the simulated table: a camera looks at it, and its frames "
        "are all that the umpire knows. Without --autoplay you play side A with the keyboard. Ends "
        "with how many calls agreed with the table's own truth; exit code 1 if the umpire erred.",
    )
    parser.add_argument(
        "--rig", required=True, choices=["simulated"], help="what to play on: the simulated table"
    )
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
        type=_positive,
        metavar="N",
        help="stop after N games; a race to 12 has none (default: play the match to its end)",
    )
    parser.add_argument(
        "--speed",
        type=_speed,
        metavar="X",
        help="X times real time, 0 as fast as it goes (default: 1 on a terminal, else 0)",
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="S",
        help="another match for each number (default: 0)",
    )
    add_match_options(parser, "--games-to-set")
    add_language_option(parser)
    add_board_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play until the match is over; 0, or 1 if a certain call was wrong, missed or invented."""
    if args.autoplay and args.play is not None:
        raise InputError("--autoplay plays both sides; leave out --play, or --autoplay")
    from calibration.edition import load_edition
    from firmware.display import open_display

    edition = load_edition(args.board, require_zones=True)
    display = open_display(edition)
    speed = args.speed if args.speed is not None else (1.0 if sys.stdout.isatty() else 0.0)
    try:
        match, camera = _prepared(args, edition, display)
        _play(match, camera, Pace(speed, time.monotonic, time.sleep))
        display.close()
        display.say(match.result())
        display.say(match.agreement.summary())
    finally:
        display.close()
    return 0 if match.agreement.good else 1


class Pace:
    """Lets time pass `speed` times as fast as it does (0: without waiting). `clock` gives seconds,
    `sleep` waits for some."""

    def __init__(self, speed: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._speed = speed
        self._clock = clock
        self._sleep = sleep
        self._since: tuple[float, float] | None = None

    def wait(self, table_s: float) -> None:
        """Return when it is time for `table_s` on the table's clock.

        Lost time (a person thinking, a slow computer) is not made up for: play would rush.
        """
        if self._speed == 0:
            return
        now = self._clock()
        if self._since is not None:
            due = self._since[0] + (table_s - self._since[1]) / self._speed
            if due > now:
                self._sleep(due - now)
                now = due
        self._since = (now, table_s)


def _prepared(args: argparse.Namespace, edition: "Edition", display: "Display") -> "tuple[LiveMatch, Camera]":
    """The rig set up and the board found in the camera's first picture."""
    from firmware.live import LiveMatch, Rig
    from firmware.match import Match
    from firmware.setting_up import self_calibrated, umpire_for
    from hardware.simulated.camera import SimulatedCamera, simulated_scene
    from hardware.simulated.players import Players
    from hardware.simulated.scene import default_scene
    from hardware.simulated.table import SimulatedTable

    setup = setup_from(args)
    scene = simulated_scene(default_scene(edition, _SIZE))
    table = SimulatedTable(scene, args.seed)
    camera = SimulatedCamera(table, seed=args.seed)
    display.say(f"Board {edition.name!r}, level {setup.preset}, seed {args.seed}: finding the board")
    # The lens is known, as that of any camera with a datasheet is.
    calibration, _ = self_calibrated(camera, edition, focal_px=scene.camera.focal_px)
    display.say(f"The board is found to {calibration.residual_mm:.2f} mm; play.")
    umpire = umpire_for(calibration, edition)
    rig = Rig(
        edition=edition,
        table=table,
        players=Players(table, args.seed),
        umpire=umpire,
        sight=_sight(umpire, edition),
        display=display,
        aim=_aims(args, edition, display),
    )
    return LiveMatch(rig, Match(edition, setup), load(args.language), args.games), camera


def _sight(umpire: "Umpire", edition: "Edition") -> "Sight":
    """Where the umpire sees the ball that it follows, for the picture of the court."""

    def seen() -> tuple[tuple[float, float], bool] | None:
        if not umpire.balls:
            return None
        at_px, lying = umpire.balls[0]
        place = umpire.calibration.model.locate([at_px], edition.ball.height_mm)[0]
        x, y = float(place[0]), float(place[1])
        return ((x, y), lying) if math.isfinite(x) and math.isfinite(y) else None

    return seen


def _play(match: "LiveMatch", camera: "Camera", pace: Pace) -> None:
    from firmware.live import StoppedError

    try:
        match.begin()
        while not match.over:
            frame = camera.read()
            if frame is None:
                return
            pace.wait(frame.captured_at)
            match.see(frame)
    except StoppedError:
        return
    finally:
        camera.close()


def _aims(args: argparse.Namespace, edition: "Edition", display: "Display") -> "Aim":
    """Who chooses the aims: the players, or the person for the side that they play."""
    if args.autoplay:
        return lambda state: None
    side = args.play or "A"

    def aim(state: State) -> tuple[float, float] | None:
        waiting = state.waiting
        if waiting is None or side not in ("both", side_of(waiting.seat)):
            return None
        return typed_aim(state, edition, display)

    return aim


def typed_aim(state: State, edition: "Edition", display: "Display") -> tuple[float, float] | None:
    """The aim that a person types for the awaited stroke, mm in board axes; None if left empty.

    Asks again until it is an aim. StoppedError when the person leaves.
    """
    from firmware.aiming import aim_help, aim_point
    from firmware.live import StoppedError, serve_box

    waiting = state.waiting
    if waiting is None:
        return None
    box = serve_box(waiting)
    end = end_of(side_of(waiting.seat), state.standing.ends_changed)
    pressed = isinstance(waiting, ReturnAwaited) and waiting.pressure
    plays = "plays under pressure" if pressed else "plays"
    what = plays if box is None else f"serves to the {box} box"
    question = (
        f"{waiting.seat} {what}. Aim: {aim_help(edition, box)}\n  (Enter: the hand chooses; q: stop) > "
    )
    while True:
        try:
            text = display.ask(question).strip()
        except (EOFError, RuntimeError):
            # RuntimeError is what input() makes of a standard input that was closed.
            raise StoppedError from None
        if text.lower() in _STOP_WORDS:
            raise StoppedError
        if not text:
            return None
        try:
            return aim_point(text, edition, end, box)
        except InputError as error:
            display.say(str(error))


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) <= _LARGEST_SEED):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {_LARGEST_SEED}")
    return int(text)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0 <= speed <= _HIGHEST_SPEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {_HIGHEST_SPEED:g}")
    return speed
