"""A program whose calls of the kernel are watched one by one (ptrace), and which can be killed before any one
of those that change a file. Linux only; where watching is forbidden, `needs_watching` skips with the reason,
and `watched` fails with it where CI=true.
"""

import ctypes
import os
import platform
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from tests.shared import unless

_TRACEME, _SYSCALL, _SETOPTIONS, _GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
_OPTIONS = 0x01 | 0x08 | 0x0010_0000  # mark stops at calls, follow threads, die with the watcher
_AT_CALL = signal.SIGTRAP | 0x80
_WALL = 0x4000_0000
_AT_FDCWD = -100
_CREAT, _TRUNC = os.O_CREAT, os.O_TRUNC
_NUMBERS = {
    "x86_64": (
        "write=1 open=2 pwrite64=18 writev=20 sendfile=40 fsync=74 fdatasync=75 truncate=76 ftruncate=77 "
        "rename=82 mkdir=83 rmdir=84 creat=85 link=86 unlink=87 symlink=88 openat=257 mkdirat=258 "
        "unlinkat=263 renameat=264 linkat=265 symlinkat=266 fallocate=285 pwritev=296 renameat2=316 "
        "copy_file_range=326"
    ),
    "aarch64": (
        "mkdirat=34 unlinkat=35 symlinkat=36 linkat=37 renameat=38 truncate=45 ftruncate=46 fallocate=47 "
        "openat=56 write=64 writev=66 pwrite64=68 pwritev=70 sendfile=71 fsync=82 fdatasync=83 "
        "renameat2=276 copy_file_range=285"
    ),
}
"""The calls that can change a file, by the kernel's tables (asm/unistd.h)."""


_WRITES_ON = {"write": 0, "writev": 0, "sendfile": 0, "copy_file_range": 2}
"""Which argument is the file that such a call writes on, from where it stands."""


class Made(NamedTuple):
    """A file got a name: its first, or one more (a link)."""

    name: str
    inode: int


class FolderMade(NamedTuple):
    name: str


class Renamed(NamedTuple):
    old: str
    new: str


class Unnamed(NamedTuple):
    name: str


class Wrote(NamedTuple):
    inode: int
    at: int
    data: bytes


class Cut(NamedTuple):
    """A file got another length."""

    inode: int
    size: int


class Synced(NamedTuple):
    """A file's content was had on disk."""

    inode: int


class FolderSynced(NamedTuple):
    """The names in a folder were had on disk."""

    name: str


class Told(NamedTuple):
    """The world was told something: a line in the file that stands for it."""

    text: str


Change = Made | FolderMade | Renamed | Unnamed | Wrote | Cut | Synced | FolderSynced
Event = Change | Told


@dataclass
class Watched:
    """What a program did with the files beneath a folder until its end."""

    events: list[Event] = field(default_factory=list)
    calls: int = 0
    """How many of its calls could have changed a file, those that failed too."""
    all_calls: int = 0
    """How many calls of any kind."""
    code: int | None = None
    """Its exit code; minus the signal that ended it."""

    @property
    def told(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Told)]


def watched(
    program: Callable[[Callable[[str], None]], object] | Sequence[str],
    folder: Path,
    *,
    kill_before: int | None = None,
    kill_at: int | None = None,
) -> Watched:
    """Run a program until its end, or kill it (SIGKILL) before its call number `kill_before`, from 0, that
    could change a file beneath `folder`, or at its call number `kill_at` of any kind.

    A function runs in a child of this process, and is given one that tells the world something; of a command
    what it writes to standard output is what the world was told.
    """
    if WHY_NOT is not None:
        pytest.fail(f"{WHY_NOT}; allow it, or run without CI=true to leave these tests out")
    child = os.fork()
    if child == 0:
        _be_watched(program)
    return _Watcher(child, folder, kill_before, kill_at).watch()


