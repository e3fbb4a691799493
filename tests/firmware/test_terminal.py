"""The terminal: pictures as text, call lines, the table of calls, the progress bar."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.scoreboard import Called, Scoreboard
from firmware.terminal import (
    braille_rows,
    call_line,
    pictures_possible,
    plain_rows,
    print_calls,
    progress,
)
from firmware.texts import load

BOARD = Scoreboard(
    to_play="B1",
    marker=2,
    last=Called("A1", "in", 2, certain=False),
    points=("30", "15"),
    games=(1, 2),
    sets=(0, 1),
)
NOTICE = "The board has moved: hands off for a moment, it is being found again."


class Terminal(io.StringIO):
    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


def stroke(**changes: Any) -> dict[str, Any]:
    line = {
        "kind": "stroke",
        "number": 12,
        "seat": "B1",
        "started_at": 3.5,
        "rested_at": 4.25,
        "call": "in",
        "points": 2,
        "margin_mm": 1.42,
        "certain": True,
        "marker": 1,
        "rally_winner": None,
        "score": {"points": ["15", "30"], "games": [0, 0], "sets": [0, 0]},
    }
    return line | changes


def pixels_of_braille(rows: list[str]) -> list[list[bool]]:
    """Decoded from the code chart: dots 1-3 and 7 are the left column, 4-6 and 8 the right one."""
    order = {1: (0, 0), 2: (1, 0), 3: (2, 0), 7: (3, 0), 4: (0, 1), 5: (1, 1), 6: (2, 1), 8: (3, 1)}
    pixels = [[False] * (2 * len(rows[0])) for _ in range(4 * len(rows))]
    for row, text in enumerate(rows):
        for column, char in enumerate(text):
            for dot, (dy, dx) in order.items():
                lit = bool((ord(char) - 0x2800) >> (dot - 1) & 1)
                pixels[4 * row + dy][2 * column + dx] = lit
    return pixels


def pixels_of(image: Image.Image) -> list[list[bool]]:
    return [[image.getpixel((x, y)) != 0 for x in range(image.width)] for y in range(image.height)]


@given(st.binary(min_size=8, max_size=8))
def test_braille_keeps_every_pixel(data: bytes) -> None:
    image = Image.frombytes("1", (8, 8), data)
    assert pixels_of_braille(braille_rows(image)) == pixels_of(image)


def test_a_panel_takes_64_by_16_characters_in_braille() -> None:
    for panel in (in_rally_panel(BOARD), game_panel(BOARD)):
        rows = braille_rows(panel)
        assert len(rows) == 16
        assert {len(row) for row in rows} == {64}


def test_call_line_has_everything_in_one_line() -> None:
    line = " ".join(call_line(stroke()).split())
    assert line == "#12 B1 in 2 points margin +1.42 mm marker +1 15-30"


def test_call_line_tells_doubt_the_rally_and_the_score_of_games_and_sets() -> None:
    line = call_line(
        stroke(
            call="double-fault",
            points=0,
            marker=0,
            certain=False,
            rally_winner="A",
            score={"points": ["40", "0"], "games": [1, 2], "sets": [0, 1]},
        )
    )
    for text in ("double-fault", "TOO CLOSE", "rally to A", "40-0", "games 1-2", "sets 0-1"):
        assert text in line


def test_call_lines_stand_in_columns() -> None:
    lines = [
        call_line(stroke(number=1, points=1, margin_mm=-0.2)),
        call_line(stroke(number=120, call="double-fault", margin_mm=None, marker=-3)),
        call_line(stroke(points=None, call="ace", margin_mm=-100.0, marker=0)),
    ]
    assert len({line.index("marker") for line in lines}) == 1
    assert len({line.index("15-30") for line in lines}) == 1


def test_the_table_has_a_row_for_each_call_with_nothing_cut() -> None:
    out = io.StringIO()
    strokes = [stroke(number=number) for number in range(1, 4)]
    strokes.append(stroke(number=4, call="double-fault", certain=False, rally_winner="A"))
    assert print_calls(iter(strokes), out) == 4
    text = out.getvalue()
    assert "too close, rally to A" in text
    assert "double-fault" in text
    assert "\u2026" not in text
    rows = [row.split() for row in text.splitlines() if row.strip()[:1].isdigit()]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]


def test_calls_before_an_error_are_printed() -> None:
    def failing() -> Any:
        yield stroke(number=77)
        raise ValueError("the recording is truncated")

    out = io.StringIO()
    with pytest.raises(ValueError, match="truncated"):
        print_calls(failing(), out)
    assert "77" in out.getvalue()


@given(st.from_type(type(None)) | st.just(NOTICE) | st.text(min_size=1, max_size=200))
def test_plain_panels_are_one_rectangle(notice: str | None) -> None:
    rows = plain_rows(Scoreboard(marker=-3, notice=notice))
    assert len({len(row) for row in rows}) == 1
    assert "[POINT!]" in rows[1]


def test_plain_panels_tell_what_the_pictures_tell() -> None:
    text = "\n".join(plain_rows(BOARD))
    for word in ("IN +2", "TOO CLOSE", "B1 PLAYS", "30", "FIRST TO 2 SETS", "POINT!"):
        assert word in text
    assert "BOARD HAS MOVED" in "\n".join(plain_rows(Scoreboard(notice=NOTICE)))


def test_pictures_are_for_terminals_that_can_and_want(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert pictures_possible(Terminal())
    assert not pictures_possible(io.StringIO())
    assert not pictures_possible(Terminal("latin-1"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not pictures_possible(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not pictures_possible(Terminal())


def test_progress_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    drawn = []
    for stream in (io.StringIO(), Terminal()):
        monkeypatch.setattr("sys.stderr", stream)
        with progress(10, "reading") as advance:
            advance(5)
            advance(10)
        drawn.append("reading" in stream.getvalue())
    assert drawn == [False, True]


def test_rulings_and_strokes_that_do_not_count_are_told_apart() -> None:
    void = stroke(call="void", points=None, margin_mm=None, ruled=True, off_board=False, rally_winner=None)
    ruled = stroke(call="out", points=0, margin_mm=None, ruled=True, off_board=False, rally_winner="A")
    for line, remark in ((void, "does not count"), (ruled, "ruled by the players  rally to A")):
        assert call_line(line).endswith(remark)
        assert "off the board" not in call_line(line)
    out = io.StringIO()
    assert print_calls([void, ruled, stroke()], out) == 3
    rows = [row.rstrip() for row in out.getvalue().splitlines() if " B1 " in row]
    assert rows[0].endswith("does not count")
    assert rows[1].endswith("ruled by the players, rally to A")
    assert rows[2].endswith("0-0")


def test_a_call_that_hangs_on_no_line_is_said_to_be_unseen_not_too_close() -> None:
    line = call_line(stroke(margin_mm=None, certain=False, off_board=True, ruled=False))
    assert "off the board" in line
    assert line.endswith("not seen well")


def test_a_race_in_plain_letters_has_ladders_instead_of_sets_and_games() -> None:
    rows = plain_rows(Scoreboard(points=("6", "12"), points_to_win=12, server="B1"))
    assert "SETS" not in "".join(rows)
    assert "A    #####......       6" in rows[2]
    assert "B *  ###########      12" in rows[3]


def test_a_tie_break_and_changed_ends_in_plain_letters() -> None:
    rows = plain_rows(Scoreboard(points=("3", "2"), tie_break=True, marker=-3, ends_changed=True))
    assert "T-BREAK" in rows[1]
    assert "[POINT!]" in rows[1].split("|")[1][18:]


def test_plain_rows_are_in_the_match_s_language_with_its_players_names() -> None:
    texts = load("fr").named({"A": "Ève", "B": "Bob"})
    text = "\n".join(plain_rows(Scoreboard(to_play="A1", games=(1, 0)), texts))
    assert "ÈVE" in text
    assert "JEUX" in text
    in_english = plain_rows(Scoreboard(to_play="A1"))
    assert {len(row) for row in plain_rows(Scoreboard(to_play="A1"), texts)} == {len(in_english[0])}
