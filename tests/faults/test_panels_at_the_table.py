"""What people have to read, on the glass of the panels that are left; and panels that notice people."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.chair.notices import NOTICE_S, TAKEN_S
from firmware.daemon.parts import BoardDrawing, CloseUpDrawing, Found
from firmware.daemon.showing import CLOSE_UP_S
from firmware.daemon.troubles import CHECK_S
from firmware.journal.files import NAME
from firmware.panel_bus import LONGEST_PAUSE_S, PanelBus, PanelCare, Placed
from firmware.screens.close_up import close_up
from firmware.screens.deciding_line import deciding_line
from firmware.screens.from_rules import shown_call
from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.wording import review_note, review_title
from firmware.texts import LANGUAGES, Language, load, match_unkept, trouble_sentence, umpire_notice
from firmware.umpire.observations import NoticeSeen, PlacementSeen
from hardware.button import Button
from tests.faults.bench import CLASSIC, ENGLISH, RETURNED, SERVED, Bench
from tests.faults.test_menu_at_the_table import Table
from tests.faults.test_questions import flick_fault, moved, overturned
from tests.firmware.places import Place
from tests.firmware.test_match import rest

CARE = PanelCare()
A_WHILE_S = 0.3
"""Panels show ten pictures a second."""


def rally(bench: Bench) -> Bench:
    """Two strokes, and nothing left to be told."""
    bench.play(SERVED)
    bench.play(RETURNED)
    bench.turn(NOTICE_S + 1.0)
    assert bench.notice() is None
    return bench


def in_rally_gone(folder: Path) -> Bench:
    """Its cable comes off in a rally, and that has been told."""
    bench = rally(Bench(folder))
    bench.panels.in_rally.unplug()
    bench.turn(LONGEST_PAUSE_S + NOTICE_S + 1.0)
    assert bench.notice() is None
    return bench


def game_panel_alone(folder: Path) -> Bench:
    """Nothing else is configured."""
    bench = Bench(folder)
    panels = bench.panels
    panels.bus = PanelBus([Placed("game", panels.game)], CARE, lambda news: None, bench.clock)
    return rally(bench)


def check_read(bench: Bench) -> None:
    """The game panel shows what an in-rally panel would."""
    bench.turn(A_WHILE_S)
    board = bench.board
    assert board.notice is not None
    assert bench.panels.game.glass.tobytes() == in_rally_panel(board, ENGLISH).tobytes()


def check_score(bench: Bench) -> None:
    """The game panel shows the score."""
    bench.turn(A_WHILE_S)
    assert bench.panels.game.is_lit
    assert bench.panels.game.glass.tobytes() == game_panel(bench.board, ENGLISH).tobytes()


def covered(bench: Bench) -> None:
    bench.see(NoticeSeen(0.0, "covered"))
    assert bench.notice() == umpire_notice("covered", ENGLISH)


def disk_full(bench: Bench) -> None:
    bench.journal.full = 1_000_000
    bench.play(SERVED)
    assert bench.notice() == match_unkept("full", ENGLISH)


def buttons_gone(bench: Bench) -> None:
    bench.buttons.lose(Button("A", "confirm"))
    bench.turn()
    assert bench.notice() == trouble_sentence("no-buttons", ENGLISH)


@pytest.mark.parametrize("table", [in_rally_gone, game_panel_alone])
@pytest.mark.parametrize("happens", [covered, disk_full, buttons_gone, overturned, flick_fault, moved])
def test_what_has_to_be_read_stands_on_a_game_panel_where_no_in_rally_panel_is(
    tmp_path: Path, table: Callable[[Path], Bench], happens: Callable[[Bench], None]
) -> None:
    bench = table(tmp_path)
    check_score(bench)
    happens(bench)
    check_read(bench)


@pytest.mark.parametrize("table", [in_rally_gone, game_panel_alone])
def test_what_passes_gives_way_to_the_score_again(tmp_path: Path, table: Callable[[Path], Bench]) -> None:
    bench = table(tmp_path)
    covered(bench)
    check_read(bench)
    bench.see(NoticeSeen(0.0, "sight-back"))
    check_score(bench)


def test_an_in_rally_panel_that_is_gone_is_told_on_the_game_panel_and_has_its_own_again(
    tmp_path: Path,
) -> None:
    bench = rally(Bench(tmp_path))
    bench.panels.in_rally.unplug()
    while not bench.troubles(bench.panels.in_rally.name):
        assert bench.clock.now < 200.0, "it is noticed by itself"
        bench.turn()
    assert bench.notice() == trouble_sentence("panel-gone.in-rally", ENGLISH)
    check_read(bench)
    bench.turn(NOTICE_S)
    covered(bench)
    bench.panels.in_rally.plug_in()
    bench.turn(LONGEST_PAUSE_S + 1.0)
    check_score(bench)
    assert bench.panels.in_rally.glass.tobytes() == in_rally_panel(bench.board, ENGLISH).tobytes()


def test_words_come_before_the_picture_of_a_review_and_that_before_the_score(tmp_path: Path) -> None:
    bench = in_rally_gone(tmp_path)
    bench.answer = Place(RETURNED, RETURNED)
    bench.press("A", "challenge")
    bench.work.pop()()
    check_read(bench)
    bench.turn(NOTICE_S)
    picture = bench.panels.pictures["game"]
    assert isinstance(picture, CloseUpDrawing)
    bench.panels.check_glass("game")
    bench.turn(CLOSE_UP_S)
    check_score(bench)


def test_without_any_panel_whoever_draws_for_both_roles_has_a_picture_of_each(tmp_path: Path) -> None:
    """A terminal, which shows both beside each other."""
    bench = Bench(tmp_path)
    bench.panels.bus = PanelBus([], CARE, lambda news: None, bench.clock)
    covered(bench)
    for role in ("in-rally", "game"):
        picture = bench.panels.pictures[role]
        assert isinstance(picture, BoardDrawing)
        assert picture.role == role


@pytest.mark.parametrize("table", [in_rally_gone, game_panel_alone])
def test_the_menu_is_seen_on_whatever_panel_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: Callable[[Path], Bench]
) -> None:
    monkeypatch.setitem(table.__globals__, "Bench", Table)
    bench = table(tmp_path)
    assert isinstance(bench, Table)
    bench.hold("confirm")
    assert bench.menu is not None
    bench.turn(A_WHILE_S)
    bench.panels.check_glass("game")


# ---------------------------------------------------------------- somebody is there


def dimmed(folder: Path) -> Bench:
    """A rally, and nobody there for a while."""
    bench = rally(Bench(folder))
    bench.turn(CARE.idle_after_s + 3 * CARE.shift_every_s)
    assert levels(bench) == {CARE.dim}
    assert bench.glass().tobytes() != in_rally_panel(bench.board, ENGLISH).tobytes(), "it has moved"
    return bench


def levels(bench: Bench) -> set[int]:
    return {bench.panels.in_rally.level, bench.panels.game.level}


def presses(bench: Bench) -> None:
    """A button goes down, and is still held: no gesture yet."""
    bench.buttons.press(Button("A", "challenge"), bench.clock.now + 0.01, 60.0)
    bench.turn(0.2)
    assert not [line for line in bench.lines if line["kind"] == "press"]


def lays(bench: Bench) -> None:
    """Where it lies already, so that nothing is to be said of it."""
    board = bench.board
    bench.see(PlacementSeen(0.0, 1, None, rest(RETURNED)))
    assert bench.board == board


@pytest.mark.parametrize("somebody", [presses, lays])
def test_somebody_who_comes_finds_the_panels_bright_and_in_their_place(
    tmp_path: Path, somebody: Callable[[Bench], None]
) -> None:
    bench = dimmed(tmp_path)
    somebody(bench)
    bench.turn(A_WHILE_S)
    assert levels(bench) == {CARE.bright}
    assert bench.notice() is None
    bench.panels.check_glass()


def test_frames_in_which_nothing_happens_wake_nobody(tmp_path: Path) -> None:
    bench = dimmed(tmp_path)
    for _ in range(20):
        bench.see()
    assert levels(bench) == {CARE.dim}


# ---------------------------------------------------------------- a CONFIRM that counts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_confirm_that_is_taken_is_told_for_a_moment(tmp_path: Path, language: Language) -> None:
    texts = load(language)
    bench = Bench(tmp_path)
    bench.daemon.speak(texts, language)
    bench.turn()
    plain = bench.board
    bench.press("A", "confirm", then_s=0.6)
    assert bench.notice() == texts.say("told.server-ready", seat="A")
    assert bench.glass().tobytes() == in_rally_panel(bench.board, texts).tobytes()
    bench.turn(TAKEN_S)
    assert bench.board == plain
    bench.play(SERVED)
    plain = bench.board
    bench.press("B", "confirm", then_s=0.6)
    assert bench.notice() == texts.say("told.call-accepted", side="B")
    bench.turn(TAKEN_S)
    assert bench.board == plain


def test_a_stroke_is_shown_though_a_confirm_was_taken_a_moment_ago(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.press("A", "confirm", then_s=0.6)
    bench.play(SERVED)
    assert bench.notice() is None


def test_a_call_that_both_agree_to_leave_as_it_is_is_told_for_a_moment(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    held = Button("A", "challenge"), Button("B", "challenge")
    for button in held:
        bench.buttons.press(button, bench.clock.now + 0.01, 2.4)
    bench.turn(2.6)
    bench.press("A", "confirm")
    bench.press("B", "confirm", then_s=0.6)
    assert (bench.notice() or "").startswith("Stroke 1 stands.")
    bench.turn(TAKEN_S)
    assert bench.notice() is None


# ---------------------------------------------------------------- what has to be checked


def damaged(folder: Path) -> None:
    """A match of two strokes, whose journal is not whole any more."""
    bench = rally(Bench(folder))
    bench.drop()
    with (folder / NAME).open("r+b") as file:
        file.write(b"not SQLite")


MENDED = trouble_sentence("journal-mended", ENGLISH)
LOOKING = trouble_sentence("looking-for-board", ENGLISH)


def sought(folder: Path) -> Bench:
    """That match goes on, on a table that looks for its board for a while."""
    damaged(folder)
    bench = Bench(folder, found=False)
    bench.finder.results.append(Found("second"))  # type: ignore[arg-type]  # only ever handed on
    bench.turn(30.0)
    assert bench.notice() == LOOKING
    return bench


def found(bench: Bench) -> None:
    """The board is found."""
    while not bench.work:
        assert bench.clock.now < 200.0
        bench.see()
    bench.work.pop()()
    bench.turn()
    bench.umpire.lots.clear()
    assert bench.notice() == trouble_sentence("calibrated", ENGLISH)


def read_for_s(bench: Bench, most_s: float) -> float:
    """So long the score is asked to be checked in this time."""
    read_s = 0.0
    for _ in range(round(most_s / 0.1)):
        bench.turn(0.1)
        read_s += 0.1 * (bench.notice() == MENDED)
    return read_s


def test_a_score_that_has_to_be_checked_is_told_when_the_board_is_found(tmp_path: Path) -> None:
    bench = sought(tmp_path)
    found(bench)
    assert read_for_s(bench, 60.0) == pytest.approx(CHECK_S, abs=0.3)


def test_what_comes_between_takes_none_of_the_time_to_read_it(tmp_path: Path) -> None:
    bench = sought(tmp_path)
    found(bench)
    read_s = read_for_s(bench, NOTICE_S + CHECK_S / 2)
    assert 0.0 < read_s < CHECK_S
    bench.see(NoticeSeen(0.0, "covered"))
    assert read_for_s(bench, 60.0) == 0.0
    bench.see(NoticeSeen(0.0, "sight-back"))
    assert read_s + read_for_s(bench, 60.0) == pytest.approx(CHECK_S, abs=0.4)


def test_whoever_presses_confirm_has_read_it_and_that_is_all_it_does(tmp_path: Path) -> None:
    bench = sought(tmp_path)
    bench.press("B", "confirm")
    assert bench.notice() != MENDED
    bench.turn(TAKEN_S)
    assert bench.notice() == LOOKING
    found(bench)
    bench.turn(NOTICE_S)
    assert bench.notice() == MENDED
    records = bench.journal.records(1)
    bench.press("A", "confirm")
    assert bench.notice() != MENDED
    assert read_for_s(bench, 30.0) == 0.0
    assert bench.journal.records(1) == records
    bench.press("A", "confirm")
    assert len(bench.journal.records(1)) == len(records) + 1, "the next accepts the call"


def test_a_part_that_is_not_well_is_told_when_the_board_is_found_unless_it_is_well_by_then(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, found=False)
    bench.finder.results.append(Found("second"))  # type: ignore[arg-type]  # only ever handed on
    bench.panels.game.unplug()
    bench.buttons.lose(Button("A", "confirm"))
    bench.turn(30.0)
    bench.buttons.mend(Button("A", "confirm"))
    bench.turn()
    found(bench)
    told = set()
    for _ in range(200):
        bench.turn(0.1)
        told.add(bench.notice())
    assert told == {
        trouble_sentence("calibrated", ENGLISH),
        trouble_sentence("panel-gone.game", ENGLISH),
        None,
    }


# ---------------------------------------------------------------- the picture of a review


def test_the_picture_of_an_overturned_call_says_that_the_first_was_let_stand(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    far = (70.0, 90.0)
    bench.answer = Place(far, far)
    bench.press("B", "challenge")
    bench.work[0]()
    bench.turn(2 * CLOSE_UP_S)
    bench.press("A", "challenge")
    drawn = bench.panels.pictures["game"]
    assert isinstance(drawn, CloseUpDrawing)
    assert drawn.end == "let-stand"
    texts, called = ENGLISH, drawn.stroke.called
    assert called.call == "in"
    line = deciding_line(CLASSIC, Place(far, far), "fault", drawn.called.margin_mm, striker="A", box="left")
    picture = close_up(
        CLASSIC,
        Place(far, far),
        line,
        sigma_mm=Place(far, far).disc_sigma_mm,
        title=review_title(shown_call(called), texts),
        note=review_note("let-stand", texts),
    )
    assert bench.panels.game.glass.tobytes() == picture.tobytes()
    bench.turn(CLOSE_UP_S)
    assert isinstance(bench.panels.pictures["game"], BoardDrawing)


def test_a_review_is_seen_in_the_language_that_is_spoken_by_then(tmp_path: Path) -> None:
    bench = rally(Bench(tmp_path))
    bench.answer = Place(RETURNED, RETURNED)
    bench.press("A", "challenge")
    bench.work.pop()()
    bench.turn(A_WHILE_S)
    english = bench.panels.game.glass.tobytes()
    french = load("fr")
    bench.daemon.speak(french, "fr")
    bench.turn(A_WHILE_S)
    picture = bench.panels.pictures["game"]
    assert isinstance(picture, CloseUpDrawing)
    assert picture.texts is french
    bench.panels.check_glass("game")
    assert bench.panels.game.glass.tobytes() != english
