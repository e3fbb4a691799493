"""The simulated table: a ball, two players' hands, pawns and lamps, through time, with its own
truth.

Everything that happens is an act scheduled ahead and closed in form, so the table can be asked
for any instant and the same requests give the same table. It knows no rules and no camera.
"""

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

import numpy as np

from calibration.camera_model import CameraModel
from hardware.simulated.acts import Act, Carry, Flick, Reach, Seat, carry, flick, reach
from hardware.simulated.hands import HandLook
from hardware.simulated.motion import FRICTION_MM_S2, Launch, Point, Slide
from hardware.simulated.random_scenes import random_hand_look
from hardware.simulated.renderer import ground_under
from hardware.simulated.scene import BallPose, Instant, Pawn, Scene, ball_with_dot_at, reach_to_mm

Side = Literal["A", "B"]

PAUSE_S = 0.8
"""From the ball's rest, or a hand's leaving, to the next hand's coming in."""


@dataclass(frozen=True, slots=True)
class BallSpot:
    """A resting ball, in the world and in the print of the half on which its dot lies."""

    disc_mm: Point
    dot_mm: Point
    half: Side
    disc_printed_mm: Point
    dot_printed_mm: Point
    off_board: bool
    """The disc's centre is beyond the printed board's edge."""


@dataclass(frozen=True, slots=True)
class StrokeTruth:
    """A flick as it happened; times in seconds of the table's clock."""

    number: int
    side: Side
    hand_at: float
    touched_at: float
    rested_at: float
    start: BallSpot
    end: BallSpot


@dataclass(frozen=True, slots=True)
class PlacementTruth:
    """A ball that was carried."""

    side: Side
    lifted_at: float
    placed_at: float
    start: BallSpot
    end: BallSpot


Truth = StrokeTruth | PlacementTruth


@dataclass(frozen=True, slots=True)
class _Entry:
    """An act, what there was before it, and its truth with the time from which it is true."""

    act: Act
    ball: BallPose
    pawns: tuple[Pawn, ...]
    truth: Truth | None
    true_from_s: float


@dataclass(frozen=True, slots=True)
class _Switch:
    """Lamps or camera changed at a moment."""

    at_s: float
    lamp_weights: tuple[float, ...] | None = None
    camera: CameraModel | None = None


