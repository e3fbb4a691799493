"""The board is sought in the frames that come, at the start and when people ask; and an umpire that fails."""

import logging
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import ProfileError, RefusedError
from firmware.chair.notices import NOTICE_S
from firmware.daemon.looking import MOST_FAILED
from firmware.daemon.parts import Found
from firmware.errors import InputError
from firmware.setting_up import PAUSE_S, TRIES
from firmware.texts import (
    LANGUAGES,
    Language,
    board_unfound,
    calibration_kept,
    load,
    review_unclear,
    trouble_sentence,
)
from firmware.umpire.observations import RestSeen
from hardware.camera import Frame
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench
from tests.firmware.test_match import Place, rest

FRAMES_A_TRY = 8
NO_BOARD = RefusedError("no court is in this picture", "not-found")


def found(name: str) -> Found:
    """A calibration that is only ever handed on."""
    return Found(name)  # type: ignore[arg-type]


def look(bench: Bench, frames: int = FRAMES_A_TRY, level: int = 0) -> None:
    """So many frames, a thirtieth of a second apart, in which the umpire sees nothing."""
    for _ in range(frames):
        bench.clock.now += 1 / 30
        picture = np.full((2, 2, 3), level, np.uint8)
        bench.frames.waiting.append(Frame(picture, bench.clock.now, 0))
        if bench.daemon.umpire is not None:
            bench.umpire.lots.append([])
        bench.daemon.turn(0.0)


def tried(bench: Bench, *results: Found | Exception) -> None:
    """Tries that come to this, as soon as each may be."""
    for result in results:
        bench.finder.results.append(result)
        look(bench, round(30 * PAUSE_S) + FRAMES_A_TRY + 1)
        bench.work.pop()()
        bench.daemon.turn(0.0)


def board_found(bench: Bench) -> int:
    return sum(line["kind"] == "board-found" for line in bench.lines)


def test_a_board_that_is_not_known_is_sought_in_the_mean_of_the_frames_that_come(tmp_path: Path) -> None:
    bench = Bench(tmp_path, found=False)
    assert bench.board.notice == trouble_sentence("looking-for-board", ENGLISH)
    assert bench.daemon.umpire is None
    look(bench, FRAMES_A_TRY - 1, level=10)
    assert bench.work == []
    look(bench, 1, level=90)
    assert len(bench.work) == 1, "nothing is measured in the loop"
    look(bench, 100)
    assert len(bench.work) == 1, "one at a time"
    bench.finder.results.append(found("here"))
    bench.work[0]()
    assert [(picture.tolist(), anew) for picture, anew in bench.finder.asked] == [
        ([[[20] * 3] * 2] * 2, False)
    ]
    bench.turn()
    assert bench.board.notice == trouble_sentence("calibrated", ENGLISH)
    assert bench.finder.sighted == ["here"]
    assert board_found(bench) == 1
    bench.turn(NOTICE_S)
    assert bench.board.notice is None
    bench.play(SERVED)
    assert bench.strokes == 1


def test_while_no_board_is_found_the_reason_is_shown_and_it_is_tried_again_half_a_second_later(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, found=False)
    bench.finder.results.append(RefusedError("the picture is too dark", "too-dark"))
    look(bench)
    bench.work.pop()()
    look(bench, round(30 * PAUSE_S) - 1)
    assert bench.work == []
    assert bench.board.notice == board_unfound("too-dark", ENGLISH)
    assert bench.troubles("board") == ["looking for the board", "the picture is too dark"]
    tried(bench, *[NO_BOARD] * (TRIES + 3))
    assert bench.board.notice == board_unfound("not-found", ENGLISH)
    assert bench.daemon.umpire is None
    bench.press("A", "confirm")
    assert "press" in [line["kind"] for line in bench.lines]
    tried(bench, found("here"))
    bench.play(SERVED)
    assert bench.strokes == 1


def test_where_the_board_does_not_lie_as_it_was_saved_it_is_still_said_to_be_sought(tmp_path: Path) -> None:
    bench = Bench(tmp_path, found=False)
    tried(bench, ProfileError("the board does not lie where it was saved; it is sought anew"))
    assert bench.board.notice == trouble_sentence("looking-for-board", ENGLISH)
    assert len(bench.troubles("board")) == 2


def test_what_cannot_be_saved_is_logged_and_played_with(tmp_path: Path) -> None:
    bench = Bench(tmp_path, found=False)
    tried(bench, Found("here", "the disk is full"))  # type: ignore[arg-type]
    assert bench.troubles("calibration") == ["the disk is full"]
    bench.play(SERVED)
    assert bench.strokes == 1


