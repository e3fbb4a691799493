"""What was undone is done again: as it was called and kept, until something else takes its place."""

from firmware.journal import Acted
from firmware.rules import Correct, ReturnAwaited, Stroke
from tests.firmware.chair.at_the_table import IN_BY_1, OUT_BY_1, SERVED, AtTheTable, lose_a_review, rallying


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
