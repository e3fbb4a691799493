"""Checks of what is seen: the camera, the light, the sharpness, the board, the calibration's age and drift.

Pure: what a camera said and showed comes in, findings go out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.errors import RefusedError
from calibration.focus import edge_width_px
from calibration.parameters import Half
from calibration.profile import Calibration
from calibration.refusals import TOO_DARK, WORST_BLUR, darkest_and_brightest, fault_of_light
from firmware.doctor.findings import Finding, broken, ok, told, warning
from firmware.umpire.motion import ChangeWatch
from hardware.camera import FocalLength
from hardware.camera_facts import CameraFacts

Image = NDArray[np.uint8]

_LEAST_FPS: Final = 25.0
"""A flicked ball crosses the board in a third of a second; what the umpire promises was measured at 30."""
_DIM: Final = 2 * TOO_DARK
"""Half the light, and nothing could be seen."""
_BURNT_LEVEL: Final = 250
_MOST_BURNT: Final = 0.03
"""Of the picture: the board's lines are white, and take less of it."""
_MOST_FLICKER: Final = 0.02
"""Standard deviation of the pictures' mean brightness over it: noise and a passing hand stay far below."""
_SHARP_PX: Final = 1.5
"""An edge's standard deviation. In focus it is 0.75 px, and at 2 px half of the contrast of fine things is
gone, which the umpire calls out of focus (measured on rendered pictures)."""
_SOFT: Final = 0.75 * WORST_BLUR
"""The same, of a court line's width: a quarter less than that with which no board is found any more."""
_COARSE_MM: Final = 0.45
"""Millimetres a pixel; what the umpire promises was measured at 0.37."""
_STRAYED_MM: Final = 10.0
"""What a fit to the former place still reaches with ease; it finds a board that was moved by twice that."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What a camera showed. `picture`: the mean of several, (height, width, 3) uint8, blue-green-red.
    `brightness`: the mean level of each. `fps`: as the camera says, `rate`: as they came, None of a recording
    or of too few."""

    facts: CameraFacts
    size: tuple[int, int]
    picture: Image
    brightness: tuple[float, ...]
    fps: float
    rate: float | None = None
    focal: FocalLength | None = None
    """What the camera knows of its lens."""


def check_camera(name: str, shown: Shown) -> tuple[Finding, ...]:
    """`name`: the configuration's."""
    facts, (width, height) = shown.facts, shown.size
    mode = facts.mode or f"{width}x{height} at {shown.fps:.0f} frames a second"
    text = ", ".join([f"{name} ({facts.model})" if facts.model else name, mode, *_settings(facts)])
    remarks = tuple(warning("camera", *_split(remark)) for remark in facts.remarks)
    if facts.locked is False:
        then = "keep the light steady and ask again; if it stays so, restart the computer"
        return (warning("camera", f"{text}; exposure, gain, colours or focus do not hold", then), *remarks)
    rate = shown.fps if shown.rate is None else shown.rate
    if rate < _LEAST_FPS and shown.rate is not None:
        then = "give it more light, or a USB camera a smaller size under [camera]"
        return (warning("camera", f"{text}; only {rate:.0f} frames a second come", then), *remarks)
    return (ok("camera", text), *remarks)


def check_light(shown: Shown) -> Finding:
    """Whether the umpire can see in it, and the board be found."""
    picture = shown.picture
    low, high = darkest_and_brightest(picture)
    fault = fault_of_light(low, high)
    if fault is not None:
        return told("light", fault.text)
    if ChangeWatch(shown.size).too_dark(picture):
        return broken("light", "the picture is too dark for the umpire", "switch a lamp on over the board")
    levels = f"levels from {low:.0f} to {high:.0f} of 255"
    burnt = float((picture.min(axis=2) >= _BURNT_LEVEL).mean())
    if burnt > _MOST_BURNT:
        then = "move the lamp so that it is not mirrored, or lower the exposure"
        return warning("light", f"{levels}: {burnt:.0%} of the picture is white and shows nothing", then)
    if high < _DIM:
        return warning("light", f"{levels}: dim", "take a brighter lamp, or bring it nearer")
    swing = flicker(shown.brightness)
    if swing > _MOST_FLICKER:
        then = "take a lamp that does not flicker, or set mains_hz under [camera] to what the mains have"
        return warning("light", f"{levels}: it flickers by {swing:.0%}", then)
    return ok("light", levels)


def flicker(brightness: Sequence[float]) -> float:
    """How much pictures that follow one another differ in brightness, as a share of it."""
    levels = np.asarray(brightness, dtype=float)
    return float(levels.std() / levels.mean()) if len(levels) > 1 and levels.mean() > 0 else 0.0


