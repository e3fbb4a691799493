"""The Pico's parts for MicroPython on a computer, under the name of its module `machine`: keys that a test
presses through one pipe, and an I2C bus whose bytes go out through another. Run by MicroPython.
"""

import os
import select
import sys
from time import ticks_add, ticks_diff, ticks_ms

HELD_MS = 22
NAMES = {"u": 18, "d": 19, "l": 20, "r": 21, "o": 22}
"""The keys' letters in the pipe, by the pins of settings.py. `x`: the glass is pulled off, or put back."""


class _Fingers:
    """Presses what the pipe says, one key after the other."""

    def __init__(self):
        self._pipe = open(os.getenv("PICO_KEYS"), "rb")  # noqa: SIM115  # for as long as this runs
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._next = ticks_ms()
        self.down = None
        self.glass = True

    def move(self):
        if ticks_diff(ticks_ms(), self._next) < 0:
            return
        if self.down is not None:
            self.down = None
        elif self._poll.poll(0):
            key = self._pipe.read(1).decode()
            if key == "x":
                self.glass = not self.glass
                return
            self.down = NAMES[key]
        else:
            return
        self._next = ticks_add(ticks_ms(), HELD_MS)


fingers = _Fingers()


class Pin:
    """A pin; those of keys are high unless pressed."""

    IN = 0
    PULL_UP = 1

    def __init__(self, number, mode=None, pull=None):
        self._number = number
        self._pulled = mode == Pin.IN and pull == Pin.PULL_UP

    def value(self):
        fingers.move()
        return 0 if fingers.down == self._number or not self._pulled else 1


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
