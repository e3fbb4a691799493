"""Starts when the Pico has power: its parts by `settings.py`, and then the controller, for ever.

The link is USB's serial port, which is also that of the prompt: Ctrl-C ends this, and `mpremote` can be used.
"""

import json
import select
import sys
from binascii import hexlify
from time import sleep_ms, ticks_ms

import settings
from controller import Controller
from keys import Keys
from machine import I2C, Pin, unique_id
from screen import Screen

KEPT = "seat.json"
"""What the seat is resumed by, when the power was off."""
PAUSE_MS = 4


def kept_token():
    """The token that was kept; None if there is none."""
    try:
        with open(KEPT) as file:
            return json.load(file)["token"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(token):
    """Keep a token. A flash that is full or worn costs no more than the resuming."""
    try:
        with open(KEPT, "w") as file:
            json.dump({"token": token}, file)
    except OSError:
        pass


def main():
    """Play."""
    wires = settings.SCREEN
    i2c = I2C(wires["i2c"], sda=Pin(wires["sda"]), scl=Pin(wires["scl"]), freq=wires["hertz"])
    screen = Screen(i2c, wires["address"], settings.TURNED)
    keys = Keys({name: Pin(number, Pin.IN, Pin.PULL_UP) for name, number in settings.KEYS.items()})
    name = settings.NAME or "Pico " + hexlify(unique_id()).decode()[-4:]
    controller = Controller(name, screen, keep, kept_token(), ticks_ms())
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    while True:
        # One byte at a time: more would wait for those that are not there yet.
        data = bytearray()
        while len(data) < 256 and poll.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        now = ticks_ms()
        if data:
            controller.received(bytes(data), now)
        for key in keys.pressed(now):
            controller.pressed(key, now)
        sys.stdout.buffer.write(controller.outgoing(now))
        controller.show(now)
        if not data:
            sleep_ms(PAUSE_MS)


if __name__ == "__main__":
    main()
