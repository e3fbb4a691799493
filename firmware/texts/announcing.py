"""Sentences for what the rules announce: one an event, and one announcement for a step's events.

Which text says what, and which event need not be said beside another; no wording.
"""

from collections.abc import Sequence
from typing import Final

from firmware.rules import (
    CallAccepted,
    Called,
    Corrected,
    EndsChanged,
    Event,
    FlickFaultCalled,
    FlickFaultContested,
    GameWon,
    MatchWon,
    Placed,
    PlacementAgreed,
    PlacementAsked,
    RallyWon,
    Score,
    ServerReady,
    Setup,
    SetWon,
    Side,
    StrokeRefused,
    TieBreakBegan,
    Undone,
    side_of,
)
from firmware.rules.setup import POINT, TIE_BREAK_GOAL
from firmware.rules.state import PlacementAwaited
from firmware.texts.table import Language, Texts, load

Point = tuple[float, float]
"""A place on the board, mm in its axes."""

PLAIN: Final = Setup()
"""What sentences are about unless they are told: a match of singles without options."""


def sentence(event: Event, texts: Texts | Language, setup: Setup = PLAIN) -> str:
    """What the umpire says of one event. `setup` is the match's: with it doubles name the player,
    and level at 40 is a deuce where advantage is played. Scores are side A's first, as on the
    board's scorer."""
    texts = load(texts) if isinstance(texts, str) else texts
    match event:
        case Called():
            return call_said(event, texts)
        case RallyWon() | GameWon() | SetWon() | MatchWon() | TieBreakBegan() | EndsChanged():
            return _scored(event, texts, setup)
        case PlacementAsked():
            return placement_said(event, texts, setup)
        case Placed(seat=seat, reason=reason):
            return texts.say(f"placed.{reason}", seat=texts.seat(seat, setup))
        case PlacementAgreed(both=True):
            return texts.say("placement-agreed.both")
        case PlacementAgreed(side=side):
            return texts.say("placement-agreed.one", side=texts.side(side))
        case StrokeRefused(reason=reason):
            return texts.say(f"stroke-refused.{reason}")
        case ServerReady(seat=seat):
            return texts.say("told.server-ready", seat=texts.seat(seat, setup))
        case CallAccepted(side=side):
            return texts.say("told.call-accepted", side=texts.side(side))
        case FlickFaultCalled(seat=seat):
            return texts.say("told.flick-fault-called", seat=texts.seat(seat, setup))
        case FlickFaultContested(score=score):
            return texts.say("told.flick-fault-contested", score=points_said(score, texts, setup))
        case Corrected():
            return _corrected(event, texts, setup, with_score=True)
        case Undone():
            return _undone(event, texts, setup)


def announcement(events: Sequence[Event], texts: Texts | Language, setup: Setup = PLAIN) -> str:
    """What the umpire says of all events of a step: nothing twice. Empty for no events."""
    texts = load(texts) if isinstance(texts, str) else texts
    said: list[str] = []
    for number, event in enumerate(events, start=1):
        rest = events[number:]
        if _is_in(event, rest):
            continue
        if isinstance(event, Corrected):
            # The score is told by what the corrected stroke brought about, if it did.
            scored = any(isinstance(other, RallyWon | MatchWon) for other in rest)
            said.append(_corrected(event, texts, setup, with_score=not scored))
        else:
            said.append(sentence(event, texts, setup))
    return " ".join(said)


def call_said(called: Called, texts: Texts) -> str:
    """A stroke's call with its points, and that it is not certain where it is not."""
    said = _call(called, texts)
    if called.certain:
        return said
    return texts.say("called.unseen" if called.unseen else "called.too-close", call=said)


def placement_said(asked: PlacementAsked | PlacementAwaited, texts: Texts, setup: Setup) -> str:
    """Where the ball has to be laid."""
    seat = texts.seat(asked.seat, setup)
    match asked.reason:
        case "serve-position":
            return texts.say(f"asked.serve-position.{asked.side}", seat=seat)
        case "zero":
            return texts.say(f"asked.zero.{asked.box}", seat=seat)
        case "moved" | "again" as reason:
            return texts.say(f"asked.{reason}", seat=seat)


def spot_said(at_mm: Point, texts: Texts) -> str:
    """A place on the board in words, as who sits at its end sees it. Part of a sentence."""
    x, y = (round(along) for along in at_mm)
    left = y if at_mm[0] < 0 else -y  # the end at x < 0 has y > 0 on its left
    if left == 0:
        return texts.say("spot.middle", x=abs(x))
    return texts.say("spot.left" if left > 0 else "spot.right", x=abs(x), y=abs(left))


