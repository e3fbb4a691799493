"""Five keys to ground, debounced. A press is told once, when it has lasted for some milliseconds."""

from time import ticks_diff

STEADY_MS = 15
"""Contacts of small keys bounce for up to 10 ms."""


class Keys:
    """The keys by their names. `pins`: with pull-ups, 0 while pressed."""

    def __init__(self, pins):
        self._pins = pins
        self._down = dict.fromkeys(pins, False)
        self._since = dict.fromkeys(pins)

    def pressed(self, now):
        """The names of the keys that went down since the last time. `now`: of `time.ticks_ms`."""
        found = []
        for name, pin in self._pins.items():
            if (not pin.value()) == self._down[name]:
                self._since[name] = None
            elif self._since[name] is None:
                self._since[name] = now
            elif ticks_diff(now, self._since[name]) >= STEADY_MS:
                self._since[name] = None
                self._down[name] = not self._down[name]
                if self._down[name]:
                    found.append(name)
        return found
