"""Who answers on an I2C bus: a bus of files, and chips that are asked for a byte and never written to."""

import errno
import fcntl
import os
from pathlib import Path

import pytest

from hardware.errors import PanelError
from hardware.i2c_scan import ADDRESSES, answering


class Chips:
    """A bus with chips at some addresses; all others answer with `silence`, as the kernel reports it."""

    def __init__(self, *addresses: int, taken: int | None = None, silence: int = errno.EREMOTEIO) -> None:
        self.addresses, self.taken, self.silence = addresses, taken, silence
        self.asked: list[int] = []

    def __call__(self, bus: int, address: int) -> None:
        os.fstat(bus)
        self.asked.append(address)
        if address == self.taken:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        if address not in self.addresses:
            raise OSError(self.silence, os.strerror(self.silence))


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    (tmp_path / "i2c-1").touch()
    return tmp_path


@pytest.mark.parametrize("silence", [errno.EREMOTEIO, errno.ENXIO, errno.EIO])
def test_those_that_answer_and_those_that_a_driver_has(devices: Path, silence: int) -> None:
    chips = Chips(0x3C, 0x3D, taken=0x68, silence=silence)
    assert answering(1, devices=devices, knock=chips) == (0x3C, 0x3D, 0x68)
    assert chips.asked == list(range(0x08, 0x78)) == list(ADDRESSES)


def test_nobody_is_there(devices: Path) -> None:
    assert answering(1, devices=devices, knock=Chips()) == ()


def test_a_bus_that_is_held_down_is_said_after_the_first_wait(devices: Path) -> None:
    chips = Chips(silence=errno.ETIMEDOUT)
    with pytest.raises(PanelError, match="bus 1 is held down; look for a loose wire"):
        answering(1, devices=devices, knock=chips)
    assert chips.asked == [0x08]


def test_a_bus_that_is_switched_off(devices: Path) -> None:
    with pytest.raises(PanelError, match=r"bus 7 .* missing or switched off; .*raspi-config"):
        answering(7, devices=devices, knock=Chips())


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
def test_a_bus_of_other_users(devices: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(PanelError, match="group `i2c`"):
        answering(1, devices=devices, knock=Chips())


def test_an_address_is_chosen_and_asked_for_a_byte_and_nothing_else(
    devices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0x0703 is I2C_SLAVE of <linux/i2c-dev.h>; a bus that is only read cannot have been written to."""
    told: list[tuple[str, int, int]] = []
    byte = (devices / "i2c-1").write_bytes(bytes(256)) // 256
    read = os.read

    def asked(bus: int, count: int) -> bytes:
        told.append(("read", count, 0))
        return read(bus, count)

    monkeypatch.setattr(fcntl, "ioctl", lambda bus, request, argument: told.append(("", request, argument)))
    monkeypatch.setattr(os, "read", asked)
    monkeypatch.delattr(os, "write")
    answering(1, devices=devices)
    assert told[:4] == [("", 0x0703, 0x08), ("read", byte, 0), ("", 0x0703, 0x09), ("read", byte, 0)]
    assert len(told) == 2 * len(ADDRESSES)


def test_a_bus_that_does_not_open(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(PanelError, match=r"does not open \(Too many open files\); restart"):
        answering(1, devices=devices, knock=Chips())


def test_what_is_no_bus_is_not_read_as_one(devices: Path) -> None:
    """The kernel refuses to choose an address on a plain file; nobody answers there."""
    assert answering(1, devices=devices) == ()
    assert (devices / "i2c-1").read_bytes() == b""


def test_the_bus_is_given_back(devices: Path) -> None:
    seen: list[int] = []

    def knock(bus: int, address: int) -> None:
        seen.append(bus)
        raise OSError(errno.ETIMEDOUT, "held")

    with pytest.raises(PanelError):
        answering(1, devices=devices, knock=knock)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(seen[0])
