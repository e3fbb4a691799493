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

from calibration.edition import Edition, Zone, load_edition
from firmware.landings import dot_half, landing_of, zone_points
from firmware.rules.landing import BoxFacts, Facts, Landing
from tests.shared import BESIDE, shared_footage

CLASSIC = load_edition("classic")
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
        zones=tuple(replace(zone, polygon=flip(zone.polygon)) for zone in board.zones),
        bonuses=tuple(reversed(bonuses)),
    )


BOARDS = (CLASSIC, three_valued())
places = st.tuples(st.floats(-249, 249), st.floats(-124, 124))


def close(one: Facts, other: Facts) -> None:
    assert numbers(one) == pytest.approx(numbers(other), abs=1e-7)


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


def test_sigmas_and_off_board_are_passed_on() -> None:
    landing = landing_of(
        CLASSIC, (-200, 0), (60, 0), (60, 0), off_board=True, dot_sigma_mm=0.02, disc_sigma_mm=0.03
    )
    assert isinstance(landing, Landing)
    assert landing.off_board
    assert (landing.dot_sigma_mm, landing.disc_sigma_mm) == (0.02, 0.03)


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
