"""Which end of the board is side A: the lines look the same after half a turn, the printed sheet does not.

The sheet reaches further on one side of the court (the scorer band); its rim against the table is
looked for where it would be either way.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import Array
from calibration.edition import Edition
from calibration.parameters import Layout

_BESIDE = 1 / 125
"""Of the sheet's length: how far beside the rim, and how far apart along it, colours are compared."""
_CLEAR_RATIO = 1.6


@dataclass(frozen=True, slots=True)
class Ends:
    """Whether the layout must be turned by half a turn, and whether the picture tells so clearly."""

    turned: bool
    clear: bool


def tell_ends(image_bgr: NDArray[np.uint8], layout: Layout, edition: Edition) -> Ends:
    """Compare the sheet's rim where the layout puts it with where its half turn would put it."""
    y0, y1 = edition.extent_y_mm
    if abs(y0 + y1) < 4 * _beside_mm(edition):
        return Ends(turned=False, clear=False)
    picture = cv2.GaussianBlur(image_bgr, (0, 0), 1.0).astype(np.float32)
    straight = _rim_strength(picture, layout, edition, 1.0)
    turned = _rim_strength(picture, layout, edition, -1.0)
    high, low = max(straight, turned), min(straight, turned)
    return Ends(turned=turned > straight, clear=high > _CLEAR_RATIO * low and high > 6.0)


def rim_corners_px(layout: Layout, edition: Edition) -> Array:
    """The sheet's four corners in the picture, (4, 2)."""
    corners = [[x, y, 0.0] for x in edition.extent_x_mm for y in edition.extent_y_mm]
    return layout.camera.project(corners)


def _rim_strength(picture: NDArray[np.float32], layout: Layout, edition: Edition, sign: float) -> float:
    """Mean colour step, grey levels, across the four stretches of rim that only one answer has."""
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    beside = _beside_mm(edition)
    reach = min(abs(y0), abs(y1)) + 2 * beside
    far, near = (y1, y0) if abs(y1) > abs(y0) else (y0, y1)
    beyond = np.sign(far) * reach
    stretches = [
        ((x0, far), (x1, far), (0.0, np.sign(far))),
        ((x0, near), (x1, near), (0.0, np.sign(near))),
        ((x0, beyond), (x0, far), (-1.0, 0.0)),
        ((x1, beyond), (x1, far), (1.0, 0.0)),
    ]
    steps = []
    for start, end, outward in stretches:
        count = max(4, int(np.hypot(end[0] - start[0], end[1] - start[1]) / beside))
        along = np.linspace(0.05, 0.95, count)[:, None]
        at = np.array(start) + along * (np.array(end) - np.array(start))
        outer = _colours(picture, layout, sign * (at + beside * np.array(outward)))
        inner = _colours(picture, layout, sign * (at - beside * np.array(outward)))
        difference = outer - inner
        seen = np.isfinite(difference).all(axis=1)
        # A hand over part of the rim must not decide: the median of each colour does.
        steps.append(float(np.abs(np.median(difference[seen], axis=0)).max()) if seen.sum() >= 4 else 0.0)
    return float(np.mean(steps))


def _beside_mm(edition: Edition) -> float:
    x0, x1 = edition.extent_x_mm
    return _BESIDE * (x1 - x0)


def _colours(picture: NDArray[np.float32], layout: Layout, board_mm: Array) -> Array:
    pixel = layout.camera.project(np.column_stack((board_mm, np.zeros(len(board_mm)))))
    column, row = np.round(pixel[:, 0]), np.round(pixel[:, 1])
    height, width = picture.shape[:2]
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    values = picture[np.where(inside, row, 0).astype(int), np.where(inside, column, 0).astype(int)].astype(
        float
    )
    values[~inside] = np.nan
    return np.asarray(values, dtype=float)
