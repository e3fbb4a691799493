"""The tables in the rules' README are those of the code. SETMATCH_RECORD=1 writes them there."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import firmware.rules
from firmware.rules.calls import AFTER, BONUSES, RALLY_CALLS, SERVE_CALLS, Fact

README = Path(firmware.rules.__file__).with_name("README.md")
START, END = "<!-- tables -->\n", "<!-- end of tables -->\n"


def words(facts: Iterable[Fact]) -> str:
    return ", ".join(sorted(str(fact).replace("_", " ") for fact in facts)) or "otherwise"


def table(*rows: tuple[str, ...]) -> Iterator[str]:
    head, *body = rows
    yield "\n"
    for row in (head, ("---",) * len(head), *body):
        yield f"| {' | '.join(row)} |\n"


def tables() -> str:
    lines = [
        *table(("serve", "facts"), *((call, words(facts)) for call, facts in SERVE_CALLS)),
        *table(("rally stroke", "facts"), *((call, words(facts)) for call, facts in RALLY_CALLS)),
        *table(("bonus", "facts"), *(("+1", words(facts)) for facts in BONUSES)),
        *table(("call", "what follows"), *AFTER.items()),
    ]
    return "".join(lines) + "\n"


def test_readme_has_the_tables_of_the_code() -> None:
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(START)
    shown, after = rest.split(END)
    if os.environ.get("SETMATCH_RECORD") == "1":
        README.write_text(before + START + tables() + END + after, encoding="utf-8")
    assert shown == tables()
