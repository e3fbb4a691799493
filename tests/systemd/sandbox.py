"""Becomes the service: what systemd does between a unit's settings and its program, without systemd.

Run as root: `python -m tests.systemd.sandbox ROOT ARGUMENT ...`; ROOT is `private_root`'s. The program of
ExecStart= is run there with these arguments beside its own, or, if the first is `-c`, Python with them. What
cannot be had without systemd is in `LEFT_OUT`.
"""

import ctypes
import errno
import os
import resource
import stat
import sys
import sysconfig
from pathlib import Path
from typing import Final

from tests.systemd.private_root import account
from tests.systemd.seccomp import SETTINGS, filters_for
from tests.systemd.unit import PLACES, Unit

CANNOT: Final = 77
"""The exit code where the kernel does not let this be tried."""
LEFT_OUT: Final = {
    "IPAddressAllow": "needs a control group and a BPF program in it",
    "IPAddressDeny": "needs a control group and a BPF program in it",
    "KeyringMode": "no key is used",
    "KillMode": "the test ends it",
    "RemoveIPC": "done when a unit has ended",
    "Restart": "the manager's own",
    "RestartPreventExitStatus": "the manager's own",
    "RestartSec": "the manager's own",
    "TimeoutStopSec": "the manager's own",
    "Type": "the test reads the socket",
    "WatchdogSec": "the test reads the socket",
    "ExecStartPre": "there is no udev here",
}
DONE: Final = SETTINGS | {
    "AmbientCapabilities",
    "CapabilityBoundingSet",
    "ConfigurationDirectory",
    "DeviceAllow",
    "DevicePolicy",
    "Environment",
    "ExecStart",
    "Group",
    "LimitCORE",
    "NoNewPrivileges",
    "PrivateMounts",
    "PrivateTmp",
    "ProtectControlGroups",
    "ProtectHome",
    "ProtectKernelTunables",
    "ProtectProc",
    "ProtectSystem",
    "ReadWritePaths",
    "StateDirectory",
    "StateDirectoryMode",
    "SupplementaryGroups",
    "UMask",
    "User",
    "WorkingDirectory",
}
_REPOSITORY: Final = Path(__file__).parents[2]
_TREE: Final = ("calibration", "firmware", "hardware", "systemd")
_PACKAGES: Final = Path(sysconfig.get_path("purelib"))
_STANDARD_DEVICES: Final = ("null", "zero", "full", "random", "urandom", "tty")
_CLONE_NEWNS: Final = 0x00020000
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_SET_NO_NEW_PRIVS, _CAPBSET_DROP, _CAPBSET_READ, _CAP_AMBIENT, _CLEAR_ALL = 38, 24, 23, 47, 4
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(code: int, what: str) -> None:
    if code != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mounted_alone() -> None:
    """From now on what is mounted is seen by this process alone. OSError where that may not be."""
    _checked(_libc.unshare(_CLONE_NEWNS), "unshare mounts")
    mount("none", Path("/"), flags=_REC | _PRIVATE)


def mount(source: Path | str, target: Path, kind: str = "", flags: int = 0, data: str = "") -> None:
    """As mount(2) has it. OSError."""
    words = [each.encode() for each in (str(source), str(target), kind, data)]
    code = _libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])
    _checked(code, f"mount {source} on {target}")


def bind(source: Path, target: Path, *, read_only: bool = False) -> None:
    """Have a file or folder be seen elsewhere, too."""
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():
        target.touch()
    mount(source, target, flags=_BIND)
    if read_only:
        mount(source, target, flags=_REMOUNT | _BIND | _RDONLY | _NOSUID)


