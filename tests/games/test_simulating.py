"""Matches between computer players: the same for a seed, whole, and ended when they would not end."""

from dataclasses import replace
from typing import Any

import pytest

from firmware.games.catalogue import GAMES, SET, Game
from firmware.games.chance import Chance
from firmware.games.protocol import STRENGTHS
from firmware.games.setgame.players import Thought
from firmware.games.simulating import EndlessError, Match, played

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def a_match(game: Game, seed: str = "1", **options: object) -> Match:
    return played(game, game.setup(3, seed, options), STRENGTHS)


@every_game
def test_a_seed_gives_the_same_match(game: Game) -> None:
    assert a_match(game) == a_match(game)
    assert a_match(game) != a_match(game, "2")


@every_game
@pytest.mark.parametrize("seats", [1, 2, 8])
def test_matches_of_any_size_end(game: Game, seats: int) -> None:
    if not game.seats[0] <= seats <= game.seats[1]:
        pytest.skip(f"{game.title} is not for {seats}")
    match = played(game, game.setup(seats, "1", {}), [STRENGTHS[seat % 3] for seat in range(seats)])
    assert {each.seat for each in match.outcome.ranking} == set(range(1, seats + 1))
    assert match.length_s > 0
    assert match.actions > 0


def test_what_is_counted_is_what_happened() -> None:
    match = a_match(SET)
    scores = {each.seat: each.score for each in match.outcome.ranking}
    for seat, counted in enumerate(match.by_seat, start=1):
        assert scores[seat] == counted.get("set-taken", 0) - counted.get("claim-failed", 0)
        assert counted.get("claimed", 0) == counted.get("set-taken", 0) + counted.get("claim-failed", 0)
    assert match.events["set-taken"] == sum(counted.get("set-taken", 0) for counted in match.by_seat) > 0
    assert match.events["game-over"] == match.events["hand-over"] == 1


def test_every_hand_is_played() -> None:
    assert a_match(SET, hands=0).events["hand-over"] == 3


def test_a_player_a_seat() -> None:
    with pytest.raises(ValueError, match="2 players for 3 seats"):
        played(SET, SET.setup(3, "1", {}), STRENGTHS[:2])


def test_a_table_at_which_nobody_does_anything_is_told() -> None:
    def idle(_view: Any, _strength: object, chance: Chance) -> Thought:
        return Thought(0.0, None, chance)

    with pytest.raises(EndlessError, match="nobody does anything"):
        a_match(replace(SET, bot=idle))


def test_a_match_that_takes_more_than_a_day_is_told() -> None:
    def slow(view: Any, strength: Any, chance: Chance) -> Any:
        done = SET.bot(view, strength, chance)
        return Thought(done.after_s + 40_000.0, done.move, done.chance)

    with pytest.raises(EndlessError, match="no end after 86400 s"):
        a_match(replace(SET, bot=slow))


def test_who_is_too_slow_to_name_is_timed_out() -> None:
    def late(view: Any, strength: Any, chance: Chance) -> Any:
        done = SET.bot(view, strength, chance)
        naming = "name" in view.may
        return Thought(done.after_s + (9.0 if naming and view.seat == 3 else 0.0), done.move, done.chance)

    match = a_match(replace(SET, bot=late))
    assert match.by_seat[2].get("set-taken", 0) == 0
    assert match.by_seat[2]["claim-failed"] == match.by_seat[2]["claimed"] > 0
