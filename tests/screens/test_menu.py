"""The menu's pages as pictures: recorded sheets of them, and what must be true of any of them.

SETMATCH_RECORD=1 records the sheets anew; look at every one of them then.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from unittest import mock

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.config import Config
from firmware.config.sections import MatchSection
from firmware.gestures import Meaning
from firmware.menus import Ability, LinkGame, Menu, opened
from firmware.screens import font, menu
from firmware.screens.letters import printable
from firmware.screens.menu import menu_panel
from firmware.screens.menu_page import MenuEntry, MenuPage
from firmware.screens.panels import SIZES, Mode
from firmware.texts import LANGUAGES, Language, load
from tests.screens.recorded import FOLDER, check
from tests.screens.test_panels import KINDS, Box, assert_whole_and_apart, texts_drawn, words
from tests.screens.test_sheets import sheet


def plain(language: Language) -> Config:
    return Config(match=MatchSection(language=language))


def doubles(language: Language) -> Config:
    """Options of which some are idle, and long names."""
    return Config(
        match=MatchSection(
            preset="advanced",
            options={"service_boxes": False},
            doubles=True,
            games=6,
            first_server="B",
            names={"A": "Ada", "B": "Maximilien-Henri", "A1": "Françoise"},
            language=language,
        )
    )


CONFIRM: tuple[Meaning, ...] = ("confirm",)
CHALLENGE: tuple[Meaning, ...] = ("challenge",)


def steps(n: int) -> tuple[Meaning, ...]:
    return CHALLENGE * n


WALKS: dict[str, tuple[Any, Sequence[Meaning]]] = {
    "new-match": (plain, ()),
    "level": (plain, steps(1)),
    "first-server": (plain, steps(3)),
    "first-server-long-name": (doubles, steps(3)),
    "players": (plain, steps(4)),
    "language": (plain, steps(6)),
    "sound": (plain, steps(7)),
    "calibrate": (plain, steps(8)),
    "back": (plain, steps(10)),
    "leave-match": (plain, CONFIRM),
    "leave-match-new": (plain, (*CONFIRM, *steps(1))),
    "shut-down": (plain, (*steps(9), *CONFIRM)),
    "levels-chosen": (plain, (*steps(1), *CONFIRM)),
    "levels-other": (plain, (*steps(1), *CONFIRM, *steps(2))),
    "levels-options": (plain, (*steps(1), *CONFIRM, *steps(4))),
    **{f"option-{n + 1}": (doubles, (*steps(1), *CONFIRM, *steps(3), *CONFIRM, *steps(n))) for n in range(9)},
    "sets": (plain, (*steps(2), *CONFIRM)),
    "games": (doubles, (*steps(2), *CONFIRM, *steps(1))),
    "names": (plain, (*steps(5), *CONFIRM)),
    "names-long": (doubles, (*steps(5), *CONFIRM, *steps(1))),
    "spelling": (plain, (*steps(5), *CONFIRM, *CONFIRM)),
    "spelling-signs": (doubles, (*steps(5), *CONFIRM, *CONFIRM, *steps(4))),
    "spelling-delete": (doubles, (*steps(5), *CONFIRM, *steps(2), *CONFIRM, *steps(7))),
    "spelling-full": (doubles, (*steps(5), *CONFIRM, *steps(1), *CONFIRM, *steps(5))),
    "letters": (doubles, (*steps(5), *CONFIRM, *CONFIRM, *steps(2), *CONFIRM)),
    "letters-accents": (doubles, (*steps(5), *CONFIRM, *steps(2), *CONFIRM, *steps(8), *CONFIRM, *steps(4))),
    "letters-back": (plain, (*steps(5), *CONFIRM, *CONFIRM, *steps(4), *CONFIRM, *steps(5))),
}


SHEETS = {
    f"{size[0]}x{size[1]}.{language}.png": (size, mode, language)
    for size, mode in KINDS
    for language in LANGUAGES
}
every_size = pytest.mark.parametrize("size", SIZES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def page_after(walk: str, language: Language) -> MenuPage:
    config, meanings = WALKS[walk]
    can = frozenset(get_args(Ability))
    opened_menu: Menu | None = opened(config(language), match_on=True, can=can, now_s=0.0)
    for meaning in meanings:
        assert opened_menu is not None
        opened_menu, _ = opened_menu.after(meaning, 0.0)
    assert opened_menu is not None
    return opened_menu.page(load(language))


LINK = LinkGame("lobby", "set", 3, {"tutor": True}, 2)
LINK_PAGES: dict[str, tuple[LinkGame, Sequence[Meaning]]] = {
    "controllers": (LINK, steps(1)),
    "start": (LINK, (*steps(1), *CONFIRM)),
    **{f"choice-{n}": (LINK, (*steps(1), *CONFIRM, *steps(n))) for n in range(1, 7)},
    "seats-who-comes": (replace(LINK, seats=None), (*steps(1), *CONFIRM, *steps(1))),
    "pause": (replace(LINK, status="playing"), (*steps(1), *CONFIRM)),
    "go-on": (replace(LINK, status="paused"), (*steps(1), *CONFIRM)),
    "end": (replace(LINK, status="paused"), (*steps(1), *CONFIRM, *steps(1))),
    "end-sure": (replace(LINK, status="paused"), (*steps(1), *CONFIRM, *steps(1), *CONFIRM)),
    "end-sure-yes": (
        replace(LINK, status="paused"),
        (*steps(1), *CONFIRM, *steps(1), *CONFIRM, *steps(1)),
    ),
}


def link_page_after(walk: str, language: Language) -> MenuPage:
    link, meanings = LINK_PAGES[walk]
    menu: Menu | None = opened(plain(language), match_on=False, can=frozenset(), now_s=0.0, link=link)
    for meaning in meanings:
        assert menu is not None
        menu, _ = menu.after(meaning, 0.0)
    assert menu is not None
    return menu.page(load(language))


@contextmanager
def menu_texts_drawn() -> Iterator[list[Box]]:
    with texts_drawn() as drawn, mock.patch.object(menu, "draw_text", font.draw_text):
        yield drawn


@pytest.mark.parametrize("name", SHEETS)
def test_the_pages_are_as_recorded(name: str, tmp_path: Path) -> None:
    size, mode, language = SHEETS[name]
    drawn = {walk: menu_panel(page_after(walk, language), size, mode) for walk in WALKS}
    check(f"menu/{name}", sheet(drawn), tmp_path)


@pytest.mark.parametrize("name", SHEETS)
def test_the_links_pages_are_as_recorded(name: str, tmp_path: Path) -> None:
    size, mode, language = SHEETS[name]
    drawn = {walk: menu_panel(link_page_after(walk, language), size, mode) for walk in LINK_PAGES}
    assert len({picture.tobytes() for picture in drawn.values()}) == len(drawn)
    check(f"menu/link.{name}", sheet(drawn), tmp_path)


def test_every_recorded_sheet_is_one_of_these() -> None:
    links = {f"link.{name}" for name in SHEETS}
    assert {path.name for path in (FOLDER / "menu").glob("*.png")} == set(SHEETS) | links


@every_size
@every_language
def test_no_two_pages_look_alike(size: tuple[int, int], language: Language) -> None:
    """Each highlighted entry shows which one it is."""
    drawn = {walk: menu_panel(page_after(walk, language), size).tobytes() for walk in WALKS}
    assert len(set(drawn.values())) == len(drawn)


@every_size
@every_language
def test_all_that_is_said_of_the_highlighted_entry_is_there(
    size: tuple[int, int], language: Language
) -> None:
    waits = load(language).say("menu.waits")
    pages = [(walk, page_after(walk, language)) for walk in WALKS]
    pages += [(walk, msgspec.structs.replace(page, title=waits)) for walk, page in pages]
    unkept = opened(plain(language), match_on=True, can=frozenset(), now_s=0.0).beside(
        match_on=True, kept=False
    )
    pages.append(("unkept", unkept.page(load(language))))
    for walk, page in pages:
        here = page.entries[page.at]
        with menu_texts_drawn() as drawn:
            menu_panel(page, size)
        assert_whole_and_apart(drawn, size)
        shown = words(drawn).replace(" ", "")
        said = [page.title, here.value, page.note, page.typed or ""]
        if walk != "letters-back":  # which is an arrow
            said.append(here.label)
        for text in said:
            assert printable(text).replace(" ", "") in shown, (walk, text)


@pytest.mark.parametrize("walk", ["new-match", "level", "players", "sound", "back", "levels-other", "sets"])
@every_language
@pytest.mark.parametrize("size", [(128, 64), (256, 64)])
def test_the_highlighted_entry_can_be_read_from_two_metres(
    walk: str, language: Language, size: tuple[int, int]
) -> None:
    """Its letters are as large as those of who plays, 14 pixels at least."""
    page = page_after(walk, language)
    here = printable(page.entries[page.at].label).split()
    with menu_texts_drawn() as drawn:
        menu_panel(page, size)
    highest = max(bottom - top for text, _, top, _, bottom in drawn if text.split()[0] == here[0])
    assert highest >= 14


WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x17F), max_size=40)
ENTRIES = st.builds(
    MenuEntry,
    label=WORDS.filter(lambda text: text.strip() != ""),
    value=st.just("") | WORDS,
    chosen=st.none() | st.booleans(),
    idle=st.booleans(),
)


@st.composite
def pages(draw: st.DrawFn) -> MenuPage:
    entries = tuple(draw(st.lists(ENTRIES, min_size=1, max_size=12)))
    return MenuPage(
        title=draw(WORDS),
        entries=entries,
        at=draw(st.integers(0, len(entries) - 1)),
        note=draw(WORDS | st.text(max_size=200)),
        typed=draw(st.none() | st.text(max_size=16)),
    )


@settings(deadline=None)
@given(pages(), st.sampled_from(SIZES), st.sampled_from(get_args(Mode)))
def test_any_page_can_be_drawn_on_any_panel(page: MenuPage, size: tuple[int, int], mode: Mode) -> None:
    with menu_texts_drawn() as drawn:
        image = menu_panel(page, size, mode)
    assert_whole_and_apart(drawn, size)
    assert (image.size, image.mode) == (size, mode)
    levels = {level for _, level in image.getcolors() or ()}
    assert levels <= ({0, 255} if mode == "1" else {0, 102, 176, 255})
    assert 255 in levels


def test_hints_tell_whether_there_is_more_above_and_below() -> None:
    page = MenuPage("", tuple(MenuEntry(f"Entry {n}") for n in range(3)), 0)
    for size in SIZES:
        corner = (size[0] - 16, 0, size[0], 16 if size[0] < size[1] else 7)
        seen = [menu_panel(MenuPage("", page.entries, at), size).crop(corner).tobytes() for at in range(3)]
        assert len(set(seen)) == 3
        alone = menu_panel(MenuPage("", page.entries[:1], 0), size).crop(corner)
        assert alone.getbbox() is None


@every_size
def test_a_title_that_warns_is_as_bright_as_can_be(size: tuple[int, int]) -> None:
    page = MenuPage("Waits", (MenuEntry("On"), MenuEntry("Back")), 0)
    plain_title = np.asarray(menu_panel(page, size, "L"))[:7]
    warning = np.asarray(menu_panel(msgspec.structs.replace(page, waits=True), size, "L"))[:7]
    assert np.array_equal(plain_title > 0, warning > 0)
    dim = (plain_title > 0) & (plain_title < 255)
    assert dim.sum() > 20
    assert (warning[:, :32][dim[:, :32]] == 255).all()


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="128x64"):
        menu_panel(MenuPage("", (MenuEntry("Back"),), 0), (100, 100))
