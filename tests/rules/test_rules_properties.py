"""Laws of the engine that hold for every match, whatever the ball does."""

from dataclasses import replace

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules import (
    Action,
    Called,
    Event,
    Landing,
    Score,
    Setup,
    State,
    Stroke,
    View,
    legal,
    replay,
    start,
    step,
    view,
)
from firmware.rules.setup import opponent_of
from tests.rules.builder import mirrored, rallies
from tests.rules.strategies import SETUPS, landings

MATCHES = st.lists(landings(), min_size=1, max_size=40)
SWAP = str.maketrans("AB", "BA")


def walk(setup: Setup, played: list[Landing]) -> list[tuple[State, Called, State]]:
    """Each stroke with the state before and after it, to the end of the list or of the match."""
    state, strokes = start(setup), []
    for landing in played:
        if state.outcome is not None:
            break
        after = step(state, Stroke(landing))
        called = after.events[0]
        assert isinstance(called, Called)
        strokes.append((state, called, after.state))
        state = after.state
    return strokes


@given(SETUPS, MATCHES)
def test_replay_equals_live(setup: Setup, played: list[Landing]) -> None:
    strokes = walk(setup, played)
    replayed = replay(setup, [Stroke(landing) for landing in played[: len(strokes)]])
    assert replayed.state == strokes[-1][2]
    calls = [event for event in replayed.events if isinstance(event, Called)]
    assert calls == [called for _, called, _ in strokes]


@given(SETUPS, MATCHES)
def test_a_mirrored_match_gives_mirrored_calls(setup: Setup, played: list[Landing]) -> None:
    other = msgspec.structs.replace(setup, first_server=opponent_of(setup.first_server))
    there = walk(other, [mirrored(landing) for landing in played])
    here = walk(setup, played)
    for (_, call, _), (_, mirror, _) in zip(here, there, strict=True):
        winner = call.rally_winner
        score = call.score
        assert mirror == msgspec.structs.replace(
            call,
            seat=call.seat.translate(SWAP),
            marker=-call.marker,
            rally_winner=None if winner is None else opponent_of(winner),
            score=Score(score.points[::-1], score.games[::-1], score.sets[::-1]),
        )


@given(SETUPS, MATCHES)
def test_json_and_back(setup: Setup, played: list[Landing]) -> None:
    actions = [Stroke(landing) for landing in played[: len(walk(setup, played))]]
    after = replay(setup, actions)
    for value, of in (
        (after.state, State),
        (after.events, tuple[Event, ...]),
        (actions, list[Action]),
        (view(after.state, "B1"), View),
    ):
        assert msgspec.json.decode(msgspec.json.encode(value), type=of) == value


@given(SETUPS, MATCHES)
def test_the_marker_moves_by_the_points_and_keeps_in_range(setup: Setup, played: list[Landing]) -> None:
    for before, called, after in walk(setup, played):
        towards = 1 if called.seat == "A1" else -1
        reach = before.marker + towards * (called.points or 0)
        assert called.marker == max(-3, min(3, reach))
        assert after.marker == (0 if called.rally_winner else called.marker)


@given(SETUPS, MATCHES)
def test_the_score_only_grows(setup: Setup, played: list[Landing]) -> None:
    for before, called, after in walk(setup, played):
        old, new = before.score, after.score
        rank = [(s.sets[side], s.games[side], s.points[side]) for s in (old, new) for side in (0, 1)]
        assert new == called.score
        if called.rally_winner is None:
            assert new == old
        else:
            winner = 0 if called.rally_winner == "A" else 1
            assert rank[2 + winner] > rank[winner]
            assert sum(new.sets) - sum(old.sets) in (0, 1)
        assert after.strokes == before.strokes + 1


@given(SETUPS, MATCHES)
def test_exactly_one_seat_is_waited_for_until_the_end(setup: Setup, played: list[Landing]) -> None:
    for _, _, after in walk(setup, played):
        may = [seat for seat in ("A1", "B1") if legal(after, seat)]
        assert len(may) == (1 if after.outcome is None else 0)
        waiting = after.waiting
        assert may == ([] if waiting is None else [waiting.seat])


@given(SETUPS, MATCHES)
def test_only_the_measured_facts_decide(setup: Setup, played: list[Landing]) -> None:
    """In singles the alleys' margin changes nothing, and a ball off the board has no facts at
    all."""
    other = [
        replace(
            landing,
            by_a=replace(landing.by_a, in_doubles_mm=-landing.by_a.in_doubles_mm),
            by_b=replace(landing.by_b, in_doubles_mm=-landing.by_b.in_doubles_mm),
        )
        if not landing.off_board
        else replace(landing, by_a=landing.by_b, by_b=landing.by_a)
        for landing in played
    ]
    assert walk(setup, other) == walk(setup, played)


@given(SETUPS, st.text("AB", min_size=175, max_size=175))
def test_every_match_ends(setup: Setup, winners: str) -> None:
    """At most 7 rallies to a game, 5 games to a set, and one set less than both could win."""
    longest = 7 * 5 * (2 * setup.sets_to_win - 1)
    state = start(setup)
    for winner in winners[:longest]:
        if state.outcome is None:
            state = rallies(state, winner)
    assert state.outcome is not None
    assert state.rallies <= longest
