"""`setmatch focus`: a number to turn a lens's ring by, of pictures, recordings and the simulated table."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.shared import FOOTAGE, picture, setmatch

STILL = FOOTAGE / "rest" / "rest25.jpg"


def test_a_sharp_picture_and_one_that_is_not(tmp_path: Path) -> None:
    soft = tmp_path / "soft.png"
    cv2.imwrite(str(soft), cv2.GaussianBlur(picture(STILL), (0, 0), 10.0))
    widths = []
    for path in (STILL, soft):
        ended = setmatch("focus", "--camera", path, "--json")
        assert ended.code == 0, ended.err
        (line,) = ended.lines
        assert line["kind"] == "focus"
        assert line["best_px"] == line["edge_px"]
        widths.append(line["edge_px"])
    assert widths[0] < 1.0 < 4.0 < widths[1]


def test_text_for_people(tmp_path: Path) -> None:
    ended = setmatch("focus", "--camera", STILL)
    assert ended.code == 0
    assert "edges are  0." in ended.out
    assert "##########" in ended.out
    black = tmp_path / "black.png"
    cv2.imwrite(str(black), np.zeros((480, 640, 3), np.uint8))
    assert "no edges are seen: switch a lamp on" in setmatch("focus", "--camera", black).out


def test_twice_a_second_until_the_time_is_up() -> None:
    """By the camera's own time."""
    ended = setmatch("focus", "--camera", "simulated", "--seconds", 1.6, "--json")
    assert ended.code == 0, ended.err
    assert len(ended.lines) == 4
    best = [line["best_px"] for line in ended.lines]
    assert best == sorted(best, reverse=True)


def test_a_moment_is_enough_for_one() -> None:
    ended = setmatch("focus", "--camera", "simulated", "--seconds", 0.1, "--json")
    assert (ended.code, len(ended.lines)) == (0, 1)


def test_edges_that_are_narrower_than_can_be_told_are_the_narrowest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.focus.edge_width_px", lambda picture: 0.0)
    (line,) = setmatch("focus", "--camera", STILL, "--json").lines
    assert (line["edge_px"], line["best_px"]) == (0.0, 0.0)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon", "4000"])
def test_times_that_are_none(seconds: str) -> None:
    setmatch("focus", "--camera", STILL, f"--seconds={seconds}").refuses("is not a number of seconds")


def test_a_camera_that_is_not_there() -> None:
    setmatch("focus", "--camera", "usb:99").refuses("usb:99", "plug it in")
    setmatch("focus", "--camera", STILL, "--size", "big").refuses("no size of pictures", "1920x1080")
