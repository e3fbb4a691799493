"""Where the ball has to be laid back: recorded pictures, and what must be true of any of them.

SETMATCH_RECORD=1 records the pictures anew; look at every one of them then.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.edition import edition_names, load_edition
from firmware.screens import font
from firmware.screens.lay_back import Line, Point, lay_back_panel, ways
from firmware.screens.panels import SIZES
from firmware.texts import LANGUAGES, Language, load
from tests.screens.recorded import FOLDER, check
from tests.screens.test_panels import KINDS, assert_whole_and_apart, texts_drawn, words

CLASSIC = load_edition("classic")
PLACES: dict[str, Point] = {
    "backcourt": (-150.3, 40.2),
    "alley": (60.0, -88.0),
    "to-serve": (232.0, -30.0),
    "on-the-net": (-3.0, 1.0),
    "near-both-lines": (112.0, 70.0),
    "off-the-board": (-400.0, 180.0),
}
PICTURES: dict[str, tuple[Point, Language, dict[str, Any]]] = {
    f"{name}.{size[0]}x{size[1]}.{language}.png": (at, language, {"size": size, "mode": mode})
    for name, at in PLACES.items()
    for size, mode in KINDS
    for language in LANGUAGES
}
every_size = pytest.mark.parametrize("size", SIZES)
anywhere = st.tuples(st.floats(-300, 300), st.floats(-140, 140))


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_as_recorded(name: str, tmp_path: Path) -> None:
    at, language, panel = PICTURES[name]
    check(f"lay_back/{name}", lay_back_panel(CLASSIC, at, load(language), **panel), tmp_path)


def test_every_recorded_picture_is_of_a_place_here() -> None:
    assert {path.name for path in (FOLDER / "lay_back").glob("*.png")} == set(PICTURES)


@pytest.mark.parametrize(
    ("at", "along", "across"),
    [
        # Middles of lines: service 116.5, baseline 218.5, singles 74.5, doubles 100.5.
        ((-150.0, 40.0), ("service", 33.5, -116.5), ("singles", 34.5, 74.5)),
        ((20.0, -12.0), ("net", 20.0, 0.0), ("centre", 12.0, 0.0)),
        ((60.0, -89.0), ("net", 60.0, 0.0), ("doubles", 11.5, -100.5)),
        ((150.0, 89.0), ("baseline", 68.5, 218.5), ("doubles", 11.5, 100.5)),  # the service line ends before
        ((160.0, 20.0), ("service", 43.5, 116.5), ("singles", 54.5, 74.5)),  # and so does the centre line
        ((-230.0, 12.0), ("baseline", 11.5, -218.5), ("centre", 12.0, 0.0)),  # beside the centre mark
        ((0.0, 0.0), ("net", 0.0, 0.0), ("centre", 0.0, 0.0)),
        # Under the ball, on either side of a line: told by the next line, unless that is no matter.
        ((112.0, 70.0), ("baseline", 106.5, 218.5), ("doubles", 30.5, 100.5)),
        ((118.0, 75.0), ("service", 1.5, 116.5), ("singles", 0.5, 74.5)),
        ((5.0, 6.0), ("service", 111.5, 116.5), ("singles", 68.5, 74.5)),
    ],
)
def test_the_nearest_lines_beside_the_ball(
    at: Point, along: tuple[Line, float, float], across: tuple[Line, float, float]
) -> None:
    first, second = ways(CLASSIC, at)
    assert (first.line, first.mm, first.to_mm[0]) == pytest.approx(along)
    assert (second.line, second.mm, second.to_mm[1]) == pytest.approx(across)
    assert first.along_x
    assert not second.along_x
    assert (first.to_mm[1], second.to_mm[0]) == (at[1], at[0])


@given(anywhere, st.sampled_from([1, -1]), st.sampled_from([1, -1]))
def test_the_ways_are_the_same_on_either_half_and_either_side(at: Point, x: int, y: int) -> None:
    mirrored = ways(CLASSIC, (x * at[0], y * at[1]))
    assert [(way.line, way.mm) for way in mirrored] == [(way.line, way.mm) for way in ways(CLASSIC, at)]


@pytest.mark.parametrize("edition", edition_names())
@given(at=st.tuples(st.floats(-600, 600), st.floats(-300, 300)), kind=st.sampled_from(KINDS))
def test_words_are_whole_and_tell_both_distances(
    edition: str, at: Point, kind: tuple[tuple[int, int], Any]
) -> None:
    board = load_edition(edition)
    for language in LANGUAGES:
        texts = load(language).named({"A": "Ève", "B": "Maximilian-Ferdinand"})
        with texts_drawn() as drawn:
            lay_back_panel(board, at, texts, *kind)
        assert_whole_and_apart(drawn, kind[0])
        shown = words(drawn)
        for way in ways(board, at):
            assert f"{way.mm:.0f}" in shown.split()
            assert font.printable(texts.say(f"lay-back.{way.line}")) in shown


@every_size
def test_the_end_is_called_by_who_plays_there(size: tuple[int, int]) -> None:
    """By the letter where the name has no room; the other one after a change of ends."""
    texts = load("en").named({"A": "Ann", "B": "Maximilian-Ferdinand-Emanuel"})
    for at, ends_changed, end in (
        ((-50.0, 0.0), False, "ANN'S END"),
        ((50.0, 0.0), False, "B'S END"),
        ((-50.0, 0.0), True, "B'S END"),
        ((50.0, 0.0), True, "ANN'S END"),
    ):
        with texts_drawn() as drawn:
            lay_back_panel(CLASSIC, at, texts, size, ends_changed=ends_changed)
        assert end in words(drawn)


@pytest.mark.parametrize("ends_changed", [False, True])
def test_where_the_whole_court_is_seen_its_ends_have_the_letters_of_who_plays_there(
    ends_changed: bool,
) -> None:
    """End A's at the left, or at the foot."""
    for size in ((256, 64), (64, 256)):
        with texts_drawn() as drawn:
            lay_back_panel(CLASSIC, (-50.0, 0.0), load("en"), size, ends_changed=ends_changed)
        at = {text: (left, top) for text, left, top, _, _ in drawn if text in ("A", "B")}
        end_a, end_b = ("B", "A") if ends_changed else ("A", "B")
        if size[0] > size[1]:
            assert at[end_a][0] < at[end_b][0] - 100
        else:
            assert at[end_a][1] > at[end_b][1] + 100


