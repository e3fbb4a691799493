"""The watchdog: who lets the service manager wait, and who does not.

On the whole daemon, first with the test's own clock and ears, then as a process with a socket in systemd's
place. A stall is what only the end of the process helps; all else the daemon mends, or goes on without.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import LONGEST_PAUSE_S, STALLED_S, ThreadedFrames
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.measuring import in_a_thread
from firmware.daemon.opening import opened_with_room
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import STATUS_S, Supervision
from firmware.journal import JournalReader
from firmware.panel_bus import PanelCare, Placed
from firmware.panel_driver import PanelDriver
from firmware.texts import match_unkept
from hardware.aplay_speaker import AplaySpeaker
from hardware.button import Button, Kind
from hardware.camera import Camera, Frame
from hardware.errors import CameraError, CameraHangsError
from hardware.panel import I2cBus, PanelSpec
from hardware.simulated.panel import SimulatedPanel
from tests.faults.bench import ENGLISH, PICTURE, SERVE_FROM, SERVED, Bench
from tests.faults.test_full_disk import no_growing
from tests.firmware.test_match import rest, stroke

ROOT = Path(__file__).parents[2]
LONG_S = 120.0
INTERVAL_S = 8.0
"""What the manager asks for; the daemon tells it four times as often."""
TURN_S = 1.0
"""What a turn takes on the test's clock, unless something hangs in it."""


class Script:
    """A camera that does what the test says: a picture, an error, or never an answer."""

    size, fps, frame_count = (32, 32), 30.0, None

    def __init__(self, read: Callable[[], Frame]) -> None:
        self.read = read

    def close(self) -> None:
        """Nothing hangs here."""


@dataclass
class Cameras:
    """What is opened one after the other, the last one again and again; an error does not open. All that
    hang are let go in the end."""

    clock: Callable[[], float]
    let_go: threading.Event = field(default_factory=threading.Event)
    opened: int = 0
    does: list[str] = field(default_factory=list)

    def __call__(self) -> Camera:
        now, self.opened = self.does[min(self.opened, len(self.does) - 1)], self.opened + 1
        if now == "unplugged":
            raise CameraError("there is no camera usb:0; plug it in")
        if now == "is still being stopped":
            raise CameraHangsError("the camera pi:0 still hangs; start the program again")
        if now == "hangs when opened":
            self.let_go.wait()
        return Script({"sees": self._sees, "frozen": self._frozen}.get(now, self._hangs))

    def _hangs(self) -> Frame:
        self.let_go.wait()
        raise CameraError("let go")

    def _sees(self) -> Frame:
        self._pause()
        image = np.random.default_rng().integers(0, 256, (32, 32, 3)).astype(np.uint8)
        return Frame(image, self.clock(), 0)

    def _frozen(self) -> Frame:
        self._pause()
        image = np.random.default_rng(1).integers(0, 256, (32, 32, 3)).astype(np.uint8)
        return Frame(image, self.clock(), 0)

    def _pause(self) -> None:
        if self.let_go.wait(0.002):  # as a camera has its pace
            raise CameraError("let go")


class Watched:
    """A daemon whose service manager is the test; `parts` in place of the bench's."""

    def __init__(self, folder: Path) -> None:
        self.table = Bench(folder)
        self.began_at = self.table.clock.now
        self.told: list[tuple[float, tuple[str, ...]]] = []

    def run(self, seconds: float, then: Callable[[float], None] = lambda passed: None, **parts: Any) -> None:
        """So long it goes round; `then` is called after each turn."""
        table, stop = self.table, Stop()
        rig = replace(table.daemon._rig, **parts)
        supervision = Supervision(self._notify, INTERVAL_S, table.clock)
        daemon = Daemon(
            rig,
            table.daemon._terms,
            table.journal,
            tell=table.lines.append,
            launch=in_a_thread,
            supervision=supervision,
        )

        def after_turn() -> None:
            table.clock.now += TURN_S
            then(self.passed)
            if self.passed >= seconds:
                stop.set()

        daemon.run(stop, after_turn=after_turn)

    @property
    def passed(self) -> float:
        return self.table.clock.now - self.began_at

    @property
    def fed(self) -> list[float]:
        """When the manager was told that the loop goes round, seconds since the beginning."""
        return [at - self.began_at for at, states in self.told if "WATCHDOG=1" in states]

    def hungry_for(self, until: float) -> float:
        """The longest time that the manager had to wait."""
        fed = [0.0, *self.fed, until]
        return max(later - earlier for earlier, later in pairwise(fed))

    def _notify(self, *states: str) -> bool:
        self.told.append((self.table.clock.now, states))
        return True


