"""A scene: everything that the light of one picture depends on, as frozen values. Nothing is drawn
here.

Lengths in mm in the board's axes (origin mid-net, x along the court, z up from the board's top);
the table's top lies at `TABLE_Z_MM`. Colours are sRGB hex; see palettes.py.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.camera_model import CameraModel
from calibration.edition import Edition, load_edition
from hardware.simulated.hands import HandPose
from hardware.simulated.palettes import BALLS, DOT, PALETTES, WOOD, Palette

Array = NDArray[np.float64]
Point = tuple[float, float]

TABLE_Z_MM = -2.0
_OUT_OF_SIGHT_MM = 120.0  # an arm is thick, and raised: it is seen further out than the table


@dataclass(frozen=True, slots=True)
class HalfShift:
    """How one printed half lies: turned about the origin by `turn_deg`, then shifted."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0

    def to_world(self, printed_mm: ArrayLike) -> Array:
        """World points, shape (..., 2), of points of the artwork."""
        return np.asarray(printed_mm, dtype=float) @ self._turn.T + self._shift

    def to_printed(self, world_mm: ArrayLike) -> Array:
        """Points of the artwork, shape (..., 2), at world points."""
        return (np.asarray(world_mm, dtype=float) - self._shift) @ self._turn

    @property
    def _turn(self) -> Array:
        angle = np.radians(self.turn_deg)
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    @property
    def _shift(self) -> Array:
        return np.array([self.dx_mm, self.dy_mm])


@dataclass(frozen=True, slots=True)
class Lamp:
    """A round lamp of `size_mm` diameter; `strength` is what it adds to the light at mid-board.

    `tint`: blue-green-red factors. `group`: lamps of one group are switched together.
    """

    centre_mm: tuple[float, float, float]
    size_mm: float = 150.0
    strength: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    group: int = 0


@dataclass(frozen=True, slots=True)
class BallStyle:
    """What the ball looks like. `dot_offset_mm`: the dot's misprint, in the ball's own axes."""

    radius_mm: float = 11.0
    height_mm: float = 6.0
    print_radius_mm: float = 10.8
    dot_diameter_mm: float = 3.0
    face: str = BALLS["yellow"]
    wall: str = WOOD
    dot: str = DOT
    dot_offset_mm: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class BallPose:
    """Where a ball is: the disc's centre, the height of its underside, its own turn."""

    disc_mm: Point
    bottom_mm: float = 0.0
    turn_rad: float = 0.0

    def dot_mm(self, style: BallStyle) -> Point:
        """Where its dot is."""
        dx, dy = style.dot_offset_mm
        c, s = float(np.cos(self.turn_rad)), float(np.sin(self.turn_rad))
        return (self.disc_mm[0] + c * dx - s * dy, self.disc_mm[1] + s * dx + c * dy)


def ball_with_dot_at(
    dot_mm: Point, style: BallStyle, bottom_mm: float = 0.0, turn_rad: float = 0.0
) -> BallPose:
    """The pose whose dot is exactly at `dot_mm`."""
    at_origin = BallPose((0.0, 0.0), bottom_mm, turn_rad).dot_mm(style)
    return BallPose((dot_mm[0] - at_origin[0], dot_mm[1] - at_origin[1]), bottom_mm, turn_rad)


@dataclass(frozen=True, slots=True)
class Pawn:
    """A scorer pawn: a cylinder that stands on the board's band."""

    name: str
    at_mm: Point
    radius_mm: float = 6.0
    height_mm: float = 14.0
    paint: str = "d8d8d4"


@dataclass(frozen=True, slots=True)
class Sensor:
    """What turns light into 8 bits.

    `exposure`: factor on the light (1.0: white print in the light of mid-board is at 0.75 of
    full scale). `exposure_s`: shutter time. `blur_px`: standard deviation of the optics' blur.
    `vignette`: share of light lost in the corners. `full_well`, `read_noise`: electrons.
    `white_balance`: what is left of its error, blue-green-red. `sharpen`: strength of the
    camera's own unsharp mask. `noisy` false gives the expected value of each pixel.

    `mains_depth`: how far lamps on the mains flicker, as a share of the light, at `mains_hz` (twice
    the mains' frequency); the rolling shutter, which takes `readout_s` from the first row to the
    last, makes bands of it.
    """

    exposure: float = 1.0
    exposure_s: float = 0.006
    blur_px: float = 0.6
    vignette: float = 0.25
    full_well: float = 9000.0
    read_noise: float = 4.0
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    bayer: bool = False
    sharpen: float = 0.0
    noisy: bool = True
    mains_depth: float = 0.0
    mains_hz: float = 100.0
    readout_s: float = 0.014


@dataclass(frozen=True, slots=True)
class Scene:
    """A board on a table under lamps and a camera. What moves is in `Instant`."""

    edition: Edition
    camera: CameraModel
    size: tuple[int, int]
    half_a: HalfShift = HalfShift()
    half_b: HalfShift = HalfShift()
    palette: Palette = PALETTES["clay"]
    table: str = "wood"
    ambient: float = 0.35
    lamps: tuple[Lamp, ...] = (Lamp((260.0, 480.0, 1150.0)),)
    gloss: float = 0.02
    ball: BallStyle = BallStyle()
    sensor: Sensor = Sensor()
    art_seed: int = 0
    pawns: tuple[Pawn, ...] = field(default=())

    def half_at(self, world_mm: ArrayLike) -> str:
        """ "A" or "B": the half whose print lies at this point."""
        return "B" if self.half_b.to_printed(world_mm)[..., 0] >= 0 else "A"

    def printed(self, world_mm: ArrayLike) -> Array:
        """The point, shape (2,), in the artwork's frame of the half on which it lies."""
        half = self.half_b if self.half_at(world_mm) == "B" else self.half_a
        return half.to_printed(world_mm)


