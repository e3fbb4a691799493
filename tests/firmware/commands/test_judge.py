"""`setmatch judge`: the clips' landings called as their truth has them, and every kind of bad
input."""

import argparse
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.edition import load_edition
from firmware.commands import judge as command
from firmware.commands.judge import judge
from firmware.errors import InputError
from firmware.rules import PRESETS, Setup, choose
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


@settings(deadline=None)
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


# The whole rulebook, line by line. Places on the classic board, as its file has them.

FROM = {
    ("A", "right"): (-235, -34),
    ("A", "left"): (-235, 34),
    ("B", "right"): (235, 34),
    ("B", "left"): (235, -34),
}
Place = tuple[float, float]


def landed(start: Place, end: Place | None) -> str:
    """A stroke's line; None: off the board."""
    at = None if end is None else list(end)
    return json.dumps({"from_mm": list(start), "dot_mm": at, "disc_mm": at, "off_board": end is None})


def served(end: Place | None, side: str = "A", on: str = "right") -> str:
    return landed(FROM[side, on], end)


def laid(at: Place) -> str:
    return json.dumps({"placed_mm": list(at)})


def pressed(button: str, side: str) -> str:
    return json.dumps({"press": button, "side": side})


def ruled(number: int, **ruling: object) -> str:
    return json.dumps({"correct": number, **ruling})


def kinds(lines: list[dict[str, Any]]) -> list[str]:
    return [line["kind"] for line in lines]


ZONE = {0: (78.0, -2.0), 1: (186.0, -46.0), 2: (206.0, -62.0)}
"""In a rally from side A; turned by half for B."""
BOX = {0: (58.0, 22.0), 1: (26.0, 46.0), 2: (14.0, 66.0), "ace": (114.0, 6.0)}
"""In the left box, for a serve by A."""
BACK = {points: (-x, -y) for points, (x, y) in ZONE.items()}
SHORT = (-50.0, 0.0)
NUMBERS_SERVED = ("A1", "B1", "B1", "A1", "A1")


def test_what_is_waited_for_has_one_shape_whatever_it_is() -> None:
    """Serve, return, placement, decision: the same keys, and more where there is more to say."""
    serve, again, stroke = pressed("confirm", "A"), served(SHORT), served(BOX[1])
    lines = [line for line in told(serve, again, stroke, setup=Setup()) if line["kind"] == "waiting"]
    keys = {
        "kind",
        "for",
        "seat",
        "side",
        "box",
        "attempt",
        "pressure",
        "marker",
        "score",
        "may_press",
        "text",
    }
    assert all(keys <= set(line) for line in lines)
    told_of = [
        tuple(line[key] for key in ("for", "seat", "side", "box", "attempt", "pressure")) for line in lines
    ]
    assert told_of == [
        ("serve", "A1", "right", "left", 1, False),
        ("serve", "A1", "right", "left", 2, False),
        ("return", "B1", None, None, None, False),
    ]
    assert lines[-1]["from_mm"] == list(BOX[1])
    assert (lines[-1]["marker"], lines[-1]["text"]) == (1, "B to play.")


def test_discovery_waits_for_the_ball_on_the_0() -> None:
    lines = told(served(SHORT), served(SHORT), laid((60, 24)), laid((75, 24)), setup=Setup("discovery"))
    assert kinds(lines) == [
        *("stroke", "waiting"),
        *("stroke", "placement-asked", "waiting"),
        "waiting",
        *("placed", "waiting"),
    ]
    assert [line["call"] for line in lines if line["kind"] == "stroke"] == ["fault", "fault"]
    asked, far, placed, plays = lines[4], lines[5], lines[6], lines[7]
    for line in (asked, far):
        assert (line["for"], line["reason"], line["box"]) == ("placement", "zero", "left")
        assert line["at_mm"] == [75.0, 24.0]
    assert (placed["seat"], placed["reason"]) == ("A1", "zero")
    assert (plays["for"], plays["seat"], plays["from_mm"]) == ("return", "B1", [75.0, 24.0])


def test_advanced_first_serve_into_the_2_is_point_and_the_rally_goes_on() -> None:
    advanced = Setup("advanced")
    stroke, waiting = told(served(BOX[2]), setup=advanced)
    assert (stroke["call"], stroke["points"], stroke["marker"]) == ("in", 3, 3)
    assert stroke["rally_winner"] is None
    assert (waiting["for"], waiting["seat"], waiting["pressure"]) == ("return", "B1", True)
    for end, call in ((BACK[0], "in"), ((-78.0, 100.0), "out"), ((50.0, 2.0), "net")):
        last = judged(served(BOX[2]), landed(BOX[2], end), setup=advanced)[-1]
        assert (last["call"], last["points"], last["rally_winner"]) == (call, 0, "A")
    saved, plays = told(served(BOX[2]), landed(BOX[2], BACK[1]), setup=advanced)[-2:]
    assert (saved["call"], saved["marker"], saved["rally_winner"]) == ("in", 2, None)
    assert (plays["seat"], plays["pressure"]) == ("A1", False)


