"""The umpire's chair: what is kept before it is shown, what is shown when, which presses mean what."""

from dataclasses import replace
from datetime import timedelta

import msgspec

from firmware.chair.notices import ENDS_S, NOTICE_S, Notices
from firmware.chair.overruling import CHOICES_S
from firmware.journal import Acted
from firmware.match import BOTH_SIDES, Match
from firmware.rules import (
    Correct,
    DecisionAwaited,
    Lay,
    PlacementAwaited,
    Press,
    ReturnAwaited,
    ServeAwaited,
    Setup,
    Stroke,
    choose,
)
from firmware.texts import ends_changed, load, nothing_to_review
from firmware.umpire.observations import PlacementSeen
from tests.firmware.chair.at_the_table import (
    ANYWHERE,
    CLASSIC,
    DARK,
    IN_BY_1,
    NOON,
    SERVED,
    TEXTS,
    AtTheTable,
    is_nothing,
    rallying,
)
from tests.firmware.test_match import rest, stroke

# ------------------------------------------------------------------ what is kept


def test_a_stroke_is_kept_with_what_was_measured_and_when() -> None:
    table = AtTheTable()
    out = table.play(SERVED)
    (record,) = out.records
    assert isinstance(record, Acted)
    assert record.measured is not None
    assert record.measured.dot_mm == SERVED
    assert record.captured_at == 100.0
    assert record.wall_time == NOON + timedelta(seconds=100)
    assert out.said == ("In, 1 point.",)
    assert [line["kind"] for line in out.lines] == ["stroke"]
    table.check()


def test_a_ball_laid_where_it_lies_is_nothing_and_one_laid_elsewhere_is_kept() -> None:
    table = AtTheTable()
    table.play(SERVED)
    assert is_nothing(table.lay(SERVED))
    moved = table.lay((0.0, 0.0))
    (record,) = moved.records
    assert isinstance(record, Acted)
    assert isinstance(record.action, Lay)
    assert moved.said == ("Ball moved. B, put it back, or both confirm.",)
    # The panels have time for the place.
    place = "70 mm from the net, 54 mm right of the middle"
    assert table.notice == f"Ball moved. B, put it back: {place}. Or both confirm."
    # Once more in a wrong place: nothing is said, but agreement now is about that place.
    again = table.lay((30.0, 0.0))
    assert len(again.records) == 1
    assert again.said == ()
    assert table.lay(SERVED).said == ("Ball back. B to play.",)
    table.check()


def test_what_the_rules_refuse_is_told_and_not_kept() -> None:
    table = AtTheTable()
    out = table.press("B", "confirm")
    assert out.records == ()
    assert out.said == ("Nothing waits for your confirmation. Play on.",)
    assert table.notice == out.said[0]
    table.check()


def test_a_press_that_is_only_announced_is_kept_too() -> None:
    """Who replays a match is told that the server was ready, as the players were."""
    table = AtTheTable()
    out = table.press("A", "confirm")
    assert len(out.records) == 1
    assert out.said == ("A is ready to serve.",)
    table.check()


def test_a_ball_without_a_place_changes_nothing() -> None:
    table = AtTheTable()
    assert is_nothing(table.see(PlacementSeen(0.0, 1, None, rest((0.0, 0.0), placed=False))))


def test_an_undo_of_a_stroke_a_decision_and_across_a_game() -> None:
    table = AtTheTable()
    while not any(table.chair.match.state.score.games):
        table.play(None)  # double faults of A's: B wins the game
    assert table.chair.match.state.score.games == (0, 1)
    undone = table.press("B", "undo")
    assert len(undone.records) == 1
    assert "undone" in undone.said[0]
    assert table.chair.match.state.score.games == (0, 0)
    assert table.chair.match.state.score.points == (0, 3)
    while table.chair.match.state.strokes:
        table.press("A", "undo")
    assert table.press("A", "undo").said == ("Nothing is left to undo. Play on.",)
    table.check()


def test_a_press_is_the_rules_when_nothing_else_wants_it() -> None:
    table = AtTheTable()
    table.play(SERVED)
    out = table.press("B", "confirm")
    assert [record.action for record in out.records if isinstance(record, Acted)] == [Press("confirm", "B")]
    assert out.said == ("Call accepted by B.",)


