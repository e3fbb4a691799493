"""The Pi's camera modules over a picamera2 and libcamera that behave as documented, and as was reported."""

import logging
import math
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from hardware.camera import focal_length_of
from hardware.camera_facts import facts_of
from hardware.cameras import open_camera
from hardware.errors import CameraError, CameraHangsError
from hardware.picamera import FOCUS_MOST_S, STALE_S, PiCamera
from hardware.picamera_device import _HELD, BUSY_S, NO_FRAME_S
from hardware.turned import TurnedCamera
from tests.contract.fake_picamera2 import (
    GLOBAL_SHUTTER,
    HIGH_QUALITY,
    MODULE_3,
    AfModeEnum,
    FakePi,
    FakeSensor,
)


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePi]:
    computer = FakePi()
    computer.install(monkeypatch)
    yield computer
    computer.let_go.set()
    for camera in OPENED:
        camera.close()
    OPENED.clear()


OPENED: list[PiCamera] = []


def opened(pi: FakePi, index: int = 0, **chosen: object) -> PiCamera:
    camera = PiCamera(index, clock=pi.clock, sleep=pi.sleep, **chosen)  # type: ignore[arg-type]
    OPENED.append(camera)
    return camera


def frames(camera: PiCamera, count: int) -> None:
    for _ in range(count):
        assert camera.read() is not None


# ------------------------------------------------------------ what it sees


@pytest.mark.parametrize(
    ("sensor", "size"),
    [(GLOBAL_SHUTTER, (1456, 1088)), (HIGH_QUALITY, (2028, 1520)), (MODULE_3, (2304, 1296))],
    ids=lambda value: getattr(value, "model", ""),
)
def test_the_mode_sees_all_of_the_sensor_30_times_a_second(
    pi: FakePi, sensor: FakeSensor, size: tuple[int, int]
) -> None:
    pi.sensors = [sensor]
    camera = opened(pi)
    assert camera.size == size
    assert camera.fps == 30.0
    (vendor,) = pi.cameras
    config = vendor.camera_configuration()
    assert config["sensor"]["output_size"] == size
    assert config["main"]["format"] == "RGB888"
    first = vendor.sent[0]
    assert first["ScalerCrop"] == (0, 0, *sensor.array)
    assert first["FrameDurationLimits"] == (33333, 33333)
    assert first["Sharpness"] == 0.0, "edges are measured"


def test_pictures_are_blue_green_red(pi: FakePi) -> None:
    frame = opened(pi).read()
    assert frame is not None
    blue, _, red = frame.image[10, 10]
    assert red > blue + 20, "the ground at the top left is yellow"


@pytest.mark.parametrize("name", ["RGB888", "BGR888", "XRGB8888", "XBGR8888"])
@pytest.mark.parametrize("swapped", [False, True])
def test_red_and_blue_are_put_right_whatever_comes(
    pi: FakePi, name: str, swapped: bool, caplog: pytest.LogCaptureFixture
) -> None:
    first = opened(pi)
    reference = first.read()
    first.close()
    pi.format_given, pi.swapped = name, swapped
    camera = opened(pi)
    frame = camera.read()
    assert frame is not None
    assert reference is not None
    assert frame.image.shape == reference.image.shape
    assert np.abs(frame.image.astype(int) - reference.image).max() < 12
    assert any("swapped" in remark for remark in facts_of(camera).remarks) is swapped
    assert ("red and blue come swapped" in caplog.text) is swapped


def test_in_the_dark_the_format_is_believed(pi: FakePi) -> None:
    pi.light = 1e-5
    camera = opened(pi)
    assert not any("swapped" in remark for remark in facts_of(camera).remarks)


def test_a_format_that_nobody_knows(pi: FakePi) -> None:
    pi.format_given = "YUV420"
    with pytest.raises(CameraError, match="as YUV420, not RGB888"):
        opened(pi)


