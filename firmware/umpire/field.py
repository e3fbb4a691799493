"""The board as the tracker sees it: where it ends, where the picture ends, what covers a place.

Between pixels and millimetres only, by the calibration's camera; no decisions.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from calibration.camera_model import CameraModel
from firmware.umpire.ball_view import BallSize
from firmware.umpire.evidence import Glimpse
from firmware.umpire.motion import Change
from firmware.umpire.rest import Point, Position
from firmware.umpire.sighting import Sighting


class Board(Protocol):
    """What must be known of an edition here."""

    @property
    def extent_x_mm(self) -> tuple[float, float]:
        """Where the printed board begins and ends along x."""
        ...

    @property
    def extent_y_mm(self) -> tuple[float, float]:
        """The same along y."""
        ...

    @property
    def ball(self) -> BallSize:
        """The ball that is played with."""
        ...


class Calibrated(Protocol):
    """What must be known of a calibration here."""

    @property
    def model(self) -> CameraModel:
        """The camera over the board."""
        ...

    def place(self, dot_px: Point, disc_px: Point, dot_sigma_px: float, disc_sigma_px: float) -> Position:
        """Where on its printed half a ball lies that is seen there."""
        ...


class BoardField:
    """Board and picture in the plane of the ball's top. Immutable."""

    def __init__(self, model: CameraModel, board: Board, size: tuple[int, int]) -> None:
        """`size`: width and height of the picture in pixels."""
        self.model, self.board, self.size = model, board, size
        self._axis = model.rotation_matrix[2]
        self._depth_mm = model.translation_mm[2] + self._axis[2] * board.ball.height_mm

    @property
    def ball_radius_mm(self) -> float:
        """Half the ball's diameter."""
        return self.board.ball.diameter_mm / 2

    def on_board(self, at_mm: Point) -> bool:
        """Whether a ball with its centre there lies on the board: beyond the edge it tips over."""
        (x0, x1), (y0, y1) = self.board.extent_x_mm, self.board.extent_y_mm
        return x0 <= at_mm[0] <= x1 and y0 <= at_mm[1] <= y1

    def in_picture(self, at_mm: Point) -> bool:
        """Whether a whole ball there would be in the picture."""
        x, y = self.to_px(at_mm)
        radius = self.ball_radius_mm * self.px_per_mm(at_mm)
        return radius <= x < self.size[0] - radius and radius <= y < self.size[1] - radius

    def to_px(self, at_mm: Point) -> Point:
        """The pixel at which a point of the plane is seen."""
        return _projected(self.model, at_mm, self.board.ball.height_mm)

    def px_per_mm(self, at_mm: Point) -> float:
        """Scale of the picture about a point of the plane, tilt and distortion left out: good to a
        few per cent, enough to say how far a hand is away."""
        depth_mm = self._axis[0] * at_mm[0] + self._axis[1] * at_mm[1] + self._depth_mm
        return float(self.model.focal_px / depth_mm)

    def glimpse(self, sighting: Sighting) -> Glimpse:
        """The sighting with its place in the plane, in mm."""
        height = self.board.ball.height_mm
        (dot, disc) = self.model.locate([sighting.dot_px, sighting.disc_px], height)
        dot_mm, disc_mm = (float(dot[0]), float(dot[1])), (float(disc[0]), float(disc[1]))
        # The rim's size tells the scale at hand without projecting anything.
        scale = max(sighting.radius_px / self.ball_radius_mm, 1e-6)
        return Glimpse(sighting, dot_mm, disc_mm, sighting.dot_sigma_px / scale)


@lru_cache(maxsize=64)
def _projected(model: CameraModel, at_mm: Point, height_mm: float) -> Point:
    """Kept, since a lying ball's place is asked for several times a frame, frame after frame."""
    x, y = model.project([[at_mm[0], at_mm[1], height_mm]])[0]
    return (float(x), float(y))


@dataclass(frozen=True, slots=True)
class SeenCover:
    """What covers the board in one frame, asked in millimetres."""

    change: Change
    field: BoardField

    def over(self, at_mm: Point, radius_mm: float) -> float:
        """Part (0..1) of the disc that is covered; by the ring about it where the ball itself has
        kept the board from being seen. A place of which nothing is known counts as covered."""
        at_px, scale = self.field.to_px(at_mm), self.field.px_per_mm(at_mm)
        if self.change.known_part(at_px, radius_mm * scale) > 0.4:
            return self.change.part_over(at_px, 0.0, radius_mm * scale)
        if self.change.known_part(at_px, 2.7 * radius_mm * scale) < 0.15:
            return 1.0
        return self.around(at_mm, 2.0 * radius_mm, 2.7 * radius_mm)

    def around(self, at_mm: Point, inner_mm: float, outer_mm: float) -> float:
        """Part (0..1) of the ring that is covered."""
        at_px, scale = self.field.to_px(at_mm), self.field.px_per_mm(at_mm)
        return self.change.part_over(at_px, inner_mm * scale, outer_mm * scale)
