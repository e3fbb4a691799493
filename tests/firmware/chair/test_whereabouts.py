"""Where the ball lies: it is asked for where it belongs, however the match came back there (SM-19)."""

from dataclasses import replace

import pytest

from firmware.chair.outgoing import Outgoing
from firmware.gestures import Meaning
from firmware.journal import Acted, LetStand
from firmware.match import BOTH_SIDES
from firmware.rules import Lay, PlacementAwaited, ReturnAwaited, ServeAwaited
from firmware.umpire.observations import BumpSeen, PlacementSeen, RestSeen
from firmware.umpire.rest import Point
from tests.firmware.chair.at_the_table import (
    IN_BY_1,
    NOON,
    SERVE_FROM,
    SERVED,
    AtTheTable,
    Lamps,
    is_nothing,
    rallying,
)
from tests.firmware.test_match import rest, stroke


def test_a_match_that_goes_on_asks_for_the_ball_where_it_lay() -> None:
    table = AtTheTable()
    table.play(SERVED)
    chair = table.resumed()
    elsewhere = RestSeen(1.0, 4, rest((150.0, 0.0)))
    out = chair.observe(elsewhere, 1.0, NOON)
    assert out.said == ("Ball moved. B, put it back, or both confirm.",)
    assert chair.match.wanted_mm() == SERVED
    # A second ball that comes to lie there is no matter.
    assert is_nothing(chair.observe(RestSeen(1.5, 5, rest((30.0, 0.0))), 1.5, NOON))
    there = PlacementSeen(2.0, 4, None, rest(SERVED))
    assert chair.observe(there, 2.0, NOON).said == ("Ball back. B to play.",)


def test_a_match_that_goes_on_with_the_ball_in_its_place_says_nothing() -> None:
    table = AtTheTable()
    table.play(SERVED)
    assert is_nothing(table.resumed().observe(RestSeen(1.0, 4, rest((70.4, 54.3))), 1.0, NOON))


def test_a_ball_that_a_knock_moved_is_put_back_unless_it_is_another() -> None:
    table = AtTheTable()
    table.play(SERVED)
    knocked = BumpSeen(0.0, 1, rest(SERVED), rest((80.0, 54.0)))
    assert is_nothing(table.see(replace(knocked, ball=2)))
    assert table.see(knocked).said == ("Ball moved. B, put it back, or both confirm.",)
    # Another ball is played with from now on.
    table.see(PlacementSeen(0.0, 2, None, rest(SERVED)))
    assert is_nothing(table.see(knocked))
    assert table.see(replace(knocked, ball=2)).said
    table.see(PlacementSeen(0.0, 2, None, rest(SERVED)))
    table.see(replace(stroke(rest(SERVED), rest(IN_BY_1)), ball=3))
    moved = rest((-220.0, 20.0))
    assert is_nothing(table.see(BumpSeen(0.0, 2, rest(IN_BY_1), moved)))
    assert table.see(BumpSeen(0.0, 3, rest(IN_BY_1), moved)).said
    table.check()


def fetched() -> AtTheTable:
    """A has served 1; B returned it out, 5 mm beyond the baseline, and A has fetched the ball to serve."""
    table = AtTheTable()
    table.play(SERVED)
    table.play((-236.0, 20.0))
    assert table.last.call == "out"
    assert is_nothing(table.lay(SERVE_FROM))
    return table


PUT_BACK = "Ball moved. {}, put it back, or both confirm."
BOTH_CONFIRM: Lamps = {"A": (True, False), "B": (True, False)}


def is_asked_for(table: AtTheTable, at_mm: Point, out: Outgoing) -> None:
    """The ball has to be laid there, which is said and kept, and no stroke counts before."""
    waiting = table.chair.match.state.waiting
    assert isinstance(waiting, PlacementAwaited)
    assert table.chair.match.wanted_mm() == at_mm
    assert out.said[0].endswith(PUT_BACK.format(waiting.seat[0]))
    lay = out.records[-1]
    assert isinstance(lay, Acted)
    assert isinstance(lay.action, Lay)
    assert lay.captured_at is not None, "it was seen, not pressed"
    assert table.chair.lights() == BOTH_CONFIRM
    strokes = len(table.chair.match.state.strokes)
    table.check()
    table.play((100.0, 10.0), from_mm=SERVE_FROM)
    assert len(table.chair.match.state.strokes) == strokes
    table.lay(at_mm)
    assert isinstance(table.chair.match.state.waiting, ReturnAwaited)
    table.check()


def test_sm19_a_ball_fetched_before_both_overrule_the_call_is_laid_back() -> None:
    table = fetched()
    table.overrule()
    while not (table.notice or "").startswith("Stroke 2: In"):
        table.press("B", "challenge")
    table.press("A", "confirm")
    is_asked_for(table, (-236.0, 20.0), table.press("B", "confirm"))


def test_sm19_a_ball_fetched_before_a_review_overturns_the_call_is_laid_back() -> None:
    table = fetched()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    is_asked_for(table, (-236.0, 20.0), table.press("A", "confirm"))


