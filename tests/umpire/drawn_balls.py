"""Pictures of balls with exact truth, drawn point by point through the camera model.

Only drawing lives here. It shares nothing with the finder but the camera model: each pixel is the
mean of the points it covers, looked up on the ball's top, its wall and the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import BallSize

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

SIZE = (400, 300)
BALL = BallSize(diameter_mm=22.0, height_mm=6.0, dot_diameter_mm=3.0)
CLAY: Colour = (58, 95, 191)
YELLOW: Colour = (50, 180, 215)
WOOD: Colour = (120, 165, 195)
_SHADE = 0.55
_FINE = 4


@dataclass(frozen=True)
class DrawnBall:
    """Where the disc's and the dot's centres lie, mm, and the ball's colours, blue-green-red."""

    disc_mm: tuple[float, float]
    dot_mm: tuple[float, float]
    face: Colour = YELLOW
    dot: Colour = (22, 22, 24)
    print_mm: float = 10.8


def camera(tilt_deg: float = 4.0, k1: float = -0.1) -> CameraModel:
    """A camera 650 mm above the part of a board that its small picture shows."""
    tilt = np.radians(tilt_deg)
    rotation, _ = cv2.Rodrigues(np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1.0]]))
    turn, _ = cv2.Rodrigues(np.array([tilt, 0.6 * tilt, 0.0]))
    vector, _ = cv2.Rodrigues(turn @ cv2.Rodrigues(rotation)[0])
    x, y, z = (float(v) for v in vector.ravel())
    return CameraModel(1700.0, (201.0, 148.0), (k1, 0.02, 0.0, 0.0), (x, y, z), (2.0, -3.0, 650.0))


def turned(model: CameraModel, width: int) -> CameraModel:
    """The camera whose picture is `numpy.rot90` of this one's: (x, y) goes to (y, width - 1 -
    x)."""
    turn = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    cx, cy = model.centre_px
    return _moved(model, turn, np.eye(3), (cy, width - 1 - cx))


def mirrored(model: CameraModel) -> CameraModel:
    """The camera that sees the mirrored board as the left-right mirrored picture."""
    flip = np.diag([-1.0, 1, 1])
    return _moved(model, flip, flip, (SIZE[0] - 1 - model.centre_px[0], model.centre_px[1]))


def draw(
    model: CameraModel,
    balls: Sequence[DrawnBall],
    *,
    ground: Colour = CLAY,
    blur_px: float = 0.7,
    noise: float = 0.0,
    seed: int = 0,
    shadow_mm: tuple[float, float] = (2.0, -1.5),
) -> Image:
    """The picture, blurred and with noise of that standard deviation in levels. Two white lines and
    a shadow pass under the balls."""
    width, height = SIZE
    light = np.empty((height, width, 3), np.float32)
    light[:] = ground
    for x_mm in (-30.0, 25.0):
        ends = model.project([[x_mm, -100, 0], [x_mm + 2.5, -100, 0], [x_mm + 2.5, 100, 0],
                              [x_mm, 100, 0]])  # fmt: skip
        cv2.fillPoly(light, [np.round(ends * 16).astype(np.int32)], (225, 232, 236), 16, 4)
    for ball in balls:
        _draw_ball(light, model, ball, shadow_mm)
    seen = np.asarray(cv2.GaussianBlur(light, (0, 0), blur_px), dtype=np.float64)
    seen += np.random.default_rng(seed).normal(0, noise, seen.shape)
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


def middle_px(model: CameraModel, point_mm: tuple[float, float], radius_mm: float) -> tuple[float, float]:
    """Centre of area of the image of a level circle on the top, by its outline."""
    outline = model.circle_px(point_mm, radius_mm, BALL.height_mm).astype(np.float64)
    x, y = outline[:, 0], outline[:, 1]
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    six_areas = 3 * cross.sum()
    return (
        float(((x + np.roll(x, -1)) * cross).sum() / six_areas),
        float(((y + np.roll(y, -1)) * cross).sum() / six_areas),
    )


def _moved(
    model: CameraModel,
    turn: NDArray[np.float64],
    world: NDArray[np.float64],
    centre: tuple[float, float],
) -> CameraModel:
    vector = cv2.Rodrigues(turn @ model.rotation_matrix @ world)[0].ravel()
    shift = turn @ np.asarray(model.translation_mm)
    return replace(
        model,
        centre_px=centre,
        rotation=(float(vector[0]), float(vector[1]), float(vector[2])),
        translation_mm=(float(shift[0]), float(shift[1]), float(shift[2])),
    )


def _draw_ball(
    light: NDArray[np.float32], model: CameraModel, ball: DrawnBall, shadow_mm: tuple[float, float]
) -> None:
    x, y = model.project([[*ball.disc_mm, BALL.height_mm]])[0]
    left, right = max(0, int(x) - 50), min(light.shape[1], int(x) + 50)
    top, bottom = max(0, int(y) - 50), min(light.shape[0], int(y) + 50)
    part = light[top:bottom, left:right]
    fine = np.repeat(np.repeat(part, _FINE, axis=0), _FINE, axis=1)
    steps = (np.arange(_FINE) + 0.5) / _FINE - 0.5
    columns = (np.arange(left, right)[:, None] + steps).ravel()
    rows = (np.arange(top, bottom)[:, None] + steps).ravel()
    pixels = np.stack(np.meshgrid(columns, rows), axis=-1)

    # A pixel's ray is straight: two heights give every other.
    low, high = (model.locate(pixels.reshape(-1, 2), z) for z in (0.0, BALL.height_mm))

    def away(height_mm: float, centre: tuple[float, float]) -> NDArray[np.float64]:
        points = low + (high - low) * (height_mm / BALL.height_mm) - centre
        return np.asarray(np.hypot(points[:, 0], points[:, 1]).reshape(pixels.shape[:2]))

    radius = BALL.diameter_mm / 2
    under = ball.disc_mm[0] + shadow_mm[0], ball.disc_mm[1] + shadow_mm[1]
    fine[away(0.0, under) < radius] *= _SHADE
    for height_mm in np.linspace(0.0, BALL.height_mm, 9):
        fine[away(float(height_mm), ball.disc_mm) < radius] = np.array(WOOD) * 0.7
    on_top = away(BALL.height_mm, ball.disc_mm)
    fine[on_top < radius] = WOOD
    fine[on_top < ball.print_mm] = ball.face
    fine[away(BALL.height_mm, ball.dot_mm) < BALL.dot_diameter_mm / 2] = ball.dot
    part[:] = fine.reshape(bottom - top, _FINE, right - left, _FINE, 3).mean(axis=(1, 3))
