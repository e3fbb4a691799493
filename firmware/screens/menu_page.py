"""A page of the menu, as a panel shows it: values only. What the entries do is not known here, nor how they
are drawn."""

import msgspec


class MenuEntry(msgspec.Struct, frozen=True):
    """A line that can be taken."""

    label: str
    value: str = ""
    """What it is set to; empty where there is nothing to set."""
    chosen: bool | None = None
    """One of several of which just one holds: whether it is this one. None for all other lines."""
    idle: bool = False
    """It is set, and changes nothing beside the other settings."""


class MenuPage(msgspec.Struct, frozen=True):
    """A title, and lines of which one is highlighted."""

    title: str
    entries: tuple[MenuEntry, ...]
    at: int
    """The index of the highlighted one."""
    note: str = ""
    """What is to be known of the highlighted one before it is taken."""
    waits: bool = False
    """The title says that scoring waits."""
    typed: str | None = None
    """What has been spelt so far; None where nothing is spelt."""