@pytest.mark.parametrize(
    ("crop", "told"),
    [
        ((728, 544, 728, 544), "only 728x544 of its 1456x1088"),
        ((0, 0, 1440, 1088), "only 1440x1088"),
        ((8, 0, 1456, 1088), r"from \(8, 0\)"),
    ],
)
def test_frames_that_are_cropped_are_no_frames(
    pi: FakePi, crop: tuple[int, int, int, int], told: str
) -> None:
    camera = opened(pi)
    frames(camera, 2)
    pi.crops = crop
    with pytest.raises(CameraError, match=told):
        camera.read()
    camera.close()
    with pytest.raises(CameraError, match=told):
        opened(pi)
    assert not pi.cameras[-1].is_open, "what was opened in vain is given back"


def test_a_crop_that_is_off_by_rounding_is_all_right(pi: FakePi) -> None:
    pi.crops = (0, 0, 1456, 1086)
    frames(opened(pi), 2)


def test_a_sensor_whose_every_mode_crops(pi: FakePi) -> None:
    pi.sensors = [replace(HIGH_QUALITY, modes=HIGH_QUALITY.modes[:2])]
    with pytest.raises(CameraError, match="every mode of imx477 crops its 4056x3040"):
        opened(pi)
    assert not pi.cameras[-1].is_open


def test_pictures_of_another_size_than_asked_for(pi: FakePi) -> None:
    pi.size_given = (1280, 720)
    with pytest.raises(CameraError, match="1280x720 instead of 1456x1088"):
        opened(pi)


# ------------------------------------------------------------ what is locked


@pytest.mark.parametrize("old", [False, True], ids=["libcamera 0.5", "libcamera 0.3"])
@pytest.mark.parametrize(("hz", "period_us"), [(50, 10_000), (60, 8_333.3)])
@pytest.mark.parametrize("light", [0.02, 0.1, 0.3, 0.5])
def test_the_exposure_is_a_multiple_of_the_flicker_and_the_picture_as_bright(
    pi: FakePi, old: bool, hz: int, period_us: float, light: float
) -> None:
    pi.old_libcamera, pi.light = old, light
    camera = opened(pi, mains_hz=hz)
    frame, facts = camera.read(), facts_of(camera)
    assert frame is not None
    assert facts.locked
    assert facts.exposure_us is not None
    assert facts.gain is not None
    count = facts.exposure_us / period_us
    assert abs(count - round(count)) < 0.01
    assert 1 <= round(count) * period_us < 33_000
    wanted = 5_000 / light
    assert facts.exposure_us * facts.gain == pytest.approx(wanted, rel=0.25)
    pi.cameras[0].set_controls({"AeEnable": True})
    before = frame.captured_at
    for _ in range(40):
        later = camera.read()
        assert later is not None
        assert later.captured_at > before
        assert facts_of(camera).exposure_us == facts.exposure_us


def test_in_daylight_it_is_shorter_than_a_period(pi: FakePi) -> None:
    pi.light = 10.0
    camera = opened(pi)
    camera.read()
    assert facts_of(camera).exposure_us == pytest.approx(500, rel=0.1)
    assert facts_of(camera).gain == 1.0


def test_gain_and_colours_are_those_of_every_frame(pi: FakePi) -> None:
    camera = opened(pi)
    frames(camera, 3)
    state = pi.cameras[0]._state
    assert state["ColourGains"] == pytest.approx((1.8, 2.2), rel=0.02)
    assert not state["AwbEnable"]
    assert not state["AeEnable"]


def test_a_lock_that_is_ignored_is_an_error_that_says_what_is_off(pi: FakePi) -> None:
    pi.lock_ignored, pi.light = True, 0.3
    with pytest.raises(
        CameraError, match=r"does not keep its settings: an exposure of \d+ us instead of 10000"
    ):
        opened(pi)
    assert not pi.cameras[-1].is_open


