"""Asks a real polkit whether a user may do things, in a root of the test's, with a D-Bus of its own.

Run as root: `python -m tests.systemd.asked_polkit ROOT USER ACTION ...`; prints a line for each action: "yes"
or "no". ROOT is `private_root`'s, to which the daemons' own users are added.
"""

import os
import pwd
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.systemd.private_root import account, prepare
from tests.systemd.sandbox import CANNOT, bind, machine, mount, mounted_alone

_DAEMON = "/usr/lib/polkit-1/polkitd"
_BUS = "/run/dbus/system_bus_socket"
_RUN = ("dbus", "systemd/machines", "systemd/seats", "systemd/sessions", "systemd/users")
"""What logind and D-Bus make there."""
_LONG_S = 60.0


def main(root: Path, user: str, actions: list[str]) -> None:
    # Its package gave a folder of rules to this machine's number.
    polkitd = f"u polkitd {pwd.getpwnam('polkitd').pw_uid} polkit"
    prepare("systemd-sysusers", root, "--inline", "u messagebus - D-Bus", polkitd)
    for folder in _RUN:
        (root / "run" / folder).mkdir(parents=True, exist_ok=True)
    (root / "var/run").symlink_to("/run")
    number, group, _ = account(root, user)
    try:
        mounted_alone()
        machine(root)
        bind(Path("/dev"), root / "dev")
        mount("proc", root / "proc", "proc")
        os.chroot(root)
        os.chdir("/")
    except PermissionError as error:
        print(error, file=sys.stderr)
        sys.exit(CANNOT)
    started = [subprocess.Popen(["/usr/bin/dbus-daemon", "--system", "--nofork", "--nopidfile"])]
    try:
        until(lambda: Path(_BUS).exists())
        started.append(subprocess.Popen([_DAEMON, "--no-debug"]))
        until(is_there)
        started.append(subprocess.Popen(["sleep", "infinity"], user=number, group=group, extra_groups=[]))
        for action in actions:
            print("yes" if asked(started[-1].pid, action) else "no", flush=True)
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def is_there() -> bool:
    """Whether polkit is on the bus. Who asked polkit itself would have D-Bus start another."""
    asks = ["dbus-send", "--system", "--dest=org.freedesktop.DBus", "--print-reply", "/"]
    asks += ["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.PolicyKit1"]
    return "boolean true" in subprocess.run(asks, capture_output=True, text=True).stdout


def asked(process: int, action: str) -> bool:
    """Whether a process may."""
    asks = ["pkcheck", "--action-id", action, "--process", str(process)]
    done = subprocess.run(asks, capture_output=True, text=True)
    # pkcheck(1): 0 yes, 1 no, 2 not without asking somebody, who is not there; others are errors.
    assert done.returncode in (0, 1, 2), done.stderr
    return done.returncode == 0


def until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + _LONG_S
    while not reached():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