def check_sharpness(
    found: Calibration | RefusedError, saved: Calibration | None, edition: Edition, picture: Image, name: str
) -> Finding:
    """By the edges of the board's lines; where no board is found, by the strongest edges in the picture,
    which are as wide where they lie as far away. `saved`: what they were when the lens was focused.
    `name`: the camera's, by the configuration."""
    then = f"turn the ring of the lens until `setmatch focus --camera {name}` tells the least, and wipe it"
    if isinstance(found, RefusedError):
        return _sharpness_of(picture, found.kind == "out-of-focus", then)
    text = f"edges are {found.blur_px:.1f} px wide"
    if saved is not None:
        text += f", {saved.blur_px:.1f} px when it was calibrated"
    blur_mm = found.blur_px * mm_per_px(found)
    if found.blur_px > _SHARP_PX or blur_mm > _SOFT * edition.lines.court_mm:
        return warning("sharpness", f"{text}: soft", then)
    return ok("sharpness", text)


def _sharpness_of(picture: Image, out: bool, then: str) -> Finding:
    """Without a board. `out`: the picture is too soft for one to be found. `then`: what to do if so."""
    width_px = edge_width_px(picture)
    if width_px is None:
        return warning("sharpness", "not told: the picture shows no edges", "see to camera and light first")
    text = f"the strongest edges in the picture are {width_px:.1f} px wide"
    if out:
        return broken("sharpness", f"{text}: out of focus", then)
    if width_px > _SHARP_PX:
        return warning("sharpness", f"{text}: soft, unless they lie nearer or farther than the board", then)
    return ok("sharpness", f"{text}; whether the board's are is told once it is found")


def check_board(found: Calibration | RefusedError) -> tuple[Finding, ...]:
    """The board in the pictures of now."""
    if isinstance(found, RefusedError):
        return (told("board", str(found)),)
    scale = mm_per_px(found)
    text = f"{found.edition!r} is found, its lines fit to {found.residual_mm:.2f} mm, {scale:.2f} mm a pixel"
    warnings = tuple(told("board", text, "warning") for text in found.warnings)
    if scale > _COARSE_MM:
        then = (
            "bring the camera nearer (`setmatch camera-height` tells how near), or take one with more "
            "pixels; with a USB camera see that no small size is set under [camera]"
        )
        return (warning("board", f"{text}: too coarse for close calls", then), *warnings)
    return (ok("board", text), *warnings)


def check_calibration(
    saved: Calibration, fitted: Calibration | None, edition: Edition, now: datetime
) -> Finding:
    """Age and drift of a calibration that was saved. `fitted`: the same fitted to the pictures of now, by
    `calibration.drift.refit`; None if it cannot be. `now`: UTC."""
    aged, then = age(saved, now), "have the board found anew: Calibrate in the menu"
    if fitted is None:
        text = f"{aged}; the board does not lie where it lay then, and is sought anew at every start"
        return warning("calibration", text, then)
    px, mm = drift(saved, fitted, edition)
    text = f"{aged}; since then the picture has moved by up to {px:.1f} px, {mm:.1f} mm"
    if mm > _STRAYED_MM:
        return warning("calibration", f"{text}: a little more, and it cannot be fitted to it", then)
    return ok("calibration", f"{text}, which is allowed for")


def age(saved: Calibration, now: datetime) -> str:
    """How old it is, in words."""
    try:
        made = datetime.fromisoformat(saved.made_at)
    except ValueError:
        return "of an unknown day"
    days = (now - (made if made.tzinfo else made.replace(tzinfo=UTC))).days
    if days < 0:
        return f"made on {made:%Y-%m-%d}, which is yet to come by this computer's clock"
    return {0: "made today", 1: "made yesterday"}.get(days, f"{days} days old")


def drift(saved: Calibration, fitted: Calibration, edition: Edition) -> tuple[float, float]:
    """The largest shift of a corner of the court's halves between two fits: in px, and in mm on the board."""
    court = edition.court
    px, mm = 0.0, 0.0
    halves: tuple[tuple[Half, float], ...] = (("A", -1.0), ("B", 1.0))
    for half, end in halves:
        corners = [
            (x, y) for x, y in product((0.0, end * court.baseline_mm), (-court.doubles_mm, court.doubles_mm))
        ]
        before, after = (fit.layout.project(half, corners) for fit in (saved, fitted))
        moved = saved.model.locate(after) - saved.model.locate(before)
        px = max(px, float(np.hypot(*(after - before).T).max()))
        mm = max(mm, float(np.hypot(*moved.T).max()))
    return px, mm


def mm_per_px(found: Calibration) -> float:
    """Of the board's middle."""
    at = found.model.project([[0.0, 0.0, 0.0]])[0]
    beside = found.model.locate([at - 0.5, at + 0.5])
    return float(np.hypot(*(beside[1] - beside[0])) / np.sqrt(2.0))


def _settings(facts: CameraFacts) -> list[str]:
    said = []
    if facts.exposure_us is not None:
        said.append(f"exposure {facts.exposure_us / 1000:.1f} ms")
    if facts.gain is not None:
        said.append(f"gain {facts.gain:.1f}")
    if facts.focus_dioptres is not None:
        away = f" ({1000 / facts.focus_dioptres:.0f} mm)" if facts.focus_dioptres > 0 else ""
        said.append(f"focus at {facts.focus_dioptres:.2f} dioptres{away}")
    if facts.locked:
        said.append("all of it locked")
    return said


def _split(remark: str) -> tuple[str, str]:
    finding = told("camera", remark, "warning")
    return finding.text, finding.next
