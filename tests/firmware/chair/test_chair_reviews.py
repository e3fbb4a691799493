"""Reviews: one that stands, is overturned, lapses or cannot be measured, what they cost, and who has the last
word; and what is left of them after a restart."""

from typing import get_args

import msgspec
import pytest

from firmware.gestures import Gesture
from firmware.journal import Acted, LetStand, Reading, Reviewed
from firmware.rules import (
    Call,
    Correct,
    Corrected,
    DecisionAwaited,
    PlacementAwaited,
    ReturnAwaited,
    Setup,
    Side,
)
from firmware.texts import Trouble
from firmware.umpire.observations import StrokeSeen
from firmware.umpire.rest import Point
from tests.firmware.chair.at_the_table import (
    ANYWHERE,
    DARK,
    IN_BY_1,
    NOON,
    OUT_BY_1,
    SERVE_FROM,
    SERVED,
    TEXTS,
    AtTheTable,
    is_nothing,
    lose_a_review,
    rallying,
)
from tests.firmware.test_match import Place, rest, stroke

# ------------------------------------------------------------------ reviews


def test_a_review_that_stands() -> None:
    table = rallying()
    asked = table.press("B", "challenge")
    assert asked.records == ()
    assert asked.said == ("B asks for a review.",)
    assert table.notice == "B asks for a review."
    table.now_s += 60.0
    assert table.notice == "B asks for a review."  # it takes as long as it takes
    (wanted,) = table.wanted
    assert (wanted.number, wanted.by) == (2, "B")
    assert wanted.stroke.rest is not None
    assert wanted.stroke.rest.about_mm == OUT_BY_1
    out = table.answer((-231.7, 20.0), sigma_mm=0.01)
    assert out.said == ("The call stands. Out.",)
    (record,) = out.records
    assert isinstance(record, Reviewed)
    assert (record.number, record.by, record.outcome) == (2, "B", "stands")
    assert record.before.call == record.after.call == "out"
    assert record.before.margin_mm == pytest.approx(-1.0)
    assert record.after.margin_mm == pytest.approx(-0.7)
    assert (record.before.sigma_mm, record.after.sigma_mm) == (0.02, 0.01)
    assert record.pictures == ("a.png",)
    assert table.chair.review is None
    assert table.chair.lights() == DARK
    table.check()


def test_a_review_overturned_and_confirmed_by_the_opponent_alone() -> None:
    table = rallying()
    table.press("B", "challenge")
    out = table.answer(IN_BY_1)
    assert [record.outcome for record in out.records if isinstance(record, Reviewed)] == ["overturned"]
    assert out.said == ("Overturned: In, 2 points. A, confirm or challenge.",)
    assert table.notice == out.said[0]
    assert table.chair.lights() == {"A": (True, True), "B": (False, False)}
    assert table.last.call == "out"
    assert is_nothing(table.press("B", "confirm"))
    assert is_nothing(table.press("B", "challenge"))
    ruled = table.press("A", "confirm")
    (record,) = ruled.records
    assert isinstance(record, Acted)
    assert record.action == Correct(2, "in", 2)
    assert any(isinstance(event, Corrected) for event in ruled.events)
    assert ruled.said == ("Correction of stroke 2. In, 2 points. Love all.",)
    assert (table.last.call, table.last.ruled) == ("in", True)
    assert isinstance(table.chair.match.state.waiting, ReturnAwaited)
    assert table.chair.lights() == DARK
    assert table.notice is None
    table.check()


def test_a_review_is_of_the_points_too_and_disc_and_dot_have_their_own_say_and_doubt() -> None:
    """The disc lies out however the dot lies, unless it is in doubt; the dot earns the points."""
    for at, said in (
        (Place(IN_BY_1, OUT_BY_1), "The call stands. Out."),
        (
            Place((-231.5, 20.0), (-231.5, 20.0), 0.02, 0.4),
            "Overturned: In, 2 points. Too close to be certain. A, confirm or challenge.",
        ),
    ):
        table = rallying()
        table.press("B", "challenge")
        assert table.answer(at).said == (said,)
    table = AtTheTable()
    table.play(SERVED)
    table.play((-200.0, 20.0))
    assert (table.last.call, table.last.points) == ("in", 1)
    table.press("A", "challenge")
    doubtful = Place((-201.3, 20.0), (-201.3, 20.0), 0.1, 0.02)
    assert table.answer(doubtful).said[0].startswith("Overturned: In, 2 points. Too close")
    table.press("B", "confirm")
    assert (table.last.call, table.last.points) == ("in", 2)
    table.check()


