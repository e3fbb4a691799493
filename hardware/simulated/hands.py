"""Hands: their shape at one instant, and how one moves through key poses. Nothing is drawn here.

A hand is a handful of tapered capsules in board coordinates (mm, z up from the board), so that one
shape serves for the picture and for its shadow. Proportions are those of an adult's hand.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.palettes import SKINS, SLEEVES

Array = NDArray[np.float64]

FINGERTIP_RADIUS_MM = 7.0
_FOREARM_MM = 250.0  # an arm is never shorter than this
_ARM_RISE = 0.12


@dataclass(frozen=True, slots=True)
class HandLook:
    """Skin (or glove) and sleeve as sRGB hex. `sleeve_from_mm`: bare forearm between wrist and
    cuff."""

    skin: str = SKINS[1]
    sleeve: str = SLEEVES[0]
    sleeve_from_mm: float = 90.0
    scale: float = 1.0
    left_handed: bool = False


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand at one instant.

    `tip_mm`: end of the forefinger. `heading_rad`: where the forefinger points. `elbow_mm`:
    where the forearm comes from. `reach`: 0 only the forefinger is stretched (a flick), 1 all
    fingers (a grip).
    """

    tip_mm: tuple[float, float, float]
    heading_rad: float
    elbow_mm: tuple[float, float]
    reach: float = 0.0
    look: HandLook = HandLook()


@dataclass(frozen=True, slots=True)
class Capsule:
    """A tapered limb between two points (3,) in mm; `cloth` if it wears the sleeve."""

    start_mm: Array
    end_mm: Array
    start_radius_mm: float
    end_radius_mm: float
    cloth: bool = False


# Each row: sideways place, how far the tip is drawn back when curled and when stretched, place of
# the
# knuckle behind the forefinger's tip, and the radius; all in mm, for a hand of scale 1.
_FINGERS = (
    (0.0, 0.0, 0.0, 74.0, 8.0),
    (17.0, 44.0, -4.0, 78.0, 8.2),
    (33.0, 52.0, 6.0, 84.0, 7.8),
    (47.0, 62.0, 26.0, 92.0, 6.8),
)
_THUMB = (-22.0, 52.0, 26.0, 108.0, 9.0)


def capsules(pose: HandPose) -> tuple[Capsule, ...]:
    """The limbs of a hand, from forearm to fingers."""
    size = pose.look.scale
    ahead = np.array([np.cos(pose.heading_rad), np.sin(pose.heading_rad), 0.0])
    sideways = np.array([-ahead[1], ahead[0], 0.0]) * (1.0 if pose.look.left_handed else -1.0)
    tip = np.asarray(pose.tip_mm, dtype=float)

    def place(back: float, side: float, up: float) -> Array:
        at: Array = tip + size * (-back * ahead + side * sideways)
        at[2] += size * up
        return at

    wrist = place(172.0, 22.0, 30.0)
    limbs = [Capsule(place(98.0, side, 18.0), wrist, 20.0 * size, 21.0 * size) for side in (10.0, 36.0)]
    for side, curled, stretched, knuckle, radius in _FINGERS:
        drawn = curled + (stretched - curled) * pose.reach
        middle = place(0.5 * (drawn + knuckle), side, 14.0)
        end = place(drawn, side, 3.0)
        limbs.append(Capsule(middle, place(knuckle, side, 16.0), radius * size, (radius + 2) * size))
        limbs.append(Capsule(end, middle, (radius - 1) * size, radius * size))
    side, curled, stretched, knuckle, radius = _THUMB
    drawn = curled + (stretched - curled) * pose.reach
    limbs.append(Capsule(place(drawn, side, 4.0), place(knuckle, 2.0, 16.0), radius * size, 15.0 * size))
    return (*_forearm(pose, wrist), *limbs)


def _forearm(pose: HandPose, wrist: Array) -> tuple[Capsule, ...]:
    size = pose.look.scale
    away = np.array([*pose.elbow_mm, wrist[2]]) - wrist
    reach = float(np.linalg.norm(away))
    towards = away / max(reach, 1e-6)
    bare = pose.look.sleeve_from_mm * size
    # The arm rises a little towards its end, as one that does not touch the board does.
    rise = np.array([0.0, 0.0, _ARM_RISE])
    end = max(reach, bare + _FOREARM_MM * size)
    cuff, elbow = wrist + (towards + rise) * bare, wrist + towards * end + rise * _FOREARM_MM
    return (
        Capsule(wrist, cuff, 23.0 * size, 29.0 * size),
        Capsule(cuff, elbow, 34.0 * size, 50.0 * size, cloth=True),
    )


@dataclass(frozen=True, slots=True)
class HandMotion:
    """A hand's way through `poses`, one at each of `times_s` (rising); gone before and after."""

    times_s: tuple[float, ...]
    poses: tuple[HandPose, ...]

    def at(self, time_s: float) -> HandPose | None:
        """The pose at this time, or None when the hand is away. Starts and stops are smooth."""
        if not self.times_s[0] <= time_s <= self.times_s[-1]:
            return None
        index = min(bisect_right(self.times_s, time_s), len(self.times_s) - 1)
        before, after = self.poses[index - 1], self.poses[index]
        span = self.times_s[index] - self.times_s[index - 1]
        share = min(max((time_s - self.times_s[index - 1]) / span, 0.0), 1.0)
        # Least-jerk motion of a human reach (Flash and Hogan 1985).
        share = share**3 * (10.0 - 15.0 * share + 6.0 * share * share)
        return _between(before, after, share)


def _between(before: HandPose, after: HandPose, share: float) -> HandPose:
    def mix(a: float, b: float) -> float:
        return a + (b - a) * share

    (ax, ay, az), (bx, by, bz) = before.tip_mm, after.tip_mm
    turn = (after.heading_rad - before.heading_rad + np.pi) % (2 * np.pi) - np.pi
    return replace(
        before,
        tip_mm=(mix(ax, bx), mix(ay, by), mix(az, bz)),
        heading_rad=before.heading_rad + float(turn) * share,
        elbow_mm=(
            mix(before.elbow_mm[0], after.elbow_mm[0]),
            mix(before.elbow_mm[1], after.elbow_mm[1]),
        ),
        reach=mix(before.reach, after.reach),
    )
