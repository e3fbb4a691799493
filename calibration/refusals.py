"""Why a picture or a fit will not do, each reason with what to do next; and what people are warned of.

Finding and fitting are elsewhere; nothing here moves a layout.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.ends import rim_corners_px
from calibration.errors import Refusal, RefusedError
from calibration.focus import edge_width_px
from calibration.parameters import Layout
from calibration.refine import Refined, residuals

_LEAST_SEEN, _LEAST_SEEN_OF_A_HALF = 0.55, 0.35
_LEAST_INSIDE = 0.4
"""Of the court that must lie in the picture before it is said to be cut rather than not there."""
_LEAST_ZONES, MOSTLY_SEEN = 0.3, 0.8
_MOST_MISSING = 2
"""Lines of the court that may be missing: a hand hides two, another board lacks more."""
_WORST_RESIDUAL_PX = 0.6
_WORST_RESIDUAL = 0.07
"""Of a court line's width: good fits leave 0.01, another board's lines, bent to fit, 0.1 and more."""
WORST_BLUR = 0.35
"""Standard deviation of an edge, of a court line's width."""
_SHIFT_WARNING_MM = 0.5
TOO_DARK, _TOO_BRIGHT = 45.0, 210.0
"""Grey levels: the brightest things are darker than one, or the darkest brighter than the other."""


class Fault(NamedTuple):
    """Why a fit or a picture will not do: what kind of reason it is, and in words, with the remedy."""

    kind: Refusal
    text: str

    def refused(self) -> RefusedError:
        """The error that says so."""
        return RefusedError(self.text, self.kind)


def require_good(
    refined: Refined | None, image_bgr: NDArray[np.uint8], size: tuple[int, int], edition: Edition
) -> Refined:
    """The fit itself, or `RefusedError` with why it will not do."""
    if refined is None or not is_likely(refined):
        raise _why_nothing_was_found(image_bgr, edition).refused()
    _require_whole_court(refined.layout, edition, size)
    fault = fault_of(refined, edition)
    if fault is not None:
        # Blurred lines are missed, or lie elsewhere: that comes first, since the rest may follow from it.
        soft = _out_of_focus(image_bgr, edition, float(np.median(refined.expected.mm_per_px)))
        raise (fault if soft is None else soft).refused()
    return refined


def is_likely(refined: Refined) -> bool:
    """Whether a fit is of a board, be it one that will not do, and not of anything with lines."""
    return refined.seen_share >= _LEAST_SEEN and refined.inside_share >= _LEAST_INSIDE


def fault_of(refined: Refined, edition: Edition) -> Fault | None:
    """Why a fit will not do, with what to do next; None for a good one."""
    if refined.seen_share < _LEAST_SEEN or min(refined.seen_share_of_halves) < _LEAST_SEEN_OF_A_HALF:
        half = "A" if refined.seen_share_of_halves[0] < refined.seen_share_of_halves[1] else "B"
        return Fault("covered", f"too little of half {half} can be seen; take hands and things off the board")
    # Zone lines may be too faint to be seen: a court of which nothing is missing answers for them.
    other_zones = refined.zone_share < _LEAST_ZONES and refined.seen_share < MOSTLY_SEEN
    if other_zones or refined.missing_lines > _MOST_MISSING:
        return Fault(
            "other-board",
            f"this is not the board {edition.name!r}: lines that it has are not there; check --board, and "
            "take hands and things off the board",
        )
    blur = refined.measured.blur_px * float(np.median(refined.expected.mm_per_px))
    if blur > WORST_BLUR * edition.lines.court_mm:
        return Fault(
            "out-of-focus",
            f"the picture is out of focus: edges are {blur:.1f} mm wide on the board; "
            "focus the lens on the board",
        )
    left_px, left_mm = residuals(refined)
    if left_px > _WORST_RESIDUAL_PX or left_mm > _WORST_RESIDUAL * edition.lines.court_mm:
        return Fault(
            "not-flat",
            f"the lines do not fit the board {edition.name!r}: {left_px:.2f} px or {left_mm:.2f} mm are "
            "left over; check --board, and that the board lies flat",
        )
    return None


def darkest_and_brightest(image_bgr: NDArray[np.uint8]) -> tuple[float, float]:
    """Levels, 0 to 255, below and above which a hundredth of a picture lies."""
    low, high = np.percentile(image_bgr.mean(axis=2), (1, 99))
    return float(low), float(high)


