"""The system's own programs, asked for what no file tells: its service, its log, its sound cards.

Each is asked once and given a time; who does not answer has said nothing. Nothing is changed by any.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.system import Power

PATIENCE_S: Final = 5.0
"""So long a program may take to answer."""
_PROPERTIES: Final = (
    *("LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "StatusText", "NRestarts"),
    *("MainPID", "InvocationID", "ExecMainStatus"),
)
_LINES: Final = 5000
"""So many of a service's last lines are read."""

Ask = Callable[[Sequence[str]], str | None]
"""Runs a program and gives what it printed; None if it is not there, failed, or did not end in time."""


def ask(command: Sequence[str]) -> str | None:
    """As `Ask`, of this computer."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE_S,
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Service:
    """A unit, as `systemctl show` has it. `active`: active, activating, failed, inactive ... `enabled`: it
    starts with the computer. `result`: success, or how it ended last, with `code`. `status`: what the
    program says of itself. `process`: its number, 0 of none. `run`: which of its runs, for its log."""

    installed: bool
    active: str = "inactive"
    step: str = "dead"
    enabled: bool = False
    result: str = "success"
    code: int = 0
    status: str = ""
    restarts: int = 0
    process: int = 0
    run: str = ""

    @property
    def runs(self) -> bool:
        """Whether its program runs, so that camera, pins and panels are its own."""
        return self.process > 0


def service(unit: str, asked: Ask = ask) -> Service | None:
    """The state of a unit; None where systemd does not run the computer."""
    told = asked(["systemctl", "show", unit, f"--property={','.join(_PROPERTIES)}"])
    if told is None:
        return None
    values = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    if "LoadState" not in values:
        return None
    return Service(
        installed=values["LoadState"] != "not-found",
        active=values.get("ActiveState", "inactive"),
        step=values.get("SubState", "dead"),
        enabled=values.get("UnitFileState", "").startswith("enabled"),
        result=values.get("Result", "success"),
        code=_number(values.get("ExecMainStatus")),
        status=values.get("StatusText", ""),
        restarts=_number(values.get("NRestarts")),
        process=_number(values.get("MainPID")),
        run=values.get("InvocationID", ""),
    )


def log_of(unit: str, run: str, asked: Ask = ask) -> tuple[str, ...] | None:
    """The last lines of a run of a unit; None if there are none, or not for this user: `journalctl` says
    nothing of lines that it keeps back."""
    which = [f"_SYSTEMD_INVOCATION_ID={run}"] if run else ["--unit", unit]
    told = asked(["journalctl", "--quiet", "--no-pager", "--output=cat", f"--lines={_LINES}", *which])
    return tuple(told.splitlines()) if told else None


def throttled(asked: Ask = ask) -> Power | None:
    """What the Pi's firmware says of its supply ("throttled=0x50000"); None if it says nothing."""
    name, _, value = (asked(["vcgencmd", "get_throttled"]) or "").strip().partition("=")
    try:
        return Power(int(value, 16)) if name == "throttled" else None
    except ValueError:
        return None


def sound_cards(asked: Ask = ask) -> tuple[str, ...] | None:
    """The sound cards as people call them; None if `aplay` is not there or finds none."""
    told = asked(["aplay", "-l"])
    if told is None:
        return None
    cards = []
    for line in told.splitlines():  # card 1: Device [USB Audio Device], device 0: USB Audio [USB Audio]
        head, _, rest = line.partition(": ")
        if head.startswith("card "):
            cards.append(f"{head}: {rest.split(',')[0]}")
    return tuple(cards)


def sound_devices(asked: Ask = ask) -> tuple[str, ...]:
    """The names that `aplay -L` lists; what they mean is on the lines below each."""
    told = asked(["aplay", "-L"]) or ""
    return tuple(line for line in told.splitlines() if line and not line[0].isspace())


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() else 0
