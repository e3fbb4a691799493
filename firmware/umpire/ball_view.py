"""How large and in what shape the ball appears at any pixel: the camera model, boiled down to a
grid.

Only geometry of the ball's printed top lives here; nothing looks at a picture. A search asks for
the shape at hundreds of places a second, so the camera model is evaluated once, on a grid, and
interpolated.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera_model import CameraModel
from firmware.errors import InputError

Array = NDArray[np.float64]

_GRID = (25, 19)
"""Nodes across and down: interpolation errs by 4e-4 of the radius, more only beside a lens's fold."""
_ROUND_TRIP_PX = 0.01
_AREAS = 6.0
"""A pixel covers at most so many times more or less of the table than elsewhere."""
_LEAST_GOOD = 0.5


class BallSize(Protocol):
    """The ball's measures, as an edition states them."""

    @property
    def diameter_mm(self) -> float:
        """Outer diameter of the disc."""
        ...

    @property
    def height_mm(self) -> float:
        """Height of the printed top above the board."""
        ...

    @property
    def dot_diameter_mm(self) -> float:
        """Diameter of the mark in the middle of the printed top."""
        ...


@dataclass(frozen=True, slots=True)
class BallShape:
    """The ball at one pixel.

    `mm_per_px`: 2x2 matrix that turns a step in the picture into a step on the plane of the ball's
    top. `foot_px`: the step in the picture from the middle of the top to the middle of the foot, on
    which side the wall shows; `foot_scale`: size of the foot over that of the top. `radius_px`,
    `dot_px`: mean radii of the images of the rim and the dot.
    """

    mm_per_px: Array
    foot_px: tuple[float, float]
    foot_scale: float
    radius_px: float
    dot_px: float
    radius_mm: float

    @property
    def px_per_mm(self) -> float:
        """Mean scale of the picture at this place."""
        return self.radius_px / self.radius_mm

    def reach_px(self, directions: Array) -> Array:
        """Distance from the middle to the rim, shape (n,), along unit vectors of the picture, (n,
        2)."""
        steps_mm = directions @ self.mm_per_px.T
        lengths = np.sqrt(np.einsum("ij,ij->i", steps_mm, steps_mm))
        return np.asarray(self.radius_mm / lengths)


@dataclass(frozen=True, slots=True, eq=False)
class BallView:
    """A ball of known size before a known camera.

    `size_px`: width and height of the picture. `region_mm`: polygon on the board, shape (n, 2), in
    which balls are sought; None for everywhere. `nodes`: shape (rows, columns, 9): `mm_per_px`,
    `foot_px`, `foot_scale` and the point of the board in mm.
    """

    size_px: tuple[int, int]
    region_mm: Array | None
    radius_mm: float
    dot_radius_mm: float
    nodes: Array

    @classmethod
    def from_camera(
        cls,
        model: CameraModel,
        ball: BallSize,
        size: tuple[int, int],
        region_mm: ArrayLike | None = None,
    ) -> "BallView":
        """The view of `ball` by `model` in pictures of `size` (width, height) pixels.

        `region_mm`: polygon on the board, shape (n, 2), outside of which no ball is sought; without
        it the whole picture is. Raises `InputError` if the camera does not look down on the table.
        """
        width, height = size
        columns, rows = np.linspace(0, width - 1, _GRID[0]), np.linspace(0, height - 1, _GRID[1])
        centres = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        nodes = _sound(_nodes(model, ball.height_mm, centres), centres)
        return cls(
            size_px=(width, height),
            region_mm=None if region_mm is None else np.asarray(region_mm, dtype=float),
            radius_mm=ball.diameter_mm / 2,
            dot_radius_mm=ball.dot_diameter_mm / 2,
            nodes=nodes.reshape(_GRID[1], _GRID[0], 9),
        )

    def holds(self, x_px: float, y_px: float) -> bool:
        """Whether a ball seen at a pixel lies where balls are sought."""
        if self.region_mm is None:
            return True
        *_, x_mm, y_mm = self._at(x_px, y_px)
        region = self.region_mm.astype(np.float32)
        return bool(cv2.pointPolygonTest(region, (x_mm, y_mm), False) >= 0)

    def shape_at(self, x_px: float, y_px: float) -> BallShape:
        """The ball's shape at a pixel (clamped to the picture)."""
        xx, xy, yx, yy, foot_x, foot_y, foot_scale, _, _ = self._at(x_px, y_px)
        px_per_mm = abs(xx * yy - xy * yx) ** -0.5
        return BallShape(
            mm_per_px=np.array([[xx, xy], [yx, yy]]),
            foot_px=(foot_x, foot_y),
            foot_scale=foot_scale,
            radius_px=self.radius_mm * px_per_mm,
            dot_px=self.dot_radius_mm * px_per_mm,
            radius_mm=self.radius_mm,
        )

    def _at(self, x_px: float, y_px: float) -> list[float]:
        """The nodes' values, interpolated."""
        rows, columns = self.nodes.shape[:2]
        u = min(max(x_px / (self.size_px[0] - 1), 0.0), 1.0) * (columns - 1)
        v = min(max(y_px / (self.size_px[1] - 1), 0.0), 1.0) * (rows - 1)
        i, j = min(int(v), rows - 2), min(int(u), columns - 2)
        a, b = u - j, v - i
        upper = self.nodes[i, j] * (1 - a) + self.nodes[i, j + 1] * a
        lower = self.nodes[i + 1, j] * (1 - a) + self.nodes[i + 1, j + 1] * a
        values: list[float] = (upper * (1 - b) + lower * b).tolist()
        return values


