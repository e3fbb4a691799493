"""What the computer tells of itself in files: memory, heat, voltage, disk, clock, serial ports, locks.

Only read, under a root that tests lay themselves; nothing is judged. Programs that are asked are in
`programs.py`. What is not told is None: there are computers without any of it.
"""

import ctypes
import os
import pwd
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_KIB: Final = 1024
_STATES_PORT: Final = ("ttyACM*", "ttyUSB*")
"""Names that the kernel gives to serial ports on USB."""

# Of <linux/timex.h>: the kernel's clock is taken for synchronised while its error is below so many
# microseconds, which is what timedatectl goes by, too (NTP's own bound of 16 s).
_MOST_ERROR_US: Final = 16_000_000

_FLAT_UV: Final = 2_000_000
"""Microvolts below which no lithium cell keeps a clock going: the data sheet of Panasonic's ML2020, which the
Pi 5 is sold, ends its discharge there. With none fitted a Pi 5 reads about 5 mV."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes of memory, and how many of them a program could have now."""

    total: int
    available: int


@dataclass(frozen=True, slots=True)
class Disk:
    """Of the file system on which a folder lies, or would: bytes, and whether it can be written to by this
    user. `place`: the folder that is there."""

    place: Path
    total: int
    free: int
    read_only: bool
    writable: bool


@dataclass(frozen=True, slots=True)
class Strays:
    """Files and folders that the owner of the folder in which they lie cannot write: others left them."""

    owner: str
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A serial port on USB. `name`: under /dev/serial/by-id, which stays when the number changes; the
    device's own where there is none. `usable`: this user may read and write it."""

    name: str
    device: str
    by_id: bool
    usable: bool


@dataclass(frozen=True, slots=True)
class Power:
    """Bits that the Pi's firmware keeps of its supply (`get_throttled`; documentation of `vcgencmd`)."""

    bits: int

    @property
    def low_now(self) -> bool:
        """The supply's voltage is too low."""
        return bool(self.bits & 1 << 0)

    @property
    def slowed_now(self) -> bool:
        """The processor is held back: its frequency capped, throttled, or near its limit of heat."""
        return bool(self.bits & 0b1110)

    @property
    def was_low(self) -> bool:
        """The voltage has been too low since the computer was started."""
        return bool(self.bits & 1 << 16)

    @property
    def was_slowed(self) -> bool:
        """The processor has been held back since."""
        return bool(self.bits & 0b1110 << 16)