def fault_of_light(low: float, high: float) -> Fault | None:
    """Why nothing can be seen in this light, by `darkest_and_brightest`; None if that is not why."""
    if high < TOO_DARK:
        return Fault(
            "too-dark", "the picture is too dark to see a board; switch a lamp on or take the lens cap off"
        )
    if low > _TOO_BRIGHT:
        return Fault("too-bright", "the picture is overexposed; lower the exposure or move the lamp")
    return None


def _why_nothing_was_found(image_bgr: NDArray[np.uint8], edition: Edition) -> Fault:
    low, high = darkest_and_brightest(image_bgr)
    fault = fault_of_light(low, high)
    if fault is not None:
        return fault
    soft = _out_of_focus(image_bgr, edition, _least_mm_per_px(image_bgr, edition))
    if soft is not None:
        return soft
    return Fault(
        "not-found",
        f"no whole court of the board {edition.name!r} was found in the picture; put the board "
        "wholly in view, keep hands off it, and check --board",
    )


def _out_of_focus(image_bgr: NDArray[np.uint8], edition: Edition, mm_per_px: float) -> Fault | None:
    """Whether the whole picture is, by edges of whatever is in it; None if it is sharp, or shows nothing."""
    width_px = edge_width_px(image_bgr)
    if width_px is None or width_px * mm_per_px <= WORST_BLUR * edition.lines.court_mm:
        return None
    return Fault(
        "out-of-focus",
        f"the picture is out of focus, no line is sharp: edges are {width_px:.1f} px wide; focus the lens on "
        "the board",
    )


def _least_mm_per_px(image_bgr: NDArray[np.uint8], edition: Edition) -> float:
    """How fine a picture can be that has the whole board in it, lying along it or across."""
    height, width = image_bgr.shape[:2]
    (x0, x1), (y0, y1) = edition.extent_x_mm, edition.extent_y_mm
    lying = ((x1 - x0, y1 - y0), (y1 - y0, x1 - x0))
    return float(min(max(across / width, down / height) for across, down in lying))


def _require_whole_court(layout: Layout, edition: Edition, size: tuple[int, int]) -> None:
    court = edition.court
    corners = [
        [x, y, 0.0]
        for x in (-court.baseline_mm, court.baseline_mm)
        for y in (-court.doubles_mm, court.doubles_mm)
    ]
    side = _outside(layout.camera.project(corners), size)
    if side:
        raise RefusedError(
            f"the court is not whole in the picture: it is cut at the {side}; move the camera or the board",
            "not-whole",
        )


def require_whole(layout: Layout, edition: Edition, size: tuple[int, int]) -> None:
    """Raise `RefusedError` when the court or the printed board reaches out of the picture."""
    _require_whole_court(layout, edition, size)
    scale = np.abs(layout.camera.focal_px / layout.camera.translation_mm[2])
    side = _outside(rim_corners_px(layout, edition), size, slack_px=edition.lines.court_mm * float(scale))
    if side:
        raise RefusedError(
            f"the board is not whole in the picture: it is cut at the {side}; move the camera or the board",
            "not-whole",
        )


def _outside(corners_px: NDArray[np.float64], size: tuple[int, int], slack_px: float = 0.0) -> str | None:
    sides = {
        "left": -corners_px[:, 0].min(),
        "right": corners_px[:, 0].max() - (size[0] - 1),
        "top": -corners_px[:, 1].min(),
        "bottom": corners_px[:, 1].max() - (size[1] - 1),
    }
    worst = max(sides, key=lambda name: float(sides[name]))
    return worst if sides[worst] > slack_px else None


def shift_warnings(layout: Layout, edition: Edition) -> tuple[str, ...]:
    """A sentence when the two sheets do not meet at the net by more than half a millimetre."""
    ends = np.array([[0.0, -edition.court.doubles_mm], [0.0, edition.court.doubles_mm]])
    apart = layout.half_b.to_board(ends) - layout.half_a.to_board(ends)
    worst = float(np.hypot(apart[:, 0], apart[:, 1]).max())
    if worst <= _SHIFT_WARNING_MM:
        return ()
    gap, slip = apart.mean(axis=0)
    turn = np.degrees(layout.half_b.turn_rad - layout.half_a.turn_rad)
    return (
        f"the halves do not meet by up to {worst:.1f} mm at the net (gap {gap:+.1f} mm, shifted "
        f"{slip:+.1f} mm, turned {turn:+.2f} degrees); push them together and calibrate again, "
        "or play on: each half is judged by its own lines",
    )
