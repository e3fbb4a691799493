"""Where a calibration comes from: a saved file, or the first pictures; and every file that will not do."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.drift import refit
from calibration.edition import Edition, load_edition
from calibration.errors import RefusedError
from calibration.profile import Calibration
from firmware.errors import InputError
from firmware.setting_up import calibration_for, self_calibrated, umpire_for
from hardware.camera import Frame
from tests.shared import FOOTAGE, Image, focal_px, picture, setmatch, write_video

STILL = FOOTAGE / "rest" / "rest25.jpg"
EDITION = load_edition("classic")


@dataclass
class Shown:
    """A camera that shows these pictures, `fps` of them a second."""

    pictures: list[Image]
    fps: float = 30.0
    number: int = -1

    @property
    def size(self) -> tuple[int, int]:
        return (self.pictures[0].shape[1], self.pictures[0].shape[0])

    @property
    def frame_count(self) -> int | None:
        return len(self.pictures)

    def read(self) -> Frame | None:
        self.number += 1
        if self.number >= len(self.pictures):
            return None
        return Frame(self.pictures[self.number], self.number / self.fps, self.number)

    def close(self) -> None:
        self.pictures = []


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profile") / "cal.json"
    ended = setmatch("calibrate", "--camera", STILL, "--focal-px", focal_px(STILL), "--save", path)
    assert ended.code == 0, ended.err
    return path


def locate(calibration: Path, *more: object) -> Any:
    return setmatch("locate", "--json", "--calibration", calibration, *more)


def changed(saved: Path, folder: Path, **fields: Any) -> Path:
    """The saved calibration with other values of some fields."""
    path = folder / "changed.json"
    path.write_text(json.dumps({**json.loads(saved.read_text()), **fields}))
    return path


def moved(image: Image, by_px: tuple[float, float]) -> Image:
    """The picture shifted, its border drawn out."""
    matrix = np.array([[1.0, 0.0, by_px[0]], [0.0, 1.0, by_px[1]]])
    size = (image.shape[1], image.shape[0])
    there: NDArray[Any] = cv2.warpAffine(
        image, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(there, dtype=np.uint8)


# A saved calibration


def test_a_saved_calibration_places_a_ball_where_its_own_would(saved: Path) -> None:
    (own,) = setmatch("locate", "--json", "--focal-px", focal_px(STILL), STILL).lines
    (reused,) = locate(saved, STILL).lines
    assert len(own["balls"]) == len(reused["balls"]) == 2
    for a, b in zip(own["balls"], reused["balls"], strict=True):
        assert a["dot_mm"] == pytest.approx(b["dot_mm"], abs=0.01)
        assert a["points"] == b["points"]


def test_a_board_that_was_nudged_since_is_found_where_it_lies(saved: Path, tmp_path: Path) -> None:
    (before,) = locate(saved, STILL).lines
    nudged = tmp_path / "nudged.png"
    cv2.imwrite(str(nudged), moved(picture(STILL), (7.3, -5.6)))
    ended = locate(saved, nudged)
    assert ended.code == 0, ended.err
    for a, b in zip(before["balls"], ended.lines[0]["balls"], strict=True):
        assert a["dot_mm"] == pytest.approx(b["dot_mm"], abs=0.05)


def test_a_saved_calibration_can_be_swapped(saved: Path) -> None:
    (straight,) = locate(saved, STILL).lines
    (swapped,) = locate(saved, "--swap-ends", STILL).lines
    for a, b in zip(straight["balls"], swapped["balls"], strict=True):
        assert b["dot_mm"] == pytest.approx([-v for v in a["dot_mm"]], abs=0.02)
        assert {a["half"], b["half"]} == {"A", "B"}


def test_a_calibration_of_a_board_that_is_gone(saved: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.png"
    image = picture(STILL)
    cv2.imwrite(str(table), np.full_like(image, 120))
    locate(saved, table).refuses("does not lie where", "calibrate again")


def test_a_calibration_of_another_camera(saved: Path) -> None:
    """Of the same size, and the board is there, but elsewhere."""
    locate(saved, FOOTAGE / "rest" / "rest10.jpg").refuses("does not lie where", "calibrate again")


def test_a_calibration_of_another_size_is_not_rescaled(saved: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.png"
    cv2.imwrite(str(half), cv2.resize(picture(STILL), (728, 544), interpolation=cv2.INTER_AREA))
    locate(saved, half).refuses("1456x1088", "728x544", "again")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rotation": 180}, ["turned by 180"]),
        ({"edition": "maxi"}, ["'maxi'", "'classic'", "--board"]),
        ({"schema": 99}, ["schema 99", "calibrate again"]),
        ({"schema": "new"}, ["not a calibration", "calibrate again"]),
        ({"covariance": [[1.0]]}, ["covariance", "calibrate again"]),
        ({"camera": {"focal_px": "long"}}, ["not a calibration", "camera"]),
        ({"colour": "clay"}, ["not a calibration", "colour"]),
        ({"size": [1456]}, ["not a calibration", "size"]),
    ],
    ids=["rotation", "board", "schema", "no-schema", "covariance", "camera", "unknown-key", "size"],
)
def test_a_calibration_that_does_not_fit(
    fields: dict[str, Any], words: list[str], saved: Path, tmp_path: Path
) -> None:
    locate(changed(saved, tmp_path, **fields), STILL).refuses(*words)


@pytest.mark.parametrize("text", ["", "{", "[]", "the board lies there", '{"schema": 1}'])
def test_a_damaged_calibration(text: str, tmp_path: Path) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(text)
    locate(path, STILL).refuses("damaged.json", "calibrate again")


def test_no_such_calibration(tmp_path: Path) -> None:
    locate(tmp_path / "none.json", STILL).refuses("none.json", "setmatch calibrate --save")


@pytest.mark.parametrize("command", ["umpire", "locate"])
def test_a_calibration_is_checked_before_anything_is_told(command: str, saved: Path, tmp_path: Path) -> None:
    other = changed(saved, tmp_path, edition="maxi")
    video = write_video(tmp_path / "clip.mp4", [picture(STILL)] * 3)
    source = ["--camera", video] if command == "umpire" else [video]
    setmatch(command, "--json", "--calibration", other, *source).refuses("'maxi'", "--board")


def test_a_focal_length_beside_a_saved_calibration_is_a_second_witness(saved: Path) -> None:
    agrees = focal_px(STILL) * 1.005
    calibration, _ = calibration_for(Shown([picture(STILL)]), EDITION, saved, focal_px=agrees)
    assert calibration.focal_known
    assert calibration.model.focal_px == pytest.approx(agrees, rel=0.012)
    for command, *source in (["locate", STILL], ["umpire", "--camera", FOOTAGE / "figure-j.mp4"]):
        setmatch(command, "--json", "--calibration", saved, "--focal-px", agrees * 1.3, *source).refuses(
            "another lens", "leave one"
        )


# A calibration from the first pictures


def test_a_hand_in_the_first_pictures_is_waited_for() -> None:
    image = picture(STILL)
    covered = image.copy()
    covered[200:900, 100:1350] = (150, 170, 210)
    camera = Shown([covered] * 20 + [image] * 40)
    calibration, seen = self_calibrated(camera, EDITION, focal_px=focal_px(STILL))
    assert (seen == image).all()
    assert calibration.focal_known


def test_the_first_picture_is_the_mean_of_some_frames() -> None:
    """So that noise falls; half of these frames are brighter by four."""
    image = picture(STILL)
    camera = Shown([image, np.minimum(image, 251) + np.uint8(4)] * 4)
    _, seen = self_calibrated(camera, EDITION, focal_px=focal_px(STILL))
    middle = image < 251
    assert (seen[middle] == image[middle] + 2).all()


def test_a_board_that_never_comes_is_refused_with_the_last_reason() -> None:
    camera = Shown([np.zeros((544, 728, 3), np.uint8)] * 200)
    with pytest.raises(RefusedError, match="too dark"):
        self_calibrated(camera, EDITION)
    # It gave up after a few seconds of the recording, not at its end.
    assert camera.number < 150


def test_a_camera_without_pictures() -> None:
    with pytest.raises(InputError, match="no picture"):
        self_calibrated(Shown([]), EDITION)


def test_a_camera_without_pictures_beside_a_saved_calibration(saved: Path) -> None:
    camera = Shown([picture(STILL)])
    size = camera.size
    assert camera.read() is not None
    assert camera.size == size
    with pytest.raises(InputError, match="no picture"):
        calibration_for(camera, EDITION, saved)


@pytest.mark.parametrize("focal", ["0", "-1700", "nan", "inf", "wide", "1e9"])
def test_a_focal_length_that_is_none(focal: str) -> None:
    setmatch("locate", "--json", "--focal-px", focal, STILL).refuses("--focal-px", "such as 1700")


# The umpire


def test_each_knock_is_fitted_from_where_the_board_lay_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two knocks, each of the same way: what was believed of the lens is counted once."""
    image = picture(STILL)
    calibration, _ = self_calibrated(Shown([image]), EDITION, focal_px=focal_px(STILL))
    fits: list[tuple[Calibration, Calibration | None]] = []

    def spied(known: Calibration, edition: Edition, picture: Image) -> Calibration | None:
        fits.append((known, refit(known, edition, picture)))
        return fits[-1][1]

    monkeypatch.setattr("calibration.drift.refit", spied)
    umpire = umpire_for(calibration, EDITION)
    number = 0
    for knocks in range(3):
        shown = moved(image, (9.0 * knocks, 5.0 * knocks))
        for _ in range(30):
            umpire.see(Frame(shown, number / 30.0, number))
            number += 1
    good = [(known, fit) for known, fit in fits if fit is not None]
    assert len(good) == 2
    (first, once), (second, twice) = good
    assert first.layout == calibration.layout
    assert second.layout == once.layout
    assert (second.covariance == calibration.covariance).all()
    assert umpire.calibration is twice
    net = [[0.0, 0.0, 0.0]]
    way = twice.model.project(net)[0] - calibration.model.project(net)[0]
    assert way == pytest.approx([18.0, 10.0], abs=0.3)