def test_an_answer_that_comes_twice_is_one() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    assert is_nothing(table.answer(OUT_BY_1))
    table.press("A", "confirm")
    assert is_nothing(table.answer(OUT_BY_1))
    assert table.last.call == "in"
    table.check()


def test_a_stroke_of_some_strokes_ago_is_reviewed_once_it_is_the_last_again() -> None:
    table = rallying()
    for _ in range(2):
        table.play(SERVED, from_mm=SERVE_FROM)
    for _ in range(2):
        table.press("A", "undo")
    assert table.press("B", "challenge").review is not None
    table.answer(IN_BY_1)
    table.press("A", "confirm")
    assert (table.last.number, table.last.call) == (2, "in")
    table.check()


def test_a_stroke_played_again_after_an_undo_has_a_review_of_its_own() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(OUT_BY_1)
    table.press("B", "undo")
    table.play((-240.0, 20.0))
    assert table.press("B", "challenge").review is not None


def test_a_review_overturned_and_let_stand() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    then = table.wall_time
    out = table.press("A", "challenge")
    assert out.records == (LetStand(2, "A", then),)
    assert out.said == ("The first call stands. Out.",)
    assert table.last.call == "out"
    assert table.chair.review is None
    # Nobody is asked again after a power cut, but for who asks again.
    resumed = table.resumed()
    assert resumed.review is None
    assert resumed.lights() == DARK
    table.press("B", "challenge")
    assert table.notice == "Overturned: In, 2 points. A, confirm or challenge."
    table.check()


def test_a_call_that_both_agree_upon_ends_the_question_after_a_review() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.overrule()
    assert table.press("B", "undo").records == ()  # they leave it
    assert table.notice == "Overturned: In, 2 points. A, confirm or challenge."
    table.overrule()
    table.press("A", "confirm")
    assert table.press("B", "confirm").said == ("Stroke 2 stands. Out.",)
    assert table.notice is None
    assert table.chair.lights() == DARK
    assert table.resumed().review is None
    table.check()


def test_a_review_that_is_being_measured_lapses_with_the_next_stroke() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.play(SERVED)
    assert table.chair.review is None
    assert is_nothing(table.answer(IN_BY_1))
    table.check()


def test_no_stroke_counts_while_an_overturned_call_waits_for_its_answer() -> None:
    """Else who gains by the first call would serve on, and the question were gone."""
    table = rallying()
    table.press("B", "challenge")
    asked = table.answer(IN_BY_1)
    out = table.play(SERVED)
    assert (out.records, out.said) == ((), asked.said)
    assert table.notice == asked.said[0]
    assert len(table.chair.match.state.strokes) == 2
    # A has played the ball away: it has to be laid where the stroke that was in had come to rest.
    out = table.press("A", "confirm")
    assert out.said[0].endswith("In, 2 points. Love all. Ball moved. A, put it back, or both confirm.")
    assert table.chair.match.wanted_mm() == OUT_BY_1
    table.check()


def test_a_stroke_that_does_not_count_leaves_a_review_as_it_is() -> None:
    """The next stroke ends it; that was none."""
    table = AtTheTable(Setup("confirmed"))
    table.play(SERVED)
    table.play(OUT_BY_1)
    table.press("B", "challenge")
    table.play((60.0, 60.0), from_mm=(100.0, 0.0))  # no place to serve from
    assert len(table.chair.match.state.strokes) == 2
    assert table.answer(IN_BY_1).records
    assert table.notice is not None
    table.press("A", "confirm")
    assert table.last.call == "in"
    table.check()


def test_a_review_ends_when_its_stroke_is_undone_and_its_answer_is_of_no_other() -> None:
    table = rallying()
    table.press("B", "challenge")
    assert table.press("B", "undo").records
    assert table.chair.review is None
    assert is_nothing(table.answer(IN_BY_1))
    table.lay(SERVED)
    table.play((-240.0, 20.0))
    table.press("B", "challenge")
    assert is_nothing(table.answer(IN_BY_1, nth=0))  # the answer that comes late
    assert table.chair.review is not None
    assert table.answer((-240.0, 20.0)).said == ("The call stands. Out.",)
    table.check()


