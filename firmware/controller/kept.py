"""What seats are resumed by, on this computer's disk: a controller that was stopped goes on in its seat."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import msgspec

from calibration.files import make_folder, write_file


def kept_tokens(directory: Path, name: str) -> dict[str, str]:
    """The tokens of the player of that name, by the boards' names. Empty if there are none."""
    try:
        return msgspec.json.decode(_path(directory, name).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}


def keep_tokens(directory: Path, name: str, tokens: Mapping[str, str]) -> None:
    """Keep them. A disk that refuses costs no more than the resuming."""
    path = _path(directory, name)
    with suppress(OSError):
        make_folder(path.parent)
        # Before anything is written: nobody else reads the file while it is new.
        path.parent.chmod(0o700)
        write_file(path, msgspec.json.encode(tokens))
        path.chmod(0o600)


def _path(directory: Path, name: str) -> Path:
    return directory / "seats" / f"{quote(name, safe='')}.json"
