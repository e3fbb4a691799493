"""The drawing of the wiring: the header in the middle, the parts on either side, every wire between them.

Made from the map of pins alone, so that it shows what the program reads. A4, landscape.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from hardware.drawing.lanes import Net, ordered
from hardware.drawing.parts import BOX_WIDTH, INKS, Placed, draw_part, row_steps
from hardware.drawing.sheet import INK, PALE, Anchor, Point, Sheet
from hardware.panel import I2cBus
from hardware.pins import HEADER, HeaderPin, PanelWiring, Part, SideWiring, Wire

_WIDTH, _HEIGHT = 1188.0, 840.0
_MARGIN: Final = 24.0
_PITCH = 32.0
_TOP = 132.0
"""Of the header's first row."""
_MIDDLE, _COLUMN = _WIDTH / 2, 21.0
"""Of the header, and from there to its columns."""
_PIN_RADIUS, _PLASTIC = 11.0, 17.0
_BESIDE, _LABELS = 21.0, 145.0
"""From a column to the wires' names, and room for them before the lanes begin."""
_LANE, _LANES = 11.0, 126.0
_HEAD, _FOOT, _GAP = 56.0, 18.0, 18.0
_BOARD_HEIGHT, _LINE = 136.0, 16.0
"""Of the sketch of the Pi, and from one line of the notes to the next."""


def wiring_svg(parts: Sequence[Part], title: str) -> str:
    """The drawing of these parts, as the text of an SVG file."""
    left = _stacked([part for part in parts if _is_left(part)], -1)
    right = _stacked([part for part in parts if not _is_left(part)], 1)
    left_end = max((placed.bottom for placed in left), default=_TOP)
    right_end = max((placed.bottom for placed in right), default=_TOP)
    notes, beside = _notes(parts), _WIDTH - _MARGIN - BOX_WIDTH
    notes_end = right_end + 36.0 + _LINE * len(notes)
    # The sketch of the Pi fills the shorter side.
    at = (_MARGIN, left_end + 30.0) if left_end < notes_end else (beside, notes_end + 16.0)
    needed = max(left_end, right_end, at[1] + _BOARD_HEIGHT, notes_end)
    sheet = Sheet(_WIDTH, max(_HEIGHT, needed + _MARGIN), title)
    sheet.words((_MARGIN, 42.0), title, size=24.0, bold=True)
    sheet.words((_MARGIN, 66.0), "Unplug the Pi before you wire. Everything here is for 3.3 V.", size=13.0)
    sheet.words(
        (_MARGIN, 85.0),
        "Numbers and names count; the colours are a proposal, other wires will do.",
        size=13.0,
    )
    met = _met_rows(left, right)
    names = [*_draw_wires(sheet, left, -1, met), *_draw_wires(sheet, right, 1, met)]
    for where, name, anchor in names:
        sheet.words(where, name, size=11.0, anchor=anchor)
    _draw_header(sheet, parts)
    for part in (*left, *right):
        draw_part(sheet, part)
    _draw_board(sheet, at)
    for number, note in enumerate(notes):
        sheet.words((beside, right_end + 36.0 + _LINE * number), note, size=11.0)
    return sheet.svg()


def _is_left(part: Part) -> bool:
    """I2C and side A are nearest to the left column, SPI and side B to the right one."""
    if isinstance(part, PanelWiring):
        return isinstance(part.spec.bus, I2cBus)
    return part.side == "A"


def _stacked(parts: Sequence[Part], inward: int) -> list[Placed]:
    edge = _MARGIN + BOX_WIDTH if inward < 0 else _WIDTH - _MARGIN - BOX_WIDTH
    placed, top = [], _TOP - 34.0
    for part in parts:
        # Terminals lie where no wire leaves the header: three quarters of a row below a pin.
        first = top + _HEAD + (_TOP + 0.75 * _PITCH - top - _HEAD) % _PITCH
        rows = tuple(first + _PITCH * step for step in row_steps(part))
        placed.append(Placed(part, top, rows[-1] + _FOOT - top, edge, inward, rows))
        top = placed[-1].bottom + _GAP
    return placed