def test_before_anything_the_serve_is_waited_for_in_the_dark() -> None:
    table = AtTheTable()
    assert isinstance(table.chair.match.state.waiting, ServeAwaited)
    assert table.chair.lights() == DARK
    assert table.notice is None


# ------------------------------------------------------------------ notices


def test_a_notice_passes_and_an_action_takes_it_away_before() -> None:
    table = AtTheTable()
    table.press("B", "confirm")
    table.now_s += NOTICE_S - 0.1
    assert table.notice is not None
    table.now_s += 0.2
    assert table.notice is None
    table.press("B", "confirm")
    table.play(SERVED)
    assert table.notice is None


def test_what_is_waited_for_comes_back_after_a_notice() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.lay((0.0, 0.0))
    asked = table.notice
    assert table.chair.lights() == {"A": (True, False), "B": (True, False)}
    table.press("A", "confirm")
    assert table.notice == f"{asked} Agreed to play on: A."
    assert table.chair.lights() == {"A": (False, False), "B": (True, False)}
    table.press("A", "confirm")
    assert table.notice == "You have agreed already. Wait for the other side, or put the ball back."
    table.now_s += NOTICE_S
    assert table.notice == f"{asked} Agreed to play on: A."


def test_a_notice_is_over_when_its_time_is() -> None:
    notices = Notices()
    notices.tell(nothing_to_review, 10.0)
    assert notices.passing(10.0) is nothing_to_review
    assert notices.passing(10.0 + NOTICE_S) is None


def test_who_changes_ends_is_told_to_take_the_buttons_along_and_also_who_changes_back() -> None:
    """They keep their wires, and whose they are, while the panels turn about."""
    options = choose("confirmed", {"free_serve_position": True, "change_ends": True})
    table = AtTheTable(setup=Setup("confirmed", chosen=options))
    for _ in range(7):
        table.play(None)
        assert table.notice != ends_changed(TEXTS)
    out = table.play(None)
    assert out.said[0].endswith("Change ends.")
    assert table.notice == ends_changed(TEXTS)
    assert table.chair.scoreboard(table.now_s).ends_changed
    table.now_s += NOTICE_S
    assert table.notice == ends_changed(TEXTS), "long enough to get up"
    table.now_s += ENDS_S
    assert table.notice is None
    table.press("A", "undo")
    assert table.notice == ends_changed(TEXTS)
    assert not table.chair.scoreboard(table.now_s).ends_changed


def test_another_language_is_spoken_at_once_also_of_what_stands_already() -> None:
    table = rallying()
    french = load("fr")
    table.press("A", "confirm")
    table.press("B", "undo")
    table.press("B", "undo")
    table.press("B", "undo")
    assert table.notice == "Nothing is left to undo. Play on."
    table.chair.speak(french)
    assert table.notice == "Plus rien à annuler. Jouez."
    out = table.play(SERVED)
    assert out.said == out.spoken == ("Bonne, 1 point.",)


# ------------------------------------------------------------------ flick faults


def test_a_flick_fault_that_the_striker_confirms() -> None:
    table = AtTheTable()
    table.play(SERVED)
    asked = table.press("B", "flick-fault")
    assert asked.said == ("Flick fault? A, confirm, or challenge to contest.",)
    assert table.chair.lights() == {"A": (True, True), "B": (False, False)}
    table.press("A", "confirm")
    assert table.last.call == "fault"
    assert table.chair.lights() == DARK
    table.check()


def test_a_flick_fault_that_is_contested_is_played_again() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.play(IN_BY_1)
    table.press("A", "flick-fault")
    assert isinstance(table.chair.match.state.waiting, DecisionAwaited)
    contested = table.press("B", "challenge")
    assert len(contested.records) == 1
    assert contested.review is None
    assert isinstance(table.chair.match.state.waiting, PlacementAwaited)
    assert table.chair.lights() == {"A": (True, False), "B": (True, False)}
    table.lay(SERVED)
    table.play(IN_BY_1)
    assert table.last.call == "in"
    table.check()


