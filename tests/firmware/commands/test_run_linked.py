"""`setmatch run` with the link, as processes: a board without a camera, controllers, a match beside it."""

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware.commands import run as command
from firmware.commands.configured import config_of
from firmware.commands.hosting import link_wanted
from firmware.daemon.linking import Wanted
from firmware.errors import InputError
from firmware.link.wire import LineReader, Notification, Request, Result, encoded
from tests.firmware.commands.test_run import asked

PATIENCE_S = 120.0


class Process:
    """The program, with its lines as they come."""

    def __init__(self, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware.cli", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []

    def until_said(self, part: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if part in line:
                return self.lines[-1]
        raise AssertionError("\n".join(self.lines))

    def end(self, by: signal.Signals = signal.SIGTERM) -> int:
        assert self.process.stdout is not None
        self.process.send_signal(by)
        self.lines += self.process.stdout.read().splitlines()
        return self.process.wait(PATIENCE_S)


@contextmanager
def process(*args: str) -> Iterator[Process]:
    started = Process(*args)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()
        assert started.process.stdout is not None
        started.process.stdout.close()


class Wire:
    """A pty: what is plugged in, by the name that the board opens."""

    def __init__(self) -> None:
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.name = os.ttyname(self._theirs)
        self._reader = LineReader()
        self._ids = 0
        self.told: list[Any] = []

    def asks(self, method: str, **params: Any) -> Any:
        self._ids += 1
        os.write(self._ours, encoded(Request(self._ids, method, params)))
        return self.hears(lambda each: isinstance(each, Result) and each.id == self._ids).result

    def hears(self, what: Any) -> Any:
        end = time.monotonic() + PATIENCE_S
        while True:
            for number, each in enumerate(self.told):
                if what(each):
                    del self.told[: number + 1]
                    return each
            assert time.monotonic() < end, "it was not heard"
            try:
                self.told += self._reader.feed(os.read(self._ours, 4096))
            except BlockingIOError:
                time.sleep(0.005)

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)


def test_a_board_without_a_camera_hosts_a_game_that_outlives_it(tmp_path: Path) -> None:
    wire = Wire()
    args = ("run", "--rig", "none", "--link", wire.name, "--link", "tcp:0", "--state", str(tmp_path))
    with process(*args) as board:
        found = re.match(r"tcp:(\d+): ", board.until_said("can connect"))
        assert found is not None
        board.until_said(f"{wire.name}: open")
        wire.asks("hello", protocol=1, name="Ann")
        token = wire.asks("seat.take", name="Ann")["token"]
        with process(
            *("controller", "--port", f"socket://127.0.0.1:{found[1]}", "--name", "Zoe", "--bot", "easy"),
            *("--json", "--state", str(tmp_path / "zoe")),
        ) as zoe:
            zoe.until_said('"kind":"seated"')
            board.until_said("1 Ann, 2 Zoe")
            wire.asks("lobby.start")
            wire.hears(lambda each: isinstance(each, Notification) and each.method == "game.changed")
            board.until_said("set, playing: 1 Ann, 2 Zoe")
        board.until_said("2 Zoe (away)")
        assert board.end() == 0
        board_told = board.lines
    assert not [line for line in board_told if "Traceback" in line]
    with process(*args, "--json") as board:
        lines = [json.loads(board.until_said("open"))]
        assert lines[0] == {"kind": "link", "text": f"{wire.name}: open"}
        wire.asks("hello", protocol=1, name="Ann")
        assert wire.asks("seat.resume", token=token)["seat"] == 1
        assert wire.asks("game.view")["status"] == "paused"
        assert board.end(signal.SIGINT) == 130
    wire.close()


@pytest.mark.timeout(600)
def test_a_match_is_refereed_beside_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    play = ("run", "--rig", "simulated", "--autoplay", "--speed", "0", "--seed", "3", "--json")
    with process(*play, "--state", str(tmp_path), "--link", f"tcp:{number}") as board:
        board.until_said("can connect")
        board.until_said('"kind": "stroke"')
        with socket.create_connection(("127.0.0.1", number), PATIENCE_S) as connection:
            connection.sendall(encoded(Request(1, "ping")))
            assert LineReader().feed(connection.recv(4096)) == [Result(1, {})]
            board.until_said('"kind": "stroke"')
        assert board.end() == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--rig", "none"), "give --link"),
        (("--rig", "none", "--link", "auto", "--autoplay"), "--autoplay is for a match"),
        (("--rig", "none", "--link", "auto", "--new-match"), "--new-match is for a match"),
        (("--rig", "none", "--link", "tcp:x"), "names no port"),
        (("--rig", "simulated", "--link", "tcp:1", "--link", "tcp:2"), "is enough"),
    ],
)
def test_what_cannot_be_linked(args: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        command.run(asked(*args))


def test_the_option_stands_for_what_the_configuration_says(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text('[camera]\nsource = "none"\n[link]\nports = ["auto"]\ntcp = 7311\n')
    args = asked("--config", str(file))
    assert link_wanted(args, config_of(args)) == Wanted(("auto",), 7311)
    args = asked("--config", str(file), "--link", "/dev/ttyACM0")
    assert link_wanted(args, config_of(args)) == Wanted(("/dev/ttyACM0",))


def test_a_port_that_is_taken_does_not_end_a_match(tmp_path: Path) -> None:
    play = ("run", "--rig", "simulated", "--autoplay", "--speed", "0", "--seed", "3", "--json")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        link = f"tcp:{taken.getsockname()[1]}"
        with process(*play, "--state", str(tmp_path), "--link", link) as board:
            assert "give another" in board.until_said('"kind": "link"')
            board.until_said('"kind": "stroke"')
            assert board.end() == 0


def test_a_port_that_is_taken_ends_the_start_without_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        args = asked("--rig", "none", "--state", str(tmp_path), "--link", f"tcp:{taken.getsockname()[1]}")
        with pytest.raises(InputError, match="give another"):
            command.run(args)
