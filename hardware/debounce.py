"""The debouncer: edges as a contact made them in, one edge for each press and each release out.

Pure: time comes in with the edges and with `now`. No device, queue or meaning of a press lives here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hardware.button import Button, Edge
from hardware.steady import SLACK_S, SteadyClock

SETTLED_S: Final = 0.025
"""A contact that has kept still for so long, in seconds, has settled.

Switches of all kinds bounce for 1.6 ms on average and 6.2 ms at the worst (J. Ganssle, "A Guide to
Debouncing", but for one at 157 ms, see `CHATTER_S`); data sheets promise 5 to 10 ms. A quick finger keeps
a button down, and up, for some 40 ms. 25 ms is well away from both.
"""
CHATTER_S: Final = 0.25
"""A contact that has not kept still for so long is loose: longer than the worst switch that Ganssle
measured (157 ms). It must not count as held down, for a hold undoes a point."""


@dataclass(slots=True)
class _Contact:
    """One button. `told`: down or up as far as anyone was told; `level`: the same as last seen, at
    `level_at_s`. `burst_s` and `moved_s`: steady seconds of the first and the last edge of the burst
    under way."""

    told: bool = False
    level: bool = False
    level_at_s: float = 0.0
    moving: bool = False
    burst_s: float = 0.0
    moved_s: float = 0.0


class Debouncer:
    """Takes the bounces out of the edges of any number of buttons.

    The first edge of a burst is told at once, with its time, so that a press costs no wait and one
    shorter than the bounces is still a press. Until the contact has kept still for `SETTLED_S`
    nothing else is told of it; then, if it rests otherwise than was told, that is told with the time
    of the edge that left it so. An edge told twice changes nothing, and a clock that stands still
    or jumps is no time (`SteadyClock`). A spike on a long wire is a press as well: that is what a
    capacitor at the button is for.
    """

    def __init__(self) -> None:
        self._clock = SteadyClock()
        self._contacts: dict[Button, _Contact] = {}

    def feed(self, edges: Iterable[Edge], now_s: float) -> tuple[Edge, ...]:
        """Clean edges: those of one button alternate, begin with a press, and their times never fall.

        `edges`: raw, oldest first; `now_s`: the present on their clock. A release is told up to
        `SETTLED_S` late if it came that soon after the press.
        """
        clean: list[Edge] = []
        for edge in edges:
            at = self._clock.at(edge.at_s)
            self._settle(at, clean)
            contact = self._contacts.setdefault(edge.button, _Contact())
            self._take(contact, edge, at, clean)
        self._settle(self._clock.at(now_s), clean)
        return tuple(clean)

    def next_due_s(self) -> float | None:
        """When, on the edges' clock, to feed again even if no edge comes; None if that can wait for
        one."""
        moving = [contact.moved_s for contact in self._contacts.values() if contact.moving]
        return self._clock.told(min(moving) + SETTLED_S) if moving else None

    def _settle(self, at: float, clean: list[Edge]) -> None:
        for button, contact in sorted(self._contacts.items(), key=lambda item: item[1].moved_s):
            if not contact.moving or at + SLACK_S < contact.moved_s + SETTLED_S:
                continue
            contact.moving = False
            if contact.level != contact.told:
                contact.told = contact.level
                clean.append(Edge(button, contact.level, contact.level_at_s))

    @staticmethod
    def _take(contact: _Contact, edge: Edge, at: float, clean: list[Edge]) -> None:
        if contact.moving:
            if edge.pressed != contact.level:
                contact.level, contact.level_at_s = edge.pressed, edge.at_s
            contact.moved_s = max(contact.moved_s, at)
            if contact.told and at - contact.burst_s >= CHATTER_S:
                contact.told = False
                clean.append(Edge(edge.button, False, edge.at_s))
        elif edge.pressed != contact.told:
            contact.told = contact.level = edge.pressed
            contact.level_at_s = edge.at_s
            contact.moving, contact.burst_s, contact.moved_s = True, at, at
            clean.append(edge)
