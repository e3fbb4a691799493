"""`setmatch judge`: the clips' landings called as their truth has them, and every kind of bad
input."""

import argparse
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.edition import load_edition
from firmware import judge as command
from firmware.errors import InputError
from firmware.judge import judge
from firmware.rules import Setup, choose
from firmware.texts import load
from tests.shared import FOOTAGE, shared_footage

HERE = Path(__file__).parent
CLASSIC = load_edition("classic", require_zones=True)
SERVE = '{"from_mm":[-235,-34],"dot_mm":[70,54],"disc_mm":[70.1,54],"off_board":false}'
OFF = '{"from_mm":[-235,-34],"dot_mm":null,"disc_mm":null,"off_board":true}'
ENGLISH = load("en")
ANYWHERE = choose("confirmed", {"free_serve_position": True})
"""The clips' serves and those of these tests are called, not sent back (SM-13 has its own tests)."""


def told(*lines: str, setup: Setup | None = None, sets: int = 2) -> list[dict[str, Any]]:
    """Everything that is answered."""
    return list(judge(lines, setup or Setup(chosen=ANYWHERE, sets_to_win=sets), CLASSIC, ENGLISH))


def judged(*lines: str, setup: Setup | None = None, sets: int = 2) -> list[dict[str, Any]]:
    """The stroke lines."""
    return [line for line in told(*lines, setup=setup, sets=sets) if line["kind"] == "stroke"]


def strokes_of(clip: str) -> list[dict[str, Any]]:
    own = FOOTAGE / f"{clip}.truth.json"
    truth = own if own.exists() else shared_footage(f"{clip}.truth.json")
    strokes: list[dict[str, Any]] = json.loads(truth.read_text())["strokes"]
    return strokes


def landing_line(stroke: dict[str, Any]) -> str:
    return json.dumps(
        {
            "from_mm": stroke["from_printed_mm"],
            "dot_mm": stroke["at_printed_mm"],
            "disc_mm": stroke["disc_printed_mm"],
            "off_board": stroke["off_board"],
        }
    )


@pytest.mark.parametrize("clip", ["figure-j", "serves", "lamp"])
def test_the_clips_are_called_as_their_truth_has_them(clip: str) -> None:
    truth = strokes_of(clip)
    expected = [
        {
            "number": number,
            "seat": f"{stroke['player']}1",
            "call": stroke["call"],
            "points": stroke["points"],
            "marker": stroke["marker"],
            "rally_winner": stroke["rally_winner"],
            "score": {
                "points": stroke["score_after"]["game_points"],
                "games": stroke["score_after"]["games"],
                "sets": stroke["score_after"]["sets"],
            },
        }
        for number, stroke in enumerate(truth, start=1)
    ]
    lines = judged(*map(landing_line, truth), setup=Setup())
    assert [{key: line[key] for key in expected[0]} for line in lines] == expected


@pytest.mark.parametrize("clip", ["figure-j", "serves", "lamp"])
def test_the_margin_is_as_wide_as_the_truth_says(clip: str) -> None:
    """`robustness_mm` is the least shift of the ball that changes the call, up to 3 mm."""
    truth = strokes_of(clip)
    for stroke, line in zip(truth, judged(*map(landing_line, truth), setup=Setup()), strict=True):
        assert line["certain"] == (stroke["robustness_mm"] >= 0.3)
        assert abs(line["margin_mm"]) >= stroke["robustness_mm"] - 0.01


def test_the_stroke_line() -> None:
    (line,) = judged(SERVE)
    assert list(line) == [
        "kind",
        "number",
        "seat",
        "started_at",
        "rested_at",
        "from_mm",
        "dot_mm",
        "disc_mm",
        "sigma_mm",
        "off_board",
        "call",
        "points",
        "margin_mm",
        "certain",
        "ruled",
        "marker",
        "rally_winner",
        "score",
    ]
    margin_mm = line.pop("margin_mm")
    assert margin_mm == pytest.approx(-7.5)
    assert line == {
        "kind": "stroke",
        "number": 1,
        "seat": "A1",
        "started_at": None,
        "rested_at": None,
        "from_mm": [-235.0, -34.0],
        "dot_mm": [70.0, 54.0],
        "disc_mm": [70.1, 54.0],
        "sigma_mm": 0.0,
        "off_board": False,
        "call": "in",
        "points": 1,
        "certain": True,
        "ruled": False,
        "marker": 1,
        "rally_winner": None,
        "score": {"points": ["0", "0"], "games": [0, 0], "sets": [0, 0]},
    }


def test_a_ball_off_the_board() -> None:
    fault, double = judged(OFF, OFF)
    assert (fault["call"], double["call"]) == ("fault", "double-fault")
    assert double["score"]["points"] == ["0", "15"]
    for line in (fault, double):
        assert (line["dot_mm"], line["disc_mm"], line["margin_mm"]) == (None, None, None)
        assert line["sigma_mm"] is None
        assert line["off_board"]


