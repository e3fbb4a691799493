"""The simulated buttons: the button port over fingers, contacts that bounce, and pins that fail.

The fingers' plan is made ahead; it happens as the simulated clock passes.
"""

import heapq
import math
from collections.abc import Callable, Collection
from threading import RLock
from typing import Final

from hardware.button import BUTTONS, Button, Edge, EdgeQueue
from hardware.errors import ButtonError

_REBOUND = 0.6
"""The speed that a contact keeps when it strikes: each flight is so much shorter than the one before."""
_STRUCK = 0.4
"""The share of the time from strike to strike in which the contact touches."""
BOUNCE_S: Final = 0.008
"""For how long a contact bounces unless told otherwise: what data sheets allow (5 to 10 ms)."""


def contact_times(at_s: float, bounces: int, bounce_s: float = BOUNCE_S) -> tuple[float, ...]:
    """The instants at which a contact changes that moves at `at_s` and bounces so often within
    `bounce_s`: an odd number, rising, the first at `at_s`.

    A sprung contact that strikes another flies off again with a share of its speed, so that its flights
    shorten geometrically as a ball's do; an opening contact rattles likewise.
    """
    if bounces < 0 or not 0.0 < bounce_s < math.inf:
        raise ValueError("a contact bounces 0 times or more, within a time above 0")
    if bounces == 0:
        return (at_s,)
    flights = [_REBOUND**n for n in range(bounces)]
    unit = bounce_s / sum(flights)
    times, strike = [at_s], at_s
    for flight in flights:
        times.append(strike + _STRUCK * flight * unit)
        strike += flight * unit
        times.append(strike)
    return tuple(times)


class SimulatedButtons:
    """Four buttons whose contacts follow `clock`, the simulated table's, in seconds.

    `lamps`: the buttons that have one. `lit` is what people see.
    """

    def __init__(self, clock: Callable[[], float], *, lamps: Collection[Button] = BUTTONS) -> None:
        self._clock = clock
        self._lamps = frozenset(lamps)
        self._queue = EdgeQueue()
        self._lock = RLock()  # fingers may be another thread's, a keyboard's
        self._plan: list[tuple[float, int, Edge]] = []
        self._planned = 0
        self._free_from_s: dict[Button, float] = {}
        self._lit: set[Button] = set()
        self._lost: set[Button] = set()
        self._touching: dict[Button, bool] = {}
        self._closed = False

    def press(
        self,
        button: Button,
        at_s: float,
        for_s: float = 0.15,
        *,
        bounces: int = 3,
        bounce_s: float = BOUNCE_S,
    ) -> None:
        """A finger presses `button` at `at_s` for `for_s` seconds; `math.inf` is a contact that sticks.

        The contact bounces so often when it closes and when it opens. `ValueError` for a press
        before the present, or while the button is down or still bouncing from the last.
        """
        if not for_s > 0.0:
            raise ValueError(f"a press lasts some time, not {for_s:g} s")
        with self._lock:
            if at_s < max(self._clock(), self._free_from_s.get(button, -math.inf)):
                raise ValueError(f"{button} cannot be pressed at {at_s:g} s: past, or down already")
            let_go_s = at_s + for_s
            times = [t for t in contact_times(at_s, bounces, bounce_s) if t < let_go_s]
            pressed = [(t, n % 2 == 0) for n, t in enumerate(times)]
            if let_go_s < math.inf:
                opening = contact_times(let_go_s, bounces, bounce_s)
                pressed += [(t, n % 2 == 1) for n, t in enumerate(opening)]
            for moment, down in pressed:
                heapq.heappush(self._plan, (moment, self._planned, Edge(button, down, moment)))
                self._planned += 1
            self._free_from_s[button] = math.inf if let_go_s == math.inf else pressed[-1][0]

    def let_go(self, button: Button) -> None:
        """A contact that stuck comes loose now. `ValueError` if it did not stick."""
        with self._lock:
            if self._free_from_s.get(button) != math.inf:
                raise ValueError(f"{button} does not stick")
            now = self._clock()
            heapq.heappush(self._plan, (now, self._planned, Edge(button, False, now)))
            self._planned += 1
            self._free_from_s[button] = now

    def lose(self, button: Button) -> None:
        """The computer's pins of the button fail: it cannot be read, nor its lamp be switched."""
        with self._lock:
            self._lost.add(button)

    def mend(self, button: Button) -> None:
        """The pins are well again; what the contact did meanwhile nobody saw."""
        with self._lock:
            self._lost.discard(button)

    @property
    def lit(self) -> frozenset[Button]:
        """The buttons whose lamp is on."""
        return frozenset(self._lit)

    @property
    def dropped(self) -> int:
        """Edges thrown away since opening."""
        return self._queue.dropped

    def drain(self) -> tuple[Edge, ...]:
        """The edges up to the present; `ButtonError` while a button cannot be read."""
        with self._lock:
            if self._closed:
                return ()
            now = self._clock()
            self._pass_to(now)
            for button, pressed in self._touching.items():
                if button not in self._lost:
                    self._queue.put(Edge(button, pressed, now))  # news only after a time of being lost
            edges = self._queue.drain()
            if self._lost and not edges:
                raise ButtonError(f"{min(self._lost)} (simulated) cannot be read; mend its pin")
            return edges

    def down(self) -> frozenset[Button]:
        """The buttons whose contact touches now; `ButtonError` while one cannot be read."""
        with self._lock:
            if self._closed:
                return frozenset()
            if self._lost:
                raise ButtonError(f"{min(self._lost)} (simulated) cannot be read; mend its pin")
            self._pass_to(self._clock())
            return frozenset(button for button, touching in self._touching.items() if touching)

    def light(self, button: Button, on: bool) -> None:
        """Switch the button's lamp, if it has one; `ButtonError` while its pin fails."""
        if self._closed or button not in self._lamps:
            return
        if button in self._lost:
            raise ButtonError(f"the lamp of {button} (simulated) cannot be switched; mend its pin")
        if on:
            self._lit.add(button)
        else:
            self._lit.discard(button)

    def close(self) -> None:
        """Lamps off; no more edges."""
        with self._lock:
            self._closed = True
            self._lit.clear()

    def _pass_to(self, now: float) -> None:
        """What the contacts did until then, for whoever asks."""
        while self._plan and self._plan[0][0] <= now:
            edge = heapq.heappop(self._plan)[2]
            self._touching[edge.button] = edge.pressed
            if edge.button not in self._lost:
                self._queue.put(edge)
