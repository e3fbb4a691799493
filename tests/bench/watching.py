"""Whole clips through the umpire and the rules: what a frame costs, and how soon a stroke is called.

Some of the frames in which the ball lies are given to ours and the peers one by one. No printing.
"""

import time
from dataclasses import dataclass, field
from typing import Any

from calibration.profile import Calibration
from firmware.commands.referee import Refereeing
from firmware.match import Match
from firmware.rules import Setup
from firmware.setting_up import self_calibrated, umpire_for
from tests.bench.figures import Errors, distance_mm
from tests.bench.footage import Moment, Source, TrueBall, moments
from tests.bench.measuring import Bench, measure_frame

LYING, STOPPING = "umpire, ball known", "umpire, ball stopping"
"""The ball lies with no hand in view, and the umpire has agreed that it does, or is about to."""
MOVING, OTHER = "umpire, ball moves", "umpire, hands about"
ALL = "umpire and rules"
_EVERY = 12
"""Of the frames in which the ball lies, one in this many is given to all methods: they are much alike."""
_SAME_FRAMES = 6
"""A reported stroke is the true one that was touched within so many frames."""


@dataclass(slots=True)
class Calls:
    """How long after the ball stopped strokes were called, in ms of film and of work on the frame that
    told it; and the error of the rest that was called, averaged over frames."""

    rests: Errors
    after_ms: list[float] = field(default_factory=list)
    true: int = 0
    invented: int = 0


def watch_clip(bench: Bench, calls: Calls, source: Source) -> float:
    """Referee a clip from its first frame; the decoder's CPU time a frame in ms."""
    camera = source.open()
    try:
        calibration, _ = self_calibrated(camera, bench.edition, focal_px=source.focal_px)
    finally:
        camera.close()
    umpire = umpire_for(calibration, bench.edition)
    refereeing = Refereeing(umpire, Match(bench.edition, Setup(sets_to_win=2)))
    everything, here, frames, lying = time.process_time(), time.thread_time(), 0, 0
    open_strokes = list(source.truth["strokes"])
    calls.true += len(open_strokes)
    camera = source.open()
    try:
        for moment in moments(source):
            frame = camera.read()
            if frame is None:
                break
            known = frames > 0 and any(lying for _, lying in umpire.balls)
            start = time.thread_time()
            lines = refereeing.see(frame)
            spent = time.thread_time() - start
            bench.times[ALL].add(spent)
            if moment.lies:
                bench.times[LYING if known else STOPPING].add(spent)
            else:
                bench.times[MOVING if moment.moves else OTHER].add(spent)
            for line in lines:
                if line["kind"] == "stroke":
                    at_s = frame.number / camera.fps + spent
                    _note(calls, line, at_s, open_strokes, camera.fps)
            if moment.lies:
                if lying % _EVERY == 0:
                    measure_frame(bench, frame.image, calibration, _ball(source, calibration, moment))
                lying += 1
            frames += 1
    finally:
        camera.close()
    here, everything = time.thread_time() - here, time.process_time() - everything
    return 1e3 * (everything - here) / max(frames, 1)


def _note(
    calls: Calls, line: dict[str, Any], at_s: float, open_strokes: list[dict[str, Any]], fps: float
) -> None:
    """Count a reported stroke as the true one that began when it did."""
    touched = line["started_at"] * fps
    stroke = next((s for s in open_strokes if abs(touched - s["touch_frame"]) <= _SAME_FRAMES), None)
    if stroke is None:
        calls.invented += 1
        return
    open_strokes.remove(stroke)
    calls.after_ms.append(1e3 * (at_s - stroke["rest_frame"] / fps))
    calls.rests.add(distance_mm(line["dot_mm"], stroke["at_printed_mm"]) if line["dot_mm"] else None)


def _ball(source: Source, calibration: Calibration, moment: Moment) -> TrueBall:
    half = "A" if moment.dot_mm[0] < 0 else "B"
    height_mm = calibration.ball.height_mm
    x, y = calibration.model.project([[*moment.disc_mm, height_mm]])[0]
    return TrueBall(
        source.printed(moment.dot_mm, half), source.printed(moment.disc_mm, half), (float(x), float(y))
    )
