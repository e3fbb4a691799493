"""The doctor at a Pi's own camera, through the adapter: what it tells, and one that does not open."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.errors import RefusedError
from firmware import setting_up
from firmware.config import config_from
from firmware.doctor import Surroundings
from tests.contract.fake_picamera2 import MODULE_3, FakePi
from tests.firmware.doctor.test_examining import Board, of


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    def calibrated(*_: object) -> None:
        raise RefusedError("no whole court was found; put the board in view")

    monkeypatch.setattr(setting_up, "calibrated", calibrated)
    board = Board(tmp_path)
    board.config = config_from('[camera]\nsource = "pi"\n', tmp_path / "table.toml")
    board.around = replace(board.around, camera=Surroundings().camera)
    return board


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> FakePi:
    computer = FakePi(sensors=[MODULE_3])

    def now() -> None:
        computer.now = time.monotonic()

    now()
    computer.began, computer.on_frame = computer.now, now
    computer.install(monkeypatch)
    return computer


def test_a_camera_module_tells_how_it_works(board: Board, pi: FakePi) -> None:
    findings = board.examine()
    camera = of(findings, "camera")
    for words in ("pi (Camera Module 3)", "2304x1296", "exposure", "gain", "dioptres", "locked"):
        assert words in camera.text
    assert camera.state in ("ok", "warning")  # how many frames come is the test computer's affair
    board_found = of(findings, "board")
    assert (board_found.state, board_found.next) == ("broken", "put the board in view")
    assert not any(each.is_open for each in pi.cameras)


def test_a_camera_module_that_does_not_open(board: Board, pi: FakePi) -> None:
    pi.sensors = []
    camera = of(board.examine(), "camera")
    assert camera.state == "broken"
    assert camera.next


def test_a_computer_without_the_camera_modules_library(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    camera = of(board.examine(), "camera")
    assert (camera.state, "picamera2" in camera.text + camera.next) == ("broken", True)
