"""Random matches that could have been played: where each ball was struck from and where it stopped.

Seeded; nothing is timed here and no rule decided: the engine says what it waits for, and gets it.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from calibration.edition import Edition
from firmware.landings import landing_of, place_of, zero_place
from firmware.rules import (
    Action,
    BoxSide,
    Lay,
    Place,
    PlacementAwaited,
    Point,
    ReturnAwaited,
    ServeAwaited,
    Setup,
    State,
    Stroke,
    choose,
    end_of,
    side_of,
    start,
    step,
)

SETUPS: dict[str, Setup] = {
    "discovery": Setup("discovery"),
    "confirmed": Setup("confirmed"),
    "confirmed, six games": Setup("confirmed", games_to_set=6),
    "confirmed, doubles": Setup("confirmed", doubles=True),
    "advanced": Setup("advanced"),
    "advanced, doubles, ends changed": Setup(
        "advanced", chosen=choose("advanced", {"change_ends": True}), doubles=True, first_server="B"
    ),
    "simplified": Setup("simplified"),
    "children, doubles": Setup("children", doubles=True),
}
"""What is played, by the name under which it is printed."""
LONG: dict[str, Setup] = {
    "five sets": Setup("advanced", sets_to_win=3),
    "five sets of six games": Setup("advanced", games_to_set=6, sets_to_win=3),
}
"""Matches that are wanted in their full length."""

SIGMA_MM = 0.03
"""How well every ball is measured, dot and disc alike."""
_POWER, _DIRECTION = 0.15, math.radians(6.0)
"""Standard deviations of a flick: of its length, as a part of it, and of its direction. Five serves in
six are then good, one return in five is not, and a rally takes four or five strokes."""
_DOT_OFF_MM = 0.2
"""How far the dot is printed from the middle of the disc, along either axis."""
_BEHIND_MM = 5.0
"""How far behind the baseline a serve is played from."""


@dataclass(frozen=True, slots=True)
class Flick:
    """A stroke as places in mm: struck from, and where its dot and disc stopped."""

    from_mm: Point
    dot_mm: Point
    disc_mm: Point
    off_board: bool

    def action(self, edition: Edition) -> Action:
        """What the rules are told of it: the whole geometry of a stroke."""
        landing = landing_of(
            edition,
            self.from_mm,
            self.dot_mm,
            self.disc_mm,
            off_board=self.off_board,
            dot_sigma_mm=SIGMA_MM,
            disc_sigma_mm=SIGMA_MM,
        )
        return Stroke(landing)


@dataclass(frozen=True, slots=True)
class LaidBall:
    """A ball that a hand laid down, at a place in mm."""

    at_mm: Point

    def action(self, edition: Edition) -> Action:
        """What the rules are told of it."""
        place: Place = place_of(edition, self.at_mm)
        return Lay(place)


Move = Flick | LaidBall


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match to its end: what was done, and the same as the rules' actions."""

    setup: Setup
    moves: tuple[Move, ...]
    actions: tuple[Action, ...]
    end: State

    @property
    def strokes(self) -> int:
        """How many strokes it took."""
        return len(self.end.strokes)

    @property
    def rallies(self) -> int:
        """How many rallies it took."""
        return sum(played.called.rally_winner is not None for played in self.end.strokes)


def played_match(edition: Edition, setup: Setup, seed: str) -> PlayedMatch:
    """A match from its first serve to its end, between players of equal skill."""
    luck = random.Random(seed)
    state, ball, moves, actions = start(setup), (0.0, 0.0), [], []
    while state.outcome is None:
        move = _next_move(edition, state, ball, luck)
        ball = move.at_mm if isinstance(move, LaidBall) else move.dot_mm
        action = move.action(edition)
        state = step(state, action).state
        moves.append(move)
        actions.append(action)
    return PlayedMatch(setup, tuple(moves), tuple(actions), state)


def longest_match(edition: Edition, setup: Setup, seed: str) -> PlayedMatch:
    """The first match of a row of seeds that takes all the sets that its setup allows."""
    sets = 2 * setup.sets_to_win - 1
    matches = (played_match(edition, setup, f"{seed} {n}") for n in _naturals())
    return next(match for match in matches if sum(match.end.score.sets) == sets)


def _naturals() -> Iterator[int]:
    n = 0
    while True:
        yield n
        n += 1


def _next_move(edition: Edition, state: State, ball: Point, luck: random.Random) -> Move:
    """What the match waits for, done with some luck."""
    waiting = state.waiting
    assert waiting is not None
    end = end_of(side_of(waiting.seat), state.standing.ends_changed)
    # All below is as the striker sees it: the far half at x > 0, left at y > 0.
    sign = 1.0 if end == "A" else -1.0
    court = edition.court
    match waiting:
        case PlacementAwaited(box=box) if box is not None:
            return LaidBall(zero_place(edition, end, box))
        case ServeAwaited(side=side):
            y = _towards(side) * luck.uniform(0.1, 0.9) * court.singles_mm
            from_mm = (-court.baseline_mm - _BEHIND_MM, y)
            aim = (0.65 * court.service_line_mm, -0.5 * _towards(side) * court.singles_mm)
        case ReturnAwaited():
            from_mm = (sign * ball[0], sign * ball[1])
            width = court.doubles_mm if state.setup.doubles else court.singles_mm
            # Near the lines, where the points are.
            across = luck.choice((-1.0, 1.0)) * luck.uniform(0.5, 1.0) * width
            aim = (luck.uniform(0.2, 1.0) * court.baseline_mm, across)
        case _:
            raise AssertionError(f"nobody did anything to make the match wait for {waiting}")
    return _flicked(edition, sign, from_mm, aim, luck)


def _towards(side: BoxSide) -> float:
    return 1.0 if side == "left" else -1.0


def _flicked(edition: Edition, sign: float, from_mm: Point, aim: Point, luck: random.Random) -> Flick:
    length = math.dist(from_mm, aim) * luck.gauss(1.0, _POWER)
    direction = math.atan2(aim[1] - from_mm[1], aim[0] - from_mm[0]) + luck.gauss(0.0, _DIRECTION)
    x = sign * (from_mm[0] + length * math.cos(direction))
    y = sign * (from_mm[1] + length * math.sin(direction))
    (left, right), (low, high) = edition.extent_x_mm, edition.extent_y_mm
    return Flick(
        from_mm=(sign * from_mm[0], sign * from_mm[1]),
        dot_mm=(x + luck.gauss(0.0, _DOT_OFF_MM), y + luck.gauss(0.0, _DOT_OFF_MM)),
        disc_mm=(x, y),
        off_board=not (left <= x <= right and low <= y <= high),
    )
