"""The panels' chips, after their datasheets: bytes in, lit pixels out. Written without a look at luma, so
that what the adapter sends is judged by a second opinion. And the wires to them: an I2C bus with chips on
it, an SPI bus with its pins, both able to fail.
"""

import errno
import sys
import types
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray


class MonoChip:
    """SSD1306, SSD1309 (128 columns) or SH1106 (132, of which the glass shows 128 from the third)."""

    # Commands that are followed by arguments, and how many; the SSD1306's, datasheet rev 1.1, table 9-1.
    ARGUMENTS: ClassVar[dict[int, int]] = {
        0x20: 1,
        0x21: 2,
        0x22: 2,
        0x81: 1,
        0x8D: 1,
        0xA8: 1,
        0xD3: 1,
        0xD5: 1,
        0xD9: 1,
        0xDA: 1,
        0xDB: 1,
    }
    COLUMNS, FIRST = 128, 0

    def __init__(self) -> None:
        self.power_up()

    def power_up(self) -> None:
        """Dark, not set up, noise in the memory."""
        noise = np.random.default_rng(7).integers(0, 256, (8, self.COLUMNS))
        self.memory: NDArray[np.uint8] = noise.astype(np.uint8)
        self.is_on = self.charge_pump_on = self.segments_turned = self.rows_turned = False
        self.level, self.multiplex, self.mode = 0x7F, 0x3F, 2
        self.page, self.column = 0, 0
        self.columns, self.pages = (0, self.COLUMNS - 1), (0, 7)
        self.waiting: list[int] = []

    def command(self, sent: bytes) -> None:
        for byte in sent:
            self.waiting.append(byte)
            if len(self.waiting) > self.ARGUMENTS.get(self.waiting[0], 0):
                code, *arguments = self.waiting
                self.waiting = []
                self.obey(code, arguments)

    def obey(self, code: int, arguments: list[int]) -> None:
        match code:
            case 0x20:
                self.mode = arguments[0]
            case 0x21 if self.mode != 2:
                self.columns, self.column = (arguments[0], arguments[1]), arguments[0]
            case 0x22 if self.mode != 2:
                self.pages, self.page = (arguments[0], arguments[1]), arguments[0]
            case 0x81:
                self.level = arguments[0]
            case 0x8D:
                self.charge_pump_on = bool(arguments[0] & 0x04)
            case 0xA8:
                self.multiplex = arguments[0]
            case 0xA0 | 0xA1:
                self.segments_turned = code == 0xA1
            case 0xC0 | 0xC8:
                self.rows_turned = code == 0xC8
            case 0xAE | 0xAF:
                self.is_on = code == 0xAF
            case _ if 0xB0 <= code <= 0xB7:
                self.page = code - 0xB0
            case _ if code < 0x10:
                self.column = self.column & 0xF0 | code
            case _ if code < 0x20:
                self.column = self.column & 0x0F | (code & 0x0F) << 4

    def data(self, sent: bytes) -> None:
        for byte in sent:
            self.memory[self.page, self.column] = byte
            self.column += 1
            if self.mode == 2:  # page addressing, which a chip wakes in: the page stays
                self.column %= self.COLUMNS
            elif self.column > self.columns[1]:
                self.column = self.columns[0]
                self.page = self.pages[0] if self.page == self.pages[1] else self.page + 1

    @property
    def is_lit(self) -> bool:
        return self.is_on and self.charge_pump_on

    def glass(self) -> NDArray[np.uint8]:
        """What is seen with the chip's pins above: (64, 128), 0 or 255."""
        if not self.is_lit:
            return np.zeros((64, 128), np.uint8)
        assert self.multiplex == 63
        seen = self.memory[:, self.FIRST : self.FIRST + 128]
        rows = np.unpackbits(seen[:, None, :], axis=1, bitorder="little").reshape(64, 128) * 255
        # Modules carry their glass turned by half, so that "turned" twice is upright.
        rows = rows if self.segments_turned else rows[:, ::-1]
        return np.ascontiguousarray(rows if self.rows_turned else rows[::-1])


class Sh1106(MonoChip):
    """Has pages only: the column stays at the end of a page, and 0x20, 0x8D take no argument."""

    ARGUMENTS: ClassVar[dict[int, int]] = {
        code: count for code, count in MonoChip.ARGUMENTS.items() if code not in (0x20, 0x21, 0x22, 0x8D)
    }
    COLUMNS, FIRST = 132, 2

    def power_up(self) -> None:
        super().power_up()
        self.charge_pump_on = True  # its converter is on after reset (datasheet, command 0xAD)

    def obey(self, code: int, arguments: list[int]) -> None:
        if code not in (0x20, 0x21, 0x22, 0x8D):  # the SSD1306's alone
            super().obey(code, arguments)

    def data(self, sent: bytes) -> None:
        for byte in sent:
            self.memory[self.page, self.column] = byte
            self.column = min(self.column + 1, self.COLUMNS - 1)


