"""Knocks of camera or board: the ball lies still and its picture is shifted, which is no stroke."""

import math

import cv2
import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.edition import load_edition
from calibration.profile import Calibration
from firmware.setting_up import umpire_for
from firmware.umpire.observations import (
    BumpSeen,
    NoticeSeen,
    Observation,
    PlacementSeen,
    RestSeen,
    StrokeSeen,
)
from firmware.umpire.umpire import Umpire
from hardware.camera import Frame
from tests.shared import FOOTAGE, Image, focal_px, picture, truth_of
from tests.umpire.made_up import RADIUS_MM, Show, Table, during, finger, flicked, lying, of_kind, smooth

STILLS = FOOTAGE / "rest"
EDITION = load_edition("classic")
FPS, BEFORE, AFTER = 30.0, 8, 38
HOME = (10.0, 10.0)


@pytest.fixture(scope="module", params=["rest10", "rest36"])
def still(request: pytest.FixtureRequest) -> tuple[str, Image, Calibration]:
    path = STILLS / f"{request.param}.jpg"
    image = picture(path)
    return request.param, image, calibrate(image, EDITION, focal_px=focal_px(path, 0.004))


def shifted(image: Image, dx: float, dy: float) -> Image:
    size = (image.shape[1], image.shape[0])
    move = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
    return np.asarray(cv2.warpAffine(image, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def watched(
    image: Image, calibration: Calibration, shift: tuple[int, int], frames: int
) -> tuple[Umpire, list[Observation]]:
    """A lying ball, its picture shifted in so many frames and then still for a second."""
    random = np.random.default_rng(4)
    noise = [random.normal(0.0, 2.0, image.shape).astype(np.float32) for _ in range(3)]
    parts = [0.0] * BEFORE + [n / frames for n in range(1, frames)] + [1.0] * AFTER
    moved = {part: shifted(image, part * shift[0], part * shift[1]) for part in set(parts)}
    umpire = umpire_for(calibration, EDITION)
    told: list[Observation] = []
    for number, part in enumerate(parts):
        seen = np.clip(moved[part] + noise[number % 3], 0, 255).astype(np.uint8)
        told += umpire.see(Frame(seen, number / FPS, number))
    return umpire, told + umpire.finish()


@pytest.mark.parametrize("frames", [1, 4])
@pytest.mark.parametrize("shift", [(10, 0), (0, -20), (24, 0), (0, -24), (0, 40), (-40, 0), (55, 0), (0, 55)])
def test_a_knock_invents_nothing_and_is_got_over_in_a_second(still, shift, frames):
    name, image, calibration = still
    umpire, told = watched(image, calibration, shift, frames)
    assert not of_kind(StrokeSeen, told)
    assert not of_kind(PlacementSeen, told)
    assert not of_kind(NoticeSeen, told)
    # By the new fit the ball lies where it lay, and every later call is made by that. A picture shifted
    # as a whole is not quite what a shifted camera sees through its lens.
    truth = truth_of(STILLS / f"{name}.jpg")
    dot, disc = ((x + shift[0], y + shift[1]) for x, y in (truth["dot_px"], truth["disc_px"]))
    place = umpire.calibration.place(dot, disc, 0.05, 0.05)
    assert math.dist(place.dot_mm, truth["at_printed_mm"]) < 0.35


@pytest.mark.parametrize("shift", [(0, -45), (54, 0)])
def test_a_leap_in_a_glare_is_not_taken_for_hands(shift):
    # The gleam stays where it is while the board moves below it: a broad part of the picture differs.
    image = picture(STILLS / "rest25.jpg")
    calibration = calibrate(image, EDITION, focal_px=focal_px(STILLS / "rest25.jpg", 0.004))
    umpire, told = watched(image, calibration, shift, 1)
    assert [o for o in told if not isinstance(o, RestSeen)] == []
    assert umpire.calibration is not calibration


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
@pytest.mark.parametrize("off_mm", [(4.0, 0.0), (0.0, -7.0), (9.0, 0.0), (0.0, 11.0), (-14.0, 14.0)])
@pytest.mark.parametrize("hand", [False, True])
@pytest.mark.parametrize("size", [1.0, 2.0])
def test_a_ball_that_lies_elsewhere_by_the_new_fit_was_bumped(off_mm, frames, hand, size):
    table = Table(ball_radius_mm=size * RADIUS_MM)
    off_mm = (size * off_mm[0], size * off_mm[1])
    end = (HOME[0] + off_mm[0], HOME[1] + off_mm[1])
    lasts = frames / FPS

    def seen(t: float) -> tuple[float, float]:
        part = min(max((t - 2.0) / lasts, 0.0), 1.0)
        return (HOME[0] + part * off_mm[0], HOME[1] + part * off_mm[1])

    # The lines of a shifted picture look like something beside the ball while there is no fit.
    beside = during(lambda t: (end[0] + 35.0 + size * 23.0, end[1]), 2.0, 2.4)
    show = Show(
        [seen],
        [beside] if hand else [],
        fps=FPS,
        held=lambda t: 2.0 + 1 / FPS <= t < 2.4,
        refitted_at=2.4,
        table=table,
    )
    told = show.play(ends=True)
    (bump,) = of_kind(BumpSeen, told)
    assert math.dist(bump.rest.about_mm, end) < 0.1
    assert not of_kind(StrokeSeen, told)
    assert not of_kind(PlacementSeen, told)


def test_a_ball_far_from_where_it_lay_whose_way_was_not_seen_was_not_struck_in_a_knock():
    end = (70.0, -20.0)
    show = Show(
        [lambda t: HOME if t < 2.0 else None if t < 2.5 else end],
        held=lambda t: 2.0 <= t < 2.5,
        refitted_at=2.5,
    )
    told = show.play()
    assert [type(o) for o in told[1:]] == [BumpSeen]


def test_a_ball_carried_while_the_board_was_knocked_was_placed():
    end = (110.0, -60.0)
    carried = smooth(HOME, end, 2.0, 0.7)
    hand = during(lambda t: (carried(t)[0], carried(t)[1] + 400.0 * max(0.0, t - 3.2)), 1.5, 4.0)
    show = Show([carried], [hand], held=lambda t: 2.1 <= t < 2.9, refitted_at=2.9, seconds=6)
    told = show.play()
    (placed,) = of_kind(PlacementSeen, told)
    assert math.dist(placed.rest.about_mm, end) < 0.15
    assert not of_kind(StrokeSeen, told)


def test_the_first_stroke_after_a_knock_is_called():
    end = (-150.0, 60.0)
    ball, _ = flicked(HOME, end, 3.5)
    show = Show([ball], [finger(HOME, end, 3.5)], held=lambda t: 2.0 <= t < 2.4, refitted_at=2.4, seconds=6)
    (stroke,) = of_kind(StrokeSeen, show.play())
    assert math.dist(stroke.from_rest.about_mm, HOME) < 0.1
    assert stroke.rest is not None
    assert math.dist(stroke.rest.about_mm, end) < 0.1


def test_a_lying_ball_is_not_moved_by_a_board_that_comes_back():
    show = Show([lying(HOME)], held=lambda t: 2.0 <= t < 2.2, knock_mm=(9.0, -6.0))
    assert len(show.play()) == 1


def test_a_stroke_before_the_board_is_found_again_is_called():
    clip = FOOTAGE / "figure-j.mp4"
    truth, video = truth_of(clip), cv2.VideoCapture(str(clip))
    knocked_at, shift = 96, (38.0, 10.0)
    told: list[Observation] = []
    umpire: Umpire | None = None
    for number in range(138):
        image = np.asarray(video.read()[1], np.uint8)
        if umpire is None:
            umpire = umpire_for(calibrate(image, EDITION, focal_px=focal_px(clip)), EDITION)
        part = min(max((number - knocked_at + 1) / 3, 0.0), 1.0)
        seen = shifted(image, part * shift[0], part * shift[1])
        told += umpire.see(Frame(seen, number / truth["fps"], number))
    video.release()
    strokes = of_kind(StrokeSeen, told)
    assert not of_kind(PlacementSeen, told)
    for stroke, true in zip(strokes, truth["strokes"][:2], strict=True):
        assert stroke.rest is not None
        assert math.dist(stroke.rest.about_mm, true["at_mm"]) < 1.0
        assert abs(stroke.started_at * truth["fps"] - true["touch_frame"]) < 2
