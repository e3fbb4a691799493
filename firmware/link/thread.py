"""The link at work: ports on one side, the host on the other, and the one thread that joins them.

All that comes, comes through one queue, in whose order it counts.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from firmware.link.attempt import Attempt, Opener
from firmware.link.host import Host, Shown
from firmware.link.inflow import Inflow
from firmware.link.wire import LONGEST_LINE, Params
from hardware.errors import SerialPortError
from hardware.serial_port import SerialPort

RETRY_S: Final = 1.0
"""So often a port that is not there is tried again."""
_BUSY_S: Final = 0.02
"""So soon a port is looked at again whose far end is still taking what it was sent."""
_ROOM: Final = 2 * (LONGEST_LINE + 1)
"""Bytes that a port holds at the most: what waits longer waits with the host, where news replaces news."""
_PIECE: Final = 1024
"""Bytes that are looked at before answers go out: twenty requests."""
_MOST_A_TURN: Final = 64
"""Things that are taken before time goes on, others get their answers, and an end is seen."""
FLOODED_S: Final = 10.0
"""So long a port is left alone that brought too much."""
HELLO_S: Final = 10.0
"""So long a port that is there once may keep its place without a `hello`: there are few places."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Came:
    """Bytes from a port, or None: it is gone. `opening`: which opening of that port it is."""

    name: str
    opening: int
    data: bytes | None
    at_s: float


@dataclass(frozen=True, slots=True)
class _Offered:
    """A port is to be served; `open` None: not any more."""

    name: str
    open: Opener | None
    once: bool = False
    slow: bool = False


@dataclass(frozen=True, slots=True)
class _Tried:
    """A port that is opened in a thread of its own is open, or is not to be had."""

    attempt: Attempt


@dataclass(frozen=True, slots=True)
class _Asked:
    """The board itself asks for something."""

    method: str
    params: Params
    answer: "Future[Params]"


_Item = _Came | _Offered | _Tried | _Asked


@dataclass(slots=True)
class _Offer:
    """A port that is to be served."""

    open: Opener
    once: bool
    slow: bool
    retry_at_s: float = float("-inf")
    attempt: Attempt | None = None
    """Is under way, in its own thread."""
    port: SerialPort | None = None
    opening: int = 0
    opened_s: float = 0.0
    inflow: Inflow | None = None
    early: list[_Came] = field(default_factory=list)
    """What came while it was opened: a port reads as soon as it can."""
    refused: str | None = None
    """Why it could not be opened the last time: said once, tried every second."""


