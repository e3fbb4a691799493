"""A second look at a rest: its place measured again from all its frames, by other means than the first.

Lives here: which frames serve, and what the second reading says beside the first. How disc and dot are
read is in second_disc.py and second_dot.py; what follows from it for a call is the rules' business.

What both readings share, and what a review therefore cannot find wrong: the camera's pixels themselves,
where the camera and the halves of the board are said to lie (the calibration), and the ball's measures.
On rendered rests the errors of the two discs correlate by 0.3, those of the two dots by 0.85: a few
hundred pixels hold all there is to know of a dot, and their noise is in any reading of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.profile import Calibration, Position
from firmware.umpire.ball_colour import BallLook
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.rest import Point, Rest
from firmware.umpire.second_disc import fit_disc
from firmware.umpire.second_dot import dot_moment

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

_FEWEST_FRAMES = 3
_UNLIKE = 6.0
"""In standard deviations of a pixel's noise from frame to frame: what differs so was covered."""
_UNLIKE_PART = 0.02
"""A frame in which more of the ball's surroundings than this differ is left out: a finger, a shadow."""
_LEAST_NOISE = 0.004
"""Of full light: video repeats pixels, and then two frames seem to have no noise at all."""
_LEAST_AGREEMENT = 0.01
_SOFT_PX = 1.6
"""Edges fitted as softer than this (the lens blurs by some 2 px then) tell no tenth of a millimetre."""
_UNSURE_PX = 0.33
"""A disc that is no better known than this was not made out: an eighth of a millimetre, seen by eye."""
_LUMINANCE = np.array([0.114, 0.587, 0.299])
"""Blue, green, red: what JPEG and video keep at full resolution. Colour is kept at half of it and moved by
up to half a pixel on the way, which would move the ball with it (0.05 px on rendered clips)."""
_LINEAR = np.array(
    [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.arange(256) / 255]
)
"""Light by coded level: the curve of sRGB (IEC 61966-2-1), which cameras' pictures follow."""

Trouble = Literal["too-few-frames", "covered", "out-of-focus", "not-found"]


@dataclass(frozen=True, slots=True)
class SecondLook:
    """The ball measured again. `position`: as `Rest.position`, by the same calibration. `frames`: how many
    were measured; `left_out`: how many were not, since something came between.

    `agrees_sigma`: how far dot or disc, whichever is farther, is from the first reading, in standard
    deviations of such a difference; the calibration's own is in neither. `dot_apart_mm`, `disc_apart_mm`:
    those distances.
    """

    position: Position
    frames: int
    left_out: int
    dot_apart_mm: float
    disc_apart_mm: float
    agrees_sigma: float


@dataclass(frozen=True, slots=True)
class Unclear:
    """Why there is no second reading."""

    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Reading:
    """What one set of frames says: the dot's centre of area in pixels, the disc's centre on the plane of
    the ball's top in board mm, and the standard deviation of each along either axis, in pixels."""

    dot_px: Point
    disc_mm: Point
    dot_sigma_px: float
    disc_sigma_px: float


def second_look(
    frames: Sequence[Cutout], calibration: Calibration, edition: Edition, look: BallLook, rest: Rest
) -> SecondLook | Unclear:
    """The rest measured again from its `frames` (see `KeptFrames.frames_of`), or why that cannot be.

    `calibration` must be the one that held while the ball lay there. Nothing that is shared is touched:
    it may run in a thread of its own.
    """
    if len(frames) < _FEWEST_FRAMES:
        return Unclear("too-few-frames")
    common = _common_part(frames)
    if common is None:
        return Unclear("not-found")
    images, corner = common
    light = light_of(images)
    serve = _unobstructed(light)
    count = int(serve.sum())
    if count < _FEWEST_FRAMES:
        return Unclear("covered")
    at = (rest.disc_px[0] - corner[0], rest.disc_px[1] - corner[1])
    if _agreement(images[serve], at, rest.radius_px, look) < _LEAST_AGREEMENT:
        return Unclear("covered")
    reading = measured_again(light[serve], corner, calibration, edition, rest)
    if isinstance(reading, Unclear):
        return reading
    return _beside_the_first(reading, calibration, rest, count, len(frames) - count)


def light_of(images: Image) -> Array:
    """The light that pictures (..., 3) uint8, blue-green-red, were coded from: luminance, 0..1."""
    return np.asarray(np.interp(images @ _LUMINANCE, np.arange(256.0), _LINEAR))


