"""`setmatch voice`: makes the clips that the umpire speaks with. The command only."""

import argparse
from pathlib import Path

from firmware.texts import LANGUAGES


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "voice",
        help="make the sound files of the umpire's voice",
        description="Have espeak-ng speak all that the umpire says into WAV files, DIR/en and DIR/fr. "
        "What is there already is kept, so that it can be run again after an update or for new players.",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="where to put them; made if missing"
    )
    parser.add_argument("--language", choices=LANGUAGES, help="one language only (default: all of them)")
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="a configuration whose players' names are spoken too (default: sides are called by letter)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make what is missing and print how much there is; 0. `VoiceError` if espeak-ng is not installed,
    `InputError` for a folder or configuration that will not do."""
    from firmware.config import Config, load_config
    from firmware.voice import make

    config = Config() if args.config is None else load_config(args.config)
    folder: Path = args.out
    for language in LANGUAGES if args.language is None else (args.language,):
        made = make(folder, language, frozenset(config.match.names.values()))
        print(
            f"{folder / language}: {made.clips} clips, {made.new} of them new, {made.size_bytes / 1e6:.1f} MB"
        )
    return 0
