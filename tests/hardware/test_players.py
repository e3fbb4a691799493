"""The simulated players: they serve from where one may, aim at value, miss now and then, repeat."""

from collections import Counter

import numpy as np
import pytest

from calibration.edition import Edition
from hardware.simulated.camera import simulated_scene
from hardware.simulated.players import BoxSide, Players, Situation, Skill
from hardware.simulated.scene import Scene
from hardware.simulated.table import PlacementTruth, Side, SimulatedTable, StrokeTruth


@pytest.fixture(scope="module")
def scene() -> Scene:
    return simulated_scene()


def settle(table: SimulatedTable) -> None:
    while table.busy:
        table.step(0.25)


def seen_by(side: Side, point: tuple[float, float]) -> tuple[float, float]:
    """A point in the frame of a player who looks along +x."""
    return point if side == "A" else (-point[0], -point[1])


def fate(edition: Edition, stroke: StrokeTruth) -> str:
    x, y = seen_by(stroke.side, stroke.end.dot_printed_mm)
    court = edition.court
    if x <= edition.lines.net_mm / 2:
        return "net"
    inside = x < court.baseline_mm + 11 and abs(y) < court.singles_mm + 11
    return "in" if inside else "out"


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("box", ["left", "right"])
def test_serves_start_where_one_may_serve(scene: Scene, side: Side, box: BoxSide) -> None:
    court = scene.edition.court
    table = SimulatedTable(scene, 3, ball_at_mm=(40.0, 0.0))
    players = Players(table, 3)
    for _ in range(6):
        stroke = players.play(Situation(side, box))
        settle(table)
        x, y = seen_by(side, stroke.start.disc_printed_mm)
        assert -scene.edition.extent_x_mm[1] < x <= -court.baseline_mm
        # The left box, as the striker sees it, is served from the right of the centre mark.
        assert 0 < (-y if box == "left" else y) < court.singles_mm
        far_x, far_y = seen_by(side, stroke.end.dot_printed_mm)
        if fate(scene.edition, stroke) == "in" and far_x < court.service_line_mm:
            assert (far_y > -11) if box == "left" else (far_y < 11)


def test_a_ball_that_lies_right_is_not_carried(scene: Scene) -> None:
    table = SimulatedTable(scene, 4)
    players = Players(table, 4)
    players.play(Situation("A", "left"))
    settle(table)
    assert [type(truth) for truth in table.truth] == [StrokeTruth]
    players.play(Situation("B", "right"))
    settle(table)
    assert [type(truth) for truth in table.truth][1:] == [PlacementTruth, StrokeTruth]


def test_most_strokes_are_good_and_some_are_not(scene: Scene) -> None:
    table = SimulatedTable(scene, 5)
    players = Players(table, 5)
    fates: Counter[str] = Counter()
    side: Side = "A"
    for _ in range(250):
        stroke = players.play(Situation(side))
        settle(table)
        fates[fate(scene.edition, stroke)] += 1
        side = "B" if side == "A" else "A"
        if fate(scene.edition, stroke) != "in":
            table.carry(side, (-200.0, 0.0) if side == "A" else (200.0, 0.0))
    assert fates["in"] > 150
    assert fates["net"] + fates["out"] > 10


def test_they_aim_at_what_counts(scene: Scene) -> None:
    """Sure hands find higher zones than hands that do not aim at all."""
    edition = scene.edition
    table = SimulatedTable(scene, 6, ball_at_mm=(-150.0, 20.0))
    sure = Players(table, 6, {"A": Skill(0.005, 0.005, 0.0), "B": Skill()})
    points = []
    for _ in range(30):
        stroke = sure.play(Situation("A"))
        assert fate(edition, stroke) == "in"
        landing = np.array([seen_by("A", stroke.end.dot_printed_mm)])
        points.append(int(edition.zone_map.values_at(landing)[0]))
        table.carry("A", (-150.0, 20.0))
    assert np.mean(points) > 1.7


def test_a_person_can_aim_with_their_hands(scene: Scene) -> None:
    table = SimulatedTable(scene, 7, ball_at_mm=(-150.0, 20.0))
    players = Players(table, 7, {"A": Skill(0.0, 0.0, 0.0), "B": Skill()})
    stroke = players.play(Situation("A"), aim_mm=(90.0, -40.0))
    assert stroke.end.disc_mm == pytest.approx((90.0, -40.0), abs=1e-6)


def test_one_seed_one_match(scene: Scene) -> None:
    def match(seed: int) -> list[tuple[float, float]]:
        table = SimulatedTable(scene, seed)
        players = Players(table, seed)
        ends = []
        for index in range(8):
            box: BoxSide | None = "left" if index % 3 == 0 else None
            ends.append(players.play(Situation("A" if index % 2 == 0 else "B", box)).end.dot_mm)
            settle(table)
        return ends

    assert match(8) == match(8)
    assert match(8) != match(9)
