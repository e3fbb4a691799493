"""The screen of a match that goes on: calls as they happen, both panels, the court, questions.

Two displays with one contract: pictures that stay in place on a terminal, plain lines elsewhere.
What is shown is decided by whoever calls; nothing here knows rules or cameras.
"""

import io
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TextIO

from firmware.screens import wording
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.terminal import Stroke, braille_rows, call_line, menu_line, pictures_possible, plain_rows
from firmware.texts import Texts

if TYPE_CHECKING:
    from PIL import Image
    from rich.console import Group
    from rich.live import Live

    from calibration.edition import Edition
    from hardware.panel import Mode, Size

Point = tuple[float, float]
Ask = Callable[[str], str]
Draw = Callable[["Size", "Mode"], "Image.Image"]
"""Draws what a panel of that size, in pixels, and mode shows."""

_PANEL_SIZE = (128, 64)
_ROWS_FOR_CALLS = 4
"""What stays free above the pictures, so that the latest calls are in sight."""
_ROWS_IN_LETTERS = {"in-rally scorer": 3, "game scorer": 1, "court": 0}
"""What is in the place of a picture that has no room."""


class Display(Protocol):
    """Where a match is shown."""

    def call(self, stroke: Stroke) -> None:
        """A stroke was called (a stroke line)."""

    def show(self, board: Scoreboard, texts: Texts | None = None) -> None:
        """The score, who plays, or a notice changed; `texts`: what the panels' words are made of now, if
        others than before."""

    def menu(self, page: MenuPage) -> None:
        """The menu was opened, or walked."""

    def panel(self, role: str, draw: Draw) -> None:
        """What a panel ("in-rally", "game") shows changed."""

    def ball(self, at_mm: Point | None, lying: bool) -> None:
        """Where the umpire sees the ball, mm in board axes; None when it does not."""

    def say(self, text: str) -> None:
        """A line of text among the calls."""

    def ask(self, question: str) -> str:
        """What a person types after `question`. EOFError when there is nobody to type."""

    def close(self) -> None:
        """Leave the last pictures standing; nothing is shown afterwards. Safe to call twice."""


class SilentDisplay:
    """Shows nothing: for those who read lines made for programs."""

    def call(self, stroke: Stroke) -> None:
        """Nothing."""

    def show(self, board: Scoreboard, texts: Texts | None = None) -> None:
        """Nothing."""

    def menu(self, page: MenuPage) -> None:
        """Nothing."""

    def panel(self, role: str, draw: Draw) -> None:
        """Nothing."""

    def ball(self, at_mm: Point | None, lying: bool) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def ask(self, question: str) -> str:
        """Nobody is there."""
        raise EOFError

    def close(self) -> None:
        """Nothing."""


class PlainDisplay:
    """Plain lines: each call, and both panels in letters at the start, after each game and at the
    end."""

    def __init__(self, stream: TextIO, ask: Ask = input, texts: Texts | None = None) -> None:
        self._stream = stream
        self._ask = ask
        self._texts = texts
        self._shown: Scoreboard | None = None
        self._board: Scoreboard | None = None

    def call(self, stroke: Stroke) -> None:
        """Print the call's line."""
        self.say(call_line(stroke))

    def show(self, board: Scoreboard, texts: Texts | None = None) -> None:
        """Print the panels if a game ended since they were printed; a new notice as a line."""
        self._texts = texts or self._texts
        before, self._board = self._board, board
        if board.notice is not None and (before is None or before.notice != board.notice):
            self.say(f"     -- {board.notice}")
        shown = self._shown
        if shown is None or (shown.games, shown.sets) != (board.games, board.sets):
            self._print_panels(board)

    def menu(self, page: MenuPage) -> None:
        """Print the highlighted entry as a line."""
        self.say(f"     -- {menu_line(page)}")

    def panel(self, role: str, draw: Draw) -> None:
        """Nothing: `show` and `menu` have the same in letters."""

    def ball(self, at_mm: Point | None, lying: bool) -> None:
        """Nothing: a line for every frame would be no help."""

    def say(self, text: str) -> None:
        """Print a line, at once."""
        print(text, file=self._stream, flush=True)

    def ask(self, question: str) -> str:
        """Print the panels, for the person to choose by, and ask."""
        if self._board is not None and self._board != self._shown:
            self._print_panels(self._board)
        return self._ask(question)

    def close(self) -> None:
        """Print the panels once more unless they stand there already."""
        if self._board is not None and self._board != self._shown:
            self._print_panels(self._board)

    def _print_panels(self, board: Scoreboard) -> None:
        self._shown = board
        self.say("\n".join(plain_rows(board, self._texts)))


