"""picamera2 and libcamera as the adapter meets them on a Pi: as their manual, their sources and what people
reported of them have it.

Sources of what is imitated: picamera2's picamera2.py, request.py, job.py and controls.py; libcamera's
controls; raspberrypi/picamera2 issues 191, 848, 1325 (order of colours), 333, 627, 1048 (busy), 426, 849
(frames older than the call), 450, 924, 1233 (modes that crop), 933, 1269 (exposure locks that are not heard),
952, 1065, 1264, 1275 (no frames, stop() that hangs). Modes and limits are those that the three cameras list.
Time is the fake's own: it passes when a frame is waited for.
"""

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

LATENCY_S = 0.05
"""From the reading of a frame's first line until it is complete: readout and development."""
DELAY = {"ExposureTime": 2, "AnalogueGain": 2, "LensPosition": 3, "AfTrigger": 2}
"""Frames until a setting comes through the sensor; others come through at once."""
MIDDLE = 0.45
"""How bright, of all, the automatic exposure makes the picture's mean."""


class AfModeEnum(IntEnum):
    Manual = 0
    Auto = 1
    Continuous = 2


class AfTriggerEnum(IntEnum):
    Start = 0
    Cancel = 1


@dataclass(frozen=True)
class FakeMode:
    size: tuple[int, int]
    bit_depth: int
    fps: float
    crop: tuple[int, int, int, int]


@dataclass(frozen=True)
class FakeSensor:
    """A camera module. `line_us`: sensors expose whole lines."""

    model: str
    array: tuple[int, int]
    modes: tuple[FakeMode, ...]
    line_us: float
    gains: tuple[float, float]
    motor: bool = False


GLOBAL_SHUTTER = FakeSensor(
    "imx296", (1456, 1088), (FakeMode((1456, 1088), 10, 60.38, (0, 0, 1456, 1088)),), 14.81, (1.0, 251.19)
)
HIGH_QUALITY = FakeSensor(
    "imx477",
    (4056, 3040),
    (
        FakeMode((1332, 990), 10, 120.05, (696, 528, 2664, 1980)),
        FakeMode((2028, 1080), 12, 50.03, (0, 440, 4056, 2160)),
        FakeMode((2028, 1520), 12, 40.01, (0, 0, 4056, 3040)),
        FakeMode((4056, 3040), 12, 10.0, (0, 0, 4056, 3040)),
    ),
    15.6,
    (1.0, 22.26),
)
MODULE_3 = FakeSensor(
    "imx708",
    (4608, 2592),
    (
        FakeMode((1536, 864), 10, 120.13, (768, 432, 3072, 1728)),
        FakeMode((2304, 1296), 10, 56.03, (0, 0, 4608, 2592)),
        FakeMode((4608, 2592), 10, 14.35, (0, 0, 4608, 2592)),
    ),
    13.2,
    (1.12, 16.0),
    motor=True,
)


