"""What is no picture of the board, or no whole one: refused in one line, with nothing told of it."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.edition import load_edition
from tests.footage import drawn
from tests.shared import (
    FOOTAGE,
    Image,
    focal_px,
    picture,
    setmatch,
    shared_footage,
    true_layout,
    truth_of,
    write_video,
)

STILL = FOOTAGE / "rest" / "rest25.jpg"
CLIP = FOOTAGE / "figure-j.mp4"
EDITION = load_edition("classic")
GAMES = [drawn.chessboard, drawn.race_game, drawn.football, drawn.badminton]
STRANGERS = [drawn.black, drawn.noise, drawn.wall, drawn.bricks, *GAMES]
Draw = Callable[[], Image]


def name(value: object) -> str:
    return getattr(value, "__name__", str(value))


@pytest.mark.parametrize("draw", STRANGERS, ids=name)
def test_pictures_without_a_board(draw: Draw, tmp_path: Path) -> None:
    path = tmp_path / "stranger.png"
    cv2.imwrite(str(path), draw())
    ended = setmatch("locate", "--json", path)
    ended.refuses("stranger.png", "; ")
    if draw in GAMES:
        ended.refuses("no whole court", "--board")


@pytest.mark.parametrize("draw", [drawn.black, drawn.noise, drawn.bricks, drawn.football], ids=name)
@pytest.mark.parametrize("options", [["--json"], []], ids=["json", "table"])
def test_videos_without_a_board(draw: Draw, options: list[str], tmp_path: Path) -> None:
    path = write_video(tmp_path / "stranger.mp4", [draw()] * 10)
    setmatch("umpire", *options, "--camera", path).refuses("; ")


def test_of_what_is_refused_the_picture_alone_is_kept(tmp_path: Path) -> None:
    path, saved, overlay = tmp_path / "dark.png", tmp_path / "cal.json", tmp_path / "overlay.png"
    cv2.imwrite(str(path), drawn.black())
    setmatch("calibrate", "--json", "--camera", path, "--save", saved, "--overlay", overlay).refuses(
        "too dark", "lamp"
    )
    assert not saved.exists()
    assert cv2.imread(str(overlay)) is not None


def test_a_lit_board_out_of_focus_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "soft.png"
    cv2.imwrite(str(path), cv2.GaussianBlur(picture(STILL), (0, 0), 9))
    ended = setmatch("locate", "--json", "--focal-px", focal_px(STILL), path)
    ended.refuses("out of focus", "focus the lens")


def test_far_too_small_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "small.png"
    cv2.imwrite(str(path), cv2.resize(picture(STILL), (240, 180), interpolation=cv2.INTER_AREA))
    setmatch("locate", "--json", path).refuses("240x180", "too small", "larger camera mode")


# Files


@pytest.mark.parametrize("share", [0.0005, 0.01, 0.25, 0.5, 0.9, 0.9999])
@pytest.mark.parametrize("options", [["--json"], []], ids=["json", "table"])
def test_a_video_that_was_cut(share: float, options: list[str], tmp_path: Path) -> None:
    """Its first strokes could still be read; half a match must not pass for a whole one."""
    whole = CLIP.read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: int(share * len(whole))])
    setmatch("umpire", *options, "--camera", path).refuses("cut.mp4", "cut short", "again")


def test_a_video_cut_behind_its_index(tmp_path: Path) -> None:
    """Between the table of frames and the first of them: every outer part that is there is whole."""
    whole = CLIP.read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: whole.index(b"mdat") - 4])
    setmatch("umpire", "--json", "--camera", path).refuses("cut.mp4", "copy it again")


@pytest.mark.parametrize("command", ["umpire", "locate", "calibrate"])
@pytest.mark.parametrize("kind", ["empty", "text", "folder", "missing", "cut"])
def test_files_that_are_no_pictures(command: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / ("source.mp4" if command == "umpire" else "source.jpg")
    match kind:
        case "empty":
            path.touch()
        case "text":
            path.write_text("the ball was in\n" * 40)
        case "folder":
            path.mkdir()
        case "cut":
            whole = (CLIP if command == "umpire" else STILL).read_bytes()
            path.write_bytes(whole[: len(whole) // 2])
    args = {
        "umpire": ["umpire", "--json", "--camera", path],
        "locate": ["locate", "--json", path],
        "calibrate": ["calibrate", "--json", "--camera", path, "--save", tmp_path / "cal.json"],
    }[command]
    words = {"missing": "no file", "folder": "not a file", "cut": "cut short", "empty": "is empty"}
    setmatch(*args).refuses(path.name, words.get(kind, "no video or image"))


def test_a_bad_picture_among_good_ones(tmp_path: Path) -> None:
    """The good one is told, the bad one named, and the exit code says that not all went well."""
    ended = setmatch("locate", "--json", "--focal-px", focal_px(STILL), tmp_path / "none.jpg", STILL)
    assert ended.code == 2
    assert [line["image"] for line in ended.lines] == [str(STILL)]
    assert ended.err.count("\n") == 1
    assert "none.jpg" in ended.err


# Boards that are cut, or others: at half the size, which is a quarter of the time


def half_size(image: Image) -> Image:
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def edges_px(reach_x_mm: tuple[float, float], reach_y_mm: tuple[float, float]) -> dict[str, float]:
    """How far a rectangle of the board reaches in the picture: its last column or row on each side."""
    corners = [[x, y, 0.0] for x in reach_x_mm for y in reach_y_mm]
    px = true_layout(truth_of(STILL)).camera.project(corners) / 2
    return {
        "left": float(px[:, 0].min()),
        "right": float(px[:, 0].max()),
        "top": float(px[:, 1].min()),
        "bottom": float(px[:, 1].max()),
    }


def cut_at(image: Image, side: str, px: float) -> Image:
    """The picture without what lies beyond a column or row."""
    at = round(px)
    match side:
        case "left":
            return image[:, at:]
        case "right":
            return image[:, :at]
        case "top":
            return image[at:]
        case _:
            return image[:at]


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("through", ["margin", "court"])
def test_a_board_cut_by_the_pictures_edge(side: str, through: str, tmp_path: Path) -> None:
    court, image = EDITION.court, half_size(picture(STILL))
    rim = edges_px(EDITION.extent_x_mm, EDITION.extent_y_mm)[side]
    inner = edges_px((-court.baseline_mm, court.baseline_mm), (-court.doubles_mm, court.doubles_mm))[side]
    middle = image.shape[1] / 2 if side in ("left", "right") else image.shape[0] / 2
    at = (rim + inner) / 2 if through == "margin" else inner + 0.2 * (middle - inner)
    path = tmp_path / "cut.png"
    cv2.imwrite(str(path), cut_at(image, side, at))
    ended = setmatch("locate", "--json", "--focal-px", focal_px(STILL) / 2, path)
    if through == "margin":
        ended.refuses("not whole in the picture", f"cut at the {side}", "move the camera or the board")
    else:
        ended.refuses("whole", "; ")


@pytest.mark.parametrize("layout", ["discs", "uneven", "wedges"])
def test_another_board_than_was_said(layout: str, tmp_path: Path) -> None:
    """The classic under the name of a taught board, and the taught board under the classic's.

    Courts whose proportions differ by a few millimetres can be drawn over one another by a bent lens
    and halves pulled apart; then what is left over must say that this is no fit (a good one leaves
    0.02 to 0.05 mm).
    """
    folder = shared_footage("layouts", layout)
    for board, path in ((folder / "board.toml", STILL), ("classic", folder / "empty.jpg")):
        half, saved = tmp_path / "half.png", tmp_path / "cal.json"
        cv2.imwrite(str(half), half_size(picture(path)))
        args = ["--board", board, "--focal-px", focal_px(path) / 2, "--save", saved]
        ended = setmatch("calibrate", "--json", "--camera", half, *args)
        if ended.code == 0:
            (line,) = ended.lines
            print(board, path, line["residual_px"], line["residual_mm"])
            assert line["residual_mm"] > 0.25
        else:
            ended.refuses("; ")
