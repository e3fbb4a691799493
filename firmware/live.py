"""A live match on the simulated table: frames to the umpire, calls to people, turns to players.

Time is the table's own; how fast it passes for people is the caller's. No option is parsed here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from calibration.edition import Edition
from firmware.agreement import Agreement, differences, true_call
from firmware.display import Display
from firmware.landings import dot_half
from firmware.match import Match
from firmware.report import Line, result_text, score_names
from firmware.rules import (
    Called,
    DecisionAwaited,
    EndsChanged,
    GameWon,
    MatchWon,
    PlacementAsked,
    PlacementAwaited,
    Seat,
    ServeAwaited,
    SetWon,
    State,
    StrokeRefused,
    TieBreakBegan,
    end_of,
    side_of,
    target_box,
)
from firmware.texts import Texts, sentence, waiting_sentence
from firmware.umpire.observations import NoticeSeen, Observation, PlacementSeen, StrokeSeen
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
_TOLD = (GameWon, SetWon, MatchWon, TieBreakBegan, EndsChanged, PlacementAsked, StrokeRefused)
"""What is said besides the calls."""
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

    def __init__(self, rig: Rig, match: Match, texts: Texts, games: int | None = None) -> None:
        self._rig = rig
        self._texts = texts
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
        score = score_names(state.score)
        if state.outcome is not None:
            outcome = {"winner": state.outcome.winner, "reason": state.outcome.reason}
            return result_text(outcome, score)
        told = ", ".join(f"{of} {'-'.join(map(str, score[of]))}" for of in ("sets", "games", "points"))
        return f"Stopped at {told}."

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
        elif isinstance(seen, PlacementSeen):
            self._laid(seen)

    def _call(self, seen: StrokeSeen) -> None:
        before, played = self._match.state, self._played
        lines = self._match.take(seen)
        called = next((line for line in lines if line["kind"] == "stroke"), None)
        if called is None:
            # It was played from where it may not be: as people would, they put it right and go on.
            self._tell_events()
            self._played = None
        else:
            self._compare(before, called, seen, played)
            self._tell_events()
        self._show()
        if not self.over and self._played is None:
            self._next_turn()

    def _compare(self, before: State, called: Line, seen: StrokeSeen, played: StrokeTruth | None) -> None:
        self._rig.display.call(called)
        if played is None or abs(seen.started_at - played.touched_at) > _SAME_STROKE_S:
            self.agreement = self.agreement.with_invented()
            self._rig.display.say("     -- the table knows of no such stroke")
            return
        true = true_call(self._rig.edition, before, played)
        self._played = None
        if true is None:
            self.agreement = self.agreement.with_invented()
            self._rig.display.say("     -- that stroke should not have counted: the ball lay wrong")
            return
        self.agreement = self.agreement.with_call(called, true, played)
        if differences(called, true):
            self._rig.display.say(f"     -- the table knows better: {_described(true)}")

    def _laid(self, seen: PlacementSeen) -> None:
        """A hand laid the ball. Where it had to be laid, play goes on."""
        was_asked = isinstance(self._match.state.waiting, PlacementAwaited)
        if self._match.take_placement(seen):
            self._tell_events()
            self._show()
        if was_asked:
            self._next_turn()

    def _tell_events(self) -> None:
        for event in self._match.events:
            if isinstance(event, GameWon) and self._games_left is not None:
                self._games_left -= 1
            if isinstance(event, _TOLD):
                self._rig.display.say(sentence(event, self._texts, self._match.state.setup))

    def _missed(self, played: StrokeTruth) -> None:
        """Nobody called the stroke: as people would, they put the ball back and play it again."""
        self.agreement = self.agreement.with_missed()
        self._rig.display.say("     -- that stroke was not called; it is played again")
        self._rig.table.carry(played.side, played.start.dot_mm)
        self._next_turn()

    def _next_turn(self) -> None:
        """Have the ball laid where it is wanted, or the next stroke played."""
        state = self._match.state
        waiting = state.waiting
        if waiting is None:
            return
        end = self._end_of(waiting.seat)
        wanted_mm = self._match.wanted_mm()
        if isinstance(waiting, PlacementAwaited) and wanted_mm is not None:
            self._played = None
            self._rig.table.carry(dot_half(wanted_mm), wanted_mm)
            return
        # Also where any place in the court would do, the players aim at the box.
        box = target_box(waiting.side) if isinstance(waiting, ServeAwaited) else None
        marker = state.marker if side_of(waiting.seat) == end else -state.marker
        situation = Situation(end, box, marker)
        self._played = self._rig.players.play(situation, self._rig.aim(state))

    def _end_of(self, seat: Seat) -> Side:
        return end_of(side_of(seat), self._match.state.standing.ends_changed)

    def _show(self) -> None:
        notice = self._notice
        waiting = self._match.state.waiting
        if notice is None and isinstance(waiting, PlacementAwaited | DecisionAwaited):
            notice = waiting_sentence(waiting, self._texts, self._match.state.setup)
        self._rig.display.show(self._match.scoreboard(notice))


def _described(call: Called) -> str:
    points = "" if call.points is None else f", points {call.points}"
    margin = "" if call.margin_mm is None else f", margin {call.margin_mm:+.2f} mm"
    return f"{call.call}{points}{margin}"
