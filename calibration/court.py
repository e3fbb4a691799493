"""Finding the court in a picture with no hint: straight bright strokes, then hypotheses, then scores.

Gives rough layouts, good to a few pixels, best first; refining them is `calibration.calibrate`'s work.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import Array, CameraModel, rotation_vector
from calibration.lines import LineSamples, expect
from calibration.parameters import ORIGIN, Layout

_WORKING_SIDE = 800
"""Pixels of the longer side of the picture in which the court is sought."""
_TRIAL_K1 = (-0.28, -0.12, 0.0, 0.08)
_LINES_PER_FAMILY = 12
_FAMILY_SPREAD = np.radians(14.0)
_KEPT = 1200
"""Hypotheses that are scored on the picture, the most plausible shapes first."""
_NEAR_PX = 2.5
_SPANS = (0.2, 1.4)
"""How much of the picture's longer side the court may take up; beyond one it cannot be whole, but may
then be named as cut."""


@dataclass(frozen=True, slots=True)
class CourtShape:
    """The court's own straight lines: the middles' constant x, and constant y, in mm, and how far they
    reach along the other axis."""

    across: tuple[float, ...]
    along: tuple[float, ...]

    @property
    def length_mm(self) -> float:
        """From baseline to baseline."""
        return max(self.across) - min(self.across)

    @property
    def width_mm(self) -> float:
        """From one doubles sideline to the other."""
        return max(self.along) - min(self.along)


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """A rough layout and the share of the printed lines that lie on bright strokes, 0..1."""

    layout: Layout
    score: float


def find_court(
    image_bgr: NDArray[np.uint8], shape: CourtShape, samples: LineSamples, focal_px: float
) -> list[Guess]:
    """Rough layouts of the court in a picture, best first, at most four; empty if there is none.

    `samples` are places on all printed lines, `focal_px` a focal length to start from. Each guess stands
    for itself and its half turn, which the lines cannot tell apart.
    """
    height, width = image_bgr.shape[:2]
    scale = _WORKING_SIDE / max(height, width)
    strokes = _bright_strokes(image_bgr, scale)
    segments, strength = _segments(strokes)
    if len(segments) < 6:
        return []
    distance = _distance_to_strokes(strokes)
    focal = focal_px * scale
    centre = (np.array([width, height]) * scale - 1) / 2
    guesses: list[Guess] = []
    for k1 in _TRIAL_K1:
        straight = _undistort(segments.reshape(-1, 2), focal, centre, k1).reshape(-1, 4)
        families = _families(straight, strength)
        if families is None:
            continue
        homographies = _hypotheses(families, shape)
        if not len(homographies):
            continue
        scores = _score(homographies, samples, distance, focal, centre, k1)
        for index in np.argsort(-scores)[:3]:
            layout = _layout_of(homographies[index], focal_px, (width, height), k1, scale)
            if layout is not None:
                guesses.append(Guess(layout, float(scores[index])))
    guesses.sort(key=lambda guess: -guess.score)
    return guesses[:4]


def shifted_onto_lines(
    image_bgr: NDArray[np.uint8], layout: Layout, samples: LineSamples, reach: float
) -> Layout:
    """The layout after a knock, to a few pixels: shifted in the picture so that its lines lie on strokes.

    `reach`: how far is looked, of the longer side. Following each line by itself from where it was is not
    enough: the long ones show no shift along themselves, and lie on their neighbours' strokes as well.
    """
    scale = _WORKING_SIDE / max(image_bgr.shape[:2])
    distance = _distance_to_strokes(_bright_strokes(image_bgr, scale))
    some = samples.select(np.arange(0, len(samples), max(1, len(samples) // 400)))
    at = expect(layout, some).at_px * scale
    weight = np.where(some.is_court, 1.0, 0.5)
    height, width = distance.shape
    steps = np.arange(-int(reach * _WORKING_SIDE), int(reach * _WORKING_SIDE) + 1)
    best, shift = -1.0, (0, 0)
    for down in steps:
        row = np.round(at[:, 1, None] + down).astype(int)
        column = np.round(at[:, 0, None] + steps[None, :]).astype(int)
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        away = distance[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
        near = np.where(inside, np.exp(-0.5 * (away / _NEAR_PX) ** 2), 0.0)
        # Of equals the smaller shift is likelier.
        score = weight @ near / weight.sum() - 1e-3 * np.hypot(steps, down)
        if score.max() > best:
            best, shift = float(score.max()), (int(steps[int(score.argmax())]), int(down))
    vector = layout.vector()
    vector[ORIGIN] += np.array(shift) / scale
    return Layout.from_vector(vector)


def _bright_strokes(image_bgr: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """How much each pixel of the reduced picture stands out as a thin bright stroke, 0..255.

    The least of the three colours is high on white and cream and low on any coloured ground. Taken
    relative to the ground, so that a lamp's falling off does not matter.
    """
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    least = cv2.GaussianBlur(small.min(axis=2), (0, 0), 0.7)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (11, 11))
    ground = cv2.morphologyEx(least, cv2.MORPH_OPEN, kernel)
    relative = (least.astype(np.float32) - ground) / (ground.astype(np.float32) + 20.0)
    top = max(float(np.percentile(relative, 99.5)), 0.05)
    return np.asarray(np.clip(relative / top, 0.0, 1.0) * 255.0, dtype=np.uint8)


def _segments(strokes: NDArray[np.uint8]) -> tuple[Array, Array]:
    """Straight segments (n, 4) of the strokes' edges and their weights (n,): length times strength."""
    # The detector gives None when it finds nothing, which its stubs do not say.
    found: Any = cv2.createLineSegmentDetector(0).detect(strokes)[0]
    if found is None:
        return np.empty((0, 4)), np.empty(0)
    segments = np.asarray(found, dtype=float).reshape(-1, 4)
    span = segments[:, 2:] - segments[:, :2]
    length = np.hypot(span[:, 0], span[:, 1])
    keep = length > 12.0
    segments, span, length = segments[keep], span[keep], length[keep]
    if not len(segments):
        return segments, length
    along = np.linspace(0.1, 0.9, 9)
    points = segments[:, None, :2] + along[None, :, None] * span[:, None, :]
    wide = cv2.dilate(strokes, np.ones((3, 3), np.uint8))
    row = np.clip(np.round(points[..., 1]).astype(int), 0, strokes.shape[0] - 1)
    column = np.clip(np.round(points[..., 0]).astype(int), 0, strokes.shape[1] - 1)
    strength = wide[row, column].mean(axis=1) / 255.0
    return segments, length * strength**1.5


