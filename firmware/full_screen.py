"""A whole terminal: lines with styles that take each other's place, and single keys as they are pressed.

Text only; what is shown is decided by whoever calls. rich is imported where it draws.
"""

import os
import sys
import termios
import tty
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self, TextIO

Line = Sequence[tuple[str, str]]
"""Pieces of text with the names of their styles."""

_STYLES: Final[Mapping[str, str]] = {
    "title": "bold",
    "key": "bold cyan",
    "alarm": "bold yellow",
}
"""What the styles are here; those that are not in it are rich's own."""


_ASCII: Final = str.maketrans("▸█░…∅", ">#.-0")


class FullScreen:
    """A terminal of its own for as long as it is entered; what was there before comes back afterwards."""

    def __init__(self, stream: TextIO | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self._stream = stream or sys.stdout
        self._console = Console(file=self._stream, highlight=False)
        # The streams stay everybody's: rich would put its own in their place.
        self._live = Live(
            console=self._console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in characters, as they are now."""
        return self._console.width, self._console.height

    def show(self, lines: Sequence[Line]) -> None:
        """Show these lines, and nothing else; what has no room is cut off."""
        from rich.text import Text

        whole = Text(no_wrap=True, overflow="crop", end="")
        for number, line in enumerate(lines[: self._console.height]):
            whole.append("\n" if number else "")
            for text, style in line:
                whole.append(self._shown(text), _STYLES.get(style, style))
        self._live.update(whole, refresh=True)

    def _shown(self, text: str) -> str:
        """Text as the stream's encoding has it."""
        encoding = self._stream.encoding or "ascii"
        try:
            text.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return text.translate(_ASCII).encode("ascii", "replace").decode()
        return text


def is_terminal() -> bool:
    """Whether a person can both see and press keys here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def single_keys() -> Iterator[int]:
    """The terminal gives each key as it is pressed, and shows none; the descriptor to read them from. Ctrl-C
    still interrupts."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard)
        yield keyboard
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
