"""The power goes while something waits for buttons: when it is back, the same question stands on the panels,
the same lamps are lit, and the answer counts as it would have."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from firmware.daemon.parts import LayBackDrawing
from firmware.rules import Side
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import umpire_notice
from firmware.umpire.observations import NoticeSeen, PlacementSeen
from hardware.button import BUTTONS, Button, Kind
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench
from tests.firmware.places import Place
from tests.firmware.test_match import rest


def overturned(bench: Bench) -> None:
    """A review says that B's return was out; B, who gains nothing by it, is asked."""
    bench.answer = Place((-240.0, 20.0), (-240.0, 20.0))
    bench.press("A", "challenge")
    bench.work.pop()()
    bench.turn()


def flick_fault(bench: Bench) -> None:
    """A says that B's return was no flick."""
    bench.press("A", "challenge", then_s=0.2)
    bench.press("A", "challenge")


def moved(bench: Bench) -> None:
    """A hand moved the ball, and A would play on."""
    bench.see(PlacementSeen(0.0, 1, None, rest((-150.0, 0.0))))
    bench.press("A", "confirm")


Ask = Callable[[Bench], None]
TWO: frozenset[Button] = frozenset({Button("B", "confirm"), Button("B", "challenge")})
ANSWERS = [
    pytest.param(overturned, TWO, "confirm", ("15", "0"), id="an overturned call is accepted"),
    pytest.param(overturned, TWO, "challenge", ("0", "0"), id="and is not"),
    pytest.param(flick_fault, TWO, "confirm", ("15", "0"), id="a flick fault is confirmed"),
    pytest.param(flick_fault, TWO, "challenge", ("0", "0"), id="and contested"),
    pytest.param(moved, frozenset({Button("B", "confirm")}), "confirm", ("0", "0"), id="both play on"),
]


def asked(folder: Path, ask: Ask) -> Bench:
    """A rally of two strokes, and a question about it."""
    folder.mkdir()
    bench = Bench(folder)
    bench.play(SERVED)
    bench.play(RETURNED)
    ask(bench)
    return bench


def answered(bench: Bench, side: Side, kind: Kind) -> Scoreboard:
    """What is shown after the answer, when all that passes has passed."""
    bench.press(side, kind)
    bench.turn(30.0)
    return bench.board


def without_notice(board: Scoreboard) -> Scoreboard:
    return msgspec.structs.replace(board, notice=None)


def names_a_place(board: Scoreboard) -> bool:
    """People are told where to lay the ball."""
    return "from the net" in (board.notice or "")


@pytest.mark.parametrize(("ask", "lit", "kind", "points"), ANSWERS)
def test_a_question_outlives_a_power_cut(
    tmp_path: Path, ask: Ask, lit: frozenset[Button], kind: Kind, points: tuple[str, str]
) -> None:
    uncut, cut = asked(tmp_path / "uncut", ask), asked(tmp_path / "cut", ask)
    assert cut.buttons.lit == lit
    cut.drop()
    again = Bench(cut.folder)
    again.turn()
    assert again.board == cut.board
    assert again.notice() is not None
    assert again.buttons.lit == lit
    again.panels.check_glass("in-rally")
    shown = answered(again, "B", kind)
    assert without_notice(shown) == without_notice(answered(uncut, "B", kind))
    assert shown.points == points
    assert names_a_place(shown) == (shown.serve is None), "a serve is played from behind the baseline"
    assert again.daemon.chair.match.state == uncut.daemon.chair.match.state


@pytest.mark.parametrize("ask", [overturned, flick_fault])
def test_what_is_asked_is_seen_though_the_camera_sees_nothing(tmp_path: Path, ask: Ask) -> None:
    """Nobody should press a lit button unseeing."""
    bench = asked(tmp_path / "table", ask)
    bench.turn(30.0)
    question = bench.notice()
    assert question is not None
    bench.see(NoticeSeen(0.0, "covered"))
    assert bench.notice() == question
    bench.press("B", "confirm")
    bench.turn(30.0)
    assert bench.notice() == umpire_notice("covered", ENGLISH)


def test_an_undo_before_the_ball_is_laid_back_tells_where_it_lay_before(tmp_path: Path) -> None:
    bench = asked(tmp_path / "table", lambda bench: None)
    bench.drop()
    again = Bench(bench.folder)
    again.turn()
    assert "230 mm from the net" in (again.notice() or "")
    again.press("A", "confirm", for_s=2.3)
    again.turn(30.0)
    assert "70 mm from the net" in (again.notice() or ""), "where A's serve had come to rest"
    place = again.panels.pictures["game"]
    assert isinstance(place, LayBackDrawing)
    assert place.at_mm == SERVED


def test_an_overruling_that_was_not_agreed_on_is_begun_anew(tmp_path: Path) -> None:
    bench = asked(tmp_path / "table", lambda bench: None)
    held = Button("A", "challenge"), Button("B", "challenge")
    for button in held:
        bench.buttons.press(button, bench.clock.now + 0.01, 2.4)
    bench.turn(2.6)
    bench.press("A", "challenge")
    bench.press("A", "confirm")
    assert bench.buttons.lit == set(BUTTONS) - {Button("A", "confirm")}
    bench.drop()
    again = Bench(bench.folder)
    again.turn()
    assert again.buttons.lit == frozenset()
    assert again.daemon.chair.match.state == bench.daemon.chair.match.state
    for button in held:
        again.buttons.press(button, again.clock.now + 0.01, 2.4)
    again.turn(2.6)
    assert again.buttons.lit == set(BUTTONS)
