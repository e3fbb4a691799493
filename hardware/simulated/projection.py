"""Where the pixels of a window look, on a level plane, fast: a polynomial through exact rays.

Only geometry of the camera model lives here, no colour. The camera's inverse distortion is
iterative; over a small window it is so smooth that a polynomial of degree 4 through 49 exact
rays replaces it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import polynomial
from numpy.typing import NDArray

from calibration.camera_model import CameraModel

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

_DEGREE = 4
_NODES = np.cos((np.arange(7) + 0.5) * np.pi / 7)  # Chebyshev's nodes keep the error even
_NODES_TO_COEFFICIENTS = np.linalg.pinv(polynomial.polyvander(_NODES, _DEGREE))
_LEAST_SLOPE = 0.25  # of the radial law, where pictures of this package end
TILE_PX = 96
"""Largest window side for which the polynomial is exact to 1e-3 px with any lens in here."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of pixels: columns x0 <= x < x1, rows y0 <= y < y1."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def width(self) -> int:
        """Columns."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """Rows."""
        return self.y1 - self.y0

    @property
    def empty(self) -> bool:
        """Whether there is no pixel in it."""
        return self.width <= 0 or self.height <= 0

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns, to index an image."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def grown(self, by_px: int, size: tuple[int, int]) -> "Window":
        """This window with `by_px` more on each side, cut at a picture of `size` (w, h)."""
        return Window(
            max(self.x0 - by_px, 0),
            max(self.y0 - by_px, 0),
            min(self.x1 + by_px, size[0]),
            min(self.y1 + by_px, size[1]),
        )

    def joined(self, other: "Window") -> "Window":
        """The smallest window that holds both."""
        return Window(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )


def window_around(points_px: Array, margin_px: float, size: tuple[int, int]) -> Window:
    """The window that holds `points_px`, shape (n, 2), with a margin; cut at the picture's edge.

    Even corners, so that a Bayer pattern keeps its phase. May come out empty.
    """
    x0, y0 = np.floor(points_px.min(axis=0) - margin_px).astype(int)
    x1, y1 = np.ceil(points_px.max(axis=0) + margin_px).astype(int) + 1
    return Window(
        max(int(x0) & ~1, 0),
        max(int(y0) & ~1, 0),
        min((int(x1) + 1) & ~1, size[0]),
        min((int(y1) + 1) & ~1, size[1]),
    )


def in_lens(model: CameraModel, points_mm: Array) -> NDArray[np.bool_]:
    """Whether the lens images each point (n, 3) where it should.

    A distortion polynomial folds back far outside of the picture: without this, an arm or a ball a
    metre away would be drawn in the middle of the board.
    """
    x, y, z = model.rotation_matrix @ points_mm.T + np.asarray(model.translation_mm)[:, None]
    r2 = (x * x + y * y) / np.maximum(z, 1.0) ** 2
    k1, k2 = model.distortion[:2]
    # The slope of the radial law, and of everything nearer to the axis.
    steps = np.linspace(0.1, 1.0, 10)[:, None] * r2
    slope = (1 + 3 * k1 * steps + 5 * k2 * steps * steps).min(axis=0)
    good: NDArray[np.bool_] = (z > 1.0) & (slope > _LEAST_SLOPE)
    return good


class PlaneMap:
    """Board coordinates in mm, on the plane z = `height_mm`, of every place in a window."""

    def __init__(self, model: CameraModel, window: Window, height_mm: float) -> None:
        self._centre = (
            (window.x0 + window.x1 - 1) / 2.0,
            (window.y0 + window.y1 - 1) / 2.0,
        )
        self._half = (max(window.width, 2) / 2.0 + 1.0, max(window.height, 2) / 2.0 + 1.0)
        columns, rows = np.meshgrid(
            self._centre[0] + self._half[0] * _NODES, self._centre[1] + self._half[1] * _NODES
        )
        exact = model.locate(np.column_stack((columns.ravel(), rows.ravel())), height_mm)
        fit = _NODES_TO_COEFFICIENTS
        self._x = fit @ exact[:, 0].reshape(7, 7) @ fit.T
        self._y = fit @ exact[:, 1].reshape(7, 7) @ fit.T

    def at(self, columns_px: Array, rows_px: Array) -> tuple[Float32, Float32]:
        """x and y in mm, each of shape (rows, columns), on the grid of these coordinates."""
        across = ((columns_px - self._centre[0]) / self._half[0]).astype(np.float32)
        down: Array = np.asarray(
            polynomial.polyvander((rows_px - self._centre[1]) / self._half[1], _DEGREE), dtype=float
        )
        return _along_rows(down @ self._x, across), _along_rows(down @ self._y, across)


def _along_rows(coefficients: Array, across: Float32) -> Float32:
    """Each row's polynomial at every column, by Horner's rule.

    A matrix product says the same, but with five terms BLAS spends its time on waking threads.
    """
    terms = coefficients.astype(np.float32)
    result = np.multiply.outer(terms[:, _DEGREE], across)
    for power in range(_DEGREE - 1, 0, -1):
        result += terms[:, power, None]
        result *= across
    result += terms[:, 0, None]
    return result


def sample_grid(window: Window, per_pixel: int) -> tuple[Array, Array]:
    """Columns and rows of `per_pixel` evenly spread samples a pixel along each axis."""
    step = 1.0 / per_pixel
    columns = np.asarray(window.x0 - 0.5 + step * (np.arange(window.width * per_pixel) + 0.5))
    rows = np.asarray(window.y0 - 0.5 + step * (np.arange(window.height * per_pixel) + 0.5))
    return columns, rows


def tiles(size: tuple[int, int]) -> list[Window]:
    """Windows of at most `TILE_PX` that cover a picture of `size` (width, height)."""
    width, height = size
    return [
        Window(x, y, min(x + TILE_PX, width), min(y + TILE_PX, height))
        for y in range(0, height, TILE_PX)
        for x in range(0, width, TILE_PX)
    ]
