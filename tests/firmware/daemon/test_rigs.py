"""Rigs: what a configuration makes of a recording, and with which names a match is begun on it."""

import sys
import threading
import time
from inspect import signature
from pathlib import Path
from queue import Queue

import pytest

from calibration.edition import load_edition
from calibration.errors import ProfileError
from calibration.profile import load
from firmware.config import Config
from firmware.config.sections import (
    BoardSection,
    ButtonsSection,
    CameraSection,
    MatchSection,
    Place,
    SideButtons,
)
from firmware.daemon import finding, rigs
from firmware.daemon.begun import settings_of
from firmware.daemon.daemon import Daemon
from firmware.daemon.rigs import open_rig, terms_of
from firmware.doctor import Surroundings
from firmware.journal import Journal, JournalReader
from firmware.report import Line
from firmware.rules import ReturnAwaited
from hardware.button import Button
from hardware.camera import Frame
from hardware.errors import CameraError
from hardware.gpio_buttons import GpioButtons
from hardware.recorded import RecordedCamera
from tests.faults.bench import NOON, SERVE_FROM, SERVED
from tests.shared import focal_px

CLIP = Path(__file__).parents[2] / "footage" / "figure-j.mp4"
CLASSIC = load_edition("classic", require_zones=True)


def test_names_are_kept_in_the_order_of_play() -> None:
    named = Config(match=MatchSection(names={"A": "Ada", "B": "Ben"}, first_server="B"))
    terms = terms_of(named, CLASSIC)
    assert dict(zip(terms.setup.order, terms.names, strict=True)) == {"A1": "Ada", "B1": "Ben"}
    assert terms_of(Config(), CLASSIC).names == ()


@pytest.mark.parametrize(
    ("doubles", "names", "kept"),
    [
        (True, {"A": "Reds", "A1": "Ada"}, {"A": "Reds", "A1": "Ada"}),
        (True, {"B": "Blues"}, {"B": "Blues"}),
        (True, {"A2": "Eve", "B2": "Tim"}, {"A2": "Eve", "B2": "Tim"}),
        (False, {"B": "Ben", "B1": "of a match of pairs"}, {"B": "Ben"}),
        (False, {}, {}),
    ],
)
def test_names_are_on_record_as_they_were_given(
    doubles: bool, names: dict[Place, str], kept: dict[Place, str]
) -> None:
    config = Config(match=MatchSection(doubles=doubles, names=names))
    began = terms_of(config, CLASSIC).began(NOON)
    assert began.called == kept
    match = settings_of(Config(match=MatchSection(preset="children", language="fr")), began).match
    assert match == MatchSection(doubles=doubles, names=kept, language="fr")


def test_a_match_that_goes_on_has_the_settings_it_was_begun_with() -> None:
    match = MatchSection("advanced", {"tie_break": False}, True, 6, 3, "B", {"A1": "Ada"}, "fr")
    began = terms_of(Config(match=match), CLASSIC).began(NOON)
    assert settings_of(Config(match=MatchSection(language="fr")), began).match == match


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


