"""The rules for udev: what they make of devices."""

import re
import shutil
import subprocess

import pytest

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