def machine(root: Path) -> None:
    """The programs of this machine, and the board's own tree as it is installed."""
    bind(Path("/usr"), root / "usr", read_only=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        if not (root / name).is_symlink() and Path("/", name).is_dir():
            bind(Path("/", name), root / name, read_only=True)
    for name in _TREE:
        bind(_REPOSITORY / name, root / "opt/setmatch" / name, read_only=True)
    bind(_PACKAGES, root / "opt/setmatch/packages", read_only=True)
    bind(Path(sys.base_prefix), root / "opt/setmatch/python", read_only=True)


def _python(*arguments: str) -> list[str]:
    """Python there, wherever this one lies: a virtual environment's names a folder that may be hidden."""
    return [f"/opt/setmatch/python/bin/python{sys.version_info[0]}.{sys.version_info[1]}", *arguments]


def _devices(unit: Unit, root: Path) -> None:
    """DevicePolicy=closed: nothing but these can be opened; here the others are not there at all."""
    assert unit.one("DevicePolicy") == "closed"
    mount("devices", root / "dev", "tmpfs", _NOSUID, "mode=755")
    majors = {
        fields[1]: int(fields[0])
        for line in Path("/proc/devices").read_text(encoding="utf-8").partition("Block")[0].splitlines()
        if len(fields := line.split()) == 2 and fields[0].isdecimal()
    }
    allowed = {majors.get(word.removeprefix("char-")) for word in unit.words("DeviceAllow")}
    for device in Path("/dev").rglob("*"):
        if not (device.exists() and stat.S_ISCHR(device.stat().st_mode)):
            continue
        if device.name in _STANDARD_DEVICES or os.major(device.stat().st_rdev) in allowed:
            (root / device.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
            bind(device, root / device.relative_to("/"))
    mount("devices", root / "dev", flags=_REMOUNT | _BIND | _RDONLY | _NOSUID)


def _files(unit: Unit, root: Path) -> None:
    """What can be seen, and what of it can be written."""
    mount(root, root, flags=_BIND | _REC)
    machine(root)
    _devices(unit, root)
    assert unit.one("ProtectProc") == "invisible"
    mount("proc", root / "proc", "proc", _NOSUID | _NODEV, "hidepid=invisible")
    if unit.yes("ProtectKernelTunables"):
        bind(root / "proc/sys", root / "proc/sys", read_only=True)
    # Without the mounts below it, control groups among them.
    assert unit.yes("ProtectControlGroups")
    mount("sys", root / "sys", "sysfs", _RDONLY | _NOSUID | _NODEV)
    if unit.yes("ProtectHome"):
        for name in ("home", "root"):
            (root / name).chmod(0)
    folders = [Path("/var/lib", name) for name in unit.words("StateDirectory")]
    for folder in folders:
        os.chmod(root / folder.relative_to("/"), int(unit.one("StateDirectoryMode"), 8))
    for name in unit.words("ConfigurationDirectory"):
        assert (root / "etc" / name).is_dir()
    for folder in (*folders, *map(Path, unit.words("ReadWritePaths"))):
        bind(root / folder.relative_to("/"), root / folder.relative_to("/"))
    if unit.yes("PrivateTmp"):
        for name in ("tmp", "var/tmp"):
            mount("tmp", root / name, "tmpfs", _NOSUID | _NODEV, "mode=1777")
    assert unit.one("ProtectSystem") == "strict"
    mount(root, root, flags=_REMOUNT | _BIND | _RDONLY)


def _become(unit: Unit, root: Path) -> None:
    """The user, with nothing that root could do."""
    user, group, groups = account(root, unit.one("User"))
    assert unit.one("Group") == unit.one("User")
    assert unit.all("CapabilityBoundingSet") == unit.all("AmbientCapabilities") == []
    os.chroot(root)
    os.chdir(unit.one("WorkingDirectory"))
    os.umask(int(unit.one("UMask"), 8))
    os.setgroups([groups[name] for name in unit.words("SupplementaryGroups")])
    os.setresgid(group, group, group)
    capability = 0
    while _libc.prctl(_CAPBSET_READ, capability, 0, 0, 0) >= 0:
        _checked(_libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0), "drop a capability")
        capability += 1
    _checked(_libc.prctl(_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0), "clear ambient capabilities")
    os.setresuid(user, user, user)
    assert unit.yes("NoNewPrivileges")
    _checked(_libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")


def main(root: Path, arguments: list[str]) -> None:
    """Be the service. Does not return."""
    unit = Unit.read(root / PLACES["setmatch.service"])
    filters = filters_for(unit)
    try:
        mounted_alone()
        _files(unit, root)
        _become(unit, root)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.ENODEV):
            raise
        print(f"the kernel does not let a sandbox be made: {error}", file=sys.stderr)
        sys.exit(CANNOT)
    program = unit.one("ExecStart").split()
    own = _python() if arguments[0] == "-c" else _python("-m", "firmware.cli", *program[1:])
    environment = unit.environment() | {
        "HOME": unit.one("WorkingDirectory"),
        "LOGNAME": unit.one("User"),
        "NOTIFY_SOCKET": "/run/systemd/notify",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin",
        "PYTHONPATH": "/opt/setmatch:/opt/setmatch/packages",
        "USER": unit.one("User"),
        "WATCHDOG_PID": str(os.getpid()),
        # Not the unit's, so that the test need not wait for it.
        "WATCHDOG_USEC": "200000",
    }
    resource.setrlimit(resource.RLIMIT_CORE, (int(unit.one("LimitCORE")),) * 2)
    for filter_ in filters:
        filter_.load()
    os.execve(own[0], [*own, *arguments], environment)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
