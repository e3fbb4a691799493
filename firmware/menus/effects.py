"""What a menu asks for: values, which whoever drives it carries out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from firmware.config import Config
from firmware.config.writing import Change


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """Settings are to be others, by their dotted paths, as `firmware.config.saved` takes them. Language and
    sound are to change at once, all others with the next match."""

    changes: Mapping[str, Change]


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match by the present settings is to begin, and one that is on to be left."""


@dataclass(frozen=True, slots=True)
class Redo:
    """What was undone last is to count again."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """The board is to be looked for anew."""


@dataclass(frozen=True, slots=True)
class ShutDown:
    """The program is to end, and the computer to be switched off if that is what it is for."""


@dataclass(frozen=True, slots=True)
class LinkAsked:
    """Something is asked of the games on the link, by its method there."""

    method: Literal["lobby.start", "lobby.choose", "game.pause", "game.resume", "game.end"]
    params: Mapping[str, object] = field(default_factory=dict)


Effect = SettingChanged | NewMatch | Redo | Calibrate | ShutDown | LinkAsked


def changed(config: Config, changes: Mapping[str, Change]) -> Config:
    """The configuration with settings changed, as `firmware.config.saved` changes them in a file; not for
    those of panels. `msgspec.ValidationError` for what it may not hold: mistakes of the caller."""
    tables = msgspec.to_builtins(config)
    for dotted, value in changes.items():
        *sections, key = dotted.split(".")
        table = tables
        for section in sections:
            table = table[section]
        if value is None:
            table.pop(key, None)
        else:
            table[key] = dict(value) if isinstance(value, Mapping) else value
    return msgspec.convert(tables, Config)
