"""From places to facts: where the ball lies on an edition, as signed margins for either striker.

The geometry of the board is calibration's; what a fact means for the score is the rules'. No
pictures.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.edition import Edition
from calibration.polygons import rectangle_margin_mm
from firmware.rules.landing import BoxFacts, BoxSide, Facts, Landing, Place, PlaceFacts, Point, Side

_NO_LIMIT = float("inf")


@dataclass(frozen=True, slots=True)
class _Places:
    """A stroke as its striker sees it: the far half is x > 0, left is y > 0. The start lies in the
    near half and is given turned by half a turn, so that names of zones hold for it as for the
    landing."""

    start: tuple[float, float]
    dot: tuple[float, float]
    disc: tuple[float, float]


def landing_of(
    edition: Edition,
    from_mm: Sequence[float],
    dot_mm: Sequence[float],
    disc_mm: Sequence[float],
    *,
    off_board: bool = False,
    dot_sigma_mm: float = 0.0,
    disc_sigma_mm: float = 0.0,
    unseen: bool = False,
) -> Landing:
    """The facts of a stroke from `from_mm` that came to rest with its dot and disc centre as given.

    Places are (x, y) in mm in the printed frame of the half on which they lie. All margins are
    finite; a fact that no place in the court changes is plus or minus the board's diagonal. For the
    bonuses the start counts as the nearest point of its half court (SM-10).
    """
    _check(from_mm=from_mm, dot_mm=dot_mm, disc_mm=disc_mm)
    return Landing(
        off_board=off_board,
        dot_sigma_mm=dot_sigma_mm,
        disc_sigma_mm=disc_sigma_mm,
        by_a=_facts(edition, _seen_by(1.0, from_mm, dot_mm, disc_mm)),
        by_b=_facts(edition, _seen_by(-1.0, from_mm, dot_mm, disc_mm)),
        start=place_of(edition, from_mm),
        rest_mm=None if off_board else _point(dot_mm),
        unseen=unseen,
    )


def place_of(edition: Edition, at_mm: Sequence[float], disc_mm: Sequence[float] | None = None) -> Place:
    """The facts of a ball that lies still with its dot at `at_mm` and its disc's centre at `disc_mm`
    (None: at the dot), for who plays from either end.

    Places are given as for `landing_of`. SM-13: how far behind the baseline a serve is played from
    has no limit; a disc that touches the baseline's printed width, from whichever side, is on it.
    """
    disc = at_mm if disc_mm is None else disc_mm
    _check(at_mm=at_mm, disc_mm=disc)
    return Place(
        at_mm=_point(at_mm),
        by_a=_place_facts(edition, 1.0, at_mm, disc),
        by_b=_place_facts(edition, -1.0, at_mm, disc),
    )


def zero_place(edition: Edition, end: Side, side: BoxSide) -> Point:
    """Where the ball is laid on the 0 of the service box into which `end` plays (SM-11): the dot, in
    mm, in the printed frame of the far half. `side` is the box's side as the player at `end` sees it."""
    x, y = edition.zero_mm(side)
    return (x, y) if end == "A" else (-x, -y)


def zone_points(edition: Edition, dot_mm: Sequence[float]) -> int:
    """The value under the dot, or of the nearest point of its half court; on a line the higher one
    (SM-02). A board without zones gives 0."""
    sign = 1.0 if dot_half(dot_mm) == "B" else -1.0
    margins = edition.zone_map.worth_mm((sign * dot_mm[0], sign * dot_mm[1]))
    return max((n for n, margin in enumerate(margins, start=1) if margin >= 0.0), default=0)


def dot_half(dot_mm: Sequence[float]) -> Side:
    """The half on which a dot lies."""
    return "B" if dot_mm[0] >= 0.0 else "A"


def _check(**places: Sequence[float]) -> None:
    for name, place in places.items():
        if len(place) != 2 or not np.isfinite(np.asarray(place, dtype=float)).all():
            raise ValueError(f"{name} is {place!r}; give two finite numbers, x and y in mm")


