"""The second look: against the truth of drawn and rendered balls, beside the first reading, and refused."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.edition import Edition, load_edition
from calibration.parameters import COUNT, HalfShift, Layout
from calibration.profile import Calibration
from firmware.umpire.ball import BallFinder, BallLook, BallView
from firmware.umpire.kept_frames import Cutout, KeptFrames
from firmware.umpire.rest import Point, Rest, mean_rest
from firmware.umpire.second_look import (
    Reading,
    SecondLook,
    Trouble,
    Unclear,
    light_of,
    measured_again,
    second_look,
)
from firmware.umpire.umpire import Umpire
from hardware.cameras import open_camera
from tests.shared import FOOTAGE, picture, shared_footage, true_layout, truth_of
from tests.umpire.drawn_balls import BALL, SIZE, DrawnBall, camera, draw

Image = NDArray[np.uint8]
CLASSIC = load_edition("classic")
EXACT = Layout(camera(), HalfShift(0.0, 0.0, 0.0), HalfShift(0.0, 0.0, 0.0))


def calibrated(layout: Layout, size: tuple[int, int] = SIZE, edition: Edition = CLASSIC) -> Calibration:
    """A calibration that is as good as exact."""
    return Calibration(
        edition=edition.name,
        edition_digest=edition.digest,
        size=size,
        rotation=0,
        layout=layout,
        covariance=1e-16 * np.eye(COUNT),
        ball=edition.ball,
        focal_known=True,
        residual_px=0.0,
        residual_mm=0.0,
        regions=(),
        blur_px=0.7,
        warnings=(),
        made_at="2026-01-01T00:00:00Z",
    )


def cut(image: Image, at: Point, half: int = 56, captured_at: float = 0.0) -> Cutout:
    x, y = max(round(at[0]) - half, 0), max(round(at[1]) - half, 0)
    return Cutout(image[y : y + 2 * half + 1, x : x + 2 * half + 1].copy(), (x, y), captured_at)


def first_rest(images: Sequence[Image], layout: Layout, near_px: Point, ball: object = BALL) -> Rest:
    """The first reading of pictures of one lying ball."""
    size = (images[0].shape[1], images[0].shape[0])
    view = BallView.from_camera(layout.camera, BALL if ball is BALL else CLASSIC.ball, size)
    seen = [BallFinder(BallLook.default, view).measure(image, near_px) for image in images]
    found = [sighting for sighting in seen if sighting is not None]
    assert len(found) == len(images)
    return mean_rest(found, 0.0, len(images) / 30, (0.0, 0.0))


BALLS = [
    DrawnBall((-18.0 + 7.3 * k, 14.0 - 5.1 * k), (-18.0 + 7.3 * k + 0.15 * math.cos(k), 14.0 - 5.1 * k + 0.1))
    for k in range(6)
]
"""Some lie over a white line, whole or in part."""


def pictures_of(ball: DrawnBall, count: int = 5, blur_px: float = 0.7) -> list[Image]:
    return [draw(camera(), [ball], blur_px=blur_px, noise=2.0, seed=seed) for seed in range(count)]


def looked(images: Sequence[Image], rest: Rest, look: BallLook = BallLook.default) -> SecondLook | Unclear:
    frames = [cut(image, rest.disc_px, captured_at=k / 30) for k, image in enumerate(images)]
    return second_look(frames, calibrated(EXACT), CLASSIC, look, rest)


def clear(look: SecondLook | Unclear) -> SecondLook:
    assert isinstance(look, SecondLook), look
    return look


@pytest.fixture(scope="module")
def one() -> tuple[list[Image], Rest]:
    images = pictures_of(BALLS[1], 6)
    return images, first_rest(images, EXACT, (camera_px(BALLS[1].disc_mm)))


def camera_px(at_mm: Point) -> Point:
    x, y = camera().project([[*at_mm, BALL.height_mm]])[0]
    return float(x), float(y)


@pytest.mark.parametrize("ball", BALLS)
def test_drawn_balls_are_measured_within_the_claimed_deviation(ball: DrawnBall) -> None:
    images = pictures_of(ball)
    again = clear(looked(images, first_rest(images, EXACT, camera_px(ball.disc_mm))))
    disc, dot = again.position.disc_mm, again.position.dot_mm
    print(f"{ball.disc_mm}: disc {math.dist(disc, ball.disc_mm):.4f}, dot {math.dist(dot, ball.dot_mm):.4f}")
    assert math.dist(disc, ball.disc_mm) < min(3.0 * again.position.disc_sigma_mm, 0.08)
    assert math.dist(dot, ball.dot_mm) < min(3.0 * again.position.dot_sigma_mm, 0.05)
    assert (again.frames, again.left_out) == (5, 0)
    assert again.agrees_sigma < 3.0


def test_where_it_starts_hardly_matters(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    here = clear(looked(images, rest)).position
    x, y = rest.disc_px
    u, v = rest.dot_px
    for dx, dy in ((2.0, 0.0), (-1.4, 1.4), (0.0, -2.0)):
        moved = replace(rest, disc_px=(x + dx, y + dy), dot_px=(u + dx, v + dy))
        other = clear(looked(images, moved)).position
        assert math.dist(here.disc_mm, other.disc_mm) < 0.01
        assert math.dist(here.dot_mm, other.dot_mm) < 0.005


def test_a_first_reading_that_was_wrong_is_found_out(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    wrong = replace(rest, disc_px=(rest.disc_px[0] + 1.5, rest.disc_px[1]))
    again = clear(looked(images, wrong))
    assert again.agrees_sigma > 5.0
    assert again.disc_apart_mm == pytest.approx(1.5 * BALL.diameter_mm / 2 / rest.radius_px, abs=0.1)
    assert again.dot_apart_mm < 0.05


def test_frames_with_a_finger_in_them_are_left_out(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    untouched = clear(looked(images, rest)).position
    touched = [image.copy() for image in images]
    x, y = (round(v) for v in rest.disc_px)
    for image in touched[1:3]:
        cv2.rectangle(image, (x + 18, y - 8), (x + 60, y + 8), (120, 140, 190), -1)
    again = clear(looked(touched, rest))
    assert (again.frames, again.left_out) == (4, 2)
    assert math.dist(again.position.disc_mm, untouched.disc_mm) < 0.02


def test_a_lamp_that_flickers_leaves_no_frame_out(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    gains = (1.0, 0.9, 1.05, 0.8, 1.0, 0.95)
    flickering = [
        np.clip(image * gain, 0, 255).astype(np.uint8) for image, gain in zip(images, gains, strict=True)
    ]
    again = clear(looked(flickering, rest))
    assert (again.frames, again.left_out) == (6, 0)
    assert math.dist(again.position.disc_mm, BALLS[1].disc_mm) < 3.0 * again.position.disc_sigma_mm


def test_a_finger_is_seen_in_whatever_light(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    dimmed = [image.copy() for image in images]
    x, y = (round(v) for v in rest.disc_px)
    cv2.rectangle(dimmed[2], (x + 18, y - 8), (x + 60, y + 8), (150, 160, 200), -1)
    dimmed[2] = np.clip(dimmed[2] * 0.85, 0, 255).astype(np.uint8)
    again = clear(looked(dimmed, rest))
    assert (again.frames, again.left_out) == (5, 1)


@pytest.mark.parametrize("diameter_mm", [19.0, 25.0])
def test_a_disc_of_another_size_is_not_the_ball(diameter_mm: float, one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    edition = replace(CLASSIC, ball=replace(CLASSIC.ball, diameter_mm=diameter_mm))
    frames = [cut(image, rest.disc_px) for image in images]
    calibration = calibrated(EXACT, edition=edition)
    assert second_look(frames, calibration, edition, BallLook.default, rest) == Unclear("not-found")


def test_frames_that_differ_widen_the_deviation() -> None:
    """A ball that was stirred by a fraction of a pixel from frame to frame is not known as well."""
    shaken = [
        DrawnBall((dx, 0.0), (dx, 0.0)) for dx in (-0.2, 0.2, -0.15, 0.15, 0.0)
    ]  # fmt: skip
    images = [draw(camera(), [ball], noise=2.0, seed=k) for k, ball in enumerate(shaken)]
    rest = first_rest(images[-1:], EXACT, camera_px((0.0, 0.0)))
    frames = light_of(np.stack([cut(image, rest.disc_px).image for image in images]))
    corner = cut(images[0], rest.disc_px).corner
    stirred = measured_again(frames, corner, calibrated(EXACT), CLASSIC, rest)
    still = measured_again(frames[-1:].repeat(5, axis=0), corner, calibrated(EXACT), CLASSIC, rest)
    assert isinstance(stirred, Reading)
    assert isinstance(still, Reading)
    scale = rest.radius_px / 11.0
    expected = 0.177 / math.sqrt(2) * scale / math.sqrt(5)  # along x alone, so half of it along an axis
    for wide, narrow in (
        (stirred.disc_sigma_px, still.disc_sigma_px),
        (stirred.dot_sigma_px, still.dot_sigma_px),
    ):
        assert math.sqrt(max(wide**2 - narrow**2, 0.0)) == pytest.approx(expected, rel=0.5)


def _hidden(images: Sequence[Image], rest: Rest) -> list[Image]:
    hidden = [image.copy() for image in images]
    for image in hidden:
        cv2.circle(image, (round(rest.disc_px[0]), round(rest.disc_px[1])), 40, (120, 140, 190), -1)
    return hidden


def _half_hidden(images: Sequence[Image], rest: Rest) -> list[Image]:
    """A finger that goes from place to place: no two frames are alike."""
    hidden = [image.copy() for image in images]
    for k, image in enumerate(hidden):
        angle = 2 * math.pi * k / len(hidden)
        x, y = (rest.disc_px[0] + 22 * math.cos(angle), rest.disc_px[1] + 22 * math.sin(angle))
        cv2.circle(image, (round(x), round(y)), 14, (190, 140, 120), -1)
    return hidden


def _without_dot(images: Sequence[Image], rest: Rest) -> list[Image]:
    ball = replace(BALLS[1], dot=BALLS[1].face)
    return [draw(camera(), [ball], noise=2.0, seed=seed) for seed in range(len(images))]


def _soft(images: Sequence[Image], rest: Rest) -> list[Image]:
    return pictures_of(BALLS[1], len(images), blur_px=2.6)


def _empty(images: Sequence[Image], rest: Rest) -> list[Image]:
    return [draw(camera(), [], noise=2.0, seed=seed) for seed in range(len(images))]


def _yellow_square(images: Sequence[Image], rest: Rest) -> list[Image]:
    """Something else in the ball's colour, with a dot."""
    x, y = (round(v) for v in rest.disc_px)
    odd = _empty(images, rest)
    for image in odd:
        cv2.rectangle(image, (x - 20, y - 20), (x + 20, y + 20), (50, 180, 215), -1)
        cv2.circle(image, (x, y), 4, (22, 22, 24), -1)
    return odd


