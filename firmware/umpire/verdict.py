"""What a ball's move was: a stroke, a placement, a bump, or nothing at all.

Pure judgement of one track's path between two rests, by the law of a free run and by where hands
were. How tracks are followed lives in track.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from firmware.umpire.evidence import Field, Glimpse
from firmware.umpire.rest import Point
from firmware.umpire.run import Run, Sample, coasted, distance, free_run, velocity
from firmware.umpire.track import MOVED_MM, USUAL_DECELERATION, Track, way_of

Kind = Literal["none", "bump", "placement", "stroke"]

# Shorter moves are never strokes: at the least friction that was seen they last two or three
# frames, in which a flick and a nudge cannot be told apart.
SHORTEST_STROKE_MM = 6.0
# Up to here the finger that flicked is beside the ball all along, so only kinematics can tell. In
# radii, as is the ring about the ball in which a hand is seen beside it.
SHORT_STROKE_RADII = 3.2
# A tap on the table that nobody saw moves the ball by a few millimetres, whatever its size.
LONGEST_BUMP_MM = 8.0
# How far off a ball may seem to lie after a knock that made a new fit necessary, by the knock, by the
# fit, or by sliding: a fit finds the lines no farther off than 4 % of the picture, which is about a
# ball's diameter on a board made for its ball. A sliding ball obeys the law of a free run, so that no
# kinematics can tell.
LONGEST_KNOCK_RADII = 2.0
# A run during a knock is told by this many sightings: fewer may be the picture's own jerk.
_SEEN_RUN = 3
# More sightings than this of one way tell a hand's move from a free run by the law alone.
_LONG_RUN = 6
# Up to this part of a run beyond the finger's reach may have a hand beside it: hands that wait
# near the path, the opponent's at the end.
MOST_BESIDE = 0.6
# Cloth differs between tables, not between strokes; a short move that slowed down at another rate
# than this factor from the usual one was pushed.
FRICTION_FACTOR = 2.2
# A ball this slow does not fly off; it is being put down or nudged. mm/s.
SLOWEST_FLIGHT_MM_S = 100.0
# The weakest friction of cloth or card that is reckoned with, mm/s^2: how far a lost ball may go.
WEAKEST_FRICTION = 500.0


# No run lasts longer than this; what vanished in plain sight for longer, and then lies elsewhere, was
# not struck.
LONGEST_UNSEEN_S = 1.2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a move was. `run` for strokes whose run was seen; `uncertain` when part of it was not.
    `cut_short`: a stroke was under way and what ended it was a hand; `flew_off`: by then the ball
    was off the board or out of the picture."""

    kind: Kind
    run: Run | None = None
    uncertain: bool = False
    cut_short: bool = False
    flew_off: bool = False


def judge_move(track: Track, field: Field, usual_friction: float | None) -> Verdict:
    """What brought a settled track's ball from `track.home_mm` to where it lies now.

    `usual_friction`: the deceleration of earlier strokes in mm/s^2, None when there were none.
    """
    first_still, end = track.still_since, _mean_disc(track.still)
    assert track.rest is not None
    way = distance(track.home_mm, end)
    if way < MOVED_MM:
        return Verdict("none")
    if track.knocked and way < LONGEST_KNOCK_RADII * field.ball_radius_mm:
        return Verdict("bump")
    moving = [s for s in track.path if s.at < first_still]
    if way < SHORTEST_STROKE_MM:
        return Verdict("placement" if track.hand else "bump")
    run = free_run(moving, track.home_mm, end, track.left_after, first_still)
    if run is not None and _is_flick(run, moving, track, way, field, usual_friction):
        short = way <= SHORT_STROKE_RADII * field.ball_radius_mm
        return Verdict("stroke", run, uncertain=run.samples < 2 and not short)
    if _ran_freely(moving, track.home_mm, field):
        # It was flicked, but what ended the run was not the cloth.
        taken = track.hidden or (bool(moving) and moving[-1].near)
        free = _free_part(moving, track.home_mm, field)
        flew_off = taken and _leaves(free, field, usual_friction or USUAL_DECELERATION)
        return Verdict("stroke", uncertain=True, cut_short=taken, flew_off=flew_off)
    if track.hand:
        return Verdict("placement")
    if track.knocked or way <= LONGEST_BUMP_MM:
        return Verdict("bump")
    unseen = track.path[0].at - track.left_after < LONGEST_UNSEEN_S
    return Verdict("stroke", uncertain=True) if unseen else Verdict("placement")


