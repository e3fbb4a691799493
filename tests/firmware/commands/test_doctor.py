"""`setmatch doctor`: what it prints, for people and for programs, its exit code, and whose files it takes."""

import json
import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from firmware.commands import doctor as command
from firmware.doctor import Finding, Patient
from tests.shared import setmatch

WELL = (Finding("camera", "ok", "usb:0"), Finding("panels", "ok", "none is configured", "wire one"))
DUBIOUS = (*WELL, Finding("clock", "warning", "perhaps wrong", "set it with `sudo date --set`"))
ILL = (*DUBIOUS, Finding("board", "broken", "no [b]whole[/b] court", "put it in view"))


class Doctor:
    """Finds what it is told to, and says whom it was asked to look at."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = findings
        self.patient: Patient | None = None
        self.seconds = -1.0

    def __call__(
        self, patient: Patient, *, seconds: float, around: object, say: Callable[[str], None]
    ) -> Sequence[Finding]:
        self.patient, self.seconds = patient, seconds
        say("looking through the camera usb:0")
        return self.findings

    @property
    def seen(self) -> Patient:
        assert self.patient is not None
        return self.patient


@pytest.fixture
def finds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Sequence[Finding]], Doctor]:
    """Have these findings found, on a computer on which nothing is installed."""
    monkeypatch.setattr(command, "INSTALLED_CONFIG", tmp_path / "etc" / "setmatch.toml")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def found(findings: Sequence[Finding]) -> Doctor:
        doctor = Doctor(findings)
        monkeypatch.setattr("firmware.doctor.examine", doctor)
        return doctor

    return found


Finds = Callable[[Sequence[Finding]], Doctor]


@pytest.mark.parametrize(
    ("findings", "code", "summary"),
    [
        (WELL, 0, "Nothing is wrong."),
        (DUBIOUS, 0, "0 broken, 1 warning; -> says what to do."),
        ((*DUBIOUS, DUBIOUS[-1]), 0, "0 broken, 2 warnings; -> says what to do."),
        (ILL, 1, "1 broken, 1 warning; -> says what to do."),
    ],
)
def test_for_people(finds: Finds, findings: Sequence[Finding], code: int, summary: str) -> None:
    finds(findings)
    ended = setmatch("doctor")
    assert ended.code == code
    lines = ended.out.splitlines()
    assert lines[0] == "Looking through the camera usb:0 ..."
    assert lines[-1] == summary
    assert lines[-2].startswith("setmatch-board ")
    for finding in findings:
        row = next(line for line in lines if line.split()[:2] == [finding.part, finding.state])
        assert finding.text in row
        assert not finding.next or any(line.strip() == f"-> {finding.next}" for line in lines)


@pytest.mark.parametrize(("findings", "code"), [(DUBIOUS, 0), (ILL, 1)])
def test_for_programs(finds: Finds, findings: Sequence[Finding], code: int) -> None:
    finds(findings)
    ended = setmatch("doctor", "--json")
    assert (ended.code, ended.err, ended.out.count("\n")) == (code, "", 1)
    told = json.loads(ended.out)
    assert told.keys() == {"findings", "versions"}
    assert told["findings"] == [
        {"part": each.part, "state": each.state, "text": each.text, "next": each.next} for each in findings
    ]
    assert {"setmatch-board", "python", "numpy", "picamera2", "lgpio", "kernel"} <= told["versions"].keys()
    assert all(version is None or isinstance(version, str) for version in told["versions"].values())
    assert told["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))


def test_nobody_is_asked_to_press_where_nobody_sits(finds: Finds) -> None:
    doctor = finds(WELL)
    setmatch("doctor")
    assert doctor.seconds == 0.0
    setmatch("doctor", "--seconds", 15)
    assert doctor.seconds == 15.0


def test_on_a_terminal_people_are_asked_to_press(finds: Finds, monkeypatch: pytest.MonkeyPatch) -> None:
    doctor = finds(WELL)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    args = Namespace(config=None, state=None, seconds=None, json=False)
    assert command.run(args) == 0
    assert doctor.seconds == 20.0
    args.json = True
    command.run(args)
    assert doctor.seconds == 0.0


@pytest.mark.parametrize("seconds", ["-1", "601", "soon", "nan"])
def test_a_wait_that_is_none(seconds: str) -> None:
    ended = setmatch("doctor", "--seconds", seconds)
    ended.refuses("--seconds", "0 to 600")


# ---------------------------------------------------------------- whose files


def test_without_a_configuration(finds: Finds, tmp_path: Path) -> None:
    doctor = finds(WELL)
    setmatch("doctor")
    assert doctor.seen.config is not None
    assert (doctor.seen.named, doctor.seen.state) == ("", tmp_path / "state" / "setmatch")


def test_the_installed_configuration_and_its_state(finds: Finds) -> None:
    doctor = finds(WELL)
    command.INSTALLED_CONFIG.parent.mkdir()
    command.INSTALLED_CONFIG.write_text('[camera]\nsource = "usb:7"\n')
    setmatch("doctor")
    assert doctor.seen.config is not None
    assert doctor.seen.config.camera.source == "usb:7"
    assert (doctor.seen.named, doctor.seen.state) == (
        str(command.INSTALLED_CONFIG),
        Path("/var/lib/setmatch"),
    )


def test_the_named_configuration_and_state(finds: Finds, tmp_path: Path) -> None:
    doctor = finds(WELL)
    named = tmp_path / "table.toml"
    named.write_text('[state]\ndirectory = "kept"\n')
    setmatch("doctor", "--config", named)
    assert (doctor.seen.named, doctor.seen.state) == (str(named), tmp_path / "kept")
    setmatch("doctor", "--config", named, "--state", tmp_path / "other")
    assert doctor.seen.state == tmp_path / "other"


def test_a_configuration_with_faults_is_a_finding_and_no_error(finds: Finds, tmp_path: Path) -> None:
    doctor = finds(WELL)
    named = tmp_path / "table.toml"
    named.write_text("[camera]\nsauce = 1\n[speaker]\nvolume = 1000\n")
    assert setmatch("doctor", "--config", named).code == 0
    assert doctor.seen.config is None
    assert len(doctor.seen.faults) == 2
    setmatch("doctor", "--config", tmp_path / "none.toml")
    assert "cannot be read" in doctor.seen.faults[0]


def test_an_installed_configuration_that_is_another_users(
    finds: Finds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told that it cannot be read, not taken for absent."""
    doctor = finds(WELL)
    command.INSTALLED_CONFIG.parent.mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    setmatch("doctor")
    assert doctor.seen.config is None
    assert str(command.INSTALLED_CONFIG) in doctor.seen.faults[0]


