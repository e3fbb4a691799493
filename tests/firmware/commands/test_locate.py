"""`setmatch locate`: the order of balls, and balls of other colours, by name and learnt from a picture."""

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest

from calibration.edition import load_edition
from firmware.setting_up import ball_look
from firmware.umpire.ball import BallLook
from hardware.errors import CameraError
from hardware.simulated.random_scenes import random_ball, random_scene
from hardware.simulated.renderer import StillTruth, render_still
from hardware.simulated.scene import Scene
from tests.shared import FOOTAGE, focal_px, setmatch, truth_of

STILL = FOOTAGE / "rest" / "rest25.jpg"
SIZE = (1092, 816)


@dataclass(frozen=True)
class Pictures:
    """Two pictures of one scene with a red ball, elsewhere in each."""

    scene: Scene
    first: Path
    second: Path
    truth: StillTruth

    @property
    def focal(self) -> float:
        return self.scene.camera.focal_px


@pytest.fixture(scope="module")
def red(tmp_path_factory: pytest.TempPathFactory) -> Pictures:
    folder = tmp_path_factory.mktemp("red")
    scene = random_scene(12, size=SIZE, ball="red", light="soft")
    first, _ = render_still(scene, [random_ball(scene, 3)], seed=1, frames=4)
    second, truth = render_still(scene, [random_ball(scene, 2)], seed=2, frames=4)
    for name, frame in (("first", first), ("second", second)):
        cv2.imwrite(str(folder / f"{name}.png"), frame.image)
    return Pictures(scene, folder / "first.png", folder / "second.png", truth)


@pytest.mark.parametrize("how", ["by name", "by value", "learnt"])
def test_a_red_ball(how: str, red: Pictures) -> None:
    ball = {"by name": "red", "by value": "#c8282d", "learnt": str(red.first)}[how]
    ended = setmatch("locate", "--json", "--focal-px", red.focal, "--ball", ball, red.second)
    assert ended.code == 0, ended.err
    (line,) = ended.lines
    (true,) = red.truth.balls
    (found,) = line["balls"]
    off = math.dist(found["dot_mm"], true.dot_printed_mm)
    print(f"{how}: {off:.3f} mm off, sigma {found['sigma_mm']:.3f} mm")
    assert off < 0.15
    assert off < 3 * found["sigma_mm"]
    assert found["half"] == true.half


def test_a_ball_of_another_colour_is_less_likely_the_ball(red: Pictures) -> None:
    """Its shape and dot are a ball's all the same, so it is told, with less likeness."""
    likeness = {}
    for colour in ("red", "blue", "yellow"):
        ended = setmatch("locate", "--json", "--focal-px", red.focal, "--ball", colour, red.second)
        assert ended.code == 0, ended.err
        likeness[colour] = max((ball["likeness"] for ball in ended.lines[0]["balls"]), default=0.0)
    assert likeness["red"] > 0.8
    assert max(likeness["blue"], likeness["yellow"]) < 0.6


def test_the_ball_in_play_comes_first() -> None:
    """A second ball lies beside the court in this still."""
    (line,) = setmatch("locate", "--json", "--focal-px", focal_px(STILL), STILL).lines
    truth = truth_of(STILL)
    assert len(line["balls"]) == 1 + len(truth["second_balls_mm"]) == 2
    first = line["balls"][0]
    assert math.dist(first["dot_mm"], truth["at_printed_mm"]) < 0.06
    assert first["points"] == truth["zone_points"]
    assert 0.0 < first["sigma_mm"] < 0.1
    assert 0.0 < first["likeness"] <= 1.0


@pytest.mark.parametrize(
    ("ball", "words"),
    [
        ("mauvish", ["mauvish", "yellow"]),
        ("#12", ["#12"]),
        ("#gggggg", ["#rrggbb"]),
        ("nosuch.png", ["no file nosuch.png"]),
        ("pictures/red", ["no file pictures/red"]),
        ("a" * 300, ["aaa", "too long"]),
    ],
    ids=["name", "short", "digits", "suffix", "folder", "long"],
)
def test_colours_that_are_none(ball: str, words: list[str]) -> None:
    setmatch("locate", "--json", "--ball", ball, STILL).refuses(*words)


def test_a_picture_without_a_ball_teaches_no_colour(red: Pictures, tmp_path: Path) -> None:
    frame, _ = render_still(red.scene, [], frames=4)
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), frame.image)
    setmatch("locate", "--json", "--focal-px", red.focal, "--ball", empty, red.second).refuses("ball")


def test_a_person_reads_a_table() -> None:
    focal = ["--focal-px", focal_px(STILL)]
    (line,) = setmatch("locate", "--json", *focal, STILL).lines
    ended = setmatch("locate", *focal, STILL)
    assert ended.code == 0, ended.err
    name, _, *rows = ended.out.splitlines()
    assert name == f"{STILL}:"
    assert len(rows) == len(line["balls"]) == 2
    for number, (row, ball) in enumerate(zip(rows, line["balls"], strict=True), start=1):
        cells = row.split()
        assert cells[0] == str(number)
        assert [float(cell) for cell in cells[1:3]] == pytest.approx(ball["dot_mm"], abs=0.006)
        assert cells[4:6] == [ball["half"], str(ball["points"])]


def test_warnings_are_told_to_people_and_programs() -> None:
    """The halves of this still lie 0.9 mm apart."""
    still = FOOTAGE / "rest" / "rest21.jpg"
    ended = setmatch("locate", "--json", "--focal-px", focal_px(still), still)
    (warning,) = ended.lines[0]["warnings"]
    assert "do not meet" in warning
    assert ended.err == f"Warning: {still}: {warning}\n"


def test_a_file_called_like_a_colour_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "red").write_text("no picture")
    edition = load_edition("classic")
    assert ball_look("red", edition, None) == BallLook.named("red")
    (tmp_path / "mauvish").write_text("no picture")
    with pytest.raises(CameraError, match="mauvish"):
        ball_look("mauvish", edition, None)
