"""The pictures of the last rests, cut out about the ball at full resolution, for a second look at them.

Keeps and bounds only: nothing is measured here, and no file is written. The umpire's loop offers every
frame; a review asks for the frames of one rest, which are copies and may be read in another thread.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from firmware.errors import InputError
from firmware.umpire.ball_view import BallSize
from firmware.umpire.observations import BumpSeen, Observation, PlacementSeen, RestSeen, StrokeSeen
from firmware.umpire.rest import Point, Rest
from firmware.umpire.umpire import StillFrame

Image = NDArray[np.uint8]

_MOST_FRAMES, _FEWEST_FRAMES = 32, 6
"""Of one rest: more tell nothing new, a second's worth is spread over the whole of a long rest."""
_LATELY_S = 0.8
"""A rest is agreed a quarter of a second after the ball has stopped: so far back its frames are sought."""
_LATELY = 36
"""Frames at most of what happened lately, whatever the camera's rate and however many balls."""
_STROKES, _OTHERS = 2, 1
"""Rests kept: of the last stroke, of the one before, and the last one that no stroke has made."""
_SAME_PX = 3.0
"""A ball that lies is taken for that of a rest when it is seen this near."""
_BESIDE = 1.7
"""Half a cut-out's side in radii of the ball: wall, shadow's seam and a strip of board are in it."""
_MARGIN_PX = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A part of a frame: `image` (h, w, 3) uint8 blue-green-red, whose first pixel is the frame's
    `corner` (x, y). `captured_at`: the camera's time in seconds."""

    image: Image
    corner: tuple[int, int]
    captured_at: float


@dataclass(slots=True, eq=False)
class _Kept:
    """One rest with its frames; every `stride`-th frame that is offered is taken."""

    rest: Rest
    ball: int
    by_stroke: bool
    whole: Image | None
    frames: list[Cutout] = field(default_factory=list)
    stride: int = 1
    offered: int = 0

    def add(self, cutout: Cutout, most: int) -> None:
        """Take a frame in; when it is full, every other one goes, and only half as many come."""
        self.offered += 1
        if (self.offered - 1) % self.stride:
            return
        self.frames.append(cutout)
        if len(self.frames) > most:
            self.frames = self.frames[::2]
            self.stride *= 2

    def is_of(self, rest: Rest) -> bool:
        near = math.dist(self.rest.disc_px, rest.disc_px) < 0.5 * self.rest.radius_px
        return near and self.rest.first_at <= rest.last_at and rest.first_at <= self.rest.last_at


