"""The pixel font: its data, and text measured, wrapped and drawn."""

import re
import string
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware.screens.font import Cut, Size, draw_block, draw_text, fitted, width_px, wrap
from firmware.screens.letters import LETTER_HEIGHT_PX, glyphs, printable, undrawn
from firmware.screens.shapes import DARK
from firmware.texts import LANGUAGES, load

SIZES: tuple[Size, ...] = (1, 2, 3, 4)


def drawn(text: str, size: Size, width: int = 400, height: int = 40) -> Image.Image:
    image = Image.new("1", (width, height))
    draw_text(image, 5, 5, text, size)
    return image


def letters_of(lines: Iterable[str]) -> str:
    """All that is written, without blanks, and without hyphens, of which lines may end in more."""
    return "".join(lines).replace(" ", "").replace("-", "")


def test_every_glyph_is_a_full_rectangle_of_the_letter_height() -> None:
    for char, bitmap in glyphs().items():
        assert len(bitmap) == LETTER_HEIGHT_PX, char
        assert len({len(row) for row in bitmap}) == 1, char


def test_capitals_digits_and_the_punctuation_of_our_texts_are_drawn() -> None:
    wanted = set(string.ascii_uppercase + string.digits + " .,:;!?'\"-+/()%")
    assert wanted <= set(glyphs())


