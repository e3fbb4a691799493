"""A USB camera's settings, held through V4L2's controls, of devices that have all, some or none of them."""

import logging

import cv2
import pytest

from firmware.daemon.frames import FROZEN_S
from hardware.camera_facts import facts_of
from hardware.errors import CameraError
from hardware.exposure import MainsHz
from hardware.usb import UsbCamera
from tests.contract.fake_v4l2 import ALL_CONTROLS, FakeCapture


@pytest.fixture(autouse=True)
def linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.usb.sys.platform", "linux")


def opened(device: FakeCapture, monkeypatch: pytest.MonkeyPatch, mains_hz: MainsHz = 50) -> UsbCamera:
    device.install(monkeypatch)
    return UsbCamera(0, mains_hz=mains_hz)


def level(camera: UsbCamera) -> float:
    frame = camera.read()
    assert frame is not None
    return float(frame.image.mean())


@pytest.mark.parametrize(("mains_hz", "period"), [(50, 100), (60, 83)])
@pytest.mark.parametrize("light", [0.3, 0.5, 1.0, 1.2])
def test_the_exposure_is_a_multiple_of_the_flicker_and_the_picture_about_as_bright(
    monkeypatch: pytest.MonkeyPatch, mains_hz: MainsHz, period: int, light: float
) -> None:
    device = FakeCapture(light=light)
    camera = opened(device, monkeypatch, mains_hz)
    units = device.get(cv2.CAP_PROP_EXPOSURE)
    assert min(abs(units - period * count) for count in (1, 2, 3)) <= 1
    assert level(camera) == pytest.approx(110, rel=0.3)
    facts = facts_of(camera)
    assert facts.locked
    assert facts.exposure_us == units * 100
    assert facts.remarks == ()


def test_in_daylight_it_is_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeCapture(light=7.0)
    camera = opened(device, monkeypatch)
    assert device.get(cv2.CAP_PROP_EXPOSURE) < 30
    assert level(camera) == pytest.approx(110, rel=0.3)


def test_white_balance_focus_and_gain_stay_where_the_camera_had_them(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeCapture()
    opened(device, monkeypatch)
    for automatic in (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS):
        assert device.get(automatic) == 0
    assert device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1
    for value in (cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_GAIN):
        assert device.get(value) == ALL_CONTROLS[value]


def test_a_device_without_any_control_plays_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    camera = opened(FakeCapture(controls={}), monkeypatch)
    for _ in range(100):
        camera.read()
    facts = facts_of(camera)
    assert facts.exposure_us is None
    assert not facts.locked
    (remark,) = facts.remarks
    assert remark.startswith("it has no control of its exposure, which may change with the light; keep")
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_lens_that_is_fixed_is_no_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = {
        key: value
        for key, value in ALL_CONTROLS.items()
        if key not in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)
    }
    facts = facts_of(opened(FakeCapture(controls=fixed), monkeypatch))
    assert facts.locked
    assert facts.remarks == ()


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        (cv2.CAP_PROP_AUTO_WB, "its white balance cannot be locked, and may change; keep the light"),
        (cv2.CAP_PROP_AUTOFOCUS, "its focus cannot be locked, and may change; switch its autofocus off"),
        (cv2.CAP_PROP_AUTO_EXPOSURE, "its exposure cannot be locked, and may change; keep the light"),
    ],
)
def test_what_cannot_be_locked_is_told(monkeypatch: pytest.MonkeyPatch, refused: int, told: str) -> None:
    camera = opened(FakeCapture(refuses={refused}), monkeypatch)
    (remark,) = facts_of(camera).remarks
    assert remark.startswith(told)
    assert camera.read() is not None


def test_settings_that_are_taken_and_not_kept_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = opened(FakeCapture(ignores={cv2.CAP_PROP_EXPOSURE}), monkeypatch)
    facts = facts_of(camera)
    assert not facts.locked
    assert any("does not keep them: calls may flicker; keep the light" in remark for remark in facts.remarks)


