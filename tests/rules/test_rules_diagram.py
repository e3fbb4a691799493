"""The state diagram: it shows the whole table, and the README has it. SETMATCH_RECORD=1 writes it there."""

import re
from itertools import chain
from typing import get_args

import pytest

from firmware.rules.diagram import HOLDS, diagram
from firmware.rules.state import Hold
from firmware.rules.transitions import TRANSITIONS
from tests.rules.readme import shown_between

START, END = "<!-- diagram -->\n```mermaid\n", "```\n<!-- end of diagram -->\n"

NAMED = re.compile(r'state "(?P<label>[^"]+)" as (?P<id>\w+)( \{)?')
ARROW = re.compile(r"(?P<start>\w+|\[\*\]) --> (?P<end>\w+|\[\*\])( : (?P<label>[^:;#\n]+))?")


def test_readme_has_the_diagram_of_the_table() -> None:
    assert shown_between(START, END, diagram()) == diagram()


def test_every_line_is_one_that_mermaid_reads() -> None:
    """Labels without a colon, a semicolon or a hash; blanks in quoted names only; braces that close."""
    head, *lines = diagram().splitlines()
    assert head == "stateDiagram-v2"
    for line in map(str.strip, lines):
        assert line == "}" or NAMED.fullmatch(line) or ARROW.fullmatch(line), line
    assert diagram().count("{") == diagram().count("}") == 1


def test_every_state_that_an_arrow_names_is_declared_once() -> None:
    declared = [match["id"] for match in NAMED.finditer(diagram())]
    assert len(declared) == len(set(declared))
    named = set(chain.from_iterable((match["start"], match["end"]) for match in ARROW.finditer(diagram())))
    assert named - {"[*]"} == set(declared)


@pytest.mark.parametrize(
    ("phase", "sequel"), [(phase, sequel) for phase, table in TRANSITIONS.items() for sequel in table]
)
def test_every_sequel_is_an_arrow_to_what_follows(phase: str, sequel: str) -> None:
    ids = {match["label"]: match["id"] for match in NAMED.finditer(diagram())}
    after = TRANSITIONS[phase][sequel]  # type: ignore[index]
    wins = {"to the striker": " (striker wins)", "to the opponent": " (opponent wins)"}.get(after, "")
    end = "rally_over" if wins else ids[after]
    (label,) = (
        match["label"]
        for match in ARROW.finditer(diagram())
        if (match["start"], match["end"]) == (ids[phase], end) and match["label"].endswith(wins)
    )
    assert sequel in label.removesuffix(wins).split(", ")


def test_every_hold_is_in_it_and_can_be_left() -> None:
    assert set(HOLDS) == set(get_args(Hold))
    ids = {match["label"]: match["id"] for match in NAMED.finditer(diagram())}
    arrows = [(match["start"], match["end"]) for match in ARROW.finditer(diagram())]
    for label in HOLDS.values():
        assert ("rally", ids[label]) in arrows
        assert (ids[label], "rally") in arrows
