"""The Pico's parts for MicroPython on a computer, under the name of its module `machine`: keys that a test
presses through one pipe, and an I2C bus whose bytes go out through another. Run by MicroPython.
"""

import os
import select
import sys
from time import ticks_diff, ticks_ms

HELD_MS = 18
LOOKS = 3
NAMES = {"u": 18, "d": 19, "l": 20, "r": 21, "o": 22}
"""The keys' letters in the pipe, by the pins of settings.py. `x`: the glass is pulled off, or put back."""


class _Fingers:
    """Presses what the pipe says, one key after the other. Each is held, and let go of, until it was looked
    at several times, however slow the program is."""

    def __init__(self):
        self._pipe = open(os.getenv("PICO_KEYS"), "rb")  # noqa: SIM115  # for as long as this runs
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._key = None
        self._down = False
        self._looks = LOOKS
        self._since = ticks_ms()
        self.glass = True

    def is_down(self, number):
        """Whether a key is pressed, by its pin."""
        if number != self._key:
            if self._key is None or (not self._down and self._is_done()):
                self._next()
            return False
        self._looks += 1
        if self._looks == 1:
            self._since = ticks_ms()
        was = self._down
        if self._is_done():
            if was:
                self._down, self._looks = False, 0
            else:
                self._next()
        return was

    def _is_done(self):
        return self._looks >= LOOKS and ticks_diff(ticks_ms(), self._since) >= HELD_MS

    def _next(self):
        self._key = None
        if not self._poll.poll(0):
            return
        key = self._pipe.read(1).decode()
        if key == "x":
            self.glass = not self.glass
        else:
            self._key, self._down, self._looks = NAMES[key], True, 0


fingers = _Fingers()


class Pin:
    """A pin; those of keys are high unless pressed."""

    IN = 0
    PULL_UP = 1
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, number, mode=None, pull=None):
        self._number = number
        self._pulled = mode == Pin.IN and pull == Pin.PULL_UP

    def value(self):
        return 0 if not self._pulled or fingers.is_down(self._number) else 1

    def irq(self, handler, trigger):
        """Nothing interrupts here: pins are looked at often enough."""


class I2C:
    """A bus whose every write goes out as its address, its length in two bytes, and its bytes."""

    def __init__(self, number, sda, scl, freq):
        self._pipe = open(os.getenv("PICO_GLASS"), "wb")  # noqa: SIM115

    def writeto(self, address, data):
        if not fingers.glass:
            raise OSError(5)
        self._pipe.write(bytes((address, len(data) >> 8, len(data) & 255)) + data)


def unique_id():
    """The chip's serial number."""
    return os.getenv("PICO_SERIAL").encode()


sys.modules["machine"] = sys.modules[__name__]

import main  # noqa: E402  # what main.py imports has to be there

main.main()
