"""Computer players of SET: what a seat does next and when, from its own view and its own chance alone.

They remember nothing: each answer holds until the view changes, and is then asked for anew. No state and no
clock are known here.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log
from typing import Final

import msgspec

from firmware.games.chance import Chance
from firmware.games.protocol import Seat, Strength
from firmware.games.setgame.cards import CARDS, Card, Three, code, differing, sets_among, third
from firmware.games.setgame.state import NAMING_S, AgreeNone, Claim, Codes, Deal, Move, Name, View, Withdraw


class Thought(msgspec.Struct, frozen=True):
    """What a player will do if nothing changes before."""

    after_s: float
    """In so many seconds."""
    move: Move | None
    """None: it waits for the others."""
    chance: Chance


class Skill(msgspec.Struct, frozen=True):
    """How well somebody plays. Times are means in seconds, of chances that do not grow with waiting.

    Every set on the table is searched for by itself, and the first one found is claimed: people's times fall
    with the number of sets as such a race says, and sets whose cards are alike are found sooner (M. Jacob and
    S. Hochstein, Perception & Psychophysics 70, 2008). The figures are ours.
    """

    first_s: float
    """To find one set that differs in one feature, among twelve cards."""
    growth: float
    """So many times as long for each feature more in which it differs."""
    mistaken_s: float | None
    """To take three cards for a set that fail in one feature; None for who makes no mistakes."""
    doubt_s: float
    """To come to believe that there is no set, among twelve cards."""
    sure: bool
    """Believes so only where there is none."""
    reaction_s: float
    """From seeing to pressing."""
    naming_s: tuple[float, float]
    """From the claim to the third card, at the least and at the most, where there are five seconds for it."""


SKILLS: Final[dict[Strength, Skill]] = {
    "easy": Skill(11.0, 1.7, 150.0, 60.0, False, 0.8, (2.2, 4.4)),
    "fair": Skill(6.0, 1.5, 240.0, 35.0, False, 0.6, (1.6, 3.2)),
    "strong": Skill(2.5, 1.3, None, 5.0, True, 0.4, (0.9, 1.6)),
}

_PAIRS_OF_TWELVE: Final = 66
_PERSUADED: Final = 4.0
"""Who hears all others say that there is none comes to believe it so many times as fast, and once more."""
_DEAL_S: Final = (2.0, 4.0)
_FINEST_S: Final = 1e-6
_DIGITS: Final = 6
_STEPS: Final = 1 << 53


def thought(view: View, strength: Strength, chance: Chance) -> Thought:
    """What the view's seat does next. ValueError for the view of who only looks on."""
    if view.seat is None:
        raise ValueError("who only looks on does nothing; ask with the view of a seat")
    return _Thinking(view, view.seat, SKILLS[strength], chance).thought()


class _Thinking:
    """One look at the table. Its chance moves on as it is asked."""

    def __init__(self, view: View, seat: Seat, skill: Skill, chance: Chance) -> None:
        self._view, self._seat, self._skill, self._chance = view, seat, skill, chance
        self._table = [CARDS[card] for card in view.table]

    def thought(self) -> Thought:
        may = self._view.may
        if "name" in may:
            hurry = min(self._view.naming_s / NAMING_S, 1.0)
            return self._in(self._between(*self._skill.naming_s) * hurry, Name(self._seat, self._named()))
        if "deal" in may:
            return self._in(self._between(*_DEAL_S), Deal(self._seat))
        finding = sum(rate for rate, _ in self._searches())
        mistaking = self._mistaking() if "claim" in may else 0.0
        doubting = self._doubting() if "agree-none" in may else 0.0
        if "claim" not in may and "withdraw" not in may:
            finding = 0.0  # locked out, with nothing to take back: a set seen now is of no use
        total = finding + mistaking + doubting
        if not total:
            return Thought(0.0, None, self._chance)
        wait_s = -log(self._share()) / total + self._skill.reaction_s
        if self._share() * total < doubting:
            return self._in(wait_s, AgreeNone(self._seat))
        return self._in(wait_s, Claim(self._seat) if "claim" in may else Withdraw(self._seat))

    def _searches(self) -> Iterator[tuple[float, Three]]:
        """Every set there, with how often in a second it is found."""
        skill, slower = self._skill, self._slower()
        for three in sets_among(self._table):
            yield 1 / (skill.first_s * skill.growth ** (differing(three) - 1) * slower), three

    def _slower(self) -> float:
        """How much longer a look at the whole table takes than at twelve cards: by its pairs."""
        cards = max(len(self._table), 3)
        return cards * (cards - 1) / 2 / _PAIRS_OF_TWELVE

    def _mistaking(self) -> float:
        if self._skill.mistaken_s is None or not any(_near_sets(self._table)):
            return 0.0
        return 1 / self._skill.mistaken_s

    def _doubting(self) -> float:
        """How often in a second it comes to believe that there is no set."""
        if self._view.hinted or (self._skill.sure and sets_among(self._table)):
            return 0.0
        others = self._view.seats - len(self._view.away) - 1
        agreeing = len(self._view.agreed) / others if others else 0.0
        return (1 + _PERSUADED * agreeing) / (self._skill.doubt_s * self._slower())

    def _named(self) -> Codes:
        """What it has claimed: whichever of the sets there was found, or what was taken for one."""
        searches = list(self._searches())
        mistaking = self._mistaking()
        at = self._share() * (sum(rate for rate, _ in searches) + mistaking)
        for rate, three in searches:
            at -= rate
            if at < 0:
                return _named(three)
        near = list(_near_sets(self._table))
        # Nothing explains a claim that somebody else made before this player came to the seat: any cards.
        return _named(near[self._below(len(near))] if near else _first(self._table))

    def _in(self, seconds: float, move: Move) -> Thought:
        # Rounded, so that the last digits of a machine's logarithms do not matter.
        return Thought(max(round(seconds, _DIGITS), _FINEST_S), move, self._chance)

    def _below(self, n: int) -> int:
        number, self._chance = self._chance.below(n)
        return number

    def _share(self) -> float:
        """A number above 0 and up to 1."""
        return (self._below(_STEPS) + 1) / _STEPS

    def _between(self, least: float, most: float) -> float:
        return least + (most - least) * self._share()


def _near_sets(table: Sequence[Card]) -> Iterator[Three]:
    """Three cards each of which all but one feature make a set: what people take for one."""
    for a, b, c in combinations(table, 3):
        if _features_apart(third(a, b), c) == 1:
            yield a, b, c


def _features_apart(a: Card, b: Card) -> int:
    return sum(a // place % 3 != b // place % 3 for place in (27, 9, 3, 1))


def _named(three: Three) -> Codes:
    a, b, c = three
    return code(a), code(b), code(c)


def _first(table: Sequence[Card]) -> Three:
    a, b, c = table[:3]
    return a, b, c
