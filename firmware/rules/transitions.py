"""A rally as a table: what follows each call in each phase of it. The table and nothing else.

The diagram in README.md is drawn from it (`diagram.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

Phase = Literal["first serve", "second serve", "ball on the 0", "return", "return under pressure"]
"""What a rally waits for."""

Sequel = Literal[
    "let",
    "fault",
    "double-fault",
    "ace",
    "ace at POINT!",
    "in",
    "in at POINT!",
    "in for nothing",
    "winner",
    "out",
    "net",
    "flick-fault",
    "ball laid",
]
"""What came of it, as far as it matters to what follows. `at POINT!`: a serve that brought the
marker there (SM-08). `for nothing`: a return under pressure into a zone worth 0."""

Winner = Literal["to the striker", "to the opponent"]
"""Who wins a rally that is over."""

SERVES: Final[tuple[Phase, ...]] = ("first serve", "second serve")
RETURNS: Final[tuple[Phase, ...]] = ("return", "return under pressure")

_SERVE: Final[Mapping[Sequel, Phase | Winner]] = {
    "in": "return",
    "in at POINT!": "return under pressure",  # SM-08
    "ace": "to the striker",  # SM-07
}
_RETURN: Final[Mapping[Sequel, Phase | Winner]] = {
    "in": "return",
    "winner": "to the striker",  # rulebook, Winning Shot, Figure E
    "out": "to the opponent",  # rulebook, Direct Fault, Figure H; SM-12
    "net": "to the opponent",
    "flick-fault": "to the opponent",  # SM-20
}

TRANSITIONS: Final[Mapping[Phase, Mapping[Sequel, Phase | Winner]]] = MappingProxyType(
    {
        "first serve": {
            "let": "first serve",  # SM-06
            "fault": "second serve",
            **_SERVE,
        },
        "second serve": {
            "let": "second serve",
            "double-fault": "to the opponent",  # rulebook, Confirmed Level
            "fault": "ball on the 0",  # rulebook, Beginner Level; SM-11
            "ace at POINT!": "return under pressure",  # rulebook, Ace on a Second Serve
            **_SERVE,
        },
        "ball on the 0": {"ball laid": "return"},
        "return": _RETURN,
        "return under pressure": {**_RETURN, "in for nothing": "to the opponent"},
    }
)
"""What follows: the next phase, or who wins the rally."""
