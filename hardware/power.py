"""The computer's own switch: whether this program may switch it off, and doing so. Asks systemd only."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import Final

from hardware.errors import PowerError
from hardware.service import is_service

_COMMAND: Final = "systemctl"
_PATIENCE_S: Final = 10.0


def can_power_off(environment: Mapping[str, str] = os.environ, command: str = _COMMAND) -> bool:
    """Whether this is the computer's service, so that switching it off is what people at the table mean. Who
    tries the program on a computer of their own would lose more than a match."""
    return is_service(environment) and shutil.which(command) is not None


def power_off(command: str = _COMMAND) -> None:
    """Switch the computer off; returns while it goes down. PowerError if it cannot be, or does not answer."""
    try:
        done = subprocess.run(
            [command, "poweroff"], capture_output=True, text=True, errors="replace", timeout=_PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PowerError(f"{command} does not answer ({error}); switch the computer off by hand") from error
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:200] or f"it ended with {done.returncode}"
        raise PowerError(
            f"{command} poweroff was refused: {reason}; let this user switch the computer off (polkit's "
            "org.freedesktop.login1.power-off)"
        )