def test_sm19_a_ball_is_laid_back_where_it_lay_before_a_stroke_that_is_undone() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    is_asked_for(table, SERVED, table.press("A", "undo"))


def test_sm19_both_may_play_on_from_where_the_ball_was_fetched_to() -> None:
    table = fetched()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "confirm")
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.match.state.waiting == ReturnAwaited("A1", False, SERVE_FROM)


def test_a_ball_that_was_left_where_it_lies_is_not_asked_for() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    assert len(table.press("A", "confirm").records) == 1
    assert isinstance(table.chair.match.state.waiting, ReturnAwaited)
    # An undo of it leads to a serve, for which the ball is fetched anyway.
    assert len(table.press("A", "undo").records) == 1
    assert isinstance(table.chair.match.state.waiting, ServeAwaited)


def test_of_a_ball_that_left_the_board_nobody_knows_where_it_lies() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(None)
    assert len(table.press("A", "undo").records) == 1
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, SERVED)
    # It is seen when it is laid.
    assert table.lay((60.0, 0.0)).said == (PUT_BACK.format("B"),)


def test_a_contested_stroke_is_played_again_by_agreement_from_where_the_ball_lies_now() -> None:
    """It may have been fetched before the flick fault was called."""
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.lay((0.0, 50.0))
    table.press("A", "flick-fault")
    table.press("B", "challenge")
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, (0.0, 50.0))
    table.check()


def test_a_ball_moved_while_nothing_was_scored_is_asked_for_when_it_is_again() -> None:
    table = AtTheTable()
    table.play(SERVED)
    assert is_nothing(table.take(table.chair.settle(table.now_s, table.wall_time)))
    table.chair.overlook(PlacementSeen(0.0, 1, None, rest((0.0, 50.0))))
    out = table.take(table.chair.settle(table.now_s, table.wall_time))
    assert out.said == (PUT_BACK.format("B"),)
    table.lay(SERVED)
    table.play((-240.0, 20.0))
    # A serve is played from behind the baseline: it is no matter where the ball lies before.
    table.chair.overlook(PlacementSeen(0.0, 1, None, rest((0.0, 50.0))))
    assert is_nothing(table.take(table.chair.settle(table.now_s, table.wall_time)))
    table.check()


def overturned_and_played() -> AtTheTable:
    """A's serve, worth 1, is overturned to worth 0; B has returned it without waiting for the answer."""
    table = AtTheTable()
    table.play(SERVED)
    table.press("A", "challenge")
    table.answer((70.0, 30.0))
    strokes = table.chair.match.state.strokes
    table.play((-100.0, 10.0), from_mm=SERVED)
    assert table.chair.match.state.strokes == strokes
    return table


@pytest.mark.parametrize("meaning", ["challenge", "undo"])
def test_sm19_a_ball_played_before_a_call_was_let_stand_is_laid_back(meaning: Meaning) -> None:
    table = overturned_and_played()
    out = table.press("B", meaning)
    assert isinstance(out.records[0], LetStand)
    assert out.said[0] == "The first call stands. In, 1 point."
    assert len(out.said) == 2
    assert table.last.points == 1
    is_asked_for(table, SERVED, replace(out, said=out.said[1:]))


def test_a_call_that_is_let_stand_leaves_an_agreement_as_it_is() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.lay((100.0, 0.0))
    table.press("A", "confirm")
    table.press("A", "challenge")
    table.answer((70.0, 30.0))
    assert len(table.press("B", "challenge").records) == 1
    waiting = table.chair.match.state.waiting
    assert isinstance(waiting, PlacementAwaited)
    assert waiting.agreed == ("A",)


def test_what_is_agreed_on_after_a_stroke_that_did_not_count_is_where_it_came_to() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.lay((100.0, 0.0))
    table.play((-100.0, 10.0), from_mm=(100.0, 0.0))
    assert len(table.chair.match.state.strokes) == 1
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, (-100.0, 10.0))
    # It lies where both agreed: nothing is asked when it is seen anew, or nudged a little.
    table.chair.look_anew()
    assert is_nothing(table.see(RestSeen(0.0, 9, rest((-100.0, 10.5)))))
    table.check()


def test_a_stroke_that_does_not_count_and_ends_in_the_right_place_leaves_nothing_to_put_back() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.lay((100.0, 0.0))
    table.play(SERVED, from_mm=(100.0, 0.0))
    assert len(table.chair.match.state.strokes) == 1
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, SERVED)
    table.check()


def test_a_chair_of_the_same_umpire_knows_where_the_ball_lies() -> None:
    table = AtTheTable()
    table.play(SERVED)
    before, table.chair = table.resumed(), table.resumed()
    before.overlook(RestSeen(0.0, 4, rest((100.0, 0.0))))
    table.chair.see_on(before)
    out = table.take(table.chair.settle(table.now_s, table.wall_time))
    assert out.said == (PUT_BACK.format("B"),)
    assert is_nothing(table.see(RestSeen(0.0, 5, rest((30.0, 0.0))))), "the ball in play is known"
    table.check()
