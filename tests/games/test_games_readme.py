"""The games' README is true: its example runs, and its tables are those of the code.

SETMATCH_RECORD=1 writes the tables there.
"""

import doctest
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import firmware.games
from firmware.games.catalogue import GAMES
from firmware.games.protocol import IllegalAction
from firmware.games.setgame import (
    Action,
    AgreeNone,
    Claim,
    Deal,
    Leave,
    Name,
    Setup,
    State,
    TimeUp,
    Withdraw,
    start,
    step,
)
from firmware.games.setgame.players import SKILLS
from firmware.games.setgame.state import Act, Reason
from firmware.texts import load, set_act

FOLDER = Path(firmware.games.__file__).parent
README = FOLDER / "README.md"

ACTIONS: dict[Act, Action] = {
    "claim": Claim(1),
    "name": Name(1, ("1OSR", "2OSR", "3OSR")),
    "agree-none": AgreeNone(1),
    "withdraw": Withdraw(1),
    "deal": Deal(1),
}


def table(*rows: tuple[str, ...]) -> str:
    head, *body = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ("---",) * len(head), *body))


def states() -> Iterator[State]:
    """Enough states of two seats for every reason that there is to refuse seat 1."""
    begun = start(Setup(2, "1", hands=2))
    yield begun
    for actions in (
        (Claim(2),),
        (Claim(1),),
        (Claim(1), TimeUp()),
        (AgreeNone(1),),
        (Leave(1),),
    ):
        state = begun
        for action in actions:
            state = step(state, action).state
        yield state
    for hands in (2, 3):
        over = start(Setup(2, "1", hands=hands))
        for hand in range(2):
            while over.dealt:
                for seat in (1, 2):
                    over = step(over, AgreeNone(seat)).state
            yield over
            if hand == 0:
                over = step(over, Deal(2)).state


def acts() -> str:
    found: dict[Act, set[str]] = {act: set() for act in ACTIONS}
    for state in states():
        for act, action in ACTIONS.items():
            try:
                step(state, action)
            except IllegalAction as refused:
                found[act].add(refused.reason)
    rows = [
        (
            f"`{act}`",
            set_act(act, load("en")),
            ", ".join(f"`{r}`" for r in get_args(Reason) if r in found[act]),
        )
        for act in get_args(Act)
    ]
    return table(("act", "as it is called", "why not"), *rows)


def skills() -> str:
    rows = [
        (
            strength,
            f"{skill.first_s:g} s",
            f"{skill.growth:g}",
            "never" if skill.mistaken_s is None else f"every {skill.mistaken_s:g} s",
            f"{skill.doubt_s:g} s",
        )
        for strength, skill in SKILLS.items()
    ]
    head = (
        "strength",
        "one easy set of twelve cards",
        "times as long a feature",
        "takes three wrong ones",
        "gives up",
    )
    return table(head, *rows)


@pytest.mark.parametrize(("name", "wanted"), [("acts", acts), ("skills", skills)])
def test_its_tables_are_those_of_the_code(name: str, wanted: Callable[[], str]) -> None:
    start_mark, end_mark = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(start_mark)
    shown, after = rest.split(end_mark)
    made = f"\n{wanted()}\n"
    if os.environ.get("SETMATCH_RECORD") == "1":
        README.write_text(before + start_mark + made + end_mark + after, encoding="utf-8")
    assert shown == made


def test_every_reason_is_told_of_some_act() -> None:
    """But for those that are not about what a seat does: which cards, and which seat."""
    others = {"not-three", "no-such-seat", "seated-already"}
    shown = acts()
    assert {reason for reason in get_args(Reason) if f"`{reason}`" not in shown} == others


def test_its_example_runs() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 8
    assert failed == 0


def test_every_file_is_listed() -> None:
    text = README.read_text(encoding="utf-8")
    for path in FOLDER.glob("*.py"):
        assert path.name == "__init__.py" or f"`{path.name}`" in text
    assert all(game.title in text for game in GAMES.values())