def watched_over(folder: Path, *does: str, seconds: float) -> Watched:
    """A daemon over cameras that do this, one after the other."""
    watched = Watched(folder)
    watched.table.umpire.see = lambda frame: []  # type: ignore[method-assign]
    cameras = Cameras(watched.table.clock, does=list(does))
    try:
        watched.run(seconds, frames=ThreadedFrames(cameras, watched.table.clock))
    finally:
        cameras.let_go.set()
    return watched


# ---------------------------------------------------------------- a camera


@pytest.mark.parametrize("does", ["hangs", "hangs when opened", "is still being stopped"])
def test_a_camera_that_hangs_however_often_it_is_opened_stops_the_feeding(tmp_path: Path, does: str) -> None:
    watched = watched_over(tmp_path, does, seconds=3 * STALLED_S)
    assert STALLED_S - 2 * TURN_S <= max(watched.fed) < STALLED_S
    assert watched.hungry_for(STALLED_S) <= INTERVAL_S / 2, "until then it is opened anew, and that may help"


def test_a_camera_that_hangs_and_is_gone_then_stops_the_feeding(tmp_path: Path) -> None:
    """Unplugged, and its driver never gave the thread back: the next process can open it."""
    watched = watched_over(tmp_path, "hangs", "unplugged", seconds=3 * STALLED_S)
    assert STALLED_S - 2 * TURN_S <= max(watched.fed) < STALLED_S


def test_a_camera_that_is_mended_by_opening_it_anew_is_no_stall(tmp_path: Path) -> None:
    """The first thread hangs to the end."""
    watched = watched_over(tmp_path, "hangs", "sees", seconds=3 * STALLED_S)
    assert watched.hungry_for(3 * STALLED_S) <= INTERVAL_S / 2
    assert "camera" in [line["part"] for line in watched.table.lines if line["kind"] == "well"]


@pytest.mark.parametrize("does", ["unplugged", "frozen", "sees"])
def test_a_camera_whose_thread_goes_round_is_no_stall(tmp_path: Path, does: str) -> None:
    """Whatever it sees; to begin the program again would help nobody."""
    seconds = 2 * STALLED_S + LONGEST_PAUSE_S
    watched = watched_over(tmp_path, does, seconds=seconds)
    assert watched.hungry_for(seconds) <= INTERVAL_S / 2


def test_a_camera_that_comes_back_after_all_is_told_again(tmp_path: Path) -> None:
    """It had hung for longer than is waited, and the manager has not bitten yet."""
    watched = Watched(tmp_path)
    watched.table.umpire.see = lambda frame: []  # type: ignore[method-assign]
    cameras = Cameras(watched.table.clock, does=["hangs"])
    back_at = STALLED_S + LONGEST_PAUSE_S

    def then(passed: float) -> None:
        if passed >= back_at:
            cameras.does = ["sees"]

    try:
        frames = ThreadedFrames(cameras, watched.table.clock)
        watched.run(back_at + 3 * LONGEST_PAUSE_S, then, frames=frames)
    finally:
        cameras.let_go.set()
    stalled = [at for at in watched.fed if STALLED_S <= at < back_at]
    assert stalled == []
    assert max(watched.fed) >= back_at + 3 * LONGEST_PAUSE_S - INTERVAL_S / 2


# ---------------------------------------------------------------- all else


class HangingPanel(SimulatedPanel):
    """A panel whose bus never answers."""

    let_go = threading.Event()
    reached = threading.Event()

    def show(self, image: Any) -> None:
        self.reached.set()
        self.let_go.wait()


