"""Overruling: which calls a stroke can be given, none twice, and what two sides make of them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.chair.overruling import Overruling, last_that_counts, overruling_of_last, ruled_as
from firmware.rules import (
    PRESETS,
    Action,
    Call,
    Called,
    Correct,
    Corrected,
    DecisionAwaited,
    IllegalAction,
    Landing,
    Lay,
    PlacementAwaited,
    Preset,
    Press,
    ServeAwaited,
    Setup,
    State,
    Stroke,
    replay,
    start,
    step,
)
from tests.rules.builder import ANYWHERE, NET, OUT, YES, box, stroke
from tests.rules.strategies import ACTIONS, end_of_walk, setups

GOOD = box(1)
SERVE = stroke(1, right=GOOD, left=GOOD)
ACE = stroke(1, right=box(1, ace=YES), left=box(1, ace=YES))
FAULT = stroke(in_singles=-40.0)
"""A serve that misses both boxes, and the court too."""


def played(setup: Setup, *landings: Landing) -> State:
    """A match with these strokes, the ball laid on the 0 wherever a beginner has to."""
    state = start(setup)
    for landing in landings:
        if isinstance(state.waiting, PlacementAwaited):
            state = step(state, Lay(ANYWHERE)).state
        state = step(state, Stroke(landing)).state
    return state


def overruling(state: State) -> Overruling:
    found = overruling_of_last(state)
    assert found is not None
    return found


def offered(state: State) -> list[str]:
    """The choices as players would tell them: the call, and its points where they matter."""
    told = []
    for choice in overruling(state).choices:
        points = choice.called.points if choice.called.call in ("in", "winner") else None
        told.append(choice.called.call if points is None else f"{choice.called.call} {points}")
    return told


# A good serve without points brings the marker nowhere, 3 bring it to POINT!, and more cannot do more.
FIRST_SERVES: dict[Preset, list[str]] = {
    "discovery": ["in 1", "in 0", "in 2", "in 3", "let", "ace", "fault"],
    "confirmed": ["in 1", "in 0", "in 2", "in 3", "let", "ace", "fault"],
    # The first serve's own point is in what was measured.
    "advanced": ["in 2", "in 0", "in 1", "in 3", "let", "ace", "fault"],
    "simplified": ["in 1", "in 0", "in 2", "in 3", "let", "ace", "fault"],
    "children": ["in 1", "in 0", "in 2", "in 3", "let", "fault"],  # no aces
}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_first_serve_can_be_whatever_a_first_serve_can_be(preset: Preset) -> None:
    assert offered(played(Setup(preset), SERVE)) == FIRST_SERVES[preset]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_second_serve_that_missed_is_called_so_first(preset: Preset) -> None:
    missed = "fault" if preset == "discovery" else "double-fault"  # a beginner's second is laid on the 0
    aces = [] if preset == "children" else ["ace"]
    points = ["in 0", "in 1", "in 2", "in 3"]
    assert offered(played(Setup(preset), FAULT, FAULT)) == [missed, *points, "let", *aces]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_return_can_be_whatever_a_return_can_be(preset: Preset) -> None:
    """B returns from A's 1, or 2 where a first serve earns one: 4 or 5 win."""
    lead = 2 if preset == "advanced" else 1
    good = [f"in {points}" for points in range(3 + lead)]
    every = [*good, f"winner {3 + lead}", "net", "flick-fault"]
    assert offered(played(Setup(preset), SERVE, OUT)) == ["out", *every]


def test_a_winner_is_offered_once_and_other_points_than_it_had_do_nothing_new() -> None:
    state = played(Setup("confirmed"), SERVE, stroke(0), stroke(3))
    assert offered(state) == ["winner 3", "in 0", "in 1", "out", "net", "flick-fault"]


def test_a_return_under_pressure_can_be_for_nothing_or_win_from_the_opponents_point() -> None:
    state = played(Setup("confirmed"), stroke(3, right=box(3), left=box(3)), stroke(1))
    assert state.strokes[-1].awaited.pressure  # type: ignore[union-attr]
    found = offered(state)
    assert found == ["in 1", "in 0", "in 2", "in 3", "in 4", "in 5", "winner 6", "out", "net", "flick-fault"]
    lost = overruling(state).choices[1].called
    assert lost.rally_winner == "A"


