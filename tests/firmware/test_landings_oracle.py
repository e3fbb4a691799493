"""A hundred thousand random discs: every fact of a landing against shapely, which shares no code with us.

The two may disagree on whether a fact is true only within a millionth of a millimetre of its edge.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from calibration.edition import Edition, edition_names, load_edition
from calibration.zones import BOX_SIDES
from firmware.landings import landing_of
from firmware.rules.landing import Facts, PlaceFacts
from tests.shapely_board import FAR_MM, ShapelyBoard, distance_mm, signed_mm

Array = NDArray[np.float64]
Lines = NDArray[np.object_]
Margins = dict[str, Array]

DISCS = 100_000
WHOLE_EVERY = 40  # every so many discs are asked for all facts, from both ends, at once
EDGE_MM = 1e-6
NEAR_MM = 0.5
LAYERS = ("right_worth", "left_worth", "right_ace", "left_ace", "dropshot", "backcourt", "crosscourt")


class Discs:
    """Strokes as their strikers see them, (n, 2) each: the far half is x > 0, and the start, which
    lies in the near half, is given turned by half a turn. `sign`: 1 where end A struck, else -1."""

    def __init__(self, board: ShapelyBoard, count: int, seed: int) -> None:
        self._rng = rng = np.random.default_rng(seed)
        edition = board.edition
        (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
        anywhere, starts = rng.uniform((x0, y0), (x1, y1), (2, count, 2))
        starts[:, 0] = np.abs(starts[:, 0])
        misprint = rng.normal(0.0, 0.1, (count, 2))
        for_dots, for_discs, for_starts = _contours(board)
        # A third of the dots and a third of the discs lie near edges; half of the starts.
        kind = rng.integers(0, 3, (count, 1))
        self.dot = np.where(kind == 0, self._beside(for_dots, count), anywhere)
        self.disc = np.where(kind == 1, self._beside(for_discs, count), self.dot + misprint)
        self.dot = np.where(kind == 1, self.disc - misprint, self.dot)
        self.start = np.where(rng.random((count, 1)) < 0.5, self._beside(for_starts, count), starts)
        self.sign = rng.choice((1.0, -1.0), count)

    def _beside(self, contours: Lines, count: int) -> Array:
        """Points at distances from half a millimetre down to 50 nanometres from lines, each of which
        is as likely as another."""
        rng = self._rng
        line = contours[rng.integers(0, len(contours), count)]
        at = shapely.line_interpolate_point(line, rng.random(count), normalized=True)
        away, turn = NEAR_MM * 10.0 ** rng.uniform(-4, 0, count), rng.uniform(0, 2 * np.pi, count)
        shift = np.column_stack((away * np.cos(turn), away * np.sin(turn)))
        return np.asarray(shapely.get_coordinates(at) + shift)


def _contours(board: ShapelyBoard) -> tuple[Lines, Lines, Lines]:
    """Lines on which facts change: for the dot, for the disc's centre, and for the start (turned)."""
    court, lines, radius = board.edition.court, board.edition.lines, board.edition.ball.diameter_mm / 2
    zone_lines = shapely.union_all([zone.boundary for _, zone in board.zones]).buffer(lines.zone_mm / 2)
    in_boxes = [zone_lines.intersection(board.box(side)) for side in BOX_SIDES]
    bonuses = [shapely.Polygon(bonus.polygon) for bonus in board.edition.bonuses]
    net = box(-lines.net_mm / 2, -court.doubles_mm, lines.net_mm / 2, court.doubles_mm)
    alleys = box(0, -court.doubles_mm, court.baseline_mm, court.doubles_mm)
    targets = [shape(side) for side in BOX_SIDES for shape in (board.box, board.ace)]
    inner, outer = court.baseline_mm - lines.court_mm - radius, board.edition.extent_x_mm[1]
    to_serve = [box(inner, y, outer, y + court.singles_mm) for y in (-court.singles_mm, 0)]
    return (
        _outlines([zone_lines, *in_boxes, net, *bonuses]),
        _outlines([each.buffer(radius, 64) for each in (net, board.court, alleys, *targets)]),
        _outlines([*bonuses, *to_serve]),
    )


