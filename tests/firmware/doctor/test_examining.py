"""Every part of a board looked at in turn: on laid files, scripted programs and the simulated parts."""

import errno
import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PosixPath
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import Calibration, save
from firmware import setting_up
from firmware.config import Config, config_from
from firmware.config.sections import CameraSection
from firmware.doctor import Finding, Patient, Surroundings, examine
from firmware.doctor.sight import Image
from firmware.voice.pieces import every_clip
from hardware.button import Button, Buttons
from hardware.camera import Camera
from hardware.cameras import open_camera
from hardware.errors import ButtonError, CameraError, PanelError, SpeakerError
from hardware.panel import PanelSpec
from hardware.simulated.buttons import SimulatedButtons
from hardware.simulated.panel import SimulatedPanel
from hardware.system import Strays, System

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
FULL = """
[camera]
source = "match.png"
[[panel]]
role = "in-rally"
address = 0x3c
[[panel]]
role = "game"
driver = "ssd1322"
interface = "spi"
[buttons.A]
confirm = 17
confirm_led = 5
challenge = 27
[buttons.B]
confirm = 22
challenge = 23
"""
A_CONFIRM, A_CHALLENGE = Button("A", "confirm"), Button("A", "challenge")
B_CONFIRM, B_CHALLENGE = Button("B", "confirm"), Button("B", "challenge")


