"""The edge a call hung on, held to the landing's own margins and to the geometry of the board."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.edition import Edition, edition_names, load_edition
from calibration.layout import Zone
from firmware.landings import landing_of
from firmware.rules.events import Call
from firmware.rules.landing import BoxSide, Facts, Point, Side
from firmware.screens.deciding_line import EDGES_OF_CALL, JUDGED_BY, Edge, deciding_line

EDITIONS = {name: load_edition(name) for name in edition_names()}
CLASSIC = EDITIONS["classic"]


@dataclass(frozen=True)
class Lying:
    dot_mm: Point
    disc_mm: Point


def facts_of(edition: Edition, place: Lying, striker: Side) -> Facts:
    start = (-100.0, 0.0) if striker == "A" else (100.0, 0.0)
    landing = landing_of(edition, start, place.dot_mm, place.disc_mm)
    return landing.by_a if striker == "A" else landing.by_b


def margins(facts: Facts, box: BoxSide | None, doubles: bool) -> Iterator[tuple[Edge, float]]:
    """The landing's margins by the edge that each is to."""
    yield "net passed", facts.passed_net_mm
    yield "net touched", facts.touches_net_mm
    worth = facts.worth_mm
    if box is None:
        yield "court", facts.in_doubles_mm if doubles else facts.in_singles_mm
    else:
        of_box = facts.right if box == "right" else facts.left
        worth = of_box.worth_mm
        yield "box", of_box.touched_mm
        yield "ace", of_box.ace_mm
    for margin in worth:
        yield "zone", margin


