"""Who plays on the simulated table: at each turn what the daemon's match waits for, and now and then
somebody presses a button.

Looks at the match as people look at the panels. Nothing is measured here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from firmware.daemon.daemon import Daemon
from firmware.landings import dot_half
from firmware.match import BOTH_SIDES
from firmware.rules import (
    BoxSide,
    DecisionAwaited,
    PlacementAwaited,
    Side,
    Waiting,
    end_of,
    side_of,
    target_box,
)
from firmware.rules.setup import opponent_of
from hardware.button import Button
from hardware.simulated.buttons import SimulatedButtons
from hardware.simulated.players import Situation
from hardware.simulated.table import PlacementTruth, StrokeTruth

SETTLED_S = 1.2
"""After the ball's rest players look where it lies, and hear the call."""
_PRESS_S, _HOLD_S = 0.15, 2.2
_AFTER_STROKES = (("challenge", 4, 1), ("move", 7, 2), ("undo", 9, 3))
"""What happens after a stroke: after every so-manieth, and the first time after which."""
_BESIDE_MM = (-235.0, 100.0)
"""Behind end A's baseline, beside where anybody serves from."""


class Stage(Protocol):
    """What is asked of the table and its players."""

    def play(self, situation: Situation) -> StrokeTruth: ...

    def carry(self, side: Side, dot_to_mm: tuple[float, float]) -> PlacementTruth: ...


@dataclass(slots=True)
class Done:
    """What was done so far."""

    strokes: list[StrokeTruth] = field(default_factory=list)
    """The truth of each; may be thrown away."""
    played: int = 0
    placements: int = 0
    challenges: int = 0
    undos: int = 0
    confirms: int = 0
    matches: int = 1


class Director:
    """Call `direct` between the daemon's turns. `clock`: the table's seconds, which are the buttons' too.
    `presses`: whether buttons are pressed at all."""

    def __init__(
        self,
        daemon: Daemon,
        stage: Stage,
        buttons: SimulatedButtons,
        clock: Callable[[], float],
        *,
        presses: bool,
    ) -> None:
        self.done = Done()
        self._daemon = daemon
        self._stage = stage
        self._buttons = buttons
        self._clock = clock
        self._presses = presses
        self._idle_from = 0.5
        self._after_stroke: list[str] = []
        self._tries = 0

    def direct(self) -> None:
        """Have the next thing done, when the last one is over."""
        if self._clock() < self._idle_from:
            return
        chair = self._daemon.chair
        waiting = chair.match.state.waiting
        if chair.review is not None and chair.review.now is not None:
            self._confirm(opponent_of(chair.review.by))
        elif waiting is None:
            self._daemon.new_match()
            self.done.matches += 1
            self._idle_from = self._clock() + SETTLED_S
        elif isinstance(waiting, DecisionAwaited):
            self._confirm(side_of(waiting.seat))
        elif self._after_stroke:
            self._do(self._after_stroke.pop(0))
        elif isinstance(waiting, PlacementAwaited):
            self._lay()
        else:
            self._play(waiting)

    def _play(self, waiting: Waiting) -> None:
        state = self._daemon.chair.match.state
        end = end_of(side_of(waiting.seat), state.standing.ends_changed)
        marker = state.marker if side_of(waiting.seat) == end else -state.marker
        truth = self._stage.play(Situation(end, _box(waiting), marker))
        self.done.strokes.append(truth)
        self.done.played += 1
        self._idle_from = truth.rested_at + SETTLED_S
        self._tries = 0
        if self._presses:
            self._after_stroke += [
                what for what, every, first in _AFTER_STROKES if self.done.played % every == first
            ]

    def _lay(self) -> None:
        """The ball is laid where it is wanted; where that does not help, both sides agree to play on."""
        wanted_mm = self._daemon.chair.match.wanted_mm()
        if wanted_mm is None or (self._presses and self._tries >= 2):
            for side in BOTH_SIDES:
                self._confirm(side)
            return
        self._tries += 1
        self.done.placements += 1
        self._idle_from = self._stage.carry(dot_half(wanted_mm), wanted_mm).placed_at + SETTLED_S

    def _do(self, what: str) -> None:
        at = self._clock() + 0.05
        strokes = self._daemon.chair.match.state.strokes
        by = opponent_of(side_of(strokes[-1].called.seat)) if strokes else "A"
        if what == "move":
            self.done.placements += 1
            self._idle_from = self._stage.carry("A", _BESIDE_MM).placed_at + SETTLED_S
        elif what == "challenge":
            self._buttons.press(Button(by, "challenge"), at, _PRESS_S, bounces=5)
            self.done.challenges += 1
            self._idle_from = at + _PRESS_S + SETTLED_S
        else:
            self._buttons.press(Button(by, "confirm"), at, _HOLD_S, bounces=5)
            self.done.undos += 1
            self._idle_from = at + _HOLD_S + SETTLED_S

    def _confirm(self, side: Side) -> None:
        at = self._clock() + 0.05
        self._buttons.press(Button(side, "confirm"), at, _PRESS_S, bounces=5)
        self.done.confirms += 1
        self._idle_from = at + _PRESS_S + 0.3


def _box(waiting: Waiting) -> BoxSide | None:
    """The box at which a serve is aimed."""
    side = getattr(waiting, "side", None)
    return None if side is None else target_box(side)