class Board:
    """A board, and what a test lays around it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.state.mkdir()
        self.root = folder / "root"
        self.root.mkdir()
        self.config = config_from(FULL, folder / "table.toml")
        self.programs: dict[str, str] = {}
        """What each prints."""
        self.panels: dict[str, SimulatedPanel] = {}
        self.lit_at_the_time: list[str] = []
        self.said: list[str] = []
        self.opened: list[str] = []
        self.now = 0.0
        self.fingers: dict[Button, float] = {}
        self.around = Surroundings(
            system=System(self.root),
            ask=lambda command: self.programs.get(command[0]),
            synchronised=lambda: True,
            camera=self._camera,
            panel=self._panel,
            buttons=self._buttons,
            answering=lambda port: (0x3C,),
            sound=self._sound,
            listen=self._listen,
            now=lambda: NOW,
            clock=lambda: self.now,
            sleep=self._sleep,
        )

    def lay(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def examine(self, seconds: float = 0.0, **given: Any) -> list[Finding]:
        patient = Patient(self.config, self.state, str(self.folder / "table.toml"))
        patient = replace(patient, **given)
        return list(examine(patient, seconds=seconds, around=self.around, say=self.said.append))

    def _camera(self, camera: CameraSection, board: str) -> Camera:
        self.opened.append("camera")
        return open_camera(camera.source, camera.rotation, board)

    def show(self, picture: Image) -> None:
        """Have the camera see something: there is none until then."""
        cv2.imwrite(str(self.folder / "match.png"), picture)

    def use_camera(self, picture: Image) -> None:
        """Have a camera, and not a recording, see something."""
        self.show(picture)
        file = str(self.folder / "match.png")
        self.config = config_from('[camera]\nsource = "usb:0"\n', self.folder / "table.toml")
        self.around = replace(self.around, camera=lambda *_: open_camera(file))

    def calibrated(self, found: Calibration) -> Path:
        """Have a calibration named."""
        path = self.folder / "cal.json"
        save(found, path)
        named = FULL.replace('"match.png"', '"match.png"\ncalibration = "cal.json"')
        self.config = config_from(named, self.folder / "table.toml")
        return path

    def _panel(self, spec: PanelSpec) -> SimulatedPanel:
        self.opened.append(spec.name)
        return self.panels.setdefault(spec.name, SimulatedPanel(spec))

    def _buttons(self, pins: Mapping[Button, int], lamps: Mapping[Button, int], pull_up: bool) -> Buttons:
        (button,) = pins
        self.opened.append(str(button))
        port = SimulatedButtons(lambda: self.now, lamps=lamps)
        if button in self.fingers:
            port.press(button, self.fingers[button])
        return port

    def _listen(self, port: int) -> None:
        self.opened.append(f"tcp {port}")

    def _sound(self, device: str) -> None:
        self.opened.append(device)

    def _sleep(self, seconds: float) -> None:
        self.lit_at_the_time = [name for name, panel in self.panels.items() if panel.is_lit]
        self.now += seconds


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch, found: Calibration) -> list[Image]:
    """The board is found anew at once; the pictures in which it was sought."""
    sought: list[Image] = []

    def calibrated(picture: Image, *_: object) -> Calibration:
        sought.append(picture)
        return found

    monkeypatch.setattr(setting_up, "calibrated", calibrated)
    return sought


def states(findings: Sequence[Finding]) -> dict[str, str]:
    return {finding.part: finding.state for finding in findings}


def of(findings: Sequence[Finding], part: str) -> Finding:
    (found,) = [finding for finding in findings if finding.part == part]
    return found


def make_clips(folder: Path) -> None:
    (folder / "en").mkdir(parents=True)
    for name in every_clip("en"):
        (folder / "en" / name).write_bytes(bytes(100))


def test_a_board_that_is_well(board: Board, picture: Image, found: Calibration) -> None:
    board.show(picture)
    board.calibrated(found)
    make_clips(board.state / "voice")
    board.programs = {
        "systemctl": "LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled\nMainPID=0\n",
        "vcgencmd": "throttled=0x0\n",
        "aplay": "card 1: Device [USB Audio Device], device 0: USB Audio [USB Audio]\n",
    }
    board.lay("proc/meminfo", "MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n")
    board.lay("sys/class/thermal/thermal_zone0/temp", "50000\n")
    board.lay("proc/device-tree/model", "Raspberry Pi 5\0")
    board.lay("dev/i2c-1", "")
    board.fingers = {A_CONFIRM: 1.0, A_CHALLENGE: 2.0, B_CONFIRM: 3.0, B_CHALLENGE: 4.0}
    findings = board.examine(seconds=20.0)
    assert [(each.part, each.state) for each in findings] == [
        ("configuration", "ok"),
        ("computer", "ok"),
        ("service", "warning"),  # it was stopped for this
        ("camera", "ok"),
        ("light", "ok"),
        ("ball", "ok"),
        ("sharpness", "ok"),
        ("board", "warning"),  # half the pixels of a camera that is used
        ("calibration", "ok"),
        ("panel in-rally", "ok"),
        ("panel game", "ok"),
        ("A's CONFIRM", "ok"),
        ("A's CHALLENGE", "ok"),
        ("B's CONFIRM", "ok"),
        ("B's CHALLENGE", "ok"),
        ("speaker", "ok"),
        ("voice", "ok"),
        ("serial ports", "ok"),
        ("disk", "ok"),
        ("memory", "ok"),
        ("temperature", "ok"),
        ("voltage", "ok"),
        ("clock", "ok"),
    ]
    assert "A's CONFIRM was pressed" in board.said
    assert len(board.lit_at_the_time) == 2  # people see which panel is which while they press
    assert not any(panel.is_lit for panel in board.panels.values())


def test_a_computer_with_nothing_of_it(board: Board) -> None:
    def no_camera(camera: CameraSection, name: str) -> Camera:
        raise CameraError("there is no camera usb:0; plug it in")

    class NoPanel(SimulatedPanel):
        def open(self) -> None:
            raise PanelError(f"{self.name} is not to be reached; switch its bus on")

    def no_pins(*_: object) -> Buttons:
        raise ButtonError("the buttons need gpiozero and lgpio; install them")

    def no_bus(port: int) -> tuple[int, ...]:
        raise PanelError("I2C is switched off; switch it on")

    def no_sound(device: str) -> None:
        raise SpeakerError("`aplay` does not start; install it")

    board.around = replace(
        board.around, camera=no_camera, panel=NoPanel, buttons=no_pins, answering=no_bus, sound=no_sound
    )
    findings = board.examine(seconds=20.0)
    assert states(findings) == {
        "configuration": "ok",
        "computer": "ok",
        "service": "warning",
        "camera": "broken",
        "panel in-rally": "broken",
        "panel game": "broken",
        "buttons": "broken",  # one line, for they all say the same
        "speaker": "warning",
        "voice": "warning",
        "serial ports": "ok",
        "disk": "ok",
        "memory": "ok",
        "temperature": "ok",
        "voltage": "ok",
        "clock": "ok",
    }
    assert of(findings, "camera").next == "plug it in"
    assert all(finding.next for finding in findings if finding.state != "ok")


def test_parts_that_a_running_service_holds_are_left_to_it(board: Board) -> None:
    board.programs = {
        "systemctl": "LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\n"
        "StatusText=A to serve.\nMainPID=321\nInvocationID=ab\n",
        "journalctl": '{"kind": "trouble", "part": "ssd1322 on SPI 0.0", "text": "gone; check its wires"}\n'
        '{"kind": "trouble", "part": "A\'s CONFIRM", "text": "A\'s CONFIRM is stuck; free it"}\n',
    }
    findings = board.examine(seconds=20.0)
    assert "camera" not in board.opened
    assert board.opened == ["default"]  # the speaker is free between two announcements
    assert of(findings, "service").text == "runs: A to serve."
    assert of(findings, "camera").text == "held by the running board, which finds nothing wrong"
    assert of(findings, "panel in-rally").state == "ok"
    game = of(findings, "panel game")
    assert (game.state, game.text, game.next) == ("broken", "gone", "check its wires")
    assert of(findings, "buttons").state == "broken"
    assert "light" not in states(findings)


def test_panels_at_either_end_that_a_running_service_holds(board: Board) -> None:
    text = '[[panel]]\nrole = "game"\naddress = 0x3c\n[[panel]]\nrole = "game"\naddress = 0x3d\n'
    board.config = config_from(text, board.folder / "table.toml")
    lost = '{{"kind": "trouble", "part": "ssd1306 on I2C bus 1 at {}", "text": "gone; wire it"}}\n'
    for address in ("0x3c", "0x3d"):
        board.programs = {
            "systemctl": "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nMainPID=321\n",
            "journalctl": lost.format(address),
        }
        assert of(board.examine(), "panel game").state == "broken"


def test_parts_that_a_board_holds_which_somebody_started(board: Board) -> None:
    lock = board.state / "journal.lock"
    lock.write_text("99\n")
    board.lay("proc/locks", f"1: FLOCK  ADVISORY  WRITE 99 00:00:{lock.stat().st_ino} 0 EOF\n")
    findings = board.examine()
    assert "camera" not in board.opened
    assert "process 99" in of(findings, "program").text
    assert of(findings, "camera").text == "held by process 99"
    assert of(findings, "buttons").text == "held by process 99"
    assert lock.read_text() == "99\n"


def test_the_simulated_table(board: Board) -> None:
    """Its camera is looked through as any other, and nothing of the computer's is touched."""

    def seen(camera: CameraSection, name: str) -> Camera:
        board.opened.append(camera.source)
        raise CameraError("not today; come back")

    board.config = config_from('[camera]\nsource = "simulated"\n', board.folder / "table.toml")
    board.around = replace(board.around, camera=seen)
    findings = board.examine(seconds=20.0)
    assert of(findings, "panels").text == "simulated, as are buttons and speaker"
    assert of(findings, "camera").text == "not today"
    assert board.opened == ["simulated"]
    assert {"speaker", "voice", "buttons"}.isdisjoint(states(findings))


