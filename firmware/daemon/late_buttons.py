"""Buttons that may come late: what cannot be opened yet is tried again, and the match goes on without.

Only when they are opened is decided here; what a press is, and who is told, is not.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from hardware.button import Button, Buttons, Edge
from hardware.errors import ButtonError

AGAIN_S: Final = 5.0
"""Between attempts: they are made in the loop, of which each takes a few milliseconds."""


class LateButtons:
    """Buttons as `open_buttons` gives them, as soon as it does; until then every question is a `ButtonError`
    that says why not, and lamps are lit later. The first attempt is made at once, the others by `drain`.
    `clock`: seconds that never go back."""

    def __init__(
        self, open_buttons: Callable[[], Buttons], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._open = open_buttons
        self._clock = clock
        self._buttons: Buttons | None = None
        self._lit: dict[Button, bool] = {}
        self._why = ""
        self._again_at = 0.0
        self._is_closed = False
        self._try()

    @property
    def dropped(self) -> int:
        """Edges thrown away since opening."""
        return 0 if self._buttons is None else self._buttons.dropped

    def drain(self) -> tuple[Edge, ...]:
        """As `Buttons` has it; while they are not open `ButtonError`."""
        if self._buttons is None and not self._is_closed and self._clock() >= self._again_at:
            self._try()
        buttons = self._opened()
        return () if buttons is None else buttons.drain()

    def down(self) -> frozenset[Button]:
        """As `Buttons` has it; while they are not open `ButtonError`."""
        buttons = self._opened()
        return frozenset() if buttons is None else buttons.down()

    def light(self, button: Button, on: bool) -> None:
        """Switch the button's lamp, or have it switched once it is there."""
        if self._buttons is None:
            self._lit[button] = on
        else:
            self._buttons.light(button, on)

    def close(self) -> None:
        """Give back what is open, and try no more. Safe to call twice."""
        self._is_closed = True
        if self._buttons is not None:
            self._buttons.close()

    def _opened(self) -> Buttons | None:
        """The buttons; None after `close` of some that never came."""
        if self._buttons is None and not self._is_closed:
            raise ButtonError(self._why)  # one that is kept would grow by a traceback each turn
        return self._buttons

    def _try(self) -> None:
        try:
            buttons = self._open()
        except ButtonError as error:
            self._why, self._again_at = str(error), self._clock() + AGAIN_S
            return
        self._buttons = buttons
        for button, on in self._lit.items():
            with suppress(ButtonError):  # pins that fail are told by `drain`
                buttons.light(button, on)
        self._lit.clear()
