"""What no other test would miss: each of these holds a mutant of the rules that all others let pass.

How such mutants are found is in MUTANTS.md. A test stands here for the behaviour that its name tells.
"""

import pytest

from firmware.rules import (
    Action,
    Call,
    Called,
    Correct,
    Corrected,
    EndsChanged,
    GameWon,
    IllegalAction,
    Landing,
    MatchWon,
    Options,
    Outcome,
    PlacementAwaited,
    RallyWon,
    ReturnAwaited,
    Score,
    ServeAwaited,
    Setup,
    State,
    Stroke,
    TieBreakBegan,
    legal,
    replay,
    start,
    step,
)
from firmware.rules.buttons import refusal
from firmware.rules.calls import ruled_verdict
from firmware.rules.corrections import recounted
from firmware.rules.state import Ruling
from tests.rules.builder import (
    ELSEWHERE,
    NET,
    NO,
    OUT,
    ace,
    called,
    calls,
    correct,
    corrected,
    for_striker,
    good_serve,
    in_rally,
    lay,
    let,
    place,
    play,
    press,
    rallies,
    serve,
    stroke,
)

FIRST = start(Setup())
DISCOVERY = start(Setup(preset="discovery"))
ONE_SET = Setup(sets_to_win=1)


def reason_of(state: State, action: Action) -> str:
    """Why the action may not be done, to the letter."""
    with pytest.raises(IllegalAction) as refused:
        step(state, action)
    assert str(refused.value) == refused.value.reason
    return refused.value.reason


# The log: a match is its setup and its actions


