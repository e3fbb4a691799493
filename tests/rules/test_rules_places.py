"""Where the ball may be played from: the serve's place, a beginner's 0, a ball that a hand moved
(rulebook, Beginner Level; SM-11, SM-13, SM-19)."""

from dataclasses import replace

import pytest

from firmware.rules import (
    IllegalAction,
    Lay,
    Options,
    Placed,
    PlacementAgreed,
    PlacementAsked,
    PlacementAwaited,
    ReturnAwaited,
    ServeAwaited,
    Setup,
    State,
    StrokeRefused,
    legal,
    start,
    step,
)
from tests.rules.builder import (
    ANYWHERE,
    ELSEWHERE,
    NET,
    NO,
    OFF_BOARD,
    OUT,
    YES,
    called,
    calls,
    lay,
    let,
    place,
    play,
    press,
    rallies,
    rally,
    serve,
    stroke,
)

FIRST = start(Setup())
DISCOVERY = start(Setup(preset="discovery"))
SERVE_ASKED = PlacementAsked("A1", "serve-position", "right", None, None)
ZERO_ASKED = PlacementAsked("A1", "zero", None, "left", None)


def in_play(**where: float) -> State:
    """B's return, with the ball at rest at (30, 40)."""
    return play(FIRST, serve("left", 1, rest_mm=(30.0, 40.0))).state


def at(x: float, y: float) -> Lay:
    return lay(place(at_mm=(x, y)))


# Where to serve from


@pytest.mark.parametrize(
    ("margin", "held"), [(5.0, False), (0.0, False), (-9.99, False), (-10.0, False), (-10.01, True)]
)
def test_sm_13_ten_millimetres_are_tolerated(margin: float, held: bool) -> None:
    there = place(serve_right=margin, serve_left=NO)
    after = play(FIRST, lay(there))
    assert after.events == ((SERVE_ASKED,) if held else ())
    refused = play(FIRST, serve("left", start=there)).events[0]
    assert isinstance(refused, StrokeRefused) == held


def test_sm_13_on_even_points_from_the_right_else_from_the_left() -> None:
    right, left = place(serve_left=NO), place(serve_right=NO)
    assert play(FIRST, lay(right)).events == ()
    assert play(FIRST, lay(left)).events == (SERVE_ASKED,)
    odd = rally(FIRST, "A")
    assert play(odd, lay(left)).events == ()
    assert play(odd, lay(right)).events == (PlacementAsked("A1", "serve-position", "left", None, None),)


def test_sm_13_the_place_is_that_of_the_servers_end() -> None:
    good, bad = place(), ELSEWHERE
    behind_a = replace(good, by_b=bad.by_b)
    behind_b = replace(good, by_a=bad.by_a)
    assert play(FIRST, lay(behind_a)).events == ()
    assert play(FIRST, lay(behind_b)).events == (SERVE_ASKED,)
    second_game = rallies(FIRST, "AAAA")
    assert play(second_game, lay(behind_b)).events == ()
    assert len(play(second_game, lay(behind_a)).events) == 1


def test_sm_13_with_changed_ends_the_server_plays_from_the_other() -> None:
    state = rallies(start(Setup(chosen=Options(change_ends=True))), "AAAA")
    behind_a = replace(place(), by_b=ELSEWHERE.by_b)
    assert play(state, lay(behind_a)).events == ()  # B serves, at end A


def test_sm_13_from_elsewhere_the_rally_is_not_started() -> None:
    after = play(FIRST, serve("left", 2, start=ELSEWHERE))
    assert after.events == (StrokeRefused("A1", "serve-position"), SERVE_ASKED)
    state = after.state
    assert (state.strokes, state.marker, state.undoable) == ((), 0, ())
    assert state.waiting == PlacementAwaited("A1", "serve-position", "right", None, None)


def test_sm_13_it_is_asked_once_however_often_the_ball_is_moved() -> None:
    after = play(FIRST, lay(ELSEWHERE), lay(ELSEWHERE), serve("left", start=ELSEWHERE))
    assert after.events == (SERVE_ASKED, StrokeRefused("A1", "serve-position"))


