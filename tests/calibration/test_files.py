"""Files that the machine writes: old or new whatever stops it, and the former ones kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.files import replace_file

KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from calibration import files

def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

module, _, name = sys.argv[2].partition(".")
setattr({"os": os, "shutil": shutil}[module], name, killed)
files.replace_file(Path(sys.argv[1]), b"new")
"""


@pytest.mark.parametrize("step", ["os.fsync", "os.link", "shutil.copymode", "os.replace", "os.open"])
def test_killed_at_any_step_the_file_is_whole(step: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(b"old")
    ended = subprocess.run([sys.executable, "-c", KILLED, path, step], check=False)
    assert ended.returncode == -9
    # The folder is opened, to have the new name on disk, when the new file is in place already.
    assert path.read_bytes() == (b"new" if step == "os.open" else b"old")
    for former in tmp_path.glob("file.*T*.toml"):
        assert former.read_bytes() == b"old"
    # And the next time it goes well.
    replace_file(path, b"newer")
    assert path.read_bytes() == b"newer"


def test_the_last_five_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "cal[1].json"
    beside = tmp_path / "cal[1].notes.json"
    beside.write_text("mine")
    for number in range(9):
        replace_file(path, b"%d" % number)
        os.utime(path, (number, number))
    former = sorted(tmp_path.glob("cal[[]1].*T*.json"))
    assert [file.read_bytes() for file in former] == [b"3", b"4", b"5", b"6", b"7"]
    assert former[0].name == "cal[1].19700101T000003.json"
    assert beside.read_text() == "mine"


def test_of_a_second_what_stood_at_its_beginning_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for content in (b"first", b"second", b"third"):
        replace_file(path, content)
        os.utime(path, (7, 7))
    (former,) = tmp_path.glob("file.*T*.json")
    assert (former.read_bytes(), path.read_bytes()) == (b"first", b"third")


def test_without_links_the_former_file_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, os.strerror(1))

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "file.json"
    path.write_bytes(b"old")
    path.chmod(0o600)
    replace_file(path, b"new")
    (former,) = tmp_path.glob("file.*T*.json")
    assert (former.read_bytes(), path.read_bytes()) == (b"old", b"new")
    assert path.stat().st_mode & 0o777 == 0o600
