"""Laws: a turned picture gives the same places, a mirrored one the mirrored places and equal points.

The classic's lines, zones and scorer band are the same when side A and side B change places, so a
picture in a mirror is a good picture of it, of a match with the players' ends exchanged.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.shared import FOOTAGE, Image, focal_px, picture, setmatch

STILL = FOOTAGE / "rest" / "rest25.jpg"
SAME_MM = 0.02


def balls_in(image: Image, folder: Path, *options: object) -> list[dict[str, Any]]:
    path = folder / "picture.png"
    cv2.imwrite(str(path), np.ascontiguousarray(image))
    ended = setmatch("locate", "--json", "--focal-px", focal_px(STILL), *options, path)
    assert ended.code == 0, ended.err
    (line,) = ended.lines
    balls: list[dict[str, Any]] = line["balls"]
    return balls


@pytest.fixture(scope="module")
def upright(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    balls = balls_in(picture(STILL), tmp_path_factory.mktemp("upright"))
    assert len(balls) == 2
    return balls


def check(balls: list[dict[str, Any]], expected: list[dict[str, Any]], x: float, y: float) -> None:
    """Whether the balls are the expected ones with `x` and `y` as factors of their places."""
    assert len(balls) == len(expected)
    for ball, ideal in zip(balls, expected, strict=True):
        for key in ("dot_mm", "disc_mm"):
            place = (x * ideal[key][0], y * ideal[key][1])
            print(key, ball[key], "for", place)
            assert math.dist(ball[key], place) < SAME_MM
        assert ball["points"] == ideal["points"]
        assert ball["half"] == (ideal["half"] if x > 0 else {"A": "B", "B": "A"}[ideal["half"]])
        assert abs(ball["sigma_mm"] - ideal["sigma_mm"]) < 0.2 * ideal["sigma_mm"]


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_picture_gives_the_same_places(
    quarters: int, upright: list[dict[str, Any]], tmp_path: Path
) -> None:
    check(balls_in(np.rot90(picture(STILL), quarters), tmp_path), upright, 1.0, 1.0)


@pytest.mark.parametrize("mirror", [np.fliplr, np.flipud], ids=["left-right", "upside-down"])
def test_a_mirrored_picture_gives_the_mirrored_places(
    mirror: Callable[[Image], Image], upright: list[dict[str, Any]], tmp_path: Path
) -> None:
    check(balls_in(mirror(picture(STILL)), tmp_path), upright, -1.0, 1.0)


def test_swapped_ends_are_half_a_turn_of_the_board(upright: list[dict[str, Any]], tmp_path: Path) -> None:
    check(balls_in(picture(STILL), tmp_path, "--swap-ends"), upright, -1.0, -1.0)