def _distance_to_strokes(strokes: NDArray[np.uint8]) -> NDArray[np.float32]:
    mask = (strokes > 70).astype(np.uint8)
    distance = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 3)
    # Where there is no stroke at all, OpenCV gives the largest number there is.
    return np.asarray(np.minimum(distance, 1e3), dtype=np.float32)


def _undistort(points: Array, focal: float, centre: Array, k1: float) -> Array:
    seen = (points - centre) / focal
    ideal = seen.copy()
    for _ in range(8):
        ideal = seen / (1.0 + k1 * (ideal**2).sum(axis=1, keepdims=True))
    return np.asarray(ideal * focal + centre, dtype=float)


def _families(segments: Array, weight: Array) -> tuple[Array, Array] | None:
    """The two sets of merged lines, each (n, 3) as unit a x + b y + c = 0, roughly at right angles."""
    span = segments[:, 2:] - segments[:, :2]
    angle = np.arctan2(span[:, 1], span[:, 0]) % np.pi
    # Both directions of a court vote for one angle modulo a right angle.
    bins = np.zeros(90)
    np.add.at(bins, (np.degrees(angle) % 90).astype(int) % 90, weight)
    smooth = sum(np.roll(bins, shift) for shift in range(-4, 5))
    main = np.radians(float(np.argmax(smooth)) + 0.5)
    families = []
    for direction in (main, main + np.pi / 2):
        off = np.abs((angle - direction + np.pi / 2) % np.pi - np.pi / 2)
        mask = off < _FAMILY_SPREAD
        lines = _merge(segments[mask], weight[mask])
        if len(lines) < 2:
            return None
        families.append(lines)
    return families[0], families[1]


