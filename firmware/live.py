"""A live match on the simulated table: frames to the umpire, calls to people, turns to players.

Time is the table's own; how fast it passes for people is the caller's. No option is parsed here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from calibration.edition import Edition
from firmware.agreement import Agreement, differences, true_call
from firmware.display import Display
from firmware.match import Match
from firmware.rules import Called, GameWon, MatchWon, ServeAwaited, SetWon, State, side_of
from firmware.umpire.observations import NoticeSeen, Observation, StrokeSeen
from hardware.camera import Frame
from hardware.simulated.players import Situation
from hardware.simulated.table import PlacementTruth, Side, StrokeTruth

Point = tuple[float, float]
Sight = Callable[[], tuple[Point, bool] | None]
"""Where the umpire sees the ball now, mm in board axes, and whether it lies still; None if nowhere."""
Aim = Callable[[State], Point | None]
"""Where to aim, world mm, for whoever's turn it is; None leaves it to the simulated player."""

MISSED_AFTER_S = 3.0
"""So long after the ball's rest without a call the stroke counts as missed. The umpire waits 2 s
for a ball that it has lost to show itself."""
_SAME_STROKE_S = 0.75
"""A call whose stroke began no farther than this from the real touch is that stroke's."""
_ALL_IS_WELL = ("sight-back", "board-found")


class StoppedError(Exception):
    """The person who plays wants to stop."""


class Table(Protocol):
    """What is asked of the table."""

    now: float

    def carry(self, side: Side, dot_to_mm: Point) -> PlacementTruth:
        """Have `side` carry the ball."""


class Players(Protocol):
    """What is asked of the players."""

    def play(self, situation: Situation, aim_mm: Point | None = None) -> StrokeTruth:
        """Play a stroke; its truth, known beforehand."""


class Watcher(Protocol):
    """What is asked of the umpire."""

    def see(self, frame: Frame) -> list[Observation]:
        """What became certain with this frame."""


@dataclass(frozen=True, slots=True)
class Rig:
    """The parts of a live match."""

    edition: Edition
    table: Table
    players: Players
    umpire: Watcher
    sight: Sight
    display: Display
    aim: Aim


class LiveMatch:
    """Feed `see` each frame; done when `over` says so. `agreement` tells how good its calls are."""

    def __init__(self, rig: Rig, match: Match, games: int | None = None) -> None:
        self._rig = rig
        self._match = match
        self._games_left = games
        self._notice: str | None = None
        self._played: StrokeTruth | None = None
        self.agreement = Agreement()

    @property
    def over(self) -> bool:
        """The match, or the number of games that was wanted, has been played."""
        return self._match.state.waiting is None or self._games_left == 0

    def begin(self) -> None:
        """Show the panels and have the first serve played. StoppedError as for `see`."""
        self._show()
        self._next_turn()

    def see(self, frame: Frame) -> None:
        """Take in a frame. StoppedError when the person whose turn it is wants to stop."""
        found = self._rig.umpire.see(frame)
        # Before the calls: a call may ask a person to aim, who then wants to see the ball.
        self._rig.display.ball(*(self._rig.sight() or (None, False)))
        for seen in found:
            self._take(seen)
            if self.over:
                return
        played = self._played
        if played is not None and self._rig.table.now > played.rested_at + MISSED_AFTER_S:
            self._missed(played)

    def result(self) -> str:
        """How it ended, in one sentence."""
        state = self._match.state
        (a, b), (games_a, games_b) = state.score.sets, state.score.games
        if state.outcome is not None:
            return f"{state.outcome.winner} wins the match, {a}-{b} in sets."
        points = "-".join(state.score.point_names)
        return f"Stopped at sets {a}-{b}, games {games_a}-{games_b}, points {points}."

    def _take(self, seen: Observation) -> None:
        if isinstance(seen, NoticeSeen):
            self._notice = None if seen.code in _ALL_IS_WELL else seen.text
            self._show()
            return
        if self._notice is not None:
            self._notice = None
            self._show()
        if isinstance(seen, StrokeSeen):
            self._call(seen)

    def _call(self, seen: StrokeSeen) -> None:
        before, played = self._match.state, self._played
        line = self._match.take(seen)
        self._rig.display.call(line)
        if played is not None and abs(seen.started_at - played.touched_at) <= _SAME_STROKE_S:
            true = true_call(self._rig.edition, before, played)
            self.agreement = self.agreement.with_call(line, true, played)
            if differences(line, true):
                self._rig.display.say(f"     -- the table knows better: {_described(true)}")
            self._played = None
        else:
            self.agreement = self.agreement.with_invented()
            self._rig.display.say("     -- the table knows of no such stroke")
        self._tell_wins()
        self._show()
        if not self.over and self._played is None:
            self._next_turn()

    def _tell_wins(self) -> None:
        for event in self._match.events:
            score = event.score
            if isinstance(event, GameWon):
                if self._games_left is not None:
                    self._games_left -= 1
                self._rig.display.say(f"Game to {event.winner}: games {_pair(score.games)}")
            elif isinstance(event, SetWon):
                text = f"Set to {event.winner}, {_pair(event.games)}: sets {_pair(score.sets)}"
                self._rig.display.say(text)
            elif isinstance(event, MatchWon):
                self._rig.display.say(f"Match to {event.outcome.winner}")

    def _missed(self, played: StrokeTruth) -> None:
        """Nobody called the stroke: as people would, they put the ball back and play it again."""
        self.agreement = self.agreement.with_missed()
        self._rig.display.say("     -- that stroke was not called; it is played again")
        self._rig.table.carry(played.side, played.start.dot_mm)
        self._next_turn()

    def _next_turn(self) -> None:
        state = self._match.state
        waiting = state.waiting
        if waiting is None:
            return
        box = waiting.box if isinstance(waiting, ServeAwaited) else None
        situation = Situation(side_of(waiting.seat), box, state.marker)
        self._played = self._rig.players.play(situation, self._rig.aim(state))

    def _show(self) -> None:
        self._rig.display.show(self._match.scoreboard(self._notice))


def _described(call: Called) -> str:
    points = "" if call.points is None else f", points {call.points}"
    margin = "" if call.margin_mm is None else f", margin {call.margin_mm:+.2f} mm"
    return f"{call.call}{points}{margin}"


def _pair(counts: tuple[int, int]) -> str:
    return f"{counts[0]}-{counts[1]}"
