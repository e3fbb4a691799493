"""The drawing of an arm that holds a camera over a board: seen from the end of the table and from its side.

Measures come from outside (`setmatch camera-height`); this draws them to scale, with what stands around it.
Board coordinates: x along the court, y across it and up to the scorers, behind which the arm stands.
"""

from dataclasses import dataclass
from math import atan2, cos, pi, radians, sin, tan
from typing import Final

from hardware.drawing.sheet import INK, PALE, Point, Sheet

_WIDTH, _HEIGHT = 1188.0, 840.0
_FLOOR = 700.0
"""Of the sheet: where the board's face lies."""
_BELOW = _FLOOR + 52.0
"""Where measures along the table are written."""
_ROOM_ABOVE, _ROOM_BESIDE = 515.0, (410.0, 520.0)
"""For the column, and for either view's width."""
_BEHIND_MM: Final = 45.0
"""From the board's edge to the column: the scorers' pawns are reached past it."""
_POST_MM, _BRACE_MM, _PLATE_MM = 30.0, 120.0, (120.0, 300.0)
_ABOVE_MM = 45.0
"""From the middle of the lens to the arm's upper side: camera, lens and the wedge that tilts them."""
_LAMP_SHARE: Final = 0.38
"""Of the camera's height: where lamps are drawn."""
_HIGHEST_MM, _SHORTEST_MM = 1300.0, 60.0
_RIBBON_MM: Final = 500.0
"""The longest that Raspberry Pi makes for a camera."""
_RIBBON_BENDS_MM: Final = 50.0
"""What its bends and its ends in the connectors take."""
_PI_MM, _BREADBOARD_MM, _PANELS_MM = (22.0, 95.0), (10.0, 83.0), (14.0, 80.0)
"""How deep and how high each is; a Pi in a case, half a breadboard on end, two panels one over the other."""
_CONNECTOR_MM: Final = 45.0
"""From the Pi's end with the card, which is its lower one here, to the camera's connector: about the middle
of the long side, on a 4 and a 5."""
_FOR_THE_CARD_MM: Final = 25.0
"""Free below the Pi, so that its card can be taken out."""
_LOWEST_PI_MM, _LOWEST_PANELS_MM = 125.0, 180.0
"""The Pi's lower edge, with the breadboard over the plate, and the panels' upper one: no lower than that."""
_PANELS_BELOW_PI_MM: Final = 150.0
"""The most from the Pi's lower edge down to the panels' upper one: all that two jumper wires leave for it."""
WIRES_MM: Final = (100.0, 200.0)
"""The jumper wires of a panel: from the Pi to the breadboard, and on to the panel."""
_WIRE_ENDS_MM: Final = 20.0
"""What a wire's two ends take."""
_WOOD, _BOARD, _SIGHT, _GLARE = "#ead7b5", "#b5553c", "#1f5fc4", "#d9a400"


@dataclass(frozen=True, slots=True)
class ArmMeasures:
    """A camera's place over a board, in mm. `name`: of camera and lens. `height`: from the board to the
    middle of the lens. `over_y`: where a plumb line from there meets the board. `tilt_deg`: how far it looks
    from straight down, away from the arm. `extent_x`, `extent_y`: the printed board."""

    name: str
    board: str
    height: float
    over_y: float
    tilt_deg: float
    extent_x: tuple[float, float]
    extent_y: tuple[float, float]

    @property
    def reach(self) -> float:
        """From the column to the middle of the lens."""
        return self.extent_y[1] + _BEHIND_MM - self.over_y

    @property
    def column(self) -> float:
        """The column's length, from the table to the arm's upper side."""
        return self.height + _ABOVE_MM

    @property
    def arm_low(self) -> float:
        """From the table to the arm's lower side."""
        return self.column - _POST_MM

    @property
    def ribbon_down(self) -> float:
        """How far down the column's back the camera's ribbon reaches from the arm: it goes along the arm, and
        past the column's side. Negative: not even to the back."""
        return _RIBBON_MM - _RIBBON_BENDS_MM - self.reach - _POST_MM

    @property
    def pi_low(self) -> float:
        """From the table to the lower edge of the Pi, as low as the ribbon lets it hang."""
        return max(self.arm_low - self.ribbon_down - _CONNECTOR_MM, _LOWEST_PI_MM)

    @property
    def panels_high(self) -> float:
        """From the table to the upper edge of the panels: low, so that players look over them, but within the
        reach of wires from the Pi, and below the brace."""
        wanted = max(_LOWEST_PANELS_MM, self.pi_low - _PANELS_BELOW_PI_MM)
        return min(wanted, self.arm_low - _BRACE_MM - 10.0)

    @property
    def panel_wire(self) -> float:
        """The second wire of a panel, at the least: from the middle of the breadboard, round the column."""
        breadboard = self.pi_low - _FOR_THE_CARD_MM - _BREADBOARD_MM[1] / 2
        across = _BREADBOARD_MM[0] + _POST_MM + _PANELS_MM[0]
        return abs(breadboard - self.panels_high) + across + _WIRE_ENDS_MM

    @property
    def can_be_built(self) -> bool:
        """Whether a column clamped to the table carries it: not too high, the lens well clear of the column,
        and the Pi where the camera's ribbon reaches it."""
        return self.column <= _HIGHEST_MM and self.reach >= _SHORTEST_MM and self.ribbon_down >= 0.0

    def lamp_beyond(self, height: float, edge: float, foot: float) -> float:
        """How far outside of the board's `edge` a lamp at this height must hang so that the camera, over
        `foot`, does not see it in the board: as the camera's mirror image would see it, past the edge."""
        return abs(edge - foot) * height / self.height


