"""A menu that is open or not, and gestures that walk it: which of them are about what stands there now.

What a menu leads to, and what its effects do, is not known here.
"""

import math

from firmware.gestures import Gesture
from firmware.menus import Effect, LinkGame, Menu


class Walk:
    """Times are seconds of one clock that never goes back, that of the gestures."""

    def __init__(self) -> None:
        self.menu: Menu | None = None
        """None while it is closed."""
        self._since_s = -math.inf
        self._moved_s = -math.inf

    def is_past(self, gesture: Gesture) -> bool:
        """Whether a gesture began before the menu was opened or closed: it is neither its nor anything
        else's."""
        return gesture.pressed_at_s < self._since_s

    def open(self, menu: Menu, now: float) -> None:
        """Have this menu be open."""
        self.menu = menu
        self._since_s = self._moved_s = now

    def close(self, now: float) -> None:
        """Have none be open."""
        self.menu, self._since_s = None, now

    def beside(self, now: float, *, match_on: bool, kept: bool, link: LinkGame | None) -> Menu:
        """The menu, which has to be open, beside match and link as they are (`Menu.beside`); they may lead to
        another page."""
        assert self.menu is not None
        before, self.menu = self.menu, self.menu.beside(match_on=match_on, kept=kept, link=link)
        if self.menu.path != before.path:
            self._moved_s = now
        return self.menu

    def press(self, gesture: Gesture, now: float) -> tuple[Effect, ...]:
        """What the menu, which has to be open, asks for after a gesture. A CONFIRM that began when another
        entry was highlighted does nothing."""
        assert self.menu is not None
        if gesture.meaning == "confirm" and gesture.pressed_at_s < self._moved_s:
            return ()
        before = self.menu
        self.menu, effects = before.after(gesture.meaning, now)
        if self.menu is None:
            self._since_s = now
        elif self.menu.path != before.path:
            self._moved_s = now
        return effects
