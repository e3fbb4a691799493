"""Where a camera hangs so that it sees a whole board, and what it can tell from there, before there is one.

Projection and the fit's covariance only; which cameras and lenses there are is not known here. The camera is
turned so that the picture's length is the board's, and tilted about it: it hangs towards y > 0, where the
scorers lie and an arm can stand, and looks back.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera_model import Array, CameraModel, rotation_vector
from calibration.edition import Edition
from calibration.fit import camera_prior, fit
from calibration.lines import expect
from calibration.parameters import Half, Layout
from calibration.refine import samples_of

LINE_SIGMA_PX = 0.1
"""How well a place on a line is measured across it, in a middling picture."""
_FACE_DOWN = np.diag([1.0, -1.0, -1.0])
_FOCUS_PASSES = 8


@dataclass(frozen=True, slots=True)
class Vantage:
    """A camera over an edition, with pictures of `size`: as low as it may hang."""

    edition: Edition
    camera: CameraModel
    size: tuple[int, int]

    @property
    def height_mm(self) -> float:
        """From the board's face up to the camera's centre of projection, which is inside the lens."""
        return float(self.camera.position_mm[2])

    @property
    def foot_mm(self) -> tuple[float, float]:
        """The point of the board's plane straight below the camera."""
        x, y, _ = self.camera.position_mm.tolist()
        return x, y

    @property
    def distance_mm(self) -> float:
        """Along the view, to the board: what the lens is focused on."""
        return float(self.camera.position_mm[2] / -self.camera.rotation_matrix[2, 2])

    def mm_per_px(self) -> tuple[float, float]:
        """How coarse the picture is, in the middle of the court and where it is coarsest in it."""
        at = [(0.0, 0.0), *_corners(self.edition)]
        return self._scale_mm(at[0]), max(self._scale_mm(point) for point in at)

    def parallax_mm(self) -> float:
        """How far beside its place the ball's top is seen on the board, at the worst corner of the court."""
        corners = np.array(_corners(self.edition))
        height = np.full((len(corners), 1), self.edition.ball.height_mm)
        seen = self.camera.locate(self.camera.project(np.hstack((corners, height))))
        return float(np.hypot(*(seen - corners).T).max())

    def depths_mm(self) -> tuple[float, float]:
        """The nearest and the furthest thing that has to be sharp, along the view: the ball's top over the
        printed board, and the board."""
        (x0, x1), (y0, y1) = self.edition.extent_x_mm, self.edition.extent_y_mm
        box = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (0.0, self.edition.ball.height_mm)]
        along = self.camera.rotation_matrix[2] @ np.array(box).T + self.camera.translation_mm[2]
        return float(along.min()), float(along.max())

    def corner_sigma_mm(self, focal_sigma: float) -> float:
        """The standard deviation of a ball's place, mm, that a calibration from one picture will have, at the
        worst corner of the court; `focal_sigma` is that of the logarithm of the focal length, known before.

        The covariance of the fit that `calibrate` makes, for a picture in which each place of each line is
        found within `LINE_SIGMA_PX`.
        """
        layout, samples = Layout(self.camera), samples_of(self.edition)
        prior = camera_prior(self.size, self.camera.focal_px, focal_sigma)
        exact, sigma = np.zeros(len(samples)), np.full(len(samples), LINE_SIGMA_PX)
        fitted = fit(layout, samples, expect(layout, samples), exact, sigma, prior, steps=1)
        height = self.edition.ball.height_mm
        return max(
            float(np.sqrt(np.linalg.eigvalsh(layout.spread_mm2(fitted.covariance, half, [at], height))[-1]))
            for at in _corners(self.edition)
            for half in (_half_of(at),)
        )

    def _scale_mm(self, board_mm: tuple[float, float]) -> float:
        _, _, by_printed = Layout(self.camera).jacobian(_half_of(board_mm), [board_mm])
        return float(1.0 / np.linalg.svd(by_printed[0], compute_uv=False)[-1])


def lowest_vantage(
    edition: Edition,
    size: tuple[int, int],
    focal_px_at: Callable[[float], float],
    *,
    tilt_deg: float,
    margin_mm: float,
) -> Vantage:
    """The lowest camera with pictures of `size`, (width, height), that has the printed board and `margin_mm`
    around it in them.

    `focal_px_at` gives the focal length in pixels of a lens that is focused on a distance in mm.
    """
    tilt = np.asarray(cv2.Rodrigues(np.array([np.radians(tilt_deg), 0.0, 0.0]))[0], dtype=float)
    rotation = tilt @ _FACE_DOWN
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    corners = np.array(
        [(x, y, 0.0) for x in (x0 - margin_mm, x1 + margin_mm) for y in (y0 - margin_mm, y1 + margin_mm)]
    )
    distance = edition.span_mm
    for _ in range(_FOCUS_PASSES):
        focal = focal_px_at(distance)
        camera = CameraModel(
            focal,
            ((size[0] - 1) / 2, (size[1] - 1) / 2),
            (0.0, 0.0, 0.0, 0.0),
            rotation_vector(rotation),
            _nearest(rotation @ corners.T, focal, size),
        )
        found = Vantage(edition, camera, size)
        distance = found.distance_mm
    return found


def _nearest(turned: Array, focal: float, size: tuple[int, int]) -> tuple[float, float, float]:
    """The translation with the least depth that has all points (3, n), turned into the camera's axes, in the
    picture: from edge to edge one way, and about in the middle the other.

    In the picture is what has |f (p + t)| <= half (p_z + t_z), so the two sides ask for depths that grow and
    shrink alike with the shift t across: least where they are equal.
    """
    across, depths = [], []
    for points, pixels in zip(turned[:2], size, strict=True):
        slope = focal / ((pixels - 1) / 2)
        right = float((slope * points - turned[2]).max())
        left = float((-slope * points - turned[2]).max())
        across.append((left - right) / 2 / slope)
        depths.append((left + right) / 2)
    return across[0], across[1], max(depths)


def _corners(edition: Edition) -> list[tuple[float, float]]:
    x, y = edition.court.baseline_mm, edition.court.doubles_mm
    return [(-x, -y), (-x, y), (x, -y), (x, y)]


def _half_of(board_mm: tuple[float, float]) -> Half:
    return "A" if board_mm[0] < 0 else "B"
