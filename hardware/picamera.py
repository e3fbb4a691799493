"""The Raspberry Pi's camera modules: a mode that sees all, settings that are found once and then hold still.

Each frame says how it was taken; what was taken otherwise is not given out. The libraries are
picamera_device.py's.
"""

import itertools
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hardware.camera import FocalLength, Frame
from hardware.camera_facts import CameraFacts
from hardware.errors import CameraError, OpticsError
from hardware.exposure import MOST_GAIN, LightWatch, MainsHz, steady_exposure, steady_times_us
from hardware.locking import Lock, Metadata
from hardware.optics import camera_module, focal_px, lens_of, usual_distance_mm
from hardware.picamera_device import NO_FRAME_S, UPDATE, DeviceFrame, PicameraDevice
from hardware.sensor_modes import WANTED_FPS, Mode, whole_mode

STALE_S: Final = 0.5
"""A frame of so long ago lay in a buffer; exposing, reading and developing one take a fifth of it."""
SETTLE_S: Final = 1.0
SETTLE_MOST_S: Final = 4.0
RESETTLE_MOST_S: Final = 1.5
"""Within a match: less than what counts as a frozen camera."""
FOCUS_MOST_S: Final = 5.0
_MOST_FPS: Final = 120.0
_STEADY: Final = 0.02
_STEADY_FRAMES: Final = 6
_LOCK_FRAMES: Final = 15
"""Settings take 2 to 4 frames to come through sensor and pipeline."""
_LOCK_TRIES: Final = 3
_LOST_FRAMES: Final = 5
_LOSSES, _LOSSES_S = 3, 60.0
_PROBE: Final = 1.4
"""By so much red is made weaker for a moment, to see which colour that is."""
_PROBE_SURE: Final = 0.05
_PROBE_LEVEL: Final = 4.0
_NEAR_INFINITY: Final = 0.2
"""Dioptres: a lens that stands at less has not focused on a board."""
_USUAL_MM: Final = 500.0
_ALL: Final = 0.99
_IDLE, _SCANNING, _FOCUSED, _FAILED = range(4)
"""libcamera's AfState."""

logger = logging.getLogger(__name__)