@pytest.mark.parametrize(
    "actions",
    [
        (serve("left"), stroke(1), NET),
        (serve("left", start=ELSEWHERE), lay(), serve("left")),
        (lay(ELSEWHERE), lay(), serve("left")),
        (lay(ELSEWHERE), *press("confirm", "A", "B"), serve("left", start=ELSEWHERE)),
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


def test_an_agreed_place_to_serve_from_is_agreed_until_the_serve() -> None:
    """Also when the ball was since laid where any serve may start, or where none may."""
    far = place(at_mm=(-200.0, 0.0), serve_right=NO, serve_left=NO)
    state = play(FIRST, lay(ELSEWHERE), *press("confirm", "A", "B"), lay(far)).state
    assert state.waiting == PlacementAwaited("A1", "serve-position", "right", None, None)
    state = play(state, lay(place(at_mm=(-400.0, 30.0)))).state
    assert isinstance(state.waiting, ServeAwaited)
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


# Rulings


def test_a_second_serve_that_was_good_can_be_ruled_a_double_fault() -> None:
    state = play(FIRST, NET, serve("left")).state
    assert calls(correct(state, 2, "double-fault").state) == ["fault", "double-fault"]


def test_a_ruling_to_the_same_effect_is_announced_and_changes_nothing() -> None:
    state = play(FIRST, serve("left"), NET, NET).state
    was = state.strokes[2].called
    after = correct(state, 3, "flick-fault")
    assert after.events == (Corrected(was, was, (), state.score),)
    assert after.state == state


def test_a_void_stroke_is_told_in_full() -> None:
    state = play(FIRST, serve("left", 1), stroke(2), stroke(1)).state
    event = corrected(state, 2, "out")
    assert event.changed == (
        Called(
            number=3,
            seat="A1",
            call="void",
            points=None,
            margin_mm=None,
            certain=True,
            marker=0,
            rally_winner=None,
            score=Score((1, 0)),
            unseen=False,
            ruled=True,
        ),
    )


def test_a_rally_that_is_left_open_leaves_no_points_to_the_next() -> None:
    state = play(FIRST, serve("left", 2), OUT, serve("right", 1)).state
    assert state.marker == 1
    after = correct(state, 2, "in", 1).state
    assert [played.called.marker for played in after.strokes] == [2, 1, 1]
    assert after.marker == 1


def test_a_missed_second_serve_loses_the_rally_also_when_the_first_was_good() -> None:
    """The second was played, and stands."""
    state = play(FIRST, NET, NET).state
    after = correct(state, 1, "in").state
    assert (calls(after), after.score.points) == (["in", "double-fault"], (0, 1))


def test_a_good_first_serve_that_was_played_again_stays_a_first_serve() -> None:
    """A let ruled good: the serve after it was a first one, and its fault costs one attempt only."""
    state = play(FIRST, let(FIRST), NET).state
    after = correct(state, 1, "in").state
    assert calls(after) == ["in", "fault"]
    assert after.waiting == ServeAwaited("A1", "right", "left", 2)


def test_a_ruling_counts_every_stroke_by_the_facts_of_its_own_end() -> None:
    """A's winner would be out for who plays from the other end, and B's return a net fault."""
    by_b = for_striker("B", stroke(1), NET)
    by_a = for_striker("A", stroke(2), OUT)
    state = play(FIRST, serve("left", 1), by_b, by_a).state
    after = correct(state, 1, points=2).state
    assert calls(after) == ["in", "in", "winner"]


def test_a_beginners_rally_from_the_0_is_counted_anew_like_any() -> None:
    state = play(DISCOVERY, NET, NET, lay(), stroke(1), stroke(2)).state
    after = correct(state, 3, points=2).state
    assert calls(after) == ["fault", "fault", "in", "in"]
    assert (after.marker, after.waiting) == (0, ReturnAwaited("B1", False, (0.0, 0.0)))


def test_no_strokes_are_counted_as_the_start_of_the_match() -> None:
    assert recounted(FIRST.setup, ()) == (FIRST.standing, (), ())


def test_a_ruling_may_bring_a_tie_break_and_change_the_ends() -> None:
    """A won three games and B the first of the next set; now each has two of the first set."""
    state = start(Setup(chosen=Options(tie_break=True, change_ends=True)))
    state = rallies(state, "AAAABBBAAAAAAAABBBB")
    assert (state.score.games, state.score.sets) == ((0, 1), (1, 0))
    eighth = [played.called for played in state.strokes if played.called.rally_winner][7]
    after = correct(state, eighth.number, "winner" if eighth.seat == "B1" else "net")
    score = Score((0, 0), (2, 2), (0, 0), "tie-break")
    assert after.state.score == score
    assert after.events[1:] == (TieBreakBegan(score), EndsChanged(score))


@pytest.mark.parametrize("points", [0, 9])
def test_points_can_be_ruled_up_to_what_no_board_earns(points: int) -> None:
    state = play(FIRST, serve("left")).state
    assert corrected(state, 1, points=points).now.points == points
    for beyond in (-1, 10):
        assert reason_of(state, Correct(1, points=beyond)) == "points-out-of-range"


def test_a_fault_may_be_ruled_with_its_no_points() -> None:
    state = in_rally()
    assert corrected(state, 2, "out", 0) == corrected(state, 2, "out")
    assert reason_of(state, Correct(2, "out", 1)) == "no-points-for-that-call"


@pytest.mark.parametrize(("points", "earned"), [(None, 4), (1, 4), (4, 4), (6, 6)])
def test_a_ruled_winner_earns_what_is_said_and_no_less_than_it_takes(points: int | None, earned: int) -> None:
    state = play(FIRST, serve("left", 1), stroke(1)).state
    now = corrected(state, 2, "winner", points).now
    assert (now.call, now.points, now.marker, now.rally_winner) == ("winner", earned, -3, "B")


@pytest.mark.parametrize("awaited", [ServeAwaited("A1", "right", "left", 1), ReturnAwaited("A1", False)])
def test_no_stroke_can_be_ruled_void(awaited: ServeAwaited | ReturnAwaited) -> None:
    landing = serve("left")
    with pytest.raises(IllegalAction) as refused:
        ruled_verdict(Ruling("void"), landing, landing.by_a, awaited, 0, FIRST.setup)
    assert refused.value.reason == "no-such-ruling"


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


def test_a_ruling_that_ends_the_match_changes_no_ends() -> None:
    """A led two games to one, after the third of which the ends were changed back; by the ruling A has won
    three in a row, and there is no end to change to."""
    setup = Setup(sets_to_win=1, chosen=Options(change_ends=True))
    state = rallies(start(setup), "AAAABBBAAABAAAAA")
    assert (state.score.games, state.standing.ends_changed) == ((2, 1), False)
    ended = [played.called for played in state.strokes if played.called.rally_winner][10]
    after = correct(state, ended.number, "net" if ended.seat == "B1" else "winner")
    won = MatchWon(Outcome("A", "sets"), Score((0, 0), (0, 0), (1, 0)))
    assert after.events[1:] == (won,)
    assert calls(after.state)[-2:] == ["void", "void"]
