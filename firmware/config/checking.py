"""What is wrong with a configuration: every fault, each with its path and what would be right.

Works on what TOML holds and on the types of `sections.py`; no file of a user's is read here.
"""

import difflib
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from firmware.config.sections import Config, Name, PanelSection, Place
from firmware.screens.letters import printable, undrawn
from hardware.errors import PanelError
from hardware.panel import I2cBus, SpiBus
from hardware.pins import I2C_PINS, SPI_PINS

_LONGEST_TOLD: Final = 40


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault: the path of the key, and a sentence that says what would be right."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path} {self.text}"


def checked(raw: Mapping[str, Any]) -> tuple[Config, tuple[Problem, ...]]:
    """The configuration that a file's tables mean, and all that is wrong with them; the configuration is
    to be used only if that is nothing."""
    problems = tuple(_in_table(raw, Config, ""))
    if problems:
        return Config(), problems
    config = msgspec.convert(raw, Config)
    return config, tuple(_contradictions(config))


def _in_table(raw: object, struct: type[msgspec.Struct], path: str) -> Iterator[Problem]:
    if not isinstance(raw, dict):
        yield Problem(path, f"must be a table; write it as [{path}]")
        return
    hints = typing.get_type_hints(struct, include_extras=True)
    for key in raw:
        if key not in hints:
            yield Problem(_join(path, key), _unknown(key, list(hints)))
    for field in msgspec.structs.fields(struct):
        at = _join(path, field.name)
        if field.name in raw:
            yield from _in_value(raw[field.name], hints[field.name], at)
        elif field.required:
            yield Problem(at, f"is missing; write {_wanted(hints[field.name])}")


def _in_value(raw: object, kind: Any, path: str) -> Iterator[Problem]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield from _in_table(raw, kind, path)
    elif get_origin(kind) is tuple:
        if not isinstance(raw, list):
            yield Problem(path, f"must be a list of tables; write each under a line [[{path}]]")
            return
        for number, item in enumerate(raw, start=1):
            yield from _in_table(item, get_args(kind)[0], f"{path}[{number}]")
    elif get_origin(kind) is Mapping:
        names, values = get_args(kind)
        if not isinstance(raw, dict):
            yield Problem(path, f"must be a table; write it as [{path}]")
            return
        for key, value in raw.items():
            if key in get_args(names):
                yield from _in_value(value, values, _join(path, key))
            else:
                yield Problem(_join(path, key), _unknown(key, get_args(names)))
    else:
        try:
            msgspec.convert(raw, kind)
        except msgspec.ValidationError:
            yield Problem(path, f"= {_told(raw)} cannot be used; write {_wanted(kind)}")


def _contradictions(config: Config) -> Iterator[Problem]:
    """What only several keys together make wrong."""
    yield from _names(config.match.names)
    yield from _panels(config.panel)
    yield from _pins(config)
    if config.panel_care.dim > config.panel_care.bright:
        yield Problem(
            "panel_care.dim", "is above panel_care.bright; dimmed panels cannot be the brighter ones"
        )


def _names(names: Mapping[Place, str]) -> Iterator[Problem]:
    """A name of which the panels would show question marks, or nothing, is nobody's."""
    for place, name in names.items():
        none = undrawn(name)
        if none:
            yield Problem(
                f"match.names.{place}",
                f"= {_told(name)} cannot be shown, the panels have no {_told(none)}; write it in Latin "
                "letters, with whatever accents they have, and digits, - and '",
            )
        elif not printable(name).strip():
            path, told = f"match.names.{place}", _told(name)
            yield Problem(path, f"= {told} has no letter in it; write {_wanted(Name)}")