def test_under_an_overturned_call_only_its_answers_count() -> None:
    table = rallying()
    table.press("B", "challenge")
    question = table.answer(IN_BY_1).said[0]
    state = table.chair.match.state
    for side, meaning in (("B", "challenge"), ("B", "confirm"), ("B", "flick-fault"), ("A", "flick-fault")):
        assert is_nothing(table.press(side, meaning))  # type: ignore[arg-type]
        assert table.notice == question
        assert table.chair.match.state is state
    assert table.press("A", "confirm").records


def test_who_asked_for_a_review_and_presses_twice_under_it_calls_no_flick_fault() -> None:
    """A asks for a review of B's return, which is A's to call a flick fault, and is impatient."""
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.press("A", "challenge")
    question = table.answer(OUT_BY_1).said[0]
    assert is_nothing(table.press("A", "flick-fault"))
    assert table.notice == question
    assert not isinstance(table.chair.match.state.waiting, DecisionAwaited)
    table.press("B", "confirm")
    assert table.last.call == "out"
    table.check()


@pytest.mark.parametrize("side", get_args(Side))
def test_a_hold_takes_back_the_question_and_not_the_stroke_whoever_holds(side: Side) -> None:
    """As with choices and menus: the review is over, and the first call stands."""
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    out = table.press(side, "undo")
    assert [type(record) for record in out.records] == [LetStand]
    assert out.said == ("The first call stands. Out.",)
    assert (table.chair.review, table.resumed().review) == (None, None)
    assert len(table.chair.match.state.strokes) == 2
    table.press(side, "undo")
    assert len(table.chair.match.state.strokes) == 1
    table.check()


def test_a_review_goes_on_being_measured_under_choices_that_are_left() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.overrule()
    table.press("A", "undo")
    assert table.notice == "B asks for a review."
    table.overrule()
    assert table.answer(IN_BY_1).records
    assert table.notice is not None
    assert table.notice.startswith("Stroke 2: Out."), "the choices are seen first"
    table.press("A", "undo")
    assert table.notice == "Overturned: In, 2 points. A, confirm or challenge."
    table.check()


def test_a_flick_fault_takes_the_place_of_a_review() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.press("A", "challenge")
    table.press("B", "flick-fault")
    assert table.chair.review is None
    assert is_nothing(table.answer((70.0, 62.0)))
    table.press("A", "challenge")  # contests it; no review is asked for
    assert len(table.wanted) == 1
    assert table.last.call == "void"
    table.check()


@pytest.mark.parametrize("why", get_args(Trouble))
def test_a_review_that_cannot_be_measured_costs_nothing(why: Trouble) -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    out = table.answer(why)
    assert out.records == ()
    assert out.said == (TEXTS.say(f"review.unclear.{why}"),)
    assert table.chair.review is None
    assert table.press("B", "challenge").review is not None
    table.check()


def test_a_place_that_is_not_a_number_is_a_ball_that_was_not_found() -> None:
    table = rallying()
    table.press("B", "challenge")
    assert table.answer((float("nan"), 20.0)).said == (TEXTS.say("review.unclear.not-found"),)
    assert table.chair.review is None


def test_a_ball_that_never_came_to_rest_in_sight_cannot_be_found_again() -> None:
    table = AtTheTable()
    table.play(None)
    out = table.press("A", "challenge")
    assert out.review is None
    assert out.said == (TEXTS.say("review.unclear.not-found"),)


def test_there_is_nothing_to_review_before_a_stroke_or_of_one_that_was_ruled_on() -> None:
    table = AtTheTable()
    nothing = (TEXTS.say("review.nothing"),)
    assert table.press("A", "challenge").said == nothing
    assert table.overrule().said == nothing
    table.play(SERVED)
    table.press("B", "flick-fault")
    table.press("A", "confirm")
    assert table.press("A", "challenge").said == nothing


def test_a_challenge_pressed_twice_is_one_and_both_sides_at_once_are_the_firsts() -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    assert is_nothing(table.press("B", "challenge"))
    assert is_nothing(table.press("A", "challenge"))
    assert len(table.wanted) == 1
    table.answer(IN_BY_1)
    assert table.chair.lights()["A"] == (True, True)
    table.check()