def arm_svg(measures: ArmMeasures) -> str:
    """The drawing, as the text of an SVG file; A4, landscape."""
    sheet = Sheet(_WIDTH, _HEIGHT, "Set & Match smart board: camera arm")
    sheet.words((24.0, 42.0), "Set & Match smart board: camera arm", size=24.0, bold=True)
    sheet.words(
        (24.0, 66.0),
        f"For {measures.name} over the board '{measures.board}', to scale; all measures in mm. "
        "For another: setmatch camera-height --out",
        size=13.0,
    )
    across = measures.extent_y[1] - measures.extent_y[0] + 220.0
    along = (measures.extent_x[1] - measures.extent_x[0]) * (1.0 + _LAMP_SHARE)
    scale = min(_ROOM_ABOVE / measures.column, _ROOM_BESIDE[0] / across, _ROOM_BESIDE[1] / along)
    _draw_from_the_end(sheet, measures, _View(232.0 - scale * sum(measures.extent_y) / 2, scale))
    _draw_from_the_side(sheet, measures, _View(850.0 - scale * sum(measures.extent_x) / 2, scale))
    _draw_words(sheet, measures)
    return sheet.svg()


@dataclass(frozen=True, slots=True)
class _View:
    """Millimetres to the sheet: `origin` is where 0 of the axis lies, `scale` units a mm."""

    origin: float
    scale: float

    def at(self, along_mm: float, up_mm: float) -> Point:
        return self.origin + self.scale * along_mm, _FLOOR - self.scale * up_mm


def _draw_from_the_end(sheet: Sheet, measures: ArmMeasures, view: _View) -> None:
    """Along the court: the arm from its side, and the tilt."""
    low, high = measures.extent_y
    post = high + _BEHIND_MM
    _title(sheet, view.at((low + high) / 2, 0.0)[0], "From an end of the table")
    # The words beside the column are as wide at every scale.
    beyond = post + _POST_MM + max(100.0, 94.0 / view.scale)
    _draw_table(sheet, view, (low, high), (low - 70.0, beyond + 10.0))
    _draw_sight(sheet, view, measures, measures.over_y, (low, high))
    # The plate, the column, the arm and its brace; the clamps at the plate's ends.
    _plank(sheet, view, post - 45.0, 0.0, _PLATE_MM[0], 12.0)
    _plank(sheet, view, post, 0.0, _POST_MM, measures.column)
    arm_low = measures.arm_low
    _plank(sheet, view, measures.over_y - 20.0, arm_low, post - measures.over_y + 20.0, _POST_MM)
    brace = [
        (post, arm_low - _BRACE_MM),
        (post, arm_low - _BRACE_MM + 28.0),
        (post - _BRACE_MM + 28.0, arm_low),
    ]
    brace.append((post - _BRACE_MM, arm_low))
    sheet.area([view.at(*corner) for corner in brace], _WOOD)
    sheet.line([view.at(*corner) for corner in (*brace, brace[0])], INK, 1.5)
    _draw_camera(sheet, view, measures.over_y, measures.height, arm_low, measures.tilt_deg)
    back = post + _POST_MM
    _draw_box(sheet, view, (back, measures.pi_low), _PI_MM, "Pi")
    under_pi = measures.pi_low - _FOR_THE_CARD_MM - _BREADBOARD_MM[1]
    _draw_box(sheet, view, (back, under_pi), _BREADBOARD_MM, "breadboard")
    panels = (post - _PANELS_MM[0], measures.panels_high - _PANELS_MM[1])
    _draw_box(sheet, view, panels, _PANELS_MM, "panels", above=True)
    sheet.words((view.at(low, 0.0)[0] + 14.0, _FLOOR - 8.0), "board", size=12.0, colour=_BOARD)
    _measure_up(sheet, view, low - 40.0, 0.0, measures.height)
    _measure_up(sheet, view, beyond, 0.0, measures.column)
    _measure_across(sheet, view, view.at(0.0, measures.column)[1] - 16.0, measures.over_y, post)
    if abs(high - measures.over_y) * view.scale > 40.0:
        _measure_across(sheet, view, _BELOW, measures.over_y, high)
    _measure_across(sheet, view, _BELOW, high, post)
    plumb = [view.at(measures.over_y, measures.height - 12.0), view.at(measures.over_y, 0.0)]
    sheet.line(plumb, PALE, 1.5)
    _draw_tilt(sheet, view, measures)