@dataclass(frozen=True, slots=True)
class Instant:
    """What may change between two frames: balls (the one in play first), hands, lamps, pawns,
    camera.

    `lamp_weights`: one factor a lamp group; empty: all full on. `camera`: None while it hangs
    where the scene has it, else where it was knocked to. `time_s`: for lamps that flicker.
    """

    balls: tuple[BallPose, ...] = ()
    hands: tuple[HandPose, ...] = ()
    lamp_weights: tuple[float, ...] = ()
    pawns: tuple[Pawn, ...] = ()
    camera: CameraModel | None = None
    time_s: float = 0.0

    def weight(self, group: int) -> float:
        """How far the lamps of `group` are on, 0..1."""
        return self.lamp_weights[group] if group < len(self.lamp_weights) else 1.0


def default_scene(edition: Edition | None = None, size: tuple[int, int] = (1456, 1088)) -> Scene:
    """The board as the maker's papers say: camera arm 690 mm above it, 5 degrees off the vertical.

    The lens is chosen so that the whole of `edition` (default: classic) fills the picture.
    """
    board = edition if edition is not None else load_edition("classic")
    camera = camera_over(board, size, tilt_deg=5.0, turn_deg=0.0)
    style = BallStyle(
        radius_mm=board.ball.diameter_mm / 2,
        height_mm=board.ball.height_mm,
        print_radius_mm=board.ball.diameter_mm / 2 - 0.2,
        dot_diameter_mm=board.ball.dot_diameter_mm,
        dot_offset_mm=(0.08, -0.05),
    )
    return Scene(board, camera, size, ball=style)


def reach_to_mm(scene: Scene) -> float:
    """How far from mid-board, along x, an arm must come from for its end not to be seen."""
    width, height = scene.size
    corners = [(x, y) for x in (0.0, width - 1.0) for y in (0.0, height - 1.0)]
    seen = np.abs(scene.camera.locate(np.array(corners))[:, 0])
    board = scene.edition.extent_x_mm[1]
    return min(float(np.nanmax(seen)), 3.0 * board) + _OUT_OF_SIGHT_MM


def camera_over(
    edition: Edition,
    size: tuple[int, int],
    *,
    tilt_deg: float,
    turn_deg: float,
    distortion: tuple[float, float, float, float] = (-0.06, 0.01, 0.0, 0.0),
    height_mm: float | None = None,
    lean_deg: float = 90.0,
    fill: float = 0.93,
) -> CameraModel:
    """A camera above mid-board that sees all of it, in `fill` of the picture's width or height.

    `tilt_deg` from the vertical towards `lean_deg` (of the board's x axis), turned about its own
    axis by `turn_deg`. `height_mm`: above the board; default 1.38 times the board's length.
    """
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2, 0.0])
    height = height_mm if height_mm is not None else 1.38 * (x1 - x0)
    lean, tilt = np.radians(lean_deg), np.radians(tilt_deg)
    eye = middle + height * np.array([np.tan(tilt) * np.cos(lean), np.tan(tilt) * np.sin(lean), 1.0])
    forward = (middle - eye) / np.linalg.norm(middle - eye)
    turn = np.radians(turn_deg)
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    right = right - forward * (right @ forward)
    right /= np.linalg.norm(right)
    rotation = np.vstack((right, np.cross(forward, right), forward))
    model = CameraModel(
        focal_px=1.0,
        centre_px=((size[0] - 1) / 2, (size[1] - 1) / 2),
        distortion=distortion,
        rotation=_rodrigues(rotation),
        translation_mm=_triple(-rotation @ eye),
    )
    return replace(model, focal_px=_focal_that_fits(model, size, fill, (x0, x1, y0, y1)))


def _focal_that_fits(
    model: CameraModel, size: tuple[int, int], fill: float, extent: tuple[float, ...]
) -> float:
    x0, x1, y0, y1 = extent
    along = np.linspace(0, 1, 9)
    edge_x, edge_y = x0 + (x1 - x0) * along, y0 + (y1 - y0) * along
    rim = np.vstack(
        [np.column_stack((edge_x, np.full(9, y), np.zeros(9))) for y in (y0, y1)]
        + [np.column_stack((np.full(9, x), edge_y, np.zeros(9))) for x in (x0, x1)]
    )
    reach = np.abs(model.project(rim) - np.asarray(model.centre_px)).max(axis=0)
    return float(min(fill * size[0] / 2 / reach[0], fill * size[1] / 2 / reach[1]))


def _rodrigues(rotation: Array) -> tuple[float, float, float]:
    return _triple(np.asarray(cv2.Rodrigues(rotation)[0], dtype=float).ravel())


def _triple(values: Array) -> tuple[float, float, float]:
    a, b, c = (float(v) for v in values)
    return (a, b, c)