def test_an_ace_wins_but_under_the_advanced_rule_a_second_one_only_presses() -> None:
    for preset, winner, marker in (("confirmed", "A", 0), ("advanced", None, 3)):
        ace = judged(served(SHORT), served(BOX["ace"]), setup=Setup(preset))[-1]  # type: ignore[arg-type]
        assert (ace["call"], ace["points"]) == ("ace", None)
        assert (ace["rally_winner"], ace["marker"]) == (winner, marker)
    first = judged(served(BOX["ace"]), setup=Setup("advanced"))[-1]
    assert (first["call"], first["rally_winner"]) == ("ace", "A")


def test_advantage_and_tie_break_points_are_told_as_they_are_called() -> None:
    """All serves fault, so receivers win; aces turn the game."""
    setup = Setup("advanced", choose("advanced", {"free_serve_position": True}))
    ace = {"right": BOX["ace"], "left": (114.0, -6.0)}
    deuce = [OFF] * 6 + [served(ace[on], on=on) for on in ("left", "right", "left")]
    points = [line["score"]["points"] for line in judged(*deuce, served(ace["right"]), setup=setup)]
    assert points[-2:] == [["40", "40"], ["AD", "40"]]
    lines = told(*[OFF] * 32, setup=setup)
    assert kinds(lines)[-5:] == ["stroke", "rally", "game", "tie-break", "waiting"]
    seats = [lines[-1]["seat"]]
    for number in range(1, 5):
        lines = told(*[OFF] * (32 + 2 * number), setup=setup)
        seats.append(lines[-1]["seat"])
        assert sum(map(int, lines[-1]["score"]["points"])) == number
    assert tuple(seats) == NUMBERS_SERVED


def test_a_simplified_match_is_a_race_with_two_serves_each() -> None:
    setup = Setup("simplified", choose("simplified", {"free_serve_position": True}))
    lines = told(*[OFF] * 44, setup=setup)
    waiting = [line for line in lines if line["kind"] == "waiting"]
    assert [line["seat"] for line in waiting[1::4]] == ["A1", "B1"] * 5 + ["A1"]
    assert lines[-1]["score"]["points"] == ["10", "12"]
    assert (lines[-1]["kind"], lines[-1]["winner"], lines[-1]["reason"]) == ("outcome", "B", "points")


def test_children_serve_anywhere_into_the_court_and_know_no_ace() -> None:
    first = pressed("confirm", "A")
    _, waiting, stroke, _ = told(first, served(ZONE[1]), setup=Setup("children"))
    assert (waiting["for"], waiting["side"], waiting["box"]) == ("serve", "right", None)
    assert (stroke["call"], stroke["points"]) == ("in", 1)
    assert judged(served(BOX["ace"]), setup=Setup("children"))[0]["call"] == "in"


def test_doubles_take_turns_and_play_the_alleys() -> None:
    alley, answer = (100.0, 90.0), (-100.0, 20.0)
    rally = [served(BOX[0]), landed(BOX[0], answer), landed(answer, alley), landed(alley, answer)]
    lines = judged(*rally, setup=Setup(doubles=True))
    assert [line["seat"] for line in lines] == ["A1", "B1", "A2", "B2"]
    assert [line["call"] for line in lines] == ["in"] * 4
    assert judged(*rally[:3], setup=Setup())[-1]["call"] == "out"


def test_a_serve_from_the_wrong_place_is_sent_back() -> None:
    wrong = served(BOX[1], on="left")
    lines = told(wrong, laid(FROM["A", "right"]), served(BOX[1]), setup=Setup())
    assert kinds(lines) == [
        *("stroke-refused", "placement-asked", "waiting"),
        *("placed", "waiting"),
        *("stroke", "waiting"),
    ]
    assert (lines[0]["line"], lines[0]["text"]) == (1, "Served from the wrong place. Does not count.")
    assert (lines[2]["for"], lines[2]["reason"], lines[2]["side"]) == ("placement", "serve-position", "right")
    assert lines[4]["for"] == "serve"
    assert (lines[5]["number"], lines[5]["call"]) == (1, "in")


