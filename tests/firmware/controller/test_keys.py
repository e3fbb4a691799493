"""A terminal's bytes to keys, and the keys of the cards."""

import string

from hypothesis import given
from hypothesis import strategies as st

from firmware.controller.keys import CARD_KEYS, KeyReader, card_key


def test_every_card_has_a_key_of_its_own_that_can_be_typed() -> None:
    assert len(CARD_KEYS) == 81
    assert set(CARD_KEYS) <= set(string.printable) - set(string.whitespace) - {"0"}
    assert [CARD_KEYS[card_key(place)] for place in range(81)] == list(range(81))


def test_twelve_cards_lie_on_the_keyboard_as_on_the_table() -> None:
    rows = ["".join(card_key(3 * column + row) for column in range(4)) for row in range(3)]
    assert rows == ["qwer", "asdf", "zxcv"]


def test_keys_have_names() -> None:
    assert KeyReader().feed(b" \r\n\tq\x7f\x1b") == [
        "space",
        "enter",
        "enter",
        "tab",
        "q",
        "escape",
        "escape",
    ]


def test_arrows_and_their_like_are_passed_over() -> None:
    assert KeyReader().feed(b"a\x1b[Ab\x1b[1;5Cc\x1bOPd\x1b[3~e\x01f") == list("abcdef")


def test_letters_of_several_bytes_are_put_together() -> None:
    reader = KeyReader()
    found = [reader.feed(bytes((byte,))) for byte in "é卡".encode()]
    assert [key for keys in found for key in keys] == ["é", "卡"]


@given(st.binary(max_size=60))
def test_no_bytes_are_a_fault(data: bytes) -> None:
    assert all(key for key in KeyReader().feed(data))
