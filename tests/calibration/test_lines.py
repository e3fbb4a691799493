"""Lines drawn by the error function, averaged over each pixel: edges are exact."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera_model import Array
from calibration.lines import Expected, LineSamples, find_coarsely, measure, sample_lines
from calibration.sampling import Grey, sample
from tests.calibration.scenes import CLASSIC

HEIGHT, WIDTH, FINE = 90, 90, 5


_erf = np.frompyfunc(math.erf, 1, 1)


def step(away: Array) -> Array:
    """The share of light right of an edge, `away` in standard deviations of the blur."""
    return np.asarray(0.5 * (1.0 + _erf(away / math.sqrt(2.0)).astype(float)))


def drawn(middle: float, slope: float, width: float, levels: tuple[float, float, float], blur: float) -> Grey:
    """A stroke whose middle is at row `middle + slope * column`: above, stroke, below have `levels`."""
    rows = (np.arange(HEIGHT * FINE) + 0.5) / FINE - 0.5
    away = (rows[:, None] - middle - slope * np.arange(WIDTH)[None, :]) / np.hypot(1, slope)
    above, stroke, below = levels
    fine = above + (stroke - above) * step((away + width / 2) / blur)
    fine += (below - stroke) * step((away - width / 2) / blur)
    return np.asarray(fine.reshape(HEIGHT, FINE, WIDTH).mean(axis=1), dtype=np.float32)


def along(middle: float, slope: float, width: float, count: int = 40) -> tuple[Expected, LineSamples]:
    column = np.linspace(20, WIDTH - 20, count)
    normal = np.array([-slope, 1.0]) / np.hypot(1, slope)
    at = np.column_stack((column, middle + slope * column))
    flags = np.ones(count, dtype=bool)
    expected = Expected(at, np.tile(normal, (count, 1)), np.full(count, width), np.ones(count))
    zeros = np.zeros(count)
    line = zeros.astype(np.intp)
    samples = LineSamples(at, expected.normal_px, zeros + width, zeros + 20, flags, ~flags, line)
    return expected, samples


@settings(max_examples=25, deadline=None)
@given(
    st.floats(44, 46),
    st.floats(-0.25, 0.25),
    st.floats(2.5, 9),
    st.floats(0.5, 1.6),
    st.floats(-0.8, 0.8),
    st.floats(20, 80),
    st.floats(20, 80),
)
def test_the_middle_is_found_whatever_lies_beside(
    middle: float, slope: float, width: float, blur: float, off: float, above: float, below: float
) -> None:
    picture = drawn(middle, slope, width, (above, 200.0, below), blur)
    expected, samples = along(middle - off * np.hypot(1, slope), slope, width)
    measured = measure(picture, expected, samples, 1.0)
    assert measured.seen.all()
    error = measured.offset_px - off
    assert error.mean() == pytest.approx(0.0, abs=0.01)
    assert np.abs(error).max() < 0.05


def test_the_noise_of_a_middle_is_told() -> None:
    rng = np.random.default_rng(3)
    clean = drawn(45.3, 0.1, 3.0, (40.0, 180.0, 60.0), 0.8)
    expected, samples = along(45.0, 0.1, 3.0)
    errors, told = [], []
    for _ in range(60):
        noisy = (clean + rng.normal(0, 4, clean.shape)).astype(np.float32)
        measured = measure(noisy, expected, samples, 1.0, 0.8)
        errors.append(measured.offset_px[::4] - 0.3 / np.hypot(1, 0.1))
        told.append(measured.sigma_px[::4])
    ratio = np.std(errors) / np.median(told)
    assert 0.7 < ratio < 1.4


def test_a_step_between_two_grounds_is_no_line() -> None:
    picture = drawn(45.0, 0.0, 4.0, (40.0, 120.0, 120.0), 0.8)
    expected, samples = along(45.0, 0.0, 4.0)
    assert not find_coarsely(picture, expected, 6.0)[2].any()
    stroke = drawn(48.0, 0.0, 4.0, (40.0, 160.0, 100.0), 0.8)
    offset, _, found = find_coarsely(stroke, expected, 6.0)
    assert found.all()
    assert offset == pytest.approx(3.0, abs=0.6)
    assert len(samples) == len(offset)


def test_a_dark_stroke_is_no_court_line_but_may_be_a_zone_line() -> None:
    picture = drawn(45.0, 0.0, 3.0, (120.0, 40.0, 120.0), 0.8)
    expected, samples = along(45.0, 0.0, 3.0)
    assert not measure(picture, expected, samples, 1.0).seen.any()
    zone = LineSamples(
        samples.at_mm,
        samples.normal,
        samples.width_mm,
        samples.clear_mm,
        np.zeros(len(samples), bool),
        samples.is_b,
        samples.line,
    )
    assert measure(picture, expected, zone, 1.0).seen.all()


def test_samples_keep_off_vertices_and_other_strokes() -> None:
    lines = CLASSIC.printed_lines
    samples = sample_lines(lines, 1.5)
    assert len(samples) > 1500
    assert samples.clear_mm.min() > 1.5
    for index in np.unique(samples.line):
        line = lines[index]
        corners = np.asarray(line.points_mm, dtype=float)
        here = samples.at_mm[samples.line == index]
        apart = np.hypot(*(here[:, None] - corners[None]).transpose(2, 0, 1))
        assert apart.min() >= 3.0 - 1e-9
        assert line.kind != "net"


def test_sampling_is_exact_on_a_quadratic_and_nowhere_outside() -> None:
    y, x = np.mgrid[0:12, 0:12].astype(np.float32)
    picture = (0.3 * x * x - x * y + 2 * y).astype(np.float32)
    at_x, at_y = np.array([4.3, 6.75]), np.array([5.1, 3.25])
    assert sample(picture, at_x, at_y) == pytest.approx(0.3 * at_x**2 - at_x * at_y + 2 * at_y, abs=1e-4)
    assert np.isnan(sample(picture, np.array([-1.0, 11.5]), np.array([5.0, 5.0]))).all()