def test_a_ball_that_a_hand_moved_in_a_rally_is_put_back_or_both_agree() -> None:
    lines = told(served(BOX[1]), laid((60, 10)), laid(BOX[1]), setup=Setup())
    assert kinds(lines)[2:] == ["placement-asked", "waiting", "placed", "waiting"]
    assert (lines[3]["reason"], lines[3]["at_mm"]) == ("moved", list(BOX[1]))
    agreed = told(
        served(BOX[1]), laid((60, 10)), pressed("confirm", "A"), pressed("confirm", "B"), setup=Setup()
    )
    assert kinds(agreed)[4:] == ["placement-agreed", "waiting", "placement-agreed", "waiting"]
    assert (agreed[5]["for"], agreed[5]["agreed"]) == ("placement", ["A"])
    assert (agreed[7]["for"], agreed[7]["from_mm"]) == ("return", [60.0, 10.0])


def test_a_flick_fault_is_decided_by_the_striker() -> None:
    rally = [served(BOX[1]), landed(BOX[1], BACK[1]), pressed("flick-fault", "A")]
    called, decision = told(*rally)[-2:]
    assert (called["kind"], called["seat"]) == ("flick-fault-called", "B1")
    assert (decision["for"], decision["seat"], decision["number"]) == ("decision", "B1", 2)
    assert "challenge" in decision["may_press"]["B"]
    admitted = told(*rally, pressed("confirm", "B"))[6:]
    assert kinds(admitted) == ["corrected", "stroke", "rally", "waiting"]
    assert (admitted[1]["call"], admitted[1]["rally_winner"], admitted[1]["ruled"]) == (
        "flick-fault",
        "A",
        True,
    )
    contested = told(*rally, pressed("challenge", "B"))[6:]
    assert kinds(contested) == ["flick-fault-contested", "stroke", "placement-asked", "waiting"]
    assert (contested[1]["call"], contested[1]["marker"]) == ("void", 1)
    assert (contested[-1]["reason"], contested[-1]["at_mm"]) == ("again", list(BOX[1]))


def test_what_may_not_be_done_is_refused_in_words_and_nothing_is_lost() -> None:
    before = told(served(BOX[1]))
    tries = [
        (pressed("challenge", "B"), "nothing-to-contest"),
        (pressed("flick-fault", "A"), "opponent-calls-flick-faults"),
        (ruled(2, call="out"), "no-such-stroke"),
        (ruled(1, call="winner"), "rally-ruling-only"),
        (ruled(1, call="let", points=2), "no-points-for-that-call"),
        (ruled(1, points=99), "points-out-of-range"),
    ]
    for number, (line, reason) in enumerate(tries, start=2):
        lines = told(served(BOX[1]), *(each for each, _ in tries[: number - 1]))
        refused, waiting = lines[-2:]
        assert (refused["kind"], refused["line"], refused["reason"]) == ("refused", number, reason), line
        assert refused["text"].endswith(".")
        assert waiting == before[-1]
    assert told(pressed("undo", "A"))[0]["reason"] == "nothing-to-undo"


def test_a_ruling_is_counted_and_can_be_undone() -> None:
    lines = told(served(BOX[1]), ruled(1, call="fault"), pressed("undo", "B"))
    assert kinds(lines) == [
        *("stroke", "waiting"),
        *("corrected", "stroke", "waiting"),
        *("undone", "stroke", "waiting"),
    ]
    assert (lines[3]["call"], lines[3]["ruled"], lines[3]["certain"]) == ("fault", True, True)
    assert (lines[4]["for"], lines[4]["attempt"]) == ("serve", 2)
    assert lines[6] == lines[0]
    assert lines[7] == lines[1]


def test_a_ruling_may_bring_an_ended_match_back() -> None:
    match = [OFF] * 8 * 5
    back = told(*match, ruled(40, call="in", points=1), sets=1)
    assert back[-1]["kind"] == "waiting"
    assert back[-1]["for"] == "return"
    undone = told(*match, pressed("undo", "A"), sets=1)
    assert (undone[-2]["kind"], undone[-2]["number"]) == ("undone", 40)
    assert (undone[-1]["for"], undone[-1]["attempt"]) == ("serve", 2)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("doubles", [(), ("--doubles",)])
