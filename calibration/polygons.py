"""Plane geometry on arrays: distances to segments, polygons that hold points, edges cut into atoms.

Nothing in here knows a board. Points are (x, y) in mm; a polygon is an array of shape (n, 2),
closed without repeating its first point, wound either way. All results are exact to rounding.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Point = tuple[float, float]

_SIDE_STEP_MM = 0.01  # how far beside an atom its two sides are probed: curves are good to 0.02 mm
_SAME_MM = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Straight pieces: `starts` and `ends`, shape (n, 2)."""

    starts: Array
    ends: Array

    @staticmethod
    def of(pairs: ArrayLike) -> "Segments":
        """Segments from an array of shape (n, 2, 2): piece, end, coordinate."""
        ends = np.asarray(pairs, dtype=float).reshape(-1, 2, 2)
        return Segments(np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1]))

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def middles(self) -> Array:
        """The points half way along, shape (n, 2)."""
        return (self.starts + self.ends) / 2.0

    def only(self, keep: NDArray[np.bool_]) -> "Segments":
        """Those where `keep`, shape (n,), is true."""
        return Segments(self.starts[keep], self.ends[keep])

    def distances(self, point: ArrayLike) -> Array:
        """Distance of one point to every segment, shape (n,), in mm."""
        along = self.ends - self.starts
        to_point = np.asarray(point, dtype=float) - self.starts
        length2 = np.einsum("ij,ij->i", along, along)
        share = np.clip(np.einsum("ij,ij->i", to_point, along) / length2, 0.0, 1.0)
        rest = to_point - share[:, None] * along
        return np.asarray(np.hypot(rest[:, 0], rest[:, 1]))

    def sides(self) -> tuple[Array, Array]:
        """Points a hundredth of a millimetre to the left and to the right of each middle."""
        along = self.ends - self.starts
        normal = np.column_stack((-along[:, 1], along[:, 0]))
        normal *= _SIDE_STEP_MM / np.linalg.norm(normal, axis=1)[:, None]
        return self.middles + normal, self.middles - normal


def edges_of(polygon: ArrayLike) -> Segments:
    """The edges of a closed polygon."""
    corners = np.asarray(polygon, dtype=float).reshape(-1, 2)
    return Segments(corners, np.roll(corners, -1, axis=0))


def joined(parts: Iterable[Segments]) -> Segments:
    """All segments of several sets in one."""
    listed = list(parts)
    if not listed:
        return Segments(np.empty((0, 2)), np.empty((0, 2)))
    return Segments(
        np.concatenate([part.starts for part in listed]),
        np.concatenate([part.ends for part in listed]),
    )


def area_mm2(polygon: ArrayLike) -> float:
    """Signed area, positive when wound counter-clockwise."""
    x, y = np.asarray(polygon, dtype=float).reshape(-1, 2).T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(np.roll(x, -1), y)) / 2.0