def _outlines(shapes: list[BaseGeometry]) -> Lines:
    return np.asarray(shapely.get_parts([shape.boundary for shape in shapes]))


def expected(board: ShapelyBoard, start: Array, dot: Array, disc: Array) -> Margins:
    """What shapely says of each fact, as a margin."""
    edition, most = board.edition, max(zone.points for zone in board.edition.zones)
    court, lines, radius = edition.court, edition.lines, edition.ball.diameter_mm / 2
    beyond_net = box(lines.net_mm / 2, -FAR_MM, FAR_MM, FAR_MM)
    net = box(-lines.net_mm / 2, -FAR_MM, lines.net_mm / 2, FAR_MM)
    found = {
        "passed_net": signed_mm(beyond_net, beyond_net.boundary, dot),
        "touches_net": radius - distance_mm(net, disc),
    }
    for name, half in (("in_singles", court.singles_mm), ("in_doubles", court.doubles_mm)):
        found[name] = radius - distance_mm(box(-FAR_MM, -half, court.baseline_mm, half), disc)
    in_court, start_in_court = board.in_court(dot), board.in_court(start)
    for n in range(1, most + 1):
        found[f"worth_{n}"] = board.worth(n, in_court)
    for side in BOX_SIDES:
        found[f"{side}_touched"] = radius - distance_mm(board.box(side), disc)
        found[f"{side}_ace"] = radius - distance_mm(board.ace(side), disc)
        for n in range(1, most + 1):
            found[f"{side}_worth_{n}"] = board.worth(n, board.in_box(side, dot))
    for name in ("dropshot", "backcourt", "crosscourt"):
        for i, margin in enumerate(board.bonus(name, in_court)):
            found[f"{name}_{i}"] = margin
    pairs = zip(board.bonus("crosscourt", start_in_court), board.bonus("crosscourt", in_court), strict=True)
    found["crosscourt"] = np.maximum(*(np.minimum(*pair) for pair in pairs))
    (backcourt,), (dropshot,) = board.bonus("backcourt", start_in_court), board.bonus("dropshot", in_court)
    found["dropshot"] = np.minimum(backcourt, dropshot)
    # The start is turned: the right of who stands there and faces the net is at y > 0.
    on_line = box(court.baseline_mm - lines.court_mm, -FAR_MM, FAR_MM, FAR_MM)
    for name, low in (("serve_right", 0.0), ("serve_left", -court.singles_mm)):
        strip = box(-FAR_MM, low, FAR_MM, low + court.singles_mm)
        in_strip = signed_mm(strip, strip.boundary, start)
        found[name] = np.minimum(radius - distance_mm(on_line, start), in_strip)
    for figure in edition.figures:
        if figure.points == 0:
            side = "left" if figure.at_mm[1] > 0 else "right"
            found[f"zero_{side}"] = distance_mm(shapely.Point(figure.at_mm), -start)
    return found


def told(facts: Facts, place: PlaceFacts) -> dict[str, float]:
    """The margins of a landing under the names of `expected`."""
    found = {
        "passed_net": facts.passed_net_mm,
        "touches_net": facts.touches_net_mm,
        "in_singles": facts.in_singles_mm,
        "in_doubles": facts.in_doubles_mm,
        "crosscourt": facts.crosscourt_mm,
        "dropshot": facts.dropshot_mm,
        "serve_right": place.serve_right_mm,
        "serve_left": place.serve_left_mm,
        "zero_right": place.zero_right_mm,
        "zero_left": place.zero_left_mm,
    }
    found |= {f"worth_{n}": margin for n, margin in enumerate(facts.worth_mm, start=1)}
    for side, box_facts in (("right", facts.right), ("left", facts.left)):
        found |= {f"{side}_touched": box_facts.touched_mm, f"{side}_ace": box_facts.ace_mm}
        found |= {f"{side}_worth_{n}": margin for n, margin in enumerate(box_facts.worth_mm, start=1)}
    return found


