"""The rules' README is true: its example runs, and its tables are those of the code.

SETMATCH_RECORD=1 writes the tables there.
"""

import doctest
from collections.abc import Iterable, Iterator

from firmware.rules.calls import BONUSES, RALLY_CALLS, SERVE_CALLS, Fact
from tests.rules.builder import serve
from tests.rules.readme import README, shown_between

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
    ]
    return "".join(lines) + "\n"


def test_readme_has_the_tables_of_the_code() -> None:
    assert shown_between(START, END, tables()) == tables()


def test_readme_has_an_example_that_runs() -> None:
    globs = {"landing": serve("left", 2, touches_net=-6.5)}
    result = doctest.testfile(str(README), module_relative=False, globs=globs)
    assert result.attempted > 5
    assert result.failed == 0