def test_sm_13_moved_to_its_place_the_serve_is_due() -> None:
    after = play(FIRST, lay(ELSEWHERE), lay(ANYWHERE))
    assert after.events[1:] == (Placed("A1", "serve-position"),)
    assert after.state.waiting == FIRST.waiting
    assert play(after.state, serve("left")).state.waiting == ReturnAwaited("B1", False, (0.0, 0.0))


def test_sm_13_a_serve_from_the_right_place_ends_the_asking() -> None:
    state = play(FIRST, lay(ELSEWHERE)).state
    assert called(state, serve("left", 1)).call == "in"


def test_sm_13_a_fault_from_the_wrong_place_costs_no_attempt() -> None:
    missed = replace(NET, start=ELSEWHERE)
    state = play(FIRST, missed, lay()).state
    assert state.waiting == ServeAwaited("A1", "right", "left", 1)


def test_sm_13_a_second_serve_has_its_place_as_well() -> None:
    state = play(FIRST, NET).state
    assert play(state, lay(ELSEWHERE)).events == (SERVE_ASKED,)
    assert play(state, lay(ELSEWHERE), lay()).state.waiting == ServeAwaited("A1", "right", "left", 2)


def test_sm_13_free_serve_position() -> None:
    free = start(Setup(chosen=Options(free_serve_position=True)))
    assert play(free, lay(ELSEWHERE)).events == ()
    assert called(free, serve("left", 1, start=ELSEWHERE)).call == "in"


def test_both_sides_may_agree_to_serve_from_elsewhere() -> None:
    after = play(FIRST, lay(ELSEWHERE), *press("confirm", "B", "A"))
    assert after.events[1:] == (
        PlacementAgreed("B", "serve-position", False),
        PlacementAgreed("A", "serve-position", True),
    )
    assert after.state.waiting == FIRST.waiting
    assert called(after.state, serve("left", 1, start=ELSEWHERE)).call == "in"
    near = place(at_mm=(102.0, 51.0), serve_right=NO, serve_left=NO)
    assert called(after.state, serve("left", 1, start=near)).call == "in"
    far = place(at_mm=(104.0, 50.0), serve_right=NO, serve_left=NO)
    assert play(after.state, serve("left", 1, start=far)).events[0] == StrokeRefused("A1", "serve-position")


def test_an_agreed_place_to_serve_from_is_for_one_serve() -> None:
    agreed = play(FIRST, lay(ELSEWHERE), *press("confirm", "A", "B")).state
    for served in (let(agreed), NET):
        state = play(agreed, replace(served, start=ELSEWHERE)).state
        assert play(state, lay(ELSEWHERE)).events == (SERVE_ASKED,)


def test_a_ball_laid_to_be_served_from_its_place_ends_the_agreement_on_another() -> None:
    agreed = play(FIRST, lay(ELSEWHERE), *press("confirm", "A", "B")).state
    assert play(agreed, lay(ELSEWHERE)).state == agreed
    right = play(agreed, lay(place(at_mm=(-230.0, -30.0))))
    assert right.events == ()
    after = play(right.state, serve("left", 1, start=ELSEWHERE))
    assert after.events[0] == StrokeRefused("A1", "serve-position")
    assert after.state.strokes == ()


# A beginner's ball on the 0


def test_beginner_level_after_two_missed_serves_the_ball_is_asked_for_on_the_0() -> None:
    after = play(DISCOVERY, NET, OUT)
    assert calls(after.state) == ["fault", "fault"]
    assert after.events[-1] == ZERO_ASKED
    assert after.state.waiting == PlacementAwaited("A1", "zero", None, "left", None)
    assert after.state.score == DISCOVERY.score


@pytest.mark.parametrize("distance", [0.0, 7.99, 8.0])
def test_sm_11_within_eight_millimetres_the_receiver_plays(distance: float) -> None:
    there = place(at_mm=(80.0, 20.0), zero_left=distance, zero_right=99.0)
    after = play(DISCOVERY, NET, NET, lay(there))
    assert after.events[-1] == Placed("A1", "zero")
    assert after.state.waiting == ReturnAwaited("B1", False, (80.0, 20.0))
    assert after.state.marker == 0


