"""Everything a fit may move: the camera and a rigid shift of each printed half, as one vector.

Order: log focal length; principal point (2, px); k1, k2, p1, p2 per thousand pixels; tilt (2, rad per
thousand pixels of focal length) and spin (rad); where the board's origin lies from the principal point
(2, px, undistorted); log height (of mm); then dx, dy (mm) and turn (rad) of half A and of half B.
The focal length is hard to tell from the height over a board seen from above. In these parameters that
valley is straight (both logarithms move together, the rest stays), so a fit follows it in one step.
Knows no picture and does no fitting.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.camera_model import Array, CameraModel, rotation_vector

Half = Literal["A", "B"]

COUNT = 19
FOCAL, CENTRE, DISTORTION, POSE = slice(0, 1), slice(1, 3), slice(3, 7), slice(7, 13)
ORIGIN = slice(10, 12)
_PER_PX = 1000.0
_TURN_STEP = 1e-6
_FACE_DOWN = np.diag([1.0, -1.0, -1.0])
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
        turned = points @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(turned + np.array([self.dx_mm, self.dy_mm]), dtype=float)

    def to_printed(self, board_mm: ArrayLike) -> Array:
        """Printed coordinates (n, 2) of board points (n, 2); the inverse of `to_board`."""
        points = np.atleast_2d(np.asarray(board_mm, dtype=float)) - [self.dx_mm, self.dy_mm]
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.asarray(points @ np.array([[cos, -sin], [sin, cos]]), dtype=float)


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
        per = _PER_PX / camera.focal_px
        k1, k2, p1, p2 = camera.distortion
        tilt, spin = _tilt_and_spin(camera.rotation_matrix)
        x, y, z = camera.translation_mm
        return np.array(
            [
                np.log(camera.focal_px),
                *camera.centre_px,
                *(k1 * per**2, k2 * per**4, p1 * per, p2 * per),
                *(tilt * per),
                spin,
                *(camera.focal_px * x / z, camera.focal_px * y / z, np.log(z)),
                *(self.half_a.dx_mm, self.half_a.dy_mm, self.half_a.turn_rad),
                *(self.half_b.dx_mm, self.half_b.dy_mm, self.half_b.turn_rad),
            ]
        )

    @classmethod
    def from_vector(cls, vector: Array) -> "Layout":
        """The layout that a vector of shape (19,) describes."""
        v = [float(value) for value in vector]
        focal, z = float(np.exp(v[0])), float(np.exp(v[12]))
        per = focal / _PER_PX
        matrix = _rotation(np.array(v[7:9]) * per, v[9])
        camera = CameraModel(
            focal_px=focal,
            centre_px=(v[1], v[2]),
            distortion=(v[3] * per**2, v[4] * per**4, v[5] * per, v[6] * per),
            rotation=rotation_vector(matrix),
            translation_mm=(v[10] * z / focal, v[11] * z / focal, z),
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
        by_place = table[:, :, 3:6]
        focal, per = camera.focal_px, camera.focal_px / _PER_PX
        k1, k2, p1, p2 = camera.distortion
        tilt, spin = _tilt_and_spin(camera.rotation_matrix)
        turns = _rotation_slopes(tilt, spin)
        by_turns = np.einsum("nij,kjm,nm->nik", by_place, turns, world)
        x, y, z = camera.translation_mm
        by_parameters = np.zeros((len(printed), 2, COUNT))
        by_parameters[:, :, 0] = (
            focal * (table[:, :, 6] + table[:, :, 7])
            + table[:, :, 10:14] @ np.array([2 * k1, 4 * k2, p1, p2])
            + by_turns[:, :, :2] @ tilt
            - by_place[:, :, :2] @ np.array([x, y])
        )
        by_parameters[:, :, CENTRE] = table[:, :, 8:10]
        by_parameters[:, :, DISTORTION] = table[:, :, 10:14] * [per**2, per**4, per, per]
        by_parameters[:, :, 7:9] = by_turns[:, :, :2] * per
        by_parameters[:, :, 9] = by_turns[:, :, 2]
        by_parameters[:, :, 10:12] = by_place[:, :, :2] * (z / focal)
        by_parameters[:, :, 12] = by_place @ np.array([x, y, z])
        by_board = by_place @ camera.rotation_matrix[:, :2]
        cos, sin = np.cos(shift.turn_rad), np.sin(shift.turn_rad)
        turn = np.array([[cos, -sin], [sin, cos]])
        by_turn = printed @ np.array([[-sin, cos], [-cos, -sin]])
        at = _HALF[half]
        by_parameters[:, :, at.start : at.start + 2] = by_board
        by_parameters[:, :, at.stop - 1] = np.einsum("nij,nj->ni", by_board, by_turn)
        return np.asarray(projected, dtype=float).reshape(-1, 2), by_parameters, by_board @ turn

    def spread_mm2(
        self,
        covariance: Array,
        half: Half,
        printed_mm: ArrayLike,
        height_mm: float,
        sigma_px: float = 0.0,
    ) -> Array:
        """Covariance (2, 2), mm^2, of a printed point (1, 2) seen with `sigma_px` at `height_mm`: that of the
        parameters, (19, 19), by the implicit function of the projection, and the point's own."""
        _, by_parameters, by_printed = self.jacobian(half, printed_mm, height_mm)
        inverse = np.linalg.inv(by_printed[0])
        by_fit = inverse @ by_parameters[0]
        return np.asarray(by_fit @ covariance @ by_fit.T + sigma_px**2 * inverse @ inverse.T, dtype=float)


def _rotation(tilt: Array, spin: float) -> Array:
    """Board to camera axes: face down, spun about the view, then tilted about an axis in the picture."""
    cos, sin = np.cos(spin), np.sin(spin)
    spun = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]) @ _FACE_DOWN
    return np.asarray(cv2.Rodrigues(np.array([tilt[0], tilt[1], 0.0]))[0] @ spun, dtype=float)


def _tilt_and_spin(rotation: Array) -> tuple[Array, float]:
    """The inverse of `_rotation`; tilt (2,) and spin in rad."""
    view = -rotation[:, 2]
    across = np.array([-view[1], view[0]])
    sine = float(np.hypot(*across))
    angle = float(np.arctan2(sine, view[2]))
    tilt = across * (angle / sine if sine > 1e-12 else 1.0)
    untilted = np.asarray(cv2.Rodrigues(np.array([*tilt, 0.0]))[0]).T @ rotation
    return tilt, float(np.arctan2(untilted[1, 0], untilted[0, 0]))


def _rotation_slopes(tilt: Array, spin: float) -> Array:
    """Derivatives (3, 3, 3) of the rotation by both tilts and the spin, by central differences."""
    slopes = []
    for step in np.eye(3) * _TURN_STEP:
        ahead = _rotation(tilt + step[:2], spin + step[2])
        behind = _rotation(tilt - step[:2], spin - step[2])
        slopes.append((ahead - behind) / (2 * _TURN_STEP))
    return np.array(slopes)