def _pin_at(pin: HeaderPin) -> Point:
    row, column = divmod(pin.number - 1, 2)
    return _MIDDLE + (_COLUMN if column else -_COLUMN), _TOP + _PITCH * row


def _draw_wires(
    sheet: Sheet, placed: Sequence[Placed], inward: int, met: frozenset[int]
) -> Iterator[tuple[Point, str, Anchor]]:
    """All wires of one side of the header. Gives their names, which are written when all wires are drawn: the
    margin of one would cut the name of another. `met`: rows in which wires of both sides cross."""
    ends: dict[HeaderPin, list[tuple[Placed, Wire, float]]] = {}
    for part in placed:
        for wire, row in zip(part.part.wires, part.rows, strict=True):
            ends.setdefault(wire.pin, []).append((part, wire, row))
    pins = list(ends)
    nets = [Net(_leaves_at(pin, inward), tuple(row for _, _, row in ends[pin])) for pin in pins]
    order = ordered(nets)
    step = min(_LANE, _LANES / max(1, len(order) - 1))
    first = _MIDDLE + inward * (_COLUMN + _BESIDE + _LABELS)
    for place, index in enumerate(order):
        pin, net, lane = pins[index], nets[index], first + inward * step * place
        colour = INKS[ends[pin][0][1].colour]
        low, high = net.span
        for part, _, row in ends[pin]:
            way = [
                *_out_of_the_header(pin, inward, _row(pin) in met),
                (lane, net.pin),
                (lane, row),
                (part.edge, row),
            ]
            sheet.line(way, colour, 3.0, halo=4.0)
        if len(ends[pin]) > 1:
            for _, _, row in ends[pin]:
                if low < row < high:
                    sheet.disc((lane, row), 3.5, line=colour, fill=colour)
        anchor: Anchor = "end" if inward < 0 else "start"
        where = (_MIDDLE + inward * (_COLUMN + _BESIDE), net.pin - 4.5)
        yield where, _wire_name(pin, ends[pin][0]), anchor


def _leaves_at(pin: HeaderPin, inward: int) -> float:
    """The height at which a wire leaves the header: at its pin, or between the rows of the other column."""
    return _pin_at(pin)[1] + (_PITCH / 2 if _crosses(pin, inward) else 0.0)


def _crosses(pin: HeaderPin, inward: int) -> bool:
    return (pin.number % 2 == 1) == (inward > 0)


def _row(pin: HeaderPin) -> int:
    return (pin.number - 1) // 2


def _met_rows(left: Sequence[Placed], right: Sequence[Placed]) -> frozenset[int]:
    """Rows of the header of which both pins cross to the other side."""
    crossing = [
        frozenset(_row(wire.pin) for part in placed for wire in part.part.wires if _crosses(wire.pin, inward))
        for placed, inward in ((left, -1), (right, 1))
    ]
    return crossing[0] & crossing[1]


def _out_of_the_header(pin: HeaderPin, inward: int, met: bool) -> list[Point]:
    """A wire's way from its pin: between the rows, and where it meets another there, a little beside it."""
    at, leaves = _pin_at(pin), _leaves_at(pin, inward)
    if not _crosses(pin, inward):
        return [at]
    if not met:
        return [at, (at[0], leaves)]
    edge, between = _MIDDLE + inward * (_COLUMN + _PLASTIC), leaves - 3.0 * inward
    return [at, (at[0], between), (edge, between), (edge, leaves)]


def _wire_name(pin: HeaderPin, end: tuple[Placed, Wire, float]) -> str:
    part, wire = end[0].part, end[1]
    if isinstance(part, PanelWiring):
        return f"{pin.name}  {wire.terminal}"
    return f"{pin.name}  {f'side {part.side}' if pin.gpio is None else f'{part.side} {wire.terminal}'}"


