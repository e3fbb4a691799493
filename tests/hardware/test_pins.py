"""The map of pins: the header, and which wire goes where."""

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.button import BUTTONS, Button
from hardware.errors import PanelError
from hardware.panel import I2cBus, PanelSpec, SpiBus
from hardware.pins import HEADER, SideWiring, Wire, header_pin, wiring, wiring_table

CONFIRM, CHALLENGE = Button("A", "confirm"), Button("B", "challenge")


def test_the_header_is_the_one_that_gpiozero_knows() -> None:
    pins = MockFactory().board_info.headers["J8"].pins
    assert set(pins) == {pin.number for pin in HEADER}
    for pin in HEADER:
        name = pins[pin.number].name
        if pin.gpio is not None:
            assert (name, pin.name) == (f"GPIO{pin.gpio}", f"GPIO{pin.gpio}")
            assert header_pin(pin.gpio) is pin
        else:
            assert name == {"3.3 V": "3V3", "5 V": "5V", "ground": "GND"}[pin.name]


def test_a_number_that_is_not_on_the_header_has_no_pin() -> None:
    with pytest.raises(KeyError):
        header_pin(28)


def terminals(part: "object") -> dict[str, int]:
    return {wire.terminal: wire.pin.number for wire in part.wires}  # type: ignore[attr-defined]


def test_panels_on_one_bus_share_its_wires_and_are_selected_apart() -> None:
    specs = [PanelSpec("ssd1306", SpiBus(0, device, reset_pin=None)) for device in (0, 1)]
    first, second = wiring([("game", spec) for spec in specs], {}, {})
    assert terminals(first) == {"VCC": 17, "GND": 20, "SCLK, D0": 23, "SDIN, D1": 19, "D/C": 18, "CS": 24}
    assert terminals(second) == {**terminals(first), "CS": 26}


def test_a_panel_on_i2c_has_four_wires() -> None:
    (panel,) = wiring([("game", PanelSpec("sh1106", I2cBus(1, 0x3D)))], {}, {})
    assert terminals(panel) == {"VCC": 1, "GND": 9, "SCL": 5, "SDA": 3}
    assert panel.title == "game panel"
    assert "0x3d" in panel.detail  # type: ignore[union-attr]


def test_the_second_spi_bus_is_further_down_the_header() -> None:
    (panel,) = wiring([("game", PanelSpec("ssd1322", SpiBus(1, 2, 24, 25)))], {}, {})
    assert {
        name: pin for name, pin in terminals(panel).items() if name in ("CS", "SCLK, D0", "SDIN, D1")
    } == {
        "SCLK, D0": 40,
        "SDIN, D1": 38,
        "CS": 36,
    }


@pytest.mark.parametrize("bus", [I2cBus(3), SpiBus(2), SpiBus(0, 2), SpiBus(1, 3)])
def test_a_bus_that_is_not_on_the_header_is_refused(bus: I2cBus | SpiBus) -> None:
    with pytest.raises(PanelError, match="on the header"):
        wiring([("game", PanelSpec("ssd1306", bus))], {}, {})


def test_a_side_has_its_buttons_and_one_ground() -> None:
    parts = wiring([], {CONFIRM: 17, CHALLENGE: 23}, {CHALLENGE: 13})
    assert [part.title for part in parts] == ["side A", "side B"]
    assert terminals(parts[0]) == {"confirm": 11, "ground": 25}
    assert terminals(parts[1]) == {"challenge": 16, "challenge lamp": 33, "ground": 34}


def test_buttons_to_plus_need_a_wire_more() -> None:
    (part,) = wiring([], {CONFIRM: 17}, {}, pull_up=False)
    assert isinstance(part, SideWiring)
    assert terminals(part) == {"confirm": 11, "3.3 V": 1, "ground": 25}


def test_no_pin_of_the_header_has_wires_of_two_kinds() -> None:
    """Supplies and buses are shared; a signal of a side has a pin of its own, and never a supply's."""
    pins = dict(zip(BUTTONS, (17, 27, 22, 23), strict=True))
    lamps = dict(zip(BUTTONS, (5, 6, 12, 13), strict=True))
    panels = [("in-rally", PanelSpec("ssd1306", I2cBus())), ("game", PanelSpec("ssd1322", SpiBus()))]
    wires: dict[int, Wire] = {}
    for part in wiring(panels, pins, lamps, pull_up=False):
        for wire in part.wires:
            before = wires.setdefault(wire.pin.number, wire)
            assert before.colour == wire.colour
            assert (wire.colour == "red") == (wire.pin.name == "3.3 V")
            assert (wire.colour == "black") == (wire.pin.name == "ground")


def test_the_table_has_a_row_for_each_wire() -> None:
    parts = wiring([("game", PanelSpec("sh1106", I2cBus()))], {CONFIRM: 17}, {})
    table = wiring_table(parts)
    assert ("game panel", "SDA", "blue", "GPIO2 (3)") in table
    assert ("side A", "confirm", "green", "GPIO17 (11)") in table
    assert len(table) == sum(len(part.wires) for part in parts)
