"""A USB camera's exposure, gain, white balance and focus held still, through V4L2's controls.

Such a camera does not tell with which settings a frame was taken: they are asked for now and then instead.
Nothing is opened here, and no frame is given to anybody else.
"""

import logging
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.exposure import MainsHz, steady_times_us

Image = NDArray[np.uint8]
Read = Callable[[], Image]

_UNIT_US: Final = 100.0
"""V4L2 exposes in units of so many microseconds."""
_MANUAL, _AUTO_TIME, _AUTO_ALL = 1.0, 3.0, 0.0
"""V4L2's modes of exposure: by hand; by the camera, which has no iris to move, or says it has."""
SETTLE_MOST_S: Final = 8.0
RESETTLE_MOST_S: Final = 2.0
"""At opening, and in play: there a camera without a picture for three seconds counts as frozen."""
_SETTLE_S: Final = 1.0
_TAKES: Final = 5
"""Frames until a setting is seen: sensor, compression and the buffers of the driver."""
_TOO_BRIGHT: Final = 1.35
"""Of the level that the camera itself chose; a third of a stop of light."""
_ROUNDED: Final = 0.25
_STEP: Final = 8.0
"""A device that rounds to steps of its own is off by so much of what was asked, or by so many units."""
_STEADY: Final = 0.05
"""An exposure that is off by more than this of a multiple of the flicker lets a twentieth of it through."""
_WHITE: Final = 250.0
"""A picture of this level does not tell how much less light would do."""
_SHORTER: Final = (2.0, 4.0, 8.0, 16.0, 32.0)

_ELSE: Final = "keep the light as it is while you play, or take another camera"
_UNSTEADY: Final = (
    "its exposure cannot be set to a multiple of the lamps' flicker; take a lamp that does not flicker, or "
    "another camera"
)

logger = logging.getLogger(__name__)


class Controls(Protocol):
    """What is used of OpenCV's capture."""

    def get(self, propId: int, /) -> float:
        """A control's value; -1 if the device has none such."""
        ...

    def set(self, propId: int, value: float, /) -> bool:
        """Set a control; False if that cannot be."""
        ...


@dataclass(frozen=True, slots=True)
class _Pair:
    """A control that the camera moves by itself, and the one that stops it from doing so."""

    what: str
    auto: int
    off: float
    on: tuple[float, ...]
    value: int
    then: str = _ELSE
    """What people can do where it cannot be stopped."""


_EXPOSURE: Final = _Pair(
    "exposure", cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL, (_AUTO_TIME, _AUTO_ALL), cv2.CAP_PROP_EXPOSURE
)
_OTHERS: Final = (
    _Pair("white balance", cv2.CAP_PROP_AUTO_WB, 0.0, (1.0,), cv2.CAP_PROP_WB_TEMPERATURE),
    _Pair(
        *("focus", cv2.CAP_PROP_AUTOFOCUS, 0.0, (1.0,), cv2.CAP_PROP_FOCUS),
        then="switch its autofocus off with its maker's program, or take another camera",
    ),
)
_SWITCHES: Final = frozenset(pair.auto for pair in (_EXPOSURE, *_OTHERS))
"""These have names for values, of which none is near another."""


