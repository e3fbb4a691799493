"""The camera port's contract, run on every adapter: the simulated table, a file, the Pi's camera modules and
a USB camera on libraries that behave as documented, and a USB device that is plugged in."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.edition import load_edition
from hardware.camera import Camera
from hardware.picamera import PiCamera
from hardware.recorded import RecordedCamera
from hardware.simulated.camera import SimulatedCamera, simulated_scene
from hardware.simulated.scene import default_scene
from hardware.simulated.table import SimulatedTable
from hardware.usb import UsbCamera
from tests.contract.fake_picamera2 import GLOBAL_SHUTTER, HIGH_QUALITY, MODULE_3, FakePi, FakeSensor
from tests.contract.fake_v4l2 import FakeCapture

SMALL = (320, 240)
FRAMES = 12


def a_recording(folder: Path) -> Path:
    path = folder / "clip.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 25.0, SMALL)
    for index in range(FRAMES):
        writer.write(np.full((SMALL[1], SMALL[0], 3), 20 * index, np.uint8))
    writer.release()
    return path


def simulated(folder: Path, _: pytest.MonkeyPatch) -> Camera:
    scene = simulated_scene(default_scene(load_edition("classic"), SMALL))
    return SimulatedCamera(SimulatedTable(scene), frame_count=FRAMES)


def recorded(folder: Path, _: pytest.MonkeyPatch) -> Camera:
    return RecordedCamera(a_recording(folder))


def on_a_pi(sensor: FakeSensor, monkeypatch: pytest.MonkeyPatch) -> Camera:
    pi = FakePi([sensor])
    pi.install(monkeypatch)
    return PiCamera(clock=pi.clock, sleep=pi.sleep)


def global_shutter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Camera:
    return on_a_pi(GLOBAL_SHUTTER, monkeypatch)


def high_quality(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Camera:
    return on_a_pi(HIGH_QUALITY, monkeypatch)


def module_3(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Camera:
    return on_a_pi(MODULE_3, monkeypatch)


def usb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Camera:
    FakeCapture().install(monkeypatch)
    return UsbCamera(0)


def usb_device(folder: Path, _: pytest.MonkeyPatch) -> Camera:
    if not Path("/dev/video0").exists():
        pytest.skip("no USB camera: /dev/video0 is missing")
    return UsbCamera(0)


ADAPTERS: list[Callable[[Path, pytest.MonkeyPatch], Camera]] = [
    simulated,
    recorded,
    global_shutter,
    high_quality,
    module_3,
    usb,
    usb_device,
]


@pytest.fixture(params=ADAPTERS, ids=lambda make: make.__name__)
def camera(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Camera]:
    opened: Camera = request.param(tmp_path, monkeypatch)
    yield opened
    opened.close()


def test_frames_have_the_announced_size_and_kind(camera: Camera) -> None:
    frame = camera.read()
    assert frame is not None
    width, height = camera.size
    assert frame.image.shape == (height, width, 3)
    assert frame.image.dtype == np.uint8


def test_numbers_and_times_rise(camera: Camera) -> None:
    frames = [camera.read() for _ in range(6)]
    seen = [frame for frame in frames if frame is not None]
    assert len(seen) == 6
    assert all(b.number > a.number for a, b in pairwise(seen))
    assert all(b.captured_at > a.captured_at for a, b in pairwise(seen))


def test_times_agree_with_the_rate(camera: Camera) -> None:
    if isinstance(camera, UsbCamera):
        pytest.skip("it is asked when a frame arrives, and that is the test's own time")
    first, *_, last = (camera.read() for _ in range(FRAMES))
    assert first is not None
    assert last is not None
    passed = last.captured_at - first.captured_at
    assert passed == pytest.approx((FRAMES - 1) / camera.fps, rel=0.01)


def test_the_announced_number_of_frames_comes_and_then_none(camera: Camera) -> None:
    if camera.frame_count is None:
        pytest.skip("a device goes on for ever")
    count = 0
    while camera.read() is not None:
        count += 1
    assert count == camera.frame_count == FRAMES
    assert camera.read() is None


def test_a_frame_is_not_written_to_later(camera: Camera) -> None:
    first = camera.read()
    assert first is not None
    kept = first.image.copy()
    for _ in range(5):
        camera.read()
    assert np.array_equal(first.image, kept)


def test_closing_twice_is_safe(camera: Camera) -> None:
    camera.read()
    camera.close()
    camera.close()
