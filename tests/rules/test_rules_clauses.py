"""The README's table of clauses: every clause and ruling is in it, and every name it gives is there."""

import importlib
import re
from pathlib import Path

import pytest

import firmware.rules

README = Path(firmware.rules.__file__).with_name("README.md")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in README.read_text(encoding="utf-8")
    .split("<!-- clauses -->")[1]
    .split("<!-- end of clauses -->")[0]
    .splitlines()
    if line.startswith("|")
][2:]
NAMES = sorted({name for _, where in ROWS for name in re.findall(r"`([a-z_]+(?:\.\w+)+)`", where)})
SECTIONS = """
    Object of the Game; The Flick; Set-Up; Components; Playing a Rally; The Serve; Beginner Level;
    Confirmed Level; Advanced Rule: First Serve; Ace; Advanced Rule: Ace on a Second Serve;
    The In-Rally Scorer; The Game Scorer; Advanced Rule: Advantage; In the Rally; Is the Ball Good or a Fault;
    How Many Stroke Points; Interesting cases; Counting the Stroke Points; End of the Rally; Winning Shot;
    Direct Fault; Tie Break; Playing Doubles; Extending the Point Zones; Order of Turns; The Bonuses;
    Cross-Court Bonus; Dropshot Bonus; Cumulating Bonuses; Simplified Rules; What Does Not Change;
    What Changes; For Children; Simplified Scorer
"""


def test_every_section_figure_net_case_and_ruling_has_a_place() -> None:
    wanted = {" ".join(section.split()) for section in SECTIONS.split(";")}
    wanted |= {f"Figure {figure}" for figure in ("C", "D", "D1", "D2", "D3", "E", "F", "G", "H", "I", "J")}
    wanted |= {"Figures A and B", *(f"SM-{number:02}" for number in range(1, 22))}
    wanted |= {"Net Faults, cases 1 and 2", "Net Faults, case 3", "Net Faults, case 3B"}
    found = [clause for clauses, _ in ROWS for clause in clauses.split("; ")]
    assert len(found) == len(set(found))
    assert set(found) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_every_name_in_the_table_of_clauses_is_there(name: str) -> None:
    parts = name.split(".")
    length = 2 if parts[0] == "firmware" else 1
    module = ".".join(parts[:length])
    found: object = importlib.import_module(module if length == 2 else f"firmware.rules.{module}")
    for part in parts[length:]:
        assert hasattr(found, part) or part in getattr(found, "__annotations__", {})
        found = getattr(found, part, None)


def test_every_file_of_the_rules_is_told() -> None:
    table = README.read_text(encoding="utf-8").split("## State and standing")[0]
    told = re.findall(r"^\| `(\w+\.py)` \|", table, re.MULTILINE)
    assert sorted(told) == sorted(path.name for path in README.parent.glob("*.py") if path.stem != "__init__")
