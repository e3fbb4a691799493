"""The camera: pinhole, four distortion terms and pose; points at any height to pixels and back.

Nothing in here knows a board or finds anything. Conventions follow OpenCV: pixel centres lie at whole
numbers, the camera looks along +z of its own frame, `x_camera = R @ x_board + t`.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_NEWTON_STEPS = 12
_CIRCLE_STEPS = 48


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A camera over a board.

    `focal_px`: focal length in pixels (square pixels). `centre_px`: principal point. `distortion`:
    k1, k2, p1, p2 as in OpenCV. `rotation`: Rodrigues vector, radians. `translation_mm`: camera frame.
    """

    focal_px: float
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float]
    rotation: tuple[float, float, float]
    translation_mm: tuple[float, float, float]

    @property
    def matrix(self) -> Array:
        """The 3x3 intrinsic matrix K."""
        f, (cx, cy) = self.focal_px, self.centre_px
        return np.array([[f, 0.0, cx], [0.0, f, cy], [0.0, 0.0, 1.0]])

    @property
    def rotation_matrix(self) -> Array:
        """The 3x3 rotation from board axes to camera axes."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation, dtype=np.float64))[0], dtype=float)

    @property
    def position_mm(self) -> Array:
        """Where the camera's centre of projection is, in board coordinates, shape (3,)."""
        return np.asarray(-self.rotation_matrix.T @ np.asarray(self.translation_mm), dtype=float)

    def project(self, points_mm: ArrayLike) -> Array:
        """Pixels, shape (n, 2), of board points, shape (n, 3) in mm."""
        points = np.atleast_2d(np.asarray(points_mm, dtype=float))
        x, y, z = self.rotation_matrix @ points.T + np.asarray(self.translation_mm)[:, None]
        u, v = self._distort(x / z, y / z)
        return np.column_stack((self.focal_px * u + self.centre_px[0], self.focal_px * v + self.centre_px[1]))

    def locate(self, points_px: ArrayLike, height_mm: float = 0.0) -> Array:
        """Board points, shape (n, 2) in mm, at which pixels (n, 2) see the plane z = `height_mm`.

        A pixel whose ray never meets the plane gives NaN.
        """
        pixels = np.atleast_2d(np.asarray(points_px, dtype=float))
        target_u = (pixels[:, 0] - self.centre_px[0]) / self.focal_px
        target_v = (pixels[:, 1] - self.centre_px[1]) / self.focal_px
        u, v = self._undistort(target_u, target_v)
        rays = self.rotation_matrix.T @ np.stack((u, v, np.ones_like(u)))
        eye = self.position_mm
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (height_mm - eye[2]) / rays[2]
        reach = np.where(reach > 0, reach, np.nan)
        return np.column_stack((eye[0] + reach * rays[0], eye[1] + reach * rays[1]))

    def circle_px(self, centre_mm: ArrayLike, radius_mm: float, height_mm: float) -> Array:
        """Outline in pixels, shape (48, 2), of a level circle at `height_mm` (counter-clockwise in mm)."""
        angle = np.linspace(0.0, 2 * np.pi, _CIRCLE_STEPS, endpoint=False)
        x, y = np.asarray(centre_mm, dtype=float)
        ring = np.column_stack(
            (
                x + radius_mm * np.cos(angle),
                y + radius_mm * np.sin(angle),
                np.full_like(angle, height_mm),
            )
        )
        return self.project(ring)

    def locate_circle(self, centre_px: ArrayLike, radius_mm: float, height_mm: float) -> Array:
        """Board point, shape (2,), of a level circle whose image has its centre of area at `centre_px`.

        The image of a circle's centre is not the centre of its image; the difference (0.03 mm for a
        ball at 5 degrees) is computed from the projected outline and taken off.
        """
        seen = np.asarray(centre_px, dtype=float)
        point = self.locate(seen, height_mm)[0]
        for _ in range(2):
            outline = self.circle_px(point, radius_mm, height_mm)
            offset = _area_centre(outline) - self.project([[point[0], point[1], height_mm]])[0]
            point = self.locate(seen - offset, height_mm)[0]
        return np.asarray(point, dtype=float)

    def _distort(self, x: Array, y: Array) -> tuple[Array, Array]:
        k1, k2, p1, p2 = self.distortion
        r2 = x * x + y * y
        radial = 1.0 + r2 * (k1 + r2 * k2)
        return (
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        )

    def _undistort(self, u: Array, v: Array) -> tuple[Array, Array]:
        """Newton's method with the distortion's own Jacobian; converges to 1e-12 in a few steps."""
        k1, k2, p1, p2 = self.distortion
        x, y = u.copy(), v.copy()
        for _ in range(_NEWTON_STEPS):
            r2 = x * x + y * y
            radial = 1.0 + r2 * (k1 + r2 * k2)
            slope = 2.0 * (k1 + 2.0 * k2 * r2)
            at_u, at_v = self._distort(x, y)
            j_xx = radial + slope * x * x + 2 * p1 * y + 6 * p2 * x
            j_xy = slope * x * y + 2 * p1 * x + 2 * p2 * y
            j_yy = radial + slope * y * y + 6 * p1 * y + 2 * p2 * x
            determinant = j_xx * j_yy - j_xy * j_xy
            du, dv = at_u - u, at_v - v
            step_x = (j_yy * du - j_xy * dv) / determinant
            step_y = (j_xx * dv - j_xy * du) / determinant
            x, y = x - step_x, y - step_y
            if max(np.max(np.abs(step_x), initial=0.0), np.max(np.abs(step_y), initial=0.0)) < 1e-12:
                break
        return x, y


def rotation_vector(matrix: Array) -> tuple[float, float, float]:
    """The Rodrigues vector, radians, of a rotation matrix (3, 3).

    A camera that looks straight down is turned by half a turn, just where OpenCV's own inverse rounds to
    1e-5 rad; by way of the quaternion (Shepperd's choice of the largest part) nothing is lost.
    """
    trace = float(np.trace(matrix))
    parts = np.array([trace, matrix[0, 0], matrix[1, 1], matrix[2, 2]])
    largest = int(np.argmax(parts))
    if largest == 0:
        axis = np.array(
            [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]
        )
        real = 1.0 + trace
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        axis = np.empty(3)
        axis[i] = 1.0 + matrix[i, i] - matrix[j, j] - matrix[k, k]
        axis[j] = matrix[j, i] + matrix[i, j]
        axis[k] = matrix[k, i] + matrix[i, k]
        real = float(matrix[k, j] - matrix[j, k])
    if real < 0:
        axis, real = -axis, -real
    length = float(np.linalg.norm(axis))
    if length == 0.0:
        return (0.0, 0.0, 0.0)
    x, y, z = (axis * (2.0 * np.arctan2(length, real) / length)).tolist()
    return (x, y, z)


def _area_centre(outline: Array) -> Array:
    """Centre of area, shape (2,), of a closed polygon, shape (n, 2)."""
    x, y = outline[:, 0], outline[:, 1]
    x_next, y_next = np.roll(x, -1), np.roll(y, -1)
    cross = x * y_next - x_next * y
    area = cross.sum() / 2.0
    return np.array(
        [((x + x_next) * cross).sum() / (6.0 * area), ((y + y_next) * cross).sum() / (6.0 * area)]
    )