def layer(edition: Edition, which: str, dot: Array, disc: Array) -> dict[str, float]:
    """One of `LAYERS` at one place."""
    zones, (side, _, what) = edition.zone_map, which.partition("_")
    for box_side in BOX_SIDES:
        if box_side == side and what == "ace":
            return {which: edition.ball.diameter_mm / 2 + zones.ace_margin_mm(box_side, disc)}
        if box_side == side:
            worth = zones.box_worth_mm(box_side, dot)
            return {f"{which}_{n}": margin for n, margin in enumerate(worth, start=1)}
    return {f"{which}_{i}": margin for i, margin in enumerate(zones.bonus_margins_mm(which, dot))}


def disagreements(got: Margins, true: Margins) -> list[str]:
    """What is told and true of places that are not on an edge, where the two differ."""
    found = []
    for name, margins in got.items():
        beyond = np.greater if name == "passed_net" else np.greater_equal  # SM-04: the line is a fault
        differs = ~np.isnan(margins) & (beyond(margins, 0) != beyond(true[name], 0))
        wrong = differs & ~(np.abs(true[name]) <= EDGE_MM)
        found += [f"{name} of disc {i}: {margins[i]} and {true[name][i]}" for i in np.flatnonzero(wrong)]
    return found


@cache
def board_of(name: str) -> ShapelyBoard:
    return ShapelyBoard(load_edition(name, require_zones=True))


@pytest.mark.parametrize("name", edition_names())
def test_facts_are_those_of_an_independent_geometry(name: str) -> None:
    board, count = board_of(name), -(-DISCS // len(edition_names()))
    edition, discs = board.edition, Discs(board_of(name), count, seed=len(name))
    true = expected(board, discs.start, discs.dot, discs.disc)
    got = {key: np.full(count, np.nan) for key in true}
    # The court's own facts and the zones of every disc; one of the layers of each.
    bare = replace(edition, zones=(), aces=(), bonuses=())
    layered = ("ace", "crosscourt", "dropshot")
    for i, (start, dot, disc, sign) in enumerate(
        zip(discs.start, discs.dot, discs.disc, discs.sign, strict=True)
    ):
        landing = landing_of(bare, -sign * start, sign * dot, sign * disc)
        by, place = (landing.by_a, landing.start.by_a) if sign > 0 else (landing.by_b, landing.start.by_b)
        row = {key: value for key, value in told(by, place).items() if not key.endswith(layered)}
        row |= {f"worth_{n}": margin for n, margin in enumerate(edition.zone_map.worth_mm(dot), start=1)}
        row |= layer(edition, LAYERS[i % len(LAYERS)], dot, disc)
        for key, value in row.items():
            got[key][i] = value
    assert disagreements(got, true) == []
    for key in true.keys() - {"crosscourt", "dropshot", "zero_right", "zero_left"}:
        asked = true[key][~np.isnan(got[key])]
        assert len(asked) >= count // len(LAYERS), key
        assert np.count_nonzero(asked > 0) > 100 < np.count_nonzero(asked < 0), key
        assert np.count_nonzero(np.abs(asked) < NEAR_MM) > 25, key
    for side in BOX_SIDES:
        assert got[f"zero_{side}"] == pytest.approx(true[f"zero_{side}"], abs=EDGE_MM)


@pytest.mark.parametrize("name", edition_names())
def test_whole_landings_are_those_of_an_independent_geometry(name: str) -> None:
    """Both strikers and all facts together, bonuses from start to rest included."""
    board, count = board_of(name), -(-DISCS // WHOLE_EVERY // len(edition_names()))
    discs = Discs(board, count, seed=100 + len(name))
    places = -discs.start, discs.dot, discs.disc  # as end A has them
    landings = [landing_of(board.edition, *stroke) for stroke in zip(*places, strict=True)]
    for sign, rows in (
        (1.0, [told(each.by_a, each.start.by_a) for each in landings]),
        (-1.0, [told(each.by_b, each.start.by_b) for each in landings]),
    ):
        true = expected(board, sign * discs.start, sign * discs.dot, sign * discs.disc)
        got = {key: np.array([row[key] for row in rows]) for key in rows[0]}
        assert got.keys() == true.keys() - {"dropshot_0", "backcourt_0", "crosscourt_0", "crosscourt_1"}
        assert disagreements(got, true) == []
        if sign > 0:
            assert min(np.count_nonzero(true[key] > 0) for key in ("crosscourt", "dropshot")) > 10
