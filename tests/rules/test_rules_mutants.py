"""What no other test would miss: each of these holds a mutant of the rules that all others let pass.

How such mutants are found is in MUTANTS.md. A test stands here for the behaviour that its name tells.
"""

from dataclasses import replace

import pytest

from firmware.rules import (
    Action,
    Call,
    Called,
    Correct,
    EndsChanged,
    GameWon,
    Landing,
    Options,
    PlacementAwaited,
    Point,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    Side,
    Stroke,
    StrokeRefused,
    end_of,
    legal,
    replay,
    start,
)
from firmware.rules.buttons import refusal
from firmware.rules.state import Ruling, Standing
from tests.rules.builder import (
    ANYWHERE,
    ELSEWHERE,
    NET,
    NO,
    YES,
    ace,
    awaited_serve,
    called,
    calls,
    correct,
    good_serve,
    in_rally,
    lay,
    let,
    place,
    play,
    press,
    rallies,
    reason_of,
    serve,
    stroke,
)

FIRST = start(Setup())
DISCOVERY = start(Setup(preset="discovery"))
NAN = float("nan")


# The log: a match is its setup and its actions


@pytest.mark.parametrize(
    "actions",
    [
        (serve("left"), stroke(1), NET),
        (serve("left", start=ELSEWHERE), lay(), serve("left")),
        (lay(ELSEWHERE), lay(), serve("left")),
        (lay(ELSEWHERE), *press("confirm", "A", "B"), serve("left", start=ELSEWHERE)),
        (lay(ELSEWHERE), *press("confirm", "A", "B"), lay(place(at_mm=(-400.0, 30.0)))),
        (serve("left"), *press("confirm", "A"), *press("flick-fault", "B"), *press("challenge", "A")),
        (serve("left"), stroke(1), *press("flick-fault", "A"), *press("confirm", "B")),
        (serve("left"), stroke(1), Correct(2, "out")),
    ],
)
def test_all_that_was_done_is_in_the_log_and_replays_with_all_its_events(
    actions: tuple[Landing | Action, ...],
) -> None:
    live = play(FIRST, *actions)
    done = tuple(Stroke(each) if isinstance(each, Landing) else each for each in actions)
    assert live.state.actions == done
    again = replay(FIRST.setup, done)
    assert (again.state, again.events) == (live.state, live.events)


# What may be done, and why not


def test_while_the_ball_is_to_be_laid_on_the_0_the_receiver_may_strike() -> None:
    state = play(DISCOVERY, NET, NET).state
    assert "stroke" in legal(state, "B1")
    assert "stroke" not in legal(state, "A1")


def test_a_match_whose_only_stroke_is_void_has_nothing_to_correct() -> None:
    state = play(FIRST, serve("left"), *press("flick-fault", "B"), *press("challenge", "A")).state
    assert calls(state) == ["void"]
    for seat in FIRST.setup.order:
        assert "correct" not in legal(state, seat)
    assert reason_of(state, Correct(1, "in")) == "stroke-is-void"
    assert refusal(state, "flick-fault", "B") == "stroke-is-void"


@pytest.mark.parametrize("call", ["void", "out", "net", "winner", "let", "ace", "double-fault"])
def test_a_call_that_no_such_stroke_can_have_is_refused_to_the_letter(call: Call) -> None:
    served, returned = play(FIRST, serve("left")).state, in_rally()
    missed: Call = "fault"
    on_serve = {
        "void": "no-such-ruling",
        "winner": "rally-ruling-only",
        "double-fault": "first-serve-only-faults",
    }
    on_return = {"void": "no-such-ruling", "let": "serve-ruling-only", "ace": "serve-ruling-only"}
    on_return["double-fault"] = "serve-ruling-only"
    if call in on_serve:
        assert reason_of(served, Correct(1, call)) == on_serve[call]
    else:
        expected = missed if call in ("out", "net") else call
        assert calls(correct(served, 1, call).state) == [expected]
    if call in on_return:
        assert reason_of(returned, Correct(2, call)) == on_return[call]
    else:
        assert calls(correct(returned, 2, call).state)[1] == call