def _is_flick(
    run: Run, moving: Sequence[Sample], track: Track, way: float, field: Field, usual: float | None
) -> bool:
    if track.knocked and run.samples < _SEEN_RUN:
        return False
    if track.knocked and run.explained >= 0.9 and run.samples > _LONG_RUN:
        # A shifted board looks like hands beside the ball all along; the law alone is to be trusted.
        return True
    reach = 3.7 * field.ball_radius_mm
    far = [s for s in moving if distance(s.disc_mm, track.home_mm) > reach]
    accompanied = sum(s.near for s in far) / len(far) if far else 0.0
    if run.explained < 0.9:
        # A carried ball is put down slower and slower, too; only its hand gives it away.
        return run.explained >= 0.5 and len(far) >= 3 and accompanied < 0.3
    if len(far) >= 3 and accompanied > MOST_BESIDE:
        return False
    if way < SHORT_STROKE_RADII * field.ball_radius_mm:
        low, high = (WEAKEST_FRICTION, 6000.0)
        if usual is not None:
            low, high = (usual / FRICTION_FACTOR, usual * FRICTION_FACTOR)
        return low <= run.deceleration_mm_s2 <= high
    # One sighting fits any law; it takes a ball seen on its way, or one that no hand covered.
    return run.samples >= 2 or not track.hidden


def _ran_freely(moving: Sequence[Sample], home_mm: Point, field: Field) -> bool:
    """Whether the ball was seen moving fast and away from any hand, however the move ended."""
    free = _free_part(moving, home_mm, field)
    if len(free) < 3:
        return False
    steps = [distance(a.disc_mm, b.disc_mm) / (b.at - a.at) for a, b in pairwise(free)]
    gone = distance(free[0].disc_mm, free[-1].disc_mm)
    return min(steps[:2]) > SLOWEST_FLIGHT_MM_S and gone > field.ball_radius_mm


def _free_part(moving: Sequence[Sample], home_mm: Point, field: Field) -> list[Sample]:
    """The first stretch without a hand beside the ball, away from where it lay."""
    free: list[Sample] = []
    for sample in moving:
        if distance(sample.disc_mm, home_mm) < field.ball_radius_mm / 2:
            continue
        if sample.near:
            if free:
                break
            continue
        free.append(sample)
    return free


def ran_off(track: Track, field: Field, usual_friction: float | None) -> bool:
    """Whether an unseen ball was on its way off the board or out of the picture when last seen.

    One that no hand came over is off if it could be; one that was covered meanwhile may have been
    taken, and is off only if the usual friction would not have stopped it before.
    """
    if not track.path:
        return False
    friction = (usual_friction or USUAL_DECELERATION) if track.hidden else WEAKEST_FRICTION
    return _leaves(way_of(track), field, friction)


def set_off_at(track: Track) -> float:
    """When an unseen ball left its rest, seconds: as late as its first stretch's speed allows."""
    samples = track.path[:3]
    if len(samples) < 2:
        return track.left_after
    vx, vy = velocity(samples)
    speed = max(math.hypot(vx, vy), SLOWEST_FLIGHT_MM_S)
    before = distance(track.home_mm, samples[0].disc_mm) / speed
    return max(track.left_after, samples[0].at - before)


def _leaves(samples: Sequence[Sample], field: Field, friction: float) -> bool:
    """Whether a ball that goes on after `samples` leaves the board or the picture, if it slows down
    by `friction` (mm/s^2)."""
    if not samples:
        return False
    reach = coasted(samples, 60.0, friction)
    return not (field.in_picture(reach) and field.on_board(reach))


def was_running(track: Track, field: Field) -> bool:
    """Whether an unseen ball was running free of any hand when last seen."""
    samples = way_of(track)
    if len(samples) < 2 or not track.path or track.rest is None:
        return False
    vx, vy = velocity(samples, 0.08)
    if math.hypot(vx, vy) <= SLOWEST_FLIGHT_MM_S:
        # Only a ball that was fast before can have crept out of the picture at the end of its run.
        return _ran_freely(track.path, track.home_mm, field) and not track.path[-1].near
    within_reach = distance(track.last_mm, track.home_mm) < 3.7 * field.ball_radius_mm
    return within_reach or not track.path[-1].near


def _mean_disc(still: Sequence[tuple[float, Glimpse]]) -> Point:
    return (
        sum(g.disc_mm[0] for _, g in still) / len(still),
        sum(g.disc_mm[1] for _, g in still) / len(still),
    )
