"""`setmatch calibrate`: what it tells, saves and draws."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.edition import BOARDS, load_edition
from calibration.errors import EditionError
from calibration.profile import Calibration, load
from firmware.report import calibration_line, calibration_sigmas_mm
from hardware.cameras import open_camera
from hardware.simulated.camera import SimulatedCamera
from tests.contract.fake_v4l2 import WEBCAM, FakeCapture
from tests.shared import FOOTAGE, Ended, focal_px, picture, setmatch, true_layout, truth_of

STILL = FOOTAGE / "rest" / "rest25.jpg"
FOCAL = focal_px(STILL, 0.004)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("calibrate")


@pytest.fixture(scope="module")
def ended(folder: Path) -> Ended:
    return setmatch(
        "calibrate", "--json", "--camera", STILL, "--focal-px", FOCAL,
        "--save", folder / "cal.json", "--overlay", folder / "overlay.png",
    )  # fmt: skip


@pytest.fixture(scope="module")
def line(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    (line,) = ended.lines
    return line


@pytest.fixture(scope="module")
def saved(ended: Ended, folder: Path) -> Calibration:
    assert ended.code == 0, ended.err
    return load(folder / "cal.json")


def test_the_line_tells_where_the_camera_is(line: dict[str, Any]) -> None:
    truth = true_layout(truth_of(STILL))
    assert line["kind"] == "calibration"
    assert line["board"] == "classic"
    assert line["size"] == [1456, 1088]
    assert line["rotation"] == 0
    assert line["focal_known"] is True
    assert line["focal_px"] == pytest.approx(truth.camera.focal_px, rel=0.02)
    assert line["centre_px"] == pytest.approx(truth.camera.centre_px, abs=25)
    assert line["distortion"][0] == pytest.approx(truth.camera.distortion[0], abs=0.05)
    # Focal length and height stretch together; the place over the board does not move with them.
    assert line["translation_mm"][2] / line["focal_px"] == pytest.approx(
        truth.camera.translation_mm[2] / truth.camera.focal_px, rel=0.005
    )


def test_the_line_tells_where_the_halves_lie(line: dict[str, Any]) -> None:
    """Against each other: where both lie together is where the board is said to be."""
    halves = line["halves"]
    truth = true_layout(truth_of(STILL))
    for key, of in (("dx_mm", 0.1), ("dy_mm", 0.1), ("turn_rad", 0.0005)):
        apart = halves["B"][key] - halves["A"][key]
        true = getattr(truth.half_b, key) - getattr(truth.half_a, key)
        assert apart == pytest.approx(true, abs=of), key


def test_the_line_tells_how_good_it_is(line: dict[str, Any]) -> None:
    assert 0 < line["residual_px"] < 0.1
    assert 0 < line["residual_mm"] < 0.05
    assert 0.2 < line["blur_px"] < 3
    assert {region["name"] for region in line["regions"]} == {
        f"{half} {part}" for half in "AB" for part in ("near the net", "middle", "back")
    }
    for region in line["regions"]:
        assert region["places"] > 0
        assert 0 < region["rms_px"] < 0.3
        assert 0 < region["rms_mm"] < 0.1
    assert 0.005 < line["sigma_mm"]["net"] < line["sigma_mm"]["corner"] < 0.1
    assert isinstance(line["warnings"], list)


def test_what_is_saved_is_what_was_told(line: dict[str, Any], saved: Calibration) -> None:
    assert calibration_line(saved, load_edition("classic")) == line


def test_what_is_saved_places_the_ball(saved: Calibration) -> None:
    truth = truth_of(STILL)
    place = saved.place(tuple(truth["dot_px"]), tuple(truth["disc_px"]), 0.02, 0.02)
    assert place.half == truth["half"]
    assert place.dot_mm == pytest.approx(truth["at_printed_mm"], abs=0.06)


def test_the_overlay_is_the_picture_with_the_lines_drawn_on_it(ended: Ended, folder: Path) -> None:
    assert ended.code == 0, ended.err
    drawn, plain = picture(folder / "overlay.png"), picture(STILL)
    assert drawn.shape == plain.shape
    changed = (drawn != plain).any(axis=2)
    assert 0.002 < changed.mean() < 0.1
    truth = true_layout(truth_of(STILL))
    court = load_edition("classic").court
    middle = court.baseline_mm - load_edition("classic").lines.court_mm / 2
    for half, side in (("A", -1.0), ("B", 1.0)):
        for y in np.linspace(-90.0, 90.0, 6):
            x_px, y_px = truth.project(half, [[side * middle, y]])[0]
            near = np.s_[round(y_px) - 2 : round(y_px) + 3, round(x_px) - 2 : round(x_px) + 3]
            assert changed[near].any(), (half, y)
            away = truth.project(half, [[side * (middle - 6.0), y]])[0].round().astype(int)
            assert not changed[away[1], away[0]] or abs(y) > 70, (half, y)


def test_text_for_people(folder: Path) -> None:
    ended = setmatch(
        "calibrate", "--camera", STILL, "--focal-px", FOCAL, "--swap-ends", "--save", folder / "b.json"
    )
    assert ended.code == 0
    for words in ("'classic' found", "b.json", "Lines fit to", "A near the net", "(given)", "in a corner"):
        assert words in ended.out
    # Swapped, the ball lies on the other half, half a turn away.
    truth, swapped = truth_of(STILL), load(folder / "b.json")
    place = swapped.place(tuple(truth["dot_px"]), tuple(truth["disc_px"]), 0.02, 0.02)
    assert {place.half, truth["half"]} == {"A", "B"}
    assert place.dot_mm == pytest.approx([-v for v in truth["at_printed_mm"]], abs=0.06)


def test_warnings_are_told_to_people_and_programs(folder: Path) -> None:
    """The halves of this still lie 0.9 mm apart."""
    still = FOOTAGE / "rest" / "rest21.jpg"
    args = ["calibrate", "--camera", still, "--focal-px", focal_px(still), "--save", folder / "w.json"]
    ended = setmatch(*args)
    assert ended.code == 0
    assert "Warning: the halves do not meet by up to 0.9 mm" in ended.err
    assert "do not meet" in load(folder / "w.json").warnings[0]


def test_a_calibration_from_a_video(folder: Path) -> None:
    clip = FOOTAGE / "figure-j.mp4"
    ended = setmatch(
        "calibrate", "--json", "--camera", clip, "--focal-px", focal_px(clip), "--save", folder / "v.json"
    )
    assert ended.code == 0, ended.err
    assert ended.lines[0]["residual_px"] < 0.1


def test_a_calibration_of_the_simulated_table(folder: Path) -> None:
    from hardware.simulated.camera import simulated_camera

    scene = simulated_camera().table.scene
    args = ["--focal-px", scene.camera.focal_px, "--save", folder / "s.json"]
    ended = setmatch("calibrate", "--json", "--camera", "simulated", *args)
    assert ended.code == 0, ended.err
    x, y, z = load(folder / "s.json").model.position_mm
    assert (x, y) == pytest.approx(tuple(scene.camera.position_mm[:2]), abs=8)
    assert z == pytest.approx(scene.camera.position_mm[2], rel=0.02)


def test_places_that_cannot_be_written_to(tmp_path: Path) -> None:
    args = ["calibrate", "--camera", STILL, "--focal-px", FOCAL]
    setmatch(*args, "--save", tmp_path / "none" / "cal.json").refuses("cal.json", "folder that exists")
    saved = tmp_path / "cal.json"
    setmatch(*args, "--save", saved, "--overlay", tmp_path / "none" / "o.png").refuses(
        "o.png", "folder that exists"
    )
    setmatch(*args, "--save", saved, "--overlay", tmp_path / "o.psd").refuses("o.psd", ".png")


def test_a_picture_without_a_board_is_written_all_the_same(tmp_path: Path) -> None:
    """Whoever aims and focuses has no other picture of what the camera sees."""
    wall, saved, seen = tmp_path / "wall.png", tmp_path / "cal.json", tmp_path / "seen.png"
    cv2.imwrite(str(wall), picture(STILL)[:400, :600])
    args = ["calibrate", "--camera", wall, "--save", saved]
    setmatch(*args, "--overlay", seen).refuses("no whole court", "seen.png is what the camera sees")
    assert np.array_equal(picture(seen), picture(wall))
    assert not saved.exists()
    setmatch(*args).refuses("no whole court", "--overlay check.png")


def test_what_was_seen_of_a_board_that_will_not_do_is_drawn(tmp_path: Path) -> None:
    soft, seen = tmp_path / "soft.png", tmp_path / "seen.png"
    cv2.imwrite(str(soft), cv2.GaussianBlur(picture(STILL), (0, 0), 5.0))
    args = ["calibrate", "--camera", soft, "--focal-px", FOCAL, "--save", tmp_path / "cal.json"]
    setmatch(*args, "--overlay", seen).refuses(
        "out of focus", "px wide", "focus the lens", "with the lines drawn where they were thought to be"
    )
    assert 0.002 < (picture(seen) != picture(soft)).any(axis=2).mean() < 0.1


@pytest.mark.parametrize("command", ["calibrate", "focus"])
def test_the_size_that_is_asked_of_a_usb_camera(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = FakeCapture(modes=WEBCAM)
    device.install(monkeypatch)
    monkeypatch.setattr("hardware.usb.sys.platform", "linux")
    device.unplugged = True
    args = ["--save", tmp_path / "cal.json"] if command == "calibrate" else []
    setmatch(command, "--camera", "usb:0", "--size", "1280x720", *args).refuses("sends no picture")
    assert device.size == (1280, 720)


def test_the_picture_is_never_an_output(tmp_path: Path) -> None:
    still = tmp_path / "still.jpg"
    still.write_bytes(STILL.read_bytes())
    cal = tmp_path / "cal.json"
    args = ["calibrate", "--camera", still]
    setmatch(*args, "--save", still).refuses("--save", "another name")
    setmatch(*args, "--save", cal, "--overlay", still).refuses("--overlay", "another name")
    setmatch(*args, "--save", cal, "--overlay", cal).refuses("--overlay", "another name")
    assert still.read_bytes() == STILL.read_bytes()
    assert list(tmp_path.iterdir()) == [still]


def test_the_simulated_camera_shows_the_board_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = (BOARDS / "classic.toml").read_text(encoding="utf-8").replace('"classic"', '"mine"', 1)
    path.write_text(text, encoding="utf-8")
    camera = open_camera("simulated", board=str(path))
    assert isinstance(camera, SimulatedCamera)
    assert camera.table.scene.edition.name == "mine"
    with pytest.raises(EditionError, match="chessboard"):
        open_camera("simulated", board="chessboard")


def test_what_the_calibration_brings_along_is_told_for_the_boards_own_court(saved: Calibration) -> None:
    classic = load_edition("classic")
    wide = replace(classic, court=replace(classic.court, doubles_mm=2 * classic.court.doubles_mm))
    usual, wider = (calibration_sigmas_mm(saved, edition) for edition in (classic, wide))
    assert wider["net"] == usual["net"]
    assert wider["corner"] > 1.1 * usual["corner"]


def test_a_new_calibration_replaces_the_old_one_whole(folder: Path, ended: Ended) -> None:
    assert ended.code == 0
    saved = folder / "again.json"
    saved.write_text("{}")
    assert setmatch("calibrate", "--camera", STILL, "--focal-px", FOCAL, "--save", saved).code == 0
    assert json.loads(saved.read_text())["edition"] == "classic"
    assert not list(folder.glob("*.new"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--camera", "usb:99"], ["usb:99", "plug it in"]),
        (["--camera", "usb:first"], ["usb:first", "usb:0"]),
        (["--camera", STILL, "--board", "clasic"], ["'clasic'", "classic"]),
        (["--camera", STILL, "--board", "none.toml"], ["none.toml"]),
    ],
    ids=["no-camera", "no-number", "no-board", "no-file"],
)
def test_names_that_mean_nothing(options: list[Any], words: list[str], tmp_path: Path) -> None:
    setmatch("calibrate", *options, "--save", tmp_path / "cal.json").refuses(*words)
