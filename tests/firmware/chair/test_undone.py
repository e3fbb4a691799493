"""What was undone is done again: as it was called and kept, until something else takes its place."""

from firmware.journal import Acted
from firmware.match import BOTH_SIDES
from firmware.rules import Correct, PlacementAwaited, Press, ReturnAwaited, ServeAwaited, Setup, Stroke
from firmware.umpire.rest import Point
from tests.firmware.chair.at_the_table import (
    IN_BY_1,
    OUT_BY_1,
    SERVE_FROM,
    SERVED,
    AtTheTable,
    lose_a_review,
    rallying,
)


def redo(table: AtTheTable) -> list[object]:
    """What was done again."""
    out = table.take(table.chair.redo(table.now_s, table.wall_time))
    return [record.action for record in out.records if isinstance(record, Acted)]


def test_a_stroke_that_was_undone_counts_again_with_what_was_measured_of_it() -> None:
    table = rallying()
    before, line = table.chair.match.state, table.lines[-1]
    table.press("A", "undo")
    assert table.notice is not None
    assert table.notice.startswith("Stroke 2 undone."), "it is read, too"
    assert table.chair.can_redo
    assert [type(action) for action in redo(table)] == [Stroke]
    assert table.chair.match.state.strokes == before.strokes
    assert table.chair.match.state.score == before.score
    assert table.lines[-1] == line
    assert not table.chair.can_redo
    table.check()


def test_several_are_done_again_the_latest_first_also_a_match_point_and_a_ruling() -> None:
    table = AtTheTable()
    while not any(table.chair.match.state.score.games):
        table.play(None)
    table.overrule()
    table.press("A", "challenge")
    for side in ("A", "B"):
        table.press(side, "confirm")  # type: ignore[arg-type]
    after = table.chair.match.state
    for _ in range(5):
        table.press("B", "undo")
    done = [redo(table)[0] for _ in range(5)]
    assert [type(action) for action in done] == [Stroke] * 4 + [Correct]
    assert table.chair.match.state.strokes == after.strokes
    assert table.chair.match.state.standing == after.standing
    table.check()


def test_the_ball_that_was_laid_back_meanwhile_is_asked_for_where_the_stroke_had_left_it() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.press("A", "undo")
    table.lay(SERVED)
    redo(table)
    assert table.chair.match.wanted_mm() == IN_BY_1
    table.lay(IN_BY_1)
    assert table.chair.match.state.waiting == ReturnAwaited("A1", False, IN_BY_1)
    table.check()


def test_once_something_else_was_done_nothing_can_be_done_again() -> None:
    table = rallying()
    table.press("A", "undo")
    table.lay(SERVED)
    assert table.chair.can_redo, "a ball that is laid takes nothing's place"
    table.play(IN_BY_1)
    assert not table.chair.can_redo
    state = table.chair.match.state
    assert redo(table) == []
    assert table.chair.match.state is state
    assert table.notice == "Nothing is left to undo. Play on."


def test_after_a_restart_it_can_be_done_again_as_before() -> None:
    table = rallying()
    before = table.chair.match.state.strokes
    table.press("A", "undo")
    table.chair = table.resumed()
    redo(table)
    assert table.chair.match.state.strokes == before


def test_a_review_that_was_lost_is_lost_again_and_the_stroke_keeps_its_pictures() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    table.press("A", "undo")
    redo(table)
    assert table.press("A", "challenge").said == ("The call stands. Fault.",), "it was looked at already"
    table.play((70.0, 101.0))
    assert table.press("A", "challenge").said == ("A has no review left.",)
    table = rallying()
    table.press("A", "undo")
    redo(table)
    wanted = table.press("B", "challenge").review
    assert wanted is not None
    assert wanted.stroke.rest is not None
    assert wanted.stroke.rest.about_mm == OUT_BY_1


AGREED: Point = (100.0, 0.0)
"""Where a hand moved the ball, and both agreed to play on from."""


def agreed() -> AtTheTable:
    """A has served, the ball was moved, and both have agreed to that."""
    table = AtTheTable()
    table.play(SERVED)
    table.lay(AGREED)
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, AGREED)
    return table


