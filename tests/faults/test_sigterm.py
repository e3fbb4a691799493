"""Asked to end, at any time and whatever hangs: it ends by itself, in order, and everything is on disk.

Each daemon is a process of its own: `setmatch run`, or a bench that stands still where the signal is to come
(`asked_to_end`).
"""

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import Any

import pytest

from firmware.commands.outlasting import CLOSED
from firmware.daemon.stopping import Stop
from firmware.journal import Journal, JournalReader
from tests.faults.asked_to_end import WHERE
from tests.faults.rendered import RenderedTable

LONG_S = 120.0
"""A daemon that has not ended by then hangs."""
ROOT = Path(__file__).parents[2]
NOTHING_THERE = """
[camera]
source = "usb:77"
[[panel]]
role = "in-rally"
port = 77
[[panel]]
role = "game"
driver = "ssd1322"
interface = "spi"
port = 7
"""
RUN = ("firmware.cli", "run", "--rig", "simulated", "--autoplay", "--speed", "0")


class Process:
    """A program whose lines are read as they come."""

    def __init__(self, *module_and_arguments: str, in_one: bool = False) -> None:
        """`in_one`: it complains where it prints, too, as under a service manager."""
        self._complaints = TemporaryFile("w+")  # noqa: SIM115  # as long as the program lives
        self._process = subprocess.Popen(
            [sys.executable, "-m", *module_and_arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if in_one else self._complaints,
            text=True,
        )
        self.lines: list[str] = []

    def until(self, words: str, times: int = 1) -> None:
        """Read until so many lines have had these words."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line)
            if sum(words in each for each in self.lines) == times:
                return
        raise AssertionError(f"it ended before it told {words!r}: {self.end()[1]}")

    def close_output(self) -> None:
        """Read no more of what it prints."""
        assert self._process.stdout is not None
        self._process.stdout.close()

    def ask_to_end(self, times: int = 1, number: signal.Signals = signal.SIGTERM) -> None:
        """It will have heard of it by the time that it reads its next line."""
        for _ in range(times):
            self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """Its exit code, and what it complained of."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it has ended already
            process.stdin.write("\n")
            process.stdin.close()
        killer = Timer(LONG_S, process.kill)
        killer.start()
        # Not `communicate`: what `until` has read ahead of its line would be lost to it.
        if not process.stdout.closed:
            self.lines += process.stdout.read().splitlines()
        code = process.wait()
        killer.cancel()
        process.stdout.close()
        self._complaints.seek(0)
        with self._complaints:
            return code, self._complaints.read()


def told(lines: Sequence[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def check_kept(folder: Path, strokes: int) -> None:
    """The journal's lock is free, nothing in it is damaged, and the strokes that were told are in it."""
    Journal.open(folder).close()
    with JournalReader.open(folder) as reader:
        assert reader.warnings == []
        kept = reader.matches()
        assert [match.fault for match in kept] == [None] * len(kept)
        assert sum(match.strokes for match in kept) == strokes


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("where", sorted(WHERE))
def test_it_ends_in_order_wherever_it_is(tmp_path: Path, where: str, number: signal.Signals) -> None:
    process = Process("tests.faults.asked_to_end", where, str(tmp_path))
    process.until("reached")
    process.ask_to_end(times=3, number=number)  # people without patience
    code, complaints = process.end()
    assert (code, complaints) == (0, "")
    lines = told(process.lines)
    assert lines[-2:] == [{"kind": "stopped", "match": 1}, {"kind": "dark", "panels": True}]
    check_kept(tmp_path, sum(line["kind"] == "stroke" for line in lines))


def test_it_ends_in_order_while_the_ball_rolls(tmp_path: Path) -> None:
    table = RenderedTable(tmp_path)
    table.play((70.0, 54.0))
    rolling = table.flick((-150.0, 30.0))

    def after_turn() -> None:
        table.panels.step()
        if table.table.now > rolling.touched_at + 0.1:
            signal.raise_signal(signal.SIGTERM)

    with Stop.listening() as stop:
        table.daemon.run(stop, after_turn=after_turn)
    assert table.table.now < rolling.rested_at
    assert not table.panels.game.is_lit
    assert not table.panels.in_rally.is_lit
    check_kept(tmp_path, 1)


def test_setmatch_ends_in_order_before_the_board_is_found(tmp_path: Path) -> None:
    process = Process(*RUN, "--state", str(tmp_path))
    process.until("finding the board")
    process.ask_to_end()
    assert process.end() == (0, "")
    check_kept(tmp_path, 0)


def test_setmatch_ends_in_order_with_nothing_plugged_in(tmp_path: Path) -> None:
    """The real adapters; that nothing is there is told of each, and waited for."""
    file = tmp_path / "board.toml"
    file.write_text(NOTHING_THERE, encoding="utf-8")
    process = Process("firmware.cli", "run", "--config", str(file), "--json", "--state", str(tmp_path))
    process.until('"trouble"', 4)
    process.ask_to_end()
    assert process.end() == (0, "")
    lines = told(process.lines)
    parts = [line["part"] for line in lines if line["kind"] == "trouble"]
    assert sorted(parts) == ["board", "camera", "ssd1306 on I2C bus 77 at 0x3c", "ssd1322 on SPI 7.0"]
    assert lines[-1] == {"kind": "stopped", "match": 1}
    check_kept(tmp_path, 0)


@pytest.mark.parametrize("strokes", [1, 3])
def test_setmatch_ends_in_order_in_a_match(tmp_path: Path, strokes: int) -> None:
    process = Process(*RUN, "--json", "--state", str(tmp_path))
    process.until('"kind": "stroke"', strokes)
    process.ask_to_end()
    assert process.end() == (0, "")
    lines = told(process.lines)
    assert {"kind": "stopped", "match": 1} in lines
    check_kept(tmp_path, sum(line["kind"] == "stroke" for line in lines))
    again = Process(*RUN, "--json", "--state", str(tmp_path))
    again.until('"kind": "stroke"')
    again.ask_to_end()
    assert again.end() == (0, "")
    numbers = [line["number"] for line in told([*process.lines, *again.lines]) if line["kind"] == "stroke"]
    assert numbers == list(range(1, len(numbers) + 1)), "it goes on where it was"


@pytest.mark.parametrize("options", [("--json",), ()])
def test_setmatch_ends_in_order_when_nobody_reads_it_any_more_and_says_so(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    process = Process(*RUN, *options, "--state", str(tmp_path))
    process.until('"kind": "stroke"' if options else "margin")
    process.close_output()
    code, complaints = process.end()
    assert code == CLOSED
    assert complaints.count("\n") == 1
    assert "standard output was closed" in complaints
    with JournalReader.open(tmp_path) as reader:
        assert reader.warnings == []
        (match,) = reader.matches()
        assert match.strokes >= 1


def test_who_read_both_of_its_streams_and_is_gone_is_no_good_end(tmp_path: Path) -> None:
    process = Process(*RUN, "--json", "--state", str(tmp_path), in_one=True)
    process.until('"kind": "stroke"')
    process.close_output()
    assert process.end() == (CLOSED, "")


def test_setmatch_ends_in_order_when_its_terminal_is_closed_in_the_middle_of_a_question(
    tmp_path: Path,
) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware.cli", "run", "--rig", "simulated", "--state", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"NO_COLOR": "1"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=partial(fcntl.ioctl, slave, termios.TIOCSCTTY, 0),
    )
    os.close(slave)
    shown = b""
    while b"A1 serves" not in shown:
        shown += os.read(master, 4096)
    os.close(master)
    assert process.wait(LONG_S) == 0
    check_kept(tmp_path, 0)


def test_who_is_to_outlive_the_terminal_does() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    try:
        with Stop.listening() as stop:
            signal.raise_signal(signal.SIGHUP)
            assert not stop.is_set()
            signal.raise_signal(signal.SIGTERM)
            assert stop.is_set()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
