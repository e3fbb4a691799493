"""The rules for udev and for polkit: what they make of devices, and what they let the service do."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import needs
from tests.systemd.private_root import make_root
from tests.systemd.sandbox import CANNOT
from tests.systemd.udev import made_of
from tests.systemd.unit import FOLDER, Unit

RULES = (FOLDER / "70-setmatch.rules").read_text(encoding="utf-8")
PICO = {
    "ACTION": "add",
    "SUBSYSTEM": "tty",
    "KERNEL": "ttyACM0",
    "ID_BUS": "usb",
    "ID_VENDOR_ID": "2e8a",
    "ID_MODEL_ID": "0005",
    "ID_SERIAL_SHORT": "e660583883724a32",
}
"""As udev's own rules, which come before ours, tell a Pico with MicroPython."""


@pytest.mark.parametrize(
    ("subsystem", "kernel", "group"),
    [
        ("dma_heap", "linux,cma", "video"),
        ("gpio", "gpiochip0", "gpio"),
        ("i2c-dev", "i2c-1", "i2c"),
        ("spidev", "spidev0.0", "spi"),
    ],
)
def test_the_parts_are_their_groups(subsystem: str, kernel: str, group: str) -> None:
    made = made_of(RULES, {"ACTION": "add", "SUBSYSTEM": subsystem, "KERNEL": kernel})
    assert (made.group, made.mode, made.links) == (group, "0660", [])
    assert group in Unit.read().words("SupplementaryGroups")


@pytest.mark.parametrize("model", ["0005", "0009", "000a", "000b"])
def test_a_controller_keeps_its_name(model: str) -> None:
    made = made_of(RULES, PICO | {"ID_MODEL_ID": model})
    assert made.links == ["setmatch/controller-e660583883724a32"]
    assert made.properties["ID_MM_PORT_IGNORE"] == "1"
    assert made.group == "root", "what udev has given it stays: dialout"


@pytest.mark.parametrize(
    "other",
    [
        {"ID_MODEL_ID": "000c"},  # a probe for debugging
        {"ID_VENDOR_ID": "0403"},
        {"ID_BUS": "pci"},
        {"SUBSYSTEM": "usb"},
        {"ACTION": "remove"},
    ],
)
def test_nothing_else_is_taken_for_a_controller(other: dict[str, str]) -> None:
    made = made_of(RULES, PICO | other)
    assert made.links == []
    assert "ID_MM_PORT_IGNORE" not in made.properties


def test_a_controller_without_a_number_has_no_name_of_its_own() -> None:
    assert made_of(RULES, {key: value for key, value in PICO.items() if key != "ID_SERIAL_SHORT"}).links == []


def verifies() -> bool:
    """Whether udev can check rules; since its version 254."""
    if shutil.which("udevadm") is None:
        return False
    told = subprocess.run(["udevadm", "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.match(r"\d+", told)[0]) >= 254  # type: ignore[index]


@pytest.mark.skipif(not verifies(), reason="udevadm verify is not here (Debian's udev, 13 or later)")
def test_udev_finds_nothing_wrong_with_them() -> None:
    done = subprocess.run(
        ["udevadm", "verify", "--resolve-names=never", FOLDER / "70-setmatch.rules"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@needs("pkcheck", "polkitd")
@needs("dbus-daemon", "dbus-daemon")
@needs("systemd-sysusers", "systemd")
@pytest.mark.parametrize(("user", "may"), [("setmatch", True), ("daemon", False)])
def test_the_player_may_switch_off_and_nothing_else(tmp_path: Path, user: str, may: bool) -> None:
    """polkit itself says so, of systemd's own actions."""
    if os.geteuid() != 0:
        if os.environ.get("CI") == "true":
            pytest.fail("polkit is run by root")
        pytest.skip("polkit is run by root; run this test with sudo")
    actions = {
        "org.freedesktop.login1.power-off": may,
        "org.freedesktop.login1.power-off-multiple-sessions": may,
        "org.freedesktop.login1.power-off-ignore-inhibit": False,
        "org.freedesktop.login1.reboot": False,
        "org.freedesktop.systemd1.manage-units": False,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.systemd.asked_polkit", make_root(tmp_path / "root"), user, *actions],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == CANNOT and os.environ.get("CI") != "true":
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["yes" if allowed else "no" for allowed in actions.values()]
