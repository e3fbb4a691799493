"""Everything a fit may move: the camera and a rigid shift of each printed half, as one vector.

Order: log focal length, principal point (2), k1, k2, p1, p2, rotation (3), translation (3), then
dx, dy (mm) and turn (rad) of half A and of half B. Knows no picture and does no fitting.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.camera_model import Array, CameraModel

Half = Literal["A", "B"]

COUNT = 19
FOCAL, CENTRE, DISTORTION, POSE = slice(0, 1), slice(1, 3), slice(3, 7), slice(7, 13)
_HALF = {"A": slice(13, 16), "B": slice(16, 19)}


@dataclass(frozen=True, slots=True)
class HalfShift:
    """How a printed half lies on the table: turned about the origin, then shifted."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_rad: float = 0.0

    def to_board(self, printed_mm: ArrayLike) -> Array:
        """Board coordinates (n, 2) of points (n, 2) in the printed frame of this half."""
        points = np.atleast_2d(np.asarray(printed_mm, dtype=float))
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return points @ np.array([[cos, sin], [-sin, cos]]) + [self.dx_mm, self.dy_mm]

    def to_printed(self, board_mm: ArrayLike) -> Array:
        """Printed coordinates (n, 2) of board points (n, 2); the inverse of `to_board`."""
        points = np.atleast_2d(np.asarray(board_mm, dtype=float)) - [self.dx_mm, self.dy_mm]
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return points @ np.array([[cos, -sin], [sin, cos]])


@dataclass(frozen=True, slots=True)
class Layout:
    """A camera over two printed halves: what a parameter vector means."""

    camera: CameraModel
    half_a: HalfShift = HalfShift()
    half_b: HalfShift = HalfShift()

    def half(self, half: Half) -> HalfShift:
        """How the named half lies."""
        return self.half_a if half == "A" else self.half_b

    def vector(self) -> Array:
        """The parameters, shape (19,)."""
        camera = self.camera
        return np.array(
            [
                np.log(camera.focal_px),
                *camera.centre_px,
                *camera.distortion,
                *camera.rotation,
                *camera.translation_mm,
                *(self.half_a.dx_mm, self.half_a.dy_mm, self.half_a.turn_rad),
                *(self.half_b.dx_mm, self.half_b.dy_mm, self.half_b.turn_rad),
            ]
        )

    @classmethod
    def from_vector(cls, vector: Array) -> "Layout":
        """The layout that a vector of shape (19,) describes."""
        v = [float(value) for value in vector]
        camera = CameraModel(
            focal_px=float(np.exp(v[0])),
            centre_px=(v[1], v[2]),
            distortion=(v[3], v[4], v[5], v[6]),
            rotation=(v[7], v[8], v[9]),
            translation_mm=(v[10], v[11], v[12]),
        )
        return cls(camera, HalfShift(*v[13:16]), HalfShift(*v[16:19]))

    def project(self, half: Half, printed_mm: ArrayLike, height_mm: float = 0.0) -> Array:
        """Pixels (n, 2) of points (n, 2) in the printed frame of `half`, at `height_mm`."""
        board = self.half(half).to_board(printed_mm)
        return self.camera.project(np.column_stack((board, np.full(len(board), height_mm))))

    def jacobian(
        self, half: Half, printed_mm: ArrayLike, height_mm: float = 0.0
    ) -> tuple[Array, Array, Array]:
        """Pixels (n, 2) of printed points, their derivative by the parameters (n, 2, 19), and by the
        printed point itself (n, 2, 2)."""
        printed = np.atleast_2d(np.asarray(printed_mm, dtype=float))
        shift = self.half(half)
        board = shift.to_board(printed)
        camera = self.camera
        world = np.column_stack((board, np.full(len(board), height_mm)))
        projected, by_opencv = cv2.projectPoints(
            world,
            np.array(camera.rotation),
            np.array(camera.translation_mm),
            camera.matrix,
            np.array(camera.distortion),
        )
        # OpenCV's columns: rotation 3, translation 3, focal x y, centre 2, k1 k2 p1 p2.
        table = np.asarray(by_opencv, dtype=float).reshape(len(printed), 2, -1)
        by_parameters = np.zeros((len(printed), 2, COUNT))
        by_parameters[:, :, 0] = camera.focal_px * (table[:, :, 6] + table[:, :, 7])
        by_parameters[:, :, CENTRE] = table[:, :, 8:10]
        by_parameters[:, :, DISTORTION] = table[:, :, 10:14]
        by_parameters[:, :, POSE] = table[:, :, 0:6]
        by_board = table[:, :, 3:6] @ camera.rotation_matrix[:, :2]
        cos, sin = np.cos(shift.turn_rad), np.sin(shift.turn_rad)
        turn = np.array([[cos, -sin], [sin, cos]])
        by_turn = printed @ np.array([[-sin, cos], [-cos, -sin]])
        at = _HALF[half]
        by_parameters[:, :, at.start : at.start + 2] = by_board
        by_parameters[:, :, at.stop - 1] = np.einsum("nij,nj->ni", by_board, by_turn)
        return np.asarray(projected, dtype=float).reshape(-1, 2), by_parameters, by_board @ turn
