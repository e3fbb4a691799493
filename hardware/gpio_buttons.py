"""Buttons and lamps on the Raspberry Pi's pins; the one adapter that imports gpiozero.

Its threads only stamp edges and queue them. Debouncing is hardware/debounce.py's.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

from hardware.button import Button, Edge, EdgeQueue
from hardware.errors import ButtonError

_OLDEST_S: Final = 5.0
"""An edge stamped longer ago than this was stamped by another clock (kernels before 5.7 used UTC)."""


class GpioButtons:
    """Buttons between a pin and ground (`pull_up`) or a pin and 3.3 V, and lamps from a pin to ground.

    `pins` and `leds`: GPIO numbers (Broadcom's, not the header's). `pin_factory`: a gpiozero pin
    factory, which stays open; without one the Pi's own pins are opened through lgpio, and never by
    gpiozero's silent search for whatever library is there; a board without buttons needs no Pi.
    `clock`: the camera's kind of clock.
    `ButtonError` for what cannot be opened; nothing stays open then.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        leds: Mapping[Button, int] | None = None,
        *,
        pull_up: bool = True,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        leds = leds or {}
        _check_pins(pins, leds)
        self._clock = clock
        self._numbers = (dict(pins), dict(leds))
        self._inputs: dict[Button, Any] = {}
        self._lamps: dict[Button, Any] = {}
        self._own_factory = _pi_pins() if pin_factory is None and (pins or leds) else None
        factory = pin_factory if pin_factory is not None else self._own_factory
        try:
            for button, pin in pins.items():
                self._inputs[button] = _opened_input(button, pin, pull_up, factory)
            for button, pin in leds.items():
                self._lamps[button] = _opened_lamp(button, pin, factory)
            # What is down now was pressed before anyone looked: it counts only once it was let go.
            self._queue = EdgeQueue([button for button in self._inputs if self._reads_down(button)])
        except ButtonError:
            self.close()
            raise
        self._otherwise: set[Button] = set()
        for button, device in self._inputs.items():
            device.when_activated = partial(self._changed, button, True)
            device.when_deactivated = partial(self._changed, button, False)

    @property
    def dropped(self) -> int:
        """Edges thrown away since opening."""
        return self._queue.dropped

    def drain(self) -> tuple[Edge, ...]:
        """The edges since the last call; `ButtonError` when a pin cannot be read any more."""
        try:
            for button in self._inputs:
                self._find_lost_edge(button)
        except ButtonError:
            if edges := self._queue.drain():
                return edges
            raise
        return self._queue.drain()

    def down(self) -> frozenset[Button]:
        """The buttons that are down now; `ButtonError` when a pin cannot be read."""
        return frozenset(button for button in self._inputs if self._reads_down(button))

    def light(self, button: Button, on: bool) -> None:
        """Switch the button's lamp, if it has one; `ButtonError` when that fails."""
        lamp = self._lamps.get(button)
        if lamp is None:
            return
        try:
            lamp.value = on
        except Exception as error:  # lgpio's errors share no base with gpiozero's
            raise ButtonError(
                f"the lamp of {button} (GPIO {self._numbers[1][button]}) cannot be switched ({error}); "
                "see that no other program took the pin, then restart"
            ) from error

    def close(self) -> None:
        """Lamps off, pins given back. Safe to call twice."""
        lamps, devices = [*self._lamps.values()], [*self._inputs.values(), *self._lamps.values()]
        self._inputs, self._lamps = {}, {}
        for lamp in lamps:
            with suppress(Exception):  # as below
                lamp.off()
        if self._own_factory is not None:
            devices.append(self._own_factory)
            self._own_factory = None
        for device in devices:
            with suppress(Exception):  # a pin that is lost cannot be given back, and the others must be
                device.close()

    def _changed(self, button: Button, pressed: bool) -> None:
        """Called in gpiozero's thread. The kernel stamped the edge; how long ago, gpiozero tells. Python
        may come late, by as much as another thread holds it up, and presses must keep their distance."""
        device = self._inputs.get(button)
        if device is None:
            return  # closing
        age = device.active_time if pressed else device.inactive_time
        late = age if age is not None and 0.0 <= age <= _OLDEST_S else 0.0
        self._queue.put(Edge(button, pressed, self._clock() - late))

    def _find_lost_edge(self, button: Button) -> None:
        """An edge that the system lost would leave the button down for ever. One that is still on its way
        is not lost: the pin must read otherwise than the last edge said twice in a row."""
        down = self._reads_down(button)
        if down == self._queue.is_down(button):
            self._otherwise.discard(button)
        elif button in self._otherwise:
            self._otherwise.discard(button)
            self._queue.put(Edge(button, down, self._clock()))
        else:
            self._otherwise.add(button)

    def _reads_down(self, button: Button) -> bool:
        try:
            return bool(self._inputs[button].is_active)
        except Exception as error:
            raise ButtonError(
                f"{button} (GPIO {self._numbers[0][button]}) cannot be read ({error}); see that no other "
                "program took the pin, then restart"
            ) from error


def _check_pins(pins: Mapping[Button, int], leds: Mapping[Button, int]) -> None:
    """No pin twice."""
    users: dict[int, str] = {}
    named = [(str(button), pin) for button, pin in pins.items()]
    named += [(f"the lamp of {button}", pin) for button, pin in leds.items()]
    for name, pin in named:
        if pin in users:
            raise ButtonError(
                f"GPIO {pin} is given to {users[pin]} and to {name}; give each a pin of its own"
            )
        users[pin] = name


def _pi_pins() -> Any:
    """The Pi's own pins."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise ButtonError(
            f"the buttons need gpiozero and lgpio ({error}); install them with "
            "`sudo apt install python3-gpiozero python3-lgpio`, or name no pins to play without"
        ) from error
    except Exception as error:
        # lgpio keeps a pipe in the working directory and fails where it may not write.
        raise ButtonError(
            f"the pins of this computer do not open ({error}); see that it is a Raspberry Pi, the user in "
            "the group `gpio`, and the working directory one that can be written to"
        ) from error


def _opened_input(button: Button, pin: int, pull_up: bool, factory: Any) -> Any:
    # Not gpiozero's Button: each starts a thread that watches for holds, which are our own affair.
    from gpiozero import DigitalInputDevice

    try:
        return DigitalInputDevice(pin, pull_up=pull_up, bounce_time=None, pin_factory=factory)
    except Exception as error:
        raise _not_opened(str(button), pin, error) from error


def _opened_lamp(button: Button, pin: int, factory: Any) -> Any:
    from gpiozero import DigitalOutputDevice

    try:
        return DigitalOutputDevice(pin, initial_value=False, pin_factory=factory)
    except Exception as error:
        raise _not_opened(f"the lamp of {button}", pin, error) from error


def _not_opened(name: str, pin: int, error: Exception) -> ButtonError:
    return ButtonError(
        f"{name} (GPIO {pin}) does not open ({error}); see that the pin is a free GPIO of this Pi and "
        "that no other program uses it"
    )
