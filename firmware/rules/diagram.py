"""A rally's state diagram in Mermaid's notation, drawn from the table in `transitions.py`.

Text only. What is not in that table, because it is not about one stroke, is added here: the holds of
`state.py`, and what comes after a rally.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from firmware.rules.setup import SIMPLIFIED_GOAL
from firmware.rules.state import FlickFaultInQuestion, Hold, WrongPlace
from firmware.rules.transitions import TRANSITIONS, Phase, Sequel, Winner

_INDENT: Final = "    "
_RALLY: Final = "rally"
_RALLY_OVER: Final = "rally_over"
_GAME_OVER: Final = "game_over"
_MATCH_OVER: Final = "match_over"
_AFTER: Final[Mapping[str, str]] = {
    _RALLY_OVER: "rally over",
    _GAME_OVER: "game or set over",
    _MATCH_OVER: "match over",
}
_WINS: Final[Mapping[str, str]] = {
    "to the striker": "striker wins",
    "to the opponent": "opponent wins",
}

HOLDS: Final[Mapping[type[Hold], str]] = {
    WrongPlace: "ball in the wrong place",
    FlickFaultInQuestion: "flick fault in question",
}
"""What holds up play, and how it is called in the diagram."""


def diagram() -> str:
    """The diagram, a `stateDiagram-v2` that ends with a line break.

    States have ids without blanks and the phases' names as labels. A label of an arrow lists the
    sequels that lead there, and who wins the rally by them.
    """
    lines = ["stateDiagram-v2", *(f"{_INDENT}{line}" for line in _lines())]
    return "\n".join(lines) + "\n"


def _lines() -> Iterator[str]:
    first = next(iter(TRANSITIONS))
    yield f'state "rally" as {_RALLY} {{'
    for phase in TRANSITIONS:
        yield f"{_INDENT}{_named(phase, _id(phase))}"
    yield f"{_INDENT}[*] --> {_id(first)}"
    for phase, after, sequels in _arrows():
        if after in TRANSITIONS:
            yield f"{_INDENT}{_id(phase)} --> {_id(after)} : {sequels}"
    yield "}"
    for state, label in _AFTER.items():
        yield _named(label, state)
    for hold, label in HOLDS.items():
        yield _named(label, _id(hold.__struct_config__.tag))
    for phase, after, sequels in _arrows():
        if after not in TRANSITIONS:
            yield f"{_id(phase)} --> {_RALLY_OVER} : {sequels}"
    yield from _after_a_rally()
    yield from _held()


def _arrows() -> Iterator[tuple[Phase, Phase | Winner, str]]:
    """From where to where, and by what; all that leads from one state to another is one arrow."""
    for phase, table in TRANSITIONS.items():
        together: dict[Phase | Winner, list[Sequel]] = {}
        for sequel, after in table.items():
            together.setdefault(after, []).append(sequel)
        for after, sequels in together.items():
            won = f" ({_WINS[after]})" if after in _WINS else ""
            yield phase, after, ", ".join(sequels) + won


def _after_a_rally() -> Iterator[str]:
    yield f"[*] --> {_RALLY}"
    yield f"{_RALLY_OVER} --> {_RALLY} : next rally"
    yield f"{_RALLY_OVER} --> {_GAME_OVER} : game won"
    yield f"{_GAME_OVER} --> {_RALLY} : next game"
    yield f"{_GAME_OVER} --> {_MATCH_OVER} : enough sets won"
    yield f"{_RALLY_OVER} --> {_MATCH_OVER} : first to {SIMPLIFIED_GOAL} (simplified)"
    yield f"{_MATCH_OVER} --> [*]"


def _held() -> Iterator[str]:
    place, flick_fault = (_id(hold.__struct_config__.tag) for hold in (WrongPlace, FlickFaultInQuestion))
    yield f"{_RALLY} --> {place} : laid or played elsewhere"
    yield f"{place} --> {_RALLY} : laid where it belongs, or both agree"
    for state in (_RALLY, *_AFTER):
        yield f"{state} --> {flick_fault} : flick fault called"
    yield f"{flick_fault} --> {_RALLY} : contested (stroke again), or a serve (missed)"
    yield f"{flick_fault} --> {_RALLY_OVER} : confirmed (opponent wins)"


def _named(label: str, state: str) -> str:
    return f'state "{label}" as {state}'


def _id(name: object) -> str:
    return str(name).replace(" ", "_").replace("-", "_")
