"""A journal for which there is no room yet: people are told, and it is opened when there is."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.daemon.closing import give_back
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.opening import opened_at_once, opened_with_room
from firmware.daemon.parts import BoardDrawing
from firmware.daemon.stopping import Stop
from firmware.journal import Journal, JournalError, lock_of
from firmware.journal.files import NAME
from firmware.report import Line
from firmware.screens.panels import in_rally_panel
from firmware.texts import match_unkept
from tests.faults.bench import ENGLISH, Bench
from tests.faults.test_full_disk import no_growing
from tests.shared import as_another


class Waiting:
    """A rig that waits for a full disk; `after` so many pauses `then` happens."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.bench.journal.close()
        self.folder = folder / "another"
        self.rig, self.terms = self.bench.daemon._rig, self.bench.daemon._terms
        self.lines: list[Line] = []
        self.pauses: list[float] = []
        self.stop = Stop()

    def check_glass(self, notice: str) -> None:
        """That is read on each of the panels: any of them may be the only one."""
        panels = self.bench.panels
        panels.step()
        words = in_rally_panel(panels.unbegun.scoreboard(notice), ENGLISH)
        for panel in (panels.game, panels.in_rally):
            assert panel.glass.tobytes() == words.tobytes()

    def shown(self) -> set[str | None]:
        """The notices on both panels."""
        drawn = [self.bench.panels.pictures[role] for role in ("game", "in-rally")]
        return {each.board.notice for each in drawn if isinstance(each, BoardDrawing)}


def test_it_is_opened_when_there_is_room_and_that_is_told_until_then(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    with no_growing() as disk:

        def sleep(seconds: float) -> None:
            assert waiting.shown() == {match_unkept("full", ENGLISH)}
            waiting.check_glass(match_unkept("full", ENGLISH))
            waiting.pauses.append(seconds)
            if len(waiting.pauses) == 3:
                disk.make_room()

        disk.fill()
        assert opened_at_once(waiting.folder, live=False) is None
        parts = (waiting.rig, waiting.terms, waiting.lines.append, waiting.stop, sleep)
        journal = opened_with_room(waiting.folder, *parts)
    assert journal is not None
    with journal:
        assert journal.matches() == ()
    assert waiting.pauses == [RETRY_S] * 3
    assert [line["kind"] for line in waiting.lines] == ["trouble", "well"]
    assert "free some space" in waiting.lines[0]["text"]
    assert not waiting.bench.panels.stopped


def test_whoever_waits_can_be_stopped_and_gives_all_back(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    with no_growing() as disk:
        disk.fill()
        parts = (waiting.rig, waiting.terms, waiting.lines.append, waiting.stop, lambda _: waiting.stop.set())
        assert opened_with_room(waiting.folder, *parts) is None
    assert waiting.lines[-1] == {"kind": "stopped", "match": None}
    assert waiting.bench.panels.stopped
    assert waiting.bench.frames.closed


def test_what_room_does_not_help_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError):
        opened_at_once(tmp_path / "file", live=False)
    with (
        opened_at_once(tmp_path / "state", live=True) or pytest.fail("there is room"),
        pytest.raises(JournalError, match="in use"),
    ):
        opened_at_once(tmp_path / "state", live=True)


def test_another_error_while_it_waits_leaves_the_parts_to_whoever_has_them(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    with no_growing() as disk:

        def sleep(_: float) -> None:
            disk.make_room()
            shutil.rmtree(waiting.folder)
            waiting.folder.write_text("in the way")

        disk.fill()
        trial = replace(waiting.terms, table="simulated")
        parts = (waiting.rig, trial, waiting.lines.append, waiting.stop, sleep)
        with pytest.raises(JournalError):
            opened_with_room(waiting.folder, *parts)
    assert not waiting.bench.frames.closed
    give_back(waiting.rig, None, waiting.lines.append)
    assert waiting.bench.frames.closed
    assert waiting.bench.panels.stopped


def test_what_comes_while_it_waits_is_waited_for_and_told_as_well(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    told: list[set[str | None]] = []
    with no_growing() as disk:
        held: list[Journal] = []

        def sleep(_: float) -> None:
            told.append(waiting.shown())
            if len(told) == 1:
                disk.make_room()
                held.append(Journal.open(waiting.folder))  # another program is quicker
            else:
                held.pop().close()

        disk.fill()
        parts = (waiting.rig, waiting.terms, waiting.lines.append, waiting.stop, sleep)
        journal = opened_with_room(waiting.folder, *parts)
    assert journal is not None
    journal.close()
    assert told == [{match_unkept("full", ENGLISH)}, {match_unkept("busy", ENGLISH)}]
    assert [line["kind"] for line in waiting.lines] == ["trouble", "trouble", "well"]


def test_a_table_that_people_stand_at_waits_for_the_right_to_write_and_names_the_file(
    tmp_path: Path, open_folder: Path
) -> None:
    waiting = Waiting(tmp_path)
    locked = lock_of(open_folder)

    def sleep(_: float) -> None:
        assert waiting.shown() == {match_unkept("read-only", ENGLISH)}
        locked.chmod(0o644)

    with as_another():
        locked.touch(0o444)
        with pytest.raises(JournalError, match=locked.name):
            opened_at_once(open_folder, live=False)
        assert opened_at_once(open_folder, live=True) is None
        parts = (waiting.rig, waiting.terms, waiting.lines.append, waiting.stop, sleep)
        journal = opened_with_room(open_folder, *parts)
        assert journal is not None
        journal.close()
    assert [line["kind"] for line in waiting.lines] == ["trouble", "well"]
    assert str(locked) in waiting.lines[0]["text"]


def test_a_disk_that_fails_is_waited_for_at_a_table_that_people_stand_at(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    waiting.folder.write_text("in the way")
    assert opened_at_once(waiting.folder, live=True) is None
    parts = (waiting.lines.append, waiting.stop, lambda _: waiting.folder.unlink())
    journal = opened_with_room(waiting.folder, waiting.rig, waiting.terms, *parts)
    assert journal is not None
    journal.close()
    assert [line["kind"] for line in waiting.lines] == ["trouble", "well"]
    trial = replace(waiting.terms, table="simulated")
    with pytest.raises(JournalError):
        opened_with_room(waiting.folder / NAME, waiting.rig, trial, *parts)
