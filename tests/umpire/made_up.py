"""A made-up table without pictures: balls and hands as functions of time, turned into evidence."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from firmware.umpire.evidence import Evidence, Glimpse
from firmware.umpire.observations import Observation
from firmware.umpire.rest import Point, Rest
from firmware.umpire.sighting import Sighting
from firmware.umpire.tracker import State, finish, step

RADIUS_MM = 11.0
PX_PER_MM = 2.5
Path = Callable[[float], Point | None]
"""Where something is at a time in seconds; None: nowhere."""


@dataclass(frozen=True)
class Table:
    """500 x 350 mm of board in a picture that shows 60 mm more on each side."""

    ball_radius_mm: float = RADIUS_MM
    picture_mm: tuple[float, float, float, float] = (-310.0, -185.0, 310.0, 285.0)

    def on_board(self, at_mm: Point) -> bool:
        return -250 <= at_mm[0] <= 250 and -125 <= at_mm[1] <= 225

    def in_picture(self, at_mm: Point) -> bool:
        x0, y0, x1, y1 = self.picture_mm
        radius = self.ball_radius_mm
        inside_x = x0 + radius <= at_mm[0] <= x1 - radius
        return inside_x and y0 + radius <= at_mm[1] <= y1 - radius


@dataclass(frozen=True)
class Hands:
    """Discs (x, y, radius) that cover the board."""

    discs: tuple[tuple[float, float, float], ...]

    def _part(self, at_mm: Point, inner_mm: float, outer_mm: float) -> float:
        angles = np.linspace(0, 2 * np.pi, 36, endpoint=False)
        radii = np.sqrt(np.linspace(inner_mm**2, outer_mm**2, 5))
        x = at_mm[0] + np.outer(radii, np.cos(angles))
        y = at_mm[1] + np.outer(radii, np.sin(angles))
        covered = np.zeros_like(x, dtype=bool)
        for cx, cy, radius in self.discs:
            covered |= (x - cx) ** 2 + (y - cy) ** 2 < radius**2
        return float(covered.mean())

    def over(self, at_mm: Point, radius_mm: float) -> float:
        return self._part(at_mm, 0.0, radius_mm)

    def around(self, at_mm: Point, inner_mm: float, outer_mm: float) -> float:
        return self._part(at_mm, inner_mm, outer_mm)


@dataclass
class Show:
    """What is played before the tracker: balls and hands, and what the camera does."""

    balls: list[Path]
    hands: list[Path] = field(default_factory=list)
    hand_radius_mm: float = 35.0
    fps: float = 30.0
    phase: float = 0.37
    seconds: float = 5.0
    noise_mm: float = 0.03
    dropped: frozenset[int] = frozenset()
    blind: Callable[[float], bool] = lambda t: False
    held: Callable[[float], bool] = lambda t: False
    refitted_at: float = math.inf
    knock_mm: Point = (0.0, 0.0)
    flip: Point = (1.0, 1.0)
    table: Table = Table()

    def evidence(self) -> Iterator[Evidence]:
        random = np.random.default_rng(11)
        refit_due = True
        for number in range(int(self.seconds * self.fps)):
            at = (number + self.phase) / self.fps
            noise = random.normal(0.0, self.noise_mm, (len(self.balls), 2, 2))
            if number in self.dropped:
                continue
            discs = [hand(at) for hand in self.hands]
            cover = Hands(tuple((*self._flip(d), self.hand_radius_mm) for d in discs if d))
            glimpses = []
            for ball, off in zip(self.balls, noise, strict=True):
                place = ball(at)
                if place is None or not self.table.in_picture(place):
                    continue
                place = self._flip(place)
                if cover.over(place, self.table.ball_radius_mm) < 0.3:
                    glimpses.append(_glimpse(place, off, self.noise_mm))
            refitted = refit_due and at >= self.refitted_at
            refit_due = refit_due and not refitted
            blind = self.blind(at)
            if self.held(at):
                glimpses = [_shifted(g, self.knock_mm) for g in glimpses]
            yield Evidence(
                captured_at=at,
                glimpses=() if blind else tuple(glimpses),
                cover=cover,
                blind=blind,
                held=self.held(at),
                refitted=refitted,
                relocate=self._relocated,
            )

    def _relocated(self, sighting: Sighting) -> Glimpse:
        x, y = (sighting.disc_px[0] - 1000) / PX_PER_MM, (800 - sighting.disc_px[1]) / PX_PER_MM
        return Glimpse(sighting, (x, y), (x, y), self.noise_mm)

    def _flip(self, at_mm: Point) -> Point:
        return (self.flip[0] * at_mm[0], self.flip[1] * at_mm[1])

    def play(self, *, ends: bool = False) -> list[Observation]:
        """What the tracker reports; with `ends` also what it says once the recording has ended."""
        state, told, at = State(), [], 0.0
        for evidence in self.evidence():
            done = step(state, evidence, self.table, _same_place)
            state, at = done.state, evidence.captured_at
            told.extend(done.observations)
        if ends:
            told.extend(finish(state, at, self.table, _same_place).observations)
        return told


def _same_place(rest: Rest) -> Rest:
    return replace(rest, position=None)


def _glimpse(at_mm: Point, noise: NDArray[np.float64], sigma_mm: float) -> Glimpse:
    dot = (at_mm[0] + float(noise[0, 0]), at_mm[1] + float(noise[0, 1]))
    disc = (at_mm[0] + float(noise[1, 0]), at_mm[1] + float(noise[1, 1]))
    dot_px, disc_px = ((1000 + PX_PER_MM * x, 800 - PX_PER_MM * y) for x, y in (dot, disc))
    sigma = max(sigma_mm, 0.01)
    sighting = Sighting(
        disc_px=disc_px,
        dot_px=dot_px,
        disc_sigma_px=sigma * PX_PER_MM,
        dot_sigma_px=sigma * PX_PER_MM,
        radius_px=RADIUS_MM * PX_PER_MM,
        likeness=0.9,
    )
    return Glimpse(sighting, dot, disc, sigma)


def _shifted(glimpse: Glimpse, by_mm: Point) -> Glimpse:
    """The same sighting, placed wrongly by a fit that no longer holds."""
    (x, y), (u, v) = glimpse.disc_mm, glimpse.dot_mm
    dot, disc = (u + by_mm[0], v + by_mm[1]), (x + by_mm[0], y + by_mm[1])
    return replace(glimpse, dot_mm=dot, disc_mm=disc)


def lying(at_mm: Point) -> Path:
    return lambda t: at_mm


def flicked(start: Point, end: Point, touch_s: float, friction: float = 1500.0) -> tuple[Path, float]:
    """A ball that is flicked at `touch_s` and stopped by friction (mm/s^2), and when it stops."""
    way = math.dist(start, end)
    lasts = math.sqrt(2 * way / friction)

    def path(t: float) -> Point:
        part = 1 - (1 - min(max((t - touch_s) / lasts, 0.0), 1.0)) ** 2
        return mix(start, end, part)

    return path, touch_s + lasts


def finger(ball: Point, towards: Point, touch_s: float, radius: float = 35.0) -> Path:
    """A hand that comes from behind the ball, touches it at `touch_s` and goes back."""
    way = math.dist(ball, towards)
    ux, uy = (towards[0] - ball[0]) / way, (towards[1] - ball[1]) / way

    def path(t: float) -> Point | None:
        back = radius + RADIUS_MM + 400.0 * abs(t - touch_s)
        return (ball[0] - ux * back, ball[1] - uy * back) if abs(t - touch_s) < 0.6 else None

    return path


def smooth(start: Point, end: Point, from_s: float, lasts_s: float) -> Callable[[float], Point]:
    """A move of a hand: speeding up and slowing down with the least jerk."""

    def path(t: float) -> Point:
        u = min(max((t - from_s) / lasts_s, 0.0), 1.0)
        return mix(start, end, u**3 * (10 - 15 * u + 6 * u * u))

    return path


def during(path: Callable[[float], Point], from_s: float, to_s: float) -> Path:
    return lambda t: path(t) if from_s <= t <= to_s else None


def mix(a: Point, b: Point, part: float) -> Point:
    return (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]))


T = TypeVar("T")


def of_kind(kind: type[T], told: Sequence[object]) -> list[T]:
    return [o for o in told if isinstance(o, kind)]
