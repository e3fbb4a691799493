"""The daemon: what is seen and pressed comes to the panels by way of the journal, and goes on after a cut."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from firmware.chair.chair import Chair
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.parts import BoardDrawing, CloseUpDrawing, LayBackDrawing
from firmware.daemon.showing import CLOSE_UP_S
from firmware.daemon.stopping import Stop
from firmware.journal import JournalReader, MatchLeft, Reviewed
from firmware.match import Match
from firmware.rules import Setup
from firmware.screens.panels import SIZES, Mode, game_panel, in_rally_panel
from firmware.texts import load, match_goes_on, umpire_notice
from firmware.umpire.observations import NoticeSeen, PlacementSeen, RestSeen
from hardware.button import Button
from tests.faults.bench import ANYWHERE, CLASSIC, ENGLISH, RETURNED, SERVED, Bench
from tests.firmware.test_match import Place, rest

MODES: tuple[Mode, ...] = ("1", "L")


def kinds(bench: Bench) -> list[str]:
    return [line["kind"] for line in bench.lines]


def test_a_match_is_begun_kept_shown_and_each_stroke_is_on_disk_before_it_is_shown(tmp_path: Path) -> None:
    """`CheckedPanels` compares every scoreboard with the journal at the moment in which it is shown."""
    bench = Bench(tmp_path)
    assert kinds(bench) == ["board-found", "began"]
    bench.turn()
    before = bench.glass().tobytes()
    bench.play(SERVED)
    assert bench.strokes == 1
    assert bench.board.last is not None
    assert bench.board.last.call == "in"
    bench.turn()
    assert bench.glass().tobytes() != before
    assert bench.voice.said
    assert len(bench.speaker.heard) == 1
    bench.play(RETURNED)
    assert bench.strokes == 2
    assert kinds(bench).count("stroke") == 2


@pytest.mark.parametrize("size", SIZES)
def test_a_scoreboard_is_drawn_for_every_panel_in_the_words_of_the_match(size: tuple[int, int]) -> None:
    texts = load("fr").named({"A": "Ada"})
    board = Match(CLASSIC, ANYWHERE).scoreboard()
    for mode in MODES:
        drawn = BoardDrawing("in-rally", board, texts)(size, mode)
        assert (drawn.size, drawn.mode) == (size, mode)
        assert drawn.tobytes() == in_rally_panel(board, texts, size, mode).tobytes()
        assert drawn.tobytes() != in_rally_panel(board, ENGLISH, size, mode).tobytes()
        drawn = BoardDrawing("game", board, texts)(size, mode)
        assert drawn.tobytes() == game_panel(board, texts, size, mode).tobytes()


def test_an_undo_is_one_hold_of_confirm(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play(RETURNED)
    bench.press("A", "confirm", for_s=5.0)
    assert len(bench.daemon.chair.match.state.strokes) == 1
    assert [line["press"] for line in bench.lines if line["kind"] == "press"] == ["undo"]


def test_five_bounces_are_one_press_and_two_presses_are_a_flick_fault(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.press("A", "confirm")
    bench.press("B", "challenge", then_s=0.2)
    bench.press("B", "challenge")
    pressed = [(line["press"], line["side"]) for line in bench.lines if line["kind"] == "press"]
    assert pressed == [("confirm", "A"), ("flick-fault", "B")]
    assert bench.buttons.lit == {Button("A", "confirm"), Button("A", "challenge")}
    bench.press("A", "confirm")
    assert bench.buttons.lit == frozenset()


def test_a_review_is_measured_elsewhere_by_the_calibration_of_then_and_answered(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    before = bench.umpire.calibration
    bench.umpire.calibration = "refitted"  # type: ignore[assignment]  # only ever handed on
    bench.see(RestSeen(0.0, 1, rest(SERVED)))
    bench.answer = Place(SERVED, SERVED)
    bench.press("B", "challenge")
    assert len(bench.work) == 1, "nothing is measured in the loop"
    assert bench.board.notice is not None
    bench.work[0]()
    ((_, by, at),) = bench.asked
    assert (by, at.position) == (before, Place(SERVED, SERVED))
    bench.turn()
    assert "stands" in (bench.board.notice or "")
    drawn = bench.panels.pictures["game"]
    assert isinstance(drawn, CloseUpDrawing)
    assert drawn.called.call == "in"
    bench.turn()
    assert bench.panels.game.glass.tobytes() == drawn((128, 64), "1").tobytes()
    bench.turn(CLOSE_UP_S)
    assert isinstance(bench.panels.pictures["game"], BoardDrawing)
    with JournalReader.open(tmp_path) as reader:
        record = reader.records(1)[-1]
    assert isinstance(record, Reviewed)
    assert record.pictures == ("stroke-1.png",)


def test_an_overturned_call_is_the_opponents_to_confirm(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    far = (70.0, 90.0)
    bench.answer = Place(far, far)
    bench.press("B", "challenge")
    bench.work[0]()
    bench.turn()
    assert bench.buttons.lit == {Button("A", "confirm"), Button("A", "challenge")}
    calls = [line["call"] for line in bench.lines if line["kind"] == "stroke"]
    assert calls == ["in"]
    bench.turn(2 * CLOSE_UP_S)
    assert isinstance(bench.panels.pictures["game"], CloseUpDrawing), "as long as it is asked about"
    bench.press("A", "confirm")
    assert [line["call"] for line in bench.lines if line["kind"] == "stroke"] != calls
    assert isinstance(bench.panels.pictures["game"], BoardDrawing)


def test_no_close_up_stands_beside_the_question_of_a_flick_fault(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.answer = Place(SERVED, SERVED)
    bench.press("B", "challenge")
    bench.work[0]()
    bench.turn()
    assert isinstance(bench.panels.pictures["game"], CloseUpDrawing)
    for _ in range(2):
        bench.press("B", "challenge", then_s=0.1)
    assert bench.board.deciding
    assert isinstance(bench.panels.pictures["game"], BoardDrawing)


def test_a_measurement_that_fails_is_answered_too(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.answer = ZeroDivisionError()
    bench.press("B", "challenge")
    asked = bench.board.notice
    bench.work[0]()
    bench.turn()
    assert bench.daemon.chair.review is None
    assert bench.board.notice not in (None, asked)


def test_a_power_cut_loses_nothing_and_the_ball_can_be_laid_back(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.play(RETURNED)
    shown = first.board
    first.drop()
    again = Bench(tmp_path)
    assert kinds(again) == ["board-found", "resumed"]
    assert again.board.last == shown.last
    assert (again.board.marker, again.board.to_play) == (shown.marker, shown.to_play)
    assert again.board.notice is not None
    again.turn(60.0)
    assert again.board.notice == match_goes_on(RETURNED, ENGLISH), "until the ball lies"
    assert again.panels.pictures["game"] == LayBackDrawing(CLASSIC, RETURNED, ENGLISH, False)
    again.turn()
    assert again.panels.game.glass.tobytes() == again.panels.pictures["game"]((128, 64), "1").tobytes()
    again.see(RestSeen(0.0, 1, rest(RETURNED)))
    assert again.board.notice is None
    assert isinstance(again.panels.pictures["game"], BoardDrawing)
    again.play(SERVED)
    assert again.strokes == 3
    with JournalReader.open(tmp_path) as reader:
        assert len(reader.matches()) == 1


def test_after_a_power_cut_a_serve_is_played_from_where_serves_are(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.play(None)
    first.drop()
    again = Bench(tmp_path)
    assert again.board.notice == match_goes_on(None, ENGLISH)
    assert isinstance(again.panels.pictures["game"], BoardDrawing)


def test_after_a_power_cut_a_ball_that_lies_elsewhere_is_laid_back_by_the_picture(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()
    again = Bench(tmp_path)
    again.see(RestSeen(0.0, 1, rest(RETURNED)))
    assert again.board.placing
    assert again.panels.pictures["game"] == LayBackDrawing(CLASSIC, SERVED, ENGLISH, False)
    again.see(PlacementSeen(0.0, 1, rest(RETURNED), rest(SERVED)))
    assert not again.board.placing
    assert isinstance(again.panels.pictures["game"], BoardDrawing)


def test_a_match_that_was_left_is_not_gone_on_with(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.daemon.new_match()
    assert bench.board.last is None
    bench.drop()
    with JournalReader.open(tmp_path) as reader:
        assert isinstance(reader.records(1)[-1], MatchLeft)
        assert [match.strokes for match in reader.matches()] == [1, 0]
    again = Bench(tmp_path)
    assert [line["match"] for line in again.lines if line["kind"] == "resumed"] == [2]


def test_a_match_that_cannot_be_left_yet_is_left_when_there_is_room(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.journal.full = 2
    doubles = replace(bench.daemon._terms, setup=Setup(doubles=True))
    bench.daemon.new_match(doubles)
    bench.turn()
    assert bench.board.last is not None, "it is still the former"
    bench.turn(2 * RETRY_S + 0.5)
    assert bench.board.last is None
    assert bench.daemon.chair.match.state.setup.doubles
    with JournalReader.open(tmp_path) as reader:
        assert isinstance(reader.records(1)[-1], MatchLeft)
        assert [match.strokes for match in reader.matches()] == [1, 0]


def test_a_bug_in_the_rules_does_not_end_the_match_which_goes_on_as_it_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    state = bench.daemon.chair.match.state

    def broken(self: Chair, *args: object) -> None:
        self.match = Match(CLASSIC, ANYWHERE)  # in the middle of it
        raise KeyError("void")

    with monkeypatch.context() as bug:
        bug.setattr(Chair, "observe", broken)
        bench.play(RETURNED)
    assert "KeyError" in caplog.text
    assert bench.daemon.chair.match.state == state
    bench.play(RETURNED)
    assert bench.strokes == 2


def test_it_is_over_when_the_match_is_won_and_a_new_one_can_be_begun(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    while not bench.daemon.over:
        bench.play(None)
    assert bench.board.outcome is not None
    bench.daemon.new_match()
    assert not bench.daemon.over
    assert bench.board.outcome is None


def test_sigterm_in_mid_stroke_ends_it_cleanly_and_the_stroke_is_played_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    stop = Stop()
    stop.set()
    bench.daemon.run(stop)
    assert bench.frames.closed
    assert bench.panels.stopped
    assert not bench.panels.in_rally.is_lit
    assert kinds(bench)[-1] == "stopped"
    again = Bench(tmp_path)
    assert len(again.daemon.chair.match.state.strokes) == 1


def test_what_the_umpire_cannot_see_is_shown_until_it_can(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.see(NoticeSeen(0.0, "covered"))
    assert bench.board.notice == umpire_notice("covered", ENGLISH)
    bench.see(NoticeSeen(0.0, "sight-back"))
    assert bench.board.notice is None


def test_the_time_of_day_may_jump(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.clock.set_by = timedelta(hours=-1)
    bench.play(RETURNED)
    bench.drop()
    with JournalReader.open(tmp_path) as reader:
        records = reader.records(1)
    assert len(Chair.resumed(bench.daemon._terms.edition, records, ENGLISH).match.state.strokes) == 2