# Places


def test_sm_11_both_confirm_at_once_and_the_first_to_do_so_is_told() -> None:
    """Nobody laid the ball anywhere before they agreed."""
    state = play(DISCOVERY, NET, NET, *press("confirm", "B")).state
    assert state.waiting == PlacementAwaited("A1", "zero", None, "left", None, ("B",))
    state = play(state, *press("confirm", "A")).state
    assert state.waiting == ReturnAwaited("B1", False, None)


def test_an_agreed_place_to_serve_from_is_no_longer_agreed_once_the_ball_lies_right_elsewhere() -> None:
    """Also when the ball was since laid where none may start, and from there where any may."""
    far = place(at_mm=(-200.0, 0.0), serve_right=NO, serve_left=NO)
    agreed = play(FIRST, lay(ELSEWHERE), *press("confirm", "A", "B")).state
    state = play(agreed, lay(far)).state
    assert state.waiting == PlacementAwaited("A1", "serve-position", "right", None, None)
    assert called(play(state, lay(ELSEWHERE)).state, serve("left", start=ELSEWHERE)).call == "in"
    state = play(state, lay(place(at_mm=(-400.0, 30.0)))).state
    assert isinstance(state.waiting, ServeAwaited)
    assert play(state, serve("left", start=ELSEWHERE)).events[0] == StrokeRefused("A1", "serve-position")


def test_an_agreed_place_to_serve_from_is_as_wide_as_one_to_put_the_ball_back_to() -> None:
    agreed = play(FIRST, lay(ELSEWHERE), *press("confirm", "A", "B")).state
    beside = place(at_mm=(102.9, 50.0), serve_right=NO, serve_left=NO)
    state = play(agreed, lay(beside)).state
    assert called(state, serve("left", start=ELSEWHERE)).call == "in"


def test_sm_20_both_may_agree_to_play_on_from_where_a_contested_stroke_came_to_rest() -> None:
    state = play(FIRST, serve("left", rest_mm=(30.0, 40.0))).state
    returned = stroke(1, start=place(at_mm=(30.0, 40.0)), rest_mm=(-50.0, 5.0))
    state = play(state, returned, *press("flick-fault", "A"), *press("challenge", "B")).state
    assert state.waiting == PlacementAwaited("B1", "again", None, None, (30.0, 40.0))
    state = play(state, *press("confirm", "A", "B")).state
    assert state.waiting == ReturnAwaited("B1", False, (-50.0, 5.0))


def test_sm_20_the_former_rest_is_where_the_stroke_was_in_fact_played() -> None:
    """A ball that nobody saw moved was played from elsewhere than where it had come to rest."""
    state = play(FIRST, serve("left", rest_mm=(30.0, 40.0))).state
    returned = stroke(1, start=place(at_mm=(60.0, 10.0)), rest_mm=(-50.0, 5.0))
    state = play(state, returned, *press("flick-fault", "A"), *press("challenge", "B")).state
    assert state.waiting == PlacementAwaited("B1", "again", None, None, (60.0, 10.0))


def test_sm_20_a_contested_serve_from_an_agreed_place_may_start_there_again() -> None:
    agreed = (lay(ELSEWHERE), *press("confirm", "A", "B"))
    served = serve("left", start=ELSEWHERE)
    state = play(FIRST, *agreed, served, *press("flick-fault", "B"), *press("challenge", "A")).state
    assert called(state, served).call == "in"


def test_sm_20_a_winner_that_was_badly_flicked_holds_nothing_up() -> None:
    """The same serve is due as after the winner; the question is settled."""
    state = play(in_rally(2), stroke(2), *press("flick-fault", "B"), *press("confirm", "A")).state
    assert (state.score.points, calls(state)[-1]) == ((0, 1), "flick-fault")
    assert state.waiting == ServeAwaited("A1", "left", "right", 1)


