"""A port that is opened in a thread of its own, since its opener may wait: for another computer's answer.

Which ports those are, and when one is tried, is not known here.
"""

import threading
from collections.abc import Callable

from hardware.serial_port import Heard, SerialPort

Opener = Callable[[Heard], SerialPort]


class Attempt:
    """One try, which begins at once. `done` is called from its thread when it has come to its end, whatever
    that is; `taken` tells it then. It cannot be broken off, but given up: nobody waits for it any more, and
    a port that comes of it all the same is closed."""

    def __init__(self, name: str, opener: Opener, heard: Heard, done: Callable[["Attempt"], None]) -> None:
        self.name = name
        self._opener = opener
        self._heard = heard
        self._done = done
        self._lock = threading.Lock()
        self._given_up = False
        self._port: SerialPort | None = None
        self._error: Exception | None = None
        threading.Thread(target=self._run, name=f"opens {name}", daemon=True).start()

    def taken(self) -> SerialPort:
        """The port, which is the caller's now. What the opener raised, if it did. For once, after `done`."""
        with self._lock:
            port, self._port = self._port, None
        if self._error is not None:
            raise self._error
        assert port is not None
        return port

    def give_up(self) -> None:
        """Never waits for the opener. Twice is safe."""
        with self._lock:
            self._given_up = True
            port, self._port = self._port, None
        if port is not None:
            port.close()

    def _run(self) -> None:
        try:
            port = self._opener(self._heard)
            with self._lock:
                late = self._given_up
                if not late:
                    self._port = port
            if late:
                port.close()
        except Exception as error:  # told to whoever takes it: a bug in an adapter ends one port only
            self._error = error
        finally:
            self._done(self)
