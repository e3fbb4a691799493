"""A match's records on disk before anything of them is told: what could not be kept waits and is tried again.

What the records say, and what is made of them once they are kept, is not known here.
"""

from dataclasses import dataclass
from typing import Final

from firmware.chair.outgoing import Outgoing
from firmware.daemon.troubles import Tell, Troubles
from firmware.journal import Journal, JournalError, MatchBegan
from firmware.texts import match_unkept

RETRY_S: Final = 1.0
"""So often it is tried to keep what the journal could not."""


@dataclass(slots=True)
class _Held:
    """Something that is not kept yet, and therefore not told; `kept`: so many of its records are."""

    out: Outgoing
    began: MatchBegan | None = None
    kept: int = 0
    retry_at: float = 0.0


class Ledger:
    """The records of one match after the other, in the loop's thread. Times are the rig's clock."""

    def __init__(self, journal: Journal, tell: Tell, troubles: Troubles) -> None:
        self._journal = journal
        self._tell = tell
        self._troubles = troubles
        self._held: _Held | None = None
        self.match: int | None = None
        """The match's number in the journal; None until its beginning is kept."""

    @property
    def waits(self) -> bool:
        """Whether something is not kept yet. Nothing else may come before it is."""
        return self._held is not None

    def begin(self, began: MatchBegan, now: float) -> None:
        """A new match; the former is over, or was left."""
        self.match = None
        self._held = _Held(Outgoing(), began)
        self.retry(now)

    def keep(self, out: Outgoing, now: float) -> Outgoing | None:
        """`out`, if its records are kept and it may be told; None if it has to wait (`retry` has it then).
        Only while nothing waits, or for what needs no keeping."""
        if not out.records:
            return out
        self._held = _Held(out)
        return self.retry(now)

    def retry(self, now: float, *, at_once: bool = False) -> Outgoing | None:
        """Go on with what waits from where it failed, if it is time or `at_once`; it, when it may be told."""
        held = self._held
        if held is None or (now < held.retry_at and not at_once):
            return None
        try:
            if held.began is not None:
                self.match = self._journal.begin(held.began)
                held.began = None
                self._tell({"kind": "began", "match": self.match})
            for record in held.out.records[held.kept :]:
                assert self.match is not None
                self._journal.append(self.match, record)
                held.kept += 1
        except JournalError as error:
            held.retry_at = now + RETRY_S
            kind = error.kind
            self._troubles.wrong("journal", str(error), lambda texts: match_unkept(kind, texts), now)
            return None
        except Exception as error:  # a bug: what is not kept must not be told, nor end the loop
            held.retry_at = now + RETRY_S
            self._troubles.failed("journal", error, lambda texts: match_unkept("failed", texts), now)
            return None
        self._held = None
        self._troubles.well("journal")
        return held.out
