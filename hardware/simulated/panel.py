"""A panel that obeys physics: it takes time on its bus, loses its power, tears, wears, and fails on demand.

The port's twin; nothing is drawn here, and no chip's bytes are known.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hardware.errors import PanelError
from hardware.panel import I2cBus, PanelSpec, Specified, checked_level, fitting

_I2C_BITS_PER_S = 400_000 / 9 * 8  # every byte is followed by one bit of acknowledgement
_SPI_BITS_PER_S = 8_000_000
_SETTINGS_BYTES = 30
_NOISE_SEED = 20260  # what lies in a chip's memory after power-on means nothing
_FACTORY_LEVEL = 0x7F  # the chips' brightness after power-on


class SimulatedPanel(Specified):
    """The panel `spec` on a table of its own. `plugged`: whether it has its power from the start. `spend`
    is told of each stretch of time, in seconds, that a write takes: a simulated clock goes on by it.

    What happens to it: `unplug`, `plug_in`, `fail_every`, `pass_time`. What is seen: `glass`, `level`,
    `is_lit`, `wear_s`, `busy_s`, `frame_count`.
    """

    def __init__(
        self, spec: PanelSpec, *, plugged: bool = True, spend: Callable[[float], None] | None = None
    ) -> None:
        super().__init__(spec)
        self._spend = spend
        self._is_open = False
        self._believed_on = False  # by this side of the wire; the chip may have lost its power since
        self._wanted_level = _FACTORY_LEVEL
        self._powered = plugged
        self._writes = 0
        self._fail_every: int | None = None
        self.frame_count = 0
        """How many pictures arrived whole."""
        self.busy_s = 0.0
        """How long its bus was busy with it, in seconds."""
        self.wear_s: NDArray[np.float64] = np.zeros(spec.size[::-1])
        """How long each pixel was lit, (height, width), in seconds at full brightness."""
        self._memory: NDArray[np.uint8] = self._noise()
        self._on = self._set_up = False
        self._level = _FACTORY_LEVEL

    def open(self) -> None:
        """Reach the panel and set it up; `PanelError` if it is not there."""
        self._is_open, self._believed_on = True, False
        self._write(_SETTINGS_BYTES)
        self._set_up = self._powered
        self._level = self._wanted_level

    def show(self, image: Image.Image) -> None:
        """Show a whole picture. One that fails on its way leaves its first half on the glass."""
        image = fitting(image, self._spec)
        self._needs_open()
        pixels = self._as_lit(image)
        try:
            self._write(pixels.size * (1 if self.mode == "1" else 4) // 8)
        except PanelError:
            half = len(pixels) // 2
            self._memory[:half] = pixels[:half]
            raise
        if self._powered:
            self._memory = pixels
            self._on = self._on or not self._believed_on
            self.frame_count += 1
        self._believed_on = True

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""
        level = checked_level(level, self._spec)
        self._needs_open()
        self._write(2)
        self._wanted_level = self._level = level

    def hide(self) -> None:
        """Make it dark, until the next picture."""
        self._needs_open()
        self._write(1)
        self._on = self._believed_on = False

    def close(self) -> None:
        """Give the bus back; what is shown stays."""
        self._is_open = False

    def unplug(self) -> None:
        """Take its power away: it is dark, forgets everything, and on I2C it no longer answers."""
        self._powered = False

    def plug_in(self) -> None:
        """Give it power: it is dark, not set up, and noise lies in its memory."""
        self._powered = True
        self._memory = self._noise()
        self._on = self._set_up = False
        self._level = _FACTORY_LEVEL

    def fail_every(self, writes: int | None) -> None:
        """Have every so-manieth write fail from now on; None: none of them."""
        self._fail_every, self._writes = writes, 0

    def pass_time(self, seconds: float) -> None:
        """Let it shine for so long as it does now: lit pixels wear, by their brightness."""
        if self.is_lit:
            self.wear_s += self._memory / 255.0 * (self._level / 255.0) * seconds

    @property
    def is_lit(self) -> bool:
        """Whether what lies in its memory is seen."""
        return self._powered and self._set_up and self._on

    @property
    def glass(self) -> Image.Image:
        """What is seen, as it was drawn: of `size`, in `mode`; black while it is dark."""
        seen = self._memory if self.is_lit else np.zeros_like(self._memory)
        image = Image.fromarray(seen)
        return image.convert("1", dither=Image.Dither.NONE) if self.mode == "1" else image

    @property
    def level(self) -> int:
        """The brightness it is set to, 0 to 255."""
        return self._level

    def _noise(self) -> NDArray[np.uint8]:
        noise = np.random.default_rng(_NOISE_SEED).integers(0, 256, self.size[::-1])
        return self._quantised(noise.astype(np.uint8))

    def _as_lit(self, image: Image.Image) -> NDArray[np.uint8]:
        return self._quantised(np.asarray(image.convert("L"), dtype=np.uint8))

    def _quantised(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Two levels, or sixteen: the grey chip keeps the upper four bits of a pixel."""
        if self.mode == "1":
            return np.where(pixels > 127, 255, 0).astype(np.uint8)
        return ((pixels >> 4) * 17).astype(np.uint8)

    def _write(self, byte_count: int) -> None:
        on_i2c = isinstance(self._spec.bus, I2cBus)
        took_s = byte_count * 8 / (_I2C_BITS_PER_S if on_i2c else _SPI_BITS_PER_S)
        self.busy_s += took_s
        if self._spend is not None:
            self._spend(took_s)
        self._writes += 1
        if self._fail_every is not None and self._writes % self._fail_every == 0:
            self._is_open = False
            raise PanelError(f"the panel {self.name} failed at a write; check its wires")
        if not self._powered and on_i2c:  # nobody answers on SPI: what is sent is lost unnoticed
            self._is_open = False
            raise PanelError(f"the panel {self.name} does not answer; check its plug")

    def _needs_open(self) -> None:
        if not self._is_open:
            raise PanelError(f"the panel {self.name} is not open; open it first")