class System:
    """A computer's files below `root`, which is / but in tests."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def model(self) -> str | None:
        """What the board calls itself, such as "Raspberry Pi 5 Model B Rev 1.0"."""
        return self._line("proc/device-tree/model")

    def release(self) -> str | None:
        """The operating system's name and version."""
        for line in (self._text("etc/os-release") or "").splitlines():
            name, _, value = line.partition("=")
            if name == "PRETTY_NAME":
                return value.strip().strip("\"'") or None
        return None

    def memory(self) -> Memory | None:
        """By /proc/meminfo, which counts in KiB."""
        told: dict[str, int] = {}
        for line in (self._text("proc/meminfo") or "").splitlines():
            name, _, rest = line.partition(":")
            with suppress(ValueError, IndexError):
                told[name] = int(rest.split()[0]) * _KIB
        if "MemTotal" not in told or "MemAvailable" not in told:
            return None
        return Memory(told["MemTotal"], told["MemAvailable"])

    def temperature_c(self) -> float | None:
        """The processor's temperature, degrees Celsius: of the hottest zone."""
        found = []
        for path in self._glob("sys/class/thermal", "thermal_zone*/temp"):
            with suppress(OSError, ValueError):
                found.append(int(path.read_text()) / 1000.0)
        return max(found, default=None)

    def power(self) -> Power | None:
        """What the Pi's firmware says of its supply, as far as the kernel passes it on: all of it in one
        file of hexadecimal digits, or by the sensor `rpi_volt` that the voltage is too low now."""
        for path in self._glob("sys/devices/platform", "*/*firmware/get_throttled"):
            with suppress(OSError, ValueError):
                return Power(int(path.read_text().strip(), 16))
        for path in self._glob("sys/class/hwmon", "hwmon*/name"):
            with suppress(OSError, ValueError):
                if path.read_text().strip() == "rpi_volt":
                    return Power(int(path.with_name("in0_lcrit_alarm").read_text()) & 1)
        return None

    def disk(self, folder: Path) -> Disk | None:
        """Of the folder, or of the nearest above it that is there."""
        for place in (folder, *folder.absolute().parents):
            with suppress(OSError, ValueError):
                if not place.is_dir():
                    continue
                told = os.statvfs(place)
                read_only = bool(told.f_flag & os.ST_RDONLY)
                return Disk(
                    place,
                    total=told.f_blocks * told.f_frsize,
                    free=told.f_bavail * told.f_frsize,
                    read_only=read_only,
                    writable=not read_only and os.access(place, os.W_OK | os.X_OK),
                )
        return None

    def no_folder(self, folder: Path) -> Path | None:
        """What stands where a folder, or one above it, is to be, and is none; None if nothing does."""
        for place in (folder, *folder.absolute().parents):
            with suppress(OSError, ValueError):
                if place.exists():
                    return None if place.is_dir() else place
        return None

    def other_owner(self, folder: Path) -> str | None:
        """Whose a folder is, or the nearest above it that can be looked at; None if this user's."""
        for place in (folder, *folder.absolute().parents):
            with suppress(OSError, ValueError, KeyError):  # KeyError: a number without a name
                owner = place.stat().st_uid
                return None if owner == os.geteuid() else pwd.getpwuid(owner).pw_name
        return None

    def device_is_usable(self, device: str) -> bool | None:
        """Whether this user may read and write a device, by its path; None if it is not there."""
        path = self._root / device.lstrip("/")
        try:
            path.stat()
        except OSError:
            return None
        return _usable(path)

    def strays(self, folder: Path, but: str = "") -> Strays | None:
        """What its owner cannot write in a folder, as far as this user may look; None if there is nothing, or
        no folder, or if it is root's. `but`: what is left out of it, by its name."""
        try:
            of = folder.stat()
        except OSError:
            return None
        if of.st_uid == 0:
            return None
        found: list[Path] = []
        for place, folders, files in os.walk(folder):
            if Path(place) == folder and but in folders:
                folders.remove(but)
            for name in (*folders, *files):
                with suppress(OSError):  # it has just gone
                    if not _owner_may_write(of, (Path(place) / name).lstat()):
                        found.append(Path(place) / name)
        return Strays(user_name(of.st_uid), tuple(sorted(found))) if found else None

    def serial_ports(self) -> tuple[SerialPort, ...]:
        """Those on USB, by name."""
        ports: dict[str, SerialPort] = {}
        for link in self._glob("dev/serial/by-id", "*"):
            with suppress(OSError):
                device = link.resolve(strict=True)
                ports[device.name] = SerialPort(link.name, f"/dev/{device.name}", True, _usable(device))
        for pattern in _STATES_PORT:
            for device in self._glob("dev", pattern):
                if device.name not in ports:
                    named = f"/dev/{device.name}"
                    ports[device.name] = SerialPort(named, named, False, _usable(device))
        return tuple(sorted(ports.values(), key=lambda port: port.name))

    def i2c_buses(self) -> tuple[int, ...]:
        """The N of each /dev/i2c-N."""
        numbers = [path.name.removeprefix("i2c-") for path in self._glob("dev", "i2c-*")]
        return tuple(sorted(int(number) for number in numbers if number.isdecimal()))

    def has_clock_of_its_own(self) -> bool:
        """Whether a clock goes on while the power is off. Every Pi 5 has a clock, but its battery is extra;
        the driver (`rtc-rpi`) tells the battery's voltage. Where it does not, none is known to be there."""
        return any(self._goes_on(clock) for clock in self._glob("sys/class/rtc", "rtc*"))

    def _goes_on(self, clock: Path) -> bool:
        try:
            return int((clock / "battery_voltage").read_text()) >= _FLAT_UV
        except FileNotFoundError:
            return not (self._line(f"sys/class/rtc/{clock.name}/name") or "").startswith("rpi-rtc")
        except (OSError, ValueError):
            return False

    def lock_holder(self, path: Path) -> int | None:
        """The process that holds a lock (flock) on a file, in which it may have left its number; None if
        none does. Looked up and not tried: to try would take it for an instant, and who wants it then would
        be refused."""
        try:
            told, said = path.stat(), path.read_text(errors="replace").strip()
        except OSError:
            return None
        device = f"{os.major(told.st_dev):02x}:{os.minor(told.st_dev):02x}"
        for line in (self._text("proc/locks") or "").splitlines():
            fields = line.split()  # 1: FLOCK ADVISORY WRITE 321 b3:02:4711 0 EOF
            if len(fields) < 6 or fields[1] != "FLOCK" or not fields[4].isdecimal():
                continue
            where, _, inode = fields[5].rpartition(":")
            # Some file systems tell the kernel another device than us; then the holder's own word is taken.
            if inode == str(told.st_ino) and (where == device or said == fields[4]):
                return int(fields[4])
        return None

    def _glob(self, folder: str, pattern: str) -> list[Path]:
        try:
            return sorted((self._root / folder).glob(pattern))
        except OSError:
            return []

    def _text(self, name: str) -> str | None:
        try:
            return (self._root / name).read_text(errors="replace")
        except OSError:
            return None

    def _line(self, name: str) -> str | None:
        text = (self._text(name) or "").strip("\0\n ")
        return text or None


def _owner_may_write(folder: os.stat_result, inside: os.stat_result) -> bool:
    by_group = inside.st_gid == folder.st_gid and inside.st_mode & stat.S_IWGRP
    return bool(inside.st_uid == folder.st_uid or by_group or inside.st_mode & stat.S_IWOTH)


def _usable(device: Path) -> bool:
    return os.access(device, os.R_OK | os.W_OK)


class _Timex(ctypes.Structure):
    """`struct timex` of adjtimex(2); what follows `tick` is room for the kernel to write in."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        *((name, ctypes.c_long) for name in ("offset", "freq", "maxerror", "esterror")),
        ("status", ctypes.c_int),
        *((name, ctypes.c_long) for name in ("constant", "precision", "tolerance", "sec", "usec", "tick")),
        ("rest", ctypes.c_long * 24),
    )


def clock_is_synchronised(adjtimex: Callable[[Any], int] | None = None) -> bool | None:
    """Whether the clock follows others on the network, as the kernel has it; None if that is not told.
    Nothing is set: `modes` is 0. `adjtimex`: the system's own, but in tests."""
    told = _Timex()
    try:
        state = (adjtimex or ctypes.CDLL(None).adjtimex)(ctypes.byref(told))
    except (OSError, AttributeError):  # no Linux
        return None
    return None if state < 0 else bool(told.maxerror < _MOST_ERROR_US)


def user_name(number: int) -> str:
    """What a user is called; the number of one that has no name here."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
