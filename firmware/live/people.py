"""People at the simulated table: they see what waits, lay the ball, play, and press; and what the table
knows of every stroke is compared with its call.

The match itself is the daemon's, which is given nothing of this but the camera's pictures and the presses.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from calibration.edition import Edition
from firmware.chair.chair import Chair
from firmware.display import Display
from firmware.landings import dot_half
from firmware.live.agreement import Agreement, differences, true_call
from firmware.live.fingers import Pressing
from firmware.live.onlookers import Onlooker
from firmware.report import Line, result_text, score_names
from firmware.rules import (
    BoxSide,
    Called,
    DecisionAwaited,
    GameWon,
    PlacementAwaited,
    ReturnAwaited,
    ServeAwaited,
    State,
    StrokeRefused,
    Waiting,
    end_of,
    side_of,
    target_box,
)
from firmware.rules.setup import opponent_of
from hardware.simulated.players import Situation
from hardware.simulated.table import PlacementTruth, Side, StrokeTruth

Point = tuple[float, float]
Aim = Callable[[State], Point | Pressing | None]
"""Where to aim, world mm, for whoever's turn it is, or what to press first; None leaves the aim to the
simulated player."""

MISSED_AFTER_S: Final = 3.0
"""So long after the ball's rest without a word of the umpire a stroke, or a ball that was laid, counts
as missed. The umpire waits 2 s for a ball that it has lost to show itself."""
_MOST_TRIES: Final = 3
"""So often the ball is laid where it is wanted, or served from there, before both sides agree to play
on with it where it is: a match must not wait for ever for what the umpire does not see."""
_MOST_MISSES: Final = 10
"""So many strokes in a row that nobody calls end the match: the umpire sees nothing any more."""
_SAME_STROKE_S: Final = 0.75
"""A call whose stroke began no farther than this from the real touch is that stroke's."""


class Table(Protocol):
    """What is asked of the table."""

    now: float

    def carry(self, side: Side, dot_to_mm: Point) -> PlacementTruth:
        """Have `side` carry the ball."""


class Players(Protocol):
    """What is asked of the players."""

    def play(self, situation: Situation, aim_mm: Point | None = None) -> StrokeTruth:
        """Play a stroke; its truth, known beforehand."""


class Pressed(Protocol):
    """What is asked of the fingers; `firmware.live.fingers.Fingers`."""

    def do(self, pressing: Pressing) -> float:
        """Press; when, on the table's clock, that has counted."""


class Refereeing(Protocol):
    """What is asked of the daemon."""

    @property
    def chair(self) -> Chair:
        """Of the match that is on."""

    @property
    def paused(self) -> bool:
        """Whether scoring waits, since something cannot be kept."""

    @property
    def seeks(self) -> bool:
        """Whether scoring waits, since the board is sought."""


@dataclass(frozen=True, slots=True)
class People:
    """Who is at the table, and with what."""

    edition: Edition
    table: Table
    players: Players
    fingers: Pressed
    aim: Aim
    display: Display


