"""What an edition says is printed: each line once, along its middle, on both halves."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from shapely.geometry import LineString, Polygon, box
from shapely.ops import unary_union

from calibration.edition import Edition, edition_names, load_edition
from calibration.layout import Bonus, LineWidths
from calibration.printed_lines import PrintedLine
from tests.shared import shared_footage

NAMES = (*edition_names(), "wedges", "discs", "uneven")


def edition(name: str) -> Edition:
    known = name in edition_names()
    return load_edition(name if known else str(shared_footage("layouts", name, "board.toml")))


def lines(board: Edition, kind: str, half: str = "B") -> list[PrintedLine]:
    return [line for line in board.printed_lines if line.kind == kind and line.half == half]


def ends(line: PrintedLine) -> set[tuple[float, float]]:
    return {tuple(line.points_mm[0].tolist()), tuple(line.points_mm[-1].tolist())}


@pytest.mark.parametrize("name", NAMES)
def test_one_half_is_the_half_turn_of_the_other(name: str) -> None:
    board = edition(name)
    for kind in ("court", "zone", "bonus"):
        here, there = lines(board, kind, "B"), lines(board, kind, "A")
        assert len(here) == len(there)
        for one, other in zip(here, there, strict=True):
            assert np.array_equal(one.points_mm, -other.points_mm)
            assert (one.width_mm, one.dashed) == (other.width_mm, other.dashed)


def test_court_lines_lie_half_a_width_inside_their_outer_edges() -> None:
    found = lines(edition("classic"), "court")
    assert {line.width_mm for line in found} == {3.0}
    expected = [{(0.0, y), (218.5, y)} for y in (-100.5, -74.5, 74.5, 100.5)] + [
        {(0.0, 0.0), (116.5, 0.0)},
        {(116.5, -74.5), (116.5, 74.5)},
        {(218.5, -100.5), (218.5, 100.5)},
        {(212.0, 0.0), (220.0, 0.0)},
    ]
    assert Counter(frozenset(ends(line)) for line in found) == Counter(map(frozenset, expected))


def test_the_centre_mark_is_a_line_only_where_the_file_names_it() -> None:
    classic = edition("classic")
    without = replace(classic, court=replace(classic.court, centre_mark_mm=None))
    assert len(lines(classic, "court")) == len(lines(without, "court")) + 1


def test_the_net_belongs_to_neither_half() -> None:
    board = edition("classic")
    net = [line for line in board.printed_lines if line.kind == "net"]
    assert [(line.half, line.width_mm) for line in net] == [(None, 3.0)]
    assert ends(net[0]) == {(0.0, -102.0), (0.0, 102.0)}


@pytest.mark.parametrize("name", NAMES)
def test_zone_lines_are_the_edges_between_zones_once(name: str) -> None:
    board = edition(name)
    court, half_width = board.court, board.lines.court_mm / 2
    inner = box(0, -court.singles_mm, court.baseline_mm, court.singles_mm).buffer(-1e-6, join_style="mitre")
    service = court.service_line_mm - half_width
    court_lines = unary_union(
        [
            LineString([(service, -court.singles_mm), (service, court.singles_mm)]),
            LineString([(0, 0), (service, 0)]),
        ]
    )
    everything = unary_union([Polygon(zone.polygon).exterior for zone in board.zones])
    expected = everything.intersection(inner).difference(court_lines.buffer(1e-6))
    found = [LineString(line.points_mm) for line in lines(board, "zone")]
    drawn = unary_union(found)
    assert drawn.length == pytest.approx(sum(line.length for line in found))
    assert drawn.length == pytest.approx(expected.length, rel=1e-5)
    assert expected.hausdorff_distance(drawn) < 1e-3
    assert {line.width_mm for line in lines(board, "zone")} == {board.lines.zone_mm}


@pytest.mark.parametrize("name", NAMES)
def test_bonus_lines_lie_beside_all_others(name: str) -> None:
    board = edition(name)
    others = unary_union(
        [LineString(line.points_mm) for kind in ("court", "zone") for line in lines(board, kind)]
    )
    printed = [bonus for bonus in board.bonuses if bonus.printed]
    found = lines(board, "bonus")
    assert bool(found) == bool(printed)
    for line in found:
        path = LineString(line.points_mm)
        assert path.intersection(others.buffer(0.01)).length < 0.2
        assert any(Polygon(b.polygon).exterior.buffer(1e-6).covers(path) for b in printed)


def test_classic_prints_only_pieces_of_its_bonus_outlines() -> None:
    found = {frozenset(ends(line)) for line in lines(edition("classic"), "bonus")}
    assert found == {
        frozenset({(x, y), (x, 76.0 * np.sign(y))}) for x in (34.0, 178.0) for y in (46.0, -46.0)
    }


def test_an_outline_leaves_out_what_zone_lines_show() -> None:
    board = edition("classic")
    whole = replace(board, bonuses=(replace(board.bonuses[0], outline=()),))
    found = {frozenset(ends(line)) for line in lines(whole, "bonus")}
    assert found == {frozenset({(34.0, y), (34.0, 76.0 * np.sign(y))}) for y in (36.0, -36.0)}


def test_an_outline_may_part_a_zone_of_one_value() -> None:
    board = edition("classic")
    whole = replace(
        board,
        bonuses=(Bonus("backcourt", ((150, -76), (220, -76), (220, 76), (150, 76)), True),),
    )
    assert [ends(line) for line in lines(whole, "bonus")] == [{(150.0, -76.0), (150.0, 76.0)}]


def test_dashes_and_gap() -> None:
    classic = edition("classic")
    board = replace(classic, lines=LineWidths(3.0, 1.0, 3.0, (4.0, 3.0)), gap_mm=20.0)
    zone_lines = lines(board, "zone")
    assert all(line.dashed for line in zone_lines)
    assert not any(line.dashed for line in lines(board, "court"))
    assert min(line.points_mm[:, 0].min() for line in zone_lines) == 20.0
    assert {(20.0, -76.0), (20.0, 76.0)} in [ends(line) for line in zone_lines]
    assert not any(line.dashed for line in classic.printed_lines)


@pytest.mark.parametrize("name", NAMES)
def test_a_court_alone_prints_its_court(name: str) -> None:
    board = replace(edition(name), zones=(), bonuses=(), aces=(), figures=())
    assert {line.kind for line in board.printed_lines} == {"court", "net"}
