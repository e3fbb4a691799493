"""The journal as it is used: what is kept is there, in order, and one program writes it."""

import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from firmware.journal import Acted, Journal, JournalError, JournalReader, MatchLeft
from firmware.journal.files import NAME, default_directory
from firmware.keeping.records import CutBack
from firmware.keeping.rows import checksum
from firmware.rules import Press, Stroke
from tests.firmware.journal.made import NOON, act, began, cut_off, disputed, kept, played
from tests.firmware.keeping.by_hand import by_hand, lose


def test_what_was_appended_is_there_when_opened_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "made" / "here") as journal:
        match = journal.begin(began())
        for record in disputed():
            journal.append(match, record)
        assert journal.records(match) == (began(), *disputed())
    with Journal.open(tmp_path / "made" / "here") as journal:
        assert journal.records(match) == (began(), *disputed())
        assert journal.warnings == []


def test_matches_are_numbered_as_they_are_begun_and_told_apart(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        first = journal.begin(began())
        journal.append(first, played()[0])
        second = journal.begin(began())
        journal.append(second, played()[0])
        journal.append(first, played()[1])
        assert (first, second) == (1, 2)
        assert journal.records(first) == (began(), *played()[:2])
        assert [each.strokes for each in journal.matches()] == [2, 1]
        assert [each.id for each in journal.matches(latest=1)] == [2]


def test_a_summary_tells_score_and_end(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        whole, left, going = journal.begin(began()), journal.begin(began()), journal.begin(began())
        for record in played():
            journal.append(whole, record)
        journal.append(left, MatchLeft("new match", NOON))
        for record in disputed():
            journal.append(going, record)
        over, gone, now = journal.matches()
    assert over.ending == "over"
    assert over.outcome is not None
    assert over.score.points[0 if over.outcome.winner == "A" else 1] == 12
    assert (gone.ending, gone.left, gone.strokes) == ("left", "new match", 0)
    assert (now.ending, now.strokes, now.names, now.fault) == ("open", 5, ("Ann", "Bob"), None)


def test_the_latest_match_is_gone_on_with_unless_it_was_left(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        assert journal.going_on() is None
        match = journal.begin(began())
        for record in played()[:-1]:
            journal.append(match, record)
        going = journal.going_on()
        assert going is not None
        assert (going.id, going.ending, going.strokes) == (match, "open", len(played()) - 1)
        journal.append(match, played()[-1])
        going = journal.going_on()
        assert going is not None, "its last point may still be taken back"
        assert (going.id, going.ending) == (match, "over")
        journal.append(match, act(Press("undo", "A")))
        journal.append(match, MatchLeft("new match", NOON))
        assert journal.going_on() is None
        assert journal.begin(began()) == match + 1
        going = journal.going_on()
        assert going is not None
        assert going.id == match + 1


def test_a_match_that_only_another_version_can_go_on_with_is_left_as_it_is(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        match = journal.begin(began())
        for record in (played()[0], act(Press("undo", "A")), act(Press("undo", "A"))):
            journal.append(match, record)
    with Journal.open(tmp_path) as journal:
        with pytest.raises(JournalError, match="use that one, or begin another match") as caught:
            journal.going_on()
        assert caught.value.kind == "other-version"
        assert journal.begin(began()) == match + 1
        assert journal.going_on() is not None


def test_a_record_that_only_another_version_knows_is_no_damage(tmp_path: Path) -> None:
    kept(tmp_path, played()[:2])
    body, number = b'{"record":"weighed"}', 2**20 + 4
    with by_hand(tmp_path / NAME) as connection:
        row = (number, body, checksum(number, body))
        connection.execute("INSERT INTO records VALUES (?, CAST(? AS TEXT), ?)", row)
    with Journal.open(tmp_path) as journal:
        with pytest.raises(JournalError, match="this version does not know it") as caught:
            journal.going_on()
        assert caught.value.kind == "other-version"


def test_a_match_whose_beginning_is_damaged_is_not_gone_on_with(tmp_path: Path) -> None:
    kept(tmp_path, played()[:3])
    lose(tmp_path / NAME, 1)
    with Journal.open(tmp_path) as journal:
        with pytest.raises(JournalError, match="its beginning is damaged; begin another match") as caught:
            journal.going_on()
        assert caught.value.kind == "unreadable"
        assert journal.begin(began()) == 2


def test_one_program_writes_and_the_other_is_told_which(tmp_path: Path) -> None:
    with Journal.open(tmp_path), pytest.raises(JournalError, match=f"process {os.getpid()} keeps"):
        Journal.open(tmp_path)
    Journal.open(tmp_path).close()


def test_a_reader_looks_on_while_another_writes(tmp_path: Path) -> None:
    with Journal.open(tmp_path) as journal:
        match = journal.begin(began())
        journal.append(match, played()[0])
        with JournalReader.open(tmp_path) as reader:
            assert reader.records(match) == (began(), played()[0])
            journal.append(match, played()[1])
            assert reader.records(match) == (began(), *played()[:2])
            assert reader.warnings == []


def test_a_reader_leaves_no_file_behind(tmp_path: Path) -> None:
    kept(tmp_path, played()[:2])
    before = sorted(tmp_path.iterdir())
    with JournalReader.open(tmp_path) as reader:
        assert len(reader.records(1)) == 3
    assert sorted(tmp_path.iterdir()) == before


def test_a_reader_of_what_a_cut_off_program_left_sees_all_of_it(tmp_path: Path) -> None:
    files = cut_off(tmp_path / "made", played()[:4], played()[:3], in_database=1)
    assert files.log
    files.put(tmp_path / "left")
    with JournalReader.open(tmp_path / "left") as reader:
        assert [each.strokes for each in reader.matches()] == [4, 3]
        assert reader.warnings == []


@pytest.mark.parametrize("match", [0, -1, 2, 2**70])
def test_a_match_that_is_not_there_is_told(tmp_path: Path, match: int) -> None:
    with Journal.open(tmp_path) as journal:
        journal.begin(began())
        with pytest.raises(JournalError, match="`setmatch matches` lists them"):
            journal.records(match)
        with pytest.raises(JournalError, match="`setmatch matches` lists them"):
            journal.append(match, played()[0])


def test_a_reader_needs_a_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no match has been kept"):
        JournalReader.open(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="--state"):
        Journal.open(tmp_path / "file" / "state")


AS_NOBODY = """
import os, sys
from pathlib import Path
from firmware.journal import Journal, JournalError, JournalReader
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Journal.open(Path(sys.argv[1]))
except JournalError as error:
    print(error)
with JournalReader.open(Path(sys.argv[1])) as reader:
    print(len(reader.records(1)), reader.warnings)
"""


def test_a_folder_of_another_user_s_is_read_but_not_written(tmp_path: Path) -> None:
    """Also where the program that wrote it was cut off, and SQLite would have to write to read it."""
    state = tmp_path / "state"
    cut_off(tmp_path / "made", played()[:3]).put(state)
    for each in (state, *state.iterdir()):
        each.chmod(0o555 if each.is_dir() else 0o444)
    folder = state
    while folder != folder.parent and folder.stat().st_uid == os.getuid() and folder != Path("/tmp"):
        folder.chmod(folder.stat().st_mode | 0o055)
        folder = folder.parent
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(state)], capture_output=True, text=True, check=False
    )
    state.chmod(0o755)
    assert done.returncode == 0, done.stderr
    refusal, seen = done.stdout.splitlines()
    assert "cannot be written to" in refusal
    assert seen == "4 []"


def test_what_could_not_be_read_again_is_not_kept(tmp_path: Path) -> None:
    first = played()[0]
    assert first.measured is not None
    senseless = [
        msgspec.structs.replace(first, measured=replace(first.measured, sigma_mm=float("nan"))),
        msgspec.structs.replace(first, wall_time=datetime(2026, 5, 1, 12, 0)),
        msgspec.structs.replace(first, captured_at=object()),
    ]
    with Journal.open(tmp_path) as journal:
        match = journal.begin(began())
        for record in senseless:
            with pytest.raises(JournalError, match="report this fault"):
                journal.append(match, record)
        journal.append(match, first)
        assert journal.records(match) == (began(), first)


def test_numbers_of_numpy_are_kept_as_plain_ones(tmp_path: Path) -> None:
    import numpy as np

    first = played()[0]
    assert first.measured is not None
    measured = replace(first.measured, sigma_mm=np.float64(0.25), off_board=np.bool_(False))
    with Journal.open(tmp_path) as journal:
        match = journal.begin(began())
        journal.append(match, msgspec.structs.replace(first, measured=measured))
        (_, record) = journal.records(match)
    assert isinstance(record, Acted)
    assert record.measured is not None
    assert type(record.measured.sigma_mm) is float
    assert record.measured.off_board is False


def test_a_stroke_without_its_measures_is_none() -> None:
    stroke = played()[0]
    assert isinstance(stroke.action, Stroke)
    with pytest.raises(ValueError, match="a stroke has"):
        Acted(stroke.action, NOON)
    with pytest.raises(ValueError, match="a stroke has"):
        Acted(Press("undo", "A"), NOON, stroke.measured)


def test_a_match_goes_on_after_what_the_rules_no_longer_allow(tmp_path: Path) -> None:
    """As a match that an older version kept may have it: it is kept up to there, and what is done from
    then on is kept after that."""
    with Journal.open(tmp_path) as journal:
        match = journal.begin(began())
        for record in (*played()[:2], act(Press("undo", "A")), *[act(Press("undo", "A"))] * 3, played()[3]):
            journal.append(match, record)
    with Journal.open(tmp_path) as journal:
        assert journal.records(match) == (began(), *played()[:2], *[act(Press("undo", "A"))] * 2)
        assert journal.warnings == [
            "Match 1 is kept up to record 5; of record 6: the rules of this version do not allow it "
            "(nothing-to-undo)."
        ]
        journal.append(match, played()[0])
    with Journal.open(tmp_path) as journal:
        assert journal.records(match)[-2:] == (act(Press("undo", "A")), played()[0])
        assert journal.warnings == []
        assert not any(isinstance(record, CutBack) for record in journal.records(match))


@pytest.mark.parametrize(
    ("environment", "directory"),
    [
        ({"XDG_STATE_HOME": "/var/states"}, Path("/var/states/setmatch")),
        ({"XDG_STATE_HOME": "states"}, Path.home() / ".local/state/setmatch"),
        ({}, Path.home() / ".local/state/setmatch"),
    ],
)
def test_the_default_folder(environment: dict[str, str], directory: Path) -> None:
    assert default_directory(environment) == directory


def test_anybody_can_read_it_with_sqlite(tmp_path: Path) -> None:
    kept(tmp_path, played()[:1])
    with by_hand(tmp_path / NAME) as connection:
        rows = connection.execute("SELECT body->>'$.record', typeof(body) FROM records").fetchall()
    assert rows == [("match-began", "text"), ("acted", "text")]