def test_a_board_without_a_camera(board: Board) -> None:
    """Only what the link's games are shown on is looked at."""
    board.config = config_from(
        '[camera]\nsource = "none"\n[link]\nports = ["auto"]\n', board.folder / "t.toml"
    )
    findings = board.examine()
    assert of(findings, "camera").state == "ok"
    assert "only the link's games" in of(findings, "camera").text
    assert {"speaker", "voice", "board", "ball"}.isdisjoint(states(findings))
    assert board.opened == []


def test_the_links_ports(board: Board) -> None:
    """Those that are named have to be there; what another computer has is not asked."""
    text = (
        '[camera]\nsource = "none"\n[link]\ntcp = 7311\n'
        'ports = ["auto", "/dev/ttyACM9", "/dev/ttyUSB0", "socket://far:1"]\n'
    )
    board.config = config_from(text, board.folder / "t.toml")
    board.lay("dev/ttyUSB0", "")
    findings = board.examine()
    (missing,) = [each for each in findings if each.part == "serial port" and "under [link]" in each.text]
    assert (missing.state, "/dev/ttyACM9" in missing.text) == ("warning", True)
    assert of(findings, "link").state == "ok"
    assert board.opened == ["tcp 7311"]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        board.config = config_from(text.replace("7311", str(port)), board.folder / "t.toml")
        board.around = replace(board.around, listen=Surroundings().listen)
        finding = of(board.examine(), "link")
    assert (finding.state, str(port) in finding.text) == ("broken", True)
    assert finding.next.startswith("give another as tcp under [link]")
    assert of(board.examine(), "link").state == "ok"


