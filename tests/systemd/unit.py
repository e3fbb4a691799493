"""A unit file as systemd reads it, as far as ours goes: sections, keys that may come again, and specifiers.

What a key means is not known here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "systemd"
UNIT = FOLDER / "setmatch.service"
PLACES = {
    "setmatch.service": "etc/systemd/system/setmatch.service",
    "setmatch.sysusers.conf": "etc/sysusers.d/setmatch.conf",
    "setmatch.tmpfiles.conf": "etc/tmpfiles.d/setmatch.conf",
    "setmatch.modules-load.conf": "etc/modules-load.d/setmatch.conf",
    "70-setmatch.rules": "etc/udev/rules.d/70-setmatch.rules",
    "50-setmatch.rules": "etc/polkit-1/rules.d/50-setmatch.rules",
}
"""Where each file of the folder is installed."""
_STATE = "/var/lib"
_UNITS_S = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Unit:
    """The settings of a unit, in their order: section, key, value."""

    settings: tuple[tuple[str, str, str], ...]

    @classmethod
    def read(cls, path: Path = UNIT) -> "Unit":
        return cls(tuple(_settings(path.read_text(encoding="utf-8"))))

    def keys(self, section: str) -> set[str]:
        return {key for of, key, _ in self.settings if of == section}

    def all(self, key: str) -> list[str]:
        """The values of a key that may come again; an empty one forgets those before."""
        values: list[str] = []
        for _, each, value in self.settings:
            if each == key:
                values = [*values, value] if value else []
        return values

    def words(self, key: str) -> list[str]:
        return [word for value in self.all(key) for word in value.split()]

    def one(self, key: str) -> str:
        """The value of a key that comes once."""
        (value,) = [value for _, each, value in self.settings if each == key]
        return value

    def yes(self, key: str) -> bool:
        return self.one(key) in ("yes", "true", "on", "1")

    def seconds(self, key: str) -> float:
        value = self.one(key)
        number = value.rstrip("abcdefghijklmnopqrstuvwxyz")
        return float(number) * _UNITS_S[value[len(number) :] or "s"]

    def environment(self) -> dict[str, str]:
        return dict(word.split("=", 1) for word in self.words("Environment"))


def _settings(text: str) -> Iterator[tuple[str, str, str]]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[]")
        elif line and line[0] not in "#;":
            key, _, value = line.partition("=")
            yield section, key.strip(), value.strip().replace("%S", _STATE)
