"""Changes single keys of a configuration file, as the menus do; all else in it stays, comments too.

The changed text is read back before it takes the file's place: what was not meant is never written.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from calibration.files import replace_file
from firmware.config.reading import ConfigError, config_from, read_text, tables_from
from firmware.config.sections import Config

Value = str | int | float | bool
Change = Value | Mapping[str, Value] | None
"""What a key is to be; None takes it out, so that its default holds; a mapping is a whole table."""


def saved(path: Path, changes: Mapping[str, Change]) -> Config:
    """Change keys of a file, named by their dotted paths ("match.preset"), and what it then says.

    The file is replaced in one step, with the former one kept under its date; one that is not there is made.
    `ConfigError` for what the file may not say and if it cannot be written: it then stands as it was.
    Keys under [[panel]] cannot be named.
    """
    path = path.resolve()  # not a link to it, which would become a file
    text = read_text(path) if path.exists() else ""
    config_from(text, path)  # its own faults are told before those of a change
    for dotted, value in _single(tables_from(text, path), changes):
        text = _changed(text, dotted, value, path)
    config = config_from(text, path)
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise ConfigError(
            f"{path}: the configuration cannot be written ({error.strerror}); free some room, or let this "
            "user write to its folder"
        ) from error
    return config


def _single(tables: Mapping[str, Any], changes: Mapping[str, Change]) -> Iterator[tuple[str, Value | None]]:
    """The changes, one for each key: of a table that is replaced what is not in the new one goes."""
    for dotted, change in changes.items():
        if not isinstance(change, Mapping):
            yield dotted, change
            continue
        former: Any = tables
        for name in dotted.split("."):
            former = former.get(name, {})
        for key in [*former, *(other for other in changes if other.startswith(f"{dotted}."))]:
            name = key.removeprefix(f"{dotted}.")
            if name not in change:
                yield f"{dotted}.{name}", None
        for name, value in change.items():
            yield f"{dotted}.{name}", value


def _changed(text: str, dotted: str, value: Value | None, path: Path) -> str:
    """The text with one key changed. `ConfigError` if no way to do it changes this key alone."""
    wanted = deepcopy(tomllib.loads(text))
    _set(wanted, dotted, value)
    for change in (_edited, _by_line, _appended):
        changed = change(text, dotted, value)
        if changed is not None and _filled(_parsed(changed)) == _filled(wanted):
            return changed
    raise ConfigError(
        f"{path}: {dotted} cannot be changed in the way the file is written; write each section once, as "
        "[section] with its keys below it"
    )


def _edited(text: str, dotted: str, value: Value | None) -> str | None:
    """The key changed where it stands, or added to its section; None where tomlkit loses its way."""
    import tomlkit

    try:
        document = tomlkit.parse(text)
        _set(document, dotted, value)
        return tomlkit.dumps(document)
    # Its errors are ValueErrors; its mistakes with sections that are written in several places come as
    # errors of other kinds.
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _by_line(text: str, dotted: str, value: Value | None) -> str | None:
    """The key's line changed, put below its section's header, or taken out. tomlkit's releases differ in
    which files with a section after its own sub-table they can change; this one needs a plain header."""
    import tomlkit

    section, _, key = dotted.rpartition(".")
    line = None if value is None else f"{key} = {tomlkit.item(value).as_string()}"
    lines: list[str] = []
    inside = False
    for old in text.splitlines():
        header = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", old)
        if header is not None:
            inside = header[1] == section
            lines.append(old)
            if inside and line is not None:
                lines.append(line)
        elif not (inside and re.match(rf"\s*{re.escape(key)}\s*=", old)):
            lines.append(old)
    return "\n".join([*lines, ""])


def _appended(text: str, dotted: str, value: Value | None) -> str | None:
    """A section for the key at the end, where there is none yet."""
    import tomlkit

    section, _, key = dotted.rpartition(".")
    if value is None or not section:
        return None
    return f"{text.rstrip()}\n\n[{section}]\n{key} = {tomlkit.item(value).as_string()}\n"


def _set(tables: MutableMapping[str, Any], dotted: str, value: Value | None) -> None:
    """Change a key in tables of either kind, plain or tomlkit's."""
    *sections, key = dotted.split(".")
    for name in sections:
        if name not in tables:
            if value is None:
                return
            tables[name] = {}
        tables = tables[name]
    if value is None:
        tables.pop(key, None)
    else:
        tables[key] = value


def _parsed(text: str) -> Mapping[str, Any]:
    """What the text holds; nothing if it is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _filled(tables: Mapping[str, Any]) -> dict[str, Any]:
    """The tables without those that hold nothing, which say nothing and which not every layout can have."""
    inside = {key: _filled(value) if isinstance(value, dict) else value for key, value in tables.items()}
    return {key: value for key, value in inside.items() if value != {}}
