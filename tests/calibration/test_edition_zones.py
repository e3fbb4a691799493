"""Margins of a board's zones against an independent geometry, and the laws that they obey.

The oracle is shapely_board.py.
"""

import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from calibration.edition import Edition, edition_names, load_edition
from calibration.layout import Bonus, Zone
from calibration.polygons import edges_of, holds, signed_distance_mm, union_outline
from calibration.zones import BOX_SIDES, BoxSide
from tests.shapely_board import ShapelyBoard, signed_mm
from tests.shared import shared_footage

BOARDS = (*edition_names(), "wedges", "discs", "uneven")
NAMES = (*BOARDS, "gapped", "steps")


@cache
def edition(name: str) -> Edition:
    classic = load_edition("classic")
    match name:
        case "gapped":  # zones that begin beside the net, one edge of them slanted
            return replace(
                classic,
                gap_mm=20.0,
                zones=(
                    Zone(2, ((20, -76), (20, -10), (220, 30), (220, -76))),
                    Zone(0, ((20, -10), (20, 40), (220, 40), (220, 30))),
                    Zone(1, ((20, 40), (20, 76), (220, 76), (220, 40))),
                ),
            )
        case "steps":  # values change across and along both bounding lines of a box
            return replace(
                classic,
                zones=(
                    Zone(3, ((0, 0), (60, 0), (60, -76), (0, -76))),
                    Zone(1, ((60, 0), (116.5, 0), (116.5, -76), (60, -76))),
                    Zone(0, ((0, 0), (90, 0), (90, 76), (0, 76))),
                    Zone(2, ((90, 0), (116.5, 0), (116.5, 76), (90, 76))),
                    Zone(5, ((116.5, -76), (220, -76), (220, 20), (116.5, 20))),
                    Zone(1, ((116.5, 20), (220, 20), (220, 76), (116.5, 76))),
                ),
            )
        case "wedges" | "discs" | "uneven":
            return load_edition(str(shared_footage("layouts", name, "board.toml")))
        case _:
            return load_edition(name)


@cache
def oracle(name: str) -> ShapelyBoard:
    return ShapelyBoard(edition(name))


def places(board: Edition, count: int, seed: int) -> np.ndarray:
    """Points all over the half court, and as many close to edges of zones."""
    rng = np.random.default_rng(seed)
    court = board.court
    wide = rng.uniform((0, -court.singles_mm), (court.baseline_mm, court.singles_mm), (count, 2))
    edges = [edges_of(zone.polygon) for zone in board.zones]
    starts = np.concatenate([edge.starts for edge in edges])
    ends = np.concatenate([edge.ends for edge in edges])
    pick = rng.integers(0, len(starts), count)
    near = starts[pick] + rng.uniform(0, 1, (count, 1)) * (ends - starts)[pick]
    near += rng.normal(0, 1.5, (count, 2))
    near = np.clip(near, (0, -court.singles_mm), (court.baseline_mm, court.singles_mm))
    return np.concatenate((wide, near))


@pytest.mark.parametrize("name", NAMES)
def test_worth_margins_are_the_oracles(name: str) -> None:
    board, most = edition(name), max(zone.points for zone in edition(name).zones)
    at = places(board, 60, 1)
    told = np.array([oracle(name).worth(n, at) for n in range(1, most + 1)]).T
    for place, expected in zip(at, told, strict=True):
        margins = board.zone_map.worth_mm(place)
        assert len(margins) == most
        for margin, other in zip(margins, expected, strict=True):
            # Where nothing changes the oracle tells infinity and the map the board's diagonal.
            assert np.isinf(other) == (abs(margin) == board.span_mm), place
            assert np.isinf(other) or margin == pytest.approx(other, abs=2e-5), place


@pytest.mark.parametrize("name", NAMES)
def test_a_dot_outside_counts_as_the_nearest_place(name: str) -> None:
    board = edition(name)
    court = board.court
    rng = np.random.default_rng(2)
    for x, y in rng.uniform((-150, -150), (400, 150), (60, 2)):
        nearest = (
            min(max(x, 0.0), court.baseline_mm),
            min(max(y, -court.singles_mm), court.singles_mm),
        )
        assert board.zone_map.worth_mm((x, y)) == board.zone_map.worth_mm(nearest)


