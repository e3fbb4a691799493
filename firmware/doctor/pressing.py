"""Buttons watched while people press them: each opened by itself, so that one that fails hides no other.

Time comes from a clock that is given. What the presses mean for a finding is in `parts.py`.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from firmware.doctor.parts import Press
from hardware.button import Button, Buttons
from hardware.debounce import SETTLED_S, Debouncer
from hardware.errors import HardwareError

TURN_S: Final = 0.02
Opener = Callable[[Button], Buttons]


def watch(
    buttons: Mapping[Button, bool],
    opener: Opener,
    seconds: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
    pressed: Callable[[Button], None],
) -> Mapping[Button, Press]:
    """What is seen of each button within so many seconds, fewer if all have been pressed. `buttons`: whether
    each has a lamp, which is lit until it is pressed. `pressed` is told of each first press."""
    watched: dict[Button, _Watched] = {}
    failed: dict[Button, Press] = {}
    with ExitStack() as stack:
        for button in buttons:
            try:
                opened = opener(button)
                stack.callback(opened.close)
                watched[button] = _Watched(button, opened, lamp=buttons[button] and seconds > 0)
            except HardwareError as error:
                failed[button] = Press(error=str(error))
        until = clock() + seconds
        while (now := clock()) < until and not all(each.done for each in watched.values()):
            for each in watched.values():
                if each.turn(now):
                    pressed(each.button)
            sleep(TURN_S)
        for each in watched.values():
            each.end(clock())
    seen = {**failed, **{button: each.press for button, each in watched.items()}}
    return {button: seen[button] for button in buttons}


class _Watched:
    """One button that is open."""

    def __init__(self, button: Button, opened: Buttons, *, lamp: bool) -> None:
        self.button = button
        self._opened = opened
        self._debouncer = Debouncer()
        self.press = Press(began_down=button in opened.down())
        opened.drain()  # what was pressed before anyone looked is no press
        if lamp:
            self._light(True)

    @property
    def done(self) -> bool:
        """Whether nothing more is to be learnt: it was pressed and let go, or cannot be read."""
        return bool(self.press.error) or (self.press.presses > 0 and not self.press.ended_down)

    def turn(self, now: float) -> bool:
        """Hear what it did; whether it has been pressed for the first time."""
        if self.press.error:
            return False
        try:
            edges = self._debouncer.feed(self._opened.drain(), now)
        except HardwareError as error:
            self.press = replace(self.press, error=str(error))
            return False
        before = self.press
        for edge in edges:
            self.press = replace(
                self.press, presses=self.press.presses + edge.pressed, ended_down=edge.pressed
            )
        first = before.presses == 0 < self.press.presses
        if first:
            self._light(False)
        return first

    def end(self, now: float) -> None:
        """Look a last time."""
        self.turn(now + SETTLED_S)
        try:
            down = self.button in self._opened.down()
        except HardwareError as error:
            self.press = replace(self.press, error=self.press.error or str(error))
        else:
            self.press = replace(self.press, ended_down=down)

    def _light(self, on: bool) -> None:
        try:
            self._opened.light(self.button, on)
        except HardwareError as error:
            self.press = replace(self.press, dark=str(error))
