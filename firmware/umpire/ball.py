"""Finding the ball in one picture and measuring it: the places that may hold one, then rim and dot
of each.

Lives here: the finder and how much a contour and a dot make a ball. What a ball did over time does
not, nor where on the board it lies: a finder knows pixels only.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.errors import InputError
from firmware.umpire.ball_colour import BallLook
from firmware.umpire.ball_dot import Dot, fit_dot
from firmware.umpire.ball_rim import COARSE_FROM_PX, Rim, find_rim, refined
from firmware.umpire.ball_search import likely_places
from firmware.umpire.ball_view import BallShape, BallView
from firmware.umpire.sighting import Sighting

__all__ = ["BallFinder", "BallLook", "BallView", "likeliest_in_play"]

Image = NDArray[np.uint8]
Levels = NDArray[np.float32]

_LEAST_LIKENESS = 0.3
_LEAST_DIP = 0.05
"""A dot, even a blurred one, is darker than the mean of its surroundings by this share of it."""
_SHARP = 12.0
"""The clarity of a dot below which the ball may be in motion and its rim soft."""
_LEAST_CLEAR = 1.7
"""Depth of a spot over the scatter of the ring about it: a line through its middle comes to 1.4."""
_OFF_CENTRE = 0.05
"""In radii: the dot is printed up to 0.2 mm off the middle of a 22 mm ball, and the rim at first
sight is half a ring of bare wood off; beyond this the dot belongs to something else."""
_OFF_CENTRE_SIGMA = 0.009
"""In radii: standard deviation of that offset along an axis: how well the disc tells where an
unseen dot is."""
_DOT_SIZES = (0.5, 1.6)
"""Radius of the fitted dot over the printed one; blur and sharpening change it."""
_SCALES = (0.88, 1.07)
"""Size of the contour over the ball's: a print 0.6 mm within the rim, a camera known to a few per
cent."""


@dataclass(frozen=True, slots=True)
class BallFinder:
    """Finds balls of one look as one camera sees them.

    Pictures are (height, width, 3) uint8, blue-green-red, of the view's size; any other raises
    `InputError`.
    """

    look: BallLook
    view: BallView

    def find(self, image: Image, window: tuple[int, int, int, int] | None = None) -> list[Sighting]:
        """All balls in the picture, likeliest first.

        `window`: x0, y0, x1, y1 in pixels, the far edges excluded; balls whose middle is outside
        are left out.
        """
        self._check(image)
        left, top, right, bottom = window or (0, 0, image.shape[1], image.shape[0])
        left, top = max(0, left), max(0, top)
        right, bottom = min(image.shape[1], right), min(image.shape[0], bottom)
        if right - left < 2 or bottom - top < 2:
            return []
        typical = self.view.shape_at((left + right) / 2, (top + bottom) / 2).radius_px
        crop = image[top:bottom, left:right]
        places = likely_places(crop, typical, _table_of(self.look), self.look.dark_dot)
        found: list[Sighting] = []
        for place in places:
            x, y = place.x_px + left, place.y_px + top
            if any(_close(s, x, y, 1.7) for s in found) or not self.view.holds(x, y):
                continue
            sighting = self._measured(image, x, y, must_have_dot=not place.by_colour)
            if sighting is None or any(_close(s, *sighting.disc_px, 1.7) for s in found):
                continue
            if left <= sighting.disc_px[0] < right and top <= sighting.disc_px[1] < bottom:
                found.append(sighting)
        return sorted(found, key=lambda s: -s.likeness)

    def measure(self, image: Image, near_px: tuple[float, float]) -> Sighting | None:
        """The ball whose middle is within half a radius of `near_px`, at full resolution; None if
        none is.

        A dot that cannot be seen (blurred, covered) is put at the disc's middle with the standard
        deviation of the print.
        """
        self._check(image)
        return self._measured(image, *near_px, must_have_dot=False)

    def _measured(self, image: Image, x: float, y: float, *, must_have_dot: bool) -> Sighting | None:
        if not (0 <= x < image.shape[1] and 0 <= y < image.shape[0]):
            return None
        shape = self.view.shape_at(x, y)
        border = int(1.9 * shape.radius_px) + 4
        left, top = max(0, int(x) - border), max(0, int(y) - border)
        patch = image[top : int(y) + border, left : int(x) + border].astype(np.float32)
        seen = self._seen(patch, x - left, y - top, shape, must_have_dot)
        if seen is None:
            return None
        rim, dot = seen
        likeness = self._likeness(rim, dot)
        if likeness < _LEAST_LIKENESS:
            return None
        rim = refined(patch, rim, shape)
        disc, dot_at = _told_by_both(rim, dot, _OFF_CENTRE_SIGMA * shape.radius_px)
        return Sighting(
            disc_px=(disc.x_px + left, disc.y_px + top),
            dot_px=(dot_at.x_px + left, dot_at.y_px + top),
            disc_sigma_px=disc.sigma_px,
            dot_sigma_px=dot_at.sigma_px,
            radius_px=rim.scale * shape.radius_px,
            likeness=likeness,
        )

    def learn(self, image: Image, at_px: tuple[float, float] | None = None) -> BallLook:
        """The look of the ball in a picture: at a pixel of its middle, or of the one ball whatever
        its colour.

        Raises `InputError` when no ball, or more than one, is there.
        """
        anything = BallFinder(BallLook.any_colour(), self.view)
        if at_px is not None:
            sighting = anything.measure(image, at_px)
            found = [] if sighting is None else [sighting]
        else:
            found = anything.find(image)
        if len(found) != 1:
            raise InputError(
                f"{len(found) or 'no'} balls to learn from: lay one ball on the board, or say where it is"
            )
        return BallLook.of_patch(_top_pixels(image, found[0]))

    def _check(self, image: Image) -> None:
        width, height = self.view.size_px
        if image.dtype != np.uint8 or image.shape != (height, width, 3):
            raise InputError(
                f"the picture is {image.shape} {image.dtype}, the calibration is for "
                f"{width}x{height} colour pictures: calibrate again with this camera's setting"
            )

    def _seen(
        self, patch: Levels, x: float, y: float, shape: BallShape, must_have_dot: bool
    ) -> tuple[Rim, Dot | None] | None:
        """Rim and dot about (x, y); the rim alone where no dot belongs to it."""
        dot = self._dot_near(patch, x, y, shape)
        if dot is not None:
            slack = _OFF_CENTRE * shape.radius_px + 1.0
            if dot.clarity < _SHARP:
                slack = max(slack, COARSE_FROM_PX)
            rim = find_rim(patch, dot.x_px, dot.y_px, shape, slack)
            if rim is not None and _belong(rim, dot, shape):
                return rim, dot
        if must_have_dot:
            return None
        rim = find_rim(patch, x, y, shape, 0.35 * shape.radius_px)
        return None if rim is None else (rim, None)

    def _dot_near(self, patch: Levels, x: float, y: float, shape: BallShape) -> Dot | None:
        """The dot within half a radius of (x, y), if there is one."""
        grey = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), dtype=np.float32)
        start = _spot(grey, x, y, 0.5 * shape.radius_px, shape.dot_px, self.look.dark_dot)
        if start is None:
            return None
        dot = fit_dot(grey, *start, shape)
        if dot is None or not _DOT_SIZES[0] < dot.sizes < _DOT_SIZES[1] or dot.clarity < 3:
            return None
        return None if self.look.dark_dot and dot.contrast < 0 else dot

    def _likeness(self, rim: Rim, dot: Dot | None) -> float:
        """How much of a ball was seen, 0..1; 0 where it cannot be one."""
        if not _SCALES[0] < rim.scale < _SCALES[1]:
            return 0.0
        colour = float(self.look.agreement(np.array([rim.face]))[0])
        if dot is not None:
            clear = min(1.0, dot.clarity / 15.0)
            return (0.55 * rim.seen + 0.45 * clear) * (0.45 + 0.55 * colour)
        if rim.seen < 0.7 or rim.even < 0.7 or colour < 0.05:
            return 0.0
        return 0.75 * rim.seen * rim.even * float(colour**0.25)


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A point in pixels and its standard deviation along either axis."""

    x_px: float
    y_px: float
    sigma_px: float

    def and_also(self, other: "_Estimate", apart_px: float) -> "_Estimate":
        """This point, given another that lies about it with the standard deviation `apart_px`."""
        mine, theirs = self.sigma_px**2, other.sigma_px**2 + apart_px**2
        share = mine / (mine + theirs)
        return _Estimate(
            self.x_px + share * (other.x_px - self.x_px),
            self.y_px + share * (other.y_px - self.y_px),
            math.sqrt(mine * theirs / (mine + theirs)),
        )


