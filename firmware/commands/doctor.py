"""`setmatch doctor`: every part of a board looked at, each ok, warning or broken, with what to do next.

The command only: its options, and how findings are printed. What is looked at is in `firmware.doctor`.
"""

import argparse
import json
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.commands.options import add_state_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from firmware.config import Config
    from firmware.doctor import Finding, Patient

INSTALLED_CONFIG: Final = Path("/etc/setmatch/setmatch.toml")
"""Where the installer puts the board's configuration, and its folder for state."""
INSTALLED_STATE: Final = Path("/var/lib/setmatch")
_BROKEN: Final = 1
_WATCH_S: Final = 20.0
_MOST_S: Final = 600.0


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line's `subparsers`."""
    parser = subparsers.add_parser(
        "doctor",
        help="look at every part of the board, and say what is wrong and what to do",
        description="Looks at every part of the board and of its computer, and says of each whether it is "
        "ok, a warning (play goes on) or broken, and what to do next. Nothing is changed. Parts that a "
        "running board holds are left to it, and what it says of them is told. Exit code 1 if anything is "
        "broken.",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the board's configuration (default: {INSTALLED_CONFIG} if it is there, else none)",
    )
    add_state_option(
        parser,
        f"as the configuration says, or {INSTALLED_STATE} with the installed configuration, or "
        "$XDG_STATE_HOME/setmatch, or ~/.local/state/setmatch",
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        metavar="N",
        help="how long to wait for each button to be pressed once; 0 is not at all (default: "
        f"{_WATCH_S:.0f} on a terminal, else 0)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object (default: a table)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at everything; 0, or 1 if something is broken."""
    from firmware.doctor import Surroundings, examine, versions
    from firmware.terminal import print_findings

    around = Surroundings()
    watched = args.seconds
    if watched is None:
        watched = _WATCH_S if not args.json and sys.stdin.isatty() and sys.stdout.isatty() else 0.0
    say = _silence if args.json else _say
    found = tuple(examine(_patient(args), seconds=watched, around=around, say=say))
    known = versions(around.system)
    if args.json:
        print(json.dumps(as_json(found, known), ensure_ascii=False))
    else:
        print_findings((each.part, each.state, each.text, each.next) for each in found)
        print(", ".join(f"{name} {version}" for name, version in known.items() if version is not None))
        print(_summary(found))
    return _BROKEN if any(each.state == "broken" for each in found) else 0


def as_json(found: "Sequence[Finding]", known: "Mapping[str, str | None]") -> dict[str, object]:
    """What other programs read: `findings`, each with `part`, `state` ("ok", "warning" or "broken"), `text`
    and `next`, and `versions` by name, null of what is not there."""
    findings = [
        {"part": each.part, "state": each.state, "text": each.text, "next": each.next} for each in found
    ]
    return {"findings": findings, "versions": dict(known)}


def _patient(args: argparse.Namespace) -> "Patient":
    from firmware.config import Config, ConfigError, load_config
    from firmware.doctor import Patient

    path = args.config
    installed = path is None and _is_installed()
    if installed:
        path = INSTALLED_CONFIG
    config: Config | None = None
    faults: tuple[str, ...] = ()
    try:
        config = Config() if path is None else load_config(path)
    except ConfigError as error:
        faults = error.problems
    state = _state(args, config, installed=installed)
    return Patient(config, state, "" if path is None else str(path), faults)


def _is_installed() -> bool:
    """Whether there is an installed configuration, be it that this user may not read it."""
    folder = INSTALLED_CONFIG.parent
    return os.path.exists(INSTALLED_CONFIG) or (folder.is_dir() and not os.access(folder, os.X_OK))


def _state(args: argparse.Namespace, config: "Config | None", *, installed: bool) -> Path:
    from firmware.journal import default_directory

    if args.state is not None:
        return Path(args.state)
    if config is not None and config.state.directory is not None:
        return Path(config.state.directory)
    try:
        return INSTALLED_STATE if installed else default_directory()
    except RuntimeError:  # a user without a folder of their own
        return INSTALLED_STATE


def _summary(found: "Sequence[Finding]") -> str:
    wrong = [sum(each.state == state for each in found) for state in ("broken", "warning")]
    if not any(wrong):
        return "Nothing is wrong."
    return f"{wrong[0]} broken, {_warnings(wrong[1])}; -> says what to do."


def _warnings(number: int) -> str:
    return "1 warning" if number == 1 else f"{number} warnings"


def _say(text: str) -> None:
    print(f"{text[:1].upper()}{text[1:]} ...", flush=True)


def _silence(text: str) -> None:
    """Nobody reads along."""


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _MOST_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to {_MOST_S:.0f}")
    return seconds
