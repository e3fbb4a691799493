"""The whole daemon at the pace of a camera: its share of a core, and how soon the panels answer to a press
and to a ball that stops.

Camera, buttons and table are twins; panels are luma's, on wires that take their time. Numbers are printed
by daemon_report.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from calibration.edition import Edition
from calibration.profile import Calibration
from firmware.daemon.frames import ThreadedFrames
from firmware.gestures import TWICE_S
from firmware.umpire.ball import BallView
from hardware.button import Button
from tests.bench.elsewhere import FPS, Size
from tests.bench.figures import Times
from tests.bench.glass import timed_wires
from tests.bench.pace import PacedCamera
from tests.bench.peers import hough_gradient
from tests.bench.rig import Table, daemon_at
from tests.bench.tape import Tape, picture_of

SIZES: tuple[Size, ...] = ((728, 544), (1456, 1088))
"""The global shutter camera's picture, and half of it, which small computers are content with."""
REST_S, PLAY_S = 15.0, 45.0
PRESSES = 15
"""Of each kind."""
_WARM_UP_S = 2.0
_SAME_STROKE_S = 0.3
_PEER_FRAMES = 20
_PRESS_S = 0.12
_ANSWERED_S = 0.4
_A_WHILE_S = 0.1
_A_MOMENT_S = 0.001
"""The panels' thread may begin with a picture before the line is told."""


@dataclass(frozen=True, slots=True)
class Share:
    """Processor time over a stretch of real time. The parts are of one frame, in ms; `whole_ms` has all
    threads in it."""

    frames: int
    seconds: float
    cpu_s: float
    umpire_ms: float
    keeping_ms: float
    pictures: int
    """Sent to both panels."""

    @property
    def share(self) -> float:
        """Of one core."""
        return self.cpu_s / self.seconds

    @property
    def whole_ms(self) -> float:
        """Of the whole daemon, a frame."""
        return 1e3 * self.cpu_s / self.frames


@dataclass(slots=True)
class Stops:
    """What came of strokes, in ms after the ball had stopped: the call told, and its picture shown.
    `disturbed`: strokes that are not in it, since a frame came late through no fault of the daemon."""

    true: int = 0
    disturbed: int = 0
    told_ms: list[float] = field(default_factory=list)
    shown_ms: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Presses:
    """From an edge of the contact to the picture on the panel, in ms: CONFIRM from its release, CHALLENGE
    from its press."""

    confirm_ms: list[float] = field(default_factory=list)
    challenge_ms: list[float] = field(default_factory=list)
    unanswered: int = 0


@dataclass(frozen=True, slots=True)
class DaemonCosts:
    """All of it for one size of picture."""

    size: Size
    rest: Share
    play: Share
    stops: Stops
    presses: Presses
    hough: Times
    """The peer's, on frames of the same table."""
    late_frames: int
    """While a match was played, through this machine's fault."""


def measure_daemon(edition: Edition, tape: Tape) -> DaemonCosts:
    """A daemon from its start, before a table at which first nobody is, then buttons are pressed, then a
    match is played."""
    with TemporaryDirectory() as folder, timed_wires():
        camera = PacedCamera(tape)
        frames = ThreadedFrames(lambda: camera, time.monotonic)
        rig = daemon_at(Path(folder), tape.size, frames, camera.clock)
        try:
            return _measured(edition, tape, camera, rig)
        finally:
            rig.daemon.close()


def _measured(edition: Edition, tape: Tape, camera: PacedCamera, rig: Table) -> DaemonCosts:
    _turns(rig, camera, _WARM_UP_S)
    stretch = _Stretch(rig, camera)
    _turns(rig, camera, REST_S)
    rest = stretch.share()
    presses = _pressed(rig, camera)
    camera.late.clear()
    camera.begin_play()
    stretch = _Stretch(rig, camera)
    _turns(rig, camera, len(tape.play) / FPS)
    play = stretch.share()
    return DaemonCosts(
        size=tape.size,
        rest=rest,
        play=play,
        stops=_stops(rig, camera, tape),
        presses=presses,
        hough=_hough(edition, tape, rig),
        late_frames=len(camera.late),
    )


def _turns(rig: Table, camera: PacedCamera, seconds: float) -> None:
    until = camera.clock() + seconds
    while camera.clock() < until:
        rig.daemon.turn()


