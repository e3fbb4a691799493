"""The daemon's memory over many frames: `python -m tests.bench.endurance FRAMES`, in a process of its own.

Matches are played, buttons pressed and rests reviewed all the time, faster than they could be; each line
printed is one look at the memory, as JSON.
"""

import gc
import os
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

# Two of them are at work at once: the daemon and the table that is drawn.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import cv2
import msgspec

from hardware.recorded import quieten_opencv
from tests.bench.directing import Director, Done
from tests.bench.elsewhere import Size, TableElsewhere
from tests.bench.glass import timed_wires
from tests.bench.rig import SEED, Table, daemon_at
from tests.bench.tape import EveryFrame

FRAMES = 50_000
FIRST = 500
EVERY = 5_000
"""Frames from look to look."""
_SIZE: Size = (728, 544)


class Look(msgspec.Struct, frozen=True):
    """The memory after so many frames, and what had happened by then."""

    frames: int
    resident_mb: float
    """Of the daemon's process, as the kernel counts it."""
    history_mb: float
    """The match's state as JSON, which is a little more than the memory that it takes."""
    played: int
    called: int
    """Strokes; some are called again when they are ruled on."""
    placements: int
    presses: int
    reviews: int
    undos: int
    matches: int
    threads: int
    kinds: dict[str, int]
    """Lines told, by their kind."""


def looks(frames: int) -> Iterator[Look]:
    """Run a daemon for so many frames."""
    table = TableElsewhere(_SIZE, SEED)
    seen: Counter[str] = Counter()
    try:
        with TemporaryDirectory() as folder, timed_wires():
            rig = daemon_at(Path(folder), _SIZE, EveryFrame(table), lambda: table.now, _and_wait)
            director = Director(rig.daemon, table, rig.buttons, lambda: table.now, presses=True)
            try:
                for number in range(1, frames + 1):
                    director.direct()
                    rig.daemon.turn()
                    for line in rig.forget():
                        seen[line["kind"]] += 1
                    director.done.strokes.clear()
                    if number in (FIRST, frames) or number % EVERY == 0:
                        yield _look(number, rig, director.done, seen)
            finally:
                rig.daemon.close()
    finally:
        table.close()


def _and_wait(work: Callable[[], None]) -> None:
    """In a thread of its own, as a review is measured; it is waited for, since time passes faster here."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def _look(frames: int, rig: Table, done: Done, seen: Counter[str]) -> Look:
    gc.collect()
    status = Path("/proc/self/status").read_text()
    resident = re.search(r"VmRSS:\s*(\d+) kB", status)
    assert resident is not None
    return Look(
        frames=frames,
        resident_mb=int(resident.group(1)) / 1024,
        history_mb=len(msgspec.json.encode(rig.daemon.chair.match.state)) / 1e6,
        played=done.played,
        called=seen["stroke"],
        placements=done.placements,
        presses=seen["press"],
        reviews=done.challenges,
        undos=done.undos,
        matches=done.matches,
        threads=threading.active_count(),
        kinds=dict(seen),
    )


def main() -> int:
    """Print each look as it is made."""
    quieten_opencv()
    cv2.setNumThreads(1)
    for look in looks(int(sys.argv[1]) if len(sys.argv) > 1 else FRAMES):
        print(msgspec.json.encode(look).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
