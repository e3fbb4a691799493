"""What a computer tells of itself, on files laid as a Pi has them, and on computers that have none."""

import fcntl
import os
import pwd
from pathlib import Path
from typing import Any

import pytest

from hardware.programs import ask
from hardware.system import Disk, Memory, Power, SerialPort, Strays, System, clock_is_synchronised


def laid(root: Path, files: dict[str, str]) -> System:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return System(root)


def test_a_pi(tmp_path: Path) -> None:
    pi = laid(
        tmp_path,
        {
            "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
            "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
            "proc/meminfo": "MemTotal:        4045320 kB\nMemFree:  99 kB\nMemAvailable:    3123456 kB\n",
            "sys/class/thermal/thermal_zone0/temp": "48250\n",
            "sys/class/thermal/thermal_zone1/temp": "51100\n",
            "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n",
            "sys/class/rtc/rtc0/name": "rpi-rtc soc@107c000000:rpi_rtc\n",
            "sys/class/rtc/rtc0/battery_voltage": "2986800\n",
            "dev/i2c-1": "",
            "dev/i2c-20": "",
        },
    )
    assert pi.model() == "Raspberry Pi 5 Model B Rev 1.0"
    assert pi.release() == "Debian GNU/Linux 12 (bookworm)"
    assert pi.memory() == Memory(4045320 * 1024, 3123456 * 1024)
    assert pi.temperature_c() == 51.1
    assert pi.power() == Power(0x50005)
    assert pi.has_clock_of_its_own()
    assert pi.i2c_buses() == (1, 20)


def test_a_computer_with_nothing_of_it(tmp_path: Path) -> None:
    bare = System(tmp_path)
    told = (bare.model(), bare.release(), bare.memory(), bare.temperature_c(), bare.power())
    assert told == (None,) * 5
    assert not bare.serial_ports()
    assert not bare.i2c_buses()
    assert not bare.has_clock_of_its_own()
    lock = tmp_path / "journal.lock"
    assert bare.lock_holder(lock) is None
    lock.touch()
    assert bare.lock_holder(lock) is None


@pytest.mark.parametrize(
    ("clocks", "goes_on"),
    [
        ({"rtc0/name": "rpi-rtc rpi_rtc\n", "rtc0/battery_voltage": "5128\n"}, False),  # none fitted
        ({"rtc0/name": "rpi-rtc rpi_rtc\n", "rtc0/battery_voltage": "1999999\n"}, False),
        ({"rtc0/name": "rpi-rtc rpi_rtc\n", "rtc0/battery_voltage": "2000000\n"}, True),
        ({"rtc0/name": "rpi-rtc rpi_rtc\n", "rtc0/battery_voltage": "\n"}, False),
        ({"rtc0/name": "rpi-rtc rpi_rtc\n"}, False),  # a driver that does not tell
        ({"rtc0/name": "rpi-rtc rpi_rtc\n", "rtc1/name": "rtc-ds1307 1-0068\n"}, True),
        ({"rtc0/name": "rtc_cmos 00:01\n"}, True),
    ],
)
def test_a_clock_without_a_battery_stands_still(
    tmp_path: Path, clocks: dict[str, str], goes_on: bool
) -> None:
    system = laid(tmp_path, {f"sys/class/rtc/{name}": text for name, text in clocks.items()})
    assert system.has_clock_of_its_own() is goes_on


@pytest.mark.parametrize(
    "files",
    [
        {"proc/meminfo": "MemTotal: many kB\nMemAvailable:\n"},
        {"proc/meminfo": "MemTotal: 4000 kB\nMemFree: 300 kB\n"},
        {"proc/meminfo": "MemAvailable: 300 kB\n"},
        {"sys/class/thermal/thermal_zone0/temp": "hot\n"},
        {"sys/devices/platform/soc/soc:firmware/get_throttled": "\n"},
        {"sys/class/hwmon/hwmon0/name": "rpi_volt\n"},
        {"etc/os-release": "PRETTY_NAME\n"},
        {"proc/device-tree/model": "\0"},
    ],
    ids=lambda files: " ".join(*files.items()),
)
def test_files_that_say_nothing(tmp_path: Path, files: dict[str, str]) -> None:
    system = laid(tmp_path, files)
    told = (system.model(), system.release(), system.memory(), system.temperature_c(), system.power())
    assert told == (None,) * 5


