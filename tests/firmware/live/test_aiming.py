"""Typed aims: names of zones mean places that the rules then value as the name says."""

import pytest

from calibration.edition import Edition, load_edition
from firmware.errors import InputError
from firmware.landings import landing_of, zone_points
from firmware.live.aiming import aim_help, aim_point
from firmware.rules import BoxSide, Facts, Side

SIDES: tuple[Side, Side] = ("A", "B")
BOXES: tuple[BoxSide, BoxSide] = ("right", "left")
START: dict[Side, tuple[float, float]] = {"A": (-235.0, -34.0), "B": (235.0, 34.0)}


@pytest.fixture(scope="module")
def classic() -> Edition:
    return load_edition("classic")


def facts(edition: Edition, striker: Side, place: tuple[float, float], start: tuple[float, float]) -> Facts:
    landing = landing_of(edition, start, place, place)
    return landing.by_a if striker == "A" else landing.by_b


@pytest.mark.parametrize("striker", SIDES)
@pytest.mark.parametrize("points", [0, 1, 2])
@pytest.mark.parametrize("where", ["", " left", " RIGHT"])
def test_a_zone_is_worth_its_name(classic: Edition, striker: Side, points: int, where: str) -> None:
    place = aim_point(f"{points}{where}", classic, striker, None)
    assert zone_points(classic, place) == points
    assert facts(classic, striker, place, START[striker]).passed_net_mm > 0
    if where:
        left = (place[1] > 0) == (striker == "A")
        assert left == (where == " left")


@pytest.mark.parametrize("striker", SIDES)
@pytest.mark.parametrize("box", BOXES)
def test_box_and_ace_are_in_the_target_box(classic: Edition, striker: Side, box: BoxSide) -> None:
    for name in ("box", "ace", "0", "1", "2"):
        place = aim_point(name, classic, striker, box)
        seen = facts(classic, striker, place, START[striker])
        target, other = (seen.right, seen.left) if box == "right" else (seen.left, seen.right)
        assert target.touched_mm > other.touched_mm
        assert seen.passed_net_mm > 0
        if name == "ace":
            assert target.ace_mm > 0
        if name.isdecimal():
            assert sum(margin >= 0 for margin in target.worth_mm) == int(name)


@pytest.mark.parametrize("striker", SIDES)
def test_bonus_zones_earn_the_bonus(classic: Edition, striker: Side) -> None:
    sign = 1.0 if striker == "A" else -1.0
    backcourt = (-sign * 200.0, 0.0)
    drop = facts(classic, striker, aim_point("dropshot", classic, striker, None), backcourt)
    assert drop.dropshot_mm > 0
    assert drop.passed_net_mm > 0
    right_edge = (-sign * 100.0, -sign * 60.0)
    aim = aim_point("crosscourt left", classic, striker, None)
    assert facts(classic, striker, aim, right_edge).crosscourt_mm > 0


def test_numbers_are_board_coordinates(classic: Edition) -> None:
    assert aim_point(" 70, -54.5 ", classic, "A", None) == (70.0, -54.5)
    assert aim_point("70 -54.5", classic, "B", "left") == (70.0, -54.5)


@pytest.mark.parametrize("box", [None, *BOXES])
@pytest.mark.parametrize("text", ["", "3", "two", "900 0", "nan 1", "1 2 3", "left", "2 up", "9" * 5000])
def test_anything_else_is_refused_with_what_may_be_typed(
    classic: Edition, text: str, box: BoxSide | None
) -> None:
    with pytest.raises(InputError, match="mm"):
        aim_point(text, classic, "A", box)


def test_names_of_a_serve_are_not_those_of_a_rally(classic: Edition) -> None:
    for name, box in (("ace", None), ("box", None), ("dropshot", "left"), ("2 left", "left")):
        with pytest.raises(InputError):
            aim_point(name, classic, "A", box)  # type: ignore[arg-type]


@pytest.mark.parametrize("box", [None, "left"])
def test_every_name_of_the_help_is_understood(classic: Edition, box: BoxSide | None) -> None:
    names = aim_help(classic, box).split("zone: ")[1].split(", also")[0].split(", ")
    assert len(names) == 5
    for name in names:
        aim_point(name, classic, "A", box)
