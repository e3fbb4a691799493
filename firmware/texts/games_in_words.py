"""Sentences that all games on the link share: who is called what, and what was chosen. No wording."""

from collections.abc import Sequence

from firmware.games.options import Number, Option, Switch
from firmware.games.protocol import Seat
from firmware.texts.table import Texts


def seat_named(seat: Seat, names: Sequence[str], texts: Texts) -> str:
    """What a player at a link game is called. `names`: by seat, from the first on; one that is missing or
    blank is a number."""
    name = names[seat - 1].strip() if seat <= len(names) else ""
    return name or texts.say("games.seat", n=seat)


def seats_named(seats: Sequence[Seat], names: Sequence[str], texts: Texts) -> str:
    """One or more players in a row."""
    *before, last = (seat_named(seat, names, texts) for seat in seats)
    return texts.say("games.and", first=", ".join(before), last=last) if before else last


def option_in_brief(game: str, option: Option, value: object, texts: Texts) -> str:
    """What was chosen of an option of a game, in a few letters."""
    key = f"games.{game}.brief.{option.name}"
    if isinstance(option, Number):
        return texts.say(key, value=f"{value:g}" if isinstance(value, int | float) else str(value))
    if isinstance(option, Switch):
        return texts.say(f"{key}.{'on' if value else 'off'}")
    return texts.say(f"{key}.{value}")
