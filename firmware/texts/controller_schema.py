"""Which texts a language has to have for a controller in a terminal: no wording."""

from collections.abc import Iterator
from typing import Final

_TEXTS: Final = {
    "waiting": (),
    "at": ("board",),
    "too-old": (),
    "title.lobby": ("game",),
    "title.game": ("game", "hand", "hands", "deck"),
    "title.over": ("game",),
    "bot": ("name", "strength"),
    "away": ("name",),
    "you": ("name",),
    "looking-on": (),
    "your-set": (),
    "deal-due": (),
    "claim-due": (),
    "paused.asked": (),
    "paused.restart": (),
    "undo-asked": ("seat",),
    "end-asked": ("seat",),
    "undone": (),
    "ended": (),
    "cap.space": (),
    "cap.enter": (),
    "cap.tab": (),
    "cap.escape": (),
    "key.start": (),
    "key.again": (),
    "key.more": (),
    "key.fewer": (),
    "key.strength": (),
    "key.game": (),
    "key.options": (),
    "key.take": (),
    "key.leave": (),
    "key.quit": (),
    "key.menu": (),
    "key.back": (),
    "key.pause": (),
    "key.resume": (),
    "key.undo": (),
    "key.end": (),
    "key.no-undo": (),
    "key.no-end": (),
    "key.card": (),
    "key.clear": (),
    "key.change": (),
    "key.option": ("first", "last"),
    "on": (),
    "off": (),
}


def keys() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every key below `controller`, and the placeholders of its text."""
    for key, names in _TEXTS.items():
        yield f"controller.{key}", names
