"""Parts that fail under a whole daemon: it goes on, and says what is wrong where people look."""

from dataclasses import replace
from math import dist
from pathlib import Path

import pytest

from calibration.errors import RefusedError
from firmware.chair.notices import NOTICE_S
from firmware.daemon.frames import CameraNews, Trouble
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.looking import LOST_AFTER_S
from firmware.daemon.parts import Found
from firmware.errors import InputError
from firmware.setting_up import TRIES
from firmware.texts import TroubleCode, board_unfound, match_unkept, trouble_sentence
from firmware.umpire.observations import NoticeSeen, RestSeen
from hardware.button import Button
from tests.faults.bench import ENGLISH, RETURNED, SERVED, Bench
from tests.faults.rendered import RenderedTable, Shown
from tests.faults.unsteady import UnsteadyTable
from tests.firmware.test_match import rest, stroke


def test_a_full_disk_pauses_the_match_and_shows_nothing_that_is_not_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.turn()
    bench.journal.full = 2
    bench.play(SERVED)
    assert Shown.on(bench.board).call is None, "it is not shown"
    assert bench.voice.said == [], "nor said"
    assert bench.notice() == match_unkept("full", ENGLISH)
    bench.press("A", "confirm", for_s=3.0, then_s=0.0)
    assert bench.strokes == 1, "the same record was kept in the end"
    assert Shown.on(bench.board).call == "in"
    assert bench.notice() is None
    assert len(bench.troubles("journal")) == 1
    bench.play(RETURNED)
    assert bench.strokes == 2


