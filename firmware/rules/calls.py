"""From the facts of a landing to a call, its points and how sure it is. No state is moved here.

The calls are tables: which facts a call needs, and what follows it. Which measured facts hold, and
how the doubt is shared out, is decided in one place (`_held`), before any table is read.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from firmware.rules.events import Call
from firmware.rules.landing import Facts, Landing
from firmware.rules.setup import ATTEMPTS, POINT, Options
from firmware.rules.state import IllegalAction, ServeAwaited, Waiting

Fact = (
    Literal["passed_net", "touches_net", "in_court", "in_box", "in_ace", "crosscourt", "dropshot"]
    | int
)
"""What can be true of a landing; a number n stands for "worth at least n"."""

Then = Literal["return", "same serve", "next serve", "striker wins", "opponent wins"]

SURE_MM: Final = 0.3
"""Closer than this no call is certain, however well the ball was measured: the board's lines and
the dot on the ball are printed, and the print is not relied on beyond it."""
SIGMAS: Final = 3.0
"""A margin below so many standard deviations is too close to call."""
_ROUNDING_MM: Final = 1e-9
"""The doubt that arithmetic leaves in an exact position: a ball tangent to a line touches it."""

SERVE_CALLS: Final[tuple[tuple[Call, frozenset[Fact]], ...]] = (
    ("let", frozenset({"passed_net", "touches_net", "in_box"})),  # SM-06, net case 3B
    ("ace", frozenset({"passed_net", "in_ace"})),  # SM-07
    ("in", frozenset({"passed_net", "in_box"})),  # SM-03
    ("fault", frozenset()),
)
"""A serve's call is the first of which all the facts hold."""

RALLY_CALLS: Final[tuple[tuple[Call, frozenset[Fact]], ...]] = (
    ("in", frozenset({"passed_net", "in_court"})),  # Figure D1, SM-03, net case 3
    ("out", frozenset({"passed_net"})),  # SM-12
    ("net", frozenset()),  # net cases 1 and 2, SM-04, SM-12
)
"""The same for any other stroke."""

BONUSES: Final[tuple[frozenset[Fact], ...]] = (
    frozenset({"crosscourt"}),
    frozenset({"dropshot"}),
    frozenset({"dropshot", "touches_net"}),  # SM-05
)
"""Each earns a rally stroke one more point when its facts hold; they add up (Figure G, SM-10)."""

AFTER: Final[Mapping[Call, Then]] = MappingProxyType(
    {
        "in": "return",
        "let": "same serve",
        "fault": "next serve",
        "ace": "striker wins",
        "winner": "striker wins",
        "out": "opponent wins",
        "net": "opponent wins",
        "double-fault": "opponent wins",
    }
)
"""What follows a call; a return under pressure that earns nothing is the one exception (SM-08)."""


class Decision(NamedTuple):
    """What a stroke is, once it is settled which facts hold."""

    call: Call
    points: int | None
    then: Then


class Verdict(NamedTuple):
    """A decision and how sure it is (see `events.Called`)."""

    decision: Decision
    margin_mm: float | None
    certain: bool


class _Measured(NamedTuple):
    margin_mm: float
    sigma_mm: float


def verdict(
    landing: Landing, facts: Facts, waiting: Waiting, lead: int, options: Options
) -> Verdict:
    """Call a stroke. `facts` are the landing's for the striker; `lead`: the marker before the
    stroke, positive towards the striker.

    IllegalAction if a margin or a standard deviation is not a number.
    """
    if landing.off_board:
        # SM-21. It counts as gone beyond the net: out in a rally, and a fault as a serve.
        return Verdict(_decision(frozenset({"passed_net"}), waiting, lead, options), None, True)
    measured = dict(_measured(landing, facts, waiting))
    if any(math.isnan(value) for pair in measured.values() for value in pair):
        raise IllegalAction("a margin of this landing is not a number; measure the ball again")
    held = frozenset(fact for fact, at in measured.items() if _held(fact, at))

    def decide(true: frozenset[Fact]) -> Decision:
        return _decision(true, waiting, lead, options)

    relevant = _relevant(measured, held)
    nearest = _first_change(held, {f: abs(measured[f].margin_mm) for f in relevant}, decide)
    # Which of the doubtful facts are nearer does not matter: any of them could be otherwise.
    doubtful = {f: 0.0 for f in relevant if abs(measured[f].margin_mm) < _sure_mm(measured[f])}
    return Verdict(
        decide(held),
        # float() frees a scalar of a numerical library, which a journal could not write down.
        None if nearest is None else float(measured[nearest].margin_mm),
        _first_change(held, doubtful, decide) is None,
    )