def test_a_ball_beside_the_board_has_a_place() -> None:
    beside = '{"from_mm":[-235,-34],"dot_mm":[290,54],"disc_mm":[290.1,54],"off_board":true,"sigma_mm":0.1}'
    (line,) = judged(beside)
    assert (line["call"], line["off_board"], line["margin_mm"]) == ("fault", True, None)
    assert (line["dot_mm"], line["disc_mm"], line["sigma_mm"]) == ([290.0, 54.0], [290.1, 54.0], 0.1)


def test_the_deviation_on_the_line_is_used() -> None:
    """A disc 0.3 mm outside the box is a fault when it is exact, and good when that is in doubt."""
    exact = '{"from_mm":[-235,-34],"dot_mm":[129.3,54],"disc_mm":[129.3,54]'
    fault, good = judged(exact + "}", exact + ',"sigma_mm":0.2}')
    assert (fault["call"], good["call"], good["certain"]) == ("fault", "in", False)
    assert good["sigma_mm"] == 0.2


def test_blank_lines_are_passed_over_and_counted() -> None:
    with pytest.raises(InputError, match="line 3:"):
        judged("", SERVE, "{}")


def test_each_landing_is_answered_before_the_next_is_read() -> None:
    reader = iter([SERVE, "nonsense"])
    strokes = judge(reader, Setup(), CLASSIC, ENGLISH)
    assert next(strokes)["number"] == 1
    assert next(strokes)["kind"] == "waiting"
    assert next(reader) == "nonsense"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "malformed"),
        ("[1, 2]", "Expected `object`"),
        ('{"from_mm":[1,2]}', "`dot_mm` and `disc_mm` are needed unless `off_board` is true"),
        (SERVE.replace("from_mm", "from"), "none of from_mm, placed_mm, press, correct is in it"),
        (SERVE.replace("disc_mm", "disc"), "unknown field `disc`"),
        (SERVE.replace("[70,54]", "[70]"), "`$.dot_mm`"),
        (SERVE.replace("[70,54]", '["70",54]'), "`$.dot_mm[0]`"),
        (SERVE.replace("[70,54]", "[1e999,54]"), "`$.dot_mm[0]`"),
        (SERVE.replace("[70,54]", "[70000,54]"), "`$.dot_mm[0]`"),
        (SERVE.replace("[70,54]", "[70,66]"), "`dot_mm` lies outside the ball"),
        (SERVE.replace("false", "0"), "`$.off_board`"),
        (SERVE.replace("}", ',"sigma_mm":-1}'), "`$.sigma_mm`"),
        ("\udcff", "surrogates"),
    ],
)
def test_bad_lines_are_named_with_the_reason_and_an_example(line: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        judged(SERVE, line)
    message = str(caught.value)
    assert message.startswith("line 2: ")
    assert says in message
    assert message.endswith(SERVE.replace("70.1", "70"))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"placed_mm":[-235]}', "`$.placed_mm`"),
        ('{"placed_mm":[-235,-34],"side":"A"}', "unknown field `side`"),
        ('{"press":"shout","side":"A"}', "'shout'"),
        ('{"press":"confirm"}', "`side`"),
        ('{"press":"confirm","side":"A1"}', "'A1'"),
        ('{"correct":1}', "`call` or `points` is needed"),
        ('{"correct":0,"call":"out"}', "`$.correct`"),
        ('{"correct":1,"call":"good"}', "'good'"),
        ('{"correct":1,"points":"2"}', "`$.points`"),
    ],
)
def test_a_bad_line_of_each_other_kind_is_named_with_an_example_of_that_kind(line: str, says: str) -> None:
    kind = next(iter(json.loads(line)))
    with pytest.raises(InputError) as caught:
        told(SERVE, line)
    message = str(caught.value)
    assert message.startswith("line 2: ")
    assert says in message
    assert message.endswith(command._EXAMPLES[kind])


def test_the_example_of_the_messages_is_a_landing() -> None:
    assert judged(command._EXAMPLES["from_mm"])[0]["call"] == "in"


@pytest.mark.parametrize("kind", command._EXAMPLES)
def test_the_examples_of_the_messages_are_understood(kind: str) -> None:
    """Each is told to whoever wrote such a line wrongly."""
    assert told(SERVE, command._EXAMPLES[kind])[-1]["kind"] == "waiting"