def test_presses_are_stamped_by_the_clock_of_what_they_are_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press is about what stood when it began: the two are compared. No board has to be found for that."""
    monkeypatch.setattr(rigs._Base, "sight", lambda *_: None)
    recorded = open_rig(Config(camera=CameraSection(source=str(CLIP))), tmp_path).rig
    assert recorded.clock is signature(GpioButtons).parameters["clock"].default
    recorded.panels.stop()
    recorded.frames.close()
    simulated = open_rig(Config(camera=CameraSection(source="simulated")), tmp_path)
    assert simulated.simulated is not None
    rig, table = simulated.rig, simulated.simulated.table
    simulated.simulated.buttons.press(Button("A", "confirm"), table.now, 0.1, bounces=0)
    pressed_at_s = rig.clock()
    table.step(1.0)
    assert [edge.at_s - pressed_at_s for edge in rig.buttons.drain()] == pytest.approx([0.0, 0.1])
    assert rig.clock() == pytest.approx(pressed_at_s + 1.0)
    rig.panels.stop()


def test_a_camera_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="nowhere"):
        open_rig(Config(camera=CameraSection(source=str(tmp_path / "nowhere.mp4"))), tmp_path)


class Shown:
    """A live camera before a board that lies still, which gives a picture for each that is asked for of the
    one that was opened last."""

    asked_for = threading.Semaphore(0)

    fps, frame_count = 30.0, None

    def __init__(self, source: str, rotation: int, board: str, **_: object) -> None:
        camera = RecordedCamera(str(CLIP))
        first = camera.read()
        camera.close()
        assert first is not None
        self._image, self.size, self._number = first.image, camera.size, 0
        self._asked_for = Shown.asked_for = threading.Semaphore(0)
        OPENED.put(self)

    def read(self) -> Frame:
        self._asked_for.acquire()
        image = self._image.copy()
        self._number += 1
        image[0, 0] = self._number % 256  # no sensor gives the same twice
        return Frame(image, time.monotonic(), self._number)

    def close(self) -> None:
        """Nothing to give back."""


OPENED: Queue[Shown] = Queue()
LONG_S = 20.0
LIVE = Config(camera=CameraSection(source="usb:0", focal_px=focal_px(CLIP)))


def looked(daemon: Daemon) -> Daemon:
    """The daemon as soon as it has found the board."""
    OPENED.get(timeout=LONG_S)
    for _ in range(60):
        Shown.asked_for.release()
        daemon.turn(LONG_S)
        if daemon.umpire is not None:
            return daemon
    raise AssertionError("the board is not found")


def ended(daemon: Daemon) -> None:
    Shown.asked_for.release(2)  # the camera's thread waits for it
    daemon.close()


def begun(config: Config, folder: Path) -> Daemon:
    opened = open_rig(config, folder)
    return Daemon(
        opened.rig, opened.terms, Journal.open(folder), tell=lambda line: None, launch=lambda work: work()
    )


def test_a_live_camera_finds_its_board_keeps_where_it_lies_and_begins_with_that_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rigs, "open_camera", Shown)
    first = begun(LIVE, tmp_path)
    assert first.umpire is None
    assert (first.chair.match.state.waiting, first.over) != (None, True)
    ended(looked(first))
    kept = tmp_path / "calibration.json"
    assert kept.exists()
    monkeypatch.setattr(finding, "calibrated", None)
    second = looked(begun(LIVE, tmp_path))
    assert second.umpire is not None
    assert second.umpire.calibration.model.focal_px == pytest.approx(load(kept).model.focal_px, rel=0.01)
    ended(second)
    named = CameraSection(source="usb:0", calibration=str(kept))
    with pytest.raises(ProfileError, match="maxi"):
        open_rig(Config(camera=named, board=BoardSection(edition="maxi")), tmp_path)


def test_what_was_kept_and_cannot_be_read_any_more_is_found_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(rigs, "open_camera", Shown)
    (tmp_path / "calibration.json").write_text("{")
    daemon = begun(LIVE, tmp_path)
    assert "calibration.json" in caplog.text
    ended(looked(daemon))
    assert load(tmp_path / "calibration.json").edition == "classic"


def test_a_live_camera_that_is_not_there_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(source: str, rotation: int, board: str, **_: object) -> Shown:
        raise CameraError("there is no camera usb:0; plug it in")

    monkeypatch.setattr(rigs, "open_camera", absent)
    opened = open_rig(Config(camera=CameraSection(source="usb:0")), tmp_path)
    lines: list[Line] = []
    daemon = Daemon(opened.rig, opened.terms, Journal.open(tmp_path), tell=lines.append)
    while not any(line["kind"] == "trouble" and line["part"] == "camera" for line in lines):
        daemon.turn()
    assert not daemon.over
    daemon.close()


def test_the_camera_is_opened_as_it_is_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the board and by the doctor alike."""
    asked: list[dict[str, object]] = []
    opened = threading.Event()

    def absent(source: str, rotation: int, board: str, **given: object) -> Shown:
        asked.append({"source": source, "rotation": rotation, "board": board, **given})
        opened.set()
        raise CameraError("there is no camera usb:0; plug it in")

    camera = CameraSection(source="usb:0", rotation=90, size=(1280, 720), mains_hz=60)
    monkeypatch.setattr(rigs, "open_camera", absent)
    daemon = begun(Config(camera=camera), tmp_path)
    assert opened.wait(LONG_S)
    daemon.close()
    monkeypatch.setattr("hardware.cameras.open_camera", absent)
    with pytest.raises(CameraError):
        Surroundings().camera(camera, "classic")
    wanted = {"source": "usb:0", "rotation": 90, "board": "classic", "size": (1280, 720), "mains_hz": 60}
    assert asked[0] == asked[-1] == {**wanted, "lens_mm": None}


def test_buttons_that_do_not_open_are_told_and_cost_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rigs, "open_camera", Shown)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    wired = ButtonsSection(A=SideButtons(confirm=17))
    opened = open_rig(Config(camera=LIVE.camera, buttons=wired), tmp_path)
    lines: list[Line] = []
    daemon = Daemon(opened.rig, opened.terms, Journal.open(tmp_path), tell=lines.append)
    for _ in range(3):
        daemon.turn(0.01)
    assert not daemon.over
    (told,) = [line for line in lines if line["kind"] == "trouble" and line["part"] == "buttons"]
    assert "python3-lgpio" in str(told["text"])
    ended(daemon)


@pytest.mark.parametrize("source", ["usb:one", "pi:one"])
def test_what_names_no_camera_is_an_error_at_once(tmp_path: Path, source: str) -> None:
    with pytest.raises(CameraError):
        open_rig(Config(camera=CameraSection(source=source)), tmp_path)


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
