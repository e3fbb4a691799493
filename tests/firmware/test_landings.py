"""Facts of landings: every number of the footage's truth, and the laws of mirror and half turn."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.edition import Edition, load_edition
from calibration.layout import Zone
from firmware.landings import dot_half, landing_of, place_of, zero_place, zone_points
from firmware.rules.landing import BoxFacts, BoxSide, Facts, Landing, Place, PlaceFacts, Side
from tests.shared import BESIDE, shared_footage

CLASSIC, GAP, MAXI = (load_edition(name) for name in ("classic", "classic-gap", "maxi"))
ROUNDED_MM = 0.0011  # the truth gives places and margins to a thousandth each

needs_footage = pytest.mark.usefixtures("footage")
ABSENT = pytest.param("classic", {}, id="no-footage")
"""Stands for the truths where there are none: a test without parameters is skipped unseen."""


@pytest.fixture
def footage() -> Path:
    """The footage beside the repository, or the end of the test."""
    return shared_footage()


@cache
def layout(name: str) -> Edition:
    return load_edition(str(BESIDE / "layouts" / name / "board.toml"))


def truths() -> Iterator[Any]:
    """Every stroke of the clips and every resting ball: the edition's name and what is true of
    it."""
    for clip in ("figure-j", "serves", "lamp"):
        path = BESIDE / f"{clip}.truth.json"
        for stroke in json.loads(path.read_text())["strokes"]:
            stroke["margins_for_striker"] = stroke["player"]
            yield pytest.param("classic", stroke, id=f"{clip}-{stroke['index']}")
    for path in sorted((BESIDE / "rest").glob("*.truth.json")):
        yield pytest.param("classic", json.loads(path.read_text()), id=path.name[:6])
    for path in sorted((BESIDE / "layouts").glob("*/rest*.truth.json")):
        truth = json.loads(path.read_text())
        yield pytest.param(path.parent.name, truth, id=f"{path.parent.name}-{path.name[:6]}")


TRUTHS = list(truths()) if BESIDE.exists() else []


def is_good(truth: dict[str, Any]) -> bool:
    return bool(truth["in_singles"] and truth["passed_net"])


def chosen(wanted: Callable[[dict[str, Any]], bool]) -> list[Any]:
    """The parameters whose truth is wanted."""
    return [parameter for parameter in TRUTHS if wanted(parameter.values[1])] or [ABSENT]


def facts_of(board: Edition, truth: dict[str, Any]) -> Facts:
    start = truth.get("from_printed_mm", [0.0, 0.0])
    landing = landing_of(board, start, truth["at_printed_mm"], truth["disc_printed_mm"])
    return landing.by_a if truth["margins_for_striker"] == "A" else landing.by_b


@needs_footage
@pytest.mark.parametrize(("name", "truth"), TRUTHS or [ABSENT])
def test_truth(name: str, truth: dict[str, Any]) -> None:
    board = CLASSIC if name == "classic" else layout(name)
    facts, margins = facts_of(board, truth), truth["margins_mm"]
    expected = {
        "net_passed": facts.passed_net_mm,
        "net_touch": facts.touches_net_mm,
        "singles": facts.in_singles_mm,
        "doubles": facts.in_doubles_mm,
        "zone": min(abs(margin) for margin in facts.worth_mm),
        "box_left": facts.left.touched_mm,
        "box_right": facts.right.touched_mm,
        "ace_left": facts.left.ace_mm,
        "ace_right": facts.right.ace_mm,
    }
    compared = expected.keys() & margins.keys()
    assert len(compared) == (5 if name != "classic" else 9)
    for key in compared:
        assert expected[key] == pytest.approx(margins[key], abs=ROUNDED_MM), key
    assert zone_points(board, truth["at_printed_mm"]) == truth["zone_points"]
    assert sum(margin >= 0 for margin in facts.worth_mm) == truth["zone_points"]
    assert (facts.passed_net_mm > 0) == truth["passed_net"]
    assert (facts.touches_net_mm >= 0) == truth["touches_net"]
    assert (facts.in_singles_mm >= 0) == truth["in_singles"]
    assert (facts.in_doubles_mm >= 0) == truth["in_doubles"]
    for side, box in (("left", facts.left), ("right", facts.right)):
        if "touches_box" in truth:
            assert (box.touched_mm >= 0) == truth["touches_box"][side]
            assert (box.ace_mm >= 0) == truth["touches_ace"][side]


LAYERS = (
    ("dropshot", 0, "dropshot"),
    ("backcourt", 0, "backcourt"),
    ("crosscourt", 0, "crosscourt_left"),
    ("crosscourt", 1, "crosscourt_right"),
)


@needs_footage
@pytest.mark.parametrize(("name", "truth"), chosen(is_good))
def test_truth_of_bonus_zones(name: str, truth: dict[str, Any]) -> None:
    """Good balls only: of others the truth looks up the dot where it lies. It also ends the zones
    at the court's border, where a dot counts as on it: there our margins are the greater ones."""
    board = CLASSIC if name == "classic" else layout(name)
    sign = 1 if truth["margins_for_striker"] == "A" else -1
    ends = [("landing", [sign * value for value in truth["at_printed_mm"]])]
    if "start_zones" in truth and not truth["serve"]:
        ends.append(("start", [-sign * value for value in truth["from_printed_mm"]]))
    court = board.court
    for end, place in ends:
        x, y = board.zone_map.clamped(place)
        border = min(x, court.baseline_mm - x, court.singles_mm - abs(y))
        for bonus, index, key in LAYERS:
            margin = board.zone_map.bonus_margins_mm(bonus, place)[index]
            assert (margin >= 0) == truth[f"{end}_zones"][key], (end, key)
            if name == "classic":
                told = truth["margins_mm"][f"{end}_{key}"]
                assert min(margin, border) == pytest.approx(told, abs=ROUNDED_MM), (end, key)


