"""The width of edges in any picture: steps whose blur is known, boards, and nothing."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.focus import edge_width_px
from tests.calibration.scenes import CLASSIC, picture, scene


def step(blur_px: float, noise: float = 0.0) -> np.ndarray:
    """Large dark squares on light, blurred in light and then coded, as a camera has it."""
    light = np.full((480, 640), 0.8)
    for y in range(40, 480, 160):
        for x in range(40, 640, 160):
            light[y : y + 80, x : x + 80] = 0.15
    soft = cv2.GaussianBlur(light, (0, 0), blur_px)
    levels = 255.0 * soft ** (1 / 2.2) + np.random.default_rng(1).normal(0.0, 1.0, light.shape) * noise
    grey = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("noise", [0.0, 2.0])
@pytest.mark.parametrize("blur_px", [0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0])
def test_the_blur_of_a_step_is_told(blur_px: float, noise: float) -> None:
    assert edge_width_px(step(blur_px, noise)) == pytest.approx(blur_px, rel=0.12, abs=0.1)


def test_a_board_in_focus_is_as_sharp_as_its_lines_tell() -> None:
    known = calibrate(picture(2), CLASSIC, focal_px=scene(2).camera.focal_px).blur_px
    assert edge_width_px(picture(2)) == pytest.approx(known, abs=0.3)


def test_the_number_falls_all_the_way_while_a_lens_is_turned_into_focus() -> None:
    widths = [
        edge_width_px(cv2.GaussianBlur(picture(2), (0, 0), blur_px) if blur_px else picture(2))
        for blur_px in (20.0, 14.0, 10.0, 7.0, 5.0, 3.0, 2.0, 1.4, 1.0, 0.6, 0.0)
    ]
    told = [width for width in widths if width is not None]
    assert len(told) == len(widths)
    assert all(after < before for before, after in pairwise(told))


@pytest.mark.parametrize("level", [0, 120, 255])
def test_a_picture_without_edges_tells_nothing(level: int) -> None:
    assert edge_width_px(np.full((300, 400, 3), level, np.uint8)) is None


def test_noise_is_no_edge() -> None:
    noise = np.random.default_rng(0).normal(120.0, 1.5, (600, 800, 3))
    assert edge_width_px(noise.astype(np.uint8)) is None


def test_a_tiny_picture_tells_nothing() -> None:
    assert edge_width_px(np.zeros((6, 6, 3), np.uint8)) is None
