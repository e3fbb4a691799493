"""Switching the computer off, with programs of the test's in systemctl's place."""

from pathlib import Path

import pytest

from hardware.errors import HardwareError, PowerError
from hardware.power import can_power_off, power_off

SERVICE = {"NOTIFY_SOCKET": "/run/systemd/notify"}


def program(folder: Path, script: str) -> str:
    path = folder / "systemctl"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_only_a_service_of_systemds_switches_the_computer_off(tmp_path: Path) -> None:
    there = program(tmp_path, "exit 0")
    assert can_power_off(SERVICE, there)
    assert not can_power_off({}, there)
    assert not can_power_off(SERVICE, str(tmp_path / "none"))


def test_systemd_is_asked_to_power_off(tmp_path: Path) -> None:
    told = tmp_path / "told"
    power_off(program(tmp_path, f'echo "$@" > {told}'))
    assert told.read_text(encoding="utf-8") == "poweroff\n"


def test_a_refusal_says_what_is_missing(tmp_path: Path) -> None:
    refusing = program(tmp_path, 'echo "Call to PowerOff failed: Access denied" >&2; exit 1')
    with pytest.raises(PowerError, match=r"Access denied; let this user .*polkit"):
        power_off(refusing)


def test_a_silent_refusal_tells_its_code(tmp_path: Path) -> None:
    with pytest.raises(PowerError, match="ended with 3"):
        power_off(program(tmp_path, "exit 3"))


def test_no_systemd_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(PowerError, match="by hand") as caught:
        power_off(str(tmp_path / "none"))
    assert isinstance(caught.value, HardwareError)
