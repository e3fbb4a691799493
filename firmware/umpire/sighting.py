"""A sighting: the ball found in one frame. The type only; how it is found lives in ball.py."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sighting:
    """The ball in one frame, all in pixels.

    `disc_px` and `dot_px` are the centres of area of the images of the printed top's rim and of the
    dot; each `*_sigma_px` is the standard deviation along either axis. `radius_px` is the mean radius
    of the rim's image. `likeness` in 0..1 tells how much of the contour and dot were seen as a ball's.
    """

    disc_px: tuple[float, float]
    dot_px: tuple[float, float]
    disc_sigma_px: float
    dot_sigma_px: float
    radius_px: float
    likeness: float
