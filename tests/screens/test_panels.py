"""Both panels: every text whole, within the panel, and clear of the others, for any scoreboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args
from unittest import mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware import cli
from firmware.screens import font, lay_back, panels, upright, wide, wording
from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.scoreboard import CALL_NAMES, Called, CallName, Scoreboard, Seat, Serve, Side, Won
from firmware.texts import LANGUAGES, Language, load

SHORT_NOTICES = [
    "camera sees no board",
    "too dark: switch on a lamp",
    "something lies over the camera",
    "the board has moved: hands off for a moment, it is being found again",
    "put the ball back where it lay",
]

Box = tuple[str, int, int, int, int]


@contextmanager
def texts_drawn() -> Iterator[list[Box]]:
    """Every text that is drawn, with its extent: left, top, right, bottom."""
    drawn: list[Box] = []
    draw = font.draw_text

    def noting(
        image: Image.Image,
        left: int,
        top: int,
        text: str,
        size: font.Size = 1,
        level: int = 255,
        cut: font.Cut = "plain",
    ) -> None:
        width = font.width_px(text, size, cut)
        if width:
            bottom = top + size * font.LETTER_HEIGHT_PX
            drawn.append((font.printable(text), left, top, left + width, bottom))
        draw(image, left, top, text, size, level, cut)

    with (
        mock.patch.object(font, "draw_text", noting),
        mock.patch.object(panels, "draw_text", noting),
        mock.patch.object(wide, "draw_text", noting),
        mock.patch.object(upright, "draw_text", noting),
        mock.patch.object(lay_back, "draw_text", noting),
    ):
        yield drawn


def assert_whole_and_apart(drawn: list[Box], size: tuple[int, int]) -> None:
    for text, left, top, right, bottom in drawn:
        assert left >= 0, text
        assert top >= 0, text
        assert right <= size[0], text
        assert bottom <= size[1], text
    for index, (one, left, top, right, bottom) in enumerate(drawn):
        for other, left2, top2, right2, bottom2 in drawn[index + 1 :]:
            apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
            assert apart, (one, other)


def words(drawn: list[Box]) -> str:
    return " ".join(text for text, *_ in drawn)


KINDS: list[tuple[tuple[int, int], panels.Mode]] = [
    ((128, 64), "1"),
    ((256, 64), "L"),
    ((64, 128), "1"),
    ((64, 256), "L"),
]
every_kind = pytest.mark.parametrize(("size", "mode"), KINDS)
every_language = pytest.mark.parametrize("language", LANGUAGES)
NAMES = {"A": "Ève", "B": "Jean-Baptiste", "B2": "Zoé"}


@given(st.from_type(Scoreboard), st.sampled_from(LANGUAGES), st.sampled_from(KINDS))
def test_panels_are_of_the_size_and_mode_that_was_asked_for(
    board: Scoreboard, language: Language, kind: tuple[tuple[int, int], panels.Mode]
) -> None:
    size, mode = kind
    for draw in (in_rally_panel, game_panel):
        image = draw(board, load(language), size, mode)
        assert (image.mode, image.size) == (mode, size)
        levels = {value for _, value in image.getcolors() or ()}
        assert {0, 255} <= levels
        assert mode == "L" or levels == {0, 255}


def test_a_size_without_a_layout_is_refused() -> None:
    for draw in (in_rally_panel, game_panel):
        with pytest.raises(ValueError, match="128x64, 256x64"):
            draw(Scoreboard(), size=(96, 64))


@every_kind
def test_where_pixels_are_lit_or_dark_all_greys_are_lit(size: tuple[int, int], mode: panels.Mode) -> None:
    for draw in (in_rally_panel, game_panel):
        grey = draw(Scoreboard(), None, size, "L")
        lit = draw(Scoreboard(), None, size, "1")
        assert lit.convert("L").tobytes() == bytes(255 if level else 0 for level in grey.tobytes())


@given(
    st.from_type(Scoreboard), st.sampled_from(LANGUAGES), st.sampled_from(KINDS), st.sampled_from([{}, NAMES])
)
def test_texts_are_within_the_panel_and_do_not_overlap(
    board: Scoreboard,
    language: Language,
    kind: tuple[tuple[int, int], panels.Mode],
    names: dict[Side | Seat, str],
) -> None:
    for panel in (in_rally_panel, game_panel):
        with texts_drawn() as drawn:
            panel(board, load(language).named(names), *kind)
        assert_whole_and_apart(drawn, kind[0])


@given(
    st.from_type(Scoreboard).filter(lambda board: board.notice is None),
    st.sampled_from(LANGUAGES),
    st.sampled_from(KINDS),
)
def test_nothing_is_left_off_while_there_is_no_notice(
    board: Scoreboard, language: Language, kind: tuple[tuple[int, int], panels.Mode]
) -> None:
    texts = load(language)
    with texts_drawn() as drawn:
        in_rally_panel(board, texts, *kind)
    shown = words(drawn)
    for text in (wording.title(board, texts), wording.points_title(board), wording.who_plays(board, texts)):
        assert font.printable(text) in shown
    doubt = wording.too_close(texts).split()[0]
    assert (doubt in shown.split()) == wording.is_too_close(board)


@given(st.from_type(Scoreboard), st.sampled_from(LANGUAGES), st.sampled_from(KINDS))
def test_the_game_panel_shows_every_number_and_its_foot(
    board: Scoreboard, language: Language, kind: tuple[tuple[int, int], panels.Mode]
) -> None:
    texts = load(language)
    with texts_drawn() as drawn:
        game_panel(board, texts, *kind)
    shown = [text for text, *_ in drawn]
    for index in (0, 1):
        assert board.points[index] in shown
        if board.points_to_win is None:
            assert str(board.sets[index]) in shown
            assert str(board.games[index]) in shown
    for heading in (wording.sets_heading(texts), wording.games_heading(texts)):
        assert (font.printable(heading) in shown) == (board.points_to_win is None)
    tie_break = font.printable(texts.say("panel.heading.tie-break"))
    assert (tie_break in shown) == board.tie_break
    if board.outcome is None:
        assert font.printable(wording.footer(board, texts)) in words(drawn)


@every_language
def test_headings_are_within_their_columns(language: Language) -> None:
    texts = load(language)
    assert font.width_px(wording.sets_heading(texts)) <= panels._SETS[1]
    assert font.width_px(wording.games_heading(texts)) <= panels._GAMES[1]
    for tie_break in (False, True):
        heading = wording.points_heading(Scoreboard(tie_break=tie_break), texts)
        assert font.width_px(heading) <= panels._POINTS[1]


def test_players_are_shown_by_name_and_their_sides_too() -> None:
    singles = load("en").named({"A": "Ève", "B": "Tom"})
    assert wording.who_plays(Scoreboard(to_play="A1"), singles) == "Ève PLAYS"
    assert wording.who_plays(Scoreboard(rally_winner="B"), singles) == "RALLY TO Tom"
    assert wording.title(Scoreboard(outcome=Won("B")), singles) == "Tom WINS"
    doubles = load("en").named({"A2": "Zoé"})
    assert wording.who_plays(Scoreboard(to_play="A2"), doubles) == "Zoé PLAYS"
    assert wording.who_plays(Scoreboard(to_play="A1"), doubles) == "A1 PLAYS"


def test_on_the_wide_panel_calls_and_points_are_larger() -> None:
    for draw, shown, expected in (
        (in_rally_panel, {"+2"}, [{21}, {28}]),
        (in_rally_panel, {"WINNER!"}, [{14}, {28}]),
        (game_panel, {"30", "40"}, [{21}, {28}]),
    ):
        heights = []
        for size, mode in KINDS[:2]:
            board = Scoreboard(last=Called("A1", "winner", 2, certain=size[0] > 128), points=("30", "40"))
            with texts_drawn() as drawn:
                draw(board, None, size, mode)
            heights.append({bottom - top for text, _, top, _, bottom in drawn if text in shown})
        assert heights == expected


@pytest.mark.parametrize("notice", SHORT_NOTICES)
def test_a_notice_is_shown_whole(notice: str) -> None:
    with texts_drawn() as drawn:
        in_rally_panel(Scoreboard(notice=notice))
    assert font.printable(notice) in words(drawn)


def test_the_marker_is_seen_in_each_of_the_seven_spaces() -> None:
    strips = [in_rally_panel(Scoreboard(marker=marker)).crop((0, 0, 128, 15)) for marker in range(-3, 4)]
    assert len({strip.tobytes() for strip in strips}) == 7


def test_the_marker_moves_to_the_right_when_a_gains() -> None:
    """A sits on the left and pushes the marker towards B."""
    middles = []
    neutral = in_rally_panel(Scoreboard(marker=3)).crop((31, 0, 97, 15))
    for marker in range(-2, 3):
        strip = in_rally_panel(Scoreboard(marker=marker)).crop((31, 0, 97, 15))
        lit = [
            x for x in range(66) for y in range(15) if strip.getpixel((x, y)) and not neutral.getpixel((x, y))
        ]
        middles.append(sum(lit) / len(lit))
    assert middles == sorted(middles)
    assert len(set(middles)) == 5


def test_the_marker_goes_the_other_way_after_a_change_of_ends() -> None:
    """A then sits on the right, and pushes it to the left."""
    for marker in range(-3, 4):
        changed = in_rally_panel(Scoreboard(marker=marker, ends_changed=True)).crop((0, 0, 128, 15))
        mirrored = in_rally_panel(Scoreboard(marker=-marker)).crop((0, 0, 128, 15))
        assert changed.tobytes() == mirrored.tobytes()


def test_the_arrow_points_to_the_side_that_plays() -> None:
    def lit_at_ends(seat: str, changed: bool) -> tuple[int, int]:
        panel = in_rally_panel(Scoreboard(to_play=seat, ends_changed=changed))  # type: ignore[arg-type]
        foot = panel.crop((0, 50, 128, 64))
        return tuple(
            sum(1 for x in range(left, left + 13) for y in range(14) if foot.getpixel((x, y)))
            for left in (0, 115)
        )  # type: ignore[return-value]

    for changed in (False, True):
        a, b = lit_at_ends("A1", changed), lit_at_ends("B2", changed)
        left, right = (b, a) if changed else (a, b)
        assert left[0] > 0
        assert right[1] > 0
        assert left[1] == right[0] == 0


def test_the_server_s_ball_moves_with_the_server() -> None:
    a, b = (game_panel(Scoreboard(server=seat)) for seat in ("A1", "B1"))
    assert a.crop((19, 9, 27, 30)).tobytes() == b.crop((19, 33, 27, 54)).tobytes()
    assert a.crop((19, 33, 27, 54)).getbbox() is None


def test_first_and_second_serve_and_both_sides_differ() -> None:
    boards = [
        Scoreboard(to_play="A1", serve=Serve(attempt, side))
        for attempt in (1, 2)
        for side in ("right", "left")
    ]
    assert len({game_panel(board).tobytes() for board in boards}) == 4


def test_points_show_only_for_calls_that_earn_them() -> None:
    assert wording.points_title(Scoreboard(last=Called("A1", "in", 0))) == "+0"
    assert wording.points_title(Scoreboard(last=Called("A1", "winner", 3))) == "+3"
    assert wording.points_title(Scoreboard(last=Called("A1", "ace", None))) == ""
    assert wording.points_title(Scoreboard(last=Called("A1", "fault", 0))) == ""


def foot_of(board: Scoreboard) -> Image.Image:
    return in_rally_panel(board).crop((0, 50, 128, 64))


def test_a_return_under_pressure_stands_out() -> None:
    board = Scoreboard(to_play="B1", marker=3, last=Called("A1", "in", 2), pressure=True)
    assert wording.who_plays(board) == "B1 UNDER PRESSURE"
    plain = Scoreboard(to_play="B1", marker=3, last=Called("A1", "in", 2))
    lit = [sum(byte.bit_count() for byte in foot_of(each).tobytes()) for each in (board, plain)]
    assert lit[0] > 1.5 * lit[1]


def test_a_flick_fault_in_question_takes_the_calls_place_until_it_is_decided() -> None:
    """Nothing is claimed of a stroke while nobody knows whether it counts."""
    board = Scoreboard(to_play="A1", deciding=True, last=Called("A1", "in", 2, certain=False))
    assert (wording.title(board), wording.who_plays(board)) == ("FLICK FAULT?", "A1 DECIDES")
    assert wording.points_title(board) == ""
    assert not wording.is_too_close(board)
    assert wording.title(Scoreboard(last=Called("A1", "flick-fault", 0))) == "FLICK FAULT"


def test_nobody_plays_while_the_ball_has_to_be_placed() -> None:
    assert wording.who_plays(Scoreboard(to_play="A1", placing=True)) == "A1 PLACES THE BALL"


def test_a_race_shows_how_far_each_side_has_come_and_how_far_it_goes() -> None:
    def lit(points: int) -> int:
        board = Scoreboard(points=(str(points), "0"), points_to_win=12)
        ladder = game_panel(board).crop((28, 14, 85, 25))
        return sum(byte.bit_count() for byte in ladder.tobytes())

    counts = [lit(points) for points in range(13)]
    assert counts == sorted(set(counts))
    board = Scoreboard(points=("7", "5"), points_to_win=12)
    assert wording.footer(board) == "first to 12 points"
    won = Scoreboard(points=("12", "5"), points_to_win=12, outcome=Won("A"))
    assert wording.who_plays(won) == "12\u00a0:\u00a05"


@pytest.mark.parametrize("call", CALL_NAMES)
def test_every_call_has_a_title(call: CallName) -> None:
    assert wording.title(Scoreboard(last=Called("A1", call)))


@pytest.mark.parametrize("size", panels.SIZES)
def test_the_command_draws_every_size_in_either_language(size: tuple[int, int], tmp_path: Path) -> None:
    board = Scoreboard(last=Called("A1", "out"), to_play="B1", serve=Serve())
    (tmp_path / "state.json").write_bytes(msgspec.json.encode(board))
    mode = next(mode for known, mode in KINDS if known == size)
    for language in LANGUAGES:
        args = ["panels", "--state", str(tmp_path / "state.json"), "--out", str(tmp_path)]
        assert cli.main([*args, "--size", f"{size[0]}x{size[1]}", "--language", language]) == 0
        for name, draw in (("in-rally.png", in_rally_panel), ("game.png", game_panel)):
            with Image.open(tmp_path / name) as picture:
                assert (picture.mode, picture.size) == (mode, size)
                assert picture.tobytes() == draw(board, load(language), size, mode).tobytes()


@every_language
@pytest.mark.parametrize("call", CALL_NAMES)
@pytest.mark.parametrize("points", [None, 2])
def test_every_call_is_14_pixels_high_or_higher_on_panels_that_lie(
    language: Language, call: CallName, points: int | None
) -> None:
    texts = load(language)
    board = Scoreboard(last=Called("A1", call, points), to_play="B1")
    title = font.printable(wording.title(board, texts)).split(" ")
    for size, mode in KINDS[:2]:
        with texts_drawn() as drawn:
            in_rally_panel(board, texts, size, mode)
        heights = [bottom - top for text, _, top, _, bottom in drawn if text.split(" ")[0] in title]
        assert heights
        assert min(heights) >= 14


@every_language
def test_words_of_a_review_fit_their_column(language: Language) -> None:
    """66 pixels at the right of the picture on a small panel."""
    texts = load(language)
    for end in get_args(wording.ReviewEnd):
        assert font.width_px(wording.review_note(end, texts)) <= 66
    for call in CALL_NAMES:
        title = wording.review_title(Called("A1", call, 2), texts)
        assert font.fitted(title, 66, 16).whole
        assert title.endswith("+2") == (call in ("in", "winner"))


@pytest.mark.parametrize("points", [("40", "30"), ("AD", "40"), ("11", "12")])
def test_digits_of_the_score_are_read_from_afar(points: tuple[str, str]) -> None:
    """21 pixels high or higher; on the smallest upright panel, games and sets 14."""
    board = Scoreboard(points=points, games=(5, 4), sets=(1, 2), sets_to_win=3, server="B1", to_play="B1")
    for size, mode in KINDS:
        with texts_drawn() as drawn:
            game_panel(board, None, size, mode)
        heights = {text: bottom - top for text, _, top, _, bottom in drawn}
        assert min(heights[each] for each in points) >= 21, size
        least = 14 if size == (64, 128) else 21
        assert min(heights[each] for each in ("5", "4", "1", "2")) >= least, size
