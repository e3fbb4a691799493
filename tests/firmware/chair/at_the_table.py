"""A chair at a table for tests: strokes, presses and answers by name, and a driver that keeps what comes out
before anything else, as drivers must. What has to come of them is in the tests."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import msgspec

from calibration.edition import load_edition
from firmware.chair.chair import Chair
from firmware.chair.outgoing import Outgoing
from firmware.chair.reviews import ReviewWanted
from firmware.gestures import Gesture, Meaning
from firmware.journal import Later, MatchBegan, Record, replayed
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Called, ReturnAwaited, Setup, Side, choose
from firmware.texts import Trouble, load
from firmware.umpire.observations import BallSeen, PlacementSeen
from firmware.umpire.rest import Point
from firmware.voice import marked
from tests.firmware.test_match import Place, rest, stroke

CLASSIC = load_edition("classic", require_zones=True)
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
TEXTS = load("en")
ANYWHERE = Setup("confirmed", chosen=choose("confirmed", {"free_serve_position": True}))

SERVE_FROM: Point = (-235.0, -34.0)
SERVED: Point = (70.0, 54.0)
"""A first serve of A's worth 1."""
IN_BY_1: Point = (-230.0, 20.0)
"""1 mm inside A's baseline, worth 2; from the serve a return of B's."""
OUT_BY_1: Point = (-232.0, 20.0)

Lamps = dict[Side, tuple[bool, bool]]
DARK: Lamps = {"A": (False, False), "B": (False, False)}


@dataclass
class AtTheTable:
    """A chair, and a driver that does with what comes out what a driver has to: keeps it first."""

    setup: Setup = ANYWHERE
    limit: int | None = None
    as_played: bool = False
    chair: Chair = field(init=False)
    records: list[Later] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    wanted: list[ReviewWanted] = field(default_factory=list)
    now_s: float = 100.0

    def __post_init__(self) -> None:
        self.chair = Chair(
            Match(CLASSIC, self.setup),
            TEXTS,
            voice=marked(TEXTS),
            review_limit=self.limit,
            as_played=self.as_played,
        )

    @property
    def wall_time(self) -> datetime:
        return NOON + timedelta(seconds=self.now_s)

    @property
    def kept(self) -> tuple[Record, ...]:
        began = MatchBegan(self.setup, "classic", CLASSIC.digest, "yellow", "en", NOON)
        # As they come back from where they are kept.
        stored = msgspec.json.encode([began, *self.records])
        return msgspec.json.decode(stored, type=tuple[Record, ...])

    def take(self, out: Outgoing) -> Outgoing:
        self.records += out.records
        self.lines += out.lines
        if out.review is not None:
            self.wanted.append(out.review)
        assert len(out.said) == len(out.spoken)
        self.now_s += 0.01
        return out

    def see(self, seen: BallSeen) -> Outgoing:
        return self.take(self.chair.observe(replace(seen, at=self.now_s), self.now_s, self.wall_time))

    def play(self, to_mm: Point | None, from_mm: Point | None = None) -> Outgoing:
        """A stroke from where the ball lies, or from a place to serve."""
        waiting = self.chair.match.state.waiting
        lies = waiting.from_mm if isinstance(waiting, ReturnAwaited) else None
        start = rest(from_mm or lies or SERVE_FROM)
        return self.see(stroke(start, None if to_mm is None else rest(to_mm)))

    def lay(self, at_mm: Point) -> Outgoing:
        return self.see(PlacementSeen(0.0, 1, None, rest(at_mm)))

    def press(self, side: Side | None, meaning: Meaning, began_s: float | None = None) -> Outgoing:
        """A gesture that counts now; `began_s`: when it began, if not just now."""
        gesture = Gesture(meaning, side, self.now_s if began_s is None else began_s)
        return self.take(self.chair.press(gesture, self.now_s, self.wall_time))

    def answer(self, again: Point | Place | Trouble, *, nth: int = -1, sigma_mm: float = 0.02) -> Outgoing:
        """The review that was asked for last is over: the ball lies there, or cannot be measured."""
        at = Place(again, again, sigma_mm, sigma_mm) if isinstance(again, tuple) else again
        return self.take(self.chair.reviewed(self.wanted[nth], at, self.now_s, self.wall_time, ("a.png",)))

    def overrule(self) -> Outgoing:
        return self.press(None, "overrule")

    @property
    def notice(self) -> str | None:
        return self.chair.scoreboard(self.now_s).notice

    @property
    def last(self) -> Called:
        return self.chair.match.state.strokes[-1].called

    def resumed(self) -> Chair:
        return Chair.resumed(CLASSIC, self.kept, TEXTS, voice=marked(TEXTS), review_limit=self.limit)

    def check(self) -> None:
        """What was kept makes the same match and tells it in the same words."""
        lines = [line for _, _, told in replayed(CLASSIC, self.kept) for line in told]
        assert lines == self.lines
        assert self.resumed().match.state == self.chair.match.state


def rallying(*, limit: int | None = None) -> AtTheTable:
    """A has served 1; B returns it just out."""
    table = AtTheTable(limit=limit)
    table.play(SERVED)
    table.play(OUT_BY_1)
    assert table.last.call == "out"
    return table


def is_nothing(out: Outgoing) -> bool:
    return out == Outgoing()


def lose_a_review(table: AtTheTable, side: Side) -> None:
    """A fault of the server's, challenged in vain."""
    table.play((70.0, 100.0))
    assert table.press(side, "challenge").review is not None
    table.answer((70.0, 100.0))