def test_a_landing_after_the_match_is_refused_and_says_so() -> None:
    """Nothing but double faults: whoever receives wins each game, and a set goes to the fifth."""
    match = [OFF] * 8 * 5
    lines = told(*match, sets=1)
    assert [line["kind"] for line in lines[-6:]] == ["stroke", "rally", "game", "set", "match", "outcome"]
    assert lines[-1] == {
        "kind": "outcome",
        "winner": "B",
        "reason": "sets",
        "score": {"points": ["0", "0"], "games": [0, 0], "sets": [0, 1]},
        "text": "Match won by B.",
    }
    refused, outcome = told(*match, OFF, sets=1)[-2:]
    assert (refused["kind"], refused["line"], refused["reason"]) == ("refused", 41, "match-over")
    assert "match is over" in refused["text"]
    assert outcome == lines[-1]


PLACES = st.tuples(st.floats(-240.0, 240.0), st.floats(-110.0, 110.0))
TURNED_SIDE = {"A1": "B1", "B1": "A1", "A": "B", "B": "A", None: None}


@given(st.lists(st.tuples(PLACES, st.booleans()), min_size=1, max_size=30))
def test_half_a_turn_of_the_board_swaps_the_sides(
    rests: list[tuple[tuple[float, float], bool]],
) -> None:
    """The same places, seen from the other end and with the other side serving first."""
    here: list[str] = []
    there: list[str] = []
    start_mm = (-235.0, -34.0)
    for place, off_board in rests:
        for lines, sign in ((here, 1), (there, -1)):
            at = None if off_board else [sign * place[0], sign * place[1]]
            landed = {"from_mm": [sign * start_mm[0], sign * start_mm[1]], "off_board": off_board}
            lines.append(json.dumps({**landed, "dot_mm": at, "disc_mm": at}))
        start_mm = place
    strokes = judged(*here)
    turned = judged(*there, setup=Setup(chosen=ANYWHERE, first_server="B"))
    for one, other in zip(strokes, turned, strict=True):
        assert other["seat"] == TURNED_SIDE[one["seat"]]
        assert (other["call"], other["points"]) == (one["call"], one["points"])
        assert (other["marker"], other["certain"]) == (-one["marker"], one["certain"])
        assert other["margin_mm"] == pytest.approx(one["margin_mm"], abs=2e-4)
        assert other["rally_winner"] == TURNED_SIDE[one["rally_winner"]]
        assert other["score"] == {of: pair[::-1] for of, pair in one["score"].items()}


def run(monkeypatch: pytest.MonkeyPatch, stdin: bytes, *argv: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
    args = parser.parse_args(["judge", *argv])
    code: int = args.run(args)
    return code


def test_the_command_prints_one_object_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, f"{SERVE}\n{OFF}\n".encode(), "--preset", "confirmed", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == told(SERVE, OFF, setup=Setup())


def test_the_command_prints_what_came_before_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="line 2:"):
        run(monkeypatch, f"{SERVE}\nnonsense\n".encode(), "--json")
    assert json.loads(capsys.readouterr().out.splitlines()[0])["number"] == 1


def test_the_command_prints_a_table_for_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, f"{OFF}\n{OFF}\n".encode()) == 0
    out = capsys.readouterr().out
    assert "double-fault" in out
    assert "0-15" in out


def test_the_sets_to_win_are_taken_from_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = f"{OFF}\n".encode() * 40
    anywhere = ("--option", "free_serve_position=on", "--json")
    for sets, kind in (("1", "outcome"), ("2", "waiting")):
        assert run(monkeypatch, match, "--sets", sets, *anywhere) == 0
        last = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (last["kind"], last["score"]["sets"]) == (kind, [0, 1])


def test_input_that_is_no_text_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"not text in UTF-8; save it as UTF-8"):
        run(monkeypatch, b"\xff\xfe{", "--json")
    with pytest.raises(InputError, match="line 3 is not text"):
        run(monkeypatch, f"{SERVE}\n\n".encode() + b"\xff\n", "--json")
    with pytest.raises(InputError, match="line 1"):
        run(monkeypatch, b"\x89PNG\r\n\x1a\n", "--json")


@pytest.mark.parametrize("board", ["wedges", "discs", "uneven"])
def test_other_boards_are_judged_by_their_own_zones(board: str) -> None:
    """A good serve onto a figure that the board prints in the box earns that figure."""
    edition = load_edition(str(shared_footage("layouts", board, "board.toml")), require_zones=True)
    earned = []
    for figure in edition.figures:
        at = list(figure.at_mm)
        if not (0 < at[0] < edition.court.service_line_mm and at[1] > 0):
            continue
        line = json.dumps({"from_mm": [-235, -34], "dot_mm": at, "disc_mm": at})
        stroke = next(judge([line], Setup(), edition, ENGLISH))
        if stroke["call"] == "in":
            earned.append((figure.points, stroke["points"]))
    assert earned
    assert all(points == printed for printed, points in earned)
