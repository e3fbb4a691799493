"""README.md is executed: each console block is run in an empty folder and must print what it shows.

In a block "..." stands for any text. Blocks marked `sh` need a camera or a recording: they are not
run, but the commands and options that they name must exist.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def steps(block: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output that it shows."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def matches(shown: str, printed: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, printed.strip(), flags=re.DOTALL) is not None


@pytest.mark.parametrize("block", blocks("console"))
def test_console_block_prints_what_it_shows(block: str, tmp_path: Path) -> None:
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    for command, shown in steps(block):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert matches(shown, done.stdout), f"{command} printed\n{done.stdout}\nnot\n{shown}"


def test_the_readme_has_blocks_for_the_commands_that_need_no_hardware() -> None:
    run = " ".join(command for block in blocks("console") for command, _ in steps(block))
    for command in ("run", "calibrate", "rules", "judge", "panels", "games", "simulate"):
        assert f"setmatch {command}" in run


@pytest.mark.parametrize(
    "line", [line for block in blocks("sh") for line in block.splitlines() if line.strip()]
)
def test_commands_that_are_not_run_are_at_least_understood(line: str) -> None:
    words = shlex.split(line.split(">")[0])
    assert words[0] == "setmatch"
    assert callable(cli.parser().parse_args(words[1:]).run)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a...c", "a\nb\nc\n", True),
        ("a...c", "a b d", False),
        ("a", "a a", False),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_the_comparison_can_fail(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_of_a_page_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) + re.findall(r'src="([^"]+)"', text)
    for target in targets:
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"
