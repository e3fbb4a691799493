"""The stroke line: one JSON object for each called stroke, the same for whoever reports it.

Only the shape of that line lives here; printing it is the commands' business.
"""

from typing import Any

from firmware.rules import Called

Point = tuple[float, float]

_MM_DIGITS = 4
"""A tenth of a micrometre: finer than anything measured, coarse enough to read."""
_SECOND_DIGITS = 4


def stroke_line(
    called: Called,
    *,
    started_at: float | None,
    rested_at: float | None,
    from_mm: Point,
    dot_mm: Point | None,
    disc_mm: Point | None,
    sigma_mm: float,
    off_board: bool,
) -> dict[str, Any]:
    """The line for a called stroke, ready for JSON.

    `started_at`, `rested_at`: the camera's clock in seconds, None where no camera saw it.
    Positions in mm, in the frame of the printed half on which the dot lies, None for a ball that
    left the picture. `sigma_mm`: standard deviation of the dot's position.
    """
    return {
        "kind": "stroke",
        "number": called.number,
        "seat": called.seat,
        "started_at": _rounded(started_at, _SECOND_DIGITS),
        "rested_at": _rounded(rested_at, _SECOND_DIGITS),
        "from_mm": _point(from_mm),
        "dot_mm": _point(dot_mm),
        "disc_mm": _point(disc_mm),
        "sigma_mm": _rounded(sigma_mm, _MM_DIGITS),
        "off_board": off_board,
        "call": called.call,
        "points": called.points,
        "margin_mm": _rounded(called.margin_mm, _MM_DIGITS),
        "certain": called.certain,
        "marker": called.marker,
        "rally_winner": called.rally_winner,
        "score": {
            "points": list(called.score.point_names),
            "games": list(called.score.games),
            "sets": list(called.score.sets),
        },
    }


def _rounded(value: float | None, digits: int) -> float | None:
    # float() frees a numpy scalar, which JSON does not know; adding zero turns -0.0 into 0.0.
    return None if value is None else round(float(value), digits) + 0.0


def _point(point: Point | None) -> list[float | None] | None:
    return None if point is None else [_rounded(value, _MM_DIGITS) for value in point]
