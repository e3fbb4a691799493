"""What stands at the ends of the wires: a panel, or the buttons and lamps of a side, each in its box.

A box is drawn from its edge towards the header, so that both sides of the sheet are mirror images.
"""

from dataclasses import dataclass
from typing import Final

from hardware.drawing.sheet import INK, Anchor, Point, Sheet
from hardware.pins import Colour, PanelWiring, Part, SideWiring, Wire

BOX_WIDTH: Final = 248.0
INKS: Final[dict[Colour, str]] = {
    "red": "#d01c1c",
    "black": "#1a1a1a",
    "blue": "#1f5fc4",
    "yellow": "#d9a400",
    "green": "#1d8f3a",
    "violet": "#7a3fb5",
    "grey": "#868686",
    "orange": "#e8730c",
}
"""How the wires' colours are printed."""
_FILL, _GLASS, _LIT = "#f5f7fa", "#20242c", "#e9f2ff"
_RESISTOR = (101.0, 145.0)
_NODE, _CONTACTS, _LED = 156.0, (169.0, 201.0), (169.0, 187.0)
_SUPPLY_BUS, _GROUND_BUS = 220.0, 236.0
"""Depths behind the edge at which the symbols are drawn."""
_CAPACITOR_BELOW = 22.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A part in its box. `edge`: the x of the box's edge towards the header; `inward`: -1 left of the header,
    1 right of it. `rows`: the height of each wire's terminal."""

    part: Part
    top: float
    height: float
    edge: float
    inward: int
    rows: tuple[float, ...]

    @property
    def bottom(self) -> float:
        """Where the box ends."""
        return self.top + self.height

    @property
    def left(self) -> float:
        """The x of its left edge."""
        return min(self.edge, self.x(BOX_WIDTH))

    @property
    def anchor(self) -> Anchor:
        """How words that begin at the edge are anchored."""
        return "end" if self.inward < 0 else "start"

    @property
    def anchor_back(self) -> Anchor:
        """How words that end deeper in the box are anchored."""
        return "start" if self.inward < 0 else "end"

    def x(self, depth: float) -> float:
        """The x at this depth behind the edge."""
        return self.edge + self.inward * depth


def row_steps(part: Part) -> tuple[int, ...]:
    """The row of each wire's terminal in a box; a button's capacitor takes a row that has none."""
    steps, row = [], 0
    for wire in part.wires:
        steps.append(row)
        row += 2 if isinstance(part, SideWiring) and _is_button(wire) else 1
    return tuple(steps)


def draw_part(sheet: Sheet, placed: Placed) -> None:
    """The box, its heading, its terminals and what is in it."""
    sheet.box(placed.left, placed.top, BOX_WIDTH, placed.height, fill=_FILL, thick=1.5, round_by=8.0)
    title = placed.part.title
    at = (placed.left + 14.0, placed.top + 22.0)
    sheet.words(at, title[0].upper() + title[1:], size=15.0, bold=True)
    match placed.part:
        case PanelWiring() as panel:
            sheet.words((at[0], at[1] + 16.0), panel.detail, size=11.0)
            _draw_glass(sheet, placed)
        case SideWiring() as side:
            _draw_side(sheet, placed, side)
    for wire, row in zip(placed.part.wires, placed.rows, strict=True):
        ink = INKS[wire.colour]
        sheet.disc((placed.edge, row), 5.0, line=ink, fill=ink)
        below = 4.0 if isinstance(placed.part, PanelWiring) else -5.0
        sheet.words((placed.x(10.0), row + below), wire.terminal, size=11.0, anchor=placed.anchor)


def _draw_glass(sheet: Sheet, placed: Placed) -> None:
    """The panel's face; not to scale."""
    low, high = placed.rows[0] - 8.0, placed.rows[-1] + 8.0
    near, far = sorted((placed.x(84.0), placed.x(BOX_WIDTH - 14.0)))
    height = min(high - low, (far - near) / 2)
    top = (low + high - height) / 2
    sheet.box(near, top, far - near, height, line=_GLASS, fill=_GLASS, round_by=4.0)
    middle = ((near + far) / 2, top + height / 2)
    assert isinstance(placed.part, PanelWiring)
    width, tall = placed.part.spec.size
    sheet.words((middle[0], middle[1] + 4.0), f"{width} x {tall}", size=12.0, anchor="middle", colour=_LIT)


