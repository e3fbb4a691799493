"""Upright cylinders (ball, scorer pawns) as a camera sees them, with their shadows. No scene logic
here.

A pixel's ray crosses the solid's bottom plane at one point and its top plane at another; the
solid is hit if the segment between the two passes within a radius of the axis, and its top face
is seen if the upper point does. So the wall on the outward side and the parallax of the top are
exact.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from hardware.simulated.lighting import LocalLight
from hardware.simulated.palettes import Colour
from hardware.simulated.projection import PlaneMap, Window, in_lens, sample_grid, window_around

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

_CONTACT_MM = 1.6  # reach of the dark seam where a solid touches the ground
_CONTACT_DEPTH = 0.55


@dataclass(frozen=True, slots=True)
class Solid:
    """A cylinder of `radius_mm` on `centre_mm` from `bottom_mm` to `top_mm`, over ground at
    `ground_mm`.

    Its top is `rim` coloured, with a `face` of `face_radius_mm`, with a `dot` of `dot_radius_mm`
    at `dot_mm` (no dot when that radius is 0).
    """

    centre_mm: tuple[float, float]
    radius_mm: float
    bottom_mm: float
    top_mm: float
    ground_mm: float
    wall: Colour
    rim: Colour
    face: Colour
    face_radius_mm: float
    dot: Colour
    dot_mm: tuple[float, float]
    dot_radius_mm: float


@dataclass(frozen=True, slots=True)
class Layers:
    """What a thing does to a window of light: light becomes light * `passed` + `added`."""

    window: Window
    passed: Float32
    added: Float32

    def applied(self, light: Float32) -> None:
        """Change a whole picture's `light`, (H, W, 3), in place."""
        part = light[self.window.slices]
        part *= self.passed
        part += self.added


def reach_px(
    model: CameraModel, solid: Solid, light: LocalLight, size: tuple[int, int], margin_px: float
) -> Window:
    """The window that the solid and its shadows can change; may be empty."""
    x, y = solid.centre_mm
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = (solid.radius_mm + _CONTACT_MM) * np.column_stack((np.cos(angle), np.sin(angle)))
    places: list[tuple[float, float, float]] = [
        (x, y, solid.ground_mm),
        (x, y, solid.bottom_mm),
        (x, y, solid.top_mm),
    ]
    for lamp, _ in light.lamps:
        lean = _lean(lamp.centre_mm, solid)
        tall = solid.top_mm - solid.ground_mm
        places.append((x - lean[0] * tall, y - lean[1] * tall, solid.ground_mm))
    points = np.vstack([np.column_stack((ring + place[:2], np.full(16, place[2]))) for place in places])
    if not in_lens(model, points).all():
        return Window(0, 0, 0, 0)
    return window_around(model.project(points), margin_px, size)


def solid_layers(
    model: CameraModel, solid: Solid, light: LocalLight, window: Window, per_pixel: int
) -> Layers:
    """The solid and its shadows in `window`, from `per_pixel` squared samples a pixel."""
    columns, rows = sample_grid(window, per_pixel)
    low = PlaneMap(model, window, solid.bottom_mm).at(columns, rows)
    high = PlaneMap(model, window, solid.top_mm).at(columns, rows)
    ground = (
        low
        if solid.bottom_mm == solid.ground_mm
        else PlaneMap(model, window, solid.ground_mm).at(columns, rows)
    )
    x, y = (np.float32(v) for v in solid.centre_mm)
    low, high, ground = ((a - x, b - y) for a, b in (low, high, ground))
    sample_mm = float(np.hypot(high[0][0, 1] - high[0][0, 0], high[1][0, 1] - high[1][0, 0]))
    body = _cover(solid.radius_mm - _to_segment(low, high), sample_mm)
    passed = (1 - body)[..., None] * _unshadowed(solid, light, ground, sample_mm)
    added = body[..., None] * _surface(solid, light, low, high, sample_mm)
    return Layers(window, _averaged(passed, window), _averaged(added, window))


def mean_layers(parts: list[Layers]) -> Layers:
    """The mean over the instants of an exposure; all must have the same window."""
    count = np.float32(len(parts))
    passed = sum((part.passed for part in parts[1:]), parts[0].passed.copy()) / count
    added = sum((part.added for part in parts[1:]), parts[0].added.copy()) / count
    return Layers(parts[0].window, passed, added)


def blurred(layers: Layers, sigma_px: float) -> Layers:
    """As the optics' blur makes it."""
    if sigma_px <= 0:
        return layers
    return Layers(
        layers.window,
        _gauss(layers.passed, sigma_px),
        _gauss(layers.added, sigma_px),
    )