@pytest.mark.parametrize("distance", [8.01, 60.0])
def test_sm_11_farther_away_it_waits(distance: float) -> None:
    there = place(zero_left=distance)
    after = play(DISCOVERY, NET, NET, lay(there))
    assert after.events[-1] == ZERO_ASKED  # asked for with the fault, and not again
    assert isinstance(after.state.waiting, PlacementAwaited)
    refused = play(after.state, stroke(start=there))
    assert refused.events == (StrokeRefused("A1", "zero"),)
    assert isinstance(play(refused.state, lay()).state.waiting, ReturnAwaited)


def test_sm_11_the_0_is_that_of_the_box_served_into() -> None:
    left_only, right_only = place(zero_right=50.0), place(zero_left=50.0)
    even = play(DISCOVERY, NET, NET).state
    assert isinstance(play(even, lay(left_only)).state.waiting, ReturnAwaited)
    assert isinstance(play(even, lay(right_only)).state.waiting, PlacementAwaited)
    odd = play(rally(DISCOVERY, "A"), NET, NET)
    assert odd.events[-1] == PlacementAsked("A1", "zero", None, "right", None)
    assert isinstance(play(odd.state, lay(right_only)).state.waiting, ReturnAwaited)
    assert isinstance(play(odd.state, lay(left_only)).state.waiting, PlacementAwaited)


def test_sm_11_no_points_for_it_and_the_rally_goes_on_as_any() -> None:
    state = play(DISCOVERY, NET, NET, lay()).state
    event = called(state, stroke(2))
    assert (event.seat, event.number, event.call, event.marker) == ("B1", 3, "in", -2)
    assert called(state, OUT).rally_winner == "A"


def test_sm_11_a_stroke_from_the_0_shows_that_it_was_laid_there() -> None:
    event = called(play(DISCOVERY, NET, NET).state, stroke(1))
    assert (event.seat, event.call) == ("B1", "in")


def test_sm_11_both_may_agree_on_another_place() -> None:
    state = play(DISCOVERY, NET, NET, lay(ELSEWHERE)).state
    after = play(state, *press("confirm", "A", "B"))
    assert after.events[-1] == PlacementAgreed("B", "zero", True)
    assert after.state.waiting == ReturnAwaited("B1", False, (100.0, 50.0))
    unseen = play(DISCOVERY, NET, NET, *press("confirm", "B", "A")).state
    assert unseen.waiting == ReturnAwaited("B1", False, None)
    assert called(unseen, stroke(1, start=ELSEWHERE)).call == "in"


def test_beginner_level_a_second_serve_may_still_be_good_or_an_ace() -> None:
    second = play(DISCOVERY, NET).state
    assert called(second, serve("left", 1)).call == "in"
    assert called(second, serve("left", ace=YES)).rally_winner == "A"
    assert second.waiting == ServeAwaited("A1", "right", "left", 2)


def test_beginner_level_the_next_service_has_two_attempts_again() -> None:
    state = play(DISCOVERY, NET, NET, lay(), NET).state
    assert state.waiting == ServeAwaited("A1", "left", "right", 1)
    assert state.score.points == (1, 0)


# A ball that a hand moved


@pytest.mark.parametrize(("moved_by", "moved"), [(0.0, False), (3.0, False), (3.01, True), (80.0, True)])
def test_sm_19_three_millimetres_are_no_move(moved_by: float, moved: bool) -> None:
    after = play(in_play(), at(30.0, 40.0 - moved_by))
    asked = PlacementAsked("B1", "moved", None, None, (30.0, 40.0))
    assert after.events == ((asked,) if moved else ())


def test_sm_19_play_waits_for_the_ball_to_be_back() -> None:
    state = play(in_play(), at(60.0, 40.0)).state
    assert state.waiting == PlacementAwaited("B1", "moved", None, None, (30.0, 40.0))
    assert "stroke" in legal(state, "B1")  # it shows that the ball is back, or is refused
    assert "stroke" not in legal(state, "A1")
    nearer = play(state, at(40.0, 40.0))
    assert (nearer.events, nearer.state.waiting) == ((), state.waiting)
    back = play(nearer.state, at(31.0, 42.0))
    assert back.events == (Placed("B1", "moved"),)
    # It is the former rest that stays the measure, not where it was put back to.
    assert back.state.waiting == ReturnAwaited("B1", False, (30.0, 40.0))


