"""How a flicked ball slides: friction, spin, and what it runs into. Pure functions of time; no
board.

The ball is a disc of felt on print. Sliding friction takes a constant deceleration (Coulomb), so
a flick at speed v goes v * v / 2a far in v / a seconds. Spin bends the way into an arc and turns
the ball.
"""

import math
from dataclasses import dataclass

Point = tuple[float, float]

FRICTION_MM_S2 = 1750.0
"""Felt on laminated print, as filmed flicks show: 1300 to 2000 mm/s2."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A flick: direction (radians from the board's x axis), speed in mm/s, spin.

    `bend_per_mm`: how far the heading turns for each mm gone, in radians (positive: to the left).
    `turn_per_mm`: the same of the ball about its own axis.
    """

    heading_rad: float
    speed_mm_s: float
    bend_per_mm: float = 0.0
    turn_per_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Slide:
    """A ball's way from a flick at `start_mm` until it lies still, closed in form.

    `stopped_after_mm`: where it runs into something that does not move, if it does.
    """

    start_mm: Point
    launch: Launch
    friction_mm_s2: float = FRICTION_MM_S2
    turn_rad: float = 0.0
    stopped_after_mm: float = math.inf

    @property
    def length_mm(self) -> float:
        """How far it goes along its way."""
        return min(self.launch.speed_mm_s**2 / (2 * self.friction_mm_s2), self.stopped_after_mm)

    @property
    def duration_s(self) -> float:
        """How long it moves."""
        v, a = self.launch.speed_mm_s, self.friction_mm_s2
        return (v - math.sqrt(max(v * v - 2 * a * self.length_mm, 0.0))) / a

    @property
    def end_mm(self) -> Point:
        """Where it comes to rest."""
        return self._after(self.length_mm)

    def speed_at(self, after_s: float) -> float:
        """Speed in mm/s, `after_s` seconds after the flick."""
        if after_s >= self.duration_s:
            return 0.0
        return self.launch.speed_mm_s - self.friction_mm_s2 * max(after_s, 0.0)

    def place_at(self, after_s: float) -> Point:
        """The disc's centre, `after_s` seconds after the flick."""
        return self._after(self._gone(after_s))

    def turn_at(self, after_s: float) -> float:
        """The ball's turn about its axis, radians."""
        return self.turn_rad + self.launch.turn_per_mm * self._gone(after_s)

    def cut_at(self, obstacles: tuple[tuple[Point, float], ...]) -> "Slide":
        """This slide, ended where it first touches one of the circles (centre, radius in mm)."""
        reach = self.length_mm
        step = 1.0
        for index in range(int(reach / step) + 1):
            gone = min(index * step, reach)
            x, y = self._after(gone)
            for (ox, oy), radius in obstacles:
                # One that it touches already at the start does not hold it: it is flicked away.
                if index > 0 and math.hypot(x - ox, y - oy) < radius:
                    return Slide(self.start_mm, self.launch, self.friction_mm_s2, self.turn_rad, gone - step)
        return self

    def _gone(self, after_s: float) -> float:
        t = min(max(after_s, 0.0), self.duration_s)
        return self.launch.speed_mm_s * t - self.friction_mm_s2 * t * t / 2

    def _after(self, gone_mm: float) -> Point:
        """The place after that much of the arc."""
        heading, bend = self.launch.heading_rad, self.launch.bend_per_mm
        turned = bend * gone_mm
        # The chord of an arc: its length by the half angle, its direction half way round.
        half = turned / 2
        chord = gone_mm * (math.sin(half) / half if abs(half) > 1e-9 else 1.0)
        x, y = self.start_mm
        return (x + chord * math.cos(heading + half), y + chord * math.sin(heading + half))


def launch_to(
    start_mm: Point,
    target_mm: Point,
    *,
    bend_mm: float = 0.0,
    turn_per_mm: float = 0.0,
    friction_mm_s2: float = FRICTION_MM_S2,
) -> Launch:
    """The flick that comes to rest at `target_mm`.

    `bend_mm`: how far the middle of the way lies to the right of the straight line (spin).
    """
    dx, dy = target_mm[0] - start_mm[0], target_mm[1] - start_mm[1]
    chord = max(math.hypot(dx, dy), 1e-6)
    # Sagitta s of a chord c: the arc turns by 4 atan(2 s / c) in all.
    turned = 4 * math.atan(2 * bend_mm / chord)
    length = chord * (turned / 2 / math.sin(turned / 2) if abs(turned) > 1e-9 else 1.0)
    heading = math.atan2(dy, dx) - turned / 2
    speed = math.sqrt(2 * friction_mm_s2 * length)
    return Launch(heading, speed, turned / length, turn_per_mm)
