"""How a daemon starts: with the match that is in the journal, as soon as it can be read, or with another."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from firmware.chair.chair import Chair
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.parts import BoardDrawing
from firmware.daemon.resuming import Start
from firmware.gestures import HOLD_S
from firmware.journal import (
    Acted,
    Journal,
    JournalError,
    JournalReader,
    LetStand,
    MatchBegan,
    MatchLeft,
    Record,
    TableKind,
)
from firmware.journal.files import NAME
from firmware.rules import Press
from firmware.texts import Unkept, match_unkept, trouble_sentence
from firmware.umpire.observations import RestSeen
from firmware.umpire.rest import Point
from hardware.button import Button, Kind
from tests.faults.bench import ANYWHERE, ENGLISH, NOON, RETURNED, SERVED, Bench
from tests.firmware.keeping.by_hand import lose
from tests.firmware.test_match import Place, rest

ONE_SET = msgspec.structs.replace(ANYWHERE, sets_to_win=1)
SHORT = (70.0, 88.0)
"""A fault of A's, a little beyond the box."""
IN_THE_OTHER_BOX = (70.0, -80.0)
PASSING: tuple[Unkept, ...] = ("full", "read-only", "busy", "failed")


def won(folder: Path, to_mm: Point | None = None) -> Bench:
    """A match that has just been won, by faults that are played there, or off the board."""
    bench = Bench(folder, setup=ONE_SET)
    while not bench.daemon.over:
        bench.play(to_mm)
    return bench


def records(folder: Path, match: int = 1) -> tuple[Record, ...]:
    with JournalReader.open(folder) as reader:
        return reader.records(match)


def kinds(bench: Bench) -> list[str]:
    return [line["kind"] for line in bench.lines]


def of_another_version(folder: Path) -> tuple[Record, ...]:
    """A match that these rules cannot go on with; what they can tell of it."""
    bench = Bench(folder)
    bench.play(SERVED)
    bench.drop()
    with Journal.open(folder) as journal:
        for _ in range(2):
            journal.append(1, Acted(Press("undo", "A"), NOON))
    return records(folder)


def hold(bench: Bench, kind: str) -> None:
    for side, after_s in (("A", 0.01), ("B", 0.2)):
        bench.buttons.press(Button(side, kind), bench.clock.now + after_s, HOLD_S + 0.3, bounces=5)  # type: ignore[arg-type]
    bench.turn(HOLD_S + 1.0)


# ---------------------------------------------------------------- a match that is over


def test_a_match_just_over_is_there_again_with_its_winner(tmp_path: Path) -> None:
    bench = won(tmp_path)
    state, shown = bench.daemon.chair.match.state, bench.board
    bench.drop()
    again = Bench(tmp_path)
    again.turn()
    assert again.daemon.chair.match.state == state
    assert again.board == shown
    assert again.notice() is None, "it does not go on"
    assert {"kind": "resumed", "match": 1, "strokes": len(state.strokes), "over": True} in again.lines
    assert again.daemon.over
    again.see(RestSeen(0.0, 1, rest(SERVED)))
    assert again.notice() is None, "where the ball lies is no matter"


def test_its_last_stroke_is_undone_after_a_power_cut_and_it_goes_on(tmp_path: Path) -> None:
    won(tmp_path).drop()
    again = Bench(tmp_path)
    strokes = len(again.daemon.chair.match.state.strokes)
    again.press("A", "confirm", for_s=HOLD_S + 0.3)
    assert not again.daemon.over
    assert again.board.outcome is None
    assert again.strokes == strokes - 1
    again.play(None)
    assert again.daemon.over
    assert len(again.journal.matches()) == 1


@pytest.mark.parametrize("answer", ["confirm", "challenge"])
def test_what_was_asked_about_the_last_call_is_asked_still(tmp_path: Path, answer: Kind) -> None:
    bench = won(tmp_path, SHORT)
    bench.answer = Place(IN_THE_OTHER_BOX, IN_THE_OTHER_BOX)
    bench.press("A", "challenge")
    bench.work[-1]()
    bench.turn()
    asked, lit = bench.notice(), bench.buttons.lit
    assert bench.daemon.chair.asks
    bench.drop()
    again = Bench(tmp_path)
    again.turn()
    assert again.notice() == asked
    assert again.buttons.lit == lit == {Button("B", "confirm"), Button("B", "challenge")}
    again.press("B", answer)
    if answer == "confirm":
        assert not again.daemon.over
        assert again.board.outcome is None
    else:
        assert isinstance(records(tmp_path)[-1], LetStand)
        assert again.daemon.over


def test_its_last_call_is_overruled_after_a_power_cut(tmp_path: Path) -> None:
    won(tmp_path).drop()
    again = Bench(tmp_path)
    hold(again, "challenge")
    assert again.daemon.chair.overruling is not None
    again.press("A", "challenge", then_s=0.2)
    again.press("A", "confirm")
    again.press("B", "confirm")
    assert again.daemon.chair.overruling is None
    assert not again.daemon.over


