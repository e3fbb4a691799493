"""A computer within this one: systemd as the first process of a root of the test's, with namespaces of its
own for mounts, processes and network, and a control group.

Run as root: `python -m tests.systemd.booted ROOT`, ROOT being `private_root`'s. It prints the number of that
first process, which `nsenter` finds it by, and ends with it, or ends it when it is itself asked to end.
Nothing of it is left on the machine, whose clock, modules and settings cannot be changed from in there.
"""

import ctypes
import errno
import fcntl
import os
import signal
import socket
import stat
import struct
import sys
import sysconfig
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

CANNOT: Final = 77
"""The exit code where the kernel does not let this be tried."""
HOME_ADDRESS, FAR_ADDRESS = "10.1.2.3", "192.0.2.1"
"""Addresses that are there: one of a network at home, and one that is of no such."""
_NAMESPACES: Final = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000
"""Mounts, control groups, host name, IPC, processes, network."""
_REPOSITORY: Final = Path(__file__).parents[2]
_TREE: Final = ("calibration", "firmware", "hardware", "systemd")
_DEVICES: Final = {
    "console": (1, 3),  # as null: nobody reads it
    "full": (1, 7),
    "log-of-all": (1, 11),  # any user could read the kernel's log in it, were it not for the service's policy
    "null": (1, 3),
    "random": (1, 8),
    "tty": (5, 0),
    "urandom": (1, 9),
    "zero": (1, 5),
}
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_DETACH: Final = 2
_PIVOT_ROOT: Final = {"x86_64": 155, "aarch64": 41}
_CAPBSET_DROP, _PARENT_ENDS = 24, 1
_HOSTS_OWN: Final = (16, 17, 25)
"""CAP_SYS_MODULE, CAP_SYS_RAWIO, CAP_SYS_TIME."""
_SET_ADDRESS: Final = 0x8916
_LONG_S: Final = 30.0
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(code: int, what: str) -> None:
    if code != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: Path | str, target: Path, kind: str = "", flags: int = 0, data: str = "") -> None:
    words = [each.encode() for each in (str(source), str(target), kind, data)]
    code = _libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])
    _checked(code, f"mount {source} on {target}")


def _bind(source: Path, target: Path, *, read_only: bool = False) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():
        target.touch()
    _mount(source, target, flags=_BIND)
    if read_only:
        _mount(source, target, flags=_REMOUNT | _BIND | _RDONLY)


