"""From light to 8 bits: noise, Bayer mosaic, white balance, tone curve, sharpening. No geometry
here."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.projection import Window
from hardware.simulated.scene import Sensor

Float32 = NDArray[np.float32]
Picture = NDArray[np.uint8]

WHITE_LEVEL = 0.75
"""Share of full scale at which white print lies in the light of mid-board at exposure 1."""

_NATIVE = np.array([0.55, 1.0, 0.62], dtype=np.float32)
"""How much of blue, green, red light a silicon sensor's filters pass: blue and red are noisier."""

_TONE_STEPS = 1 << 14
_SLACK = 257  # room to shift the noise bank about, so that two frames never share their noise


def _tone_table() -> Float32:
    light = np.arange(_TONE_STEPS, dtype=np.float64) / (_TONE_STEPS - 1)
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return (255.0 * coded).astype(np.float32)


_TONE = _tone_table()


class Developer:
    """Develops windows of one camera's light. `seed` fixes the noise."""

    def __init__(self, sensor: Sensor, size: tuple[int, int], seed: int) -> None:
        self._sensor = sensor
        self._balance = np.asarray(sensor.white_balance, dtype=np.float32)
        bank = (min(size[1], 640) + _SLACK, min(size[0], 800) + _SLACK, 3)
        random = np.random.default_rng((seed, 0x5E115))
        self._bank = random.standard_normal(bank, dtype=np.float32) if sensor.noisy else None

    def develop(self, light: Float32, window: Window, random: np.random.Generator) -> Picture:
        """The 8-bit picture, (h, w, 3) blue-green-red, of linear `light` of the same shape.

        1.0 is full scale. The window's corner gives the Bayer phase.
        """
        signal = self._noised(light, random) if self._sensor.noisy else light
        if self._sensor.bayer:
            signal = _through_mosaic(signal, window)
        if not np.all(self._balance == 1.0):
            signal = signal * self._balance
        index = np.clip(signal * np.float32(_TONE_STEPS - 1) + np.float32(0.5), 0, _TONE_STEPS - 1)
        coded = _TONE[index.astype(np.uint16)]
        if self._sensor.sharpen > 0:
            soft = cv2.GaussianBlur(coded, (0, 0), 1.0)
            coded = cv2.addWeighted(coded, 1 + self._sensor.sharpen, soft, -self._sensor.sharpen, 0)
        return np.asarray(cv2.convertScaleAbs(np.maximum(coded, 0)), dtype=np.uint8)

    def _noised(self, light: Float32, random: np.random.Generator) -> Float32:
        assert self._bank is not None
        electrons = np.float32(self._sensor.full_well) * _NATIVE
        read = np.float32(self._sensor.read_noise) / electrons
        variance = np.maximum(light, 0) * (1 / electrons) + read * read
        noise: Float32 = np.sqrt(variance, dtype=np.float32)
        rows, columns = self._bank.shape[:2]
        height, width = light.shape[:2]
        for y in range(0, height, rows - _SLACK):
            for x in range(0, width, columns - _SLACK):
                part = noise[y : y + rows - _SLACK, x : x + columns - _SLACK]
                down, along = random.integers(0, _SLACK, 2)
                part *= self._bank[down : down + part.shape[0], along : along + part.shape[1]]
        noise += light
        return noise


def banded(picture: Picture, sensor: Sensor, time_s: float) -> Picture:
    """The picture under lamps that flicker, read row by row from `time_s` on; itself if none does.

    Light adds up over the exposure, which softens the bands. Done on the 8-bit picture, through the
    tone curve's exponent, since developing a whole frame afresh costs ten times as much.
    """
    if sensor.mains_depth <= 0:
        return picture
    blurring = abs(float(np.sinc(sensor.mains_hz * sensor.exposure_s)))
    rows = np.arange(len(picture)) / len(picture) * sensor.readout_s
    wave = np.sin(2 * np.pi * sensor.mains_hz * (time_s + rows + sensor.exposure_s / 2))
    gain = (1 + sensor.mains_depth * blurring * wave) ** (1 / 2.4)
    lit = np.rint(picture * gain.astype(np.float32)[:, None, None])
    return np.asarray(np.minimum(lit, 255), dtype=np.uint8)


def _through_mosaic(light: Float32, window: Window) -> Float32:
    """What edge-aware demosaicing makes of an RGGB mosaic of `light`; the scale is kept.

    Image processors look where the edges run; plain bilinear would add zipper patterns along every
    line that no camera shows (0.05 px of scatter in luminance instead of 0.02).
    """
    height, width = light.shape[:2]
    raw = np.empty((height, width), dtype=np.float32)
    for row in (0, 1):
        for column in (0, 1):
            y, x = (window.y0 + row) % 2, (window.x0 + column) % 2
            channel = (2, 1, 1, 0)[2 * y + x]
            raw[row::2, column::2] = light[row::2, column::2, channel]
    counts = np.clip(raw * np.float32(16384.0) + 1024.0, 0, 65535).astype(np.uint16)
    # OpenCV names a pattern by its second row and column: RGGB is "BayerBG".
    code = {
        (0, 0): cv2.COLOR_BayerBG2BGR_EA,
        (0, 1): cv2.COLOR_BayerGB2BGR_EA,
        (1, 0): cv2.COLOR_BayerGR2BGR_EA,
        (1, 1): cv2.COLOR_BayerRG2BGR_EA,
    }[(window.y0 % 2, window.x0 % 2)]
    colours = cv2.cvtColor(counts, code).astype(np.float32)
    developed: Float32 = (colours - np.float32(1024.0)) * np.float32(1 / 16384.0)
    return developed