class LiveMatch:
    """Give `tell` to the daemon; `begin` once it is there, and call `turned` after each of its turns, until
    `over`. `agreement` tells how good its calls are. `games`: stop after so many."""

    def __init__(self, people: People, onlooker: Onlooker, games: int | None = None) -> None:
        self._people = people
        self._onlooker = onlooker
        self._games_left = games
        self._daemon: Refereeing | None = None
        self._before: State | None = None
        self._news = False
        self._played: StrokeTruth | None = None
        self._was_paused = False
        self._laid_at: float | None = None
        self._pressed_until: float | None = None
        self._tries = 0
        self._misses = 0
        self.agreement = Agreement()

    @property
    def over(self) -> bool:
        """The match, or the number of games that was wanted, has been played, or the umpire is blind."""
        played = self._state.waiting is None or self._games_left == 0
        return (played and not self._at_it.paused) or self._misses == _MOST_MISSES

    def result(self) -> str:
        """How it ended, in one sentence."""
        state = self._state
        score = score_names(state.score)
        if state.outcome is not None:
            outcome = {"winner": state.outcome.winner, "reason": state.outcome.reason}
            return result_text(outcome, score)
        told = ", ".join(f"{of} {'-'.join(map(str, score[of]))}" for of in ("sets", "games", "points"))
        return f"Stopped at {told}."

    def begin(self, daemon: Refereeing) -> None:
        """Sit down at the daemon's match; in a rally that was cut off the ball is laid back first, and then
        somebody plays. StoppedError when the person whose turn it is wants to stop."""
        self._daemon = daemon
        self._before = self._state
        waiting = self._state.waiting
        if isinstance(waiting, ReturnAwaited) and waiting.from_mm is not None:
            self._lay(waiting.from_mm)
        else:
            self._next_turn()

    def tell(self, line: Line) -> None:
        """Hear a line of the daemon's."""
        events = self._onlooker.tell(line)
        if not events or self._daemon is None:
            return
        self._news = True
        for event in events:
            match event:
                case Called():
                    self._compare(line)
                case StrokeRefused():
                    self._refused()
                case GameWon() if self._games_left is not None:
                    self._games_left -= 1
                case _:
                    pass
        self._before = self._state

    def turned(self) -> None:
        """Do what people do after a turn of the daemon's. StoppedError as for `begin`."""
        now, daemon = self._people.table.now, self._at_it
        waits = daemon.paused or daemon.seeks
        if self.over or waits:
            self._was_paused = waits
            return
        news, self._before = self._news or self._state is not self._before, self._state
        self._news = False
        if self._pressed_until is not None:
            review = daemon.chair.review
            if now > self._pressed_until and (review is None or review.now is not None):
                self._pressed_until = None
                self._next_turn()
        elif self._played is not None:
            if now > self._played.rested_at + MISSED_AFTER_S:
                self._missed(self._played)
        elif news or (self._laid_at is not None and now > self._laid_at + MISSED_AFTER_S):
            self._next_turn()

    @property
    def _at_it(self) -> Refereeing:
        assert self._daemon is not None, "nobody plays before `begin`"
        return self._daemon

    @property
    def _state(self) -> State:
        return self._at_it.chair.match.state

    def _refused(self) -> None:
        """The ball was played from where it may not be. As people would, they put it right and go on;
        a stroke that should have counted was missed."""
        played, before = self._played, self._before
        self._played = None
        self._tries += 1
        assert before is not None
        held = isinstance(before.waiting, PlacementAwaited)
        if played is not None and (held or true_call(self._people.edition, before, played) is not None):
            self.agreement = self.agreement.with_missed()

    def _compare(self, called: Line) -> None:
        played, before, say = self._played, self._before, self._people.display.say
        self._tries = self._misses = 0
        if played is None or abs(called["started_at"] - played.touched_at) > _SAME_STROKE_S:
            self.agreement = self.agreement.with_invented()
            say("     -- the table knows of no such stroke")
            return
        assert before is not None
        true = true_call(self._people.edition, before, played)
        self._played = None
        if true is None:
            self.agreement = self.agreement.with_invented()
            say("     -- that stroke should not have counted: the ball lay wrong")
            return
        self.agreement = self.agreement.with_call(called, true, played)
        if differences(called, true):
            say(f"     -- the table knows better: {_described(true)}")

    def _missed(self, played: StrokeTruth) -> None:
        """Nobody called the stroke: as people would, they put the ball back and play it again. While nothing
        could be kept, or the board was sought, nothing was to be called."""
        say = self._people.display.say
        if self._was_paused:
            self._was_paused = False
        else:
            self.agreement = self.agreement.with_missed()
            self._misses += 1
        if self.over:
            say(f"     -- {self._misses} strokes in a row were not called; the match is stopped")
            return
        say("     -- that stroke was not called; it is played again")
        if self._at_it.chair.match.wanted_mm() is None:
            self._people.table.carry(played.side, played.start.dot_mm)
        self._next_turn()

    def _next_turn(self) -> None:
        """Have the ball laid where it is wanted, a button pressed, or the next stroke played."""
        self._played = self._laid_at = None
        state = self._state
        waiting = state.waiting
        if waiting is None:
            return
        if isinstance(waiting, PlacementAwaited):
            if self._tries >= _MOST_TRIES:
                self._agree_to_play_on(waiting)
                return
            wanted_mm = self._at_it.chair.match.wanted_mm()
            if wanted_mm is not None:
                self._tries += 1
                self._lay(wanted_mm)
                return
        wish = self._people.aim(state)
        if isinstance(wish, Pressing):
            self._press(wish)
            return
        asked = self._asked_side()
        if asked is not None:
            self._press(Pressing("confirm", asked))  # nobody at the keyboard decides
            return
        end = end_of(side_of(waiting.seat), state.standing.ends_changed)
        marker = state.marker if side_of(waiting.seat) == end else -state.marker
        self._played = self._people.players.play(Situation(end, serve_box(waiting), marker), wish)

    def _asked_side(self) -> Side | None:
        """Who has to answer before anybody plays on: of a flick fault, or of a call that was overturned."""
        waiting, review = self._state.waiting, self._at_it.chair.review
        if isinstance(waiting, DecisionAwaited):
            return side_of(waiting.seat)
        return None if review is None or review.now is None else opponent_of(review.by)

    def _lay(self, at_mm: Point) -> None:
        self._laid_at = self._people.table.carry(dot_half(at_mm), at_mm).placed_at

    def _agree_to_play_on(self, waiting: PlacementAwaited) -> None:
        """Both sides confirm that play goes on with the ball where it lies (SM-19), one after the other."""
        self._press(Pressing("confirm", "B" if "A" in waiting.agreed else "A"))

    def _press(self, pressing: Pressing) -> None:
        self._pressed_until = self._people.fingers.do(pressing)


def nobody(state: State) -> None:
    """The aim of a table without a person: the simulated players choose."""


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
