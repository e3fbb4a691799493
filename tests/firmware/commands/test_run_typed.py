"""`setmatch run` with a person at the keyboard, on the simulated table."""

import pytest

from firmware.commands import run as command
from tests.firmware.commands.test_run import parsed


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
    monkeypatch.setattr("firmware.display.PlainDisplay.__init__.__defaults__", (type_line, None))
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

    monkeypatch.setattr("firmware.display.PlainDisplay.__init__.__defaults__", (type_line, None))
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
        ("--preset", "discovery"),
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