@pytest.mark.parametrize("name", EDITIONS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_margin_of_a_landing_finds_its_edge(name: str, data: st.DataObject) -> None:
    edition = EDITIONS[name]
    x = data.draw(st.floats(*edition.extent_x_mm))
    y = data.draw(st.floats(-1.2 * edition.court.doubles_mm, 1.2 * edition.court.doubles_mm))
    place = Lying((x, y), (x + 0.12, y - 0.1))
    striker: Side = data.draw(st.sampled_from(get_args(Side)))
    box: BoxSide | None = data.draw(st.none() | st.sampled_from(get_args(BoxSide)))
    doubles = data.draw(st.booleans())
    for edge, margin in margins(facts_of(edition, place, striker), box, doubles):
        calls: list[Call] = [call for call in get_args(Call) if edge in EDGES_OF_CALL[call]]
        assert calls
        for call in calls:
            line = deciding_line(edition, place, call, margin, striker=striker, box=box, doubles=doubles)
            if line is None:
                # Only where no place near by has another margin: a value that the whole court has.
                assert edge == "zone" or abs(margin) > 5.0
                continue
            if line.edge != edge:  # two edges at the same distance: either is right
                assert line.margin_mm == pytest.approx(margin, abs=0.03)
                continue
            assert line.by == JUDGED_BY[edge]
            assert line.margin_mm == pytest.approx(margin, abs=0.03)
            assert math.hypot(*line.towards) == pytest.approx(1.0)
            assert math.dist(line.judged_mm, line.edge_mm) == pytest.approx(abs(line.margin_mm), abs=1e-6)
            if line.by == "disc":
                assert math.dist(line.judged_mm, place.disc_mm) == pytest.approx(edition.ball.diameter_mm / 2)


NEAR: list[tuple[Call, Side, BoxSide | None, Edge, Point, Point, Point]] = [
    # call, striker, box, edge, the disc's centre or the dot, the edge's nearest point, towards more margin
    ("out", "A", None, "court", (150.0, -87.1), (150.0, -76.0), (0.0, 1.0)),
    ("in", "A", None, "court", (230.7, 40.0), (220.0, 40.0), (-1.0, 0.0)),
    ("in", "B", None, "court", (-230.7, 40.0), (-220.0, 40.0), (1.0, 0.0)),
    ("fault", "B", "left", "box", (-129.1, -49.8), (-118.0, -49.8), (1.0, 0.0)),
    ("fault", "A", "right", "box", (60.0, 12.7), (60.0, 1.5), (0.0, -1.0)),
    ("let", "A", "left", "net touched", (12.1, 50.0), (1.5, 50.0), (-1.0, 0.0)),
    ("net", "A", None, "net passed", (1.2, 30.0), (1.5, 30.0), (1.0, 0.0)),
    ("net", "B", None, "net passed", (-1.2, 30.0), (-1.5, 30.0), (-1.0, 0.0)),
    ("in", "B", None, "zone", (-60.0, 46.2), (-60.0, 45.5), (0.0, 1.0)),
    ("ace", "A", "left", "ace", (101.9, 59.9), (109.0, 67.0), (0.5**0.5, 0.5**0.5)),
]


@pytest.mark.parametrize(("call", "striker", "box", "edge", "at", "nearest", "towards"), NEAR)
def test_edges_of_the_classic_board(
    call: Call,
    striker: Side,
    box: BoxSide | None,
    edge: Edge,
    at: Point,
    nearest: Point,
    towards: Point,
) -> None:
    far = (at[0] + 30.0, at[1])
    place = Lying(at, far) if JUDGED_BY[edge] == "dot" else Lying(far, at)
    measured = dict(margins(facts_of(CLASSIC, place, striker), box, False))
    margin = measured[edge]
    if edge == "zone":
        margin = min(
            (m for e, m in margins(facts_of(CLASSIC, place, striker), box, False) if e == "zone"), key=abs
        )
    line = deciding_line(CLASSIC, place, call, margin, striker=striker, box=box)
    assert line is not None
    assert line.edge == edge
    assert line.edge_mm == pytest.approx(nearest, abs=1e-6)
    assert line.towards == pytest.approx(towards, abs=1e-6)
    assert line.inside(line.edge_mm) == pytest.approx(0.0, abs=0.02)
    ahead = np.add(line.edge_mm, np.multiply(line.towards, 0.5))
    behind = np.subtract(line.edge_mm, np.multiply(line.towards, 0.5))
    assert line.inside((float(ahead[0]), float(ahead[1]))) > 0.3
    assert line.inside((float(behind[0]), float(behind[1]))) < -0.3


def test_in_doubles_the_alleys_edge_decides() -> None:
    place = Lying((150.0, 113.1), (150.0, 113.2))
    line = deciding_line(CLASSIC, place, "out", -0.2, striker="A", doubles=True)
    assert line is not None
    assert line.edge_mm == pytest.approx((150.0, 102.0), abs=1e-6)
    assert deciding_line(CLASSIC, place, "out", -0.2, striker="A", doubles=False) is None


def test_a_dot_beside_the_court_is_looked_up_at_its_border() -> None:
    """SM-02: the nearest point of the court tells the value; the edge is sought from there."""
    striped = replace(
        CLASSIC,
        zones=(
            Zone(2, ((0, 73), (220, 73), (220, 76), (0, 76))),
            Zone(1, ((0, -76), (100, -76), (100, 73), (0, 73))),
            Zone(0, ((100, -76), (220, -76), (220, 73), (100, 73))),
        ),
    )
    along = Lying((50.0, 80.0), (50.0, 80.0))  # 3 mm from the edge at y = 73, half a line's width wide
    line = deciding_line(striped, along, "in", 3.5, striker="A")
    assert line is not None
    assert (line.edge, line.by) == ("zone", "dot")
    assert line.judged_mm == pytest.approx((50.0, 76.0))
    assert line.edge_mm == pytest.approx((50.0, 72.5), abs=1e-6)
    across = Lying((100.2, -80.0), (100.2, -80.0))  # here the edge is as near from without
    line = deciding_line(striped, across, "in", 0.3, striker="A")
    assert line is not None
    assert line.edge_mm == pytest.approx((100.5, -80.0), abs=1e-6)


@pytest.mark.parametrize("call", get_args(Call))
def test_without_a_margin_no_edge_decided(call: Call) -> None:
    place = Lying((150.0, -87.1), (150.0, -87.1))
    assert deciding_line(CLASSIC, place, call, None, striker="A") is None
    assert deciding_line(CLASSIC, place, call, 3.33, striker="A") is None


def test_every_call_knows_its_edges_and_every_edge_is_some_calls() -> None:
    assert set(EDGES_OF_CALL) == set(get_args(Call))
    assert {edge for edges in EDGES_OF_CALL.values() for edge in edges} == set(get_args(Edge))
    assert set(JUDGED_BY) == set(get_args(Edge))


def test_the_mirrored_board_gives_the_mirrored_picture() -> None:
    """A half turn of everything: the striker at the other end, the ball across."""
    for x, y in ((150.0, -87.1), (231.0, 40.0), (10.9, 33.0), (100.0, 86.5)):
        here, there = Lying((x, y), (x + 0.1, y)), Lying((-x, -y), (-x - 0.1, -y))
        margin = facts_of(CLASSIC, here, "A").in_singles_mm
        line = deciding_line(CLASSIC, here, "in", margin, striker="A")
        turned = deciding_line(CLASSIC, there, "in", margin, striker="B")
        assert line is not None
        assert turned is not None
        assert turned.edge == line.edge
        assert turned.edge_mm == pytest.approx((-line.edge_mm[0], -line.edge_mm[1]))
        assert turned.towards == pytest.approx((-line.towards[0], -line.towards[1]))
