"""Hands in the picture: their limbs drawn with depth and shading, and the shadow they cast.

Drawn at half resolution (a hand is soft and nearer than the focus), then enlarged: a forearm
across the picture would otherwise cost more than everything else together.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from hardware.simulated.hands import Capsule, HandPose, capsules
from hardware.simulated.lighting import LocalLight
from hardware.simulated.palettes import colour
from hardware.simulated.projection import Window, in_lens, window_around
from hardware.simulated.solids import Layers

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

_REDUCED = 2
_SHADOW_REDUCED = 8
_MARGIN_PX = 10.0
_CUTS = 33  # places along a limb at which it may be cut off


@dataclass(frozen=True, slots=True)
class _Limb:
    """A capsule in the picture: ends in px, radii in px, heights in mm."""

    ends_px: Array
    radii_px: tuple[float, float]
    heights_mm: tuple[float, float]
    radii_mm: tuple[float, float]
    cloth: bool


def hand_window(model: CameraModel, pose: HandPose, light: LocalLight, size: tuple[int, int]) -> Window:
    """The window that the hand and its shadows can change; may be empty."""
    limbs = _imaged(model, pose)
    if not limbs:
        return Window(0, 0, 0, 0)
    outlines = [_outline_mm(limb) for limb in limbs]
    for lamp, _ in light.lamps:
        outlines += [_on_ground(_shadow_mm(limb, lamp.centre_mm)) for limb in limbs]
    return window_around(model.project(np.vstack(outlines)), _MARGIN_PX, size)


def hand_layers(
    model: CameraModel,
    pose: HandPose,
    light: LocalLight,
    window: Window,
    moved_px: tuple[float, float],
) -> Layers:
    """The hand and its shadows in `window`; smeared by `moved_px`, its way during the exposure."""
    size = (-(-window.width // _REDUCED), -(-window.height // _REDUCED))
    cover, paint = _drawn(model, pose, light, window, size)
    kernel = _smear(moved_px)
    if kernel is not None:
        cover = np.asarray(cv2.filter2D(cover, -1, kernel), dtype=np.float32)
        paint = np.asarray(cv2.filter2D(paint, -1, kernel), dtype=np.float32)
    full = (size[0] * _REDUCED, size[1] * _REDUCED)
    cover, paint = (_enlarged(part, full) for part in (cover, paint))
    rows, columns = slice(0, window.height), slice(0, window.width)
    kept = _unshadowed(model, pose, light, window)
    passed = kept * (1.0 - cover[rows, columns, None])
    return Layers(window, passed, paint[rows, columns])


def _drawn(
    model: CameraModel, pose: HandPose, light: LocalLight, window: Window, size: tuple[int, int]
) -> tuple[Float32, Float32]:
    """Coverage and premultiplied light of the hand at reduced size."""
    width, height = size
    cover = np.zeros((height, width), dtype=np.float32)
    depth = np.full((height, width), -1e6, dtype=np.float32)
    paint = np.zeros((height, width, 3), dtype=np.float32)
    skin, cloth = colour(pose.look.skin), colour(pose.look.sleeve)
    toward = _light_direction(pose, light)
    for capsule in _imaged(model, pose):
        limb = _projected(model, capsule, window)
        box = window_around(limb.ends_px, max(limb.radii_px) + 2, size)
        if box.empty:
            continue
        _draw_limb(limb, box, cover, depth, paint, cloth if limb.cloth else skin, toward)
    paint *= cover[..., None] * light.total
    return cover, paint


def _imaged(model: CameraModel, pose: HandPose) -> list[Capsule]:
    """The limbs, each cut off where it leaves what the lens images."""
    seen = []
    for limb in capsules(pose):
        shares = np.linspace(0.0, 1.0, _CUTS)
        places = limb.start_mm + shares[:, None] * (limb.end_mm - limb.start_mm)
        good = in_lens(model, places)
        if good.all():
            seen.append(limb)
        elif good.any():
            first, last = (int(v) for v in np.flatnonzero(good)[[0, -1]])
            radii = limb.start_radius_mm + shares * (limb.end_radius_mm - limb.start_radius_mm)
            ends = (float(radii[first]), float(radii[last]))
            seen.append(Capsule(places[first], places[last], *ends, limb.cloth))
    return seen


def _draw_limb(
    limb: _Limb,
    box: Window,
    cover: Float32,
    depth: Float32,
    paint: Float32,
    albedo: Float32,
    toward: Array,
) -> None:
    part = box.slices
    y, x = np.mgrid[box.y0 : box.y1, box.x0 : box.x1].astype(np.float32)
    (x0, y0), (x1, y1) = limb.ends_px.astype(np.float32)
    along = (x1 - x0, y1 - y0)
    length = along[0] ** 2 + along[1] ** 2 + 1e-6
    share = np.clip(((x - x0) * along[0] + (y - y0) * along[1]) / length, 0, 1)
    off_x, off_y = x - x0 - share * along[0], y - y0 - share * along[1]
    radius = limb.radii_px[0] + share * (limb.radii_px[1] - limb.radii_px[0])
    away = np.sqrt(off_x * off_x + off_y * off_y)
    inside = np.clip(radius - away + 0.5, 0, 1)
    bulge = np.sqrt(np.maximum(1 - (away / radius) ** 2, 0))
    bulk = limb.radii_mm[0] + share * (limb.radii_mm[1] - limb.radii_mm[0])
    top = limb.heights_mm[0] + share * (limb.heights_mm[1] - limb.heights_mm[0]) + bulk * bulge
    facing = (off_x * toward[0] + off_y * toward[1]) / radius + bulge * toward[2]
    shade = 0.42 + 0.62 * np.maximum(facing, 0)
    nearer = (inside > 0) & (top > depth[part])
    depth[part] = np.where(nearer & (inside > 0.5), top, depth[part])
    paint[part] = np.where(nearer[..., None], shade[..., None] * albedo, paint[part])
    cover[part] = np.maximum(cover[part], inside)


def _projected(model: CameraModel, capsule: Capsule, window: Window) -> _Limb:
    ends = np.vstack((capsule.start_mm, capsule.end_mm))
    radii = (capsule.start_radius_mm, capsule.end_radius_mm)
    depths = model.rotation_matrix[2] @ ends.T + model.translation_mm[2]
    px = (model.project(ends) - [window.x0, window.y0] + 0.5) / _REDUCED - 0.5
    scale = model.focal_px / np.maximum(depths, 50.0) / _REDUCED
    return _Limb(
        px,
        (float(radii[0] * scale[0]), float(radii[1] * scale[1])),
        (float(ends[0, 2]), float(ends[1, 2])),
        radii,
        capsule.cloth,
    )


def _light_direction(pose: HandPose, light: LocalLight) -> Array:
    """Where the light comes from in the picture's axes as seen from above, roughly: for shading."""
    direction = np.array([0.0, 0.0, 0.6])
    weight = float(light.ambient.mean()) * direction
    for lamp, part in light.lamps:
        towards = np.asarray(lamp.centre_mm) - np.asarray(pose.tip_mm)
        weight = weight + float(part.mean()) * towards / np.linalg.norm(towards)
    weight = weight * np.array([1.0, -1.0, 1.0])
    unit: Array = weight / float(np.linalg.norm(weight))
    return unit


