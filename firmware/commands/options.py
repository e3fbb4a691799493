"""Options that several commands have, each with its meaning and default in one place.

Only the command line's words; what they lead to is set up in setting_up.py and by the commands.
"""

import argparse
import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.rules import OPTION_NAMES, PRESETS, OptionName, Setup, choose, idle_options
from firmware.rules.setup import GAMES_TO_SET, MOST_SETS
from firmware.setting_up import calibration_for
from firmware.texts import LANGUAGES, explain_idle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.edition import Edition
    from calibration.profile import Calibration
    from hardware.camera import Camera

_NO_SETS = "a race to 12 has no games and no sets"
_STATE_FOLDER = "$XDG_STATE_HOME/setmatch, or ~/.local/state/setmatch"
_FOCAL_RANGE_PX = (100.0, 100_000.0)
_LENS_RANGE_MM = (1.0, 100.0)
_LARGEST_SEED = 2**31 - 1
_HIGHEST_SPEED = 1000.0


def add_board_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that sees or judges."""
    parser.add_argument(
        "--board",
        default="classic",
        metavar="NAME|FILE",
        help="the board: the name of one that comes with the program, or its .toml file (default: classic)",
    )


def add_match_options(parser: argparse.ArgumentParser, games_flag: str = "--games") -> None:
    """The options of every command that plays or calls a match; `setup_from` reads them.

    `games_flag`: the name for how many games win a set, where `--games` means something else.
    """
    parser.add_argument(
        "--preset",
        choices=tuple(PRESETS),
        default="confirmed",
        help="the level of the rules that is played (default: confirmed)",
    )
    parser.add_argument(
        "--option",
        action="append",
        type=_choice,
        default=[],
        dest="choices",
        metavar="NAME=on|off",
        help=f"play with or without a rule; may be repeated. Rules: {', '.join(OPTION_NAMES)} "
        "(default: as the preset has them)",
    )
    parser.add_argument(
        "--doubles",
        action="store_true",
        help="two players a side: A1, B1, A2, B2 strike in turn (default: singles)",
    )
    parser.add_argument(
        games_flag,
        type=int,
        choices=GAMES_TO_SET,
        default=None,
        dest="games_to_set",
        help="how many games win a set (default: 3)",
    )
    parser.add_argument(
        "--sets",
        type=int,
        choices=range(1, MOST_SETS + 1),
        default=None,
        dest="sets_to_win",
        help="how many sets win the match (default: 2)",
    )
    parser.add_argument(
        "--first-server",
        choices=("A", "B"),
        default="A",
        help="the side that serves first (default: A)",
    )


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that speaks to people in sentences."""
    parser.add_argument(
        "--language", choices=LANGUAGES, default="en", help="the language of sentences (default: en)"
    )


def setup_from(args: argparse.Namespace) -> Setup:
    """The setup that the options of `add_match_options` ask for. What has no effect beside the rest
    is told on stderr: it is no mistake, but somebody may have meant something else by it."""
    options = choose(args.preset, dict(args.choices))
    setup = Setup(
        preset=args.preset,
        chosen=options,
        doubles=args.doubles,
        games_to_set=args.games_to_set or 3,
        sets_to_win=args.sets_to_win or 2,
        first_server=args.first_server,
    )
    asked = {name for name, on in args.choices if on}
    idle: dict[str, str] = {name: explain_idle(name, "en") for name in idle_options(setup) if name in asked}
    lengths = {"games to a set": args.games_to_set, "--sets": args.sets_to_win}
    if setup.simplified:
        idle |= {name: _NO_SETS for name, length in lengths.items() if length is not None}
    for name, why in idle.items():
        print(f"Warning: {name} changes nothing here: {why}", file=sys.stderr)
    return setup


