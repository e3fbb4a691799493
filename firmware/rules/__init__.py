"""Set & Match as a pure engine: no clock, no I/O, no pixel and no polygon lives here.

The names below are what the rest of the firmware uses; README.md here tells how it is built.
"""

from firmware.rules.engine import legal, replay, step, view
from firmware.rules.events import (
    Call,
    Called,
    Event,
    GameWon,
    MatchWon,
    RallyWon,
    SetWon,
    Step,
)
from firmware.rules.landing import BoxFacts, BoxSide, Facts, Landing, Side
from firmware.rules.setup import PRESETS, Options, Preset, Seat, Setup, SetupError, side_of
from firmware.rules.state import (
    Action,
    IllegalAction,
    Outcome,
    ReturnAwaited,
    Score,
    ServeAwaited,
    State,
    Stroke,
    View,
    Waiting,
    start,
)

__all__ = [
    "PRESETS",
    "Action",
    "BoxFacts",
    "BoxSide",
    "Call",
    "Called",
    "Event",
    "Facts",
    "GameWon",
    "IllegalAction",
    "Landing",
    "MatchWon",
    "Options",
    "Outcome",
    "Preset",
    "RallyWon",
    "ReturnAwaited",
    "Score",
    "Seat",
    "ServeAwaited",
    "SetWon",
    "Setup",
    "SetupError",
    "Side",
    "State",
    "Step",
    "Stroke",
    "View",
    "Waiting",
    "legal",
    "replay",
    "side_of",
    "start",
    "step",
    "view",
]
