"""Whether the ball lies where it may be played from: to serve, on a beginner's 0, at its last rest.

Places in, what they mean for a standing out. Which action brought a place is the engine's business.
"""

from math import dist
from typing import Final

import msgspec

from firmware.rules.events import PlacementReason
from firmware.rules.landing import Place, Point, Side
from firmware.rules.rally import end_of
from firmware.rules.service import service_side, target_box
from firmware.rules.setup import Setup, next_seat, side_of
from firmware.rules.state import Standing, WrongPlace
from firmware.rules.transitions import SERVES

SERVE_TOLERANCE_MM: Final = 10.0
"""So far outside its place a serve may start (SM-13)."""
ZERO_TOLERANCE_MM: Final = 8.0
"""So near to the printed 0 a beginner's ball must rest (SM-11)."""
BACK_TOLERANCE_MM: Final = 3.0
"""So near to its last rest a moved ball is put back (SM-19)."""


def fault_of_place(setup: Setup, standing: Standing, place: Place) -> PlacementReason | None:
    """Why the ball may not be played from `place`; None if it may."""
    facts = place.by_a if _end_to_play(standing) == "A" else place.by_b
    side = service_side(standing.score)
    if standing.phase in SERVES:
        if setup.options.free_serve_position or _is_back(standing.ball_mm, place.at_mm):
            return None
        margin_mm = facts.serve_right_mm if side == "right" else facts.serve_left_mm
        return None if margin_mm >= -SERVE_TOLERANCE_MM else "serve-position"
    if standing.phase == "ball on the 0":
        off_mm = facts.zero_left_mm if target_box(side) == "left" else facts.zero_right_mm
        return None if off_mm <= ZERO_TOLERANCE_MM else "zero"
    if standing.ball_mm is None or _is_back(standing.ball_mm, place.at_mm):
        return None
    # A stroke to be played again keeps being that until the ball is back.
    return standing.hold.reason if isinstance(standing.hold, WrongPlace) else "moved"


def is_held(standing: Standing) -> bool:
    """Play waits for the ball to be laid, or for both sides to agree to play on."""
    return isinstance(standing.hold, WrongPlace) or standing.phase == "ball on the 0"


def laid_right(setup: Setup, standing: Standing, place: Place) -> Standing:
    """Where the match stands once the ball lies at `place`, from where it may be played."""
    if standing.phase == "ball on the 0":
        return played_on(setup, standing, place.at_mm)
    wanted_mm = standing.ball_mm
    if standing.phase in SERVES and not _is_back(wanted_mm, place.at_mm):
        wanted_mm = None  # what was agreed of another place to serve from is over
    return played_on(setup, standing, wanted_mm)


def played_on(setup: Setup, standing: Standing, at_mm: Point | None) -> Standing:
    """Where the match stands once play goes on with the ball where it lies."""
    freed = msgspec.structs.replace(standing, hold=None, ball_mm=at_mm)
    if standing.phase != "ball on the 0":
        return freed
    to_play = next_seat(setup, standing.to_play)
    return msgspec.structs.replace(freed, phase="return", to_play=to_play)


def _end_to_play(standing: Standing) -> Side:
    return end_of(side_of(standing.to_play), standing.ends_changed)


def _is_back(wanted_mm: Point | None, at_mm: Point) -> bool:
    return wanted_mm is not None and dist(wanted_mm, at_mm) <= BACK_TOLERANCE_MM
