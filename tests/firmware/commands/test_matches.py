"""`setmatch matches` and `setmatch replay`: what people and programs are told of the matches kept."""

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from calibration.edition import BOARDS
from firmware.journal import Journal, Later, LetStand, MatchLeft
from firmware.journal.files import NAME
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Setup
from tests.firmware.journal.made import CLASSIC, NOON, SHORT, again, began, disputed, kept, played
from tests.shared import setmatch


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A match that is over, one that was left, and a disputed one that goes on."""
    kept(tmp_path, played(), (*played()[:3], MatchLeft("new match", NOON)), disputed())
    return tmp_path


def strokes_live(records: tuple[Later, ...]) -> list[Line]:
    """The strokes of a match that was played, as they stand in the end."""
    match, strokes = Match(CLASSIC, SHORT), {}
    for record in records:
        for line in again(match, record) if hasattr(record, "action") else []:
            if line["kind"] == "stroke":
                strokes[line["number"]] = line
            elif line["kind"] == "undone" and line["number"]:
                del strokes[line["number"]]
    return list(strokes.values())


def test_matches_prints_a_table(state: Path) -> None:
    ended = setmatch("matches", "--state", state)
    assert (ended.code, ended.err) == (0, "")
    heading, over, left, going = ended.out.splitlines()
    assert heading.split("  ")[0].strip() == "#"
    assert heading.split()[3:] == ["table", "board", "level", "players", "strokes", "score", "state"]
    assert over.split()[:7] == ["1", "2026-05-01", "12:00", "classic", "simplified", "Ann,", "Bob"]
    assert over.endswith(" won")
    assert left.endswith("left: new match")
    assert going.endswith("open")
    assert going.split()[7] == "5"


def test_matches_prints_objects(state: Path) -> None:
    first, second, third = setmatch("matches", "--json", "--state", state).lines
    assert [first["ending"], second["ending"], third["ending"]] == ["over", "left", "open"]
    assert (first["kind"], first["id"], first["strokes"]) == ("summary", 1, len(played()))
    assert first["score"]["points"][0 if first["outcome"]["winner"] == "A" else 1] == "12"
    assert first["began"] == "2026-05-01T12:00:00Z"


def test_matches_names_pairs_and_players(tmp_path: Path) -> None:
    pairs = msgspec.structs.replace(
        began(Setup("simplified", doubles=True)), names=("Ada", "", "", "Tim"), side_names=("Reds", "")
    )
    with Journal.open(tmp_path) as journal:
        journal.begin(pairs)
    assert "doubles  Reds, Ada, Tim  " in setmatch("matches", "--state", tmp_path).out


def test_matches_lists_the_latest_or_all(tmp_path: Path) -> None:
    kept(tmp_path, *[played()[:1]] * 22)
    latest = setmatch("matches", "--json", "--state", tmp_path).lines
    assert [each["id"] for each in latest] == [*range(3, 23)]
    assert len(setmatch("matches", "--json", "--all", "--state", tmp_path).lines) == 22


def test_a_journal_without_a_match_is_told(tmp_path: Path) -> None:
    Journal.open(tmp_path).close()
    ended = setmatch("matches", "--state", tmp_path)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "No match has been begun yet.\n"


def test_no_journal_is_one_line(tmp_path: Path) -> None:
    setmatch("matches", "--state", tmp_path / "none").refuses("no match has been kept", "--state")
    setmatch("replay", 1, "--state", tmp_path / "none").refuses("no match has been kept", "--state")


def test_the_default_folder_is_looked_into(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = state / "home"
    home.mkdir()
    (home / "setmatch").symlink_to(state)
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    assert len(setmatch("matches", "--json").lines) == 3


def test_damage_is_a_warning_and_the_rest_is_listed(state: Path) -> None:
    path = state / NAME
    data = path.read_bytes()
    at = data.index(b'"wall_time":"2026-05-01T12:00:10Z"')
    path.write_bytes(data[:at] + b"?" + data[at + 1 :])
    ended = setmatch("matches", "--state", state)
    assert ended.code == 0
    assert ended.err.startswith("Warning: ")
    assert "record 12 of match 1 is damaged" in ended.err
    assert "Match 1 is kept up to record 11" in ended.err
    assert ended.out.splitlines()[1].endswith("open (damaged)")


@pytest.mark.parametrize("match", [1, 3])
def test_replay_tells_what_was_told(state: Path, match: int) -> None:
    records = played() if match == 1 else disputed()
    ended = setmatch("replay", match, "--json", "--state", state)
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines[0]["kind"] == "summary"
    live, expected = Match(CLASSIC, SHORT), []
    for record in records:
        if not hasattr(record, "action"):
            expected.append("review")
            continue
        expected += [line["kind"] for line in again(live, record)]
        expected.append(live.waiting_line()["kind"])
    assert [line["kind"] for line in ended.lines[1:]] == expected
    last = dict(ended.lines[-1])
    assert last.pop("text")
    assert last == json.loads(msgspec.json.encode(live.waiting_line()))


def test_replay_prints_the_calls_and_what_is_due(state: Path) -> None:
    ended = setmatch("replay", 3, "--state", state)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert sum(" ruled by the players" in line for line in lines) == 1
    assert "Review of stroke 2 for B: stands, in, margin 0.25 mm (review-2-a.png, review-2-b.png)" in lines
    assert lines[-1] == "B, second serve, from the right."


def test_replay_of_a_match_that_is_over_or_left_says_so(state: Path) -> None:
    assert setmatch("replay", 1, "--state", state).out.splitlines()[-1].startswith("Match won by ")
    assert setmatch("replay", 2, "--state", state).out.splitlines()[-1] == "The match was left: new match."


def test_replay_speaks_the_language_that_is_asked_for(state: Path) -> None:
    english = setmatch("replay", 3, "--state", state).out.splitlines()[-1]
    french = setmatch("replay", 3, "--state", state, "--language", "fr").out.splitlines()[-1]
    assert english != french


def test_strokes_are_exported_as_json(state: Path) -> None:
    whole = json.loads(setmatch("replay", 3, "--export", "json", "--state", state).out)
    assert whole["match"]["id"] == 3
    assert [review["outcome"] for review in whole["reviews"]] == ["stands"]
    live = strokes_live(disputed())
    assert len(live) == 5
    for stroke, line in zip(whole["strokes"], live, strict=True):
        assert {key: stroke[key] for key in line} == json.loads(msgspec.json.encode(line))
        number = line["number"] - 1
        assert stroke["captured_at"] == number + 1.1
        assert stroke["wall_time"] == f"2026-05-01T12:00:0{number}Z"


def test_strokes_are_exported_as_csv(state: Path) -> None:
    ended = setmatch("replay", 1, "--export", "csv", "--state", state)
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    live = strokes_live(played())
    assert len(rows) == len(live)
    for row, line in zip(rows, live, strict=True):
        assert (int(row["number"]), row["seat"], row["call"]) == (line["number"], line["seat"], line["call"])
        assert row["certain"] == ("true" if line["certain"] else "false")
        assert float(row["from_x_mm"]) == line["from_mm"][0]
        assert row["margin_mm"] == ("" if line["margin_mm"] is None else str(line["margin_mm"]))
        assert row["score_points_b"] == line["score"]["points"][1]
        assert row["score_sets_a"] == str(line["score"]["sets"][0])
        assert None not in row.values()


def test_csv_has_its_columns_without_a_stroke(tmp_path: Path) -> None:
    kept(tmp_path, ())
    (line,) = setmatch("replay", 1, "--export", "csv", "--state", tmp_path).out.splitlines()
    assert line.startswith("number,seat,wall_time,")


@pytest.mark.parametrize("match", ["0", "-1", "x", "1.5"])
def test_what_is_no_match_is_an_error_of_usage(state: Path, match: str) -> None:
    setmatch("replay", "--state", state, "--", match).refuses("setmatch")


def test_a_match_that_is_not_there_is_told(state: Path) -> None:
    setmatch("replay", 4, "--state", state).refuses("no match 4", "setmatch matches")


def test_a_board_that_is_gone_is_asked_for(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes((BOARDS / "classic.toml").read_bytes())
    with Journal.open(tmp_path) as journal:
        match = journal.begin(msgspec.structs.replace(began(), board=str(mine)))
        for record in played()[:2]:
            journal.append(match, record)
    assert setmatch("replay", 1, "--state", tmp_path).code == 0
    mine.unlink()
    setmatch("replay", 1, "--state", tmp_path).refuses("mine.toml", "--board")
    ended = setmatch("replay", 1, "--state", tmp_path, "--board", "classic")
    assert (ended.code, ended.err) == (0, "")
    ended = setmatch("replay", 1, "--state", tmp_path, "--board", "maxi")
    assert ended.code == 0
    assert ended.err.startswith("Warning: The match was begun on another board")


def test_a_first_call_that_was_let_stand_is_told(tmp_path: Path) -> None:
    kept(tmp_path, (*disputed()[:6], LetStand(2, "A", NOON)))
    ended = setmatch("replay", "1", "--state", tmp_path)
    assert "Stroke 2: A let the first call stand" in ended.out.splitlines()
    told = setmatch("replay", "1", "--json", "--state", tmp_path).lines
    assert {"kind": "let-stand", "number": 2, "by": "A", "wall_time": "2026-05-01T12:00:00Z"} in told
    whole = json.loads(setmatch("replay", "1", "--export", "json", "--state", tmp_path).out)
    assert [review["kind"] for review in whole["reviews"]] == ["review", "let-stand"]
