"""The Pi's 40-pin header, and which wire of which part goes to which of its pins.

The one map of pins: the configuration is checked against it, and table and drawing of the wiring are made
from it. Nothing here switches a pin.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hardware.button import BUTTONS, Button, Side
from hardware.errors import PanelError
from hardware.panel import I2cBus, PanelSpec, SpiBus

Colour = Literal["red", "black", "blue", "yellow", "green", "violet", "grey", "orange"]
"""Of a wire; those of the usual jumper wires."""


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """A pin: its place on the header, 1 to 40, and its GPIO number (Broadcom's), None of a supply's."""

    number: int
    gpio: int | None
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.number})"


# Source: Raspberry Pi's documentation of the GPIO header, the same for every model with 40 pins.
_ORDER: Final = (
    *("3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15", "17", "18", "27", "GND", "22", "23", "3V3"),
    *(
        "24",
        "10",
        "GND",
        "9",
        "25",
        "11",
        "8",
        "GND",
        "7",
        "0",
        "1",
        "5",
        "GND",
        "6",
        "12",
        "13",
        "GND",
        "19",
    ),
    *("16", "26", "20", "GND", "21"),
)
"""What is at pin 1 to pin 40: odd ones are in the row towards the board's middle, even ones at its edge."""
_SUPPLIES: Final = {"3V3": "3.3 V", "5V": "5 V", "GND": "ground"}

HEADER: Final[tuple[HeaderPin, ...]] = tuple(
    HeaderPin(number, None, _SUPPLIES[text])
    if text in _SUPPLIES
    else HeaderPin(number, int(text), f"GPIO{text}")
    for number, text in enumerate(_ORDER, start=1)
)

I2C_PINS: Final[Mapping[int, Mapping[str, int]]] = {1: {"SDA": 2, "SCL": 3}}
"""The GPIO numbers of an I2C bus on the header, by its port."""
SPI_PINS: Final[Mapping[int, Mapping[str, int]]] = {
    0: {"SCLK": 11, "MOSI": 10, "MISO": 9, "CE0": 8, "CE1": 7},
    1: {"SCLK": 21, "MOSI": 20, "MISO": 19, "CE0": 18, "CE1": 17, "CE2": 16},
}
"""Those of an SPI bus: data, clock and the select lines that its overlay takes."""

_I2C_SUPPLY, _I2C_GROUND = 1, 9
_SPI_SUPPLY, _SPI_GROUND = 17, 20
_SIDE_SUPPLY: Final[Mapping[Side, int]] = {"A": 1, "B": 17}
_SIDE_GROUND: Final[Mapping[Side, int]] = {"A": 25, "B": 34}
_COLOURS: Final[Mapping[str, Colour]] = {
    "confirm": "green",
    "challenge": "orange",
    "confirm lamp": "grey",
    "challenge lamp": "violet",
}


@dataclass(frozen=True, slots=True)
class Wire:
    """From a pin of the header to what is written beside it on the part."""

    pin: HeaderPin
    terminal: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class PanelWiring:
    """A panel and its wires. Panels on one bus share all of them but one."""

    role: str
    spec: PanelSpec
    wires: tuple[Wire, ...]

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"{self.role} panel"

    @property
    def detail(self) -> str:
        """Its chip and what to set on it."""
        chip, bus = self.spec.driver.upper(), self.spec.bus
        match bus:
            case I2cBus():
                return f"{chip}, I2C, address {bus.address:#04x}"
            case SpiBus():
                return f"{chip}, SPI {bus.port}, device {bus.device}"


@dataclass(frozen=True, slots=True)
class SideWiring:
    """The buttons and lamps at one end of the table, and their wires. `pull_up`: a button is between its pin
    and ground, else between its pin and 3.3 V."""

    side: Side
    pull_up: bool
    wires: tuple[Wire, ...]

    @property
    def title(self) -> str:
        """What it is, for people."""
        return f"side {self.side}"


Part = PanelWiring | SideWiring


def header_pin(gpio: int) -> HeaderPin:
    """The pin of the header with this GPIO number. `KeyError` of none: it has GPIO 0 to 27."""
    for pin in HEADER:
        if pin.gpio == gpio:
            return pin
    raise KeyError(gpio)


def wiring(
    panels: Sequence[tuple[str, PanelSpec]],
    pins: Mapping[Button, int],
    lamps: Mapping[Button, int],
    *,
    pull_up: bool = True,
) -> tuple[Part, ...]:
    """The parts on the header, each with its wires: panels with their roles, then the sides that have
    buttons; `pins` and `lamps` are GPIO numbers.

    `PanelError` for a bus that is not on the header.
    """
    parts: list[Part] = [PanelWiring(role, spec, tuple(_panel_wires(spec))) for role, spec in panels]
    for side in ("A", "B"):
        wires = tuple(_side_wires(side, pins, lamps, pull_up))
        if wires:
            parts.append(SideWiring(side, pull_up, wires))
    return tuple(parts)


def wiring_table(parts: Sequence[Part]) -> tuple[tuple[str, str, str, str], ...]:
    """Rows of part, terminal, colour of the wire, pin of the header."""
    return tuple(
        (part.title, wire.terminal, wire.colour, str(wire.pin)) for part in parts for wire in part.wires
    )


def _panel_wires(spec: PanelSpec) -> Iterator[Wire]:
    bus = spec.bus
    match bus:
        case I2cBus():
            lines = _bus_pins(I2C_PINS, bus.port, f"I2C bus {bus.port}")
            yield Wire(_at(_I2C_SUPPLY), "VCC", "red")
            yield Wire(_at(_I2C_GROUND), "GND", "black")
            yield Wire(header_pin(lines["SCL"]), "SCL", "yellow")
            yield Wire(header_pin(lines["SDA"]), "SDA", "blue")
        case SpiBus():
            lines = _bus_pins(SPI_PINS, bus.port, f"SPI bus {bus.port}")
            select = f"CE{bus.device}"
            if select not in lines:
                raise PanelError(
                    f"SPI bus {bus.port} has no device {bus.device} on the header; take device 0 or 1"
                )
            yield Wire(_at(_SPI_SUPPLY), "VCC", "red")
            yield Wire(_at(_SPI_GROUND), "GND", "black")
            yield Wire(header_pin(lines["SCLK"]), "SCLK, D0", "yellow")
            yield Wire(header_pin(lines["MOSI"]), "SDIN, D1", "blue")
            if bus.reset_pin is not None:
                yield Wire(header_pin(bus.reset_pin), "RES", "grey")
            yield Wire(header_pin(bus.dc_pin), "D/C", "violet")
            yield Wire(header_pin(lines[select]), "CS", "green")


def _side_wires(
    side: Side, pins: Mapping[Button, int], lamps: Mapping[Button, int], pull_up: bool
) -> Iterator[Wire]:
    count = 0
    for button in BUTTONS:
        if button.side != side:
            continue
        for name, gpio in ((button.kind, pins.get(button)), (f"{button.kind} lamp", lamps.get(button))):
            if gpio is not None:
                count += 1
                yield Wire(header_pin(gpio), name, _COLOURS[name])
    if count and not pull_up:
        yield Wire(_at(_SIDE_SUPPLY[side]), "3.3 V", "red")
    if count:
        yield Wire(_at(_SIDE_GROUND[side]), "ground", "black")


def _bus_pins(pins: Mapping[int, Mapping[str, int]], port: int, name: str) -> Mapping[str, int]:
    if port not in pins:
        raise PanelError(
            f"{name} is at no fixed place on the header: its overlay in config.txt says where; "
            f"take bus {min(pins)}, or wire it by the overlay's description"
        )
    return pins[port]


def _at(number: int) -> HeaderPin:
    return HEADER[number - 1]
