"""The unit: what systemd's own programs say of it, and whether what it expects of the code is so."""

import inspect
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from firmware.cli import EXIT_ERROR, parser
from firmware.daemon.daemon import TURN_S
from firmware.daemon.frames import FROZEN_S, OPENING_S, STALLED_S, ThreadedFrames
from firmware.daemon.supervision import OFTENER
from firmware.journal import default_directory
from firmware.panel_driver import PanelDriver
from hardware import power
from hardware.aplay_speaker import AplaySpeaker
from tests.shared import needs, setmatch
from tests.systemd.unit import FOLDER, PLACES, UNIT, Unit

analyze = needs("systemd-analyze", "systemd")
MOST_EXPOSED = 2.5
MODULE_OF = {
    "char-video4linux": "videodev",
    "char-media": "videodev",  # mc, without which videodev is not loaded
    "char-dma_heap": None,
    "char-gpiochip": None,
    "char-i2c": "i2c-dev",
    "char-spi": "spidev",
    "char-alsa": "snd",
    "char-ttyACM": "cdc-acm",
    "char-ttyUSB": "usbserial",
}
"""Which module of Debian's and Raspberry Pi OS's kernels brings which devices, as /proc/devices names them;
None: it is in the kernel itself (their configurations)."""
BUSES = 3
"""Two of I2C and one of SPI are more than anybody wires."""
JOURNAL_S = 5.0
"""A memory card that is busy lets the journal's end wait so long."""


@pytest.fixture(scope="module")
def unit() -> Unit:
    return Unit.read()


def checked(program: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)


def installed(root: Path) -> Path:
    """A root with the unit, the programs that it names, and systemd's own units."""
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    place = root / PLACES[UNIT.name]
    place.parent.mkdir(parents=True)
    shutil.copy(UNIT, place)
    unit = Unit.read()
    for key in ("ExecStart", "ExecStartPre"):
        program = root / unit.one(key).split()[0].lstrip("-").lstrip("/")
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n", encoding="utf-8")
        program.chmod(0o755)
    return root


# ---------------------------------------------------------------- by systemd


@analyze
def test_it_is_exposed_no_more_than_a_part_with_devices_has_to_be() -> None:
    most = f"--threshold={MOST_EXPOSED * 10:.0f}"
    done = checked("systemd-analyze", "security", "--offline=true", most, UNIT)
    assert done.returncode == 0, done.stdout
    told = re.search(r"Overall exposure level for setmatch\.service: ([\d.]+)", done.stdout)
    assert told is not None
    assert float(told[1]) <= MOST_EXPOSED


@analyze
def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    done = checked("systemd-analyze", "verify", f"--root={installed(tmp_path)}", "setmatch.service")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@analyze
def test_systemd_would_find_what_is_wrong(tmp_path: Path) -> None:
    root = installed(tmp_path)
    place = root / PLACES[UNIT.name]
    place.write_text(UNIT.read_text(encoding="utf-8").replace("WatchdogSec", "WatchDogSec"), encoding="utf-8")
    done = checked("systemd-analyze", "verify", f"--root={root}", "setmatch.service")
    assert "WatchDogSec" in done.stderr


# ---------------------------------------------------------------- and the code


def test_what_it_starts_is_a_command_of_ours(unit: Unit) -> None:
    program, *arguments = unit.one("ExecStart").split()
    project = tomllib.loads((UNIT.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert Path(program).name in project["scripts"]
    assert Path(program).is_absolute()
    args = parser().parse_args(arguments)
    assert args.config.parent == Path("/etc", unit.one("ConfigurationDirectory"))
    assert args.json, "the doctor reads in the log what is wrong with a part"
    assert str(args.config.parent) in unit.words("ReadWritePaths"), "the menu replaces the file there"


def test_every_driver_that_it_may_use_is_there_before_it_starts(unit: Unit) -> None:
    """systemd looks up the numbers of DeviceAllow=char-... once, when the unit starts."""
    allowed = {value.split()[0] for value in unit.all("DeviceAllow")}
    lines = (FOLDER / "setmatch.modules-load.conf").read_text(encoding="utf-8").splitlines()
    loaded = [line for line in lines if line and not line.startswith("#")]
    assert sorted(loaded) == sorted({module for name in allowed if (module := MODULE_OF[name])})


def test_its_state_is_where_the_program_keeps_it(unit: Unit) -> None:
    state = default_directory(unit.environment())
    assert state == Path("/var/lib", unit.one("StateDirectory"))
    assert state == Path(unit.one("WorkingDirectory"))


def test_what_a_person_has_to_mend_is_not_tried_again(unit: Unit, tmp_path: Path) -> None:
    assert unit.one("Restart") == "on-failure"
    assert unit.one("RestartPreventExitStatus") == str(EXIT_ERROR)
    wrong = tmp_path / "setmatch.toml"
    wrong.write_text("[camera]\nsource = 3\n", encoding="utf-8")
    setmatch("run", "--config", wrong).refuses("camera.source")
    wrong.write_text('[camera]\nsource = "usb:x"\n', encoding="utf-8")
    assert setmatch("run", "--config", wrong, "--state", tmp_path).code == EXIT_ERROR


def test_a_bug_is_tried_again_and_a_crash_at_once_not_for_ever(unit: Unit) -> None:
    """Python ends with 1 then."""
    assert unit.one("RestartPreventExitStatus").split() == [str(EXIT_ERROR)]
    within_s, times = unit.seconds("StartLimitIntervalSec"), int(unit.one("StartLimitBurst"))
    assert times * unit.seconds("RestartSec") * 2 < within_s


def test_a_camera_that_hangs_every_time_is_never_given_up(unit: Unit) -> None:
    """It is bitten after the last time that the loop told it was well; so often it may happen."""
    watchdog_s = unit.seconds("WatchdogSec")
    cycle_s = STALLED_S + watchdog_s - watchdog_s / OFTENER
    assert int(unit.one("StartLimitBurst")) * cycle_s > unit.seconds("StartLimitIntervalSec")


def test_the_papers_tell_when_it_is_restarted_then(unit: Unit) -> None:
    paper = (FOLDER / "README.md").read_text(encoding="utf-8")
    told = re.search(r"After (\d+) s without a picture .* within another (\d+) s", paper)
    assert told is not None
    assert [float(told[1]), float(told[2])] == [STALLED_S, unit.seconds("WatchdogSec")]
    hardware = (FOLDER.parent / "hardware" / "README.md").read_text(encoding="utf-8")
    assert f"{STALLED_S:.0f} to {STALLED_S + unit.seconds('WatchdogSec'):.0f} s" in " ".join(hardware.split())


def test_the_watchdog_waits_longer_than_the_loop_needs_for_what_it_mends(unit: Unit) -> None:
    told_every_s = unit.seconds("WatchdogSec") / OFTENER
    assert told_every_s >= 100 * TURN_S
    # A camera that is just being opened when it is given up has the time for that all the same.
    assert unit.seconds("WatchdogSec") - told_every_s > OPENING_S
    assert STALLED_S > FROZEN_S + 2 * OPENING_S


def test_all_parts_can_be_given_back_before_it_is_killed(unit: Unit) -> None:
    def waits_s(close: object) -> float:
        assert callable(close)
        default = inspect.signature(close).parameters["timeout_s"].default
        assert isinstance(default, float)
        return default

    parts_s = waits_s(AplaySpeaker.close) + BUSES * waits_s(PanelDriver.stop) + waits_s(ThreadedFrames.close)
    assert parts_s + JOURNAL_S + power._PATIENCE_S < unit.seconds("TimeoutStopSec")
