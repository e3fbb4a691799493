"""The drawing of the arm: its measures are those that it was given, at any size, and stay on the sheet."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drawing.arm import WIRES_MM, ArmMeasures, arm_svg

SVG = "{http://www.w3.org/2000/svg}"
WOOD, PART = "#ead7b5", "#e7f3ea"
CLASSIC = ArmMeasures("a camera", "classic", 660.0, 100.0, 4.0, (-250.0, 250.0), (-125.0, 225.0))


def words(measures: ArmMeasures) -> list[str]:
    svg = ElementTree.fromstring(arm_svg(measures))
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


Box = tuple[float, float, float, float]
"""Left, low, wide and high, in mm from the column's front and the table."""


def boxes(measures: ArmMeasures) -> tuple[Box, Box, Box, Box]:
    """The column, Pi, breadboard and panels as they are drawn, from the end of the table."""
    svg = ElementTree.fromstring(arm_svg(measures))
    drawn = [
        (rect.get("fill"), *(float(rect.get(name, "nan")) for name in ("x", "y", "width", "height")))
        for rect in svg.iter(f"{SVG}rect")
    ]
    planks = [rect[1:] for rect in drawn if rect[0] == WOOD]
    column = max(planks, key=lambda rect: (rect[3], -rect[0]))
    scale, floor = column[3] / measures.column, column[1] + column[3]

    def in_mm(x: float, y: float, wide: float, high: float) -> Box:
        return (x - column[0]) / scale, (floor - y - high) / scale, wide / scale, high / scale

    pi, breadboard, panels = (in_mm(*rect[1:]) for rect in drawn if rect[0] == PART)
    return in_mm(*column), pi, breadboard, panels


def test_the_measures_are_written_on_it() -> None:
    told = words(CLASSIC)
    # Height, column, reach; from below the lens to the board's edge, and on to the column; the board.
    for figure in ("660", "705", "170", "125", "45", "500", "4°"):
        assert figure in told
    assert any("250 beyond" in line for line in told)


def test_a_camera_that_looks_straight_down_has_no_angle() -> None:
    assert not any("°" in line for line in words(replace(CLASSIC, tilt_deg=0.0)))


@pytest.mark.parametrize(("height", "wanted"), [(0.0, 0.0), (660.0, 250.0), (1320.0, 500.0)])
def test_a_lamp_is_mirrored_at_the_edge_where_it_begins_to_gleam(height: float, wanted: float) -> None:
    beyond = CLASSIC.lamp_beyond(height, 250.0, 0.0)
    assert beyond == pytest.approx(wanted)
    if height:
        # Equal angles at the edge: to the camera, and to the lamp.
        assert 250.0 / CLASSIC.height == pytest.approx(beyond / height)


@given(
    st.floats(250.0, 1255.0),
    st.floats(-100.0, 210.0),
    st.floats(0.0, 12.0),
    st.sampled_from([(500.0, 350.0), (300.0, 600.0), (1000.0, 700.0)]),
)
@settings(max_examples=40)
def test_nothing_leaves_the_sheet(
    height: float, over_y: float, tilt_deg: float, board: tuple[float, float]
) -> None:
    long, wide = board
    extent_y = (225.0 - wide, 225.0)
    measures = ArmMeasures("a camera", "another", height, over_y, tilt_deg, (-long / 2, long / 2), extent_y)
    assert measures.can_be_built
    svg = ElementTree.fromstring(arm_svg(measures))
    _, _, width, tall = map(float, svg.get("viewBox", "").split())
    for drawn in (*svg.iter(f"{SVG}polyline"), *svg.iter(f"{SVG}polygon")):
        for pair in drawn.get("points", "").split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= tall
    for text in svg.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x", "-1")) <= width
        assert 0 <= float(text.get("y", "-1")) <= tall


def test_what_no_table_carries_is_known() -> None:
    assert CLASSIC.can_be_built
    assert not replace(CLASSIC, height=1300.0).can_be_built
    assert not replace(CLASSIC, over_y=230.0).can_be_built
    # A camera's ribbon has 500 mm, and the Pi is on the column.
    assert not replace(CLASSIC, over_y=-200.0).can_be_built


@pytest.mark.parametrize(
    ("height", "over_y"), [(512.0, 91.0), (663.0, 100.6), (707.0, 103.4), (880.0, 114.7)]
)
def test_ribbon_and_wires_reach_what_they_are_for(height: float, over_y: float) -> None:
    """Those of the papers' builds, and of a longer lens."""
    measures = replace(CLASSIC, height=height, over_y=over_y)
    (_, _, thick, column), pi, breadboard, panels = boxes(measures)
    # Along the arm, past the column and down to the middle of the Pi; two bends.
    ribbon = measures.reach + thick + (column - 30.0 - pi[1] - pi[3] / 2) + 2 * 20.0
    assert ribbon <= 500.0
    # From the header, whose first pins are at the end with the card, to the breadboard's middle.
    assert pi[1] - (breadboard[1] + breadboard[3] / 2) + 20.0 <= WIRES_MM[0]
    # From there round the column to the upper edge of the panels, where their pins are.
    around = breadboard[2] + thick + panels[2]
    up = abs(breadboard[1] + breadboard[3] / 2 - panels[1] - panels[3])
    assert up + around + 20.0 <= WIRES_MM[1]
    assert f"{panels[1] + panels[3]:.0f} above the table" in " ".join(words(measures))
    assert f"{pi[1]:.0f} above the table" in " ".join(words(measures))


@given(st.floats(250.0, 1255.0), st.floats(-99.0, 210.0))
@settings(max_examples=40)
def test_parts_hang_on_the_column_one_below_the_other(height: float, over_y: float) -> None:
    measures = replace(CLASSIC, height=height, over_y=over_y)
    (_, _, thick, column), pi, breadboard, panels = boxes(measures)
    assert pi[0] == pytest.approx(thick, abs=0.5)
    assert breadboard[0] == pytest.approx(thick, abs=0.5)
    assert panels[0] + panels[2] == pytest.approx(0.0, abs=0.5)
    assert column >= pi[1] + pi[3]
    assert pi[1] >= breadboard[1] + breadboard[3] + 20.0, "the card can be taken out"
    assert breadboard[1] >= 12.0, "above the plate"
    assert panels[1] >= 12.0
    assert measures.panel_wire <= WIRES_MM[1]
