"""Keys of a terminal: its bytes to names of keys, and which key picks which card."""

from typing import Final

_NAMED: Final = {
    " ": "space",
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x1b": "escape",
    "\x7f": "escape",  # backspace takes back, too
    "\b": "escape",
}
_ROWS: Final = ("qwertyuiop", "asdfghjkl;", "zxcvbnm,./")
_SHIFTED: Final = ("QWERTYUIOP", "ASDFGHJKL:", "ZXCVBNM<>?")
_FURTHER: Final = "123456789!@#$%^&*()-="
ROWS: Final = 3
"""Cards lie in columns of three, so that more of them are a new column and the others stay."""


def card_key(place: int) -> str:
    """The key of the card at a place, 0 to 80: it lies on the keyboard where the card lies on the table."""
    column, row = divmod(place, ROWS)
    for rows in (_ROWS, _SHIFTED):
        if column < len(rows[row]):
            return rows[row][column]
        column -= len(rows[row])
    return _FURTHER[column * ROWS + row]


CARD_KEYS: Final = {card_key(place): place for place in range(81)}
"""The places of the cards by their keys."""


class KeyReader:
    """A terminal's bytes, as they come, to keys. Others, such as arrows, are passed over."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The names of the keys: `space`, `enter`, `tab`, `escape`, or the character."""
        text, self._rest = _decoded(self._rest + data)
        keys = []
        at = 0
        while at < len(text):
            if text[at] == "\x1b" and text[at + 1 : at + 2] in ("[", "O"):
                at += 2
                # A sequence ends with the first letter or tilde (ECMA-48, 5.4).
                while at < len(text) and not "@" <= text[at] <= "~":
                    at += 1
            elif text[at] in _NAMED:
                keys.append(_NAMED[text[at]])
            elif text[at].isprintable():
                keys.append(text[at])
            at += 1
        return keys


def _decoded(data: bytes) -> tuple[str, bytes]:
    """The text, and the bytes of a letter that is not whole yet."""
    for cut in range(len(data), max(-1, len(data) - 4), -1):
        try:
            return data[:cut].decode(), data[cut:]
        except UnicodeDecodeError:
            continue
    return data.decode(errors="ignore"), b""
