"""What a port brings, counted: how much of it waits to be looked at, and how fast it comes.

What is brought is not known here, nor what becomes of a port that brings too much.
"""

import threading
from typing import Final

_MOST_UNREAD: Final = 1 << 17
_OF_A_PIECE: Final = 64
"""Bytes of one port that may wait to be looked at, each piece of them counted as so many more."""
_FLOW_PER_S: Final = float(1 << 16)
"""Bytes a second that a port may bring for long: five times what 115,200 baud carry."""


class Inflow:
    """Of one opening of a port; for that port's own thread and the link's. Times are seconds of one clock."""

    def __init__(self, now: float) -> None:
        self._lock = threading.Lock()
        self._unread = 0
        self._left = float(_MOST_UNREAD)
        self._at = now
        self.floods = False
        """It brought too much; nothing more is taken from it."""

    def came(self, data: bytes, now: float) -> bool:
        """Whether there is room for this, which is taken then."""
        with self._lock:
            self._left = min(_MOST_UNREAD, self._left + max(0.0, now - self._at) * _FLOW_PER_S) - len(data)
            self._at = max(self._at, now)
            self._unread += len(data) + _OF_A_PIECE
            self.floods = self.floods or self._left < 0 or self._unread > _MOST_UNREAD
            return not self.floods

    def read(self, data: bytes) -> None:
        """This has been looked at."""
        with self._lock:
            self._unread -= len(data) + _OF_A_PIECE