def test_a_lock_that_is_lost_is_set_again_and_no_frame_without_it_is_seen(
    pi: FakePi, caplog: pytest.LogCaptureFixture
) -> None:
    pi.light = 0.3
    camera = opened(pi)
    frames(camera, 1)
    exposure = facts_of(camera).exposure_us
    vendor = pi.cameras[0]
    vendor._state["AeEnable"] = True
    for _ in range(20):
        assert camera.read() is not None
        assert facts_of(camera).exposure_us == exposure
    assert "has lost its settings" in caplog.text or "had lost its settings" in caplog.text
    numbers = [frame.number for _ in range(3) if (frame := camera.read()) is not None]
    assert numbers[0] > 20, "the frames between are missing in the count"


def test_single_frames_that_were_taken_otherwise_are_dropped_and_no_more(pi: FakePi) -> None:
    pi.light = 0.3
    camera = opened(pi)
    exposure, sent = 10_000, len(pi.cameras[0].sent)
    pi.odd_every = 4
    for _ in range(100):
        frames(camera, 1)
        assert facts_of(camera).exposure_us == pytest.approx(exposure, rel=0.01)
    assert len(pi.cameras[0].sent) == sent, "the lock holds"


def test_a_lock_that_is_lost_again_and_again_is_an_error(pi: FakePi) -> None:
    pi.light = 0.3
    camera = opened(pi)
    pi.lost_every = 30
    with pytest.raises(CameraError, match="loses its settings again and again"):
        frames(camera, 1000)


@pytest.mark.parametrize(("before", "after"), [(0.3, 3.0), (3.0, 0.1)])
def test_when_the_light_changes_for_good_it_is_exposed_anew(
    pi: FakePi, before: float, after: float, caplog: pytest.LogCaptureFixture
) -> None:
    pi.light = before
    camera = opened(pi)
    frames(camera, 100)
    was = facts_of(camera)
    pi.light = after
    frames(camera, 100)
    assert facts_of(camera) == was, "not for what may pass"
    for _ in range(100):
        camera.read()
    now = facts_of(camera)
    assert now.exposure_us is not None
    assert now.gain is not None
    assert now.exposure_us * now.gain == pytest.approx(5_000 / after, rel=0.3)
    assert "the light has changed" in caplog.text


def test_in_a_dark_room_it_is_not_exposed_anew_for_ever(pi: FakePi, caplog: pytest.LogCaptureFixture) -> None:
    pi.light = 1e-4
    camera = opened(pi)
    frames(camera, 1500)
    assert "the light has changed" not in caplog.text, "there is no more to be had"


# ------------------------------------------------------------ focus and lens


def test_the_lens_is_focused_once_and_left_there(pi: FakePi) -> None:
    pi.sensors = [MODULE_3]
    camera = opened(pi)
    frames(camera, 3)
    assert pi.cameras[0]._state["AfMode"] == AfModeEnum.Manual
    assert facts_of(camera).focus_dioptres == 1.8
    focal = focal_length_of(camera)
    assert focal is not None
    # 4.74 mm focused on 1 / 1.8 m draws 4.781 mm behind it, on pixels of 2.8 um.
    assert focal.px == pytest.approx(4.74 / (1 - 4.74 * 1.8 / 1000) / 0.0028)
    assert 0.005 <= focal.sigma <= 0.03


def test_where_the_lens_stood_before_is_not_taken_for_its_focus(pi: FakePi) -> None:
    pi.sensors, pi.focused_before = [MODULE_3], True
    camera = opened(pi)
    frames(camera, 1)
    assert facts_of(camera).focus_dioptres == 1.8


def test_a_lens_that_finds_no_focus_stands_at_the_usual_height_and_says_so(pi: FakePi) -> None:
    pi.sensors, pi.finds_focus = [MODULE_3], False
    camera = opened(pi)
    frames(camera, 1)
    assert facts_of(camera).focus_dioptres == pytest.approx(1000 / 512, rel=0.001)
    assert any("focus was not found" in remark for remark in facts_of(camera).remarks)
    assert pi.now < 100 + FOCUS_MOST_S + 4