class SimulatedTable:
    """The table of `scene`, with its ball's dot at `ball_at_mm` (world). `seed`: hands and pauses.
    `other_balls_mm`: dots of further balls that lie about.

    Ask for acts (`flick`, `carry`, `pass_over`, `move_pawn`), which follow one another with
    pauses; let time pass (`step`, or a `SimulatedCamera` that reads); look (`at`, `truth`).
    `busy` tells whether an act is still going on or to come; ask for the next one when it is
    not.
    """

    def __init__(
        self,
        scene: Scene,
        seed: int = 0,
        *,
        ball_at_mm: Point | None = None,
        other_balls_mm: tuple[Point, ...] = (),
        hands: dict[Side, HandLook] | None = None,
        friction_mm_s2: float = FRICTION_MM_S2,
    ) -> None:
        self.scene = scene
        self._random = np.random.default_rng((seed, 0x7AB))
        self.friction_mm_s2 = friction_mm_s2
        looks = hands or {"A": random_hand_look(2 * seed), "B": random_hand_look(2 * seed + 1)}
        self._seats: dict[Side, Seat] = {side: _seat(scene, side, look) for side, look in looks.items()}
        start = ball_at_mm if ball_at_mm is not None else self._serve_spot()
        self._first = self._grounded(ball_with_dot_at(start, scene.ball))
        self._others = tuple(self._grounded(ball_with_dot_at(dot, scene.ball)) for dot in other_balls_mm)
        self._entries: list[_Entry] = []
        self._switches: list[_Switch] = []
        self.now = 0.0

    @property
    def busy(self) -> bool:
        """Whether an act is going on or to come."""
        return bool(self._entries) and self.now < self._entries[-1].act.end_s

    @property
    def ball(self) -> BallSpot:
        """Where the ball lies once every act asked for is done."""
        return self.spot(self._last_pose())

    @property
    def truth(self) -> tuple[Truth, ...]:
        """Strokes and placements that are over by now, in order."""
        return tuple(
            entry.truth
            for entry in self._entries
            if entry.truth is not None and entry.true_from_s <= self.now
        )

    def step(self, seconds: float) -> None:
        """Let time pass; ValueError for a negative time."""
        if seconds < 0:
            raise ValueError(f"time does not run backwards: {seconds} s; give 0 or more")
        self.now += seconds

    def flick(self, side: Side, launch: Launch) -> StrokeTruth:
        """Have `side` flick the ball from where it will lie; its truth, known beforehand."""
        pose = self._last_pose()
        slide = Slide(pose.disc_mm, launch, self.friction_mm_s2, pose.turn_rad)
        slide = slide.cut_at(self._obstacles())
        ground = ground_under(self.scene, pose.disc_mm)
        act = flick(self._seats[side], self._next_start(), slide, self.scene.ball.radius_mm, ground)
        number = 1 + sum(isinstance(entry.truth, StrokeTruth) for entry in self._entries)
        end = self.spot(_ball_during(self.scene, act, pose, math.inf))
        times = (act.start_s, act.touch_s, act.rest_s)
        truth = StrokeTruth(number, side, *times, self.spot(pose), end)
        self._enter(act, truth, act.rest_s)
        return truth

    def carry(self, side: Side, dot_to_mm: Point, *, drag: bool = False) -> PlacementTruth:
        """Have `side` pick up the ball and put it down with its dot at `dot_to_mm` (world).

        With `drag` the hand does not lift it off the ground.
        """
        pose = self._last_pose()
        turn = pose.turn_rad + float(self._random.uniform(-1.5, 1.5))
        to = self._grounded(ball_with_dot_at(dot_to_mm, self.scene.ball, 0.0, turn))
        act = carry(self._seats[side], self._next_start(), pose, to, drag=drag)
        truth = PlacementTruth(side, act.lifted_s, act.placed_s, self.spot(pose), self.spot(to))
        self._enter(act, truth, act.placed_s)
        return truth

    def pass_over(self, side: Side, at_mm: Point) -> None:
        """Have `side` hold a hand over a place and take it away again."""
        self._enter(reach(self._seats[side], self._next_start(), at_mm))

    def move_pawn(self, side: Side, pawn: str, to_mm: Point) -> None:
        """Have `side` move a scorer pawn; ValueError if none has that name."""
        for standing in self._last_pawns():
            if standing.name == pawn:
                seat, start = self._seats[side], self._next_start()
                self._enter(reach(seat, start, standing.at_mm, pawn, to_mm))
                return
        names = ", ".join(standing.name for standing in self.scene.pawns) or "none"
        raise ValueError(f"no pawn is called {pawn!r}; there are: {names}")

    def switch_lamps(self, weights: tuple[float, ...], *, after_s: float = 0.0) -> None:
        """Set each lamp group's brightness (0..1), `after_s` from now."""
        self._switches.append(_Switch(self.now + after_s, lamp_weights=weights))

    def knock_camera(self, to: CameraModel, *, after_s: float = 0.0) -> None:
        """Let the camera hang as `to` says, `after_s` from now."""
        self._switches.append(_Switch(self.now + after_s, camera=to))

    def at(self, time_s: float) -> Instant:
        """What lies, moves and shines at this time (seconds of the table's clock)."""
        ball, pawns = self._first, self.scene.pawns
        hands = []
        begun = bisect_right(self._entries, time_s, key=_starts_at)
        if begun:
            entry = self._entries[begun - 1]
            ball = _ball_during(self.scene, entry.act, entry.ball, time_s)
            pawns = _pawns_during(entry.act, entry.pawns, time_s)
        # The hand of the act before may still be on its way out.
        for entry in self._entries[max(begun - 2, 0) : begun]:
            hand = entry.act.hand.at(time_s)
            if hand is not None:
                hands.append(hand)
        lamps: tuple[float, ...] = ()
        camera: CameraModel | None = None
        for switch in sorted(self._switches, key=attrgetter("at_s")):
            if switch.at_s <= time_s:
                lamps = switch.lamp_weights if switch.lamp_weights is not None else lamps
                camera = switch.camera if switch.camera is not None else camera
        return Instant((ball, *self._others), tuple(hands), lamps, pawns, camera, time_s)

    def spot(self, pose: BallPose) -> BallSpot:
        """A resting pose in every frame of reference."""
        scene = self.scene
        dot = pose.dot_mm(scene.ball)
        on_b = scene.half_at(dot) == "B"
        half = scene.half_b if on_b else scene.half_a
        disc_printed, dot_printed = half.to_printed(pose.disc_mm), half.to_printed(dot)
        (x0, x1), (y0, y1) = scene.edition.extent_x_mm, scene.edition.extent_y_mm
        x, y = pose.disc_mm
        return BallSpot(
            pose.disc_mm,
            dot,
            "B" if on_b else "A",
            (float(disc_printed[0]), float(disc_printed[1])),
            (float(dot_printed[0]), float(dot_printed[1])),
            not (x0 <= x <= x1 and y0 <= y <= y1),
        )

    def _enter(self, act: Act, truth: Truth | None = None, true_from_s: float = 0.0) -> None:
        pose, pawns = self._last_pose(), self._last_pawns()
        self._entries.append(_Entry(act, pose, pawns, truth, true_from_s))

    def _last_pose(self) -> BallPose:
        if not self._entries:
            return self._first
        last = self._entries[-1]
        return _ball_during(self.scene, last.act, last.ball, math.inf)

    def _last_pawns(self) -> tuple[Pawn, ...]:
        if not self._entries:
            return self.scene.pawns
        last = self._entries[-1]
        return _pawns_during(last.act, last.pawns, math.inf)

    def _next_start(self) -> float:
        """When the next hand may start to come in: the ball lies, and a carrying hand is gone."""
        free = 0.0
        if self._entries:
            act = self._entries[-1].act
            free = act.rest_s if isinstance(act, Flick) else act.end_s
        return max(self.now, free) + PAUSE_S * float(self._random.uniform(0.85, 1.25))

    def _obstacles(self) -> tuple[tuple[Point, float], ...]:
        radius = self.scene.ball.radius_mm
        pawns = [(pawn.at_mm, pawn.radius_mm + radius) for pawn in self._last_pawns()]
        return (*pawns, *((ball.disc_mm, 2 * radius) for ball in self._others))

    def _grounded(self, pose: BallPose) -> BallPose:
        return replace(pose, bottom_mm=ground_under(self.scene, pose.disc_mm))

    def _serve_spot(self) -> Point:
        court = self.scene.edition.court
        back = (court.baseline_mm - self.scene.edition.extent_x_mm[0]) / 2
        return (-back, -0.45 * court.singles_mm)