def test_a_links_ports_are_left_to_a_board_that_runs(board: Board) -> None:
    board.programs = {"systemctl": "LoadState=loaded\nActiveState=active\nMainPID=321\n"}
    text = '[camera]\nsource = "none"\n[link]\ntcp = 7311\nports = ["/dev/ttyACM9"]\n'
    board.config = config_from(text, board.folder / "t.toml")
    findings = board.examine()
    assert "link" not in states(findings)
    assert "tcp 7311" not in board.opened
    assert not any("ttyACM9" in finding.text for finding in findings)


def test_a_state_that_is_a_file(board: Board) -> None:
    file = board.folder / "state.txt"
    file.write_text("")
    finding = of(board.examine(state=file), "disk")
    assert (finding.state, "state.txt is no folder" in finding.text) == ("broken", True)


def test_what_the_pins_library_leaves_is_left_in_nobodys_folder(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lgpio makes a pipe in the working directory when a panel on SPI is opened."""

    class Piped(SimulatedPanel):
        def open(self) -> None:
            os.mkfifo(".lgd-nfy0")
            where.append(Path.cwd())
            super().open()

    where: list[Path] = []
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    text = '[camera]\nsource = "none"\n[[panel]]\nrole = "game"\ndriver = "ssd1322"\ninterface = "spi"\n'
    board.config = config_from(text, board.folder / "t.toml")
    board.around = replace(board.around, panel=Piped)
    assert of(board.examine(), "panel game").state == "ok"
    assert list(home.iterdir()) == []
    assert Path.cwd() == home
    assert not any(folder.exists() for folder in where)


def test_a_speaker_that_is_muted(board: Board) -> None:
    board.config = config_from(
        '[camera]\nsource = "match.png"\n[speaker]\nmute = true\n', board.folder / "t.toml"
    )
    findings = board.examine()
    assert of(findings, "speaker").text == "muted by the configuration"
    assert "voice" not in states(findings)
    assert board.opened == ["camera"]


def test_a_side_with_too_few_buttons(board: Board) -> None:
    text = FULL.replace("challenge = 23\n", "")
    board.config = config_from(text, board.folder / "table.toml")
    finding = of(board.examine(), "configuration")
    assert (finding.state, finding.text.split()[0]) == ("warning", "buttons.B.challenge")


def test_files_of_others_in_the_folder_for_state(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    def strays(system: System, folder: Path, but: str) -> Strays:
        assert (folder, but) == (board.state, "voice")
        return Strays("setmatch", (folder / "journal.sqlite",))

    assert of(board.examine(), "disk").state == "ok"
    monkeypatch.setattr(System, "strays", strays)
    (_, finding) = [each for each in board.examine() if each.part == "disk"]
    assert (finding.state, "journal.sqlite" in finding.text) == ("broken", True)


def test_a_broker(board: Board) -> None:
    """Its address is told, and no network is used; credentials have to be there."""
    text = '[camera]\nsource = "match.png"\n[mqtt]\nhost = "broker.invalid"\n'
    board.config = config_from(text, board.folder / "table.toml")
    finding = of(board.examine(), "mqtt")
    assert (finding.state, "broker.invalid:1883" in finding.text) == ("ok", True)
    board.config = config_from(text + 'credentials = "login.toml"\n', board.folder / "table.toml")
    finding = of(board.examine(), "mqtt")
    assert (finding.state, "login.toml" in finding.text, finding.next != "") == ("broken", True, True)


def test_a_configuration_that_cannot_be_used(board: Board) -> None:
    findings = board.examine(config=None, faults=("t.toml: camera.sauce: unknown key; write source", "b; c"))
    first, second, third = findings[:3]
    assert (first.part, first.state) == ("configuration", "broken")
    assert (first.text, first.next) == ("t.toml: camera.sauce: unknown key", "write source")
    assert second.text == "b"
    assert (third.state, third.next != "") == ("warning", True)
    assert board.opened == []
    assert {"disk", "clock", "service"} <= states(findings).keys()


def test_no_configuration(board: Board) -> None:
    finding = board.examine(config=Config(), named="")[0]
    assert (finding.part, finding.state) == ("configuration", "warning")
    assert "--config FILE" in finding.next


def test_keys_that_change_nothing(board: Board) -> None:
    text = '[camera]\nsource = "none.mp4"\n[match]\nnames = { A1 = "Ann" }\n'
    board.config = config_from(text, board.folder / "table.toml")
    finding = board.examine()[0]
    assert (finding.state, "match.names.A1" in finding.text) == ("warning", True)
    assert finding.next == "name A and B"
    board.config = config_from("[buttons.A]\nconfirm = 8\n", board.folder / "table.toml")
    finding = board.examine()[0]
    assert (finding.state, finding.next) == ("warning", "take another pin")


def test_the_calibration_that_is_named(
    board: Board, picture: Image, found: Calibration, anew: list[Image]
) -> None:
    board.show(picture)
    path = board.calibrated(found)
    before = path.read_text()
    finding = of(board.examine(), "calibration")
    assert finding.state == "ok"
    assert "12 days old; since then the picture has moved by up to 0.0 px, 0.0 mm" in finding.text
    assert path.read_text() == before

    for wrong, words in (
        ('"schema": 1', "schema 91"),
        (f'"edition_digest": "{found.edition_digest}"', "another board"),
    ):
        path.write_text(before.replace(wrong, wrong.replace("1", "91", 1).replace("ae", "be")))
        with_it = board.examine()
        finding = of(with_it, "calibration")
        assert finding.state == "broken"
        assert words in finding.text
        assert finding.next
        assert of(with_it, "board").text.startswith("'classic' is found")


def test_the_calibration_that_was_kept_is_a_cameras(
    board: Board, picture: Image, found: Calibration, anew: list[Image]
) -> None:
    """A recording has none; one that a camera cannot use is made anew by itself."""
    kept = board.state / "calibration.json"
    save(found, kept)
    board.show(picture)
    assert "calibration" not in states(board.examine())
    assert len(anew) == 1
    board.use_camera(picture)
    assert of(board.examine(), "calibration").state == "ok"
    assert len(anew) == 1  # it was fitted
    kept.write_text("{}")
    finding = of(board.examine(), "calibration")
    assert (finding.state, finding.next) == ("warning", "calibrate again")
    kept.unlink()
    finding = of(board.examine(), "calibration")
    assert (finding.state, "none is kept yet" in finding.text) == ("ok", True)
    assert len(anew) == 3


def test_a_board_that_has_moved_too_far(
    board: Board, picture: Image, found: Calibration, anew: list[Image]
) -> None:
    """It is not where it was saved, and found all the same."""
    board.show(np.ascontiguousarray(picture[::-1, ::-1]))
    board.calibrated(found)
    findings = board.examine()
    assert of(findings, "calibration").state == "warning"
    assert "does not lie where it lay" in of(findings, "calibration").text
    assert len(anew) == 1


def test_what_another_user_may_look_at(board: Board, picture: Image, anew: list[Image]) -> None:
    class Shut(PosixPath):
        """A file in a folder that this user may not look into."""

        def stat(self, **_: Any) -> os.stat_result:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    class Private(PosixPath):
        """That folder."""

        def __truediv__(self, name: str | os.PathLike[str]) -> Path:  # type: ignore[override]
            return Shut(super().__truediv__(name))

    board.use_camera(picture)
    findings = board.examine(state=Private(board.state))
    assert of(findings, "speaker").state == "ok"
    assert (of(findings, "voice").state, "may not read" in of(findings, "voice").text) == ("warning", True)
    finding = of(findings, "calibration")
    assert (finding.state, "calibration.json" in finding.text) == ("warning", True)
    assert "sudo" in finding.next
    assert of(findings, "board").text.startswith("'classic' is found")


def test_a_check_that_fails_hides_no_other(board: Board) -> None:
    def buggy(port: int) -> tuple[int, ...]:
        raise ZeroDivisionError("a bug")

    def worse() -> bool | None:
        raise ValueError("another")

    board.lay("dev/i2c-1", "")
    board.around = replace(board.around, answering=buggy, synchronised=worse)
    findings = board.examine()
    told = {finding.part: finding for finding in findings if "the check itself failed" in finding.text}
    assert told.keys() == {"panels", "clock"}
    assert all((each.state, "tell the makers" in each.next) == ("broken", True) for each in told.values())
    assert {"A's CONFIRM", "speaker", "voltage"} <= states(findings).keys()


def test_nothing_is_written(board: Board) -> None:
    before = sorted(board.folder.rglob("*"))
    board.examine(seconds=1.0)
    assert sorted(board.folder.rglob("*")) == before