class Ssd1322:
    """480 columns of 16 greys, four a column address, of which the glass has 256 in the middle. Arguments
    come as data (datasheet rev 1.2, table 9-1)."""

    def __init__(self) -> None:
        self.power_up()

    def power_up(self) -> None:
        noise = np.random.default_rng(7).integers(0, 16, (128, 480))
        self.memory: NDArray[np.uint8] = noise.astype(np.uint8)
        self.is_on = False
        self.is_all_off = False
        self.level, self.remap = 0x7F, b"\x00\x01"
        self.code, self.arguments = 0, bytearray()
        self.columns, self.rows = (0, 0x77), (0, 127)
        self.at = (0, 0)
        self.half: list[int] = []

    def command(self, sent: bytes) -> None:
        for self.code in sent:
            self.arguments = bytearray()
            match self.code:
                case 0xAE | 0xAF:
                    self.is_on = self.code == 0xAF
                case 0xA4:
                    self.is_all_off = True
                case 0xA6:
                    self.is_all_off = False
                case 0x5C:
                    self.at, self.half = (self.rows[0], self.columns[0]), []

    def data(self, sent: bytes) -> None:
        if self.code == 0x5C:
            for byte in sent:
                self.write(byte)
            return
        self.arguments += sent
        match self.code, len(self.arguments):
            case 0x15, 2:
                self.columns = (self.arguments[0], self.arguments[1])
            case 0x75, 2:
                self.rows = (self.arguments[0], self.arguments[1])
            case 0xC1, 1:
                self.level = self.arguments[0]
            case 0xA0, 2:
                self.remap = bytes(self.arguments)

    def write(self, byte: int) -> None:
        self.half += [byte >> 4, byte & 0x0F]
        if len(self.half) == 4:
            row, column = self.at
            self.memory[row, 4 * column : 4 * column + 4] = self.half
            self.half = []
            column += 1
            if column > self.columns[1]:
                row, column = (self.rows[0] if row == self.rows[1] else row + 1), self.columns[0]
            self.at = (row, column)

    @property
    def is_lit(self) -> bool:
        return self.is_on and not self.is_all_off

    def glass(self) -> NDArray[np.uint8]:
        """(64, 256), sixteen levels from 0 to 255."""
        if not self.is_lit:
            return np.zeros((64, 256), np.uint8)
        assert self.remap == b"\x14\x11", "the tests know luma's arrangement of lines and nibbles only"
        return self.memory[:64, 4 * 28 : 4 * 28 + 256] * np.uint8(17)


CHIPS = {"ssd1306": MonoChip, "ssd1309": MonoChip, "sh1106": Sh1106, "ssd1322": Ssd1322}
Chip = MonoChip | Ssd1322


@dataclass
class Wires:
    """A bus with one chip on it. `sent`: whether each piece was a command, and its bytes."""

    chip: Chip
    address: int = 0x3C
    plugged: bool = True
    fail_every: int | None = None
    writes: int = 0
    opened: list[tuple[int, ...]] = field(default_factory=list)
    closed: int = 0
    sent: list[tuple[bool, bytes]] = field(default_factory=list)
    reset_levels: list[int] = field(default_factory=list)
    trouble: int = errno.EREMOTEIO
    dc: int = 0

    def send(self, is_command: bool, sent: bytes, address: int | None = None) -> None:
        """`address` None: SPI, where nobody answers."""
        self.writes += 1
        if self.fail_every is not None and self.writes % self.fail_every == 0:
            if not is_command:
                self.chip.data(sent[: len(sent) // 2])
            raise OSError(self.trouble, "injected")
        if address is not None and (not self.plugged or address != self.address):
            raise OSError(self.trouble, "nobody answers")
        self.sent.append((is_command, sent))
        if self.plugged:
            (self.chip.command if is_command else self.chip.data)(sent)

    def unplug(self) -> None:
        self.plugged = False

    def plug_in(self) -> None:
        self.plugged = True
        self.chip.power_up()

    # What smbus2.SMBus does.

    def smbus(self, port: int) -> "Wires":
        self.opened.append((port,))
        return self

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        assert len(data) <= 32
        self.send(register == 0x00, bytes(data), address)

    def i2c_rdwr(self, message: object) -> None:
        register, *data = bytes(message)  # type: ignore[call-overload]
        self.send(register == 0x00, bytes(data), message.addr)  # type: ignore[attr-defined]

    # What spidev.SpiDev does.

    def open(self, port: int, device: int) -> None:
        self.opened.append((port, device))

    def writebytes(self, data: list[int]) -> None:
        assert len(data) <= 4096
        self.send(self.dc == 0, bytes(data))

    def close(self) -> None:
        self.closed += 1


@dataclass
class Pins:
    """What RPi.GPIO does, for the pins D/C and RES."""

    wires: Wires
    dc_pin: int = 24
    reset_pin: int = 25
    BCM, OUT, LOW, HIGH = 11, 0, 0, 1

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM

    def setup(self, pin: int, direction: int) -> None:
        assert pin in (self.dc_pin, self.reset_pin)
        assert direction == self.OUT

    def output(self, pin: int, level: int) -> None:
        if pin == self.dc_pin:
            self.wires.dc = level
        else:
            assert pin == self.reset_pin
            self.wires.reset_levels.append(level)
            if level == self.LOW:
                self.wires.chip.power_up()

    def cleanup(self, pins: list[int]) -> None:
        assert set(pins) <= {self.dc_pin, self.reset_pin}


def wire_up(wires: Wires, patch: pytest.MonkeyPatch, dc_pin: int = 24) -> None:
    """Have smbus2, spidev and RPi.GPIO lead to these wires."""
    patch.setattr("smbus2.SMBus", wires.smbus)
    gpio, pins = types.ModuleType("RPi.GPIO"), Pins(wires, dc_pin)
    for name in ("BCM", "OUT", "LOW", "HIGH", "setmode", "setup", "output", "cleanup"):
        setattr(gpio, name, getattr(pins, name))
    rpi, spidev = types.ModuleType("RPi"), types.ModuleType("spidev")
    rpi.GPIO = gpio  # type: ignore[attr-defined]
    spidev.SpiDev = lambda: wires  # type: ignore[attr-defined]
    for module in (rpi, gpio, spidev):
        patch.setitem(sys.modules, module.__name__, module)
