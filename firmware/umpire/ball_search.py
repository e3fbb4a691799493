"""Where in a picture a ball may lie: a coarse search that misses none and is quick, not one that is
right.

Two independent clues are followed: a spot in the middle of an even patch (the dot; needs no colour)
and a patch of the ball's colour of the ball's size (needs no dot: it may be blurred or covered).
Whether a place holds a ball is not decided here but by measuring it.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[np.float32]

_SEARCH_RADIUS = 6.5
"""Radius of the ball in the reduced picture: the dot still covers a pixel, and a frame costs
little."""
_MOST_BY_DOT = 10
_MOST_BY_COLOUR = 6
_LEAST_DIP = 0.9
"""Depth of the spot over the unevenness of its surroundings, both in grey levels."""
_LEAST_DEPTH = 6.0
"""Least depth of a spot in grey levels: the noise of a picture in dim light."""
_COLOUR_STEP = 2
"""Colour is looked up on every second pixel of the reduced picture: patches are large."""
_SHARE_OF_BEST = 0.4
"""A patch of less than this share of the best one's agreement is ground in that tint."""
_LEAST_PATCH = 0.18
"""Mean agreement of colour in a patch beyond that of its surroundings."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ball may lie, and by which clue."""

    x_px: float
    y_px: float
    score: float
    by_dot: bool
    by_colour: bool


def likely_places(image: Image, radius_px: float, colours: NDArray[np.uint8], dark_dot: bool) -> list[Place]:
    """Places of `image` (height, width, 3) that may hold a ball of about `radius_px`: those with a
    dot first, each kind best first.

    `colours` is the table of a `BallLook`. Positions are good to about a third of the radius.
    """
    step = max(1, int(radius_px / _SEARCH_RADIUS))
    height, width = image.shape[0] // step, image.shape[1] // step
    if min(height, width) < 4:
        return []
    small = image[: height * step, : width * step]
    if step > 1:
        reduced = cv2.resize(small, (width, height), interpolation=cv2.INTER_AREA)
        small = np.asarray(reduced, dtype=np.uint8)
    radius = radius_px / step
    within, patch = _agreement(small, radius, colours)
    coloured = _peaks(patch, radius / _COLOUR_STEP, _LEAST_PATCH, _MOST_BY_COLOUR)
    least = _SHARE_OF_BEST * max((score for _, _, score in coloured), default=0.0)
    coloured = [
        (_COLOUR_STEP * x + 0.5, _COLOUR_STEP * y + 0.5, score) for x, y, score in coloured if score >= least
    ]
    within = np.asarray(cv2.resize(within, (width, height), interpolation=cv2.INTER_LINEAR))
    dotted = _peaks(_spots(small, within, radius, dark_dot), radius, _LEAST_DIP, _MOST_BY_DOT)
    return _merged(dotted, coloured, radius, step)


def _agreement(small: Image, radius: float, colours: NDArray[np.uint8]) -> tuple[Field, Field]:
    """On every second pixel: mean agreement with the look over the middle of a ball, 0..1, and how
    much more that is than about it."""
    blurred = np.asarray(cv2.blur(small, (2, 2), anchor=(0, 0)), dtype=np.uint8)
    coarse = blurred[::_COLOUR_STEP, ::_COLOUR_STEP] >> 3
    index = coarse[..., 0].astype(np.uint16) << 10
    index |= coarse[..., 1].astype(np.uint16) << 5
    index |= coarse[..., 2]
    agreement = colours[index]
    radius /= _COLOUR_STEP
    inner = _odd(1.3 * radius)
    within = np.asarray(_mean(agreement, inner) / np.float32(255), dtype=np.float32)
    outer, hole = _odd(3.6 * radius), _odd(2.4 * radius)
    share = np.float32(hole * hole / (outer * outer))
    around = (_mean(agreement, outer) - share * _mean(agreement, hole)) / (
        np.float32(255) * (np.float32(1) - share)
    )
    return within, np.asarray(within - np.float32(0.8) * around, dtype=np.float32)


def _spots(small: Image, within: Field, radius: float, dark_dot: bool) -> Field:
    """How much every pixel is a spot in the middle of an even patch."""
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    outer, hole = _odd(1.3 * radius), min(_odd(0.7 * radius), _odd(1.3 * radius) - 2)
    share = np.float32(hole * hole / (outer * outer))
    rest = np.float32(1) / (np.float32(1) - share)
    mean = (_mean(grey, outer) - share * _mean(grey, hole)) * rest
    square = (_mean_square(grey, outer) - share * _mean_square(grey, hole)) * rest
    uneven = np.sqrt(np.maximum(square - mean * mean, 0))
    # The weights 1 2 1 gather a dot wherever it falls on the reduced grid.
    dip = mean - cv2.GaussianBlur(grey, (3, 3), 0)
    if not dark_dot:
        dip = np.abs(dip)
    # A tint of the right colour helps; the wrong one does not exclude.
    score = dip / (uneven + np.float32(3.0)) * (np.float32(0.5) + within)
    score[dip < _LEAST_DEPTH] = 0
    return np.asarray(score, dtype=np.float32)


def _peaks(score: Field, radius: float, least: float, most: int) -> list[tuple[float, float, float]]:
    """The highest local maxima (x, y, score), at most `most`, that are at least `least`."""
    side = _odd(radius)
    crest = cv2.dilate(score, np.ones((side, side), np.uint8))
    rows, columns = np.nonzero((score >= crest) & (score >= least))
    values = score[rows, columns]
    order = np.argsort(-values, kind="stable")[:most]
    return [(float(columns[k]), float(rows[k]), float(values[k])) for k in order.tolist()]


def _merged(
    dotted: list[tuple[float, float, float]],
    coloured: list[tuple[float, float, float]],
    radius: float,
    step: int,
) -> list[Place]:
    """The places in pixels of the picture; a patch about a dot is one place with it."""

    def near(a: tuple[float, float, float], b: tuple[float, float, float]) -> bool:
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) < 0.5 * radius

    middle = (step - 1) / 2
    places = [
        Place(
            p[0] * step + middle,
            p[1] * step + middle,
            p[2],
            True,
            any(near(p, q) for q in coloured),
        )
        for p in dotted
    ]
    return places + [
        Place(q[0] * step + middle, q[1] * step + middle, q[2], False, True)
        for q in coloured
        if not any(near(p, q) for p in dotted)
    ]


def _mean(field: NDArray[Any], side: int) -> Field:
    """Mean over a square of odd `side`."""
    return np.asarray(cv2.boxFilter(field, cv2.CV_32F, (side, side), borderType=cv2.BORDER_REPLICATE))


def _mean_square(field: NDArray[Any], side: int) -> Field:
    """Mean of the squares over a square of odd `side`."""
    return np.asarray(cv2.sqrBoxFilter(field, cv2.CV_32F, (side, side), borderType=cv2.BORDER_REPLICATE))


def _odd(length: float) -> int:
    """The odd whole number nearest to `length`, at least 3."""
    return max(3, 2 * round((length - 1) / 2) + 1)
