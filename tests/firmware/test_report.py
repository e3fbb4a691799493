"""The lines for programs: always JSON, whatever numbers it is given, and null for what is not known."""

import json
from typing import Any, Literal

import msgspec
import numpy as np
import pytest

from firmware.report import called_anew, event_line, outcome_line, result_text, stroke_line, waiting_line
from firmware.rules import (
    Called,
    Corrected,
    Outcome,
    PlacementAsked,
    RallyWon,
    Score,
    Setup,
    SetWon,
    Side,
    start,
)

CALLED = Called(
    number=7,
    seat="B1",
    call="winner",
    points=2,
    margin_mm=-0.123456,
    certain=False,
    marker=-3,
    rally_winner="B",
    score=Score(points=(1, 3), games=(0, 2), sets=(1, 0)),
)


def line(called: Called = CALLED, **changed: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "started_at": 1.0,
        "rested_at": 1.5,
        "from_mm": (70.0, 54.0),
        "dot_mm": (-150.0, 68.0),
        "disc_mm": (-150.0, 68.0),
        "sigma_mm": 0.01,
        "off_board": False,
    }
    return stroke_line(called, **(told | changed))


def test_the_call_and_the_score_as_they_are_announced() -> None:
    told = line()
    assert (told["kind"], told["number"], told["seat"]) == ("stroke", 7, "B1")
    assert (told["call"], told["points"], told["marker"]) == ("winner", 2, -3)
    assert (told["margin_mm"], told["certain"], told["rally_winner"]) == (-0.1235, False, "B")
    assert told["score"] == {"points": ["15", "40"], "games": [0, 2], "sets": [1, 0]}


def test_scalars_of_numpy_are_written_as_numbers() -> None:
    place = (np.float64(-0.0), np.float32(1.25))
    told = line(started_at=np.float64(2.0), dot_mm=place, sigma_mm=np.float64(0.012345))
    for text in (json.dumps(told), msgspec.json.encode(told).decode()):
        back = json.loads(text)
        assert back["dot_mm"] == [0.0, 1.25]
        assert (back["started_at"], back["sigma_mm"]) == (2.0, 0.0123)
        assert "-0.0" not in text.replace("-0.1235", "")


def test_what_is_not_known_is_null() -> None:
    ace = msgspec.structs.replace(CALLED, call="ace", points=None, margin_mm=None)
    told = line(ace, started_at=None, rested_at=None, dot_mm=None, disc_mm=None, off_board=True)
    unknown = {key for key, value in told.items() if value is None}
    assert unknown == {"started_at", "rested_at", "dot_mm", "disc_mm", "points", "margin_mm"}


def test_a_stroke_that_is_called_anew_keeps_what_was_measured() -> None:
    now = msgspec.structs.replace(CALLED, call="out", points=0, margin_mm=None, ruled=True)
    told = called_anew(line(), now)
    assert (told["call"], told["points"], told["margin_mm"], told["ruled"]) == ("out", 0, None, True)
    measured = ("number", "started_at", "rested_at", "from_mm", "dot_mm", "disc_mm", "sigma_mm", "off_board")
    assert {key: told[key] for key in measured} == {key: line()[key] for key in measured}


def test_scores_are_told_by_name_whatever_announces_them() -> None:
    score = Score(points=(4, 3), games=(1, 2), sets=(0, 1))
    told = {"points": ["AD", "40"], "games": [1, 2], "sets": [0, 1]}
    assert event_line(RallyWon("A", score)) == {"kind": "rally", "winner": "A", "score": told}
    ended = event_line(SetWon("B", (1, 3), Score(sets=(0, 1))))
    assert (ended["games"], ended["score"]["sets"]) == ((1, 3), [0, 1])


def test_a_correction_names_what_was_and_what_is() -> None:
    now = msgspec.structs.replace(CALLED, call="out", points=0)
    later = msgspec.structs.replace(CALLED, number=9)
    told = event_line(Corrected(CALLED, now, (later,), Score()))
    assert told == {
        "kind": "corrected",
        "number": 7,
        "was": {"call": "winner", "points": 2},
        "now": {"call": "out", "points": 0},
        "changed": [9],
        "score": {"points": ["0", "0"], "games": [0, 0], "sets": [0, 0]},
    }


def test_a_ball_is_asked_for_at_the_place_that_the_board_knows() -> None:
    told = event_line(PlacementAsked("A1", "zero", None, "left", None), (75.00001, 24.0))
    assert (told["reason"], told["box"], told["at_mm"]) == ("zero", "left", [75.0, 24.0])
    anywhere = event_line(PlacementAsked("A1", "serve-position", "right", None, None))
    assert (anywhere["side"], anywhere["at_mm"]) == ("right", None)


def test_what_may_be_pressed_is_told_for_both_sides() -> None:
    told = waiting_line(start(Setup(first_server="B")))
    assert (told["for"], told["seat"], told["attempt"]) == ("serve", "B1", 1)
    assert told["may_press"] == {"A": [], "B": ["confirm"]}


@pytest.mark.parametrize(
    ("winner", "reason", "score", "says"),
    [
        ("A", "sets", Score(sets=(2, 1)), "A wins the match, 2-1 in sets."),
        ("B", "points", Score((7, 12), counting="simplified"), "B wins the match, 7-12 in points."),
    ],
)
def test_the_outcome_in_one_sentence(
    winner: Side, reason: Literal["sets", "points"], score: Score, says: str
) -> None:
    told = outcome_line(Outcome(winner, reason), score)
    assert (told["kind"], told["winner"], told["reason"]) == ("outcome", winner, reason)
    assert result_text(told, told["score"]) == says
