"""Killed and ended at random instants: what was shown is on disk, and the match ends as it would have.

The daemon that is killed is a child of the test, at a table that the test plays at; it tells each scoreboard
when it is shown. The program itself, at the simulated table, is killed in test_kill_program.py.
"""

import os
import random
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import pytest

from firmware.daemon.daemon import Daemon
from firmware.daemon.review_pictures import ReviewPictures
from firmware.daemon.stopping import Stop
from firmware.journal import Acted, JournalReader, Record, Reviewed, replayed, resume
from firmware.journal.files import NAME
from firmware.keeping.pages import CUT_OFF
from firmware.match import Match
from firmware.rules import Setup, State
from firmware.screens.scoreboard import Scoreboard
from hardware.camera import Frame
from tests.faults.bench import (
    ANYWHERE,
    CLASSIC,
    PICTURE,
    RETURNED,
    SERVE_FROM,
    SERVED,
    TURN_S,
    Bench,
    ScriptedFrames,
)
from tests.faults.killing import told_until, told_until_killed
from tests.firmware.daemon.test_review_pictures import FRAMES
from tests.firmware.test_match import Place, rest, stroke

KILLS = int(os.environ.get("SETMATCH_KILLS", "20"))
"""At the least; `make soak` has more."""
SETUP = Setup(chosen=ANYWHERE.chosen, sets_to_win=1)
_ENDS = (SERVED, RETURNED, None, None, SERVED, None, RETURNED)
_BOARDS, _WRITES, _CALLS = range(2, 9), 60, 3_000
"""Until which a kill comes: scoreboards; and, until about four more of them are shown, calls of the kernel
that change files, and calls of any kind."""


def play_on(bench: Bench) -> None:
    """The next action of a match that is the same every time: what is next follows from what was done. A
    review that stands changes nothing, and may be asked for once more after a cut."""
    with JournalReader.open(bench.folder) as reader:
        records = reader.records(1)
    acted = [record for record in records if isinstance(record, Acted)]
    if len(acted) % 9 == 8:
        bench.press("A", "confirm", for_s=2.2, then_s=0.1)
        return
    last = records[-1]
    if len(acted) % 3 == 1 and isinstance(last, Acted) and last.measured and last.measured.dot_mm:
        bench.answer = Place(last.measured.dot_mm, last.measured.dot_mm)
        bench.press("B", "challenge")
        while bench.work:
            bench.work.pop()()
        bench.turn()
    bench.play(_ENDS[len(acted) % len(_ENDS)])


def live(folder: Path, tell: Callable[[str], None]) -> None:
    """A child's life: it tells what is shown, and never ends by itself before the match does."""
    bench = Bench(folder, setup=SETUP)
    pictures = ReviewPictures(folder / "reviews", 1.0)
    bench.kept.cutouts = tuple(FRAMES)
    bench.daemon._measuring._picture = lambda wanted, frames: pictures.keep(
        wanted, frames, bench.clock.wall()
    )

    def told() -> None:
        for board in bench.panels.boards:
            tell(f"{msgspec.json.encode(board).decode()}\n")
        bench.panels.boards.clear()

    told()
    while not bench.daemon.over:
        play_on(bench)
        told()


def life(folder: Path, chance: random.Random) -> list[Scoreboard]:
    """What a child showed before it was killed, or before the match was over."""

    def run(tell: Callable[[str], None]) -> None:
        live(folder, tell)

    shown = told_until_killed(run, folder, chance, lines=_BOARDS, writes=_WRITES, calls=_CALLS)
    return [msgspec.json.decode(line, type=Scoreboard) for line in shown]


def records_in(folder: Path) -> tuple[Record, ...]:
    path = folder / NAME
    if not path.exists() or path.stat().st_size == 0:
        return ()
    with JournalReader.open(folder) as reader:
        assert all(CUT_OFF in warning for warning in reader.warnings)
        matches = reader.matches()
        assert len(matches) <= 1, "a match that was not over was begun anew"
        return reader.records(1) if matches else ()


def without_notice(board: Scoreboard) -> Scoreboard:
    return msgspec.structs.replace(board, notice=None)


def boards_at_first(notice: str | None) -> Scoreboard:
    return Match(CLASSIC, SETUP).scoreboard(notice)


def uncut(folder: Path) -> State:
    """The match as it ends when nobody is killed."""
    bench = Bench(folder, setup=SETUP)
    while not bench.daemon.over:
        play_on(bench)
    bench.daemon.close()
    return bench.daemon.chair.match.state


def cut(folder: Path, chance: random.Random) -> tuple[int, State]:
    """A match whose daemon is killed until it is over: how often that was, and its end."""
    folder.mkdir()
    kills, state = 0, Match(CLASSIC, SETUP).state
    while state.waiting is not None:
        shown = life(folder, chance)
        kills += 1
        records = records_in(folder)
        if not records:
            # What was shown then was the beginning, and that it is not kept yet.
            assert all(board == boards_at_first(board.notice) for board in shown)
            continue
        boards = [Match(CLASSIC, SETUP).scoreboard()]
        boards += [match.scoreboard() for _, match, _ in replayed(CLASSIC, records)]
        for board in map(without_notice, shown):
            assert board in boards, "this was shown, and is lost"
        reviews = [record for record in records if isinstance(record, Reviewed)]
        for name in (name for review in reviews for name in review.pictures):
            assert cv2.imread(str(folder / "reviews" / name)) is not None, "a picture is named, and not there"
        state = resume(CLASSIC, records).state
    assert any(review.pictures for review in reviews)
    return kills, state


@pytest.mark.timeout(3600)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, which this system has not")
def test_nothing_that_was_shown_is_lost_and_the_match_ends_as_it_would_have(tmp_path: Path) -> None:
    chance = random.Random(7)
    whole = tmp_path / "whole"
    whole.mkdir()
    ends_as = uncut(whole)
    kills = matches = 0
    while kills < KILLS:
        more, end = cut(tmp_path / f"cut-{matches}", chance)
        assert end == ends_as
        kills, matches = kills + more, matches + 1


class Feeding(ScriptedFrames):
    """Strokes without end: each frame is one."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def next(self, timeout_s: float) -> Frame | None:
        self._bench.clock.now += TURN_S
        self._bench.umpire.lots.append([stroke(rest(SERVE_FROM), None)])
        return Frame(PICTURE, self._bench.clock.now, 0)


def run_until_told(folder: Path, tell: Callable[[str], None]) -> None:
    """A child's life that ends when it is asked to; it tells of each event."""
    with Stop.listening() as stop:
        bench = Bench(folder)
        rig = replace(bench.daemon._rig, frames=Feeding(bench))
        daemon = Daemon(
            rig,
            bench.daemon._terms,
            bench.journal,
            tell=lambda line: tell(f"{msgspec.json.encode(line).decode()}\n"),
        )
        daemon.run(stop)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, which this system has not")
@pytest.mark.parametrize("lines", [1, 2, 5, 9])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_at_any_time_ends_it_cleanly(tmp_path: Path, lines: int, number: signal.Signals) -> None:
    impatient = [number] * 3  # people ask more than once
    text, code = told_until(lambda tell: run_until_told(tmp_path, tell), lines, impatient)
    assert code == 0
    told = [msgspec.json.decode(line) for line in text.splitlines()]
    assert told[-1] == {"kind": "stopped", "match": 1}
    strokes = sum(line["kind"] == "stroke" for line in told)
    assert strokes == sum(isinstance(record, Acted) for record in records_in(tmp_path))
