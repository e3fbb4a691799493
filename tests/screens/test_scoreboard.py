"""The scoreboard's JSON: what comes back, and what is refused with which words."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import InputError
from firmware.screens import scoreboard
from firmware.screens.scoreboard import Scoreboard, scoreboard_from_json


@given(st.from_type(Scoreboard))
def test_json_round_trip(board: Scoreboard) -> None:
    assert scoreboard_from_json(msgspec.json.encode(board), "x.json") == board


def test_an_empty_object_is_the_start_of_a_match() -> None:
    assert scoreboard_from_json(b"{}", "x.json") == Scoreboard()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"marker": 4}', ["<= 3", "$.marker"]),
        (b'{"markr": 1}', ["markr"]),
        (b'{"last": {"seat": "A1", "call": "in", "pts": 1}}', ["pts", "$.last"]),
        (b'{"last": {"seat": "A1", "call": "good"}}', ["good", "$.last.call"]),
        (b'{"points": ["15", "A"]}', ["^(AD|0|", "$.points[1]"]),
        (b'{"points": ["15", "07"]}', ["^(AD|0|", "$.points[1]"]),
        (b'{"points": ["AD", "4"], "points_to_win": 12}', ["points_to_win", "whole numbers"]),
        (b'{"points_to_win": 0}', [">= 1", "$.points_to_win"]),
        (b'{"points": ["15"]}', ["length 2", "$.points"]),
        (b'{"sets": [0, 4]}', ["<= 3", "$.sets"]),
        (b'{"to_play": "C1"}', ["C1", "$.to_play"]),
        (b'{"notice": ""}', [">= 1", "$.notice"]),
        (b'{"marker": 1', ["not JSON"]),
        (b"\xff\xfe", ["not JSON"]),
        (b"[]", ["object"]),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: bytes, words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        scoreboard_from_json(text, "score.json")
    message = str(caught.value)
    assert message.startswith("score.json")
    for word in words:
        assert word in message


def test_every_example_of_the_readme_is_a_scoreboard() -> None:
    readme = (Path(scoreboard.__file__).parent / "README.md").read_text(encoding="utf-8")
    examples = [part.split("```")[0] for part in readme.split("```json\n")[1:]]
    boards = [scoreboard_from_json(example.encode(), "README.md") for example in examples]
    assert len(boards) == len(set(boards)) > 3
