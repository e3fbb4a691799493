"""What people are to be told beside the match: parts that are not well, and what has just come about.

Each is told once, and shown in whatever language is spoken by then. Times come in; what of it stands on a
panel, and what is to be seen instead, is not known here.
"""

import json
import logging
from collections.abc import Callable
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

logger = logging.getLogger(__name__)


class Troubles:
    """One sentence for each part that is not well, and one that passes. `tell`: for the log, in English."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._standing: dict[str, tuple[str, Saying]] = {}
        self._passing: tuple[Saying, float] | None = None

    def wrong(self, part: str, detail: str, saying: Saying, now: float) -> bool:
        """Something is wrong with a part: logged once with its `detail`, until it is well. What stops the
        scoring is shown as long as it lasts, all else for a moment. Whether it was not known."""
        before, self._standing[part] = self._standing.get(part), (detail, saying)
        if before is not None and before[0] == detail:
            return False
        self.log(part, detail)
        if part not in _SIGHT and part != _KEEPING:
            self._passing = saying, now + NOTICE_S
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
        """It is well, again or still."""
        if self._standing.pop(part, None) is not None:
            self._tell({"kind": "well", "part": part})

    def say(self, part: str, detail: str, saying: Saying, now: float) -> None:
        """Tell people once of something that is no trouble any more."""
        self.log(part, detail)
        self.note(saying, now)

    def note(self, saying: Saying, now: float) -> None:
        """Have something be read for a moment."""
        self._passing = saying, now + NOTICE_S

    def passing(self, now: float, texts: Texts) -> str | None:
        """What was told a moment ago."""
        if self._passing is None or now >= self._passing[1]:
            return None
        return short(self._passing[0](texts))

    def unkept(self, texts: Texts) -> str | None:
        """Why nothing can be kept; None if it can."""
        standing = self._standing.get(_KEEPING)
        return None if standing is None else short(standing[1](texts))

    def unseen(self, texts: Texts) -> str | None:
        """Why nothing is seen; None if it is."""
        standing = next((self._standing[part] for part in _SIGHT if part in self._standing), None)
        return None if standing is None else short(standing[1](texts))

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