def test_who_called_a_flick_fault_can_ask_for_no_review_and_overrule_nothing_meanwhile() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.press("B", "flick-fault")
    for press in (table.press("B", "challenge"), table.overrule()):
        assert press.records == ()
        assert press.said == ("A flick fault is in question. The striker confirms or contests it first.",)
    assert table.wanted == []
    assert not table.chair.overruling


def test_a_flick_fault_of_ones_own_is_refused_and_told() -> None:
    """What a player who wants a review does by pressing twice."""
    table = rallying()
    out = table.press("B", "flick-fault")
    assert out.records == ()
    assert out.said == ("Your own stroke. Only your opponent calls its flick fault.",)


# ------------------------------------------------------------------ overruling


def test_both_sides_step_to_another_call_and_agree() -> None:
    table = rallying()
    assert is_nothing(table.overrule())
    assert table.chair.overruling
    assert table.chair.lights() == {"A": (True, True), "B": (True, True)}
    assert table.notice == "Stroke 2: Out. CHALLENGE: next. CONFIRM: agree; held: leave."
    table.press("A", "challenge")
    table.press("B", "challenge")
    assert table.notice == "Stroke 2: In, 1 point. CHALLENGE: next. CONFIRM: agree; held: leave."
    assert is_nothing(table.press("B", "confirm"))
    assert table.notice == "Stroke 2: In, 1 point. Agreed: B. CONFIRM: agree, too."
    assert table.chair.lights() == {"A": (True, True), "B": (False, True)}
    assert is_nothing(table.press("B", "confirm"))
    out = table.press("A", "confirm")
    assert [record.action for record in out.records if isinstance(record, Acted)] == [Correct(2, "in", 1)]
    assert (table.last.call, table.last.points) == ("in", 1)
    assert not table.chair.overruling
    assert table.chair.lights() == DARK
    table.check()


def test_a_changed_mind_takes_the_agreement_back() -> None:
    table = rallying()
    table.overrule()
    table.press("B", "confirm")
    table.press("B", "challenge")
    table.press("A", "confirm")
    assert table.chair.overruling
    assert table.records[-1:] == table.records[1:2]
    table.press("B", "confirm")
    assert (table.last.call, table.last.points) == ("in", 0)


def test_the_present_call_agreed_upon_stands_and_is_told() -> None:
    table = rallying()
    table.overrule()
    table.press("A", "confirm")
    assert table.press("B", "confirm").said == ("Stroke 2 stands. Out.",)
    table.check()


def test_an_overruling_is_left_by_a_hold_which_undoes_nothing() -> None:
    table = rallying()
    state = table.chair.match.state
    table.overrule()
    assert is_nothing(table.press("A", "undo"))
    assert not table.chair.overruling
    assert table.chair.match.state is state
    assert table.notice is None


def test_choices_that_nobody_touches_are_left_and_what_they_hid_is_seen() -> None:
    table = rallying()
    table.overrule()
    table.now_s += CHOICES_S - 1.0
    table.chair.attend(table.now_s)
    table.press("A", "challenge")
    table.now_s += CHOICES_S - 1.0
    table.chair.attend(table.now_s)
    assert table.chair.overruling is not None
    began = table.now_s
    table.now_s += 1.1
    table.chair.attend(table.now_s)
    assert (table.chair.overruling, table.notice, table.chair.lights()) == (None, None, DARK)
    assert is_nothing(table.press("B", "confirm", began)), "it was about the choice"
    assert table.last.call == "out"
    assert not table.last.ruled


def test_two_presses_that_began_before_the_overruling_are_two_steps() -> None:
    table = rallying()
    table.overrule()
    table.press("A", "flick-fault")
    assert table.chair.overruling is not None
    assert table.chair.overruling.at == 2


def test_holding_again_goes_on_with_the_same_overruling() -> None:
    table = rallying()
    table.overrule()
    table.press("A", "challenge")
    table.overrule()
    assert table.chair.overruling is not None
    assert table.chair.overruling.at == 1


