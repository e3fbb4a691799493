"""The scorer against a second one, written here from the rulebook and for nothing else: matches of every
setup, given by who won each rally, told rally by rally as a spectator would write them down."""

import random
from collections.abc import Generator, Iterator
from itertools import count
from typing import NamedTuple

import pytest

from firmware.rules import Options, Setup, State, start
from tests.rules.builder import awaited_serve, rallies

CALLS = {0: "0", 1: "15", 2: "30", 3: "40"}


class Line(NamedTuple):
    """What a spectator sees before a rally."""

    a_plays_at: str
    games: str
    sets: str
    points: str
    serves: str
    side: str


Shown = tuple[str, str, str]
"""What stays for a game: where A plays, games, sets."""


def spectator(setup: Setup, winners: Iterator[str]) -> Iterator[Line | str]:
    """A line before every rally, and the winner at the end."""
    order = {
        (False, "A"): ["A1", "B1"],
        (False, "B"): ["B1", "A1"],
        (True, "A"): ["A1", "B1", "A2", "B2"],
        (True, "B"): ["B1", "A2", "B2", "A1"],
    }[setup.doubles, setup.first_server]
    if setup.preset in ("simplified", "children"):
        yield from race(order, winners)
        return
    sets, turn, a_end = {"A": 0, "B": 0}, count(), "A"
    while max(sets.values()) < setup.sets_to_win:
        games, winner = {"A": 0, "B": 0}, ""
        while not winner:
            first = next(turn)
            shown = (a_end, f"{games['A']}-{games['B']}", f"{sets['A']}-{sets['B']}")
            every = setup.games_to_set
            level = every - 1 if every == 3 else every
            decisive = setup.options.tie_break and games["A"] == games["B"] == level
            taken = (tie_break if decisive else game)(setup, order, first, shown, winners)
            won = yield from taken
            games[won] += 1
            ahead = abs(games["A"] - games["B"])
            if decisive or (games[won] >= every and (every == 3 or ahead > 1)):
                winner = won
            if setup.options.change_ends and (games["A"] + games["B"]) % 2:
                a_end = "B" if a_end == "A" else "A"
        sets[winner] += 1
    yield "A" if sets["A"] > sets["B"] else "B"


def game(
    setup: Setup, order: list[str], first: int, shown: Shown, winners: Iterator[str]
) -> Generator[Line, None, str]:
    """One game; returns who won it."""
    won = {"A": 0, "B": 0}
    for rally in count():
        a, b = won["A"], won["B"]
        if a >= 3 and b >= 3:
            points = {0: "40-40", 1: "AD-40", -1: "40-AD"}[a - b]
        else:
            points = f"{CALLS[a]}-{CALLS[b]}"
        yield Line(*shown, points, order[first % len(order)], ("right", "left")[rally % 2])
        winner = next(winners)
        other = won["B" if winner == "A" else "A"]
        won[winner] += 1
        if won[winner] > 3 and (won[winner] > other + 1 or not setup.options.advantage):
            return winner
    raise AssertionError("rallies go on until one wins")


def tie_break(
    setup: Setup, order: list[str], first: int, shown: Shown, winners: Iterator[str]
) -> Generator[Line, None, str]:
    """One tie-break; returns who won it."""
    won = {"A": 0, "B": 0}
    turns = (first + (n + 1) // 2 for n in count())
    for rally, turn in enumerate(turns):
        points = f"{won['A']}-{won['B']}"
        yield Line(*shown, points, order[turn % len(order)], ("right", "left")[rally % 2])
        winner = next(winners)
        won[winner] += 1
        if won[winner] >= 5 and won[winner] >= won["B" if winner == "A" else "A"] + 2:
            return winner
    raise AssertionError("rallies go on until one wins")


def race(order: list[str], winners: Iterator[str]) -> Iterator[Line | str]:
    won = {"A": 0, "B": 0}
    while 12 not in won.values():
        played = sum(won.values())
        server = order[played // 2 % len(order)]
        side = "left" if played % 2 else "right"
        yield Line("A", "0-0", "0-0", f"{won['A']}-{won['B']}", server, side)
        won[next(winners)] += 1
    yield max(won, key=lambda side: won[side])


def seen(state: State) -> Line | str:
    if state.outcome is not None:
        return state.outcome.winner
    score, waiting = state.score, awaited_serve(state)
    return Line(
        "B" if state.standing.ends_changed else "A",
        "-".join(map(str, score.games)),
        "-".join(map(str, score.sets)),
        "-".join(score.point_names),
        waiting.seat,
        waiting.side,
    )


ALL = Options(advantage=True, tie_break=True, change_ends=True)
SETUPS = [
    Setup(),
    Setup(chosen=Options(change_ends=True), sets_to_win=3, first_server="B"),
    Setup(chosen=Options(advantage=True), sets_to_win=1, first_server="B"),
    Setup(chosen=Options(tie_break=True), sets_to_win=3),
    Setup(chosen=Options(tie_break=True, change_ends=True), doubles=True, first_server="B"),
    Setup(chosen=ALL, games_to_set=6),
    Setup(chosen=ALL, games_to_set=6, doubles=True),
    Setup(chosen=Options(change_ends=True), games_to_set=6, doubles=True, sets_to_win=1),
    Setup(preset="discovery", sets_to_win=1),
    Setup(preset="advanced", first_server="B"),
    Setup(preset="advanced", games_to_set=6, doubles=True),
    Setup(preset="simplified"),
    Setup(preset="simplified", doubles=True, first_server="B"),
    Setup(preset="children", first_server="B"),
]


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("seed", range(4))
def test_the_scorer_agrees_with_a_spectator(setup: Setup, seed: int) -> None:
    """Even matches, in which what is rare happens."""
    dice = random.Random(seed)
    drawn: list[str] = []

    def winners() -> Iterator[str]:
        # Who is behind wins more often: level scores, long deuces and tie-breaks.
        while True:
            lead = drawn.count("A") - drawn.count("B")
            drawn.append("A" if dice.random() < 0.5 - max(-3, min(3, lead)) * 0.12 else "B")
            yield drawn[-1]

    state = start(setup)
    for line in spectator(setup, winners()):
        # A spectator's line is written before the rally that was drawn for it.
        state = rallies(state, "".join(drawn[-1:])) if drawn else state
        assert seen(state) == line
    assert state.outcome is not None
