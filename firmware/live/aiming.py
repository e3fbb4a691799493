"""From what a person types to a place on the board: coordinates, or the name of a zone.

Geometry of an edition only; who plays and what counts is decided elsewhere.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from firmware.errors import InputError
from firmware.rules import BoxSide, Side

Point = tuple[float, float]
_Margin = Callable[[NDArray[np.float64]], float]

_STEP_MM = 4.0
"""Grid on which the middle of a zone is looked for: finer than anybody flicks."""

_SIDES: dict[str, BoxSide] = {"left": "left", "right": "right"}


def aim_help(edition: Edition, box: BoxSide | None) -> str:
    """What may be typed now, in one line; `box` is the target of a serve, None in a rally."""
    names = [str(points) for points in sorted({zone.points for zone in edition.zones})]
    if box is not None:
        names.append("box")
        if edition.aces:
            names.append("ace")
    else:
        bonuses = {bonus.name for bonus in edition.bonuses}
        names += sorted(bonuses & {"dropshot", "crosscourt"})
    half = "" if box is not None else ", also with left or right"
    return f"x y in mm, or a zone: {', '.join(names)}{half}"


def aim_point(text: str, edition: Edition, striker: Side, box: BoxSide | None) -> Point:
    """The place (x, y), mm in board axes, that `text` names for a stroke by side `striker`.

    `text` is two numbers, or a zone ("2", "2 left", "dropshot", on a serve "box" or "ace"), which
    stands for the place in it that is farthest from its edges; left and right as the striker sees
    the far half. On a serve zones are those within the target `box`. InputError says what may be
    typed.
    """
    words = text.lower().replace(",", " ").split()
    numbers = _numbers(words)
    if numbers is not None:
        (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
        if not (x0 <= numbers[0] <= x1 and y0 <= numbers[1] <= y1):
            raise InputError(
                f"({numbers[0]:g}, {numbers[1]:g}) is not on the board; "
                f"x goes from {x0:g} to {x1:g} mm, y from {y0:g} to {y1:g}"
            )
        return numbers
    side: BoxSide | None = None
    if len(words) == 2 and words[1] in _SIDES and box is None:
        side = _SIDES[words.pop()]
    margin = _margin_of(words[0], edition, box) if len(words) == 1 else None
    if margin is None:
        raise InputError(f"{text.strip()!r} is no aim; type {aim_help(edition, box)}")
    place = _deepest(margin, side, _grid(edition, box))
    if place is None:
        raise InputError(f"there is no such place here; type {aim_help(edition, box)}")
    sign = 1.0 if striker == "A" else -1.0
    return (sign * float(place[0]), sign * float(place[1]))


def _numbers(words: list[str]) -> Point | None:
    if len(words) != 2:
        return None
    try:
        x, y = float(words[0]), float(words[1])
    except ValueError:
        return None
    return (x, y) if np.isfinite((x, y)).all() else None


def _margin_of(name: str, edition: Edition, box: BoxSide | None) -> _Margin | None:
    """How deep a point of the half x > 0 lies in what `name` means; None if it means nothing."""
    zones, net = edition.zone_map, edition.lines.net_mm / 2.0
    if name in ("dropshot", "crosscourt") and box is None:
        if not any(bonus.name == name for bonus in edition.bonuses):
            return None
        # Short of the net is no landing, though the zone is drawn up to it.
        return lambda point: min(max(zones.bonus_margins_mm(name, point)), float(point[0]) - net)
    if name == "box" and box is not None:
        return lambda point: min(zones.box_margin_mm(box, point), float(point[0]) - net)
    if name == "ace" and box is not None and edition.aces:
        return lambda point: zones.ace_margin_mm(box, point)
    points = next((zone.points for zone in edition.zones if str(zone.points) == name), None)
    if points is not None:
        return lambda point: _zone_margin(edition, points, box, point)
    return None


def _zone_margin(edition: Edition, points: int, box: BoxSide | None, point: NDArray[np.float64]) -> float:
    """Distance to where the value would differ from `points`, and to the edges of what is good."""
    zones, court = edition.zone_map, edition.court
    limits = [float(point[0]) - edition.lines.net_mm / 2.0]
    if box is not None:
        worth = zones.box_worth_mm(box, point)
        limits.append(zones.box_margin_mm(box, point))
    else:
        worth = zones.worth_mm(point)
        limits.append(court.baseline_mm - float(point[0]))
        limits.append(court.singles_mm - abs(float(point[1])))
    if points > 0:
        limits.append(worth[points - 1])
    if points < len(worth):
        limits.append(-worth[points])
    return min(limits)


def _grid(edition: Edition, box: BoxSide | None) -> NDArray[np.float64]:
    """Points of the far half court (x > 0), or of its half with the boxes, shape (n, 2)."""
    court = edition.court
    x_end = court.baseline_mm if box is None else court.service_line_mm
    x = np.arange(_STEP_MM / 2, x_end, _STEP_MM)
    y = np.arange(_STEP_MM / 2, court.singles_mm, _STEP_MM)
    across, along = np.meshgrid(np.concatenate((-y[::-1], y)), x, indexing="ij")
    return np.column_stack((along.ravel(), across.ravel()))


def _deepest(
    margin: _Margin, side: BoxSide | None, points: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """The point with the greatest margin, on the `side` that was asked for (left is y > 0)."""
    depths = np.array([margin(point) for point in points])
    if side is not None:
        depths = np.minimum(depths, points[:, 1] if side == "left" else -points[:, 1])
    best = int(np.argmax(depths))
    return points[best] if depths[best] > 0 else None
