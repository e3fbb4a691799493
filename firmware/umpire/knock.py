"""Knocks: notices that the picture has shifted, waits until it keeps still, has the board fitted
anew.

How the board is fitted is the calibration's business; what a knock means for a ball the tracker's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware.umpire.anchors import Anchors, Shift
from firmware.umpire.field import Calibrated
from firmware.umpire.motion import Change

Image = NDArray[np.uint8]
Refit = Callable[[Image], Calibrated | None]

# The anchors are looked at this often, and at every frame while a ball leaves or stops, or while more
# than this part of the picture moves: the first frame of a knock must not pass for the ball's own move.
_EVERY_S, _STIRRED = 0.3, 0.005
# A shifted picture must keep still this long, within this many pixels, before it is fitted anew.
_STILL_S, _STILL_PX = 0.15, 0.15
# Anchors that are out of sight or reach do not tell where the picture is; then less than _CALM of it
# may move for as long. A fit that failed (a hand in the way) is tried again this often.
_AGAIN_S = 0.5
# Anchors that are out of sight while less than this part of the picture is covered are elsewhere; and
# so they are if more than this part of it changes from one frame to the next: an arm that comes at 2 m/s
# covers 4 % more, a gleam that stays in its place while the picture leaps looks as broad as hands.
_HANDS, _LEAP = 0.3, 0.1
# Anchors are taken from a picture in which less than this part moves.
_CALM = 0.002


@dataclass(frozen=True, slots=True)
class Footing:
    """Whether the board is where it was fitted. `held`: it is not, calls must wait. `fit`: a new
    calibration, from this frame on. `soft`: the picture is out of focus."""

    held: bool = False
    fit: Calibrated | None = None
    soft: bool = False


class KnockWatch:
    """Watches the board's place in the picture. Feed it the frames in order."""

    def __init__(self, refit: Refit | None) -> None:
        """`refit`: fits the calibration to a picture of the shifted board, None if it cannot."""
        self._refit = refit
        self._start_over()

    def _start_over(self) -> None:
        self._anchors: Anchors | None = None
        self._seen_at = self._tried_at = -math.inf
        self._places: list[tuple[float, float, float]] = []
        self._calm_since = math.inf
        self._footing = Footing()

    def watch(self, image: Image, at: float, change: Change, *, busy: bool) -> Footing:
        """The board's footing in a frame captured at `at` seconds.

        `busy`: a ball leaves its rest or comes to one, so that a knock must not be overlooked.
        """
        if self._anchors is None:
            if change.moving.mean() < _CALM:
                self._anchors = Anchors(image, change.foreign | ~change.known, change.stride)
                self._seen_at = at
            return self._footing
        if not self._anchors.usable:
            # Perhaps an arm lay over the board: look for anchors again.
            if at - self._seen_at >= _AGAIN_S:
                self._anchors = None
            return self._footing
        stirred = float(change.moving.mean())
        self._calm_since = min(self._calm_since, at) if stirred < _CALM else math.inf
        due = busy or self._footing.held or stirred > _STIRRED or at - self._seen_at >= _EVERY_S
        if not due:
            return self._footing
        self._seen_at = at
        shift = self._anchors.compare(image, change.foreign)
        if shift.soft or not shift.certain:
            return self._without_anchors(image, at, shift, change)
        if not shift.knocked:
            self._places = []
            self._footing = Footing(soft=shift.soft)
            return self._footing
        self._footing = Footing(held=True)
        self._places = [p for p in self._places if p[0] >= at - 2 * _STILL_S]
        self._places.append((at, *shift.median_px))
        return self._fitted_anew(image, at) if self._still_since() <= at - _STILL_S else self._footing

    def _without_anchors(self, image: Image, at: float, shift: Shift, change: Change) -> Footing:
        """Hands and lost focus hide the anchors for a while, and what was so stays so. When neither
        explains it, or a picture is blurred because all of it moves, the camera looks elsewhere: calls
        wait until the board is found there."""
        self._places = []
        stirred = change.moving.mean()
        hands = change.broad > _HANDS and stirred <= _LEAP
        explained = hands or (shift.soft and stirred <= _STIRRED)
        self._footing = Footing(held=self._footing.held or not explained, soft=shift.soft)
        if self._footing.held and not shift.soft and self._calm_since <= at - _STILL_S:
            return self._fitted_anew(image, at)
        return self._footing

    def _fitted_anew(self, image: Image, at: float) -> Footing:
        """The footing by a new fit to a picture that keeps still; as it was if there is none, or one
        was sought only just before."""
        if at - self._tried_at < _AGAIN_S:
            return self._footing
        self._tried_at = at
        fit = self._refit(image) if self._refit is not None else None
        if fit is None:
            return self._footing
        self._start_over()
        return Footing(fit=fit)

    def _still_since(self) -> float:
        """Since when the picture has been where it is now, seconds."""
        at, x, y = self._places[-1]
        for earlier in reversed(self._places):
            if math.hypot(earlier[1] - x, earlier[2] - y) > _STILL_PX:
                break
            at = earlier[0]
        return at