def _programs(root: Path) -> None:
    """This machine's, and the board's own tree, as `private_root` has its command expect it."""
    _bind(Path("/usr"), root / "usr", read_only=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        if not (root / name).is_symlink() and Path("/", name).is_dir():
            _bind(Path("/", name), root / name, read_only=True)
    for name in _TREE:
        _bind(_REPOSITORY / name, root / "opt/setmatch" / name, read_only=True)
    _bind(Path(sysconfig.get_path("purelib")), root / "opt/setmatch/packages", read_only=True)
    _bind(Path(sys.base_prefix), root / "opt/setmatch/python", read_only=True)


def _devices(dev: Path) -> None:
    _mount("dev", dev, "tmpfs", _NOSUID, "mode=755")
    # Nodes of its own: whoever gets a console gets its file, too, and that must not be the machine's.
    for name, (major, minor) in _DEVICES.items():
        os.mknod(dev / name, stat.S_IFCHR, os.makedev(major, minor))
        os.chmod(dev / name, 0o666)
    for name, kind, data in (("pts", "devpts", "newinstance,ptmxmode=0666"), ("shm", "tmpfs", "mode=1777")):
        (dev / name).mkdir()
        _mount(name, dev / name, kind, _NOSUID, data)
    (dev / "ptmx").symlink_to("pts/ptmx")


def _kernel(root: Path) -> None:
    """What is the kernel's own; read-only, which also tells systemd that devices are not its matter."""
    _mount("proc", root / "proc", "proc", _NOSUID | _NODEV)
    _bind(root / "proc/sys", root / "proc/sys", read_only=True)
    _mount("sys", root / "sys", "sysfs", _RDONLY | _NOSUID | _NODEV)
    _mount("cgroup", root / "sys/fs/cgroup", "cgroup2", _NOSUID | _NODEV)


def _addresses() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for number, address in enumerate((HOME_ADDRESS, FAR_ADDRESS)):
            packed = socket.inet_aton(address)
            request = struct.pack("16sHH4s8x", f"lo:{number}".encode(), socket.AF_INET, 0, packed)
            fcntl.ioctl(asked, _SET_ADDRESS, request)


def _start(root: Path) -> None:
    """Be its first process."""
    _mount("none", Path("/"), flags=_REC | _PRIVATE)
    _mount(root, root, flags=_BIND | _REC)
    # A root that was installed, such as walk_installer's, has its own.
    if not any((root / "usr").iterdir()):
        _programs(root)
    _devices(root / "dev")
    _kernel(root)
    for name, mode in (("run", "755"), ("tmp", "1777")):
        _mount(name, root / name, "tmpfs", _NOSUID | _NODEV, f"mode={mode}")
    _addresses()
    os.chdir(root)
    _checked(_libc.syscall(_PIVOT_ROOT[os.uname().machine], b".", b"."), "change the root")
    _checked(_libc.umount2(b".", _DETACH), "leave the machine's root")
    os.chdir("/")
    for capability in _HOSTS_OWN:
        _checked(_libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0), "drop a capability")
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    environment = {"container": "other", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"}
    os.execve("/usr/lib/systemd/systemd", ["systemd", "--system", "--show-status=no"], environment)


def _own_group() -> Path:
    """A control group for all of it."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    unified = [Path(fields[1]) for fields in mounts if fields[2] == "cgroup2"]
    if not unified:
        raise OSError(errno.ENODEV, "no control groups of the second version are mounted")
    group = unified[0] / f"setmatch-test-{os.getpid()}"
    group.mkdir()
    return group


def _remove(group: Path) -> None:
    """Remove a control group and those below it; the kernel needs a moment to see that nobody is left."""
    end = time.monotonic() + _LONG_S
    while group.exists():
        for folder, _, _ in os.walk(group, topdown=False):
            with suppress(OSError):
                os.rmdir(folder)
        if time.monotonic() > end:
            raise OSError(errno.EBUSY, f"{group} does not empty")
        time.sleep(0.01)


def _boot(root: Path, group: Path, told: int) -> None:
    """Be the parent of the first process, in its namespaces. Does not return; `told` hears its number."""
    try:
        _checked(_libc.prctl(_PARENT_ENDS, signal.SIGKILL, 0, 0, 0), "end with the parent")
        (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
        _checked(_libc.unshare(_NAMESPACES), "namespaces")
        first = os.fork()
        if first == 0:
            _checked(_libc.prctl(_PARENT_ENDS, signal.SIGKILL, 0, 0, 0), "end with the parent")
            _start(root)
        os.write(told, f"{first}\n".encode())
        os.close(told)
        _, status = os.waitpid(first, 0)
        # pid_namespaces(7): so a first process that has switched its computer off is told from all others.
        os._exit(0 if os.waitstatus_to_exitcode(status) == -signal.SIGINT else 1)
    except OSError as error:
        print(f"the kernel lets no computer be booted in this one: {error}", file=sys.stderr, flush=True)
        os._exit(CANNOT)


def main(root: Path) -> int:
    """Boot, and wait for the end; 0 if it has switched itself off."""
    try:
        group = _own_group()
    except OSError as error:
        print(f"no computer can be booted in this one: {error}", file=sys.stderr)
        return CANNOT
    hears, told = os.pipe()
    parent = os.fork()
    if parent == 0:
        _boot(root, group, told)
    os.close(told)
    with os.fdopen(hears) as heard:
        first = heard.readline().strip()

    def end(number: int, frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(int(first), signal.SIGKILL)

    if first:
        signal.signal(signal.SIGTERM, end)
        print(first, flush=True)
    _, status = os.waitpid(parent, 0)
    _remove(group)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
