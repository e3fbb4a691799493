"""The stroke line: always JSON, whatever numbers it is given, and null for what is not known."""

import json
from typing import Any

import msgspec
import numpy as np

from firmware.report import stroke_line
from firmware.rules import Called, Score

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
