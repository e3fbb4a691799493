"""The rules engine's peer: python-chess at random games, with the work that is alike.

A move is validated and made, and it is asked whether the game is over and whose turn it is. Nothing of
ours is in here, and nothing is printed.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import chess

from tests.bench.costs import bytes_kept, least_ms

Game = tuple[chess.Move, ...]

GAMES = 12


@dataclass(frozen=True, slots=True)
class ChessCosts:
    """What chess takes. Times in ms a move, over all games."""

    games: int
    moves: int
    checked_ms: float
    """With a check that the move is legal."""
    listed_ms: float
    """With a list of all legal moves, of which it must be one."""
    kept_ms: float
    """As checked, on a copy of the board, so that every former position stays as it was."""
    undo_ms: float
    """A move of the longest game taken back."""
    growth_bytes: float
    """By how much the longest game's board grows with a move, in its second half."""


def measure_chess() -> ChessCosts:
    """Some seeded random games, each from the opening to its end."""
    games = [_random_game(f"chess {n}") for n in range(GAMES)]
    moves, longest = sum(map(len, games)), max(games, key=len)

    def ms_a_move(play: Callable[[Game], object]) -> float:
        return sum(least_ms(partial(play, game)) for game in games) / moves

    half, whole = bytes_kept(_growing(longest))[1:]
    return ChessCosts(
        games=GAMES,
        moves=moves,
        checked_ms=ms_a_move(_play_checked),
        listed_ms=ms_a_move(_play_listed),
        kept_ms=ms_a_move(_play_keeping),
        undo_ms=_undo_ms(longest),
        growth_bytes=(whole - half) / (len(longest) - len(longest) // 2),
    )


def _random_game(seed: str) -> Game:
    luck, board = random.Random(seed), chess.Board()
    while board.outcome() is None:
        board.push(luck.choice(list(board.legal_moves)))
    return tuple(board.move_stack)


def _play_checked(game: Game) -> chess.Board:
    board = chess.Board()
    for move in game:
        if not board.is_legal(move):
            raise chess.IllegalMoveError(move)
        board.push(move)
        _asked(board)
    return board


def _play_listed(game: Game) -> None:
    board = chess.Board()
    for move in game:
        if move not in list(board.legal_moves):
            raise chess.IllegalMoveError(move)
        board.push(move)
        _asked(board)


def _play_keeping(game: Game) -> None:
    board = chess.Board()
    for move in game:
        if not board.is_legal(move):
            raise chess.IllegalMoveError(move)
        board = board.copy()
        board.push(move)
        _asked(board)


def _asked(board: chess.Board) -> object:
    """Is it over, and if not, whose turn is it."""
    outcome = board.outcome()
    return board.turn if outcome is None else outcome


def _undo_ms(game: Game) -> float:
    """A move taken back. One alone is too short to be timed: all of a game are, each time of a board
    that was played to its end."""
    boards = [_play_checked(game) for _ in range(5)]
    fresh = iter(boards)

    def take_back_all() -> None:
        board = next(fresh)
        for _ in game:
            board.pop()

    return least_ms(take_back_all, len(boards)) / len(game)


def _growing(game: Game) -> Iterator[None]:
    """A game as it is told by its moves' names: before it, at its half, at its end."""
    names = [move.uci() for move in game]
    board = chess.Board()
    yield
    for number, name in enumerate(names, start=1):
        board.push_uci(name)
        if number in (len(names) // 2, len(names)):
            yield