def measured_again(
    light: Array, corner: tuple[int, int], calibration: Calibration, edition: Edition, rest: Rest
) -> Reading | Unclear:
    """Disc and dot near where the first reading has them, from one frame or more that are alike.

    `light`: shape (n, h, w), see `light_of`; its first pixel is `corner` (x, y) of the picture.
    """
    model, ball = calibration.model, edition.ball
    x_mm, y_mm = model.locate(rest.disc_px, ball.height_mm)[0]
    disc = fit_disc(light, corner, model, ball, (float(x_mm), float(y_mm)))
    if disc is None:
        return Unclear("not-found")
    if disc.blur_px > _SOFT_PX:
        return Unclear("out-of-focus")
    if disc.sigma_px > _UNSURE_PX:
        return Unclear("not-found")
    dot = dot_moment(light, corner, model, ball, rest.dot_px)
    if dot is None:
        return Unclear("covered")
    scale = rest.radius_px / (ball.diameter_mm / 2)
    return Reading(
        dot_px=dot.at_px,
        disc_mm=disc.centre_mm,
        dot_sigma_px=math.hypot(dot.sigma_px, _of_mean(dot.frames_px)),
        disc_sigma_px=math.hypot(disc.sigma_px, scale * _of_mean(disc.frames_mm)),
    )


def _of_mean(centres: Array) -> float:
    """Standard deviation along an axis of the mean of centres (n, 2), by their scatter; 0 of one."""
    count = len(centres)
    if count < 2:
        return 0.0
    scatter2 = float(np.square(centres - centres.mean(axis=0)).sum()) / (2 * (count - 1))
    return math.sqrt(scatter2 / count)


def _common_part(frames: Sequence[Cutout]) -> tuple[Image, tuple[int, int]] | None:
    """The part that all cut-outs show, shape (n, h, w, 3), and its corner; None if there is none."""
    left, top = (max(frame.corner[k] for frame in frames) for k in (0, 1))
    right = min(frame.corner[0] + frame.image.shape[1] for frame in frames)
    bottom = min(frame.corner[1] + frame.image.shape[0] for frame in frames)
    if right <= left or bottom <= top:
        return None
    parts = []
    for frame in frames:
        x, y = frame.corner
        parts.append(frame.image[top - y : bottom - y, left - x : right - x])
    return np.stack(parts), (left, top)


def _unobstructed(light: Array) -> NDArray[np.bool_]:
    """Which frames (n, h, w) show what most show, however bright the lamp is in each."""
    usual = np.median(light, axis=0)
    gains = np.median(light / (usual + 1e-3), axis=(1, 2))
    apart = np.abs(light / np.maximum(gains, 1e-3)[:, None, None] - usual)
    noise = np.maximum(1.48 * np.median(apart, axis=(1, 2)), _LEAST_NOISE)
    unlike = (apart > _UNLIKE * noise[:, None, None]).mean(axis=(1, 2))
    return np.asarray(unlike <= _UNLIKE_PART)


def _agreement(images: Image, at: Point, radius_px: float, look: BallLook) -> float:
    """How well the top's colour between dot and rim, in the middle one of the frames, is the ball's."""
    image = images[len(images) // 2]
    rows, columns = np.ogrid[: image.shape[0], : image.shape[1]]
    away = np.hypot(columns - at[0], rows - at[1])
    top = image[(away > 0.3 * radius_px) & (away < 0.8 * radius_px)]
    if not len(top):
        return 0.0
    return float(look.agreement(np.median(top, axis=0)[None, :])[0])


def _beside_the_first(
    reading: Reading, calibration: Calibration, rest: Rest, frames: int, left_out: int
) -> SecondLook:
    """The reading in the print's millimetres, and how far it is from the first."""
    ball = calibration.ball
    model, height = calibration.model, ball.height_mm
    dot = model.locate_circle(reading.dot_px, ball.dot_diameter_mm / 2, height)
    half = calibration.half_at((float(dot[0]), float(dot[1])))
    dot_mm, disc_mm = calibration.layout.half(half).to_printed(np.array([dot, reading.disc_mm]))
    position = Position(
        half=half,
        dot_mm=(float(dot_mm[0]), float(dot_mm[1])),
        disc_mm=(float(disc_mm[0]), float(disc_mm[1])),
        dot_sigma_mm=calibration.sigma_mm(half, dot_mm, height, reading.dot_sigma_px),
        disc_sigma_mm=calibration.sigma_mm(half, disc_mm, height, reading.disc_sigma_px),
    )
    # By the same calibration, whatever held when the first was placed. In board mm: the halves may differ.
    first_dot = model.locate_circle(rest.dot_px, ball.dot_diameter_mm / 2, height)
    first_disc = model.locate_circle(rest.disc_px, ball.diameter_mm / 2, height)
    dot_apart = math.dist(dot, first_dot)
    disc_apart = math.dist(reading.disc_mm, first_disc)
    mm_per_px = ball.diameter_mm / 2 / rest.radius_px
    dot_sigma = mm_per_px * math.hypot(reading.dot_sigma_px, rest.dot_sigma_px)
    disc_sigma = mm_per_px * math.hypot(reading.disc_sigma_px, rest.disc_sigma_px)
    return SecondLook(
        position=position,
        frames=frames,
        left_out=left_out,
        dot_apart_mm=dot_apart,
        disc_apart_mm=disc_apart,
        agrees_sigma=max(dot_apart / dot_sigma, disc_apart / disc_sigma),
    )
