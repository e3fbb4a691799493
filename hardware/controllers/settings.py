"""What differs from controller to controller: its name and its wires. Edit it before you copy it."""

NAME = None
"""What the others see, up to 20 characters; None: "Pico" and the end of the chip's serial number."""

SCREEN = {"i2c": 0, "sda": 4, "scl": 5, "address": 0x3C, "hertz": 400_000}
"""The SSD1306's bus, and its pins as GPIO numbers."""

TURNED = False
"""True: the screen is mounted upside down."""

KEYS = {"up": 18, "down": 19, "left": 20, "right": 21, "ok": 22}
"""GPIO numbers; each key joins its pin to ground."""
