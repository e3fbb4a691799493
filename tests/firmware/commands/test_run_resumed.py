"""`setmatch run` with a folder in which a match was begun before."""

import json
import threading
from pathlib import Path

import pytest

from firmware.commands import run as command
from firmware.commands.table import start_of
from firmware.daemon.daemon import Daemon
from firmware.journal import Journal, JournalReader
from tests.firmware.commands.test_run import asked
from tests.firmware.journal.made import kept, played


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


@pytest.mark.parametrize(
    ("args", "source", "start"),
    [
        ((), "simulated", "go-on-unless-over"),
        ((), "match.mp4", "go-on-unless-over"),
        ((), "usb:0", "go-on"),
        (("--new-match",), "usb:0", "new"),
        (("--new-match",), "simulated", "new"),
    ],
)
def test_a_match_that_is_over_stands_where_people_could_dispute_it(
    args: tuple[str, ...], source: str, start: str
) -> None:
    assert start_of(asked("--rig", source, *args), source) == start


def test_after_a_simulated_match_another_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, played())
    kinds: list[str] = []

    def stopped_at_once(daemon: Daemon, *parts: object, **more: object) -> None:
        kinds.append("over" if daemon.over else "open")
        daemon.close()

    monkeypatch.setattr(Daemon, "run", stopped_at_once)
    assert command.run(asked("--rig", "simulated", "--autoplay", "--json", "--state", str(tmp_path))) == 0
    assert kinds == ["open"]
    with JournalReader.open(tmp_path) as journal:
        assert [match.ending for match in journal.matches()] == ["over", "open"]


@pytest.mark.parametrize("args", [(), ("--new-match",)])
def test_what_fails_while_it_starts_gives_rig_and_journal_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    def broken(*parts: object, **more: object) -> None:
        raise ZeroDivisionError

    before = threading.enumerate()
    monkeypatch.setattr(Daemon, "__init__", broken)
    with pytest.raises(ZeroDivisionError):
        command.run(asked("--rig", "simulated", "--autoplay", "--json", "--state", str(tmp_path), *args))
    Journal.open(tmp_path).close()
    assert threading.enumerate() == before, "the panels' threads have ended"
