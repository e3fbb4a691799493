"""The panels' threads, one for each bus, so that no panel ever holds up the match.

Loops around `panel_bus`, which knows what becomes of each panel; nothing of that is decided here.
"""

import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping

from firmware.panel_bus import Clock, PanelBus, PanelCare, PanelNews, PanelStatus, Picture, Placed

_NEWS_KEPT = 200
_LONGEST_WAIT_S = 60.0


class PanelDriver:
    """All panels, each bus in a thread of its own. `show`, `wake`, `works` and `news` return at once,
    whatever the panels do, and may be called from any thread. Use it as a context, or `start` and `stop` it.
    """

    def __init__(
        self,
        panels: Iterable[Placed],
        care: PanelCare | None = None,
        *,
        clock: Clock = time.monotonic,
    ) -> None:
        self._pictures: dict[str, Picture] = {}
        self._news: deque[PanelNews] = deque(maxlen=_NEWS_KEPT)
        self._stopping = threading.Event()
        by_bus: dict[str, list[Placed]] = {}
        for placed in panels:
            by_bus.setdefault(placed.panel.bus, []).append(placed)
        care = care or PanelCare()
        self._threads = [
            _BusThread(
                name, PanelBus(placed, care, self._news.append, clock), self._pictures, clock, self._stopping
            )
            for name, placed in by_bus.items()
        ]

    def start(self) -> None:
        """Begin to look for the panels, and to show."""
        for thread in self._threads:
            thread.start()

    def show(self, role: str, picture: Picture) -> None:
        """From now on the panels of `role`, if there are any, show this. A picture that was not yet
        shown is dropped."""
        self._pictures[role] = picture
        for thread in self._threads:
            thread.wake.set()

    def wake(self) -> None:
        """Somebody is there: what was dimmed is to be bright, and what has wandered in its place."""
        for thread in self._threads:
            thread.bus.wake()
            thread.wake.set()

    def works(self, role: str) -> bool:
        """Whether a panel of this role can be read, by what the news were and while its bus does not hang;
        False where there is none."""
        return any(thread.bus.works(role) for thread in self._threads)

    def news(self) -> list[PanelNews]:
        """What is to be told since the last call, the oldest first."""
        news = []
        while self._news:
            news.append(self._news.popleft())
        return news

    @property
    def status(self) -> tuple[PanelStatus, ...]:
        """How each panel is."""
        return tuple(status for thread in self._threads for status in thread.bus.status)

    def stop(self, timeout_s: float = 1.0) -> tuple[str, ...]:
        """Make the panels dark and end the threads; waits at most `timeout_s` seconds a bus. Returns the
        buses that hang in a write and are left to the end of the process."""
        self._stopping.set()
        for thread in self._threads:
            thread.wake.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout_s)
        return tuple(thread.name for thread in self._threads if thread.is_alive())

    def __enter__(self) -> "PanelDriver":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _BusThread(threading.Thread):
    """The loop around a `PanelBus`: a step when something is due or a picture came, until `stopping`."""

    def __init__(
        self,
        name: str,
        bus: PanelBus,
        pictures: Mapping[str, Picture],
        clock: Clock,
        stopping: threading.Event,
    ) -> None:
        # A daemon: a write that hangs must not keep the program from ending.
        super().__init__(name=f"panels-{name}", daemon=True)
        self.bus = bus
        self.wake = threading.Event()
        self._pictures = pictures
        self._clock = clock
        self._stopping = stopping

    def run(self) -> None:
        """The thread's life."""
        while True:
            # Cleared before the picture is read: one that comes in between wakes the next wait.
            self.wake.clear()
            if self._stopping.is_set():
                break
            due_at = self.bus.step(self._pictures)
            self.wake.wait(min(max(due_at - self._clock(), 0.0), _LONGEST_WAIT_S))
        self.bus.close()
