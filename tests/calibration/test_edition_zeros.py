"""Where the 0 of a service box is: printed, or else the deepest place worth nothing."""

from dataclasses import replace

import pytest
import shapely
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

from calibration.edition import Edition, edition_names, load_edition
from calibration.layout import Figure, Zone
from calibration.zones import BOX_SIDES, BoxSide
from tests.shapely_board import ShapelyBoard
from tests.shared import shared_footage

CLASSIC = load_edition("classic")
CLOSE_MM = 0.3
MIDDLE = (58.25, 37.25)  # of the classic's left box, between its lines
WHOLE = ((0.0, -76.0), (220.0, -76.0), (220.0, 76.0), (0.0, 76.0))


def with_zeros(*places: tuple[float, float]) -> Edition:
    return replace(CLASSIC, figures=tuple(Figure(0, place) for place in places))


def with_zone_of_0(*corners: tuple[float, float]) -> Edition:
    """A board that prints no figures, worth 1 but for one zone."""
    return replace(CLASSIC, mirror=False, figures=(), zones=(Zone(0, corners), Zone(1, WHOLE, (corners,))))


def depth_mm(board: Edition, side: BoxSide, at: tuple[float, float]) -> float:
    """How far inside a place is: from lines of the box and lines beside what is worth more."""
    shape = worth_nothing(board, side)
    distance = float(shape.boundary.distance(Point(at)))
    return distance if shape.covers(Point(at)) else -distance


def worth_nothing(board: Edition, side: BoxSide) -> BaseGeometry:
    lines, other = board.lines, ShapelyBoard(board)
    _, y0, x1, y1 = other.box(side).bounds
    inner = box(lines.net_mm / 2, y0 + lines.court_mm, x1 - lines.court_mm, y1 - lines.court_mm)
    paying = [zone.buffer(lines.zone_mm / 2) for points, zone in other.zones if points > 0]
    return inner.difference(shapely.union_all(paying))


@pytest.mark.parametrize("side", BOX_SIDES)
@pytest.mark.parametrize("name", edition_names())
def test_the_printed_figure_is_the_zero(name: str, side: BoxSide) -> None:
    board = load_edition(name)
    x, y = board.zero_mm(side)
    assert Figure(0, (x, y)) in board.figures
    assert (y > 0) == (side == "left")
    assert 0 < x < board.court.service_line_mm


def test_of_several_figures_the_one_farthest_inside() -> None:
    board = with_zeros((110.0, 30.0), (75.0, 24.0), (75.0, 10.0), (160.0, 0.0), (75.0, -30.0))
    assert board.zero_mm("left") == (75.0, 24.0)
    assert board.zero_mm("right") == (75.0, -30.0)


def test_a_figure_on_the_centre_line_is_both_boxes() -> None:
    board = with_zeros((75.0, 0.0))
    assert board.zero_mm("left") == board.zero_mm("right") == (75.0, 0.0)


def test_a_figure_outside_the_box_is_not_its_zero() -> None:
    board = with_zeros((150.0, 30.0), (75.0, -24.0))
    assert board.zero_mm("right") == (75.0, -24.0)
    assert depth_mm(board, "left", board.zero_mm("left")) == pytest.approx(22.0, abs=CLOSE_MM)


BARE = {
    "nested": replace(CLASSIC, figures=()),
    "large": replace(load_edition("maxi"), figures=()),
    "sliver": with_zone_of_0((9.0, 71.0), (12.0, 71.0), (12.0, 8.0), (9.0, 8.0)),
    "corner": with_zone_of_0((90.0, 40.0), (220.0, 60.0), (220.0, 70.0), (100.0, 75.0)),
    "across": with_zone_of_0((40.0, -30.0), (70.0, -30.0), (60.0, 20.0), (50.0, 20.0)),
}


@pytest.mark.parametrize("name", [*BARE, "wedges", "discs", "uneven"])
def test_without_a_figure_it_is_the_deepest_place_worth_nothing(name: str) -> None:
    """Against shapely's largest circle in what is worth 0."""
    board = BARE[name] if name in BARE else load_edition(str(shared_footage("layouts", name, "board.toml")))
    board, found = replace(board, figures=()), 0
    for side in BOX_SIDES:
        shape = worth_nothing(board, side)
        if shape.is_empty:
            continue
        found += 1
        best = shapely.maximum_inscribed_circle(shape, tolerance=0.01).length
        assert depth_mm(board, side, board.zero_mm(side)) == pytest.approx(best, abs=CLOSE_MM)
    assert found


def test_of_places_alike_the_one_nearest_the_middle() -> None:
    board = replace(CLASSIC, figures=(), zones=(Zone(0, WHOLE),))
    assert board.zero_mm("left") == pytest.approx(MIDDLE, abs=CLOSE_MM)
    assert board.zero_mm("right") == pytest.approx((MIDDLE[0], -MIDDLE[1]), abs=CLOSE_MM)


@pytest.mark.parametrize("zones", [(), (Zone(1, WHOLE),)], ids=["no zones", "nothing worth 0"])
def test_where_nothing_is_worth_0_it_is_the_middle(zones: tuple[Zone, ...]) -> None:
    board = replace(CLASSIC, figures=(), zones=zones)
    assert board.zero_mm("left") == pytest.approx(MIDDLE, abs=CLOSE_MM)
    assert board.zero_mm("right") == pytest.approx((MIDDLE[0], -MIDDLE[1]), abs=CLOSE_MM)
