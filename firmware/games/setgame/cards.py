"""The cards of SET and what three of them make: arithmetic in four features of three values each.

A card is a number from 0 to 80, whose ternary digits are its features; three cards are a set when each digit
is three times the same or three different, that is when each sums to 0 mod 3.
"""

from collections.abc import Iterable, Sequence
from typing import Final

Card = int
"""0 to 80: 27 x number + 9 x shape + 3 x shading + colour, each 0 to 2."""
Three = tuple[Card, Card, Card]

NUMBERS: Final = "123"
SHAPES: Final = "ODW"
"""Oval, diamond, wave (the squiggle)."""
SHADINGS: Final = "SHE"
"""Solid, hatched, empty."""
COLOURS: Final = "RPG"
"""Red, purple, green."""

DECK: Final[tuple[Card, ...]] = tuple(range(81))
SOLID: Final[tuple[Card, ...]] = tuple(card for card in DECK if card // 3 % 3 == 0)
"""The beginners' deck: 27 cards without the feature of shading."""


def code(card: Card) -> str:
    """A card as people and controllers write it, such as `2WHR`: two waves, hatched, red."""
    return NUMBERS[card // 27] + SHAPES[card // 9 % 3] + SHADINGS[card // 3 % 3] + COLOURS[card % 3]


CARDS: Final[dict[str, Card]] = {code(card): card for card in DECK}
"""The cards by their codes."""


def _third(a: Card, b: Card) -> Card:
    return sum((-(a // place + b // place)) % 3 * place for place in (27, 9, 3, 1))


_THIRD: Final[tuple[bytes, ...]] = tuple(bytes(_third(a, b) for b in DECK) for a in DECK)


def third(a: Card, b: Card) -> Card:
    """The one card that makes a set of two different ones."""
    return _THIRD[a][b]


def is_set(a: Card, b: Card, c: Card) -> bool:
    """Whether three different cards are a set."""
    return a != b and _THIRD[a][b] == c


SETS: Final[tuple[Three, ...]] = tuple(
    (a, b, c) for a in DECK for b in range(a + 1, 81) if (c := _THIRD[a][b]) > b
)
"""All 1080 sets of the deck, each ascending."""
_MASKS: Final[tuple[tuple[int, Three], ...]] = tuple(
    (1 << a | 1 << b | 1 << c, (a, b, c)) for a, b, c in SETS
)

_MANY: Final = 36
"""From so many cards on, looking through all sets of the deck beats looking through the pairs there."""


def sets_among(cards: Iterable[Card]) -> tuple[Three, ...]:
    """All sets among different cards, each ascending, in ascending order."""
    there = sorted(cards)
    if len(there) >= _MANY:
        table = 0
        for card in there:
            table |= 1 << card
        return tuple([three for mask, three in _MASKS if mask & table == mask])
    present = bytearray(81)
    for card in there:
        present[card] = 1
    found = []
    for number, a in enumerate(there):
        thirds = _THIRD[a]
        for b in there[number + 1 :]:
            c = thirds[b]
            if c > b and present[c]:
                found.append((a, b, c))
    return tuple(found)


def has_set(cards: Sequence[Card]) -> bool:
    """Whether there is a set among different cards."""
    present = bytearray(81)
    for card in cards:
        thirds = _THIRD[card]
        # A set shows when its last card comes: the other two are there.
        for other in cards:
            if other == card:
                break
            if present[thirds[other]]:
                return True
        present[card] = 1
    return False


def differing(three: Three) -> int:
    """In how many features the cards of a set differ, 1 to 4."""
    a, b, _ = three
    return sum(a // place % 3 != b // place % 3 for place in (27, 9, 3, 1))


def sums(cards: Iterable[Card]) -> tuple[int, int, int, int]:
    """The sum of each feature, mod 3: 0 for the deck and for each set, so also for what is left."""
    number = shape = shading = colour = 0
    for card in cards:
        number += card // 27
        shape += card // 9
        shading += card // 3
        colour += card
    return number % 3, shape % 3, shading % 3, colour % 3