# Rallies, games


def test_rallies_are_numbered_from_1_as_they_were_played_and_no_number_comes_again() -> None:
    """A contested serve was of the third rally; the one played for it is of the fourth."""
    contested = (*press("flick-fault", "B"), *press("challenge", "A"))
    state = play(FIRST, ace(FIRST), NET, NET).state
    state = play(state, good_serve(state), *contested, good_serve(state), NET).state
    state = play(state, ace(state)).state
    assert calls(state) == ["ace", "fault", "double-fault", "void", "in", "net", "ace"]
    assert state.strokes[3].ruling == Ruling("void")
    assert [played.rally for played in state.strokes] == [1, 2, 2, 3, 4, 4, 5]


def test_a_contested_second_serve_is_of_the_rally_of_the_first() -> None:
    contested = (*press("flick-fault", "B"), *press("challenge", "A"))
    state = play(FIRST, NET, serve("left"), *contested, NET).state
    assert [played.rally for played in state.strokes] == [1, 1, 1]
    assert calls(correct(state, 1, "let").state) == ["let", "void", "fault"]


def test_sm_18_the_change_of_ends_is_announced_after_what_was_won() -> None:
    state = rallies(start(Setup(chosen=Options(change_ends=True))), "AAA")
    events = play(state, good_serve(state), NET).events
    score = Score((0, 0), (1, 0))
    assert events[2:] == (RallyWon("A", score), GameWon("A", score), EndsChanged(score))


# Doubt


@pytest.mark.parametrize(("margin_mm", "call", "certain"), [(-3.0, "out", True), (-2.999, "in", False)])
def test_three_standard_deviations_are_no_doubt_and_less_is(
    margin_mm: float, call: Call, certain: bool
) -> None:
    event = called(in_rally(), stroke(1, in_singles=margin_mm, disc_sigma=1.0))
    assert (event.call, event.margin_mm, event.certain) == (call, margin_mm, certain)


def test_a_tangent_touches_though_arithmetic_is_not_exact() -> None:
    """Up to a millionth of a micrometre; as much beyond the net is still on its line."""
    assert called(in_rally(), stroke(in_singles=-1e-9)).call == "in"
    assert called(in_rally(), stroke(in_singles=-1.1e-9)).call == "out"
    assert called(in_rally(), stroke(passed_net=1e-9)).call == "net"
    assert called(in_rally(), stroke(passed_net=1.1e-9)).call == "in"


@pytest.mark.parametrize("field", ["serve_right_mm", "serve_left_mm", "zero_right_mm", "zero_left_mm"])
@pytest.mark.parametrize("end", ["by_a", "by_b"])
def test_a_place_that_is_no_number_is_refused_whoever_plays_from_it(end: str, field: str) -> None:
    facts = replace(ANYWHERE.by_a, **{field: NAN})
    there = replace(ANYWHERE, **{end: facts})  # type: ignore[arg-type]
    assert reason_of(FIRST, lay(there)) == "not-a-number"
    assert reason_of(FIRST, Stroke(serve("left", start=there))) == "not-a-number"


@pytest.mark.parametrize("at_mm", [(NAN, 0.0), (0.0, NAN)])
def test_a_point_that_is_no_number_is_refused(at_mm: Point) -> None:
    assert reason_of(FIRST, lay(place(at_mm=at_mm))) == "not-a-number"
    assert reason_of(FIRST, Stroke(serve("left", rest_mm=at_mm))) == "not-a-number"