@every_size
@given(anywhere, anywhere)
def test_other_places_are_other_pictures(size: tuple[int, int], one: Point, other: Point) -> None:
    """20 mm apart they are told apart by eye on the smallest."""
    pictures = [np.asarray(lay_back_panel(CLASSIC, at, load("en"), size)) for at in (one, other)]
    inside = all(abs(x) < 240 and abs(y) < 110 for x, y in (one, other))
    if inside and np.hypot(one[0] - other[0], one[1] - other[1]) > 20:
        assert (pictures[0] != pictures[1]).sum() >= 10


@every_size
def test_the_ball_is_where_the_board_has_it(size: tuple[int, int]) -> None:
    """End A at the left, or at the foot of an upright panel, with the board's y up, or to the left."""

    def middle_px(at: Point) -> tuple[float, float]:
        lit = [
            np.asarray(lay_back_panel(CLASSIC, place, load("en"), size, "L")) == 255
            for place in (at, (at[0], -at[1]))
        ]
        rows, columns = np.nonzero(lit[0] & ~lit[1])
        return float(columns.mean()), float(rows.mean())

    # A place and its mirror image: the words are the same, the discs are not.
    for x in (-80.0, 80.0):
        (left, above), (right, below) = middle_px((x, 60.0)), middle_px((x, -60.0))
        if size[0] > size[1]:
            assert above < below - 20
            assert abs(left - right) < 3
        else:
            assert left < right - 15
            assert abs(above - below) < 3
    if 256 in size:
        (left, above), (right, below) = middle_px((-80.0, 60.0)), middle_px((80.0, 60.0))
        assert left < right - 20 if size[0] > size[1] else above > below + 20


@pytest.mark.parametrize("at", [(float("nan"), 0.0), (0.0, float("inf"))])
def test_a_place_that_is_no_number_is_refused(at: Point) -> None:
    with pytest.raises(ValueError, match="two numbers"):
        lay_back_panel(CLASSIC, at, load("en"))


def test_a_size_without_a_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="128x64, 256x64"):
        lay_back_panel(CLASSIC, (0.0, 0.0), load("en"), (96, 64))
