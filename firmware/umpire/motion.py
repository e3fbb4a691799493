"""What is over the board and what moves, from a strongly subsampled picture.

Works on one pixel in sixty-four: which cells differ from the empty board under any light, which
differ from the last frame, and whether the board can be seen at all. It does not know what a ball
or a hand is.
"""

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.umpire.light import Light

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Circle = tuple[float, float, float]
Box = tuple[int, int, int, int]
Sight = Literal["clear", "too-dark", "covered"]

# About this many cells across: 3 mm of a board that fills the picture, a quarter of a finger.
_CELLS_ACROSS = 182
# A cell differs when it is off by the floor, by this many sigma of noise, and by this part of its
# level; the last allows for lamps that light a patch unlike the fitted field.
_FLOOR, _SIGMAS, _PART = 6.0, 5.0, 0.09
# Something that has not moved for this long belongs to the board: a pawn in its new place.
_SETTLED_S = 2.0
# A view that is unlike the board, yet has as much structure and keeps still for this long, is the
# board, and the reference was wrong. Less than this part of the cells may move meanwhile.
_MISTAKEN_S, _STEADY = 2.0, 0.01
# Even a picture that does not change is compared with the board this often.
_LOOK_EVERY_S = 0.25
# What is known of the board follows slow changes of light with this time constant.
_FOLLOW_S = 0.7
# Grey levels below which printed lines drown in the noise of a small camera.
_DARK_LEVEL = 14.0
# Likeness of the picture's fine structure to the board's (correlation) below which the board is
# not what is seen; besides, this part of the cells must differ, or the structure must be weaker
# than this part of the board's.
_UNLIKE, _MOST, _BARE = 0.35, 0.5, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One frame against the board and the frame before. Masks are (rows, columns) of cells of
    `stride` pixels. `foreign`: differs from the empty board. `moving`: differs from the last frame.
    `known`: where the empty board has been seen; elsewhere nothing is foreign."""

    stride: int
    foreign: Mask
    moving: Mask
    known: Mask
    sight: Sight

    @property
    def broad(self) -> float:
        """Part (0..1) of the picture under broad foreign things: hands, but not the lines of a
        shifted board."""
        return float(_opened(self.foreign, 5).mean())

    def without_lines(self) -> "Change":
        """The same with nothing thin foreign, not even a finger's tip: what a shifted board leaves of
        hands beside its lines, each of which differs where it was and where it is."""
        return replace(self, foreign=_opened(self.foreign, 3))

    def part_over(self, at_px: tuple[float, float], inner_px: float, outer_px: float) -> float:
        """Part (0..1) of the ring of these radii about a pixel that is foreign, of what is
        known."""
        window, ring = _ring(self.foreign.shape, self.stride, at_px, inner_px, outer_px)
        known = ring & self.known[window]
        count = int(known.sum())
        return float((self.foreign[window] & known).sum()) / count if count else 0.0

    def known_part(self, at_px: tuple[float, float], radius_px: float) -> float:
        """Part (0..1) of the disc about a pixel where the empty board has been seen."""
        window, disc = _ring(self.known.shape, self.stride, at_px, 0.0, radius_px)
        count = int(disc.sum())
        return float((self.known[window] & disc).sum()) / count if count else 0.0

    def moves_in(self, at_px: tuple[float, float], radius_px: float) -> bool:
        """Whether anything moved within `radius_px` of a pixel."""
        window, disc = _ring(self.moving.shape, self.stride, at_px, 0.0, radius_px)
        return bool((self.moving[window] & disc).any())


class ChangeWatch:
    """Learns the empty board and tells what differs from it. Feed it every frame, in order."""

    def __init__(self, size: tuple[int, int]) -> None:
        """`size`: width and height of the pictures in pixels."""
        width, height = size
        self.stride = max(2, round(width / _CELLS_ACROSS))
        self._shape = (height // self.stride, width // self.stride)
        self._light = Light(self._shape)
        self.forget()

    def forget(self, covered: Mask | None = None) -> None:
        """Start over: the camera or the board has moved. `covered`: cells over which something was
        seen last; what is there now is not taken for the board."""
        self._covered = covered
        self._board: NDArray[np.float32] | None = None
        self._last: NDArray[np.float32] | None = None
        self._left = np.zeros((*self._shape, 3), dtype=np.float32)
        self._age = np.zeros(self._shape, dtype=np.float32)
        self._known = np.zeros(self._shape, dtype=np.bool_)
        self._noise = 2.0
        self._at = 0.0
        self._foreign = np.zeros(self._shape, dtype=np.bool_)
        self._since_full = 0.0
        self._quiet_limit = np.zeros((*self._shape, 3), dtype=np.float32)
        self._sight_was: Sight = "clear"
        self._bare = False
        self._mistaken_s = 0.0

    def too_dark(self, image: Image) -> bool:
        """Whether nothing could be seen in such a picture; nothing is learnt from it."""
        return self._is_dark(self._cells(image))

    def see(self, image: Image, at: float, balls: list[Circle], hidden: list[Circle]) -> Change:
        """The next frame, captured at `at` seconds.

        `balls`: circles (x, y, radius in pixels) of balls that lie there: the board below is not
        seen. `hidden`: circles in which a ball may lie under something: nothing there becomes
        board.
        """
        cells = self._cells(image)
        step = min(max(at - self._at, 0.0), _LOOK_EVERY_S) if self._last is not None else 0.0
        self._at = at
        under = self._disc_mask(balls)
        if self._board is not None and self._mistaken_s > _MISTAKEN_S:
            # What was taken for the board at the start was a cover, darkness, or another view.
            self.forget()
        if (self._board is None or self._last is None) and self._is_dark(cells):
            nothing = np.zeros(self._shape, dtype=np.bool_)
            return Change(self.stride, nothing, nothing, nothing, "too-dark")
        if self._board is None or self._last is None:
            self._board, self._last = cells.copy(), cells
            self._left = np.zeros_like(cells)
            self._known = ~(under | self._disc_mask(hidden))
            if self._covered is not None:
                self._known &= ~_broad(self._covered)
            nothing = np.zeros(self._shape, dtype=np.bool_)
            return Change(self.stride, nothing, nothing, self._known.copy(), "clear")
        if self._is_quiet(cells, step):
            nothing = np.zeros(self._shape, dtype=np.bool_)
            return Change(self.stride, self._foreign, nothing, self._known, "clear")
        lit = self._light.on(self._board, cells)
        limit = self._limit(lit)
        left = cells - lit
        # What the light does to the board is no movement: compare what it leaves unexplained.
        moving = self._moving(left, limit)
        differs = _without_specks(_largest(np.abs(left)) > limit)
        sight = self._sight(cells, lit, differs)
        foreign = differs & self._known
        self._last, self._sight_was = cells, sight
        self._quiet_limit = np.asarray(cv2.merge([self._limit(cells)] * 3), dtype=np.float32)
        since_full, self._since_full = self._since_full, 0.0
        self._foreign = foreign
        steady = sight == "covered" and not self._bare and float(moving.mean()) < _STEADY
        self._mistaken_s = self._mistaken_s + step if steady else 0.0
        if sight == "clear":
            protected = under | self._disc_mask(hidden)
            self._learn(cells, differs, moving, protected, since_full)
        return Change(self.stride, foreign, moving, self._known.copy(), sight)

    def _is_quiet(self, cells: NDArray[np.float32], step: float) -> bool:
        """Whether the picture is the last one again but for noise, so that nothing need be fitted.

        Compared with the last picture that was looked at in full: slow changes add up to a look.
        """
        self._since_full += step
        if self._sight_was != "clear" or self._since_full > _LOOK_EVERY_S:
            return False
        assert self._last is not None
        away = cv2.absdiff(cells, self._last)
        return bool(np.count_nonzero(away > self._quiet_limit) < 3)

    def _cells(self, image: Image) -> NDArray[np.float32]:
        rows, columns = self._shape
        cropped = image[: rows * self.stride, : columns * self.stride]
        # Each cell is the mean of the 2x2 pixels in its middle: bilinear reduction reads no others.
        small = cv2.resize(cropped, (columns, rows), interpolation=cv2.INTER_LINEAR)
        return np.asarray(small, dtype=np.float32)

    def _moving(self, left: NDArray[np.float32], limit: NDArray[np.float32]) -> Mask:
        away = _largest(np.abs(left - self._left))
        self._noise = 0.9 * self._noise + 0.1 * float(np.median(away)) * 0.8
        self._left = left
        return _without_specks(away > limit)

    def _limit(self, lit: NDArray[np.float32]) -> NDArray[np.float32]:
        level = _largest(lit)
        return np.asarray(_FLOOR + _SIGMAS * min(self._noise, 4.0) + _PART * level)

    def _sight(self, cells: NDArray[np.float32], lit: NDArray[np.float32], differs: Mask) -> Sight:
        if self._is_dark(cells):
            return "too-dark"
        fine, board = _fine(cells), _fine(lit)
        seen2, board2 = float(np.vdot(fine, fine)), float(np.vdot(board, board))
        likeness = float(np.vdot(fine, board)) / max(np.sqrt(seen2 * board2), 1e-6)
        self._bare = seen2 < _BARE**2 * board2
        lost = likeness < _UNLIKE and (self._bare or float(differs.mean()) > _MOST)
        return "covered" if lost else "clear"

    def _is_dark(self, cells: NDArray[np.float32]) -> bool:
        dark = np.count_nonzero(cells[:, :, 1] < _DARK_LEVEL)
        return bool(dark > 0.95 * self._shape[0] * self._shape[1])

    def _learn(
        self,
        cells: NDArray[np.float32],
        differs: Mask,
        moving: Mask,
        protected: Mask,
        step: float,
    ) -> None:
        assert self._board is not None
        strange = differs | ~self._known
        # A hand that pauses still trembles; one cell that moved keeps its neighbours waiting.
        stirred = cv2.dilate(moving.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self._age = np.where(strange & ~stirred & ~protected, self._age + step, 0).astype(np.float32)
        settled = self._age > np.where(self._known, _SETTLED_S, _SETTLED_S / 4)
        part = 1.0 - float(np.exp(-step / _FOLLOW_S))
        rate = np.where(settled, 1.0, np.where(strange | protected, 0.0, part))
        self._board += (rate[:, :, None] * (cells - self._board)).astype(np.float32)
        self._known |= settled

    def _disc_mask(self, circles: list[Circle]) -> Mask:
        mask = np.zeros(self._shape, dtype=np.bool_)
        for x, y, radius in circles:
            window, disc = _ring(self._shape, self.stride, (x, y), 0.0, radius)
            mask[window] |= disc
        return mask


def boxes_of(mask: Mask, stride: int, margin_px: float) -> list[Box]:
    """Boxes (x0, y0, x1, y1) in pixels about the connected parts of a mask of cells, largest
    last."""
    if not mask.any():
        return []
    joined = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    boxes = []
    for x, y, w, h, area in sorted(stats[1:count].tolist(), key=lambda s: s[4]):
        if area >= 4:
            boxes.append(
                (
                    int(x * stride - margin_px),
                    int(y * stride - margin_px),
                    int((x + w) * stride + margin_px),
                    int((y + h) * stride + margin_px),
                )
            )
    return boxes


def _largest(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """The largest of the three colours; numpy is ten times slower over so short an axis."""
    blue, green, red = cv2.split(cells)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32)


def _broad(mask: Mask) -> Mask:
    """The broad parts of a mask and a rim about them: hands, but not the lines of a shifted board."""
    cells = mask.astype(np.uint8)
    core = cv2.erode(cells, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.dilate(core, np.ones((11, 11), np.uint8)) > 0)


def _opened(mask: Mask, side: int) -> Mask:
    """The parts of a mask in which a square of so many cells finds room."""
    kernel = np.ones((side, side), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0)


def _without_specks(mask: Mask) -> Mask:
    return np.asarray(cv2.medianBlur(mask.astype(np.uint8), 3) > 0)


def _fine(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    grey = cells[:, :, 0] + cells[:, :, 1] + cells[:, :, 2]
    return np.asarray(grey - cv2.blur(grey, (7, 7)), dtype=np.float32)


def _ring(
    shape: tuple[int, ...],
    stride: int,
    at_px: tuple[float, float],
    inner_px: float,
    outer_px: float,
) -> tuple[tuple[slice, slice], Mask]:
    """The window of cells about a pixel and, in it, those whose middles lie in the ring."""
    rows, columns = shape[0], shape[1]
    x, y = (at_px[0] + 0.5) / stride - 0.5, (at_px[1] + 0.5) / stride - 0.5
    reach, hole = outer_px / stride, inner_px / stride
    left, right = max(0, int(x - reach)), min(columns, int(x + reach) + 2)
    top, bottom = max(0, int(y - reach)), min(rows, int(y + reach) + 2)
    if left >= right or top >= bottom:
        return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), dtype=np.bool_)
    away2 = (np.arange(top, bottom)[:, None] - y) ** 2 + (np.arange(left, right)[None, :] - x) ** 2
    ring = (away2 <= reach * reach) & (away2 >= hole * hole)
    return (slice(top, bottom), slice(left, right)), np.asarray(ring)
