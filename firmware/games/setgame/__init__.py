"""SET, the card game for 1 to 20 seats, as a pure engine; the rulings SET-01 to SET-05 decide what its rules
leave open. The names below are what the rest of the firmware uses.
"""

from firmware.games.setgame.engine import covered, legal, start, step, view
from firmware.games.setgame.state import (
    Action,
    AgreeNone,
    Claim,
    Deal,
    Event,
    Leave,
    Move,
    Name,
    Setup,
    Sit,
    State,
    Step,
    TimeUp,
    View,
    Withdraw,
)

__all__ = [
    "Action",
    "AgreeNone",
    "Claim",
    "Deal",
    "Event",
    "Leave",
    "Move",
    "Name",
    "Setup",
    "Sit",
    "State",
    "Step",
    "TimeUp",
    "View",
    "Withdraw",
    "covered",
    "legal",
    "start",
    "step",
    "view",
]
