"""Serial ports and what pyserial opens like one (`socket://HOST:PORT`): the one adapter that imports it.

Bytes come and go; what they mean is not known here. A port has two threads of its own: one waits for bytes,
the other for the far end to take some.
"""

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from hardware.errors import SerialPortError

BAUD: Final = 115_200
"""USB takes no notice of it; a real serial line does."""
_WAKE_S: Final = 0.2
"""A port is looked at so often to see that it was given back: not every kind can be woken."""
_WRITE_S: Final = 5.0
"""A far end that takes nothing for so long is gone."""
_MOST_WAITING: Final = 256
"""Pieces that may wait to be taken."""
_LARGEST_READ: Final = 4096

Heard = Callable[[bytes | None], None]
"""Is called, from the port's own thread, with bytes as they come; once with None when the port is gone."""


class SerialPort(Protocol):
    """An open port."""

    def write(self, data: bytes) -> None:
        """Have bytes sent; never waits. SerialPortError if the port is gone, or the far end takes nothing."""

    @property
    def waiting(self) -> int:
        """How many bytes the far end has not taken yet, but for what the system itself holds."""

    def close(self) -> None:
        """Give the port back; nothing is heard of it afterwards. Twice is safe."""


def open_port(url: str, heard: Heard) -> SerialPort:
    """Open a device, such as /dev/serial/by-id/usb-..., or a pyserial URL, for this program alone.

    SerialPortError if it is not there, is in use, or is none.
    """
    import serial

    try:
        opened = serial.serial_for_url(
            url, baudrate=BAUD, timeout=_WAKE_S, write_timeout=_WRITE_S, exclusive=True, do_not_open=True
        )
        opened.open()
    except (serial.SerialException, OSError, ValueError) as error:
        raise SerialPortError(
            f"{url} cannot be opened ({_short(error)}); see that it is plugged in"
        ) from error
    return ThreadedPort(url, opened, heard)


class Line(Protocol):
    """What can be read from and written to, as pyserial's ports are. An error of any kind is its end."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once; 0 if that is not known."""
        ...

    def read(self, size: int) -> bytes:
        """Up to so many bytes; fewer, or none, after a short while."""
        ...

    def write(self, data: bytes) -> Any:
        """All of it, waiting for as long as the far end may take."""
        ...

    def close(self) -> None:
        """Give it back."""
        ...


class ThreadedPort:
    """A line, with a thread that reads it and one that writes it."""

    def __init__(self, url: str, opened: Line, heard: Heard) -> None:
        self._url = url
        self._port: Any = opened
        self._heard = heard
        self._closed = threading.Event()
        self._gone = threading.Event()
        self._waiting: queue.Queue[bytes | None] = queue.Queue(_MOST_WAITING)
        self._untaken = 0
        self._counting = threading.Lock()
        self._reader = threading.Thread(target=self._read, name=f"reads {url}", daemon=True)
        self._writer = threading.Thread(target=self._write, name=f"writes {url}", daemon=True)
        self._reader.start()
        self._writer.start()

    def write(self, data: bytes) -> None:
        """As the protocol has it."""
        if self._gone.is_set() or self._closed.is_set():
            raise SerialPortError(f"{self._url} is gone; plug it in again")
        try:
            self._count(len(data))
            self._waiting.put_nowait(data)
        except queue.Full:
            raise SerialPortError(f"nobody reads at {self._url}; start what is to read there") from None

    @property
    def waiting(self) -> int:
        """As the protocol has it."""
        with self._counting:
            return self._untaken

    def close(self) -> None:
        """As the protocol has it."""
        self._closed.set()
        self._end_writing()
        for thread in (self._reader, self._writer):
            if thread is not threading.current_thread():
                thread.join()

    def _read(self) -> None:
        try:
            while not (self._closed.is_set() or self._gone.is_set()):
                data = self._port.read(min(max(1, self._port.in_waiting), _LARGEST_READ))
                if data and not self._closed.is_set():
                    self._heard(bytes(data))
        except Exception:  # pyserial lets through whatever its kinds of ports meet; all of it is an end
            self._gone.set()
        self._end_writing()
        self._writer.join()
        with suppress(Exception):
            self._port.close()
        if not self._closed.is_set():
            self._heard(None)

    def _write(self) -> None:
        while (data := self._waiting.get()) is not None:
            try:
                self._port.write(data)
                self._count(-len(data))
            except Exception:  # as above
                self._gone.set()
                return

    def _count(self, more: int) -> None:
        with self._counting:
            self._untaken += more

    def _end_writing(self) -> None:
        # A queue that is full has a writer that will see the end by its own time limit.
        while True:
            try:
                self._waiting.put_nowait(None)
                return
            except queue.Full:
                with suppress(queue.Empty):
                    self._waiting.get_nowait()


def _short(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