def test_a_stroke_that_was_reviewed_is_measured_only_once_and_costs_only_once() -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    table.answer(OUT_BY_1)
    for side in get_args(Side):
        again = table.press(side, "challenge")
        assert again.said == ("The call stands. Out.",)
        assert again.records == ()
    assert len(table.wanted) == 1


def test_an_overturned_call_that_was_let_stand_is_asked_about_anew() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "challenge")
    table.now_s += 1.0
    assert table.press("A", "challenge").said == ("Overturned: In, 2 points. B, confirm or challenge.",)
    assert len(table.wanted) == 1
    table.press("B", "confirm")
    assert table.last.call == "in"
    table.check()


def test_a_second_reading_that_is_too_close_says_so() -> None:
    table = rallying()
    table.press("B", "challenge")
    out = table.answer((-231.05, 20.0), sigma_mm=0.1)
    assert out.said == ("Overturned: In, 2 points. Too close to be certain. A, confirm or challenge.",)


def test_as_many_reviews_as_were_agreed_can_be_lost_by_each_side() -> None:
    table = AtTheTable(limit=2)
    for _ in range(2):
        lose_a_review(table, "A")
    table.play((70.0, 100.0))
    refused = table.press("A", "challenge")
    assert refused.review is None
    assert refused.said == ("A has no review left.",)
    assert table.press("B", "challenge").review is not None
    table.check()


def test_players_who_agreed_on_no_reviews_have_none() -> None:
    table = rallying(limit=0)
    assert table.press("B", "challenge").said == ("B has no review left.",)
    assert table.wanted == []


def test_a_review_that_was_right_costs_nothing_whatever_the_opponent_makes_of_it() -> None:
    table = rallying(limit=1)
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "challenge")
    lose_a_review(table, "B")
    table.play((70.0, 100.0))
    assert table.press("B", "challenge").said == ("B has no review left.",)


def overruled(table: AtTheTable, to: str) -> None:
    """Both sides step to this call, and agree."""
    table.overrule()
    while f": {to}" not in (table.notice or ""):
        table.press("A", "challenge")
    for side in get_args(Side):
        table.press(side, "confirm")


@pytest.mark.parametrize(
    ("by", "to_mm", "ruled", "given_back"),
    [
        pytest.param("B", OUT_BY_1, "In, 1 point", True, id="out, and good for who struck it"),
        pytest.param("B", OUT_BY_1, "Net", False, id="out, and as bad"),
        pytest.param("A", OUT_BY_1, "In, 1 point", False, id="out, and good for who did not ask"),
        pytest.param("A", IN_BY_1, "Out", True, id="in, and out for the opponent"),
        pytest.param("A", IN_BY_1, "In, 1 point", True, id="in, and worth less"),
        pytest.param("B", IN_BY_1, "In, 1 point", False, id="in, and worth less to who struck it"),
        pytest.param("B", IN_BY_1, "In, 3 points", True, id="in, and worth more"),
        pytest.param("A", IN_BY_1, "Flick fault", False, id="in, and badly flicked"),
    ],
)
def test_a_lost_review_is_given_back_when_both_rule_for_who_asked(
    by: Side, to_mm: Point, ruled: str, given_back: bool
) -> None:
    table = AtTheTable(limit=1)
    table.play(SERVED)
    table.play(to_mm)
    table.press(by, "challenge")
    table.answer(to_mm)
    overruled(table, ruled)
    lost = table.chair._reviews.are_left
    assert lost(by, table.chair.match.state.strokes[0], table.chair.match.state) is given_back
    resumed = table.resumed()
    assert resumed._reviews.are_left(by, resumed.match.state.strokes[0], resumed.match.state) is given_back
    table.press("A", "undo")  # of the ruling, with which it is as before
    assert not lost(by, table.chair.match.state.strokes[0], table.chair.match.state)
    table.check()


def test_a_let_is_better_for_the_server_than_a_fault_and_gives_the_review_back() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    overruled(table, "Let")
    table.play((70.0, 100.0))
    assert table.press("A", "challenge").review is not None
    table.check()


def test_a_lost_review_is_given_back_with_the_undo_of_its_stroke() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    table.press("A", "undo")
    table.play((70.0, 101.0))
    assert table.press("A", "challenge").review is not None
    table.check()


