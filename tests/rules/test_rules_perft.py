"""An exhaustive walk through every match that can be played, by each preset and in doubles.

A stroke of each kind is played from every standing that a match can come to, and what must hold of a
standing is checked of each once. How many there are after n strokes is recorded in perft.toml;
SETMATCH_RECORD=1 walks for a minute each and writes that file.
"""

import json
import os
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware.rules import (
    Landing,
    PlacementAwaited,
    Score,
    ServeAwaited,
    Setup,
    Side,
    Standing,
    State,
    Stroke,
    legal,
    side_of,
    start,
    step,
    view,
)
from firmware.rules.transitions import SERVES
from tests.rules.builder import NET, NO, OFF_BOARD, OUT, YES, box, lay, rally, stroke

FILE = Path(__file__).with_name("perft.toml")
SETUPS: Mapping[str, Setup] = {
    "discovery": Setup(preset="discovery"),
    "confirmed": Setup(preset="confirmed"),
    "advanced": Setup(preset="advanced"),
    "simplified": Setup(preset="simplified"),
    "children": Setup(preset="children"),
    "confirmed-doubles": Setup(preset="confirmed", doubles=True),
}
RECORDED_SECONDS, TESTED_SECONDS = 60.0, 4.0
"""How long a walk may take to be recorded, and how much of it the tests walk again."""
COUNTED = 8
"""Up to so many strokes the file has the number of sequences, too; beyond, they outgrow its integers
one by one."""


def served(points: int, *, ace: float = NO, touches_net: float = NO) -> Landing:
    """A serve that is good in either box, and without boxes."""
    hit = box(points, ace=ace)
    return stroke(points, touches_net=touches_net, right=hit, left=hit)


SERVED = (
    served(1, touches_net=YES),
    served(1, ace=YES),
    *(served(points) for points in (0, 1, 2)),
    OUT,
)
"""A let, an ace, good for 0, 1 and 2, a fault."""
RETURNED = (
    *(stroke(points) for points in (0, 1, 2)),
    stroke(0, crosscourt=YES),
    stroke(0, crosscourt=YES, dropshot=YES, touches_net=YES),
    stroke(2, crosscourt=YES),
    stroke(2, crosscourt=YES, dropshot=YES),
    stroke(2, crosscourt=YES, dropshot=YES, touches_net=YES),
    OUT,
    NET,
    OFF_BOARD,
)
"""Good for 0 to 5, also by bonuses alone; out, into the net, off the board."""


class Walk:
    """The standings of a setup's matches, and what each leads to, found once."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.after: dict[Standing, Counter[Standing]] = {}
        self.ends: dict[Side, set[Standing]] = {"A": set(), "B": set()}

    def levels(self) -> Iterator[Counter[Standing]]:
        """The standings after 0, 1, 2 ... strokes, each with the number of ways that lead there; until
        there is no match left, or one stroke more leads to none but the same ones."""
        level = Counter([start(self.setup).standing])
        while level:
            yield level
            following: Counter[Standing] = Counter()
            for standing, ways in level.items():
                if standing not in self.after:
                    self.after[standing] = self.checked(standing)
                for then, strokes in self.after[standing].items():
                    following[then] += ways * strokes
            level = Counter() if following.keys() == level.keys() else following

    def checked(self, standing: Standing) -> Counter[Standing]:
        """What comes of each kind of stroke, when all that must hold of a standing holds."""
        state = State(self.setup, standing)
        self.check(state)
        if standing.outcome is not None:
            return Counter()
        strokes = SERVED if standing.phase in SERVES else RETURNED
        after = [self.ready(step(state, Stroke(landing)).state) for landing in strokes]
        for each in after:
            check_growth(standing.score, each.score)
        return Counter(after)

    def ready(self, state: State) -> Standing:
        """Where the next stroke can be played from; a beginner's ball is laid on the 0."""
        if isinstance(state.waiting, PlacementAwaited):
            assert (state.standing.phase, state.standing.marker) == ("ball on the 0", 0)
            state = step(state, lay()).state
        return state.standing

    def check(self, state: State) -> None:
        assert -3 <= state.marker <= 3
        seats = state.setup.order
        yours = [seat for seat in seats if view(state, seat).yours]
        strikers = [seat for seat in seats if "stroke" in legal(state, seat)]
        waiting = state.waiting
        assert yours == strikers == ([] if waiting is None else [waiting.seat])
        assert (waiting is None) == (state.outcome is not None)
        if isinstance(waiting, ServeAwaited):
            assert state.marker == 0
            assert waiting.side == ("right" if sum(state.score.points) % 2 == 0 else "left")
        winners: tuple[Side, ...] = ("A", "B")
        for winner in winners:
            self.check_end(state, winner)

    def check_end(self, state: State, winner: Side) -> None:
        """Who wins every stroke that matters wins the match."""
        way, known = [], self.ends[winner]
        while state.standing not in known and state.outcome is None:
            way.append(state.standing)
            assert len(way) < 1000
            state = State(state.setup, self.ready(step(state, Stroke(winning(state, winner))).state))
        if state.outcome is not None and way:
            assert state.outcome.winner == winner
        known.update(way)


def winning(state: State, winner: Side) -> Landing:
    """A stroke by which `winner` comes to win the rally, whoever plays it."""
    if state.standing.phase in SERVES:
        return served(0)
    return stroke(1) if side_of(state.standing.to_play) == winner else NET


