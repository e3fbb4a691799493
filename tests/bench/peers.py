"""The peers: cv2.HoughCircles and a colour threshold with cv2.minEnclosingCircle, as people use them.

Each takes a picture and the ball's radius in pixels, which our calibration gives, and answers with the
ball's middle in pixels. Nothing of ours may help them further, and nothing may slow them down.
"""

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Point = tuple[float, float]
Peer = Callable[[Image, float], Point | None]

_RADII = (0.85, 1.15)
"""Radii searched, over the expected one: tilt and distortion change a ball's size by a few per cent."""
_HUE = (18, 35)
_LEAST_SATURATION, _LEAST_VALUE = 110, 70
"""Yellow wood in OpenCV's units (hue 0..179). A clay court begins at hue 15 and lower saturation."""


def hough_gradient(image: Image, radius_px: float) -> Point | None:
    """The circle with most votes; parameters of OpenCV's own example but for the radii."""
    return _hough(image, radius_px, cv2.HOUGH_GRADIENT, 1.0, (100.0, 30.0))


def hough_gradient_alt(image: Image, radius_px: float) -> Point | None:
    """The same with the newer, more exact variant, which checks a circle's whole outline."""
    return _hough(image, radius_px, cv2.HOUGH_GRADIENT_ALT, 1.5, (300.0, 0.8))


def _hough(
    image: Image, radius_px: float, method: int, dp: float, params: tuple[float, float]
) -> Point | None:
    grey = cv2.medianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 5)
    circles = cv2.HoughCircles(
        grey,
        method,
        dp,
        2 * radius_px,
        param1=params[0],
        param2=params[1],
        minRadius=int(_RADII[0] * radius_px),
        maxRadius=math.ceil(_RADII[1] * radius_px),
    )
    if circles is None:
        return None
    x, y = np.asarray(circles, dtype=float).reshape(-1, np.shape(circles)[-1])[0, :2]
    return float(x), float(y)


def colour_threshold(image: Image, radius_px: float) -> Point | None:
    """The enclosing circle of the largest yellow patch that is at least a quarter of a ball."""
    colours = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    low = np.array([_HUE[0], _LEAST_SATURATION, _LEAST_VALUE])
    mask = cv2.inRange(colours, low, np.array([_HUE[1], 255, 255]))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < 0.25 * math.pi * radius_px**2:
        return None
    (x, y), _ = cv2.minEnclosingCircle(largest)
    return float(x), float(y)