def test_what_is_done_while_the_disk_is_full_does_not_count(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.journal.full = 1_000_000
    bench.play(RETURNED)
    bench.press("A", "confirm", for_s=2.5)
    bench.play(SERVED)
    assert len(bench.daemon.chair.match.state.strokes) == 2
    assert bench.strokes == 1
    bench.journal.full = 0
    bench.turn(RETRY_S + 0.2)
    assert bench.strokes == 2


def test_a_disk_that_is_full_from_the_start_begins_the_match_when_there_is_room(tmp_path: Path) -> None:
    bench = Bench(tmp_path, full=2)
    bench.turn()
    assert bench.notice() == match_unkept("full", ENGLISH)
    bench.turn(2 * RETRY_S + 0.5)
    assert bench.notice() is None
    bench.play(SERVED)
    assert bench.strokes == 1


def test_a_stop_while_the_disk_is_full_tries_once_more(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.journal.full = 1
    bench.play(SERVED)
    bench.daemon.close()
    assert bench.strokes == 1


def test_buttons_whose_pins_fail_are_told_once_and_count_again_when_they_are_well(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.buttons.lose(Button("A", "confirm"))
    bench.turn(10.0)
    assert len(bench.troubles("buttons")) == 1
    bench.buttons.mend(Button("A", "confirm"))
    bench.press("A", "confirm")
    assert [line["press"] for line in bench.lines if line["kind"] == "press"] == ["confirm"]


def test_a_button_that_sticks_is_told_once_and_undoes_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.play(RETURNED)
    bench.buttons.press(Button("B", "confirm"), bench.clock.now, float("inf"))
    bench.turn(60.0)
    assert len(bench.daemon.chair.match.state.strokes) == 1
    assert len(bench.troubles("B's CONFIRM")) == 1


@pytest.mark.parametrize(
    ("kind", "code"),
    [("gone", "camera-gone"), ("frozen", "camera-frozen"), ("lost", "camera-lost"), ("late", "old-pictures")],
)
def test_a_camera_that_is_away_is_shown_until_it_is_back(
    tmp_path: Path, kind: Trouble, code: TroubleCode
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.frames.told.append(CameraNews(kind, "unplugged; plug it in"))
    bench.turn(60.0)
    assert bench.notice() == trouble_sentence(code, ENGLISH)
    assert bench.troubles("camera") == ["unplugged; plug it in"]
    bench.frames.told.append(CameraNews("back"))
    bench.turn()
    assert bench.notice() is None
    bench.play(RETURNED)
    assert bench.strokes == 2


def test_pictures_of_another_size_are_told_and_pause_the_scoring(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.umpire.error = InputError("the pictures were 4x4 and are now 2x2: start again")
    bench.see()
    bench.turn(30.0)
    assert bench.notice() == trouble_sentence("no-pictures", ENGLISH)
    assert bench.troubles("pictures") == ["the pictures were 4x4 and are now 2x2: start again"]


def test_frames_that_are_too_large_to_be_kept_cost_the_reviews_and_no_call(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.kept.error = InputError("the frames of a review need 90 MB with this camera")
    bench.play(SERVED)
    assert bench.strokes == 1
    assert len(bench.troubles("reviews")) == 1
    bench.press("B", "challenge")
    bench.work[0]()
    bench.turn()
    assert bench.daemon.chair.review is None


def test_without_any_panel_the_match_goes_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.panels.in_rally.unplug()
    bench.panels.game.unplug()
    bench.play(SERVED)
    bench.play(RETURNED)
    assert bench.voice.said == ["In, 1 point.", "In, 2 points."]
    assert bench.strokes == 2
    bench.turn(20.0)
    bench.panels.in_rally.plug_in()
    bench.panels.game.plug_in()
    bench.turn(11.0)
    bench.panels.check_glass()


def test_an_audio_device_that_hangs(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.speaker.stick()
    for played, to_mm in enumerate((SERVED, RETURNED, None, None), start=1):
        bench.play(to_mm)
        bench.turn(20.0)
        assert bench.strokes == played
    assert len(bench.troubles("speaker")) == 1
    bench.panels.check_glass()


def test_a_table_at_which_nothing_works(tmp_path: Path) -> None:
    """And at which everything works in the end."""
    bench = Bench(tmp_path, plugged=False, full=3)
    bench.panels.in_rally.unplug()
    bench.speaker.unplug()
    pins = Button("A", "confirm"), Button("B", "challenge")
    for pin in pins:
        bench.buttons.lose(pin)
    bench.frames.told.append(CameraNews("gone", "there is no camera usb:0; plug it in"))
    bench.turn(60.0)
    panels = bench.panels.game.name, bench.panels.in_rally.name
    for part in (*panels, "camera", "buttons", "journal"):
        assert len(bench.troubles(part)) == 1, part
    assert bench.notice() == trouble_sentence("camera-gone", ENGLISH)
    bench.panels.game.plug_in()
    bench.panels.in_rally.plug_in()
    bench.speaker.plug_in()
    for pin in pins:
        bench.buttons.mend(pin)
    bench.frames.told.append(CameraNews("back"))
    bench.turn(20.0)
    bench.play(SERVED)
    bench.press("A", "confirm")
    bench.play(RETURNED)
    assert bench.strokes == 2
    assert bench.voice.said[0] == "In, 1 point."
    assert bench.notice() is None
    bench.turn()
    bench.panels.check_glass()


@pytest.mark.parametrize("by_mm", [(12.0, 0.0, 0.0), (0.0, 0.0, 90.0)])
def test_a_camera_that_was_hung_up_elsewhere_finds_the_board_by_itself(
    tmp_path: Path, by_mm: tuple[float, float, float]
) -> None:
    """So near that the lines are found from where they were, and so far that the board has to be sought."""
    table = UnsteadyTable(tmp_path)
    table.play((70.0, 54.0))
    serve = Shown("in", "B1", 1, ("0", "0"))
    table.check(serve, said=["In, 1 point."], kept="match-began stroke")
    table.plugged = False
    table.turns(1.0)
    hangs = table.table.scene.camera
    x, y, z = (at + by for at, by in zip(hangs.translation_mm, by_mm, strict=True))
    table.table.knock_camera(replace(hangs, translation_mm=(x, y, z)))
    table.turns(5.0)
    table.plugged = True
    table.turns(30.0)
    table.check(serve)
    table.play((-210.0, 20.0))
    table.check(Shown("in", "A1", -1, ("0", "0")), said=["In, 2 points."], kept="stroke")
    told = [line for line in table.lines if line["kind"] == "stroke"][-1]
    assert dist(told["dot_mm"], table.table.ball.dot_printed_mm) < 0.1
    table.end()


def test_a_camera_that_was_hung_up_too_far_aside_is_told_what_it_does_not_see(tmp_path: Path) -> None:
    table = RenderedTable(tmp_path)
    table.play((70.0, 54.0))
    hangs = table.table.scene.camera
    x, y, z = hangs.translation_mm
    table.table.knock_camera(replace(hangs, translation_mm=(x + 60.0, y, z)))
    table.turns(LOST_AFTER_S + 1.5)
    assert table.board.notice == board_unfound("not-whole", ENGLISH)
    table.table.knock_camera(hangs)
    table.turns(NOTICE_S + 2.0)
    table.voice.said.clear()
    table.check(Shown("in", "B1", 1, ("0", "0")), kept="match-began stroke")
    table.play((-210.0, 20.0))
    table.check(Shown("in", "A1", -1, ("0", "0")), said=["In, 2 points."], kept="stroke")


def test_a_board_that_has_moved_too_far_is_sought_until_it_is_found(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(NoticeSeen(0.0, "board-moved"))
    bench.see()
    assert not bench.work, "the umpire looks for it first"
    bench.finder.results += [RefusedError("no board is in sight", "not-found")] * 2 * TRIES
    bench.finder.results.append(Found("second"))  # type: ignore[arg-type]  # only ever handed on
    bench.turn(LOST_AFTER_S)
    for _ in range(100 * TRIES):
        bench.see(stroke(rest(SERVED), rest(RETURNED)))
        assert bench.strokes == 1, "nothing is scored meanwhile"
        assert bench.notice() is not None
        if bench.work:
            bench.work.pop()()
        if not bench.finder.results:
            break
    assert all(anew for _, anew in bench.finder.asked)
    bench.turn(NOTICE_S + 1.0)
    assert len(bench.finder.sighted) == 1
    assert "70 mm from the net" in (bench.notice() or ""), "where the ball has to lie"
    bench.see(RestSeen(0.0, 1, rest(SERVED)))
    assert bench.notice() is None
    bench.play(RETURNED)
    assert bench.strokes == 2


def test_a_search_ends_when_the_board_is_back_where_it_was(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.see(NoticeSeen(0.0, "board-moved"))
    bench.turn(LOST_AFTER_S)
    bench.see()
    assert bench.notice() == trouble_sentence("calibrating", ENGLISH)
    bench.see(NoticeSeen(0.0, "board-found"))
    bench.turn(LOST_AFTER_S + 1.0)
    assert bench.notice() is None
    bench.play(RETURNED)
    assert bench.strokes == 2
    assert bench.finder.sighted == []
