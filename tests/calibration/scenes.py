"""Cameras over boards for the calibration tests, drawn by the simulated rig's renderer."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import Array
from calibration.edition import Edition, load_edition
from calibration.parameters import HalfShift, Layout
from hardware.simulated.random_scenes import random_ball, random_hand, random_scene
from hardware.simulated.renderer import render_still
from hardware.simulated.scene import Scene

CLASSIC = load_edition("classic")


def layout_of(scene: Scene) -> Layout:
    """What a perfect calibration of the scene would say."""

    def shift(half: "object") -> HalfShift:
        dx, dy, turn = half.dx_mm, half.dy_mm, half.turn_deg  # type: ignore[attr-defined]
        return HalfShift(dx, dy, float(np.radians(turn)))

    return Layout(scene.camera, shift(scene.half_a), shift(scene.half_b))


@lru_cache(maxsize=16)
def scene(seed: int) -> Scene:
    return random_scene(seed, edition=CLASSIC)


@lru_cache(maxsize=16)
def picture(seed: int, *, hand: bool = False) -> NDArray[np.uint8]:
    drawn = scene(seed)
    over = random_hand(drawn, seed) if hand else None
    frame, _ = render_still(drawn, [random_ball(drawn, seed)], over, seed=seed)
    return frame.image


def grid_mm() -> Array:
    """Points all over the half x > 0."""
    x, y = np.meshgrid(np.linspace(5, 240, 9), np.linspace(-115, 115, 9))
    return np.column_stack((x.ravel(), y.ravel()))


def errors_mm(truth: Layout, layout: Layout, height_mm: float) -> Array:
    """How far (n,) `layout` puts points of both halves that `truth` shows it."""
    away = []
    for half, points in (("A", -grid_mm()), ("B", grid_mm())):
        pixels = truth.project(half, points, height_mm)  # type: ignore[arg-type]
        board = layout.camera.locate(pixels, height_mm)
        away.append(layout.half(half).to_printed(board) - points)  # type: ignore[arg-type]
    apart = np.concatenate(away)
    return np.asarray(np.hypot(apart[:, 0], apart[:, 1]))


def edition() -> Edition:
    return CLASSIC
