"""A checkout made on Windows, from where the README lets people copy it: what bash reads stays readable."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.shared import needs

CHECKOUT = Path(__file__).parents[2]
READ_AS_THEY_ARE = (
    "systemd/install.sh",
    "systemd/70-setmatch.rules",
    "systemd/constraints-bookworm.txt",
    ".ci/run",
    "tests/systemd/stubs/stub",
    "Makefile",
)

pytestmark = needs("git", "git")


def git(folder: Path, *words: str) -> None:
    about = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "core.autocrlf=true")
    subprocess.run(["git", "-C", str(folder), *about, *words], check=True, capture_output=True)


@pytest.fixture
def cloned(tmp_path: Path) -> Path:
    """A clone as git for Windows makes it by default, of some files of this checkout."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    git(here, "init", "--quiet")
    for name in (".gitattributes", *READ_AS_THEY_ARE):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CHECKOUT / name, here / name)
    git(here, "add", ".")
    git(here, "commit", "--quiet", "--message", "all")
    git(tmp_path, "clone", "--quiet", str(here), str(there))
    return there


@pytest.mark.parametrize("name", READ_AS_THEY_ARE)
def test_lines_end_as_linux_reads_them(cloned: Path, name: str) -> None:
    assert (cloned / name).read_bytes() == (CHECKOUT / name).read_bytes()


def test_the_installer_runs_from_it(cloned: Path) -> None:
    """By bash, since no file from there may be run by itself."""
    installer = cloned / "systemd/install.sh"
    installer.chmod(0o644)
    done = subprocess.run(["bash", str(installer), "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "sudo bash systemd/install.sh" in done.stdout
