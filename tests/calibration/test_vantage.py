"""Where a camera hangs, by plain geometry; and what it is said to tell from there, by a calibration."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.calibrate import calibrate
from calibration.edition import load_edition
from calibration.vantage import Vantage, lowest_vantage
from hardware.simulated.renderer import render_still
from hardware.simulated.scene import HalfShift
from tests.calibration.scenes import CLASSIC, scene

SIZE = (1456, 1088)


def hung(tilt_deg: float, margin_mm: float = 20.0, focal_px: float = 1750.0) -> Vantage:
    return lowest_vantage(CLASSIC, SIZE, lambda _: focal_px, tilt_deg=tilt_deg, margin_mm=margin_mm)


def outline_px(vantage: Vantage, margin_mm: float) -> np.ndarray:
    (x0, x1), (y0, y1) = vantage.edition.extent_x_mm, vantage.edition.extent_y_mm
    xs, ys = (x0 - margin_mm, x1 + margin_mm), (y0 - margin_mm, y1 + margin_mm)
    return vantage.camera.project([(x, y, 0.0) for x in xs for y in ys])


def test_straight_above_it_is_similar_triangles() -> None:
    vantage = hung(0.0)
    # 540 mm in 1455 px and 390 mm in 1087 px of a lens of 1750 px: the length decides.
    assert vantage.height_mm == pytest.approx(540.0 * 1750.0 / 1455.0)
    assert vantage.foot_mm == pytest.approx((0.0, 50.0))
    assert vantage.distance_mm == pytest.approx(vantage.height_mm)
    assert vantage.mm_per_px() == pytest.approx((540.0 / 1455.0, 540.0 / 1455.0))
    # The ball's top is magnified about the foot, whose furthest corner of the court is (220, -102).
    away = np.hypot(220.0, 152.0)
    assert vantage.parallax_mm() == pytest.approx(away * 6.0 / (vantage.height_mm - 6.0))
    assert vantage.depths_mm() == pytest.approx((vantage.height_mm - 6.0, vantage.height_mm))


@given(st.floats(0.0, 12.0), st.floats(0.0, 100.0), st.floats(700.0, 5000.0))
@settings(max_examples=60)
def test_all_is_in_the_picture_and_nothing_lower_would_do(
    tilt_deg: float, margin_mm: float, focal_px: float
) -> None:
    vantage = hung(tilt_deg, margin_mm, focal_px)
    edges = np.array(SIZE) - 1.0
    outline = outline_px(vantage, margin_mm)
    assert (outline >= -1e-6).all()
    assert (outline <= edges + 1e-6).all()
    # One of the sides is filled from edge to edge, so that a camera nearer by a hair loses a corner.
    filled = (outline.min(axis=0) < 1e-6) & (outline.max(axis=0) > edges - 1e-6)
    assert filled.any()
    # It is tilted as asked, and hangs towards the scorers of the point it looks at.
    looks = -vantage.camera.rotation_matrix[2]
    assert np.degrees(np.arccos(looks[2])) == pytest.approx(tilt_deg, abs=1e-5)
    assert looks[1] == pytest.approx(np.sin(np.radians(tilt_deg)), abs=1e-9)


def test_the_lens_is_focused_on_the_board_it_hangs_over() -> None:
    asked: list[float] = []

    def focal_px_at(distance_mm: float) -> float:
        asked.append(distance_mm)
        return 1740.0 * distance_mm / (distance_mm - 6.0)

    vantage = lowest_vantage(CLASSIC, SIZE, focal_px_at, tilt_deg=8.0, margin_mm=20.0)
    assert asked[-1] == pytest.approx(vantage.distance_mm, abs=1e-3)
    at = vantage.camera.locate([np.array(vantage.camera.centre_px)])[0]
    assert vantage.distance_mm == pytest.approx(
        float(np.linalg.norm(vantage.camera.position_mm - [*at, 0.0])), abs=1e-3
    )


def test_a_board_twice_as_large_wants_twice_the_height() -> None:
    maxi = load_edition("maxi")
    large = lowest_vantage(maxi, SIZE, lambda _: 1750.0, tilt_deg=5.0, margin_mm=40.0)
    assert large.height_mm == pytest.approx(2 * hung(5.0, 20.0).height_mm)


def test_tilt_tells_the_focal_length_and_a_known_one_hardly_needs_it() -> None:
    """The table that all advice on mounting rests on: what a lens's figure and a tilt are worth."""
    unknown = [hung(tilt).corner_sigma_mm(0.35) for tilt in (0.0, 2.0, 5.0, 10.0)]
    known = [hung(tilt).corner_sigma_mm(0.01) for tilt in (0.0, 2.0, 5.0, 10.0)]
    assert sorted(unknown, reverse=True) == unknown
    assert unknown[0] > 0.5
    assert unknown[3] < 0.12
    assert known[1] < known[0] < 0.09
    assert max(known[1:]) < 0.045


@pytest.mark.parametrize("known", [True, False])
def test_a_calibration_from_there_is_as_good_as_was_said(known: bool) -> None:
    """A picture is drawn from the vantage and calibrated; the covariance of the fit is what was foretold, but
    for the lines' true noise, which is better than what is reckoned with."""
    vantage = hung(8.0)
    drawn = replace(
        scene(5), camera=vantage.camera, size=SIZE, half_a=HalfShift(), half_b=HalfShift(), pawns=()
    )
    frame, _ = render_still(drawn, [], None, seed=5)
    found = calibrate(frame.image, CLASSIC, focal_px=vantage.camera.focal_px if known else None)
    corners = [(sign * 220.0, y) for sign in (-1, 1) for y in (-102.0, 102.0)]
    told = max(found.sigma_mm(found.half_at(corner), [corner], 6.0) for corner in corners)
    foretold = vantage.corner_sigma_mm(0.01 if known else 0.35)
    assert 0.4 * foretold < told < 1.4 * foretold
    assert found.model.position_mm[2] == pytest.approx(vantage.height_mm, rel=0.03 if known else 0.15)
