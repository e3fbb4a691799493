"""Twenty controllers that claim at once, as fast as ports of 115,200 baud carry it: a minute of it on the
simulated clock, where the order of arrival is known, and some seconds beside an umpire at work, on TCP
connections of another process. Nothing is printed here.
"""

import multiprocessing
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, Final

from calibration.edition import Edition
from firmware.commands.referee import Refereeing
from firmware.gamebook import GameBook
from firmware.link.host import Host
from firmware.link.thread import LinkThread
from firmware.match import Match
from firmware.rules import Setup
from firmware.setting_up import self_calibrated, umpire_for
from hardware.camera import Frame
from hardware.tcp_ports import TcpPorts
from tests.bench.crowd_elsewhere import Heard, claiming
from tests.bench.footage import clips
from tests.firmware.link.crowd import SEATS, Crowd, answered, expected

STORM_S: Final = 60.0
FPS: Final = 60.0
"""Of the global shutter camera at the size that is refereed."""
_FRAMES: Final = 150
_ROUNDS: Final = 4
_ROUND_S: Final = STORM_S / _ROUNDS
"""The frames are watched for so long alone, and for so long with the link busy, by turns."""


@dataclass
class Stormed:
    """A minute of it. `wrong`: requests that were answered otherwise than they should by the order of their
    arrival, or not at all."""

    seconds: float
    claims: int
    done: int
    refused: int
    wrong: int
    spent_s: float
    """Processor time of the board and its controllers."""


@dataclass
class Beside:
    """The umpire's frames a second, wall time, alone and beside the link; and what the controllers heard."""

    fps: float
    fps_beside: float
    heard: Heard


def measure_storm(seconds: float = STORM_S) -> Stormed:
    """Play it."""
    crowd = Crowd()
    crowd.seated()
    start, began_at = time.process_time(), crowd.now
    crowd.storm(seconds)
    spent, took = time.process_time() - start, crowd.now - began_at
    answers, should = answered(crowd), expected(crowd)
    wrong = sum(answers.get(key) != how for key, how in should.items())
    wrong += sum(len(each.acted) for each in crowd.controllers) - len(should)
    counts = Counter(answers.values())
    return Stormed(took, len(answers), counts["done"], len(answers) - counts["done"], wrong, spent)


def measure_beside(edition: Edition, round_s: float = _ROUND_S) -> Beside:
    """Watch the same frames alone, and with twenty controllers claiming."""
    watch = _watching(edition, round_s)
    watch()  # what is only done once is done
    alone, beside = [], []
    with ExitStack() as stack:
        there, ended = _crowd(stack)
        for _ in range(_ROUNDS):
            there.send("rest")
            there.recv()
            alone.append(watch())
            there.send("claim")
            there.recv()
            beside.append(watch())
        there.send("end")
        heard = ended()
    return Beside(median(alone), median(beside), heard)


def _watching(edition: Edition, round_s: float) -> Callable[[], float]:
    """What referees the first frames of a clip, over and over; the frames a second."""
    source = clips()[0]
    camera = source.open()
    frames: list[Frame] = []
    try:
        calibration, _ = self_calibrated(camera, edition, focal_px=source.focal_px)
    finally:
        camera.close()
    camera = source.open()
    try:
        while len(frames) < _FRAMES and (frame := camera.read()) is not None:
            frames.append(frame)
    finally:
        camera.close()

    def watch() -> float:
        seen, start = 0, time.perf_counter()
        while (took := time.perf_counter() - start) < round_s or not seen:
            umpire = umpire_for(calibration, edition)
            refereeing = Refereeing(umpire, Match(edition, Setup(sets_to_win=2)))
            for frame in frames:
                refereeing.see(frame)
            seen += len(frames)
        return seen / took

    return watch


def _crowd(stack: ExitStack) -> tuple[Connection, Callable[[], Heard]]:
    """A board's link in this process, as the daemon has it, with its controllers in another."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    book = GameBook.open(folder)
    stack.callback(book.close)
    host = Host(
        book,
        tokens=partial(secrets.token_hex, 16),
        wall=lambda: datetime.now(UTC),
        board="bench",
        software="bench",
        now=time.monotonic(),
    )
    link = LinkThread(host, lambda line: None)
    ports = TcpPorts(0, lambda name, opener: link.offer(name, opener, once=True))
    stack.callback(ports.close)
    link.start()
    stack.callback(link.stop)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=claiming, args=(there, ports.port, SEATS), daemon=True)
    process.start()

    def ended() -> Heard:
        heard: Any = here.recv()
        process.join()
        assert isinstance(heard, Heard)
        return heard

    return here, ended
