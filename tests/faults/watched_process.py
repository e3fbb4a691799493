"""A daemon in a process of its own, watched by whoever named a socket in its environment; something hangs.

Run as a program: `python -m tests.faults.watched_process WHERE FOLDER`. It prints the daemon's lines,
`reached` where a thing hangs, `stalled` when its camera does for good, and `turned` when its loop has gone
round since.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware.daemon.daemon import Daemon
from firmware.daemon.frames import ThreadedFrames
from firmware.daemon.measuring import in_a_thread
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision
from hardware.camera import Camera
from tests.faults.asked_to_end import NEVER, WHERE, Table, tell

_FASTER = 200.0
"""The camera's clock goes so much faster than time does: its patience is over in a third of a second."""
_TURNS = 20


class Watched:
    """Goes round until it is ended."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._stalled = 0

    def run(self, stop: Stop) -> None:
        bench, table = self._table.bench, self._table
        rig = replace(bench.daemon._rig, **table.parts)
        daemon = Daemon(
            rig,
            bench.daemon._terms,
            bench.journal,
            tell=tell,
            launch=in_a_thread,
            supervision=Supervision.of_this_process(),
        )
        self._frames = rig.frames
        daemon.run(stop, after_turn=self._next)

    def _next(self) -> None:
        self._table._next()
        if self._frames.stalled:
            self._stalled += 1
            # The second time, the turn before has known of it.
            for turns, kind in ((2, "stalled"), (2 + _TURNS, "turned")):
                if self._stalled == turns:
                    tell({"kind": kind})


def _a_camera_for_ever(table: Table) -> None:
    def opener() -> Camera:
        NEVER.wait()
        raise AssertionError

    table.parts["frames"] = ThreadedFrames(opener, lambda: _FASTER * time.monotonic())
    table.people = iter(())


def main(where: str, folder: str) -> None:
    """Play there."""
    places: dict[str, Callable[[Table], Any]] = {**WHERE, "a camera for ever": _a_camera_for_ever}
    with Stop.listening() as stop:
        table = Table(Path(folder))
        places[where](table)
        Watched(table).run(stop)


if __name__ == "__main__":
    main(*sys.argv[1:])
