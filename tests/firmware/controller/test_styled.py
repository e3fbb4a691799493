"""Cards in a terminal: each is another one, whatever the terminal can show of it."""

import pytest

from firmware.controller.styled import COLOURS, LARGE, SMALL, WRITTEN, Form, width_of
from firmware.games.setgame.cards import DECK, code

CARDS = [code(card) for card in DECK]
forms = pytest.mark.parametrize("form", [LARGE, SMALL, WRITTEN], ids=["large", "small", "written"])


def text(form: Form, card: str, key: str = "q", picked: bool = False) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in form.card(card, key, picked))


@forms
def test_every_card_is_another_one_without_any_colour(form: Form) -> None:
    assert len({text(form, card) for card in CARDS}) == 81


@forms
@pytest.mark.parametrize("picked", [False, True])
def test_a_card_has_its_size_its_key_and_its_colours_letter(form: Form, picked: bool) -> None:
    for card in CARDS:
        lines = form.card(card, "k", picked)
        assert len(lines) == form.height
        assert {width_of(line) for line in lines} == {form.width}
        assert ("k", "key") in lines[0] or ("k ", "key") in lines[0]
        styles = {style for line in lines for _, style in line}
        assert COLOURS[card[3]] in styles
        assert not styles & (set(COLOURS.values()) - {COLOURS[card[3]]})
        assert card[3] in text(form, card).splitlines()[-1]


@forms
def test_a_card_that_is_picked_looks_it(form: Form) -> None:
    assert all(text(form, card, picked=True) != text(form, card) for card in CARDS)


@pytest.mark.parametrize("form", [LARGE, SMALL], ids=["large", "small"])
def test_shadings_are_as_full_as_they_say(form: Form) -> None:
    def dots(card: str) -> int:
        return sum(
            bin(ord(letter) - 0x2800).count("1")
            for letter in text(form, card)
            if letter > "\u2800" and letter < "\u2900"
        )

    for shape in "ODW":
        empty, hatched, solid = (dots(f"1{shape}{shading}R") for shading in "EHS")
        assert empty < hatched < solid
        assert dots(f"3{shape}HR") == 3 * hatched