def test_a_margin_that_is_no_number_is_refused_also_that_of_a_serves_start() -> None:
    """The lesser of two margins would pass over it."""
    assert reason_of(FIRST, Stroke(serve("left", passed_net=NAN))) == "not-a-number"
    assert reason_of(FIRST, Stroke(stroke(start_in_court=NAN))) == "not-a-number"
    for bonus in ("crosscourt", "dropshot"):
        assert reason_of(FIRST, Stroke(stroke(**{bonus: NAN}))) == "not-a-number"  # type: ignore[arg-type]


# States


def test_a_second_serve_may_not_start_where_the_first_came_to_rest() -> None:
    missed = replace(NET, rest_mm=(-20.0, 30.0))
    there = replace(ELSEWHERE, at_mm=(-20.0, 30.0))
    for first in (missed, replace(let(FIRST), rest_mm=(-20.0, 30.0))):
        state = play(FIRST, first).state
        after = play(state, serve("left", start=there))
        assert isinstance(after.events[0], StrokeRefused)
        assert calls(after.state) == calls(state)


def test_where_a_beginners_fault_came_to_rest_is_forgotten() -> None:
    state = play(DISCOVERY, NET, replace(NET, rest_mm=(-20.0, 30.0))).state
    assert (state.standing.phase, state.standing.ball_mm) == ("ball on the 0", None)


def test_markers_and_points_are_whole_numbers() -> None:
    pressure = start(Setup(chosen=Options(second_serve_ace_pressure=True)))
    markers = [play(pressure, NET, serve("left", ace=YES)).state.marker]
    ruled = correct(play(FIRST, serve("left", 1), stroke(1)).state, 2, "winner").state.strokes[1].called
    assert [type(each) for each in (*markers, ruled.points, ruled.marker)] == [int, int, int]
    assert (markers, ruled.points, ruled.marker) == ([3], 4, -3)


@pytest.mark.parametrize("doubles", [False, True])
def test_who_serves_is_told_all_through_a_rally(doubles: bool) -> None:
    state = start(Setup(sets_to_win=1, doubles=doubles, chosen=Options(tie_break=True)))
    for winner in "AAAABBBBAAAABBBBABABA":
        serves = awaited_serve(state).seat
        assert state.server == serves
        assert play(state, good_serve(state)).state.server == serves
        state = rallies(state, winner)


def test_what_a_value_says_when_nothing_is_said() -> None:
    """As before the first serve, with nothing held up, agreed or changed."""
    standing = Standing("first serve", "A1", "A1")
    assert standing == FIRST.standing
    assert (standing.score, standing.marker, standing.ends_changed) == (Score(), 0, False)
    assert standing.ends_changed is False
    assert (standing.ball_mm, standing.outcome, standing.hold, standing.accepted) == (None, None, None, ())
    assert ReturnAwaited("B1", False).from_mm is None
    landing = Landing(False, 0.0, 0.0, NET.by_a, NET.by_b, ANYWHERE, None)
    assert landing.unseen is False
    told = Called(1, "A1", "in", 1, 4.0, True, 1, None, Score())
    assert told.unseen is told.ruled is False


@pytest.mark.parametrize(("side", "changed", "end"), [("A", False, "A"), ("B", False, "B"), ("A", True, "B")])
def test_sm_18_each_side_has_its_end(side: Side, changed: bool, end: Side) -> None:
    assert end_of(side, changed) == end
    assert end_of("B" if side == "A" else "A", changed) != end


def test_a_stroke_that_ends_the_waiting_for_the_ball_was_played_from_where_it_started() -> None:
    state = play(DISCOVERY, NET, NET, stroke(1, start=place(at_mm=(12.0, 7.0)))).state
    assert state.strokes[2].awaited == ReturnAwaited("B1", False, (12.0, 7.0))
    state = play(FIRST, serve("left", rest_mm=(30.0, 40.0)), lay(ELSEWHERE)).state
    state = play(state, stroke(1, start=place(at_mm=(31.0, 40.0)))).state
    assert state.strokes[1].awaited == ReturnAwaited("B1", False, (31.0, 40.0))