class KeptFrames:
    """Frames of the last two strokes' rests and of the last other rest, in bounded memory.

    A stroke may be challenged until the next one, while the ball may have been carried elsewhere.
    """

    def __init__(self, radius_px: float, limit_mb: float = 40.0) -> None:
        """`radius_px`: the ball's radius in the picture, to a fifth of it. `limit_mb`: all pixels kept
        stay below so many megabytes; whole frames are left out first, then cut-outs are fewer."""
        if not radius_px > 0 or not limit_mb > 0:
            raise ValueError(f"radius_px {radius_px!r} and limit_mb {limit_mb!r} must be above 0")
        self._half = math.ceil(_BESIDE * radius_px + _MARGIN_PX)
        self._limit = limit_mb * 1e6
        self._most: int | None = None
        self._keeps_whole = True
        self._lately: deque[tuple[Point, Cutout]] = deque()
        self._rests: list[_Kept] = []

    @classmethod
    def of_camera(cls, model: CameraModel, ball: BallSize, limit_mb: float = 40.0) -> "KeptFrames":
        """For the ball before a calibrated camera."""
        depth_mm = model.translation_mm[2] + model.rotation_matrix[2, 2] * ball.height_mm
        return cls(model.focal_px * ball.diameter_mm / 2 / depth_mm, limit_mb)

    @property
    def bytes_kept(self) -> int:
        """The pixels kept now, in bytes."""
        cutouts = [cutout for _, cutout in self._lately]
        cutouts += [cutout for kept in self._rests for cutout in kept.frames]
        wholes = [kept.whole.nbytes for kept in self._rests if kept.whole is not None]
        return sum(cutout.image.nbytes for cutout in cutouts) + sum(wholes)

    def offer(
        self,
        frame: StillFrame,
        balls: Sequence[tuple[Point, bool]],
        observations: Sequence[Observation],
    ) -> None:
        """Take in a frame, the balls seen in it (`Umpire.balls`) and what the umpire said to it.

        `InputError` if such frames do not fit the limit.
        """
        if self._most is None:
            self._most = self._budgeted(frame.image)
        while self._lately and self._lately[0][1].captured_at < frame.captured_at - _LATELY_S:
            self._lately.popleft()
        lying: list[tuple[Point, Cutout]] = []
        for at_px, lies in balls:
            cutout = self._cut(frame, at_px)
            if cutout is not None:
                self._lately.append((at_px, cutout))
                lying += [(at_px, cutout)] if lies else []
        while len(self._lately) > _LATELY:
            self._lately.popleft()
        begun = len(self._rests)
        for seen in observations:
            if isinstance(seen, RestSeen | StrokeSeen | PlacementSeen | BumpSeen) and seen.rest is not None:
                self._begin(frame, seen.rest, seen.ball, by_stroke=isinstance(seen, StrokeSeen))
        self._add_to_rests(lying, self._rests[begun:])
        self._drop_old()

    def frames_of(self, rest: Rest) -> tuple[Cutout, ...]:
        """The frames of a rest, oldest first; none if they are not kept (any more)."""
        kept = self._find(rest)
        return () if kept is None else tuple(kept.frames)

    def whole_of(self, rest: Rest) -> Image | None:
        """The whole frame with which a rest was agreed, if it is kept."""
        kept = self._find(rest)
        return None if kept is None else kept.whole

    def _find(self, rest: Rest) -> _Kept | None:
        return next((kept for kept in reversed(self._rests) if kept.is_of(rest)), None)

    def _budgeted(self, image: Image) -> int:
        """How many cut-outs a rest may have; decides on whole frames too."""
        one = 3 * (2 * self._half + 1) ** 2
        rests = _STROKES + _OTHERS
        # While a rest is begun, the one that it pushes out is still there. Two balls' rests agreed with
        # one frame would be one more: then the limit is passed until the end of `offer`, no longer.
        for whole in (image.nbytes, 0):
            most = int((self._limit - _LATELY * one - (rests + 1) * whole) / ((rests + 1) * one)) - 1
            if most >= _FEWEST_FRAMES:
                self._keeps_whole = whole > 0
                return min(most, _MOST_FRAMES)
        needed = (_LATELY + (rests + 1) * (_FEWEST_FRAMES + 1)) * one / 1e6
        raise InputError(
            f"the frames of a review need {needed:.0f} MB with this camera, {self._limit / 1e6:.0f} MB are "
            "allowed: raise the limit, or choose a smaller picture"
        )

    def _cut(self, frame: StillFrame, at_px: Point) -> Cutout | None:
        """The part of a frame about a place; None where the picture ends before."""
        height, width = frame.image.shape[:2]
        x, y = round(at_px[0]) - self._half, round(at_px[1]) - self._half
        side = 2 * self._half + 1
        # Near the picture's border the ball is not in the middle of the cut-out, but it is whole.
        slack = self._half // 4
        if not (-slack <= x <= width - side + slack and -slack <= y <= height - side + slack):
            return None
        left, top = max(x, 0), max(y, 0)
        part = frame.image[top : y + side, left : x + side].copy()
        return Cutout(part, (left, top), frame.captured_at)

    def _add_to_rests(self, lying: Sequence[tuple[Point, Cutout]], begun: Sequence[_Kept]) -> None:
        """To the rest of the ball that lies there; a ball's former rests get no more frames, and those
        that have just begun have this one."""
        assert self._most is not None
        latest = {kept.ball: kept for kept in self._rests}
        for kept in latest.values():
            if kept in begun:
                continue
            for at_px, cutout in lying:
                if math.dist(kept.rest.disc_px, at_px) < _SAME_PX:
                    kept.add(cutout, self._most)

    def _begin(self, frame: StillFrame, rest: Rest, ball: int, *, by_stroke: bool) -> None:
        """A rest was agreed: find its frames among those of lately."""
        assert self._most is not None
        kept = _Kept(rest, ball, by_stroke, frame.image.copy() if self._keeps_whole else None)
        for at_px, cutout in self._lately:
            if cutout.captured_at >= rest.first_at and math.dist(rest.disc_px, at_px) < _SAME_PX:
                kept.add(cutout, self._most)
        self._rests.append(kept)

    def _drop_old(self) -> None:
        for by_stroke, most in ((True, _STROKES), (False, _OTHERS)):
            of_kind = [kept for kept in self._rests if kept.by_stroke == by_stroke]
            for old in of_kind[: max(len(of_kind) - most, 0)]:
                self._rests.remove(old)
