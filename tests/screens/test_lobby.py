"""The lobby as pictures: recorded sheets, and what must be true of any lobby.

SETMATCH_RECORD=1 records the sheets anew; look at every one of them then.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.games.catalogue import SET
from firmware.screens import font, lobby
from firmware.screens.lobby import LobbyPage, Sitting, lobby_panel
from firmware.screens.panels import SIZES, Mode
from firmware.texts import LANGUAGES, Language, Texts, load, option_in_brief
from tests.screens.recorded import FOLDER, check
from tests.screens.test_panels import KINDS, Box, assert_whole_and_apart, texts_drawn, words
from tests.screens.test_sheets import sheet

PEOPLE = (Sitting("Ève"), Sitting("Maximilien"), Sitting("Jo", here=False), Sitting("Anne-Laure"))
CHANGED = {"deck": "beginner", "penalty": "lockout_only", "tutor": True, "hands": 0, "naming_s": 7.5}


def changed(texts: Texts) -> tuple[str, ...]:
    return tuple(option_in_brief(SET.name, option, CHANGED[option.name], texts) for option in SET.options)


def pages(language: Language) -> dict[str, LobbyPage]:
    texts = load(language)
    note = texts.say("games.lobby.nobody")
    return {
        "nobody": LobbyPage("SET", "0/20", note=note),
        "nobody-options": LobbyPage("SET", "0/3", chosen=changed(texts), note=note),
        "one": LobbyPage("SET", "1/20", PEOPLE[:1], note=note),
        "four": LobbyPage("SET", "4/4", PEOPLE, note=note),
        "four-options": LobbyPage("SET", "4/20", PEOPLE, changed(texts), note),
        "tutor": LobbyPage("SET", "3/20", PEOPLE[:3], changed(texts)[2:3], note),
        "eight": LobbyPage("SET", "8/8", PEOPLE * 2, note=note),
        "twenty": LobbyPage("SET", "20/20", PEOPLE * 5, changed(texts), note),
    }


SHEETS = {
    f"{size[0]}x{size[1]}.{language}.png": (size, mode, language)
    for size, mode in KINDS
    for language in LANGUAGES
}


@contextmanager
def lobby_texts_drawn() -> Iterator[list[Box]]:
    with texts_drawn() as drawn, mock.patch.object(lobby, "draw_text", font.draw_text):
        yield drawn


@pytest.mark.parametrize("name", SHEETS)
def test_the_pages_are_as_recorded(name: str, tmp_path: Path) -> None:
    size, mode, language = SHEETS[name]
    drawn = {page: lobby_panel(shown, size, mode) for page, shown in pages(language).items()}
    check(f"lobby/{name}", sheet(drawn), tmp_path)


def test_every_recorded_sheet_is_one_of_these() -> None:
    assert {path.name for path in (FOLDER / "lobby").glob("*.png")} == set(SHEETS)


@pytest.mark.parametrize(("size", "mode"), KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_game_options_and_what_to_do_are_there(size: tuple[int, int], mode: Mode, language: Language) -> None:
    for name, page in pages(language).items():
        with lobby_texts_drawn() as drawn:
            lobby_panel(page, size, mode)
        shown = bare(words(drawn))
        for said in (page.title, page.taken, *page.chosen, *(() if page.seats else (page.note,))):
            assert bare(font.printable(said)) in shown, (name, said)


def bare(text: str) -> str:
    """Without blanks, at which lines may have ended."""
    return "".join(text.split())


@pytest.mark.parametrize(("size", "mode"), KINDS)
def test_who_is_away_looks_otherwise(size: tuple[int, int], mode: Mode) -> None:
    here = LobbyPage("SET", "1/2", (Sitting("Jo"),))
    away = LobbyPage("SET", "1/2", (Sitting("Jo", here=False),))
    assert lobby_panel(here, size, mode).tobytes() != lobby_panel(away, size, mode).tobytes()


@settings(deadline=None, max_examples=120)
@given(
    st.builds(
        LobbyPage,
        title=st.text(max_size=20),
        taken=st.just("20/20"),
        seats=st.lists(st.builds(Sitting, st.text(min_size=1, max_size=24), st.booleans()), max_size=20).map(
            tuple
        ),
        chosen=st.lists(st.text(max_size=24), max_size=6).map(tuple),
        note=st.text(max_size=80),
    ),
    st.sampled_from(SIZES),
    st.sampled_from(get_args(Mode)),
)
def test_any_lobby_can_be_drawn_on_any_panel(page: LobbyPage, size: tuple[int, int], mode: Mode) -> None:
    with lobby_texts_drawn() as drawn:
        image = lobby_panel(page, size, mode)
    assert_whole_and_apart(drawn, size)
    assert (image.size, image.mode) == (size, mode)


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="128x64"):
        lobby_panel(LobbyPage("SET", "0/1"), (100, 100))
