"""The journal opened: at once, or when its disk has room for it; until then people are told on the panels.

What becomes of the match that is in it is the daemon's.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, get_args

from firmware.config import Role
from firmware.daemon.closing import give_back
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.parts import BoardDrawing, Panels, Rig, Terms
from firmware.daemon.stopping import Stop
from firmware.daemon.supervision import Supervision, unsupervised
from firmware.daemon.troubles import Tell
from firmware.journal import Journal, JournalError
from firmware.match import Match
from firmware.texts import Unkept, match_unkept

_MENDED: Final[tuple[Unkept, ...]] = ("full", "read-only", "failed")
"""What people can mend while the program waits, if it has panels to say so on. Not that another program has
the journal: it has the panels, too."""
_PASSING: Final[tuple[Unkept, ...]] = ("full", "read-only", "busy")
"""What is waited for by whoever waits already."""


def opened_at_once(directory: Path, *, live: bool) -> Journal | None:
    """The journal in a folder; None if there is no room for it, or, at a `live` table, if it cannot be
    written for another reason that people can mend. JournalError for all else."""
    try:
        return Journal.open(directory)
    except JournalError as error:
        if error.kind not in (_MENDED if live else ("full",)):
            raise
        return None


def opened_with_room(
    directory: Path,
    rig: Rig,
    terms: Terms,
    tell: Tell,
    stop: Stop,
    sleep: Callable[[float], None],
    supervision: Supervision | None = None,
) -> Journal | None:
    """The journal, as soon as there is room for it and it can be had; None if `stop` is set before, with the
    rig's parts given back. JournalError for what does not pass, which is little at a live table; the parts
    are the caller's then. `sleep` waits for some seconds, or until `stop` is set. `supervision` hears that to
    wait is no stall."""
    supervision = supervision or unsupervised()
    passing = {*_PASSING, *(_MENDED if terms.table == "live" else ())}
    told: Unkept | None = None
    while not stop.is_set():
        try:
            journal = Journal.open(directory)
        except JournalError as error:
            if error.kind not in passing:
                raise
            if error.kind != told:
                told = error.kind
                tell({"kind": "trouble", "part": "journal", "text": str(error)})
                _show(rig.panels, terms, match_unkept(error.kind, terms.texts))
            supervision.turned(rig.frames.stalled, partial(str, error))
            sleep(RETRY_S)
        else:
            if told is not None:
                tell({"kind": "well", "part": "journal"})
            return journal
    supervision.ends()
    give_back(rig, None, tell)
    tell({"kind": "stopped", "match": None})
    return None


def _show(panels: Panels, terms: Terms, notice: str) -> None:
    """A match that has not begun, and why: the game panels have nothing else to tell, either."""
    board = Match(terms.edition, terms.setup).scoreboard(notice)
    for role in get_args(Role):
        panels.show(role, BoardDrawing("in-rally", board, terms.texts))