def test_what_both_agree_on_ends_a_review_and_the_next_stroke_ends_both() -> None:
    table = rallying()
    table.press("B", "challenge")
    table.overrule()
    for side in BOTH_SIDES:
        table.press(side, "confirm")
    assert table.chair.review is None
    assert is_nothing(table.answer(IN_BY_1))
    table = rallying()
    table.press("B", "challenge")
    table.overrule()
    table.play(SERVED)
    assert not table.chair.overruling
    assert table.notice is None
    assert is_nothing(table.answer(IN_BY_1))


def test_a_ball_that_is_laid_leaves_an_overruling_as_it_is() -> None:
    table = AtTheTable()
    table.play(SERVED)
    table.overrule()
    assert table.lay((0.0, 0.0)).records
    assert table.chair.overruling
    table.check()


def test_an_overruled_call_can_be_undone_and_a_match_that_is_over_overruled() -> None:
    table = AtTheTable(msgspec.structs.replace(ANYWHERE, sets_to_win=1))
    while table.chair.match.state.waiting is not None:
        table.play(None)
    table.overrule()
    table.press("A", "challenge")
    table.press("A", "confirm")
    table.press("B", "confirm")
    assert table.chair.match.state.waiting is not None
    table.press("A", "undo")
    assert table.chair.match.state.waiting is None
    table.check()


# ------------------------------------------------------------------ of a recording


def test_a_recorded_serve_from_the_wrong_place_counts_as_agreed_and_each_step_is_kept() -> None:
    table = AtTheTable(Setup("confirmed"), as_played=True)
    out = table.play(SERVED, from_mm=(-235.0, 34.0))  # from the left, on even points
    acted = [record.action for record in out.records if isinstance(record, Acted)]
    assert [type(action) for action in acted] == [Lay, Press, Press, Stroke]
    assert acted[1:3] == [Press("confirm", "A"), Press("confirm", "B")]
    assert all(isinstance(record, Acted) and record.captured_at == 100.0 for record in out.records)
    assert [line["kind"] for line in out.lines] == ["notice", "stroke"]
    assert out.lines[0]["code"] == "played-on"
    assert out.lines[0]["text"] == "Stroke 1 was served from the wrong place. Nobody objected; it counts."
    assert out.said == ("In, 1 point.",)
    assert table.chair.match.state.waiting == ReturnAwaited("B1", False, SERVED)
    # Whoever goes on with it has the same match, and may ask for a review of that stroke.
    assert table.resumed().match.state == table.chair.match.state
    assert table.press("B", "challenge").review is not None


def test_a_recorded_rally_goes_on_from_where_a_hand_moved_the_ball() -> None:
    table = AtTheTable(as_played=True)
    table.play(SERVED)
    assert table.lay((60.0, 10.0)).said == ("Ball moved. B, put it back, or both confirm.",)
    table.press("A", "confirm")
    out = table.play(IN_BY_1, from_mm=(60.0, 10.0))
    assert [line["code"] for line in out.lines if line["kind"] == "notice"] == ["played-on"]
    assert (table.last.seat, table.last.call) == ("B1", "in")
    assert table.resumed().match.state == table.chair.match.state


def test_a_recorded_stroke_that_may_not_be_made_is_refused_as_ever() -> None:
    table = AtTheTable(as_played=True)
    table.play(SERVED)
    table.press("B", "flick-fault")
    out = table.play(IN_BY_1)
    assert (out.records, out.lines) == ((), ())
    assert out.said == ("A flick fault is in question. The striker confirms or contests it first.",)


def test_a_recording_is_called_as_the_match_alone_calls_it() -> None:
    """Both ways to take a recording agree, stroke by stroke, whatever it begins from."""
    table, match = AtTheTable(Setup("discovery"), as_played=True), Match(CLASSIC, Setup("discovery"))
    places = [(-235.0, -34.0), (-235.0, 34.0), (90.0, 20.0), (60.0, 10.0), (-150.0, 68.0), (200.0, -40.0)]
    for number in range(60):
        start, end = places[number % 6], places[number * 5 % 7 % 6]
        seen = replace(stroke(rest(start), rest(end)), at=table.now_s)
        if match.state.waiting is None:
            break
        assert list(table.see(seen).lines) == match.take_as_played(seen)
    assert len(match.state.strokes) > 20
