"""Where the ball has to lie in a rally is told at the table, whatever led back there while the ball was
fetched, in hand, or not watched; and no stroke from elsewhere counts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.daemon.ledger import RETRY_S
from firmware.daemon.parts import LayBackDrawing
from firmware.journal import JournalError
from firmware.match import Match
from firmware.rules import PlacementAwaited, ReturnAwaited
from firmware.setting_up import TRIES
from firmware.texts import match_unkept
from firmware.umpire.observations import PlacementSeen, RestSeen
from firmware.umpire.rest import Point
from hardware.button import Button
from tests.faults.bench import ENGLISH, RETURNED, SERVE_FROM, SERVED, Bench
from tests.firmware.daemon.test_looking import NO_BOARD, found, tried
from tests.firmware.places import Place
from tests.firmware.test_match import rest, stroke

OUT: Point = (-240.0, 20.0)
"""A return of B's beyond A's baseline."""
AT_OUT, AT_SERVED = "240 mm from the net, 20 mm left", "70 mm from the net, 54 mm right"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A has served, B has returned it out."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play(OUT)
    assert bench.board.last is not None
    assert bench.board.last.call == "out"
    return bench


def lay(bench: Bench, at_mm: Point) -> None:
    bench.see(PlacementSeen(0.0, 1, None, rest(at_mm)))


def review(bench: Bench) -> None:
    """B's review finds that the return was in, and A confirms."""
    bench.answer = Place(RETURNED, RETURNED)
    bench.press("B", "challenge")
    bench.work.pop()()
    bench.turn()
    bench.press("A", "confirm")


def overrule(bench: Bench) -> None:
    """Both agree that the return was in."""
    for side in "AB":
        bench.buttons.press(Button(side, "challenge"), bench.clock.now + 0.01, 2.3)  # type: ignore[arg-type]
    bench.turn(2.6)
    bench.press("A", "challenge")
    assert "In" in (bench.notice() or "")
    for side in "AB":
        bench.press(side, "confirm")  # type: ignore[arg-type]


def is_told(bench: Bench, spot: str, at_mm: Point) -> None:
    """People read and see where the ball belongs."""
    bench.turn(10.0)
    assert spot in (bench.notice() or "")
    drawn = bench.panels.pictures["game"]
    assert isinstance(drawn, LayBackDrawing)
    assert drawn.at_mm == at_mm
    bench.panels.check_glass()


def is_not_told(bench: Bench) -> None:
    bench.turn(10.0)
    assert bench.notice() is None
    assert not isinstance(bench.panels.pictures["game"], LayBackDrawing)


@pytest.mark.parametrize("led_back", [review, overrule])
@pytest.mark.parametrize("laid", [True, False], ids=["laid to serve", "in hand"])
def test_a_call_that_is_changed_after_the_ball_was_fetched(
    bench: Bench, led_back: Callable[[Bench], None], laid: bool
) -> None:
    if laid:
        lay(bench, SERVE_FROM)
    else:
        bench.take_ball()
    led_back(bench)
    is_told(bench, AT_OUT, OUT)
    if not laid:
        lay(bench, SERVE_FROM)
    bench.see(stroke(rest(SERVE_FROM), rest((100.0, 10.0))))
    assert bench.strokes == 2, "played from there it does not count"
    lay(bench, OUT)
    is_not_told(bench)
    assert bench.daemon.chair.match.state.waiting == ReturnAwaited("A1", False, OUT)
    bench.play((100.0, 10.0))
    assert bench.strokes == 3


def test_a_call_that_is_changed_before_the_ball_was_touched_asks_for_nothing(
    bench: Bench,
) -> None:
    overrule(bench)
    is_not_told(bench)
    assert isinstance(bench.daemon.chair.match.state.waiting, ReturnAwaited)


