"""`setmatch run`: options, typed aims, the pace, and a whole match on the simulated table."""

import argparse
from collections import deque
from pathlib import Path

import pytest

from calibration.edition import load_edition
from firmware.commands import run as command
from firmware.daemon.stopping import StoppedError
from firmware.display import Draw
from firmware.errors import InputError
from firmware.journal import Journal, JournalError
from firmware.live.fingers import Pressing
from firmware.live.pace import Pace
from firmware.live.typed import typed_aim
from firmware.rules import Setup, start
from firmware.screens.menu_page import MenuPage
from firmware.screens.scoreboard import Scoreboard
from firmware.terminal import Stroke
from firmware.texts import Texts

CLASSIC = load_edition("classic", require_zones=True)


def parsed(*args: str) -> argparse.Namespace:
    return asked("--rig", "simulated", *args)


def asked(*args: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    return parser.parse_args(["run", *args])


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

    def show(self, board: Scoreboard, texts: Texts | None = None) -> None: ...
    def menu(self, page: MenuPage) -> None: ...

    def panel(self, role: str, draw: Draw) -> None: ...

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


def test_a_button_may_be_pressed_instead() -> None:
    typist = Typist("b challenge now", "b challenge")
    assert typed_aim(start(Setup()), CLASSIC, typist) == Pressing("challenge", "B")
    assert "overrule" in typist.questions[0]
    assert len(typist.said) == 1


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


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "--rig simulated"),
        (("--rig", "recorded"), "--rig FILE"),
        (("--rig", "usb:0", "--autoplay"), "--autoplay is for the simulated table"),
        (("--rig", "usb:0", "--speed", "2"), "--speed is for the simulated table"),
        (("--rig", "clip.mp4", "--seed", "2"), "--seed is for the simulated table"),
        (("--rig", "simulated", "--json"), "give --autoplay"),
        (("--check-config",), "--config FILE"),
    ],
)
def test_what_does_not_go_together_is_refused_with_what_to_do(args: tuple[str, ...], told: str) -> None:
    with pytest.raises(InputError, match=told):
        command.run(asked(*args))


@pytest.mark.parametrize(
    "args", [("--preset", "confirmed"), ("--doubles",), ("--sets", "2"), ("--option", "bonuses=off")]
)
def test_what_a_configuration_says_is_not_said_twice(tmp_path: Path, args: tuple[str, ...]) -> None:
    file = tmp_path / "board.toml"
    file.write_text('[camera]\nsource = "simulated"\n')
    with pytest.raises(InputError, match=f"{args[0]} is for playing without --config.*board.toml"):
        command.run(asked("--config", str(file), *args))


def test_a_configuration_is_checked_without_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.toml"
    file.write_text('[match]\npreset = "advanced"\n')
    assert command.run(asked("--config", str(file), "--check-config")) == 0
    assert "nothing is wrong" in capsys.readouterr().out
    file.write_text('[match]\nprest = "advanced"\ngames = 4\n')
    assert command.run(asked("--config", str(file), "--check-config")) == 2
    err = capsys.readouterr().err
    assert "match.prest" in err
    assert "preset" in err
    assert "match.games" in err


def test_a_check_warns_of_what_too_few_buttons_cannot_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "board.toml"
    file.write_text("[buttons.A]\nconfirm = 17\n")
    assert command.run(asked("--config", str(file), "--check-config")) == 0
    warned = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in warned] == [
        "buttons.A.challenge",
        "buttons.B.confirm",
        "buttons.B.challenge",
    ]


def test_two_cannot_keep_a_match_in_one_folder(tmp_path: Path) -> None:
    with Journal.open(tmp_path), pytest.raises(JournalError, match="--state"):
        command.run(asked("--rig", "simulated", "--autoplay", "--state", str(tmp_path)))


def test_a_board_that_is_not_there_is_named() -> None:
    from calibration.errors import EditionError

    with pytest.raises(EditionError, match="chessboard"):
        command.run(parsed("--autoplay", "--board", "chessboard"))