def _panels(panels: tuple[PanelSection, ...]) -> Iterator[Problem]:
    taken: dict[str, str] = {}
    for number, panel in enumerate(panels, start=1):
        path = f"panel[{number}]"
        for name in panel.misplaced:
            yield Problem(f"{path}.{name}", f'says nothing with interface = "{panel.interface}"; delete it')
        try:
            spec = panel.spec
        except PanelError as error:
            yield Problem(path, f"cannot be: {error}")
            continue
        wires = str(spec.bus)
        if wires in taken:
            yield Problem(
                path, f"is on {wires}, where {taken[wires]} is already; give each a place of its own"
            )
        taken.setdefault(wires, path)


def _pins(config: Config) -> Iterator[Problem]:
    """No pin may serve two parts. Panels may share D/C: who is not selected does not listen."""
    users = _panel_pins(config.panel)
    for path, button, pin, lamp in config.buttons.wired():
        if pin is None and lamp is not None:
            yield Problem(f"{path}_led", f"is the lamp of a button that is not there; set {path} too")
        for at, number in ((path, pin), (f"{path}_led", lamp)):
            if number is None:
                continue
            if number in users:
                yield Problem(
                    at, f"= {number} is the pin of {users[number]} already; take another for {button}"
                )
            users.setdefault(number, at)


def _panel_pins(panels: tuple[PanelSection, ...]) -> dict[int, str]:
    users: dict[int, str] = {}
    for number, panel in enumerate(panels, start=1):
        try:
            bus = panel.bus
        except PanelError:
            continue  # told where it is found
        path = f"panel[{number}]"
        match bus:
            case I2cBus():
                own = set(I2C_PINS.get(bus.port, {}).values())
            case SpiBus():
                own = {*SPI_PINS.get(bus.port, {}).values(), bus.dc_pin}
                own |= set() if bus.reset_pin is None else {bus.reset_pin}
        for pin in own:
            users.setdefault(pin, path)
    return users


def _wanted(kind: Any) -> str:
    """What a value of this type is, in words."""
    if get_origin(kind) is Annotated:
        for meta in kind.__metadata__:
            if isinstance(meta, msgspec.Meta) and meta.description:
                return meta.description
        return _wanted(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        # The first alternative's words speak for all of them.
        return _wanted(next(part for part in get_args(kind) if part is not NoneType))
    if get_origin(kind) is Literal:
        *others, last = map(_told, get_args(kind))
        return f"{', '.join(others)} or {last}" if others else last
    if kind is bool:
        return "true or false"
    raise TypeError(f"no words for {kind}")  # a key whose type in sections.py has no description


def _unknown(key: str, known: typing.Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    if near:
        return f"is not a known key; did you mean {near[0]}?"
    places = [path for path in known_paths() if path.rpartition(".")[2] == key]
    if places:
        return f"is not a known key here; did you mean {' or '.join(places)}?"
    return f"is not a known key; known here: {', '.join(known)}"


def known_paths(kind: Any = Config, path: str = "") -> tuple[str, ...]:
    """The dotted path of every key that can be set; panels are `panel[]`."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = typing.get_type_hints(kind, include_extras=True)
        inside = [(_join(path, name), hints[name]) for name in kind.__struct_fields__]
    elif get_origin(kind) is tuple:
        inside = [(f"{path}[]", get_args(kind)[0])]
    elif get_origin(kind) is Mapping:
        inside = [(_join(path, name), get_args(kind)[1]) for name in get_args(get_args(kind)[0])]
    else:
        return (path,)
    return tuple(leaf for at, part in inside for leaf in known_paths(part, at))


def _join(path: str, key: str) -> str:
    # What is not a plain word is told as it has to be written: quoted, and without control characters.
    word = key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else _told(key)
    return f"{path}.{word}" if path else word


def _told(value: object) -> str:
    """A value as TOML writes it, or near enough, on one line and not too long."""
    match value:
        case bool():
            text = "true" if value else "false"
        case str():
            text = msgspec.json.encode(value).decode()
        case list():
            text = "a list"
        case dict():
            text = "a table"
        case _:
            text = str(value)
    text = text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}..."
    # JSON leaves some control characters as they are, which a terminal would obey.
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
