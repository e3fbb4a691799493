"""From the facts of a landing to a call, its points and how sure it is. No state is moved here.

The calls are tables: which facts a call needs. What follows a call is a table too, in
`transitions.py`. Which measured facts hold, and how the doubt is shared out, is decided in one
place (`_held`), before any table is read.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Final, Literal, NamedTuple

from firmware.rules.actions import IllegalAction
from firmware.rules.events import Call
from firmware.rules.landing import Facts, Landing
from firmware.rules.setup import POINT, Setup
from firmware.rules.state import ReturnAwaited, Ruling, ServeAwaited, Stroking
from firmware.rules.transitions import Sequel

Fact = (
    Literal[
        "passed_net",
        "touches_net",
        "in_court",
        "in_box",
        "in_ace",
        "crosscourt",
        "dropshot",
        "badly_flicked",
    ]
    | int
)
"""What can be true of a stroke; a number n stands for "worth at least n". Without service boxes
(SM-16) a serve's `in_box` is the court, and nothing is `in_ace`. `badly_flicked` is never measured:
the players say so (SM-20)."""

MOST_POINTS: Final = 9
"""More than a stroke on any board earns; players cannot rule it worth more."""
SURE_MM: Final = 0.3
"""Closer than this no call is certain, however well the ball was measured: the board's lines and
the dot on the ball are printed, and the print is not relied on beyond it."""
SIGMAS: Final = 3.0
"""A margin below so many standard deviations is too close to call."""
_ROUNDING_MM: Final = 1e-9
"""The doubt that arithmetic leaves in an exact position: a ball tangent to a line touches it."""

ServeCall = Literal["let", "ace", "in", "fault"]
RallyCall = Literal["flick-fault", "in", "out", "net"]

SERVE_CALLS: Final[tuple[tuple[ServeCall, frozenset[Fact]], ...]] = (
    ("let", frozenset({"passed_net", "touches_net", "in_box"})),  # SM-06, net case 3B
    ("ace", frozenset({"passed_net", "in_ace"})),  # SM-07
    ("in", frozenset({"passed_net", "in_box"})),  # SM-03
    ("fault", frozenset()),
)
"""A serve's call is the first of which all the facts hold."""

RALLY_CALLS: Final[tuple[tuple[RallyCall, frozenset[Fact]], ...]] = (
    ("flick-fault", frozenset({"badly_flicked"})),  # SM-12, SM-20
    ("in", frozenset({"passed_net", "in_court"})),  # Figure D1, SM-03, net case 3
    ("out", frozenset({"passed_net"})),  # SM-12
    ("net", frozenset()),  # net cases 1 and 2, SM-04, SM-12
)
"""The same for any other stroke."""

RULED_SERVES: Final[Mapping[Call, tuple[frozenset[Fact], frozenset[Fact]]]] = {
    "let": (frozenset({"passed_net", "touches_net", "in_box"}), frozenset()),
    "ace": (frozenset({"passed_net", "in_ace"}), frozenset({"touches_net"})),
    "in": (frozenset({"passed_net", "in_box"}), frozenset({"touches_net", "in_ace"})),
    **dict.fromkeys(
        # However it was missed, a badly flicked serve included: the other attempt is not lost with it.
        ("fault", "double-fault", "out", "net", "flick-fault"),
        (frozenset(), frozenset({"passed_net"})),
    ),
}
"""What the players can rule a serve to be: the facts that then hold, and those that do not."""

RULED_RETURNS: Final[Mapping[Call, tuple[frozenset[Fact], frozenset[Fact]]]] = {
    "flick-fault": (frozenset({"badly_flicked"}), frozenset()),
    "in": (frozenset({"passed_net", "in_court"}), frozenset()),
    "winner": (frozenset({"passed_net", "in_court"}), frozenset()),
    "out": (frozenset({"passed_net"}), frozenset({"in_court"})),
    "net": (frozenset(), frozenset({"passed_net"})),
}
"""The same for any other stroke."""

BONUSES: Final[tuple[frozenset[Fact], ...]] = (
    frozenset({"crosscourt"}),
    frozenset({"dropshot"}),
    frozenset({"dropshot", "touches_net"}),  # SM-05
)
"""Each earns a good stroke one more point when its facts hold; they add up (Figure G, SM-10)."""


class Decision(NamedTuple):
    """What a stroke is, once it is settled which facts hold."""

    call: Call
    points: int | None
    sequel: Sequel


class Verdict(NamedTuple):
    """A decision and how sure it is (see `events.Called`)."""

    decision: Decision
    margin_mm: float | None
    certain: bool