def points_said(score: Score, texts: Texts, setup: Setup) -> str:
    """The points of the game, as a sentence."""
    (a, b), names = score.points, score.point_names
    if "AD" in names:
        ahead: Side = "A" if a > b else "B"
        return texts.say("score.advantage", side=texts.side(ahead))
    if a != b:
        return texts.say("score.points", a=names[0], b=names[1])
    if names == ("40", "40"):
        return texts.say("score.deuce" if setup.options.advantage else "score.forty-all")
    return texts.say("score.love-all") if a == 0 else texts.say("score.all", n=names[0])


def score_said(score: Score, texts: Texts, setup: Setup, since: Score | None = None) -> str:
    """Points, games and sets, as sentences; what cannot be other than 0 is left out, and games and sets that
    are those of `since`, which everybody knows."""
    said = [points_said(score, texts, setup)]
    if score.counting != "simplified":
        if since is None or score.games != since.games:
            said.append(_pair("score.games", score.games, texts))
        if sum(score.sets) and (since is None or score.sets != since.sets):
            said.append(_pair("score.sets", score.sets, texts))
    return " ".join(said)


def _call(called: Called, texts: Texts) -> str:
    striker = side_of(called.seat)
    at_point = called.marker == (POINT if striker == "A" else -POINT)
    match called.call:
        case "in" if called.rally_winner is not None:
            return texts.say("called.in-for-nothing")  # a return under pressure (SM-08)
        case "in" if at_point:
            return texts.say("called.in-at-point")
        case "ace" if at_point:
            return texts.say("called.ace-at-point")
        case "in" | "winner" as good:
            return texts.count(f"called.{good}", called.points or 0)
        case call:
            return texts.say(f"called.{call}")


def _scored(
    event: RallyWon | GameWon | SetWon | MatchWon | TieBreakBegan | EndsChanged, texts: Texts, setup: Setup
) -> str:
    match event:
        case RallyWon(winner=winner, score=score):
            # After the last rally of a game the points stand at nothing, which nobody announces.
            if not any(score.points):
                return texts.say("won.rally", side=texts.side(winner))
            return points_said(score, texts, setup)
        case GameWon(winner=winner, score=score) if any(score.games):
            return _pair("won.game-with-games", score.games, texts, winner)
        case GameWon(winner=winner):
            return texts.say("won.game", side=texts.side(winner))
        case SetWon(winner=winner, games=games, score=score):
            return f"{_pair('won.set', games, texts, winner)} {_pair('score.sets', score.sets, texts)}"
        case MatchWon(outcome=outcome, score=score):
            pair = score.sets if outcome.reason == "sets" else score.points
            return _pair(f"won.match-by-{outcome.reason}", pair, texts, outcome.winner)
        case TieBreakBegan():
            return texts.say("told.tie-break", goal=TIE_BREAK_GOAL)
        case EndsChanged():
            return texts.say("told.ends-changed")


def _pair(key: str, pair: tuple[int, int], texts: Texts, winner: Side | None = None) -> str:
    side = {} if winner is None else {"side": texts.side(winner)}
    return texts.say(key, a=pair[0], b=pair[1], **side)


def _corrected(event: Corrected, texts: Texts, setup: Setup, *, with_score: bool) -> str:
    now = _call(event.now, texts)
    if event.now == event.was:
        return texts.say("corrected.stands", number=event.now.number, call=now)
    # A total that is the old one is not told again: neither in a rally that goes on, nor games and sets.
    was = event.was.score
    if not with_score or (not event.changed and event.now.score == event.score == was):
        return texts.say("corrected.changed", number=event.now.number, call=now)
    score = score_said(event.score, texts, setup, was)
    return texts.say("corrected.changed-with-score", number=event.now.number, call=now, score=score)


def _undone(event: Undone, texts: Texts, setup: Setup) -> str:
    score = score_said(event.score, texts, setup)
    if event.what == "stroke" and event.number is not None:
        return texts.say("undone.stroke", number=event.number, score=score)
    return texts.say(f"undone.{event.what}", score=score)


def _is_in(event: Event, rest: Sequence[Event]) -> bool:
    """Whether what comes next says it all: game, set and match are one announcement."""
    following = rest[0] if rest else None
    match event:
        case RallyWon():
            return isinstance(following, GameWon | MatchWon)
        case GameWon():
            return isinstance(following, SetWon)
        case SetWon():
            return isinstance(following, MatchWon)
        case _:
            return False