class LinkThread:
    """Serves the link until it is stopped. `offer`, `withdraw`, `command` and `shown` are for any thread."""

    def __init__(
        self, host: Host, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`say`: takes lines for the log; `clock`: the host's, seconds."""
        self._host = host
        self._say = say
        self._clock = clock
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._offers: dict[str, _Offer] = {}
        self._attempts: dict[str, Attempt] = {}
        """All that have not ended, given up or not: of one name there is one at a time."""
        self._openings = 0
        self._due_s: float | None = None
        self._ends = threading.Event()
        self._shown = host.shown
        self._changes = host.changes
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)

    @property
    def shown(self) -> Shown:
        """What everybody may see, for panels."""
        return self._shown

    @property
    def serves(self) -> bool:
        """Whether it has been started, and neither stopped nor failed."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Serve nobody any more; the ports are closed when this returns, and what is still being opened is
        when that has come to its end. Of what waits to be looked at one turn's share still counts. Twice is
        safe."""
        self._ends.set()
        self._queue.put(None)
        if self._thread.ident is not None:
            self._thread.join()

    def offer(self, name: str, opener: Opener, *, once: bool = False, slow: bool = False) -> None:
        """Serve a port from now on: it is opened, and again each second while it is not there or has gone;
        `once`: only until it goes. The opener is called in the link's thread, `slow`: in one of its own, for
        it may wait; an error is its no."""
        self._queue.put(_Offered(name, opener, once, slow))

    def withdraw(self, name: str) -> None:
        """Serve a port no more."""
        self._queue.put(_Offered(name, None))

    def command(self, method: str, params: Params, timeout_s: float = 5.0) -> Params:
        """What the board's own menu asks for (`Host.command`). Refused, with words; TimeoutError, with words,
        where the link does not serve or is busy for longer: it is not done then, unless the words say so."""
        answer: Future[Params] = Future()
        self._queue.put(_Asked(method, params, answer))
        try:
            return answer.result(timeout_s)
        except TimeoutError:
            if answer.cancel():
                raise TimeoutError("the link is busy, and nothing was done; ask again") from None
            raise TimeoutError("the link still does it; see in a moment whether it is done") from None

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            while self.turn():
                pass
        except Exception:  # a bug; whoever started the link sees that it does not serve any more
            logger.exception("link")
        finally:
            for name in self._offers:
                self._close(name)

    def turn(self, at_most_s: float | None = None) -> bool:
        """Take what comes, waiting for it until something else is due or for `at_most_s` seconds; do what
        follows. False if it is the end. For the link's own thread, or for one that never started it."""
        patience_s = self._patience_s()
        if at_most_s is not None:
            patience_s = at_most_s if patience_s is None else min(patience_s, at_most_s)
        goes_on, reached_s = self._take(patience_s)
        if not goes_on:
            return False
        self._open_those_that_are_due()
        self._due_s = self._host.tick(self._clock() if reached_s is None else reached_s)
        self._send()
        self._close_the_silent()
        for note in self._host.notes():
            self._say(note)
        if self._host.changes != self._changes:
            self._changes, self._shown = self._host.changes, self._host.shown
        return not self._ends.is_set()

    def _patience_s(self) -> float | None:
        """How long to wait for something to come; None for as long as it takes."""
        times = [
            offer.retry_at_s
            for name, offer in self._offers.items()
            if offer.port is None and name not in self._attempts
        ]
        times += [offer.opened_s + HELLO_S for _, offer in self._without_hello()]
        if self._due_s is not None:
            times.append(self._due_s)
        now = self._clock()
        if self._host.waiting():
            times.append(now + _BUSY_S)
        return max(0.0, min(times) - now) if times else None

    def _take(self, patience_s: float | None) -> tuple[bool, float | None]:
        """Take what has come, a turn's share at the most: whether it goes on, and the time up to which all
        was taken; None for now. Time goes on after that: what came before it counts."""
        reached_s = None
        try:
            item = self._queue.get(timeout=patience_s) if patience_s != 0 else self._queue.get_nowait()
            for left in reversed(range(_MOST_A_TURN)):
                if item is None:
                    return False, None
                self._handle(item)
                if isinstance(item, _Came):
                    reached_s = item.at_s
                if left:
                    item = self._queue.get_nowait()
        except queue.Empty:
            return True, None
        return True, reached_s

    def _handle(self, item: _Item) -> None:
        match item:
            case _Came(name, opening, data, at_s):
                offer = self._offers.get(name)
                if offer is None or offer.opening != opening:
                    return  # of a port that was given up meanwhile
                if offer.attempt is not None:
                    offer.early.append(item)
                    return
                if offer.port is None:
                    return  # as above
                if data is None:
                    self._gone(name, f"{name}: gone")
                    return
                if offer.inflow is not None:
                    if offer.inflow.floods:
                        self._flooded(name, offer)
                        return
                    offer.inflow.read(data)
                # Answers go out in between: many requests in one piece are no sign that nobody reads.
                for start in range(0, len(data), _PIECE):
                    self._host.receive(name, data[start : start + _PIECE], at_s)
                    self._send_to(name)
            case _Offered(name, None):
                if name in self._offers:
                    self._close(name)
                    del self._offers[name]
            case _Offered(name, opener, once, slow):
                if name not in self._offers and opener is not None:
                    self._offers[name] = _Offer(opener, once, slow)
            case _Tried(attempt):
                self._tried(attempt)
            case _Asked(method, params, answer):
                if not answer.set_running_or_notify_cancel():
                    return  # whoever asked has been told that it is not done
                try:
                    answer.set_result(self._host.command(method, params, self._clock()))
                except Exception as error:  # it is for whoever has asked
                    answer.set_exception(error)

    # ------------------------------------------------------------ ports

    def _open_those_that_are_due(self) -> None:
        for name, offer in list(self._offers.items()):
            now = self._clock()
            if offer.port is not None or name in self._attempts or now < offer.retry_at_s:
                continue
            self._openings += 1
            offer.opening, offer.inflow = self._openings, Inflow(now)
            heard = partial(self._heard, name, offer.opening, offer.inflow)
            if offer.slow:
                offer.attempt = Attempt(name, offer.open, heard, self._end_of_attempt)
                self._attempts[name] = offer.attempt
                continue
            self._open(name, offer, partial(offer.open, heard))

    def _end_of_attempt(self, attempt: Attempt) -> None:
        """Called by the attempt's own thread."""
        self._queue.put(_Tried(attempt))

    def _tried(self, attempt: Attempt) -> None:
        """What is opened in a thread of its own is open, or cannot be."""
        name = attempt.name
        del self._attempts[name]
        offer = self._offers.get(name)
        if offer is None or offer.attempt is not attempt:
            return  # it was given up meanwhile
        offer.attempt = None
        early, offer.early = offer.early, []
        self._open(name, offer, attempt.taken)
        for came in early:
            self._handle(came)

    def _open(self, name: str, offer: _Offer, opened: Callable[[], SerialPort]) -> None:
        """Have a port that is due be open, or say why it cannot be, and when it is tried again."""
        offer.retry_at_s = self._clock() + RETRY_S
        try:
            offer.port = opened()
        except Exception as error:  # also a bug in an adapter: it ends one port, not the link
            if offer.refused != str(error):
                self._say(str(error))
            offer.refused = str(error)
            if offer.once:
                del self._offers[name]
            return
        now = self._clock()
        offer.refused, offer.opened_s = None, now
        self._host.opened(name, now)
        self._say(f"{name}: open")

    def _heard(self, name: str, opening: int, inflow: Inflow, data: bytes | None) -> None:
        """Called by a port's own thread: it came now, and in this order."""
        now = self._clock()
        if data is not None:
            if inflow.floods:
                return
            if not inflow.came(data, now):
                data = b""  # nothing of it is taken; that it floods is to be seen
        self._queue.put(_Came(name, opening, data, now))

    def _flooded(self, name: str, offer: _Offer) -> None:
        """It brings more than anybody plays: whatever sends it is no controller, and the others wait."""
        self._gone(name, f"{name}: floods the link; it is closed")
        offer.retry_at_s = self._clock() + FLOODED_S

    def _send_to(self, name: str) -> None:
        offer = self._offers.get(name)
        if offer is None or offer.port is None:
            return
        try:
            room = _ROOM - offer.port.waiting
            data = self._host.outgoing(name, room) if room > 0 else b""
            if data:
                offer.port.write(data)
        except SerialPortError as error:
            self._gone(name, str(error))
        except Exception as error:  # a bug: it ends one port, not the link
            self._gone(name, f"{name} failed: {error!r}; report this fault")

    def _send(self) -> None:
        for name in self._host.waiting():
            self._send_to(name)
        for name in self._host.to_close():
            self._gone(name, None)

    def _without_hello(self) -> list[tuple[str, _Offer]]:
        """Those that connected, and have not said who they are."""
        return [
            (name, offer)
            for name, offer in self._offers.items()
            if offer.once and offer.port is not None and not self._host.greeted(name)
        ]

    def _close_the_silent(self) -> None:
        """Of the few places each is somebody's who is there. A port that is tried again keeps its place: who
        is silent there may be switched on at any time."""
        now = self._clock()
        for name, offer in self._without_hello():
            if now >= offer.opened_s + HELLO_S:
                self._gone(name, f"{name}: said no hello for {HELLO_S:g} s; it is closed")
        for name, offer in list(self._offers.items()):
            if offer.once and self._host.silent(name):
                self._gone(name, f"{name}: answers nothing; it is closed, its seat kept")

    def _gone(self, name: str, why: str | None) -> None:
        """A port is not there any more; the host says by itself why it wants one to be closed."""
        if why is not None:
            self._say(why)
        self._close(name)
        if self._offers[name].once:
            del self._offers[name]

    def _close(self, name: str) -> None:
        offer = self._offers[name]
        if offer.attempt is not None:
            offer.attempt.give_up()
            offer.attempt = None
            offer.early.clear()
        if offer.port is not None:
            offer.port.close()
            offer.port = None
            offer.retry_at_s = self._clock() + RETRY_S
            self._host.closed(name, self._clock())
