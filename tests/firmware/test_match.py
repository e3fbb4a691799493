"""A watched match: the umpire's strokes become calls, stroke lines and what the panels show."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.edition import load_edition
from firmware.errors import InputError
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Correct, IllegalAction, Press, Setup, choose
from firmware.umpire.observations import PlacementSeen, StrokeSeen
from firmware.umpire.rest import Point, Rest
from tests.firmware.places import Place

CLASSIC = load_edition("classic", require_zones=True)
CLIP = Path(__file__).parents[1] / "footage" / "figure-j.truth.json"


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
ANYWHERE = Setup(chosen=choose("confirmed", {"free_serve_position": True}))


def over() -> Match:
    """A match of one set, lost by double faults: B wins as who receives in the fifth game."""
    match = Match(CLASSIC, Setup(chosen=ANYWHERE.chosen, sets_to_win=1))
    while match.state.waiting is not None:
        match.take(stroke(SERVE.from_rest, None))
    return match


def called(match: Match, seen: StrokeSeen) -> Line:
    """The line of a stroke that ends nothing."""
    (line,) = match.take(seen)
    return line


def test_the_recorded_match_is_called_as_its_truth_has_it() -> None:
    truth: list[dict[str, Any]] = json.loads(CLIP.read_text())["strokes"]
    match = Match(CLASSIC, Setup())
    for number, true in enumerate(truth, start=1):
        start = rest(tuple(true["from_printed_mm"]))
        end = rest(tuple(true["at_printed_mm"]), tuple(true["disc_printed_mm"]))
        line = match.take(stroke(start, None if true["off_board"] else end))[0]
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
    line = called(Match(CLASSIC, Setup()), SERVE)
    assert (line["started_at"], line["rested_at"]) == (1.5, 2.5)
    assert line["from_mm"] == [-235.0, -34.0]
    assert line["dot_mm"] == [70.0, 54.0]
    assert line["sigma_mm"] == 0.02
    assert line["certain"] is True


def test_a_ball_that_left_is_out_without_a_place() -> None:
    line = called(Match(CLASSIC, Setup()), stroke(rest((-235.0, -34.0)), None))
    assert line["off_board"] is True
    assert line["dot_mm"] is None
    assert line["disc_mm"] is None
    assert line["sigma_mm"] is None
    assert line["call"] == "fault"


def test_a_ball_that_lies_in_sight_beside_the_board_has_a_place_and_is_off() -> None:
    """Though it lies where a ball on the board would be a good serve."""
    beside = replace(SERVE, off_board=True)
    line = called(Match(CLASSIC, Setup()), beside)
    assert (line["call"], line["off_board"], line["margin_mm"]) == ("fault", True, None)
    assert (line["dot_mm"], line["sigma_mm"]) == ([70.0, 54.0], 0.02)


def test_a_stroke_half_seen_is_never_certain_and_the_panels_say_so() -> None:
    match = Match(CLASSIC, Setup())
    seen = stroke(SERVE.from_rest, SERVE.rest, uncertain=True)
    assert called(match, seen)["certain"] is False
    last = match.scoreboard().last
    assert last is not None
    assert last.certain is False


def test_before_the_first_stroke_the_panels_await_the_serve() -> None:
    board = Match(CLASSIC, Setup(first_server="B")).scoreboard("too dark")
    assert board.to_play == board.server == "B1"
    assert board.last is None
    assert board.notice == "too dark"


def test_a_stroke_after_the_end_is_refused_and_changes_nothing() -> None:
    match = over()
    ended = match.state
    with pytest.raises(IllegalAction) as caught:
        match.take(SERVE)
    assert caught.value.reason == "match-over"
    assert match.state == ended


def test_a_stroke_without_a_calibrated_place_is_refused() -> None:
    unplaced = stroke(rest((-235.0, -34.0), placed=False), SERVE.rest)
    with pytest.raises(InputError, match="calibrate"):
        Match(CLASSIC, Setup()).take(unplaced)


def test_every_line_of_what_a_stroke_ended_follows_it() -> None:
    lines = Match(CLASSIC, ANYWHERE).take(stroke(SERVE.from_rest, None))
    assert [line["kind"] for line in lines] == ["stroke"]
    match = over()
    assert match.waiting_line() == {
        "kind": "outcome",
        "winner": "B",
        "reason": "sets",
        "score": {"points": ["0", "0"], "games": [0, 0], "sets": [0, 1]},
    }
    undone, _ = match.act(Press("undo", "A")), match.waiting_line()
    assert [line["kind"] for line in undone] == ["undone"]
    last = match.take(stroke(SERVE.from_rest, None))
    assert [line["kind"] for line in last] == ["stroke", "rally", "game", "set", "match"]
    assert last[0]["rally_winner"] == last[1]["winner"] == "B"
    assert last[-1]["outcome"] == {"winner": "B", "reason": "sets"}


def test_a_correction_tells_every_stroke_that_is_now_called_otherwise() -> None:
    """The serve was worth 2, so that the answer brings the marker back to the middle."""
    match = Match(CLASSIC, Setup())
    match.take(SERVE)
    match.take(stroke(rest((70.0, 54.0)), rest((-150.0, 68.0))))
    assert match.state.marker == -1
    corrected, serve, answer = match.act(Correct(1, points=2))
    assert corrected["kind"] == "corrected"
    assert (corrected["was"], corrected["now"]) == ({"call": "in", "points": 1}, {"call": "in", "points": 2})
    assert corrected["changed"] == [2]
    assert (serve["number"], serve["points"], serve["ruled"], serve["dot_mm"]) == (1, 2, True, [70.0, 54.0])
    assert (answer["number"], answer["marker"], answer["ruled"]) == (2, 0, False)
    undone, serve, answer = match.act(Press("undo", "B"))
    assert (undone["kind"], undone["what"]) == ("undone", "correction")
    assert (serve["points"], serve["ruled"], answer["marker"]) == (1, False, -1)


def test_a_correction_to_the_same_call_tells_the_stroke_as_it_was() -> None:
    match = Match(CLASSIC, Setup())
    (told,) = match.take(SERVE)
    assert match.act(Correct(1, call="in"))[1:] == [told]


def test_a_number_that_was_undone_is_free_for_the_next_stroke() -> None:
    match = Match(CLASSIC, Setup())
    match.take(SERVE)
    match.act(Press("undo", "A"))
    again = called(match, stroke(SERVE.from_rest, None))
    assert (again["number"], again["call"], again["dot_mm"]) == (1, "fault", None)


def test_a_beginner_s_ball_is_wanted_on_the_0_of_the_box_and_play_goes_on_from_there() -> None:
    match = Match(CLASSIC, Setup("discovery"))
    match.take(stroke(SERVE.from_rest, None))
    second, asked = match.take(stroke(SERVE.from_rest, None))
    assert (second["call"], second["rally_winner"]) == ("fault", None)
    assert (asked["kind"], asked["reason"], asked["box"]) == ("placement-asked", "zero", "left")
    wanted = match.wanted_mm()
    assert wanted == CLASSIC.zero_mm("left")
    assert asked["at_mm"] == list(wanted)
    assert match.waiting_line()["at_mm"] == list(wanted)
    (placed,) = match.take_placement(PlacementSeen(4.0, 1, None, rest(wanted)))
    assert (placed["kind"], placed["reason"]) == ("placed", "zero")
    waiting = match.waiting_line()
    assert (waiting["for"], waiting["seat"], waiting["from_mm"]) == ("return", "B1", list(wanted))
    assert match.wanted_mm() is None


def test_a_placement_without_a_calibrated_place_is_nothing() -> None:
    match = Match(CLASSIC, Setup())
    assert match.take_placement(PlacementSeen(4.0, 1, None, rest((0.0, 0.0), placed=False))) == []


def test_a_recorded_serve_from_the_wrong_place_counts_with_a_notice_before_it() -> None:
    """From the left, on even points; nobody is there to send the server back."""
    match = Match(CLASSIC, Setup())
    wrong = stroke(rest((-235.0, 34.0)), rest((70.0, 54.0)))
    notice, line = match.take_as_played(wrong)
    assert (notice["kind"], notice["code"], notice["at"]) == ("notice", "played-on", 3.0)
    assert notice["text"] == "Stroke 1 was served from the wrong place. Nobody objected; it counts."
    assert (line["kind"], line["number"], line["call"]) == ("stroke", 1, "in")
    assert match.waiting_line()["for"] == "return"


def test_a_recorded_stroke_after_the_ball_was_moved_counts_with_a_notice_before_it() -> None:
    match = Match(CLASSIC, Setup())
    match.take(SERVE)
    (asked,) = match.take_placement(PlacementSeen(4.0, 1, None, rest((60.0, 10.0))))
    assert (asked["kind"], asked["reason"]) == ("placement-asked", "moved")
    played = stroke(rest((60.0, 10.0)), rest((-150.0, 68.0)))
    notice, line = match.take_as_played(played)
    assert (notice["kind"], notice["code"]) == ("notice", "played-on")
    assert (line["seat"], line["call"], line["from_mm"]) == ("B1", "in", [60.0, 10.0])


def test_a_recorded_stroke_from_where_the_ball_lay_has_no_notice() -> None:
    match = Match(CLASSIC, Setup())
    assert [line["kind"] for line in match.take_as_played(SERVE)] == ["stroke"]
    back = stroke(rest((70.0, 54.0)), rest((-150.0, 68.0)))
    assert [line["kind"] for line in match.take_as_played(back)] == ["stroke"]


def test_a_recorded_rally_after_a_beginner_s_missed_serves_goes_on_from_where_it_was_played() -> None:
    match = Match(CLASSIC, Setup("discovery"))
    for _ in range(2):
        match.take(stroke(SERVE.from_rest, None))
    notice, line = match.take_as_played(stroke(rest((90.0, 20.0)), rest((-150.0, 68.0))))
    assert (notice["code"], line["seat"], line["call"]) == ("played-on", "B1", "in")