def _outline_mm(capsule: Capsule) -> Array:
    """Points around both ends of a capsule, (16, 3)."""
    angle = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = np.column_stack((np.cos(angle), np.sin(angle), np.zeros(8)))
    return np.vstack(
        (
            capsule.start_mm + 1.1 * capsule.start_radius_mm * ring,
            capsule.end_mm + 1.1 * capsule.end_radius_mm * ring,
        )
    )


def _shadow_mm(capsule: Capsule, lamp_mm: tuple[float, float, float]) -> Array:
    """Convex outline, (n, 2), of a capsule's shadow on z = 0."""
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.column_stack((np.cos(angle), np.sin(angle)))
    rims = []
    for centre, radius in (
        (capsule.start_mm, capsule.start_radius_mm),
        (capsule.end_mm, capsule.end_radius_mm),
    ):
        share = centre[2] / max(lamp_mm[2] - centre[2], 20.0)
        foot = centre[:2] + share * (centre[:2] - np.asarray(lamp_mm[:2]))
        rims.append(foot + radius * (1 + share) * ring)
    hull = cv2.convexHull(np.vstack(rims).astype(np.float32))
    return np.asarray(hull[:, 0, :], dtype=float)


def _on_ground(points_mm: Array) -> Array:
    return np.column_stack((points_mm, np.zeros(len(points_mm))))