def _nodes(model: CameraModel, height_mm: float, centres: Array) -> Array:
    """Values of the nodes at pixels `centres` (n, 2), shape (n, 9); NaN where the lens folds over."""
    right, below = np.array([0.5, 0.0]), np.array([0.0, 0.5])
    here = model.locate(centres, height_mm)
    across = model.locate(centres + right, height_mm) - model.locate(centres - right, height_mm)
    down = model.locate(centres + below, height_mm) - model.locate(centres - below, height_mm)
    foot = model.project(np.column_stack((here, np.zeros(len(here))))) - centres
    gaze = model.rotation_matrix[2]
    near = here @ gaze[:2] + gaze[2] * height_mm + model.translation_mm[2]
    far = near - gaze[2] * height_mm
    nodes = np.column_stack((across[:, 0], down[:, 0], across[:, 1], down[:, 1], foot, near / far, here))
    seen = model.project(np.column_stack((here, np.full(len(here), height_mm))))
    with np.errstate(invalid="ignore"):
        area = nodes[:, 0] * nodes[:, 3] - nodes[:, 1] * nodes[:, 2]
        usual = float(np.median(area[np.isfinite(area)])) if np.isfinite(area).any() else math.nan
        fails = ~(np.abs(seen - centres).max(axis=1) < _ROUND_TRIP_PX) | ~(near > 0)
        fails |= ~(area / usual > 1 / _AREAS) | ~(area / usual < _AREAS)
    nodes[fails] = np.nan
    return nodes


def _sound(nodes: Array, centres: Array) -> Array:
    """The nodes with those that failed replaced by the nearest one that did not.

    A fitted lens may fold over in the picture's corners, where no board is.
    """
    good = np.isfinite(nodes).all(axis=1)
    if good.mean() < _LEAST_GOOD:
        raise InputError("the calibration's camera does not look down on the table: calibrate again")
    for k in np.nonzero(~good)[0].tolist():
        away = np.where(good, np.hypot(*(centres - centres[k]).T), np.inf)
        nodes[k] = nodes[int(away.argmin())]
    return nodes


def middle_of(values: Array) -> float:
    """The (upper) median; 0 of none. `numpy.median` costs more than the rest of a small fit."""
    half = len(values) // 2
    return float(np.partition(values, half)[half]) if len(values) else 0.0
