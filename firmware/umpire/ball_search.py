"""Where in a picture a ball may lie: a coarse search that misses none and is quick, not one that is
right.

Two independent clues are followed: a spot in the middle of an even patch (the dot; needs no colour)
and a patch of the ball's colour of the ball's size (needs no dot: it may be blurred or covered).
Whether a place holds a ball is not decided here but by measuring it.
"""

from dataclasses import dataclass

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
_LEAST_PATCH = 0.18
"""Mean agreement of colour in a patch beyond that of its surroundings."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ball may lie. `by_dot`: it was the spot that was seen there."""

    x_px: float
    y_px: float
    score: float
    by_dot: bool


def likely_places(
    image: Image, radius_px: float, colours: NDArray[np.uint8], dark_dot: bool
) -> list[Place]:
    """Places of `image` (height, width, 3) that may hold a ball of about `radius_px`, best first.

    `colours` is the table of a `BallLook`. Positions are good to about a third of the radius.
    """
    step = max(1, int(radius_px / _SEARCH_RADIUS))
    height, width = image.shape[0] // step, image.shape[1] // step
    if min(height, width) < 4:
        return []
    small = image[: height * step, : width * step]
    if step > 1:
        small = cv2.resize(small, (width, height), interpolation=cv2.INTER_AREA).astype(
            np.uint8, copy=False
        )
    radius = radius_px / step
    agreement = _agreement(small, colours)
    found = _by_colour(agreement, radius) + _by_dot(small, agreement, radius, dark_dot)
    middle = (step - 1) / 2
    return _apart(
        [Place(p.x_px * step + middle, p.y_px * step + middle, p.score, p.by_dot) for p in found],
        0.3 * radius_px,
    )


def _agreement(small: Image, colours: NDArray[np.uint8]) -> Field:
    """Agreement of every pixel with the look, 0..1."""
    bits = (small >> 3).astype(np.uint16)
    index = (bits[..., 0] << 10) | (bits[..., 1] << 5) | bits[..., 2]
    return np.asarray(cv2.blur(colours[index], (3, 3)).astype(np.float32) / np.float32(255))


def _by_colour(agreement: Field, radius: float) -> list[Place]:
    inner = _odd(1.3 * radius)
    outer, hole = _odd(3.4 * radius), _odd(2.3 * radius)
    within = cv2.blur(agreement, (inner, inner), borderType=cv2.BORDER_REPLICATE)
    around = _ring_mean(agreement, outer, hole)
    patch = within - np.float32(0.8) * around
    return _peaks(patch, radius, _LEAST_PATCH, _MOST_BY_COLOUR, by_dot=False)


def _by_dot(small: Image, agreement: Field, radius: float, dark_dot: bool) -> list[Place]:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    outer, hole = _odd(1.3 * radius), _odd(0.7 * radius)
    mean = _ring_mean(grey, outer, hole)
    square = _ring_mean(grey * grey, outer, hole)
    uneven = np.sqrt(np.maximum(square - mean * mean, 0))
    # The weights 1 2 1 gather a dot wherever it falls on the reduced grid.
    dip = mean - cv2.GaussianBlur(grey, (3, 3), 0)
    if not dark_dot:
        dip = np.abs(dip)
    # A tint of the right colour helps; the wrong one does not exclude.
    score = dip / (uneven + np.float32(3.0)) * (np.float32(0.5) + agreement_near(agreement, radius))
    score[dip < 6] = 0
    return _peaks(score, radius, _LEAST_DIP, _MOST_BY_DOT, by_dot=True)


def agreement_near(agreement: Field, radius: float) -> Field:
    """Mean agreement over the middle of a ball at each pixel."""
    side = _odd(1.3 * radius)
    return np.asarray(
        cv2.blur(agreement, (side, side), borderType=cv2.BORDER_REPLICATE), dtype=np.float32
    )


def _ring_mean(field: Field, outer: int, hole: int) -> Field:
    """Mean over a square ring of odd sides `outer` and `hole`."""
    hole = min(hole, outer - 2)
    whole = cv2.blur(field, (outer, outer), borderType=cv2.BORDER_REPLICATE)
    middle = cv2.blur(field, (hole, hole), borderType=cv2.BORDER_REPLICATE)
    share = np.float32(hole * hole / (outer * outer))
    return np.asarray((whole - middle * share) / (np.float32(1) - share), dtype=np.float32)


def _peaks(score: Field, radius: float, least: float, most: int, by_dot: bool) -> list[Place]:
    """The highest local maxima, at most `most`, that are at least `least`."""
    side = _odd(radius)
    crest = cv2.dilate(score, np.ones((side, side), np.uint8))
    rows, columns = np.nonzero((score >= crest) & (score >= least))
    values = score[rows, columns]
    order = np.argsort(-values, kind="stable")[:most]
    return [
        Place(float(columns[k]), float(rows[k]), float(values[k]), by_dot) for k in order.tolist()
    ]


def _apart(places: list[Place], distance: float) -> list[Place]:
    """The places without those that lie near one that was seen by its dot."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: (not p.by_dot, -p.score)):
        if all(abs(place.x_px - k.x_px) + abs(place.y_px - k.y_px) > distance for k in kept):
            kept.append(place)
    return kept


def _odd(length: float) -> int:
    """The odd whole number nearest to `length`, at least 3."""
    return max(3, 2 * round((length - 1) / 2) + 1)
