"""The board is found by a calibration that was saved, or anew, and then saved, each time as it was found."""

from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.edition import load_edition
from calibration.errors import ProfileError, RefusedError
from calibration.profile import Calibration, load
from firmware.daemon.finding import BoardFinder, View, load_for
from firmware.daemon.parts import Found
from firmware.setting_up import TRIES
from firmware.umpire.ball import BallLook
from hardware.camera import FocalLength
from tests.firmware.test_setting_up import STILL, moved
from tests.shared import Image, focal_px, picture

CLASSIC = load_edition("classic")
VIEW = View(CLASSIC, focal_px=focal_px(STILL))
NET_AND_CORNER = ((0.0, 0.0), (-200.0, 60.0))


def places(found: Found) -> np.ndarray:
    """Where two points of the board are in the picture, px."""
    assert isinstance(found.calibration, Calibration)
    return found.calibration.model.project([(*at, 0.0) for at in NET_AND_CORNER])


def wiped(image: Image) -> Image:
    """No board at all."""
    return np.full_like(image, 120)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Found]:
    """A board that was found, and the file."""
    path = tmp_path_factory.mktemp("state") / "calibration.json"
    found = BoardFinder(VIEW, BallLook.default, keep=path).find(picture(STILL), anew=False)
    return path, found


def test_what_was_found_is_saved_and_fitted_to_where_the_board_lies_at_the_next_start(
    kept: tuple[Path, Found],
) -> None:
    path, found = kept
    assert found.unsaved == ""
    before = path.read_bytes()
    finder = BoardFinder(VIEW, BallLook.default, saved=load_for(path, VIEW), keep=path)
    again = finder.find(moved(picture(STILL), (7.0, -5.0)), anew=False)
    assert places(again) == pytest.approx(places(found) + np.array((7.0, -5.0)), abs=0.1)
    assert path.read_bytes() == before, "a fit to a former one is not believed twice"
    sight = finder.sight(again.calibration)
    assert sight.umpire.calibration is again.calibration
    assert 0 < sight.residual_mm < 0.2


def test_after_some_tries_in_vain_the_board_is_sought_anew_and_replaces_what_was_saved(
    kept: tuple[Path, Found], tmp_path: Path
) -> None:
    path = tmp_path / "calibration.json"
    path.write_bytes(kept[0].read_bytes())
    finder = BoardFinder(VIEW, BallLook.default, saved=load_for(path, VIEW), keep=path)
    elsewhere = moved(picture(STILL), (0.0, 0.0))[::-1, ::-1].copy()
    for _ in range(TRIES):
        with pytest.raises(ProfileError, match="does not lie where it was saved"):
            finder.find(wiped(elsewhere), anew=False)
    with pytest.raises(RefusedError):
        finder.find(wiped(elsewhere), anew=False)
    found = finder.find(elsewhere, anew=False)
    assert found.unsaved == ""
    assert load(path).made_at != load(kept[0]).made_at
    assert len(list(tmp_path.glob("calibration.*T*.json"))) == 1, "the former one is kept beside it"


def test_people_can_have_it_found_anew_though_it_lies_as_saved(
    kept: tuple[Path, Found], tmp_path: Path
) -> None:
    path = tmp_path / "calibration.json"
    finder = BoardFinder(VIEW, BallLook.default, saved=load_for(kept[0], VIEW), keep=path)
    finder.find(picture(STILL), anew=True)
    assert path.exists()


def test_sides_that_are_swapped_are_swapped_each_time_and_never_in_the_file(
    kept: tuple[Path, Found], tmp_path: Path
) -> None:
    path = tmp_path / "calibration.json"
    view = View(CLASSIC, focal_px=VIEW.focal_px, swap_ends=True)
    swapped = BoardFinder(view, BallLook.default, keep=path).find(picture(STILL), anew=False)
    saved = BoardFinder(view, BallLook.default, saved=load_for(path, view)).find(picture(STILL), anew=False)
    straight = BoardFinder(VIEW, BallLook.default, saved=load_for(path, VIEW)).find(
        picture(STILL), anew=False
    )
    assert places(straight) == pytest.approx(places(kept[1]), abs=0.1)
    assert places(saved) == pytest.approx(places(swapped), abs=0.1)
    assert abs(places(saved)[1] - places(straight)[1]).max() > 100


def test_what_cannot_be_saved_is_found_all_the_same(tmp_path: Path) -> None:
    keep = tmp_path / "nowhere" / "calibration.json"
    found = BoardFinder(VIEW, BallLook.default, keep=keep).find(picture(STILL), anew=False)
    assert "nowhere" in found.unsaved


