"""The service under systemd itself, booted in a root of the test's: what it may there, how it plays, how it
is watched and begun again, and how it switches the computer off.

As root only, where the kernel has namespaces and control groups. Nothing is left on the machine.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.cli import EXIT_ERROR
from firmware.config import load_config
from firmware.journal import JournalReader
from tests.shared import needs
from tests.systemd.booted import CANNOT, FAR_ADDRESS, HOME_ADDRESS
from tests.systemd.private_root import CONFIGURATION, ENVIRONMENT, PYTHON, account, make_root, prepare
from tests.systemd.unit import PLACES, UNIT, Unit

pytestmark = [needs("systemd-sysusers", "systemd"), needs("pkcheck", "polkitd"), needs("dbus-daemon", "dbus")]
LONG_S = 120.0
MAY = {
    "write state",
    "write configuration",
    "write tmp",
    "write to a device",
    "tell the manager",
    "internet",
    "internet 6",
    "udev's news",
    "reach itself",
    "reach home",
    "start a program",
    "call back",
}
"""What it has to be able to do, besides importing what it is made of. All else is refused, each as here:"""
REFUSED = {
    "EROFS": {
        "write program",
        "write usr",
        "write etc",
        "write other state",
        "write kernel's settings",
    },
    "EACCES": {"write run", "write dev", "look into home", "look into root's home"},
    "ENOENT": {"look at another's process"},
    "EAFNOSUPPORT": {"raw packets", "bluetooth"},
}
"""And by EPERM what is asked of the kernel."""
NO_CODE = ("code that is written", "code that was written")
"""EACCES since systemd 256, which has the kernel's own switch for it."""