def _measured(landing: Landing, facts: Facts, waiting: Waiting) -> Iterator[tuple[Fact, _Measured]]:
    """The facts that can bear on this stroke. The dot decides the net and the points, the disc the
    rest (SM-02 to SM-04, SM-07)."""
    dot, disc = landing.dot_sigma_mm, landing.disc_sigma_mm
    yield "passed_net", _Measured(facts.passed_net_mm, dot)
    yield "touches_net", _Measured(facts.touches_net_mm, disc)
    if isinstance(waiting, ServeAwaited):
        box = facts.right if waiting.box == "right" else facts.left
        yield "in_box", _Measured(box.touched_mm, disc)
        yield "in_ace", _Measured(box.ace_mm, disc)
        worth_mm = box.worth_mm
    else:
        yield "in_court", _Measured(facts.in_singles_mm, disc)
        yield "crosscourt", _Measured(facts.crosscourt_mm, dot)
        yield "dropshot", _Measured(facts.dropshot_mm, dot)
        worth_mm = facts.worth_mm
    for worth, margin_mm in enumerate(worth_mm, start=1):
        yield worth, _Measured(margin_mm, dot)


def _held(fact: Fact, at: _Measured) -> bool:
    """Whether a fact is taken for true, the benefit of the doubt included.

    In doubt a line is touched and a value or bonus earned: a touched line is good, and the higher
    number is given (rulebook, How Many Stroke Points?; SM-02, SM-03). That goes for the net line
    as for any other, so a serve that may have touched it is played again, which costs nobody
    anything. Whether the dot passed the net is the exception: the better estimate decides, and a
    dot on the line has not passed (SM-04).
    """
    if fact == "passed_net":
        return at.margin_mm > _ROUNDING_MM
    return at.margin_mm >= -max(SIGMAS * at.sigma_mm, _ROUNDING_MM)


def _sure_mm(at: _Measured) -> float:
    return max(SIGMAS * at.sigma_mm, SURE_MM)


def _worth(true: frozenset[Fact]) -> int:
    return max((fact for fact in true if isinstance(fact, int)), default=0)


def _relevant(measured: Mapping[Fact, _Measured], held: frozenset[Fact]) -> list[Fact]:
    """The facts whose change could matter. The areas worth at least n lie within one another, so
    of the values only the one that was earned and the next one above can be the nearest."""
    worth = _worth(held)
    return [fact for fact in measured if not isinstance(fact, int) or fact in (worth, worth + 1)]


def _first_change(
    held: frozenset[Fact],
    distance: Mapping[Fact, float],
    decide: Callable[[frozenset[Fact]], Decision],
) -> Fact | None:
    """The fact up to whose distance facts must change for the decision to change; None if it
    never does.

    A decision can hang on several facts at once (a serve short of the net and beside the box is a
    fault by either), so sets of facts are changed, those nearest first; the farthest of the set
    counts.
    """
    settled = decide(held)
    order = sorted(distance, key=distance.__getitem__)
    for n, farthest in enumerate(order):
        for size in range(n + 1):
            for nearer in combinations(order[:n], size):
                if decide(held ^ {farthest, *nearer}) != settled:
                    return farthest
    return None


def _decision(true: frozenset[Fact], waiting: Waiting, lead: int, options: Options) -> Decision:
    """Read the tables. A stroke's points are its zone's value, and in a rally its bonuses."""
    worth = _worth(true)
    if isinstance(waiting, ServeAwaited):
        call = next(call for call, needed in SERVE_CALLS if needed <= true)
        if call == "fault" and waiting.attempt == ATTEMPTS:
            call = "double-fault"
        # Bonuses do not count: a serve starts in no zone (SM-10). Nor does it win by points
        # (SM-08).
        points = {"in": worth, "ace": None}.get(call, 0)
        return Decision(call, points, AFTER[call])
    call = next(call for call, needed in RALLY_CALLS if needed <= true)
    if call != "in":
        return Decision(call, 0, AFTER[call])
    points = worth
    if options.bonuses:
        points += sum(needed <= true for needed in BONUSES)
    if waiting.pressure and worth == 0:
        return Decision("in", points, "opponent wins")  # SM-08: bonuses do not save it
    if lead + points >= POINT:
        call = "winner"  # Figure E
    return Decision(call, points, AFTER[call])
