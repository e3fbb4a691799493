"""The program as a user starts it, killed while it referees the simulated table: what it printed is kept, it
goes on where it was, and the score in the end is the one that its strokes make.

A few kills; `make soak` has a hundred times as many, and plays matches to their end.
"""

import json
import os
import random
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.faults.power import EXTREMES, Disk, cuts
from tests.faults.system_calls import Synced, Told, needs_watching, watched
from tests.shared import setmatch

KILLS = int(os.environ.get("SETMATCH_PROGRAM_KILLS", "3"))
"""Of one match; from a dozen on it is played to its end."""
MATCHES = int(os.environ.get("SETMATCH_MATCHES", "1"))
TO_THE_END = 12
STARTING, PLAYING = range(24), range(24, 60)
"""The calls that change files: until the first stroke, and in the first five or so."""
ALL_STARTING, ALL_PLAYING = range(7_700), range(7_700, 14_000)
"""The calls of any kind, likewise."""
Line = dict[str, Any]
How = Literal["at a write", "at a call", "after a line"]
WAYS: tuple[How, ...] = ("at a write", "at a call", "after a line")

LOST = frozenset({"out", "net", "double-fault", "flick-fault"})
"""Calls by which the striker's opponent wins the rally."""
WON = frozenset({"winner", "ace"})


def command(folder: Path, seed: int) -> list[str]:
    words = ["run", "--rig", "simulated", "--autoplay", "--speed", "0", "--preset", "simplified", "--json"]
    return [
        sys.executable,
        "-m",
        "firmware.cli",
        *words,
        "--seed",
        str(seed),
        "--state",
        str(folder / "state"),
    ]


def parsed(text: str) -> list[Line]:
    """The whole lines."""
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def killed(folder: Path, how: How, chance: random.Random) -> list[Line]:
    """What the program printed until it was killed, or until the match was over."""
    program = command(folder, chance.randrange(2**31))
    if how == "after a line":
        return ended(program, chance.randrange(1, 12), signal.SIGKILL)
    first = chance.random() < 0.3  # now and then while it still starts
    if how == "at a write":
        done = watched(program, folder, kill_before=chance.choice(STARTING if first else PLAYING))
    else:
        done = watched(program, folder, kill_at=chance.choice(ALL_STARTING if first else ALL_PLAYING))
    assert done.code in (-signal.SIGKILL, 0)
    return parsed("".join(done.told))


def ended(program: list[str], lines: int, number: signal.Signals) -> list[Line]:
    """What the program printed when it was sent a signal after so many lines."""
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        text = "".join(running.stdout.readline() for _ in range(lines))
        running.send_signal(number)
        text += running.stdout.read()
        errors = running.stderr.read()
    assert errors == ""
    assert running.returncode in ((-number, 0) if number == signal.SIGKILL else (0,))
    return parsed(text)


class Kept:
    """What is on disk of the match, as the commands tell it."""

    def __init__(self, folder: Path) -> None:
        listed = setmatch("matches", "--json", "--state", folder / "state")
        self.matches = listed.lines if listed.code == 0 else []
        self.lines: list[Line] = []
        if self.matches:
            assert len(self.matches) == 1, "a match that was not over was begun anew"
            self.lines = setmatch("replay", 1, "--json", "--state", folder / "state").lines
        self.strokes = [line for line in self.lines if line["kind"] == "stroke"]

    @property
    def over(self) -> bool:
        return bool(self.matches) and self.matches[0]["ending"] == "over"

    def has(self, shown: list[Line]) -> None:
        """All that was shown is there, in its order."""
        kept = iter(self.lines)
        for line in shown:
            if line["kind"] in ("stroke", "rally", "game", "set", "match", "placed"):
                assert any(line.items() <= other.items() for other in kept), f"shown, and lost: {line}"

    def counts(self) -> None:
        """The score is the one that the strokes make, counted here anew (a race: a rally is a point)."""
        points = {"A": 0, "B": 0}
        assert [stroke["number"] for stroke in self.strokes] == list(range(1, len(self.strokes) + 1))
        for stroke in self.strokes:
            striker: str = stroke["seat"][0]
            call = stroke["call"]
            winner = {"A": "B", "B": "A"}[striker] if call in LOST else striker if call in WON else None
            assert stroke["rally_winner"] == winner
            if winner is not None:
                points[winner] += 1
            assert stroke["score"]["points"] == [str(points["A"]), str(points["B"])]
        if self.over:
            winner = max(points, key=lambda side: points[side])
            assert self.matches[0]["outcome"]["winner"] == winner
            assert points[winner] >= 12


@needs_watching
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("match", range(MATCHES))
def test_what_was_printed_is_kept_and_the_match_goes_on_to_its_right_end(match: int, tmp_path: Path) -> None:
    chance = random.Random(f"program {match}")
    shown: list[Line] = []
    kept = Kept(tmp_path)
    for number in range(KILLS):
        before = len(kept.strokes)
        told = killed(tmp_path, WAYS[number % len(WAYS)], chance)
        kept = Kept(tmp_path)
        for line in told:
            if line["kind"] == "resumed":
                assert line["strokes"] == before, "it does not go on where it was"
        new = [line["number"] for line in told if line["kind"] == "stroke"]
        assert new == list(range(before + 1, before + 1 + len(new)))
        # One more may be there: it was kept, and the program died before it said so.
        assert len(kept.strokes) - before - len(new) in (0, 1)
        shown += told
        kept.has(shown)
        kept.counts()
        if kept.over:
            break
    while not kept.over:
        lines = 400 if KILLS >= TO_THE_END else 6
        told = ended(command(tmp_path, chance.randrange(2**31)), lines, signal.SIGTERM)
        shown += told
        (agreement,) = (line for line in told if line["kind"] == "agreement")
        # The table knows what was really played in this life.
        assert agreement["differing"] == agreement["missed"] == agreement["invented"] == 0, agreement
        assert agreement["agreed"] >= 1
        kept = Kept(tmp_path)
        kept.has(shown)
        kept.counts()
        if KILLS < TO_THE_END:
            break
    assert kept.over or KILLS < TO_THE_END


@needs_watching
def test_what_is_printed_is_on_the_disk_itself(tmp_path: Path) -> None:
    """What no kill can show: the power may go at any call of the program."""
    start = Disk(tmp_path)
    done = watched(command(tmp_path, 1), tmp_path, kill_before=PLAYING.stop)
    strokes = 0
    for step, (disk, told) in enumerate(cuts(start, done.events)):
        lines = parsed("".join(told))
        for luck in (*EXTREMES, random.Random(step)):
            left = tmp_path / f"{step} {luck if isinstance(luck, str) else 'random'}"
            disk.left(left, luck)
            Kept(left).has(lines)
        strokes = sum(line["kind"] == "stroke" for line in lines)
    assert strokes >= 3
    # A stroke's line comes right after its record was had on the disk, nothing in between.
    events = [event for event in done.events if isinstance(event, Told | Synced)]
    for before, event in pairwise(events):
        if isinstance(event, Told) and event.text.startswith('{"kind": "stroke"'):
            assert isinstance(before, Synced)
