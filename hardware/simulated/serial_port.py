"""The simulated serial port: what is plugged in, its cable, and the board's end of it as the port has it.

Bytes cross at the line's rate, on the simulated clock, in packets as USB has them; no thread and no device.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hardware.errors import SerialPortError
from hardware.serial_port import Heard, SerialPort

BITS_A_BYTE: Final = 10
"""Start bit, eight of data, stop bit."""
PACKET: Final = 64
"""Bytes that come at once: the most of a full-speed USB bulk packet (USB 2.0, 5.8.3)."""
MOST_WAITING: Final = 1 << 20
"""Bytes that the board's end holds before it says that nobody reads."""


@dataclass
class _Packet:
    data: bytes
    at: float
    """When its last byte has crossed, seconds."""


class _Way:
    """One direction of the cable."""

    def __init__(self, baud: float) -> None:
        self._byte_s = BITS_A_BYTE / baud
        self._free_at = -math.inf
        self.packets: deque[_Packet] = deque()

    def put(self, data: bytes, now: float) -> None:
        for start in range(0, len(data), PACKET):
            packet = data[start : start + PACKET]
            self._free_at = max(self._free_at, now) + len(packet) * self._byte_s
            self.packets.append(_Packet(packet, self._free_at))

    def take(self, now: float) -> bytes | None:
        """The next packet that has crossed by now."""
        if self.packets and self.packets[0].at <= now:
            return self.packets.popleft().data
        return None

    def clear(self) -> None:
        self.packets.clear()
        self._free_at = -math.inf

    @property
    def waiting(self) -> int:
        return sum(len(packet.data) for packet in self.packets)


class SimulatedDevice:
    """A controller with its cable, whose time is `clock`'s, in seconds. `baud`: bits a second, `math.inf`
    for a cable that takes no time.

    After time has passed, call `catch_up`; the port's `heard` is called in it, and with a cable that takes
    no time in `send` as well."""

    def __init__(
        self, name: str, clock: Callable[[], float] = lambda: 0.0, *, baud: float = math.inf
    ) -> None:
        self.name = name
        self._clock = clock
        self._there = _Way(baud)
        """To the board."""
        self._back = _Way(baud)
        self._arrived = bytearray()
        self._plugged = True
        self._reads = True
        self._heard: Heard | None = None
        self._end: _End | None = None

    # ------------------------------------------------------------ the board's end

    def open(self, heard: Heard) -> SerialPort:
        """Open it, as `hardware.serial_port.open_port` does a real one."""
        if not self._plugged:
            raise SerialPortError(f"{self.name} cannot be opened (unplugged); call plug_in()")
        if self._end is not None:
            raise SerialPortError(f"{self.name} cannot be opened (in use); close it first")
        self._heard = heard
        self._end = _End(self)
        return self._end

    # ------------------------------------------------------------ the device's end

    def send(self, data: bytes) -> None:
        """Have the board hear this. Bytes that nobody opened the port for are lost."""
        if self._end is not None:
            self._there.put(data, self._clock())
            self.catch_up()

    def received(self) -> bytes:
        """What has come from the board since the last call."""
        self.catch_up()
        data = bytes(self._arrived)
        self._arrived.clear()
        return data

    def read_nothing(self, on: bool = True) -> None:
        """From now on take nothing that comes, or read again."""
        self.catch_up()
        self._reads = not on
        self.catch_up()

    def unplug(self) -> None:
        """Pull the plug: what is on its way is lost."""
        self.catch_up()
        self._plugged = False
        heard = self._let_go()
        if heard is not None:
            heard(None)

    def plug_in(self, name: str | None = None) -> None:
        """Put it back, perhaps under another name."""
        self.name = name or self.name
        self._plugged = True

    def due(self) -> float | None:
        """When the next packet will have crossed; None if none is on its way."""
        ways = [self._there, self._back] if self._reads else [self._there]
        return min((way.packets[0].at for way in ways if way.packets), default=None)

    def catch_up(self) -> None:
        """Have both ends get what has crossed up to now."""
        now = self._clock()
        # As long as it is open: whoever hears may close the port, or write.
        while self._heard is not None and (data := self._there.take(now)) is not None:
            self._heard(data)
        while self._reads and (data := self._back.take(now)) is not None:
            self._arrived += data

    # ------------------------------------------------------------ what the board's end does

    def _write(self, data: bytes) -> None:
        if self._back.waiting + len(data) > MOST_WAITING:
            raise SerialPortError(f"nobody reads at {self.name}; start what is to read there")
        self._back.put(data, self._clock())
        self.catch_up()

    def _let_go(self) -> Heard | None:
        heard, self._heard, self._end = self._heard, None, None
        self._there.clear()
        self._back.clear()
        return heard


class _End(SerialPort):
    """The board's end, from `open` to `close` or the plug's being pulled."""

    def __init__(self, device: SimulatedDevice) -> None:
        self._device = device

    def write(self, data: bytes) -> None:
        if self._device._end is not self:
            raise SerialPortError(f"{self._device.name} is gone; plug it in again")
        self._device._write(data)

    @property
    def waiting(self) -> int:
        return self._device._back.waiting if self._device._end is self else 0

    def close(self) -> None:
        if self._device._end is self:
            self._device._let_go()
