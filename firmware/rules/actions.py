"""What may happen in a match: strokes, balls that are laid, buttons, corrections. Values only.

Values are frozen msgspec structs rather than dataclasses, because a journal has to tell the members
of a union apart again, and only structs carry a tag.
"""

from typing import Literal

import msgspec

from firmware.rules.events import Call
from firmware.rules.landing import Landing, Place, Side

Button = Literal["confirm", "challenge", "flick-fault", "undo"]
"""What a press means: CONFIRM, CHALLENGE, CHALLENGE twice, CONFIRM held (design, Buttons)."""

Reason = Literal[
    "match-over",
    "decide-first",
    "nothing-to-confirm",
    "already-agreed",
    "nothing-to-contest",
    "no-stroke-yet",
    "call-was-accepted",
    "opponent-calls-flick-faults",
    "already-a-fault",
    "no-such-stroke",
    "stroke-is-void",
    "no-such-ruling",
    "serve-ruling-only",
    "rally-ruling-only",
    "first-serve-only-faults",
    "no-aces-here",
    "no-points-for-that-call",
    "points-out-of-range",
    "nothing-to-undo",
    "not-a-number",
]
"""Why an action may not be done; a table of texts has a sentence for each."""


class IllegalAction(Exception):  # noqa: N818 (the protocol's name, shared by the games)
    """An action that may not be done now. `reason` says why, and so does the message."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class Stroke(msgspec.Struct, frozen=True, tag_field="kind", tag="stroke"):
    """The ball was flicked and came to rest. It is the stroke of whose turn it is (SM-17)."""

    landing: Landing


class Lay(msgspec.Struct, frozen=True, tag_field="kind", tag="lay"):
    """A hand laid the ball there."""

    place: Place


class Press(msgspec.Struct, frozen=True, tag_field="kind", tag="press"):
    """A side pressed a button."""

    button: Button
    side: Side


class Correct(msgspec.Struct, frozen=True, tag_field="kind", tag="correct"):
    """Both sides ruled on a stroke, at once or strokes later (design, promise 5).

    At least one of `call` and `points` is given. `points` is all that the stroke earns, bonuses
    included; without them they stay as measured, and with them alone the stroke is a good one.
    `winner` is a good stroke that reaches POINT!; a serve that is `out` or `net` is a fault.
    """

    number: int
    """The stroke, as its call was numbered."""
    call: Call | None = None
    points: int | None = None


Action = Stroke | Lay | Press | Correct
