"""What the rows of a match amount to: its records as far as they can be read and the rules allow them,
the score that they make, and why they end where they end. Values in, values out; no file, no board."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal

import msgspec

from firmware.journal.coding import CODER
from firmware.journal.records import Acted, MatchBegan, MatchLeft, Record, TableKind
from firmware.keeping.records import CutBack
from firmware.keeping.rows import Gap, Row
from firmware.rules import IllegalAction, Outcome, Score, Setup, State, start, step
from firmware.texts import Language

Ending = Literal["over", "left", "open"]
"""The match was won, or left before; or it is neither."""

_FIRST: Final = 1


class Summary(msgspec.Struct, frozen=True):
    """A match in a list of them."""

    id: int
    began: datetime
    """UTC, for people."""
    board: str
    setup: Setup
    names: tuple[str, ...]
    side_names: tuple[str, ...]
    language: Language
    strokes: int
    score: Score
    outcome: Outcome | None
    ending: Ending
    left: str | None
    """Why it was left; None if it was not."""
    fault: str | None
    """Why it is told only in part; None if it is whole."""
    table: TableKind | None = None
    """What it was begun on; None if that is not on record."""


class Kept(msgspec.Struct, frozen=True):
    """What is readable of a match."""

    id: int
    records: tuple[Record, ...]
    """Its beginning first."""
    state: State
    """The rules' state after them."""
    stands: int
    """The number of the last row of `records`."""
    last: int
    """The number of the last row that there is."""
    fault: str | None
    """Why `records` end before `last`, in a sentence; None if nothing is missing."""
    other_version: bool = False
    """What follows `records` is there as it was written: another version kept it, and can go on with it."""

    @property
    def summary(self) -> Summary:
        """The match in a list."""
        began = self.records[0]
        assert isinstance(began, MatchBegan)
        left = next((each.reason for each in self.records if isinstance(each, MatchLeft)), None)
        over = self.state.waiting is None
        return Summary(
            id=self.id,
            began=began.wall_time,
            board=began.board,
            setup=began.setup,
            names=began.names,
            side_names=began.side_names,
            language=began.language,
            strokes=len(self.state.strokes),
            score=self.state.score,
            outcome=self.state.outcome,
            ending="over" if over else "open" if left is None else "left",
            left=left,
            fault=self.fault,
            table=began.table,
        )


def kept_of(match: int, rows: Iterable[Row]) -> Kept | None:
    """What is readable of a match whose rows, in order, are given; None if its beginning is not."""
    entries: list[tuple[int, Record | Gap]] = []
    last = 0
    for last, stored in CODER.entries(rows):
        if isinstance(stored, CutBack):
            entries = [entry for entry in entries if entry[0] <= stored.to]
        else:
            entries.append((last, stored))
    if not entries or not isinstance(entries[0][1], MatchBegan):
        return None
    began = entries[0][1]
    state, stands = start(began.setup), _FIRST
    records: list[Record] = [began]
    fault, other_version = None, False
    for number, entry in entries[1:]:
        after = _followed(state, number, entry)
        if isinstance(after, Gap) or isinstance(entry, Gap | MatchBegan):
            gap = after if isinstance(after, Gap) else Gap(number, "another match begins there")
            fault = f"Match {match} is kept up to record {stands}; of record {number}: {gap.why}."
            other_version = gap.other_version
            break
        state, stands = after, number
        records.append(entry)
    return Kept(match, tuple(records), state, stands, last, fault, other_version)


def _followed(state: State, number: int, entry: Record | Gap) -> State | Gap:
    """The rules' state after an entry."""
    if isinstance(entry, Acted):
        try:
            return step(state, entry.action).state
        except IllegalAction as error:
            why = f"the rules of this version do not allow it ({error.reason})"
            return Gap(number, why, other_version=True)
    return entry if isinstance(entry, Gap) else state
