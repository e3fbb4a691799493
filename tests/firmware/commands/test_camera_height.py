"""`setmatch camera-height`: what it prints for people and programs, and what it refuses."""

from pathlib import Path

import pytest

from hardware.optics import CAMERAS
from tests.shared import setmatch


def test_every_camera_is_hung_with_its_usual_lenses() -> None:
    rows = setmatch("camera-height", "--json").lines
    assert {row["camera"] for row in rows} == {camera.sensor for camera in CAMERAS}
    of_one = [row for row in rows if row["camera"] == "imx296"]
    assert [row["lens_mm"] for row in of_one] == [6, 8, 12, 16]
    heights = [row["height_mm"] for row in of_one]
    assert heights == sorted(heights)
    for row in rows:
        assert row["tilt_deg"] == 4
        assert row["focal_px"] * row["mm_per_px"][0] == pytest.approx(row["height_mm"], rel=0.05)
        assert row["sigma_known_mm"] < row["sigma_unknown_mm"]


def test_one_camera_is_compared_over_tilts_and_gets_advice() -> None:
    ended = setmatch("camera-height", "--camera", "imx296", "--lens-mm", "6")
    assert ended.code == 0
    lines = ended.out.splitlines()
    rows = [line.split() for line in lines if line.startswith("imx296")]
    assert [row[3] for row in rows] == ["0", "2", "4", "6", "8", "10"]
    advice = next(line for line in lines if line.startswith("Tilt:"))
    assert "known, to 2 %" in advice
    assert "10 degrees if it is not" in advice
    assert "Focus: on the board" in ended.out
    assert max(map(len, lines)) <= 120


def test_a_table_of_one_camera_can_be_had_for_one_tilt() -> None:
    (row,) = setmatch("camera-height", "--camera", "imx708_noir", "--tilt", "0", "--json").lines
    assert (row["camera"], row["lens_mm"], row["size"]) == ("imx708", 4.74, [2304, 1296])
    # 390 mm over 1295 px of 4.78 mm over 2.8 um.
    assert row["height_mm"] == pytest.approx(390 / 1295 * row["focal_px"], abs=0.1)
    assert row["over_mm"] == [0, 50]
    assert row["warnings"] == []


def test_a_lens_alone_is_put_on_the_cameras_that_take_one() -> None:
    rows = setmatch("camera-height", "--lens-mm", "8", "--json").lines
    assert [(row["camera"], row["lens_mm"]) for row in rows] == [("imx296", 8), ("imx477", 8)]


def test_any_other_camera_is_described_by_focal_length_and_size() -> None:
    ended = setmatch("camera-height", "--focal-px", "1400", "--size", "1920x1080", "--tilt", "10")
    assert ended.code == 0
    row = next(line for line in ended.out.splitlines() if line.startswith("given"))
    assert row.split()[1:3] == ["-", "10"]
    assert "Focus" not in ended.out


def test_what_is_too_coarse_or_too_low_is_told() -> None:
    coarse = setmatch("camera-height", "--board", "maxi", "--camera", "imx296", "--lens-mm", "6")
    assert "0.71 mm a pixel is coarser than 0.4" in coarse.err
    low = setmatch("camera-height", "--camera", "imx708_wide", "--tilt", "4")
    assert "so low that hands and heads" in low.err
    assert "coarser" not in low.err


def test_more_margin_hangs_higher() -> None:
    heights = [
        setmatch("camera-height", "--camera", "imx219", "--tilt", "2", "--margin", mm, "--json").lines[0]
        for mm in ("0", "50")
    ]
    assert heights[1]["height_mm"] == pytest.approx(heights[0]["height_mm"] * 600 / 500, rel=0.01)


def test_an_arm_is_drawn_for_one_place(tmp_path: Path) -> None:
    out = tmp_path / "arm.svg"
    one = ("--camera", "imx477", "--lens-mm", "8", "--tilt", "4")
    (row,) = setmatch("camera-height", *one, "--out", out, "--json").lines
    drawing = out.read_text(encoding="utf-8")
    assert f">{row['height_mm']:.0f}<" in drawing
    assert f">{225 + 45 - row['over_mm'][1]:.0f}<" in drawing
    assert "the High Quality Camera with 8 mm" in drawing
    out.unlink()
    setmatch("camera-height", *one[:4], "--out", out).refuses("one camera", "--tilt")
    high = ("--camera", "imx296", "--lens-mm", "16", "--tilt", "0")
    setmatch("camera-height", *high, "--out", out).refuses("no arm on a table", "ceiling")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--camera", "imx999"], ["imx999", "imx296 (Global Shutter Camera)"]),
        (["--camera", "imx708", "--lens-mm", "6"], ["leave the lens out"]),
        (["--camera", "imx477", "--lens-mm", "0.1"], ["1 to 100"]),
        (["--lens-mm", "nan"], ["1 to 100"]),
        (["--focal-px", "1400"], ["--size"]),
        (["--size", "1920x1080"], ["--focal-px"]),
        (["--focal-px", "1400", "--size", "1920x1080", "--lens-mm", "6"], ["leave --lens-mm out"]),
        (["--camera", "imx708", "--focal-px", "1400"], ["not allowed"]),
        (["--size", "1920"], ["1920x1080"]),
        (["--size", "19x10"], ["1920x1080"]),
        (["--tilt", "13"], ["0 to 12 degrees"]),
        (["--tilt", "nan"], ["0 to 12 degrees"]),
        (["--margin", "-1"], ["0 to 500 mm"]),
        (["--board", "nowhere.toml"], ["nowhere.toml"]),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], words: list[str]) -> None:
    setmatch("camera-height", *arguments).refuses(*words)