def test_a_calibration_of_another_board_or_lens_or_turned_otherwise_is_refused(
    kept: tuple[Path, Found],
) -> None:
    for other, reason in (
        (View(load_edition("maxi")), "not 'maxi'"),
        (View(CLASSIC, rotation=90), "turned"),
        (View(CLASSIC, focal_px=3 * focal_px(STILL)), "another lens"),
    ):
        with pytest.raises(ProfileError, match=reason):
            load_for(kept[0], other)


def test_before_a_camera_of_another_size_the_board_is_sought_anew(kept: tuple[Path, Found]) -> None:
    finder = BoardFinder(VIEW, BallLook.default, saved=load_for(kept[0], VIEW))
    shown = picture(STILL)
    small = np.asarray(cv2.resize(shown, (shown.shape[1] // 2, shown.shape[0] // 2)), dtype=np.uint8)
    with pytest.raises(ProfileError, match=r"pictures of 1456x1088, these are 728x544; .* sought anew"):
        finder.find(small, anew=False)
    found = finder.find(small, anew=False).calibration
    assert isinstance(found, Calibration)
    assert found.size == (728, 544)


UNTOLD = View(CLASSIC)
"""Nobody has said what the lens is."""


def test_what_the_camera_knows_of_its_lens_is_believed_as_far_as_it_is_good(tmp_path: Path) -> None:
    keep, true_px = tmp_path / "calibration.json", focal_px(STILL)
    sigmas = []
    for sigma in (0.005, 0.02):
        lens = partial(FocalLength, true_px, sigma)
        BoardFinder(UNTOLD, BallLook.default, keep=keep, lens=lens).find(picture(STILL), anew=False)
        found = load(keep)
        assert found.focal_known
        assert abs(np.log(found.model.focal_px / true_px)) < 3 * sigma
        sigmas.append(float(np.sqrt(found.covariance[0, 0])))
    assert sigmas[0] < 0.006
    assert sigmas[0] < sigmas[1] < 0.021


def test_what_somebody_says_of_the_lens_goes_before_what_the_camera_knows(tmp_path: Path) -> None:
    keep = tmp_path / "calibration.json"
    wrong = FocalLength(2 * focal_px(STILL), 0.02)
    BoardFinder(VIEW, BallLook.default, keep=keep, lens=lambda: wrong).find(picture(STILL), anew=False)
    assert load(keep).model.focal_px == pytest.approx(focal_px(STILL), rel=0.02)


def test_the_cameras_own_lens_is_believed_once(kept: tuple[Path, Found]) -> None:
    saved = load_for(kept[0], UNTOLD)
    lens = FocalLength(saved.model.focal_px, 0.01)
    told = BoardFinder(UNTOLD, BallLook.default, saved=saved, lens=lambda: lens)
    untold = BoardFinder(UNTOLD, BallLook.default, saved=saved)
    first, second = (finder.find(picture(STILL), anew=False).calibration for finder in (told, untold))
    assert isinstance(first, Calibration)
    assert isinstance(second, Calibration)
    assert np.array_equal(first.covariance, second.covariance)


def test_a_calibration_that_knows_no_lens_hears_of_it(tmp_path: Path) -> None:
    keep = tmp_path / "calibration.json"
    BoardFinder(UNTOLD, BallLook.default, keep=keep).find(picture(STILL), anew=False)
    saved = load_for(keep, UNTOLD)
    assert not saved.focal_known
    lens = FocalLength(focal_px(STILL), 0.01)
    finder = BoardFinder(UNTOLD, BallLook.default, saved=saved, lens=lambda: lens)
    for _ in range(3):  # each time the same, and not each time better
        found = finder.find(picture(STILL), anew=False).calibration
        assert isinstance(found, Calibration)
        assert found.focal_known
        assert 0.005 < np.sqrt(found.covariance[0, 0]) < 0.0101


def test_before_another_lens_the_board_is_sought_anew(kept: tuple[Path, Found]) -> None:
    """Another camera module of the same size, or one whose mode crops: everything is as large, and wrong."""
    lens = FocalLength(1.5 * focal_px(STILL), 0.02)
    saved = load_for(kept[0], UNTOLD)
    finder = BoardFinder(UNTOLD, BallLook.default, saved=saved, lens=lambda: lens)
    with pytest.raises(ProfileError, match="that is another lens; the board is sought anew"):
        finder.find(picture(STILL), anew=False)
