"""How a match begins or goes on: while the journal cannot tell, nothing is scored, and that is told.

What passes is tried again; what does not waits for people. The match itself is the daemon's.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal

from firmware.chair.chair import Chair
from firmware.daemon.ledger import RETRY_S
from firmware.daemon.parts import Terms, Voiced
from firmware.daemon.troubles import Troubles
from firmware.journal import JournalError, Record, Summary, TableKind
from firmware.match import Match
from firmware.texts import Unkept, match_unkept

Start = Literal["go-on", "go-on-unless-over", "new"]
"""How a daemon starts: with the latest match, be it over or not, so that its last call can still be disputed;
with the latest if it is not over; or with another, for which the latest is left."""

_PART: Final = "journal"
_PASSING: Final[tuple[Unkept, ...]] = ("full", "read-only", "busy", "failed")
"""What people or time can mend while the program runs."""
logger = logging.getLogger(__name__)


def new_chair(terms: Terms, voice: Voiced) -> Chair:
    """The chair of a match of which nothing is kept."""
    return Chair(
        Match(terms.edition, terms.setup),
        terms.texts,
        voice=voice.texts,
        review_limit=terms.review_limit,
        as_played=terms.as_played,
    )


def resumed_chair(records: Sequence[Record], terms: Terms, voice: Voiced) -> Chair:
    """The chair of a match that goes on. JournalError as for `Chair.resumed`."""
    return Chair.resumed(
        terms.edition,
        records,
        terms.texts,
        voice=voice.texts,
        review_limit=terms.review_limit,
        as_played=terms.as_played,
    )


def goes_on(last: Summary, table: TableKind) -> bool:
    """Whether a match may be played on at such a table. One that was kept before its table was told may be of
    any kind but a recording."""
    return last.table == table or (last.table is None and table != "recording")


class Resuming:
    """In the loop's thread; times are the rig's clock."""

    def __init__(self, troubles: Troubles) -> None:
        self._troubles = troubles
        self._retry_at: float | None = None
        self.waits = False
        """It is not known how the match goes on, or it cannot go on."""
        self.stuck = False
        """It will not pass: another match is begun when people ask for it, and not before."""

    def due(self, now: float) -> bool:
        """Whether to try again."""
        return self.waits and not self.stuck and (self._retry_at is None or now >= self._retry_at)

    @contextmanager
    def trying(self, now: float) -> Iterator[None]:
        """Within it, the match is read and counted anew: `waits` tells afterwards whether that failed. Raises
        nothing: what the rules do not bear must not end the program, which would only start with it again."""
        try:
            yield
        except JournalError as error:
            self._wait(str(error), error.kind, now)
        except Exception as error:
            logger.exception("resuming")
            self._wait(f"the match cannot be counted anew; tell the makers: {error!r}", "unreadable", now)
        else:
            self.end()

    def end(self) -> None:
        """It is known again, or people want another match."""
        if self.waits:
            self._troubles.well(_PART)
        self.waits = self.stuck = False

    def _wait(self, detail: str, why: Unkept, now: float) -> None:
        self.waits, self.stuck, self._retry_at = True, why not in _PASSING, now + RETRY_S
        self._troubles.wrong(_PART, detail, lambda texts: match_unkept(why, texts), now)
