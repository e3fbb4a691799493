"""Boards with other point zones, read from their files: rests located, and worth what the print says."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.edition import load_edition
from calibration.errors import EditionError
from firmware.commands.locate import located
from firmware.umpire.ball import BallLook
from tests.shared import focal_px, picture, setmatch, shared_footage, truth_of

LAYOUTS = ("discs", "uneven", "wedges")
ALONE = ("rest03.jpg", "rest08.jpg")
"""Calibrate themselves; the others are seen through the calibration of the empty board, for time."""


@dataclass(frozen=True)
class Row:
    name: str
    dot_mm: float
    sigma_mm: float
    points: int
    true_points: int
    margin_mm: float


def row(path: Path, balls: list[dict[str, Any]]) -> Row:
    truth = truth_of(path)
    (ball,) = balls
    r = Row(
        path.stem,
        math.dist(ball["dot_mm"], truth["at_printed_mm"]),
        ball["sigma_mm"],
        ball["points"],
        truth["zone_points"],
        abs(truth["margins_mm"]["zone"]),
    )
    print(
        f"{path.parent.name:7} {r.name} {r.dot_mm:.3f} mm, sigma {r.sigma_mm:.3f}, "
        f"{r.points} points of {r.true_points} at {r.margin_mm:.2f} mm"
    )
    return r


@pytest.fixture(scope="module", params=LAYOUTS)
def rows(request: pytest.FixtureRequest) -> list[Row]:
    """Every rest of one board; focal lengths off by up to one per cent."""
    folder = shared_footage("layouts", request.param)
    board = folder / "board.toml"
    random = np.random.default_rng(LAYOUTS.index(request.param))
    edition = load_edition(str(board))
    empty = folder / "empty.jpg"
    focal = focal_px(empty, random.uniform(-0.01, 0.01))
    calibration = calibrate(picture(empty), edition, focal_px=focal)
    seen = []
    for path in sorted(folder.glob("rest*.jpg")):
        if path.name in ALONE:
            focal = focal_px(path, random.uniform(-0.01, 0.01))
            ended = setmatch("locate", "--json", "--board", board, "--focal-px", focal, path)
            assert ended.code == 0, ended.err
            (line,) = ended.lines
            seen.append(row(path, line["balls"]))
        else:
            seen.append(row(path, located(picture(path), calibration, edition, BallLook.default)))
    return seen


@pytest.mark.timeout(600)
def test_rests_are_located(rows: list[Row]) -> None:
    assert len(rows) == 12
    assert np.mean([r.dot_mm for r in rows]) <= 0.08
    assert all(r.dot_mm <= 3 * r.sigma_mm for r in rows)


@pytest.mark.timeout(600)
def test_points_are_those_of_the_zones(rows: list[Row]) -> None:
    clear = [r for r in rows if r.margin_mm >= 0.3]
    assert len(clear) >= 6
    for r in clear:
        assert r.points == r.true_points, r


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_court_without_zones_cannot_be_refereed(layout: str) -> None:
    court = shared_footage("layouts", layout, "court.toml")
    with pytest.raises(EditionError, match="zone"):
        load_edition(str(court), require_zones=True)
    still = shared_footage("layouts", layout, "rest00.jpg")
    setmatch("umpire", "--json", "--board", court, "--camera", still).refuses("court.toml", "zone")
