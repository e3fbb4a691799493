"""The two panels on 256x64 pixels in greys: larger letters side by side, what can wait in a dim grey.

Layout and drawing only, as in panels.py, which chooses between the layouts. What is lit on a panel without
greys has to tell as much: grey says what matters less, never anything that is said nowhere else.
"""

from typing import Final

from PIL import Image

from firmware.screens import wording
from firmware.screens.font import draw_badge, draw_block, draw_text, fitted, of_a_pair, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.names import fitted_with_names
from firmware.screens.scoreboard import Scoreboard, Side
from firmware.screens.shapes import DARK, LIT, draw_arrow, draw_box, draw_disc, draw_ring
from firmware.texts import Texts

WIDTH_PX: Final = 256
HEIGHT_PX: Final = 64

_DIM: Final = 102
"""A grey that is seen from two metres beside lit letters, and does not draw the eye: 6 of 15."""

# The in-rally panel: spaces, call with points at its right, who plays.
_SPACES_HEIGHT = 15
_END_WIDTH = 40
_SPACE_WIDTH = (WIDTH_PX - 2 * _END_WIDTH) // 5
_CALL_TOP, _CALL_HEIGHT = 17, 29
_FOOT_TOP, _FOOT_HEIGHT = 49, 15
_GAP, _ARROW_WIDTH = 8, 15

# The game panel: names, sets and games at the left, the points over the whole height at the right.
_ROW_TOPS: dict[Side, int] = {"A": 11, "B": 35}
_ROW_HEIGHT = 21
_NAME_LEFT, _NAME_WIDTH = 0, 92
_BALL_X = 101
_SETS, _GAMES = (112, 28), (142, 40)  # left and width of each column
_RACE_LEFT, _RACE_WIDTH = 112, 70
_GAME_FOOT_TOP, _FOOT_WIDTH = 57, 184
_RULE_X = 187
_POINTS_LEFT, _POINTS_WIDTH = 191, 65
_POINTS_TOPS: dict[Side, int] = {"A": 1, "B": 35}
_POINTS_HEIGHT = 28


