"""What keeps the umpire from seeing is told as long as it lasts, whatever becomes of the match meanwhile."""

from pathlib import Path
from typing import get_args

import pytest

from calibration.errors import RefusedError
from firmware.daemon.blindness import Blindness
from firmware.daemon.looking import MOST_FAILED
from firmware.setting_up import TRIES
from firmware.texts import load, trouble_sentence, umpire_notice
from firmware.umpire.observations import NoticeCode, NoticeSeen, RestSeen
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench
from tests.firmware.daemon.test_looking import failing, found, tried
from tests.firmware.test_match import Place, rest

ENDS: list[tuple[NoticeCode, NoticeCode | None]] = [
    ("too-dark", "sight-back"),
    ("covered", "sight-back"),
    ("board-moved", "board-found"),
    ("out-of-focus", None),
    ("ball-lost", None),
]
"""The end of the last two is not told: a ball that is seen is neither lost nor out of sight."""
STANDING: list[NoticeCode] = ["too-dark", "covered", "board-moved", "out-of-focus"]
"""What is no matter of one match."""


def told(code: NoticeCode) -> NoticeSeen:
    return NoticeSeen(0.0, code)


def says(code: NoticeCode) -> str:
    return umpire_notice(code, ENGLISH)


def test_every_notice_of_the_umpire_has_an_end() -> None:
    codes = {code for code, _ in ENDS} | {end for _, end in ENDS if end is not None}
    assert codes == set(get_args(NoticeCode))


@pytest.mark.parametrize(("code", "end"), ENDS)
def test_a_trouble_stands_until_it_ends(tmp_path: Path, code: NoticeCode, end: NoticeCode | None) -> None:
    bench = Bench(tmp_path)
    bench.see(told(code))
    bench.turn(5.0)
    assert bench.notice() == says(code)
    for other in sorted({"sight-back", "board-found"} - {end}):
        bench.see(told(other))  # type: ignore[arg-type]
        assert bench.notice() == says(code)
    bench.play(SERVED)
    assert (bench.notice() is None) == (end is None)
    if end is not None:
        bench.see(told(end))
    assert bench.notice() is None


def test_the_end_of_one_trouble_is_not_the_end_of_another() -> None:
    blindness = Blindness()
    blindness.heard([told("board-moved"), told("too-dark")])
    assert blindness.trouble == "too-dark"
    blindness.heard([told("sight-back")])
    assert blindness.trouble == "board-moved"
    blindness.heard([told("board-found")])
    assert blindness.trouble is None


def test_a_trouble_that_is_told_again_is_the_latest() -> None:
    blindness = Blindness()
    blindness.heard([told("out-of-focus"), told("board-moved"), told("out-of-focus")])
    assert blindness.trouble == "out-of-focus"


def test_a_trouble_is_told_in_the_language_that_is_spoken_by_then(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.see(told("covered"))
    french = load("fr")
    bench.daemon.speak(french, "fr")
    assert bench.notice() == umpire_notice("covered", french)


def test_a_trouble_hides_the_call_and_nothing_else(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play((-232.0, 20.0))
    bench.see(told("covered"))
    assert bench.board.points == ("15", "0")
    assert bench.notice() == says("covered")
    # Buttons count as ever, and a question that is answered with them is seen.
    bench.answer = Place(RETURNED, RETURNED)
    bench.press("B", "challenge")
    assert bench.notice() == says("covered")
    bench.work.pop()()
    bench.turn()
    assert str(bench.notice()).startswith("Overturned")
    bench.press("A", "confirm")
    assert bench.notice() == says("covered")
    assert bench.daemon.chair.match.state.strokes[-1].called.call == "in"


@pytest.mark.parametrize("code", STANDING)
def test_what_cannot_be_seen_is_told_in_a_new_match_too(tmp_path: Path, code: NoticeCode) -> None:
    """The umpire tells changes only, and does not know of matches."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(told(code))
    bench.daemon.new_match()
    bench.turn()
    assert bench.notice() == says(code)


def test_a_ball_that_is_lost_need_not_be_laid_down_for_another_match(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(told("ball-lost"))
    bench.daemon.new_match()
    bench.turn()
    assert bench.notice() is None


def test_what_cannot_be_seen_is_told_after_a_bug_in_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Another chair goes on then, as the match was kept."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(told("covered"))
    monkeypatch.setattr(bench.daemon.chair, "press", lambda *_: 1 / 0)
    before = bench.daemon.chair
    bench.press("A", "confirm")
    assert bench.daemon.chair is not before
    bench.turn(5.0)
    assert bench.notice() == says("covered")


def test_what_another_umpire_could_not_see_is_told_no_longer(tmp_path: Path) -> None:
    """It would never be told to be well again."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(told("covered"))
    bench.daemon.calibrate()
    tried(bench, found("anew"))
    bench.see(RestSeen(0.0, 1, rest(SERVED)))
    bench.turn(5.0)
    assert bench.notice() is None


def test_what_an_umpire_that_failed_could_not_see_is_told_no_longer(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(told("covered"))
    failing(bench, ZeroDivisionError(), MOST_FAILED)
    bench.play(RETURNED)
    bench.turn(5.0)
    assert bench.strokes == 2
    assert bench.notice() is None


def test_a_board_that_has_moved_is_sought_at_once_by_who_comes_after_an_umpire_that_failed(
    tmp_path: Path,
) -> None:
    """It would take the board to lie where it did before it was moved, and score by that."""
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(told("board-moved"))
    failing(bench, ZeroDivisionError(), MOST_FAILED)
    bench.play(RETURNED)
    assert bench.strokes == 1
    assert bench.notice() == trouble_sentence("calibrating", ENGLISH)
    tried(bench, *[RefusedError("no board is in sight", "not-found")] * (TRIES + 1))
    bench.play(RETURNED)
    assert bench.strokes == 1, "it is known to lie elsewhere, and not for how long"
    tried(bench, found("there"))
    bench.see(RestSeen(0.0, 1, rest(SERVED)))
    bench.play(RETURNED)
    assert bench.strokes == 2