class Rings:
    """Several polygons, asked at once which of them hold a point."""

    def __init__(self, polygons: Sequence[ArrayLike]) -> None:
        parts = [edges_of(polygon) for polygon in polygons]
        edges = joined(parts)
        self._x, self._y0 = edges.starts.T
        self._y1 = edges.ends[:, 1]
        rise = self._y1 - self._y0
        run = edges.ends[:, 0] - self._x
        # A level edge is never crossed by a level ray: its slope is asked for and not used.
        self._slope = run / np.where(rise == 0.0, 1.0, rise)
        self._firsts = np.cumsum([0, *(len(part) for part in parts)])[:-1]

    def hold(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Whether each polygon holds each of `points`, shape (m, 2), by the even-odd rule: (k, m).

        A point on the edge may fall either way; ask for the distance where that matters.
        """
        at = np.asarray(points, dtype=float).reshape(-1, 2)
        if not len(self._firsts):
            return np.zeros((0, len(at)), dtype=bool)
        x, y = at[:, :1], at[:, 1:]
        crossed = (self._y0 > y) != (self._y1 > y)
        crossed &= x < self._x + (y - self._y0) * self._slope
        counts = np.add.reduceat(crossed, self._firsts, axis=1, dtype=np.int64)
        return np.asarray(counts.T % 2 == 1)


def holds(polygon: ArrayLike, points: ArrayLike) -> NDArray[np.bool_]:
    """Which of `points`, shape (m, 2), one polygon holds, shape (m,); see `Rings.hold`."""
    return np.asarray(Rings([polygon]).hold(points)[0])


def signed_distance_mm(polygon: ArrayLike, point: ArrayLike) -> float:
    """Distance of a point to a polygon's outline, positive inside."""
    distance = float(edges_of(polygon).distances(point).min())
    return distance if holds(polygon, point)[0] else -distance


def rectangle_margin_mm(point: ArrayLike, x: tuple[float, float], y: tuple[float, float]) -> float:
    """Signed distance of a point to a rectangle, positive inside; a side may lie at infinity."""
    px, py = np.asarray(point, dtype=float)
    over_x = max(x[0] - px, px - x[1])
    over_y = max(y[0] - py, py - y[1])
    if over_x <= 0.0 and over_y <= 0.0:
        return float(-max(over_x, over_y))
    return -float(np.hypot(max(over_x, 0.0), max(over_y, 0.0)))


def first_crossing(polygon: ArrayLike) -> tuple[int, int] | None:
    """Two edges of a polygon (by the number of their first corner) that cross or overlap, if any.

    Neighbours may share their corner and nothing else.
    """
    edges = edges_of(polygon)
    count = len(edges)
    for i in range(count - 1):
        later = np.arange(i + 1, count)
        touches = _touching(edges, i, later)
        near = (later == i + 1) | ((i == 0) & (later == count - 1))
        for j in later[touches]:
            if not near[j - i - 1] or _folds_back(edges, i, int(j)):
                return i, int(j)
    return None


def atoms(segments: Segments) -> Segments:
    """The same lines cut wherever they meet, each piece once.

    Pieces that lie on one another (an edge that two polygons share) are listed once, to a
    micrometre.
    """
    once = _each_once(segments)
    if not len(once):
        return once
    pieces = np.concatenate([_cut_at_meetings(once, i) for i in range(len(once))])
    length = np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1)
    return _each_once(Segments.of(pieces[length > 10 * _SAME_MM]))


def _each_once(segments: Segments) -> Segments:
    """Without segments that have the same two ends, in either order, as an earlier one."""
    ends = np.stack((segments.starts, segments.ends), axis=1)
    rounded = np.round(ends / 1e-3).astype(np.int64)
    swap = (rounded[:, 0, 0] > rounded[:, 1, 0]) | (
        (rounded[:, 0, 0] == rounded[:, 1, 0]) & (rounded[:, 0, 1] > rounded[:, 1, 1])
    )
    rounded[swap] = rounded[swap][:, ::-1]
    _, first = np.unique(rounded.reshape(-1, 4), axis=0, return_index=True)
    first.sort()
    return Segments(segments.starts[first], segments.ends[first])


def clipped(segments: Segments, x: tuple[float, float], y: tuple[float, float]) -> Segments:
    """The pieces that lie in a closed rectangle (Liang and Barsky's parametric clipping)."""
    low, high = np.array([x[0], y[0]]), np.array([x[1], y[1]])
    along = segments.ends - segments.starts
    flat = along == 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        one = np.where(flat, -np.inf, (low - segments.starts) / along)
        two = np.where(flat, np.inf, (high - segments.starts) / along)
    enter = np.maximum(np.minimum(one, two).max(axis=1), 0.0)
    leave = np.minimum(np.maximum(one, two).min(axis=1), 1.0)
    outside = flat & ((segments.starts < low) | (segments.starts > high))
    keep = (enter < leave) & ~outside.any(axis=1)
    starts = segments.starts + enter[:, None] * along
    ends = segments.starts + leave[:, None] * along
    return Segments(starts[keep], ends[keep])


def union_outline(polygons: Sequence[ArrayLike]) -> Segments:
    """The outline of the union of polygons, holes included."""
    pieces = atoms(joined(edges_of(polygon) for polygon in polygons))
    left, right = pieces.sides()
    rings = Rings(polygons)
    return pieces.only(rings.hold(left).any(axis=0) != rings.hold(right).any(axis=0))


