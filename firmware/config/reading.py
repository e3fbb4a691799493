"""Reads a configuration file. What its keys mean is in `sections.py`, what is wrong in `checking.py`."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from firmware.config.checking import Problem, checked
from firmware.config.sections import Config
from firmware.errors import InputError

_LARGEST_BYTES: Final = 1_000_000
"""A file of settings is a few kilobytes; what is larger is some other file."""


class ConfigError(InputError):
    """A configuration that cannot be used; the message names the file, the key and what would be right.

    `problems`: one sentence for everything that is wrong with it.
    """

    def __init__(self, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems or (message,)


def load_config(path: Path) -> Config:
    """The configuration in a file; names of files in it are taken from the file's own folder.

    `ConfigError` for a file that cannot be read, is not TOML, or holds an unknown key, a wrong type, a
    value out of range, or keys that contradict each other.
    """
    return config_from(read_text(path), path)


def config_from(text: str, path: Path) -> Config:
    """The configuration that `text` holds; `path` is its file, for errors and names of files in it."""
    config, problems = checked(tables_from(text, path))
    if problems:
        raise _refused(path, problems)
    return _at_home(config, path.parent)


def check_config(path: Path) -> tuple[str, ...]:
    """All that is wrong with a file, a sentence each: its keys, and if they are well, what they name
    (`named.py`). Empty for a good one."""
    from firmware.config.named import not_usable

    try:
        return tuple(f"{path}: {problem}" for problem in not_usable(load_config(path)))
    except ConfigError as error:
        return error.problems


def read_text(path: Path) -> str:
    """A configuration file's text. `ConfigError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"{path}: the configuration cannot be read ({reason}); give a .toml file"
        ) from error
    if len(content) > _LARGEST_BYTES:
        raise ConfigError(f"{path}: too large for a configuration; give a .toml file")
    try:
        return content.decode("utf-8-sig")  # some editors put a mark before the text
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from error


def tables_from(text: str, path: Path) -> Mapping[str, Any]:
    """What TOML text holds. `ConfigError` with the line if it is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}; correct that line") from error
    except RecursionError as error:
        raise ConfigError(f"{path}: nested too deep; no key needs more than two levels") from error


def _refused(path: Path, problems: tuple[Problem, ...]) -> ConfigError:
    told = tuple(f"{path}: {problem}" for problem in problems)
    more = len(told) - 1
    tail = f" ({more} more: `setmatch run --check-config` lists all)" if more else ""
    return ConfigError(told[0] + tail, told)


def _at_home(config: Config, folder: Path) -> Config:
    """The configuration with names of files taken from `folder`."""
    replace = msgspec.structs.replace

    def at(name: str) -> str:
        return str(folder / os.path.expanduser(name))

    def maybe(name: str) -> str:
        """The same for a value that may be a file: one that is written like one."""
        return at(name) if "/" in name or Path(name).suffix else name

    def given(name: str | None) -> str | None:
        return None if name is None else at(name)

    camera, board, speaker, state = config.camera, config.board, config.speaker, config.state
    mqtt = config.mqtt
    return replace(
        config,
        camera=replace(camera, source=maybe(camera.source), calibration=given(camera.calibration)),
        board=replace(board, edition=maybe(board.edition), ball=maybe(board.ball)),
        speaker=replace(speaker, clips=given(speaker.clips)),
        mqtt=replace(mqtt, credentials=given(mqtt.credentials), ca=given(mqtt.ca)),
        state=replace(state, directory=given(state.directory)),
    )
