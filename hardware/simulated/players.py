"""Two players who aim with error and play to win. They know the board and their own skill, no
rules.

Whoever directs the match (the caller, who keeps the score) tells them the situation before each
stroke; they weigh where to aim against how often they miss, and ask the table for the acts.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.polygons import holds
from hardware.simulated.motion import Launch, Point, launch_to
from hardware.simulated.table import Side, SimulatedTable, StrokeTruth

Array = NDArray[np.float64]
BoxSide = Literal["right", "left"]

_TO_WIN = 3  # spaces of the marker from the middle to either end
_SAMPLES = 40
_LOSS = 2.2  # what losing the rally by a fault costs, in points of the marker
_AIM_X, _AIM_Y = 12, 9  # aims weighed over the half court


@dataclass(frozen=True, slots=True)
class Situation:
    """What a player is told before a stroke.

    `striker`: who plays. `box`: on a serve, the target box as the striker sees the far half;
    None for a return. `marker`: the in-rally scorer, -3..3, positive towards A winning.
    """

    striker: Side
    box: BoxSide | None = None
    marker: int = 0


@dataclass(frozen=True, slots=True)
class Skill:
    """Standard deviations of a player's flicks, and how often one goes quite wrong.

    `angle_rad`: direction. `speed_share`: speed, as a share of it. `blunder_share`: of flicks that
    slip: far too weak or far off the line.
    """

    angle_rad: float = 0.05
    speed_share: float = 0.05
    blunder_share: float = 0.04


class Players:
    """Both players at `table`. `seed` fixes every choice and every error.

    The director's loop: while `table.busy`, let time pass; then tell the players the situation::

    truth = players.play(Situation("A", box="left")) # a serve: places the ball if need be truth =
    players.play(Situation("B", marker=1)) # a return, from where the ball lies

    `play` only schedules; the acts happen as the table's time passes. What it returns is the
    stroke's truth, known beforehand, for whoever compares calls with it.
    """

    def __init__(
        self,
        table: SimulatedTable,
        seed: int = 0,
        skills: dict[Side, Skill] | None = None,
    ) -> None:
        self._table = table
        self._edition = table.scene.edition
        self._skills: dict[Side, Skill] = skills or {"A": Skill(), "B": Skill()}
        self._random = np.random.default_rng((seed, 0x91A7))

    def play(self, situation: Situation, aim_mm: Point | None = None) -> StrokeTruth:
        """Play one stroke; a serve from a ball that does not lie right begins with carrying it
        there.

        `aim_mm`: where to aim the ball's dot, in world coordinates (for a person who plays with
        these hands); default: the player's own choice. The error of the hand comes on top.
        """
        side = situation.striker
        if situation.box is not None and not self._lies_for_serve(side, situation.box):
            self._table.carry(side, self.serve_spot(side, situation.box))
        start = self._table.ball.disc_mm
        aim = aim_mm if aim_mm is not None else self._chosen_aim(situation, start)
        return self._table.flick(side, self._attempt(side, start, aim))

    def serve_spot(self, side: Side, box: BoxSide) -> Point:
        """A spot, in world coordinates, from which `side` may serve to `box`: behind the baseline,
        diagonally opposite, between the centre mark and the singles sideline (SM-13)."""
        court, style = self._edition.court, self._table.scene.ball
        edge = -self._edition.extent_x_mm[0]
        back = max((court.baseline_mm + edge) / 2, court.baseline_mm + style.radius_mm * 0.4)
        share = float(self._random.uniform(0.3, 0.75))
        # Seen from the striker, the left box is hit from the right side: y < 0 in their frame.
        y = (-1.0 if box == "left" else 1.0) * share * court.singles_mm
        return _turned(side, (-back, y))

    def _lies_for_serve(self, side: Side, box: BoxSide) -> bool:
        ball = self._table.ball
        x, y = _turned(side, ball.disc_printed_mm)
        court = self._edition.court
        right_side = y < 0 if box == "left" else y > 0
        behind = x <= -court.baseline_mm - 2.0
        return behind and right_side and abs(y) <= court.singles_mm and not ball.off_board

    def _attempt(self, side: Side, start: Point, aim: Point) -> Launch:
        """The flick at `aim`, as the hand makes it."""
        random, skill = self._random, self._skills[side]
        bend = float(random.normal(0, 0.012)) * math.dist(start, aim)
        spin = float(random.normal(0, 0.004))
        ideal = launch_to(
            start, aim, bend_mm=bend, turn_per_mm=spin, friction_mm_s2=self._table.friction_mm_s2
        )
        heading = ideal.heading_rad + float(random.normal(0, skill.angle_rad))
        speed = ideal.speed_mm_s * (1 + float(random.normal(0, skill.speed_share)))
        if random.random() < skill.blunder_share:
            if random.random() < 0.6:
                speed *= float(random.uniform(0.55, 0.8))
            else:
                heading += float(random.choice([-1, 1]) * random.uniform(0.12, 0.25))
        return Launch(heading, max(speed, 60.0), ideal.bend_per_mm, ideal.turn_per_mm)

    def _chosen_aim(self, situation: Situation, start: Point) -> Point:
        """The aim of greatest expected worth under the player's own errors, in the world."""
        own_start = _turned(situation.striker, start)
        towards_win = situation.marker if situation.striker == "A" else -situation.marker
        aims = self._aims(situation.box)
        skill = self._skills[situation.striker]
        # The same errors for every aim: then aims are compared, not luck.
        errors = self._random.standard_normal((_SAMPLES, 2))
        landings = _scattered(np.asarray(own_start), aims, skill, errors)
        worth = self._worth(landings.reshape(-1, 2), own_start, situation.box, towards_win)
        mean = worth.reshape(len(aims), _SAMPLES).mean(axis=1)
        # A little taste, or every rally would look the same.
        mean = mean + self._random.normal(0, 0.12, len(aims))
        best = aims[int(np.argmax(mean))]
        return _turned(situation.striker, (float(best[0]), float(best[1])))

    def _aims(self, box: BoxSide | None) -> Array:
        """Aims in the striker's frame, shape (n, 2): a grid over the far half court or the box."""
        court, inset = self._edition.court, self._table.scene.ball.radius_mm / 2
        far = court.baseline_mm if box is None else court.service_line_mm
        low, high = -court.singles_mm + inset, court.singles_mm - inset
        if box is not None:
            low, high = (inset, high) if box == "left" else (low, -inset)
        x, y = np.meshgrid(np.linspace(2 * inset, far - inset, _AIM_X), np.linspace(low, high, _AIM_Y))
        return np.column_stack((x.ravel(), y.ravel()))

    def _worth(self, landings: Array, start: Point, box: BoxSide | None, towards_win: int) -> Array:
        """What landings (n, 2) in the striker's frame are worth to the striker."""
        court, radius = self._edition.court, self._table.scene.ball.radius_mm
        x, y = landings.T
        good = (x > self._edition.lines.net_mm / 2) & (x < court.baseline_mm + radius)
        good &= np.abs(y) < court.singles_mm + radius
        points = self._values(landings)
        if box is not None:
            beyond = x > court.service_line_mm + radius
            wrong = (y < -radius) if box == "left" else (y > radius)
            # Touching the net on a serve is played again: nothing won, nothing lost.
            again = good & (x < self._edition.lines.net_mm / 2 + radius)
            good &= ~beyond & ~wrong
            points = np.where(again, 0.0, points)
        else:
            points = points + _bonus_points(self._edition, landings, start)
        needed = max(_TO_WIN - towards_win, 1)
        gained = np.minimum(points, needed) + np.where(points >= needed, 0.8, 0.0)
        # Somebody already at the far end must score: a zero loses the rally.
        if towards_win <= -_TO_WIN:
            good &= points > 0
        return np.where(good, gained, -_LOSS)

    def _values(self, landings: Array) -> Array:
        if not self._edition.zones:
            return np.ones(len(landings))
        return self._edition.zone_map.values_at(landings).astype(float)


