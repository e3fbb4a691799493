"""A press is about what stood when it began: whatever came between, it does nothing to what came."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.gestures import TWICE_S, Meaning
from firmware.journal import LetStand
from firmware.rules import PlacementAwaited, Press, ServeAwaited, ServerReady, Setup, Side
from firmware.texts import hold_again, press_again
from tests.firmware.chair.at_the_table import (
    IN_BY_1,
    SERVED,
    TEXTS,
    AtTheTable,
    is_nothing,
    rallying,
)
from tests.firmware.chair.test_chair_properties import happen, happenings, places, the_setups

ANOTHER_CALL, ANOTHER_DEED = press_again(TEXTS), hold_again(TEXTS)


def earlier(table: AtTheTable) -> float:
    """When something began that counts only after what comes next."""
    began = table.now_s
    table.now_s += 0.3
    return began


# ------------------------------------------------------------------ undo


def test_a_hold_that_began_before_a_stroke_was_called_does_not_undo_it() -> None:
    table = AtTheTable()
    table.play(SERVED)
    began = earlier(table)
    table.play(IN_BY_1)
    out = table.press("A", "undo", began)
    assert (out.records, out.said) == ((), (ANOTHER_DEED,))
    assert table.notice == ANOTHER_DEED
    assert len(table.chair.match.state.strokes) == 2
    table.press("A", "undo")
    assert len(table.chair.match.state.strokes) == 1
    table.check()


def test_two_sides_that_hold_for_the_same_stroke_undo_it_once() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    began = earlier(table)
    table.press("A", "undo")
    assert table.press("B", "undo", began).said == (ANOTHER_DEED,)
    assert len(table.chair.match.state.strokes) == 1


def test_a_ball_that_is_laid_meanwhile_is_nothing_that_an_undo_would_take_back() -> None:
    table = AtTheTable()
    table.play(SERVED)
    began = earlier(table)
    table.lay((0.0, 0.0))
    assert table.press("A", "undo", began).records
    assert table.chair.match.state.strokes == ()


def test_a_hold_to_leave_the_choices_that_the_other_side_left_undoes_nothing() -> None:
    table = rallying()
    table.overrule()
    began = earlier(table)
    table.press("A", "undo")
    assert table.chair.overruling is None
    assert is_nothing(table.press("B", "undo", began)), "they are left, as was wanted"
    assert len(table.chair.match.state.strokes) == 2


def test_a_hold_that_began_before_the_choices_does_not_leave_them() -> None:
    table = rallying()
    began = earlier(table)
    table.overrule()
    assert is_nothing(table.press("A", "undo", began))
    assert table.chair.overruling is not None


# ------------------------------------------------------------------ what is about a call


@pytest.mark.parametrize("meaning", ["challenge", "flick-fault", "overrule"])
def test_what_began_before_a_call_is_not_about_it_and_that_is_said(meaning: Meaning) -> None:
    table = AtTheTable()
    table.play(SERVED)
    began = earlier(table)
    table.play(IN_BY_1)
    out = table.press(None if meaning == "overrule" else "A", meaning, began)
    assert (out.records, out.review, out.said) == ((), None, (ANOTHER_CALL,))
    assert table.chair.review is table.chair.overruling is None
    assert table.notice == ANOTHER_CALL
    table.check()


def test_a_challenge_that_began_before_an_undo_reviews_no_earlier_stroke() -> None:
    table = rallying()
    began = earlier(table)
    table.press("A", "undo")
    assert table.press("B", "challenge", began).said == (ANOTHER_CALL,)
    assert table.wanted == []


def test_a_confirm_that_began_before_a_call_does_not_accept_it() -> None:
    """Else a flick fault could not be called any more. Nobody wonders: the call is on the panels."""
    table = AtTheTable()
    table.play(SERVED)
    began = earlier(table)
    table.play(IN_BY_1)
    assert is_nothing(table.press("A", "confirm", began))
    assert table.press("A", "flick-fault").records


def test_who_is_ready_to_serve_is_so_whatever_came_between() -> None:
    table = AtTheTable()
    began = earlier(table)
    table.play((70.0, 100.0))  # a fault
    out = table.press("A", "confirm", began)
    assert [type(event) for event in out.events] == [ServerReady]
    table = AtTheTable(Setup("confirmed"))
    began = earlier(table)
    table.lay((-235.0, 34.0))  # on the wrong side, and then where it belongs
    table.lay((-235.0, -34.0))
    assert isinstance(table.chair.match.state.waiting, ServeAwaited)
    assert [type(event) for event in table.press("A", "confirm", began).events] == [ServerReady]
    assert is_nothing(table.press("B", "confirm", began))


# ------------------------------------------------------------------ answers


def overturned() -> tuple[AtTheTable, float]:
    """B's return was in; A is asked, and pressed something before."""
    table = rallying()
    table.press("B", "challenge")
    began = earlier(table)
    table.answer(IN_BY_1)
    return table, began


def flick_fault() -> tuple[AtTheTable, float]:
    """A's serve is said to be none."""
    table = AtTheTable()
    table.play(SERVED)
    began = earlier(table)
    table.press("B", "flick-fault")
    return table, began


@pytest.mark.parametrize("asked", [overturned, flick_fault])
@pytest.mark.parametrize("meaning", ["confirm", "challenge"])
def test_a_press_that_began_before_a_question_is_no_answer(
    asked: Callable[[], tuple[AtTheTable, float]], meaning: Meaning
) -> None:
    table, began = asked()
    question, state = table.notice, table.chair.match.state
    assert table.chair.lights()["A"] == (True, True)
    assert is_nothing(table.press("A", meaning, began))
    assert table.chair.match.state is state
    assert table.notice == question, "it is asked as before"
    assert table.press("A", meaning).records
    table.check()