def test_a_stalled_panel_speaker_or_review_goes_unnoticed(tmp_path: Path) -> None:
    """All of them at once, for minutes, while people play on."""
    watched = Watched(tmp_path)
    table = watched.table
    pipe = tmp_path / "never"
    os.mkfifo(pipe)
    player = tmp_path / "player"
    player.write_text(f"#!/bin/sh\nexec cat {pipe}\n", encoding="utf-8")
    player.chmod(0o755)
    panel = HangingPanel(PanelSpec("ssd1306", I2cBus(1, 0x3C)))
    panels = PanelDriver([Placed("in-rally", panel)], PanelCare(), clock=table.clock)
    panels.start()
    measures = threading.Event()

    def measure(*args: object) -> Any:
        measures.set()
        panel.let_go.wait()
        return "not-found"

    def then(passed: float) -> None:
        if passed == 10.0:
            table.umpire.lots.append([stroke(rest(SERVE_FROM), rest(SERVED))])
            table.frames.waiting.append(Frame(PICTURE, table.clock.now, 0))
        elif passed in (12.0, 200.0):
            kind: Kind = "challenge" if passed == 12.0 else "confirm"
            table.buttons.press(Button("B", kind), table.clock.now, 0.05)

    try:
        watched.run(240.0, then, panels=panels, speaker=AplaySpeaker(command=str(player)), measure=measure)
        assert panel.reached.is_set()
        assert measures.is_set()
    finally:
        panel.let_go.set()
    assert watched.hungry_for(240.0) <= INTERVAL_S / 2
    presses = [line["press"] for line in table.lines if line["kind"] == "press"]
    assert presses == ["challenge", "confirm"]


def test_who_waits_for_room_on_the_disk_is_ready_and_well(tmp_path: Path) -> None:
    table = Bench(tmp_path)
    table.journal.close()
    told: list[tuple[str, ...]] = []

    def notify(*states: str) -> bool:
        told.append(states)
        return True

    supervision = Supervision(notify, INTERVAL_S, table.clock)
    with no_growing() as disk:
        disk.fill()

        def sleep(seconds: float) -> None:
            assert seconds == RETRY_S
            table.clock.now += seconds
            if table.clock.now > 200.0:
                disk.make_room()

        rig, terms = table.daemon._rig, table.daemon._terms
        parts = (rig, terms, table.lines.append, Stop(), sleep, supervision)
        journal = opened_with_room(tmp_path / "another", *parts)
    assert journal is not None
    journal.close()
    assert told[0][0] == "READY=1"
    assert "free some space" in told[0][1]
    assert sum("WATCHDOG=1" in states for states in told) >= 100.0 / (INTERVAL_S / 2)


# ---------------------------------------------------------------- what is told, and when


