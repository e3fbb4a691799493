"""The two panels on an upright picture, 64 pixels wide and 128 or 256 high: everything one above another.

Layout and drawing only, as in panels.py, which chooses between the layouts. For panels that are mounted
turned by 90 degrees; both sides of the score stand beside each other, A at the left.
"""

from typing import Final

from PIL import Image

from firmware.screens import wording
from firmware.screens.font import Size, draw_badge, draw_block, draw_text, fitted, of_a_pair, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.names import fitted_with_names
from firmware.screens.scoreboard import Scoreboard, Side
from firmware.screens.shapes import DARK, LIT, draw_arrow, draw_box, draw_disc, draw_ring
from firmware.texts import Texts

WIDTH_PX: Final = 64
HEIGHTS_PX: Final = (128, 256)

# The in-rally panel. Both ends are boxes without their word, for which there is no room.
_SPACES_HEIGHT = 13
_END_WIDTH, _SPACE_WIDTH = 7, 10
_GAP = 4
_BADGE_HEIGHT = 2 * (LETTER_HEIGHT_PX + 2) + 3
_ARROW_WIDTH = 13

# The game panel: a column for each side.
_COLUMN_WIDTH, _NUMBER_WIDTH = 31, 27
_LEFTS: dict[Side, int] = {"A": 0, "B": WIDTH_PX - _COLUMN_WIDTH}
_BALL_WIDTH = 8
_POINTS_TOP, _POINTS_HEIGHT = 18, 28
_TOP, _STEP, _NUMBER_HEIGHT = 58, 17, 14
_TALL_TOP, _TALL_STEP, _TALL_NUMBER_HEIGHT = 94, 40, 21
_POINTS_TOPS: dict[Side, int] = {"A": 13, "B": 53}


