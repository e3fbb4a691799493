"""A canvas in board millimetres on which print is laid with exact edge coverage. Knows no board.

Each texel takes ink by the share of it that lies under the shape, computed from the distance to the
shape's edge, so that a printed edge is where it was asked for, to a hundredth of a texel.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardware.simulated.palettes import Colour

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

_GLYPH_SCALE = 5.0  # letters are drawn large, then averaged to their size
_PEN = 11


class Canvas:
    """Linear albedo over `extent_mm` (x0, x1, y0, y1), `texel_mm` a texel; row 0 lies at y0."""

    def __init__(self, extent_mm: tuple[float, float, float, float], texel_mm: float, ground: Colour) -> None:
        self._x0, x1, self._y0, y1 = extent_mm
        self.extent_x_mm, self.extent_y_mm = (self._x0, x1), (self._y0, y1)
        self.texel_mm = texel_mm
        shape = (round((y1 - self._y0) / texel_mm), round((x1 - self._x0) / texel_mm), 3)
        self.albedo: Float32 = np.empty(shape, dtype=np.float32)
        self.albedo[:] = ground

    def sample(self, x_mm: Float32, y_mm: Float32) -> Float32:
        """Albedo, (..., 3), at these points; beyond the canvas that of its edge."""
        scale = np.float32(1.0 / self.texel_mm)
        columns = (x_mm - np.float32(self._x0)) * scale - np.float32(0.5)
        rows = (y_mm - np.float32(self._y0)) * scale - np.float32(0.5)
        found = cv2.remap(self.albedo, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, dtype=np.float32)

    def rectangle(self, x: tuple[float, float], y: tuple[float, float], ink: Colour) -> None:
        """Fill x[0] <= x <= x[1], y[0] <= y <= y[1]."""
        part, columns, rows = self._around(np.array([[x[0], y[0]], [x[1], y[1]]]), 1.0)
        across = self._cover(np.minimum(columns - x[0], x[1] - columns))
        down = self._cover(np.minimum(rows - y[0], y[1] - rows))
        self._lay(part, across * down, ink)

    def polygon(self, corners_mm: ArrayLike, ink: Colour) -> None:
        """Fill a simple polygon, corners (n, 2)."""
        corners = np.asarray(corners_mm, dtype=float)
        part, columns, rows = self._around(corners, 1.0)
        x, y = np.broadcast_arrays(columns, rows)
        inside = np.zeros(x.shape, dtype=bool)
        nearest = np.full(x.shape, np.inf)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            nearest = np.minimum(nearest, _distance(x, y, start, end))
            spans = (start[1] > y) != (end[1] > y)
            if spans.any():
                at = start[0] + (y - start[1]) * (end[0] - start[0]) / (end[1] - start[1])
                inside ^= spans & (x < at)
        self._lay(part, self._cover(np.where(inside, nearest, -nearest)), ink)

    def stroke(self, points_mm: ArrayLike, width_mm: float, ink: Colour) -> None:
        """Draw a polyline (n, 2): square at its ends, round at its bends; closed if it ends where
        it began."""
        points = np.asarray(points_mm, dtype=float)
        closed = bool(np.allclose(points[0], points[-1]))
        count = len(points) - 1
        for i in range(count):
            start, end = points[i], points[i + 1]
            part, columns, rows = self._around(np.vstack((start, end)), width_mm)
            x, y = np.broadcast_arrays(columns, rows)
            cover = self._cover(width_mm / 2 - _distance(x, y, start, end))
            ahead = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
            if i == 0 and not closed:
                cover *= self._cover((x - start[0]) * ahead[0] + (y - start[1]) * ahead[1])
            if i == count - 1 and not closed:
                cover *= self._cover((end[0] - x) * ahead[0] + (end[1] - y) * ahead[1])
            self._lay(part, cover, ink)

    def ring(self, centre_mm: ArrayLike, radius_mm: float, width_mm: float, ink: Colour) -> None:
        """Draw a circle's line; `width_mm` of twice the radius fills the disc."""
        cx, cy = np.asarray(centre_mm, dtype=float)
        box = np.array([[cx - radius_mm, cy - radius_mm], [cx + radius_mm, cy + radius_mm]])
        part, columns, rows = self._around(box, width_mm)
        away = np.abs(np.hypot(columns - cx, rows - cy) - radius_mm)
        self._lay(part, self._cover(width_mm / 2 - away), ink)

    def ellipse(self, centre_mm: ArrayLike, radii_mm: tuple[float, float], ink: Colour) -> None:
        """Fill an ellipse whose axes are the board's."""
        cx, cy = np.asarray(centre_mm, dtype=float)
        rx, ry = radii_mm
        part, columns, rows = self._around(np.array([[cx - rx, cy - ry], [cx + rx, cy + ry]]), 1.0)
        reach = np.hypot((columns - cx) / rx, (rows - cy) / ry)
        self._lay(part, self._cover((1 - reach) * min(rx, ry)), ink)

    def words(
        self, text: str, centre_mm: ArrayLike, height_mm: float, quarter_turns: int, ink: Colour
    ) -> None:
        """Letters of `height_mm` about a centre; turned anticlockwise by quarters as seen from
        above."""
        font = cv2.FONT_HERSHEY_DUPLEX
        (wide, tall), below = cv2.getTextSize(text, font, _GLYPH_SCALE, _PEN)
        mask = np.zeros((2 * (tall + below), wide + 2 * tall), dtype=np.uint8)
        cv2.putText(mask, text, (tall, tall + below), font, _GLYPH_SCALE, 255, _PEN, cv2.LINE_AA)
        # Versions of OpenCV draw and measure their fonts differently: trust the ink alone.
        x, y, wide, tall = cv2.boundingRect(mask)
        high = max(round(height_mm / self.texel_mm), 1)
        small = cv2.resize(
            mask[y : y + tall, x : x + wide],
            (max(round(wide * high / tall), 1), high),
            interpolation=cv2.INTER_AREA,
        )
        # Rows of the canvas rise with y, those of the mask fall: flip before turning.
        glyphs = np.rot90(np.flipud(small).astype(np.float32) / 255.0, -quarter_turns)
        cx, cy = np.asarray(centre_mm, dtype=float)
        row = round((cy - self._y0) / self.texel_mm - glyphs.shape[0] / 2)
        column = round((cx - self._x0) / self.texel_mm - glyphs.shape[1] / 2)
        top, left = max(row, 0), max(column, 0)
        bottom = min(row + glyphs.shape[0], self.albedo.shape[0])
        right = min(column + glyphs.shape[1], self.albedo.shape[1])
        if bottom > top and right > left:
            part = (slice(top, bottom), slice(left, right))
            self._lay(part, glyphs[top - row : bottom - row, left - column : right - column], ink)

    def _around(self, points: Array, margin_mm: float) -> tuple[tuple[slice, slice], Array, Array]:
        """The part of the canvas near these points, and its texels' centres in mm."""
        low = (points.min(axis=0) - margin_mm - [self._x0, self._y0]) / self.texel_mm - 2
        high = (points.max(axis=0) + margin_mm - [self._x0, self._y0]) / self.texel_mm + 2
        height, width = self.albedo.shape[:2]
        x0, y0 = (max(int(v), 0) for v in low)
        x1, y1 = min(int(high[0]), width), min(int(high[1]), height)
        columns = self._x0 + (np.arange(x0, x1) + 0.5) * self.texel_mm
        rows = self._y0 + (np.arange(y0, y1) + 0.5) * self.texel_mm
        return (slice(y0, y1), slice(x0, x1)), columns[None, :], rows[:, None]

    def _cover(self, inside_mm: Array) -> Array:
        return np.clip(inside_mm / self.texel_mm + 0.5, 0, 1)

    def _lay(self, part: tuple[slice, slice], cover: NDArray[np.floating], ink: Colour) -> None:
        under = self.albedo[part]
        under += cover[..., None].astype(np.float32) * (ink - under)


def dashes(points_mm: ArrayLike, printed_mm: float, blank_mm: float) -> Sequence[Array]:
    """The printed pieces of a dashed polyline (n, 2), beginning with a printed one."""
    points = np.asarray(points_mm, dtype=float)
    lengths = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
    pieces = []
    for start in np.arange(0.0, lengths[-1], printed_mm + blank_mm):
        end = min(start + printed_mm, lengths[-1])
        at = np.concatenate(([start], lengths[(lengths > start) & (lengths < end)], [end]))
        pieces.append(np.column_stack([np.interp(at, lengths, points[:, axis]) for axis in (0, 1)]))
    return pieces


def _distance(x: Array, y: Array, start: Array, end: Array) -> Array:
    along = end - start
    length = max(float(along @ along), 1e-12)
    share = np.clip(((x - start[0]) * along[0] + (y - start[1]) * along[1]) / length, 0, 1)
    away: Array = np.hypot(x - start[0] - share * along[0], y - start[1] - share * along[1])
    return away
