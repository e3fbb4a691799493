"""Where the journal of matches lies."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

NAME: Final = "journal.sqlite"
LOCK: Final = "journal.lock"


def default_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a user's state is kept: `$XDG_STATE_HOME/setmatch`, or `~/.local/state/setmatch` (XDG Base
    Directory Specification; a relative path there is to be ignored)."""
    given = Path(environment.get("XDG_STATE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".local" / "state") / "setmatch"


def lock_of(directory: Path) -> Path:
    """The file that a program which writes the journal there holds a lock (flock) on."""
    return directory / LOCK
