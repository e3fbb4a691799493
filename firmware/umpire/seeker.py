"""Finding the balls of a frame at little cost: where they were, where they go, where something
moved.

Decides where to look and keeps what was seen; what the balls did is the tracker's business.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firmware.umpire.ball import BallFinder
from firmware.umpire.evidence import Glimpse
from firmware.umpire.field import BoardField
from firmware.umpire.motion import Box, Change, Circle, boxes_of
from firmware.umpire.rest import Point
from firmware.umpire.sighting import Sighting
from firmware.umpire.track import SURPRISE_MM_S2, Track, expected
from firmware.umpire.tracker import NEW_LIKENESS

Image = NDArray[np.uint8]

# A lying ball about which nothing changes is measured in each of its first frames, then less often:
# neighbouring frames tell the same, and a measurement is most of what a quiet frame costs.
_FIRST_FRAMES = 5
_AGAIN_S = 0.5
# While no ball is known, or a known one is not seen, the whole picture is searched this often.
_EVERYWHERE_S = 1.0
# Parts of the picture that differ from the board but do not move are searched this often.
_STATIC_S = 0.25
# Under a hand a ball can wait: what stirs is searched this often once it is hidden for a while.
_HIDDEN_S, _PATIENCE_S = 0.06, 0.3
# No more than this much of the picture is searched in one frame for the sake of moving hands.
_MOST_SEARCHED = 0.25


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen in a frame: glimpses, and the numbers of lying balls left unmeasured because
    nothing changed about them."""

    glimpses: tuple[Glimpse, ...]
    unchanged: frozenset[int]


