"""Controllers of the Pico for tests: the program that a Pico runs, run by `micropython` on this computer, its
link a pty, its keys pressed by the test, its glass a chip after the datasheet.
"""

import fcntl
import os
import pty
import shutil
import subprocess
import sys
import termios
import tty
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tests.contract.oled_chips import MonoChip

HERE = Path(__file__).parent
PROGRAM = Path(__file__).parents[3] / "hardware" / "controllers"
ADDRESS = 0x3C
_PIPE_BYTES = 1 << 20


class Waiting(Protocol):
    """A board that goes on while something is waited for."""

    def go_on(self) -> None: ...


class Pico:
    """A Pico with power. Its flash is `folder`, so that what it keeps is there for the next one."""

    def __init__(self, folder: Path, serial: str = "ab12") -> None:
        self.folder = folder
        self._serial = serial
        self.chip = MonoChip()
        self.pictures = 0
        """How many pictures the glass was sent."""
        # The test's end of the link, and the Pico's.
        self.link, far_end = pty.openpty()
        tty.setraw(far_end)
        self._keys = _pipe(folder / "keys")
        self._glass = _pipe(folder / "glass")
        program = shutil.which("micropython")
        assert program is not None
        # As much memory as a Pico leaves to a program; here what is kept in it is twice as wide.
        self.process = subprocess.Popen(
            [program, "-X", "heapsize=192k", "-c", "import pico_parts"],
            stdin=far_end,
            stdout=far_end,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={
                "MICROPYPATH": f"{HERE}:{PROGRAM}:.frozen",
                "PICO_KEYS": str(folder / "keys"),
                "PICO_GLASS": str(folder / "glass"),
                "PICO_SERIAL": serial,
            },
        )
        os.close(far_end)
        for end in (self.link, self._glass):
            os.set_blocking(end, False)
        self._sent = bytearray()

    @property
    def name(self) -> str:
        """What it calls itself."""
        return f"Pico {self._serial.encode().hex()[-4:]}"

    def write(self, data: bytes, board: "Waiting") -> None:
        """Say something on the link, as fast as the Pico takes it."""
        while data:
            with suppress(BlockingIOError):
                data = data[os.write(self.link, data[:256]) :]
            board.go_on()

    def press(self, keys: str) -> None:
        """Press keys, one after the other: u, d, l, r, o (OK)."""
        os.write(self._keys, keys.encode())

    @property
    def keys_left(self) -> int:
        """Keys that are not pressed yet."""
        return int.from_bytes(fcntl.ioctl(self._keys, termios.FIONREAD, b"\0" * 4), sys.byteorder)

    def screen(self) -> NDArray[np.uint8]:
        """What is seen: (64, 128), 0 or 255."""
        self.look()
        return self.chip.glass()

    def read(self) -> bytes:
        """What it says on the link; fails with its complaint if it has ended."""
        try:
            return os.read(self.link, 4096)
        except OSError:
            self.process.wait()
            self.check()
            raise

    def look(self) -> None:
        """Have the glass take what was sent to it."""
        try:
            while data := os.read(self._glass, 1 << 16):
                self._sent += data
        except BlockingIOError:
            pass
        while len(self._sent) >= 3:
            length = int.from_bytes(self._sent[1:3], "big")
            if len(self._sent) < 3 + length:
                break
            address, sent = self._sent[0], bytes(self._sent[3 : 3 + length])
            del self._sent[: 3 + length]
            assert address == ADDRESS
            if sent[0] == 0x40:
                self.chip.data(sent[1:])
                self.pictures += 1
            else:
                assert sent[0] == 0x80
                self.chip.command(sent[1:])

    def unplug(self) -> None:
        """Take its power, which comes by the link."""
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()
        for end in (self.link, self._keys, self._glass):
            os.close(end)

    def check(self) -> None:
        """It runs, and has complained of nothing."""
        assert self.process.stderr is not None
        os.set_blocking(self.process.stderr.fileno(), False)
        complaint = (self.process.stderr.read() or b"").decode()
        assert self.process.poll() is None, complaint
        assert not complaint, complaint


def _pipe(path: Path) -> int:
    """A pipe with a name, both ends of which can be opened without waiting for the other."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    end = os.open(path, os.O_RDWR)
    fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return end


def drawn(screen: NDArray[np.uint8]) -> str:
    """A screen in letters, four pixels each (two above two)."""
    lit = screen > 0
    rows = []
    for y in range(0, lit.shape[0], 2):
        upper, lower = lit[y], lit[y + 1]
        rows.append(
            "".join(" ▀▄█"[int(above) + 2 * int(below)] for above, below in zip(upper, lower, strict=True))
        )
    return "\n".join(rows)
