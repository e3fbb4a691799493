"""A table's buttons: gestures made of their presses, and their lamps.

Asked once a turn, and never waited for. What a gesture does, and which lamps are lit, is not known here.
"""

from collections.abc import Callable, Collection

from firmware.chair.notices import Saying
from firmware.daemon.troubles import Troubles, coded
from firmware.gestures import Gesture, Gestures
from firmware.rules import Side
from firmware.texts import button_stuck
from hardware.button import Button, Buttons
from hardware.debounce import Debouncer
from hardware.errors import ButtonError


class Presses:
    """What people do with the buttons, on their edges' clock. `touched` is called when one is. What is wrong
    goes to `troubles`."""

    def __init__(self, buttons: Buttons, troubles: Troubles, touched: Callable[[], None]) -> None:
        self._buttons = buttons
        self._touched = touched
        self._troubles = troubles
        self._debouncer, self._gestures = Debouncer(), Gestures()
        self._stuck: tuple[Button, ...] = ()

    def gestures(self, now: float, *, immediate: Collection[Side]) -> tuple[Gesture, ...]:
        """What has been pressed since. `immediate`: as `Gestures.feed` has it."""
        try:
            edges = self._buttons.drain()
            self._troubles.well("buttons")
        except ButtonError as error:
            self._troubles.wrong("buttons", str(error), coded("no-buttons"), now)
            edges = ()
        except Exception as error:
            self._troubles.failed("buttons", error, coded("no-buttons"), now)
            edges = ()
        if edges:  # already as a button goes down: what it is about has to be readable
            self._touched()
        done = self._gestures.feed(self._debouncer.feed(edges, now), now, immediate=immediate)
        self._tell_stuck(now)
        return done

    def _tell_stuck(self, now: float) -> None:
        stuck = self._gestures.stuck()
        for button in stuck:
            detail = f"{button} is stuck or something lies on it; free it"
            self._troubles.wrong(str(button), detail, _stuck(button), now)
        for button in self._stuck:
            if button not in stuck:
                self._troubles.well(str(button))
        self._stuck = stuck


class Lamps:
    """The buttons' lamps, told when they are to be others. A bug in them goes to `troubles`."""

    def __init__(self, buttons: Buttons, troubles: Troubles) -> None:
        self._buttons = buttons
        self._troubles = troubles
        self._lit: dict[Button, bool] = {}

    def light(self, button: Button, on: bool, now: float) -> None:
        """Have a lamp be on or off."""
        if self._lit.get(button) is on:
            return
        self._lit[button] = on
        try:
            self._buttons.light(button, on)
        except ButtonError:
            pass  # a lamp that fails is told by `drain`, whose pins fail with it
        except Exception as error:
            self._troubles.failed("lamps", error, coded("failed"), now)


def _stuck(button: Button) -> Saying:
    return lambda texts: button_stuck(button.side, button.kind, texts)
