import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.parameters import COUNT, HalfShift, Layout
from calibration.profile import half_turned
from tests.calibration.test_camera_model import cameras

shifts = st.builds(HalfShift, st.floats(-1, 1), st.floats(-1, 1), st.floats(-0.01, 0.01))
layouts = st.builds(Layout, cameras(), shifts, shifts)
POINTS = np.array([[5.0, 5.0], [100.0, 50.0], [218.0, -100.0]])


@settings(max_examples=30)
@given(layouts)
def test_a_vector_says_all_of_a_layout(layout: Layout) -> None:
    again = Layout.from_vector(layout.vector())
    for half in ("A", "B"):
        assert again.project(half, POINTS, 6.0) == pytest.approx(layout.project(half, POINTS, 6.0), abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(layouts, st.sampled_from(["A", "B"]), st.floats(0, 20))
def test_slopes_are_those_of_the_projection(layout: Layout, half: str, height: float) -> None:
    pixels, by_parameters, by_printed = layout.jacobian(half, POINTS, height)  # type: ignore[arg-type]
    assert pixels == pytest.approx(layout.project(half, POINTS, height), abs=1e-9)  # type: ignore[arg-type]
    vector = layout.vector()
    for index in range(COUNT):
        step = np.zeros(COUNT)
        step[index] = 1e-6
        ahead = Layout.from_vector(vector + step).project(half, POINTS, height)  # type: ignore[arg-type]
        behind = Layout.from_vector(vector - step).project(half, POINTS, height)  # type: ignore[arg-type]
        slope = (ahead - behind) / 2e-6
        assert by_parameters[:, :, index] == pytest.approx(slope, rel=1e-5, abs=2e-4)
    for axis in (0, 1):
        move = np.eye(2)[axis] * 1e-4
        ahead = layout.project(half, POINTS + move, height)  # type: ignore[arg-type]
        behind = layout.project(half, POINTS - move, height)  # type: ignore[arg-type]
        slope = (ahead - behind) / 2e-4
        assert by_printed[:, :, axis] == pytest.approx(slope, rel=1e-5, abs=1e-5)


@given(shifts, st.floats(-250, 250), st.floats(-250, 250))
def test_printed_and_board_frames_are_inverse(shift: HalfShift, x: float, y: float) -> None:
    assert shift.to_printed(shift.to_board([[x, y]]))[0] == pytest.approx([x, y], abs=1e-9)


@settings(max_examples=30)
@given(layouts)
def test_half_a_turn_swaps_the_ends_and_twice_is_nothing(layout: Layout) -> None:
    turned = half_turned(layout)
    assert turned.project("A", -POINTS, 6.0) == pytest.approx(layout.project("B", POINTS, 6.0), abs=1e-6)
    assert turned.project("B", POINTS, 6.0) == pytest.approx(layout.project("A", -POINTS, 6.0), abs=1e-6)
    back = half_turned(turned)
    assert back.project("A", -POINTS) == pytest.approx(layout.project("A", -POINTS), abs=1e-6)
