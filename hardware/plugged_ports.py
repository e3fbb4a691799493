"""Which serial ports are plugged in: what USB has, by names that say what it is and not where it was put in.

No port is opened here.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

BY_ID: Final = Path("/dev/serial/by-id")
"""Where udev names USB's serial ports after maker, kind and serial number (its rules 60-serial)."""
LOOK_S: Final = 1.0


def plugged_in(folder: Path = BY_ID) -> tuple[str, ...]:
    """The paths of the ports that are plugged in now, sorted; without any there is no such folder."""
    try:
        return tuple(sorted(str(each) for each in folder.iterdir()))
    except OSError:  # it goes with the last port, perhaps while it is read
        return ()


class PluggedPorts:
    """Looks once a second, in a thread of its own, and tells what was put in and what was pulled out."""

    def __init__(
        self,
        plugged: Callable[[str], None],
        unplugged: Callable[[str], None],
        folder: Path = BY_ID,
    ) -> None:
        """Both are called with a port's path, from the thread."""
        self._plugged = plugged
        self._unplugged = unplugged
        self._folder = folder
        self._there: frozenset[str] = frozenset()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watches ports", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Look no more. Twice is safe."""
        self._closed.set()
        if self._thread.ident is not None:
            self._thread.join()

    def look(self) -> None:
        """Tell what is otherwise than at the last look. Called by the thread once it has been started."""
        now = frozenset(plugged_in(self._folder))
        before, self._there = self._there, now
        # What came back under the name of another is told as gone first.
        for path in sorted(before - now):
            self._unplugged(path)
        for path in sorted(now - before):
            self._plugged(path)

    def _watch(self) -> None:
        while not self._closed.is_set():
            self.look()
            self._closed.wait(LOOK_S)