def test_reviews_are_there_again_with_the_next_set_and_its_last_stroke_is_of_the_former() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    while not any(table.chair.match.state.score.sets):
        table.play((70.0, 100.0), from_mm=SERVE_FROM)
    assert table.press("A", "challenge").said == ("A has no review left.",)
    assert table.press("B", "challenge").review is not None
    table.answer((70.0, 100.0))
    table.play((70.0, 100.0))
    assert table.press("A", "challenge").review is not None
    table.answer((70.0, 100.0))
    table.play((70.0, 100.0))
    assert table.press("A", "challenge").said == ("A has no review left.",)
    assert table.press("B", "challenge").review is not None
    table.check()


def test_the_last_stroke_of_a_match_is_reviewed_and_the_match_goes_on() -> None:
    setup = msgspec.structs.replace(ANYWHERE, sets_to_win=1)
    table = AtTheTable(setup)
    while table.chair.match.state.waiting is not None:
        table.play((70.0, 88.0), from_mm=SERVE_FROM)
    assert table.last.seat == "A1"
    table.press("A", "challenge")
    table.play(SERVED)  # somebody plays with the ball: told, and no stroke of the match
    table.answer((70.0, -80.0))  # the last serve came from the left
    table.press("B", "confirm")
    assert isinstance(table.chair.match.state.waiting, PlacementAwaited), "the ball was played with"
    table.lay((70.0, 88.0))
    assert isinstance(table.chair.match.state.waiting, ReturnAwaited)
    assert table.chair.match.state.score.points == (0, 3)
    table.check()


def test_an_uncertain_stroke_stays_uncertain_after_its_review() -> None:
    table = AtTheTable()
    seen = stroke(rest(SERVE_FROM), rest(SERVED), uncertain=True)
    assert isinstance(seen, StrokeSeen)
    table.see(seen)
    table.press("B", "challenge")
    assert table.answer(SERVED).said == ("The call stands. In, 1 point. Not seen well enough to be certain.",)


# ------------------------------------------------------------------ going on


def test_lost_reviews_are_lost_after_a_restart_too() -> None:
    table = AtTheTable(limit=1)
    lose_a_review(table, "A")
    chair = table.resumed()
    assert chair.press(Gesture("challenge", "A", 1.0), 1.0, NOON).said == ("The call stands. Fault.",)
    chair.observe(stroke(rest(SERVE_FROM), rest((70.0, 100.0))), 2.0, NOON)
    assert chair.press(Gesture("challenge", "A", 3.0), 3.0, NOON).said == ("A has no review left.",)


def test_an_overturned_call_waits_for_its_answer_after_a_restart_too() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    chair = table.resumed()
    assert chair.scoreboard(0.0) == table.chair.scoreboard(table.now_s)
    assert chair.lights() == table.chair.lights()
    assert chair.press(Gesture("confirm", "A", 1.0), 1.0, NOON).records
    assert chair.match.state.strokes[-1].called.call == "in"


@pytest.mark.parametrize(("number", "call"), [(99, "in"), (0, "in"), (2, "let")])
def test_a_review_that_is_none_by_these_rules_is_as_if_it_had_not_been(number: int, call: Call) -> None:
    """A file from another version, or one that was mended."""
    table = rallying()
    reading = Reading(call, 0, None)
    table.records.append(Reviewed(number, "B", "overturned", reading, reading, NOON))
    chair = table.resumed()
    assert chair.review is None
    asked = chair.press(Gesture("challenge", "B", 1.0), 1.0, NOON)
    assert asked.said == (TEXTS.say("review.unclear.no-frames"),)


def test_an_answer_that_was_given_is_not_waited_for_after_a_restart() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.answer(IN_BY_1)
    table.press("A", "confirm")
    assert table.resumed().review is None


def test_a_stroke_of_before_the_restart_has_no_frames_any_more() -> None:
    table = rallying()
    out = table.resumed().press(Gesture("challenge", "B", 1.0), 1.0, NOON)
    assert out.review is None
    assert out.said == (TEXTS.say("review.unclear.no-frames"),)


def test_a_match_without_a_record_yet_goes_on_from_its_beginning() -> None:
    table = AtTheTable()
    assert table.resumed().match.state == table.chair.match.state
