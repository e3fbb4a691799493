"""The link's menu on a board without a camera: buttons open and walk it, and the link is asked what it asks.

Pages are values; how they are drawn, and what is to be seen while the menu is closed, is not known here.
"""

from collections.abc import Callable

import msgspec

from firmware.config import Config
from firmware.daemon.asking import LinkPort, ask, game_beside
from firmware.daemon.pressing import Lamps, Presses
from firmware.daemon.troubles import Troubles, coded
from firmware.daemon.walking import Walk
from firmware.gestures import Gesture
from firmware.match import BOTH_SIDES
from firmware.menus import Effect, LinkAsked, LinkGame, opened_at_link
from firmware.screens.menu_page import MenuPage
from firmware.texts import Texts
from hardware.button import Button, Buttons
from hardware.errors import HardwareError


class LobbyMenu:
    """CONFIRM opens it, for there is no match that could mean the press. The buttons are its own until
    `close`. `touched` is called when one is. Times are seconds of the edges' clock; what is wrong goes to
    `troubles`."""

    def __init__(
        self,
        buttons: Buttons,
        link: LinkPort,
        config: Config,
        texts: Texts,
        troubles: Troubles,
        touched: Callable[[], None],
    ) -> None:
        self._buttons = buttons
        self._link = link
        self._config = config
        self._texts = texts
        self._troubles = troubles
        self._presses = Presses(buttons, troubles, touched)
        self._lamps = Lamps(buttons, troubles)
        self._walk = Walk()

    def turn(self, now: float) -> MenuPage | None:
        """Do what was pressed since the last call; what is to be seen now, None while the menu is closed. It
        closes when nobody has touched it for long, with the link, and for a bug, which ends nothing else."""
        try:
            # Each CHALLENGE by itself: only a match knows what two of them mean.
            for gesture in self._presses.gestures(now, immediate=BOTH_SIDES):
                self._take(gesture, now)
            page = self._page(now)
        except Exception as error:
            self._walk.close(now)
            self._troubles.failed("menu", error, coded("failed"), now)
            page = None
        else:
            self._troubles.well("menu")
        for side in BOTH_SIDES:
            self._lamps.light(Button(side, "confirm"), game_beside(self._link) is not None, now)
            self._lamps.light(Button(side, "challenge"), page is not None, now)
        return page

    def close(self) -> str | None:
        """Give the buttons back; what went wrong with that, in words. Twice is safe."""
        try:
            self._buttons.close()
        except HardwareError as error:
            return str(error)
        return None

    def _take(self, gesture: Gesture, now: float) -> None:
        link = game_beside(self._link)
        if link is None or self._walk.is_past(gesture):
            return
        if self._walk.menu is None:
            if gesture.meaning in ("confirm", "menu"):
                self._open(link, now)
            return
        self._walk.beside(now, match_on=False, kept=True, link=link)
        for effect in self._walk.press(gesture, now):
            self._ask(effect, link, now)

    def _ask(self, effect: Effect, link: LinkGame, now: float) -> None:
        assert isinstance(effect, LinkAsked), effect  # the link's pages ask for nothing else
        if not ask(self._link, effect, self._troubles, now) and self._walk.menu is None:
            self._open(link, now)  # it says why

    def _open(self, link: LinkGame, now: float) -> None:
        self._walk.open(opened_at_link(self._config, link, now_s=now), now)

    def _page(self, now: float) -> MenuPage | None:
        menu, link = self._walk.menu, game_beside(self._link)
        if menu is None:
            return None
        if link is None or menu.over(now):
            self._walk.close(now)
            return None
        page = self._walk.beside(now, match_on=False, kept=True, link=link).page(self._texts)
        told = self._troubles.passing(now, self._texts)
        return page if told is None else msgspec.structs.replace(page, note=told)