class Seeker:
    """Looks for balls frame by frame."""

    def __init__(self, finder: BallFinder, field: BoardField) -> None:
        """`finder` and `field` must be of the same camera."""
        self._finder, self._field = finder, field
        self._measured: dict[int, float] = {}
        self._everywhere_at = -math.inf
        self._static_at = self._searched_at = -math.inf
        self._pending: NDArray[np.bool_] | None = None

    def circles(self, tracks: Iterable[Track]) -> tuple[list[Circle], list[Circle]]:
        """Circles in pixels about balls that lie in sight, and about those that may lie hidden."""
        lying, hidden = [], []
        for track in tracks:
            if track.gone or (track.rest is None and not track.still):
                continue
            radius = self._field.ball_radius_mm * self._field.px_per_mm(track.last_mm)
            x, y = self._field.to_px(track.last_mm)
            if track.lying or track.still:
                lying.append((x, y, 2.0 * radius))
            else:
                hidden.append((x, y, 2.7 * radius))
        return lying, hidden

    def look(self, image: Image, at: float, change: Change, tracks: Sequence[Track]) -> Look:
        """Balls in `image`, captured at `at` seconds."""
        found: list[Sighting] = []
        unchanged: set[int] = set()
        missing = absent = False
        for track in tracks:
            if track.lying:
                if self._is_unchanged(track, at, change):
                    unchanged.add(track.number)
                    continue
                seen = self._finder.measure(image, self._field.to_px(track.home_mm))
                new = [] if seen is None else [seen]
                self._measured[track.number] = at
            elif track.gone and at - track.seen_at > _PATIENCE_S:
                # Off the board: whoever brings it back will stir the picture.
                missing = missing or at - self._searched_at >= _STATIC_S
                absent = True
                continue
            else:
                new = self._on_its_way(image, track, at)
                missing = missing or not (new or self._may_wait(track, at))
            _add(found, new)
            missing = missing or (track.lying and not new)
            absent = absent or not new
        taken = self._taken(found, tracks, unchanged)
        for box in self._worth_searching(at, change, taken, missing=missing, absent=absent or not tracks):
            _add(found, self._finder.find(image, box))
        return Look(tuple(self._field.glimpse(s) for s in found), frozenset(unchanged))

    def _may_wait(self, track: Track, at: float) -> bool:
        waiting = track.hidden and at - track.seen_at > _PATIENCE_S
        return waiting and at - self._searched_at < _HIDDEN_S

    def _is_unchanged(self, track: Track, at: float, change: Change) -> bool:
        x, y = self._field.to_px(track.home_mm)
        radius = 2.0 * self._field.ball_radius_mm * self._field.px_per_mm(track.home_mm)
        if change.moves_in((x, y), radius):
            self._measured.pop(track.number, None)
        measured = self._measured.get(track.number)
        if measured is None or len(track.sightings) < _FIRST_FRAMES:
            return False
        return at - measured < _AGAIN_S

    def _on_its_way(self, image: Image, track: Track, at: float) -> list[Sighting]:
        """The ball where its way leads, which one measurement tells, or about there."""
        if len(track.path) > 1 and at - track.seen_at < _PATIENCE_S:
            seen = self._finder.measure(image, self._field.to_px(expected(track, at)))
            if seen is not None and seen.likeness >= NEW_LIKENESS:
                return [seen]
        return self._finder.find(image, self._window(track, at))

    def _window(self, track: Track, at: float) -> Box:
        """Where a ball on its way may be now, pixels."""
        place, since = expected(track, at), at - track.seen_at
        if not track.still and not self._field.in_picture(place):
            place = track.last_mm
        scale, radius = self._field.px_per_mm(place), self._field.ball_radius_mm
        x, y = self._field.to_px(place)
        reach = (0.8 * radius + min(SURPRISE_MM_S2 * since * since / 2, 3.0 * radius)) * scale
        return (int(x - reach), int(y - reach), int(x + reach) + 1, int(y + reach) + 1)

    def _taken(self, found: Sequence[Sighting], tracks: Sequence[Track], unchanged: set[int]) -> list[Circle]:
        """Circles about balls that are accounted for in this frame."""
        circles = [(*s.disc_px, 1.6 * s.radius_px) for s in found]
        for track in tracks:
            if track.number in unchanged:
                radius = self._field.ball_radius_mm * self._field.px_per_mm(track.home_mm)
                circles.append((*self._field.to_px(track.home_mm), 1.6 * radius))
        return circles

    def _worth_searching(
        self, at: float, change: Change, taken: list[Circle], *, missing: bool, absent: bool
    ) -> list[Box]:
        """Where to look for balls that were not where they were sought. `absent`: there are such;
        `missing`: one of them cannot wait."""
        width, height = self._field.size
        # A ball that lay there from the first frame differs from nothing: only a full search finds it.
        if not absent:
            self._everywhere_at = at
        elif at - self._everywhere_at >= _EVERYWHERE_S:
            self._everywhere_at = at
            return [(0, 0, width, height)]
        if self._pending is None or self._pending.shape != change.moving.shape:
            self._pending = np.zeros_like(change.moving)
        self._pending |= change.moving
        if missing and at - self._static_at >= _STATIC_S:
            self._pending |= change.foreign
            self._static_at = at
        _clear(self._pending, taken, change.stride)
        if not missing and at - self._searched_at < _STATIC_S:
            return []
        self._searched_at = at
        return self._boxes(change)

    def _boxes(self, change: Change) -> list[Box]:
        """Boxes about what stirred since it was last searched, as many as fit the budget."""
        assert self._pending is not None
        width, height = self._field.size
        margin = 1.2 * self._field.ball_radius_mm * self._field.px_per_mm((0.0, 0.0))
        budget = _MOST_SEARCHED * width * height
        boxes: list[Box] = []
        for box in boxes_of(self._pending, change.stride, margin):
            area = (box[2] - box[0]) * (box[3] - box[1])
            if boxes and area > budget:
                break
            budget -= area
            boxes.append(box)
            rows = slice(max(box[1], 0) // change.stride, box[3] // change.stride + 1)
            columns = slice(max(box[0], 0) // change.stride, box[2] // change.stride + 1)
            self._pending[rows, columns] = False
        return boxes


def _add(found: list[Sighting], new: Iterable[Sighting]) -> None:
    """Add sightings of balls that are not in the list yet."""
    for sighting in new:
        if all(_apart(sighting.disc_px, s.disc_px) > s.radius_px for s in found):
            found.append(sighting)


def _apart(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _clear(mask: NDArray[np.bool_], circles: Iterable[Circle], stride: int) -> None:
    rows, columns = mask.shape
    for x, y, radius in circles:
        left, right = (
            max(0, int((x - radius) / stride)),
            min(columns, int((x + radius) / stride) + 1),
        )
        top, bottom = max(0, int((y - radius) / stride)), min(rows, int((y + radius) / stride) + 1)
        mask[top:bottom, left:right] = False