def test_the_voltage_by_a_sensor_where_the_firmware_is_not_asked(tmp_path: Path) -> None:
    sensors = {"sys/class/hwmon/hwmon0/name": "cpu_thermal\n", "sys/class/hwmon/hwmon1/name": "rpi_volt\n"}
    alarm = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
    assert laid(tmp_path, {**sensors, alarm: "1\n"}).power() == Power(1)
    assert laid(tmp_path, {alarm: "0\n"}).power() == Power(0)


@pytest.mark.parametrize(
    ("bits", "low", "slowed", "was_low", "was_slowed"),
    [
        (0x0, False, False, False, False),
        (0x1, True, False, False, False),
        (0x2, False, True, False, False),
        (0x4, False, True, False, False),
        (0x8, False, True, False, False),
        (0x10000, False, False, True, False),
        (0x20000, False, False, False, True),
        (0x40000, False, False, False, True),
        (0x80000, False, False, False, True),
        (0x50005, True, True, True, True),
    ],
)
def test_the_bits_of_the_supply(bits: int, low: bool, slowed: bool, was_low: bool, was_slowed: bool) -> None:
    power = Power(bits)
    assert (power.low_now, power.slowed_now, power.was_low, power.was_slowed) == (
        *(low, slowed, was_low, was_slowed),
    )


def test_the_disk_of_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    told = System(tmp_path).disk(tmp_path / "not" / "there")
    assert isinstance(told, Disk)
    assert told.place == tmp_path
    assert 0 < told.free <= told.total
    assert told.writable
    assert not told.read_only


def test_what_is_in_the_way_of_a_folder(tmp_path: Path) -> None:
    system, file = System(tmp_path), tmp_path / "file"
    file.write_text("")
    assert system.no_folder(file) == system.no_folder(file / "in" / "it") == file
    assert system.no_folder(tmp_path) is None
    assert system.no_folder(tmp_path / "not" / "there") is None


def test_whose_a_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, owner = System(tmp_path), tmp_path.stat().st_uid
    assert system.other_owner(tmp_path) is None
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    name = pwd.getpwuid(owner).pw_name
    assert system.other_owner(tmp_path) == system.other_owner(tmp_path / "not" / "there") == name


def test_a_device_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = laid(tmp_path, {"dev/ttyACM0": ""})
    assert system.device_is_usable("/dev/ttyACM0") is True
    assert system.device_is_usable("/dev/ttyACM9") is None
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert system.device_is_usable("/dev/ttyACM0") is False


