"""The rules engine at whole matches: what a stroke and a match cost in time and memory.

Processor time of this thread, best of several. Matches come from matches, the peer is in chess_games,
numbers are printed by engine_report.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from calibration.edition import Edition
from firmware.rules import Action, Correct, Press, ReturnAwaited, State, Stroke, legal, replay, start, step
from tests.bench.costs import bytes_kept, least_ms
from tests.bench.matches import LONG, SETUPS, Flick, Move, PlayedMatch, longest_match, played_match
from tests.bench.shapely_facts import ShapelyFacts

MATCHES = 3
"""Of each setup."""
STRETCH = 100
"""Strokes at the beginning and at the end of a long match that are compared."""
CORRECTIONS = 10
"""More than players will want in one match."""


@dataclass(frozen=True, slots=True)
class MatchCosts:
    """What matches of one setup take, on average over a few. Times in ms a match."""

    name: str
    matches: int
    strokes: float
    actions: float
    """Strokes, and balls that were laid on a 0."""
    rallies: float
    alone_ms: float
    """Landings prepared beforehand: the rules only."""
    listed_ms: float
    """As alone, and before each action everything is listed that may be done."""
    landings_ms: float
    """From places in mm: the geometry of every stroke, and the rules."""


@dataclass(frozen=True, slots=True)
class LongMatch:
    """What one match of full length takes at its end. Times in ms, one of each; memory in bytes."""

    name: str
    strokes: int
    first_ms: float
    """A step, over the first stretch of strokes."""
    last_ms: float
    """A step, over the last stretch."""
    fresh_ms: float
    """A step, over the last stretch, when the match had nothing behind it but its score."""
    replay_ms: float
    """The whole match again."""
    undo_ms: float
    """The last stroke taken back."""
    correction_ms: float
    """The first stroke called otherwise, and the match counted anew."""
    corrected_undo_ms: float
    """The last of several corrections taken back."""
    memory_bytes: int
    growth_bytes: float
    """By how much a stroke makes it larger, in the second half."""
    json_bytes: int
    json_growth_bytes: float


@dataclass(frozen=True, slots=True)
class GeometryCosts:
    """What the facts of one landing take. Times in ms."""

    landings: int
    ours_ms: float
    shapely_ms: float


def measure_geometry(edition: Edition) -> GeometryCosts:
    """The landings of a match of doubles, which has some in the alleys."""
    match = played_match(edition, SETUPS["confirmed, doubles"], "geometry")
    flicks = [move for move in match.moves if isinstance(move, Flick)]
    peer = ShapelyFacts(edition)
    return GeometryCosts(
        landings=len(flicks),
        ours_ms=least_ms(lambda: [flick.action(edition) for flick in flicks]) / len(flicks),
        shapely_ms=least_ms(lambda: [peer.margins_mm(flick) for flick in flicks]) / len(flicks),
    )


def measure_matches(edition: Edition) -> list[MatchCosts]:
    """A few seeded matches of every setup."""
    return [
        _costs(edition, name, [played_match(edition, setup, f"{name} {n}") for n in range(MATCHES)])
        for name, setup in SETUPS.items()
    ]


def measure_long(edition: Edition) -> list[LongMatch]:
    """Matches over all the sets that can be agreed."""
    return [_long(edition, name, longest_match(edition, setup, name)) for name, setup in LONG.items()]


def _costs(edition: Edition, name: str, matches: list[PlayedMatch]) -> MatchCosts:
    def mean(value: Callable[[PlayedMatch], float]) -> float:
        return sum(map(value, matches)) / len(matches)

    return MatchCosts(
        name=name,
        matches=len(matches),
        strokes=mean(lambda match: match.strokes),
        actions=mean(lambda match: len(match.actions)),
        rallies=mean(lambda match: match.rallies),
        alone_ms=mean(lambda match: least_ms(lambda: _play(match))),
        listed_ms=mean(lambda match: least_ms(lambda: _play_listed(match))),
        landings_ms=mean(lambda match: least_ms(lambda: _play_measured(match, edition), tries=2)),
    )


def _asked(state: State) -> object:
    """What any program asks after an action: is it over, and if not, whose turn is it."""
    waiting = state.waiting
    return state.outcome if waiting is None else waiting.seat


def _play(match: PlayedMatch) -> None:
    state = start(match.setup)
    for action in match.actions:
        state = step(state, action).state
        _asked(state)


def _play_listed(match: PlayedMatch) -> None:
    state = start(match.setup)
    for action in match.actions:
        waiting = state.waiting
        assert waiting is not None
        if ("stroke" if isinstance(action, Stroke) else "lay") not in legal(state, waiting.seat):
            raise AssertionError(f"the match waits for {waiting}, and {action} is not listed")
        state = step(state, action).state
        _asked(state)


def _play_measured(match: PlayedMatch, edition: Edition) -> None:
    state = start(match.setup)
    for move in match.moves:
        state = step(state, move.action(edition)).state
        _asked(state)


def _long(edition: Edition, name: str, match: PlayedMatch) -> LongMatch:
    actions, end = match.actions, match.end
    before = replay(match.setup, actions[:-STRETCH]).state
    fresh = State(setup=before.setup, standing=before.standing)
    half, whole = bytes_kept(_growing(edition, match))[1:]
    json_half = len(msgspec.json.encode(replay(match.setup, actions[: len(actions) // 2]).state))
    json_whole = len(msgspec.json.encode(end))
    later = len(actions) - len(actions) // 2
    corrected = _corrected(end)
    return LongMatch(
        name=name,
        strokes=match.strokes,
        first_ms=_ms_a_step(start(match.setup), actions[:STRETCH]),
        last_ms=_ms_a_step(before, actions[-STRETCH:]),
        fresh_ms=_ms_a_step(fresh, actions[-STRETCH:]),
        replay_ms=least_ms(lambda: replay(match.setup, actions)),
        undo_ms=least_ms(lambda: step(end, Press("undo", "A"))),
        correction_ms=least_ms(lambda: step(end, _other_call(end))),
        corrected_undo_ms=least_ms(lambda: step(corrected, Press("undo", "A")), tries=3),
        memory_bytes=whole,
        growth_bytes=(whole - half) / later,
        json_bytes=json_whole,
        json_growth_bytes=(json_whole - json_half) / later,
    )


def _ms_a_step(state: State, actions: tuple[Action, ...]) -> float:
    def play() -> None:
        now = state
        for action in actions:
            now = step(now, action).state

    return least_ms(play, tries=9) / len(actions)


def _other_call(state: State) -> Correct:
    """The first stroke, a serve, called otherwise than it was."""
    return Correct(1, "fault" if state.strokes[0].called.call != "fault" else "in")


def _corrected(state: State) -> State:
    """With several returns, from all over the match, worth other points than they were; none that would
    end a rally, or the match, before what was played in it."""
    good = [each.called for each in state.strokes if isinstance(each.awaited, ReturnAwaited)]
    good = [called for called in good if called.call == "in"]
    made, stride = 0, len(good) // (2 * CORRECTIONS)
    # The second half of the places is for those that will not do.
    for called in (*good[:: 2 * stride], *good[stride :: 2 * stride]):
        after = step(state, Correct(called.number, points=1 if called.points == 0 else 0)).state
        if all(each.called.call != "void" for each in after.strokes):
            state, made = after, made + 1
        if made == CORRECTIONS:
            return state
    raise AssertionError(f"only {made} corrections leave the match as long as it was")


def _growing(edition: Edition, match: PlayedMatch) -> Iterator[None]:
    """A match from its places: before its first stroke, at its half, at its end. Only the last state
    is kept, as in a program that plays on from it."""
    state = start(match.setup)
    yield
    moves: tuple[Move, ...] = match.moves
    for number, move in enumerate(moves, start=1):
        state = step(state, move.action(edition)).state
        if number in (len(moves) // 2, len(moves)):
            yield
