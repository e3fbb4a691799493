"""What hypothesis draws for the rules' tests: landings, places, actions, setups, and the walks that
they make. Draws only; what must hold of them is in the tests."""

from dataclasses import replace
from typing import NamedTuple

from hypothesis import strategies as st

from firmware.rules import (
    OPTION_NAMES,
    PRESETS,
    Action,
    BoxFacts,
    Correct,
    Facts,
    IllegalAction,
    Landing,
    Lay,
    Place,
    PlacementAwaited,
    Press,
    Setup,
    Side,
    State,
    Step,
    Stroke,
    choose,
    start,
    step,
)
from tests.rules.builder import ANYWHERE, ELSEWHERE, NET, NO, OFF_BOARD, OUT, YES, box, place, stroke

MARGINS = st.one_of(st.floats(-2.0, 2.0), st.floats(-200.0, 200.0), st.just(0.0))
SIGMAS = st.floats(0.0, 0.3)


@st.composite
def worths(draw: st.DrawFn) -> tuple[float, ...]:
    """Areas that are worth at least n lie within one another, so their margins never grow with
    n."""
    return tuple(sorted(draw(st.tuples(MARGINS, MARGINS, MARGINS)), reverse=True))


BOXES = st.builds(BoxFacts, touched_mm=MARGINS, ace_mm=MARGINS, worth_mm=worths())
FACTS = st.builds(
    Facts,
    # Most strokes pass the net, or no match would come to its interesting states.
    passed_net_mm=st.one_of(st.floats(2.0, 200.0), MARGINS),
    touches_net_mm=MARGINS,
    in_singles_mm=st.one_of(st.floats(2.0, 200.0), MARGINS),
    in_doubles_mm=MARGINS,
    worth_mm=worths(),
    crosscourt_mm=MARGINS,
    dropshot_mm=MARGINS,
    start_in_court_mm=MARGINS,
    right=BOXES,
    left=BOXES,
)
PLACES: st.SearchStrategy[Place] = st.sampled_from(
    [
        *[ANYWHERE] * 8,
        ELSEWHERE,
        place(at_mm=(2.0, 2.0)),
        place(at_mm=(30.0, 0.0), serve_left=-10.5, zero_left=8.5),
        place(at_mm=(0.0, 30.0), serve_right=-9.5, zero_right=7.5),
    ]
)


def landings(*, exact: bool = False) -> st.SearchStrategy[Landing]:
    """Any landing, from a good place; `exact`: on the board, and measured without doubt."""
    sigmas = st.just(0.0) if exact else SIGMAS
    off_board = st.just(False) if exact else st.sampled_from([False] * 9 + [True])
    return st.builds(
        Landing,
        off_board=off_board,
        dot_sigma_mm=sigmas,
        disc_sigma_mm=sigmas,
        by_a=FACTS,
        by_b=FACTS,
        start=st.just(ANYWHERE),
        rest_mm=st.just((0.0, 0.0)),
    ).map(lambda landing: replace(landing, rest_mm=None) if landing.off_board else landing)


def _both_boxes(points: int, ace: float = NO, touches_net: float = NO) -> Landing:
    """Good as a serve into either box, and as a rally stroke."""
    hit = box(points, ace=ace)
    return stroke(points, touches_net=touches_net, right=hit, left=hit)


CLEAR: tuple[Landing, ...] = (
    *[_both_boxes(points) for points in (0, 0, 1, 2, 3)],
    _both_boxes(1, ace=YES),
    _both_boxes(1, touches_net=YES),
    stroke(0),
    stroke(1, crosscourt=YES),
    stroke(0, crosscourt=YES, dropshot=YES),
    stroke(2, dropshot=YES, touches_net=YES),
    stroke(1, in_singles=-10.0),
    replace(stroke(2), by_b=NET.by_b),
    replace(OUT, by_a=_both_boxes(2).by_a),
    OUT,
    NET,
    NET,
    OFF_BOARD,
)
"""A landing of each kind, measured without doubt."""

SIDES: st.SearchStrategy[Side] = st.sampled_from(["A", "B"])
STROKES = st.builds(
    lambda landing, there: Stroke(replace(landing, start=there)),
    st.one_of(*[st.sampled_from(CLEAR)] * 5, landings()),
    st.one_of(*[st.just(ANYWHERE)] * 5, PLACES),
)
LAYS = st.builds(Lay, PLACES)
PRESSES = st.builds(Press, st.sampled_from(["confirm", "challenge", "flick-fault", "undo"]), SIDES)
CORRECTIONS = st.builds(
    Correct,
    number=st.one_of(st.integers(1, 6), st.integers(0, 25)),
    call=st.sampled_from(
        [None, "in", "out", "net", "let", "ace", "fault", "double-fault", "winner", "flick-fault", "void"]
    ),
    points=st.sampled_from([None, None, None, 0, 1, 2, 10]),
)
ACTIONS: st.SearchStrategy[list[Action]] = st.lists(
    st.one_of(STROKES, STROKES, STROKES, LAYS, PRESSES, PRESSES, CORRECTIONS, CORRECTIONS),
    min_size=1,
    max_size=25,
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any preset with any options."""
    preset = draw(st.sampled_from(list(PRESETS)))
    choices = draw(st.dictionaries(st.sampled_from(OPTION_NAMES), st.booleans(), max_size=4))
    return Setup(
        preset=preset,
        chosen=choose(preset, choices),
        doubles=draw(st.booleans()),
        games_to_set=draw(st.sampled_from([3, 6])),
        sets_to_win=draw(st.integers(1, 3)),
        first_server=draw(SIDES),
    )


class Taken(NamedTuple):
    """An action on the way, and what came of it."""

    before: State
    action: Action
    after: Step | IllegalAction


def walk(setup: Setup, actions: list[Action]) -> list[Taken]:
    """Every action in turn; what is refused leaves the state as it was."""
    state, way = start(setup), []
    for action in actions:
        try:
            after: Step | IllegalAction = step(state, action)
        except IllegalAction as refused:
            after = refused
        way.append(Taken(state, action, after))
        if isinstance(after, Step):
            state = after.state
    return way


def end_of_walk(setup: Setup, actions: list[Action]) -> State:
    """The state after them all."""
    last = walk(setup, actions)[-1]
    return last.after.state if isinstance(last.after, Step) else last.before


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state in which a stroke is waited for, reached by a few strokes of a match by any rules."""
    state = start(draw(setups()))
    for landing in draw(st.lists(st.one_of(st.sampled_from(CLEAR), landings()), max_size=10)):
        state = step(state, Stroke(landing)).state
        if isinstance(state.waiting, PlacementAwaited):
            state = step(state, Lay(ANYWHERE)).state
    return state