def test_it_is_ready_when_its_loop_has_gone_round_and_says_when_it_ends(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    before: list[int] = []
    watched.table.umpire.see = lambda frame: before.append(len(watched.told)) or []  # type: ignore[method-assign, func-returns-value]
    watched.table.frames.waiting.append(Frame(PICTURE, 0.0, 0))
    watched.run(3.0)
    assert before == [0], "the first frame is seen before it is told that all is well"
    states = [states for _, states in watched.told]
    assert states[0][0] == "READY=1"
    assert states[-1][0] == "STOPPING=1"
    assert sum("READY=1" in each or "STOPPING=1" in each for each in states) == 2


def test_how_it_is_stands_in_one_line_and_is_told_when_it_changes(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    table = watched.table

    def then(passed: float) -> None:
        if passed == 4.0:
            table.umpire.lots.append([stroke(rest(SERVE_FROM), rest(SERVED))])
            table.frames.waiting.append(Frame(PICTURE, table.clock.now, 0))
        elif passed == 8.0:
            table.journal.full = 3
            table.umpire.lots.append([stroke(rest(SERVED), None)])
            table.frames.waiting.append(Frame(PICTURE, table.clock.now, 0))

    watched.run(16.0, then)
    lines = [
        state.removeprefix("STATUS=") for _, states in watched.told for state in states if "STATUS=" in state
    ]
    assert STATUS_S <= TURN_S
    assert lines[0] == "A to serve into the left box. Sets 0-0, games 0-0, points 0-0."
    assert lines[1] == "B to play. Sets 0-0, games 0-0, points 0-0."
    assert lines[2] == match_unkept("full", ENGLISH), "what is not kept is not told"
    assert lines[3] == "A to serve into the right box. Sets 0-0, games 0-0, points 15-0."
    assert lines[4:] == ["Ends."]


def test_what_a_busy_manager_had_no_room_for_is_told_again() -> None:
    """A start that is never heard of would be undone, and a feeding that is not heard is none."""
    now, room = 10.0, False
    told: list[tuple[str, ...]] = []

    def notify(*states: str) -> bool:
        if room:
            told.append(states)
        return room

    supervision = Supervision(notify, INTERVAL_S, lambda: now)
    supervision.turned(False, lambda: "A to serve.")
    room, now = True, now + 0.02
    supervision.turned(False, lambda: "A to serve.")
    assert told == [("READY=1", "STATUS=A to serve.", "WATCHDOG=1")]
    room, now = False, now + INTERVAL_S
    supervision.turned(False, lambda: "B to play.")
    room, now = True, now + 0.02
    supervision.turned(False, lambda: "B to play.")
    supervision.turned(False, lambda: "nobody asks so soon")
    assert told[1:] == [("STATUS=B to play.", "WATCHDOG=1")]


# ---------------------------------------------------------------- as a process


@contextmanager
def manager(folder: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    """What a service hears in: the socket, and the environment that names it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(folder / "notify"))
        listener.settimeout(LONG_S)
        # So often that a timer beside the loop would be heard between any two calls of ours.
        yield listener, {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "1000"}


def heard(listener: socket.socket, until: str | None) -> list[str]:
    """What is told, to the word that is waited for; None: what is there already."""
    states: list[str] = []
    listener.settimeout(LONG_S if until is not None else 0.0)
    while until is None or until not in states:
        try:
            states += listener.recv(65536).decode().split("\n")
        except BlockingIOError:
            break
    return states


@contextmanager
def running(environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def until_told(process: subprocess.Popen[str], kind: str) -> None:
    assert process.stdout is not None
    assert any(json.loads(line)["kind"] == kind for line in process.stdout), "it ended before that"


def test_setmatch_tells_its_manager(tmp_path: Path) -> None:
    play = ("firmware.cli", "run", "--rig", "simulated", "--autoplay", "--speed", "0")
    with (
        manager(tmp_path) as (listener, environment),
        running(environment, *play, "--state", str(tmp_path)) as process,
    ):
        begun = heard(listener, "READY=1")
        assert begun[0] == "READY=1"
        assert heard(listener, "WATCHDOG=1") or "WATCHDOG=1" in begun
        process.send_signal(signal.SIGTERM)
        ended = heard(listener, "STOPPING=1")
        assert process.wait(LONG_S) == 0
        assert "READY=1" not in ended
        assert "WATCHDOG=1" not in heard(listener, None)


@pytest.mark.parametrize("where", ["a frame", "a write", "an announcement"])
def test_a_loop_that_hangs_tells_nothing_any_more(tmp_path: Path, where: str) -> None:
    """And where it hangs is told when the manager has lost patience."""
    program = ("tests.faults.watched_process", where, str(tmp_path))
    with manager(tmp_path) as (listener, environment), running(environment, *program) as process:
        until_told(process, "reached")
        assert "READY=1" in heard(listener, None)
        process.send_signal(signal.SIGABRT)  # as systemd does then
        assert process.wait(LONG_S) == -signal.SIGABRT
        assert heard(listener, None) == []
        assert process.stderr is not None
        complaints = process.stderr.read()
        assert "Fatal Python error: Aborted" in complaints
        assert "in turn" in complaints


def test_who_hangs_before_the_loop_goes_round_is_not_ready(tmp_path: Path) -> None:
    program = ("tests.faults.watched_process", "a picture", str(tmp_path))
    with manager(tmp_path) as (listener, environment), running(environment, *program) as process:
        until_told(process, "reached")
        assert heard(listener, None) == []


def test_a_camera_that_hangs_stops_the_feeding_of_a_loop_that_goes_round(tmp_path: Path) -> None:
    program = ("tests.faults.watched_process", "a camera for ever", str(tmp_path))
    with manager(tmp_path) as (listener, environment), running(environment, *program) as process:
        assert heard(listener, "WATCHDOG=1")
        until_told(process, "stalled")
        assert heard(listener, None)
        until_told(process, "turned")
        assert "WATCHDOG=1" not in heard(listener, None)


def test_panels_that_hang_stop_no_feeding(tmp_path: Path) -> None:
    program = ("tests.faults.watched_process", "a panel that hangs", str(tmp_path))
    with manager(tmp_path) as (listener, environment), running(environment, *program) as process:
        until_told(process, "reached")
        heard(listener, None)
        for _ in range(50):
            heard(listener, "WATCHDOG=1")
        process.send_signal(signal.SIGTERM)
        heard(listener, "STOPPING=1")
    with JournalReader.open(tmp_path) as reader:
        assert reader.warnings == []
