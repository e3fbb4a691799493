"""The board is found by a calibration that was saved, or anew, and then saved, each time as it was found."""

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


def test_a_picture_of_another_size_is_no_place_that_was_saved(kept: tuple[Path, Found]) -> None:
    finder = BoardFinder(VIEW, BallLook.default, saved=load_for(kept[0], VIEW))
    small = np.asarray(cv2.resize(picture(STILL), (320, 240)), dtype=np.uint8)
    with pytest.raises(ProfileError, match="does not lie where it was saved"):
        finder.find(small, anew=False)
