"""Reading grey values out of a picture at fractional pixels. Nothing in here knows a board."""

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Grey = NDArray[np.float32]

_LIGHT = (255.0 * (np.arange(256) / 255.0) ** 2.2).astype(np.float32)


def linear_luma(image_bgr: NDArray[np.uint8]) -> Grey:
    """The luma of a picture, float32 in 0..255, with the display gamma taken off.

    Video and JPEG store colour at half resolution and not quite in its place: green alone, which mixes
    luma and colour, puts a line between clay and white up to 0.08 px off, by its phase on the pixel grid.
    Demosaicing shifts red and blue oppositely, which luma nearly cancels. A blurred edge is symmetric in
    light, not in gamma-coded values: between unlike grounds the coding moved a line by 0.02 mm.
    """
    luma = image_bgr if image_bgr.ndim == 2 else cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.LUT(luma, _LIGHT), dtype=np.float32)


def sample(picture: Grey, x_px: Array, y_px: Array) -> Array:
    """Values at fractional pixels by cubic convolution (Keys, a = -1/2); NaN outside the picture.

    OpenCV's remap rounds positions to 1/32 px, which shows in a line's place; this does not.
    """
    height, width = picture.shape
    left, top = np.floor(x_px), np.floor(y_px)
    inside = (left >= 1) & (top >= 1) & (left < width - 2) & (top < height - 2)
    column = np.where(inside, left, 1).astype(np.intp)
    row = np.where(inside, top, 1).astype(np.intp)
    weights_x = _cubic_weights(np.where(inside, x_px - left, 0.0))
    weights_y = _cubic_weights(np.where(inside, y_px - top, 0.0))
    flat = picture.ravel()
    corner = (row - 1) * width + column - 1
    total = np.zeros(np.broadcast(x_px, y_px).shape)
    for j in range(4):
        line = corner + j * width
        across = weights_x[0] * flat[line]
        for i in range(1, 4):
            across += weights_x[i] * flat[line + i]
        total += weights_y[j] * across
    return np.where(inside, total, np.nan)


def _cubic_weights(t: Array) -> tuple[Array, Array, Array, Array]:
    t2, t3 = t * t, t * t * t
    return (
        -0.5 * t3 + t2 - 0.5 * t,
        1.5 * t3 - 2.5 * t2 + 1.0,
        -1.5 * t3 + 2.0 * t2 + 0.5 * t,
        0.5 * t3 - 0.5 * t2,
    )
