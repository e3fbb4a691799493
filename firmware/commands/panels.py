"""`setmatch panels`: draws both panels of a scoreboard that a file holds. The command only."""

import argparse
from pathlib import Path

from firmware.errors import InputError

IN_RALLY_FILE = "in-rally.png"
GAME_FILE = "game.png"
_SIZES = ("128x64", "256x64", "64x128", "64x256")
"""As `firmware.screens.panels.SIZES`, which is not loaded before it is needed."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "panels",
        help="draw the two panels of a score as pictures",
        description=f"Draw the panels of a score: DIR/{IN_RALLY_FILE} and DIR/{GAME_FILE}, "
        "in black and white, those of 256x64 in greys. firmware/screens/README.md describes STATE.json.",
    )
    parser.add_argument(
        "--state", required=True, type=Path, metavar="STATE.json", help="the scoreboard to draw"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="where to write; made if missing"
    )
    parser.add_argument(
        "--size",
        default=_SIZES[0],
        choices=_SIZES,
        help="width and height of the panels in pixels; those higher than wide are for panels that are "
        "mounted turned by 90 degrees (default: %(default)s)",
    )
    parser.add_argument(
        "--language", default="en", choices=("en", "fr"), help="of the panels' words (default: %(default)s)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the two pictures and print their names; 0. `InputError` for a bad file or folder."""
    from firmware.screens.panels import Mode, game_panel, in_rally_panel
    from firmware.screens.scoreboard import scoreboard_from_json
    from firmware.texts import load

    state: Path = args.state
    folder: Path = args.out
    try:
        text = state.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {state}: {error.strerror}; give --state a file with a scoreboard"
        ) from error
    board = scoreboard_from_json(text, str(state))
    width, height = map(int, args.size.split("x"))
    mode: Mode = "L" if 256 in (width, height) else "1"  # the chip for large panels is the one of greys
    pictures = {
        name: draw(board, load(args.language), (width, height), mode)
        for name, draw in ((IN_RALLY_FILE, in_rally_panel), (GAME_FILE, game_panel))
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            picture.save(folder / name)
    except OSError as error:
        raise InputError(
            f"cannot write into {folder}: {error.strerror or error}; give --out a folder that can be written"
        ) from error
    for name in pictures:
        print(folder / name)
    return 0
