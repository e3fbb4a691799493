"""Where the ball in play lies, as it was last seen; and when the rules have to be told, since they were not.

Observations and states come in, a place goes out. What is said of a ball that lies wrong is not known here.
"""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from firmware.journal import Acted, Later
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Action, Correct, DecisionAwaited, Lay, Press, State, Stroke
from firmware.rules.state import FlickFaultInQuestion, WrongPlace
from firmware.rules.transitions import SERVES
from firmware.umpire.observations import BallSeen, BumpSeen, PlacementSeen, RestSeen, StrokeSeen
from firmware.umpire.rest import Position


@dataclass(frozen=True, slots=True)
class Lying:
    """The ball lies `at` that place, and came to `seen_at` that time, seconds of the camera."""

    at: Position
    seen_at: float


class Whereabouts:
    """Of the one ball that is in play; the others are no matter. `lying`: None where it was not seen to come
    to rest, or left the board."""

    def __init__(self) -> None:
        self._ball: int | None = None
        self.lying: Lying | None = None

    def look_anew(self) -> None:
        """Another umpire sees from now on, who numbers the balls otherwise: the first that lies is the one in
        play."""
        self._ball, self.lying = None, None

    def saw(self, seen: BallSeen) -> bool:
        """Whether this is about the ball in play, which then lies there."""
        known = self._ball
        match seen:
            case StrokeSeen() | PlacementSeen():
                in_play = True
            case BumpSeen():
                in_play = known in (None, seen.ball)
            case RestSeen():
                # The first that is seen: where a match goes on, it may lie elsewhere than it did.
                in_play = known is None
        if in_play:
            position = None if seen.rest is None else seen.rest.position
            self._ball, self.lying = seen.ball, None
            if position is not None and all(map(math.isfinite, (*position.dot_mm, *position.disc_mm))):
                self.lying = Lying(position, seen.at)
        return in_play


def leads_elsewhere(before: State, action: Action, after: State) -> bool:
    """Whether an action can lead from `before` to another rest than the one that the ball was played to: the
    ball may have been fetched meanwhile, for a serve that is not due any more. Or whether it was a stroke
    that does not count: the ball lies where it came to, and there both would agree to play on (SM-19)."""
    match action:
        case Stroke():
            return len(after.strokes) == len(before.strokes)
        case Correct() | Press(button="undo" | "challenge"):
            return True
        case Press(button="confirm"):
            return isinstance(before.waiting, DecisionAwaited)
        case _:
            return False


def has_place(state: State) -> bool:
    """Whether there is a place at which the ball has to lie: in a rally. A serve is played from behind the
    baseline, wherever the ball lies before, and who serves has it in hand."""
    standing = state.standing
    asked = isinstance(standing.hold, FlickFaultInQuestion)
    return standing.outcome is None and not asked and standing.phase not in SERVES


class Told(NamedTuple):
    """What comes of an action: what is to be kept, and the lines for other programs."""

    records: list[Later]
    lines: list[Line]


def lay_to_tell(match: Match, lying: Lying | None) -> Lay | None:
    """What tells the rules where the ball lies; None if they know, or it is no matter, or nobody knows."""
    hold = match.state.standing.hold
    if lying is None or not has_place(match.state):
        return None
    lay = match.lay_of(lying.at.dot_mm, lying.at.disc_mm)
    # Told once more, who has agreed to that place already would have to again.
    return None if isinstance(hold, WrongPlace) and hold.at_mm == lay.place.at_mm else lay


def lay_as_it_lies(match: Match, lying: Lying | None, wall_time: datetime) -> Told:
    """Tell the rules where the ball lies, if they do not know: they ask for it where it belongs (SM-19)."""
    state, lay = match.state, lay_to_tell(match, lying)
    if lying is None or lay is None:
        return Told([], [])
    lines = match.act(lay, follows=True)
    records: list[Later] = []
    if match.state is not state:
        records.append(Acted(lay, wall_time, captured_at=lying.seen_at))
    return Told(records, lines)
