"""The cameras' figures against their documentation, and the lens formulas against each other."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import OpticsError
from hardware.optics import (
    CAMERAS,
    CameraModule,
    blur_mm,
    camera_module,
    f_number_for,
    focal_px,
    hyperfocal_mm,
    image_distance_mm,
    lens_of,
    usual_distance_mm,
)

lenses = st.floats(2.0, 50.0)
distances = st.floats(200.0, 3000.0)


def named(sensor: str) -> CameraModule:
    camera = camera_module(sensor)
    assert camera is not None
    return camera


def angle_deg(camera: CameraModule, lens_mm: float | None, side: int) -> float:
    """The angle of view far away, along the width (0) or height (1)."""
    pixels = camera.array_px
    focal = focal_px(camera, lens_mm, pixels[0], 1e9)
    return 2 * math.degrees(math.atan(pixels[side] / 2 / focal))


@pytest.mark.parametrize(
    ("sensor", "lens_mm", "wide", "high", "within"),
    [
        # Raspberry Pi's documentation, "Hardware Specification" and "Recommended Lenses".
        ("imx296", 6.0, 45.0, 34.0, 0.8),
        ("imx296", 16.0, 17.8, 13.4, 0.1),
        ("imx477", 16.0, 22.2, 16.7, 0.1),
        ("imx219", None, 62.2, 48.8, 0.2),
        ("imx708", None, 66.0, 41.0, 2.6),
        ("imx708_wide", None, 102.0, 67.0, 3.0),
    ],
)
def test_angles_of_view_are_the_documentation_s(
    sensor: str, lens_mm: float | None, wide: float, high: float, within: float
) -> None:
    camera = named(sensor)
    assert angle_deg(camera, lens_mm, 0) == pytest.approx(wide, abs=within)
    assert angle_deg(camera, lens_mm, 1) == pytest.approx(high, abs=within)


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.sensor)
def test_every_mode_shows_the_whole_array(camera: CameraModule) -> None:
    for mode in camera.modes:
        across, down = camera.array_px[0] / mode.width, camera.array_px[1] / mode.height
        assert across == down == round(across)
    assert camera.play_mode.fps >= 30
    assert camera.play_mode.width <= 2400


def test_sensors_without_a_filter_are_the_same_camera() -> None:
    assert camera_module("imx708_wide_noir") is named("imx708_wide")
    assert camera_module("imx708_noir") is named("imx708")
    assert camera_module("imx296_mono") is named("imx296")
    assert camera_module("ov5647") is None
    assert camera_module("") is None


def test_a_binned_picture_has_half_the_focal_length() -> None:
    camera = named("imx708")
    assert focal_px(camera, None, 2304) == pytest.approx(focal_px(camera, None, 4608) / 2)


@pytest.mark.parametrize(
    ("sensor", "lens_mm", "height_mm"),
    [("imx296", 6.0, 663), ("imx296", 16.0, 1746), ("imx477", 8.0, 707), ("imx708", None, 512)],
)
def test_the_usual_distance_is_from_where_the_whole_board_is_seen(
    sensor: str, lens_mm: float | None, height_mm: float
) -> None:
    """As `setmatch camera-height` has it, in hardware/README.md."""
    camera = named(sensor)
    assert usual_distance_mm(camera, lens_mm) == pytest.approx(height_mm, rel=0.02)
    near = focal_px(camera, lens_mm, 1456)
    assert near == pytest.approx(focal_px(camera, lens_mm, 1456, height_mm), rel=0.001)


def test_focusing_near_lengthens_the_focal_length() -> None:
    # 6 mm at 600 mm: 6 * 600 / 594 = 6.0606 mm; over 3.45 um.
    assert focal_px(named("imx296"), 6.0, 1456, 600.0) == pytest.approx(1756.7, abs=0.1)
    assert focal_px(named("imx296"), 6.0, 1456, 1e9) == pytest.approx(1739.1, abs=0.1)


@given(lenses, distances)
def test_image_and_object_are_conjugate(lens_mm: float, distance_mm: float) -> None:
    image = image_distance_mm(lens_mm, distance_mm)
    assert 1 / image + 1 / distance_mm == pytest.approx(1 / lens_mm)


def test_a_thing_in_the_lens_is_never_sharp() -> None:
    with pytest.raises(OpticsError, match="further away"):
        image_distance_mm(16.0, 16.0)


def test_a_lens_is_named_where_it_is_exchanged_and_nowhere_else() -> None:
    assert lens_of(named("imx708"), None) == 4.74
    assert lens_of(named("imx708"), 4.7) == 4.74
    assert lens_of(named("imx296"), 8.0) == 8.0
    with pytest.raises(OpticsError, match="leave the lens out"):
        lens_of(named("imx708"), 6.0)
    with pytest.raises(OpticsError, match="no lens of its own"):
        lens_of(named("imx477"), None)
    for absurd in (0.0, -6.0, 0.006, 600.0, math.nan, math.inf):
        with pytest.raises(OpticsError, match="1 to 100"):
            lens_of(named("imx477"), absurd)


def drawn_blur_mm(lens_mm: float, f_number: float, focus_mm: float, point_mm: float) -> float:
    """By similar triangles behind the lens: the cone to the point's image, cut by the sensor."""
    aperture = lens_mm / f_number
    sensor, image = image_distance_mm(lens_mm, focus_mm), image_distance_mm(lens_mm, point_mm)
    return aperture * abs(sensor - image) / image


@given(lenses, st.floats(1.0, 16.0), distances, distances)
def test_blur_is_the_cone_behind_the_lens(
    lens_mm: float, f_number: float, focus_mm: float, point_mm: float
) -> None:
    drawn = drawn_blur_mm(lens_mm, f_number, focus_mm, point_mm)
    assert blur_mm(lens_mm, f_number, focus_mm, point_mm) == pytest.approx(drawn, rel=1e-6, abs=1e-9)
    far_away = drawn_blur_mm(lens_mm, f_number, 1e12, point_mm)
    assert blur_mm(lens_mm, f_number, math.inf, point_mm) == pytest.approx(far_away, rel=1e-6)


@given(lenses, distances, st.floats(1.0, 100.0), st.floats(0.001, 0.02))
def test_both_ends_are_as_sharp_as_asked(
    lens_mm: float, near_mm: float, depth_mm: float, blur_mm: float
) -> None:
    far_mm = near_mm + depth_mm
    number, focus = f_number_for(lens_mm, near_mm, far_mm, blur_mm)
    for end in (near_mm, far_mm):
        assert drawn_blur_mm(lens_mm, number, focus, end) == pytest.approx(blur_mm, rel=1e-6)
    assert drawn_blur_mm(lens_mm, number, focus, (near_mm + far_mm) / 2) < blur_mm


def test_a_plane_is_sharp_at_any_aperture() -> None:
    assert f_number_for(6.0, 600.0, 600.0, 0.003) == (0.0, 600.0)


@given(lenses, st.floats(1.0, 16.0), st.floats(0.001, 0.02))
def test_beyond_half_the_hyperfocal_distance_all_is_sharp(
    lens_mm: float, f_number: float, blur_mm: float
) -> None:
    focus = hyperfocal_mm(lens_mm, f_number, blur_mm)
    assert drawn_blur_mm(lens_mm, f_number, focus, 1e12) == pytest.approx(blur_mm, rel=1e-4)
    assert drawn_blur_mm(lens_mm, f_number, focus, focus / 2) <= blur_mm * (1 + 1e-9)