def chains(pieces: Segments) -> list[Array]:
    """Polylines, each of shape (n, 2), that run through the pieces; they break where three or more
    meet.

    A ring comes back with its first point repeated at the end. Corners in a straight run are left
    out.
    """
    points = np.concatenate((pieces.starts, pieces.ends))
    keys = [tuple(key) for key in np.round(points / 1e-3).astype(np.int64).tolist()]
    count = len(pieces)
    ends = [(keys[i], keys[i + count]) for i in range(count)]
    place = dict(zip(keys, points, strict=True))
    at: dict[tuple[int, ...], list[int]] = {}
    for i, (start, end) in enumerate(ends):
        at.setdefault(start, []).append(i)
        at.setdefault(end, []).append(i)
    unused = set(range(count))
    # Open runs first, from the points where they must end; what is left then are rings.
    seeds = [key for key, meeting in at.items() if len(meeting) != 2] + [key for key, _ in ends]
    found: list[Array] = []
    for seed in seeds:
        for first in at[seed]:
            if first not in unused:
                continue
            run = [seed]
            here, piece = seed, first
            while True:
                unused.discard(piece)
                here = ends[piece][1] if ends[piece][0] == here else ends[piece][0]
                run.append(here)
                onward = [i for i in at[here] if i in unused]
                if len(at[here]) != 2 or not onward:
                    break
                piece = onward[0]
            found.append(_without_straight_corners(np.array([place[key] for key in run])))
    return found


def _without_straight_corners(line: Array) -> Array:
    before, after = line[1:-1] - line[:-2], line[2:] - line[1:-1]
    turn = np.abs(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
    bends = turn > 1e-5 * np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    return np.asarray(line[np.concatenate(([True], bends, [True]))])


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _touching(edges: Segments, i: int, others: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of the edges `others` share a point with edge `i`, closed ends included."""
    a, b = edges.starts[i], edges.ends[i]
    c, d = edges.starts[others], edges.ends[others]
    tiny = 1e-12 * max(1.0, float(np.abs(edges.starts).max()) ** 2)

    def sign(value: Array) -> Array:
        return np.where(np.abs(value) <= tiny, 0.0, np.sign(value))

    c_side, d_side = sign(_cross(b - a, c - a)), sign(_cross(b - a, d - a))
    a_side, b_side = sign(_cross(d - c, a - c)), sign(_cross(d - c, b - c))
    overlap = (
        np.maximum(np.minimum(a, b), np.minimum(c, d)) <= np.minimum(np.maximum(a, b), np.maximum(c, d))
    ).all(axis=1)
    return np.asarray(overlap & (c_side * d_side <= 0) & (a_side * b_side <= 0))


def _folds_back(edges: Segments, i: int, j: int) -> bool:
    """Whether two neighbouring edges run back over one another."""
    along_i, along_j = edges.ends[i] - edges.starts[i], edges.ends[j] - edges.starts[j]
    parallel = abs(float(_cross(along_i, along_j))) <= 1e-12 * float(
        np.linalg.norm(along_i) * np.linalg.norm(along_j)
    )
    return bool(parallel and float(np.dot(along_i, along_j)) < 0.0)


def _cut_at_meetings(segments: Segments, i: int) -> Array:
    """Segment `i` cut at every point where another crosses, touches or begins on it: (pieces, 2,
    2)."""
    start, along = segments.starts[i], segments.ends[i] - segments.starts[i]
    length2 = float(along @ along)
    low, high = np.minimum(start, segments.ends[i]), np.maximum(start, segments.ends[i])
    near = segments.only(
        (np.maximum(segments.starts, segments.ends) >= low - _SAME_MM).all(axis=1)
        & (np.minimum(segments.starts, segments.ends) <= high + _SAME_MM).all(axis=1)
    )
    other = near.ends - near.starts
    gap = near.starts - start
    denominator = _cross(along, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = _cross(gap, other) / denominator
        other_share = _cross(gap, along) / denominator
    slack = 1e-9
    crosses = (np.abs(denominator) > 1e-12 * length2) & (other_share > -slack) & (other_share < 1.0 + slack)
    shares = [share[crosses]]
    for ends in (near.starts, near.ends):
        to_end = ends - start
        foot = to_end @ along / length2
        off = np.abs(_cross(along, to_end)) / np.sqrt(length2)
        shares.append(foot[off < _SAME_MM])
    inner = np.concatenate(shares)
    inner = inner[(inner > slack) & (inner < 1.0 - slack)]
    steps = np.unique(np.concatenate(([0.0], inner, [1.0])))
    points = start + steps[:, None] * along
    points[-1] = segments.ends[i]
    return np.stack((points[:-1], points[1:]), axis=1)
