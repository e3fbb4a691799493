"""What hands do at the table, as closed functions of time: flick, carry, pass over, move a pawn.

An act knows its hand's way and what becomes of the ball or the pawn; it does not know when
others act. Timings follow filmed play: a hand comes in two thirds of a second before it touches.
"""

import math
from dataclasses import dataclass, replace

from hardware.simulated.hands import FINGERTIP_RADIUS_MM, HandLook, HandMotion, HandPose
from hardware.simulated.motion import Point, Slide
from hardware.simulated.scene import BallPose

COMING_S = 0.62
DWELL_S = 0.08
GOING_S = 0.5
CARRY_S = 0.75
_FLICK_S = 0.04
_FOLLOW_S = 0.06
_FOLLOW_MM = 9.0
_DRAWN_BACK_MM = 14.0
_LIFT_MM = 34.0
_HOVER_MM = 12.0
_HIGHEST_TURN_RAD = 1.1  # how far a wrist turns from the forearm's direction


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a player's arm comes from: side A reaches in from x < 0, side B from x > 0."""

    side: str
    shoulder_mm: Point
    away_mm: float
    look: HandLook

    def away(self, towards_mm: Point) -> HandPose:
        """The hand before it comes in, out of the picture, pointing at where it will go."""
        sign = -1.0 if self.side == "A" else 1.0
        y = 0.6 * towards_mm[1] + 0.4 * self.shoulder_mm[1]
        heading = math.atan2(towards_mm[1] - y, towards_mm[0] - sign * self.away_mm)
        return HandPose((sign * self.away_mm, y, 30.0), heading, self.shoulder_mm, 0.3, self.look)


@dataclass(frozen=True, slots=True)
class Flick:
    """A finger comes behind the ball, touches it at `touch_s`, and the ball slides."""

    seat: Seat
    start_s: float
    touch_s: float
    slide: Slide
    hand: HandMotion

    @property
    def end_s(self) -> float:
        """When the ball lies and the hand is gone."""
        return max(self.rest_s, self.hand.times_s[-1])

    @property
    def rest_s(self) -> float:
        """When the ball lies still."""
        return self.touch_s + self.slide.duration_s


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand takes the ball at `lifted_s` and puts it down, in `to_pose`, at `placed_s`."""

    seat: Seat
    start_s: float
    lifted_s: float
    placed_s: float
    from_pose: BallPose
    to_pose: BallPose
    hand: HandMotion

    @property
    def end_s(self) -> float:
        """When the hand is gone."""
        return self.hand.times_s[-1]

    def ball_at(self, time_s: float) -> BallPose:
        """The ball before, under the hand, and after."""
        if time_s <= self.lifted_s:
            return self.from_pose
        if time_s >= self.placed_s:
            return self.to_pose
        hand = self.hand.at(time_s)
        assert hand is not None  # the hand is there from before the lift until after the placing
        share = (time_s - self.lifted_s) / (self.placed_s - self.lifted_s)
        start, end = self.from_pose, self.to_pose
        ground = start.bottom_mm + (end.bottom_mm - start.bottom_mm) * share
        reach = _grip_offset(hand.heading_rad)
        return BallPose(
            (hand.tip_mm[0] - reach[0], hand.tip_mm[1] - reach[1]),
            max(hand.tip_mm[2] - _HOVER_MM, 0.0) + ground,
            start.turn_rad + (end.turn_rad - start.turn_rad) * share,
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that comes and goes without touching the ball; it may move `pawn` at `moved_s`."""

    seat: Seat
    start_s: float
    moved_s: float
    hand: HandMotion
    pawn: str | None = None
    to_mm: Point = (0.0, 0.0)

    @property
    def end_s(self) -> float:
        """When the hand is gone."""
        return self.hand.times_s[-1]


Act = Flick | Carry | Reach


