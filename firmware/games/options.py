"""What can be chosen when a game is set up: descriptions that a lobby and a command line can offer, and the
reading of what was chosen. What an option is for is said in the texts; what it does, the games know.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

import msgspec

from firmware.games.protocol import SetupError

Value = str | bool | int | float


class Choice(msgspec.Struct, frozen=True, tag_field="kind", tag="choice"):
    """One of several words."""

    name: str
    values: tuple[str, ...]
    default: str

    def read(self, value: object) -> Value:
        """The value, or what a person typed, checked. SetupError says what can be chosen."""
        if isinstance(value, str) and (word := value.strip().replace("-", "_")) in self.values:
            return word
        raise SetupError(f"{self.name} is one of {', '.join(self.values)}, not {_told(value)}")


class Switch(msgspec.Struct, frozen=True, tag_field="kind", tag="switch"):
    """On or off."""

    name: str
    default: bool

    def read(self, value: object) -> Value:
        """As `Choice.read`; `on` and `off` will do."""
        if isinstance(value, bool):
            return value
        if value in ("on", "off"):
            return value == "on"
        raise SetupError(f"{self.name} is on or off, not {_told(value)}")


class Number(msgspec.Struct, frozen=True, tag_field="kind", tag="number"):
    """A number within a range; `whole`: without a fraction."""

    name: str
    least: float
    most: float
    default: float
    whole: bool = True

    def read(self, value: object) -> Value:
        """As `Choice.read`."""
        number = _number(value)
        if number is None or not self.least <= number <= self.most or (self.whole and number % 1):
            kind = "a whole number" if self.whole else "a number"
            raise SetupError(
                f"{self.name} is {kind} from {self.least:g} to {self.most:g}, not {_told(value)}"
            )
        return int(number) if self.whole else number


Option = Choice | Switch | Number


def chosen(options: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """The value of every option: as given, or its default. SetupError for a name or a value that is none."""
    known = {option.name: option for option in options}
    for name in given.keys() - known.keys():
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
        raise SetupError(f"there is no option {name!r}; {hint}")
    return {name: option.read(given.get(name, option.default)) for name, option in known.items()}


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None


def _told(value: object) -> str:
    """What was given, no longer than an error has room for."""
    return repr(value)[:40]