def _draw_from_the_side(sheet: Sheet, measures: ArmMeasures, view: _View) -> None:
    """Across the court: the camera in the middle, and where lamps may be."""
    low, high = measures.extent_x
    middle = (low + high) / 2
    _title(sheet, view.at(middle, 0.0)[0], "From the side where the scorers are")
    _draw_table(sheet, view, (low, high), (low - 60.0, high + 60.0))
    _draw_sight(sheet, view, measures, middle, (low, high))
    _plank(sheet, view, middle - _PLATE_MM[1] / 2, 0.0, _PLATE_MM[1], 12.0)
    _plank(sheet, view, middle - _POST_MM / 2, 0.0, _POST_MM, measures.column)
    lamp = _LAMP_SHARE * measures.height
    for side, edge in ((-1.0, low), (1.0, high)):
        x, y = view.at(edge + side * measures.lamp_beyond(lamp, edge, middle), lamp)
        sheet.line([view.at(edge, 0.0), (x, y)], _GLARE, 2.0, dashed=True)
        _draw_lamp(sheet, (x + side * 32.0, y + 8.0))
        clamp = view.at(middle + side * (_PLATE_MM[1] / 2 - 22.0), 0.0)
        sheet.box(clamp[0] - 7.0, clamp[1] - 22.0, 14.0, 48.0, fill="#ffffff", thick=1.5)
    _measure_across(sheet, view, _BELOW, low, high)
    right = view.at(middle + _PLATE_MM[1] / 2 - 22.0, 0.0)
    sheet.words((right[0] + 12.0, right[1] - 14.0), "clamp", size=12.0)


def _draw_words(sheet: Sheet, measures: ArmMeasures) -> None:
    beyond = measures.lamp_beyond(measures.height, measures.extent_x[1], sum(measures.extent_x) / 2)
    told = (
        f"Column, arm and brace: wood {_POST_MM:g} x {_POST_MM:g}, or aluminium profile 20 x 20; all joints "
        "screwed, the brace too: it keeps the camera from nodding.",
        f"Plate: {_PLATE_MM[1]:g} x {_PLATE_MM[0]:g} x 12, held by two screw clamps at the table's edge. "
        f"The Pi: its lower edge, with the card, {measures.pi_low:.0f} above the table, where a ribbon of "
        f"{_RIBBON_MM:g} reaches it.",
        f"Panels: their upper edge {measures.panels_high:.0f} above the table; wires of {WIRES_MM[0]:g} from "
        f"the Pi to the breadboard, and of {WIRES_MM[1]:g} from there past the column to the panels.",
        "Lamps: outside of the dashed lines, or they gleam in the board. One as high as the camera has to be "
        f"{beyond:.0f} beyond the board's end, one twice as high twice as far.",
    )
    for number, text in enumerate(told):
        sheet.words((24.0, _HEIGHT - 70.0 + 18.0 * number), text, size=12.0)


def _title(sheet: Sheet, x: float, text: str) -> None:
    sheet.words((x, 100.0), text, size=15.0, anchor="middle", bold=True)


def _draw_table(sheet: Sheet, view: _View, board: tuple[float, float], table: tuple[float, float]) -> None:
    (x0, y0), (x1, _) = view.at(table[0], -2.0), view.at(table[1], -2.0)
    sheet.box(x0, y0, x1 - x0, 20.0, fill="#efe7da", thick=1.5)
    (x0, y0), (x1, _) = view.at(board[0], 0.0), view.at(board[1], 0.0)
    sheet.box(x0, y0 - 3.0, x1 - x0, 6.0, line=_BOARD, fill=_BOARD, thick=1.0)


def _draw_sight(
    sheet: Sheet, view: _View, measures: ArmMeasures, foot: float, edges: tuple[float, float]
) -> None:
    """What the camera sees of the board."""
    lens = view.at(foot, measures.height)
    sheet.area([lens, view.at(edges[0], 0.0), view.at(edges[1], 0.0)], "#e9f0fb")
    for edge in edges:
        sheet.line([lens, view.at(edge, 0.0)], _SIGHT, 1.5)


