"""The finder on pictures whose truth is exact: colours, places, windows, and pictures without a
ball."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from firmware.errors import InputError
from firmware.umpire.ball import BallFinder, BallLook, BallView, likeliest_in_play
from firmware.umpire.sighting import Sighting
from tests.umpire.drawn_balls import (
    BALL,
    CLAY,
    SIZE,
    YELLOW,
    Colour,
    DrawnBall,
    camera,
    draw,
    middle_px,
    mirrored,
    turned,
)

Image = NDArray[np.uint8]
CAMERA = camera()
ONE = DrawnBall((11.3, 7.8), (11.42, 7.71))


def finder(look: BallLook = BallLook.default, model: CameraModel = CAMERA) -> BallFinder:
    return BallFinder(look, BallView.from_camera(model, BALL, SIZE))


def far(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


@pytest.mark.parametrize("seed", range(6))
def test_rim_and_dot_are_measured_to_a_small_part_of_a_pixel(seed: int) -> None:
    random = np.random.default_rng(seed)
    at = tuple(random.uniform((-45, -30), (45, 30)).tolist())
    ball = DrawnBall(at, (at[0] + 0.1, at[1] - 0.12), print_mm=float(random.uniform(10.4, 11)))
    (seen,) = finder().find(draw(CAMERA, [ball], noise=2.0, seed=seed))
    dot = far(seen.dot_px, middle_px(CAMERA, ball.dot_mm, 1.5))
    disc = far(seen.disc_px, middle_px(CAMERA, ball.disc_mm, 11.0))
    assert dot < 0.06
    assert dot < 3.5 * seen.dot_sigma_px
    assert disc < 0.25
    assert disc < 3.5 * seen.disc_sigma_px
    assert max(seen.dot_sigma_px, seen.disc_sigma_px) < 0.3


@pytest.mark.parametrize(
    ("name", "face", "dot", "ground"),
    [
        ("yellow", YELLOW, (22, 22, 24), (70, 140, 80)),
        ("red", (45, 50, 185), (22, 22, 24), CLAY),
        ("green", (60, 140, 80), (22, 22, 24), (72, 128, 66)),
        ("blue", (170, 95, 50), (22, 22, 24), (140, 90, 60)),
        ("white", (225, 230, 232), (22, 22, 24), (200, 214, 221)),
        ("black", (36, 36, 38), (220, 224, 226), CLAY),
        ("#d87898", (152, 120, 216), (22, 22, 24), CLAY),
    ],
)
def test_a_ball_of_any_colour_is_found_by_its_setting(
    name: str, face: Colour, dot: Colour, ground: Colour
) -> None:
    ball = DrawnBall((-14.0, 9.0), (-13.9, 9.1), face, dot)
    (seen,) = finder(BallLook.parse(name)).find(draw(CAMERA, [ball], ground=ground, noise=2.0))
    assert far(seen.dot_px, middle_px(CAMERA, ball.dot_mm, 1.5)) < 0.08
    assert far(seen.disc_px, middle_px(CAMERA, ball.disc_mm, 11.0)) < 0.4


def test_all_balls_are_found_and_the_covered_one_is_the_less_likely() -> None:
    other = DrawnBall((-32.0, -15.0), (-32.0, -15.0))
    image = draw(CAMERA, [ONE, other], noise=2.0)
    x, y = middle_px(CAMERA, other.disc_mm, 11.0)
    cv2.rectangle(image, (0, int(y) + 9), (int(x) + 60, 299), (120, 150, 200), -1)
    first, second = finder().find(image)
    assert far(first.disc_px, middle_px(CAMERA, ONE.disc_mm, 11.0)) < 0.25
    assert far(second.dot_px, middle_px(CAMERA, other.dot_mm, 1.5)) < 0.1
    assert first.likeness > second.likeness


def test_a_covered_dot_is_put_at_the_disc_with_the_doubt_of_the_print() -> None:
    image = draw(CAMERA, [ONE], noise=2.0)
    x, y = middle_px(CAMERA, ONE.dot_mm, 1.5)
    cv2.circle(image, (round(x), round(y)), 7, YELLOW, -1)
    (seen,) = finder().find(image)
    plain = finder().find(draw(CAMERA, [ONE], noise=2.0))[0]
    assert far(seen.dot_px, (x, y)) < 3 * seen.dot_sigma_px
    assert seen.dot_sigma_px > 4 * plain.dot_sigma_px


@pytest.mark.parametrize("side", [(1, 0), (0, 1), (-1, 0)])
def test_a_half_covered_rim_is_doubted_not_dragged(side: tuple[int, int]) -> None:
    image = draw(CAMERA, [ONE], noise=2.0)
    (plain,) = finder().find(image)
    x, y = (round(v) for v in plain.disc_px)
    a, b = side
    first = x + 10 * a - 70 * b, y + 10 * b - 70 * a
    last = x + 90 * a + 70 * b, y + 90 * b + 70 * a
    cv2.rectangle(image, first, last, (120, 150, 200), -1)
    (seen,) = finder().find(image)
    truth = middle_px(CAMERA, ONE.disc_mm, 11.0)
    assert seen.disc_sigma_px > 1.5 * plain.disc_sigma_px
    assert far(seen.disc_px, truth) < 3.5 * seen.disc_sigma_px
    assert far(seen.disc_px, truth) < 0.5
    assert seen.likeness < plain.likeness


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_a_turned_picture_gives_the_turned_sighting(quarter_turns: int) -> None:
    image = draw(CAMERA, [ONE], noise=1.5)
    (seen,) = finder().find(image)
    model, size, points = CAMERA, SIZE, [seen.disc_px, seen.dot_px]
    for _ in range(quarter_turns):
        model = turned(model, size[0])
        points = [(y, size[0] - 1 - x) for x, y in points]
        size = (size[1], size[0])
        image = np.ascontiguousarray(np.rot90(image))
    (again,) = BallFinder(BallLook.default, BallView.from_camera(model, BALL, size)).find(image)
    assert far(again.dot_px, points[1]) < 0.02
    assert far(again.disc_px, points[0]) < 0.02


def test_a_mirrored_picture_gives_the_mirrored_sighting() -> None:
    image = draw(CAMERA, [ONE], noise=1.5)
    (seen,) = finder().find(image)
    (again,) = finder(model=mirrored(CAMERA)).find(np.ascontiguousarray(image[:, ::-1]))
    assert far(again.dot_px, (SIZE[0] - 1 - seen.dot_px[0], seen.dot_px[1])) < 0.02
    assert far(again.disc_px, (SIZE[0] - 1 - seen.disc_px[0], seen.disc_px[1])) < 0.02


@pytest.mark.parametrize("factor", [0.3, 0.6, 1.15])
def test_the_light_changes_nothing(factor: float) -> None:
    image = draw(CAMERA, [ONE], noise=1.0)
    (seen,) = finder().find(image)
    dimmed = np.clip(np.rint(image * factor), 0, 255).astype(np.uint8)
    (again,) = finder().find(dimmed)
    assert far(again.dot_px, seen.dot_px) < 0.04
    assert far(again.disc_px, seen.disc_px) < 0.15


def test_a_window_finds_what_the_whole_picture_finds() -> None:
    image = draw(CAMERA, [ONE], noise=2.0)
    (whole,) = finder().find(image)
    x, y = (int(v) for v in whole.disc_px)
    (near,) = finder().find(image, (x - 38, y - 43, x + 42, y + 37))
    assert far(near.dot_px, whole.dot_px) < 0.01
    assert far(near.disc_px, whole.disc_px) < 0.05
    assert finder().find(image, (x + 20, y - 40, x + 100, y + 40)) == []
    assert finder().find(image, (x + 2, y - 40, x + 82, y + 40)) == []
    assert finder().find(image, (390, 290, 380, 280)) == []


@pytest.mark.parametrize("offset", [(0, 0), (9, -4), (-7, 8)])
def test_measuring_forgets_where_it_was_told_to_look(offset: tuple[int, int]) -> None:
    image = draw(CAMERA, [ONE], noise=2.0)
    x, y = middle_px(CAMERA, ONE.disc_mm, 11.0)
    exact, other = (finder().measure(image, p) for p in ((x, y), (x + offset[0], y + offset[1])))
    assert exact is not None
    assert other is not None
    assert far(exact.dot_px, other.dot_px) < 0.01
    assert far(exact.disc_px, other.disc_px) < 0.05


def test_a_ball_cut_by_the_pictures_edge_is_still_measured() -> None:
    (x, y) = CAMERA.locate([[14.0, 150.0]], BALL.height_mm)[0]
    ball = DrawnBall((float(x), float(y)), (float(x), float(y)))
    (seen,) = finder().find(draw(CAMERA, [ball], noise=1.0))
    assert far(seen.dot_px, middle_px(CAMERA, ball.dot_mm, 1.5)) < 0.1
    assert far(seen.disc_px, middle_px(CAMERA, ball.disc_mm, 11.0)) < 0.5


def _empty(kind: str) -> Image:
    random = np.random.default_rng(5)
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    match kind:
        case "board":
            return draw(CAMERA, [], noise=2.0)
        case "black":
            return np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        case "noise":
            return random.integers(0, 256, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
        case "wall":
            shade = 150 + 40 * columns / SIZE[0] + random.normal(0, 2, rows.shape)
            return np.repeat(np.clip(shade, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
        case "tiles":
            return np.where(((rows // 28 + columns // 28) % 2)[..., None], YELLOW, CLAY).astype(np.uint8)
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["board", "black", "noise", "wall", "tiles"])
@pytest.mark.parametrize("name", ["yellow", "red", "white", "black"])
def test_no_ball_is_found_where_there_is_none(kind: str, name: str) -> None:
    assert finder(BallLook.named(name)).find(_empty(kind)) == []


def test_a_sleeve_and_prints_in_the_balls_colour_are_no_balls() -> None:
    image = draw(CAMERA, [])
    cv2.line(image, (0, 60), (150, 110), YELLOW, 56)
    cv2.ellipse(image, (280, 220), (30, 22), 20, 0, 360, YELLOW, -1, cv2.LINE_AA)
    cv2.circle(image, (300, 70), 18, YELLOW, -1, cv2.LINE_AA)
    cv2.circle(image, (300, 70), 4, (20, 20, 20), -1, cv2.LINE_AA)
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), dtype=np.uint8)
    assert finder().find(blurred) == []


def test_only_the_region_is_searched() -> None:
    image = draw(CAMERA, [ONE], noise=2.0)
    left = [[-200, -200], [-5, -200], [-5, 200], [-200, 200]]
    view = BallView.from_camera(CAMERA, BALL, SIZE, left)
    assert BallFinder(BallLook.default, view).find(image) == []


def test_pictures_of_another_size_are_refused_with_the_remedy() -> None:
    with pytest.raises(InputError, match="calibrate again"):
        finder().find(np.zeros((200, 300, 3), np.uint8))
    with pytest.raises(InputError, match="calibrate again"):
        finder().measure(np.zeros((SIZE[1], SIZE[0]), np.uint8), (10, 10))


def test_the_likeliest_in_play_lies_on_the_court() -> None:
    def sighting(x: float, likeness: float) -> Sighting:
        return Sighting((x, 0.0), (x, 0.0), 0.1, 0.1, 28.0, likeness)

    beside, faint, clear = sighting(500, 0.99), sighting(20, 0.4), sighting(10, 0.8)
    ordered = likeliest_in_play([beside, faint, clear], lambda s: max(0.0, s.disc_px[0] - 100))
    assert ordered == [clear, faint, beside]