def draw_in_rally(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """Draw the in-rally scorer into a dark picture of 256x64 greys."""
    if board.notice is None:
        _draw_spaces(image, board)
        _draw_call(image, board, texts)
        _draw_foot(image, board, texts)
        return
    below = HEIGHT_PX - _CALL_TOP
    words = fitted(board.notice, WIDTH_PX, below, narrow=True)
    if words.whole and words.size > 1:
        _draw_spaces(image, board)
        draw_block(image, 0, _CALL_TOP, WIDTH_PX, below, words)
    else:  # a long one takes the spaces' place, if that makes it larger
        alone = fitted(board.notice, WIDTH_PX, HEIGHT_PX, largest=2, narrow=True)
        draw_block(image, 0, 0, WIDTH_PX, HEIGHT_PX, alone)


def draw_game(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """Draw the game scorer into a dark picture of 256x64 greys."""
    if board.tie_break:  # other points tell what they are by themselves: 15, 30, 40, or those of a race
        heading = wording.points_heading(board, texts)
        draw_badge(image, (heading,), _NAME_LEFT + 3, width_px(heading), 0)
    race = board.points_to_win
    if race is None:
        _draw_heading(image, wording.sets_heading(texts), *_SETS)
        _draw_heading(image, wording.games_heading(texts), *_GAMES)
    draw_box(image, _RULE_X, 0, 1, HEIGHT_PX, filled=True, level=_DIM)
    for index, (side, top) in enumerate(_ROW_TOPS.items()):
        _draw_side(image, board, side, top, texts)
        block = of_a_pair(board.points, index, _POINTS_WIDTH, _POINTS_HEIGHT, largest=4)
        draw_block(image, _POINTS_LEFT, _POINTS_TOPS[side], _POINTS_WIDTH, _POINTS_HEIGHT, block)
        if race is None:
            _draw_number(image, board.sets, index, top, *_SETS)
            _draw_number(image, board.games, index, top, *_GAMES)
        else:
            _draw_race(image, int(board.points[index]), race, top)
    foot = fitted_with_names(
        lambda named: wording.footer(board, named), texts, _FOOT_WIDTH, LETTER_HEIGHT_PX, largest=1
    )
    draw_block(image, 0, _GAME_FOOT_TOP, _FOOT_WIDTH, LETTER_HEIGHT_PX, foot)


def _draw_spaces(image: Image.Image, board: Scoreboard) -> None:
    """The seven spaces, as on the narrow panel; a line joins them, and those left empty are dim."""
    marker = -board.marker if board.ends_changed else board.marker
    centre = _SPACES_HEIGHT // 2
    draw_box(image, _END_WIDTH, centre, WIDTH_PX - 2 * _END_WIDTH, 1, filled=True, level=_DIM)
    for space in range(-2, 3):
        middle = _END_WIDTH + _SPACE_WIDTH * (space + 2) + _SPACE_WIDTH // 2
        if space == marker:
            draw_disc(image, middle, centre, 9, DARK)
            draw_disc(image, middle, centre, 7)
        else:
            draw_disc(image, middle, centre, 7, DARK)
            draw_ring(image, middle, centre, 5 if space == 0 else 3, _DIM)
            if space == 0:
                draw_disc(image, middle, centre, 1, _DIM)
    for space, left in ((-3, 0), (3, WIDTH_PX - _END_WIDTH)):
        here = space == marker
        draw_box(image, left, 0, _END_WIDTH, _SPACES_HEIGHT, filled=here, level=LIT if here else _DIM)
        text_left = left + (_END_WIDTH - width_px("POINT!")) // 2
        text_top = (_SPACES_HEIGHT - LETTER_HEIGHT_PX) // 2
        draw_text(image, text_left, text_top, "POINT!", level=DARK if here else _DIM)


def _draw_call(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """The call in the largest letters that fit one row; at its right the doubt, then the points."""
    width = WIDTH_PX
    points = wording.points_title(board)
    if points:
        room = width_px(points, 4)
        draw_text(image, width - room, _CALL_TOP, points, 4)
        width -= room + _GAP
    if wording.is_too_close(board):
        words = tuple(wording.too_close(texts).split())
        room = max(width_px(word, 1) for word in words) + 8
        draw_badge(image, words, width - room, room, _CALL_TOP + 5)
        width -= room + _GAP
    block = fitted_with_names(
        lambda named: wording.title(board, named), texts, width, _CALL_HEIGHT, largest=4, narrow=True
    )
    draw_block(image, 0, _CALL_TOP, width, _CALL_HEIGHT, block)


def _draw_foot(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """Who plays, at their own end of the panel with an arrow towards it; dark on lit under pressure."""
    room = WIDTH_PX - _ARROW_WIDTH - _GAP
    block = fitted_with_names(
        lambda named: wording.who_plays(board, named), texts, room - 3, _FOOT_HEIGHT, largest=2, narrow=True
    )
    if board.to_play is None:
        draw_block(image, 0, _FOOT_TOP, WIDTH_PX, _FOOT_HEIGHT, block)
        return
    on_right = board.to_play.startswith("A" if board.ends_changed else "B")
    left = room - block.width_px if on_right else _ARROW_WIDTH + _GAP
    if wording.is_under_pressure(board) and block.size == 2:
        draw_badge(image, block.lines, left, block.width_px, _FOOT_TOP - 2, 2, block.cut)
    elif wording.is_under_pressure(board):
        draw_badge(image, block.lines[:1], left, block.width_px, _FOOT_TOP + 3)
    else:
        draw_block(image, left, _FOOT_TOP, block.width_px, _FOOT_HEIGHT, block)
    arrow_left = WIDTH_PX - _ARROW_WIDTH if on_right else 0
    draw_arrow(image, arrow_left, _FOOT_TOP, _ARROW_WIDTH, to_right=on_right)


def _draw_heading(image: Image.Image, heading: str, left: int, width: int) -> None:
    draw_text(image, left + (width - width_px(heading)) // 2, 0, heading, level=_DIM)


def _draw_number(
    image: Image.Image, pair: tuple[object, object], index: int, top: int, left: int, width: int
) -> None:
    block = of_a_pair(pair, index, width, _ROW_HEIGHT)
    draw_block(image, left, top, width, _ROW_HEIGHT, block)


def _draw_race(image: Image.Image, points: int, goal: int, top: int) -> None:
    """A bar in a dim field, as full as the side has come; rungs where they are wide enough to count."""
    step = _RACE_WIDTH // goal
    if step < 3:
        draw_box(image, _RACE_LEFT, top + 4, _RACE_WIDTH, 13, filled=False, level=_DIM)
        width = _RACE_WIDTH * min(points, goal) // goal
        draw_box(image, _RACE_LEFT, top + 4, width, 13, filled=True)
        return
    left = _RACE_LEFT + (_RACE_WIDTH - step * goal) // 2
    for rung in range(goal):
        reached = rung < points
        draw_box(image, left + step * rung, top + 4, step - 1, 13, reached, LIT if reached else _DIM)


def _draw_side(image: Image.Image, board: Scoreboard, side: Side, top: int, texts: Texts) -> None:
    """The side's name; dark on lit when it has won, with a ball beside it while it serves."""
    block = fitted_with_names(
        lambda named: named.side(side), texts, _NAME_WIDTH - 4, _ROW_HEIGHT, narrow=True
    )
    won = board.outcome is not None and board.outcome.winner == side
    if won:
        draw_box(image, _NAME_LEFT, top - 1, _NAME_WIDTH, _ROW_HEIGHT + 2, filled=True)
    level = DARK if won else LIT
    draw_block(image, _NAME_LEFT + 2, top, block.width_px, _ROW_HEIGHT, block, level)
    if board.outcome is None and board.server.startswith(side):
        draw_disc(image, _BALL_X, top + _ROW_HEIGHT // 2, 5)
