"""`setmatch run` with a folder in which a match was begun before."""

import json
from pathlib import Path

import pytest

from firmware.commands import run as command
from firmware.journal import JournalReader
from tests.firmware.commands.test_run import asked


@pytest.mark.timeout(600)
def test_a_match_that_was_cut_off_goes_on_in_its_folder_or_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = ("--rig", "simulated", "--autoplay", "--speed", "0", "--games", "1", "--state", str(tmp_path))
    file = tmp_path / "board.toml"
    file.write_text('[camera]\nsource = "simulated"\n')
    assert command.run(asked(*play, "--config", str(file), "--seed", "3")) == 0
    captured = capsys.readouterr()
    assert "Stopped at sets 0-0, games 1-0" in captured.out
    assert captured.err == ""
    assert command.run(asked(*play, "--preset", "discovery", "--seed", "5")) == 0
    captured = capsys.readouterr()
    assert "by the rules it was begun with; --new-match" in captured.err
    assert "Match 1 goes on after 15 strokes." in captured.out
    assert "#16 B1" in captured.out
    assert "calls agree" in captured.out
    assert command.run(asked(*play, "--preset", "discovery", "--new-match", "--json")) == 0
    captured = capsys.readouterr()
    lines = [json.loads(line) for line in captured.out.splitlines()]
    assert captured.err == ""
    assert {"kind": "began", "match": 2} in lines
    agreement = lines[-1]
    assert agreement["kind"] == "agreement"
    assert agreement["agreed"] == sum(line["kind"] == "stroke" for line in lines) > 0
    with JournalReader.open(tmp_path) as journal:
        assert [match.ending for match in journal.matches()] == ["left", "open"]