class _Stretch:
    """A stretch of time that is measured, from its making to `share`."""

    def __init__(self, rig: Table, camera: PacedCamera) -> None:
        self._rig, self._camera = rig, camera
        self._frames, self._kept = len(rig.umpire.times.ms), len(rig.keeping.times.ms)
        self._pictures = _pictures(rig)
        self._spent_s, self._cpu_s, self._began_at = camera.spent_s, time.process_time(), time.monotonic()

    def share(self) -> Share:
        """What it took, without what the tape took."""
        seconds = time.monotonic() - self._began_at
        cpu_s = time.process_time() - self._cpu_s - (self._camera.spent_s - self._spent_s)
        umpire, keeping = self._rig.umpire.times.ms[self._frames :], self._rig.keeping.times.ms[self._kept :]
        return Share(
            frames=len(umpire),
            seconds=seconds,
            cpu_s=cpu_s,
            umpire_ms=sum(umpire) / len(umpire),
            keeping_ms=sum(keeping) / len(umpire),
            pictures=_pictures(self._rig) - self._pictures,
        )


def _pressed(rig: Table, camera: PacedCamera) -> Presses:
    """Presses at a table at which the first serve is waited for; each is answered with another picture:
    there is nothing to be challenged, nobody waits for B, A is ready."""
    presses = Presses()
    for number in range(PRESSES):
        for button in (Button("A", "challenge"), Button("B", "confirm"), Button("A", "confirm")):
            # At every phase of a frame, and of a turn.
            pressed_at = camera.clock() + 0.05 + number / (PRESSES * FPS)
            rig.buttons.press(button, pressed_at, _PRESS_S, bounces=5)
            let_go_at = pressed_at + _PRESS_S
            challenges = button.kind == "challenge"
            counts_at = pressed_at + TWICE_S if challenges else let_go_at
            while camera.clock() < counts_at + _ANSWERED_S:
                rig.daemon.turn()
            arrived_at = _first_after(rig, counts_at)
            if arrived_at is None:
                presses.unanswered += 1
            elif challenges:
                presses.challenge_ms.append(1e3 * (arrived_at - pressed_at))
            else:
                presses.confirm_ms.append(1e3 * (arrived_at - let_go_at))
    return presses


def _stops(rig: Table, camera: PacedCamera, tape: Tape) -> Stops:
    """What came of the tape's strokes; of the last ones there may be too little on it."""
    ahead_s, ends_at = camera.ahead_s, tape.began_at + len(tape.play) / FPS
    assert ahead_s is not None
    strokes = [truth for truth in tape.strokes if truth.rested_at < ends_at - 1.0]
    stops = Stops(true=len(strokes))
    for truth in strokes:
        touched_at, rested_at = truth.touched_at + ahead_s, truth.rested_at + ahead_s
        told_at = _told_at(rig, touched_at)
        if told_at is None:
            continue
        if any(rested_at < due < told_at + _A_WHILE_S for due in camera.late):
            stops.disturbed += 1
            continue
        stops.told_ms.append(1e3 * (told_at - rested_at))
        arrived_at = _first_after(rig, told_at - _A_MOMENT_S)
        if arrived_at is not None:
            stops.shown_ms.append(1e3 * (arrived_at - rested_at))
    return stops


def _told_at(rig: Table, touched_at: float) -> float | None:
    """When a stroke was told that began then."""
    for told_at, line in rig.told:
        if line["kind"] == "stroke" and abs(line["started_at"] - touched_at) < _SAME_STROKE_S:
            return told_at
    return None


def _first_after(rig: Table, at: float) -> float | None:
    """When the first picture of which nothing had been sent by then was on the in-rally panel."""
    written = rig.panels["in-rally"].written
    return next((picture.arrived_at for picture in written if picture.began_at >= at), None)


def _hough(edition: Edition, tape: Tape, rig: Table) -> Times:
    """The peer on some pictures of the play."""
    calibration, times = rig.umpire.calibration, Times()
    assert isinstance(calibration, Calibration)
    view = BallView.from_camera(calibration.model, edition.ball, tape.size)
    radius_px = view.shape_at(tape.size[0] / 2, tape.size[1] / 2).radius_px
    for jpeg in tape.play[:: max(len(tape.play) // _PEER_FRAMES, 1)]:
        image = picture_of(jpeg)
        start = time.thread_time()
        hough_gradient(image, radius_px)
        times.add(time.thread_time() - start)
    return times


def _pictures(rig: Table) -> int:
    return sum(len(panel.written) for panel in rig.panels.values())
