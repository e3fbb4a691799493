"""Doubles: order of strokes and of service, bounds with the alleys (rulebook, Playing Doubles and
Figure I; SM-17)."""

import pytest

from firmware.rules import (
    Called,
    Options,
    PlacementAwaited,
    ReturnAwaited,
    Seat,
    Setup,
    Side,
    State,
    legal,
    start,
    view,
)
from tests.rules.builder import (
    NET,
    YES,
    awaited_serve,
    called,
    lay,
    play,
    press,
    rallies,
    serve,
    stroke,
)

ROUND = ["A1", "B1", "A2", "B2"]


def doubles(first_server: Side = "A", **fields: object) -> State:
    return start(Setup(doubles=True, first_server=first_server, **fields))  # type: ignore[arg-type]


def strikers(state: State, strokes: int) -> list[str]:
    """Who strikes: a serve and then strokes worth nothing."""
    after = play(state, serve("left", 0), *[stroke(0)] * (strokes - 1))
    return [event.seat for event in after.events if isinstance(event, Called)]


def test_figure_i_order_of_strokes() -> None:
    assert strikers(doubles(), 9) == [*ROUND, *ROUND, "A1"]


def test_sm_17_the_order_begins_with_the_server() -> None:
    assert strikers(doubles("B"), 5) == ["B1", "A2", "B2", "A1", "B1"]
    second_game = rallies(doubles(), "AAAA")
    assert strikers(second_game, 5) == ["B1", "A2", "B2", "A1", "B1"]
    third_game = rallies(doubles(), "AAAABBBB")
    assert strikers(third_game, 5) == ["A2", "B2", "A1", "B1", "A2"]


def test_playing_doubles_the_next_game_is_served_by_the_next_seat() -> None:
    state, seats = doubles(sets_to_win=3), []
    for _ in range(6):
        seats.append(awaited_serve(state).seat)
        state = rallies(state, "AAAA")
    assert seats == [*ROUND, "A1", "B1"]


def test_order_of_turns_one_seat_serves_a_whole_game() -> None:
    state = rallies(doubles(), "AB")
    assert awaited_serve(state).seat == "A1"
    assert awaited_serve(rallies(state, "AB")).seat == "A1"


def test_order_of_turns_a_second_attempt_is_the_same_seats() -> None:
    assert awaited_serve(play(doubles(), NET).state).seat == "A1"
    assert awaited_serve(play(doubles(), serve("left", touches_net=5.0)).state).seat == "A1"


def test_sm_17_the_marker_moves_for_the_side() -> None:
    state = play(doubles(), serve("left", 1), stroke(0), stroke(1)).state
    assert state.marker == 2
    winner = called(play(state, stroke(1)).state, stroke(2))
    assert (winner.seat, winner.call, winner.marker, winner.rally_winner) == ("A1", "winner", 3, "A")


def test_sm_17_a_winner_by_b2() -> None:
    state = play(doubles(), serve("left", 0), stroke(2), stroke(0)).state
    event = called(state, stroke(1))
    assert (event.seat, event.call, event.rally_winner) == ("B2", "winner", "B")


def test_extending_the_point_zones_the_alleys_are_in() -> None:
    alley = stroke(2, in_singles=-10.0, in_doubles=4.0)
    assert called(play(doubles(), serve("left", 0)).state, alley).call == "in"
    assert called(play(start(Setup()), serve("left", 0)).state, alley).call == "out"


@pytest.mark.parametrize(("margin", "call"), [(0.0, "in"), (0.001, "in"), (-0.001, "out")])
def test_sm_17_the_doubles_bounds_are_touched_in_any_proportion(margin: float, call: str) -> None:
    landing = stroke(2, in_singles=-26.0 + margin, in_doubles=margin)
    assert called(play(doubles(), serve("left", 0)).state, landing).call == call


def test_sm_17_the_service_boxes_are_those_of_singles() -> None:
    """An alley beside the box is no place for a serve."""
    beside = serve("left", 2, touched=-1.0)
    assert beside.by_a.in_doubles_mm > 0
    assert called(doubles(), beside).call == "fault"


def test_sm_17_without_boxes_a_serve_may_land_in_the_alleys() -> None:
    state = start(Setup(preset="children", doubles=True))
    assert called(state, stroke(1, in_singles=-10.0, in_doubles=5.0)).call == "in"
    assert (
        called(start(Setup(preset="children")), stroke(1, in_singles=-10.0, in_doubles=5.0)).call == "fault"
    )


def test_playing_doubles_simplified_each_seat_serves_two_rallies() -> None:
    state, seats = start(Setup(preset="simplified", doubles=True)), []
    for winner in "ABABABABAB":
        seats.append(awaited_serve(state).seat)
        state = rallies(state, winner)
    assert seats == ["A1", "A1", "B1", "B1", "A2", "A2", "B2", "B2", "A1", "A1"]


def test_playing_doubles_a_beginners_ball_on_the_0_is_played_by_the_next_seat() -> None:
    state = play(doubles(preset="discovery"), NET, NET).state
    assert state.waiting == PlacementAwaited("A1", "zero", None, "left", None)
    assert play(state, lay()).state.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


def test_playing_doubles_either_partner_may_press_for_the_side() -> None:
    state = play(doubles(), serve("left", 0), stroke(0), stroke(0), *press("flick-fault", "B")).state
    ours: tuple[Seat, ...] = ("A1", "A2")
    theirs: tuple[Seat, ...] = ("B1", "B2")
    for seat in ours:
        assert {"confirm", "challenge"} <= set(legal(state, seat))
    for seat in theirs:
        assert not {"confirm", "challenge"} & set(legal(state, seat))
    assert [view(state, seat).yours for seat in state.setup.order] == [False, False, True, False]


def test_playing_doubles_a_new_set_goes_on_with_the_next_seat() -> None:
    tie_break = Options(tie_break=True)
    state = rallies(doubles(chosen=tie_break), "AAAABBBB" * 2)
    assert awaited_serve(state).seat == "A1"
    assert awaited_serve(rallies(state, "AAAAA")).seat == "B1"
    assert awaited_serve(rallies(doubles(), "AAAA" * 3)).seat == "B2"


def test_figure_i_bonuses_count_in_doubles() -> None:
    state = play(doubles(), serve("left", 0)).state
    assert called(state, stroke(0, crosscourt=YES, dropshot=YES)).points == 2
