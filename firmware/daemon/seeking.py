"""Looking for the board in the frames that come: a mean picture of a few, measured in another thread, and
again half a second later while no board is found.

How a board is found, and what is said and scored meanwhile, is not known here.
"""

import logging
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final

from calibration.errors import CalibrationError, RefusedError
from firmware.daemon.parts import Finder, Found, Image, Launch
from firmware.setting_up import PAUSE_S, MeanPicture
from firmware.texts import Unfound
from hardware.camera import Frame

logger = logging.getLogger(__name__)

_BUG: Final = "the search for the board failed; tell the makers: "


@dataclass(frozen=True, slots=True)
class NotFound:
    """One try was in vain. `detail`: why, in English. `why`: None if the board does not lie where it did."""

    detail: str
    why: Unfound | None


class Seeking:
    """Used by the loop's thread. `on`: whether the board is sought now."""

    def __init__(self, finder: Finder, launch: Launch) -> None:
        self._finder = finder
        self._launch = launch
        self._answers: SimpleQueue[tuple[int, Found | NotFound]] = SimpleQueue()
        self._mean = MeanPicture()
        self._busy = False
        self._tried_at: float | None = None
        self._search = 0
        self._anew = False
        self.on = False

    def begin(self, *, anew: bool) -> None:
        """Seek from now on; `anew`: whatever was known of where it lies. A search that is on is forgotten."""
        self._search += 1
        self._anew = anew
        self._tried_at = None
        self._mean = MeanPicture()
        self.on = True

    def end(self) -> None:
        """Seek no more."""
        self.on = False

    def offer(self, frame: Frame) -> None:
        """Take in a frame, while it is sought."""
        # The camera's time may begin anew when it is opened again.
        waits = self._tried_at is not None and abs(frame.captured_at - self._tried_at) < PAUSE_S
        if not self.on or self._busy or waits:
            return
        self._mean.add(frame.image)
        picture = self._mean.picture() if self._mean.full else None
        if picture is None:
            return
        self._mean = MeanPicture()
        self._tried_at = frame.captured_at
        self._busy = True
        search, anew = self._search, self._anew
        self._launch(lambda: self._answers.put((search, self._result(picture, anew))))

    def answer(self) -> Found | NotFound | None:
        """What came of the last try, once; None if that is not known yet, or nobody wants to know it."""
        try:
            search, result = self._answers.get_nowait()
        except Empty:
            return None
        self._busy = False
        return result if self.on and search == self._search else None

    def _result(self, picture: Image, anew: bool) -> Found | NotFound:
        """Find it, in the other thread."""
        try:
            return self._finder.find(picture, anew=anew)
        except RefusedError as error:
            return NotFound(str(error), error.kind)
        except CalibrationError as error:
            return NotFound(str(error), None)
        except Exception as error:  # a picture that nobody has thought of; the next one is another
            logger.exception("looking for the board")
            return NotFound(f"{_BUG}{error!r}", "not-found")