def test_a_user_without_a_folder_of_their_own(finds: Finds, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    doctor = finds(WELL)
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    setmatch("doctor")
    assert doctor.seen.state == Path("/var/lib/setmatch")


# ---------------------------------------------------------------- and nothing in anybody's place


def test_this_computer_as_it_is(tmp_path: Path) -> None:
    """Whatever is there or is not: every part has its line, and nothing but that is printed or written."""
    (tmp_path / "table.toml").write_text(
        """
        camera = { source = "usb:99" }
        panel = [{ role = "in-rally", port = 97 }, { role = "game", interface = "spi", port = 97 }]
        buttons = { A = { confirm = 17, confirm_led = 5 } }
        speaker = { device = "null" }
        """
    )
    program = [
        sys.executable,
        "-m",
        "firmware.cli",
        "doctor",
        "--json",
        "--config",
        str(tmp_path / "table.toml"),
    ]
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    ended = subprocess.run(
        [*program, "--config", str(tmp_path / "table.toml"), "--state", str(tmp_path / "state")],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert (ended.returncode, ended.stderr) == (1, "")
    states = {each["part"]: each["state"] for each in json.loads(ended.stdout)["findings"]}
    assert states["configuration"] == "warning", "B has no buttons"
    assert states["camera"] == states["panel in-rally"] == "broken"
    expected = {
        "computer",
        "service",
        "speaker",
        "voice",
        "disk",
        "memory",
        "temperature",
        "voltage",
        "clock",
    }
    assert expected <= states.keys()
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"]