def flick(seat: Seat, start_s: float, slide: Slide, ball_radius_mm: float, ground_mm: float) -> Flick:
    """The act of flicking the ball on its `slide`; the hand enters at `start_s`."""
    aim = slide.launch.heading_rad
    behind = ball_radius_mm + FINGERTIP_RADIUS_MM * 0.9 * seat.look.scale
    x, y = slide.start_mm
    ux, uy = math.cos(aim), math.sin(aim)
    tip_z = ground_mm + 7.0
    heading = _bearable(aim, math.atan2(y - seat.shoulder_mm[1], x - seat.shoulder_mm[0]))

    def pose(back_mm: float) -> HandPose:
        tip = (x - ux * (behind + back_mm), y - uy * (behind + back_mm), tip_z)
        return HandPose(tip, heading, seat.shoulder_mm, 0.0, seat.look)

    arrive = start_s + COMING_S
    touch = arrive + DWELL_S + _FLICK_S
    away = seat.away(slide.start_mm)
    times = (
        start_s,
        arrive,
        arrive + DWELL_S,
        touch,
        touch + _FOLLOW_S,
        touch + _FOLLOW_S + GOING_S,
    )
    poses = (
        away,
        pose(_DRAWN_BACK_MM),
        pose(_DRAWN_BACK_MM),
        pose(0.0),
        pose(-min(_FOLLOW_MM, 0.3 * slide.length_mm)),
        away,
    )
    return Flick(seat, start_s, touch, slide, HandMotion(times, poses))


def carry(seat: Seat, start_s: float, from_pose: BallPose, to_pose: BallPose, *, drag: bool = False) -> Carry:
    """The act of carrying (or dragging) the ball from one pose to another.

    The hand enters at `start_s`.
    """
    lifted = start_s + COMING_S + DWELL_S
    placed = lifted + CARRY_S

    def grip(pose: BallPose, high_mm: float) -> HandPose:
        x, y = pose.disc_mm
        heading = math.atan2(y - seat.shoulder_mm[1], x - seat.shoulder_mm[0])
        reach = _grip_offset(heading)
        tip = (x + reach[0], y + reach[1], pose.bottom_mm + _HOVER_MM + high_mm)
        return HandPose(tip, heading, seat.shoulder_mm, 1.0, seat.look)

    lift = 0.0 if drag else _LIFT_MM
    up, down = grip(from_pose, lift), grip(to_pose, lift)
    times = (
        start_s,
        start_s + COMING_S,
        lifted,
        lifted + 0.2,
        placed - 0.2,
        placed,
        placed + DWELL_S,
        placed + DWELL_S + GOING_S,
    )
    poses = (
        seat.away(from_pose.disc_mm),
        grip(from_pose, 0.0),
        grip(from_pose, 0.0),
        up,
        down,
        grip(to_pose, 0.0),
        grip(to_pose, 0.0),
        seat.away(to_pose.disc_mm),
    )
    return Carry(seat, start_s, lifted, placed, from_pose, to_pose, HandMotion(times, poses))


def reach(
    seat: Seat, start_s: float, at_mm: Point, pawn: str | None = None, to_mm: Point | None = None
) -> Reach:
    """A hand that hovers over `at_mm`; with `pawn` it moves that one from there to `to_mm`."""
    low = 16.0 if pawn is not None else 38.0
    onward = to_mm if to_mm is not None else at_mm
    first, second = (_over(seat, place, low) for place in (at_mm, onward))
    moved = start_s + COMING_S + 0.15
    times = (start_s, start_s + COMING_S, moved, moved + 0.3, moved + 0.3 + GOING_S)
    poses = (seat.away(at_mm), first, first, second, seat.away(onward))
    return Reach(seat, start_s, moved, HandMotion(times, poses), pawn, onward)


def _over(seat: Seat, at_mm: Point, high_mm: float) -> HandPose:
    heading = math.atan2(at_mm[1] - seat.shoulder_mm[1], at_mm[0] - seat.shoulder_mm[0])
    return replace(seat.away(at_mm), tip_mm=(at_mm[0], at_mm[1], high_mm), heading_rad=heading, reach=0.6)


def _grip_offset(heading_rad: float) -> Point:
    """From a gripped ball's centre to the forefinger's tip, mm."""
    return (9.0 * math.cos(heading_rad), 9.0 * math.sin(heading_rad))


def _bearable(aim_rad: float, arm_rad: float) -> float:
    """The aim, or as near to it as the wrist can turn from the arm's direction."""
    turn = (aim_rad - arm_rad + math.pi) % (2 * math.pi) - math.pi
    return arm_rad + max(-_HIGHEST_TURN_RAD, min(turn, _HIGHEST_TURN_RAD))
