"""The two panels as pictures, each a pure function of the scoreboard; here those of 128x64 pixels.

Layout and drawing only: what the words are is in wording.py, how letters look in font.py, and the layout
of other sizes in wide.py and upright.py.
"""

from typing import Literal

from PIL import Image

from firmware.screens import upright, wide, wording
from firmware.screens.font import Block, draw_badge, draw_block, draw_text, fitted, of_a_pair, width_px
from firmware.screens.letters import LETTER_HEIGHT_PX
from firmware.screens.names import fitted_with_names
from firmware.screens.scoreboard import Scoreboard, Side
from firmware.screens.shapes import DARK, LIT, draw_arrow, draw_box, draw_disc, draw_ring
from firmware.texts import Texts, load

Mode = Literal["1", "L"]

WIDTH_PX, HEIGHT_PX = 128, 64
SIZES = (
    (WIDTH_PX, HEIGHT_PX),
    (wide.WIDTH_PX, wide.HEIGHT_PX),
    *((upright.WIDTH_PX, height) for height in upright.HEIGHTS_PX),
)
"""Width and height of every layout, pixels: both panels as they are, and turned by 90 degrees."""

# The in-rally panel: the seven spaces on top, the call in the middle, who plays at the foot.
_SPACES_HEIGHT = 15
_END_WIDTH = 31  # holds POINT! in the drawn size with a margin
_SPACE_WIDTH = (WIDTH_PX - 2 * _END_WIDTH) // 5
_CALL_TOP, _CALL_HEIGHT = 17, 30  # two lines of letters 14 pixels high
_FOOT_TOP, _FOOT_HEIGHT = 50, 14
_BADGE_HEIGHT = LETTER_HEIGHT_PX + 4
_GAP = 6
_ARROW_WIDTH = 13

# The game panel: a heading, one row a side, a foot.
_ROW_TOPS: dict[Side, int] = {"A": 9, "B": 33}
_ROW_HEIGHT = 21
_SETS, _GAMES, _POINTS = (27, 23), (54, 29), (88, 39)  # left and width of each column
_RACE_LEFT, _RACE_WIDTH = 28, 57  # the race's ladder, where sets and games are in other matches
_GAME_FOOT_TOP = 57


def in_rally_panel(
    board: Scoreboard,
    texts: Texts | None = None,
    size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX),
    mode: Mode = "1",
) -> Image.Image:
    """The in-rally scorer: seven spaces, last call, who plays; or a notice.

    `texts`: the language and the players' names, English without. `size` is one of `SIZES`, and `mode`
    Pillow's: "1" for panels that are lit or dark, "L" for panels of greys. ValueError for another size.
    """
    texts = texts or load("en")
    image = blank(size)
    if image.width == wide.WIDTH_PX:
        wide.draw_in_rally(image, board, texts)
    elif image.width == upright.WIDTH_PX:
        upright.draw_in_rally(image, board, texts)
    elif board.notice is not None:
        _draw_notice(image, board, board.notice)
    else:
        _draw_spaces(image, board)
        _draw_call(image, board, texts)
        _draw_foot(image, board, texts)
    return in_mode(image, mode)


def game_panel(
    board: Scoreboard,
    texts: Texts | None = None,
    size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX),
    mode: Mode = "1",
) -> Image.Image:
    """The game scorer: both sides' sets, games and points; server and serve. As `in_rally_panel`."""
    texts = texts or load("en")
    image = blank(size)
    if image.width == wide.WIDTH_PX:
        wide.draw_game(image, board, texts)
    elif image.width == upright.WIDTH_PX:
        upright.draw_game(image, board, texts)
    else:
        _draw_game(image, board, texts)
    return in_mode(image, mode)


def blank(size: tuple[int, int]) -> Image.Image:
    """A dark picture; in greys, since some layouts have them."""
    if size not in SIZES:
        known = ", ".join(f"{width}x{height}" for width, height in SIZES)
        raise ValueError(f"no layout of {size[0]}x{size[1]} pixels; ask for one of {known}")
    return Image.new("L", size)


