"""Rigs: what a configuration makes of a recording, and with which names a match is begun on it."""

from pathlib import Path

import pytest

from calibration.edition import load_edition
from firmware.config import Config
from firmware.config.sections import CameraSection, MatchSection
from firmware.daemon import Daemon
from firmware.journal import Journal, JournalReader
from firmware.report import Line
from firmware.rigs import open_rig, terms_of
from firmware.rules import ReturnAwaited
from hardware.errors import CameraError
from hardware.recorded import RecordedCamera
from tests.faults.bench import SERVE_FROM, SERVED

CLIP = Path(__file__).parents[1] / "footage" / "figure-j.mp4"
CLASSIC = load_edition("classic", require_zones=True)


def test_names_are_kept_in_the_order_of_play() -> None:
    named = Config(match=MatchSection(names={"A": "Ada", "B": "Ben"}, first_server="B"))
    terms = terms_of(named, CLASSIC)
    assert dict(zip(terms.setup.order, terms.names, strict=True)) == {"A1": "Ada", "B1": "Ben"}
    assert terms_of(Config(), CLASSIC).names == ()


def test_a_recording_is_refereed_and_kept_by_the_same_loop(tmp_path: Path) -> None:
    opened = open_rig(Config(camera=CameraSection(source=str(CLIP))), tmp_path)
    assert opened.simulated is None
    lines: list[Line] = []
    daemon = Daemon(opened.rig, opened.terms, Journal.open(tmp_path), tell=lines.append)
    while not daemon.over and not any(line["kind"] == "stroke" for line in lines):
        daemon.turn()
    daemon.close()
    (called,) = [line for line in lines if line["kind"] == "stroke"]
    assert called["call"] == "in"
    assert called["from_mm"] == pytest.approx(SERVE_FROM, abs=0.5)
    assert called["dot_mm"] == pytest.approx(SERVED, abs=0.2)
    assert isinstance(daemon.chair.match.state.waiting, ReturnAwaited)
    with JournalReader.open(tmp_path) as reader:
        assert reader.matches()[0].strokes == 1


def test_a_camera_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="nowhere"):
        open_rig(Config(camera=CameraSection(source=str(tmp_path / "nowhere.mp4"))), tmp_path)


def test_a_camera_is_given_back_when_no_board_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[RecordedCamera] = []
    close = RecordedCamera.close
    monkeypatch.setattr(RecordedCamera, "close", lambda camera: (closed.append(camera), close(camera)))
    missing = CameraSection(source=str(CLIP), calibration=str(tmp_path / "missing.json"))
    with pytest.raises(Exception, match=r"missing\.json"):
        open_rig(Config(camera=missing), tmp_path)
    assert len(closed) == 1
