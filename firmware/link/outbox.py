"""What waits to be sent to one peer: a bounded queue, in which news takes the place of older news.

What a peer may see is worked out when its line is taken, not when the news came up: a slow peer gets the
newest, and one that has lost its seat nothing of it.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, Final, Literal

from firmware.link.wire import Message, WireError, encoded

MOST_WAITING: Final = 64
"""Messages; more are for a peer that does not read."""
MOST_EVENTS: Final = 32
"""Events that are kept for a slow peer; the view tells what they came to."""

News = Literal["game", "lobby"]


class _Changed:
    """There is news; `events` are what was announced since the last that was sent."""

    def __init__(self, what: News, events: tuple[Any, ...]) -> None:
        self.what = what
        self.events = events


class Outbox:
    """Messages for one peer, in order."""

    def __init__(self, telling: Callable[[News, tuple[Any, ...]], Message | None]) -> None:
        """`telling`: what the peer is told of news now; None if there is nothing to tell any more."""
        self._telling = telling
        self._waiting: deque[bytes | _Changed] = deque()
        self.full = False
        """More was put in than may wait: the peer does not read."""
        self.unsendable = 0
        """News that no line could carry; a fault of the game whose view is too long."""

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, message: Message) -> None:
        """Add a message; WireError if it is none that a line can carry."""
        self._add(encoded(message))

    def changed(self, what: News, events: tuple[Any, ...] = ()) -> None:
        """There is news, of which only the newest is sent; the events of what was not sent are kept."""
        former = next(
            (each for each in self._waiting if isinstance(each, _Changed) and each.what == what), None
        )
        if former is not None:
            self._waiting.remove(former)
            events = (*former.events, *events)[-MOST_EVENTS:]
        self._add(_Changed(what, events))

    def forget_events(self) -> None:
        """Keep no events: another game, or another seat's eyes."""
        for each in self._waiting:
            if isinstance(each, _Changed):
                each.events = ()

    def clear(self) -> None:
        """Send nothing of what waits."""
        self._waiting.clear()
        self.full = False

    def take(self, room: int) -> bytes:
        """Whole lines of at most `room` bytes; the others wait on. A line has up to 4,097."""
        taken = bytearray()
        while self._waiting:
            line = self._line(self._waiting[0])
            if len(taken) + len(line) > room:
                break
            taken += line
            self._waiting.popleft()
        return bytes(taken)

    def _add(self, message: bytes | _Changed) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self.full = True
        else:
            self._waiting.append(message)

    def _line(self, waiting: bytes | _Changed) -> bytes:
        if isinstance(waiting, bytes):
            return waiting
        # Of many events the oldest are left out, until they fit.
        events = waiting.events
        while True:
            message = self._telling(waiting.what, events)
            if message is None:
                return b""
            try:
                return encoded(message)
            except WireError:
                if not events:
                    self.unsendable += 1
                    return b""
                events = events[len(events) // 2 + 1 :]
