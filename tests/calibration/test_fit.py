"""Fits on made-up measurements: no picture, so that truth and noise are exact."""

import numpy as np
import pytest

from calibration.fit import KNOWN_FOCAL_SIGMA, UNKNOWN_FOCAL_SIGMA, Fitted, camera_prior, fit, fit_along_focal
from calibration.lines import Expected, LineSamples, expect
from calibration.parameters import Layout
from calibration.refine import samples_of
from tests.calibration.scenes import CLASSIC, errors_mm, layout_of, scene

SIZE = (1456, 1088)


def measured(
    truth: Layout, start: Layout, noise_px: float, seed: int
) -> tuple[LineSamples, Expected, np.ndarray]:
    """What a perfect reading of the truth's lines would say of the start, with noise."""
    samples = samples_of(CLASSIC)
    expected, real = expect(start, samples), expect(truth, samples)
    offset = np.einsum("ni,ni->n", real.at_px - expected.at_px, expected.normal_px)
    noise = np.random.default_rng(seed).normal(0, noise_px, len(offset))
    return samples, expected, offset + noise


def nudged(truth: Layout, seed: int, focal_factor: float = 1.0) -> Layout:
    rng = np.random.default_rng(seed)
    vector = truth.vector()
    vector[0] += np.log(focal_factor)
    vector[12] += np.log(focal_factor)
    vector[9:12] += rng.normal(0, (0.001, 1.0, 1.0))
    vector[3:7] *= 0.8
    vector[13:] = 0.0
    return Layout.from_vector(vector)


def fitted(seed: int, focal_error: float | None, noise_px: float = 0.05) -> tuple[Layout, Fitted]:
    truth = layout_of(scene(seed))
    factor = 1.0 + (focal_error or 0.0) if focal_error is not None else 1.25
    start = nudged(truth, seed, factor)
    sigma = KNOWN_FOCAL_SIGMA if focal_error is not None else UNKNOWN_FOCAL_SIGMA
    prior = camera_prior(SIZE, start.camera.focal_px, sigma)
    samples, expected, offset = measured(truth, start, noise_px, seed)
    solve = fit if focal_error is not None else fit_along_focal
    return truth, solve(start, samples, expected, offset, np.full(len(offset), noise_px), prior)


@pytest.mark.parametrize("seed", [1, 2, 5, 8])
def test_without_noise_the_truth_is_found(seed: int) -> None:
    """These cameras are tilted by 4 degrees or more: straight above, the prior of the axis shows."""
    truth, result = fitted(seed, 0.0, noise_px=1e-4)
    assert errors_mm(truth, result.layout, 6.0).max() < 0.01
    assert result.inlier.all()


@pytest.mark.parametrize("seed", [1, 8, 9])
def test_a_tilted_camera_tells_its_focal_length(seed: int) -> None:
    """From a start that is 25 % off, along the valley; these scenes are tilted by 11 degrees."""
    truth, result = fitted(seed, None)
    log_error = np.log(result.layout.camera.focal_px / truth.camera.focal_px)
    assert abs(log_error) < 3 * np.sqrt(result.covariance[0, 0]) < 0.3


def test_the_covariance_holds_what_it_promises() -> None:
    """Over noises and focal errors, errors over their standard deviation must look like it."""
    ratios = []
    rng = np.random.default_rng(11)
    for seed in range(6):
        truth, result = fitted(seed, float(np.clip(rng.normal(0, 0.006), -0.01, 0.01)))
        point = np.array([[200.0, 90.0]])
        pixel = truth.project("B", point, 6.0)
        placed = result.layout.half("B").to_printed(result.layout.camera.locate(pixel, 6.0))
        _, by_parameters, by_printed = result.layout.jacobian("B", point, 6.0)
        slope = -np.linalg.solve(by_printed[0], by_parameters[0])
        spread = slope @ result.covariance @ slope.T
        ratios.append((placed - point)[0] @ np.linalg.solve(spread, (placed - point)[0]))
    assert np.mean(ratios) < 4.0
    assert max(ratios) < 12.0


def test_a_tenth_of_wild_readings_does_no_harm() -> None:
    truth = layout_of(scene(2))
    start = nudged(truth, 2)
    samples, expected, offset = measured(truth, start, 0.03, 2)
    wild = np.random.default_rng(0).random(len(offset)) < 0.1
    offset[wild] += 1.5
    prior = camera_prior(SIZE, truth.camera.focal_px, KNOWN_FOCAL_SIGMA)
    result = fit(start, samples, expected, offset, np.full(len(offset), 0.05), prior)
    assert errors_mm(truth, result.layout, 6.0).max() < 0.05
    assert not result.inlier[wild].any()


def test_only_what_is_free_moves() -> None:
    truth = layout_of(scene(2))
    start = nudged(truth, 2)
    samples, expected, offset = measured(truth, start, 0.03, 2)
    free = np.zeros(19, dtype=bool)
    free[7:13] = True
    prior = camera_prior(SIZE, truth.camera.focal_px, KNOWN_FOCAL_SIGMA)
    result = fit(start, samples, expected, offset, np.full(len(offset), 0.05), prior, free=free)
    assert result.layout.vector()[~free] == pytest.approx(start.vector()[~free], abs=1e-9)
    assert (result.layout.vector()[free] != start.vector()[free]).all()