@needs_footage
@pytest.mark.parametrize(
    ("name", "truth"),
    chosen(lambda truth: is_good(truth) and not truth.get("serve", True)),
)
def test_truth_of_bonuses(name: str, truth: dict[str, Any]) -> None:
    assert name == "classic"
    facts = facts_of(CLASSIC, truth)
    assert (facts.crosscourt_mm >= 0) == truth["bonus_crosscourt"]
    assert (facts.dropshot_mm >= 0) == truth["bonus_dropshot"]


@needs_footage
def test_serves_earn_what_their_box_says() -> None:
    """SM-02: the value of the point of the target box nearest to the dot."""
    seen = 0
    for parameter in TRUTHS:
        truth = parameter.values[1]
        if truth.get("serve") and truth["call"] == "in":
            facts = facts_of(CLASSIC, truth)
            # Boxes are named in board axes: y > 0 is on the left of a striker at A, not at B.
            high = truth["target_box"].endswith("y>0")
            box = facts.left if high == (truth["player"] == "A") else facts.right
            assert sum(margin >= 0 for margin in box.worth_mm) == truth["points"]
            seen += 1
    assert seen >= 6


def three_valued() -> Edition:
    """Zones that are alike in no direction, worth up to 3."""
    return replace(
        CLASSIC,
        mirror=False,
        zones=(
            Zone(3, ((30, -20), (90, 10), (60, 50))),
            Zone(0, ((0, -76), (116.5, -76), (116.5, 76), (0, 76))),
            Zone(1, ((116.5, -76), (220, -76), (220, 12), (116.5, 30))),
            Zone(2, ((116.5, 30), (220, 12), (220, 76), (116.5, 76))),
        ),
    )


def mirrored(board: Edition) -> Edition:
    """The board reflected in y: what is left on one is right on the other."""

    def flip(ring: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple((x, -y) for x, y in ring)

    bonuses = tuple(replace(bonus, polygon=flip(bonus.polygon)) for bonus in board.bonuses)
    return replace(
        board,
        figures=tuple(replace(each, at_mm=reflected(each.at_mm)) for each in board.figures),
        zones=tuple(replace(zone, polygon=flip(zone.polygon)) for zone in board.zones),
        bonuses=tuple(reversed(bonuses)),
    )


BOARDS = (CLASSIC, three_valued())
places = st.tuples(st.floats(-249, 249), st.floats(-124, 124))


def close(one: Facts, other: Facts) -> None:
    assert numbers(one) == pytest.approx(numbers(other), abs=1e-7)


def margins(place: PlaceFacts) -> list[float]:
    return [place.serve_right_mm, place.serve_left_mm, place.zero_right_mm, place.zero_left_mm]


def numbers(facts: Facts) -> list[float]:
    found: list[float] = []
    for field in fields(facts):
        value = getattr(facts, field.name)
        if isinstance(value, BoxFacts):
            found += [value.touched_mm, value.ace_mm, *value.worth_mm]
        else:
            found += value if isinstance(value, tuple) else [value]
    return found


def swapped(facts: Facts) -> Facts:
    return replace(facts, right=facts.left, left=facts.right)


def reflected(place: tuple[float, float]) -> tuple[float, float]:
    return place[0], -place[1]


def doubled(place: tuple[float, float]) -> tuple[float, float]:
    return 2 * place[0], 2 * place[1]


def turned(place: tuple[float, float]) -> tuple[float, float]:
    return -place[0], -place[1]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BOARDS), places, places, places)
