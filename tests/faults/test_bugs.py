"""Bugs in the parts' adapters: each is told once where people look, and logged whole; the match goes on.

Bugs in the umpire, the search and the frames of reviews: tests/firmware/daemon/test_looking.py.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from firmware.chair.notices import NOTICE_S
from firmware.config import Config
from firmware.daemon.frames import FramesInTurn
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.menuing import Settings
from firmware.daemon.parts import MenuDrawing
from firmware.daemon.rigs import terms_of
from firmware.daemon.stopping import Stop
from firmware.match import BOTH_SIDES
from firmware.menus import Menu
from firmware.texts import TroubleCode, match_unkept, trouble_sentence
from firmware.umpire.observations import PlacementSeen
from firmware.voice import Voice
from hardware.button import Button
from hardware.camera import Frame
from tests.faults.bench import CLASSIC, ENGLISH, PICTURE, RETURNED, SERVED, Bench
from tests.firmware.test_match import rest


class Fails:
    """As bugs do, in other words each time."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, *_: object) -> NoReturn:
        self.times += 1
        raise KeyError(self.times)


def broken(patch: pytest.MonkeyPatch, part: object, method: str) -> Fails:
    fails = Fails()
    patch.setattr(part, method, fails)
    return fails


def part_of(bench: Bench, name: str) -> object:
    return getattr(bench, name)


BUGS: list[tuple[str, str, str, TroubleCode]] = [
    ("buttons", "drain", "buttons", "no-buttons"),
    ("frames", "news", "news of the camera", "failed"),
    ("panels", "news", "news of the panels", "failed"),
    ("speaker", "news", "news of the speaker", "failed"),
    ("speaker", "say", "voice", "no-sound"),
    ("voice", "clips", "voice", "no-sound"),
]
"""Which part has a bug in which method; what it is logged as, and what people read."""


@pytest.mark.parametrize(("name", "method", "part", "code"), BUGS)
def test_a_bug_in_an_adapter_ends_no_match_and_is_told_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    name: str,
    method: str,
    part: str,
    code: TroubleCode,
) -> None:
    bench = Bench(tmp_path)
    fails = broken(monkeypatch, part_of(bench, name), method)
    bench.play(SERVED)
    bench.turn()
    assert fails.times
    assert bench.notice() == trouble_sentence(code, ENGLISH)
    bench.turn(NOTICE_S)
    bench.play(RETURNED)
    bench.play(None)
    assert bench.strokes == 3
    assert bench.notice() is None, "it hides the score for a moment only"
    assert fails.times > 1
    assert len(bench.troubles(part)) == 1
    assert "tell the makers: KeyError(1)" in bench.troubles(part)[0]
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_bug_in_the_lamps_costs_the_lamps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    fails = broken(monkeypatch, bench.buttons, "light")
    bench.play(SERVED)
    for _ in range(2):
        bench.see(PlacementSeen(0.0, 1, None, rest(RETURNED)))  # where it has to be put back from
        bench.see(PlacementSeen(0.0, 1, None, rest(SERVED)))
    bench.play(RETURNED)
    assert bench.strokes == 2
    assert fails.times == 8, "two lamps that are lit, and put out, twice"
    assert len(bench.troubles("lamps")) == 1
    assert [record.exc_info is not None for record in caplog.records] == [True]
    bench.turn(NOTICE_S)
    assert bench.notice() is None


def test_buttons_that_failed_count_when_they_do_not_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    with monkeypatch.context() as patch:
        broken(patch, bench.buttons, "drain")
        bench.turn(1.0)
    bench.press("B", "challenge")
    assert len(bench.work) == 1
    assert "buttons" in [line["part"] for line in bench.lines if line["kind"] == "well"]