@pytest.mark.parametrize("side", BOX_SIDES)
@pytest.mark.parametrize("name", NAMES)
def test_a_place_in_a_box_is_worth_what_it_is_worth_in_the_court(name: str, side: BoxSide) -> None:
    """SM-02 has one value for a place, whether it was served there or not; margins may differ, for
    on a serve nothing beyond the box counts."""
    board = edition(name)
    court, half = board.court, board.lines.court_mm / 2
    sign = 1 if side == "left" else -1
    seen = 0
    for x, y in places(board, 150, 3):
        if x <= court.service_line_mm and -half <= sign * y <= court.singles_mm:
            seen += 1
            in_court = [margin >= 0 for margin in board.zone_map.worth_mm((x, y))]
            in_box = [margin >= 0 for margin in board.zone_map.box_worth_mm(side, (x, y))]
            assert in_court == in_box, (x, y)
    assert seen > 50


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(("classic", "gapped", "steps")),
    which=st.sampled_from(("court", *BOX_SIDES)),
    x=st.floats(-20, 240),
    y=st.floats(-100, 100),
    turn=st.floats(0, 2 * math.pi),
    share=st.floats(0, 0.999),
)
def test_no_shift_within_the_margin_changes_the_worth(
    name: str, which: str, x: float, y: float, turn: float, share: float
) -> None:
    zones = edition(name).zone_map

    def worth(at: tuple[float, float]) -> tuple[float, ...]:
        for side in BOX_SIDES:
            if side == which:
                return zones.box_worth_mm(side, at)
        return zones.worth_mm(at)

    for n, margin in enumerate(worth((x, y))):
        reach = share * abs(margin)
        moved = (x + reach * math.cos(turn), y + reach * math.sin(turn))
        assert (worth(moved)[n] >= 0) == (margin >= 0)


def test_a_serve_beyond_a_line_that_pays_nothing_more_is_not_close() -> None:
    """A dot beyond the service line is looked up on the line's outer edge. The classic board's
    value does not change there, so the margin is that to the nearest zone line and not zero."""
    margins = edition("classic").zone_map.box_worth_mm("left", (124.5, 30.0))
    assert margins == pytest.approx((-15.5, -31.5))


def test_a_bounding_line_lends_the_box_the_higher_value() -> None:
    """Right box of the board of steps: 1 up to the service line's middle, 5 beyond, the line itself
    5."""
    board = edition("steps")
    zones = board.zone_map
    beyond = zones.box_worth_mm("right", (130.0, -40.0))
    assert beyond[0] == board.span_mm  # nothing in this box is worth less than 1
    assert beyond[1:] == pytest.approx((3.0, 3.0, 3.0, 3.0))
    assert zones.box_worth_mm("right", (115.5, -40.0))[4] == pytest.approx(0.5)
    assert zones.box_worth_mm("right", (114.0, -40.0))[4] == pytest.approx(-1.0)


def test_gap_counts_as_zones_extended_straight() -> None:
    zones = edition("gapped").zone_map
    for x in (0.0, 3.0, 7.0):
        assert zones.worth_mm((x, -20.0))[1] == pytest.approx(10.5)
        assert zones.worth_mm((x, 30.0))[1] == pytest.approx(-39.5)
    # The closing line parts nothing: a dot on it is as far from other values as beside it.
    assert zones.worth_mm((20.0, 38.0))[0] == pytest.approx(-1.5)


def test_a_line_beyond_the_box_may_reach_into_it() -> None:
    """A zone of 2 begins 0.3 mm beyond the service line's outer edge; its line is a millimetre
    wide."""
    board = replace(
        edition("classic"),
        zones=(
            Zone(2, ((118.3, -76), (220, -76), (220, 76), (118.3, 76))),
            Zone(0, ((0, -76), (118.3, -76), (118.3, 76), (0, 76))),
        ),
    )
    assert board.zone_map.box_worth_mm("left", (130.0, 30.0)) == pytest.approx((0.2, 0.2))
    assert board.zone_map.box_worth_mm("left", (117.0, 30.0)) == pytest.approx((-0.8, -0.8))


