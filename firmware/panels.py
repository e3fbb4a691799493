"""`setmatch panels`: draws both panels of a scoreboard that a file holds. The command only."""

import argparse
from pathlib import Path

from firmware.errors import InputError

IN_RALLY_FILE = "in-rally.png"
GAME_FILE = "game.png"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "panels",
        help="draw the two panels of a score as pictures",
        description=f"Draw the panels of a score: DIR/{IN_RALLY_FILE} and DIR/{GAME_FILE}, "
        "128x64 pixels in black and white. firmware/screens/README.md describes STATE.json.",
    )
    parser.add_argument(
        "--state", required=True, type=Path, metavar="STATE.json", help="the scoreboard to draw"
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="where to write; made if missing"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the two pictures and print their names; 0. `InputError` for a bad file or folder."""
    from firmware.screens.panels import game_panel, in_rally_panel
    from firmware.screens.scoreboard import scoreboard_from_json

    state: Path = args.state
    folder: Path = args.out
    try:
        text = state.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {state}: {error.strerror}; give --state a file with a scoreboard"
        ) from error
    board = scoreboard_from_json(text, str(state))
    pictures = {IN_RALLY_FILE: in_rally_panel(board), GAME_FILE: game_panel(board)}
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
