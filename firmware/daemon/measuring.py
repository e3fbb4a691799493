"""Rests measured again for reviews, in another thread, by the calibration that held while the ball lay there.

What is measured, and what follows from it, is not known here: values go in, and come out when they are done.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final

from firmware.chair.reviews import ReviewWanted
from firmware.daemon.parts import KeepPictures, Launch, Measure
from firmware.texts import Trouble
from firmware.umpire.field import Calibrated
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.rest import Position, Rest

_CALIBRATIONS: Final = 8
"""Of so many rests of strokes; a review is of the last stroke, which may be an earlier one after undos."""

Answer = tuple[ReviewWanted, Position | Trouble, tuple[str, ...]]
"""What was wanted, where the ball lies or why that is not known, and the names of the pictures kept."""

logger = logging.getLogger(__name__)


def in_a_thread(work: Callable[[], None]) -> None:
    """Do it in a thread that does not keep the program from ending."""
    threading.Thread(target=work, name="work", daemon=True).start()


class Measuring:
    """Takes orders and gives answers; both from the loop's thread. `frames_of`: the frames of a rest,
    copies that another thread may read."""

    def __init__(
        self,
        frames_of: Callable[[Rest], Sequence[Cutout]],
        measure: Measure,
        picture: KeepPictures,
        launch: Launch = in_a_thread,
    ) -> None:
        self._frames_of = frames_of
        self._measure = measure
        self._picture = picture
        self._launch = launch
        self._calibrations: deque[tuple[Rest, Calibrated]] = deque(maxlen=_CALIBRATIONS)
        self._former: deque[Rest] = deque(maxlen=_CALIBRATIONS)
        self._answers: SimpleQueue[Answer] = SimpleQueue()

    def came_to_rest(self, rest: Rest, calibration: Calibrated) -> None:
        """A stroke ended there, and this calibration held."""
        self._calibrations.append((rest, calibration))

    def look_anew(self) -> None:
        """Others see from now on: no frame is left of what lay still before their time."""
        self._former.extend(rest for rest, _ in self._calibrations)
        self._calibrations.clear()

    def begin(self, wanted: ReviewWanted) -> None:
        """Have the rest of a stroke measured again; `answer` has the answer once it is there. A rest of
        which no calibration is known any more is answered at once."""
        rest = wanted.stroke.rest
        by = next((by for at, by in reversed(self._calibrations) if at == rest), None)
        if rest is None or by is None:
            self._answers.put((wanted, "found-anew" if rest in self._former else "no-frames", ()))
            return
        held, at, frames = by, rest, self._frames_of(rest)

        def work() -> None:
            again: Position | Trouble = "not-found"
            names: tuple[str, ...] = ()
            # Players who asked are to be answered, whatever happened, and with no picture kept, too.
            try:
                names = self._picture(wanted, frames)
            except Exception:
                logger.exception("pictures of the review of stroke %s", wanted.number)
            try:
                again = self._measure(frames, held, at)
            except Exception:
                logger.exception("review of stroke %s", wanted.number)
            self._answers.put((wanted, again, names))

        self._launch(work)

    def answer(self) -> Answer | None:
        """The oldest answer that nobody has had; None if there is none now."""
        try:
            return self._answers.get_nowait()
        except Empty:
            return None
