"""How sharp a picture is, without knowing what is in it: for who turns a lens's ring before a board is found.

One figure of one picture; what is sharp enough is judged elsewhere.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sampling import linear_luma

_SCALES_PX: Final = (32.0, 16.0, 8.0, 4.0, 2.0, 1.0, 0.5)
"""Standard deviations with which edges are looked at, from coarse to fine."""
_MORE: Final = 1.5
"""A second look is blurred so many times as much. With less noise decides, with more a line's one edge sees
the other; on rendered boards this keeps within 0.5 px of what a fit to their lines tells, 0.75 in focus."""
_ENOUGH: Final = 1.5
"""Edges so many times as wide as the look are seen well at that scale, and noise would be at a finer one."""
_READING: Final = 1.0 / 3.0
"""Variance, px2, that reading a slope over two pixels adds to the blur: that of a box of two."""
_STRONG: Final = 0.5
"""Of the strongest edges' slope: what is fainter is texture."""
_STRONGEST: Final = 99.5
"""Per cent of a picture without edges worth the name."""
_LEAST_SCALES: Final = 8.0
"""So many scales high a picture has to be for a look at one."""
_FLAT: Final = 1.7
"""Grey levels within one scale: of a step of six levels. Noise has such slopes, and no edge."""


def edge_width_px(image_bgr: NDArray[np.uint8]) -> float | None:
    """The width of a picture's strongest edges, px: the standard deviation of the blur that makes such edges
    of steps, as a calibration's `blur_px`, but of all that is in the picture. None without any edge.
    `image_bgr`: (height, width, 3), or grey.

    By how much less steep an edge gets when it is blurred once more: of a step blurred by s the slope is 1/s,
    and blurs add up by their squares (Zhuo and Sim, Pattern Recognition 44, 2011). Looked at coarsely first,
    where noise is small, and more finely as far as edges are that narrow.
    """
    light = linear_luma(image_bgr)
    width: float | None = None
    for scale_px in _SCALES_PX:
        if min(light.shape) < _LEAST_SCALES * scale_px:
            continue
        shrunk = max(1.0, scale_px / 2.0)
        small = cv2.resize(light, None, fx=1 / shrunk, fy=1 / shrunk, interpolation=cv2.INTER_AREA)
        seen = _width(np.asarray(small, dtype=np.float32), scale_px / shrunk)
        if seen is None:
            break
        width = seen * shrunk
        if width >= _ENOUGH * scale_px:
            break
    return width


def _width(light: NDArray[np.float32], scale_px: float) -> float | None:
    """The same, at one scale; 0 for edges too narrow for it, None without any."""
    x, y = _slopes(light, scale_px)
    slope = np.asarray(cv2.magnitude(x, y), dtype=np.float32)
    inner = slope[1:-1, 1:-1]
    strong = _STRONG * float(np.percentile(inner[::2, ::2], _STRONGEST))
    if strong * scale_px < _STRONG * _FLAT:
        return None
    across = np.where(
        np.abs(x) > np.abs(y),
        np.minimum(_beside(slope, 0, -1), _beside(slope, 0, 1)),
        np.minimum(_beside(slope, -1, 0), _beside(slope, 1, 0)),
    )[1:-1, 1:-1]
    steepest = (across >= 0) & (inner >= strong)
    softer = cv2.magnitude(*_slopes(light, _MORE * scale_px))[1:-1, 1:-1]
    ratio = np.square(inner[steepest] / np.maximum(softer[steepest], 1e-6), dtype=np.float64)
    if not len(ratio):
        return None
    ratio = np.maximum(ratio, 1.0 + 1e-9)
    once, more = scale_px**2 + _READING, (_MORE * scale_px) ** 2 + _READING
    variance = (more - ratio * once) / (ratio - 1.0)
    return float(np.sqrt(max(0.0, float(np.median(variance)))))


def _slopes(light: NDArray[np.float32], scale_px: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Grey levels a pixel, to the right and down."""
    soft = cv2.GaussianBlur(light, (0, 0), scale_px)
    kernel = np.array([[-0.5, 0.0, 0.5]], dtype=np.float32)
    right, down = (cv2.filter2D(soft, cv2.CV_32F, each) for each in (kernel, kernel.T))
    return np.asarray(right, dtype=np.float32), np.asarray(down, dtype=np.float32)


def _beside(slope: NDArray[np.float32], down: int, right: int) -> NDArray[np.float32]:
    """How much steeper each place is than its neighbour there."""
    return slope - np.roll(slope, (down, right), axis=(0, 1))
