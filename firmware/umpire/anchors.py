"""Whether camera or board was knocked: small patches of the printed board, followed at full
resolution.

It tells that the picture as a whole has shifted and whether it is sharp. It does not fit anything
anew; that is the calibration's work.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Cells = NDArray[np.float32]

_SIDE = 32
# One patch in each field of this grid (across, down) that has structure enough.
_GRID = (5, 4)
_ENOUGH = 6
# A patch whose correlation with itself is lower after the shift is covered.
_ALIKE = 0.75
# How far a patch is searched for when a small step does not find it, of the picture's width: 20 of
# 1456 pixels, 7 mm over a board that fills the picture. A wider search costs by its square at every
# frame of a passing hand, and what lies farther off is found by the new fit alone.
_SEARCH_PART = 20 / 1456
# Half of the patches shifted by more than this is a knock: 0.05 mm where a board fills 1456 pixels,
# five times what noise, lamps and compression do to a patch.
KNOCK_PX = 0.15
# Contrast of fine structure against the reference, below which the picture is out of focus.
_SOFT = 0.5


@dataclass(frozen=True, slots=True)
class Shift:
    """The picture against the reference. `seen`: patches found, of `patches` in all. `median_px`:
    the shift along x and y; `typical_px`: the median of the shifts' lengths, which a turn about the
    middle also raises. `sharpness`: contrast of fine structure against the reference's, 1 =
    alike."""

    seen: int
    patches: int
    median_px: tuple[float, float]
    typical_px: float
    sharpness: float

    @property
    def certain(self) -> bool:
        """Whether enough of the patches were found to say anything."""
        return self.seen >= max(_ENOUGH, self.patches / 2)

    @property
    def knocked(self) -> bool:
        """Whether the picture has moved as a whole."""
        return self.certain and self.typical_px > KNOCK_PX

    @property
    def soft(self) -> bool:
        """Whether the picture has lost its focus."""
        return self.patches >= _ENOUGH and self.sharpness < _SOFT


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """`tell`: shape (3, pixels), what a picture of the patch is multiplied with to tell its likeness
    and, with `at_home` taken off, its step in x and y: a Gauss-Newton step is linear in the picture,
    so that all that can be known beforehand is in here."""

    left: int
    top: int
    pixels: Cells
    tell: Cells
    at_home: NDArray[np.float64]
    fineness: float
    search_px: int


class Anchors:
    """Patches of one reference picture. Immutable: take new ones after a new fit."""

    def __init__(self, image: Image, avoid: NDArray[np.bool_], stride: int) -> None:
        """`image`: the reference (height, width, 3). `avoid`: cells of `stride` pixels in which
        something other than the board is seen."""
        grey = np.ascontiguousarray(image[:, :, 1])
        self._patches = tuple(_patches(grey, avoid, stride))
        self._stride = stride

    @property
    def usable(self) -> bool:
        """Whether there is structure enough to tell a knock."""
        return len(self._patches) >= _ENOUGH

    def compare(self, image: Image, foreign: NDArray[np.bool_]) -> Shift:
        """The shift of `image`; patches with `foreign` cells are left out while most are free."""
        free = [p for p in self._patches if not _touched(foreign, p, self._stride)]
        # A knocked board differs everywhere along its lines; then correlation alone must tell.
        chosen = free if len(free) >= max(_ENOUGH, 2 * len(self._patches) // 3) else self._patches
        followed = [_follow(image, patch) for patch in chosen]
        found = [hit for hit in followed if hit is not None]
        sharpness = [_fineness(_green(image, p)) / p.fineness for p in chosen[::3]]
        if not found:
            found = [(0.0, 0.0)]
        xy = np.array(found)
        return Shift(
            seen=sum(hit is not None for hit in followed),
            patches=len(chosen),
            median_px=(float(np.median(xy[:, 0])), float(np.median(xy[:, 1]))),
            typical_px=float(np.median(np.hypot(xy[:, 0], xy[:, 1]))),
            sharpness=float(np.median(sharpness)) if sharpness else 1.0,
        )


def _patches(grey: Image, avoid: NDArray[np.bool_], stride: int) -> list[_Patch]:
    """The patch with most structure in both directions of each field of the grid."""
    height, width = grey.shape
    search_px = max(2, round(_SEARCH_PART * width))
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    corners = cv2.cornerMinEigenVal(cv2.GaussianBlur(small, (0, 0), 1.0), _SIDE // 2)
    patches = []
    for row in range(_GRID[1]):
        for column in range(_GRID[0]):
            x0, x1 = column * width // _GRID[0], (column + 1) * width // _GRID[0]
            y0, y1 = row * height // _GRID[1], (row + 1) * height // _GRID[1]
            border = _SIDE + search_px
            x0, y0 = max(x0, border), max(y0, border)
            x1, y1 = min(x1, width - border), min(y1, height - border)
            if x1 - x0 < 4 or y1 - y0 < 4:
                continue
            field = corners[y0 // 2 : y1 // 2, x0 // 2 : x1 // 2].copy()
            cells = avoid[y0 // stride : y1 // stride + 1, x0 // stride : x1 // stride + 1]
            if cells.any():
                wide = cv2.dilate(cells.astype(np.uint8), np.ones((7, 7), np.uint8))
                field[cv2.resize(wide, (field.shape[1], field.shape[0])) > 0] = 0
            _, _, _, (u, v) = cv2.minMaxLoc(field)
            patch = _patch(grey, x0 + 2 * u - _SIDE // 2, y0 + 2 * v - _SIDE // 2, search_px)
            if patch is not None:
                patches.append(patch)
    return patches


def _cut(grey: Image, left: int, top: int) -> Cells:
    pixels = grey[top : top + _SIDE, left : left + _SIDE].astype(np.float32)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.2), dtype=np.float32)


def _patch(grey: Image, left: int, top: int, search_px: int) -> _Patch | None:
    pixels = _cut(grey, left, top)
    slope_y, slope_x = (np.asarray(s, dtype=np.float32) for s in np.gradient(pixels))
    normal = np.array(
        [
            [(slope_x**2).sum(), (slope_x * slope_y).sum()],
            [(slope_x * slope_y).sum(), (slope_y**2).sum()],
        ],
        dtype=float,
    )
    contrast = _contrast(pixels)
    # A bare field or a single straight line does not say where it is.
    if contrast < 4.0 or np.linalg.eigvalsh(normal)[0] < 0.02 * _SIDE**2 * contrast**2 / 10:
        return None
    relief = (pixels - pixels.mean()).ravel()
    steps = np.linalg.inv(normal) @ np.stack((slope_x.ravel(), slope_y.ravel()))
    # Without their means the picture's own mean, the level of the light, drops out.
    steps_only = steps - steps.mean(axis=1, keepdims=True)
    tell = np.vstack((relief / (_SIDE**2 * contrast), contrast * steps_only)).astype(np.float32)
    raw = grey[top : top + _SIDE, left : left + _SIDE]
    return _Patch(left, top, pixels, tell, steps @ relief, _fineness(raw), search_px)


def _green(image: Image, patch: _Patch) -> Image:
    rows = slice(patch.top, patch.top + _SIDE)
    return np.ascontiguousarray(image[rows, patch.left : patch.left + _SIDE, 1])


def _fineness(raw: Image) -> float:
    """How much of a patch's contrast is fine: free of the light's strength."""
    return _contrast(cv2.Laplacian(raw, cv2.CV_32F)) / max(_contrast(raw), 1.0)


def _contrast(levels: NDArray[Any]) -> float:
    """Standard deviation; numpy's own takes five times as long over so few."""
    return float(cv2.meanStdDev(levels)[1][0, 0])