def add_sight_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that looks at pictures."""
    add_board_option(parser)
    parser.add_argument(
        "--focal-px",
        type=focal_length,
        metavar="F",
        help="the lens's focal length in pixels, as its datasheet gives it, good to 1 %% "
        "(default: as the camera knows it, else found with the board)",
    )
    parser.add_argument(
        "--rotate",
        type=int,
        choices=(0, 90, 180, 270),
        default=0,
        help="turn the pictures clockwise by so many degrees (default: 0)",
    )
    parser.add_argument(
        "--swap-ends",
        action="store_true",
        help="side A is at the other end than found (default: where the scorer band tells)",
    )


def add_lens_options(parser: argparse.ArgumentParser) -> None:
    """The options of commands that open a camera itself, and no configuration."""
    parser.add_argument(
        "--lens-mm",
        type=_lens,
        metavar="MM",
        help="what is written on the lens of a Global Shutter or HQ camera, in millimetres "
        "(default: unknown, and found with the board)",
    )
    add_picture_options(parser)


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """The options of how a camera takes its pictures, where no configuration says it."""
    parser.add_argument(
        "--size",
        type=picture_size,
        metavar="WxH",
        help="the pictures that are wanted of a USB camera, such as 1280x720 (default: the best it has)",
    )
    parser.add_argument(
        "--mains-hz",
        type=int,
        choices=(50, 60),
        default=50,
        help="of the lamps' mains: a camera exposes for multiples of their flicker (default: 50)",
    )


def add_ball_sight_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that looks for the ball in what was recorded; `calibrated` reads those of
    the camera."""
    add_sight_options(parser)
    parser.add_argument(
        "--ball",
        default="yellow",
        metavar="COLOUR|PICTURE",
        help="the ball's colour: a name, #rrggbb, or a picture of the board with just the ball on it "
        "to learn it from (default: yellow)",
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="CAL.json",
        help="a calibration that `setmatch calibrate` saved for this camera "
        "(default: find the board in the first pictures)",
    )


def calibrated(
    args: argparse.Namespace, camera: "Camera", edition: "Edition"
) -> "tuple[Calibration, NDArray[np.uint8]]":
    """The calibration that the options of `add_ball_sight_options` ask for, and the picture it was fitted to;
    errors as of `setting_up.calibration_for`."""
    return calibration_for(
        camera,
        edition,
        args.calibration,
        focal_px=args.focal_px,
        rotation=args.rotate,
        swap_ends=args.swap_ends,
    )


def add_json_option(parser: argparse.ArgumentParser, what: str) -> None:
    """The option of every command that can print for programs; `what`: objects of which there are, and what
    is printed without it, in words."""
    parser.add_argument("--json", action="store_true", help=f"one JSON object {what}")


def add_state_option(parser: argparse.ArgumentParser, default: str = _STATE_FOLDER) -> None:
    """The option of every command that keeps matches, or looks at them. `default`: the folder without it,
    in words."""
    parser.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help=f"the folder in which the matches are kept (default: {default})",
    )


def focal_length(text: str) -> float:
    """A focal length in pixels, from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not _FOCAL_RANGE_PX[0] <= value <= _FOCAL_RANGE_PX[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is no focal length in pixels; give a number such as 1700")
    return value


def picture_size(text: str) -> tuple[int, int]:
    """Width and height in pixels, from WxH."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 200 <= min(int(width), int(height)) <= 20_000):
        raise argparse.ArgumentTypeError(f"{text!r} is no size of pictures; write it as 1920x1080")
    return int(width), int(height)


def _lens(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not _LENS_RANGE_MM[0] <= value <= _LENS_RANGE_MM[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is no lens; write its millimetres, such as 16")
    return value


def _choice(text: str) -> tuple[OptionName, bool]:
    """An option and whether it is on, from NAME=on or NAME=off."""
    name, _, value = text.partition("=")
    name = name.strip().replace("-", "_")
    known = next((known for known in OPTION_NAMES if known == name), None)
    if known is None:
        near = difflib.get_close_matches(name, OPTION_NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"choose from: {', '.join(OPTION_NAMES)}"
        raise argparse.ArgumentTypeError(f"no option is called {name!r}; {hint}")
    if value not in ("on", "off"):
        raise argparse.ArgumentTypeError(f"{text!r}: write {known}=on or {known}=off")
    return known, value == "on"


def at_least_one(text: str) -> int:
    """A whole number of at least 1, for `add_argument`'s type."""
    if not (text.isascii() and text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def seed_number(text: str) -> int:
    """A number that chooses a simulated match, for `add_argument`'s type."""
    if not (text.isascii() and text.isdecimal() and int(text) <= _LARGEST_SEED):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {_LARGEST_SEED}")
    return int(text)


def speed_factor(text: str) -> float:
    """How many times faster than real time, 0 for as fast as it goes; for `add_argument`'s type."""
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0 <= speed <= _HIGHEST_SPEED:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {_HIGHEST_SPEED:g}")
    return speed