def test_the_news_of_other_parts_are_heard_while_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path)
    broken(monkeypatch, bench.frames, "news")
    broken(monkeypatch, bench.speaker, "news")
    bench.panels.game.unplug()
    bench.play(SERVED)
    bench.turn(1.0)
    assert any("panel" in line["part"] or "ssd1306" in line["part"] for line in bench.lines if "part" in line)
    assert bench.notice() == trouble_sentence("panel-gone.game", ENGLISH)


def test_a_bug_in_the_journal_has_the_score_wait_and_nothing_is_shown_that_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    bench.turn()
    with monkeypatch.context() as patch:
        fails = broken(patch, bench.journal, "append")
        bench.play(SERVED)
        bench.turn(3 * RETRY_S)
        assert bench.daemon.paused
        assert bench.notice() == match_unkept("failed", ENGLISH)
        assert bench.board.marker == 0
        assert 3 <= fails.times <= 4, "it is tried again, though not all the time"
    bench.turn(2 * RETRY_S)
    assert bench.strokes == 1
    assert bench.notice() is None
    assert len(bench.troubles("journal")) == 1
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_bug_in_what_is_to_be_shown_leaves_what_was_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    with monkeypatch.context() as patch:
        broken(patch, bench.daemon.chair, "scoreboard")
        bench.turn(NOTICE_S + 1.0)
        assert bench.notice() == trouble_sentence("failed", ENGLISH), "as long as it lasts"
        assert bench.board.marker == 1
        bench.play(RETURNED)
        assert bench.strokes == 2
    bench.turn(NOTICE_S)
    assert bench.notice() is None
    assert bench.board.marker == -1
    assert len(bench.troubles("screens")) == 1
    assert [record.exc_info is not None for record in caplog.records] == [True]


@pytest.mark.parametrize("method", ["page", "after"])
def test_a_bug_in_the_menu_closes_it_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, method: str
) -> None:
    settings = Settings(
        Config(),
        None,
        frozenset(),
        terms=lambda config: terms_of(config, CLASSIC),
        voice=lambda config: Voice.open(tmp_path, config.spoken_language(), {}),
    )
    bench = Bench(tmp_path, settings=settings)
    bench.play(SERVED)
    fails = broken(monkeypatch, Menu, method)
    for side in BOTH_SIDES:
        bench.buttons.press(Button(side, "confirm"), bench.clock.now + 0.01, 2.3)
    bench.turn(3.0)
    if method == "after":  # it is open until then
        bench.press("A", "challenge")
    assert fails.times == 1
    assert bench.notice() == trouble_sentence("failed", ENGLISH)
    assert not isinstance(bench.panels.pictures["in-rally"], MenuDrawing)
    bench.play(RETURNED)
    assert bench.strokes == 2
    assert len(bench.troubles("menu")) == 1
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_bug_at_a_recordings_end_ends_it_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    broken(monkeypatch, bench.umpire, "finish")
    bench.frames.ended = True
    with caplog.at_level(logging.ERROR):
        bench.daemon.turn(0.0)
        bench.daemon.run(Stop())
    assert bench.strokes == 1
    assert len(bench.troubles("umpire")) == 1
    assert bench.lines[-1]["kind"] == "stopped"


class BuggyCamera:
    """A recording whose adapter fails at its third frame."""

    size, fps, frame_count = (2, 2), 30.0, 9

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = list(frames)
        self.closed = False

    def read(self) -> Frame | None:
        if not self._frames:
            raise ZeroDivisionError("division by zero")
        return self._frames.pop(0)

    def close(self) -> None:
        self.closed = True


def test_a_bug_in_a_recordings_adapter_ends_the_recording_and_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    frames = FramesInTurn(BuggyCamera([Frame(PICTURE, at, at) for at in range(2)]))
    assert [frames.next(0.0) is not None for _ in range(3)] == [True, True, False]
    assert frames.ended
    (news,) = frames.news()
    assert news.kind == "gone"
    assert news.reason == "the camera failed: division by zero; tell the makers"
    assert [record.exc_info is not None for record in caplog.records] == [True]