def test_without_a_stroke_that_counts_there_is_nothing_to_overrule() -> None:
    setup = Setup("confirmed")
    assert overruling_of_last(start(setup)) is None
    contested = step(played(setup, SERVE), Press("flick-fault", "B")).state
    contested = step(contested, Press("challenge", "A")).state
    assert contested.strokes[-1].called.call == "void"
    assert overruling_of_last(contested) is None


def test_the_last_stroke_that_counts_is_overruled_though_a_void_one_came_after() -> None:
    state = step(played(Setup("confirmed"), SERVE, stroke(1)), Press("flick-fault", "A")).state
    state = step(state, Press("challenge", "B")).state
    assert overruling(state).stroke.called.number == 1
    after = step(state, overruling(state).choices[1].ruling).state
    assert after.strokes[0].called.points == 0


def test_stepping_goes_through_all_choices_and_begins_anew() -> None:
    first = dialog = overruling(played(Setup("confirmed"), SERVE))
    for choice in dialog.choices:
        assert dialog.choice == choice
        dialog = dialog.stepped()
    assert dialog == first


def test_both_sides_decide_and_one_of_them_twice_does_not() -> None:
    dialog = overruling(played(Setup("confirmed"), SERVE)).confirmed("A")
    assert dialog.agreed == ("A",)
    assert not dialog.confirmed("A").decided
    assert dialog.confirmed("B").decided


def test_who_steps_on_takes_back_every_agreement() -> None:
    dialog = overruling(played(Setup("confirmed"), SERVE)).confirmed("A").stepped()
    assert not dialog.confirmed("B").decided


def test_a_ruling_of_no_stroke_or_that_a_stroke_cannot_have_is_none() -> None:
    state = played(Setup("confirmed"), SERVE, OUT)
    for ruling in (Correct(0, "in"), Correct(3, "in"), Correct(2, "let"), Correct(1, "void"), Correct(1)):
        assert ruled_as(state, ruling) is None


RULED: tuple[Call, ...] = ("in", "out", "net", "let", "ace", "fault", "winner")


def told(called: Called) -> tuple[object, ...]:
    return called.number, called.seat, called.call, called.points, called.marker, called.rally_winner


def counted(state: State, ruling: Correct) -> Called | None:
    """What the whole match, counted anew, makes of a ruling."""
    try:
        events = step(state, ruling).events
    except IllegalAction:
        return None
    return next(event.now for event in events if isinstance(event, Corrected))


@given(setups(), ACTIONS)
def test_every_choice_is_what_the_ruling_comes_to(setup: Setup, actions: list[Action]) -> None:
    state = end_of_walk(setup, actions)
    dialog = overruling_of_last(state)
    if dialog is None:
        assert last_that_counts(state) is None
        return
    last = dialog.stroke
    assert dialog.choices[0].called == last.called
    effects = {(c.called.call, c.called.marker, c.called.rally_winner) for c in dialog.choices}
    assert len(effects) == len(dialog.choices)
    assert all(choice.called.score == state.score for choice in dialog.choices[1:])
    calls = {choice.called.call for choice in dialog.choices}
    assert {"in", "let"} <= calls if isinstance(last.awaited, ServeAwaited) else {"out", "net"} <= calls
    if isinstance(state.waiting, DecisionAwaited):
        return  # the flick fault is decided first
    for choice in dialog.choices:
        whole = counted(state, choice.ruling)
        assert whole is not None
        assert told(whole) == told(choice.called)


@given(setups(), ACTIONS, st.data())
def test_any_stroke_is_ruled_alone_as_in_the_whole_match(
    setup: Setup, actions: list[Action], data: st.DataObject
) -> None:
    state = end_of_walk(setup, actions)
    if not state.strokes or isinstance(state.waiting, DecisionAwaited):
        return
    number = data.draw(st.integers(1, len(state.strokes)))
    ruling = Correct(number, data.draw(st.sampled_from(RULED)))
    alone, whole = ruled_as(state, ruling), counted(state, ruling)
    if whole is not None:
        assert alone is not None
        assert told(alone) == told(whole)


def test_markers_rise_with_the_points_that_are_offered() -> None:
    """What is stepped through comes in an order that people can follow."""
    choices = overruling(played(Setup("confirmed"), SERVE, NET)).choices
    good = [c.called.marker for c in choices if c.called.call in ("in", "winner")]
    assert all(later < former for former, later in pairwise(good))


def test_replaying_the_match_leaves_its_choices_as_they_were() -> None:
    state = played(Setup("advanced"), SERVE, stroke(1), ACE)
    again = replay(state.setup, state.actions).state
    assert overruling_of_last(again) == overruling_of_last(state)
