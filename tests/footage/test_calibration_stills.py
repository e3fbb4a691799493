"""The eight stills of the empty board: the fitted model against the camera that rendered them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.edition import load_edition
from calibration.profile import Calibration
from tests.shared import Truth, focal_px, picture, shared_footage, true_layout, truth_of

EDITION = load_edition("classic")
NAMES = tuple(f"cal{number:02}" for number in range(8))
HALVES: tuple[tuple[Literal["A", "B"], float], ...] = (("A", -1.0), ("B", 1.0))
HEIGHTS_MM = (0.0, EDITION.ball.height_mm)


@dataclass(frozen=True)
class Still:
    name: str
    truth: Truth
    calibration: Calibration


def places(side: float) -> np.ndarray:
    """A grid over one half of the court and somewhat beyond, mm in its printed frame."""
    x, y = np.meshgrid(np.linspace(5.0, 225.0, 12), np.linspace(-120.0, 120.0, 9))
    return side * np.column_stack((x.ravel(), y.ravel()))


def errors(still: Still, height_mm: float) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Half, error in mm and standard deviation of each place of the grid, seen by the true camera."""
    truth = true_layout(still.truth)
    fitted = still.calibration
    for half, side in HALVES:
        printed = places(side)
        seen_px = truth.project(half, printed, height_mm)
        on_board = fitted.model.locate(seen_px, height_mm)
        off = fitted.layout.half(half).to_printed(on_board) - printed
        sigma = [fitted.sigma_mm(half, place, height_mm) for place in printed]
        yield half, np.hypot(off[:, 0], off[:, 1]), np.array(sigma)


def calibrated(path: Path, focal: float | None) -> Still:
    return Still(path.stem, truth_of(path), calibrate(picture(path), EDITION, focal_px=focal))


@pytest.fixture(scope="module", params=NAMES)
def known(request: pytest.FixtureRequest) -> Still:
    path = shared_footage("calibration", f"{request.param}.jpg")
    off_by = np.random.default_rng(NAMES.index(request.param)).uniform(-0.01, 0.01)
    return calibrated(path, focal_px(path, off_by))


@pytest.fixture(scope="module", params=NAMES)
def unknown(request: pytest.FixtureRequest) -> Still:
    return calibrated(shared_footage("calibration", f"{request.param}.jpg"), None)


def test_points_all_over_the_board_are_placed(known: Still) -> None:
    for height in HEIGHTS_MM:
        for half, off, sigma in errors(known, height):
            rms = float(np.sqrt(np.mean(off**2)))
            print(
                f"{known.name} {half} z={height:.0f}: rms {rms:.4f}, worst {off.max():.4f}, "
                f"sigma {sigma.mean():.4f} mm"
            )
            assert rms <= 0.05
            assert (off <= 3 * sigma).mean() >= 0.99


def test_side_a_is_found_where_the_scorer_says(known: Still) -> None:
    """Half a turn would place every point on the other half, so one point tells."""
    ahead = true_layout(known.truth).project("B", [[100.0, 30.0]])
    at = known.calibration.model.locate(ahead)[0]
    assert np.hypot(*(at - (100.0, 30.0))) < 2.0
    assert not [text for text in known.calibration.warnings if "side A" in text]


def test_halves_that_do_not_meet_are_warned_of(known: Still) -> None:
    truth = true_layout(known.truth)
    ends = [[0.0, -EDITION.court.doubles_mm], [0.0, EDITION.court.doubles_mm]]
    apart = truth.half_b.to_board(ends) - truth.half_a.to_board(ends)
    most = float(np.hypot(apart[:, 0], apart[:, 1]).max())
    if abs(most - 0.5) < 0.05:
        pytest.skip(f"{most:.3f} mm is too near half a millimetre for a picture to decide")
    warned = [text for text in known.calibration.warnings if "do not meet" in text]
    assert len(warned) == (most > 0.5), most
    for text in warned:
        told = float(text.split("up to ")[1].split()[0])
        assert abs(told - most) < 0.1


def test_the_fit_says_how_good_it_is(known: Still) -> None:
    fitted = known.calibration
    assert 0.0 < fitted.residual_px < 0.1
    assert 0.0 < fitted.residual_mm < 0.05
    assert len(fitted.regions) == 6
    for region in fitted.regions:
        assert region.places >= 30, region
        assert region.rms_px < 0.15, region
    assert fitted.focal_known


@pytest.mark.timeout(600)
def test_an_unknown_lens_costs_certainty_and_says_so(unknown: Still) -> None:
    fitted = unknown.calibration
    assert not fitted.focal_known
    for height in HEIGHTS_MM:
        for half, off, sigma in errors(unknown, height):
            print(
                f"{unknown.name} {half} z={height:.0f}: rms {np.sqrt(np.mean(off**2)):.4f}, "
                f"sigma {sigma.mean():.4f} mm, f {fitted.model.focal_px / focal_of(unknown):.3f} of true"
            )
            assert (off <= 3 * sigma).mean() >= 0.99
    # On the paper itself the lens hardly matters; a ball's height is where it does.
    corner = [218.0, 100.0]
    ball = EDITION.ball.height_mm
    assert fitted.sigma_mm("B", corner, ball) > fitted.sigma_mm("B", corner, 0.0)


def focal_of(still: Still) -> float:
    return float(still.truth["setup"]["camera"]["K"][0][0])
