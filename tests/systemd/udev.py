"""Rules of udev, as far as ours go: what they make of a device that is told by its properties.

As in udev(7): keys that match, keys that assign, and jumps to a label.
"""

import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_PART = re.compile(r'\s*([A-Z]+)(?:\{(\w+)\})?(==|!=|\+=|=)"([^"]*)"\s*(?:,|$)')
_MATCHED = ("ACTION", "ENV", "KERNEL", "SUBSYSTEM")
_ASSIGNED = ("ENV", "GROUP", "MODE", "SYMLINK")


@dataclass
class Made:
    """What rules made of a device."""

    properties: dict[str, str] = field(default_factory=dict)
    group: str = "root"
    mode: str = "0600"
    links: list[str] = field(default_factory=list)


def made_of(rules: str, device: Mapping[str, str]) -> Made:
    """`device`: ACTION, KERNEL, SUBSYSTEM, and its properties. AssertionError for what is no rule."""
    made, wanted = Made(dict(device)), ""
    for line in rules.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        parts = _parsed(line)
        if wanted:
            if ("LABEL", "", "=", wanted) in parts:
                wanted = ""
            continue
        if all(_matches(part, made.properties) for part in parts if part[2] in ("==", "!=")):
            for key, name, operator, value in parts:
                if key == "GOTO":
                    wanted = value
                elif operator in ("=", "+=") and key != "LABEL":
                    _assign(made, key, name, value)
    assert not wanted, f"there is no label {wanted}"
    return made


def _parsed(line: str) -> list[tuple[str, str, str, str]]:
    parts, at = [], 0
    while at < len(line):
        found = _PART.match(line, at)
        assert found is not None, f"no rule: {line[at:]}"
        parts.append((found[1], found[2] or "", found[3], found[4]))
        at = found.end()
    return parts


def _matches(part: tuple[str, str, str, str], properties: Mapping[str, str]) -> bool:
    key, name, operator, value = part
    assert key in _MATCHED, key
    is_so = any(fnmatch.fnmatchcase(properties.get(name or key, ""), each) for each in value.split("|"))
    return is_so == (operator == "==")


def _assign(made: Made, key: str, name: str, value: str) -> None:
    assert key in _ASSIGNED, key
    text = re.sub(r"\$env\{(\w+)\}", lambda found: made.properties.get(found[1], ""), value)
    match key:
        case "ENV":
            made.properties[name] = text
        case "GROUP":
            made.group = text
        case "MODE":
            made.mode = text
        case _:
            made.links.append(text)