def test_an_agreement_is_done_again_whole_and_the_stroke_that_was_played_on_it_after_it() -> None:
    table = agreed()
    table.play((-100.0, 10.0))
    strokes = table.chair.match.state.strokes
    assert len(strokes) == 2
    table.press("A", "undo")
    table.press("A", "undo")
    done = redo(table)
    assert done[:3] == [table.chair.match.lay_of(AGREED), Press("confirm", "A"), Press("confirm", "B")]
    assert table.chair.match.wanted_mm() == AGREED, "the ball lies where the stroke had left it"
    assert [type(action) for action in redo(table)] == [Stroke]
    assert table.chair.match.state.strokes == strokes
    assert table.chair.match.state.waiting == ReturnAwaited("A1", False, (-100.0, 10.0))
    assert not table.chair.can_redo
    table.check()


def test_an_agreement_is_done_again_where_the_ball_was_not_touched_and_where_it_was_put_back() -> None:
    table = agreed()
    table.press("A", "undo")
    assert redo(table) == [Press("confirm", "B")]
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, AGREED)
    table.press("A", "undo")
    table.lay(SERVED)
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, SERVED)
    redo(table)
    assert table.chair.match.wanted_mm() == AGREED
    table.lay(AGREED)
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, AGREED)
    table.check()


def test_who_agree_again_by_hand_in_another_order_lose_nothing_of_what_was_undone() -> None:
    table = agreed()
    table.play((-100.0, 10.0))
    strokes = table.chair.match.state.strokes
    table.press("A", "undo")
    table.press("A", "undo")
    table.lay(AGREED)
    for side in reversed(BOTH_SIDES):
        table.press(side, "confirm")
    table.chair = table.resumed()
    assert [type(action) for action in redo(table)] == [Stroke]
    assert table.chair.match.state.strokes == strokes


def test_who_agree_on_another_place_have_done_something_else() -> None:
    table = agreed()
    table.play((-100.0, 10.0))
    table.press("A", "undo")
    table.press("A", "undo")
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, (-100.0, 10.0))
    assert not table.chair.can_redo


def test_an_agreement_on_a_contested_stroke_is_done_again() -> None:
    """No hand laid the ball there: it lay where that stroke had ended."""
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.press("A", "flick-fault")
    table.press("B", "challenge")
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, IN_BY_1)
    table.press("A", "undo")
    table.lay(SERVED)
    redo(table)
    table.lay(IN_BY_1)
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, IN_BY_1)
    table.check()


def test_who_admits_a_flick_fault_again_does_no_more_than_that() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.press("A", "flick-fault")
    table.press("B", "confirm")
    table.press("A", "undo")
    assert redo(table) == [Press("confirm", "B")]
    assert table.last.call == "flick-fault"
    assert not table.chair.can_redo
    table.check()


def test_an_agreement_on_where_to_serve_from_is_done_again() -> None:
    table = AtTheTable(Setup("confirmed"))
    wrong: Point = (-235.0, 60.0)
    table.lay(wrong)
    assert isinstance(table.chair.match.state.waiting, PlacementAwaited)
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    after = table.chair.match.state.standing
    assert after.ball_mm == wrong
    table.press("A", "undo")
    table.lay(SERVE_FROM)
    assert isinstance(table.chair.match.state.waiting, ServeAwaited)
    redo(table)
    assert table.chair.match.state.standing == after
    table.check()


def test_an_agreement_to_play_on_without_a_ball_on_the_0_is_done_again() -> None:
    """Nobody had laid the ball anywhere that the rules were told of."""
    table = AtTheTable(Setup("discovery"))
    for _ in range(2):
        table.play((70.0, 101.0))
    assert isinstance(table.chair.match.state.waiting, PlacementAwaited)
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    table.play((-100.0, 10.0), from_mm=AGREED)
    assert len(table.chair.match.state.strokes) == 3
    called = table.last
    table.press("A", "undo")
    table.press("A", "undo")
    assert redo(table) == [Press("confirm", "A"), Press("confirm", "B")]
    assert [type(action) for action in redo(table)] == [Stroke]
    assert table.last == called
    table.check()