def test_a_bonus_zone_that_begins_at_the_gap_goes_on_to_the_net() -> None:
    drop = Bonus("dropshot", ((20, -76), (50, -76), (50, 40), (20, 40)), printed=False)
    zones = replace(edition("gapped"), bonuses=(drop,)).zone_map
    assert zones.bonus_margins_mm("dropshot", (3.0, 30.0)) == pytest.approx((10.0,))
    assert zones.bonus_margins_mm("dropshot", (3.0, 45.0)) == pytest.approx((-5.0,))
    assert zones.bonus_margins_mm("dropshot", (45.0, 0.0)) == pytest.approx((5.0,))
    whole = replace(drop, polygon=((0, -76), (50, -76), (50, 40), (0, 40)))
    zones = replace(edition("gapped"), bonuses=(whole,)).zone_map
    assert zones.bonus_margins_mm("dropshot", (3.0, 30.0)) == pytest.approx((10.0,))


@pytest.mark.parametrize("side", BOX_SIDES)
@pytest.mark.parametrize("name", BOARDS)
def test_box_and_ace_margins_are_the_oracles(name: str, side: BoxSide) -> None:
    """SM-03 and SM-07: the box with its lines; the ace zones with the pieces of box line beside
    them."""
    zones, other = edition(name).zone_map, oracle(name)
    at = np.random.default_rng(4).uniform((-40, -120), (260, 120), (150, 2))
    for margin_of, shape in ((zones.ace_margin_mm, other.ace(side)), (zones.box_margin_mm, other.box(side))):
        got = [margin_of(side, place) for place in at]
        assert got == pytest.approx(signed_mm(shape, shape.boundary, at).tolist(), abs=1e-6)


@pytest.mark.parametrize("name", BOARDS)
def test_bonus_margins_are_the_oracles_within_the_court(name: str) -> None:
    """Within the court a bonus zone ends at its polygon, and on the court's border nowhere. A place
    in the gap may be given less margin than it has, and no other sign."""
    zones, at = edition(name).zone_map, places(edition(name), 100, 5)
    in_gap = at[:, 0] < edition(name).gap_mm
    for kind in ("dropshot", "backcourt", "crosscourt"):
        told = oracle(name).bonus(kind, at)
        got = np.array([zones.bonus_margins_mm(kind, place) for place in at]).T
        assert len(got) == len(told) == (2 if kind == "crosscourt" else 1)
        for margins, expected in zip(got, told, strict=True):
            assert margins[~in_gap].tolist() == pytest.approx(expected[~in_gap].tolist(), abs=1e-5)
            assert ((margins >= 0) == (expected >= 0)).all()
            assert (abs(margins) <= abs(expected) + 1e-5).all()


def test_a_board_without_layers_has_finite_margins() -> None:
    bare = replace(edition("classic"), zones=(), aces=(), bonuses=())
    assert bare.zone_map.worth_mm((10.0, 10.0)) == ()
    assert bare.zone_map.box_worth_mm("left", (10.0, 10.0)) == ()
    assert bare.zone_map.ace_margin_mm("left", (110.0, 70.0)) == -bare.span_mm
    assert bare.zone_map.bonus_margins_mm("dropshot", (10.0, 10.0)) == ()


corner = st.tuples(
    st.floats(-50, 50).map(lambda v: round(v, 3)), st.floats(-50, 50).map(lambda v: round(v, 3))
)


@settings(max_examples=60, deadline=None)
@given(st.lists(corner, min_size=3, max_size=9, unique=True), corner)
def test_signed_distance_to_a_polygon(corners: list[tuple[float, float]], at: tuple[float, float]) -> None:
    shape = Polygon(corners).convex_hull
    if shape.geom_type != "Polygon" or shape.area < 1e-3:
        return
    ring = np.array(shape.exterior.coords)[:-1]
    distance = shape.boundary.distance(Point(at))
    got = signed_distance_mm(ring, at)
    assert abs(got) == pytest.approx(distance, abs=1e-9)
    if distance > 1e-9:
        assert (got > 0) == shape.contains(Point(at)) == bool(holds(ring, at)[0])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9), st.integers(1, 9)),
        min_size=1,
        max_size=5,
    )
)
def test_outline_of_a_union(rectangles: list[tuple[int, int, int, int]]) -> None:
    rings = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in rectangles]
    union = unary_union([Polygon(ring) for ring in rings])
    outline = union_outline(rings)
    assert np.linalg.norm(outline.ends - outline.starts, axis=1).sum() == pytest.approx(union.length)
    for start, end in itertools.islice(zip(outline.starts, outline.ends, strict=True), 20):
        assert union.boundary.distance(Point((start + end) / 2)) < 1e-9
