"""The menus that the buttons walk: what is on their pages, and what comes of taking it.

Pure: gestures, settings and time come in; what is to be done goes out as effects, for whoever drives it. No
file is written here and nothing drawn.
"""

from firmware.menus.effects import Calibrate, Effect, LinkAsked, NewMatch, Redo, SettingChanged, ShutDown
from firmware.menus.link_pages import LinkGame
from firmware.menus.menu import MENU_S, Menu, opened, opened_at_link
from firmware.menus.pages import Ability

__all__ = [
    "MENU_S",
    "Ability",
    "Calibrate",
    "Effect",
    "LinkAsked",
    "LinkGame",
    "Menu",
    "NewMatch",
    "Redo",
    "SettingChanged",
    "ShutDown",
    "opened",
    "opened_at_link",
]