@pytest.mark.parametrize(("start", "matches"), [("go-on", 1), ("go-on-unless-over", 2), ("new", 2)])
def test_where_nobody_would_dispute_it_the_next_one_is_begun(
    tmp_path: Path, start: Start, matches: int
) -> None:
    won(tmp_path).drop()
    before = records(tmp_path)
    again = Bench(tmp_path, start=start)
    assert len(again.journal.matches()) == matches
    assert again.daemon.over is (matches == 1)
    assert records(tmp_path) == before, "it was won, not left"


@pytest.mark.parametrize("start", ["go-on", "go-on-unless-over"])
def test_a_match_that_is_not_over_goes_on_everywhere(tmp_path: Path, start: Start) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    bench.drop()
    again = Bench(tmp_path, start=start)
    assert again.strokes == 1
    assert kinds(again) == ["board-found", "resumed"]


# ---------------------------------------------------------------- a journal that cannot tell


@pytest.mark.parametrize("why", PASSING)
def test_what_passes_is_waited_for_and_told_and_the_match_goes_on(tmp_path: Path, why: Unkept) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()
    before = records(tmp_path)
    bench = Bench(tmp_path, unread=[JournalError("it is held; let it go", why)] * 99)
    told = match_unkept(why, ENGLISH)
    assert bench.notice() == told
    bench.play(RETURNED)
    bench.press("A", "confirm", for_s=HOLD_S + 0.3)
    assert bench.daemon.paused
    assert not bench.daemon.over
    assert (bench.notice(), bench.buttons.lit) == (told, set())
    assert (records(tmp_path), kinds(bench).count("began")) == (before, 0)
    assert bench.troubles("journal") == ["it is held; let it go"], "told once"
    bench.journal.unread.clear()
    bench.turn(RETRY_S + 0.5)
    assert not bench.daemon.paused
    assert kinds(bench)[-3:] == ["well", "resumed", "placement-asked"], "what was played meanwhile is none"
    assert bench.daemon.chair.match.wanted_mm() == SERVED
    bench.play(RETURNED)
    assert records(tmp_path)[: len(before)] == before
    assert bench.strokes == 2


def test_people_need_not_wait_for_what_passes(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()
    before = records(tmp_path)
    bench = Bench(tmp_path, unread=[JournalError("it is held", "failed")] * 99)
    bench.daemon.new_match()
    assert not bench.daemon.paused
    assert bench.notice() is None
    bench.play(SERVED)
    assert (bench.strokes, len(bench.journal.matches())) == (1, 2)
    assert records(tmp_path) == before


def test_what_passes_where_there_is_no_match_is_followed_by_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path, unread=[JournalError("it is held", "busy")])
    assert "began" not in kinds(bench)
    bench.turn(RETRY_S + 0.5)
    assert "began" in kinds(bench)
    bench.play(SERVED)
    assert bench.strokes == 1


@pytest.mark.parametrize("why", ["other-version", "unreadable"])
def test_what_does_not_pass_begins_nothing_until_people_ask(tmp_path: Path, why: str) -> None:
    if why == "other-version":
        before = of_another_version(tmp_path)
        bench = Bench(tmp_path)
    else:
        first = Bench(tmp_path)
        first.play(SERVED)
        first.drop()
        before = records(tmp_path)
        bench = Bench(tmp_path, unread=[JournalError("its beginning is damaged", "unreadable")])
    told = match_unkept("other-version" if why == "other-version" else "unreadable", ENGLISH)
    bench.turn(10 * RETRY_S)
    bench.play(RETURNED)
    assert (bench.notice(), bench.daemon.paused) == (told, True)
    assert len(bench.journal.matches()) == 1
    bench.daemon.new_match()
    assert not bench.daemon.paused
    assert bench.notice() is None
    bench.play(SERVED)
    assert bench.strokes == 1
    assert records(tmp_path) == before, "it is as it was, for who can go on with it"
    assert not any(isinstance(record, MatchLeft) for record in before)


def test_rules_that_fail_over_a_match_do_not_end_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()

    def broken(*args: object, **more: object) -> Chair:
        raise KeyError("void")

    with monkeypatch.context() as bug:
        bug.setattr(Chair, "resumed", broken)
        bench = Bench(tmp_path)
        bench.turn(3 * RETRY_S)
    assert "KeyError" in caplog.text
    assert bench.notice() == match_unkept("unreadable", ENGLISH)
    assert len(bench.journal.matches()) == 1
    bench.drop()
    assert Bench(tmp_path).strokes == 1, "what has been mended goes on"