def test_a_mirrored_board_gives_mirrored_facts(
    board: Edition,
    start: tuple[float, float],
    dot: tuple[float, float],
    disc: tuple[float, float],
) -> None:
    here = landing_of(board, start, dot, disc)
    there = landing_of(mirrored(board), reflected(start), reflected(dot), reflected(disc))
    close(here.by_a, swapped(there.by_a))
    close(here.by_b, swapped(there.by_b))
    lies, lies_there = place_of(board, dot, disc), place_of(mirrored(board), reflected(dot), reflected(disc))
    for one, other in ((lies.by_a, lies_there.by_a), (lies.by_b, lies_there.by_b)):
        assert (one.serve_right_mm, one.serve_left_mm) == (other.serve_left_mm, other.serve_right_mm)
        assert (one.zero_right_mm, one.zero_left_mm) == pytest.approx(
            (other.zero_left_mm, other.zero_right_mm)
        )


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BOARDS), places, places, places)
def test_half_a_turn_exchanges_the_strikers(
    board: Edition,
    start: tuple[float, float],
    dot: tuple[float, float],
    disc: tuple[float, float],
) -> None:
    here = landing_of(board, start, dot, disc)
    there = landing_of(board, turned(start), turned(dot), turned(disc))
    assert (here.by_a, here.by_b) == (there.by_b, there.by_a)
    assert (here.start.by_a, here.start.by_b) == (there.start.by_b, there.start.by_a)
    lies, lies_there = place_of(board, dot, disc), place_of(board, turned(dot), turned(disc))
    assert (lies.by_a, lies.by_b) == (lies_there.by_b, lies_there.by_a)
    if dot[0]:
        assert dot_half(dot) != dot_half(turned(dot))
        assert zone_points(board, dot) == zone_points(board, turned(dot))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(BOARDS), places, places, places)
def test_all_margins_are_finite_and_worth_falls_with_n(
    board: Edition,
    start: tuple[float, float],
    dot: tuple[float, float],
    disc: tuple[float, float],
) -> None:
    landing = landing_of(board, start, dot, disc)
    for facts in (landing.by_a, landing.by_b):
        assert all(math.isfinite(number) for number in numbers(facts))
        for worth in (facts.worth_mm, facts.right.worth_mm, facts.left.worth_mm):
            earned = [margin >= 0 for margin in worth]
            assert earned == sorted(earned, reverse=True)


@settings(max_examples=150, deadline=None)
@given(places, places, places)
def test_a_gap_before_the_zones_changes_no_fact(
    start: tuple[float, float], dot: tuple[float, float], disc: tuple[float, float]
) -> None:
    """Zones and bonus zones go on straight to the net."""
    whole, gapped = landing_of(CLASSIC, start, dot, disc), landing_of(GAP, start, dot, disc)
    for one, other in ((whole.by_a, gapped.by_a), (whole.by_b, gapped.by_b)):
        close(one, other)
    assert whole.start == gapped.start


@settings(max_examples=150, deadline=None)
@given(places, places, places)
def test_the_maxi_board_is_twice_the_classic(
    start: tuple[float, float], dot: tuple[float, float], disc: tuple[float, float]
) -> None:
    small = landing_of(CLASSIC, start, dot, disc)
    large = landing_of(MAXI, doubled(start), doubled(dot), doubled(disc))
    for one, other in ((small.by_a, large.by_a), (small.by_b, large.by_b)):
        assert numbers(other) == pytest.approx([2 * number for number in numbers(one)])
    for here, there in ((small.start.by_a, large.start.by_a), (small.start.by_b, large.start.by_b)):
        assert margins(there) == pytest.approx([2 * number for number in margins(here)])


def test_what_is_known_of_a_stroke_is_passed_on() -> None:
    landing = landing_of(
        CLASSIC, (-200, 0), (60, 0), (60, 0.1), dot_sigma_mm=0.02, disc_sigma_mm=0.03, unseen=True
    )
    assert isinstance(landing, Landing)
    assert (landing.dot_sigma_mm, landing.disc_sigma_mm) == (0.02, 0.03)
    assert (landing.off_board, landing.unseen) == (False, True)
    assert landing.start == place_of(CLASSIC, (-200, 0))
    assert landing.start.at_mm == (-200.0, 0.0)
    assert landing.rest_mm == (60.0, 0.0)


