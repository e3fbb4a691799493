"""Tries what the service may and what it may not, in its place, and keeps how each ended in its state.

Run there: `probe.py HOME FAR`, an address of a network at home and one of none. Each name is followed by
"done" or by the error's name.
"""

import ctypes
import errno
import grp
import importlib
import json
import mmap
import os
import pwd
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

CLONE, FINIT_MODULE, KEYCTL = {"x86_64": (56, 313, 250), "aarch64": (220, 273, 219)}[os.uname().machine]
"""Calls that have no function of their own."""
BLUETOOTH = 31
"""AF_BLUETOOTH, which not every Python knows."""
LIBC = ctypes.CDLL(None, use_errno=True)
PACKAGES = ("cv2", "gpiozero", "luma.oled.device", "msgspec", "numpy", "paho.mqtt.client", "PIL.Image")


def ended(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    except ImportError as error:
        return str(error)
    return "done"


def call(name: str, *arguments: int | bytes) -> Callable[[], None]:
    """One of the C library's."""

    def attempt() -> None:
        if getattr(LIBC, name)(*arguments) == -1:
            raise OSError(ctypes.get_errno(), name)

    return attempt


def writes(path: str) -> Callable[[], object]:
    return lambda: Path(path).write_text("x", encoding="utf-8")


def opens(family: int, kind: int = socket.SOCK_STREAM) -> Callable[[], None]:
    return lambda: socket.socket(family, kind).close()


def called_back() -> None:
    """Code that ctypes makes for a function of Python's, as adapters of C libraries want it."""
    assert ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)() == 3


def kept_setting() -> None:
    """As the menu keeps one."""
    from firmware.config.writing import saved

    saved(Path("/etc/setmatch/setmatch.toml"), {"match.preset": "advanced"})


def told() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect(os.environ["NOTIFY_SOCKET"])
        manager.send(b"READY=1")


def sends(address: str) -> Callable[[], object]:
    def attempt() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"x", (address, 1883))

    return attempt


ATTEMPTS: dict[str, Callable[[], object]] = {
    "write state": writes("/var/lib/setmatch/tried"),
    "write configuration": kept_setting,
    "write tmp": writes("/tmp/tried"),
    "write to a device": lambda: Path("/dev/null").write_text("x", encoding="utf-8"),
    "tell the manager": told,
    "internet": opens(socket.AF_INET),
    "internet 6": opens(socket.AF_INET6),
    "udev's news": opens(socket.AF_NETLINK, socket.SOCK_RAW),
    "reach itself": sends("127.0.0.1"),
    "reach home": sends(sys.argv[1]),
    "start a program": lambda: subprocess.run(["true"], check=True),
    "call back": called_back,
    **{f"import {name}": lambda name=name: importlib.import_module(name) for name in PACKAGES},  # type: ignore[misc]
    # ---- and what it may not
    "write program": writes("/opt/setmatch/firmware/tried"),
    "write usr": writes("/usr/tried"),
    "write etc": writes("/etc/tried"),
    "write other state": writes("/var/lib/tried"),
    "write run": writes("/run/tried"),
    "write dev": writes("/dev/tried"),
    "write kernel's settings": writes("/proc/sys/kernel/hostname"),
    "look into home": lambda: os.listdir("/home"),
    "look into root's home": lambda: os.listdir("/root"),
    "look at another's process": lambda: os.listdir("/proc/1"),
    "code that is written": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC),
    "code that was written": lambda: turned_to_code(),
    "read a device": lambda: os.open("/dev/log-of-all", os.O_RDONLY | os.O_NONBLOCK),
    "reach far": sends(sys.argv[2]),
    "raw packets": opens(socket.AF_PACKET, socket.SOCK_RAW),
    "bluetooth": opens(BLUETOOTH, socket.SOCK_RAW),
    "namespace": call("unshare", 0x10000000),
    "namespace by clone": call("syscall", CLONE, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0),
    "mount": call("mount", b"none", b"/tmp", b"tmpfs", 0, b""),
    "become root": lambda: os.setuid(0),
    "give away a file": lambda: os.chown("/var/lib/setmatch/tried", 0, 0),
    "leave a program for others to be it": lambda: os.chmod("/var/lib/setmatch/tried", 0o4755),
    "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "set the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, 0.0),
    "set the name": lambda: socket.sethostname("tried"),
    "other personality": call("personality", 0x0008),
    "trace": call("ptrace", 0, 0, 0, 0),
    "reboot": call("reboot", 0x01234567),
    "kernel's log": call("klogctl", 3, b"", 0),
    "load a module": call("syscall", FINIT_MODULE, -1, b"", 0),
    "keyring": call("syscall", KEYCTL, 0, -3, 0),
}


def turned_to_code() -> None:
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    call("mprotect", ctypes.c_void_p(address), 4096, mmap.PROT_EXEC)()  # type: ignore[arg-type]


def main() -> None:
    status = dict(
        line.split(":\t", 1) for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    )
    Path("probed.json").write_text(
        json.dumps(
            {
                "attempts": {name: ended(attempt) for name, attempt in ATTEMPTS.items()},
                "status": status,
                "user": pwd.getpwuid(os.getuid()).pw_name,
                "group": grp.getgrgid(os.getgid()).gr_name,
                "groups": sorted(grp.getgrgid(each).gr_name for each in os.getgroups()),
                "folder": os.getcwd(),
                "cores": resource.getrlimit(resource.RLIMIT_CORE),
                "processes": sorted(name for name in os.listdir("/proc") if name.isdecimal()),
                "own": str(os.getpid()),
                "mode": oct(os.stat("/var/lib/setmatch").st_mode & 0o7777),
            }
        ),
        encoding="utf-8",
    )


main()
