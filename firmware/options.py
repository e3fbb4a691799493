"""Options that several commands have, each with its meaning and default in one place.

Only the command line's words; what they lead to is set up in setting_up.py and by the commands.
"""

import argparse
from pathlib import Path

from firmware.rules import PRESETS
from firmware.rules.setup import MOST_SETS

_FOCAL_RANGE_PX = (100.0, 100_000.0)


def add_board_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that sees or judges."""
    parser.add_argument(
        "--board",
        default="classic",
        metavar="NAME|FILE",
        help="the board: the name of one that comes with the program, or its .toml file (default: classic)",
    )


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that plays or calls a match."""
    parser.add_argument(
        "--preset",
        choices=sorted(PRESETS),
        default="confirmed",
        help="the level of the rules that is played (default: confirmed)",
    )
    parser.add_argument(
        "--sets",
        type=int,
        choices=range(1, MOST_SETS + 1),
        default=2,
        help="how many sets win the match (default: 2)",
    )


def add_sight_options(parser: argparse.ArgumentParser) -> None:
    """The options of every command that looks at pictures."""
    add_board_option(parser)
    parser.add_argument(
        "--focal-px",
        type=_focal,
        metavar="F",
        help="the lens's focal length in pixels, as its datasheet gives it, good to 1 %% "
        "(default: unknown, and found with the board)",
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


def add_calibration_option(parser: argparse.ArgumentParser) -> None:
    """The option of commands that can use a saved calibration."""
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="CAL.json",
        help="a calibration that `setmatch calibrate` saved for this camera "
        "(default: find the board in the first pictures)",
    )


def add_ball_option(parser: argparse.ArgumentParser) -> None:
    """The option of every command that looks for the ball."""
    parser.add_argument(
        "--ball",
        default="yellow",
        metavar="COLOUR|PICTURE",
        help="the ball's colour: a name, #rrggbb, or a picture of the board with just the ball on it "
        "to learn it from (default: yellow)",
    )


def _focal(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not _FOCAL_RANGE_PX[0] <= value <= _FOCAL_RANGE_PX[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is no focal length in pixels; give a number such as 1700")
    return value
