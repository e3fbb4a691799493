"""Landings for the rules' tests, built from facts: every margin large and clear unless a test says
so.

Both strikers get the same facts; `mirrored` and `for_striker` are for tests in which they differ.
"""

from dataclasses import replace

from firmware.rules import (
    BoxFacts,
    BoxSide,
    Facts,
    Landing,
    Place,
    PlaceFacts,
    Point,
    ServeAwaited,
    Side,
    State,
    Step,
    Stroke,
    step,
)

YES, NO = 40.0, -40.0


def place(
    *,
    at_mm: Point = (0.0, 0.0),
    serve_right: float = YES,
    serve_left: float = YES,
    zero_right: float = 0.0,
    zero_left: float = 0.0,
) -> Place:
    """A ball that lies still, by default where anything may be played from."""
    facts = PlaceFacts(serve_right, serve_left, zero_right, zero_left)
    return Place(at_mm, facts, facts)


ANYWHERE = place()


def worth(points: int, most: int = 3) -> tuple[float, ...]:
    """Margins of a dot well inside a zone of `points`, on a board whose zones go up to `most`."""
    return tuple(YES if n <= points else NO for n in range(1, most + 1))


def box(points: int = 1, *, touched: float = YES, ace: float = NO) -> BoxFacts:
    return BoxFacts(touched_mm=touched, ace_mm=ace, worth_mm=worth(points))


MISSED_BOX = box(touched=NO)


def stroke(
    points: int = 1,
    *,
    passed_net: float = YES,
    touches_net: float = NO,
    in_singles: float = YES,
    crosscourt: float = NO,
    dropshot: float = NO,
    right: BoxFacts = MISSED_BOX,
    left: BoxFacts = MISSED_BOX,
    off_board: bool = False,
    dot_sigma: float = 0.0,
    disc_sigma: float = 0.0,
    start: Place = ANYWHERE,
    rest_mm: Point = (0.0, 0.0),
) -> Landing:
    facts = Facts(
        passed_net_mm=passed_net,
        touches_net_mm=touches_net,
        in_singles_mm=in_singles,
        in_doubles_mm=in_singles + 26.0,
        worth_mm=worth(points),
        crosscourt_mm=crosscourt,
        dropshot_mm=dropshot,
        right=right,
        left=left,
    )
    rest = None if off_board else rest_mm
    return Landing(off_board, dot_sigma, disc_sigma, facts, facts, start, rest)


def serve(
    side: BoxSide,
    points: int = 1,
    *,
    touched: float = YES,
    ace: float = NO,
    passed_net: float = YES,
    touches_net: float = NO,
    dot_sigma: float = 0.0,
    disc_sigma: float = 0.0,
) -> Landing:
    """A serve into the box on that side of the far half; it misses the other box."""
    hit = box(points, touched=touched, ace=ace)
    return stroke(
        points,
        passed_net=passed_net,
        touches_net=touches_net,
        dot_sigma=dot_sigma,
        disc_sigma=disc_sigma,
        right=hit if side == "right" else MISSED_BOX,
        left=hit if side == "left" else MISSED_BOX,
    )


OUT = stroke(in_singles=NO)
NET = stroke(passed_net=NO)
OFF_BOARD = stroke(off_board=True)


def mirrored(landing: Landing) -> Landing:
    """The landing on a board turned by half: what A did is now what B did."""
    return replace(landing, by_a=landing.by_b, by_b=landing.by_a)


def for_striker(striker: Side, landing: Landing, other: Landing) -> Landing:
    """`landing` as it is for one striker and `other` as it is for the opponent."""
    by_a, by_b = (landing, other) if striker == "A" else (other, landing)
    return replace(landing, by_a=by_a.by_a, by_b=by_b.by_b)


def play(state: State, *landings: Landing) -> Step:
    """The step after the last of the landings, with the events of them all."""
    events: list[object] = []
    for landing in landings:
        after = step(state, Stroke(landing))
        state = after.state
        events.extend(after.events)
    return Step(state, tuple(events))  # type: ignore[arg-type]


def good_serve(state: State, points: int = 0) -> Landing:
    """A serve that is good in this state."""
    waiting = state.waiting
    assert isinstance(waiting, ServeAwaited)
    return serve(waiting.box, points)


def rally(state: State, winner: Side) -> State:
    """The state after a short rally that `winner` wins by the opponent's net fault."""
    served = good_serve(state)
    receiver_wins = not state.standing.to_play.startswith(winner)
    strokes = (served, stroke(0), NET) if receiver_wins else (served, NET)
    return play(state, *strokes).state


def rallies(state: State, winners: str) -> State:
    """The state after a rally for each letter of `winners`, for example "AAB"."""
    for winner in winners:
        state = rally(state, "A" if winner == "A" else "B")
    return state