class UsbLock:
    """Settles and locks one camera; `read` gives its next picture. `remarks`: what it cannot hold, in
    sentences; each is logged once. `clock`: seconds that never go back."""

    def __init__(
        self,
        controls: Controls,
        read: Read,
        name: str,
        mains_hz: MainsHz,
        fps: float,
        clock: Callable[[], float],
    ) -> None:
        self._controls, self._read, self._name, self._clock = controls, read, name, clock
        self._mains_hz, self._fps = mains_hz, fps
        self._held: Mapping[int, float] = {}
        self.remarks: dict[str, str] = {}

    @property
    def exposure_us(self) -> float | None:
        """The exposure that is locked, microseconds; None if it cannot be."""
        units = self._held.get(cv2.CAP_PROP_EXPOSURE)
        return None if units is None else units * _UNIT_US

    @property
    def holds(self) -> bool:
        """Whether everything has the value that it was locked at."""
        return bool(self._held) and all(self._get(control) == value for control, value in self._held.items())

    def settle(self, most_s: float = SETTLE_MOST_S) -> None:
        """Let the camera find its settings, and lock them; the exposure as a multiple of the flicker.

        Takes a second and a half, and no more than `most_s` seconds: a slow camera, or one that is slow in
        the dark, then gets the best exposure of those that were tried; the next call begins with that. At
        five frames a second each try takes a second, and there is always one. What the camera has no control
        for stays as it is, and is remarked."""
        before_us, began_at = self.exposure_us, self._clock()
        self._held = {}
        for pair in (_EXPOSURE, *_OTHERS):
            any(self._controls.set(pair.auto, value) for value in pair.on)
        wanted = 0.0
        for count in range(max(_TAKES, round(_SETTLE_S * self._fps))):
            if count >= _TAKES and self._clock() >= began_at + most_s / 2:
                break
            wanted = _level(self._read())
        held: dict[int, float] = {}
        gain = self._get(cv2.CAP_PROP_GAIN)
        if self._turned_off(_EXPOSURE, held):
            held |= self._exposed(wanted, before_us, began_at + most_s)
        if gain is not None and self._controls.set(cv2.CAP_PROP_GAIN, gain):
            held[cv2.CAP_PROP_GAIN] = gain
        for pair in _OTHERS:
            value = self._get(pair.value)
            if self._turned_off(pair, held) and value is not None and self._controls.set(pair.value, value):
                held[pair.value] = value
        self._held = {control: self._kept(control, asked) for control, asked in held.items()}
        ignored = [control for control, value in self._held.items() if self._get(control) != value]
        if ignored:
            self._remark("ignored", f"it takes settings and does not keep them: calls may flicker; {_ELSE}")

    def _kept(self, control: int, asked: float) -> float:
        """What a control is to be held at: as the device rounded it, but what was asked if it was ignored."""
        got = self._get(control)
        if got is None or control in _SWITCHES or abs(got - asked) > max(_ROUNDED * asked, _STEP):
            return asked
        return got

    def _turned_off(self, pair: _Pair, held: dict[int, float]) -> bool:
        """Whether the camera leaves something alone from now on."""
        if self._get(pair.auto) is None and self._get(pair.value) is None:
            if pair is _EXPOSURE:  # a lens and a balance that are fixed are what is wanted
                self._remark(
                    "exposure", f"it has no control of its exposure, which may change with the light; {_ELSE}"
                )
            return False
        if not self._controls.set(pair.auto, pair.off):
            self._remark(pair.what, f"its {pair.what} cannot be locked, and may change; {pair.then}")
            return False
        held[pair.auto] = pair.off
        return True

    def _exposed(self, wanted: float, before_us: float | None, until: float) -> dict[int, float]:
        """Expose steadily, about as bright as the camera itself had it; shorter where that burns."""
        times = steady_times_us(self._mains_hz, self._fps)
        if not times or self._get(cv2.CAP_PROP_EXPOSURE) is None:
            self._remark("exposure", _UNSTEADY)
            return {}
        best = self._found(wanted, times, before_us or times[0], until)
        self._controls.set(cv2.CAP_PROP_EXPOSURE, _units(best))
        kept = self._kept(cv2.CAP_PROP_EXPOSURE, _units(best))
        if best in times and abs(kept - _units(best)) > max(1.0, _STEADY * _units(best)):
            self._remark("exposure", _UNSTEADY)
        return {cv2.CAP_PROP_EXPOSURE: _units(best)}

    def _found(self, wanted: float, times: Sequence[float], start_us: float, until: float) -> float:
        """The exposure that comes nearest to a level: sought from `start_us`, up or down, for more light is
        always brighter. When time is up it is one step from the last, if that was far off."""
        ladder = sorted([*times, *(times[0] / part for part in _SHORTER)])
        at = min(range(len(ladder)), key=lambda n: abs(math.log(ladder[n] / start_us)))
        seen: dict[float, float] = {}
        while True:
            began_at = self._clock()
            level = seen[ladder[at]] = self._level_at(ladder[at])
            burns = level > _TOO_BRIGHT * max(wanted, 1.0)
            aim = ladder[at] * (wanted + 1) / (level + 1)
            if level < wanted:  # no picture grows faster than its light: what is below the aim is too dark
                after = max(at + 1, bisect_right(ladder, aim) - 1)
            elif burns or (level > wanted and ladder[at] > times[0]):
                after = min(at - 1, bisect_left(ladder, aim) if level < _WHITE else at // 2)
            else:
                break
            if not 0 <= after < len(ladder) or ladder[after] in seen:
                break
            now = self._clock()
            if now + (now - began_at) > until:
                if burns or level * _TOO_BRIGHT < wanted:
                    return ladder[after]
                break
            at = after
        return min(seen, key=lambda time: (abs(math.log((seen[time] + 1) / (wanted + 1))), time))

    def _level_at(self, time_us: float) -> float:
        """How bright the picture is with an exposure."""
        self._controls.set(cv2.CAP_PROP_EXPOSURE, _units(time_us))
        for _ in range(_TAKES - 1):
            self._read()
        return _level(self._read())

    def _get(self, control: int) -> float | None:
        value = float(self._controls.get(control))
        return None if value < 0 else value

    def _remark(self, about: str, text: str) -> None:
        if self.remarks.get(about) != text:
            self.remarks[about] = text
            logger.warning("the camera %s: %s", self._name, text)


def _units(time_us: float) -> float:
    return float(max(1, round(time_us / _UNIT_US)))


def _level(image: Image) -> float:
    """The mean of a picture, of all its colours."""
    return float(image[::16, ::16].mean())
