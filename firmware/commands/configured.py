"""What `setmatch run` is to play by: a configuration, or options that say the same; and where it is kept.

Nothing is opened here but the file.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.commands.hosting import NO_TABLE
from firmware.commands.options import setup_from
from firmware.commands.outputs import complain
from firmware.errors import InputError
from hardware.system import user_name

if TYPE_CHECKING:
    from firmware.config import Config

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
        complain(f"setmatch: {problem}")
    if problems:
        return 2
    _warn(load_config(path))
    print(f"{path}: nothing is wrong.")
    return 0


def _warn(config: "Config") -> None:
    """Of what is no mistake, and may not be meant."""
    for warning in (*config.warnings(), *config.buttons.lacking()):
        complain(f"Warning: {warning}")


def config_of(args: argparse.Namespace) -> "Config":
    """The configuration: of the file, or what the options say."""
    from firmware.config import Config, load_config
    from firmware.config.sections import BoardSection, CameraSection, MatchSection
    from firmware.daemon.rigs import VOICE_FOLDER

    if args.config is not None:
        given = [flag for name, (flag, _) in IN_THE_FILE.items() if getattr(args, name) is not None]
        given += ["--option"] if args.choices else []
        if given:
            raise InputError(f"{given[0]} is for playing without --config; set it in {args.config}")
        config = load_config(args.config)
        _warn(config)
        if args.rig is None:
            return config
        import msgspec

        replace = msgspec.structs.replace
        # Saved for the camera of the file; another one has another lens.
        camera = replace(
            config.camera, source=args.rig, calibration=None, focal_px=None, lens_mm=None, size=None
        )
        # The voice stays where it is, wherever the match is kept.
        clips = config.speaker.clips or str(_kept_in(config) / VOICE_FOLDER)
        return replace(config, camera=camera, speaker=replace(config.speaker, clips=clips))
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
    """Where the match is kept. What is played only to look at it is not, be it beside the match of the
    family whose configuration is taken: several may do so at once. InputError for a folder in which this
    user would leave files that its owner cannot write."""
    from firmware.daemon.rigs import table_of

    source = config.camera.source
    trial = (
        source != NO_TABLE and table_of(source) != "live" and (args.config is None or args.rig is not None)
    )
    if args.state is None and trial:
        with tempfile.TemporaryDirectory(prefix="setmatch-") as name:
            yield Path(name)
        return
    folder: Path = args.state or _kept_in(config)
    _refuse_anothers(folder)
    yield folder


def _kept_in(config: "Config") -> Path:
    from firmware.journal import default_directory

    return default_directory() if config.state.directory is None else Path(config.state.directory)


def _refuse_anothers(folder: Path) -> None:
    """Root may write anywhere, and what it leaves in the service's folder the service can never write."""
    if os.geteuid() != 0:
        return
    for place in (folder, *folder.absolute().parents):
        with suppress(OSError):
            owner = place.stat().st_uid
            if owner == 0:
                return
            user = user_name(owner)
            raise InputError(
                f"{place} belongs to {user}, who could not write what root would leave there; start the "
                f"service (systemctl start setmatch), play as that user (sudo -u {user} setmatch run ...), "
                "or give another folder with --state"
            )