class _Measured(NamedTuple):
    margin_mm: float
    sigma_mm: float


def verdict(landing: Landing, facts: Facts, awaited: Stroking, lead: int, setup: Setup) -> Verdict:
    """Call a stroke. `facts` are the landing's for the striker; `lead`: the marker before the
    stroke, positive towards the striker.

    IllegalAction if a margin or a standard deviation is not a number.
    """
    if landing.off_board:
        # SM-21. It counts as gone beyond the net: out in a rally, and a fault as a serve.
        decision = _decision(frozenset({"passed_net"}), awaited, lead, setup)
        return Verdict(decision, None, not landing.unseen)
    measured = dict(_measured(landing, facts, awaited, setup))
    if any(math.isnan(value) for pair in measured.values() for value in pair):
        raise IllegalAction("not-a-number")
    held = frozenset(fact for fact, at in measured.items() if _held(fact, at))

    def decide(true: frozenset[Fact]) -> Decision:
        return _decision(true, awaited, lead, setup)

    settled = decide(held)
    relevant = _relevant(measured, held)
    distance = {f: abs(measured[f].margin_mm) for f in relevant}
    nearest = _first_change(held, distance, settled, decide)
    # Which of the doubtful facts are nearer does not matter: any of them could be otherwise.
    doubtful = {f: 0.0 for f in relevant if abs(measured[f].margin_mm) < _sure_mm(measured[f])}
    return Verdict(
        settled,
        # float() frees a scalar of a numerical library, which a journal could not write down.
        None if nearest is None else float(measured[nearest].margin_mm),
        _first_change(held, doubtful, settled, decide) is None and not landing.unseen,
    )


def ruled_verdict(
    ruling: Ruling, landing: Landing, facts: Facts, awaited: Stroking, lead: int, setup: Setup
) -> Verdict:
    """What a stroke is when the players say what it was; what they leave open is as measured.

    The arguments are those of `verdict`. IllegalAction for a ruling that such a stroke cannot have.
    """
    held: frozenset[Fact] = frozenset()
    if not landing.off_board:
        measured = _measured(landing, facts, awaited, setup)
        held = frozenset(fact for fact, at in measured if _held(fact, at))
    call, points = ruling.call, ruling.points
    needed, excluded = _ruled_facts(call, awaited, setup)
    true = (held | needed) - excluded
    if points is not None and call not in ("in", "winner"):
        if points != 0:
            raise IllegalAction("no-points-for-that-call")
        points = None
    if points is not None and not 0 <= points <= MOST_POINTS:
        raise IllegalAction("points-out-of-range")
    if call == "winner":
        # The players say that it reached POINT!, whatever its zone is worth.
        points = max(POINT - lead, _earned(true, awaited, setup) if points is None else points)
    return Verdict(_decision(true, awaited, lead, setup, points), None, True)


def _ruled_facts(call: Call, awaited: Stroking, setup: Setup) -> tuple[frozenset[Fact], frozenset[Fact]]:
    """The facts that hold, and those that do not, when the players say `call`; IllegalAction where
    such a stroke cannot be that."""
    if isinstance(awaited, ReturnAwaited):
        if call in RULED_RETURNS:
            return RULED_RETURNS[call]
        raise IllegalAction("serve-ruling-only" if call in RULED_SERVES else "no-such-ruling")
    if call not in RULED_SERVES:
        raise IllegalAction("rally-ruling-only" if call in RULED_RETURNS else "no-such-ruling")
    if call == "ace" and not (setup.options.aces and setup.options.service_boxes):
        raise IllegalAction("no-aces-here")
    return RULED_SERVES[call]