def _merge(segments: Array, weight: Array) -> Array:
    """The heaviest distinct lines (n, 3) through collinear segments."""
    lines: list[Array] = []
    masses: list[float] = []
    left = np.ones(len(segments), dtype=bool)
    for index in np.argsort(-weight):
        if not left[index]:
            continue
        line = _line_through(segments[index].reshape(2, 2), np.ones(2))
        for _ in range(2):
            first = np.abs(segments[:, :2] @ line[:2] + line[2])
            last = np.abs(segments[:, 2:] @ line[:2] + line[2])
            member = left & (np.maximum(first, last) < 3.5)
            if not member.any():
                break
            ends = segments[member].reshape(-1, 2)
            line = _line_through(ends, np.repeat(weight[member], 2))
        left[index] = False
        left &= ~member
        lines.append(line)
        masses.append(float(weight[member].sum()))
    order = np.argsort(-np.array(masses))[:_LINES_PER_FAMILY]
    return np.array([lines[i] for i in order])


def _line_through(points: Array, weight: Array) -> Array:
    middle = np.average(points, axis=0, weights=weight)
    spread = (points - middle).T @ ((points - middle) * weight[:, None])
    normal = np.linalg.eigh(spread)[1][:, 0]
    return np.array([normal[0], normal[1], -float(normal @ middle)])


def _hypotheses(families: tuple[Array, Array], shape: CourtShape) -> Array:
    """Homographies (n, 3, 3) from board mm to pixels by two lines of each family on two of the court."""
    found = []
    for first, second in (families, families[::-1]):
        # `first` are taken for the lines of constant x.
        i, j = np.array(list(combinations(range(len(first)), 2))).T
        k, m = np.array(list(combinations(range(len(second)), 2))).T
        u = np.repeat(np.arange(len(i)), len(k))
        v = np.tile(np.arange(len(k)), len(i))
        corners = [[np.cross(first[a[u]], second[b[v]]) for b in (k, m)] for a in (i, j)]
        with np.errstate(divide="ignore", invalid="ignore"):
            quad = np.stack(
                [c[:, :2] / c[:, 2:] for c in (corners[0][0], corners[1][0], corners[1][1], corners[0][1])],
                axis=1,
            )
        quad = quad[np.isfinite(quad).all(axis=(1, 2))]
        for x_pair in combinations(shape.across, 2):
            for y_pair in combinations(shape.along, 2):
                found.extend(_plausible(quad, x_pair, y_pair, shape))
    if not found:
        return np.empty((0, 3, 3))
    quads = np.concatenate([item[0] for item in found])
    boards = np.concatenate([item[1] for item in found])
    misfit = np.concatenate([item[2] for item in found])
    best = np.argsort(misfit)[:_KEPT]
    return _homographies(boards[best], quads[best])


def _plausible(
    quad: Array, x_pair: tuple[float, float], y_pair: tuple[float, float], shape: CourtShape
) -> list[tuple[Array, Array, Array]]:
    """The quads that a camera tilted by 12 degrees at most could see of this rectangle of the court."""
    size_x, size_y = abs(x_pair[1] - x_pair[0]), abs(y_pair[1] - y_pair[0])
    found = []
    for mirror in (1, -1):
        # The picture shows the board from above, so its y axis runs against the picture's.
        x0, x1 = sorted(x_pair)
        y0, y1 = sorted(y_pair)[::mirror]
        side_a = np.hypot(*(quad[:, 1] - quad[:, 0]).T) / size_x
        side_b = np.hypot(*(quad[:, 2] - quad[:, 3]).T) / size_x
        side_c = np.hypot(*(quad[:, 3] - quad[:, 0]).T) / size_y
        side_d = np.hypot(*(quad[:, 2] - quad[:, 1]).T) / size_y
        turn = np.cross(
            np.pad(quad[:, 1] - quad[:, 0], ((0, 0), (0, 1))),
            np.pad(quad[:, 3] - quad[:, 0], ((0, 0), (0, 1))),
        )[:, 2]
        sides = np.stack((side_a, side_b, side_c, side_d))
        mean = sides.mean(axis=0)
        misfit = np.abs(np.log(np.maximum(sides, 1e-9) / np.maximum(mean, 1e-9))).max(axis=0)
        upright = turn * (y1 - y0) < 0
        span = mean * shape.length_mm / _WORKING_SIDE
        keep = upright & (misfit < 0.22) & (span > _SPANS[0]) & (span < _SPANS[1])
        if keep.any():
            board = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
            # Longer spans of the court fix a hypothesis better.
            ease = 0.3 * (1.0 - (size_x * size_y) / (shape.length_mm * shape.width_mm))
            found.append((quad[keep], np.broadcast_to(board, quad[keep].shape), misfit[keep] + ease))
    return found