def _told_by_both(rim: Rim, dot: Dot | None, apart_px: float) -> tuple[_Estimate, _Estimate]:
    """Disc and dot, each by its own measurement and by the other's: the dot is printed near the
    middle. A sharp one is hardly moved; a blurred or half-covered one is held."""
    disc = _Estimate(rim.x_px, rim.y_px, rim.sigma_px)
    if dot is None:
        return disc, _Estimate(rim.x_px, rim.y_px, math.hypot(rim.sigma_px, apart_px))
    mark = _Estimate(dot.x_px, dot.y_px, dot.sigma_px)
    return disc.and_also(mark, apart_px), mark.and_also(disc, apart_px)


def _belong(rim: Rim, dot: Dot, shape: BallShape) -> bool:
    """Whether rim and dot are of one ball."""
    apart = math.hypot(rim.x_px - dot.x_px, rim.y_px - dot.y_px)
    allowed = _OFF_CENTRE * shape.radius_px + 3 * (rim.sigma_px + dot.sigma_px)
    return rim.seen >= 0.3 and apart <= allowed and _SCALES[0] < rim.scale < _SCALES[1]


def likeliest_in_play(
    sightings: Iterable[Sighting], off_court_mm: Callable[[Sighting], float]
) -> list[Sighting]:
    """Sightings ordered as a game would have them: nearest to the court, then by likeness.

    `off_court_mm` tells how far from the court each lies, 0 on it; the caller knows where a pixel is.
    """
    return sorted(sightings, key=lambda s: (off_court_mm(s), -s.likeness))