@pytest.fixture
def owners(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Whose files and folders are, by their names: those of user and group 4711 unless it is said here."""
    told: dict[str, int] = {}
    stat = Path.stat

    def owned(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        fields = list(stat(path, follow_symlinks=follow_symlinks))
        fields[4] = fields[5] = told.get(path.name, 4711)
        return os.stat_result(fields)

    monkeypatch.setattr(Path, "stat", owned)
    return told


def test_files_that_the_owner_of_their_folder_cannot_write(tmp_path: Path, owners: dict[str, int]) -> None:
    system, state = System(tmp_path), tmp_path / "state"
    for name in ("own", "roots", "everybodys", "reviews/roots.png", "voice/roots.wav"):
        path = state / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o644)
    (state / "everybodys").chmod(0o666)
    assert system.strays(state) is None
    owners |= {"roots": 0, "everybodys": 0, "roots.png": 0, "roots.wav": 0}
    told = system.strays(state, but="voice")
    assert told == Strays("4711", (state / "reviews/roots.png", state / "roots"))
    owners["reviews"] = 0
    (state / "reviews").chmod(0o777)
    assert system.strays(state, but="voice") == told, "its folder may be written by everybody"


def test_what_is_root_s_or_not_there_has_no_strays(tmp_path: Path, owners: dict[str, int]) -> None:
    (tmp_path / "of-user").touch(0o644)
    assert System(tmp_path).strays(tmp_path / "none") is None
    owners |= {tmp_path.name: 0}
    assert System(tmp_path).strays(tmp_path) is None


def test_what_a_group_may_write_is_written_by_who_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owners: dict[str, int]
) -> None:
    (tmp_path / "file").touch()
    stat = Path.stat

    def grouped(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        fields = list(stat(path, follow_symlinks=follow_symlinks))
        fields[5] = 4711
        return os.stat_result(fields)

    monkeypatch.setattr(Path, "stat", grouped)
    owners["file"] = 12
    (tmp_path / "file").chmod(0o644)
    assert System(tmp_path).strays(tmp_path) == Strays("4711", (tmp_path / "file",))
    (tmp_path / "file").chmod(0o664)
    assert System(tmp_path).strays(tmp_path) is None


def test_ports_have_the_name_that_stays(tmp_path: Path) -> None:
    system = laid(tmp_path, {"dev/ttyACM0": "", "dev/ttyUSB3": ""})
    by_id = tmp_path / "dev/serial/by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-MicroPython_Board-if00").symlink_to("../../ttyACM0")
    (by_id / "usb-gone").symlink_to("../../ttyACM9")
    assert system.serial_ports() == (
        SerialPort("/dev/ttyUSB3", "/dev/ttyUSB3", by_id=False, usable=True),
        SerialPort("usb-MicroPython_Board-if00", "/dev/ttyACM0", by_id=True, usable=True),
    )


def test_a_port_that_is_another_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = laid(tmp_path, {"dev/ttyACM0": ""})
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert [port.usable for port in system.serial_ports()] == [False]


def test_who_holds_a_lock(tmp_path: Path) -> None:
    lock = tmp_path / "journal.lock"
    lock.touch()
    told = lock.stat()
    here = f"{os.major(told.st_dev):02x}:{os.minor(told.st_dev):02x}"
    mine, beside, elsewhere = f"{here}:{told.st_ino}", f"{here}:{told.st_ino + 1}", f"fd:7f:{told.st_ino}"
    lines = (
        f"1: POSIX  ADVISORY  WRITE 77 {mine} 0 EOF",
        f"2: FLOCK  ADVISORY  WRITE 98 {beside} 0 EOF",
        f"3: FLOCK  ADVISORY  WRITE 99 {elsewhere} 0 EOF",
        "4: FLOCK",
        f"5: -> FLOCK  ADVISORY  WRITE 322 {mine} 0 EOF",
    )
    assert laid(tmp_path, {"proc/locks": "\n".join(lines)}).lock_holder(lock) is None
    held = "\n".join((*lines, f"6: FLOCK  ADVISORY  WRITE 321 {mine} 0 EOF"))
    system = laid(tmp_path, {"proc/locks": held})
    assert system.lock_holder(lock) == 321
    assert system.lock_holder(tmp_path / "none") is None
    lock.write_text("99\n")  # a file system with devices of its own
    assert system.lock_holder(lock) == 99


def test_who_holds_a_lock_on_this_computer(tmp_path: Path) -> None:
    path = tmp_path / "journal.lock"
    with path.open("w") as file:
        assert System().lock_holder(path) is None
        fcntl.flock(file, fcntl.LOCK_EX)
        if not Path("/proc/locks").exists():
            pytest.skip("this kernel tells no locks")
        assert System().lock_holder(path) == os.getpid()
    assert System().lock_holder(path) is None


@pytest.mark.parametrize(
    ("state", "error_us", "synchronised"),
    [(0, 2_000, True), (0, 15_999_999, True), (5, 16_000_000, False), (-1, 0, None)],
)
def test_the_clock_by_the_kernels_error(state: int, error_us: int, synchronised: bool | None) -> None:
    def adjtimex(told: Any) -> int:
        assert told._obj.modes == 0  # nothing is to be set
        told._obj.maxerror = error_us
        return state

    assert clock_is_synchronised(adjtimex) is synchronised


def test_this_computers_clock() -> None:
    """What the kernel says twice in a row is the same; a wrong layout would give anything."""
    told = clock_is_synchronised()
    program = ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    if program is not None:
        assert told is (program.strip() == "yes")
    assert clock_is_synchronised() is told


def test_a_computer_without_such_a_clock() -> None:
    def adjtimex(told: Any) -> int:
        raise AttributeError("adjtimex")

    assert clock_is_synchronised(adjtimex) is None
