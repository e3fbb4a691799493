"""One connection as the board sees it: what it said last and when, how fast it may go, which seat it holds.

What its requests mean is not known here.
"""

from typing import Final

from firmware.link.outbox import Outbox
from firmware.link.wire import LineReader

PING_AFTER_S: Final = 10.0
GONE_AFTER_S: Final = 20.0
"""So long a peer may say nothing before it is asked, and before it counts as gone."""
REQUESTS_PER_S: Final = 250.0
"""More than a port of 115,200 baud can carry: 50 bytes is the shortest request."""
ANSWERED_FAULTS_PER_S: Final = 5.0


class Budget:
    """How often something may be done: so many at once, and so many a second."""

    def __init__(self, per_s: float, now: float) -> None:
        self._per_s = per_s
        self._left = per_s
        self._at = now

    def spend(self, now: float) -> bool:
        """Take one; False if there is none left."""
        self._left = min(self._per_s, self._left + max(0.0, now - self._at) * self._per_s)
        self._at = max(self._at, now)
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Session:
    """A port that is open, with whoever speaks there."""

    def __init__(self, port: str, outbox: Outbox, now: float) -> None:
        self.port = port
        self.outbox = outbox
        self.reader = LineReader()
        self.name: str | None = None
        """What it calls itself; None before its hello."""
        self.seat: int | None = None
        self.sat_at: set[int] = set()
        """The seats of this game whose secrets it has seen."""
        self.heard_at = now
        self.pings = 0
        self.asked_at: float | None = None
        """When it was asked whether it is there; None while it need not be."""
        self.gone = False
        """It has been silent for too long."""
        self.dropped = False
        """Nothing is taken from it any more: it has to be closed."""
        self.requests = Budget(REQUESTS_PER_S, now)
        self.faults = Budget(ANSWERED_FAULTS_PER_S, now)
        self.unanswered = 0
        """Lines that were none, or came too fast, and were not answered."""

    @property
    def greeted(self) -> bool:
        """Whether it has said hello and may be told things."""
        return self.name is not None and not self.dropped

    def heard(self, now: float) -> None:
        """A message has come from it."""
        self.heard_at = now
        self.asked_at = None

    def due(self) -> float | None:
        """When its silence means something; None if it does not."""
        if not self.greeted or self.gone:
            return None
        if self.asked_at is None:
            return self.heard_at + PING_AFTER_S
        # From the question on: one that a busy board asked late has as long to answer it.
        return self.asked_at + GONE_AFTER_S - PING_AFTER_S
