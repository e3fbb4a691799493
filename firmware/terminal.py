"""What a person sees in the terminal: call lines, the table of calls, both panels, a progress bar.

Text only; nothing here knows a camera or decides anything. rich is imported where it draws.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from firmware.screens import wording
from firmware.screens.letters import printable
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import Texts

if TYPE_CHECKING:
    from PIL import Image
    from rich.console import Console

Stroke = Mapping[str, Any]
"""A stroke line as `firmware.report.stroke_line` makes it."""

_BRAILLE = 0x2800
_BRAILLE_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bit of each dot of a braille cell by row and column (Unicode, block Braille Patterns)."""
_HEADINGS = ("#", "time", "seat", "call", "points", "margin", "marker", "score", "remarks")
_NUMBERS = ("#", "time", "points", "margin", "marker")
_LOG_WIDTH = 120
_STATE_STYLES = {"ok": "green", "warning": "yellow", "broken": "bold red"}
_LADDER = 11
"""Letters for how far a side has come in a race of points."""


class Advance(Protocol):
    """Tells a progress bar how far things are."""

    def __call__(self, done: int) -> None:
        """`done` of the announced total are done."""


def score_text(score: Mapping[str, Any]) -> str:
    """A stroke line's points, games and sets: "15-30  1-0  0-0"."""
    return "  ".join("-".join(map(str, score[of])) for of in ("points", "games", "sets"))


def call_line(stroke: Stroke) -> str:
    """One call in one line: "#12 B1  in  2 points  margin 1.42 mm  marker +1  15-30"."""
    number, score = f"#{stroke['number']}", stroke["score"]
    points, margin_mm, marker = stroke["points"], stroke["margin_mm"], stroke["marker"]
    parts = [
        f"{number:>4} {stroke['seat']}",
        f"{stroke['call']:<12}",
        _points_text(points),
        f"{_without_margin(stroke):<18}" if margin_mm is None else f"margin {margin_mm:+8.2f} mm",
        f"marker {_signed(marker)}",
        "-".join(score["points"]),
    ]
    if any(score["games"]) or any(score["sets"]):
        parts.append(f"games {'-'.join(map(str, score['games']))}")
    if any(score["sets"]):
        parts.append(f"sets {'-'.join(map(str, score['sets']))}")
    remarks = _remarks(stroke)
    if "too close" in remarks:
        remarks[remarks.index("too close")] = "TOO CLOSE"
    parts += remarks
    return "  ".join(parts)


def menu_line(page: MenuPage) -> str:
    """The highlighted entry in one line: "Menu 2/11: Level (Confirmed). For the next match."."""
    here = page.entries[page.at]
    said = f"{page.title} {page.at + 1}/{len(page.entries)}: {here.label}"
    if here.value:
        said += f" ({here.value})"
    if page.typed is not None:
        said += f" [{page.typed}]"
    return f"{said}. {page.note}".rstrip() if page.note else said


def print_calls(strokes: Iterable[Stroke], stream: TextIO | None = None) -> int:
    """Print a table of calls; how many there were. What came before an error is printed."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in _HEADINGS:
        right = heading in _NUMBERS
        table.add_column(heading, justify="right" if right else "left", no_wrap=True)
    count = 0
    try:
        for count, stroke in enumerate(strokes, start=1):  # noqa: B007 (the count is the answer)
            table.add_row(*map(Text, _cells(stroke)), style="" if stroke["certain"] else "yellow")
    finally:
        _console(stream).print(table)
    return count


def print_findings(findings: Iterable[tuple[str, str, str, str]], stream: TextIO | None = None) -> None:
    """Print a table of a doctor's findings: part, state ("ok", "warning" or "broken"), text, what to do."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("part", "state"):
        table.add_column(heading, no_wrap=True)
    table.add_column("what was found, and what to do")
    for part, state, text, then in findings:
        said = Text(text)
        if then:
            said.append(f"\n-> {then}", style="bold" if state != "ok" else "dim")
        table.add_row(Text(part), Text(state, style=_STATE_STYLES[state]), said)
    _console(stream).print(table)


def braille_rows(image: "Image.Image") -> list[str]:
    """A 1-bit picture as text, eight pixels a character: 64 x 16 characters for a panel."""
    lit = _lit(image)
    rows = []
    for top in range(0, image.height, 4):
        cells = []
        for left in range(0, image.width, 2):
            dots = sum(
                bit * lit[top + dy][left + dx]
                for dy, bits in enumerate(_BRAILLE_DOTS)
                for dx, bit in enumerate(bits)
            )
            cells.append(chr(_BRAILLE + dots))
        rows.append("".join(cells))
    return rows


