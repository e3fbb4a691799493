"""The Pico's keys, run by MicroPython: contacts that bounce, and taps while nobody looks."""

import json
import subprocess

import pytest

from tests.hardware.controllers.picos import PROGRAM
from tests.shared import needs

pytestmark = needs("micropython", "micropython")

SCRIPT = """
import json, sys, keys
class Pin:
    IRQ_FALLING, IRQ_RISING = 4, 8
    level = 1
    def irq(self, handler, trigger):
        self.handler = handler
    def value(self):
        return self.level
now = 0
keys.ticks_ms = lambda: now
pin = Pin()
ours = keys.Keys({"ok": pin})
told = []
for at, what in json.loads(sys.argv[1]):
    now = at
    if what == "look":
        told.append([at, len(ours.pressed(at))])
    else:
        pin.level = what
        pin.handler(pin)
print(json.dumps(told))
"""


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        # Pressed for long: told once, at once.
        ([[10, 0], [11, "look"], [50, "look"], [200, 1], [300, "look"]], [1, 0, 0]),
        # A contact that bounces as it closes and as it opens.
        ([[10, 0], [12, 1], [13, 0], [60, "look"], [90, 1], [92, 0], [94, 1], [140, "look"]], [1, 0]),
        # A tap while a picture is drawn.
        ([[10, 0], [70, 1], [100, "look"]], [1]),
        # Two taps.
        ([[10, 0], [60, 1], [120, 0], [180, 1], [200, "look"]], [2]),
        # Opened within the time of bounces: seen at the next look, and then the next press counts.
        ([[10, 0], [20, 1], [40, "look"], [60, 0], [61, "look"]], [1, 1]),
        # Nobody.
        ([[10, "look"], [20, "look"]], [0, 0]),
    ],
)  # fmt: skip
def test_a_press_is_told_once(happens: list[list[object]], told: list[int]) -> None:
    done = subprocess.run(
        ["micropython", "-c", SCRIPT, json.dumps(happens)],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROGRAM,
    )
    assert done.stderr == ""
    assert [count for _, count in json.loads(done.stdout)] == told
