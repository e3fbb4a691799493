"""How sure a call is: the margin it hangs on, what is too close, and who has the benefit of the
doubt."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules import (
    BoxFacts,
    Called,
    Correct,
    Corrected,
    Facts,
    Landing,
    Setup,
    State,
    Stroke,
    start,
    step,
)
from tests.rules.builder import MISSED_BOX, NO, YES, play, serve, stroke
from tests.rules.strategies import landings, states

FIRST = start(Setup())
FEW = settings(max_examples=50, deadline=None)
RETURN = play(FIRST, serve("left", 0)).state


def called(state: State, landing: Landing) -> Called:
    event = step(state, Stroke(landing)).events[0]
    assert isinstance(event, Called)
    return event


def with_worth(landing: Landing, *worth_mm: float) -> Landing:
    facts = replace(landing.by_a, worth_mm=worth_mm)
    return replace(landing, by_a=facts, by_b=facts)


def serve_of_worth(*worth_mm: float, dot_sigma: float = 0.0) -> Landing:
    left = BoxFacts(touched_mm=YES, ace_mm=NO, worth_mm=worth_mm)
    return stroke(left=left, dot_sigma=dot_sigma)


# The margin is that of the fact which decides


@pytest.mark.parametrize(
    ("landing", "margin_mm"),
    [
        (stroke(passed_net=0.7), 0.7),
        (stroke(passed_net=-0.7, touches_net=10.0), -0.7),
        (stroke(in_singles=2.5), 2.5),
        (stroke(in_singles=-0.5), -0.5),
        (with_worth(stroke(), 6.0, -4.0), -4.0),
        (with_worth(stroke(), 3.0, -4.0), 3.0),
        (with_worth(stroke(), 13.0, 0.2), 0.2),
        (stroke(crosscourt=-1.5), -1.5),
        (stroke(dropshot=1.5), 1.5),
        (stroke(dropshot=YES, touches_net=-0.4), -0.4),
    ],
)
def test_margin_of_a_rally_stroke(landing: Landing, margin_mm: float) -> None:
    assert called(RETURN, landing).margin_mm == margin_mm


@pytest.mark.parametrize(
    "landing",
    [
        stroke(touches_net=0.01),  # no drop shot: the net does not matter
        stroke(left=replace(MISSED_BOX, touched_mm=0.01, ace_mm=0.01)),
        with_worth(stroke(passed_net=NO), 0.01),
        with_worth(stroke(in_singles=NO, dropshot=0.01), 0.01),
    ],
)
def test_what_cannot_change_the_call_does_not_count(landing: Landing) -> None:
    event = called(RETURN, landing)
    assert abs(event.margin_mm or 0.0) == YES
    assert event.certain


@pytest.mark.parametrize(
    ("landing", "margin_mm"),
    [
        (serve("left", touched=0.9), 0.9),
        (serve("left", touched=-0.9), -0.9),
        (serve("left", ace=-1.2), -1.2),
        (serve("left", ace=1.2), 1.2),
        (serve("left", touches_net=-0.6), -0.6),
        (serve("left", touches_net=0.6), 0.6),
        (serve("left", touches_net=0.6, ace=0.1), 0.6),
        (serve_of_worth(2.0, -3.0), 2.0),
        # Short of the net and beside the box: a fault until both have changed.
        (serve("left", passed_net=-5.0, touched=-7.0), -7.0),
        (serve("left", passed_net=-7.0, touched=-5.0), -7.0),
        # An ace is an ace wherever in the box the dot lies.
        (stroke(left=BoxFacts(touched_mm=YES, ace_mm=1.5, worth_mm=(0.1, NO))), 1.5),
    ],
)
def test_margin_of_a_serve(landing: Landing, margin_mm: float) -> None:
    assert called(FIRST, landing).margin_mm == margin_mm


# What is too close, and what is called then


@pytest.mark.parametrize(
    ("sigma", "margin", "certain"),
    [
        (0.0, 0.29, False),
        (0.0, 0.3, True),
        (0.05, 0.31, True),
        (0.2, 0.59, False),
        (0.2, 0.61, True),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_too_close_within_three_sigma_or_what_a_print_is_good_for(
    sigma: float, margin: float, certain: bool, sign: int
) -> None:
    by_disc = called(RETURN, stroke(in_singles=sign * margin, disc_sigma=sigma))
    by_dot = called(RETURN, stroke(passed_net=sign * margin, dot_sigma=sigma))
    assert (by_disc.certain, by_dot.certain) == (certain, certain)


def test_each_margin_is_weighed_by_its_own_deviation() -> None:
    """The nearest fact may be sure while a farther one, measured worse, is not."""
    event = called(RETURN, stroke(in_singles=0.5, crosscourt=-0.8, dot_sigma=0.4))
    assert (event.margin_mm, event.certain) == (0.5, False)
    assert called(RETURN, stroke(in_singles=0.5, crosscourt=-0.8, disc_sigma=0.1)).certain


@pytest.mark.parametrize("sigma", [0.1, 0.4])
def test_sm_03_in_doubt_a_line_is_touched(sigma: float) -> None:
    near, far = -2.9 * sigma, -3.1 * sigma
    for margin, call in ((near, "in"), (far, "out")):
        assert called(RETURN, stroke(in_singles=margin, disc_sigma=sigma)).call == call
    for margin, call in ((near, "in"), (far, "fault")):
        assert called(FIRST, serve("left", touched=margin, disc_sigma=sigma)).call == call
    for margin, call in ((near, "ace"), (far, "in")):
        assert called(FIRST, serve("left", ace=margin, disc_sigma=sigma)).call == call
    for margin, call in ((near, "let"), (far, "in")):
        assert called(FIRST, serve("left", touches_net=margin, disc_sigma=sigma)).call == call


@pytest.mark.parametrize("sigma", [0.1, 0.4])
def test_sm_02_in_doubt_the_higher_number(sigma: float) -> None:
    near, far = -2.9 * sigma, -3.1 * sigma
    for margin, points in ((near, 2), (far, 1)):
        landing = with_worth(stroke(dot_sigma=sigma), YES, margin)
        assert called(RETURN, landing).points == points
        assert called(FIRST, serve_of_worth(YES, margin, dot_sigma=sigma)).points == points
        assert called(RETURN, stroke(1, crosscourt=margin, dot_sigma=sigma)).points == points
        assert called(RETURN, stroke(1, dropshot=margin, dot_sigma=sigma)).points == points
        on_net = stroke(0, dropshot=YES, touches_net=margin, disc_sigma=sigma)
        assert called(RETURN, on_net).points == points


def test_the_doubt_of_the_disc_is_not_that_of_the_dot() -> None:
    assert called(RETURN, stroke(in_singles=-0.2, dot_sigma=1.0)).call == "out"
    assert called(RETURN, stroke(1, crosscourt=-0.2, disc_sigma=1.0)).points == 1


@pytest.mark.parametrize(("margin", "call"), [(0.01, "in"), (-0.01, "net"), (0.0, "net")])
def test_sm_04_no_benefit_of_the_doubt_at_the_net(margin: float, call: str) -> None:
    event = called(RETURN, stroke(passed_net=margin, dot_sigma=0.5))
    assert (event.call, event.certain) == (call, False)


def test_a_margin_lost_in_arithmetic_is_a_touched_line() -> None:
    """76 + 11 - 87 is zero on paper; whatever a computer makes of it, the ball touches."""
    assert called(RETURN, stroke(in_singles=-1e-13)).call == "in"
    assert called(RETURN, stroke(passed_net=1e-13)).call == "net"


def test_a_stroke_that_was_not_wholly_seen_is_never_certain() -> None:
    """Whatever its margin, and that is told."""
    seen, unseen = called(RETURN, stroke(1)), called(RETURN, stroke(1, unseen=True))
    assert (seen.certain, seen.unseen) == (True, False)
    assert (unseen.certain, unseen.unseen) == (False, True)
    assert (unseen.call, unseen.points, unseen.margin_mm) == (seen.call, seen.points, seen.margin_mm)
    gone = called(RETURN, stroke(off_board=True, unseen=True))
    assert (gone.call, gone.certain, gone.unseen) == ("out", False, True)
    ruled = play(RETURN, stroke(1, unseen=True), Correct(2, "out")).events[1]
    assert isinstance(ruled, Corrected)
    assert ruled.now.certain


# The margin promises: no smaller shift of the facts changes the call, and this one does


def shifted(landing: Landing, shifts: tuple[float, ...]) -> Landing:
    """The landing with each kind of fact shifted by its own amount."""
    net, touch, bounds, ace, cross, drop, one, two, three = shifts

    def of_box(box: BoxFacts) -> BoxFacts:
        return BoxFacts(box.touched_mm + bounds, box.ace_mm + ace, of_worth(box.worth_mm))

    def of_worth(worth_mm: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(m + s for m, s in zip(worth_mm, (one, two, three), strict=True))

    def of_facts(facts: Facts) -> Facts:
        return Facts(
            passed_net_mm=facts.passed_net_mm + net,
            touches_net_mm=facts.touches_net_mm + touch,
            in_singles_mm=facts.in_singles_mm + bounds,
            in_doubles_mm=facts.in_doubles_mm + bounds,
            worth_mm=of_worth(facts.worth_mm),
            crosscourt_mm=facts.crosscourt_mm + cross,
            dropshot_mm=facts.dropshot_mm + drop,
            start_in_court_mm=facts.start_in_court_mm + drop,
            right=of_box(facts.right),
            left=of_box(facts.left),
        )

    return replace(landing, by_a=of_facts(landing.by_a), by_b=of_facts(landing.by_b))


def gist(state: State, landing: Landing) -> tuple[object, ...]:
    event = called(state, landing)
    return event.call, event.points, event.rally_winner


@FEW
@given(
    states(),
    landings(exact=True),
    st.tuples(*[st.floats(-1.0, 1.0)] * 9),
)
def test_no_smaller_shift_changes_the_call(
    state: State, landing: Landing, directions: tuple[float, ...]
) -> None:
    margin_mm = called(state, landing).margin_mm
    assert margin_mm is not None
    smaller = max(0.0, abs(margin_mm) - 1e-6)
    moved = shifted(landing, tuple(smaller * d for d in directions))
    assert gist(state, moved) == gist(state, landing)


@FEW
@given(states(), landings(exact=True))
def test_some_shift_just_larger_changes_the_call(state: State, landing: Landing) -> None:
    margin_mm = called(state, landing).margin_mm
    assert margin_mm is not None
    larger, unmoved = abs(margin_mm) + 1e-6, gist(state, landing)
    assert any(
        gist(state, shifted(landing, tuple(larger * s for s in signs))) != unmoved
        for signs in product((-1, 1), repeat=9)
    )
