"""With which match a table starts: with the last that was played on a table of its own kind, or with another.

The journal is asked, and nothing written in it: that is the daemon's.
"""

from pathlib import Path
from typing import Final

from firmware.daemon.parts import Terms
from firmware.daemon.resuming import Start, goes_on
from firmware.errors import InputError
from firmware.journal import Journal, JournalError, Summary, TableKind
from firmware.texts import Unkept

_STAYS: Final[tuple[Unkept, ...]] = ("other-version", "unreadable")
"""Of a match that cannot go on, and is beside the next one as it is."""
_PLAYED_ON: Final[dict[TableKind | None, str]] = {
    "live": "was begun on a table with a camera",
    "simulated": "was begun on the simulated table",
    "recording": "was begun on a recording",
    None: "may be of any table",
}


def start_of(table: TableKind, *, anew: bool) -> Start:
    """How a table starts with a match of its own kind, or with none. `anew`: another match is asked for.

    At a real table a match that was won stands until people begin another: its last call can still be
    disputed. On the simulated one nobody would; and a recording is played from its beginning, which is never
    where a match stood."""
    if anew or table == "recording":
        return "new"
    return "go-on" if table == "live" else "go-on-unless-over"


def start_with(
    journal: Journal, folder: Path, terms: Terms, *, anew: bool, named: bool
) -> tuple[Start, str | None]:
    """How a table starts with what is in the journal of a folder, where a match would be begun on `terms`;
    and what is to be said of that, if anything is.

    Strokes of one table are never counted in a match of another kind. One that is over is just followed by
    the next. One that could go on is left by a real table: people want to play, and what stands in the way
    was a trial. Everything else is an InputError, and so it is if the folder was `named` by who starts.
    A match of which nothing was played yet is left if what is set for it has changed.
    JournalError where what may be in the way cannot be read just now, but for a real table: it waits, and
    tells.
    """
    table = terms.table
    start = start_of(table, anew=anew)
    if anew:
        return start, None
    try:
        last = journal.going_on()
    except JournalError as error:
        if table == "live" or error.kind in _STAYS:
            return start, None
        raise
    if last is None:
        return start, None
    if goes_on(last, table):
        return (start, None) if start == "new" else _by_what_is_set(last, terms, start)
    if last.ending == "over":
        return "new", None
    if table == "live" and not named:
        return "new", f"match {last.id} {_PLAYED_ON[last.table]}: it is left, and another begun"
    raise InputError(
        f"match {last.id} in {folder} is not over, and {_PLAYED_ON[last.table]}; give another folder with "
        "--state, or leave that match with --new-match"
    )


def _by_what_is_set(last: Summary, terms: Terms, start: Start) -> tuple[Start, str | None]:
    """How a match goes on that may; and that it does so by other rules than are set, or with other names."""
    rules = last.setup != terms.setup
    names = (last.names, last.side_names) != (terms.names, terms.side_names)
    if last.strokes == 0 and (rules or names or last.board != terms.board):
        return "new", None
    if not (rules or names):
        return start, None
    if start == "go-on-unless-over" and last.ending == "over":
        return start, None  # it is not gone on with
    what = "that was won stands" if last.ending == "over" else "that was cut off goes on"
    how = "by the rules it was begun with" if rules else "with the names it was begun with"
    return start, f"the match {what}, {how}; --new-match leaves it and begins another"
