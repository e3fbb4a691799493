"""Every clause of the rulebook and every ruling has a test that bears its name, every event is met, and
no ruling is cited that there is not."""

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import firmware.rules
from firmware.rules import (
    Action,
    Correct,
    Event,
    Landing,
    Options,
    Setup,
    start,
)
from tests.rules.builder import ELSEWHERE, NET, ace, awaited_serve, lay, play, press, serve

HERE = Path(__file__).parent
RULES = Path(firmware.rules.__file__).parent
RULINGS = tuple(f"sm_{number:02}" for number in range(1, 22))
FIGURES = tuple(f"figure_{name}" for name in ("c", "d1", "d2", "d3", "e", "f", "g", "h", "i", "j"))
SECTIONS = (
    "object_of_the_game",
    "the_flick",
    "playing_a_rally",
    "the_serve",
    "beginner_level",
    "confirmed_level",
    "first_serve",
    "ace",
    "ace_on_a_second_serve",
    "advanced_rule",
    "the_in_rally_scorer",
    "the_game_scorer",
    "advantage",
    "in_the_rally",
    "is_the_ball_good_or_a_fault",
    "how_many_stroke_points",
    "interesting_case",
    "counting_the_stroke_points",
    "end_of_the_rally",
    "winning_shot",
    "direct_fault",
    "tie_break",
    "playing_doubles",
    "extending_the_point_zones",
    "order_of_turns",
    "the_bonuses",
    "cross_court_bonus",
    "dropshot_bonus",
    "cumulating_bonuses",
    "simplified_rules",
    "what_does_not_change",
    "what_changes",
    "for_children",
    "simplified_scorer",
)
NET_CASES = ("net_case_1", "net_case_2", "net_case_3", "net_case_3b")
CLAUSES = (*SECTIONS, *FIGURES, *NET_CASES, *RULINGS)
"""As they are named in tests."""

TESTS = [
    name
    for path in sorted(HERE.glob("test_*.py"))
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test_named_after_it(clause: str) -> None:
    assert any(re.match(rf"test_{clause}(_|$)", name) for name in TESTS)


def test_no_test_hides_another() -> None:
    for path in HERE.glob("test_*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(names) == len(set(names))


def test_every_ruling_that_is_cited_is_there_and_every_one_is_cited() -> None:
    cited = {
        f"sm_{number}"
        for path in RULES.glob("*.py")
        for number in re.findall(r"SM-(\d+)", path.read_text(encoding="utf-8"))
    }
    assert cited == set(RULINGS)


@cache
def a_match() -> tuple[Event, ...]:
    """What is announced in a match of one set, with everything in it that can be done."""
    state = start(Setup(sets_to_win=1, chosen=Options(tie_break=True, change_ends=True)))
    events: list[Event] = []

    def act(*actions: Landing | Action) -> None:
        nonlocal state
        after = play(state, *actions)
        state = after.state
        events.extend(after.events)

    def win(winners: str) -> None:
        for winner in winners:
            act(*((ace(state),) if awaited_serve(state).seat[0] == winner else (NET, NET)))

    win("AAAABBBBAAAABBB")
    act(serve("left", start=ELSEWHERE), lay(), *press("confirm", "B"))
    last = ace(state)
    act(lay(ELSEWHERE), *press("confirm", "A", "B"), *press("undo", "A"), lay(), last)
    act(*press("flick-fault", "A"), *press("challenge", "B"), last, *press("confirm", "B"))
    win("AAAAA")
    act(Correct(1, "let"))
    return tuple(events)


@pytest.mark.parametrize("kind", get_args(Event))
def test_every_event_can_be_met(kind: type) -> None:
    assert any(isinstance(event, kind) for event in a_match())