@pytest.mark.parametrize("size", SIZES)
def test_no_two_letters_look_alike_when_enlarged(size: Size) -> None:
    """0 and O are one shape, as on most scoreboards, and blanks are blank."""
    seen = {char: drawn(char, size).tobytes() for char in glyphs() if char not in " \u00a0\u202fO"}
    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("camera sees no board", "CAMERA SEES NO BOARD"),
        ("Égalité – à 40", "ÉGALITÉ - À 40"),
        ("E\u0301galité", "ÉGALITÉ"),
        ("Dvořák, Škoda", "DVORÁK, SKODA"),
        ("cœur ß ﬁn", "CŒUR SS FIN"),
        ("« prêt\u202f! »", "« PRÊT\u202f! »"),
        ("it\u2019s \u201cin\u201d", 'IT\'S "IN"'),
        ("a\tb\nc", "A B C"),
        ("5 \u20ac", "5 ?"),
        ("\u0141ukasz, Bj\u00f8rn", "LUKASZ, BJORN"),
        ("\u0110\u1eb7ng, \u00de\u00f3ra", "DANG, TH\u00d3RA"),
        ("\u01feA", "OA"),
        ("Ka\u02bbi, Stra\u1e9ee", "KA'I, STRASSE"),
    ],
)
def test_text_is_shown_in_letters_that_the_font_has(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_what_has_no_letter_is_told_as_it_is_written_and_once() -> None:
    assert undrawn("Ann Łe\u0301? \u2019") == ""
    assert undrawn("Елена, Анна?") == "ЕленаА"
    assert undrawn("A\u200b 李") == "\u200b李"


@given(st.text(st.characters(exclude_characters="?"), max_size=30))
def test_there_is_a_question_mark_where_something_has_no_letter_and_nowhere_else(text: str) -> None:
    assert ("?" in printable(text)) == (undrawn(text) != "")


@given(st.text(max_size=30), st.sampled_from(SIZES))
def test_the_measured_width_is_the_drawn_width(text: str, size: Size) -> None:
    """A row of full blocks at both ends shows where the text begins and ends."""
    fenced = f"H{text}H"
    box = drawn(fenced, size, width=5 + width_px(fenced, size) + 5).getbbox()
    assert box is not None
    assert (box[0], box[2]) == (5, 5 + width_px(fenced, size))
    assert box[3] <= 5 + size * LETTER_HEIGHT_PX


@given(st.text(max_size=120), st.integers(12, 128), st.sampled_from((1, 2)))
def test_wrapping_keeps_every_letter_in_order_and_every_line_within_the_width(
    text: str, width: int, size: Size
) -> None:
    lines = wrap(text, width, size)
    assert letters_of(lines) == letters_of([printable(text)])
    assert all(width_px(line, size) <= width for line in lines)


def test_no_line_ends_at_a_blank_that_does_not_break() -> None:
    text = "sets\u00a0: 1-0, prêt\u202f?"
    for width in range(width_px("prêt\u202f?"), 100):
        lines = wrap(text, width, 1)
        assert not [line for line in lines if line.startswith((":", "?"))], width
    assert width_px("A B") == width_px("A\u00a0B") > width_px("A\u202fB") > width_px("AB")


@pytest.mark.parametrize("plain", "AEIOUCN")
def test_a_letter_with_an_accent_is_the_letter_made_lower_or_with_a_mark_below(plain: str) -> None:
    accented = [char for char in glyphs() if unicodedata.normalize("NFD", char)[0] == plain != char]
    assert accented
    for char in accented:
        assert len(glyphs()[char][0]) == len(glyphs()[plain][0]), char
        assert glyphs()[char] != glyphs()[plain], char


def test_every_letter_of_the_texts_is_drawn() -> None:
    for language in LANGUAGES:
        for key, text in load(language).table.items():
            assert "?" not in printable(re.sub(r"\?|\{.*?\}", "", text)), key


def test_lines_end_after_hyphens_and_words_that_are_cut_get_one() -> None:
    assert wrap("Jean-Baptiste", 64, 1) == ("JEAN-", "BAPTISTE")
    assert wrap("Jean-Baptiste", 90, 1) == ("JEAN-BAPTISTE",)
    assert wrap("vérification", 64, 1) == ("VÉRIFICAT-", "ION")
    assert wrap("ABCDEFGHIJK", 62, 1) == ("ABCDEFGH-", "IJK")  # not a single letter
    assert wrap("6-4 1234567890123", 62, 1) == ("6-4", "1234567890", "123")


def test_words_are_not_cut_when_they_fit_a_line() -> None:
    assert wrap("the camera sees no board", 64, 1) == ("THE CAMERA", "SEES NO", "BOARD")


@given(st.text(max_size=200), st.integers(16, 128), st.integers(7, 64))
def test_fitted_text_is_within_its_field(text: str, width: int, height: int) -> None:
    block = fitted(text, width, height)
    assert block.width_px <= width
    assert block.height_px <= height
    if block.whole:
        assert letters_of(block.lines) == letters_of([printable(text)])
    else:
        assert block.lines[-1].endswith("...")


def test_fitted_text_takes_the_largest_size_at_which_no_word_is_cut() -> None:
    assert fitted("OUT", 128, 30).size == 3
    assert fitted("DOUBLE FAULT", 128, 30).lines == ("DOUBLE", "FAULT")
    assert fitted("DOUBLE FAULT", 128, 30).size == 2
    assert fitted("INCONTROVERTIBLE", 100, 64).size == 1


def test_a_block_is_drawn_in_the_middle_of_its_field() -> None:
    image = Image.new("1", (128, 64))
    draw_block(image, 20, 10, 80, 40, fitted("HH HH", 80, 40))
    box = image.getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert abs((left - 20) - (100 - right)) <= 1
    assert abs((top - 10) - (50 - bottom)) <= 1


def test_dark_text_on_a_lit_field_is_the_negative() -> None:
    dark, lit = Image.new("1", (64, 20)), Image.new("1", (64, 20), 1)
    draw_text(dark, 2, 2, "NET", 2)
    draw_text(lit, 2, 2, "NET", 2, DARK)
    assert lit.tobytes() == dark.point(lambda value: 255 - value).tobytes()


@pytest.mark.parametrize("cut", ["bold", "thin"])
def test_no_two_narrow_letters_look_alike(cut: Cut) -> None:
    seen = {}
    for char in glyphs():
        if char not in " \u00a0\u202fO":
            image = Image.new("1", (40, 20))
            draw_text(image, 2, 2, char, 2, cut=cut)
            seen[char] = image.tobytes()
    assert len(set(seen.values())) == len(seen)


@given(st.text(max_size=30), st.sampled_from([2, 4]), st.sampled_from(["bold", "thin"]))
def test_the_measured_width_of_narrow_letters_is_the_drawn_width(text: str, size: Size, cut: Cut) -> None:
    fenced = f"I{text}I"
    width = width_px(fenced, size, cut)
    image = Image.new("1", (width + 10, 40))
    draw_text(image, 5, 5, fenced, size, cut=cut)
    assert image.getbbox() == (5, 5, 5 + width, 5 + size * LETTER_HEIGHT_PX)
    assert width < width_px(fenced, size)


def test_narrow_letters_come_before_small_ones_and_only_where_they_are_asked_for() -> None:
    for text, size, cut in (("OUT", 3, "plain"), ("DEHORS", 2, "bold"), ("PICHENETTE", 2, "thin")):
        block = fitted(text, 64, 30, narrow=True)
        assert (block.size, block.cut) == (size, cut)
    assert fitted("DEHORS", 64, 30).size == 1
    # What is read from farther away has the higher number.
    reaches = [fitted(text, 64, 30, narrow=True).reach for text in ("OUT", "BONNE", "DEHORS", "PICHENETTE")]
    assert reaches == sorted(set(reaches), reverse=True)
    assert reaches[-1] > fitted("DEHORS", 64, 13, narrow=True).reach


@given(st.text(max_size=200), st.integers(16, 128), st.integers(7, 64))
def test_fitted_narrow_text_is_within_its_field_and_no_smaller(text: str, width: int, height: int) -> None:
    narrow, plain = fitted(text, width, height, narrow=True), fitted(text, width, height)
    assert narrow.width_px <= width
    assert narrow.height_px <= height
    assert narrow.reach >= plain.reach
    if narrow.whole:
        assert letters_of(narrow.lines) == letters_of([printable(text)])
