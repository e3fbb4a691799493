"""What an entry of a menu is made of: its words, what it is set to, and what taking it does. Values only."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from firmware.config.sections import Place
from firmware.config.writing import Change
from firmware.menus.effects import Effect
from firmware.texts import Texts

Saying = Callable[[Texts], str]


@dataclass(frozen=True, slots=True)
class Plain:
    """A page that needs no more than its name."""

    name: Literal["main", "level", "options", "length", "names", "new-match", "shut-down", "link", "link-end"]


@dataclass(frozen=True, slots=True)
class Spelling:
    """The page on which a name is spelt; `text`: so far."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Letters:
    """The page of one group of letters, on which the next letter of `text` is taken."""

    place: Place
    text: str
    group: int


Page = Plain | Spelling | Letters


@dataclass(frozen=True, slots=True)
class Open:
    """Go to a page, with its entry `at` highlighted."""

    page: Page
    at: int = 0


@dataclass(frozen=True, slots=True)
class Back:
    """Go back a page."""


@dataclass(frozen=True, slots=True)
class Set:
    """Change settings; `leaves`: and go back a page."""

    changes: Mapping[str, Change]
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Spelt:
    """Go back to the page of spelling, with this text and its entry `at` highlighted."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Leave the menu, and ask for this."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Tell:
    """Ask for this, and stay on the page, which shows what comes of it."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Wait:
    """It cannot be done now, for the reason that the entry's note tells: stay where one is."""


Deed = Open | Back | Set | Spelt | Ask | Tell | Wait


def nothing(texts: Texts) -> str:
    """No words."""
    return ""


def words(key: str) -> Saying:
    """The words at a key of the texts."""
    return lambda texts: texts.say(key)


def as_written(text: str) -> Saying:
    """Words that are the same in every language."""
    return lambda texts: text


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a page; `value`, `chosen`, `idle` and `note` are those of `screens.menu_page`."""

    label: Saying
    deed: Deed
    value: Saying = nothing
    chosen: bool | None = None
    idle: bool = False
    note: Saying = nothing
