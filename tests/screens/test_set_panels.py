"""A table of SET as pictures: recorded sheets of it, and what must be true of any table and any card.

SETMATCH_RECORD=1 records the sheets anew; look at every one of them then.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args
from unittest import mock

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from firmware.games.protocol import Outcome, Standing
from firmware.games.setgame import Setup, View, start, view
from firmware.games.setgame.cards import DECK, code
from firmware.screens import font, set_cards, set_panels
from firmware.screens.letters import printable
from firmware.screens.panels import SIZES, Mode
from firmware.screens.set_cards import Laying, draw_card, draw_cards, laying, outline, shaded
from firmware.screens.set_panels import set_cards_panel, set_scores_panel
from firmware.texts import LANGUAGES, Language, load
from tests.screens.recorded import FOLDER, check
from tests.screens.test_panels import KINDS, Box, assert_whole_and_apart, texts_drawn, words
from tests.screens.test_sheets import sheet

NAMES = ("Ève", "Maximilien", "Jo", "Anne-Laure")
LONG = "A set for Maximilien-Henri. The others look at three new cards, and the next who sees one claims it."


def seen(cards: int = 12, seats: int = 3, hands: int = 1, **changed: object) -> View:
    """What everybody sees of a table with so many cards."""
    state = start(Setup(seats, "9", hands=hands))
    order = state.table + state.deck[::-1]
    state = msgspec.structs.replace(state, table=order[:cards], deck=order[cards:], **changed)
    return view(state, None)


def over(winners: tuple[int, ...], reason: str = "most-sets", seats: int = 3) -> Outcome:
    return Outcome(winners, reason, tuple(Standing(seat, 1, 7) for seat in range(1, seats + 1)))


TABLES: dict[str, View] = {
    "begun": seen(),
    "agreeing": seen(15, agreed=(1, 3), scores=(5, 11, -2)),
    "claimed": seen(18, claimed=2, locked=1, scores=(5, 11, -2)),
    "claimed-short": seen(12, seats=2, claimed=1),
    "hinted": seen(21, hinted=True, away=(2,)),
    "third-hand": seen(12, seats=4, hands=0, hand=3, scores=(5, 11, -2, 10)),
    "deals": seen(9, seats=4, hands=0, dealer=2, dealt=False, scores=(5, 11, -2, 10)),
    "won": seen(6, dealt=False, scores=(5, 11, -2), outcome=over((2,))),
    "shared": seen(9, dealt=False, scores=(5, 11, 11), outcome=over((2, 3))),
    "solo": seen(15, seats=1, penalties=2, redeemed=1, scores=(17,)),
    "solo-won": seen(0, seats=1, dealt=False, scores=(27,), outcome=over((1,), "solo-won", 1)),
    "solo-lost": seen(9, seats=1, dealt=False, scores=(20,), outcome=over((), "solo-lost", 1)),
    "eight": seen(12, seats=8, claimed=1, scores=(1, 2, 3, -4, 5, 6, 7, 10)),
    "twenty": seen(12, seats=20, agreed=(4, 5, 6), locked=2, scores=tuple(range(-12, 8))),
    "twenty-four": seen(24),
    "forty": seen(40),
    "three": seen(3),
}
PANELS: dict[str, Callable[..., Image.Image]] = {"cards": set_cards_panel, "scores": set_scores_panel}
SHEETS = {
    f"{panel}.{size[0]}x{size[1]}.{language}.png": (panel, size, mode, language)
    for panel in PANELS
    for size, mode in KINDS
    for language in LANGUAGES
}
every_kind = pytest.mark.parametrize(("size", "mode"), KINDS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@contextmanager
def set_texts_drawn() -> Iterator[list[Box]]:
    with (
        texts_drawn() as drawn,
        mock.patch.object(set_panels, "draw_text", font.draw_text),
        mock.patch.object(set_cards, "draw_text", font.draw_text),
    ):
        yield drawn


@pytest.mark.parametrize("name", SHEETS)
def test_the_tables_are_as_recorded(name: str, tmp_path: Path) -> None:
    panel, size, mode, language = SHEETS[name]
    texts = load(language)
    drawn = {table: PANELS[panel](shown, NAMES, texts, size, mode) for table, shown in TABLES.items()}
    if panel == "scores":
        for notice, said in (("notice", "A set for Jo."), ("long-notice", LONG)):
            drawn[notice] = set_scores_panel(TABLES["begun"], NAMES, texts, size, mode, notice=said)
    check(f"set/{name}", sheet(drawn), tmp_path)


def test_every_recorded_sheet_is_one_of_these() -> None:
    assert {path.name for path in (FOLDER / "set").glob("*.png")} == set(SHEETS)


@every_language
def test_every_text_of_the_panels_is_shown(language: Language) -> None:
    texts = load(language)
    keys = {key for key in texts.table if key.startswith("games.set.panel.")}
    asked: set[str] = set()

    class Noting(dict[str, str]):
        def __getitem__(self, key: str) -> str:
            asked.add(key)
            return super().__getitem__(key)

    noting = type(texts)(texts.language, texts.singular, Noting(texts.table))
    for shown in TABLES.values():
        set_cards_panel(shown, NAMES, noting)
    assert {key for key in asked if key.startswith("games.set.panel.")} == keys


@every_kind
@every_language
def test_what_is_going_on_is_there(size: tuple[int, int], mode: Mode, language: Language) -> None:
    """Whole, with as much of the name as has room, and first of all when there is little."""
    texts = load(language)
    for panel in PANELS.values():
        with set_texts_drawn() as drawn:
            panel(TABLES["claimed-short"], NAMES, texts, size, mode)
        assert printable(texts.say("games.set.panel.names", seat="Ève")) in [text for text, *_ in drawn]
        with set_texts_drawn() as drawn:
            panel(TABLES["hinted"], NAMES, texts, size, mode)
        hint = printable(texts.say("games.set.panel.hinted")).replace(" ", "")
        assert hint in words(drawn).replace(" ", "")


@every_kind
@every_language
def test_nothing_of_what_is_going_on_is_left_off(
    size: tuple[int, int], mode: Mode, language: Language
) -> None:
    for table, shown in TABLES.items():
        for panel in PANELS.values():
            with set_texts_drawn() as drawn:
                panel(shown, NAMES, load(language), size, mode)
            assert not any("..." in text for text, *_ in drawn), table


def test_who_gave_no_name_is_a_number_where_the_word_has_no_room() -> None:
    with set_texts_drawn() as drawn:
        set_scores_panel(TABLES["twenty"], (), load("fr"), (64, 256), "1")
    there = {text for text, *_ in drawn}
    assert {"PLACE 9", "10", "20"} <= there
    assert not any(text.endswith(".") for text in there)


@every_kind
def test_no_card_moves_for_what_is_said(size: tuple[int, int], mode: Mode) -> None:
    """People remember where they saw one."""
    plain = seen()
    others = [
        msgspec.structs.replace(plain, claimed=2),
        msgspec.structs.replace(plain, agreed=(1, 2)),
        msgspec.structs.replace(plain, hinted=True),
    ]
    field = (0, 0, *((size[0], size[1] - 9) if size[0] >= 128 else (size[0], size[1] - 27)))
    pictures = {
        set_cards_panel(shown, NAMES, None, size, mode).crop(field).tobytes() for shown in (plain, *others)
    }
    assert len(pictures) == 1


@every_kind
def test_every_score_is_there(size: tuple[int, int], mode: Mode) -> None:
    for shown in TABLES.values():
        with set_texts_drawn() as drawn:
            set_scores_panel(shown, NAMES, load("en"), size, mode)
        there = [text for text, *_ in drawn]
        for score in shown.scores:
            assert str(score) in there


@every_kind
def test_marks_tell_who_agrees_waits_and_has_left(size: tuple[int, int], mode: Mode) -> None:
    plain = seen()
    others = [
        msgspec.structs.replace(plain, locked=1),
        msgspec.structs.replace(plain, away=(1,)),
        msgspec.structs.replace(plain, agreed=(1,)),
        msgspec.structs.replace(plain, claimed=1),
    ]
    pictures = [set_scores_panel(shown, NAMES, None, size, mode) for shown in (plain, *others)]
    top = (0, 0, size[0], size[1] // 2)
    assert len({picture.crop(top).tobytes() for picture in pictures}) == len(pictures)


@st.composite
def views(draw: st.DrawFn) -> View:
    seats = draw(st.integers(1, 20))
    some = st.sets(st.integers(1, seats)).map(lambda chosen: tuple(sorted(chosen)))
    state = start(Setup(seats, "1", hands=draw(st.integers(0, 99))))
    order = state.table + state.deck
    cards = draw(st.integers(0, 27)) * 3
    state = msgspec.structs.replace(
        state,
        table=order[:cards],
        deck=order[cards:],
        scores=tuple(draw(st.lists(st.integers(-120, 81), min_size=seats, max_size=seats))),
        claimed=draw(st.none() | st.integers(1, seats)),
        locked=draw(st.none() | st.integers(1, seats)),
        agreed=draw(some),
        away=draw(some),
        hinted=draw(st.booleans()),
        dealt=draw(st.booleans()),
        dealer=draw(st.integers(1, seats)),
        penalties=draw(st.integers(0, 23)),
        redeemed=draw(st.integers(0, 9)),
        outcome=draw(st.none() | st.just(over((1,), seats=seats))),
    )
    return view(state, None)


@settings(deadline=None, max_examples=150)
@given(
    views(),
    st.lists(st.text(max_size=24), max_size=20),
    st.sampled_from(SIZES),
    st.sampled_from(get_args(Mode)),
    st.sampled_from(LANGUAGES),
    st.none() | st.text(min_size=1, max_size=200),
)
def test_any_table_can_be_drawn_on_any_panel(
    shown: View, names: list[str], size: tuple[int, int], mode: Mode, language: Language, notice: str | None
) -> None:
    texts = load(language)
    with set_texts_drawn() as drawn:
        scores = set_scores_panel(shown, names, texts, size, mode, notice)
    assert_whole_and_apart(drawn, size)
    with set_texts_drawn() as drawn:
        cards = set_cards_panel(shown, names, texts, size, mode)
    assert_whole_and_apart(drawn, size)
    for image in (scores, cards):
        assert (image.size, image.mode) == (size, mode)
        assert {level for _, level in image.getcolors() or ()} <= ({0, 255} if mode == "1" else {0, 102, 255})


# ------------------------------------------------------------ cards


LAYINGS: list[tuple[int, int, int]] = [
    (cards, width, height - 9) for width, height in SIZES for cards in (3, 6, 9, 12, 15, 18, 21, 24, 36, 81)
]


def drawn_alone(card: str, laid: Laying) -> Image.Image:
    image = Image.new("L", (laid.cell_width, laid.cell_height))
    draw_card(image, card, 0, 0, laid)
    return image


@pytest.mark.parametrize(("cards", "width", "height"), LAYINGS)
def test_no_two_cards_look_alike_and_each_keeps_to_its_cell(cards: int, width: int, height: int) -> None:
    laid = laying(cards, width, height)
    assert laid.columns * laid.cell_width <= width
    assert laid.rows * laid.cell_height <= height
    pictures = set()
    for card in DECK:
        image = drawn_alone(code(card), laid)
        pictures.add(image.tobytes())
        box = image.getbbox()
        assert box is not None
        # A dark column and row at least to the next card.
        assert box[2] < laid.cell_width
        assert box[3] <= laid.cell_height - (1 if laid.rows > 1 else 0)
    assert len(pictures) == len(DECK)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("cards", [12, 15, 18, 21])
def test_tables_that_fair_play_makes_are_drawn_and_not_written(size: tuple[int, int], cards: int) -> None:
    """Twenty cards may hold no set, so that there are 21 at the most if nobody overlooks one. Upright and
    small, the last three are too many."""
    laid = laying(cards, size[0], size[1] - (9 if size[0] >= 128 else 27))
    assert laid.drawn == ((size, cards) != ((64, 128), 21))
    assert laid.columns * laid.rows >= cards


def test_shapes_of_a_card_are_as_many_as_its_number() -> None:
    laid = laying(12, 128, 55)
    one, two, three = (drawn_alone(f"{number}OSR", laid) for number in (1, 2, 3))
    each = lit(shaded("O", "S", laid.shape_width, laid.shape_height))
    counts = [image.histogram()[255] for image in (one, two, three)]
    assert counts[2] - counts[1] == counts[1] - counts[0] == each
    assert counts[0] > each


def lit(mask: set_cards.Mask) -> int:
    return sum(map(sum, mask))


@pytest.mark.parametrize("width", range(7, 31, 4))
@pytest.mark.parametrize("height", range(5, 14, 2))
def test_shapes_and_shadings_differ_at_every_size(width: int, height: int) -> None:
    masks = {(shape, shading): shaded(shape, shading, width, height) for shape in "ODW" for shading in "SHE"}
    assert len(set(masks.values())) == 9
    for shape in "ODW":
        solid, hatched, empty = (lit(masks[shape, shading]) for shading in "SHE")
        assert solid > hatched > empty > 0
        whole = outline(shape, width, height)
        assert any(whole[0])
        assert any(whole[-1])
        assert all(any(row[edge] for row in whole) for edge in (0, -1))
    for shape in "OD":
        whole = outline(shape, width, height)
        assert whole == whole[::-1] == tuple(row[::-1] for row in whole)
    wave = outline("W", width, height)
    assert wave == tuple(row[::-1] for row in wave[::-1]) != wave[::-1]


def test_of_more_cards_than_have_room_some_are_counted() -> None:
    image = Image.new("L", (64, 64))
    with set_texts_drawn() as drawn:
        draw_cards(image, tuple(map(code, DECK)), 0, 0, 64, 64, "+{n}")
    shown = (len(drawn) - 1) // 2
    assert f"+{81 - shown}" in [text for text, *_ in drawn]
    assert_whole_and_apart(drawn, (64, 64))


def test_an_empty_table_shows_no_card() -> None:
    image = Image.new("L", (64, 64))
    draw_cards(image, (), 0, 0, 64, 64, "+{n}")
    assert image.getbbox() is None


def test_other_sizes_are_refused() -> None:
    for panel in PANELS.values():
        with pytest.raises(ValueError, match="128x64"):
            panel(seen(), size=(100, 100))