def _draw_header(sheet: Sheet, parts: Sequence[Part]) -> None:
    used = {wire.pin: (wire, part) for part in parts for wire in part.wires}
    length = _PITCH * (len(HEADER) / 2 - 1)
    half = _COLUMN + _PLASTIC
    plastic = (_MIDDLE - half, _TOP - _PLASTIC, 2 * half, length + 2 * _PLASTIC)
    sheet.box(*plastic, line=PALE, thick=1.0, round_by=6.0)
    sheet.words((_MIDDLE, _TOP - 24.0), "the end with pin 1", size=11.0, anchor="middle")
    for pin in HEADER:
        x, y = _pin_at(pin)
        outward = 1 if pin.number % 2 == 0 else -1
        entry = used.get(pin)
        ink = PALE if entry is None else INKS[entry[0].colour]
        sheet.disc((x, y), _PIN_RADIUS, line=ink, fill="#ffffff" if entry is None else ink)
        sheet.words(
            (x, y + 4.0),
            str(pin.number),
            size=11.0,
            anchor="middle",
            bold=entry is not None,
            colour=PALE if entry is None else "#ffffff",
        )
        if entry is None or _is_left(entry[1]) != (outward < 0):
            anchor: Anchor = "start" if outward > 0 else "end"
            colour = PALE if entry is None else INK
            sheet.words((x + outward * _BESIDE, y - 3.0), pin.name, size=11.0, anchor=anchor, colour=colour)


def _draw_board(sheet: Sheet, corner: Point) -> None:
    """The Pi from above, about half as large as it is: where pin 1, the camera and the speaker go."""
    x, y = corner
    wide, high = 176.0, 116.0
    sheet.words((x, y), "The Pi from above", size=13.0, bold=True)
    y += 14.0
    sheet.box(x, y, wide, high, fill="#e7f3ea", round_by=6.0)
    sheet.box(x + 16.0, y + 7.0, 106.0, 13.0, fill="#ffffff", thick=1.5)
    sheet.disc((x + 23.0, y + 13.5), 4.0, fill=INK)
    sheet.words((x + 18.0, y + 34.0), "the end with pin 1", size=11.0)
    for number in range(3):
        sheet.box(x + wide - 38.0, y + 5.0 + 37.0 * number, 46.0, 32.0, fill="#ffffff", thick=1.5)
    sheet.words((x + wide + 14.0, y + 56.0), "USB and", size=11.0)
    sheet.words((x + wide + 14.0, y + 70.0), "network", size=11.0)
    sheet.box(x - 3.0, y + 44.0, 14.0, 34.0, fill="#ffffff", thick=1.5)
    sheet.words((x + 17.0, y + 65.0), "card", size=11.0)
    sheet.box(x + 96.0, y + 72.0, 9.0, 40.0, fill="#ffffff", thick=1.5)
    sheet.words((x + 91.0, y + 96.0), "camera", size=11.0, anchor="end")


def _notes(parts: Sequence[Part]) -> list[str]:
    """What the drawing does not say by itself."""
    names = [wire.terminal for part in parts if isinstance(part, SideWiring) for wire in part.wires]
    buttons = sum(name in ("confirm", "challenge") for name in names)
    lamps = sum(name.endswith("lamp") for name in names)
    shared = sum(isinstance(part, PanelWiring) and isinstance(part.spec.bus, I2cBus) for part in parts) > 1
    told = []
    if buttons:
        told += [
            f"{buttons} x 1 kΩ and {buttons} x 100 nF, at the Pi's end.",
            "All of a side share one wire to ground.",
        ]
    if lamps:
        told.append(f"{lamps} x 330 Ω; an LED's long leg is towards it.")
    if shared:
        told.append("Panels on I2C share all four wires.")
    return [*told, "Camera: its ribbon, in the Pi's camera port.", "Speaker: in a USB port."]
