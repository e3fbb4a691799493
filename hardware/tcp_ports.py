"""Ports by TCP, on this computer alone: whoever connects there is as if plugged in.

For laptops that play at the board through a tunnel, and for tests; nobody can connect from elsewhere.
"""

import itertools
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from hardware.errors import SerialPortError
from hardware.serial_port import Heard, SerialPort, ThreadedPort

_HERE: Final = "127.0.0.1"
_MOST_AT_ONCE: Final = 32
_READ_S: Final = 0.2
_WRITE_S: Final = 5.0

Plugged = Callable[[str, Callable[[Heard], SerialPort]], None]
"""Is called, from the listener's own thread, with a name for who has connected and what opens it."""


class TcpPorts:
    """Listens until it is closed."""

    def __init__(self, port: int, plugged: Plugged) -> None:
        """`port`: 1 to 65535, or 0 for any that is free. SerialPortError if it is in use."""
        self._plugged = plugged
        try:
            self._socket = socket.create_server((_HERE, port))
        except OSError as error:
            raise SerialPortError(
                f"port {port} of this computer cannot be listened on ({error.strerror}); give another"
            ) from error
        self._socket.settimeout(_READ_S)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._accept, name="accepts controllers", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The number that is listened on."""
        number: int = self._socket.getsockname()[1]
        return number

    def close(self) -> None:
        """Accept nobody any more. Twice is safe."""
        self._closed.set()
        self._thread.join()
        self._socket.close()

    def _accept(self) -> None:
        for number in itertools.count(1):
            while not self._closed.is_set():
                with suppress(OSError):  # nobody, or one that was gone again at once
                    connection, _ = self._socket.accept()
                    break
            else:
                return
            name, line = f"tcp:{self.port}/{number}", _Connection(connection)
            self._plugged(name, partial(ThreadedPort, name, line))


class _Connection:
    """A socket as a line."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def in_waiting(self) -> int:
        return 1 << 16  # as much as there is

    def read(self, size: int) -> bytes:
        self._socket.settimeout(_READ_S)
        try:
            data = self._socket.recv(size)
        except TimeoutError:
            return b""
        if not data:
            raise OSError("the far end has gone")
        return data

    def write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def close(self) -> None:
        self._socket.close()
