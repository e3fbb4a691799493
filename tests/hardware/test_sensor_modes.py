"""The mode to play with, of those that sensors list."""

import random
from typing import Any

import pytest

from hardware.errors import CameraError
from hardware.optics import CAMERAS
from hardware.sensor_modes import Mode, whole_mode


def mode(
    size: tuple[int, int], fps: float, crop: tuple[int, int, int, int], bits: int = 10
) -> dict[str, Any]:
    return {"format": "?", "size": size, "bit_depth": bits, "fps": fps, "crop_limits": crop}


CAMERA_MODULE_2 = [
    mode((640, 480), 103.33, (1000, 752, 1280, 960)),
    mode((1640, 1232), 41.85, (0, 0, 3280, 2464)),
    mode((1640, 1232), 83.7, (0, 0, 3280, 2464), bits=8),
    mode((1920, 1080), 47.57, (680, 692, 1920, 1080)),
    mode((3280, 2464), 21.19, (0, 0, 3280, 2464)),
]
"""As it lists them: raspberrypi/picamera2, issue 683."""


def test_the_largest_that_sees_all_often_enough_whatever_the_order() -> None:
    modes = list(CAMERA_MODULE_2)
    for _ in range(20):
        random.Random(0).shuffle(modes)
        best = whole_mode(modes, (3280, 2464), "imx219")
        assert (best.size, best.crop) == ((1640, 1232), (0, 0, 3280, 2464))


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.sensor)
def test_the_table_of_cameras_agrees_with_what_would_be_chosen(camera: Any) -> None:
    crop = (0, 0, *camera.array_px)
    modes = [mode((each.width, each.height), each.fps, crop) for each in camera.modes]
    modes.append(mode((camera.array_px[0] // 2, 720), 120.0, (0, 400, camera.array_px[0], 1440)))
    best = whole_mode(modes, camera.array_px, camera.sensor)
    assert best.size == (camera.play_mode.width, camera.play_mode.height)


@pytest.mark.parametrize("crop", [(0, 440, 4056, 2160), (600, 0, 2856, 3040)])
def test_a_mode_that_crops_one_way_only_is_no_whole_one(crop: tuple[int, int, int, int]) -> None:
    modes = [mode(crop[2:], 40.0, crop), mode((2028, 1520), 40.0, (0, 0, 4056, 3040))]
    assert whole_mode(modes, (4056, 3040), "imx477").size == (2028, 1520)


def test_of_two_alike_the_deeper() -> None:
    crop = (0, 0, 1456, 1088)
    modes = [mode((1456, 1088), 60.0, crop, bits) for bits in (8, 10)]
    assert whole_mode(modes, None, "x").bit_depth == 10


def test_where_none_is_fast_enough_the_fastest() -> None:
    modes = [mode((4056, 3040), 10.0, (0, 0, 4056, 3040)), mode((2028, 1520), 20.0, (0, 0, 4056, 3040))]
    assert whole_mode(modes, None, "x").size == (2028, 1520)


def test_without_the_arrays_size_the_widest_crop_is_all() -> None:
    assert whole_mode(CAMERA_MODULE_2, None, "imx219").crop == (0, 0, 3280, 2464)


@pytest.mark.parametrize(
    ("modes", "told"),
    [
        ([], "lists no modes"),
        ([{"format": "MJPEG"}], "lists no modes"),
        ([CAMERA_MODULE_2[0], CAMERA_MODULE_2[3]], "every mode of x crops its 3280x2464"),
        ([mode((3280, 2464), 4.0, (0, 0, 3280, 2464))], "no more than 4.0 times a second"),
    ],
)
def test_where_no_mode_will_do(modes: list[dict[str, Any]], told: str) -> None:
    with pytest.raises(CameraError, match=told.replace(".", r"\.")):
        whole_mode(modes, (3280, 2464), "x")


@pytest.mark.parametrize(
    ("crop", "whole"),
    [
        ((0, 0, 4056, 3040), True),
        ([0, 2, 4054, 3036], True),
        ((0, 440, 4056, 2160), False),
        ((0, 0, 4056, 3030), False),
        (None, False),
        ((0, 0), False),
    ],
)
def test_whether_a_frame_shows_all(crop: object, whole: bool) -> None:
    assert Mode((2028, 1520), 12, 40.0, (0, 0, 4056, 3040)).is_whole(crop) is whole
