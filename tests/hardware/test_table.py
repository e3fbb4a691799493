"""The simulated table: acts in order, exact truth, hands that come and go, one seed one table."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from hardware.simulated.acts import Flick
from hardware.simulated.band import starting_pawns
from hardware.simulated.hands import FINGERTIP_RADIUS_MM, capsules
from hardware.simulated.motion import Launch, launch_to
from hardware.simulated.scene import TABLE_Z_MM, HalfShift, Scene, camera_over, default_scene
from hardware.simulated.table import PlacementTruth, SimulatedTable, StrokeTruth


@pytest.fixture(scope="module")
def scene() -> Scene:
    plain = default_scene()
    return replace(plain, pawns=starting_pawns(plain.edition))


def settle(table: SimulatedTable) -> None:
    while table.busy:
        table.step(0.1)


def test_a_stroke_starts_and_ends_where_the_truth_says(scene: Scene) -> None:
    table = SimulatedTable(scene, 1)
    told = table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0)))
    early = list(table.truth)
    settle(table)
    assert early == []
    assert list(table.truth) == [told]
    assert told.end.disc_mm == pytest.approx((70.0, 54.0), abs=1e-6)
    before, after = table.at(told.touched_at).balls[0], table.at(told.rested_at).balls[0]
    assert before.disc_mm == pytest.approx(told.start.disc_mm)
    assert after.disc_mm == pytest.approx(told.end.disc_mm)
    moving = table.at((told.touched_at + told.rested_at) / 2).balls[0]
    assert math.dist(moving.disc_mm, before.disc_mm) > 50
    assert math.dist(moving.disc_mm, after.disc_mm) > 20


def test_the_ball_lies_still_until_it_is_touched_and_after_it_rested(scene: Scene) -> None:
    table = SimulatedTable(scene, 2)
    told = table.flick("A", launch_to(table.ball.disc_mm, (120.0, -40.0), bend_mm=5.0))
    for share in (0.0, 0.5, 1.0):
        assert table.at(share * told.touched_at).balls[0] == table.at(0.0).balls[0]
        assert table.at(told.rested_at + share).balls[0] == table.at(told.rested_at).balls[0]


def test_the_finger_is_at_the_ball_when_it_leaves_and_behind_it_afterwards(scene: Scene) -> None:
    table = SimulatedTable(scene, 3)
    told = table.flick("A", launch_to(table.ball.disc_mm, (60.0, 30.0)))
    at_touch = table.at(told.touched_at)
    finger = at_touch.hands[0]
    gap = math.dist(finger.tip_mm[:2], at_touch.balls[0].disc_mm) - scene.ball.radius_mm
    assert 0 < gap < FINGERTIP_RADIUS_MM * 1.2
    for after in (0.05, 0.1, 0.2, 0.4):
        later = table.at(told.touched_at + after)
        for hand in later.hands:
            assert math.dist(hand.tip_mm[:2], later.balls[0].disc_mm) > scene.ball.radius_mm


def test_a_hand_comes_two_thirds_of_a_second_before_the_touch_and_goes_again(scene: Scene) -> None:
    table = SimulatedTable(scene, 4)
    told = table.flick("B", launch_to(table.ball.disc_mm, (60.0, 30.0)))
    assert table.at(told.hand_at - 0.01).hands == ()
    assert 0.5 < told.touched_at - told.hand_at < 1.0
    x, y, _ = table.at(told.hand_at + 1e-6).hands[0].tip_mm
    pixel = scene.camera.project([(x, y, 30.0)])[0]
    assert not (0 <= pixel[0] < scene.size[0] and 0 <= pixel[1] < scene.size[1])
    assert table.at(told.touched_at + 1.0).hands == ()


def test_an_arm_reaches_out_of_the_picture(scene: Scene) -> None:
    turned = camera_over(scene.edition, scene.size, tilt_deg=4.0, turn_deg=37.0)
    table = SimulatedTable(replace(scene, camera=turned), 4)
    told = table.flick("B", launch_to(table.ball.disc_mm, (60.0, 30.0)))
    for at in (told.hand_at + 1e-6, told.touched_at):
        arm = next(limb for limb in capsules(table.at(at).hands[0]) if limb.cloth)
        x, y = turned.project([arm.end_mm])[0]
        assert not (0 <= x < scene.size[0] and 0 <= y < scene.size[1])


def test_hands_reach_in_from_their_players_end(scene: Scene) -> None:
    for side, sign in (("A", -1), ("B", 1)):
        table = SimulatedTable(scene, 5)
        told = table.flick(side, launch_to(table.ball.disc_mm, (60.0, 30.0)))  # type: ignore[arg-type]
        elbow = table.at(told.touched_at).hands[0].elbow_mm
        assert sign * elbow[0] > scene.edition.extent_x_mm[1]


def test_a_carried_ball_rises_and_is_put_down_where_it_was_meant(scene: Scene) -> None:
    table = SimulatedTable(scene, 6, ball_at_mm=(100.0, 40.0))
    told = table.carry("A", (-235.0, 30.0))
    settle(table)
    assert isinstance(told, PlacementTruth)
    assert table.truth == (told,)
    assert table.ball.dot_mm == pytest.approx((-235.0, 30.0))
    middle = table.at((told.lifted_at + told.placed_at) / 2)
    assert middle.balls[0].bottom_mm > 15
    assert table.at(told.placed_at).balls[0].bottom_mm == 0.0
    # While it is carried it stays under the hand.
    for share in (0.2, 0.5, 0.8):
        now = table.at(told.lifted_at + share * (told.placed_at - told.lifted_at))
        assert math.dist(now.hands[0].tip_mm[:2], now.balls[0].disc_mm) < 12


def test_a_dragged_ball_stays_on_the_board(scene: Scene) -> None:
    table = SimulatedTable(scene, 6, ball_at_mm=(100.0, 40.0))
    told = table.carry("B", (60.0, -30.0), drag=True)
    heights = [
        table.at(told.lifted_at + share * (told.placed_at - told.lifted_at)).balls[0].bottom_mm
        for share in (0.0, 0.3, 0.6, 1.0)
    ]
    assert heights == pytest.approx([0.0] * 4, abs=1e-9)
    assert told.end.dot_mm == pytest.approx((60.0, -30.0))


def test_another_ball_lies_in_the_way(scene: Scene) -> None:
    table = SimulatedTable(scene, 6, ball_at_mm=(-100.0, 0.0), other_balls_mm=((50.0, 0.0),))
    told = table.flick("A", Launch(0.0, 1000.0))
    other = table.at(0.0).balls[1]
    assert other.dot_mm(scene.ball) == pytest.approx((50.0, 0.0))
    gap = math.dist(told.end.disc_mm, other.disc_mm) - 2 * scene.ball.radius_mm
    assert 0 <= gap < 1.5
    assert table.at(told.rested_at).balls[1] == other


def test_the_ball_moves_without_a_jump(scene: Scene) -> None:
    table = SimulatedTable(scene, 7)
    table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0), turn_per_mm=0.005))
    table.carry("B", (235.0, -20.0))
    table.flick("B", launch_to(table.ball.disc_mm, (-60.0, 0.0)))
    end, step = 12.0, 0.001
    spots = [table.at(i * step).balls[0] for i in range(int(end / step))]
    for one, two in pairwise(spots):
        assert math.dist(one.disc_mm, two.disc_mm) < 2500 * step
        assert abs(one.bottom_mm - two.bottom_mm) < 1.0


def test_acts_follow_one_another_with_a_pause(scene: Scene) -> None:
    table = SimulatedTable(scene, 8)
    first = table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0)))
    second = table.flick("B", launch_to(table.ball.disc_mm, (-100.0, 5.0)))
    assert second.number == first.number + 1
    assert 0.5 < second.hand_at - first.rested_at < 1.3
    assert second.start == first.end


def test_a_ball_beyond_the_edge_falls_on_the_table(scene: Scene) -> None:
    table = SimulatedTable(scene, 9)
    told = table.flick("A", launch_to(table.ball.disc_mm, (300.0, 20.0)))
    assert told.end.off_board
    assert not told.start.off_board
    assert table.at(told.rested_at).balls[0].bottom_mm == TABLE_Z_MM


def test_a_pawn_stops_the_ball(scene: Scene) -> None:
    marker = next(pawn for pawn in scene.pawns if pawn.name == "marker")
    table = SimulatedTable(scene, 10, ball_at_mm=(0.0, 60.0))
    told = table.flick("A", Launch(math.pi / 2, 900.0))
    gap = math.dist(told.end.disc_mm, marker.at_mm) - scene.ball.radius_mm - marker.radius_mm
    assert 0 <= gap < 1.5


def test_a_pawn_stands_where_it_was_moved(scene: Scene) -> None:
    table = SimulatedTable(scene, 11)
    table.move_pawn("A", "marker", (20.0, 140.0))
    start = table.at(0.0).pawns
    settle(table)
    moved = {pawn.name: pawn.at_mm for pawn in table.at(table.now).pawns}
    assert moved == {pawn.name: pawn.at_mm for pawn in start} | {"marker": (20.0, 140.0)}
    assert table.at(0.0).pawns == start
    assert table.truth == ()


def test_a_pawn_that_is_not_there(scene: Scene) -> None:
    with pytest.raises(ValueError, match="there are: marker"):
        SimulatedTable(scene, 12).move_pawn("A", "king", (0.0, 0.0))


def test_passing_over_touches_nothing(scene: Scene) -> None:
    table = SimulatedTable(scene, 13)
    before = table.ball
    table.pass_over("B", (10.0, 0.0))
    seen = 0
    while table.busy:
        seen += bool(table.at(table.now).hands)
        table.step(1 / 30)
    assert seen > 20
    assert table.ball == before
    assert table.truth == ()


def test_lamps_and_camera_change_when_told(scene: Scene) -> None:
    table = SimulatedTable(scene, 14)
    elsewhere = camera_over(scene.edition, scene.size, tilt_deg=6.0, turn_deg=0.3)
    table.switch_lamps((0.4,), after_s=1.0)
    table.knock_camera(elsewhere, after_s=2.0)
    assert table.at(0.9).weight(0) == 1.0
    assert table.at(1.1).weight(0) == 0.4
    assert table.at(1.1).camera is None
    assert table.at(2.1).camera == elsewhere
    assert table.at(2.1).weight(0) == 0.4


def test_printed_places_are_in_the_frame_of_the_dots_half(scene: Scene) -> None:
    shifted = replace(scene, half_b=HalfShift(0.5, -0.3, 0.4))
    table = SimulatedTable(shifted, 15, ball_at_mm=(100.0, 40.0))
    spot = table.ball
    assert spot.half == "B"
    again = shifted.half_b.to_world(spot.dot_printed_mm)
    assert tuple(again) == pytest.approx(spot.dot_mm)
    assert math.dist(spot.dot_printed_mm, spot.dot_mm) > 0.3


def test_time_does_not_run_backwards(scene: Scene) -> None:
    with pytest.raises(ValueError, match="backwards"):
        SimulatedTable(scene, 16).step(-0.1)


def test_one_seed_one_table(scene: Scene) -> None:
    def play(seed: int) -> tuple[object, ...]:
        table = SimulatedTable(scene, seed)
        table.flick("A", launch_to(table.ball.disc_mm, (70.0, 54.0)))
        table.carry("B", (235.0, -20.0))
        settle(table)
        return (*table.truth, table.at(1.2), table.at(3.0))

    assert play(17) == play(17)
    assert play(17) != play(18)


def test_a_flicking_hand_leaves_the_ball_in_sight(scene: Scene) -> None:
    table = SimulatedTable(scene, 19, ball_at_mm=(-60.0, 10.0))
    told = table.flick("A", launch_to(table.ball.disc_mm, (120.0, 60.0)))
    assert isinstance(told, StrokeTruth)
    act = table._entries[0].act
    assert isinstance(act, Flick)
    hand = table.at(told.touched_at).hands[0]
    x, y = told.start.disc_mm
    for limb in capsules(hand):
        for end in (limb.start_mm, limb.end_mm):
            assert math.dist(end[:2], (x, y)) > scene.ball.radius_mm