class PictureDisplay:
    """Calls scroll by above pictures that stay in place: the panels and the court, in braille."""

    def __init__(self, stream: TextIO, edition: "Edition", ask: Ask = input) -> None:
        from rich.console import Console

        from firmware.screens.court import CourtPicture

        self._console = Console(file=stream, highlight=False)
        self._court = CourtPicture(edition)
        self._seen = self._court.with_ball(None, lying=False)
        self._ask = ask
        self._board = Scoreboard()
        self._texts: Texts | None = None
        self._page: MenuPage | None = None
        self._panels: dict[str, Image.Image] = {}
        self._live: Live | None = None

    def call(self, stroke: Stroke) -> None:
        """Print the call above the pictures, in colour by what it means for the rally."""
        from rich.text import Text

        style = "yellow" if not stroke["certain"] else ""
        if stroke["rally_winner"] is not None:
            style = f"bold {style}".strip()
        self._console.print(Text(call_line(stroke), style=style))

    def show(self, board: Scoreboard, texts: Texts | None = None) -> None:
        """Keep the score, for the lines of it that small terminals have; the panels are drawn by `panel`."""
        self._put(board, texts or self._texts, None)

    def menu(self, page: MenuPage) -> None:
        """Keep the page, for the line of it that small terminals have; `panel` draws it."""
        self._put(self._board, self._texts, page)

    def _put(self, board: Scoreboard, texts: Texts | None, page: MenuPage | None) -> None:
        before = self._board, self._texts, self._page
        self._board, self._texts, self._page = board, texts, page
        if self._live is not None and before != (board, texts, page):
            self._draw()

    def panel(self, role: str, draw: Draw) -> None:
        """Draw the panel."""
        self._panels[role] = draw(_PANEL_SIZE, "1")
        self._draw()

    def ball(self, at_mm: Point | None, lying: bool) -> None:
        """Draw the ball on the court."""
        seen = self._court.with_ball(at_mm, lying)
        # A lying ball's place trembles by less than a pixel; that is no reason to draw.
        if seen.tobytes() != self._seen.tobytes():
            self._seen = seen
            self._draw()

    def say(self, text: str) -> None:
        """Print a line above the pictures."""
        from rich.text import Text

        self._console.print(Text(text, style="cyan"))

    def ask(self, question: str) -> str:
        """Ask below the pictures; they stay where they are and are drawn anew afterwards."""
        self.close()
        return self._ask(question)

    def close(self) -> None:
        """Let the pictures stand."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw(self) -> None:
        from rich.live import Live

        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False, redirect_stdout=False)
            self._live.start()
        images = {f"{role} scorer": image for role, image in sorted(self._panels.items(), reverse=True)}
        images["court"] = self._seen
        said = _rally(self._board, self._texts) if self._page is None else menu_line(self._page)
        pictures = arranged(images, self._board, said, self._console.width, self._console.height)
        self._live.update(pictures, refresh=True)


def arranged(
    images: "Mapping[str, Image.Image]", board: Scoreboard, said: str, width: int, height: int
) -> "Group":
    """As many of the pictures, by their titles, as `width` x `height` characters hold beside a few calls, the
    first ones first. What has no room is in letters: the score of the game scorer, and what is `said` on the
    in-rally scorer."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    rows: list[list[Panel]] = []
    room = 0
    shown = set()
    for title, image in images.items():
        lines = braille_rows(image)
        columns, tall = len(lines[0]) + 4, len(lines) + 2
        panel = Panel(Text("\n".join(lines), style="bright_yellow"), title=title, width=columns)
        if rows and room >= columns:
            rows[-1].append(panel)
            room -= columns
        elif columns <= width and tall * (len(rows) + 1) <= height - _ROWS_FOR_CALLS:
            rows.append([panel])
            room = width - columns
        else:
            height -= _ROWS_IN_LETTERS[title]
            continue
        shown.add(title)
    grids: list[Table | Text] = []
    for row in rows:
        grid = Table.grid()
        grid.add_row(*row)
        grids.append(grid)
    if "in-rally scorer" not in shown:
        grids.append(Text(said, style="bright_yellow"))
    if "game scorer" not in shown:
        grids.append(Text(_score(board), overflow="ellipsis", no_wrap=True))
    return Group(*grids)


def _rally(board: Scoreboard, texts: Texts | None) -> str:
    """The in-rally scorer in letters, where its picture has no room: a notice or a question whole."""
    if board.notice is not None:
        return board.notice
    call = f"{wording.title(board, texts)} {wording.points_title(board)}".strip()
    if wording.is_too_close(board):
        call += f"  {wording.too_close(texts)}"
    marker = f"{board.marker:+d}" if board.marker else "0"
    return f"{call}   marker {marker}   {wording.who_plays(board, texts)}".strip()


def _score(board: Scoreboard) -> str:
    """The game scorer in one line, for terminals too small for its picture."""
    if board.points_to_win is not None:
        return f"points {'-'.join(board.points)}, first to {board.points_to_win}   {board.server} serves"
    points, games, sets = ("-".join(map(str, of)) for of in (board.points, board.games, board.sets))
    counted = "tie-break" if board.tie_break else "points"
    return f"{counted} {points}   games {games}   sets {sets}   {board.server} serves this game"


def open_display(edition: "Edition", stream: TextIO | None = None, texts: Texts | None = None) -> Display:
    """The display for `stream` (default: standard output): pictures where they can be shown, else letters of
    `texts` (default: English)."""
    out = stream or sys.stdout
    if pictures_possible(out):
        return PictureDisplay(out, edition)
    if isinstance(out, io.TextIOWrapper):
        # A player's name is no reason to end a match where only ASCII can be shown.
        out.reconfigure(errors="replace")
    return PlainDisplay(out, texts=texts)
