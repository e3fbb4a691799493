"""The journal: every match as it was played, on disk before anything of it is shown.

`Journal` is the one that writes, `JournalReader` looks on, also while another program writes. Only what is
a match's own is here; the rest is any book's (`firmware.keeping.book`).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Self

from firmware.journal.coding import CODER
from firmware.journal.reading import Kept, Summary, kept_of
from firmware.journal.records import Later, MatchBegan, Record
from firmware.journal.schema import form
from firmware.keeping.book import BookReader, BookWriter
from firmware.keeping.errors import JournalError
from firmware.keeping.opening import to_read, to_write
from firmware.keeping.rows import Row

_ANOTHER: Final = "begin another match, by the menu or with --new-match"


class JournalReader(BookReader[Kept]):
    """Looks at a journal. `warnings` are sentences for people on what was wrong with it."""

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The journal in a folder, to look at: no file is changed. Errors as of `to_read`."""
        return cls(to_read(directory, form()))

    def matches(self, latest: int | None = None) -> tuple[Summary, ...]:
        """The `latest` so many matches, or every one, in the order in which they were begun. Each is
        counted anew, which takes a small computer a tenth of a second a match."""
        first = 0 if latest is None else max(0, self._latest() - latest + 1)
        return tuple(each.summary for each in self._all(first))

    def records(self, match: int) -> tuple[Record, ...]:
        """What was kept of a match, its beginning first: all of it, or up to what cannot be read, and a
        warning then. JournalError if there is no such match."""
        return self._one(match).records

    def summary(self, match: int) -> Summary:
        """A match as `matches` lists it. Warnings and errors as of `records`."""
        return self._one(match).summary

    def going_on(self) -> Summary | None:
        """The match to go on with: the latest, unless it was left. One that is over goes on until another is
        begun: its last call can be disputed. A match that was begun after another has ended that.

        JournalError of kind "other-version" for a match that only the version can go on with that kept it,
        and "unreadable" for one whose beginning is damaged: it stays as it is, beside the next.
        """
        latest = self._latest()
        if latest == 0:
            return None
        kept = self._readable(latest)
        if kept is None:
            raise JournalError(f"{self._lost(latest)}; {_ANOTHER}", "unreadable")
        if kept.summary.ending == "left":
            return None
        if kept.other_version:
            raise JournalError(
                f"{kept.fault} Another version kept it: use that one, or {_ANOTHER}", "other-version"
            )
        return kept.summary

    def _kept_of(self, of: int, rows: Iterable[Row]) -> Kept | None:
        return kept_of(of, rows)


class Journal(JournalReader, BookWriter[Kept, MatchBegan, Later]):
    """Keeps matches. What `begin` and `append` have returned from survives the loss of power."""

    _coder = CODER

    @classmethod
    def open(cls, directory: Path) -> Self:
        """The journal in a folder, to write, made or mended if need be. Errors as of `to_write`."""
        return cls(to_write(directory, form()))
