"""The law of a free run, and the mean of a rest."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.umpire.rest import Point, mean_rest
from firmware.umpire.run import Sample, coasted, free_run, velocity
from firmware.umpire.sighting import Sighting
from tests.umpire.made_up import flicked, smooth

EXAMPLES = settings(max_examples=40, deadline=None, derandomize=True)
HOME: Point = (10.0, -20.0)


def sampled(path, end_s: float, fps: float, phase: float) -> tuple[list[Sample], float, float]:
    """Samples of the move that begins at 0, the last time at rest before and the first after."""
    times = [(n + phase) / fps for n in range(-3, int(end_s * fps) + 6)]
    before = [t for t in times if t <= 0][-1]
    after = next(t for t in times if t >= end_s)
    return [Sample(t, path(t), near=False) for t in times if 0 < t < after], before, after


@EXAMPLES
@given(
    way=st.floats(20, 450),
    friction=st.floats(600, 4000),
    fps=st.floats(24, 90),
    phase=st.floats(0, 1),
)
def test_a_flick_tells_its_start_and_its_friction(way, friction, fps, phase):
    end = (HOME[0] + 0.6 * way, HOME[1] + 0.8 * way)
    path, stop = flicked(HOME, end, 0.0, friction)
    samples, before, after = sampled(path, stop, fps, phase)
    run = free_run(samples, HOME, end, before, after)
    assert run is not None
    assert run.explained == 1.0
    if len(samples) >= 4:
        assert run.deceleration_mm_s2 == pytest.approx(friction, rel=0.02)
        assert run.started_at == pytest.approx(0.0, abs=0.01)
        assert run.stopped_at == pytest.approx(stop, abs=0.01)


@EXAMPLES
@given(way=st.floats(60, 400), lasts=st.floats(0.4, 1.2), phase=st.floats(0, 1))
def test_a_hands_move_is_no_free_run_from_its_start(way, lasts, phase):
    end = (HOME[0] + way, HOME[1])
    samples, before, after = sampled(smooth(HOME, end, 0.0, lasts), lasts, 30.0, phase)
    run = free_run(samples, HOME, end, before, after)
    assert run is None or run.explained < 0.9


def test_a_path_that_turns_back_is_no_run():
    samples = [Sample(0.05 * n, (10.0 * n if n < 5 else 80.0 - 8 * n, 0.0), False) for n in range(9)]
    assert free_run(samples, (-5.0, 0.0), (200.0, 0.0), -0.05, 0.5) is None


def test_a_coasting_ball_stops_and_stays():
    samples = [Sample(0.01 * n, (10.0 * n, 0.0), False) for n in range(5)]
    assert velocity(samples) == pytest.approx((1000.0, 0.0))
    assert coasted(samples, 100.0, 1000.0) == pytest.approx((40.0 + 500.0, 0.0))
    assert coasted(samples[:1], 1.0, 1000.0) == (0.0, 0.0)


def test_samples_of_one_instant_tell_no_velocity():
    samples = [Sample(1.0, (0.0, 0.0), False), Sample(1.0, (4.0, 1.0), False)]
    assert velocity(samples) == (0.0, 0.0)
    assert coasted(samples, 1.0, 1000.0) == (4.0, 1.0)


def sighting(x: float, y: float, sigma: float) -> Sighting:
    return Sighting((x, y), (x, y), sigma, sigma, 30.0, 0.9)


def test_one_frame_is_its_own_mean():
    rest = mean_rest([sighting(5.0, 6.0, 0.04)], 1.0, 1.0, (0.0, 0.0))
    assert rest.dot_px == (5.0, 6.0)
    assert rest.dot_sigma_px == pytest.approx(0.04)


def test_noise_is_averaged_and_what_frames_share_is_not():
    random = np.random.default_rng(4)
    noisy = [sighting(*(random.normal(100, 0.05, 2)), 0.05) for _ in range(24)]
    same = [sighting(100.0, 100.0, 0.05)] * 24
    of_noise = mean_rest(noisy, 0.0, 1.0, (0.0, 0.0)).dot_sigma_px
    assert 0.05 / math.sqrt(24) < of_noise < 0.03
    assert mean_rest(same, 0.0, 1.0, (0.0, 0.0)).dot_sigma_px == pytest.approx(0.05)


def test_a_shaded_frame_does_not_pull_the_mean():
    good = [sighting(50.0, 50.0, 0.03)] * 9
    rest = mean_rest([*good, sighting(51.5, 50.0, 0.03)], 0.0, 1.0, (0.0, 0.0))
    assert rest.dot_px == pytest.approx((50.0, 50.0))