def test_the_lens_on_a_mount_gives_the_focal_length(pi: FakePi) -> None:
    focal = opened(pi, lens_mm=16.0).focal_length
    assert focal is not None
    # 16 mm, focused on the 1768 mm from which it sees the board, draws 16.146 mm behind it.
    assert focal.px == pytest.approx(16.146 / 0.00345, rel=1e-4)


def test_a_lens_on_a_mount_that_nobody_named_is_found_with_the_board(
    pi: FakePi, caplog: pytest.LogCaptureFixture
) -> None:
    assert opened(pi).focal_length is None
    assert "lens_mm" in caplog.text


def test_a_lens_that_cannot_be_is_told_at_once(pi: FakePi) -> None:
    pi.sensors = [MODULE_3]
    with pytest.raises(CameraError, match=r"4\.74 mm built in, 16 mm was given"):
        opened(pi, lens_mm=16.0)
    assert not pi.cameras[-1].is_open


def test_a_camera_that_is_not_in_the_table(pi: FakePi) -> None:
    pi.sensors = [replace(HIGH_QUALITY, model="imx999")]
    camera = opened(pi)
    assert camera.size == (2028, 1520)
    assert camera.focal_length is None
    assert facts_of(camera).model == "imx999"


def test_turned_pictures_have_the_same_lens_and_facts(pi: FakePi) -> None:
    camera = opened(pi, lens_mm=16.0)
    turned = TurnedCamera(camera, 90)
    assert focal_length_of(turned) == camera.focal_length
    turned.read()
    assert facts_of(turned) == facts_of(camera)


# ------------------------------------------------------------ time


def test_frames_are_stamped_with_the_sensors_clock(pi: FakePi) -> None:
    camera = opened(pi)
    frame = camera.read()
    assert frame is not None
    assert frame.captured_at == pytest.approx(pi.now - 0.05, abs=1e-6)


def test_missing_frames_are_missing_in_the_count(pi: FakePi) -> None:
    camera = opened(pi)
    first = camera.read()
    pi.now += 5 / 30
    second = camera.read()
    assert first is not None
    assert second is not None
    assert (first.number, second.number) == (0, 6)


def test_frames_that_lay_in_a_buffer_are_dropped(pi: FakePi) -> None:
    camera = opened(pi)
    frames(camera, 2)
    pi.stale_s = STALE_S + 0.1
    last = camera._last_at
    with pytest.raises(CameraError, match="are old ones"):
        frames(camera, 1)
    assert camera._last_at == last
    pi.stale_s = 0.0
    frames(camera, 2)


def test_a_clock_that_stands_still_hangs_nothing(pi: FakePi) -> None:
    pi.clock_stands = True
    with pytest.raises(CameraError, match="are old ones"):
        opened(pi).read()


# ------------------------------------------------------------ what goes wrong


def test_without_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "libcamera", None)
    with pytest.raises(CameraError, match=r"python3-picamera2.*--system-site-packages"):
        PiCamera()


def test_no_camera_on_the_cables(pi: FakePi) -> None:
    pi.sensors, pi.usb_cameras = [], 2
    with pytest.raises(CameraError, match="no camera pi:0; check the ribbon cable"):
        opened(pi)


def test_a_camera_of_another_number(pi: FakePi) -> None:
    pi.sensors = [GLOBAL_SHUTTER, MODULE_3]
    assert opened(pi, 1).size == (2304, 1296)
    with pytest.raises(CameraError, match="no camera pi:2; name pi:0 to pi:1"):
        opened(pi, 2)


def test_a_camera_that_is_busy_is_waited_for(pi: FakePi, caplog: pytest.LogCaptureFixture) -> None:
    pi.busy_for_s = BUSY_S - 1
    frames(opened(pi), 1)
    assert [record.message for record in caplog.records if "in use" in record.message] == [
        "the camera pi:0 is in use; waiting for it"
    ]


