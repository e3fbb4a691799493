"""The service's sandbox, made as systemd makes it, and the daemon in it, on the simulated table.

Not in it is what needs systemd itself (`sandbox.LEFT_OUT`). As root only: users change and things are
mounted, none of which is left on the machine.
"""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware.config import load_config
from firmware.journal import JournalReader
from tests.shared import needs
from tests.systemd.private_root import account, make_root
from tests.systemd.sandbox import CANNOT, DONE, LEFT_OUT
from tests.systemd.unit import Unit

pytestmark = [needs("systemd-analyze", "systemd"), needs("systemd-sysusers", "systemd")]
LONG_S = 120.0
PROBE = Path(__file__).with_name("probe.py").read_text(encoding="utf-8")
MAY = {
    "write state",
    "write configuration",
    "write tmp",
    "write to a device",
    "tell the manager",
    "internet",
    "internet 6",
    "udev's news",
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
        "write run",
        "write dev",
        "write kernel's settings",
    },
    "EACCES": {"look into home", "look into root's home"},
    "ENOENT": {"look at another's process"},
    "EAFNOSUPPORT": {"raw packets", "bluetooth"},
}
"""And by EPERM what is asked of the kernel."""


def cannot(why: str) -> None:
    """Skip, since this machine does not let it be tried; not so where CI=true."""
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if os.geteuid() != 0:
        cannot("a sandbox with a user of its own is made by root; run this test with sudo")
    return make_root(tmp_path_factory.mktemp("sandbox") / "root")


@contextmanager
def manager(root: Path) -> Iterator[socket.socket]:
    path = root / "run/systemd/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        path.chmod(0o777)
        listener.settimeout(LONG_S)
        try:
            yield listener
        finally:
            path.unlink()


def service(root: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.systemd.sandbox", str(root), *arguments],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Its exit code, and the rest of what it printed."""
    out, err = process.communicate(timeout=LONG_S)
    if process.returncode == CANNOT:
        cannot(err.strip())
    return process.returncode, out, err


@pytest.fixture(scope="module")
def probed(root: Path) -> dict[str, Any]:
    with manager(root):
        code, out, err = ended(service(root, "-c", PROBE))
    assert (code, err) == (0, "")
    told: dict[str, Any] = json.loads(out)
    return told


def test_no_setting_of_the_unit_is_forgotten_here() -> None:
    assert not DONE & set(LEFT_OUT)
    assert Unit.read().keys("Service") == DONE | set(LEFT_OUT)


def test_it_is_a_user_with_nothing_but_its_groups(probed: dict[str, Any]) -> None:
    assert probed["user"] == probed["group"] == "setmatch"
    assert probed["groups"] == ["audio", "dialout", "gpio", "i2c", "spi", "video"]
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
    assert refused == {name: wanted.get(name, errno.errorcode[errno.EPERM]) for name in refused}


def test_what_the_menu_keeps_is_the_players_and_can_be_read_by_others(
    root: Path, probed: dict[str, Any]
) -> None:
    assert probed["attempts"]["write configuration"] == "done"
    file = root / "etc/setmatch/setmatch.toml"
    assert load_config(file).match.preset == "advanced"
    assert file.stat().st_uid == account(root, "setmatch")[0]
    assert file.stat().st_mode & 0o777 == 0o644
    former = [path for path in file.parent.glob("setmatch.*.toml") if path != file]
    assert len(former) == 1


def test_a_match_is_played_kept_and_ended_in_order(root: Path) -> None:
    with manager(root) as listener:
        process = service(root, "--autoplay", "--speed", "0", "--json")
        try:
            told: list[str] = []
            assert process.stdout is not None
            for line in process.stdout:
                if json.loads(line)["kind"] == "stroke":
                    break
            else:
                raise AssertionError(ended(process))
            while "READY=1" not in told or told.count("WATCHDOG=1") < 3:
                told += listener.recv(65536).decode().split("\n")
            process.send_signal(signal.SIGTERM)
            while "STOPPING=1" not in told:
                told += listener.recv(65536).decode().split("\n")
        except BaseException:
            process.kill()
            raise
        code, out, err = ended(process)
    assert (code, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines[-1]["kind"] in ("stopped", "agreement")
    state = root / "var/lib/setmatch"
    user, group, _ = account(root, "setmatch")
    assert {(each.stat().st_uid, each.stat().st_gid) for each in state.iterdir()} == {(user, group)}
    assert {each.stat().st_mode & 0o027 for each in state.iterdir()} == {0}
    with JournalReader.open(state) as reader:
        assert reader.warnings == []
        (match,) = reader.matches()
        assert match.fault is None
        assert match.strokes >= 1
