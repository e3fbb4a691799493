"""A watched match: the umpire's strokes become calls, stroke lines and what the panels show."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from calibration.edition import load_edition
from firmware.errors import InputError
from firmware.match import Match
from firmware.rules import Setup
from firmware.umpire.observations import StrokeSeen
from firmware.umpire.rest import Point, Rest

CLASSIC = load_edition("classic", require_zones=True)
CLIP = Path(__file__).parents[1] / "footage" / "figure-j.truth.json"


@dataclass(frozen=True)
class Place:
    """A calibrated place, as the calibration gives it."""

    dot_mm: Point
    disc_mm: Point
    dot_sigma_mm: float = 0.02
    disc_sigma_mm: float = 0.02

    @property
    def half(self) -> str:
        return "A" if self.dot_mm[0] < 0 else "B"


def rest(dot_mm: Point, disc_mm: Point | None = None, *, placed: bool = True) -> Rest:
    return Rest(
        dot_px=(0.0, 0.0),
        disc_px=(0.0, 0.0),
        dot_sigma_px=0.05,
        disc_sigma_px=0.05,
        radius_px=30.0,
        frames=5,
        first_at=1.0,
        last_at=1.2,
        about_mm=dot_mm,
        position=Place(dot_mm, disc_mm or dot_mm) if placed else None,
    )


def stroke(start: Rest, end: Rest | None, *, uncertain: bool = False) -> StrokeSeen:
    return StrokeSeen(
        at=3.0,
        ball=1,
        started_at=1.5,
        rested_at=None if end is None else 2.5,
        from_rest=start,
        rest=end,
        off_board=end is None,
        uncertain=uncertain,
    )


SERVE = stroke(rest((-235.0, -34.0)), rest((70.0, 54.0)))


def test_the_recorded_match_is_called_as_its_truth_has_it() -> None:
    truth: list[dict[str, Any]] = json.loads(CLIP.read_text())["strokes"]
    match = Match(CLASSIC, Setup())
    for number, true in enumerate(truth, start=1):
        start = rest(tuple(true["from_printed_mm"]))
        end = rest(tuple(true["at_printed_mm"]), tuple(true["disc_printed_mm"]))
        line = match.take(stroke(start, None if true["off_board"] else end))
        board = match.scoreboard()
        assert line["number"] == number
        for key in ("call", "points", "marker", "rally_winner"):
            assert line[key] == true[key], (number, key)
        after = true["score_after"]
        assert line["score"]["points"] == after["game_points"]
        assert list(board.points) == after["game_points"]
        assert board.marker == true["marker"]
        assert board.server == f"{after['server']}1"
        assert board.last is not None
        assert board.last.call == true["call"]


def test_a_stroke_line_carries_times_and_places() -> None:
    line = Match(CLASSIC, Setup()).take(SERVE)
    assert (line["started_at"], line["rested_at"]) == (1.5, 2.5)
    assert line["from_mm"] == [-235.0, -34.0]
    assert line["dot_mm"] == [70.0, 54.0]
    assert line["sigma_mm"] == 0.02
    assert line["certain"] is True


def test_a_ball_that_left_is_out_without_a_place() -> None:
    line = Match(CLASSIC, Setup()).take(stroke(rest((-235.0, -34.0)), None))
    assert line["off_board"] is True
    assert line["dot_mm"] is None
    assert line["disc_mm"] is None
    assert line["sigma_mm"] is None
    assert line["call"] == "fault"


def test_a_ball_that_lies_in_sight_beside_the_board_has_a_place_and_is_off() -> None:
    """Though it lies where a ball on the board would be a good serve."""
    beside = replace(SERVE, off_board=True)
    line = Match(CLASSIC, Setup()).take(beside)
    assert (line["call"], line["off_board"], line["margin_mm"]) == ("fault", True, None)
    assert (line["dot_mm"], line["sigma_mm"]) == ([70.0, 54.0], 0.02)


def test_a_stroke_half_seen_is_never_certain_and_the_panels_say_so() -> None:
    match = Match(CLASSIC, Setup())
    seen = stroke(SERVE.from_rest, SERVE.rest, uncertain=True)
    assert match.take(seen)["certain"] is False
    last = match.scoreboard().last
    assert last is not None
    assert last.certain is False


def test_before_the_first_stroke_the_panels_await_the_serve() -> None:
    board = Match(CLASSIC, Setup(first_server="B")).scoreboard("too dark")
    assert board.to_play == board.server == "B1"
    assert board.last is None
    assert board.notice == "too dark"


def test_a_stroke_after_the_end_is_refused_and_changes_nothing() -> None:
    match = Match(CLASSIC, Setup(sets_to_win=1))
    off = {"A1": (-235.0, -34.0), "B1": (235.0, 34.0)}
    while match.state.waiting is not None:
        match.take(stroke(rest(off[match.state.waiting.seat]), None))
    ended = match.state
    with pytest.raises(InputError, match="over"):
        match.take(SERVE)
    assert match.state == ended


def test_a_stroke_without_a_calibrated_place_is_refused() -> None:
    unplaced = stroke(rest((-235.0, -34.0), placed=False), SERVE.rest)
    with pytest.raises(InputError, match="calibrate"):
        Match(CLASSIC, Setup()).take(unplaced)