def test_an_answer_to_a_question_that_was_taken_back_is_none_to_what_stands_then() -> None:
    table, _ = overturned()
    began = earlier(table)
    table.press("B", "undo")
    state = table.chair.match.state
    out = table.press("A", "confirm", began)
    assert [type(event) for event in out.events] == [ServerReady], "A is to serve anyway"
    assert is_nothing(table.press("A", "challenge", began))
    assert is_nothing(table.press("A", "undo", began)), "it was to leave the question, which is left"
    assert table.chair.match.state is state
    assert table.wanted[1:] == []


@pytest.mark.parametrize("meaning", ["undo", "flick-fault"])
def test_what_began_before_an_overturned_call_does_nothing_under_it(meaning: Meaning) -> None:
    table, began = overturned()
    question, state = table.notice, table.chair.match.state
    assert is_nothing(table.press("A", meaning, began))
    assert table.notice == question
    assert table.chair.match.state is state


def test_a_press_that_began_before_the_ball_was_asked_for_is_no_agreement() -> None:
    table = AtTheTable()
    table.play(SERVED)
    began = earlier(table)
    table.lay((0.0, 0.0))
    assert is_nothing(table.press("B", "confirm", began))
    # One that began then is about that place, whoever agreed meanwhile, and about no other.
    began = earlier(table)
    table.press("A", "confirm")
    assert table.press("B", "confirm", began).said == ("Agreed. Play on.",)
    table.lay((0.0, 20.0))
    began = earlier(table)
    table.lay((0.0, -20.0))
    assert is_nothing(table.press("B", "confirm", began))
    assert isinstance(table.chair.match.state.waiting, PlacementAwaited)
    assert table.chair.match.state.waiting.agreed == ()


def test_an_agreement_is_about_the_choice_that_was_highlighted_when_it_began() -> None:
    table = rallying()
    before = earlier(table)
    table.overrule()
    assert is_nothing(table.press("A", "challenge", before))
    assert table.chair.overruling is not None
    assert table.chair.overruling.at == 0
    began = earlier(table)
    table.press("A", "challenge")
    assert is_nothing(table.press("B", "confirm", began))
    assert table.chair.overruling.agreed == ()
    began = earlier(table)
    table.press("A", "confirm")
    table.press("B", "confirm", began)
    assert table.last.ruled, "who agrees changes nothing of what the other agrees to"


def test_what_began_among_choices_that_were_left_does_nothing_afterwards() -> None:
    table = rallying()
    table.overrule()
    began = earlier(table)
    table.press("A", "undo")
    assert is_nothing(table.press("B", "challenge", began))
    assert is_nothing(table.press("B", "confirm", began))
    assert table.chair.review is None
    assert table.chair.match.state.standing.accepted == ()


def test_both_sides_that_hold_confirm_among_choices_leave_them() -> None:
    table = rallying()
    table.overrule()
    assert is_nothing(table.press(None, "menu"))
    assert table.chair.overruling is None


# ------------------------------------------------------------------ two presses where one is asked for


@pytest.mark.parametrize("second", ["challenge", "flick-fault"])
def test_who_contests_with_two_presses_has_contested(second: Meaning) -> None:
    for asked in (overturned, flick_fault):
        table, _ = asked()
        assert table.chair.answering == {"A"}
        began = table.now_s
        assert table.press("A", "challenge").records
        notice, state = table.notice, table.chair.match.state
        table.now_s = began + TWICE_S - 0.1
        assert is_nothing(table.press("A", second))
        assert table.notice == notice
        assert table.chair.match.state is state
    assert isinstance(overturned()[0].press("A", "challenge").records[0], LetStand)


def test_a_later_challenge_is_one_of_its_own() -> None:
    table, _ = overturned()
    began = table.now_s
    table.press("A", "challenge")
    table.now_s = began + TWICE_S
    assert table.press("A", "challenge").said == ("Overturned: In, 2 points. B, confirm or challenge.",)


def test_only_who_is_asked_answers_with_each_press() -> None:
    table = rallying()
    assert table.chair.answering == frozenset()
    table.overrule()
    assert table.chair.answering == {"A", "B"}
    for press in range(3):
        table.press("A", "challenge")
        assert table.chair.overruling is not None
        assert table.chair.overruling.at == press + 1, "each of quick presses is a step"


# ------------------------------------------------------------------ whatever came before


@given(
    the_setups,
    happenings,
    places,
    st.sampled_from(["A", "B"]),
    st.sampled_from(["confirm", "challenge", "flick-fault", "undo", "overrule"]),
)
def test_nothing_that_began_before_a_call_touches_it(
    setup: Setup, happened: list[tuple[object, ...]], to: tuple[float, float], side: Side, meaning: Meaning
) -> None:
    table = AtTheTable(setup)
    for what in happened:
        happen(table, what)
    before, began = len(table.chair.match.state.strokes), earlier(table)
    table.play(to)
    state, wanted = table.chair.match.state, len(table.wanted)
    if len(state.strokes) == before:
        return
    out = table.press(None if meaning == "overrule" else side, meaning, began)
    assert table.chair.match.state is state
    assert len(table.wanted) == wanted
    assert table.chair.overruling is None
    ready = [record.action for record in out.records]  # type: ignore[union-attr]
    assert ready in ([], [Press("confirm", side)])
    assert bool(ready) == any(isinstance(event, ServerReady) for event in out.events)
    table.check()
