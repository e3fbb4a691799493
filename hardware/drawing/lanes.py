"""Which wire runs in which lane, so that wires between a row of pins and a row of parts cross the least.

Each net leaves its pin sideways, runs along a lane of its own, and leaves that sideways at every terminal.
Plain numbers: nothing is drawn here.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Net:
    """A pin and its terminals: their places along the lanes."""

    pin: float
    terminals: tuple[float, ...]

    @property
    def span(self) -> tuple[float, float]:
        """The part of its lane that it takes."""
        return min(self.pin, *self.terminals), max(self.pin, *self.terminals)


def crossings(nets: Sequence[Net], order: Sequence[int]) -> int:
    """How often wires cross with the nets' lanes in this order, the first nearest to the pins."""
    return sum(
        _crossings_of(nets[near], nets[far]) for place, near in enumerate(order) for far in order[place + 1 :]
    )


def ordered(nets: Sequence[Net]) -> tuple[int, ...]:
    """An order of lanes, nearest to the pins first, in which no net moved elsewhere makes fewer crossings."""
    order = list(range(len(nets)))
    best = crossings(nets, order)
    better = True
    while better:
        better = False
        for net in range(len(nets)):
            for place in range(len(nets)):
                trial = [other for other in order if other != net]
                trial.insert(place, net)
                count = crossings(nets, trial)
                if count < best:
                    order, best, better = trial, count, True
    return tuple(order)


def _crossings_of(near: Net, far: Net) -> int:
    """The far net crosses the near lane next to its pin, the near net the far lane at its terminals."""
    (near_low, near_high), (far_low, far_high) = near.span, far.span
    return int(near_low < far.pin < near_high) + sum(far_low < at < far_high for at in near.terminals)
