"""Five keys to ground, debounced: a press is told once, at its first contact, whatever the contact does next.

Edges interrupt what is done, so that a press is seen while a picture is drawn or sent.
"""

from time import ticks_diff, ticks_ms

BOUNCE_MS = 15
"""After a change contacts may open and close for so long; those of small keys take up to 10 ms."""


class Keys:
    """The keys by their names. `pins`: with pull-ups, 0 while pressed."""

    def __init__(self, pins):
        self._pins = pins
        self._down = dict.fromkeys(pins, False)
        self._changed = dict.fromkeys(pins)
        self._found = []
        for name, pin in pins.items():
            pin.irq(lambda pin, name=name: self._look(name, ticks_ms()), pin.IRQ_FALLING | pin.IRQ_RISING)

    def pressed(self, now):
        """The names of the keys that went down since the last time. `now`: of `time.ticks_ms`."""
        for name in self._pins:
            self._look(name, now)
        found, self._found = self._found, []
        return found

    def _look(self, name, now):
        down = not self._pins[name].value()
        changed = self._changed[name]
        if down == self._down[name] or (changed is not None and ticks_diff(now, changed) < BOUNCE_MS):
            return
        self._down[name] = down
        self._changed[name] = now
        if down:
            self._found.append(name)
