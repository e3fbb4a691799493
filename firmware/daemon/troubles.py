"""What people are to be told beside the match: parts that are not well, and what has just come about.

Each is told once, and shown in whatever language is spoken by then; what is not of the moment stands until it
could be read. Times come in; what of it stands on a panel, and what is to be seen instead, is not known here.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.chair.notices import NOTICE_S, Saying
from firmware.report import Line
from firmware.texts import Texts, TroubleCode, trouble_sentence

Tell = Callable[[Line], None]
"""Is given a line for every event."""

_SIGHT: Final = ("camera", "pictures", "board")
"""Without one of them nothing is seen; the first is what is behind the others."""
_KEEPING: Final = "journal"
_NOTICE_LENGTH: Final = 200
"""What a scoreboard's notice may have."""
CHECK_S: Final = 8.0
"""So long, in seconds, something stands on the panels for which people have to look at something else."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Unread:
    """Something that is to stand for `left_s` more seconds in which it can be read; `to_check`: or until
    somebody presses CONFIRM."""

    saying: Saying
    left_s: float
    to_check: bool = False


class Troubles:
    """One sentence for each part that is not well, and one that passes. `tell`: for the log, in English."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._standing: dict[str, tuple[str, Saying]] = {}
        self._passing: tuple[Saying, float] | None = None
        self._unread: dict[str, _Unread] = {}
        self._stands: _Unread | None = None
        """What of it could be read at the last turn; `_since`: and since when, `_until`: and till when."""
        self._since = self._until = 0.0

    def wrong(self, part: str, detail: str, saying: Saying, now: float) -> bool:
        """Something is wrong with a part: logged once with its `detail`, until it is well. What stops the
        scoring is shown as long as it lasts, all else for a moment, as soon as it can be. Whether it was not
        known."""
        before, self._standing[part] = self._standing.get(part), (detail, saying)
        if before is not None and before[0] == detail:
            return False
        self.log(part, detail)
        if part not in _SIGHT and part != _KEEPING:
            self._unread.pop(part, None)  # it is the latest now
            self._unread[part] = _Unread(saying, NOTICE_S)
        return True

    def failed(self, part: str, error: Exception, saying: Saying, now: float) -> None:
        """A bug, which must not end the match, while it is handled: logged whole once until the part is well.
        As `wrong`, but that its words may differ each time."""
        standing = self._standing.get(part)
        words = f"{part} failed; tell the makers: "
        if standing is not None and standing[0].startswith(words):
            return
        logger.exception("%s", part)
        self.wrong(part, f"{words}{error!r}", saying, now)

    def well(self, part: str) -> None:
        """It is well, again or still: nobody need begin to read any more that it was not."""
        if self._unread.get(part) is not self._stands:
            self._unread.pop(part, None)
        if self._standing.pop(part, None) is not None:
            self._tell({"kind": "well", "part": part})

    def say(self, part: str, detail: str, saying: Saying, now: float) -> None:
        """Tell people once of something that is no trouble any more."""
        self.log(part, detail)
        self.note(saying, now)

    def note(self, saying: Saying, now: float) -> None:
        """Have something be read for a moment."""
        self._passing = saying, now + NOTICE_S

    def have_read(self, part: str, detail: str, code: TroubleCode) -> None:
        """Tell people of something after which they have to check what they see: it stands until it could be
        read, or somebody presses CONFIRM."""
        self.log(part, detail)
        self._unread[code] = _Unread(coded(code), CHECK_S, to_check=True)

    def passing(self, now: float, texts: Texts) -> str | None:
        """What was told a moment ago, else what nobody could read yet."""
        if self._passing is not None and now < self._passing[1]:
            return short(self._passing[0](texts))
        unread = self._next
        return None if unread is None else short(unread.saying(texts))

    def stood(self, notice: str | None, texts: Texts, now: float, *, seen: bool) -> None:
        """Once a turn: this is told on the panels from now on; `seen`: and nothing hides it. What people have
        had the time to read is told no more."""
        unread = self._next
        is_told = unread is not None and seen and notice == self.passing(now, texts)
        if unread is None or not is_told or (self._passing is not None and now < self._passing[1]):
            self._stands = None
            return
        if self._stands is not unread:
            self._stands, self._since = unread, now
        else:
            unread.left_s -= now - self._until
        self._until = now
        if unread.left_s <= 0.0:
            self._drop(unread)

    def is_read(self, pressed_at_s: float) -> bool:
        """CONFIRM was pressed then: whether that was for something that had to be checked, which is told no
        more."""
        stands = self._stands
        if stands is None or not stands.to_check or pressed_at_s < self._since:
            return False
        self._drop(stands)
        return True

    def unkept(self, texts: Texts) -> str | None:
        """Why nothing can be kept; None if it can."""
        standing = self._standing.get(_KEEPING)
        return None if standing is None else short(standing[1](texts))

    def unseen(self, texts: Texts) -> str | None:
        """Why nothing is seen; None if it is."""
        standing = next((self._standing[part] for part in _SIGHT if part in self._standing), None)
        return None if standing is None else short(standing[1](texts))

    @property
    def _next(self) -> _Unread | None:
        """The latest: what was told before it comes back after it."""
        return next(reversed(self._unread.values()), None)

    def _drop(self, read: _Unread) -> None:
        self._stands = None
        self._unread = {key: unread for key, unread in self._unread.items() if unread is not read}

    def log(self, part: str, detail: str) -> None:
        """Log what nobody at the table need know."""
        self._tell({"kind": "trouble", "part": part, "text": detail})


def log_line(line: Line) -> None:
    """Log an event as a line of JSON."""
    logger.info("%s", json.dumps(line, default=str, ensure_ascii=False))


def coded(code: TroubleCode) -> Saying:
    """What there is a text for."""
    return lambda texts: trouble_sentence(code, texts)


def short(text: str) -> str:
    """What a panel has room for."""
    return text if len(text) <= _NOTICE_LENGTH else text[: _NOTICE_LENGTH - 1] + "…"