def _homographies(board: Array, quad: Array) -> Array:
    """Exact homographies (n, 3, 3) through four points each, by one batched solve."""
    x, y = board[..., 0] / 100.0, board[..., 1] / 100.0
    u, v = quad[..., 0], quad[..., 1]
    one, zero = np.ones_like(x), np.zeros_like(x)
    upper = np.stack((x, y, one, zero, zero, zero, -u * x, -u * y), axis=-1)
    lower = np.stack((zero, zero, zero, x, y, one, -v * x, -v * y), axis=-1)
    system = np.concatenate((upper, lower), axis=1)
    target = np.concatenate((u, v), axis=1)[..., None]
    regular = np.abs(np.linalg.det(system)) > 1e-9
    h = np.linalg.solve(system[regular], target[regular])[..., 0]
    table = np.concatenate((h, np.ones((len(h), 1))), axis=1).reshape(-1, 3, 3)
    return np.asarray(table @ np.diag([0.01, 0.01, 1.0]), dtype=float)


def _score(
    homographies: Array,
    samples: LineSamples,
    distance: NDArray[np.float32],
    focal: float,
    centre: Array,
    k1: float,
) -> Array:
    """Share (n,) of the printed lines on strokes, less that of places two court lines beside them."""
    step = max(1, len(samples) // 200)
    at, normal = samples.at_mm[::step], samples.normal[::step]
    weight = np.where(samples.is_court[::step], 1.0, 0.5)
    aside = 2.0 * float(samples.width_mm.max())
    beside = samples.clear_mm[::step] > 1.5 * aside
    score = np.zeros(len(homographies))
    for start in range(0, len(homographies), 500):
        block = homographies[start : start + 500]
        on = _near(block, at, distance, focal, centre, k1)
        off = 0.5 * sum(
            _near(block, at[beside] + side * aside * normal[beside], distance, focal, centre, k1)
            for side in (-1, 1)
        )
        score[start : start + 500] = (on * weight).sum(axis=1) / weight.sum() - 0.7 * np.mean(off, axis=1)
    return score


def _near(
    homographies: Array,
    points_mm: Array,
    distance: NDArray[np.float32],
    focal: float,
    centre: Array,
    k1: float,
) -> Array:
    """For each homography and point 1 on a stroke, falling to 0 away from it; (n, m)."""
    world = np.column_stack((points_mm, np.ones(len(points_mm))))
    seen = np.einsum("nij,mj->nmi", homographies, world)
    ideal = (seen[..., :2] / seen[..., 2:] - centre) / focal
    radial = 1.0 + k1 * np.minimum((ideal**2).sum(axis=-1, keepdims=True), 0.6)
    pixel = ideal * radial * focal + centre
    height, width = distance.shape
    column = np.round(pixel[..., 0]).astype(int)
    row = np.round(pixel[..., 1]).astype(int)
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    away = distance[np.where(inside, row, 0), np.where(inside, column, 0)]
    return np.where(inside, np.exp(-0.5 * (away / _NEAR_PX) ** 2), 0.0)


def _layout_of(
    homography: Array, focal_px: float, size: tuple[int, int], k1: float, scale: float
) -> Layout | None:
    """The camera that sees the board as a homography of the reduced, straightened picture says."""
    width, height = size
    centre = ((width - 1) / 2, (height - 1) / 2)
    reduced = np.array(
        [
            [focal_px * scale, 0.0, (width * scale - 1) / 2],
            [0.0, focal_px * scale, (height * scale - 1) / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    columns = np.linalg.inv(reduced) @ homography
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    if columns[2, 2] < 0:
        columns = -columns
    rough = np.column_stack((columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])))
    u, _, v = np.linalg.svd(rough)
    rotation = u @ v
    if np.linalg.det(rotation) < 0 or not np.isfinite(columns).all():
        return None
    camera = CameraModel(
        focal_px,
        centre,
        (k1, 0.0, 0.0, 0.0),
        rotation_vector(rotation),
        (float(columns[0, 2]), float(columns[1, 2]), float(columns[2, 2])),
    )
    # Seen from above the board's z axis points at the camera.
    return Layout(camera) if camera.position_mm[2] > 0 else None
