"""What several commands report alike: the lines of a match, the calibration's line, its warnings.

Only the shape of the lines lives here; when they are printed is the commands' business.
"""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from firmware.rules import (
    Called,
    Corrected,
    DecisionAwaited,
    Event,
    Outcome,
    PlacementAsked,
    PlacementAwaited,
    ReturnAwaited,
    Score,
    ServeAwaited,
    State,
    view,
)

if TYPE_CHECKING:
    from calibration.edition import Edition
    from calibration.profile import Calibration

Line = dict[str, Any]
"""One line for other programs, ready for JSON."""
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
    sigma_mm: float | None,
    off_board: bool,
) -> Line:
    """The line for a called stroke.

    `started_at`, `rested_at`: the camera's clock in seconds, None where no camera saw it.
    Positions in mm, in the frame of the printed half on which the dot lies, None for a ball that
    left the picture. `sigma_mm`: standard deviation of the dot's position, None where that is.
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
        **_called(called),
    }


def called_anew(line: Line, called: Called) -> Line:
    """The line of a stroke that is now called otherwise: what was measured stays."""
    return {**line, **_called(called)}


def event_line(event: Event, wanted_mm: Point | None = None) -> Line:
    """The line for whatever else the rules announce; its `kind` names the event. `wanted_mm`: where a
    ball that is asked for has to lie, also where only the board knows that (the 0).

    A correction names the stroke with its former and its present call; the lines of all strokes
    that changed are for the caller to tell.
    """
    if isinstance(event, Corrected):
        return {
            "kind": "corrected",
            "number": event.now.number,
            "was": {"call": event.was.call, "points": event.was.points},
            "now": {"call": event.now.call, "points": event.now.points},
            "changed": [called.number for called in event.changed],
            "score": score_names(event.score),
        }
    fields: Line = msgspec.to_builtins(event)
    if isinstance(event, PlacementAsked):
        fields["at_mm"] = _point(wanted_mm)
    score = getattr(event, "score", None)
    return fields if score is None else {**fields, "score": score_names(score)}


def waiting_line(state: State, zero_mm: Point | None = None) -> Line:
    """What the match waits for, or its outcome. `zero_mm`: where the 0 is printed on which a
    beginner's ball is to be laid, if it is."""
    waiting = state.waiting
    if waiting is None:
        assert state.outcome is not None
        return outcome_line(state.outcome, state.score)
    line: Line = {
        "kind": "waiting",
        "for": "",
        "seat": waiting.seat,
        "side": None,
        "box": None,
        "attempt": None,
        "pressure": False,
    }
    match waiting:
        case ServeAwaited():
            line |= {"for": "serve", "side": waiting.side, "box": waiting.box, "attempt": waiting.attempt}
        case ReturnAwaited():
            line |= {"for": "return", "pressure": waiting.pressure, "from_mm": _point(waiting.from_mm)}
        case PlacementAwaited():
            at_mm = zero_mm if waiting.reason == "zero" else waiting.at_mm
            line |= {
                "for": "placement",
                "reason": waiting.reason,
                "side": waiting.side,
                "box": waiting.box,
                "at_mm": _point(at_mm),
                "agreed": list(waiting.agreed),
            }
        case DecisionAwaited():
            line |= {"for": "decision", "number": waiting.number}
    line["marker"] = state.marker
    line["score"] = score_names(state.score)
    line["may_press"] = {"A": list(view(state, "A1").may_press), "B": list(view(state, "B1").may_press)}
    return line


def outcome_line(outcome: Outcome, score: Score) -> Line:
    """How the match ended."""
    return {
        "kind": "outcome",
        "winner": outcome.winner,
        "reason": outcome.reason,
        "score": score_names(score),
    }


def result_text(outcome: Mapping[str, Any], score: Mapping[str, Any]) -> str:
    """Who won, in one sentence, from the fields of an outcome and of a score line."""
    by = "sets" if outcome["reason"] == "sets" else "points"
    return f"{outcome['winner']} wins the match, {'-'.join(map(str, score[by]))} in {by}."


def score_names(score: Score) -> Line:
    """The score as it is called out."""
    return {
        "points": list(score.point_names),
        "games": list(score.games),
        "sets": list(score.sets),
    }


def _called(called: Called) -> Line:
    return {
        "call": called.call,
        "points": called.points,
        "margin_mm": _rounded(called.margin_mm, _MM_DIGITS),
        "certain": called.certain,
        "ruled": called.ruled,
        "marker": called.marker,
        "rally_winner": called.rally_winner,
        "score": score_names(called.score),
    }


def calibration_line(calibration: "Calibration", edition: "Edition") -> Line:
    """The calibration for other programs: where the camera is, how well the lines fit, how sure it is."""
    layout, camera = calibration.layout, calibration.model
    return {
        "kind": "calibration",
        "board": calibration.edition,
        "size": list(calibration.size),
        "rotation": calibration.rotation,
        "focal_px": round(camera.focal_px, 3),
        "focal_known": calibration.focal_known,
        "centre_px": [round(v, 3) for v in camera.centre_px],
        "distortion": [round(v, 6) for v in camera.distortion],
        "rotation_vector": [round(v, 7) for v in camera.rotation],
        "translation_mm": [round(v, 4) for v in camera.translation_mm],
        "halves": {
            half: {
                "dx_mm": round(shift.dx_mm, 4),
                "dy_mm": round(shift.dy_mm, 4),
                "turn_rad": round(shift.turn_rad, 7),
            }
            for half, shift in (("A", layout.half_a), ("B", layout.half_b))
        },
        "residual_px": round(calibration.residual_px, 4),
        "residual_mm": round(calibration.residual_mm, 4),
        "regions": [
            {
                "name": region.name,
                "places": region.places,
                "rms_px": round(region.rms_px, 4),
                "rms_mm": round(region.rms_mm, 4),
            }
            for region in calibration.regions
        ],
        "sigma_mm": {
            name: round(value, 4) for name, value in calibration_sigmas_mm(calibration, edition).items()
        },
        "blur_px": round(calibration.blur_px, 3),
        "warnings": list(calibration.warnings),
    }


def calibration_sigmas_mm(calibration: "Calibration", edition: "Edition") -> dict[str, float]:
    """Standard deviation of a ball's place that the calibration brings along, mm: where it is least,
    beside the net, and in the court's far corner."""
    height, court = calibration.ball.height_mm, edition.court
    net = [edition.lines.net_mm / 2, 0.0]
    corner = [court.baseline_mm, court.doubles_mm]
    return {
        "net": calibration.sigma_mm("B", [net], height),
        "corner": calibration.sigma_mm("B", [corner], height),
    }


def tell_warnings(calibration: "Calibration", of: str = "") -> None:
    """Print the calibration's warnings on stderr, a line each; `of`: the picture's name, if there are
    several."""
    for warning in calibration.warnings:
        print(f"Warning: {of}{': ' if of else ''}{warning}", file=sys.stderr)


def _rounded(value: float | None, digits: int) -> float | None:
    # float() frees a numpy scalar, which JSON does not know; adding zero turns -0.0 into 0.0.
    return None if value is None else round(float(value), digits) + 0.0


def _point(point: Point | None) -> list[float | None] | None:
    return None if point is None else [_rounded(value, _MM_DIGITS) for value in point]
