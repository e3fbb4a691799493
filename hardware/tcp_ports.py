"""Ports by TCP, on this computer alone: whoever connects there is as if plugged in.

For laptops that play at the board through a tunnel, and for tests; nobody can connect from elsewhere.
"""

import fcntl
import itertools
import select
import socket
import struct
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from hardware.errors import SerialPortError
from hardware.serial_port import Heard, SerialPort, ThreadedPort

_HERE: Final = "127.0.0.1"
MOST_AT_ONCE: Final = 32
"""Connections; more are closed at once."""
_READ_S: Final = 0.2
_WRITE_S: Final = 5.0
"""A far end that takes nothing for so long is gone."""
_SHORT_S: Final = 1.0
"""So long the system is let be when it has nothing left for another connection."""

Plugged = Callable[[str, Callable[[Heard], SerialPort]], None]
"""Is called, from the listener's own thread, with a name for who has connected and what opens it."""


def require_free(port: int) -> None:
    """Raise `SerialPortError` if a port, 1 to 65535, cannot be listened on: another program has it."""
    _listening(port).close()


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((_HERE, port))
    except OSError as error:
        raise SerialPortError(
            f"port {port} of this computer cannot be listened on ({error.strerror}); give another"
        ) from error


class TcpPorts:
    """Listens until it is closed."""

    def __init__(self, port: int, plugged: Plugged) -> None:
        """`port`: 1 to 65535, or 0 for any that is free. SerialPortError if it is in use."""
        self._plugged = plugged
        self._socket = _listening(port)
        self._socket.settimeout(_READ_S)
        self._room = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="accepts controllers", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The number that is listened on."""
        number: int = self._socket.getsockname()[1]
        return number

    def close(self) -> None:
        """Accept nobody any more; who is there stays. Twice is safe."""
        self._closed.set()
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        numbers = itertools.count(1)
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            except OSError:  # gone again at once, or no file is left to be opened
                self._closed.wait(_SHORT_S)
                continue
            if not self._room.acquire(blocking=False):
                connection.close()
                continue
            name = f"tcp:{self.port}/{next(numbers)}"
            line = _Connection(connection, self._room.release)
            self._plugged(name, partial(ThreadedPort, name, line))


class _Connection:
    """A socket as a line: one thread reads it, one writes it, and any ends both."""

    def __init__(self, connection: socket.socket, closed: Callable[[], None]) -> None:
        self._socket = connection
        self._after = closed
        self._woken, self._wakes = socket.socketpair()
        # A time limit of the socket's own would be both threads'.
        self._socket.setblocking(False)
        with suppress(OSError):
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def in_waiting(self) -> int:
        (number,) = struct.unpack("i", fcntl.ioctl(self._socket, termios.FIONREAD, bytes(4)))
        return int(number)

    def read(self, size: int) -> bytes:
        select.select([self._socket, self._woken], [], [], _READ_S)
        try:
            data = self._socket.recv(size)
        except BlockingIOError:
            return b""
        if not data:
            raise OSError("the far end has gone")
        return data

    def write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            _, takes, _ = select.select([], [self._socket], [], _WRITE_S)
            if not takes:
                raise TimeoutError("the far end takes nothing")
            with suppress(BlockingIOError):
                left = left[self._socket.send(left) :]

    def cancel_read(self) -> None:
        with suppress(OSError):  # closed already
            self._wakes.send(b"\0")

    def cancel_write(self) -> None:
        # Not for reading, too: Linux tells no more then that there is room again, and who floods the port
        # would hang for a minute before it learns that it is closed.
        with suppress(OSError):  # gone already
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._woken.close()
        self._wakes.close()
        self._socket.close()
        self._after()
