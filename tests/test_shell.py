"""Every shell script of the project, looked over by shellcheck."""

import subprocess
from pathlib import Path

import pytest

from tests.shared import needs

ROOT = Path(__file__).parents[1]
FOLDERS = ("firmware", "hardware", "calibration", "systemd", "tests", ".ci")


def is_script(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline(80)
    return path.suffix == ".sh" or (
        first.startswith(b"#!") and first.split(b"/")[-1].split()[-1] in (b"sh", b"bash")
    )


SCRIPTS = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if is_script(path))


def test_the_scripts_are_found() -> None:
    assert {path.name for path in SCRIPTS} >= {"install.sh", "run", "stub"}


@needs("shellcheck", "shellcheck")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shellcheck_has_nothing_to_say(script: Path) -> None:
    done = subprocess.run(["shellcheck", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
