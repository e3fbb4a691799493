"""The rules' tables, entry by entry, against what is written here: what follows a stroke in every phase of
a rally, and how values are told apart where they are written down."""

from typing import get_args

import msgspec
import pytest

import firmware.rules.actions
import firmware.rules.events
import firmware.rules.score
import firmware.rules.setup
import firmware.rules.state
from firmware.rules import (
    PRESETS,
    Action,
    Event,
    Landing,
    Options,
    Preset,
    Setup,
    State,
    Waiting,
    side_of,
    start,
)
from firmware.rules.setup import Level
from firmware.rules.state import Hold
from firmware.rules.transitions import TRANSITIONS, Phase, Sequel
from tests.rules.builder import (
    NET,
    OUT,
    YES,
    corrected,
    in_rally,
    lay,
    play,
    press,
    serve,
    stroke,
)

PRESSURE = Setup(chosen=Options(first_serve_bonus=True, second_serve_ace_pressure=True))
IN, TO_POINT = serve("left", 1), serve("left", 3)
ACE, LET = serve("left", ace=YES), serve("left", touches_net=YES)

STATES: dict[Phase, State] = {
    "first serve": start(Setup()),
    "second serve": play(start(Setup()), NET).state,
    "ball on the 0": play(start(Setup(preset="discovery")), NET, NET).state,
    "return": in_rally(),
    "return under pressure": play(start(PRESSURE), serve("left", 2)).state,
}
FOLLOWS: dict[Phase, dict[Sequel, str]] = {
    "first serve": {
        "let": "first serve",
        "fault": "second serve",
        "in": "return",
        "in at POINT!": "return under pressure",
        "ace": "striker",
    },
    "second serve": {
        "let": "second serve",
        "fault": "ball on the 0",
        "double-fault": "opponent",
        "in": "return",
        "in at POINT!": "return under pressure",
        "ace": "striker",
        "ace at POINT!": "return under pressure",
    },
    "ball on the 0": {"ball laid": "return"},
    "return": {
        "in": "return",
        "winner": "striker",
        "out": "opponent",
        "net": "opponent",
        "flick-fault": "opponent",
    },
    "return under pressure": {
        "in": "return",
        "in for nothing": "opponent",
        "winner": "striker",
        "out": "opponent",
        "net": "opponent",
        "flick-fault": "opponent",
    },
}
"""A phase, or who wins the rally."""
BY: dict[Sequel, Landing] = {
    "let": LET,
    "fault": NET,
    "double-fault": NET,
    "in at POINT!": TO_POINT,
    "ace": ACE,
    "ace at POINT!": ACE,
    "in for nothing": stroke(0),
    "winner": stroke(3),
    "out": OUT,
    "net": NET,
    "flick-fault": stroke(1),
}
"""What brings it about; a stroke that is in is a serve or not, by its phase."""


def test_every_entry_of_the_table_of_a_rally_is_told_here() -> None:
    assert {phase: set(table) for phase, table in TRANSITIONS.items()} == {
        phase: set(table) for phase, table in FOLLOWS.items()
    }


@pytest.mark.parametrize(
    ("phase", "sequel"), [(phase, sequel) for phase, table in FOLLOWS.items() for sequel in table]
)
def test_what_follows_in_a_rally(phase: Phase, sequel: Sequel) -> None:
    before, follows = STATES[phase], FOLLOWS[phase][sequel]
    assert before.standing.phase == phase
    if (phase, sequel) == ("second serve", "fault"):
        before = play(start(Setup(preset="discovery")), NET).state
    if sequel == "ace at POINT!":
        before = play(start(PRESSURE), NET).state
    if sequel == "ball laid":
        after = play(before, lay()).state
        assert (after.standing.phase, after.standing.to_play) == ("return", "B1")
        return
    striker = side_of(before.standing.to_play)
    opponent = "B" if striker == "A" else "A"
    if sequel == "winner" and phase == "return under pressure":
        now = corrected(play(before, stroke(1)).state, 2, "winner").now
        assert now.rally_winner == striker
        return
    landing = BY.get(sequel, IN if phase in ("first serve", "second serve") else stroke(1))
    played = play(before, landing)
    if sequel == "flick-fault":
        played = play(played.state, *press("flick-fault", opponent), *press("confirm", striker))
    after, winner = played.state, played.state.strokes[-1].called.rally_winner
    if follows in ("striker", "opponent"):
        assert winner == (striker if follows == "striker" else opponent)
        assert after.standing.phase == "first serve"
    else:
        assert (winner, after.standing.phase) == (None, follows)


# Values that are written down


KINDS = """
    stroke: Stroke; lay: Lay; press: Press; correct: Correct;
    called: Called; rally: RallyWon; game: GameWon; set: SetWon; match: MatchWon; tie-break: TieBreakBegan;
    ends-changed: EndsChanged; placement-asked: PlacementAsked; placed: Placed;
    placement-agreed: PlacementAgreed; stroke-refused: StrokeRefused; server-ready: ServerReady;
    call-accepted: CallAccepted; flick-fault-called: FlickFaultCalled;
    flick-fault-contested: FlickFaultContested; corrected: Corrected; undone: Undone;
    serve: ServeAwaited; return: ReturnAwaited; placement: PlacementAwaited; decision: DecisionAwaited;
    wrong-place: WrongPlace; flick-fault: FlickFaultInQuestion
"""
"""What is written down keeps its name: a journal of today is read by the firmware of tomorrow."""


def test_kinds_are_written_as_they_always_were() -> None:
    wanted = {name: kind for kind, name in (each.split(": ") for each in " ".join(KINDS.split()).split("; "))}
    types = [kind for union in (Action, Event, Waiting, Hold) for kind in get_args(union)]
    found = {each.__name__: each.__struct_config__ for each in types}
    assert {name: config.tag for name, config in found.items()} == wanted
    assert {config.tag_field for config in found.values()} == {"kind"}


STRUCTS = sorted(
    {
        each
        for module in (
            firmware.rules.actions,
            firmware.rules.events,
            firmware.rules.score,
            firmware.rules.setup,
            firmware.rules.state,
        )
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, msgspec.Struct)
    },
    key=lambda each: each.__name__,
)


@pytest.mark.parametrize("kind", STRUCTS)
def test_every_value_is_frozen(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.frozen


@pytest.mark.parametrize("preset", PRESETS)
def test_a_level_can_be_written_down_and_read_again(preset: Preset) -> None:
    """Every option of it is on or off, and the rest is in words that there are."""
    level = PRESETS[preset]
    assert msgspec.json.decode(msgspec.json.encode(level), type=Level) == level
    assert (level.scoring, level.second_fault) == (
        "simplified" if preset in ("simplified", "children") else "tennis",
        "zero" if preset == "discovery" else "double-fault",
    )
