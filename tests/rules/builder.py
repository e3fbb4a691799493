"""Landings and places for the rules' tests, built from facts: every margin large and clear unless a
test says so, every ball where it may be played from. No rule is decided here.

Both strikers get the same facts; `mirrored` and `for_striker` are for tests in which they differ.
"""

from dataclasses import replace

import pytest

from firmware.rules import (
    Action,
    BoxFacts,
    BoxSide,
    Button,
    Call,
    Called,
    Correct,
    Corrected,
    Event,
    Facts,
    IllegalAction,
    Landing,
    Lay,
    Place,
    PlaceFacts,
    Point,
    Press,
    ServeAwaited,
    Setup,
    Side,
    State,
    Step,
    Stroke,
    side_of,
    start,
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
ELSEWHERE = place(at_mm=(100.0, 50.0), serve_right=NO, serve_left=NO, zero_right=90.0, zero_left=90.0)
"""Where nothing may be played from but a rally's stroke whose ball lies just there."""


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
    in_doubles: float | None = None,
    crosscourt: float = NO,
    dropshot: float = NO,
    start_in_court: float = NO,
    right: BoxFacts = MISSED_BOX,
    left: BoxFacts = MISSED_BOX,
    off_board: bool = False,
    dot_sigma: float = 0.0,
    disc_sigma: float = 0.0,
    start: Place = ANYWHERE,
    rest_mm: Point = (0.0, 0.0),
    unseen: bool = False,
) -> Landing:
    facts = Facts(
        passed_net_mm=passed_net,
        touches_net_mm=touches_net,
        in_singles_mm=in_singles,
        in_doubles_mm=in_singles + 26.0 if in_doubles is None else in_doubles,
        worth_mm=worth(points),
        crosscourt_mm=crosscourt,
        dropshot_mm=dropshot,
        start_in_court_mm=start_in_court,
        right=right,
        left=left,
    )
    rest = None if off_board else rest_mm
    return Landing(off_board, dot_sigma, disc_sigma, facts, facts, start, rest, unseen)


def serve(
    side: BoxSide | None,
    points: int = 1,
    *,
    touched: float = YES,
    ace: float = NO,
    passed_net: float = YES,
    touches_net: float = NO,
    dot_sigma: float = 0.0,
    disc_sigma: float = 0.0,
    start: Place = ANYWHERE,
    rest_mm: Point = (0.0, 0.0),
) -> Landing:
    """A serve into the box on that side of the far half, None for no box; it misses the others."""
    hit = box(points, touched=touched, ace=ace)
    return stroke(
        points,
        passed_net=passed_net,
        touches_net=touches_net,
        dot_sigma=dot_sigma,
        disc_sigma=disc_sigma,
        right=hit if side == "right" else MISSED_BOX,
        left=hit if side == "left" else MISSED_BOX,
        start=start,
        rest_mm=rest_mm,
    )


OUT = stroke(in_singles=-100.0)
NET = stroke(passed_net=NO)
OFF_BOARD = stroke(off_board=True)


def mirrored(landing: Landing) -> Landing:
    """The landing on a board turned by half: what A did is now what B did."""
    start, rest = mirrored_place(landing.start), landing.rest_mm
    rest = None if rest is None else (-rest[0], -rest[1])
    return replace(landing, by_a=landing.by_b, by_b=landing.by_a, start=start, rest_mm=rest)


def mirrored_place(there: Place) -> Place:
    x, y = there.at_mm
    return replace(there, at_mm=(-x, -y), by_a=there.by_b, by_b=there.by_a)


def for_striker(striker: Side, landing: Landing, other: Landing) -> Landing:
    """`landing` as it is for one striker and `other` as it is for the opponent."""
    by_a, by_b = (landing, other) if striker == "A" else (other, landing)
    return replace(landing, by_a=by_a.by_a, by_b=by_b.by_b)


def play(state: State, *actions: Landing | Action) -> Step:
    """The step after the last of the actions, with the events of them all. A landing is a stroke."""
    events: list[Event] = []
    for action in actions:
        after = step(state, Stroke(action) if isinstance(action, Landing) else action)
        state = after.state
        events.extend(after.events)
    return Step(state, tuple(events))


def called(state: State, landing: Landing) -> Called:
    """The call of one stroke."""
    event = step(state, Stroke(landing)).events[0]
    assert isinstance(event, Called)
    return event


def correct(state: State, number: int, call: Call | None = None, points: int | None = None) -> Step:
    """The step after both sides ruled on a stroke."""
    return play(state, Correct(number, call, points))


def corrected(state: State, number: int, call: Call | None = None, points: int | None = None) -> Corrected:
    """What is announced of their ruling."""
    event = correct(state, number, call, points).events[0]
    assert isinstance(event, Corrected)
    return event


def calls(state: State) -> list[str]:
    """Every stroke's call, as it now stands."""
    return [played.called.call for played in state.strokes]


def press(button: Button, *sides: Side) -> tuple[Press, ...]:
    """The same button, pressed by each side in turn."""
    return tuple(Press(button, side) for side in sides)


def lay(there: Place = ANYWHERE) -> Lay:
    return Lay(there)


def in_rally(marker: int = 0, setup: Setup | None = None) -> State:
    """A1's stroke in the first rally of singles, with the marker where it is wanted."""
    opening = start(setup or Setup())
    state = play(opening, good_serve(opening, max(marker, 0)), stroke(max(-marker, 0))).state
    assert (state.marker, state.standing.to_play) == (marker, "A1")
    return state


def good_serve(state: State, points: int = 0) -> Landing:
    """A serve that is good in this state, and no ace."""
    return serve(awaited_serve(state).box, points)


def ace(state: State) -> Landing:
    """A serve that is an ace in this state."""
    return serve(awaited_serve(state).box, ace=YES)


def let(state: State) -> Landing:
    """A serve that is a let in this state."""
    return serve(awaited_serve(state).box, touches_net=5.0)


def awaited_serve(state: State) -> ServeAwaited:
    waiting = state.waiting
    assert isinstance(waiting, ServeAwaited)
    return waiting


def rally(state: State, winner: Side) -> State:
    """The state after a short rally that `winner` wins by the opponent's net fault."""
    served = good_serve(state)
    server_wins = side_of(awaited_serve(state).seat) == winner
    return play(state, *((served, NET) if server_wins else (served, stroke(0), NET))).state


def rallies(state: State, winners: str) -> State:
    """The state after a rally for each letter of `winners`, for example "AAB"."""
    for winner in winners:
        state = rally(state, "A" if winner == "A" else "B")
    return state


def reason_of(state: State, action: Action) -> str:
    """Why the action may not be done, to the letter."""
    with pytest.raises(IllegalAction) as refused:
        step(state, action)
    assert str(refused.value) == refused.value.reason
    return refused.value.reason