def _measured(
    landing: Landing, facts: Facts, awaited: Stroking, setup: Setup
) -> Iterator[tuple[Fact, _Measured]]:
    """The facts that can bear on this stroke. The dot decides the net and the points, the disc the
    rest (SM-02 to SM-04, SM-07); in doubles the court has its alleys (SM-17)."""
    dot, disc = landing.dot_sigma_mm, landing.disc_sigma_mm
    yield "passed_net", _Measured(facts.passed_net_mm, dot)
    yield "touches_net", _Measured(facts.touches_net_mm, disc)
    in_court_mm = facts.in_doubles_mm if setup.doubles else facts.in_singles_mm
    worth_mm = facts.worth_mm
    start_mm = math.inf  # any start but a serve's counts as one in the court (SM-10)
    if isinstance(awaited, ServeAwaited):
        start_mm = facts.start_in_court_mm
        if math.isnan(start_mm):
            raise IllegalAction("not-a-number")  # min() below would pass over it
    if setup.options.bonuses:
        yield "crosscourt", _Measured(min(facts.crosscourt_mm, start_mm), dot)
        yield "dropshot", _Measured(min(facts.dropshot_mm, start_mm), dot)
    if isinstance(awaited, ReturnAwaited):
        yield "in_court", _Measured(in_court_mm, disc)
    elif awaited.box is None:
        yield "in_box", _Measured(in_court_mm, disc)  # SM-16
    else:
        box = facts.right if awaited.box == "right" else facts.left
        yield "in_box", _Measured(box.touched_mm, disc)
        if setup.options.aces:
            yield "in_ace", _Measured(box.ace_mm, disc)
        worth_mm = box.worth_mm
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
    return at.margin_mm >= -_ROUNDING_MM or at.margin_mm > -SIGMAS * at.sigma_mm


def _sure_mm(at: _Measured) -> float:
    return max(SIGMAS * at.sigma_mm, SURE_MM)


def _worth(true: frozenset[Fact]) -> int:
    worth = 0
    for fact in true:
        if isinstance(fact, int) and fact > worth:
            worth = fact
    return worth


def _relevant(measured: Mapping[Fact, _Measured], held: frozenset[Fact]) -> list[Fact]:
    """The facts whose change could matter. The areas worth at least n lie within one another, so
    of the values only the one that was earned and the next one above can be the nearest."""
    worth = _worth(held)
    return [fact for fact in measured if not isinstance(fact, int) or fact in (worth, worth + 1)]


def _first_change(
    held: frozenset[Fact],
    distance: Mapping[Fact, float],
    settled: Decision,
    decide: Callable[[frozenset[Fact]], Decision],
) -> Fact | None:
    """The fact up to whose distance facts must change for the decision not to be `settled`; None if
    it always is.

    A decision can hang on several facts at once (a serve short of the net and beside the box is a
    fault by either), so sets of facts are changed, those nearest first; the farthest of the set
    counts.
    """
    order = sorted(distance, key=distance.__getitem__)
    for n, farthest in enumerate(order):
        for size in range(n + 1):
            for nearer in combinations(order[:n], size):
                if decide(held ^ {farthest, *nearer}) != settled:
                    return farthest
    return None


def _decision(
    true: frozenset[Fact], awaited: Stroking, lead: int, setup: Setup, points: int | None = None
) -> Decision:
    """Read the tables. `points`: what the players say that the stroke earned, if they do."""
    if points is None:
        points = _earned(true, awaited, setup)
        nothing = _worth(true) == 0
    else:
        nothing = points == 0
    if isinstance(awaited, ServeAwaited):
        return _serve_decision(true, awaited, lead, setup, points)
    call = next(call for call, needed in RALLY_CALLS if needed <= true)
    match call:
        case "in" if awaited.pressure and nothing:
            return Decision("in", 0, "in for nothing")  # SM-08: bonuses do not save it
        case "in" if lead + points >= POINT:
            return Decision("winner", points, "winner")  # Figure E
        case "in":
            return Decision("in", points, "in")
        case "out" | "net" | "flick-fault":
            return Decision(call, 0, call)


def _serve_decision(
    true: frozenset[Fact], awaited: ServeAwaited, lead: int, setup: Setup, points: int
) -> Decision:
    call = next(call for call, needed in SERVE_CALLS if needed <= true)
    second = awaited.attempt == 2
    match call:
        case "ace" if second and setup.options.second_serve_ace_pressure:
            return Decision("ace", None, "ace at POINT!")
        case "ace":
            return Decision("ace", None, "ace")
        case "in":
            # A serve never wins by its points (SM-08).
            return Decision("in", points, "in at POINT!" if lead + points >= POINT else "in")
        case "let":
            return Decision("let", 0, "let")
        case "fault" if second and setup.level.second_fault == "double-fault":
            return Decision("double-fault", 0, "double-fault")
        case "fault":
            return Decision("fault", 0, "fault")


def _earned(true: frozenset[Fact], awaited: Stroking, setup: Setup) -> int:
    """A good stroke's points: its zone's value, its bonuses (SM-10), and the first serve's own
    (SM-09)."""
    worth = _worth(true)
    points = worth + sum(needed <= true for needed in BONUSES)
    if worth > 0 and setup.options.first_serve_bonus and isinstance(awaited, ServeAwaited):
        points += awaited.attempt == 1
    return points
