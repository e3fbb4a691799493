"""The command line: its commands, and how each kind of ending looks to the caller."""

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware import cli
from firmware.commands import panels
from firmware.errors import InputError

SERVE = '{"from_mm":[-235,-34],"dot_mm":[70,54],"disc_mm":[70,54]}'
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""As in a user's shell: what is printed is written when the buffer is flushed, at the latest at the end."""
COMMANDS = (
    *("calibrate", "locate", "umpire", "judge", "run", "rules", "panels"),
    *("matches", "replay", "voice", "games", "simulate"),
)


def failing(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


@pytest.fixture
def panels_args(tmp_path: Path) -> list[str]:
    state = tmp_path / "state.json"
    state.write_text('{"marker": 1, "to_play": "B1"}')
    return ["panels", "--state", str(state), "--out", str(tmp_path / "pictures")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_there_and_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main([command, "--help"])
    assert caught.value.code == 0
    assert f"setmatch {command}" in capsys.readouterr().out


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    out = capsys.readouterr().out
    assert all(command in out for command in COMMANDS)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out.startswith("setmatch 0.")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], ["COMMAND", "setmatch --help"]),
        (["serve"], ["serve", "setmatch --help"]),
        (["panels"], ["--state", "--out", "setmatch panels --help"]),
        (["panels", "--state", "x", "--out", "y", "--colour"], ["--colour", "--help"]),
    ],
)
def test_an_error_of_usage_is_one_line_with_the_way_to_the_help(
    args: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(args)
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert err.startswith("setmatch: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err


def test_an_error_for_the_user_is_one_line_and_2(
    monkeypatch: pytest.MonkeyPatch, panels_args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(panels, "run", failing(InputError("the file\n is empty; fill it")))
    assert cli.main(panels_args) == 2
    captured = capsys.readouterr()
    assert captured.err == "setmatch: the file is empty; fill it\n"
    assert captured.out == ""


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, panels_args: list[str]) -> None:
    monkeypatch.setattr(panels, "run", failing(ZeroDivisionError("a bug")))
    with pytest.raises(ZeroDivisionError):
        cli.main(panels_args)


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch, panels_args: list[str]) -> None:
    monkeypatch.setattr(panels, "run", failing(KeyboardInterrupt()))
    assert cli.main(panels_args) == 130


@pytest.mark.parametrize("command", ["lines", "table"])
def test_a_reader_that_has_gone_is_no_error(command: str, panels_args: list[str]) -> None:
    """The write end of a pipe that nobody reads any more."""
    args = panels_args if command == "lines" else ["judge"]
    script = (
        "import os, sys\n"
        "read, write = os.pipe()\n"
        "os.close(read)\n"
        "os.dup2(write, 1)\n"
        "from firmware.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *args],
        env=BUFFERED,
        input=f"{SERVE}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("judge --json <&-", "standard input is closed"),
        ("judge --json >&-", "standard output is closed"),
        ("judge --json >/dev/full", "No space left"),
        ("judge >/dev/full", "No space left"),
        ("--help >/dev/full", "No space left"),
    ],
)
def test_standard_streams_that_are_closed_or_full(command: str, words: str) -> None:
    """One line, and nothing from the interpreter on its way out."""
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -c 'import sys; from firmware.cli import main; "
        f"sys.exit(main(sys.argv[1:]))' {command}",
        shell=True,
        env=BUFFERED,
        input=f"{SERVE}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.startswith("setmatch: ")
    assert done.stderr.count("\n") == 1


def test_an_error_of_a_file_that_nobody_expected_is_a_bug(
    monkeypatch: pytest.MonkeyPatch, panels_args: list[str]
) -> None:
    monkeypatch.setattr(panels, "run", failing(OSError(28, "No space left on device", "journal")))
    with pytest.raises(OSError, match="journal"):
        cli.main(panels_args)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_option_tells_its_default(command: str) -> None:
    """Or that it must be given; a switch is off unless it is given."""
    (subparsers,) = (a for a in cli.parser()._actions if isinstance(a, argparse._SubParsersAction))
    for action in subparsers.choices[command]._actions:
        told = action.help or ""
        assert told, action.option_strings
        if action.option_strings and not action.required and action.dest != "help":
            assert "(default: " in told, action.option_strings


def test_help_and_usage_need_no_vision_library() -> None:
    """Heavy imports are what would make help slow; their absence is what can be tested."""
    script = (
        "import sys\n"
        "from firmware import cli\n"
        "cli.parser()\n"
        "print(sorted({'cv2', 'numpy', 'PIL', 'rich', 'hypothesis'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_panels_writes_both_pictures(panels_args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    assert cli.main(panels_args) == 0
    names = capsys.readouterr().out.split()
    assert [Path(name).name for name in names] == ["in-rally.png", "game.png"]
    for name in names:
        with Image.open(name) as picture:
            assert (picture.mode, picture.size) == ("1", (128, 64))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"marker": 9}', ["$.marker", "README"]),
        ('{"markers": 1}', ["markers"]),
        ("{", ["not JSON"]),
    ],
)
def test_panels_refuses_a_bad_state_with_its_place(
    text: str, words: list[str], panels_args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(panels_args[2]).write_text(text)
    assert cli.main(panels_args) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    for word in (*words, "state.json"):
        assert word in err


def test_panels_names_a_file_or_folder_that_cannot_be_used(
    tmp_path: Path, panels_args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    missing = [*panels_args]
    missing[2] = str(tmp_path / "none.json")
    assert cli.main(missing) == 2
    assert "none.json" in capsys.readouterr().err
    in_the_way = [*panels_args]
    in_the_way[4] = in_the_way[2]
    assert cli.main(in_the_way) == 2
    assert "--out" in capsys.readouterr().err


def test_the_state_that_the_readme_shows_is_drawn(
    panels_args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    readme = Path(__file__).parents[2] / "firmware" / "screens" / "README.md"
    example = readme.read_text().split("```json\n")[1].split("```")[0]
    state = json.loads(example)
    Path(panels_args[2]).write_text(example)
    assert cli.main(panels_args) == 0
    from firmware.screens.scoreboard import Scoreboard

    assert set(state) == set(Scoreboard.__struct_fields__)
