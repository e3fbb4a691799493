"""Somebody who plays SET with the five keys of a Pico, and sees every set at once."""

from collections.abc import Callable
from typing import Any, Protocol

from firmware.games.setgame.cards import CARDS, sets_among
from tests.hardware.controllers.picos import Pico


class Board(Protocol):
    """Where they play: tells the table as who looks on sees it, and goes on while something is waited for."""

    @property
    def view(self) -> Any: ...
    def until(self, what: Callable[[], object]) -> None: ...


class Fingers:
    """One player. The cursor is where the keys have moved it: cards lie in columns of three."""

    def __init__(self, pico: Pico, seat: int) -> None:
        self.pico = pico
        self.seat = seat
        self._at = 0

    def settle(self, board: Board) -> None:
        """Wait until the Pico has done with its keys, and draws nothing more for a while."""
        quiet = 0
        pictures = -1

        def still() -> bool:
            nonlocal quiet, pictures
            if self.pico.keys_left or pictures != self.pico.pictures:
                quiet, pictures = 0, self.pico.pictures
            quiet += 1
            return quiet > 15

        board.until(still)

    def take_a_set(self, board: Board) -> None:
        """Claim, and name the first set of the table."""
        cards = list(board.view.table)
        codes = {CARDS[card]: card for card in cards}
        places = [cards.index(codes[card]) for card in sets_among(codes)[0]]
        self.settle(board)
        self.pico.press("o")
        board.until(lambda: board.view.claimed == self.seat)
        score = board.view.scores[self.seat - 1]
        # A cursor that had its card taken away goes to the last.
        at = min(self._at, len(cards) - 1)
        for place in places:
            self.pico.press(_way(at, place, len(cards)) + "o")
            at = place
        self._at = at
        board.until(lambda: board.view.claimed is None)
        assert board.view.scores[self.seat - 1] == score + 1
        self._at = min(at, max(0, len(board.view.table) - 1))

    def agree_none(self, board: Board) -> None:
        """Say that there is no set: up to the bar, and OK."""
        before = board.view
        self.settle(board)
        at = min(self._at, len(before.table) - 1)
        self.pico.press("u" * (at % 3 + 1) + "o")
        self._at = at - at % 3
        board.until(
            lambda: self.seat in board.view.agreed or board.view.table != before.table or board.view.outcome
        )


def _way(at: int, to: int, count: int) -> str:
    """The keys from one card to another: columns first, in a row that all columns have, then rows."""
    (column, row), (to_column, to_row) = divmod(at, 3), divmod(to, 3)
    columns = -(-count // 3)
    across = ("r" if to_column > column else "l") * abs(to_column - column)
    if columns * 3 == count or row <= (count - 1) % 3:
        return across + ("d" if to_row > row else "u") * abs(to_row - row)
    raise AssertionError(f"no way from {at} to {to} of {count}")
