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
from firmware.match import BOTH_SIDES, Match
from firmware.report import Line, result_text, score_names
from firmware.rules import (
    BoxSide,
    Called,
    DecisionAwaited,
    EndsChanged,
    GameWon,
    MatchWon,
    Placed,
    PlacementAgreed,
    PlacementAwaited,
    Press,
    Seat,
    ServeAwaited,
    SetWon,
    State,
    StrokeRefused,
    TieBreakBegan,
    Waiting,
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
"""So long after the ball's rest without a word of the umpire a stroke, or a ball that was laid, counts
as missed. The umpire waits 2 s for a ball that it has lost to show itself."""
_MOST_TRIES = 3
"""So often the ball is laid where it is wanted, or served from there, before both sides agree to play
on with it where it is: a match must not wait for ever for what the umpire does not see."""
_MOST_MISSES = 10
"""So many strokes in a row that nobody calls end the match: the umpire sees nothing any more."""
_SAME_STROKE_S = 0.75
"""A call whose stroke began no farther than this from the real touch is that stroke's."""
_TOLD = (
    GameWon,
    SetWon,
    MatchWon,
    TieBreakBegan,
    EndsChanged,
    Placed,
    PlacementAgreed,
    StrokeRefused,
)
"""What is said besides the calls. What is asked stands on the panels, as a notice."""
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
        self._laid_at: float | None = None
        self._tries = 0
        self._misses = 0
        self.agreement = Agreement()

    @property
    def over(self) -> bool:
        """The match, or the number of games that was wanted, has been played, or the umpire is blind."""
        played = self._match.state.waiting is None or self._games_left == 0
        return played or self._misses == _MOST_MISSES

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
        played, laid_at, now = self._played, self._laid_at, self._rig.table.now
        if played is not None and now > played.rested_at + MISSED_AFTER_S:
            self._missed(played)
        elif laid_at is not None and now > laid_at + MISSED_AFTER_S:
            self._next_turn()

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
        called = next((line for line in self._match.take(seen) if line["kind"] == "stroke"), None)
        if called is None:
            self._refused(before, played)
        else:
            self._tries = self._misses = 0
            self._compare(before, called, seen, played)
        self._tell_events()
        self._show()
        if not self.over and self._played is None:
            self._next_turn()

    def _refused(self, before: State, played: StrokeTruth | None) -> None:
        """The ball was played from where it may not be. As people would, they put it right and go on;
        a stroke that should have counted was missed."""
        self._played = None
        self._tries += 1
        held = isinstance(before.waiting, PlacementAwaited)
        if played is not None and (held or true_call(self._rig.edition, before, played) is not None):
            self.agreement = self.agreement.with_missed()

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
        """A hand laid the ball. Where it had to be laid, play goes on; while somebody plays a stroke
        already, that goes on."""
        was_asked = isinstance(self._match.state.waiting, PlacementAwaited)
        if self._match.take_placement(seen):
            self._tell_events()
            self._show()
        if was_asked and self._played is None:
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
        self._misses += 1
        if self.over:
            self._rig.display.say(
                f"     -- {self._misses} strokes in a row were not called; the match is stopped"
            )
            return
        self._rig.display.say("     -- that stroke was not called; it is played again")
        if self._match.wanted_mm() is None:
            self._rig.table.carry(played.side, played.start.dot_mm)
        self._next_turn()

    def _next_turn(self) -> None:
        """Have the ball laid where it is wanted, or the next stroke played."""
        self._played = self._laid_at = None
        if isinstance(self._match.state.waiting, PlacementAwaited) and self._tries >= _MOST_TRIES:
            self._agree_to_play_on()
        wanted_mm = self._match.wanted_mm()
        state = self._match.state
        waiting = state.waiting
        if waiting is None:
            return
        if wanted_mm is not None:
            self._tries += 1
            self._laid_at = self._rig.table.carry(dot_half(wanted_mm), wanted_mm).placed_at
            return
        end = self._end_of(waiting.seat)
        marker = state.marker if side_of(waiting.seat) == end else -state.marker
        situation = Situation(end, serve_box(waiting), marker)
        self._played = self._rig.players.play(situation, self._rig.aim(state))

    def _agree_to_play_on(self) -> None:
        """Both sides confirm that play goes on with the ball where it lies (SM-19)."""
        for side in BOTH_SIDES:
            self._match.act(Press("confirm", side))
        self._tell_events()
        self._show()

    def _end_of(self, seat: Seat) -> Side:
        return end_of(side_of(seat), self._match.state.standing.ends_changed)

    def _show(self) -> None:
        notice = self._notice
        waiting = self._match.state.waiting
        if notice is None and isinstance(waiting, PlacementAwaited | DecisionAwaited):
            notice = waiting_sentence(waiting, self._texts, self._match.state.setup)
        self._rig.display.show(self._match.scoreboard(notice))


def serve_box(waiting: Waiting) -> BoxSide | None:
    """The box at which the awaited stroke is aimed, as the striker sees it; None in a rally. Also where
    any place in the court would do, and where the server is sent to another place first."""
    if isinstance(waiting, ServeAwaited | PlacementAwaited) and waiting.side is not None:
        return target_box(waiting.side)
    return None


def _described(call: Called) -> str:
    points = "" if call.points is None else f", points {call.points}"
    margin = "" if call.margin_mm is None else f", margin {call.margin_mm:+.2f} mm"
    return f"{call.call}{points}{margin}"
