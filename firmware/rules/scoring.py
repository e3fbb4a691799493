"""From rallies won to games, sets and the match. Nothing in here knows how a rally was won."""

from firmware.rules.events import Event, GameWon, MatchWon, RallyWon, SetWon
from firmware.rules.landing import Side
from firmware.rules.setup import RALLIES_TO_GAME, Setup
from firmware.rules.state import Outcome, Score


def score_rally(score: Score, winner: Side, setup: Setup) -> tuple[Score, tuple[Event, ...]]:
    """The score after `winner` has won a rally, and what that brought about, smallest first.

    Rulebook, The Game Scorer: four rallies make a game, three games a set; the next rally decides
    at 40-40 and the next game at 2-2 (SM-15).
    """
    points, won = _counted(score.points, winner)
    if won < RALLIES_TO_GAME:
        after = Score(points, score.games, score.sets)
        return after, (RallyWon(winner, after),)
    games, won = _counted(score.games, winner)
    if won < setup.options.games_to_set:
        after = Score((0, 0), games, score.sets)
        return after, (RallyWon(winner, after), GameWon(winner, after))
    sets, won = _counted(score.sets, winner)
    after = Score((0, 0), (0, 0), sets)
    events: tuple[Event, ...] = (
        RallyWon(winner, after),
        GameWon(winner, after),
        SetWon(winner, games, after),
    )
    if won == setup.sets_to_win:
        events += (MatchWon(Outcome(winner, "sets"), after),)
    return after, events


def _counted(pair: tuple[int, int], winner: Side) -> tuple[tuple[int, int], int]:
    """The pair with one more for `winner`, and what `winner` then has."""
    a, b = pair
    return ((a + 1, b), a + 1) if winner == "A" else ((a, b + 1), b + 1)