def test_while_the_board_is_found_anew_nothing_is_scored(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.daemon.calibrate()
    assert bench.board.notice == trouble_sentence("calibrating", ENGLISH)
    bench.play(RETURNED)
    bench.play(RETURNED)
    assert bench.strokes == 1
    tried(bench, found("anew"))
    assert [anew for _, anew in bench.finder.asked] == [True]
    assert bench.board.notice == trouble_sentence("calibrated", ENGLISH)
    bench.see(RestSeen(0.0, 1, rest(SERVED)))
    bench.play(RETURNED)
    assert bench.strokes == 2
    bench.answer = Place(RETURNED, RETURNED)
    bench.press("A", "challenge")
    bench.work.pop()()
    assert [by for _, by, _ in bench.asked] == ["anew"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_of_before_the_board_was_found_anew_cannot_be_looked_at_again_and_the_reason_is_said(
    tmp_path: Path, language: Language
) -> None:
    """The frames were the former umpire's; by its calibration they would have to be measured, too."""
    bench, texts = Bench(tmp_path), load(language)
    bench.daemon.speak(texts, language)
    bench.play(SERVED)
    bench.daemon.calibrate()
    tried(bench, found("anew"))
    bench.press("B", "challenge")
    assert bench.notice() == review_unclear("found-anew", texts)
    assert bench.asked == []
    bench.see(RestSeen(0.0, 1, rest(SERVED)))
    bench.play(RETURNED)
    bench.answer = Place(RETURNED, RETURNED)
    bench.press("A", "challenge")
    bench.work.pop()()
    assert [by for _, by, _ in bench.asked] == ["anew"]


def test_whoever_sees_after_a_search_need_not_number_the_ball_as_before(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.daemon.calibrate()
    tried(bench, found("anew"))
    bench.see(RestSeen(0.0, 1, rest((SERVED[0] + 30.0, SERVED[1]))))
    assert bench.board.notice is not None
    assert bench.board.notice.startswith("Ball moved")


def test_a_board_that_is_not_found_anew_is_taken_to_lie_where_it_did_and_the_reason_is_said(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path)
    before = bench.umpire.calibration
    bench.daemon.calibrate()
    tried(bench, *[NO_BOARD] * (TRIES - 1))
    assert bench.board.notice == trouble_sentence("calibrating", ENGLISH)
    tried(bench, NO_BOARD)
    assert bench.board.notice == calibration_kept("not-found", ENGLISH)
    assert bench.finder.sighted == []
    assert bench.umpire.calibration == before
    bench.play(SERVED)
    assert bench.strokes == 1


def test_a_search_that_is_begun_again_forgets_what_the_one_before_comes_to(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.daemon.calibrate()
    look(bench)
    bench.daemon.calibrate()
    bench.finder.results.append(found("of the first"))
    bench.work.pop()()
    bench.turn()
    assert bench.finder.sighted == []
    tried(bench, found("of the second"))
    assert bench.finder.sighted == ["of the second"]


def test_a_bug_in_the_search_is_one_try_in_vain(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(tmp_path, found=False)
    with caplog.at_level(logging.CRITICAL):
        tried(bench, ZeroDivisionError("division by zero"))
    assert bench.board.notice == board_unfound("not-found", ENGLISH)
    assert "division by zero" in bench.troubles("board")[-1]
    tried(bench, found("here"))
    assert bench.daemon.umpire is not None


def test_what_is_sought_is_told_in_the_language_that_is_spoken_by_then(tmp_path: Path) -> None:
    bench = Bench(tmp_path, found=False)
    french = load("fr")
    bench.daemon.speak(french, "fr")
    bench.turn()
    assert bench.board.notice == trouble_sentence("looking-for-board", french)


def failing(bench: Bench, error: Exception, frames: int) -> None:
    """Frames of which the umpire can make nothing."""
    bench.umpire.error = error
    for _ in range(frames):
        bench.see()
        bench.umpire.lots.clear()
    bench.umpire.error = None


def test_a_bug_in_the_umpire_costs_a_frame_and_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    failing(bench, ZeroDivisionError("division by zero"), 5)
    assert bench.board.notice == trouble_sentence("no-pictures", ENGLISH)
    assert len(bench.troubles("pictures")) == 1
    assert [record.exc_info is not None for record in caplog.records] == [True]
    bench.play(RETURNED)
    assert bench.board.notice is None
    assert bench.strokes == 2
    assert bench.finder.sighted == []


def test_an_umpire_that_never_comes_to_itself_is_begun_anew_where_the_board_lies(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    lies = bench.umpire.calibration
    failing(bench, ZeroDivisionError(), MOST_FAILED)
    assert bench.finder.sighted == [lies]
    assert not bench.daemon.over
    bench.play(SERVED)
    assert bench.strokes == 1


def test_an_umpire_that_cannot_be_begun_is_a_try_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path, found=False)
    with monkeypatch.context() as patch, caplog.at_level(logging.CRITICAL):
        patch.setattr(bench.finder, "sight", lambda _: 1 / 0)
        tried(bench, found("here"))
    assert bench.notice() == board_unfound("not-found", ENGLISH)
    assert "division by zero" in bench.troubles("board")[-1]
    tried(bench, found("here"))
    bench.play(SERVED)
    assert bench.strokes == 1


def test_an_umpire_stays_that_nobody_can_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    monkeypatch.setattr(bench.finder, "sight", lambda _: 1 / 0)
    with caplog.at_level(logging.CRITICAL):
        failing(bench, ZeroDivisionError(), MOST_FAILED + 1)
    assert bench.daemon.umpire is bench.umpire
    bench.play(SERVED)
    assert bench.strokes == 1


def test_a_camera_that_comes_back_with_another_size_has_the_board_sought(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    failing(bench, InputError("the pictures were 4x4 and are now 2x2"), MOST_FAILED)
    assert bench.daemon.umpire is None
    tried(bench, found("in the new size"))
    bench.play(RETURNED)
    assert bench.strokes == 2


def test_a_bug_in_keeping_frames_costs_the_reviews_and_no_call(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.kept.error = ZeroDivisionError()
    bench.play(SERVED)
    bench.play(RETURNED)
    assert bench.strokes == 2
    assert len(bench.troubles("reviews")) == 1


def test_a_ball_that_lies_at_no_number_is_told_and_not_scored(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for nowhere in ((float("nan"), 0.0), (float("inf"), 0.0)):
        bench.play(nowhere)
        bench.see(RestSeen(0.0, 1, rest(nowhere)))
    assert bench.strokes == 0
    assert bench.board.notice == trouble_sentence("unplaced", ENGLISH)
    bench.play(SERVED)
    assert bench.strokes == 1
