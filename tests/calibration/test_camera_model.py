import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera_model import CameraModel, rotation_vector

coordinates = st.floats(-250, 250)


@st.composite
def cameras(draw: st.DrawFn) -> CameraModel:
    tilt = np.radians(draw(st.floats(-12, 12)))
    spin = np.radians(draw(st.floats(-180, 180)))
    turned = cv2.Rodrigues(np.array([tilt, 0.0, 0.0]))[0]
    spun = cv2.Rodrigues(np.array([0.0, 0.0, spin]))[0]
    rotation = cv2.Rodrigues(turned @ spun @ np.diag([1.0, -1.0, -1.0]))[0].ravel()
    return CameraModel(
        draw(st.floats(1000, 2200)),
        (draw(st.floats(700, 750)), draw(st.floats(520, 570))),
        (
            draw(st.floats(-0.3, 0.1)),
            draw(st.floats(-0.02, 0.05)),
            draw(st.floats(-1e-3, 1e-3)),
            draw(st.floats(-1e-3, 1e-3)),
        ),
        (float(rotation[0]), float(rotation[1]), float(rotation[2])),
        (draw(st.floats(-40, 40)), draw(st.floats(-40, 40)), draw(st.floats(600, 800))),
    )


@given(cameras(), coordinates, coordinates, st.floats(-2, 30))
def test_locating_is_the_inverse_of_projecting(
    camera: CameraModel, x: float, y: float, height: float
) -> None:
    pixel = camera.project([[x, y, height]])
    assert camera.locate(pixel, height)[0] == pytest.approx([x, y], abs=1e-6)


@given(cameras(), coordinates, coordinates, st.floats(-2, 30))
def test_projects_as_opencv_does(camera: CameraModel, x: float, y: float, height: float) -> None:
    theirs, _ = cv2.projectPoints(
        np.array([[x, y, height]]),
        np.array(camera.rotation),
        np.array(camera.translation_mm),
        camera.matrix,
        np.array(camera.distortion),
    )
    assert camera.project([[x, y, height]])[0] == pytest.approx(theirs.ravel(), abs=1e-8)


@settings(max_examples=25)
@given(cameras(), coordinates, coordinates)
def test_a_circle_is_located_by_the_centre_of_its_image(camera: CameraModel, x: float, y: float) -> None:
    angle = np.linspace(0, 2 * np.pi, 2000, endpoint=False)
    ring = np.column_stack((x + 11 * np.cos(angle), y + 11 * np.sin(angle), np.full(2000, 6.0)))
    moments = cv2.moments(camera.project(ring).astype(np.float32).reshape(-1, 1, 2))
    centre = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
    assert camera.locate_circle(centre, 11.0, 6.0) == pytest.approx([x, y], abs=2e-3)


def test_a_ray_that_misses_the_board_is_nowhere() -> None:
    level = CameraModel(1000.0, (500.0, 500.0), (0, 0, 0, 0), (np.pi / 2, 0.0, 0.0), (0.0, 0.0, 100.0))
    assert np.isnan(level.locate([[500.0, 400.0], [500.0, 600.0]])).all(axis=1).any()


@given(cameras())
def test_a_rotation_vector_gives_its_matrix_back(camera: CameraModel) -> None:
    again = cv2.Rodrigues(np.array(rotation_vector(camera.rotation_matrix)))[0]
    assert again == pytest.approx(camera.rotation_matrix, abs=1e-12)


def test_a_hair_of_tilt_from_straight_down_is_not_lost() -> None:
    tilt = cv2.Rodrigues(np.array([3e-7, -2e-7, 0.0]))[0]
    matrix = tilt @ np.diag([1.0, -1.0, -1.0])
    assert cv2.Rodrigues(np.array(rotation_vector(matrix)))[0] == pytest.approx(matrix, abs=1e-12)
    assert rotation_vector(np.eye(3)) == (0.0, 0.0, 0.0)