def _scattered(start: Array, aims: Array, skill: Skill, errors: Array) -> Array:
    """Landings, shape (aims, errors, 2), of flicks at each aim with each error (angle, speed)."""
    way = aims - start
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    angle = np.arctan2(way[:, 1], way[:, 0])[:, None] + skill.angle_rad * errors[:, 0]
    gone = length * (1 + skill.speed_share * errors[:, 1]) ** 2
    scattered: Array = start + np.stack((gone * np.cos(angle), gone * np.sin(angle)), axis=-1)
    return scattered


def _bonus_points(edition: Edition, landings: Array, start: Point) -> Array:
    """The extra points of the bonuses that the edition prints (SM-10), for the striker's frame."""
    # A start is looked up as if the board were turned by half: own half and far half look alike.
    from_there = (-start[0], -start[1])
    won = np.zeros(len(landings))
    held = {
        name: [bonus.polygon for bonus in edition.bonuses if bonus.name == name]
        for name in ("dropshot", "backcourt", "crosscourt")
    }
    if any(bool(holds(polygon, from_there)[0]) for polygon in held["backcourt"]):
        for polygon in held["dropshot"]:
            won += holds(polygon, landings)
    # Zones of equal name lie diagonally when the start's has the same turned polygon.
    for polygon in held["crosscourt"]:
        if bool(holds(polygon, from_there)[0]):
            won += holds(polygon, landings)
    return won


def _turned(side: Side, point: Point) -> Point:
    """A point between the world and the striker's frame, in which the striker looks along +x."""
    return point if side == "A" else (-point[0], -point[1])
