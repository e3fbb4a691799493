"""The display of a live match: plain lines, and pictures that fit the terminal."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from rich.console import Console

from calibration.edition import load_edition
from firmware.display import PictureDisplay, PlainDisplay, arranged, open_display
from firmware.screens.court import CourtPicture
from firmware.screens.menu_page import MenuEntry, MenuPage
from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.scoreboard import Called, Scoreboard, Serve

START = Scoreboard(to_play="A1", serve=Serve())
LATER = Scoreboard(to_play="B1", marker=1, last=Called("A1", "in", 1))
NEXT_GAME = Scoreboard(to_play="B1", server="B1", serve=Serve(), games=(1, 0))
STROKE: dict[str, Any] = {
    "number": 3,
    "seat": "A1",
    "call": "in",
    "points": 1,
    "margin_mm": 2.5,
    "certain": True,
    "marker": 1,
    "rally_winner": None,
    "score": {"points": ["0", "0"], "games": [0, 0], "sets": [0, 0]},
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"


def panels_in(text: str) -> int:
    return text.count("SETS  GAMES  POINTS")


def test_plain_lines_show_the_panels_when_a_game_ends_and_not_at_each_call() -> None:
    out = io.StringIO()
    display = PlainDisplay(out)
    display.show(START)
    assert panels_in(out.getvalue()) == 1
    display.call(STROKE)
    display.show(LATER)
    assert panels_in(out.getvalue()) == 1
    assert "#3 A1  in" in out.getvalue()
    display.show(NEXT_GAME)
    assert panels_in(out.getvalue()) == 2
    display.close()
    assert panels_in(out.getvalue()) == 2


def test_plain_lines_end_with_the_panels_as_they_are() -> None:
    out = io.StringIO()
    display = PlainDisplay(out)
    display.show(START)
    display.show(LATER)
    display.close()
    display.close()
    assert panels_in(out.getvalue()) == 2
    assert "B1 PLAYS" in out.getvalue()


def test_a_notice_is_one_line_once() -> None:
    out = io.StringIO()
    display = PlainDisplay(out)
    dark = Scoreboard(notice="too dark: switch on a lamp")
    display.show(START)
    for board in (dark, dark, START, dark):
        display.show(board)
    assert out.getvalue().count("too dark: switch on a lamp") == 2


def test_a_question_comes_after_the_panels_and_its_answer_back() -> None:
    out = io.StringIO()
    asked = []

    def ask(question: str) -> str:
        asked.append((question, panels_in(out.getvalue())))
        return "2 left"

    display = PlainDisplay(out, ask)
    display.show(START)
    display.show(LATER)
    assert display.ask("aim? ") == "2 left"
    assert asked == [("aim? ", 2)]


SAID = "Serve from the right, behind the baseline: B, put the ball there, please."


def pictures(board: Scoreboard) -> dict[str, Image.Image]:
    return {
        "in-rally scorer": in_rally_panel(board),
        "game scorer": game_panel(board),
        "court": CourtPicture(load_edition("classic")).with_ball((0.0, 0.0), lying=True),
    }


@pytest.mark.parametrize(
    ("width", "height", "titles"),
    [
        (200, 50, ["in-rally scorer", "game scorer", "court"]),
        (140, 50, ["in-rally scorer", "game scorer", "court"]),
        (140, 30, ["in-rally scorer", "game scorer"]),
        (80, 60, ["in-rally scorer", "game scorer", "court"]),
        (80, 24, ["in-rally scorer"]),
        (60, 30, ["court"]),
        (60, 24, []),
        (40, 12, []),
    ],
)
def test_the_pictures_fit_the_terminal(width: int, height: int, titles: list[str]) -> None:
    out = io.StringIO()
    board = Scoreboard(points=("30", "15"))
    Console(file=out, width=width, height=height).print(arranged(pictures(board), board, SAID, width, height))
    lines = out.getvalue().rstrip("\n").splitlines()
    assert len(lines) <= height - 4
    assert max(map(len, lines)) <= width
    for title in ("in-rally scorer", "game scorer", "court"):
        assert (title in out.getvalue()) == (title in titles)
    if "game scorer" not in titles:
        assert "points 30-15" in out.getvalue()
    assert (SAID in " ".join(out.getvalue().split())) == ("in-rally scorer" not in titles)


def test_a_small_terminal_has_the_race_or_the_tie_break_in_one_line() -> None:
    for board, told in (
        (Scoreboard(points=("7", "10"), points_to_win=12), "points 7-10, first to 12   A1 serves"),
        (Scoreboard(points=("3", "2"), tie_break=True), "tie-break 3-2   games 0-0"),
    ):
        out = io.StringIO()
        Console(file=out, width=60, height=12).print(arranged(pictures(board), board, SAID, 60, 12))
        assert told in out.getvalue()


def test_pictures_and_calls_go_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    display = open_display(load_edition("classic"), out)
    assert isinstance(display, PictureDisplay)
    display.show(START)
    display.panel("in-rally", lambda size, mode: in_rally_panel(START, size=size, mode=mode))
    display.call(STROKE)
    before = len(out.getvalue())
    display.ball((50.0, 20.0), lying=False)
    moved = len(out.getvalue())
    display.ball((50.1, 20.0), lying=False)
    assert moved > before
    assert len(out.getvalue()) == moved, "a ball that moved by less than a pixel was drawn again"
    display.close()
    display.close()
    assert "#3 A1  in" in out.getvalue()
    assert any(0x2801 <= ord(char) <= 0x28FF for char in out.getvalue())


@pytest.mark.parametrize("columns", [60, 80])
def test_a_notice_a_question_and_the_menu_are_read_on_any_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": str(columns), "LINES": "20"}.items():
        monkeypatch.setenv(name, value)
    out = Terminal()
    display = PictureDisplay(out, load_edition("classic"))
    display.show(START)
    display.panel("game", lambda size, mode: game_panel(START, size=size, mode=mode))

    def new(show: Callable[[], None]) -> str:
        before = len(out.getvalue())
        show()
        return " ".join(out.getvalue()[before:].split())

    assert "No camera: check its cable." in new(
        lambda: display.show(Scoreboard(notice="No camera: check its cable."))
    )
    assert "IN +1 marker +1 B1 PLAYS" in new(lambda: display.show(LATER))
    page = MenuPage("Menu", (MenuEntry("Level", "Confirmed"),), 0)
    assert "Menu 1/1: Level (Confirmed)" in new(lambda: display.menu(page))
    assert "B1 PLAYS" in new(lambda: display.show(LATER))
    assert new(lambda: display.show(LATER)) == "", "nothing has changed"
    display.close()


def test_anything_else_gets_plain_lines() -> None:
    assert isinstance(open_display(load_edition("classic"), io.StringIO()), PlainDisplay)


def test_the_ball_is_where_it_lies_on_the_court() -> None:
    edition = load_edition("classic")
    picture = CourtPicture(edition)
    empty = picture.with_ball(None, lying=True)
    middles = {}
    for place in ((-150.0, 0.0), (150.0, 0.0), (0.0, 150.0)):
        image = picture.with_ball(place, lying=True)
        lit = [
            (x, y)
            for x in range(image.width)
            for y in range(image.height)
            if image.getpixel((x, y)) and not empty.getpixel((x, y))
        ]
        middles[place] = [sum(axis) / len(lit) for axis in zip(*lit, strict=True)]
    assert middles[-150.0, 0.0][0] < image.width / 2 < middles[150.0, 0.0][0]
    assert middles[0.0, 150.0][1] < middles[150.0, 0.0][1], "y grows upwards"


def test_a_name_with_an_accent_does_not_end_a_match_where_only_ascii_can_be_shown() -> None:
    raw = io.BytesIO()
    display = open_display(load_edition("classic"), io.TextIOWrapper(raw, encoding="ascii"))
    display.say("Ève sert")
    assert raw.getvalue() == b"?ve sert\n"
