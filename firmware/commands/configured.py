"""What `setmatch run` is to play by: a configuration, or options that say the same; and where it is kept.

Nothing is opened here but the file.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.commands.hosting import NO_TABLE
from firmware.commands.options import setup_from
from firmware.errors import InputError

if TYPE_CHECKING:
    from firmware.config import Config

_SIMULATED = "simulated"
IN_THE_FILE: Final = {
    "preset": ("--preset", "confirmed"),
    "doubles": ("--doubles", False),
    "games_to_set": ("--games-to-set", None),
    "sets_to_win": ("--sets", None),
    "first_server": ("--first-server", "A"),
    "language": ("--language", "en"),
    "board": ("--board", "classic"),
}
"""What a configuration file says as well: the option, and its default without one."""


def check_config_file(path: Path | None) -> int:
    """Say what is wrong with a configuration's file; the exit code."""
    from firmware.config import check_config, load_config

    if path is None:
        raise InputError("--check-config checks the file of --config FILE; name it")
    problems = check_config(path)
    for problem in problems:
        print(f"setmatch: {problem}", file=sys.stderr)
    if problems:
        return 2
    for warning in load_config(path).warnings():
        print(f"Warning: {warning}", file=sys.stderr)
    print(f"{path}: nothing is wrong.")
    return 0


def config_of(args: argparse.Namespace) -> "Config":
    """The configuration: of the file, or what the options say."""
    from firmware.config import Config, load_config
    from firmware.config.sections import BoardSection, CameraSection, MatchSection

    if args.config is not None:
        given = [flag for name, (flag, _) in IN_THE_FILE.items() if getattr(args, name) is not None]
        given += ["--option"] if args.choices else []
        if given:
            raise InputError(f"{given[0]} is for playing without --config; set it in {args.config}")
        config = load_config(args.config)
        for warning in config.warnings():
            print(f"Warning: {warning}", file=sys.stderr)
        if args.rig is None:
            return config
        import msgspec

        # Saved for the camera of the file; another one has another lens.
        camera = msgspec.structs.replace(
            config.camera, source=args.rig, calibration=None, focal_px=None, lens_mm=None, size=None
        )
        return msgspec.structs.replace(config, camera=camera)
    if args.rig is None:
        raise InputError("what is it to be played on? Give --rig simulated, --rig pi, or --config FILE")
    for name, (_, default) in IN_THE_FILE.items():
        if getattr(args, name) is None:
            setattr(args, name, default)
    setup = setup_from(args)
    return Config(
        camera=CameraSection(source=args.rig),
        board=BoardSection(edition=args.board),
        match=MatchSection(
            preset=setup.preset,
            options=dict(args.choices),
            doubles=setup.doubles,
            games=3 if setup.games_to_set == 3 else 6,
            sets=setup.sets_to_win,  # type: ignore[arg-type]  # the option's choices are the section's
            first_server=setup.first_server,
            language=args.language,
        ),
    )


@contextmanager
def state_folder(args: argparse.Namespace, config: "Config") -> Iterator[Path]:
    """Where the match is kept. What is played only to look at it is not: several may do so at once."""
    from firmware.journal import default_directory
    from hardware.cameras import is_live

    source = config.camera.source
    if args.state is not None:
        yield args.state
    elif config.state.directory is not None:
        yield Path(config.state.directory)
    elif args.config is not None or source == NO_TABLE or (is_live(source) and source != _SIMULATED):
        yield default_directory()
    else:
        with tempfile.TemporaryDirectory(prefix="setmatch-") as folder:
            yield Path(folder)
