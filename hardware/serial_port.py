"""Serial ports and what pyserial opens like one (`socket://HOST:PORT`): the one adapter that imports it.

Bytes come and go; what they mean is not known here. A port has two threads of its own: one waits for bytes,
the other for the far end to take some.
"""

import errno
import os
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
_FLUSH_S: Final = 0.2
"""So long, at most, a port that is given back may still take what was written to it."""
_CLOSE_S: Final = 1.0
"""So long, at most, who gives a port back waits for its threads; they end by themselves."""
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


def may_wait(url: str) -> bool:
    """Whether `open_port` may wait for another computer there: a URL, and no device of this one."""
    return "://" in url  # as pyserial tells them apart


def open_port(url: str, heard: Heard) -> SerialPort:
    """Open a device, such as /dev/serial/by-id/usb-..., or a pyserial URL, for this program alone.

    A URL's computer is waited for: five seconds at each of its addresses, and for what its name is looked
    up in (`may_wait`). SerialPortError if it is not there, is in use, or is
    none.
    """
    try:
        import serial
    except ImportError as error:
        raise SerialPortError(
            f"{url} cannot be opened ({error}); install pyserial: `sudo apt install python3-serial`"
        ) from error
    try:
        opened = serial.serial_for_url(
            url, baudrate=BAUD, timeout=_WAKE_S, write_timeout=_WRITE_S, exclusive=True, do_not_open=True
        )
        opened.open()
    except (serial.SerialException, OSError, ValueError) as error:
        raise SerialPortError(f"{url} cannot be opened ({_short(error)}); {_remedy(url, error)}") from error
    return ThreadedPort(url, opened, heard)


class Line(Protocol):
    """What can be read from and written to, as pyserial's ports are. An error of any kind is its end."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once, or fewer."""
        ...

    def read(self, size: int) -> bytes:
        """Up to so many bytes; fewer, or none, after a short while."""
        ...

    def write(self, data: bytes) -> Any:
        """All of it, waiting for as long as the far end may take."""
        ...

    def close(self) -> None:
        """Give it back. Called by the reading thread, once nobody writes any more."""
        ...


class ThreadedPort:
    """A line, with a thread that reads it and one that writes it."""

    def __init__(self, url: str, opened: Line, heard: Heard) -> None:
        self._url = url
        self._port: Any = opened
        self._heard = heard
        self._closed = threading.Event()
        self._gone = threading.Event()
        self._given_up = threading.Event()
        """What waits to be taken is not sent any more."""
        self._waiting: queue.Queue[bytes | None] = queue.Queue(_MOST_WAITING)
        self._untaken = 0
        self._counting = threading.Lock()
        self._reader = threading.Thread(target=self._read, name=f"reads {url}", daemon=True)
        self._writer = threading.Thread(target=self._write, name=f"writes {url}", daemon=True)
        self._writer.start()  # first: the reader waits for its end, which may come at once
        self._reader.start()

    def write(self, data: bytes) -> None:
        """As the protocol has it."""
        if self._gone.is_set() or self._closed.is_set():
            raise SerialPortError(f"{self._url} is gone; plug it in again")
        self._count(len(data))
        try:
            self._waiting.put_nowait(data)
        except queue.Full:
            self._count(-len(data))
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
        if self._writer is not threading.current_thread():
            self._writer.join(_FLUSH_S)
        self._wake()
        if self._reader is not threading.current_thread():
            self._reader.join(_CLOSE_S)

    def _read(self) -> None:
        try:
            while not (self._closed.is_set() or self._gone.is_set()):
                data = bytearray(self._port.read(1))
                # All that came with it, for pyserial waits until it has as much as is asked for.
                while data and (more := min(self._port.in_waiting, _LARGEST_READ - len(data))) > 0:
                    data += self._port.read(more)
                if data and not self._closed.is_set():
                    self._heard(bytes(data))
        except Exception:  # pyserial lets through whatever its kinds of ports meet; all of it is an end
            self._gone.set()
        self._end_writing()
        self._wake()
        self._writer.join()
        _close(self._port)
        if not self._closed.is_set():
            self._heard(None)

    def _write(self) -> None:
        while (data := self._waiting.get()) is not None and not self._given_up.is_set():
            try:
                self._port.write(data)
                self._count(-len(data))
            except Exception:  # as above
                self._gone.set()
                return

    def _count(self, more: int) -> None:
        with self._counting:
            self._untaken += more

    def _wake(self) -> None:
        """Have whoever waits for the line see that it is given back: who writes to a far end that does not
        read would wait for seconds."""
        self._given_up.set()
        for name in ("cancel_read", "cancel_write"):  # not every kind of pyserial's has them
            with suppress(Exception):
                getattr(self._port, name)()

    def _end_writing(self) -> None:
        while True:
            try:
                self._waiting.put_nowait(None)
                return
            except queue.Full:
                with suppress(queue.Empty):
                    self._waiting.get_nowait()


def _close(line: Line) -> None:
    # pyserial 3.5 leaves a socket open, and forgets it, whose far end has reset it.
    forgotten = getattr(line, "_socket", None)
    with suppress(Exception):
        line.close()
    if forgotten is not None:
        with suppress(OSError):
            forgotten.close()


def _remedy(url: str, error: Exception) -> str:
    match getattr(error, "errno", None):
        case errno.EACCES | errno.EPERM:
            return "add your user to the group `dialout`, and log in again"
        case errno.EAGAIN | errno.EBUSY:
            return "another program has it: end that one"
        case _ if isinstance(error, ValueError):
            return "write a device, or socket://HOST:PORT"
        case _ if may_wait(url):
            return "see that it is socket://HOST:PORT, and that HOST is switched on and listens there"
        case _:
            return "see that it is plugged in"


def _short(error: Exception) -> str:
    # pyserial puts its own sentence where the system's would be.
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) else str(error)
