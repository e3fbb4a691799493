"""The umpire: frames in, observations out. Joins the eyes (motion, anchors, seeker) with the
tracker.

It says when it cannot see, holds its judgement while the board is not where it was fitted, and
knows no rules.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from firmware.errors import InputError
from firmware.umpire.ball import BallFinder, BallLook, BallView
from firmware.umpire.evidence import Evidence
from firmware.umpire.field import Board, BoardField, Calibrated, SeenCover
from firmware.umpire.knock import Footing, KnockWatch, Refit
from firmware.umpire.motion import Change, ChangeWatch
from firmware.umpire.observations import NoticeCode, NoticeSeen, Observation
from firmware.umpire.rest import Rest
from firmware.umpire.seeker import Seeker
from firmware.umpire.track import Track
from firmware.umpire.tracker import State, finish, step

Image = NDArray[np.uint8]

# The table about the board on which a ball may come to lie in sight, mm.
_AROUND_MM = 60.0
# What lasts no longer than this is not worth a notice.
_NOTICE_AFTER_S = 0.5


class StillFrame(Protocol):
    """What is needed of a camera's frame."""

    @property
    def image(self) -> Image:
        """(height, width, 3) uint8, blue-green-red."""
        ...

    @property
    def captured_at(self) -> float:
        """The camera's time in seconds."""
        ...


class Umpire:
    """Watches one board. Feed `see` every frame in order, and `finish` when a recording ends."""

    def __init__(
        self,
        calibration: Calibrated,
        edition: Board,
        look: BallLook = BallLook.default,
        refit: Refit | None = None,
    ) -> None:
        """`look`: the ball's colour, yellow by default. `refit`: fits the calibration to a picture
        in which the board has moved by millimetres, None if it cannot; without it, calls are
        withheld after a knock until the board is back in its place."""
        self.calibration = calibration
        self._edition = edition
        self._look = look
        self._knocks = KnockWatch(refit)
        self._state = State()
        self._size: tuple[int, int] | None = None
        self._told: set[NoticeCode] = set()
        self._since: dict[NoticeCode, float] = {}
        self._last_at = -np.inf

    def see(self, frame: StillFrame) -> list[Observation]:
        """What became certain with this frame. Raises `InputError` if the picture's size
        changes."""
        image, at = frame.image, frame.captured_at
        if at <= self._last_at:
            return []
        self._last_at = at
        size = (image.shape[1], image.shape[0])
        if self._size is not None and size != self._size:
            raise InputError(
                f"the pictures were {self._size[0]}x{self._size[1]} and are now "
                f"{size[0]}x{size[1]}: start again with one camera mode"
            )
        if self._size is None:
            self._size = size
            self._changes = ChangeWatch(self._size)
            self._set_up(self.calibration)
        lying, hidden = self._seeker.circles(self._state.tracks)
        change = self._changes.see(image, at, lying, hidden)
        told = self._tell_sight(change, at)
        if change.sight != "clear":
            return told + self._step(Evidence(at, blind=True))
        busy = any(_is_doubtful(track, at) for track in self._state.tracks)
        footing = self._knocks.watch(image, at, change, busy=busy)
        told += self._tell_footing(footing, at)
        if footing.fit is not None:
            self._set_up(footing.fit)
            self._changes.forget(change.foreign)
            change = self._changes.see(image, at, *self._seeker.circles(self._state.tracks))
        look = self._seeker.look(image, at, change, self._state.tracks)
        evidence = Evidence(
            captured_at=at,
            glimpses=look.glimpses,
            cover=SeenCover(change.without_lines() if footing.held else change, self._field),
            unchanged=look.unchanged,
            held=footing.held,
            refitted=footing.fit is not None,
            relocate=self._field.glimpse,
        )
        return told + self._step(evidence)

    @property
    def balls(self) -> list[tuple[tuple[float, float], bool]]:
        """Every ball that is followed: where its disc was last seen, px, and whether it lies still."""
        return [
            (self._field.to_px(track.last_mm), track.lying) for track in self._state.tracks if not track.gone
        ]

    def finish(self) -> list[Observation]:
        """The recording has ended: what can be said without more frames."""
        if self._size is None:
            return []
        done = finish(self._state, self._last_at, self._field, self._place)
        self._state = done.state
        return list(done.observations)

    def _set_up(self, calibration: Calibrated) -> None:
        assert self._size is not None
        self.calibration = calibration
        self._field = BoardField(calibration.model, self._edition, self._size)
        (x0, x1), (y0, y1) = self._edition.extent_x_mm, self._edition.extent_y_mm
        x0, x1, y0, y1 = x0 - _AROUND_MM, x1 + _AROUND_MM, y0 - _AROUND_MM, y1 + _AROUND_MM
        region = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        view = BallView.from_camera(calibration.model, self._edition.ball, self._size, region)
        self._seeker = Seeker(BallFinder(self._look, view), self._field)

    def _step(self, evidence: Evidence) -> list[Observation]:
        done = step(self._state, evidence, self._field, self._place)
        self._state = done.state
        return list(done.observations)

    def _place(self, rest: Rest) -> Rest:
        position = self.calibration.place(rest.dot_px, rest.disc_px, rest.dot_sigma_px, rest.disc_sigma_px)
        return replace(rest, position=position)

    def _tell_sight(self, change: Change, at: float) -> list[Observation]:
        told: list[Observation] = []
        blind: Sequence[NoticeCode] = ("too-dark", "covered")
        for code in blind:
            told += self._tell(code, change.sight == code, at)
        if change.sight == "clear" and self._told.intersection(blind):
            self._told.difference_update(blind)
            told.append(NoticeSeen(at, "sight-back"))
        return told

    def _tell_footing(self, footing: Footing, at: float) -> list[Observation]:
        told = self._tell("board-moved", footing.held, at)
        if not footing.held and "board-moved" in self._told:
            self._told.discard("board-moved")
            told.append(NoticeSeen(at, "board-found"))
        told += self._tell("out-of-focus", footing.soft, at)
        if not footing.soft:
            self._told.discard("out-of-focus")
        return told

    def _tell(self, code: NoticeCode, is_so: bool, at: float) -> list[Observation]:
        """A notice once the state has lasted; it may be told again after it has ended."""
        if not is_so:
            self._since.pop(code, None)
            return []
        since = self._since.setdefault(code, at)
        if code in self._told or at - since < _NOTICE_AFTER_S:
            return []
        self._told.add(code)
        return [NoticeSeen(at, code)]


def _is_doubtful(track: Track, at: float) -> bool:
    """Whether a ball has just left its rest or is about to be called at rest: was it the board?"""
    return not track.lying and (len(track.still) > 1 or at - track.left_after < 0.1)
