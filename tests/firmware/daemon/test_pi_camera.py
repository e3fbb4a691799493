"""A board under the Pi's own camera: found with what that knows of its lens, and waited for when it goes.

The libraries are the fake's, the picture is footage, and frames come as the test lets them.
"""

import json
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import load
from firmware.cli import main
from firmware.config import Config
from firmware.config.sections import CameraSection
from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import CameraNews, ThreadedFrames
from firmware.daemon.rigs import CALIBRATION, open_rig
from firmware.journal import Journal
from firmware.report import Line
from hardware import optics
from hardware.optics import camera_module
from hardware.picamera import PiCamera
from tests.contract.fake_picamera2 import FakePi
from tests.shared import FOOTAGE, focal_px, picture

STILL = FOOTAGE / "rest" / "rest25.jpg"
LONG_S = 60.0


def lens_mm() -> float:
    """The lens with which a Global Shutter camera that hangs 110.5 focal lengths away sees as the footage."""
    behind_mm = focal_px(STILL) * 0.00345
    return behind_mm * 109.5 / 110.5


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> FakePi:
    computer = FakePi(scene=picture(STILL))
    computer.now = computer.began = time.monotonic()
    computer.install(monkeypatch)
    return computer


def test_the_lens_of_the_footage_is_one_that_the_table_makes() -> None:
    module = camera_module("imx296")
    assert module is not None
    assert optics.focal_px(module, lens_mm(), 1456) == pytest.approx(focal_px(STILL), rel=1e-4)


def test_calibrate_believes_the_cameras_lens(
    pi: FakePi, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["calibrate", "--camera", "pi", "--save", str(tmp_path / "cal.json"), "--json"]
    assert main([*args, "--lens-mm", f"{lens_mm():.4f}", "--mains-hz", "60"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["focal_known"] is True
    assert line["focal_px"] == pytest.approx(focal_px(STILL), rel=0.04)
    assert line["size"] == [1456, 1088]
    assert not pi.cameras[-1].is_open


class Table:
    """The daemon at a board under a Pi's camera; each frame comes when a turn wants one."""

    def __init__(self, pi: FakePi, folder: Path) -> None:
        self.pi, self.folder = pi, folder
        self.wanted = threading.Semaphore(400)  # to be opened takes some
        pi.on_frame = self._comes
        self.lines: list[Line] = []
        opened = open_rig(Config(camera=CameraSection(source="pi", lens_mm=lens_mm())), folder)
        self.daemon = Daemon(
            opened.rig,
            opened.terms,
            Journal.open(folder),
            tell=self.lines.append,
            launch=lambda work: work(),
        )

    def _comes(self) -> None:
        self.wanted.acquire()
        self.pi.now = time.monotonic()

    def until(self, kind: str, part: str = "") -> Line:
        """Turns until a line of that kind, about that part, has been told."""
        until = time.monotonic() + LONG_S
        while time.monotonic() < until:
            for line in self.lines:
                if line["kind"] == kind and part in ("", line.get("part")):
                    return line
            self.wanted.release()
            self.daemon.turn(0.01)
        raise AssertionError(f"no {kind} in {self.lines}")

    def close(self) -> None:
        self.pi.on_frame = lambda: None
        self.wanted.release(100)
        self.daemon.close()


def test_the_board_is_found_by_the_cameras_lens_and_a_camera_that_goes_is_told(
    pi: FakePi, tmp_path: Path
) -> None:
    table = Table(pi, tmp_path)
    try:
        table.until("board-found")
        kept = load(tmp_path / CALIBRATION)
        assert kept.focal_known
        assert kept.model.focal_px == pytest.approx(focal_px(STILL), rel=0.04)
        # The table says 2 per cent of a lens: no more is believed.
        assert 0.01 < np.sqrt(kept.covariance[0, 0]) <= 0.02
        pi.unplugged = pi.stop_hangs = True
        told = table.until("trouble", "camera")
        assert "no picture for 1.5 s; check its ribbon cable" in told["text"]
    finally:
        pi.let_go.set()
        table.close()


def test_a_camera_that_sends_the_same_picture_for_ever_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pi, wanted = FakePi(), threading.Semaphore(200)
    pi.install(monkeypatch)
    pi.on_frame = wanted.acquire  # type: ignore[assignment]
    # The one that is let go is waited for in real time: its thread has to come round.
    frames = ThreadedFrames(lambda: PiCamera(clock=pi.clock, sleep=lambda _: time.sleep(0.001)), pi.clock)
    news: list[CameraNews] = []

    def until(kind: str) -> None:
        for _ in range(3000):
            wanted.release()
            frames.next(0.01)
            news.extend(frames.news())
            if kind in [each.kind for each in news]:
                return
        raise AssertionError(f"no {kind} in {news}")

    for _ in range(300):
        wanted.release()
        if frames.next(1.0) is not None:
            break
    pi.frozen = True
    until("frozen")
    pi.frozen = False
    until("back")
    assert [each.kind for each in news] == ["frozen", "back"]
    assert len(pi.cameras) > 1, "it was opened anew"
    pi.on_frame = lambda: None
    wanted.release(100)
    assert frames.close(LONG_S)