def test_an_undo_while_the_ball_lies_beside_the_board(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play(None)
    bench.press("B", "confirm", for_s=2.3)
    is_told(bench, AT_SERVED, SERVED)
    lay(bench, SERVED)
    is_not_told(bench)


def test_a_hand_that_covers_the_ball_while_a_button_is_pressed_is_no_hand_that_took_it(bench: Bench) -> None:
    lying = bench.umpire.balls
    bench.take_ball()
    overrule(bench)
    is_told(bench, AT_OUT, OUT)
    bench.umpire.balls = lying  # the hand is away; nothing is reported of a ball that never moved
    is_not_told(bench)


def test_the_board_is_found_anew_in_a_rally_for_which_the_ball_was_taken_off(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.take_ball()
    bench.daemon.calibrate()
    tried(bench, found("second"))
    assert not bench.daemon.seeks
    is_told(bench, AT_SERVED, SERVED)
    bench.see(RestSeen(0.0, 7, rest((100.0, 0.0))))
    assert isinstance(bench.daemon.chair.match.state.waiting, PlacementAwaited)
    is_told(bench, AT_SERVED, SERVED)
    bench.see(PlacementSeen(0.0, 7, None, rest(SERVED)))
    is_not_told(bench)


def test_a_ball_that_was_moved_while_the_board_was_sought_in_vain(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.daemon.calibrate()
    lay(bench, (100.0, 0.0))
    assert isinstance(bench.daemon.chair.match.state.waiting, ReturnAwaited), "nothing is scored meanwhile"
    tried(bench, *[NO_BOARD] * TRIES)
    assert not bench.daemon.seeks
    is_told(bench, AT_SERVED, SERVED)


def test_a_ball_that_was_played_while_nothing_could_be_kept(bench: Bench) -> None:
    """The stroke is none, and the ball lies elsewhere."""
    overrule(bench)
    bench.journal.full = 1_000_000
    bench.play((100.0, 10.0))
    assert bench.daemon.paused
    bench.see(stroke(rest((100.0, 10.0)), rest((-100.0, 10.0))))
    bench.journal.full = 0
    bench.turn(RETRY_S + 0.5)
    assert not bench.daemon.paused
    assert bench.strokes == 3, "the one that was called before"
    is_told(bench, "100 mm from the net, 10 mm", (100.0, 10.0))


def test_a_ball_that_was_played_before_a_call_was_let_stand(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.answer = Place((70.0, 30.0), (70.0, 30.0))
    bench.press("A", "challenge")
    bench.work.pop()()
    bench.turn()
    bench.see(stroke(rest(SERVED), rest((-100.0, 10.0))))
    assert bench.strokes == 1, "nothing is played before the answer"
    bench.press("B", "challenge")
    is_told(bench, AT_SERVED, SERVED)
    bench.see(stroke(rest((-100.0, 10.0)), rest((-150.0, 0.0))))
    assert bench.strokes == 1
    lay(bench, SERVED)
    is_not_told(bench)


def test_a_ball_that_is_in_hand_when_a_call_is_let_stand(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.answer = Place((70.0, 30.0), (70.0, 30.0))
    bench.press("A", "challenge")
    bench.work.pop()()
    bench.turn()
    bench.take_ball()
    bench.press("B", "challenge")
    is_told(bench, AT_SERVED, SERVED)


def test_a_ball_that_was_moved_before_the_journal_could_be_read(tmp_path: Path) -> None:
    """The umpire tells of it once, while nothing is scored yet."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.drop()
    bench = Bench(tmp_path, unread=[JournalError("it is held", "busy")] * 2)
    bench.see(RestSeen(0.0, 1, rest((100.0, 0.0))))
    assert bench.notice() == match_unkept("busy", ENGLISH)
    bench.turn(3 * RETRY_S)
    is_told(bench, AT_SERVED, SERVED)
    bench.see(stroke(rest((100.0, 0.0)), rest((-100.0, 10.0))))
    assert bench.strokes == 1, "played from there it does not count"
    lay(bench, SERVED)
    is_not_told(bench)


def test_a_stroke_that_a_bug_cost_leaves_the_ball_where_nobody_plays_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    with monkeypatch.context() as patch:
        patch.setattr(Match, "stroke_of", lambda *_: {}["bug"])
        bench.play((-100.0, 10.0))
    assert bench.strokes == 1
    is_told(bench, AT_SERVED, SERVED)
    bench.see(stroke(rest((-100.0, 10.0)), rest((100.0, 10.0))))
    assert bench.strokes == 1
    lay(bench, SERVED)
    is_not_told(bench)
    bench.play((-100.0, 10.0))
    assert bench.strokes == 2
