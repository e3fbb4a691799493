"""`setmatch run` with a folder in which a match was begun before."""

import json
import os
import threading
from pathlib import Path

import msgspec
import pytest

from firmware.commands import run as command
from firmware.daemon.daemon import Daemon
from firmware.errors import InputError
from firmware.journal import Journal, JournalReader, TableKind
from firmware.journal.files import NAME
from tests.firmware.commands.test_run import asked
from tests.firmware.journal.made import began, kept, played
from tests.shared import FOOTAGE

CLIP = FOOTAGE / "figure-j.mp4"


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


@pytest.fixture
def ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that ends as soon as its match has begun, or goes on."""

    def stopped(daemon: Daemon, *parts: object, **more: object) -> None:
        daemon.close()

    monkeypatch.setattr(Daemon, "run", stopped)


def begun_on(folder: Path, table: TableKind) -> bytes:
    """An open match of three strokes, begun on that; the journal's file with it."""
    with Journal.open(folder) as journal:
        match = journal.begin(msgspec.structs.replace(began(), table=table))
        for record in played()[:3]:
            journal.append(match, record)
    return (folder / NAME).read_bytes()


@pytest.mark.usefixtures("ends_at_once")
def test_each_run_of_a_recording_is_a_match_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun_on(tmp_path, "recording")
    for _ in range(2):
        assert command.run(asked("--rig", str(CLIP), "--state", str(tmp_path))) == 0
    assert "goes on" not in capsys.readouterr().out
    with JournalReader.open(tmp_path) as journal:
        kept_ = [(match.table, match.ending, match.strokes) for match in journal.matches()]
    assert kept_ == [("recording", "left", 3), ("recording", "left", 0), ("recording", "open", 0)]


@pytest.mark.usefixtures("ends_at_once")
@pytest.mark.parametrize("rig", ["simulated", str(CLIP)])
def test_a_trial_is_not_played_in_the_folder_of_the_configuration(tmp_path: Path, rig: str) -> None:
    before = begun_on(tmp_path / "state", "live")
    file = tmp_path / "board.toml"
    file.write_text('[camera]\nsource = "usb:0"\n[state]\ndirectory = "state"\n')
    autoplay = ("--autoplay",) if rig == "simulated" else ()
    assert command.run(asked("--config", str(file), "--rig", rig, *autoplay)) == 0
    assert (tmp_path / "state" / NAME).read_bytes() == before


@pytest.mark.parametrize("rig", ["simulated", str(CLIP)])
def test_a_folder_in_which_a_table_s_match_is_open_is_refused_to_a_trial(tmp_path: Path, rig: str) -> None:
    before = begun_on(tmp_path, "live")
    autoplay = ("--autoplay",) if rig == "simulated" else ()
    with pytest.raises(InputError, match="another folder with --state"):
        command.run(asked("--rig", rig, *autoplay, "--state", str(tmp_path)))
    Journal.open(tmp_path).close()
    assert (tmp_path / NAME).read_bytes() == before


@pytest.mark.usefixtures("ends_at_once")
def test_what_a_match_was_begun_on_is_on_its_record(tmp_path: Path) -> None:
    assert command.run(asked("--rig", "simulated", "--autoplay", "--state", str(tmp_path / "a"))) == 0
    assert command.run(asked("--rig", "usb:77", "--state", str(tmp_path / "b"))) == 0
    tables = []
    for folder in ("a", "b"):
        with JournalReader.open(tmp_path / folder) as journal:
            tables += [match.table for match in journal.matches()]
    assert tables == ["simulated", "live"]


@pytest.mark.usefixtures("ends_at_once")
def test_a_table_leaves_the_trial_that_was_played_in_its_folder_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    begun_on(tmp_path / "setmatch", "simulated")
    assert command.run(asked("--rig", "usb:77")) == 0
    assert "match 1 was begun on the simulated table" in capsys.readouterr().err
    with JournalReader.open(tmp_path / "setmatch") as journal:
        assert [(match.table, match.ending) for match in journal.matches()] == [
            ("simulated", "left"),
            ("live", "open"),
        ]


def test_root_leaves_no_files_in_another_user_s_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:
        os.chown(tmp_path, 65534, 65534)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(InputError, match=r"systemctl start setmatch.*sudo -u"):
        command.run(asked("--rig", "usb:77", "--state", str(tmp_path / "state")))
    assert not list(tmp_path.iterdir())


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
