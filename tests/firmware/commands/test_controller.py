"""`setmatch controller` for real: its process on a pty, the link's host at the other end."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hardware.controllers.boards import HostBoard
from tests.hardware.controllers.wires import Wire
from tests.shared import setmatch


class Controller:
    """The command, with its standard streams: pipes, or a terminal."""

    def __init__(self, port: str, folder: Path, *options: str, terminal: bool = False) -> None:
        self.out = bytearray()
        ours, theirs = pty.openpty() if terminal else (-1, subprocess.PIPE)
        command = [sys.executable, "-m", "firmware.cli", "controller", "--port", port, "--name", "Anna"]
        self.process = subprocess.Popen(
            [*command, "--state", str(folder), *options],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
        )
        if terminal:
            os.close(theirs)
            self._in = self._out = ours
        else:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._out, False)

    def type(self, text: str) -> None:
        os.write(self._in, text.encode())

    def ask(self, method: str, **params: Any) -> None:
        self.type(json.dumps({"method": method, "params": params}) + "\n")

    def look(self) -> None:
        try:
            while data := os.read(self._out, 1 << 16):
                self.out += data
        except OSError:
            pass

    @property
    def lines(self) -> list[dict[str, Any]]:
        self.look()
        whole, _, _ = bytes(self.out).rpartition(b"\n")
        return [json.loads(line) for line in whole.splitlines()]

    def heard(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["kind"] == kind]

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        if self.process.stdin is None and self._in >= 0:
            os.close(self._in)
            self._in = -1


@pytest.fixture
def board() -> Iterator[HostBoard]:
    board = HostBoard()
    yield board
    for port in list(board.picos):
        board.unplug(port)


def plugged(board: HostBoard, port: str = "laptop") -> Wire:
    wire = Wire()
    board.plug(port, wire)
    return wire


def test_a_program_plays(board: HostBoard, tmp_path: Path) -> None:
    anna = Controller(plugged(board).path, tmp_path, "--json")
    try:
        board.until(lambda: anna.heard("seated"))
        assert anna.heard("greeted")[0]["board"]["board"] == "Board"
        anna.ask("lobby.bot", seat=2, strength="easy")
        anna.ask("lobby.start")
        board.until(lambda: anna.heard("game"))
        anna.ask("game.act", action={"kind": "claim"})
        board.until(lambda: anna.heard("game")[-1]["game"]["view"]["claimed"] == 1)
        anna.type("this is no JSON\n")
        board.until(lambda: anna.heard("mistake"))
        anna.ask("game.act", action={"kind": "claim"})
        board.until(lambda: anna.heard("refused"))
        assert anna.heard("refused")[0]["reason"] == "table-held"
        # The end of its input is the program's end.
        anna.process.stdin.close()  # type: ignore[union-attr]
        board.until(lambda: anna.process.poll() is not None)
        assert anna.process.returncode == 0
    finally:
        anna.end()


def test_it_is_killed_and_started_again_in_the_same_seat(board: HostBoard, tmp_path: Path) -> None:
    wire = plugged(board)
    anna = Controller(wire.path, tmp_path, "--json")
    again = None
    try:
        board.until(lambda: anna.heard("seated"))
        anna.ask("lobby.bot", seat=2, strength="easy")
        anna.ask("lobby.start")
        board.until(lambda: anna.heard("game"))
        anna.end()
        again = Controller(wire.path, tmp_path, "--json")
        board.until(lambda: again.heard("seated"))  # type: ignore[union-attr]
        board.until(lambda: again.heard("game")[-1]["game"]["view"]["seat"] == 1)  # type: ignore[union-attr]
        assert again.heard("seated")[0] == {"kind": "seated", "seat": 1, "name": "Anna"}
    finally:
        anna.end()
        if again is not None:
            again.end()


def test_a_port_that_is_unplugged_is_waited_for(board: HostBoard, tmp_path: Path) -> None:
    link = tmp_path / "port"
    first = plugged(board, "first")
    link.symlink_to(first.path)
    anna = Controller(str(link), tmp_path, "--json")
    try:
        board.until(lambda: anna.heard("seated"))
        board.unplug("first")
        board.until(lambda: anna.heard("gone"))
        second = plugged(board, "second")
        link.unlink()
        link.symlink_to(second.path)
        board.until(lambda: len(anna.heard("seated")) == 2)
        assert {line["seat"] for line in anna.heard("seated")} == {1}
    finally:
        anna.end()


def test_the_computer_plays_and_tells_what_happens(board: HostBoard, tmp_path: Path) -> None:
    anna = Controller(plugged(board).path, tmp_path, "--bot", "strong")
    try:
        board.until(lambda: board.rig.host.shown.lobby.table)
        board.rig.host.command("lobby.start", {}, board.rig.now)
        board.until(lambda: b"A set for Anna." in anna.out or anna.look())
        assert board.view.scores[0] >= 1
    finally:
        anna.end()


def test_a_person_plays_in_a_terminal(board: HostBoard, tmp_path: Path) -> None:
    anna = Controller(plugged(board).path, tmp_path, terminal=True)

    def shows(text: str) -> bool:
        anna.look()
        return text.encode() in anna.out

    try:
        board.until(lambda: shows("Anna (you)"))
        anna.type("+")
        board.until(lambda: len(board.rig.host.shown.lobby.table) == 2)
        anna.type("\r")
        board.until(lambda: shows("69 cards to come"))
        anna.type(" ")
        board.until(lambda: shows("Name three cards"))
        anna.type("qwe")
        board.until(lambda: board.view.claimed is None)
        anna.type("\tq")
        board.until(lambda: anna.process.poll() is not None)
        anna.look()
        assert anna.process.returncode == 0, anna.out
        # The terminal is as it was: its own screen, and letters that are shown.
        assert b"\x1b[?1049l" in anna.out
    finally:
        anna.end()


def test_a_port_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    setmatch(
        "controller", "--port", tmp_path / "none", "--name", "Anna", "--json", "--state", tmp_path
    ).refuses(str(tmp_path / "none"), "plugged in")


@pytest.mark.parametrize("name", ["", " ", "a" * 21, "\x1b[2J"])
def test_a_name_that_no_board_takes_is_refused(name: str, tmp_path: Path) -> None:
    setmatch("controller", "--port", "p", "--name", name).refuses("1 to 20 letters")


def test_without_a_terminal_nobody_can_play(board: HostBoard, tmp_path: Path) -> None:
    wire = plugged(board)
    setmatch("controller", "--port", wire.path, "--name", "Anna", "--state", tmp_path).refuses(
        "--json", "--bot"
    )
