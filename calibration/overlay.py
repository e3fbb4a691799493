"""The fitted court drawn over a picture, for people to see whether it fits."""

from collections.abc import Iterator
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.errors import RefusedError
from calibration.parameters import Half, Layout
from calibration.profile import Calibration

_SHIFT = 4
"""Fractional bits of OpenCV's drawing coordinates: lines are drawn where they are, not at whole pixels."""
_COLOURS = {"court": (255, 0, 255), "zone": (0, 255, 255), "bonus": (255, 255, 0), "net": (0, 0, 255)}
_REFUSED = (0, 128, 255)
_ENDS: tuple[tuple[Half, float], ...] = (("A", -1.0), ("B", 1.0))


def draw_court(image_bgr: NDArray[np.uint8], calibration: Calibration, edition: Edition) -> NDArray[np.uint8]:
    """A copy of the picture with the middle of every printed line, the sheet's rim and both ends' names."""
    canvas = image_bgr.copy()
    layout = calibration.layout
    for kind, points_px in _lines_px(layout, edition):
        _polyline(canvas, points_px, _COLOURS[kind])
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    rim = _dense(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]))
    outline = layout.camera.project(np.column_stack((rim, np.zeros(len(rim)))))
    _polyline(canvas, outline, (255, 255, 255))
    size = max(canvas.shape) / 1000
    for name, side in _ENDS:
        x, y = layout.camera.project([[side * 1.07 * edition.court.baseline_mm, 0.0, 0.0]])[0]
        place = (round(float(x) - 10 * size), round(float(y) + 10 * size))
        for colour, width in (((0, 0, 0), 5), ((255, 255, 255), 2)):
            cv2.putText(canvas, name, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, width, cv2.LINE_AA)
    return canvas


def draw_refused(image_bgr: NDArray[np.uint8], refused: RefusedError) -> NDArray[np.uint8]:
    """A copy of a picture that will not do, with the lines where they were thought to be, if anywhere."""
    canvas = image_bgr.copy()
    for points_px in refused.seen_px:
        _polyline(canvas, points_px, _REFUSED)
    return canvas


def seen_lines_px(layout: Layout, edition: Edition) -> tuple[NDArray[np.float64], ...]:
    """The middle of every printed line, a polyline (n, 2) each, px."""
    return tuple(points_px for _, points_px in _lines_px(layout, edition))


def _lines_px(layout: Layout, edition: Edition) -> Iterator[tuple[str, NDArray[np.float64]]]:
    for line in edition.printed_lines:
        points = _dense(np.asarray(line.points_mm, dtype=float))
        halves: list[Half] = [line.half] if line.half is not None else ["A", "B"]
        for half in halves:
            yield line.kind, layout.project(half, points)


def _dense(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The polyline with a point every 5 mm: a straight line is curved in the picture."""
    pieces = []
    for start, end in pairwise(points):
        count = max(1, int(np.hypot(*(end - start)) / 5.0))
        pieces.append(start + np.linspace(0, 1, count, endpoint=False)[:, None] * (end - start))
    return np.concatenate([*pieces, points[-1:]])


def _polyline(
    canvas: NDArray[np.uint8], points_px: NDArray[np.float64], colour: tuple[int, int, int]
) -> None:
    scaled = np.round(points_px * 2**_SHIFT).astype(np.int32)
    cv2.polylines(canvas, [scaled], False, colour, 1, cv2.LINE_AA, _SHIFT)