def _ball_during(scene: Scene, act: Act, before: BallPose, time_s: float) -> BallPose:
    """The ball at a time within or after an act."""
    match act:
        case Flick():
            if time_s < act.touch_s:
                return before
            after = time_s - act.touch_s
            place = act.slide.place_at(after)
            return BallPose(place, ground_under(scene, place), act.slide.turn_at(after))
        case Carry():
            return act.ball_at(time_s)
        case Reach():
            return before


def _pawns_during(act: Act, before: tuple[Pawn, ...], time_s: float) -> tuple[Pawn, ...]:
    """The pawns at a time within or after an act."""
    if not isinstance(act, Reach) or act.pawn is None or time_s < act.moved_s:
        return before
    return tuple(replace(pawn, at_mm=act.to_mm) if pawn.name == act.pawn else pawn for pawn in before)


def _starts_at(entry: _Entry) -> float:
    return entry.act.start_s


def _seat(scene: Scene, side: Side, look: HandLook) -> Seat:
    sign = -1.0 if side == "A" else 1.0
    scale = scene.edition.extent_x_mm[1] / 250.0
    away = max(reach_to_mm(scene), scene.edition.extent_x_mm[1] + 160.0 * scale)
    return Seat(side, (sign * (away + 260.0), sign * 40.0 * scale), away, look)