def test_sm_19_a_stroke_from_elsewhere_does_not_count() -> None:
    state = play(in_play(), at(60.0, 40.0)).state
    after = play(state, stroke(2, start=place(at_mm=(60.0, 40.0))))
    assert after.events == (StrokeRefused("B1", "moved"),)
    assert len(after.state.strokes) == 1
    assert called(after.state, stroke(2, start=place(at_mm=(30.0, 40.0)))).call == "in"


def test_sm_19_or_both_confirm() -> None:
    after = play(in_play(), at(60.0, 40.0), *press("confirm", "A", "B"))
    assert after.events[1:] == (PlacementAgreed("A", "moved", False), PlacementAgreed("B", "moved", True))
    assert after.state.waiting == ReturnAwaited("B1", False, (60.0, 40.0))
    assert play(after.state, at(60.0, 41.0)).events == ()
    moved_on = play(after.state, at(30.0, 40.0))
    assert moved_on.events == (PlacementAsked("B1", "moved", None, None, (60.0, 40.0)),)


def test_sm_19_one_side_is_not_both() -> None:
    state = play(in_play(), at(60.0, 40.0), *press("confirm", "A")).state
    assert state.waiting == PlacementAwaited("B1", "moved", None, None, (30.0, 40.0), ("A",))
    with pytest.raises(IllegalAction, match="already-agreed"):
        play(state, *press("confirm", "A"))


def test_sm_19_moved_again_both_have_to_agree_anew() -> None:
    state = play(in_play(), at(60.0, 40.0), *press("confirm", "A"), at(90.0, 40.0)).state
    after = play(state, *press("confirm", "B"))
    assert after.events == (PlacementAgreed("B", "moved", False),)


def test_sm_19_the_pressure_stays_while_the_ball_is_put_back() -> None:
    advanced = start(Setup(preset="advanced"))
    state = play(advanced, serve("left", 2, rest_mm=(30.0, 40.0)), at(60.0, 40.0), at(30.0, 40.0)).state
    assert state.waiting == ReturnAwaited("B1", True, (30.0, 40.0))


def test_in_the_rally_the_ball_is_played_from_where_it_rests() -> None:
    state = play(in_play(), stroke(1, rest_mm=(-50.0, 7.0))).state
    assert state.waiting == ReturnAwaited("A1", False, (-50.0, 7.0))


def test_sm_19_a_stroke_that_was_not_seen_to_be_moved_counts() -> None:
    """That a hand moved the ball is announced when it is seen; a stroke alone is no sign of it."""
    assert called(in_play(), stroke(1, start=ELSEWHERE)).call == "in"


def test_a_ball_that_lies_anywhere_matters_to_nobody_after_the_match() -> None:
    over = rallies(start(Setup(sets_to_win=1)), "A" * 12)
    assert step(over, lay(ELSEWHERE)).state == over


def test_sm_21_a_ball_brought_back_from_off_the_board_is_served_again() -> None:
    state = play(FIRST, OFF_BOARD).state
    assert play(state, lay()).state.waiting == ServeAwaited("A1", "right", "left", 2)


NAN = float("nan")


@pytest.mark.parametrize(
    "wrong",
    [
        {"at_mm": (NAN, 0.0)},
        {"at_mm": (0.0, NAN)},
        {"serve_right": NAN},
        {"serve_left": NAN},
        {"zero_right": NAN},
        {"zero_left": NAN},
    ],
)
def test_a_place_that_is_no_number_is_refused(wrong: dict[str, object]) -> None:
    there = place(**wrong)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction, match="not-a-number"):
        play(FIRST, lay(there))
    with pytest.raises(IllegalAction, match="not-a-number"):
        play(FIRST, serve("left", start=there))


def test_a_rest_or_a_start_that_is_no_number_is_refused() -> None:
    left = serve("left", 1).by_a.left
    for landing in (
        serve("left", rest_mm=(NAN, 0.0)),
        serve("left", rest_mm=(0.0, NAN)),
        stroke(1, crosscourt=YES, start_in_court=NAN, left=left),
    ):
        with pytest.raises(IllegalAction, match="not-a-number"):
            play(FIRST, landing)