def draw_in_rally(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """Draw the in-rally scorer into a dark picture of 64x128 or 64x256 pixels."""
    height = image.height
    if board.notice is not None:
        _draw_notice(image, board, board.notice)
        return
    _draw_spaces(image, board)
    foot_top = height * 11 // 16
    _draw_call(image, board, texts, _SPACES_HEIGHT + _GAP, foot_top - _GAP)
    _draw_foot(image, board, texts, foot_top)


def draw_game(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """Draw the game scorer into a dark picture of 64x128 or 64x256 pixels."""
    tall = image.height > HEIGHTS_PX[0]
    if tall:
        _draw_points(image, board, texts)
        top, step = _TALL_TOP, _TALL_STEP
    else:
        for side in _LEFTS:
            _draw_side(image, board, side, texts)
        heading = wording.points_heading(board, texts)
        _draw_pair_under(image, heading, board.points, _POINTS_TOP, _POINTS_HEIGHT)
        top, step = _TOP, _STEP
    race = board.points_to_win
    if race is None:
        games, sets = wording.games_heading(texts), wording.sets_heading(texts)
        for heading, pair, at in ((games, board.games, top), (sets, board.sets, top + step)):
            if tall:
                _draw_pair_under(image, heading, pair, at, _TALL_NUMBER_HEIGHT)
            else:
                _draw_pair_beside(image, heading, pair, at)
    else:
        for left, points in zip(_LEFTS.values(), board.points, strict=True):
            _draw_race(image, int(points), race, left, top, 2 * step - 4)
    foot_top = top + 2 * step + 2
    room = image.height - foot_top
    foot = fitted_with_names(
        lambda named: wording.footer(board, named), texts, WIDTH_PX, room, largest=2, narrow=True
    )
    draw_block(image, 0, foot_top, WIDTH_PX, room, foot)


def _draw_points(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """On the tall panel, the points of both sides above each other in the largest letters, each beside its
    side's letter; that dark on lit when it has won, with a ball under it while it serves."""
    heading = wording.points_heading(board, texts)
    draw_text(image, (WIDTH_PX - width_px(heading)) // 2, 0, heading)
    left, high = width_px("A", 2) + 6, 4 * LETTER_HEIGHT_PX
    for index, (side, top) in enumerate(_POINTS_TOPS.items()):
        won = board.outcome is not None and board.outcome.winner == side
        if won:
            draw_box(image, 0, top - 2, left - 2, 2 * LETTER_HEIGHT_PX + 4, filled=True)
        draw_text(image, 2, top, side, 2, DARK if won else LIT)
        if board.outcome is None and board.server.startswith(side):
            draw_disc(image, left // 2 - 1, top + high - 5, 4)
        block = fitted(board.points[index], WIDTH_PX - left, high, largest=4)
        draw_block(image, left, top, WIDTH_PX - left, high, block)


def _draw_pair_under(
    image: Image.Image, heading: str, pair: tuple[object, object], top: int, height: int
) -> None:
    """A heading, and under it a number in each side's column."""
    draw_text(image, (WIDTH_PX - width_px(heading)) // 2, top, heading)
    for index, left in enumerate(_LEFTS.values()):
        block = of_a_pair(pair, index, _NUMBER_WIDTH, height, largest=4, narrow=True)
        draw_block(image, left, top + LETTER_HEIGHT_PX + 2, _COLUMN_WIDTH, height, block)


def _draw_pair_beside(image: Image.Image, heading: str, pair: tuple[object, object], top: int) -> None:
    """A heading, and a number on either side of it."""
    wide = width_px(heading)
    width = (WIDTH_PX - wide) // 2 - 2
    draw_text(image, (WIDTH_PX - wide) // 2, top + (_NUMBER_HEIGHT - LETTER_HEIGHT_PX) // 2, heading)
    for index, left in enumerate((0, WIDTH_PX - width)):
        block = of_a_pair(pair, index, width, _NUMBER_HEIGHT, largest=2, narrow=True)
        draw_block(image, left, top, width, _NUMBER_HEIGHT, block)


def _draw_notice(image: Image.Image, board: Scoreboard, notice: str) -> None:
    below = image.height - _SPACES_HEIGHT - _GAP
    words = fitted(notice, WIDTH_PX, below, largest=2, narrow=True)
    alone = fitted(notice, WIDTH_PX, image.height, largest=2, narrow=True)
    if words.whole and words.size == alone.size:
        _draw_spaces(image, board)
        draw_block(image, 0, _SPACES_HEIGHT + _GAP, WIDTH_PX, below, words)
    else:
        draw_block(image, 0, 0, WIDTH_PX, image.height, alone)


def _draw_spaces(image: Image.Image, board: Scoreboard) -> None:
    """The seven spaces, as on the other panels."""
    marker = -board.marker if board.ends_changed else board.marker
    centre = _SPACES_HEIGHT // 2
    for space in range(-2, 3):
        middle = _END_WIDTH + _SPACE_WIDTH * (space + 2) + _SPACE_WIDTH // 2
        if space == marker:
            draw_disc(image, middle, centre, 5)
        elif space == 0:
            draw_ring(image, middle, centre, 3)
            draw_disc(image, middle, centre, 0)
        else:
            draw_ring(image, middle, centre, 2)
    for space, left in ((-3, 0), (3, WIDTH_PX - _END_WIDTH)):
        draw_box(image, left, 0, _END_WIDTH, _SPACES_HEIGHT, filled=space == marker)


def _draw_call(image: Image.Image, board: Scoreboard, texts: Texts, top: int, bottom: int) -> None:
    """The call; under it its points, and at the foot of the field the doubt."""
    points, largest = wording.points_title(board), _largest(image)
    if wording.is_too_close(board):
        bottom -= _BADGE_HEIGHT
        words = tuple(wording.too_close(texts).split())
        draw_badge(image, words, 0, WIDTH_PX, bottom + 1)
    if points:
        high = largest * LETTER_HEIGHT_PX
        bottom -= high + _GAP
        draw_block(image, 0, bottom + _GAP, WIDTH_PX, high, fitted(points, WIDTH_PX, high, largest))
    block = fitted_with_names(
        lambda named: wording.title(board, named), texts, WIDTH_PX, bottom - top, largest=4, narrow=True
    )
    draw_block(image, 0, top, WIDTH_PX, bottom - top, block)


def _largest(image: Image.Image) -> Size:
    return 3 if image.height == HEIGHTS_PX[0] else 4


def _draw_foot(image: Image.Image, board: Scoreboard, texts: Texts, top: int) -> None:
    """Who plays, dark on lit under pressure; below it an arrow towards their end."""
    room = image.height - top - (0 if board.to_play is None else _ARROW_WIDTH + 2)
    block = fitted_with_names(
        lambda named: wording.who_plays(board, named),
        texts,
        WIDTH_PX - 6,
        room - 4,
        largest=2,
        narrow=True,
    )
    if board.to_play is None:
        draw_block(image, 0, top, WIDTH_PX, room, block)
        return
    if wording.is_under_pressure(board):
        draw_badge(image, block.lines, 0, WIDTH_PX, top, block.size, block.cut)
    else:
        draw_block(image, 0, top, WIDTH_PX, room, block)
    on_right = board.to_play.startswith("A" if board.ends_changed else "B")
    left = WIDTH_PX - _ARROW_WIDTH if on_right else 0
    draw_arrow(image, left, image.height - _ARROW_WIDTH, _ARROW_WIDTH, to_right=on_right)


def _draw_race(image: Image.Image, points: int, goal: int, left: int, top: int, height: int) -> None:
    """A column as full as the side has come, from below."""
    draw_box(image, left + 8, top, 15, height, filled=False)
    filled = height * min(points, goal) // goal
    draw_box(image, left + 8, top + height - filled, 15, filled, filled=True)


def _draw_side(image: Image.Image, board: Scoreboard, side: Side, texts: Texts) -> None:
    """The side's name, or its letter, on top of its column; dark on lit when it has won, with a ball at the
    panel's edge while it serves."""
    left, high = _LEFTS[side], 2 * LETTER_HEIGHT_PX
    won = board.outcome is not None and board.outcome.winner == side
    if won:
        draw_box(image, left, 0, _COLUMN_WIDTH, high + 2, filled=True)
    # As if there always were a ball, so that names keep their place.
    inner, width = left + (_BALL_WIDTH if side == "A" else 0), _COLUMN_WIDTH - _BALL_WIDTH
    block = fitted(texts.side(side), width, high, largest=2)
    if not block.whole:
        block = fitted(side, width, high, largest=2)
    draw_block(image, inner, 1, width, high, block, DARK if won else LIT)
    if board.outcome is None and board.server.startswith(side):
        draw_disc(image, 3 if side == "A" else WIDTH_PX - 4, 1 + high // 2, 3)
