"""The filters of system calls that systemd makes of a unit's settings, made with libseccomp.

Which settings there are and what each keeps out is as in systemd.exec(5).
"""

import ctypes
import errno
import mmap
import socket
import subprocess
from collections.abc import Callable, Iterable
from functools import cache

from tests.systemd.unit import Unit

_ALLOW = 0x7FFF0000
_NE, _EQ, _GT, _MASKED_EQ = 1, 4, 6, 7
_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
_LAST_FAMILY = 45
_SHM_EXEC = 0o100000
_SET_IDS = (0o4000, 0o2000)
_REALTIME = (1, 2, 6)  # SCHED_FIFO, SCHED_RR, SCHED_DEADLINE


class _Compared(ctypes.Structure):
    """libseccomp's scmp_arg_cmp."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    )


class Filter:
    """One filter: what is not named is answered with `otherwise`."""

    def __init__(self, otherwise: int = _ALLOW) -> None:
        self._library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
        self._library.seccomp_init.restype = ctypes.c_void_p
        self._library.seccomp_init.argtypes = [ctypes.c_uint32]
        self._context = ctypes.c_void_p(self._library.seccomp_init(otherwise))
        assert self._context

    def add(self, action: int, call: str, *compared: tuple[int, int, int, int]) -> None:
        """An answer to a call whose arguments compare so; a call that this machine does not have is none."""
        number = self._library.seccomp_syscall_resolve_name(call.encode())
        if number < 0:
            return
        array = (_Compared * len(compared))(*[_Compared(*each) for each in compared])
        code = self._library.seccomp_rule_add_array(
            self._context, ctypes.c_uint32(action), number, len(compared), array
        )
        # EACCES: the answer that all calls have anyhow.
        assert code in (0, -errno.EACCES), f"{call}: {errno.errorcode[-code]}"

    def load(self) -> None:
        code = self._library.seccomp_load(self._context)
        assert code == 0, errno.errorcode[-code]


def refuse(number: int) -> int:
    """The answer that a call fails with this error."""
    return 0x00050000 | number


def filters_for(unit: Unit) -> list[Filter]:
    """All that a unit asks for, to be loaded in this order: the last forbids to load others."""
    asked = [make() for key, make in _MAKERS.items() if unit.yes(key)]
    return [*asked, _families(unit.words("RestrictAddressFamilies")), _calls(unit)]


@cache
def _groups() -> dict[str, list[str]]:
    """What is in each group of calls, as this machine's systemd knows them."""
    listed = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True)
    groups: dict[str, list[str]] = {}
    name = ""
    for line in listed.stdout.splitlines():
        if line.startswith("@"):
            name = line
            groups[name] = []
        elif line.startswith(" ") and not line.lstrip().startswith("#"):
            groups[name].append(line.strip())
    return groups


def _expanded(names: Iterable[str]) -> set[str]:
    calls: set[str] = set()
    for name in names:
        calls |= _expanded(_groups()[name]) if name.startswith("@") else {name}
    return calls


def _calls(unit: Unit) -> Filter:
    assert unit.one("SystemCallArchitectures") == "native"  # what libseccomp has by itself
    allowed: set[str] = set()
    for line in unit.all("SystemCallFilter"):
        taken = line.startswith("~")
        calls = _expanded(line.removeprefix("~").split())
        allowed = allowed - calls if taken else allowed | calls
    filter_ = Filter(refuse(getattr(errno, unit.one("SystemCallErrorNumber"))))
    for call in sorted(allowed):
        filter_.add(_ALLOW, call)
    return filter_


def _families(names: list[str]) -> Filter:
    filter_, allowed = Filter(), {int(getattr(socket, name)) for name in names}
    for family in range(_LAST_FAMILY + 1):
        if family not in allowed:
            filter_.add(refuse(errno.EAFNOSUPPORT), "socket", (0, _EQ, family, 0))
    filter_.add(refuse(errno.EAFNOSUPPORT), "socket", (0, _GT, _LAST_FAMILY, 0))
    return filter_


def _no_writable_code() -> Filter:
    both, filter_ = mmap.PROT_WRITE | mmap.PROT_EXEC, Filter()
    filter_.add(refuse(errno.EPERM), "mmap", (2, _MASKED_EQ, both, both))
    for call in ("mprotect", "pkey_mprotect"):
        filter_.add(refuse(errno.EPERM), call, (2, _MASKED_EQ, mmap.PROT_EXEC, mmap.PROT_EXEC))
    filter_.add(refuse(errno.EPERM), "shmat", (2, _MASKED_EQ, _SHM_EXEC, _SHM_EXEC))
    return filter_


def _no_namespaces() -> Filter:
    filter_ = Filter()
    for flag in _NAMESPACES:
        for call in ("unshare", "clone"):
            filter_.add(refuse(errno.EPERM), call, (0, _MASKED_EQ, flag, flag))
    filter_.add(refuse(errno.EPERM), "setns")
    # Whose flags cannot be looked at; the C library then uses clone.
    filter_.add(refuse(errno.ENOSYS), "clone3")
    return filter_


def _one_personality() -> Filter:
    filter_ = Filter()
    filter_.add(refuse(errno.EPERM), "personality", (0, _NE, 0, 0))
    return filter_


def _no_realtime() -> Filter:
    filter_ = Filter()
    for policy in _REALTIME:
        filter_.add(refuse(errno.EPERM), "sched_setscheduler", (1, _EQ, policy, 0))
    return filter_


def _no_set_ids() -> Filter:
    filter_ = Filter()
    for bit in _SET_IDS:
        filter_.add(refuse(errno.EPERM), "chmod", (1, _MASKED_EQ, bit, bit))
        filter_.add(refuse(errno.EPERM), "fchmod", (1, _MASKED_EQ, bit, bit))
        for call in ("fchmodat", "fchmodat2"):
            filter_.add(refuse(errno.EPERM), call, (2, _MASKED_EQ, bit, bit))
    return filter_


def _none_of(*names: str) -> Callable[[], Filter]:
    def make() -> Filter:
        filter_ = Filter()
        for call in sorted(_expanded(names)):
            filter_.add(refuse(errno.EPERM), call)
        return filter_

    return make


_MAKERS = {
    "MemoryDenyWriteExecute": _no_writable_code,
    "RestrictNamespaces": _no_namespaces,
    "LockPersonality": _one_personality,
    "RestrictRealtime": _no_realtime,
    "RestrictSUIDSGID": _no_set_ids,
    "ProtectClock": _none_of("@clock"),
    "ProtectKernelModules": _none_of("@module"),
    "ProtectKernelLogs": _none_of("syslog"),
    "ProtectHostname": _none_of("sethostname", "setdomainname"),
}
SETTINGS = frozenset(_MAKERS) | {
    "RestrictAddressFamilies",
    "SystemCallArchitectures",
    "SystemCallErrorNumber",
    "SystemCallFilter",
}
"""What is loaded here."""