def _plank(sheet: Sheet, view: _View, x_mm: float, y_mm: float, wide_mm: float, high_mm: float) -> None:
    x, y = view.at(x_mm, y_mm + high_mm)
    sheet.box(x, y, wide_mm * view.scale, high_mm * view.scale, fill=_WOOD, thick=1.5)


def _draw_box(
    sheet: Sheet, view: _View, at_mm: Point, size_mm: Point, name: str, *, above: bool = False
) -> None:
    """A part from its lower left corner, and its name beside it or above."""
    x, y = view.at(at_mm[0], at_mm[1] + size_mm[1])
    wide, high = size_mm[0] * view.scale, size_mm[1] * view.scale
    sheet.box(x, y, wide, high, fill="#e7f3ea", thick=1.5)
    if above:
        sheet.words((x + wide - 2.0, y - 6.0), name, size=12.0, anchor="end")
    else:
        sheet.words((x + wide + 5.0, y + high / 2 + 4.0), name, size=12.0)


def _draw_lamp(sheet: Sheet, centre: Point) -> None:
    x, y = centre
    sheet.disc(centre, 11.0, line=_GLARE, fill="#fff2c4")
    for turn in range(8):
        way = (cos(turn * pi / 4), sin(turn * pi / 4))
        sheet.line([(x + 15.0 * way[0], y + 15.0 * way[1]), (x + 21.0 * way[0], y + 21.0 * way[1])], _GLARE)
    sheet.words((x, y + 38.0), "lamp", size=12.0, anchor="middle")


def _draw_camera(
    sheet: Sheet, view: _View, x_mm: float, lens_mm: float, arm_mm: float, tilt_deg: float
) -> None:
    """A camera whose lens has its middle at a point, tilted about it, and the wedge above it."""
    tilt = radians(tilt_deg)

    def turned(right: float, up: float) -> Point:
        return view.at(
            x_mm + right * cos(tilt) + up * sin(tilt), lens_mm - right * sin(tilt) + up * cos(tilt)
        )

    wedge = [turned(-19.0, arm_mm - lens_mm - 1.0), turned(19.0, arm_mm - lens_mm - 1.0)]
    top = [view.at(x_mm + 19.0, arm_mm), view.at(x_mm - 19.0, arm_mm)]
    sheet.area([*wedge, *top], "#b99a5f")
    for half, low, high, fill in ((10.0, -14.0, 6.0, "#20242c"), (19.0, 6.0, 15.0, "#3b7d4f")):
        corners = [turned(-half, low), turned(half, low), turned(half, high), turned(-half, high)]
        sheet.area(corners, fill)


def _draw_tilt(sheet: Sheet, view: _View, measures: ArmMeasures) -> None:
    """Where the middle of the picture lies, and the angle to the plumb line."""
    aim = measures.over_y - measures.height * tan(radians(measures.tilt_deg))
    lens = (measures.over_y, measures.height)
    if measures.tilt_deg <= 0.0:
        return
    sheet.line([view.at(*lens), view.at(aim, 0.0)], _SIGHT, 1.5, dashed=True)
    at = view.at((aim + measures.over_y) / 2, measures.height * 0.22)
    sheet.words((at[0] - 16.0, at[1]), f"{measures.tilt_deg:g}°", size=13.0, anchor="end")


def _measure_up(sheet: Sheet, view: _View, x_mm: float, low_mm: float, high_mm: float) -> None:
    low, high = view.at(x_mm, low_mm), view.at(x_mm, high_mm)
    _arrow(sheet, low, high)
    where = (low[0] + 6.0, (low[1] + high[1]) / 2 + 5.0)
    sheet.words(where, f"{high_mm - low_mm:.0f}", size=14.0, bold=True)


def _measure_across(sheet: Sheet, view: _View, y: float, left_mm: float, right_mm: float) -> None:
    """`y` is of the sheet."""
    left_mm, right_mm = sorted((left_mm, right_mm))
    left, right = (view.at(left_mm, 0.0)[0], y), (view.at(right_mm, 0.0)[0], y)
    _arrow(sheet, left, right)
    where = ((left[0] + right[0]) / 2, left[1] - 6.0)
    sheet.words(where, f"{right_mm - left_mm:.0f}", size=14.0, anchor="middle", bold=True)


def _arrow(sheet: Sheet, start: Point, end: Point) -> None:
    """A line with a head at either end."""
    sheet.line([start, end], INK, 1.25)
    angle = atan2(end[1] - start[1], end[0] - start[0])
    for tip, back in ((end, -1.0), (start, 1.0)):
        wings = []
        for turn in (0.3, -0.3):
            way = (cos(angle + turn), sin(angle + turn))
            wings.append((tip[0] + back * 9.0 * way[0], tip[1] + back * 9.0 * way[1]))
        sheet.area([tip, *wings])
