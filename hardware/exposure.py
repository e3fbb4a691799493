"""How a camera is to expose a board: multiples of the lamps' flicker, and when to think again.

Figures only: no camera is asked or set here. Times of exposure are in microseconds.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

MainsHz = Literal[50, 60]

CALM_GAIN: Final = 4.0
"""Up to it a longer exposure is not worth the blur of a ball that rolls: twice the noise of gain 1."""
MOST_GAIN: Final = 16.0
"""What is darker is told as too dark; more gain shows noise, not lines."""
_BRIGHTER: Final = 0.75
"""So much of the shortest steady exposure is given up for it: a third of a stop more light burns nothing."""
_BLANK_US: Final = 500.0
"""Of a frame's time no sensor exposes while it is read; the Pi's cameras leave out less."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """`time_us`: microseconds. `gain`: 1 and more."""

    time_us: float
    gain: float


def flicker_us(mains_hz: MainsHz) -> float:
    """The period, microseconds, of lamps on the mains: they flicker with both half waves."""
    return 1e6 / (2 * mains_hz)


def steady_times_us(mains_hz: MainsHz, fps: float) -> tuple[float, ...]:
    """The exposures that fit between frames at `fps` and see whole periods of the lamps, so that neither
    bands nor flicker remain; shortest first. Empty if not even one period fits."""
    period, longest = flicker_us(mains_hz), 1e6 / fps - _BLANK_US
    return tuple(period * count for count in range(1, math.floor(longest / period) + 1))


def steady_exposure(
    light_us: float, mains_hz: MainsHz, fps: float, gains: tuple[float, float] = (1.0, MOST_GAIN)
) -> Exposure:
    """The exposure that makes a picture as bright as `light_us` microseconds at gain 1, without flicker.

    The shortest that needs no more than `CALM_GAIN`, else the longest that fits. Where even the shortest is
    too bright at the least gain, daylight rules and the flicker is small beside it: shorter than a period.
    `gains`: the least and the most that the camera has.
    """
    least, most = gains
    most = max(least, min(most, MOST_GAIN))
    times = steady_times_us(mains_hz, fps) or (1e6 / fps - _BLANK_US,)
    if light_us < _BRIGHTER * times[0] * least:
        return Exposure(light_us / least, least)
    enough = (time for time in times if light_us <= time * max(least, CALM_GAIN))
    time = next(enough, times[-1])
    return Exposure(time, min(max(light_us / time, least), most))


class LightWatch:
    """Whether the light has changed so much, for so long, that a locked exposure will not do any more.

    `at`: seconds of the camera's clock. After each alarm the next may come no sooner than twice as late: a
    dark room stays dark, however often it is measured.
    """

    EVERY_S: Final = 0.5
    LASTING_S: Final = 5.0
    MOST_PAUSE_S: Final = 600.0
    BURNT: Final = 0.25
    """Part of the picture that is white without any detail."""
    DIM: Final = 60
    """Grey level below which 95 % of the picture lies: a board has white lines."""

    def __init__(self) -> None:
        self._looked_at = -math.inf
        self._wrong_since: float | None = None
        self._pause_s = self.LASTING_S
        self._alarm_at = -math.inf

    def changed(self, image: NDArray[np.uint8], at: float, *, brightest: bool = False) -> bool:
        """Whether to expose anew; `image` (height, width, 3). `brightest`: no more exposure is to be had, so
        that a dim picture is no reason."""
        if at < self._looked_at + self.EVERY_S:
            return False
        self._looked_at = at
        thin = image[::32, ::32].max(axis=2)
        burnt = float((thin >= 250).mean()) > self.BURNT
        dim = not brightest and float(np.percentile(thin, 95)) < self.DIM
        if not burnt and not dim:
            self._wrong_since, self._pause_s = None, self.LASTING_S
            return False
        if self._wrong_since is None:
            self._wrong_since = at
        if at < max(self._wrong_since + self.LASTING_S, self._alarm_at + self._pause_s):
            return False
        self._alarm_at = at
        self._pause_s = min(2 * self._pause_s, self.MOST_PAUSE_S)
        return True
