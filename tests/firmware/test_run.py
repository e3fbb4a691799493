"""`setmatch run`: options, typed aims, the pace, and a whole match on the simulated table."""

import argparse
from collections import deque

import pytest

from calibration.edition import load_edition
from firmware import run as command
from firmware.errors import InputError
from firmware.live import StoppedError
from firmware.rules import Setup, start
from firmware.run import Pace, typed_aim
from firmware.screens.scoreboard import Scoreboard
from firmware.terminal import Stroke

CLASSIC = load_edition("classic", require_zones=True)


def parsed(*args: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    return parser.parse_args(["run", "--rig", "simulated", *args])


class Typist:
    """A display at which the given lines are typed, and then nothing more."""

    def __init__(self, *lines: str) -> None:
        self.lines = deque(lines)
        self.questions: list[str] = []
        self.said: list[str] = []

    def ask(self, question: str) -> str:
        self.questions.append(question)
        if not self.lines:
            raise EOFError
        return self.lines.popleft()

    def say(self, text: str) -> None:
        self.said.append(text)

    def call(self, stroke: Stroke) -> None: ...

    def show(self, board: Scoreboard) -> None: ...

    def ball(self, at_mm: tuple[float, float] | None, lying: bool) -> None: ...

    def close(self) -> None: ...


class Clock:
    """Time that passes only while somebody sleeps, or when set."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_an_aim_is_asked_for_with_what_may_be_typed() -> None:
    typist = Typist("70 54")
    assert typed_aim(start(Setup()), CLASSIC, typist) == (70.0, 54.0)
    for part in ("A1 serves to the left box", "mm", "ace", "q: stop"):
        assert part in typist.questions[0]


def test_it_asks_again_until_it_is_an_aim() -> None:
    typist = Typist("somewhere", "999 0", " BOX ")
    aim = typed_aim(start(Setup()), CLASSIC, typist)
    assert aim is not None
    assert aim[0] > 0
    assert len(typist.questions) == 3
    assert len(typist.said) == 2


def test_an_empty_line_leaves_it_to_the_hand() -> None:
    assert typed_aim(start(Setup()), CLASSIC, Typist("  ")) is None


@pytest.mark.parametrize("lines", [("q",), ("QUIT",), ("nonsense", "exit"), ()])
def test_a_person_can_leave(lines: tuple[str, ...]) -> None:
    with pytest.raises(StoppedError):
        typed_aim(start(Setup()), CLASSIC, Typist(*lines))


def test_a_closed_standard_input_is_nobody_typing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    typist = Typist()
    monkeypatch.setattr(typist, "ask", input)
    with pytest.raises(StoppedError):
        typed_aim(start(Setup()), CLASSIC, typist)


@pytest.mark.parametrize(("speed", "pauses"), [(1.0, [0.5, 0.25]), (4.0, [0.125, 0.0625])])
def test_time_passes_as_fast_as_asked(speed: float, pauses: list[float]) -> None:
    clock = Clock()
    pace = Pace(speed, clock, clock.sleep)
    for table_s in (3.0, 3.5, 3.75):
        pace.wait(table_s)
    assert clock.slept == pytest.approx(pauses)


def test_work_done_meanwhile_is_part_of_the_pause() -> None:
    clock = Clock()
    pace = Pace(1.0, clock, clock.sleep)
    pace.wait(0.0)
    clock.now += 0.3
    pace.wait(0.5)
    assert clock.slept == pytest.approx([0.2])


def test_lost_time_is_not_made_up_for() -> None:
    clock = Clock()
    pace = Pace(1.0, clock, clock.sleep)
    pace.wait(0.0)
    clock.now += 60.0
    pace.wait(0.5)
    pace.wait(1.0)
    assert clock.slept == pytest.approx([0.5])


def test_speed_0_never_waits() -> None:
    clock = Clock()
    pace = Pace(0.0, clock, clock.sleep)
    for table_s in (0.0, 10.0, 20.0):
        pace.wait(table_s)
    assert clock.slept == []


@pytest.mark.parametrize(
    "args",
    [
        ("--games", "0"),
        ("--games", "few"),
        ("--speed", "-1"),
        ("--speed", "nan"),
        ("--speed", "fast"),
        ("--seed", "-3"),
        ("--seed", "99999999999999"),
        ("--sets", "4"),
        ("--preset", "hard"),
        ("--play", "C"),
    ],
)
def test_options_out_of_range_are_refused_with_their_value(
    args: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        parsed(*args)
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert args[0] in err
    assert repr(args[1]) in err or f"{args[1]} " in err


def test_autoplay_leaves_no_side_to_play() -> None:
    with pytest.raises(InputError, match="--play"):
        command.run(parsed("--autoplay", "--play", "A"))


def test_a_board_that_is_not_there_is_named() -> None:
    from calibration.errors import EditionError

    with pytest.raises(EditionError, match="chessboard"):
        command.run(parsed("--autoplay", "--board", "chessboard"))


def test_a_person_plays_one_side_and_the_table_the_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Serves into the box until the first rally is answered, then leaves."""
    questions: list[str] = []

    def type_line(question: str) -> str:
        questions.append(question)
        if len(questions) > 3:
            raise EOFError
        return "box" if "serves" in question else "2"

    monkeypatch.setattr("builtins.input", type_line)
    monkeypatch.setattr("firmware.display.PlainDisplay.__init__.__defaults__", (type_line,))
    assert command.run(parsed("--speed", "0")) == 0
    out = capsys.readouterr().out
    assert len(questions) == 4
    assert all(question.startswith("A1 ") for question in questions)
    assert "Stopped at" in out


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """These lines are typed, and then nobody types any more; the questions that were asked."""
    questions: list[str] = []

    def type_line(question: str) -> str:
        questions.append(question)
        if len(questions) > len(lines):
            raise EOFError
        return lines[len(questions) - 1]

    monkeypatch.setattr("firmware.display.PlainDisplay.__init__.__defaults__", (type_line,))
    return questions


def all_agree(out: str, calls: int) -> bool:
    told = [line for line in out.splitlines() if line.strip().startswith("#")]
    return len(told) == calls and f"{calls} of {calls} calls agree" in out


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "args",
    [
        ("--preset", "advanced"),
        ("--preset", "simplified", "--doubles"),
        ("--preset", "children"),
        ("--preset", "confirmed", "--doubles", "--option", "bonuses=off", "--first-server", "B"),
    ],
)
def test_a_rally_of_every_kind_agrees_with_the_table(
    args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hands choose where to aim, for a person who only presses Enter."""
    questions = typing(monkeypatch, *[""] * 6)
    assert command.run(parsed("--play", "both", "--speed", "0", "--seed", "4", *args)) == 0
    assert all_agree(capsys.readouterr().out, 6)
    seats = {question.split()[0] for question in questions}
    assert ({"A2", "B2"} & seats != set()) == ("--doubles" in args)
    assert questions[0].startswith("B1 " if "B" in args else "A1 ")


@pytest.mark.timeout(600)
def test_a_beginner_s_ball_goes_to_the_0_and_the_receiver_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both serves are aimed far beyond the box. The camera sees a hand lay the ball on the 0."""
    questions = typing(monkeypatch, "215 0", "215 0", "2")
    assert command.run(parsed("--play", "both", "--speed", "0", "--seed", "3", "--preset", "discovery")) == 0
    out = capsys.readouterr().out
    assert all_agree(out, 3)
    assert [question.split(".")[0] for question in questions[:3]] == [
        "A1 serves to the left box",
        "A1 serves to the left box",
        "B1 plays",
    ]
    asked, placed = (
        out.index(text) for text in ("A, ball on the 0 of the left box.", "Ball on the 0, laid by A.")
    )
    assert out.index("#2 A1") < asked < placed < out.index("#3 B1")


@pytest.mark.timeout(600)
def test_sides_change_ends_after_the_first_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And are called at their new ends: B serves the second game from where A sat. The first one takes
    15 strokes of these hands."""
    questions = typing(monkeypatch, *[""] * 19)
    args = ("--play", "both", "--seed", "3", "--speed", "0", "--option", "change_ends=on")
    assert command.run(parsed(*args)) == 0
    out = capsys.readouterr().out
    assert all_agree(out, 19)
    assert out.index("#15 ") < out.index("Game to A.") < out.index("Change ends.") < out.index("#16 B1")
    assert questions[15].startswith("B1 serves to the left box")


@pytest.mark.timeout(1200)
def test_a_match_agrees_stroke_by_stroke_with_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A whole match through the camera: everything the umpire knows is in the frames."""
    assert command.run(parsed("--autoplay", "--sets", "1", "--seed", "2", "--speed", "0")) == 0
    out = capsys.readouterr().out
    calls = [line for line in out.splitlines() if line.strip().startswith("#")]
    assert len(calls) >= 60
    assert "wins the match" in out
    assert f"{len(calls)} of {len(calls)} calls agree" in out
