"""The daemon's eyes: the umpire once the board is found, the search for it before, what keeps from seeing.

Frames in, observations out; whether anything is scored by them is the daemon's.
"""

import logging
from collections.abc import Sequence
from typing import Final

from firmware.daemon.blindness import Blindness
from firmware.daemon.parts import Found, Launch, Rig, Sight, Watcher
from firmware.daemon.seeking import NotFound, Seeking
from firmware.daemon.troubles import Tell, Troubles, coded
from firmware.errors import InputError
from firmware.setting_up import TRIES
from firmware.texts import NoticeCode, board_unfound, calibration_kept
from firmware.umpire.kept_frames import Cutout
from firmware.umpire.observations import NoticeSeen, Observation
from firmware.umpire.rest import Rest
from hardware.camera import Frame

MOST_FAILED: Final = 30
"""Frames in a row of which nothing can be made: then it is begun anew."""
LOST_AFTER_S: Final = 6.0
"""So long a board that has moved is looked for about its former place, by the umpire; then all over."""

_BUG: Final = "no umpire can see with it; tell the makers: "

logger = logging.getLogger(__name__)


class Looking:
    """Used by the loop's thread; `launch` runs the search. What is wrong goes to `troubles`, and to `tell`
    whenever the board is found."""

    def __init__(self, rig: Rig, tell: Tell, troubles: Troubles, launch: Launch) -> None:
        self._finder = rig.finder
        self._tell = tell
        self._troubles = troubles
        self._seeking = Seeking(rig.finder, launch)
        self._sight: Sight | None = None
        self._blindness = Blindness()
        self._tries = 0
        self._failed = 0
        self._moved_at: float | None = None
        """Since when the umpire withholds its calls: board or camera is not where it was."""
        self._lost = False
        """It is sought for that."""
        if rig.sight is None:
            self._seek(anew=False, now=rig.clock())
        else:
            self._begin(rig.sight)

    @property
    def sight(self) -> Sight | None:
        """What sees, another one whenever the board is found; None while it is not known where it lies."""
        return self._sight

    @property
    def umpire(self) -> Watcher | None:
        """Who sees; None as for `sight`."""
        return None if self._sight is None else self._sight.umpire

    @property
    def ball_lies(self) -> bool:
        """Whether a ball is seen to lie still; not while hands have it, or cover it."""
        umpire = self.umpire
        return umpire is not None and any(lying for _, lying in umpire.balls)

    @property
    def trouble(self) -> NoticeCode | None:
        """What keeps the umpire from seeing, as it tells it; None if nothing does."""
        return self._blindness.trouble

    @property
    def withholds(self) -> bool:
        """Whether the umpire withholds its calls for what it cannot see."""
        return self._blindness.withholds

    def new_match(self) -> None:
        """Another match begins, under the same eyes."""
        self._blindness.new_match()

    @property
    def seeks(self) -> bool:
        """Whether the board is sought: what is seen meanwhile is not to be scored."""
        return self._seeking.on

    def calibrate(self, now: float) -> None:
        """Have the board found anew; if it cannot be, it is taken to lie where it did."""
        self._seek(anew=True, now=now)

    def see(self, frame: Frame, now: float) -> Sequence[Observation]:
        """What became certain with this frame."""
        self._seeking.offer(frame)
        sight = self._sight
        if sight is None:
            return ()
        try:
            found = sight.umpire.see(frame)
        except InputError as error:
            self._unusable(str(error), now)
            if self._failed == MOST_FAILED:  # the camera has come back with another size
                self._see_with(None)
                self._seek(anew=False, now=now)
            return ()
        except Exception as error:  # a bug in seeing must not end the match
            if self._unusable(f"the umpire failed; tell the makers: {error!r}", now):
                logger.exception("umpire")
            if self._failed == MOST_FAILED:
                self._begin_anew(sight, now)
            return ()
        self._failed = 0
        self._troubles.well("pictures")
        self._offer(sight, frame, found, now)
        self._blindness.heard(found)
        self._watch_board(found, now)
        return found

    def attend(self, now: float) -> None:
        """Once a turn: see to what has come of the search."""
        answer = self._seeking.answer()
        match answer:
            case None:
                pass
            case NotFound():
                self._not_found(answer, now)
            case Found():
                try:
                    sight = self._finder.sight(answer.calibration)
                except Exception as error:  # as if it had not been found: it is tried again
                    logger.exception("a new umpire")
                    self._not_found(NotFound(f"{_BUG}{error!r}", "not-found"), now)
                    return
                self._begin(sight)
                self._end_search()
                self._troubles.note(coded("calibrated"), now)
                if answer.unsaved:
                    self._troubles.log("calibration", answer.unsaved)

    def finish(self, now: float) -> Sequence[Observation]:
        """A recording has ended: what can be said without more frames."""
        if self._sight is None:
            return ()
        try:
            return self._sight.umpire.finish()
        except Exception as error:
            self._troubles.failed("umpire", error, coded("failed"), now)
            return ()

    def frames_of(self, rest: Rest) -> tuple[Cutout, ...]:
        """The frames of a rest."""
        return () if self._sight is None else self._sight.kept.frames_of(rest)

    def _seek(self, *, anew: bool, now: float) -> None:
        self._tries = 0
        self._seeking.begin(anew=anew)
        saying = coded("looking-for-board" if self._sight is None else "calibrating")
        self._troubles.wrong("board", "looking for the board", saying, now)

    def _begin(self, sight: Sight) -> None:
        """The board is found."""
        self._tell({"kind": "board-found", "residual_mm": round(sight.residual_mm, 4)})
        self._see_with(sight)

    def _see_with(self, sight: Sight | None) -> None:
        """Others see from now on, or nobody; what the former could not see is no matter any more."""
        self._sight = sight
        self._blindness = Blindness()
        self._failed = 0
        self._moved_at = None

    def _begin_anew(self, sight: Sight, now: float) -> None:
        """An umpire that does not come to itself is begun anew where the board lies. One that withheld its
        calls knew that it does not lie there: the next would take it to, and the board is sought at once."""
        had_moved = self._moved_at is not None
        self._failed = 0
        try:
            another = self._finder.sight(sight.umpire.calibration)
        except Exception:  # the former one may come to itself yet
            logger.exception("a new umpire")
            return
        self._see_with(another)
        if had_moved:
            self._lost = True
            self._seek(anew=True, now=now)

    def _end_search(self) -> None:
        self._seeking.end()
        self._lost = False
        self._troubles.well("board")

    def _watch_board(self, found: Sequence[Observation], now: float) -> None:
        """A board that the umpire does not find again, for it or the camera has moved too far, is sought."""
        for seen in found:
            if isinstance(seen, NoticeSeen) and seen.code == "board-moved":
                self._moved_at = now
            elif isinstance(seen, NoticeSeen) and seen.code == "board-found":
                self._moved_at = None
                if self._lost:
                    self._end_search()
        if self._moved_at is not None and now >= self._moved_at + LOST_AFTER_S and not self._seeking.on:
            self._lost = True
            self._seek(anew=True, now=now)

    def _not_found(self, answer: NotFound, now: float) -> None:
        why = answer.why
        self._tries += 1
        if self._sight is not None and not self._lost:
            if self._tries >= TRIES and why is not None:
                self._end_search()
                self._troubles.say("board", answer.detail, lambda texts: calibration_kept(why, texts), now)
        elif why is None:
            self._troubles.wrong("board", answer.detail, coded("looking-for-board"), now)
        else:
            self._troubles.wrong("board", answer.detail, lambda texts: board_unfound(why, texts), now)

    def _unusable(self, detail: str, now: float) -> bool:
        """A frame of which nothing can be made; whether people have not heard of it."""
        self._failed += 1
        return self._troubles.wrong("pictures", detail, coded("no-pictures"), now)

    def _offer(self, sight: Sight, frame: Frame, found: Sequence[Observation], now: float) -> None:
        """Have the frame kept for reviews; calls go on without them."""
        try:
            sight.kept.offer(frame, sight.umpire.balls, found)
        except InputError as error:
            self._troubles.wrong("reviews", str(error), coded("no-reviews"), now)
        except Exception as error:
            detail = f"the frames of reviews are not kept; tell the makers: {error!r}"
            if self._troubles.wrong("reviews", detail, coded("no-reviews"), now):
                logger.exception("frames of reviews")
        else:
            self._troubles.well("reviews")
