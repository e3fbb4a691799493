"""The drawing of the arm: its measures are those that it was given, at any size, and stay on the sheet."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drawing.arm import ArmMeasures, arm_svg

SVG = "{http://www.w3.org/2000/svg}"
CLASSIC = ArmMeasures("a camera", "classic", 660.0, 100.0, 4.0, (-250.0, 250.0), (-125.0, 225.0))


def words(measures: ArmMeasures) -> list[str]:
    svg = ElementTree.fromstring(arm_svg(measures))
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


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