def test_a_bug_while_the_journal_cannot_be_read_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = Bench(tmp_path)
    bench.play(SERVED)
    state, shown = bench.daemon.chair.match.state, bench.board

    def broken(self: Chair, *args: object) -> None:
        self.match = bench.panels.unbegun  # in the middle of it
        raise KeyError("void")

    bench.journal.unread = [JournalError("it is held", "busy")] * 2
    with monkeypatch.context() as bug:
        bug.setattr(Chair, "observe", broken)
        bench.play(RETURNED)
    assert "KeyError" in caplog.text
    assert bench.daemon.paused
    told = match_unkept("busy", ENGLISH)
    assert bench.board == msgspec.structs.replace(shown, notice=told), "what was shown is shown still"
    bench.play(RETURNED)
    bench.turn(2 * RETRY_S + 0.5)
    assert bench.daemon.chair.match.state.strokes == state.strokes
    assert bench.daemon.chair.match.wanted_mm() == SERVED, "what was played meanwhile is none"
    bench.play(RETURNED)
    assert (bench.strokes, len(bench.journal.matches())) == (2, 1)


def test_a_match_of_which_a_record_is_missing_goes_on_from_there_and_that_is_told(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    for to_mm in (SERVED, RETURNED, SERVED):
        first.play(to_mm)
    first.drop()
    lose(tmp_path / NAME, 3)
    bench = Bench(tmp_path)
    assert bench.notice() == trouble_sentence("journal-mended", ENGLISH)
    assert bench.strokes == 1
    bench.play(RETURNED)
    assert bench.strokes == 2


# ---------------------------------------------------------------- another match, at the start


@pytest.mark.parametrize("start", ["new", "go-on-unless-over"])
def test_only_the_start_begins_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, start: Start
) -> None:
    """A bug after that has the match that is on be counted anew, even if it is over by then."""
    bench = Bench(tmp_path, setup=ONE_SET, start=start)
    while not bench.daemon.over:
        bench.play(None)

    def broken(self: Chair, *args: object) -> None:
        raise KeyError("void")

    with monkeypatch.context() as bug:
        bug.setattr(Chair, "press", broken)
        bench.press("A", "challenge")
    assert "KeyError" in caplog.text
    assert bench.daemon.over
    assert len(bench.journal.matches()) == 1


def test_a_new_match_at_the_start_leaves_the_former(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()
    bench = Bench(tmp_path, start="new")
    assert isinstance(records(tmp_path)[-1], MatchLeft)
    assert [match.ending for match in bench.journal.matches()] == ["left", "open"]
    assert "resumed" not in kinds(bench)
    assert bench.board.last is None


def test_a_new_match_at_the_start_waits_for_room_and_says_so(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()
    bench = Bench(tmp_path, start="new", full=2)
    assert bench.notice() == match_unkept("full", ENGLISH)
    bench.play(RETURNED)
    assert not isinstance(records(tmp_path)[-1], MatchLeft)
    bench.turn(2 * RETRY_S + 0.5)
    assert bench.notice() is None
    assert [(match.ending, match.strokes) for match in bench.journal.matches()] == [("left", 1), ("open", 0)]


def test_a_new_match_at_the_start_waits_until_the_former_can_be_read(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    first.play(SERVED)
    first.drop()
    bench = Bench(tmp_path, start="new", unread=[JournalError("it is held", "busy")])
    assert bench.notice() == match_unkept("busy", ENGLISH)
    assert len(records(tmp_path)) == 2
    bench.turn(RETRY_S + 0.5)
    assert [match.ending for match in bench.journal.matches()] == ["left", "open"]


def test_a_match_of_another_kind_of_table_is_never_played_on_however_late_it_is_read(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    other: TableKind = "recording" if first.daemon._terms.table == "simulated" else "simulated"
    first.drop()
    with Journal.open(tmp_path) as journal:
        (began,) = journal.records(1)
        assert isinstance(began, MatchBegan)
        journal.begin(msgspec.structs.replace(began, table=other))
    bench = Bench(tmp_path, unread=[JournalError("it is held", "busy")])
    bench.turn(RETRY_S + 0.5)
    bench.play(SERVED)
    assert [(match.ending, match.strokes) for match in bench.journal.matches()][1:] == [
        ("left", 0),
        ("open", 1),
    ]


def test_a_new_match_at_the_start_is_asked_for_where_the_former_can_never_go_on(tmp_path: Path) -> None:
    before = of_another_version(tmp_path)
    bench = Bench(tmp_path, start="new")
    assert not bench.daemon.paused
    assert records(tmp_path) == before
    assert len(bench.journal.matches()) == 2


# ---------------------------------------------------------------- who plays


def test_who_plays_is_as_on_record_and_the_language_as_it_is_set(tmp_path: Path) -> None:
    first = Bench(tmp_path)
    named = replace(first.daemon._terms, texts=ENGLISH.named({"A": "Ada"}), names=("Ada", "Bob"))
    first.daemon.new_match(named)
    first.drop()
    again = Bench(tmp_path)
    drawn = again.panels.pictures["in-rally"]
    assert isinstance(drawn, BoardDrawing)
    assert (drawn.texts.side("A"), drawn.texts.side("B"), drawn.texts.language) == ("Ada", "Bob", "en")
    assert again.daemon.chair.texts == drawn.texts
