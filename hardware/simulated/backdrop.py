"""The picture without anything that moves: board halves on a table, before light. Made once a
camera.

Every pixel is the mean of 4 x 4 samples of the artwork (itself drawn with exact edge coverage),
so a printed edge lies where the camera model says, to a hundredth of a pixel.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from hardware.simulated.artwork import Artwork
from hardware.simulated.palettes import BOARD_EDGE, TABLES, colour
from hardware.simulated.projection import PlaneMap, Window, sample_grid, tiles
from hardware.simulated.scene import TABLE_Z_MM, HalfShift, Scene

Float32 = NDArray[np.float32]

_PER_PIXEL = 4
_TABLE_TEXELS = 1024
_TABLE_TEXEL_MM = 1.5


def albedo_picture(scene: Scene, model: CameraModel, artwork: Artwork) -> Float32:
    """Linear albedo as the lens images it, (height, width, 3) blue-green-red, blurred by the
    optics."""
    width, height = scene.size
    picture = np.empty((height, width, 3), dtype=np.float32)
    ground = _table_texture(scene.table, scene.art_seed)
    for window in tiles(scene.size):
        columns, rows = sample_grid(window, _PER_PIXEL)
        world = PlaneMap(model, window, 0.0).at(columns, rows)
        printed, covered = _print_at(scene, artwork, *world)
        if not covered.all():
            below = PlaneMap(model, window, TABLE_Z_MM).at(columns, rows)
            _fill_beside(scene, printed, covered, below, ground)
        small = cv2.resize(printed, (window.width, window.height), interpolation=cv2.INTER_AREA)
        picture[window.slices] = small
    sigma = scene.sensor.blur_px
    if sigma > 0:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.float32)
    return picture


def _print_at(scene: Scene, artwork: Artwork, x: Float32, y: Float32) -> tuple[Float32, NDArray[np.bool_]]:
    """Albedo of the print at world points, and where there is any: each half where it lies."""
    a_x, a_y = _to_printed(scene.half_a, x, y)
    b_x, b_y = _to_printed(scene.half_b, x, y)
    on_b = b_x >= 0
    printed_x, printed_y = np.where(on_b, b_x, a_x), np.where(on_b, b_y, a_y)
    (x0, x1), (y0, y1) = scene.edition.extent_x_mm, scene.edition.extent_y_mm
    covered = (on_b | (a_x <= 0)) & (printed_x >= x0) & (printed_x <= x1)
    covered &= (printed_y >= y0) & (printed_y <= y1)
    return artwork.sample(printed_x, printed_y), covered


def _to_printed(half: HalfShift, x: Float32, y: Float32) -> tuple[Float32, Float32]:
    if half == HalfShift():
        return x, y
    angle = np.radians(half.turn_deg)
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    dx, dy = x - np.float32(half.dx_mm), y - np.float32(half.dy_mm)
    return c * dx + s * dy, c * dy - s * dx


def _fill_beside(
    scene: Scene,
    printed: Float32,
    covered: NDArray[np.bool_],
    below: tuple[Float32, Float32],
    ground: Float32,
) -> None:
    """Where no print is: the board's edge if the board is below the ray's foot, else the table."""
    x, y = below
    (x0, x1), (y0, y1) = scene.edition.extent_x_mm, scene.edition.extent_y_mm
    edge = (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    # A board that lies flat leaves a dark seam on the table all around it.
    beside = np.maximum(np.maximum(x0 - x, x - x1), np.maximum(y0 - y, y - y1))
    seam = 1.0 - 0.5 * np.exp(-np.maximum(beside, 0) / 1.5)
    texel = np.float32(1.0 / _TABLE_TEXEL_MM)
    middle = np.float32(_TABLE_TEXELS / 2)
    wood = cv2.remap(
        ground,
        x * texel + middle,
        y * texel + middle,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    other = np.where(edge[..., None], 0.5 * colour(BOARD_EDGE), wood * seam[..., None])
    printed[~covered] = other[~covered]


@lru_cache(maxsize=2)
def _table_texture(table: str, seed: int) -> Float32:
    """Grain along x for wood, speckle for the rest, between the table's two tones."""
    random = np.random.default_rng((seed, 0x7AB1E))
    noise = random.standard_normal((_TABLE_TEXELS, _TABLE_TEXELS)).astype(np.float32)
    if table in ("wood", "oak"):
        grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=60, sigmaY=2.2)
        broad = cv2.GaussianBlur(noise, (0, 0), sigmaX=120, sigmaY=9)
        mixed = grain / grain.std() + broad / broad.std()
    else:
        mixed = cv2.GaussianBlur(noise, (0, 0), 1.2)
        mixed = mixed / mixed.std()
    share = 1 / (1 + np.exp(-mixed))
    light, dark = (colour(tone) for tone in TABLES[table])
    texture: Float32 = (dark + share[..., None] * (light - dark)).astype(np.float32)
    return texture


def whole(size: tuple[int, int]) -> Window:
    """The window of the whole picture."""
    return Window(0, 0, *size)