def _point(place: Sequence[float]) -> Point:
    return float(place[0]), float(place[1])


def _place_facts(edition: Edition, sign: float, dot: Sequence[float], disc: Sequence[float]) -> PlaceFacts:
    """For the player at end A (`sign` 1) or B (-1), who faces the far half x > 0."""
    court, radius = edition.court, edition.ball.diameter_mm / 2.0
    behind = radius - sign * disc[0] - (court.baseline_mm - edition.lines.court_mm)
    left_of_middle = sign * disc[1]
    within = court.singles_mm - abs(left_of_middle)
    (right_x, right_y), (left_x, left_y) = edition.zero_mm("right"), edition.zero_mm("left")
    return PlaceFacts(
        serve_right_mm=min(behind, -left_of_middle, within),
        serve_left_mm=min(behind, left_of_middle, within),
        zero_right_mm=math.hypot(sign * dot[0] - right_x, sign * dot[1] - right_y),
        zero_left_mm=math.hypot(sign * dot[0] - left_x, sign * dot[1] - left_y),
    )


def _seen_by(sign: float, start: Sequence[float], dot: Sequence[float], disc: Sequence[float]) -> _Places:
    """The places as side A (`sign` 1) or side B (-1) sees them."""
    return _Places(
        (-sign * start[0], -sign * start[1]),
        (sign * dot[0], sign * dot[1]),
        (sign * disc[0], sign * disc[1]),
    )


def _facts(edition: Edition, seen: _Places) -> Facts:
    court, radius = edition.court, edition.ball.diameter_mm / 2.0
    net = edition.lines.net_mm / 2.0
    far = (-_NO_LIMIT, court.baseline_mm)  # how far the disc is over the net is the net's own fact
    crosscourt, dropshot = _bonus_margins(edition, seen)
    return Facts(
        passed_net_mm=seen.dot[0] - net,
        touches_net_mm=radius + net - abs(seen.disc[0]),
        in_singles_mm=radius + rectangle_margin_mm(seen.disc, far, (-court.singles_mm, court.singles_mm)),
        in_doubles_mm=radius + rectangle_margin_mm(seen.disc, far, (-court.doubles_mm, court.doubles_mm)),
        worth_mm=edition.zone_map.worth_mm(seen.dot),
        crosscourt_mm=crosscourt,
        dropshot_mm=dropshot,
        start_in_court_mm=rectangle_margin_mm(
            seen.start, (0.0, court.baseline_mm), (-court.singles_mm, court.singles_mm)
        ),
        right=_box_facts(edition, "right", seen),
        left=_box_facts(edition, "left", seen),
    )


def _box_facts(edition: Edition, side: BoxSide, seen: _Places) -> BoxFacts:
    zones, radius = edition.zone_map, edition.ball.diameter_mm / 2.0
    return BoxFacts(
        touched_mm=radius + zones.box_margin_mm(side, seen.disc),
        ace_mm=radius + zones.ace_margin_mm(side, seen.disc),
        worth_mm=zones.box_worth_mm(side, seen.dot),
    )


def _bonus_margins(edition: Edition, seen: _Places) -> tuple[float, float]:
    """The margins of cross-court and of drop shot (SM-10); minus the diagonal where there is
    none."""
    zones, none = edition.zone_map, -edition.span_mm
    starts = zones.bonus_margins_mm("crosscourt", seen.start)
    landings = zones.bonus_margins_mm("crosscourt", seen.dot)
    pairs = [min(pair) for pair in zip(starts, landings, strict=True)]
    backcourt = zones.bonus_margins_mm("backcourt", seen.start)
    dropshot = zones.bonus_margins_mm("dropshot", seen.dot)
    return (
        max(pairs, default=none),
        min(*backcourt, *dropshot) if backcourt and dropshot else none,
    )
