"""Words about players, in letters that fit: names are shortened where they have no room, what is said is not.

Texts are measured and chosen here, nothing is drawn.
"""

from collections.abc import Callable
from typing import Final, get_args

from firmware.screens.font import Block, Size, fitted
from firmware.screens.scoreboard import Seat, Side
from firmware.texts import Texts

_LONGEST: Final = 16
"""Letters; so many of a name are tried first."""
_NOT_LAST: Final = " -'\u2019."
"""What no name is shortened behind."""


def fitted_with_names(
    say: Callable[[Texts], str],
    texts: Texts,
    width: int,
    height: int,
    largest: Size = 3,
    *,
    narrow: bool = False,
) -> Block:
    """What `say` makes of the texts, as `font.fitted`; with as many letters of the players' names as it
    takes to leave nothing else off, and a full stop behind them."""
    block = fitted(say(texts), width, height, largest, narrow=narrow)
    if block.whole and not block.broken:
        return block
    for letters in range(_LONGEST, 0, -1):
        shorter = fitted(say(shortened(texts, letters)), width, height, largest, narrow=narrow)
        if shorter.whole and not shorter.broken:
            return shorter
    return block


def shortened(texts: Texts, letters: int) -> Texts:
    """The texts, with at most so many letters of each name, and a full stop where there are more."""
    places: tuple[Side | Seat, ...] = (*get_args(Side), *get_args(Seat))
    names = {place: texts.table[f"names.{place}"] for place in places}
    return texts.named(
        {
            place: f"{name[:letters].rstrip(_NOT_LAST)}."
            for place, name in names.items()
            if len(name) > letters + 1
        }
    )