class PiCamera:
    """Camera module number `index` of those on the ribbon cables. `captured_at`: the sensor's own clock, when
    the first line was read; it is that of `time.monotonic()`.

    Opening takes a few seconds: exposure, white balance and focus settle, and are locked; exposures are
    multiples of the lamps' flicker at `mains_hz`. A frame with other settings is not given out, and a lock
    that does not hold is a `CameraError`, as are: no such camera, in use by another program, every mode
    crops, no frames. `lens_mm`: what is written on the lens of a C/CS mount. `clock` and `sleep`: of the time
    that the frames' times are of.
    """

    def __init__(
        self,
        index: int = 0,
        *,
        lens_mm: float | None = None,
        mains_hz: MainsHz = 50,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._name, self._lens_mm, self._mains_hz, self._clock = f"pi:{index}", lens_mm, mains_hz, clock
        self._number, self._last_at = -1, -math.inf
        self._seen: Metadata = {}
        self._remarks: dict[str, str] = {}
        self._off = 0
        self._losses: deque[float] = deque(maxlen=_LOSSES)
        self._light, self._relight = LightWatch(), False
        self._device = PicameraDevice(index, clock, sleep)
        try:
            self._module = camera_module(self._device.model)
            self._require_lens()  # a lens that cannot be is told before anything is waited for
            self._mode = self._started()
            light_us, colours = self._metered(SETTLE_MOST_S)
            self._lock = self._locked(light_us, colours, self._focused())
            self._probe_order()
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._mode.size

    @property
    def fps(self) -> float:
        """Frames a second, which the sensor keeps."""
        return min(WANTED_FPS, self._mode.fps)

    @property
    def frame_count(self) -> int | None:
        """None: a camera goes on."""
        return None

    @property
    def focal_length(self) -> FocalLength | None:
        """By the camera's model, its lens and where that is focused; None for a lens that is not known."""
        module = self._module
        if module is None or (module.lens_mm is None and self._lens_mm is None):
            return None
        focus = self._lock.focus
        distance_mm = 1000.0 / focus if focus is not None and focus > _NEAR_INFINITY else None
        px = focal_px(module, self._lens_mm, self.size[0], distance_mm)
        return FocalLength(px, module.focal_sigma)

    def facts(self) -> CameraFacts:
        """By the last frame that was read."""
        module, seen = self._module, self._seen
        return CameraFacts(
            model=module.name if module is not None else self._device.model,
            mode=str(self._mode),
            exposure_us=seen.get("ExposureTime"),
            gain=seen.get("AnalogueGain"),
            focus_dioptres=seen.get("LensPosition"),
            locked=not self._lock.deviations(seen),
            remarks=tuple(self._remarks.values()),
        )

    def read(self) -> Frame | None:
        """The next frame that was taken with the locked settings. `CameraError` when none comes."""
        if self._relight:
            self._relight = False
            logger.warning("the camera %s: the light has changed; it is exposed anew", self._name)
            light_us, colours = self._metered(RESETTLE_MOST_S, again=True)
            self._lock = self._locked(light_us, colours, self._lock.focus)
        late_count = 0
        while True:
            with self._device.frame() as frame:
                seen, at = self._checked(frame), frame.at
                late = self._clock() - at > STALE_S
                off = self._lock.deviations(seen)
                image = None if late or off else frame.picture()
            if image is not None:
                break
            if late:
                late_count += 1
                if late_count > NO_FRAME_S * self.fps:
                    raise CameraError(f"the pictures of {self._name} are old ones; start it again")
            else:
                self._regain(off, at)
        self._off = 0
        spent = self._lock.gain >= _ALL * self._gains[1] and self._lock.time_us >= _ALL * self._longest_us
        self._relight = self._light.changed(image, at, brightest=spent)
        passed = (at - self._last_at) * self.fps
        self._number += max(1, round(passed)) if passed < math.inf else 1
        self._last_at = at
        return Frame(image, at, self._number)

    def close(self) -> None:
        """Give the device back. Safe to call twice, and bounded, though its driver may hang."""
        self._device.close()

    # ------------------------------------------------------------ opening

    def _require_lens(self) -> None:
        """Refuse a lens that this camera cannot have; say so if it is not known."""
        if self._module is None:
            self._remark(
                "lens",
                f"the {self._device.model} is not known, and its lens is found with the board; give focal_px "
                "if you know it",
            )
            return
        try:
            lens_of(self._module, self._lens_mm)
        except OpticsError as error:
            if self._lens_mm is not None:
                raise CameraError(str(error)) from error
            self._remark("lens", f"{error} (lens_mm under [camera], or --lens-mm)")

    def _started(self) -> Mode:
        """Have it send pictures in the mode that sees all."""
        device = self._device
        modes, array = device.modes()
        mode = whole_mode(modes, self._module.array_px if self._module is not None else array, device.model)
        frame_us = round(1e6 / min(WANTED_FPS, mode.fps))
        # The edges of lines are measured: they are not to be sharpened into halos.
        wanted = {
            "FrameDurationLimits": (frame_us, frame_us),
            "Sharpness": 0.0,
            "ScalerCrop": mode.crop,
        }
        given = device.controls
        device.start(mode, {name: value for name, value in wanted.items() if name in given})
        given = device.controls  # some are of the mode
        self._coloured = "ColourGains" in given
        least, most = given["AnalogueGain"][:2]
        self._gains = float(least), min(float(most), MOST_GAIN)
        times = steady_times_us(self._mains_hz, min(WANTED_FPS, mode.fps))
        self._longest_us = times[-1] if times else 0.0
        return mode

    def _focused(self) -> float | None:
        """Focus once; dioptres, None for a lens without a motor."""
        if "AfMode" not in self._device.controls:
            return None
        self._device.set(self._device.focus_once())
        scanned = False
        for seen, passed in self._frames():
            state = int(seen.get("AfState", _IDLE))
            if scanned and state == _FOCUSED:
                return float(seen["LensPosition"])
            if (scanned and state == _FAILED) or passed > FOCUS_MOST_S:
                break
            scanned = scanned or state == _SCANNING
        self._remark(
            "focus",
            "the focus was not found, and stands at the usual height; light the board, take away what is "
            "over it, and start again",
        )
        return 1000.0 / self._usual_mm()

    def _usual_mm(self) -> float:
        """How far the board may be, where nothing tells it."""
        module = self._module
        if module is None or module.lens_mm is None:
            return _USUAL_MM
        return usual_distance_mm(module, None)

    def _metered(self, most_s: float, *, again: bool = False) -> tuple[float, tuple[float, float] | None]:
        """What exposure and white balance settle at: microseconds at gain 1, the gains of red and blue."""
        if again:
            self._device.set({"AeEnable": True} | ({"AwbEnable": True} if self._coloured else {}))
        lately: deque[tuple[float, ...]] = deque(maxlen=_STEADY_FRAMES)
        for seen, passed in self._frames():
            light = seen["ExposureTime"] * seen["AnalogueGain"] * seen.get("DigitalGain", 1.0)
            lately.append((light, *(seen["ColourGains"] if self._coloured else ())))
            if passed >= most_s or (passed >= SETTLE_S and _is_steady(lately)):
                break
        light, *colours = lately[-1]
        return light, (colours[0], colours[1]) if self._coloured else None

    def _locked(self, light_us: float, colours: tuple[float, float] | None, focus: float | None) -> Lock:
        """Lock what was found; the exposure as a multiple of the flicker."""
        exposure = steady_exposure(light_us, self._mains_hz, self.fps, self._gains)
        lock = Lock(exposure.time_us, exposure.gain, colours, focus)
        self._apply(lock)
        self._off = 0
        logger.info("%s %s: %s", self._name, self._mode, lock)
        return lock

    def _apply(self, lock: Lock) -> None:
        """Lock, and wait for the first frame that was taken so."""
        wanted = lock.controls() | ({} if lock.focus is None else self._device.focus_by_hand())
        off: tuple[str, ...] = ()
        for _ in range(_LOCK_TRIES):
            # libcamera's versions differ in whether times that come together with AeEnable are heard, or only
            # once it is off: what is sent again comes after.
            self._device.set(wanted)
            for _, (seen, _) in zip(range(_LOCK_FRAMES), self._frames(), strict=False):
                off = lock.deviations(seen)
                if not off:
                    return
        raise CameraError(f"{self._name} does not keep its settings: {', '.join(off)}; {UPDATE}")

    def _probe_order(self) -> None:
        """Find out whether red and blue are where they should be: with less gain on red, red has to fall.

        The picture itself is believed, for the order's name is one that libcamera, OpenCV and people use
        for both."""
        lock = self._lock
        if lock.colour_gains is None:
            return
        red, blue = lock.colour_gains
        before = self._red_to_blue()
        self._apply(replace(lock, colour_gains=(red / _PROBE, blue)))
        after = self._red_to_blue()
        self._apply(lock)
        if before is None or after is None:
            return  # too dark to tell: what the format says is believed
        if math.log(before / after) < -_PROBE_SURE:
            self._device.red_first = not self._device.red_first
            self._remark("colours", f"red and blue come swapped, and are swapped back; {UPDATE}")

    def _red_to_blue(self) -> float | None:
        """The next picture's red as a share of its blue; None if there is none of either."""
        with self._device.frame() as frame:
            self._checked(frame)
            blue, _, red = (float(level) for level in frame.picture()[::16, ::16].mean(axis=(0, 1)))
        return red / blue if min(red, blue) > _PROBE_LEVEL else None

    # ------------------------------------------------------------ frames

    def _frames(self) -> Iterator[tuple[Metadata, float]]:
        """What the next frames say of themselves, with the seconds since the first; they have to come."""
        first: float | None = None
        for count in itertools.count():
            with self._device.frame() as frame:
                seen, at = self._checked(frame), frame.at
            first = at if first is None else first
            yield seen, max(at - first, count / _MOST_FPS)  # a clock that stands still ends it, too

    def _checked(self, frame: DeviceFrame) -> Metadata:
        """What a frame says of itself. `CameraError` if it does not see all that it should."""
        seen = frame.metadata
        self._seen = seen
        crop = seen.get("ScalerCrop")
        if crop is not None and not self._mode.is_whole(crop):
            x, y, width, height = crop
            raise CameraError(
                f"{self._name} shows only {width}x{height} of its {self._mode.crop[2]}x{self._mode.crop[3]} "
                f"pixels, from ({x}, {y}): what lies outside is not seen; {UPDATE}"
            )
        return seen

    def _regain(self, off: tuple[str, ...], at: float) -> None:
        """A frame was taken otherwise: after a few of them, lock again; an error if it is lost ever again."""
        self._off += 1
        if self._off < _LOST_FRAMES:
            return
        self._off = 0
        self._losses.append(at)
        if len(self._losses) == _LOSSES and at - self._losses[0] < _LOSSES_S:
            raise CameraError(f"{self._name} loses its settings again and again: {', '.join(off)}; {UPDATE}")
        logger.warning("the camera %s had lost its settings: %s", self._name, ", ".join(off))
        self._apply(self._lock)

    def _remark(self, about: str, text: str) -> None:
        """Remark on something that does not keep it from working."""
        self._remarks[about] = text
        logger.warning("the camera %s: %s", self._name, text)


def _is_steady(lately: Sequence[tuple[float, ...]]) -> bool:
    """Whether none of the last figures is off the last one by more than a part."""
    if len(lately) < _STEADY_FRAMES:
        return False
    last = lately[-1]
    return all(abs(a - b) <= _STEADY * abs(b) for each in lately for a, b in zip(each, last, strict=True))
