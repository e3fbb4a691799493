"""A clock that does not jump: what passed on another clock, without its leaps. Arithmetic only; nothing
here asks what time it is."""

from typing import Final

JUMP_S: Final = 5.0
"""Seconds between two instants beyond which the clock is taken to have jumped. Whoever measures times
looks at the clock several times a second, and the longest pause it is meant to survive is 3 s."""
LATE_S: Final = 0.5
"""An instant so far back, in seconds, is one told late, as an edge is that was stamped in another
thread. One farther back means that the clock was set back."""
SLACK_S: Final = 1e-6
"""What is due so soon is due now: sums of seconds round, and who comes when told must not come in vain."""


class SteadyClock:
    """Counts the seconds that pass on a clock whose instants it is told. A leap of more than `JUMP_S`
    forward, or of more than `LATE_S` back, counts as no time at all; so does a clock that stands."""

    def __init__(self) -> None:
        self._told_s: float | None = None
        self._steady_s = 0.0

    @property
    def steady_s(self) -> float:
        """Steady seconds up to the latest instant."""
        return self._steady_s

    def at(self, told_s: float) -> float:
        """The steady second of an instant of the other clock; time passes until then."""
        if self._told_s is None:
            self._told_s = told_s
        passed = told_s - self._told_s
        if -LATE_S <= passed < 0:
            return self._steady_s + passed
        self._told_s = told_s
        if 0 < passed <= JUMP_S:
            self._steady_s += passed
        return self._steady_s

    def told(self, steady_s: float) -> float:
        """When a steady second is, or was, on the other clock if that runs on as it does now."""
        return (self._told_s or 0.0) + steady_s - self._steady_s