def in_mode(image: Image.Image, mode: Mode) -> Image.Image:
    """The picture for its panel: where pixels are lit or dark, every grey is lit."""
    if mode == "L":
        return image
    return image.point(lambda level: LIT if level else DARK).convert("1", dither=Image.Dither.NONE)


def _draw_game(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    race = board.points_to_win
    if race is None:
        _draw_heading(image, wording.sets_heading(texts), *_SETS)
        _draw_heading(image, wording.games_heading(texts), *_GAMES)
    _draw_heading(image, wording.points_heading(board, texts), *_POINTS)
    for index, (side, top) in enumerate(_ROW_TOPS.items()):
        _draw_side(image, board, side, top)
        _draw_number(image, board.points, index, top, *_POINTS)
        if race is None:
            _draw_number(image, board.sets, index, top, *_SETS)
            _draw_number(image, board.games, index, top, *_GAMES)
        else:
            _draw_race(image, int(board.points[index]), race, top)
    foot = fitted_with_names(
        lambda named: wording.footer(board, named), texts, WIDTH_PX, LETTER_HEIGHT_PX, largest=1
    )
    draw_block(image, 0, _GAME_FOOT_TOP, WIDTH_PX, LETTER_HEIGHT_PX, foot)


def _draw_notice(image: Image.Image, board: Scoreboard, notice: str) -> None:
    """A notice under the spaces; in their place, too, where that makes it larger: it comes first."""
    below = HEIGHT_PX - _CALL_TOP
    words = fitted(notice, WIDTH_PX, below, largest=2, narrow=True)
    alone = fitted(notice, WIDTH_PX, HEIGHT_PX, largest=2, narrow=True)
    if words.whole and words.size == alone.size:
        _draw_spaces(image, board)
        draw_block(image, 0, _CALL_TOP, WIDTH_PX, below, words)
    else:
        draw_block(image, 0, 0, WIDTH_PX, HEIGHT_PX, alone)


def _draw_spaces(image: Image.Image, board: Scoreboard) -> None:
    """The marker's way between both ends of the board: each side pushes it away from its own. A is at
    the left, so that +3, its POINT!, is at the right; the other way round once they changed ends."""
    marker = -board.marker if board.ends_changed else board.marker
    centre = _SPACES_HEIGHT // 2
    for space in range(-2, 3):
        middle = _END_WIDTH + _SPACE_WIDTH * (space + 2) + _SPACE_WIDTH // 2
        if space == marker:
            draw_disc(image, middle, centre, 6)
        elif space == 0:
            # The neutral space is told apart from the others, so that a lead is seen at a glance.
            draw_ring(image, middle, centre, 4)
            draw_disc(image, middle, centre, 0)
        else:
            draw_ring(image, middle, centre, 2)
    for space, left in ((-3, 0), (3, WIDTH_PX - _END_WIDTH)):
        draw_box(image, left, 0, _END_WIDTH, _SPACES_HEIGHT, filled=space == marker)
        text_left = left + (_END_WIDTH - width_px("POINT!")) // 2
        text_top = (_SPACES_HEIGHT - LETTER_HEIGHT_PX) // 2
        draw_text(image, text_left, text_top, "POINT!", level=DARK if space == marker else LIT)


def _draw_call(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """The call in the largest letters that fit; beside it the points, and TOO CLOSE if it was: beside
    the call or under it, wherever that leaves the call the larger letters."""
    points = wording.points_title(board)

    def title(width: int, height: int) -> Block:
        return fitted_with_names(
            lambda named: wording.title(board, named), texts, width, height, largest=4, narrow=True
        )

    width, height = WIDTH_PX, _CALL_HEIGHT
    if points:
        room = width_px(points, 3)
        draw_block(image, width - room, _CALL_TOP, room, height, fitted(points, room, height))
        width -= room + _GAP
    block = title(width, height)
    if wording.is_too_close(board):
        doubt = wording.too_close(texts)
        words = tuple(doubt.split())
        room = max(map(width_px, words)) + 8
        under = title(width, height - _BADGE_HEIGHT)
        beside = title(width - room - _GAP, height)
        if under.reach > beside.reach or (points and under.reach == beside.reach):
            height, block = height - _BADGE_HEIGHT, under
            draw_badge(image, (doubt,), 0, width, _CALL_TOP + height + 2)
        else:
            draw_badge(image, words, width - room, room, _CALL_TOP + 5)
            width, block = width - room - _GAP, beside
    draw_block(image, 0, _CALL_TOP, width, height, block)


def _draw_foot(image: Image.Image, board: Scoreboard, texts: Texts) -> None:
    """Who plays, at their own end of the panel with an arrow towards it; dark on lit under pressure."""
    room = WIDTH_PX if board.to_play is None else WIDTH_PX - _ARROW_WIDTH - _GAP
    room -= 3 if wording.is_under_pressure(board) else 0  # the badge's border
    block = fitted_with_names(
        lambda named: wording.who_plays(board, named), texts, room, _FOOT_HEIGHT, largest=2, narrow=True
    )
    if board.to_play is None:
        draw_block(image, 0, _FOOT_TOP, WIDTH_PX, _FOOT_HEIGHT, block)
        return
    on_right = board.to_play.startswith("A" if board.ends_changed else "B")
    left = WIDTH_PX - _ARROW_WIDTH - _GAP - block.width_px if on_right else _ARROW_WIDTH + _GAP
    if wording.is_under_pressure(board):
        top = _FOOT_TOP + _FOOT_HEIGHT - block.height_px - 3  # the badge is so much larger
        draw_badge(image, block.lines, left, block.width_px, top, block.size, block.cut)
    else:
        draw_block(image, left, _FOOT_TOP, block.width_px, _FOOT_HEIGHT, block)
    arrow_left = WIDTH_PX - _ARROW_WIDTH if on_right else 0
    draw_arrow(image, arrow_left, _FOOT_TOP, _ARROW_WIDTH, to_right=on_right)


def _draw_heading(image: Image.Image, heading: str, left: int, width: int) -> None:
    draw_text(image, left + (width - width_px(heading)) // 2, 0, heading)


def _draw_number(
    image: Image.Image, pair: tuple[object, object], index: int, top: int, left: int, width: int
) -> None:
    block = of_a_pair(pair, index, width, _ROW_HEIGHT)
    draw_block(image, left, top, width, _ROW_HEIGHT, block)


def _draw_race(image: Image.Image, points: int, goal: int, top: int) -> None:
    """A ladder of `goal` rungs, lit as far as the side has come."""
    height = 11
    step = max(_RACE_WIDTH // goal, 1)
    if step < 3:  # rungs too narrow to be told apart: one bar
        draw_box(image, _RACE_LEFT, top + 5, _RACE_WIDTH, height, filled=False)
        width = _RACE_WIDTH * min(points, goal) // goal
        draw_box(image, _RACE_LEFT, top + 5, width, height, filled=True)
        return
    left = _RACE_LEFT + (_RACE_WIDTH - step * goal) // 2
    for rung in range(goal):
        draw_box(image, left + step * rung, top + 5, step - 1, height, filled=rung < points)


def _draw_side(image: Image.Image, board: Scoreboard, side: Side, top: int) -> None:
    """The side's letter; dark on lit when it has won, with a ball beside it while it serves."""
    won = board.outcome is not None and board.outcome.winner == side
    if won:
        draw_box(image, 0, top - 2, 19, _ROW_HEIGHT + 4, filled=True)
    draw_text(image, 2, top, side, 3, DARK if won else LIT)
    if board.outcome is None and board.server.startswith(side):
        draw_disc(image, 22, top + _ROW_HEIGHT // 2, 3)