def _touched(foreign: NDArray[np.bool_], patch: _Patch, stride: int) -> bool:
    rows = slice(patch.top // stride, (patch.top + _SIDE) // stride + 1)
    columns = slice(patch.left // stride, (patch.left + _SIDE) // stride + 1)
    return bool(foreign[rows, columns].any())


def _follow(image: Image, patch: _Patch) -> tuple[float, float] | None:
    """Shift of one patch in x and y, pixels, or None if it is not seen."""
    step = _step(image, patch, 0, 0)
    if step is None or max(abs(step[0]), abs(step[1])) > 1.0:
        start = _search(image, patch)
        if start is None:
            return None
        step = _step(image, patch, *start)
    return step


def _step(image: Image, patch: _Patch, dx: int, dy: int) -> tuple[float, float] | None:
    """One Gauss-Newton step of the patch from a whole shift (dx, dy), light levelled out."""
    left, top = patch.left + dx, patch.top + dy
    height, width = image.shape[:2]
    if not (0 <= left <= width - _SIDE and 0 <= top <= height - _SIDE):
        return None
    green = np.ascontiguousarray(image[top : top + _SIDE, left : left + _SIDE, 1])
    pixels = _cut(green, 0, 0)
    contrast = _contrast(pixels)
    if contrast < 1.0:
        return None
    likeness, step_x, step_y = (patch.tell @ pixels.ravel() / contrast).tolist()
    if likeness < _ALIKE:
        return None
    home_x, home_y = patch.at_home.tolist()
    return (dx + home_x - step_x, dy + home_y - step_y)


def _search(image: Image, patch: _Patch) -> tuple[int, int] | None:
    reach = patch.search_px
    left, top = patch.left - reach, patch.top - reach
    side = _SIDE + 2 * reach
    if left < 0 or top < 0 or left + side > image.shape[1] or top + side > image.shape[0]:
        return None
    around = image[top : top + side, left : left + side, 1].astype(np.float32)
    smooth = cv2.GaussianBlur(around, (0, 0), 1.2)
    score = cv2.matchTemplate(smooth, patch.pixels, cv2.TM_CCOEFF_NORMED)
    _, best, _, (u, v) = cv2.minMaxLoc(score)
    return (u - reach, v - reach) if best > _ALIKE else None
