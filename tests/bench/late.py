"""What a stroke, an undo and an overruling cost the chair at the end of the longest match, beside the rules
alone; and what it takes to keep a record and to go on after a power cut.

Processor time but for the disk's. Numbers are printed by daemon_report.
"""

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from calibration.edition import Edition
from firmware.chair.chair import Chair
from firmware.chair.outgoing import Outgoing
from firmware.gestures import Gesture
from firmware.journal import Acted, Journal, Later, MatchBegan
from firmware.match import Match, Measured
from firmware.rules import Correct, Press, Side, step
from firmware.screens.scoreboard import Scoreboard
from firmware.texts import load
from firmware.umpire.observations import StrokeSeen
from tests.bench.costs import least_ms
from tests.bench.figures import Times
from tests.bench.matches import LONG, SIGMA_MM, Flick, Move, PlayedMatch, longest_match
from tests.firmware.test_match import rest, stroke

_NAME = "five sets of six games"
_NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
_TRIES = 7


@dataclass(frozen=True, slots=True)
class Cost:
    """What one thing takes the chair, and the rules alone, in ms."""

    chair_ms: float
    rules_ms: float


@dataclass(frozen=True, slots=True)
class LateCosts:
    """All of it, at the end of a match of so many strokes."""

    name: str
    strokes: int
    stroke: Cost
    undo: Cost
    overruling: Cost
    board: Scoreboard
    """What the panels are to show."""
    scoreboard_ms: float
    """Making that."""
    kept_ms: Times
    """A record, by the clock: it is on the disk then."""
    journal_bytes: int
    """Of the match's records."""
    resumed_ms: float


def measure_late(edition: Edition) -> LateCosts:
    """The longest match, from its records; the last stroke once more, taken back, and called otherwise."""
    played, texts = longest_match(edition, LONG[_NAME], _NAME), load("en")
    began, later = _records(edition, played)
    records = [began, *later]
    whole = Chair.resumed(edition, records, texts)
    before = Chair.resumed(edition, records[:-1], texts)
    assert whole.match.state.outcome == played.end.outcome
    ruling = _overruled(before)
    last_but_one = before.match.state
    seen = _seen(played.moves[-1])
    with TemporaryDirectory() as folder:
        kept_ms, journal_bytes = _kept(Path(folder), began, later)
    return LateCosts(
        name=_NAME,
        strokes=played.strokes,
        stroke=Cost(
            _least_ms(before, lambda chair: chair.observe(seen, 0.0, _NOON)),
            least_ms(lambda: step(last_but_one, played.actions[-1])),
        ),
        undo=Cost(
            _least_ms(before, lambda chair: chair.press(Gesture("undo", "A", 0.0), 0.0, _NOON)),
            least_ms(lambda: step(last_but_one, Press("undo", "A"))),
        ),
        overruling=Cost(
            _least_ms(before, _overrule),
            least_ms(lambda: step(last_but_one, ruling)),
        ),
        board=before.scoreboard(0.0),
        scoreboard_ms=least_ms(lambda: before.scoreboard(0.0)),
        kept_ms=kept_ms,
        journal_bytes=journal_bytes,
        resumed_ms=least_ms(lambda: Chair.resumed(edition, records, texts), tries=2),
    )


def _records(edition: Edition, played: PlayedMatch) -> tuple[MatchBegan, list[Later]]:
    """The match as a journal has it."""
    began = MatchBegan(played.setup, "classic", edition.digest, "yellow", "en", _NOON, ())
    match, later = Match(edition, played.setup), list[Later]()
    for number, move in enumerate(played.moves):
        measured = None
        if isinstance(move, Flick):
            places = (move.from_mm, move.dot_mm, move.disc_mm, SIGMA_MM, SIGMA_MM, move.off_board)
            measured = Measured(*places, started_at=number + 0.5, rested_at=number + 1.0)
            match.stroke(measured)
        else:
            match.lay(move.at_mm)
        later.append(Acted(match.state.actions[-1], _NOON, measured, number + 1.1))
    return began, later


def _overruled(before: Chair) -> Correct:
    """What the rules are told of the overruling."""
    chair = _another(before)
    _overrule(chair)
    ruling = chair.match.state.actions[-1]
    assert isinstance(ruling, Correct)
    return ruling


def _seen(move: Move) -> StrokeSeen:
    """A stroke as the umpire tells it."""
    assert isinstance(move, Flick)
    return stroke(rest(move.from_mm), None if move.off_board else rest(move.dot_mm, move.disc_mm))


def _overrule(chair: Chair) -> Outgoing:
    """The last call becomes the next one that it could be: both sides hold CHALLENGE, step once, confirm."""
    chair.press(Gesture("overrule", None, 0.0), 0.0, _NOON)
    out = chair.press(Gesture("challenge", "A", 0.0), 0.0, _NOON)
    sides: tuple[Side, ...] = ("A", "B")
    for side in sides:
        out = chair.press(Gesture("confirm", side, 0.0), 0.0, _NOON)
    return out


def _least_ms(before: Chair, work: Callable[[Chair], Outgoing]) -> float:
    """What it takes a chair that is as `before`; it has to come to something."""
    chairs = iter([_another(before) for _ in range(_TRIES)])

    def once() -> None:
        assert work(next(chairs)).records

    return least_ms(once, _TRIES)


def _another(chair: Chair) -> Chair:
    """The same chair once more; what is frozen is shared."""
    other = copy.copy(chair)
    other.match = copy.copy(chair.match)
    return other


def _kept(folder: Path, began: MatchBegan, later: list[Later]) -> tuple[Times, int]:
    """Keep a match as it is played."""
    times = Times()
    with Journal.open(folder) as journal:
        match = journal.begin(began)
        for record in later:
            start = time.perf_counter()
            journal.append(match, record)
            times.add(time.perf_counter() - start)
    return times, sum(file.stat().st_size for file in folder.iterdir())