def test_a_camera_that_stays_busy_is_an_error(pi: FakePi) -> None:
    pi.busy_for_s = math.inf
    with pytest.raises(CameraError, match="in use by another program; end that"):
        opened(pi)
    assert BUSY_S <= pi.now - 100 < BUSY_S + 1


def test_a_camera_that_is_tried_for_hours_leaves_no_pipe_open(pi: FakePi) -> None:
    pi.busy_for_s = math.inf
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(CameraError):
            opened(pi)
    assert len(pi.cameras) > 20
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_camera_that_does_not_open_for_another_reason(pi: FakePi) -> None:
    pi.fails_to_open = "Failed to initialize camera"
    with pytest.raises(CameraError, match="does not open: Failed to initialize camera"):
        opened(pi)
    assert pi.now == 100.0, "it is not waited for"


def test_a_camera_that_is_unplugged(pi: FakePi) -> None:
    camera = opened(pi)
    frames(camera, 1)
    pi.unplugged = True
    before = pi.now
    with pytest.raises(CameraError, match=f"no picture for {NO_FRAME_S:g} s; check its ribbon cable"):
        camera.read()
    assert pi.now - before == NO_FRAME_S


def test_a_camera_that_sends_nothing_from_the_start(pi: FakePi) -> None:
    pi.unplugged = True
    with pytest.raises(CameraError, match=f"no picture for {NO_FRAME_S:g} s"):
        opened(pi)
    assert not pi.cameras[-1].is_open


def test_buffers_are_given_back_whatever_happens(pi: FakePi) -> None:
    camera = opened(pi)
    for _ in range(50):
        pi.crops = (0, 0, 64, 64)
        with pytest.raises(CameraError):
            camera.read()
        pi.crops = None
        frames(camera, 1)
    assert pi.cameras[0].buffers == 6


def test_a_stop_that_never_returns_holds_nobody_up(
    pi: FakePi, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("hardware.picamera_device.CLOSE_S", 0.01)
    camera = opened(pi)
    pi.stop_hangs = True
    camera.close()
    assert "does not stop" in caplog.text
    camera.close()
    assert list(_HELD) == [0]
    with pytest.raises(CameraHangsError, match=r"hangs in its driver .* start the program again"):
        opened(pi)
    assert pi.now > 100 + BUSY_S, "it may yet let go"
    assert len(pi.cameras) == 1, "and is not grasped at meanwhile"
    pi.let_go.set()
    pi.sleep = lambda _: time.sleep(0.001)  # type: ignore[method-assign]
    frames(opened(pi), 1)


def test_a_stop_that_fails_is_no_error(pi: FakePi, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = opened(pi)

    def fails() -> None:
        raise RuntimeError("Camera frontend has timed out")

    monkeypatch.setattr(pi.cameras[0], "close", fails)
    with_level = logging.getLogger("hardware.picamera_device")
    assert with_level.isEnabledFor(logging.WARNING)
    camera.close()
    camera.close()


def test_a_closed_camera_gives_nothing(pi: FakePi) -> None:
    camera = opened(pi)
    camera.close()
    camera.close()
    assert pi.cameras[0].closed == 1
    with pytest.raises(CameraError, match="is closed"):
        camera.read()


@pytest.mark.parametrize("source", ["pi", "pi:0"])
def test_it_is_opened_by_its_name(pi: FakePi, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    monkeypatch.setattr("hardware.picamera.time.monotonic", pi.clock)
    monkeypatch.setattr(
        PiCamera.__init__, "__kwdefaults__", PiCamera.__init__.__kwdefaults__ | {"clock": pi.clock}
    )
    camera = open_camera(source, 180, lens_mm=6.0, mains_hz=60)
    frames(camera, 1)  # type: ignore[arg-type]
    assert facts_of(camera).exposure_us == pytest.approx(8_333, rel=0.01)
    assert focal_length_of(camera) is not None
    camera.close()
