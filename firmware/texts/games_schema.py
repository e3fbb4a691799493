"""Which texts a language has to have for the link's games: keys and placeholders only, no wording.

Keys come from the games' own types, so that a new reason, option or action without a text is met when the
tables are loaded.
"""

from collections.abc import Iterator
from typing import Final, get_args

from firmware.games.catalogue import GAMES
from firmware.games.options import Choice, Number, Switch
from firmware.games.protocol import STRENGTHS
from firmware.games.setgame.state import Act, Reason

_COMMON: Final = {
    "seat": ("n",),
    "and": ("first", "last"),
    "seats": ("least", "most"),
    "unless-chosen": ("value",),
    "unless-switched": ("value",),
    "unless-numbered": ("least", "most", "value"),
    "lobby.nobody": (),
    "lobby.taken": ("n", "of"),
    "lobby.paused.asked": (),
    "lobby.paused.restart": (),
    "lobby.undo": ("seats",),
    "lobby.end": ("seats",),
}
_SET: Final = {
    "told.hand-dealt": ("hand", "seat"),
    "told.claimed": ("seat",),
    "told.set-taken": ("seat",),
    "told.failed-wrong": ("seat",),
    "told.failed-late": ("seat",),
    "told.failed-point": (),
    "told.failed-waits": (),
    "told.agrees": ("seat",),
    "told.disagrees": ("seat",),
    "told.seat-left": ("seat",),
    "told.seat-taken": ("seat",),
    "told.set-is-there": (),
    "told.cards-added": (),
    "told.hand-over": ("hand",),
    "over.won": ("seat",),
    "over.shared": ("seats",),
    "over.solo-won": (),
    "over.solo-lost": (),
    "panel.deck": ("n",),
    "panel.hand": ("n", "of"),
    "panel.names": ("seat",),
    "panel.none": ("n", "of"),
    "panel.hinted": (),
    "panel.deals": ("seat",),
    "panel.won": ("seat",),
    "panel.shared": (),
    "panel.solo-won": (),
    "panel.solo-lost": (),
    "panel.penalties": ("n", "of"),
    "panel.more": ("n",),
}


def keys() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every key below `games`, and the placeholders of its text."""
    for key, names in _COMMON.items():
        yield f"games.{key}", names
    for strength in STRENGTHS:
        yield f"games.strength.{strength}", ()
    for game in GAMES.values():
        for option in game.options:
            yield f"games.{game.name}.option.{option.name}", ()
            brief = f"games.{game.name}.brief.{option.name}"
            match option:
                case Choice():
                    yield from ((f"games.{game.name}.value.{value}", ()) for value in option.values)
                    yield from ((f"{brief}.{value}", ()) for value in option.values)
                case Switch():
                    yield from ((f"{brief}.{value}", ()) for value in ("on", "off"))
                case Number():
                    yield brief, ("value",)
    for key, names in _SET.items():
        yield f"games.set.{key}", names
    for reason in get_args(Reason):
        yield f"games.set.reason.{reason}", ()
    for act in get_args(Act):
        yield f"games.set.act.{act}", ()