def check_growth(before: Score, after: Score) -> None:
    """A rally, a game or a set more for one side, or nothing at all."""
    gained = [
        tuple(now - was for was, now in zip(getattr(before, part), getattr(after, part), strict=True))
        for part in ("sets", "games", "points")
    ]
    won = next((pair for pair in gained if pair != (0, 0)), (1, 0))
    assert won in ((1, 0), (0, 1))


def figures(setup: Setup, depth: int) -> tuple[list[int], list[int]]:
    """Distinct standings, and sequences of strokes, after 0 to `depth` strokes."""
    states, sequences = [], []
    for level, _ in zip(Walk(setup).levels(), range(depth + 1), strict=False):
        states.append(len(level))
        sequences.append(level.total())
    return states, sequences[: COUNTED + 1]


def recorded() -> Any:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def record(name: str) -> None:
    """Walk for a minute and write what was found, beside the other setups' figures."""
    walk, begun, tested = Walk(SETUPS[name]), time.perf_counter(), 0
    states, sequences, complete = [], [], True
    for depth, level in enumerate(walk.levels()):
        spent = time.perf_counter() - begun
        if spent > RECORDED_SECONDS:
            complete = False
            break
        tested = depth if spent < TESTED_SECONDS else tested
        states.append(len(level))
        sequences.append(level.total())
    figure = {
        "complete": complete,
        "distinct": len(walk.after),
        "tested": tested,
        "sequences": sequences[: COUNTED + 1],
        "states": states,
    }
    all_figures = {**recorded(), name: figure}
    head = FILE.read_text(encoding="utf-8").split("\n\n")[0].rstrip()
    parts = [toml(each, all_figures[each]) for each in SETUPS if each in all_figures]
    FILE.write_text("\n\n".join([head, *parts]) + "\n", encoding="utf-8")


def toml(name: str, figure: Any) -> str:
    states = figure["states"]
    rows = ["    " + ", ".join(map(str, states[at : at + 12])) + "," for at in range(0, len(states), 12)]
    lines = [f"{key} = {json.dumps(value)}" for key, value in figure.items() if key != "states"]
    return "\n".join([f"[{name}]", *lines, "states = [", *rows, "]"])


@pytest.mark.parametrize("name", SETUPS)
def test_perft(name: str) -> None:
    if os.environ.get("SETMATCH_RECORD") == "1":
        record(name)
    figure = recorded()[name]
    depth = figure["tested"]
    states, sequences = figures(SETUPS[name], depth)
    assert states == figure["states"][: depth + 1]
    assert sequences == figure["sequences"]


def test_perft_has_a_figure_of_every_preset() -> None:
    assert list(recorded()) == list(SETUPS)
    for figure in recorded().values():
        assert 10 <= figure["tested"] < len(figure["states"])
        assert max(figure["states"]) <= figure["distinct"]
        assert figure["states"][0] == figure["sequences"][0] == 1


@cache
def longest(state: State) -> int:
    """How many rallies a match can still have, from the serve of one."""
    if state.outcome is not None:
        return 0
    sides: tuple[Side, ...] = ("A", "B")
    # Only where it stands matters to what can come, not how it came there.
    return 1 + max(longest(State(state.setup, rally(state, side).standing)) for side in sides)


@pytest.mark.parametrize(
    ("setup", "rallies"),
    [
        (Setup(sets_to_win=1), 7 * 5),
        (Setup(sets_to_win=2), 7 * 5 * 3),
        (Setup(preset="discovery", sets_to_win=3), 7 * 5 * 5),
        (Setup(preset="simplified"), 23),
        (Setup(preset="children", doubles=True), 23),
    ],
)
def test_the_longest_match(setup: Setup, rallies: int) -> None:
    """Without advantage, tie-break and sets of six every match ends: after at most 7 rallies to a
    game, 5 games to a set, and one set less than both could win; after 23 in a race to 12."""
    assert longest(start(setup)) == rallies
    longest.cache_clear()


def folded(standing: Standing) -> Standing:
    """The standing with points that both have beyond what matters left out: a deuce is as any other,
    and the service of a tie-break goes round with every four rallies (in doubles with eight)."""
    a, b = standing.score.points
    enough, whole = (3, 1) if standing.score.counting == "tennis" else (4, 4)
    over = max(0, min(a, b) - enough) // whole * whole
    games = standing.score.games
    both = max(0, min(games) - 6) // 2 * 2  # games of a set without tie-break, two by two
    score = msgspec.structs.replace(
        standing.score, points=(a - over, b - over), games=(games[0] - both, games[1] - both)
    )
    return msgspec.structs.replace(standing, score=score)


@pytest.mark.parametrize(
    "setup",
    [
        Setup(preset="advanced"),
        Setup(preset="advanced", doubles=True, sets_to_win=1),
        Setup(games_to_set=6, sets_to_win=1),
    ],
)
def test_wherever_an_endless_match_stands_either_side_can_end_it(setup: Setup) -> None:
    walk, sides = Walk(setup), ("A", "B")
    found, todo = set(), [start(setup).standing]
    while todo:
        standing = todo.pop()
        if standing in found:
            continue
        found.add(standing)
        state = State(setup, standing)
        walk.check(state)
        if state.outcome is None:
            todo += [folded(rally(state, "A" if side == "A" else "B").standing) for side in sides]
    assert {s.outcome.winner for s in found if s.outcome is not None} == {"A", "B"}
