"""What the service manager hears of the daemon: it is ready, its loop goes round, how it is, it ends.

Told by the loop alone, in its own turns: no thread and no timer here could tell for a loop that hangs. How it
is told is the hardware's; what is wrong is not judged here.
"""

import math
import time
from collections.abc import Callable
from typing import Final, Protocol

from firmware.match import Match
from firmware.report import score_names
from firmware.texts import Texts, outcome_sentence, waiting_sentence
from hardware import service

OFTENER: Final = 4
"""Fed so many times as often as is wanted: a long turn, or a lost word, is no stall."""
STATUS_S: Final = 1.0
"""It is looked at most so often, in seconds, whether how it is has changed."""


class Notify(Protocol):
    """What tells the manager; `hardware.service.notify`."""

    def __call__(self, *states: str) -> bool:
        """Tell these states at once; whether they were told."""
        ...


class Supervision:
    """Call `turned` after each turn of a loop, `ends` when there will be none. `interval_s`: so often, in
    seconds of `clock`, the manager wants to hear that the loop goes round; None: it does not watch."""

    def __init__(self, notify: Notify, interval_s: float | None, clock: Callable[[], float]) -> None:
        self._notify = notify
        self._every_s = None if interval_s is None else interval_s / OFTENER
        self._clock = clock
        self._ready = False
        self._feed_at = self._ask_at = -math.inf
        self._status = ""

    @classmethod
    def of_this_process(cls) -> "Supervision":
        """By whoever started this program, if that is a service manager."""
        if not service.is_service():
            return unsupervised()
        return cls(service.notify, service.watchdog_interval_s(), time.monotonic)

    def turned(self, stalled: bool, status: Callable[[], str]) -> None:
        """The loop has gone round. `stalled`: its camera hangs, and only the end of the process helps: the
        manager is let wait. `status`: how it is, in one line."""
        now, states = self._clock(), []
        feed_at, ask_at, line = self._feed_at, self._ask_at, self._status
        if not self._ready:
            states.append("READY=1")
        if now >= ask_at:
            ask_at = now + STATUS_S
            if (line := status()) != self._status:
                states.append(f"STATUS={line}")
        if self._every_s is not None and now >= feed_at and not stalled:
            feed_at = now + self._every_s
            states.append("WATCHDOG=1")
        # What a busy manager has no room for is told again with the next turn.
        if not states or self._notify(*states):
            self._ready = True
            self._feed_at, self._ask_at, self._status = feed_at, ask_at, line

    def ends(self) -> None:
        """The parts are given back now, which takes no longer than each of them may."""
        self._notify("STOPPING=1", "STATUS=Ends.")


def unsupervised() -> Supervision:
    """By nobody."""
    return Supervision(lambda *states: True, None, time.monotonic)


def status_of(match: Match, texts: Texts, trouble: str | None) -> str:
    """A match in one line: what it waits for and how it stands; `trouble`: what it cannot go on for comes
    first."""
    state = match.state
    if state.outcome is not None and state.waiting is None:
        due = outcome_sentence(state.outcome, texts)
    else:
        assert state.waiting is not None
        due = waiting_sentence(state.waiting, texts, state.setup)
    score = score_names(state.score)
    stands = ", ".join(f"{of} {'-'.join(map(str, score[of]))}" for of in ("sets", "games", "points"))
    return " ".join([*([] if trouble is None else [trouble]), due, f"{stands[0].upper()}{stands[1:]}."])