@pytest.mark.parametrize(("step", "units", "remarks"), [(8.0, 96, 0), (78.0, 78, 1)])
def test_settings_that_the_driver_rounds_are_held_as_they_are(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: float, units: int, remarks: int
) -> None:
    device = FakeCapture(steps={cv2.CAP_PROP_EXPOSURE: step, cv2.CAP_PROP_WB_TEMPERATURE: 100.0})
    device.controls[cv2.CAP_PROP_WB_TEMPERATURE] = 4612.0
    camera = opened(device, monkeypatch)
    for _ in range(100):
        camera.read()
    facts = facts_of(camera)
    assert (facts.locked, facts.exposure_us) == (True, units * 100)
    assert device.get(cv2.CAP_PROP_WB_TEMPERATURE) == 4600
    assert ["flicker; take a lamp" in remark for remark in facts.remarks] == [True] * remarks
    assert "has lost its settings" not in caplog.text


def test_settings_that_are_lost_are_set_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    device = FakeCapture()
    camera = opened(device, monkeypatch)
    for _ in range(40):
        camera.read()
    device.controls[cv2.CAP_PROP_AUTO_EXPOSURE] = 3.0  # another program
    for _ in range(60):
        camera.read()
    assert device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1
    assert "has lost its settings" in caplog.text


def test_settings_that_are_lost_ever_again_are_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    device = FakeCapture()
    camera = opened(device, monkeypatch)
    for _ in range(300):
        device.controls[cv2.CAP_PROP_EXPOSURE] += 1.0
        camera.read()
    assert caplog.text.count("has lost its settings") == 3
    assert not facts_of(camera).locked


def test_when_the_light_changes_for_good_it_is_exposed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    device, now = FakeCapture(light=1.0), [0.0]
    monkeypatch.setattr("hardware.usb.time.monotonic", lambda: now[0])
    camera = opened(device, monkeypatch)

    def watched(seconds: float) -> None:
        for _ in range(round(30 * seconds)):
            now[0] += 1 / 30
            camera.read()

    watched(3.0)
    device.light = 20.0
    watched(4.0)
    assert level(camera) > 250
    watched(4.0)
    assert level(camera) == pytest.approx(110, rel=0.6)


@pytest.mark.parametrize(
    ("fps", "auto_fps"), [(30.0, 30.0), (30.0, 15.0), (30.0, 10.0), (15.0, 15.0), (10.0, 10.0), (5.0, 5.0)]
)
@pytest.mark.parametrize(("before", "after"), [(1.0, 20.0), (20.0, 0.1), (0.3, 7.0), (7.0, 0.05)])
def test_however_slow_it_is_no_change_of_light_makes_it_look_frozen(
    monkeypatch: pytest.MonkeyPatch, fps: float, auto_fps: float, before: float, after: float
) -> None:
    device = FakeCapture(light=before, fps=fps, auto_fps=auto_fps, size=(64, 48))
    monkeypatch.setattr("hardware.usb.time.monotonic", lambda: device.now)
    camera = opened(device, monkeypatch)
    assert device.now < 10.0
    device.light, longest_s, last_s = after, 0.0, device.now
    until = device.now + 60.0
    while device.now < until:
        assert camera.read() is not None
        longest_s, last_s = max(longest_s, device.now - last_s), device.now
    assert 0.5 < longest_s < FROZEN_S - 0.5
    lit = 110 * min(1.0, (after / 10 * 1000 / fps) ** 0.6)
    assert 0.6 * lit < level(camera) < 240


def test_a_device_that_is_gone_in_the_middle_of_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    device = FakeCapture()
    read = device.read

    def failing() -> tuple[bool, object]:
        device.unplugged = device.frames > 20
        return read()

    monkeypatch.setattr(device, "read", failing)
    with pytest.raises(CameraError, match="is gone"):
        opened(device, monkeypatch)
    assert device.released == 1


def test_another_system_has_other_units_and_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.usb.sys.platform", "darwin")
    device = FakeCapture()
    camera = opened(device, monkeypatch)
    assert device.controls == ALL_CONTROLS
    assert facts_of(camera).locked is None