def _draw_side(sheet: Sheet, placed: Placed, side: SideWiring) -> None:
    row_of = dict(zip((wire.terminal for wire in side.wires), placed.rows, strict=True))
    ground, bus = row_of["ground"], placed.x(_GROUND_BUS)
    # The ground bus begins at the uppermost thing that hangs on it.
    uppermost = min(
        row + (_CAPACITOR_BELOW if _is_button(wire) and not side.pull_up else 0.0)
        for wire, row in zip(side.wires, placed.rows, strict=True)
        if wire.terminal != "3.3 V"
    )
    if not side.pull_up:
        supply, above = placed.x(_SUPPLY_BUS), row_of["3.3 V"]
        buttons = [row_of[wire.terminal] for wire in side.wires if _is_button(wire)]
        sheet.line([(supply, min(buttons)), (supply, above), (placed.edge, above)], INKS["red"])
    for wire, row in zip(side.wires, placed.rows, strict=True):
        if _is_button(wire):
            _draw_button(sheet, placed, wire, row, side.pull_up)
        elif _is_lamp(wire):
            _draw_lamp(sheet, placed, wire, row)
    # After all that hangs on it, whose margins would cut it.
    sheet.line([(bus, uppermost), (bus, ground), (placed.edge, ground)], INKS["black"])


def _draw_button(sheet: Sheet, placed: Placed, wire: Wire, row: float, pull_up: bool) -> None:
    """The pin's resistor; behind it the contact, and the capacitor to ground."""
    ink = INKS[wire.colour]
    _draw_resistor(sheet, placed, row, "1 kΩ", ink)
    near, far = _CONTACTS
    sheet.line([(placed.x(_RESISTOR[1]), row), (placed.x(near), row)], ink)
    bus = _GROUND_BUS if pull_up else _SUPPLY_BUS
    sheet.line([(placed.x(far), row), (placed.x(bus), row)], INKS["black" if pull_up else "red"])
    sheet.line([(placed.x(near), row - 9.0), (placed.x(far), row - 9.0)], INK, 2.5)
    sheet.line([(placed.x((near + far) / 2), row - 9.0), (placed.x((near + far) / 2), row - 17.0)], INK, 2.5)
    for contact in _CONTACTS:
        sheet.disc((placed.x(contact), row), 3.5)
    below = row + _CAPACITOR_BELOW
    plate = (_CONTACTS[0] + _CONTACTS[1]) / 2
    sheet.line([(placed.x(_NODE), row), (placed.x(_NODE), below), (placed.x(plate - 3.0), below)], ink)
    sheet.line([(placed.x(plate + 3.0), below), (placed.x(_GROUND_BUS), below)], INKS["black"], halo=4.0)
    for side in (-3.0, 3.0):
        sheet.line([(placed.x(plate + side), below - 8.0), (placed.x(plate + side), below + 8.0)], INK, 2.5)
    sheet.disc((placed.x(_NODE), row), 3.0, line=ink, fill=ink)
    sheet.words((placed.x(_NODE - 7.0), below + 4.0), "100 nF", size=11.0, anchor=placed.anchor_back)


def _draw_lamp(sheet: Sheet, placed: Placed, wire: Wire, row: float) -> None:
    """The pin's resistor, and an LED to ground: its long leg towards the pin."""
    ink = INKS[wire.colour]
    _draw_resistor(sheet, placed, row, "330 Ω", ink)
    near, far = _LED
    sheet.line([(placed.x(_RESISTOR[1]), row), (placed.x(near), row)], ink)
    sheet.line([(placed.x(far), row), (placed.x(_GROUND_BUS), row)], INKS["black"])
    sheet.area([(placed.x(near), row - 8.0), (placed.x(near), row + 8.0), (placed.x(far), row)])
    sheet.line([(placed.x(far), row - 8.0), (placed.x(far), row + 8.0)], INK, 2.5)
    for start in (174.0, 183.0):
        _draw_ray(sheet, (placed.x(start), row - 8.0), placed.inward)


def _draw_resistor(sheet: Sheet, placed: Placed, row: float, value: str, ink: str) -> None:
    near, far = _RESISTOR
    sheet.line([(placed.edge, row), (placed.x(near), row)], ink)
    sheet.box(min(placed.x(near), placed.x(far)), row - 8.5, far - near, 17.0, fill="#ffffff")
    sheet.words((placed.x((near + far) / 2), row + 4.0), value, size=11.0, anchor="middle")


def _draw_ray(sheet: Sheet, start: Point, inward: int) -> None:
    """A little arrow up: light."""
    x, y = start
    tip = (x + inward * 8.0, y - 9.0)
    sheet.line([start, tip], INK, 1.5)
    sheet.area([tip, (tip[0] - inward * 5.0, tip[1] + 1.0), (tip[0] - inward * 0.5, tip[1] + 5.5)])


def _is_button(wire: Wire) -> bool:
    return wire.terminal in ("confirm", "challenge")


def _is_lamp(wire: Wire) -> bool:
    return wire.terminal.endswith(" lamp")