def plain_rows(board: Scoreboard, texts: Texts | None = None) -> list[str]:
    """Both panels side by side in plain letters, for logs and terminals without pictures. `texts`: English
    without them."""
    spaces = ["POINT!", ".", ".", "o", ".", ".", "POINT!"]
    at = 3 + (-board.marker if board.ends_changed else board.marker)
    spaces[at] = f"[{spaces[at]}]" if at in (0, 6) else "#"
    close = f"  {printable(wording.too_close(texts))}" if wording.is_too_close(board) else ""
    call = f"{printable(wording.title(board, texts))} {wording.points_title(board)}".strip() + close
    middle = [*_in_lines(call, 32, 2), printable(wording.who_plays(board, texts))]
    if board.notice is not None:
        middle = _in_lines(printable(board.notice), 32, 3)
    left = [" ".join(spaces), *middle]
    race = board.points_to_win
    heading = printable(wording.points_heading(board, texts))
    sets, games = (printable(each(texts)) for each in (wording.sets_heading, wording.games_heading))
    right = [f"{sets:>9}  {games:>5} {heading:>7}" if race is None else f"                 {heading:>7}"]
    for index, side in enumerate(("A", "B")):
        ball = "*" if board.server.startswith(side) else " "
        row = f"{board.sets[index]:>4}  {board.games[index]:>5}"
        if race is not None:
            row = f"{'#' * (_LADDER * min(int(board.points[index]), race) // race):.<{_LADDER}}"
        right.append(f"{side} {ball}  {row:<11} {board.points[index]:>7}")
    right.append(printable(wording.footer(board, texts)))
    rule = f"+{'-' * 34}+  +{'-' * 34}+"
    rows = [f"| {a[:32]:<32} |  | {b[:32]:<32} |" for a, b in zip(left, right, strict=True)]
    return [rule, *rows, rule]


def pictures_possible(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that moves its cursor, shows braille and wants decoration."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        "\u28ff\u256d".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def progress(total: int | None, what: str) -> Iterator[Advance]:
    """A progress bar on stderr while the body runs; nothing is drawn unless that is a terminal.

    `total` None draws a bar that only shows that something goes on. The bar is gone afterwards.
    """
    if not pictures_possible(sys.stderr):
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_console(sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def _points_text(points: int | None) -> str:
    if points is None:
        return "- points"
    return f"{points} point " if points == 1 else f"{points} points"


def _signed(marker: int) -> str:
    return f"{marker:+d}" if marker else " 0"


def _cells(stroke: Stroke) -> Iterator[str]:
    started, points, margin_mm = stroke["started_at"], stroke["points"], stroke["margin_mm"]
    yield str(stroke["number"])
    yield "" if started is None else f"{started:.2f} s"
    yield str(stroke["seat"])
    yield str(stroke["call"])
    yield "" if points is None else str(points)
    yield "" if margin_mm is None else f"{margin_mm:.2f} mm"
    yield _signed(stroke["marker"])
    yield score_text(stroke["score"])
    yield ", ".join(_remarks(stroke))


def _remarks(stroke: Stroke) -> list[str]:
    """What is to be said of a call beside its numbers."""
    remarks = []
    if not stroke["certain"]:
        # A call without a margin hangs on no line: the ball was lost from sight.
        remarks.append("not seen well" if stroke["margin_mm"] is None else "too close")
    if stroke["call"] == "void":
        remarks.append("does not count")
    elif stroke.get("ruled", False):
        remarks.append("ruled by the players")
    winner = stroke["rally_winner"]
    return [*remarks, f"rally to {winner}"] if winner else remarks


def _without_margin(stroke: Stroke) -> str:
    return "off the board" if stroke.get("off_board", not stroke.get("ruled", False)) else ""


def _lit(image: "Image.Image") -> list[list[int]]:
    pixels = image.load()
    if pixels is None:
        raise ValueError("a picture without pixels cannot be shown")
    return [[int(pixels[x, y] != 0) for x in range(image.width)] for y in range(image.height)]


def _in_lines(text: str, width: int, count: int) -> list[str]:
    """`text` in exactly `count` lines; words that do not fit are left off, with "..." for them."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= width:
            lines[-1] = joined
        elif len(lines) < count:
            lines.append(word[:width])
        else:
            lines[-1] = f"{lines[-1][: width - 4]} ..."
            break
    return lines + [""] * (count - len(lines))


def _console(stream: TextIO | None) -> "Console":
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            """A reader that has gone is the command line's to deal with; rich would exit with 1."""
            raise BrokenPipeError

    file = stream or sys.stdout
    # rich takes 80 columns where there is no terminal to ask, and would cut the table.
    return Output(file=file, highlight=False, width=None if file.isatty() else _LOG_WIDTH)