def test_a_ball_off_the_board_rests_nowhere() -> None:
    landing = landing_of(CLASSIC, (-200, 0), (60, 0), (60, 0), off_board=True)
    assert landing.off_board
    assert not landing.unseen
    assert landing.rest_mm is None


def by(place: Place, end: Side) -> PlaceFacts:
    return place.by_a if end == "A" else place.by_b


ENDS: tuple[tuple[Side, float], ...] = (("A", 1.0), ("B", -1.0))


@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_a_serve_is_played_from_behind_the_baseline_on_its_side(end: Side, sign: float) -> None:
    """SM-13. Seen from end A, which faces x > 0: the right is at y < 0."""

    def serve(x: float, y: float) -> PlaceFacts:
        return by(place_of(CLASSIC, (sign * x, sign * y)), end)

    right = serve(-235.0, -30.0)
    assert (right.serve_right_mm, right.serve_left_mm) == (29.0, -30.0)
    assert serve(-235.0, 40.0).serve_left_mm == 29.0
    assert serve(-900.0, 40.0).serve_left_mm == 36.0  # no limit behind; the sideline is nearest
    assert serve(-235.0, 76.0).serve_left_mm == 0.0
    assert serve(-235.0, -80.0).serve_right_mm == -4.0
    # The baseline's inner edge is at 217, its outer edge at 220; the ball's radius is 11.
    assert serve(-206.0, -30.0).serve_right_mm == 0.0
    assert serve(-205.0, -30.0).serve_right_mm == -1.0
    assert serve(-205.0, -5.0).serve_left_mm == -5.0  # the lesser of its parts
    assert serve(235.0, -30.0).serve_right_mm < -400.0


def test_a_serve_place_is_that_of_the_disc_and_the_zero_that_of_the_dot() -> None:
    place = place_of(CLASSIC, (75.0, -24.0), (-206.0, -30.0))
    assert place.at_mm == (75.0, -24.0)
    assert place.by_a.serve_right_mm == 0.0
    assert place.by_a.zero_right_mm == 0.0
    assert place.by_a.zero_left_mm == 48.0
    assert place.by_b.zero_left_mm == 150.0


@pytest.mark.parametrize("board", [CLASSIC, GAP, MAXI, three_valued()], ids=lambda board: board.name)
@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize(("end", "sign"), ENDS)
def test_the_ball_is_laid_on_the_zero_of_the_box_it_was_served_into(
    board: Edition, side: BoxSide, end: Side, sign: float
) -> None:
    """SM-11."""
    x, y = zero_place(board, end, side)
    assert sign * x > 0
    assert (sign * y > 0) == (side == "left")
    facts = by(place_of(board, (x, y)), end)
    assert (facts.zero_right_mm if side == "right" else facts.zero_left_mm) == 0.0
    moved = by(place_of(board, (x + 3.0, y - 4.0)), end)
    assert (moved.zero_right_mm if side == "right" else moved.zero_left_mm) == 5.0


def test_a_line_earns_the_higher_value() -> None:
    """SM-02 on the line between 1 and 2 at y = 62, a millimetre wide."""
    values = [zone_points(CLASSIC, (100.0, y)) for y in (61.4, 61.49, 61.51, 62.0, 62.6)]
    assert values == [1, 1, 2, 2, 2]


def test_net_line_is_not_passed_by_touching_it() -> None:
    """SM-04: the dot on the far edge of the net line, or short of it, has not passed."""
    assert landing_of(CLASSIC, (-50, 0), (1.5, 0), (1.5, 0)).by_a.passed_net_mm == 0.0
    assert landing_of(CLASSIC, (-50, 0), (1.4, 0), (1.5, 0)).by_a.passed_net_mm < 0
    assert landing_of(CLASSIC, (50, 0), (-1.6, 0), (-1.6, 0)).by_b.passed_net_mm > 0


def test_no_bonus_zones_no_bonus() -> None:
    bare = replace(CLASSIC, bonuses=())
    facts = landing_of(bare, (-200, 0), (20, 0), (20, 0)).by_a
    assert facts.crosscourt_mm == facts.dropshot_mm == -CLASSIC.span_mm


@pytest.mark.parametrize("bad", [(1.0,), (1.0, math.nan), (math.inf, 0.0), (1.0, 2.0, 3.0)])
def test_a_place_is_two_finite_numbers(bad: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"dot_mm is .*give two finite numbers"):
        landing_of(CLASSIC, (0, 0), bad, (0, 0))
    with pytest.raises(ValueError, match=r"disc_mm is .*give two finite numbers"):
        place_of(CLASSIC, (0, 0), bad)
