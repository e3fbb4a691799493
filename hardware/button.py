"""The button port: what a button and its edges are, what every adapter does, and the bounded queue
between the threads of an adapter and the loop. No vendor library, no debouncing and no meaning lives here."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock
from typing import Final, Literal, Protocol

Side = Literal["A", "B"]
Kind = Literal["confirm", "challenge"]

QUEUED_EDGES: Final = 256
"""Edges a button may have waiting: 20 presses that bounce five times at either end, which is more than
fingers do in the longest pause that the loop is meant to survive (3 s)."""


@dataclass(frozen=True, slots=True, order=True)
class Button:
    """One of the four buttons: the side it belongs to and what is printed on it."""

    side: Side
    kind: Kind

    def __str__(self) -> str:
        return f"{self.side}'s {self.kind.upper()}"


BUTTONS: Final = (
    Button("A", "confirm"),
    Button("A", "challenge"),
    Button("B", "confirm"),
    Button("B", "challenge"),
)


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact that closed (`pressed`) or opened. `at_s`: when, in seconds of the camera's kind of
    clock (monotonic)."""

    button: Button
    pressed: bool
    at_s: float


class Buttons(Protocol):
    """Buttons and the lamps in them. Errors are `hardware.errors.ButtonError`, which name the part
    and say what to do next; the next call tries again."""

    @property
    def dropped(self) -> int:
        """Edges thrown away since opening because nobody fetched them; 0 on a healthy table."""
        ...

    def drain(self) -> tuple[Edge, ...]:
        """The edges since the last call as the contacts made them, bounces included, in the order in
        which they came: a button's edges alternate. Never waits. A button that is down at opening
        gives no edge before it was let go. While a button cannot be read this raises, as soon as all
        that came was fetched. Nothing after `close`.
        """
        ...

    def down(self) -> frozenset[Button]:
        """The buttons that are down at this instant, bounces and all; none after `close`."""
        ...

    def light(self, button: Button, on: bool) -> None:
        """Switch the button's lamp; one without a lamp stays as it is, and so do all after `close`."""
        ...

    def close(self) -> None:
        """Lamps off, and give the device back. Safe to call twice."""
        ...


class EdgeQueue:
    """Edges on their way from any thread to the loop, `QUEUED_EDGES` of each button at the most.

    Each button has room of its own, so that a contact that chatters cannot push out another button's
    press. When there is no more room the oldest goes: the newest says how the contact is now.
    `down`: the buttons that are down already.
    """

    def __init__(self, down: Collection[Button] = ()) -> None:
        self._lock = Lock()
        self._waiting: dict[Button, deque[tuple[int, Edge]]] = {}
        self._levels: dict[Button, bool] = dict.fromkeys(down, True)
        self._came = 0
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """Edges thrown away so far."""
        return self._dropped

    def is_down(self, button: Button) -> bool:
        """How the last edge left the button."""
        return self._levels.get(button, False)

    def put(self, edge: Edge) -> None:
        """Queue an edge; one that changes nothing (told twice) is none."""
        with self._lock:
            if edge.pressed == self._levels.get(edge.button, False):
                return
            self._levels[edge.button] = edge.pressed
            waiting = self._waiting.setdefault(edge.button, deque(maxlen=QUEUED_EDGES))
            if len(waiting) == QUEUED_EDGES:
                self._dropped += 1
            waiting.append((self._came, edge))
            self._came += 1

    def drain(self) -> tuple[Edge, ...]:
        """All edges, in the order in which they came; the queue is empty then."""
        with self._lock:
            numbered = sorted(
                (item for waiting in self._waiting.values() for item in waiting),
                key=lambda item: item[0],
            )
            self._waiting.clear()
        return tuple(edge for _, edge in numbered)
