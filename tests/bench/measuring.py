"""Ours and the peers on one frame at a time: how long each took, and how far each was off.

Single-threaded and by the thread's CPU time, both sides alike, so that other work on the machine hardly
enters the ratios. Frames come from footage, numbers are printed by report.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.edition import Edition
from calibration.profile import Calibration
from firmware.commands.locate import located
from firmware.setting_up import self_calibrated
from firmware.umpire.ball import BallFinder, BallLook, BallView
from tests.bench.figures import Errors, Times, distance_mm
from tests.bench.footage import Source, TrueBall, ball_of_still
from tests.bench.peers import Peer, colour_threshold, hough_gradient, hough_gradient_alt

Image = NDArray[np.uint8]
Point = tuple[float, float]
T = TypeVar("T")

PEERS: dict[str, Peer] = {
    "HoughCircles": hough_gradient,
    "HoughCircles ALT": hough_gradient_alt,
    "HSV threshold": colour_threshold,
}
MEASURE, FIND = "measure, ball known", "find, whole frame"
DOT, DISC, LOST = "dot, ball known", "disc, ball known", "dot, ball lost"
_SEEN_BEFORE = 0.25
"""Radii, along either axis, that a known ball's last place is taken to be off."""


@dataclass(slots=True)
class Bench:
    """What was measured so far. `errors`: the peers' are on the board's plane, `raised` those of peers
    that are told the ball's height."""

    edition: Edition
    times: dict[str, Times] = field(default_factory=lambda: defaultdict(Times))
    errors: dict[str, Errors] = field(init=False)
    raised: dict[str, Errors] = field(init=False)
    stills: int = 0
    frames: int = 0

    def __post_init__(self) -> None:
        self.errors = defaultdict(self.no_errors)
        self.raised = defaultdict(self.no_errors)

    def no_errors(self) -> Errors:
        """An empty list of errors for balls of this edition."""
        return Errors(self.edition.ball.diameter_mm / 4)

    def timed(self, name: str, work: Callable[[], T]) -> T:
        """The outcome of `work`, whose time is added to `name`'s."""
        start = time.thread_time()
        outcome = work()
        self.times[name].add(time.thread_time() - start)
        return outcome


def measure_stills(bench: Bench, sources: list[Source]) -> None:
    """Every still, each calibrating itself."""
    for source in sources:
        camera = source.open()
        try:
            calibration, picture = self_calibrated(camera, bench.edition, focal_px=source.focal_px)
        finally:
            camera.close()
        measure_frame(bench, picture, calibration, ball_of_still(source))
        bench.stills += 1


def measure_frame(bench: Bench, image: Image, calibration: Calibration, ball: TrueBall) -> None:
    """Ours and all peers on one picture in which the ball lies."""
    size = (image.shape[1], image.shape[0])
    view = BallView.from_camera(calibration.model, bench.edition.ball, size)
    finder = BallFinder(BallLook.default, view)
    radius_px = view.shape_at(*ball.disc_px).radius_px
    off = _SEEN_BEFORE * radius_px
    near = (ball.disc_px[0] + off, ball.disc_px[1] - off)
    seen = bench.timed(MEASURE, lambda: finder.measure(image, near))
    bench.timed(FIND, lambda: finder.find(image))
    if seen is None:
        bench.errors[DOT].add(None)
        bench.errors[DISC].add(None)
    else:
        place = calibration.place(seen.dot_px, seen.disc_px, seen.dot_sigma_px, seen.disc_sigma_px)
        bench.errors[DOT].add(distance_mm(place.dot_mm, ball.dot_mm))
        bench.errors[DISC].add(distance_mm(place.disc_mm, ball.disc_mm))
    bench.errors[LOST].add(_error_of_all_found(bench, image, calibration, ball))
    for name, peer in PEERS.items():
        answer = bench.timed(name, partial(peer, image, radius_px))
        for errors, height_mm in ((bench.errors, 0.0), (bench.raised, bench.edition.ball.height_mm)):
            if answer is None:
                errors[name].add(None)
            else:
                at_mm = _on_printed_half(calibration, answer, height_mm)
                # One picture does not tell which of two balls is in play: either will do.
                balls_mm = (ball.disc_mm, *ball.others_mm)
                errors[name].add(min(distance_mm(at_mm, place) for place in balls_mm))
    bench.frames += 1


def _error_of_all_found(bench: Bench, image: Image, calibration: Calibration, ball: TrueBall) -> float | None:
    """Error of the dot that `locate` gives for this ball; more balls than there are is an outlier."""
    found = located(image, calibration, bench.edition, BallLook.default)
    if len(found) > 1 + len(ball.others_mm):
        return math.inf
    return min((distance_mm(f["dot_mm"], ball.dot_mm) for f in found), default=None)


def _on_printed_half(calibration: Calibration, at_px: Point, height_mm: float) -> Point:
    """Where our calibration sees a pixel on a level plane, in the printed frame of its half."""
    x, y = calibration.model.locate(at_px, height_mm)[0]
    half = calibration.half_at((float(x), float(y)))
    printed = calibration.layout.half(half).to_printed([[x, y]])[0]
    return float(printed[0]), float(printed[1])
