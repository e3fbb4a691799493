"""Which size, packing and rate a USB camera plays at: one with many modes, few, odd ones, none told."""

import logging
from pathlib import Path

import pytest

from hardware.camera_facts import facts_of
from hardware.cameras import open_camera
from hardware.usb import UsbCamera
from hardware.usb_modes import UsbMode, best_mode, listed_modes
from tests.contract.fake_v4l2 import WEBCAM, FakeCapture
from tests.contract.fake_v4l2 import FakeMode as Mode


def opened(
    monkeypatch: pytest.MonkeyPatch, *modes: Mode, size: tuple[int, int] | None = None, lists: bool = True
) -> tuple[UsbCamera, FakeCapture]:
    device = FakeCapture(modes=modes, lists=lists)
    device.install(monkeypatch)
    monkeypatch.setattr("hardware.usb.sys.platform", "linux")
    return UsbCamera(0, size=size), device


def given(camera: UsbCamera, device: FakeCapture) -> tuple[str, tuple[int, int], float]:
    frame = camera.read()
    assert frame is not None
    assert camera.size == frame.image.shape[1::-1]
    return device.fourcc, camera.size, camera.fps


def test_opencv_alone_gives_the_smallest() -> None:
    """What a camera plays at when nobody asks: the fake behaves as OpenCV does."""
    device = FakeCapture(modes=WEBCAM)
    assert (device.fourcc, device.size, device.fps) == ("YUYV", (640, 480), 30.0)


def test_a_usual_camera_plays_at_its_best_without_a_word(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        camera, device = opened(monkeypatch, *WEBCAM)
    assert given(camera, device) == ("MJPG", (1920, 1080), 30.0)
    facts = facts_of(camera)
    assert (facts.mode, facts.remarks) == ("1920x1080, MJPG, 30 fps", ())
    assert "the camera usb:0: 1920x1080, MJPG, 30 fps" in caplog.text
    assert all(record.levelno == logging.INFO for record in caplog.records)


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        # Fast enough uncompressed: nothing is lost, and nothing to be unpacked.
        ([Mode("MJPG", (1280, 720)), Mode("YUYV", (1280, 720))], ("YUYV", (1280, 720), 30.0)),
        ([Mode("MJPG", (1280, 720)), Mode("YUYV", (1280, 720), (24.0,))], ("MJPG", (1280, 720), 30.0)),
        # 25 are enough for more pixels, 24 are not.
        ([Mode("MJPG", (1280, 960)), Mode("MJPG", (1600, 1200), (25.0,))], ("MJPG", (1600, 1200), 25.0)),
        ([Mode("MJPG", (1280, 960)), Mode("MJPG", (1600, 1200), (24.0,))], ("MJPG", (1280, 960), 30.0)),
        # The board is larger in 1600x1200 than in 1920x1080, though that has more pixels.
        ([Mode("MJPG", (1920, 1080)), Mode("MJPG", (1600, 1200))], ("MJPG", (1600, 1200), 30.0)),
        # Too slow everywhere: the quickest.
        ([Mode("YUYV", (1280, 720), (10.0,)), Mode("YUYV", (640, 480), (20.0,))],
         ("YUYV", (640, 480), 20.0)),
        # Of the rates the nearest to 30 that is not below.
        ([Mode("MJPG", (1280, 720), (90.0, 50.0, 26.0))], ("MJPG", (1280, 720), 50.0)),
        # Nothing but more than is wanted: what comes nearest to it.
        ([Mode("MJPG", (3264, 2448))], ("MJPG", (3264, 2448), 30.0)),
        # Any size, as of a driver that scales.
        ([Mode("YUYV", (32, 32), (60.0,), to=(4000, 3000))], ("YUYV", (1600, 1200), 30.0)),
        ([Mode("YUYV", (32, 32), (26.0,), to=(1000, 1000))], ("YUYV", (800, 600), 26.0)),
    ],
)  # fmt: skip
def test_the_mode_that_shows_most_often_enough(
    monkeypatch: pytest.MonkeyPatch,
    modes: list[Mode],
    expected: tuple[str, tuple[int, int], float],
) -> None:
    assert given(*opened(monkeypatch, *modes)) == expected


def test_a_driver_that_does_not_list_its_modes_is_asked_for_usual_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert given(*opened(monkeypatch, *WEBCAM, lists=False)) == ("MJPG", (1920, 1080), 30.0)
    slow = (Mode("MJPG", (1920, 1080), (15.0,)), Mode("MJPG", (1280, 720)))
    assert given(*opened(monkeypatch, *slow, lists=False)) == ("MJPG", (1280, 720), 30.0)
    raw = (Mode("YUYV", (640, 480)), Mode("YUYV", (1280, 960), (9.0,)))
    assert given(*opened(monkeypatch, *raw, lists=False)) == ("YUYV", (1280, 960), 9.0)


def test_the_size_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, device = opened(monkeypatch, *WEBCAM, size=(1280, 720))
    assert given(camera, device) == ("MJPG", (1280, 720), 30.0)
    assert facts_of(camera).remarks == ()
    assert given(*opened(monkeypatch, *WEBCAM, size=(3840, 2160)))[1] == (3840, 2160)
    assert given(*opened(monkeypatch, *WEBCAM, size=(1280, 720), lists=False))[1] == (1280, 720)


def test_another_size_than_was_wanted_is_told_with_those_that_there_are(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    camera, device = opened(monkeypatch, *WEBCAM, size=(1280, 1024))
    assert given(camera, device)[1] == (1280, 720)
    (remark,) = facts_of(camera).remarks
    assert remark.startswith("it gives pictures of 1280x720 and not of 1280x1024; set size under [camera]")
    assert "[3840, 2160], [1920, 1080], [1280, 720], [640, 480], or leave it out" in remark
    assert remark in caplog.text
    camera, _ = opened(monkeypatch, *WEBCAM, size=(1280, 1024), lists=False)
    (remark,) = facts_of(camera).remarks
    assert remark.endswith("to one that it has, or leave it out")


def test_the_size_is_passed_on_to_the_camera_before_it_is_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    FakeCapture(modes=WEBCAM).install(monkeypatch)
    monkeypatch.setattr("hardware.usb.sys.platform", "linux")
    camera = open_camera("usb:0", 90, size=(1280, 720))
    assert camera.size == (720, 1280)


def test_the_list_is_the_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    opened(monkeypatch, *WEBCAM)
    listed = listed_modes(Path("/dev/video0"))
    known = {(mode.fourcc, mode.size, fps) for mode in WEBCAM for fps in mode.fps if mode.fourcc != "H264"}
    assert {(mode.fourcc, mode.size, mode.fps) for mode in listed} == known


def test_a_file_that_is_no_device_lists_none(tmp_path: Path) -> None:
    (tmp_path / "video0").write_bytes(b"")
    assert listed_modes(tmp_path / "video0") == listed_modes(tmp_path / "none") == ()


def test_a_rate_that_is_rounded_counts_as_30() -> None:
    modes = [UsbMode("MJPG", (1280, 720), fps) for fps in (60.0, 29.97, 15.0)]
    assert best_mode(modes) == modes[1]
    assert best_mode([]) is None
