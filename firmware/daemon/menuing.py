"""The menu at the table: open beside a match or not, and the settings that people change in it.

Settings are kept in the configuration's file, where there is one. What else they ask for goes out; how it is
done is not known here, nor how a page is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from firmware.config import Config, ConfigError, saved
from firmware.config.writing import Change
from firmware.daemon.begun import settings_of
from firmware.daemon.beside import Beside
from firmware.daemon.parts import Terms, Voiced
from firmware.daemon.troubles import Tell, Troubles, coded
from firmware.daemon.walking import Walk
from firmware.gestures import Gesture
from firmware.journal import MatchBegan
from firmware.menus import Ability, Effect, Menu, SettingChanged, opened
from firmware.menus.effects import changed
from firmware.screens.menu_page import MenuPage
from firmware.texts import load

_AT_ONCE: Final = ("match.language", "speaker.mute")
"""Settings that the match that is on takes over, too."""
_PART: Final = "settings"


@dataclass(frozen=True, slots=True)
class Settings:
    """What people may set. `config`: as it is; `file`: where it is kept, None for nowhere; `can`: what the
    rig is able to do. `terms`, `voice`: what a match is begun with, and what speaks in it, by settings."""

    config: Config
    file: Path | None
    can: frozenset[Ability]
    terms: Callable[[Config], Terms]
    voice: Callable[[Config], Voiced]


class Menuing:
    """Times are seconds of one clock that never goes back. `tell` is given a line for every change.

    `playing`: the settings of the match that is on, `coming`: those of the next one. A file that cannot be
    written is told to `troubles`, and tried again with the next change; until then the settings hold all the
    same.
    """

    def __init__(self, settings: Settings, tell: Tell, troubles: Troubles) -> None:
        self.playing = settings.config
        self.coming = settings.config
        self._settings = settings
        self._tell = tell
        self._troubles = troubles
        self._walk = Walk()
        self._unsaved: dict[str, Change] = {}

    @property
    def is_open(self) -> bool:
        """Whether the menu is to be seen, and takes every gesture: each CHALLENGE by itself
        (`Gestures.feed`, `immediate`)."""
        return self._walk.menu is not None

    def is_past(self, gesture: Gesture) -> bool:
        """Whether a gesture began before the menu was opened or closed: it is neither its nor the match's."""
        return self._walk.is_past(gesture)

    def takes(self, gesture: Gesture, beside: Beside, *, stuck: bool = False) -> bool:
        """Whether a gesture is the menu's and not the match's; it does not open while something is asked.
        `stuck`: no match can go on, so that there is nothing else which a CONFIRM could be about."""
        opens = gesture.meaning == "menu" or (stuck and gesture.meaning == "confirm")
        return self.is_open or (opens and not beside.asks)

    def press(self, gesture: Gesture, now: float, beside: Beside) -> tuple[Effect, ...]:
        """What has to be done after a gesture that the menu takes. A `SettingChanged` among it is for the
        match that is on: `playing` says what it has to be now. A bug closes it."""
        try:
            return self._pressed(gesture, now, beside)
        except Exception as error:
            self._fail(error, now)
            return ()

    def _pressed(self, gesture: Gesture, now: float, beside: Beside) -> tuple[Effect, ...]:
        if not self.is_open:
            menu = opened(
                self.coming,
                match_on=beside.match_on,
                can=self._settings.can,
                now_s=now,
                undone=beside.undone,
                link=beside.link,
            )
            self._walk.open(menu, now)
            return ()
        self._now(now, beside)
        effects = self._walk.press(gesture, now)
        asked: list[Effect] = []
        for effect in effects:
            if not isinstance(effect, SettingChanged):
                asked.append(effect)
                continue
            at_once = {path: change for path, change in effect.changes.items() if path in _AT_ONCE}
            self.coming = changed(self.coming, effect.changes)
            self.playing = changed(self.playing, at_once)
            self._tell({"kind": "settings", "changes": dict(effect.changes)})
            self._save(effect, now)
            if at_once:
                asked.append(SettingChanged(at_once))
        return tuple(asked)

    def _now(self, now: float, beside: Beside) -> Menu:
        """The open menu beside match and link as they are."""
        return self._walk.beside(now, match_on=beside.match_on, kept=beside.kept, link=beside.link)

    def begin(self) -> Terms:
        """A match begins by the settings that were to come: its terms."""
        self.playing = self.coming
        return self._settings.terms(self.playing)

    def resumed(self, began: MatchBegan) -> None:
        """The match that is on was begun before: it is played as on record, whatever is set for the next."""
        self.playing = settings_of(self.playing, began)

    def voice(self) -> Voiced:
        """What speaks in the match that is on."""
        return self._settings.voice(self.playing)

    def page(self, now: float, beside: Beside) -> MenuPage | None:
        """What is to be seen now; None while the menu is closed. It closes for what is asked, when nobody has
        touched it for long, and for a bug. While nothing is scored that is told in place of the title."""
        if self._walk.menu is None:
            return None
        try:
            page = self._page(self._walk.menu, now, beside)
        except Exception as error:
            self._fail(error, now)
            return None
        self._troubles.well("menu")
        return page

    def _page(self, menu: Menu, now: float, beside: Beside) -> MenuPage | None:
        if beside.asks or menu.over(now):
            self._walk.close(now)
            return None
        texts = load(self.coming.match.language)
        page = self._now(now, beside).page(texts)
        if beside.scores:
            return page
        return msgspec.structs.replace(page, title=texts.say("menu.waits"), waits=True)

    def _fail(self, error: Exception, now: float) -> None:
        """What was changed before stays so."""
        self._walk.close(now)
        self._troubles.failed("menu", error, coded("failed"), now)

    def _save(self, change: SettingChanged, now: float) -> None:
        if (file := self._settings.file) is None:
            return
        for path, value in change.changes.items():
            self._unsaved.pop(path, None)  # the latest comes last: it may be of a table that an earlier is in
            self._unsaved[path] = value
        try:
            saved(file, self._unsaved)
        except ConfigError as error:
            self._troubles.wrong(_PART, str(error), coded("not-saved"), now)
            return
        self._unsaved.clear()
        self._troubles.well(_PART)