@pytest.mark.parametrize(
    ("spoil", "troubles"),
    [
        # Of one colour all over: whether a disc is made out in nothing is decided by the last digit.
        (_hidden, ("covered", "not-found")),
        (_half_hidden, ("covered",)),
        (_without_dot, ("covered",)),
        (_soft, ("out-of-focus",)),
        (_empty, ("covered", "not-found")),
        (_yellow_square, ("not-found",)),
    ],
)
def test_what_cannot_be_measured_is_said(
    spoil: object, troubles: tuple[Trouble, ...], one: tuple[list[Image], Rest]
) -> None:
    images, rest = one
    assert callable(spoil)
    unclear = looked(spoil(images, rest), rest)
    assert isinstance(unclear, Unclear), unclear
    assert unclear.trouble in troubles


def test_a_ball_of_another_colour_is_not_the_one(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    assert looked(images, rest, BallLook.named("blue")) == Unclear("covered")


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_frames_are_none(count: int, one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    assert looked(images[:count], rest) == Unclear("too-few-frames")


def test_cutouts_that_do_not_hold_the_ball_are_not_measured(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    frames = [cut(image, (rest.disc_px[0] + 30, rest.disc_px[1]), half=40) for image in images]
    unclear = second_look(frames, calibrated(EXACT), CLASSIC, BallLook.default, rest)
    assert unclear == Unclear("not-found")
    apart = [cut(images[0], (60.0, 60.0), half=20), *frames[:2]]
    assert second_look(apart, calibrated(EXACT), CLASSIC, BallLook.default, rest) == Unclear("not-found")


def test_cutouts_may_lie_a_few_pixels_apart(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    x, y = rest.disc_px
    frames = [cut(image, (x + k % 3 - 1, y - k % 2)) for k, image in enumerate(images)]
    again = second_look(frames, calibrated(EXACT), CLASSIC, BallLook.default, rest)
    straight = clear(looked(images, rest))
    assert math.dist(clear(again).position.disc_mm, straight.position.disc_mm) < 1e-6


def test_the_place_is_given_in_the_print_of_its_half(one: tuple[list[Image], Rest]) -> None:
    images, rest = one
    shifted = replace(EXACT, half_a=HalfShift(0.4, -0.3, 0.001), half_b=HalfShift(-0.2, 0.1, 0.0))
    frames = [cut(image, rest.disc_px) for image in images]
    again = clear(second_look(frames, calibrated(shifted), CLASSIC, BallLook.default, rest))
    plain = clear(looked(images, rest)).position
    assert again.position.half == "A"
    for place, printed in (
        (plain.disc_mm, again.position.disc_mm),
        (plain.dot_mm, again.position.dot_mm),
    ):
        assert tuple(shifted.half_a.to_printed([place])[0]) == pytest.approx(printed, abs=1e-9)


def still_errors(path: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Errors of a rendered still, mm in the print: rows of (first, second) disc, dot; and the
    second's standard deviations. None for a ball beside the board, which lies lower."""
    truth = truth_of(path)
    if truth["z_bottom_mm"] != 0:
        return None
    image, layout = picture(path), true_layout(truth)
    size = (image.shape[1], image.shape[0])
    rest = first_rest([image], layout, tuple(truth["disc_px"]), CLASSIC.ball)
    calibration = calibrated(layout, size)
    frame = cut(image, rest.disc_px)
    reading = measured_again(light_of(frame.image[None]), frame.corner, calibration, CLASSIC, rest)
    assert isinstance(reading, Reading), path.stem
    frames = [frame] * 3
    again = clear(second_look(frames, calibration, CLASSIC, BallLook.default, rest)).position
    first = calibration.place(rest.dot_px, rest.disc_px, rest.dot_sigma_px, rest.disc_sigma_px)
    disc, dot = np.array(truth["disc_printed_mm"]), np.array(truth["at_printed_mm"])
    errors = np.array(
        [[first.disc_mm - disc, again.disc_mm - disc], [first.dot_mm - dot, again.dot_mm - dot]]
    )
    return errors, np.array([again.disc_sigma_mm, again.dot_sigma_mm])


def test_the_stills_at_hand() -> None:
    for path in sorted((FOOTAGE / "rest").glob("*.jpg")):
        row = still_errors(path)
        assert row is not None
        errors, sigmas = row
        away = np.hypot(errors[..., 0], errors[..., 1])
        print(f"{path.stem}: disc {away[0]}, dot {away[1]} mm, deviations {sigmas}")
        assert (away[:, 1] < 3.0 * sigmas).all()
        assert (away[:, 1] < (0.1, 0.05)).all()


@pytest.mark.timeout(600)
def test_rendered_stills_and_how_alike_both_readings_err() -> None:
    """The camera known exactly: what is left is the readings' own."""
    rows = [still_errors(path) for path in sorted(shared_footage("rest").glob("*.jpg"))]
    errors = np.array([row[0] for row in rows if row is not None])
    sigmas = np.array([row[1] for row in rows if row is not None])
    assert len(errors) >= 35
    away = np.hypot(errors[..., 0], errors[..., 1])
    print("\n       first: mean, p99    second: mean, p99    correlation    |error| / deviation, largest")
    alike = []
    for k, name in enumerate(("disc", "dot")):
        first, second = errors[:, k, 0].ravel(), errors[:, k, 1].ravel()
        alike.append(float(np.corrcoef(first, second)[0, 1]))
        mean, p99 = away[:, k].mean(axis=0), np.percentile(away[:, k], 99, axis=0)
        worst = float((away[:, k, 1] / sigmas[:, k]).max())
        print(
            f"{name:5} {mean[0]:11.4f} {p99[0]:7.4f} {mean[1]:13.4f} {p99[1]:7.4f} "
            f"{alike[-1]:14.2f} {worst:14.2f}"
        )
    assert away[:, 0, 1].mean() <= 0.03
    assert away[:, 1, 1].mean() <= 0.02
    assert np.percentile(away[..., 1], 99) <= 0.12
    assert np.mean(away[..., 1] <= 3.0 * sigmas) >= 0.985
    assert np.mean(away[..., 1] / sigmas) > 0.4  # a band that is never filled is too wide
    assert alike[0] < 0.6
    assert alike[1] < 0.9


@pytest.mark.timeout(600)
def test_the_clip_at_hand_from_the_umpires_frames_to_the_second_look() -> None:
    path = FOOTAGE / "figure-j.mp4"
    truth = truth_of(path)
    source = open_camera(str(path))
    layout = true_layout(truth)
    calibration = calibrated(layout, source.size)
    umpire, kept = Umpire(calibration, CLASSIC), KeptFrames.of_camera(layout.camera, CLASSIC.ball)
    rests: list[Rest] = []
    looks: list[SecondLook] = []
    while (frame := source.read()) is not None and frame.number < 260:
        seen = umpire.see(frame)
        kept.offer(frame, umpire.balls, seen)
        rests += [rest for rest in (getattr(one, "rest", None) for one in seen) if rest is not None]
        if rests and len(looks) < len(rests) and frame.captured_at > rests[-1].last_at + 0.3:
            again = second_look(kept.frames_of(rests[-1]), calibration, CLASSIC, BallLook.default, rests[-1])
            looks.append(clear(again))
            place = truth["per_frame"][frame.number]
            half = calibration.half_at(tuple(place["dot_mm"]))
            dot = tuple(layout.half(half).to_printed([place["dot_mm"]])[0])
            disc = tuple(layout.half(half).to_printed([place["ball_mm"]])[0])
            position = looks[-1].position
            print(f"frame {frame.number}: {looks[-1].frames} frames, {looks[-1].agrees_sigma:.2f} apart")
            assert math.dist(position.dot_mm, dot) < 3.0 * position.dot_sigma_mm
            assert math.dist(position.disc_mm, disc) < 3.0 * position.disc_sigma_mm
            assert looks[-1].agrees_sigma < 3.0
    source.close()
    assert len(looks) >= 3
    assert kept.bytes_kept <= 40e6
