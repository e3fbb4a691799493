"""A match from its records again, with the lines that told it. Nothing is kept or read here.

The landings are those that were kept, not measured anew: a score that was shown stays, though the board's
file or the geometry's code may have changed since.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from calibration.edition import Edition
from firmware.journal.records import Acted, MatchBegan, Record
from firmware.keeping.errors import JournalError
from firmware.match import Match
from firmware.report import Line
from firmware.rules import IllegalAction

_NO_BEGINNING: Final = "these are not the records of one match: they begin with none; report this fault"


def resume(edition: Edition, records: Sequence[Record]) -> Match:
    """The match as it stood after its records (`JournalReader.records`), its lines and panels included.

    JournalError if they do not begin with a MatchBegan, or if the rules do not allow one of them.
    """
    match = _begun(edition, records)
    for _ in _redone(match, records):
        pass
    return match


def replayed(edition: Edition, records: Sequence[Record]) -> Iterator[tuple[Record, Match, list[Line]]]:
    """Each record after the first, the match as it stands after it, and the lines that it led to.

    JournalError as for `resume`.
    """
    match = _begun(edition, records)
    for record, lines in _redone(match, records):
        yield record, match, lines


def board_warning(edition: Edition, records: Sequence[Record]) -> str | None:
    """What is to be said if the match was played on another board than `edition`; None if it was not."""
    began = _beginning(records)
    if began.board_digest == edition.digest:
        return None
    return (
        f"The match was begun on another board than {edition.name!r} is now ({began.board!r}, or its file "
        "has changed since). Its calls stay as they were made; strokes from now on are called by this board."
    )


def _beginning(records: Sequence[Record]) -> MatchBegan:
    if not records or not isinstance(records[0], MatchBegan):
        raise JournalError(_NO_BEGINNING)
    return records[0]


def _begun(edition: Edition, records: Sequence[Record]) -> Match:
    return Match(edition, _beginning(records).setup)


def _redone(match: Match, records: Sequence[Record]) -> Iterator[tuple[Record, list[Line]]]:
    for number, record in enumerate(records[1:], start=2):
        try:
            yield record, match.act(record.action, record.measured) if isinstance(record, Acted) else []
        except IllegalAction as error:
            raise JournalError(
                f"record {number} of the match is not allowed by the rules of this version ({error.reason}); "
                "it was made by another version: use that one",
                "other-version",
            ) from error
