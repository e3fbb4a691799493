"""The menu that is open: a path of pages, and what a gesture makes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from firmware.config import Config
from firmware.gestures import Meaning
from firmware.menus.effects import Effect, SettingChanged, changed
from firmware.menus.entries import Ask, Back, Entry, Open, Page, Plain, Set, Spelling, Spelt, Tell, Wait
from firmware.menus.link_pages import LinkGame
from firmware.menus.pages import Ability, Around, entries_of, title_of
from firmware.screens.menu_page import MenuEntry, MenuPage
from firmware.texts import Texts

MENU_S: Final = 60.0
"""A menu that nobody touches for so long, in seconds, closes: somebody walked away from it."""

Result = tuple["Menu | None", tuple[Effect, ...]]

_OF_THE_LINK: Final = (Plain("link"), Plain("link-end"))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A page, and the index of its highlighted entry."""

    page: Page
    at: int


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu. `path`: its pages, from the first to the one that is seen; `touched_s`: when it was last
    touched, seconds of one clock that never goes back."""

    around: Around
    path: tuple[_Spot, ...]
    touched_s: float

    @property
    def config(self) -> Config:
        """The settings as the menu shows them."""
        return self.around.config

    def after(self, meaning: Meaning, now_s: float) -> Result:
        """The menu after a gesture, None if that left it; and what it asks for, in order.

        CHALLENGE highlights the next entry, two of them the one after it; CONFIRM takes the highlighted one.
        CONFIRM held goes back a page, and leaves the menu from the first; what both sides hold is for leaving
        it, if it is CONFIRM.
        """
        touched = replace(self, touched_s=now_s)
        match meaning:
            case "challenge":
                return touched._stepped(1), ()
            case "flick-fault":
                return touched._stepped(2), ()
            case "confirm":
                return touched._taken()
            case "undo":
                return touched._back(), ()
            case "menu":
                return None, ()
            case "overrule":
                return touched, ()

    def over(self, now_s: float) -> bool:
        """Whether nobody has touched it for `MENU_S`."""
        return now_s - self.touched_s >= MENU_S

    def knowing(self, config: Config) -> "Menu":
        """The same page with other settings: those that hold if what it asked for could not be saved."""
        return replace(self, around=replace(self.around, config=config))

    def beside(self, *, match_on: bool, kept: bool, link: LinkGame | None = None) -> "Menu":
        """The same page beside match and link as they are now: `Around` says of what it depends. Where the
        link's game has begun or ended meanwhile, its page begins anew."""
        after = replace(self, around=replace(self.around, match_on=match_on, kept=kept, link=link))
        depth = next((n for n, spot in enumerate(self.path) if spot.page in _OF_THE_LINK), None)
        if depth is None or _status(link) == _status(self.around.link):
            return after
        fresh = () if link is None else (_Spot(Plain("link"), 0),)
        return replace(after, path=(*self.path[:depth], *fresh))

    def page(self, texts: Texts) -> MenuPage:
        """What is to be seen. `texts`: in the language of the settings."""
        spot, entries = self.path[-1], self._entries
        return MenuPage(
            title=title_of(spot.page, texts, self.around.link),
            entries=tuple(
                MenuEntry(each.label(texts), each.value(texts), each.chosen, each.idle) for each in entries
            ),
            at=spot.at,
            note=entries[spot.at].note(texts),
            typed=None if isinstance(spot.page, Plain) else spot.page.text,
        )

    @property
    def _entries(self) -> Sequence[Entry]:
        return entries_of(self.path[-1].page, self.around)

    def _stepped(self, steps: int) -> "Menu":
        """The next entry highlighted; after the last comes the first."""
        spot = self.path[-1]
        return self._at(replace(spot, at=(spot.at + steps) % len(self._entries)))

    def _at(self, spot: _Spot) -> "Menu":
        return replace(self, path=(*self.path[:-1], spot))

    def _back(self) -> "Menu | None":
        return replace(self, path=self.path[:-1]) if len(self.path) > 1 else None

    def _taken(self) -> Result:
        match self._entries[self.path[-1].at].deed:
            case Open(page, at):
                return replace(self, path=(*self.path, _Spot(page, at))), ()
            case Back():
                return self._back(), ()
            case Wait():
                return self, ()
            case Spelt(text, at):
                return self._spelt(text, at), ()
            case Ask(effect):
                return None, (effect,)
            case Tell(effect):
                return self, (effect,)
            case Set(changes, leaves):
                config = changed(self.config, changes)
                after = self.knowing(config)
                effects = (SettingChanged(changes),) if config != self.config else ()
                return (after._back() if leaves else after), effects

    def _spelt(self, text: str, at: int) -> "Menu":
        """Back on the page of spelling."""
        depth = next(n for n, spot in enumerate(self.path) if isinstance(spot.page, Spelling))
        page = self.path[depth].page
        assert isinstance(page, Spelling)
        return replace(self, path=(*self.path[:depth], _Spot(replace(page, text=text), at)))


def _status(link: LinkGame | None) -> str | None:
    return None if link is None else link.status


def opened(
    config: Config,
    *,
    match_on: bool,
    can: frozenset[Ability],
    now_s: float,
    undone: bool = False,
    link: LinkGame | None = None,
) -> Menu:
    """A menu at its first page, where a new match comes first. `match_on`, `can`, `link`, `undone`: as of
    `Around`; `now_s`: as `Menu.touched_s`."""
    return Menu(Around(config, match_on, can, undone=undone, link=link), (_Spot(Plain("main"), 0),), now_s)


def opened_at_link(config: Config, link: LinkGame, *, now_s: float) -> Menu:
    """A menu of the link's game alone, for a board on which no match is played: it has no page before. Its
    link has to be there as long as it is open. `now_s`: as `Menu.touched_s`."""
    return Menu(Around(config, False, frozenset(), link=link), (_Spot(Plain("link"), 0),), now_s)