def test_every_preset_is_judged_from_the_command(
    preset: str, doubles: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A let costs nothing anywhere; the second attempt comes from the same place."""
    let = served((9.0, 40.0))
    lines = f"{let}\n{served(SHORT)}\n".encode()
    assert run(monkeypatch, lines, "--preset", preset, *doubles, "--json") == 0
    told_of = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("call") for line in told_of] == ["let", None, "fault", None]
    assert [line["attempt"] for line in told_of[1::2]] == [1, 2]


def test_options_are_taken_from_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stroke = f"{served(BOX[1], 'B')}\n".encode()
    args = ("--option", "first-serve-bonus=on", "--first-server", "B", "--games", "6", "--json")
    turned = landed(FROM["B", "right"], (-26.0, -46.0))
    assert run(monkeypatch, f"{turned}\n".encode(), *args) == 0
    line = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (line["seat"], line["points"], line["marker"]) == ("B1", 2, -2)
    assert run(monkeypatch, stroke, "--option", "bonuses=off", "--option", "aces=off") == 0


def test_games_to_a_set_are_taken_from_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five games won by whoever receives end a set of three and not one of six."""
    match = f"{OFF}\n".encode() * 40
    for games, sets in (("3", [0, 1]), ("6", [0, 0])):
        assert run(monkeypatch, match, "--games", games, "--option", "free_serve_position=on", "--json") == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["score"]["sets"] == sets


@pytest.mark.parametrize(
    ("args", "warned"),
    [
        (("--preset", "simplified", "--option", "tie_break=on"), ["tie_break", "no games"]),
        (("--preset", "simplified", "--games", "6", "--sets", "1"), ["games to a set", "--sets"]),
        (("--option", "aces=on", "--option", "service_boxes=off"), ["aces", "service boxes"]),
        (
            (
                "--preset",
                "advanced",
            ),
            [],
        ),
        (("--option", "aces=off"), []),
    ],
)
def test_what_has_no_effect_is_warned_of(
    args: tuple[str, ...],
    warned: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, b"", *args, "--json") == 0
    err = capsys.readouterr().err
    assert all(word in err for word in warned)
    assert bool(err) == bool(warned)
    assert all(line.startswith("Warning: ") for line in err.splitlines())


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("advntage=on", "did you mean advantage?"),
        ("advantage", "write advantage=on or advantage=off"),
        ("advantage=yes", "write advantage=on or advantage=off"),
        ("xyzzy=on", "choose from: first_serve_bonus"),
    ],
)
def test_an_option_that_is_none_is_refused_with_what_to_write(
    option: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, b"", "--option", option)
    assert says in capsys.readouterr().err


def test_sentences_are_in_the_language_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = f"{served(BOX[1])}\n{pressed('challenge', 'B')}\n".encode()
    texts = []
    for language in ("en", "fr"):
        assert run(monkeypatch, lines, "--language", language, "--json") == 0
        texts.append([json.loads(line).get("text") for line in capsys.readouterr().out.splitlines()])
    english, french = texts
    assert (
        [text is None for text in english] == [text is None for text in french] == [True, False, False, False]
    )
    assert not set(english[1:]) & set(french[1:])


def test_the_table_shows_the_calls_as_they_stand_and_what_is_due(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stroke 1 is ruled, 2 is contested and played again, the last is undone; a wrong press is told."""
    lines = [
        served(BOX[1]),
        ruled(1, points=2),
        landed(BOX[1], BACK[1]),
        pressed("flick-fault", "A"),
        pressed("challenge", "B"),
        pressed("challenge", "B"),
        landed(BOX[1], BACK[2]),
        landed(BACK[2], ZONE[2]),
        pressed("undo", "A"),
    ]
    assert run(monkeypatch, "\n".join(lines).encode()) == 0
    captured = capsys.readouterr()
    rows = [row.split() for row in captured.out.splitlines() if row.split() and row.split()[0].isdigit()]
    assert [row[:3] for row in rows] == [["1", "A1", "in"], ["2", "B1", "void"], ["3", "B1", "in"]]
    assert rows[0][-4:] == ["ruled", "by", "the", "players"]
    assert rows[1][-3:] == ["does", "not", "count"]
    assert captured.out.splitlines()[-1] == "A to play."
    assert captured.err.startswith("line 6: ")
    assert captured.err.count("\n") == 1


def test_the_table_ends_with_who_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = f"{OFF}\n".encode() * 40
    assert run(monkeypatch, match, "--option", "free_serve_position=on", "--sets", "1") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Match won by B."


def test_a_person_is_told_of_a_stroke_that_does_not_count_and_of_no_table_without_strokes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, f"\n{served(BOX[1], on='left')}\n".encode()) == 0
    captured = capsys.readouterr()
    assert captured.err == "line 2: Served from the wrong place. Does not count.\n"
    assert captured.out == "A, ball behind the baseline, on the right.\n"
    assert run(monkeypatch, b"") == 0
    assert capsys.readouterr().out == ""
