"""Presses on the whole daemon that began before what they would do something to: a stroke that is called, a
question, the menu. Fingers press, contacts bounce, and time passes as it does at a table."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from firmware.daemon.ledger import RETRY_S
from firmware.journal import LetStand, MatchLeft
from firmware.menus import MENU_S
from firmware.rules import Side
from firmware.texts import hold_again, press_again, review_let_stand
from firmware.umpire.observations import NoticeSeen
from hardware.button import Button, Kind
from tests.faults.bench import ANYWHERE, ENGLISH, RETURNED, SERVED
from tests.faults.test_menu_at_the_table import Table
from tests.firmware.places import Place

OUT = (-240.0, 20.0)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.fixture
def short(tmp_path: Path) -> Table:
    """A match that is soon over."""
    return Table(tmp_path, setup=msgspec.structs.replace(ANYWHERE, sets_to_win=1, games_to_set=3))


def begin(table: Table, side: Side, kind: Kind, for_s: float) -> None:
    """A finger goes down now."""
    table.buttons.press(Button(side, kind), table.clock.now + 0.001, for_s, bounces=5)


def overturned(table: Table) -> str:
    """B's return was called in, and A's review comes back with out: what B is asked next turn."""
    table.play(SERVED)
    table.play(RETURNED)
    table.answer = Place(OUT, OUT)
    table.press("A", "challenge")
    table.work.pop()()
    return "Overturned: Out. B, confirm or challenge."


def calls(table: Table) -> list[str]:
    return [stroke.called.call for stroke in table.daemon.chair.match.state.strokes]


def test_a_hold_that_began_before_a_call_undoes_nothing_and_says_so(table: Table) -> None:
    table.play(SERVED)
    begin(table, "A", "confirm", 2.4)
    table.turn(1.5)
    table.play(RETURNED)
    table.turn(1.5)
    assert table.strokes == 2
    assert table.notice() == hold_again(ENGLISH)
    table.press("A", "confirm", for_s=2.2)
    assert len(calls(table)) == 1


def test_a_challenge_that_began_just_before_a_call_reviews_nothing_and_says_so(table: Table) -> None:
    table.play(SERVED)
    begin(table, "B", "challenge", 0.1)
    table.turn(0.24)
    table.play(RETURNED)
    table.turn(0.6)
    assert table.daemon.chair.review is None
    assert table.notice() == press_again(ENGLISH)
    table.press("B", "challenge")
    assert table.daemon.chair.review is not None
    assert table.daemon.chair.review.number == 2


def test_two_presses_that_contest_a_review_let_the_call_stand_once(table: Table) -> None:
    overturned(table)
    table.turn()
    for _ in range(2):
        table.press("B", "challenge", then_s=0.15)
    table.turn(1.0)
    assert [type(record) for record in table.records(1)].count(LetStand) == 1
    last = table.daemon.chair.match.state.strokes[-1].called
    assert table.notice() == review_let_stand(last, ENGLISH)
    assert table.daemon.chair.review is None, "nobody is asked anew"


def test_what_was_pressed_while_scoring_waited_is_about_nothing_that_is_shown_later(table: Table) -> None:
    table.play(SERVED)
    table.journal.full = 1_000_000
    table.play(RETURNED)
    begin(table, "A", "confirm", 2.4)
    table.turn(1.0)
    table.journal.full = 0
    table.turn(RETRY_S + 1.0)
    assert table.strokes == 2
    assert len(calls(table)) == 2


def test_both_sides_that_hold_confirm_leave_the_choices_for_a_call_and_not_for_the_menu(table: Table) -> None:
    table.play(SERVED)
    table.hold("challenge")
    assert table.daemon.chair.overruling is not None
    table.hold("confirm")
    assert table.daemon.chair.overruling is None
    assert table.menu is None
    table.hold("confirm")
    assert table.menu is not None


# ------------------------------------------------------------------ under an open menu


def test_a_question_closes_the_menu_and_is_seen(table: Table) -> None:
    question = overturned(table)
    table.turn()
    assert table.notice() == question
    table.hold("confirm")
    assert table.menu is None, "it is answered first"
    table.press("B", "confirm")
    assert calls(table) == ["in", "out"]
    table.hold("confirm")
    assert table.menu is not None


def asked_under_the_menu(table: Table) -> str:
    """The answer comes while the menu is open: it is there with the next turn."""
    table.play(SERVED)
    table.play(RETURNED)
    table.answer = Place(OUT, OUT)
    table.press("A", "challenge")
    table.hold("confirm")
    assert table.menu is not None
    return "Overturned: Out. B, confirm or challenge."


@pytest.mark.parametrize(("kind", "for_s"), [("confirm", 0.3), ("challenge", 0.3), ("confirm", 2.3)])
@pytest.mark.parametrize("side", ["A", "B"])
def test_a_press_that_was_meant_for_the_menu_does_nothing_to_a_question(
    table: Table, side: Side, kind: Kind, for_s: float
) -> None:
    """Not even a hold that was to go back in the menu undoes a stroke."""
    question = asked_under_the_menu(table)
    begin(table, side, kind, for_s)
    table.turn(0.24)
    table.work.pop()()
    table.turn()
    assert table.menu is None
    assert question in table.voice.said
    kept = table.records(1)
    table.turn(for_s + 0.7)
    assert table.notice() == question
    assert table.records(1) == kept
    table.press("B", "confirm")
    assert calls(table) == ["in", "out"]


def test_what_was_pressed_in_a_menu_that_closes_by_itself_is_none_of_the_match(table: Table) -> None:
    table.play(SERVED)
    table.hold("confirm")
    table.turn(MENU_S - 2.2)
    begin(table, "A", "challenge", 3.0)
    table.turn(4.0)
    assert table.menu is None
    assert table.notice() is None
    assert table.daemon.chair.review is None
    table.press("A", "challenge")
    assert table.notice() is not None, "now it is"


def test_a_confirm_that_began_before_match_point_was_called_does_not_accept_it(short: Table) -> None:
    while True:
        state = short.daemon.chair.match.state
        begin(short, "B", "confirm", 0.3)
        short.play(None)
        short.turn(0.5)
        if state is not short.daemon.chair.match.state and short.daemon.over:
            break
    assert short.menu is None
    assert short.daemon.chair.match.state.standing.accepted == ()


def test_a_match_that_began_under_the_menu_is_not_left_without_a_question(table: Table) -> None:
    table.hold("confirm")
    table.play(SERVED)
    table.play(RETURNED)
    table.press("A", "confirm", then_s=0.3)
    assert table.menu is not None
    assert table.menu.title == "New match?"
    assert table.here == "Back"
    assert not any(isinstance(record, MatchLeft) for record in table.records(1))


def test_a_match_that_is_over_and_under_review_is_not_left_without_a_question(short: Table) -> None:
    while not short.daemon.over:
        short.play((70.0, 100.0))
    for side in get_args(Side):
        short.press(side, "confirm")
    short.press("A", "challenge")
    assert short.daemon.chair.review is not None
    short.hold("confirm")
    short.take("New match")
    assert short.menu is not None
    assert short.menu.title == "New match?"


def test_that_scoring_waits_is_seen_in_the_menu(table: Table) -> None:
    table.play(SERVED)
    table.hold("confirm")
    for code, back in (("covered", "sight-back"), ("board-moved", "board-found")):
        table.see(NoticeSeen(0.0, code))  # type: ignore[arg-type]
        assert table.menu is not None
        assert table.menu.title == "Scoring waits"
        table.see(NoticeSeen(0.0, back))  # type: ignore[arg-type]
        assert table.menu.title == "Menu"
    table.see(NoticeSeen(0.0, "out-of-focus"))
    assert table.menu is not None
    assert table.menu.title == "Menu", "calls go on"
    table.journal.full = 1_000_000
    table.play(RETURNED)
    assert table.menu is not None
    assert table.menu.title == "Scoring waits"
    table.journal.full = 0
    table.turn(RETRY_S + 0.5)
    assert table.menu is not None
    assert table.menu.title == "Menu"