def cannot(why: str) -> None:
    """Skip, since this machine does not let it be tried; not so where CI=true."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


class Computer:
    """A computer that has booted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / "var/lib/setmatch"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.systemd.booted", str(root)],
            cwd=UNIT.parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._first = self._process.stdout.readline().strip()
        if not self._first:
            self.ended()
        self.until(lambda: self.run("systemctl", "is-system-running", "--wait").stdout.strip() == "running")

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """A command, in there and as root."""
        return subprocess.run(
            ["nsenter", "--target", self._first, "--all", *command],
            capture_output=True,
            text=True,
            timeout=LONG_S,
            check=False,
        )

    def systemctl(self, *words: str) -> str:
        done = self.run("systemctl", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def shown(self, name: str, unit: str = "setmatch") -> str:
        """A property of a unit."""
        return self.systemctl("show", "--value", f"--property={name}", unit).strip()

    def log(self, unit: str = "setmatch") -> str:
        return self.run("journalctl", f"--unit={unit}", "--output=cat", "--quiet").stdout

    def until(self, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + LONG_S
        while not reached():
            assert time.monotonic() < end, f"it never came to that: {self.log()}"
            time.sleep(0.05)

    def until_shown(self, name: str, value: str, unit: str = "setmatch") -> None:
        self.until(lambda: self.shown(name, unit) == value)

    def drop_in(self, unit: str, text: str | None) -> None:
        """Other settings for a unit; None: its own again."""
        folder = self.root / f"etc/systemd/system/{unit}.service.d"
        shutil.rmtree(folder, ignore_errors=True)
        if text is not None:
            folder.mkdir()
            (folder / "test.conf").write_text(f"[Service]\n{text}", encoding="utf-8")
        self.systemctl("daemon-reload")
        self.run("systemctl", "reset-failed", unit)

    def strokes(self) -> int:
        with JournalReader.open(self.state) as reader:
            assert reader.warnings == []
            return sum(match.strokes for match in reader.matches())

    def off(self) -> None:
        """Pull the plug."""
        self._process.terminate()
        self._process.communicate(timeout=LONG_S)

    def ended(self) -> int:
        """How it has ended: 0 if it was switched off."""
        code = self._process.wait(LONG_S)
        assert self._process.stderr is not None
        told = self._process.stderr.read().strip()
        if code == CANNOT:
            cannot(told)
        return code


def in_its_place(command: str) -> str:
    """The settings of a unit that is the service but for its program."""
    return f"ExecStart=\nExecStart={command}\nEnvironment={ENVIRONMENT}\nRestart=no\n"


@pytest.fixture(scope="module")
def computer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Computer]:
    if os.geteuid() != 0:
        cannot("a computer within this one is booted by root; run this test with sudo")
    root = make_root(tmp_path_factory.mktemp("booted") / "root")
    prepare("systemctl", root, "enable", UNIT.name)
    # Their packages gave a folder of rules to this machine's number.
    polkitd = f"u polkitd {Path('/etc/polkit-1/rules.d').stat().st_uid} polkit"
    prepare("systemd-sysusers", root, "--inline", "u messagebus - D-Bus", polkitd)
    shutil.copy(UNIT, root / PLACES[UNIT.name].replace("setmatch.service", "probe.service"))
    shutil.copy(Path(__file__).with_name("probe.py"), root / "opt/setmatch/probe.py")
    computer = Computer(root)
    try:
        yield computer
    finally:
        computer.off()


@pytest.fixture(scope="module")
def probed(computer: Computer) -> dict[str, Any]:
    """How it ends what is tried in the service's place."""
    computer.systemctl("stop", "setmatch")
    command = f"{PYTHON} /opt/setmatch/probe.py {HOME_ADDRESS} {FAR_ADDRESS}"
    computer.drop_in("probe", in_its_place(command))
    computer.systemctl("start", "probe")
    computer.until_shown("ActiveState", "inactive", "probe")
    told: dict[str, Any] = json.loads((computer.state / "probed.json").read_text(encoding="utf-8"))
    return told


def test_it_starts_with_the_computer_and_says_how_the_match_stands(computer: Computer) -> None:
    assert computer.shown("ActiveState") == "active"
    assert re.search(r"Sets \d-\d, games \d-\d, points \w+-\w+\.$", computer.shown("StatusText"))
    computer.until(lambda: '"kind": "stroke"' in computer.log())


def test_it_is_stopped_in_order_and_goes_on_afterwards(computer: Computer) -> None:
    computer.systemctl("start", "setmatch")
    computer.until(lambda: '"kind": "stroke"' in computer.log())
    computer.systemctl("stop", "setmatch")
    assert [computer.shown(name) for name in ("ActiveState", "Result", "ExecMainStatus")] == [
        "inactive",
        "success",
        "0",
    ]
    assert '"kind": "stopped"' in computer.log()
    before = computer.strokes()
    assert before >= 1
    user, group, _ = account(computer.root, "setmatch")
    kept = [each.stat() for each in computer.state.iterdir()]
    assert {(each.st_uid, each.st_gid, each.st_mode & 0o027) for each in kept} == {(user, group, 0)}
    computer.systemctl("start", "setmatch")
    computer.until(lambda: '"kind": "resumed"' in computer.log())
    computer.until(lambda: computer.strokes() > before)
    computer.systemctl("stop", "setmatch")


# ---------------------------------------------------------------- what the doctor hears of it


def asked(computer: Computer, *before: str) -> dict[str, tuple[str, str, str]]:
    """State, text and advice of each part in there by the doctor, which is to leave a USB camera to the
    service. `before`: who asks."""
    (computer.root / "etc/usb.toml").write_text('[camera]\nsource = "usb:0"\n', encoding="utf-8")
    doctor = [PYTHON, "-m", "firmware.cli", "doctor", "--json", "--config", "/etc/usb.toml"]
    whole = ["env", *ENVIRONMENT.split(), *before, *doctor, "--state", "/var/lib/setmatch"]
    findings = json.loads(computer.run(*whole).stdout)["findings"]
    return {each["part"]: (each["state"], each["text"], each["next"]) for each in findings}


def test_the_doctor_leaves_to_it_what_it_holds_and_reads_its_log(computer: Computer) -> None:
    computer.systemctl("start", "setmatch")
    computer.until(lambda: '"kind": "stroke"' in computer.log())
    found = asked(computer)
    assert found["service"][0] == "ok"
    assert re.match(r"runs: .*Sets \d-\d, games \d-\d, points ", found["service"][1])
    assert found["camera"][:2] == ("ok", "held by the running board, which finds nothing wrong")
    assert "light" not in found
    found = asked(computer, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    assert found["service"][0] == "ok"
    assert (found["camera"][0], "sudo" in found["camera"][2]) == ("warning", True)


def test_the_doctor_says_why_it_does_not_run(computer: Computer) -> None:
    computer.systemctl("stop", "setmatch")
    state, text, then = asked(computer)["service"]
    assert (state, text, "systemctl start setmatch" in then) == ("warning", "stopped", True)
    computer.drop_in("setmatch", in_its_place("/bin/sh -c 'echo setmatch: no board... buy one >&2; exit 2'"))
    computer.run("systemctl", "start", "setmatch")
    computer.until_shown("ActiveState", "failed")
    state, text, then = asked(computer)["service"]
    assert (state, text) == ("broken", "failed (ended with 2): no board... buy one")
    assert "restart setmatch" in then
    computer.drop_in("setmatch", None)


# ---------------------------------------------------------------- what it may


def test_it_is_a_user_with_nothing_but_its_groups(probed: dict[str, Any]) -> None:
    assert probed["user"] == probed["group"] == "setmatch"
    assert probed["groups"] == sorted([*Unit.read().words("SupplementaryGroups"), "setmatch"])
    status = probed["status"]
    assert {status[name] for name in ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")} == {"0" * 16}
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert status["Umask"] == "0027"
    assert probed["cores"] == [0, 0]


def test_it_sees_its_own_folders_and_processes(probed: dict[str, Any]) -> None:
    assert probed["folder"] == "/var/lib/setmatch"
    assert probed["mode"] == "0o750"
    assert probed["processes"] == [probed["own"]]


def test_what_playing_needs_it_may(probed: dict[str, Any]) -> None:
    attempts = probed["attempts"]
    needed = MAY | {name for name in attempts if name.startswith("import ")}
    assert len(needed) > len(MAY)
    assert {name: attempts[name] for name in needed} == dict.fromkeys(needed, "done")


def test_all_else_is_refused(probed: dict[str, Any]) -> None:
    wanted = {name: error for error, names in REFUSED.items() for name in names}
    refused = {
        name: error
        for name, error in probed["attempts"].items()
        if name not in MAY and not name.startswith("import ")
    }
    assert len(refused) > len(wanted) + 10
    assert {refused.pop(name) for name in NO_CODE} <= {"EPERM", "EACCES"}
    assert refused == {name: wanted.get(name, "EPERM") for name in refused}


def test_what_the_menu_keeps_is_the_players_and_can_be_read_by_others(
    computer: Computer, probed: dict[str, Any]
) -> None:
    assert probed["attempts"]["write configuration"] == "done"
    file = computer.root / "etc/setmatch/setmatch.toml"
    assert load_config(file).match.preset == "advanced"
    assert file.stat().st_uid == account(computer.root, "setmatch")[0]
    assert file.stat().st_mode & 0o777 == 0o644
    assert len([path for path in file.parent.glob("setmatch.*.toml") if path != file]) == 1


# ---------------------------------------------------------------- when it fails


def test_a_loop_that_stands_still_is_begun_again_and_tells_where_it_stood(computer: Computer) -> None:
    computer.drop_in("setmatch", "WatchdogSec=2s\nRestartSec=10ms\n")
    computer.systemctl("start", "setmatch")
    before = computer.strokes()
    computer.run("kill", "-STOP", computer.shown("MainPID"))
    computer.until_shown("NRestarts", "1")
    computer.until_shown("ActiveState", "active")
    computer.until(lambda: computer.strokes() > before)
    assert "Fatal Python error: Aborted" in computer.log()
    computer.systemctl("stop", "setmatch")
    assert computer.shown("Result") == "success"


def test_a_wrong_configuration_is_told_once_and_not_tried_again(computer: Computer) -> None:
    file = computer.root / "etc/setmatch/setmatch.toml"
    computer.drop_in("setmatch", "RestartSec=10ms\n")
    file.write_text("[camera]\nsource = 3\n", encoding="utf-8")
    assert computer.run("systemctl", "start", "setmatch").returncode != 0
    computer.until_shown("ActiveState", "failed")
    assert [computer.shown(name) for name in ("ExecMainStatus", "NRestarts")] == [str(EXIT_ERROR), "0"]
    assert "camera.source" in computer.log()
    file.write_text(CONFIGURATION, encoding="utf-8")


def test_a_program_that_falls_over_at_once_is_given_up(computer: Computer) -> None:
    crash = computer.root / "etc/setmatch/crash"
    computer.drop_in("setmatch", "RestartSec=10ms\n")
    crash.touch()
    computer.run("systemctl", "start", "setmatch")
    computer.until_shown("ActiveState", "failed")
    assert computer.shown("NRestarts") == str(int(Unit.read().one("StartLimitBurst")))
    crash.unlink()


# ---------------------------------------------------------------- switching off


@pytest.mark.parametrize(("user", "may"), [("setmatch", True), ("daemon", False)])
def test_the_player_may_switch_off_and_nothing_else(computer: Computer, user: str, may: bool) -> None:
    """polkit itself says so, of systemd's own actions."""
    actions = {
        "org.freedesktop.login1.power-off": may,
        "org.freedesktop.login1.power-off-multiple-sessions": may,
        "org.freedesktop.login1.power-off-ignore-inhibit": False,
        "org.freedesktop.login1.reboot": False,
        "org.freedesktop.systemd1.manage-units": False,
    }
    told = {}
    for action in actions:
        asks = f"exec setpriv --reuid={user} --regid={user} --clear-groups pkcheck"
        done = computer.run("sh", "-c", f"{asks} --action-id {action} --process $$")
        # pkcheck(1): 0 yes, 1 no, 2 not without asking somebody, who is not there; others are errors.
        assert done.returncode in (0, 1, 2), done.stderr
        told[action] = done.returncode == 0
    assert told == actions


def test_it_switches_the_computer_off_from_its_place(computer: Computer) -> None:
    """Nothing can be asked of the computer after that."""
    switches = "from hardware.power import can_power_off, power_off; assert can_power_off(); power_off()"
    computer.drop_in("probe", in_its_place(f"{PYTHON} -c '{switches}'"))
    computer.run("systemctl", "start", "--no-block", "probe")
    assert computer.ended() == 0
