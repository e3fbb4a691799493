"""The real panel adapter on wires with nothing at their end: luma makes every byte, and the bus takes the
time that it takes, but no chip is there. When each picture had arrived is noted.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest import mock

from PIL import Image

from hardware.luma_panel import LumaPanel
from hardware.panel import PanelSpec

_I2C_BITS_PER_S = 400_000
_BITS_A_BYTE = 9  # the ninth is the acknowledgement
_BEFORE_BYTES = 2  # address and control byte of each message


class _TimedWire:
    """An I2C bus at 400 kHz."""

    def command(self, *command: int) -> None:
        _send(len(command))

    def data(self, data: list[int]) -> None:
        _send(len(data))

    def cleanup(self) -> None:
        """Nothing is held."""


def _send(byte_count: int) -> None:
    time.sleep((byte_count + _BEFORE_BYTES) * _BITS_A_BYTE / _I2C_BITS_PER_S)


@contextmanager
def timed_wires() -> Iterator[None]:
    """While it lasts, panels are reached through wires that take their time."""
    with mock.patch("hardware.luma_panel._connected", return_value=_TimedWire()):
        yield


@dataclass(frozen=True, slots=True)
class Written:
    """A picture that was sent: when that began, and when all of it had arrived."""

    began_at: float
    arrived_at: float


class NotedPanel(LumaPanel):
    """The adapter, which notes by `clock` when pictures were sent."""

    def __init__(self, spec: PanelSpec, clock: Callable[[], float]) -> None:
        super().__init__(spec)
        self.written: list[Written] = []
        self._clock = clock

    def show(self, image: Image.Image) -> None:
        """Show it."""
        began_at = self._clock()
        super().show(image)
        self.written.append(Written(began_at, self._clock()))