def _unshadowed(model: CameraModel, pose: HandPose, light: LocalLight, window: Window) -> Float32:
    """The share of its light that the ground keeps, (height, width, 3)."""
    size = (-(-window.width // _SHADOW_REDUCED), -(-window.height // _SHADOW_REDUCED))
    total = light.total + np.float32(1e-9)
    kept = np.ones((size[1], size[0], 3), dtype=np.float32)
    limbs = _imaged(model, pose)
    scale_px_mm = model.focal_px / max(model.position_mm[2], 50.0) / _SHADOW_REDUCED
    for lamp, part in light.lamps:
        mask = np.zeros((size[1], size[0]), dtype=np.uint8)
        shadows = [_shadow_mm(limb, lamp.centre_mm) for limb in limbs]
        outlines = model.project(_on_ground(np.vstack(shadows)))
        for px in np.split(outlines, np.cumsum([len(shadow) for shadow in shadows])[:-1]):
            small = (px - [window.x0, window.y0] + 0.5) / _SHADOW_REDUCED - 0.5
            corners = np.clip(np.round(small * 16), -(1 << 19), 1 << 19).astype(np.int32)
            cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, 4)
        height = float(np.mean([limb.start_mm[2] for limb in limbs]))
        soft = max(lamp.size_mm / lamp.centre_mm[2] * height * scale_px_mm * 0.4, 0.5)
        dark = cv2.GaussianBlur(mask.astype(np.float32) / 255.0, (0, 0), soft)
        kept -= dark[..., None] * (part / total)
        near = cv2.GaussianBlur(mask.astype(np.float32) / 255.0, (0, 0), 25 * scale_px_mm)
        kept -= 0.45 * near[..., None] * (light.ambient / total)
    full = (size[0] * _SHADOW_REDUCED, size[1] * _SHADOW_REDUCED)
    return _enlarged(np.maximum(kept, 0), full)[: window.height, : window.width]


def _enlarged(image: Float32, size: tuple[int, int]) -> Float32:
    large = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(large, dtype=np.float32)


def _smear(moved_px: tuple[float, float]) -> Float32 | None:
    """A kernel, at reduced size, of a straight uniform motion; None for less than half a pixel."""
    dx, dy = moved_px[0] / _REDUCED, moved_px[1] / _REDUCED
    reach = int(np.ceil(max(abs(dx), abs(dy)) / 2))
    if max(abs(dx), abs(dy)) < 0.5:
        return None
    kernel = np.zeros((2 * reach + 3, 2 * reach + 3), dtype=np.float32)
    for share in np.linspace(-0.5, 0.5, 4 * reach + 5):
        x, y = reach + 1 + share * dx, reach + 1 + share * dy
        column, row = int(np.floor(x)), int(np.floor(y))
        fx, fy = x - column, y - row
        kernel[row, column] += (1 - fx) * (1 - fy)
        kernel[row, column + 1] += fx * (1 - fy)
        kernel[row + 1, column] += (1 - fx) * fy
        kernel[row + 1, column + 1] += fx * fy
    kernel /= kernel.sum()
    return kernel
