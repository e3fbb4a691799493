"""The ball's shape at a pixel, held against the camera model's own projection of a circle."""

from dataclasses import replace

import numpy as np
import pytest

from firmware.errors import InputError
from firmware.umpire.ball_view import BallView
from tests.umpire.drawn_balls import BALL, SIZE, camera

STRONG = replace(camera(tilt_deg=10.0), focal_px=520.0, distortion=(-0.3, 0.06, 0.0, 0.0))


@pytest.mark.parametrize("at_mm", [(0.0, 0.0), (60.0, 30.0), (-70.0, 45.0), (40.0, -50.0)])
def test_the_shape_is_that_of_the_projected_rim(at_mm: tuple[float, float]) -> None:
    model = replace(STRONG, translation_mm=(2.0, -3.0, 300.0))
    outline = model.circle_px(at_mm, 11.0, BALL.height_mm)
    middle = outline.mean(axis=0)
    steps = outline - middle
    reach = np.hypot(steps[:, 0], steps[:, 1])
    shape = BallView.from_camera(model, BALL, SIZE).shape_at(*middle)
    assert np.allclose(shape.reach_px(steps / reach[:, None]), reach, rtol=0.01)
    assert shape.radius_px == pytest.approx(reach.mean(), rel=0.01)
    assert shape.dot_px == pytest.approx(shape.radius_px * 3 / 22)
    foot = model.circle_px(at_mm, 11.0, 0.0)
    assert np.allclose(foot.mean(axis=0) - middle, shape.foot_px, atol=0.1)
    foot_reach = np.hypot(*(foot - foot.mean(axis=0)).T)
    assert shape.foot_scale == pytest.approx(foot_reach.mean() / reach.mean(), abs=0.005)


def test_a_lens_that_folds_over_in_the_corners_spoils_the_corners_only() -> None:
    folded = replace(
        camera(tilt_deg=0.0),
        focal_px=300.0,
        distortion=(-0.35, 0.0, 0.0, 0.0),
        translation_mm=(0.0, 0.0, 110.0),
    )
    view = BallView.from_camera(folded, BALL, SIZE)
    assert np.isfinite(view.nodes).all()
    middle = folded.project([[0.0, 0.0, BALL.height_mm]])[0]
    outline = folded.circle_px((0.0, 0.0), 11.0, BALL.height_mm) - middle
    assert view.shape_at(*middle).radius_px == pytest.approx(np.hypot(*outline.T).mean(), rel=0.01)


def test_a_camera_that_looks_elsewhere_is_refused() -> None:
    sideways = replace(camera(), rotation=(0.0, np.pi / 2, 0.0))
    with pytest.raises(InputError, match="calibrate again"):
        BallView.from_camera(sideways, BALL, SIZE)


def test_the_region_is_on_the_board_not_in_the_picture() -> None:
    square = [[-80, -60], [80, -60], [80, 60], [-80, 60]]
    model = replace(STRONG, translation_mm=(2.0, -3.0, 300.0))
    view = BallView.from_camera(model, BALL, SIZE, square)
    for at_mm in [(0, 0), (77, 0), (77, 57), (-77, -57), (0, -57)]:
        assert view.holds(*model.project([[*at_mm, BALL.height_mm]])[0])
    for at_mm in [(83, 0), (83, 57), (0, 63), (-83, -63)]:
        assert not view.holds(*model.project([[*at_mm, BALL.height_mm]])[0])