def _be_watched(program: Callable[[Callable[[str], None]], object] | Sequence[str]) -> NoReturn:
    code = 1
    try:
        os.setpgid(0, 0)  # it and its threads alone are waited for
        world = os.open(os.devnull, os.O_WRONLY)
        os.dup2(world, 1)
        _ptrace(_TRACEME, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        if callable(program):
            program(_tell)
        else:
            os.execv(program[0], list(program))
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _tell(text: str) -> None:
    os.write(1, text.encode())


class _Call(NamedTuple):
    name: str
    args: tuple[int, ...]


class _Watcher:
    """The tracer of one program; used from the thread that forked it."""

    def __init__(self, child: int, folder: Path, kill_before: int | None, kill_at: int | None) -> None:
        self._child = child
        self._folder = str(folder.resolve())
        self._kill_before = kill_before
        self._kill_at = kill_at
        self._seen = Watched()
        self._names = {
            int(number): name
            for name, _, number in (each.partition("=") for each in _NUMBERS[platform.machine()].split())
        }
        self._inside: dict[int, tuple[_Call, tuple[str, int] | None]] = {}
        """Threads within a call that matters, with what was noted at its beginning."""

    def watch(self) -> Watched:
        os.waitpid(self._child, 0)  # until it has stopped itself
        _ptrace(_SETOPTIONS, self._child, 0, _OPTIONS)
        _ptrace(_SYSCALL, self._child, 0, 0)
        threads = {self._child}
        while threads:
            thread, status = os.waitpid(-self._child, _WALL)
            if os.WIFSTOPPED(status):
                passed_on = 0
                if os.WSTOPSIG(status) == _AT_CALL:
                    self._at_call(thread)
                elif status >> 16 == 0 and thread in threads and os.WSTOPSIG(status) != signal.SIGTRAP:
                    passed_on = os.WSTOPSIG(status)
                threads.add(thread)
                if not _ptrace(_SYSCALL, thread, 0, passed_on):
                    continue  # it was killed in between
            else:
                threads.discard(thread)
                if thread == self._child:
                    self._seen.code = os.waitstatus_to_exitcode(status)
        return self._seen

    def _at_call(self, thread: int) -> None:
        info = ctypes.create_string_buffer(88)
        if not _ptrace(_GET_SYSCALL_INFO, thread, len(info), ctypes.addressof(info)):
            return
        if info.raw[0] == 1:
            if self._seen.all_calls == self._kill_at:
                os.kill(self._child, signal.SIGKILL)
                return
            self._seen.all_calls += 1
            number, *args = struct.unpack_from("<7Q", info.raw, 24)
            name = self._names.get(number)
            if name is not None:
                self._entered(thread, _Call(name, tuple(args)))
        elif info.raw[0] == 2 and thread in self._inside:
            (result,) = struct.unpack_from("<q", info.raw, 24)
            call, noted = self._inside.pop(thread)
            if result >= 0:
                self._seen.events.extend(self._done(thread, call, noted, result))

    def _entered(self, thread: int, call: _Call) -> None:
        if call.name == "write" and _signed(call.args[0]) == 1:
            self._inside[thread] = call, None
            return
        target = self._target(thread, call)
        if target is None:
            return
        number = 0
        if call.name in ("open", "openat", "creat"):
            flags = self._flags(call)
            there = os.path.lexists(target)
            if not (flags & _CREAT and not there) and not (flags & _TRUNC and there):
                return
            number = int(there)
        elif call.name in _WRITES_ON:
            number = self._position(thread, call.args[_WRITES_ON[call.name]])
        if self._seen.calls == self._kill_before:
            os.kill(self._child, signal.SIGKILL)
            return
        self._seen.calls += 1
        self._inside[thread] = call, (target, number)

    def _done(self, thread: int, call: _Call, noted: tuple[str, int] | None, result: int) -> Iterator[Event]:
        """What a call that was done has changed. `noted`: its file, with the place in it or whether it was
        there; None where the world was told something."""
        name, args = call
        if noted is None:
            yield Told(self._bytes(thread, args[1], result).decode())
            return
        target, number = noted
        match name:
            case "write" | "writev" | "sendfile" | "copy_file_range":
                with open(target, "rb") as file:
                    file.seek(number)
                    yield Wrote(os.fstat(file.fileno()).st_ino, number, file.read(result))
            case "pwrite64":
                yield Wrote(self._inode(thread, args[0]), args[3], self._bytes(thread, args[1], result))
            case "ftruncate":
                yield Cut(self._inode(thread, args[0]), args[1])
            case "fsync" | "fdatasync":
                if os.path.isdir(target):
                    yield FolderSynced(self._short(target))
                else:
                    yield Synced(self._inode(thread, args[0]))
            case "open" | "openat" | "creat":
                inode = self._inode(thread, result)
                yield Cut(inode, 0) if number else Made(self._short(target), inode)
            case "mkdir" | "mkdirat":
                yield FolderMade(self._short(target))
            case "rename" | "renameat" | "renameat2":
                yield Renamed(self._short(self._path(thread, call, 0)), self._short(target))
            case "link" | "linkat":
                yield Made(self._short(target), os.lstat(target).st_ino)
            case "unlink" | "unlinkat" | "rmdir":
                yield Unnamed(self._short(target))
            case _:
                raise NotImplementedError(f"{name} changes a file, and what it does is not known here")

    def _target(self, thread: int, call: _Call) -> str | None:
        """The file that a call is about, or makes; None if it is not beneath the folder."""
        if call.name in ("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"):
            path = self._path(thread, call, 1)
        elif call.name in ("writev", "write", "pwrite64", "pwritev", "sendfile") or call.name.startswith("f"):
            path = os.readlink(f"/proc/{thread}/fd/{call.args[0]}")
        elif call.name == "copy_file_range":
            path = os.readlink(f"/proc/{thread}/fd/{call.args[2]}")
        else:
            path = self._path(thread, call, 0)
        beneath = path == self._folder or path.startswith(f"{self._folder}/")
        # What SQLite's connections share is not looked at after the power was gone.
        return path if beneath and not path.endswith("-shm") else None

    def _path(self, thread: int, call: _Call, which: int) -> str:
        """The first or second name that a call is given, as an absolute one."""
        at = call.name.endswith(("at", "at2"))
        two = call.name.startswith(("rename", "link"))
        base = _signed(call.args[2 * which if two else 0]) if at else _AT_FDCWD
        text = self._text(thread, call.args[(2 * which + 1 if two else 1) if at else which])
        home = f"/proc/{thread}/cwd" if base == _AT_FDCWD else f"/proc/{thread}/fd/{base}"
        return os.path.normpath(os.path.join(os.readlink(home), text))

    def _flags(self, call: _Call) -> int:
        return _CREAT | _TRUNC if call.name == "creat" else call.args[2 if call.name == "openat" else 1]

    def _short(self, path: str) -> str:
        return os.path.relpath(path, self._folder)

    def _inode(self, thread: int, fd: int) -> int:
        return os.stat(f"/proc/{thread}/fd/{fd}").st_ino

    def _position(self, thread: int, fd: int) -> int:
        lines = Path(f"/proc/{thread}/fdinfo/{fd}").read_text().splitlines()
        about = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
        appends = int(about["flags"], 8) & os.O_APPEND
        return os.stat(f"/proc/{thread}/fd/{fd}").st_size if appends else int(about["pos"])

    def _bytes(self, thread: int, at: int, size: int) -> bytes:
        with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
            memory.seek(at)
            return memory.read(size)

    def _text(self, thread: int, at: int) -> str:
        data = b""
        while b"\0" not in data:
            # Up to the end of a page: the next may not be there.
            data += self._bytes(thread, at + len(data), 4096 - (at + len(data)) % 4096)
        return os.fsdecode(data[: data.index(0)])


def _signed(value: int) -> int:
    """A file's number as the kernel takes it: 32 bits."""
    return ctypes.c_int32(value & 0xFFFF_FFFF).value


def _ptrace(request: int, thread: int, address: int, data: int) -> bool:
    """Whether it was done; it is not when the thread has died. OSError if it is forbidden."""
    libc = _libc()
    if libc.ptrace(request, thread, address, data) >= 0:
        return True
    error = ctypes.get_errno()
    if request in (_TRACEME, _SETOPTIONS):
        raise OSError(error, os.strerror(error))
    return False


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    return libc


def _why_not() -> str | None:
    if not sys.platform.startswith("linux") or platform.machine() not in _NUMBERS:
        return "the kernel's calls are known here of Linux on x86-64 and aarch64 only"
    child = os.fork()
    if child == 0:
        try:
            _ptrace(_TRACEME, 0, 0, 0)
            info = Path("/proc/self/mem").exists()
            os._exit(0 if info else 1)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return None if status == 0 else "this system forbids ptrace, by which a program's calls are watched"


WHY_NOT = _why_not()
"""Why nothing can be watched here; None if it can."""
needs_watching = unless(WHY_NOT)