def _spot(
    grey: Levels, x: float, y: float, reach: float, dot_px: float, dark: bool
) -> tuple[float, float] | None:
    """The pixel within `reach` of (x, y) about which a spot of the dot's size stands out most."""
    border = int(reach + 2.5 * dot_px) + 3
    left, top = max(0, int(x) - border), max(0, int(y) - border)
    near = grey[top : int(y) + border + 1, left : int(x) + border + 1]
    size, wide = 2 * round(0.8 * dot_px) + 1, 2 * round(2.2 * dot_px) + 3
    spot, ground = cv2.blur(near, (size, size)), cv2.blur(near, (wide, wide))
    dip = ground - spot if dark else np.abs(ground - spot)
    rows, columns = np.ogrid[: near.shape[0], : near.shape[1]]
    dip[(columns - (x - left)) ** 2 + (rows - (y - top)) ** 2 > reach * reach] = 0
    _, depth, _, (column, row) = cv2.minMaxLoc(dip)
    if depth < max(3.0, _LEAST_DIP * float(ground[row, column])):
        return None
    away2 = (columns - column) ** 2 + (rows - row) ** 2
    ring = near[(away2 > (1.7 * dot_px) ** 2) & (away2 < (2.4 * dot_px + 1) ** 2)]
    if ring.size < 8 or depth < _LEAST_CLEAR * float(ring.std()):
        return None
    return float(column + left), float(row + top)


def _close(sighting: Sighting, x: float, y: float, radii: float) -> bool:
    away = math.hypot(sighting.disc_px[0] - x, sighting.disc_px[1] - y)
    return away < radii * sighting.radius_px


def _top_pixels(image: Image, sighting: Sighting) -> Image:
    """Pixels of the ball's top between dot and rim, shape (n, 3)."""
    (x, y), radius = sighting.disc_px, sighting.radius_px
    rows, columns = np.ogrid[: image.shape[0], : image.shape[1]]
    away = np.hypot(columns - x, rows - y)
    return image[(away > 0.3 * radius) & (away < 0.8 * radius)]


@lru_cache(maxsize=8)
def _table_of(look: BallLook) -> NDArray[np.uint8]:
    """The look's table, made once: it takes ten milliseconds."""
    return look.table()