@dataclass
class FakePi:
    """A computer with cameras on its ribbon cables, and what is wrong with it.

    `light`: how bright the scene is; 1 exposes well at 10 ms and gain 1. `busy_for_s`: so long another
    program holds the camera. `old_libcamera`: AeEnable=False freezes what holds then, and times that come
    with it are lost (until 0.4); else times are ignored while the automatic exposure is on (since 0.5).
    """

    sensors: list[FakeSensor] = field(default_factory=lambda: [GLOBAL_SHUTTER])
    usb_cameras: int = 0
    now: float = 100.0
    began: float = 100.0
    light: float = 0.5
    busy_for_s: float = 0.0
    fails_to_open: str = ""
    old_libcamera: bool = False
    lock_ignored: bool = False
    """Whatever is set, the automatic exposure goes on."""
    lost_every: int = 0
    """So many frames after it was locked, exposure is automatic again."""
    unplugged: bool = False
    stop_hangs: bool = False
    let_go: threading.Event = field(default_factory=threading.Event)
    """Ends a stop() that hangs."""
    stale_s: float = 0.0
    """So much older are the frames than they should be."""
    crops: tuple[int, int, int, int] | None = None
    """What frames show of the sensor, whatever was asked for."""
    format_given: str | None = None
    swapped: bool = False
    """Red and blue come otherwise than the format says."""
    size_given: tuple[int, int] | None = None
    finds_focus: bool = True
    focused_before: bool = False
    """The lens stands where somebody else has focused, and says so until it scans."""
    odd_every: int = 0
    """Each so-manieth frame is exposed otherwise, and nobody knows why."""
    clock_stands: bool = False
    frozen: bool = False
    """Frames come, each with the same picture."""
    scene: np.ndarray | None = None
    """What the first camera sees, of its mode's size, blue, green, red; else four grounds."""
    on_frame: Callable[[], None] = lambda: None
    """Is called before a frame is made, in the thread that asks for it."""
    cameras: "list[Any]" = field(default_factory=list)
    """The Picamera2 objects that were made, oldest first."""

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make the two modules importable."""
        pi = self

        class Picamera2(FakeCamera):
            def __init__(self, camera_num: int = 0) -> None:
                super().__init__(pi, camera_num)

            @staticmethod
            def global_camera_info() -> list[dict[str, Any]]:
                listed = [
                    {"Model": each.model, "Id": f"/base/soc/i2c0mux/i2c@{n}/{each.model}@1a", "Num": n}
                    for n, each in enumerate(pi.sensors)
                ]
                usb = [
                    {"Model": "C920", "Id": f"/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.{n}:1.0"}
                    for n in range(pi.usb_cameras)
                ]
                return listed + usb

        picamera2, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
        controls = ModuleType("libcamera.controls")
        controls.AfModeEnum, controls.AfTriggerEnum = AfModeEnum, AfTriggerEnum  # type: ignore[attr-defined]
        libcamera.controls = controls  # type: ignore[attr-defined]
        picamera2.Picamera2 = Picamera2  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "picamera2", picamera2)
        monkeypatch.setitem(sys.modules, "libcamera", libcamera)
        monkeypatch.setitem(sys.modules, "libcamera.controls", controls)


class FakeRequest:
    def __init__(self, camera: "FakeCamera", metadata: dict[str, Any]) -> None:
        self._camera, self._metadata, self._held = camera, metadata, True

    def get_metadata(self) -> dict[str, Any]:
        assert self._held, "a request that was released has no buffers"
        return dict(self._metadata)

    def make_array(self, name: str) -> np.ndarray:
        assert self._held, "a request that was released has no buffers"
        if name != "main":
            raise RuntimeError(f"Stream {name!r} is not defined")
        return self._camera.picture(self._metadata)

    def release(self) -> None:
        if not self._held:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._held = False
        self._camera.buffers += 1


class FakeCamera:
    """Picamera2. Frames are made as they are asked for."""

    def __init__(self, pi: FakePi, camera_num: int) -> None:
        self._pi = pi
        self.notifyme_w = os.open(os.devnull, os.O_WRONLY)  # picamera2's is a pipe
        self.is_open = False
        self.started = False
        self.closed = 0
        pi.cameras.append(self)
        held = any(each.is_open and each._num == camera_num for each in pi.cameras)
        try:
            if pi.fails_to_open:
                raise RuntimeError(pi.fails_to_open)
            if pi.now < pi.began + pi.busy_for_s or held:
                raise RuntimeError("Failed to acquire camera: Device or resource busy")
        except RuntimeError:
            # As picamera2 does it: the reason is in the error's context only.
            raise RuntimeError("Camera __init__ sequence did not complete.")  # noqa: B904
        self._num = camera_num
        self._sensor = pi.sensors[camera_num]
        self.is_open = True
        self._config: dict[str, Any] | None = None
        self._modes: list[dict[str, Any]] | None = None
        self._mode: FakeMode | None = None
        self.sent: list[dict[str, Any]] = []
        """What was set since it was started."""

    @property
    def camera_properties(self) -> dict[str, Any]:
        sensor = self._sensor
        return {"Model": sensor.model, "PixelArraySize": sensor.array, "ColorFilterArrangement": 0}

    @property
    def camera_controls(self) -> dict[str, Any]:
        shortest = 100 if self._mode is None else round(1e6 / self._mode.fps)
        given: dict[str, Any] = {
            "AeEnable": (False, True, None),
            "AnalogueGain": (*self._sensor.gains, None),
            "AwbEnable": (False, True, None),
            "ColourGains": (0.0, 32.0, None),
            "ExposureTime": (29, 0, None),
            "FrameDurationLimits": (shortest, 15534444, None),
            "ScalerCrop": ((0, 0, 64, 64), (0, 0, *self._sensor.array), None),
            "Sharpness": (0.0, 16.0, 1.0),
        }
        if self._sensor.motor:
            given |= {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 15.0, 1.0)}
        return given

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        return [
            {
                "format": f"SRGGB{mode.bit_depth}_CSI2P",
                "unpacked": f"SRGGB{mode.bit_depth}",
                "bit_depth": mode.bit_depth,
                "size": mode.size,
                "fps": mode.fps,
                "crop_limits": mode.crop,
                "exposure_limits": (29, 15534385, None),
            }
            for mode in self._sensor.modes
        ]

    def create_video_configuration(
        self,
        main: dict[str, Any] = {},  # noqa: B006
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = {},  # noqa: B006
        transform: object = None,
        colour_space: object = None,
        buffer_count: int = 6,
        controls: dict[str, Any] = {},  # noqa: B006
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,
        sensor: dict[str, Any] | None = {},  # noqa: B006
    ) -> dict[str, Any]:
        for key in main:
            if key not in ("format", "size", "stride", "preserve_ar"):
                raise ValueError(f"Bad key {key!r}: valid stream configuration keys are ...")
        whole = {"format": "XBGR8888", "size": (1280, 720)} | main
        return {
            "main": whole | {"size": tuple(side - side % 2 for side in whole["size"])},
            "lores": lores,
            "raw": raw,
            "buffer_count": buffer_count,
            "controls": {"FrameDurationLimits": (33333, 33333)} | controls,
            "queue": queue,
            "sensor": sensor,
            "display": display,
            "encode": encode,
        }

    def configure(self, config: dict[str, Any]) -> None:
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        main, sensor = dict(config["main"]), config["sensor"]
        if main["format"] not in ("RGB888", "BGR888", "XRGB8888", "XBGR8888"):
            raise RuntimeError(f"Bad format {main['format']} in stream main")
        if set(sensor) - {"bit_depth", "output_size"}:
            raise RuntimeError("Unexpected keys in sensor configuration")
        for name in config["controls"]:
            self._require_control(name)
        wanted = sensor.get("output_size", main["size"])
        depth = sensor.get("bit_depth", self._sensor.modes[-1].bit_depth)
        # libcamera takes the mode that scores best; exactly the one that was asked for, if there is one.
        self._mode = min(
            self._sensor.modes,
            key=lambda mode: (
                abs(mode.size[0] - wanted[0])
                + abs(mode.size[1] - wanted[1])
                + 500 * abs(mode.bit_depth - depth)
            ),
        )
        main["format"] = self._pi.format_given or main["format"]
        main["size"] = self._pi.size_given or main["size"]
        self._config = {**config, "main": main}
        self.buffers = config["buffer_count"]
        self._first_controls = dict(config["controls"])

    def camera_configuration(self) -> dict[str, Any]:
        assert self._config is not None
        return self._config

    def start(self) -> None:
        if self._config is None:
            raise RuntimeError("Camera has not been configured")
        self.started = True
        self._count = 0
        self._pending: list[tuple[int, str, Any]] = []
        self._state: dict[str, Any] = {
            "AeEnable": True,
            "AwbEnable": True,
            "ExposureTime": 20_000.0,
            "AnalogueGain": max(1.0, self._sensor.gains[0]),
            "ColourGains": (1.0, 1.0),
            "LensPosition": 1.0,
            "AfMode": 0,
        }
        self._af_frame: int | None = None
        self._locked_at: int | None = None
        duration = self._first_controls["FrameDurationLimits"]
        assert duration[0] >= 1e6 / self._mode_now.fps - 1, "a frame cannot be shorter than the mode's"
        self._frame_s = duration[1] / 1e6
        self.sent.append(self._first_controls)

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            self._require_control(name)
        self.sent.append(dict(controls))
        if self._pi.lock_ignored:
            return
        told = dict(controls)
        turned_off = told.get("AeEnable") is False and self._state["AeEnable"]
        if (turned_off and self._pi.old_libcamera) or (
            not self._pi.old_libcamera and self._state["AeEnable"] and told.get("AeEnable") is not False
        ):
            told.pop("ExposureTime", None)
            told.pop("AnalogueGain", None)
        for name, value in told.items():
            self._pending.append((self._count + 1 + DELAY.get(name, 0), name, value))

    def capture_request(self, wait: float | bool | None = None, flush: bool | None = None) -> FakeRequest:
        if not self.started:
            raise RuntimeError("Camera is not started")
        if self._pi.unplugged or self.buffers == 0:
            assert isinstance(wait, float), "without a timeout this would never return"
            self._pi.now += wait
            raise TimeoutError
        self._pi.on_frame()
        self.buffers -= 1
        self._count += 1
        self._pi.now += self._frame_s
        self._pass_frame()
        return FakeRequest(self, self._metadata())

    def stop(self) -> None:
        if not self.started:
            return
        if self._pi.stop_hangs:
            self._pi.let_go.wait()
        self.started = False

    def close(self) -> None:
        self.closed += 1
        if not self.is_open:
            return
        self.stop()
        os.close(self.notifyme_w)
        self.is_open = False

    # ------------------------------------------------------------ what the sensor and the pipeline do

    @property
    def _mode_now(self) -> FakeMode:
        assert self._mode is not None
        return self._mode

    def _require_control(self, name: str) -> None:
        if name not in self.camera_controls:
            raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def _pass_frame(self) -> None:
        """What the settings are for this frame."""
        state = self._state
        due = [item for item in self._pending if item[0] <= self._count]
        self._pending = [item for item in self._pending if item[0] > self._count]
        for _, name, value in due:
            state[name] = value
            if name == "ColourGains":
                state["AwbEnable"] = False
            if name == "AfTrigger" and value == AfTriggerEnum.Start:
                self._af_frame = self._count
            if name == "ExposureTime":
                self._locked_at = self._count
        lost = self._pi.lost_every
        if lost and self._locked_at is not None and self._count - self._locked_at >= lost:
            state["AeEnable"], self._locked_at = True, None
        if state["AeEnable"]:
            self._expose()
        if state["AwbEnable"]:
            red, blue = state["ColourGains"]
            state["ColourGains"] = red + 0.3 * (1.8 - red), blue + 0.3 * (2.2 - blue)
        if self._af_frame is not None and self._pi.finds_focus and self._count - self._af_frame == 20:
            state["LensPosition"] = 1.8

    def _expose(self) -> None:
        """Towards the middle, a third of the way each frame: time first, within the frame, then gain."""
        state, (least, most) = self._state, self._sensor.gains
        now = state["ExposureTime"] * state["AnalogueGain"]
        wanted = min(max(5_000.0 / self._pi.light, 100.0), 33_000.0 * most)
        light = now + 0.3 * (wanted - now)
        state["ExposureTime"] = min(light / least, 33_000.0)
        state["AnalogueGain"] = min(max(light / state["ExposureTime"], least), most)

    def _metadata(self) -> dict[str, Any]:
        state, line = self._state, self._sensor.line_us
        af_state = 2 if self._pi.focused_before else 0
        if self._af_frame is not None:
            passed = self._count - self._af_frame
            af_state = 1 if passed < 20 else 2 if self._pi.finds_focus else 3
        at = self._pi.began if self._pi.clock_stands else self._pi.now - LATENCY_S - self._pi.stale_s
        told = {
            "SensorTimestamp": round(at * 1e9),
            "ExposureTime": int(int(state["ExposureTime"] / line) * line),
            "AnalogueGain": round(state["AnalogueGain"] * 64) / 64,
            "DigitalGain": 1.0,
            "ColourGains": tuple(float(gain) for gain in state["ColourGains"]),
            "FrameDuration": round(self._frame_s * 1e6),
            "ScalerCrop": self._pi.crops or self._first_controls.get("ScalerCrop", self._mode_now.crop),
            "Lux": 300.0 * self._pi.light,
        }
        if self._pi.odd_every and self._count % self._pi.odd_every == 0:
            told["ExposureTime"] = 500
        if self._sensor.motor:
            told |= {"LensPosition": float(state["LensPosition"]), "AfState": af_state}
        return told

    def picture(self, metadata: dict[str, Any]) -> np.ndarray:
        """A board of four grounds, with noise, as the settings make it."""
        width, height = self.camera_configuration()["main"]["size"]
        red, blue = metadata["ColourGains"]
        exposed = metadata["ExposureTime"] * metadata["AnalogueGain"] / 10_000.0 * self._pi.light * 2
        grounds = np.array([[[0.55, 0.5, 0.2], [0.1, 0.3, 0.5]], [[0.5, 0.5, 0.5], [0.4, 0.2, 0.3]]])
        gains = np.array([red / 1.8, 1.0, blue / 2.2])
        levels = np.clip(255 * (grounds * gains * exposed * MIDDLE * 2) ** 0.6, 0, 255)
        name = self.camera_configuration()["main"]["format"]
        blue_first = (name in ("RGB888", "XRGB8888")) != self._pi.swapped
        if self._pi.scene is not None:
            image = (self._pi.scene * np.minimum(gains[::-1], 1.0) ** 0.6).astype(np.uint8)
            image[0, 0] = 0 if self._pi.frozen else self._count % 256  # no frame is like the one before
            return np.ascontiguousarray(image[:, :, :: 1 if blue_first else -1])
        levels = np.clip(levels, 0, 255).astype(np.uint8)
        image = _grounds(width, height, levels.tobytes(), blue_first, name.startswith("X")).copy()
        image[::16, ::16] ^= np.uint8(0 if self._pi.frozen else self._count % 2)
        return image


@lru_cache(maxsize=8)
def _grounds(width: int, height: int, levels: bytes, blue_first: bool, padded: bool) -> np.ndarray:
    """Four grounds, whose red, green and blue are given."""
    colours = np.frombuffer(levels, np.uint8).reshape(2, 2, 3)
    image = cv2.resize(colours, (width, height), interpolation=cv2.INTER_NEAREST)
    image = image[:, :, ::-1] if blue_first else image
    if padded:
        image = np.dstack([image, np.full((height, width, 1), 255, np.uint8)])
    return np.ascontiguousarray(image)
