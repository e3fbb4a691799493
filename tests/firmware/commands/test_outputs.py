"""Files that commands write: refused before the work, whole when they appear, never over an input."""

import errno
import io
from pathlib import Path

import pytest

from firmware.commands.outputs import check_output, complain, replacing
from firmware.errors import InputError


def test_a_file_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "old.png"
    old.write_text("old")
    check_output("--overlay", old, [tmp_path / "other.png", None, "usb:0"])
    check_output("--overlay", tmp_path / "new.png")
    assert [path.name for path in tmp_path.iterdir()] == ["old.png"]
    assert old.read_text() == "old"


@pytest.mark.parametrize("how", ["same name", "another path", "hard link", "symbolic link", "not there yet"])
def test_an_input_is_no_output(how: str, tmp_path: Path) -> None:
    there, output = tmp_path / "match.mp4", tmp_path / "out.mp4"
    there.write_text("the match")
    match how:
        case "same name":
            output = there
        case "another path":
            (tmp_path / "in").mkdir()
            output = tmp_path / "in" / ".." / "match.mp4"
        case "hard link":
            output.hardlink_to(there)
        case "symbolic link":
            output.symlink_to(there)
        case _:
            there = output
    with pytest.raises(InputError, match=r"--annotate .* would overwrite .*another name"):
        check_output("--annotate", output, [there])


def test_what_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none" / "o.png", tmp_path / "file" / "o.png", tmp_path / ("a" * 300)):
        with pytest.raises(InputError, match="folder that exists"):
            check_output("--overlay", path)
    with pytest.raises(InputError, match="is no file"):
        check_output("--overlay", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_new_file_takes_the_place_of_the_old_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "called.mp4"
    path.write_text("old")
    with replacing(path) as new:
        assert new.suffix == ".mp4"
        new.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("error", [InputError("cut short"), KeyboardInterrupt()])
def test_after_an_error_the_old_file_stands_alone(error: BaseException, tmp_path: Path) -> None:
    path = tmp_path / "called.mp4"
    path.write_text("old")

    def write_half() -> None:
        with replacing(path) as new:
            new.write_text("half")
            raise error

    with pytest.raises(type(error)):
        write_half()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_warning_is_read_or_is_no_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    complain("Warning: one")
    assert capsys.readouterr() == ("", "Warning: one\n")
    monkeypatch.setattr("sys.stderr", None)
    complain("Warning: two")

    class Full(io.TextIOBase):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sys.stderr", Full())
    complain("Warning: three")
    assert capsys.readouterr() == ("", "")
