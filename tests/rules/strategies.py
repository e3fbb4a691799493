"""What hypothesis draws for the rules' tests: landings, and states that a match can reach."""

from hypothesis import strategies as st

from firmware.rules import BoxFacts, Facts, Landing, Setup, Side, State, Stroke, start, step

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
    right=BOXES,
    left=BOXES,
)


def landings(*, exact: bool = False) -> st.SearchStrategy[Landing]:
    """Any landing; `exact`: on the board, and measured without doubt."""
    sigmas = st.just(0.0) if exact else SIGMAS
    off_board = st.just(False) if exact else st.sampled_from([False] * 9 + [True])
    return st.builds(
        Landing,
        off_board=off_board,
        dot_sigma_mm=sigmas,
        disc_sigma_mm=sigmas,
        by_a=FACTS,
        by_b=FACTS,
    )


SIDES: st.SearchStrategy[Side] = st.sampled_from(["A", "B"])
SETUPS = st.builds(Setup, sets_to_win=st.integers(1, 3), first_server=SIDES)


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state in which a stroke is waited for, reached by a few strokes."""
    state = start(draw(SETUPS))
    for landing in draw(st.lists(landings(), max_size=12)):
        state = step(state, Stroke(landing)).state
    return state