def _gauss(image: Float32, sigma_px: float) -> Float32:
    soft = cv2.GaussianBlur(image, (0, 0), sigma_px, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft, dtype=np.float32)


def _surface(
    solid: Solid,
    light: LocalLight,
    low: tuple[Float32, Float32],
    high: tuple[Float32, Float32],
    sample_mm: float,
) -> Float32:
    """Light that comes from the solid, (rows, columns, 3), as if it were everywhere."""
    outward = np.hypot(*low) + np.float32(1e-6)
    normal = (low[0] / outward, low[1] / outward)
    wall = np.broadcast_to(np.float32(0.6) * light.ambient, (*outward.shape, 3)).copy()
    for lamp, part in light.lamps:
        lean = _lean(lamp.centre_mm, solid)
        facing = np.maximum(normal[0] * lean[0] + normal[1] * lean[1], 0)
        wall += np.minimum(facing, 2.0)[..., None] * part
    surface = wall * solid.wall
    total = light.total
    from_axis: Float32 = np.hypot(high[0], high[1])
    dot_x = np.float32(solid.dot_mm[0] - solid.centre_mm[0])
    dot_y = np.float32(solid.dot_mm[1] - solid.centre_mm[1])
    _paint(surface, _cover(solid.radius_mm - from_axis, sample_mm), total * solid.rim)
    _paint(surface, _cover(solid.face_radius_mm - from_axis, sample_mm), total * solid.face)
    if solid.dot_radius_mm > 0:
        from_dot = np.hypot(high[0] - dot_x, high[1] - dot_y)
        _paint(surface, _cover(solid.dot_radius_mm - from_dot, sample_mm), total * solid.dot)
    return surface


def _paint(surface: Float32, cover: Float32, paint: Float32) -> None:
    surface += cover[..., None] * (paint - surface)


def _unshadowed(
    solid: Solid, light: LocalLight, ground: tuple[Float32, Float32], sample_mm: float
) -> Float32:
    """The share of its light that the ground keeps, (rows, columns, 3)."""
    total = light.total + np.float32(1e-9)
    gap = np.hypot(*ground) - np.float32(solid.radius_mm)
    lift = solid.bottom_mm - solid.ground_mm
    seam = _CONTACT_DEPTH * np.exp(-np.maximum(gap, 0) / _CONTACT_MM - lift / 6.0)
    kept = np.ones((*gap.shape, 3), dtype=np.float32)
    kept -= seam[..., None].astype(np.float32) * (light.ambient / total)
    for lamp, part in light.lamps:
        lean = _lean(lamp.centre_mm, solid)
        tall = solid.top_mm - solid.ground_mm
        foot = (ground[0] + lean[0] * lift, ground[1] + lean[1] * lift)
        head = (ground[0] + lean[0] * tall, ground[1] + lean[1] * tall)
        # A penumbra is as wide as the lamp looks from the ground, times the height of the edge.
        width = max(lamp.size_mm / (lamp.centre_mm[2] - solid.ground_mm) * tall, sample_mm)
        depth = _cover(solid.radius_mm - _to_segment(foot, head), width)
        kept -= (depth * depth * (3 - 2 * depth))[..., None] * (part / total)
    return np.maximum(kept, 0)


def _lean(lamp_mm: tuple[float, float, float], solid: Solid) -> tuple[float, float]:
    """How far towards the lamp a ray moves for each mm it rises."""
    rise = max(lamp_mm[2] - solid.ground_mm, 1.0)
    return (
        (lamp_mm[0] - solid.centre_mm[0]) / rise,
        (lamp_mm[1] - solid.centre_mm[1]) / rise,
    )


def _to_segment(start: tuple[Float32, Float32], end: tuple[Float32, Float32]) -> Float32:
    """Distance of the origin from each segment."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    length = along_x * along_x + along_y * along_y + np.float32(1e-12)
    share = np.clip(-(start[0] * along_x + start[1] * along_y) / length, 0, 1)
    return np.hypot(start[0] + share * along_x, start[1] + share * along_y)


def _cover(inside_mm: Float32, width_mm: float) -> Float32:
    """0 outside to 1 inside over `width_mm` across the edge, biased to neither side."""
    cover: Float32 = np.clip(inside_mm * np.float32(1.0 / width_mm) + np.float32(0.5), 0, 1)
    return cover


def _averaged(image: Float32, window: Window) -> Float32:
    if image.shape[:2] == (window.height, window.width):
        return image
    small = cv2.resize(image, (window.width, window.height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)
