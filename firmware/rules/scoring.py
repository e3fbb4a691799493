"""From rallies won to games, sets and the match. Nothing in here knows how a rally was won."""

from firmware.rules.events import Event, GameWon, MatchWon, RallyWon, SetWon, TieBreakBegan
from firmware.rules.landing import Side
from firmware.rules.score import Counting, Outcome, Score
from firmware.rules.setup import SIMPLIFIED_GOAL, TIE_BREAK_GOAL, Setup

_PAST_FORTY = 4
"""One rally past 40 wins a game (rulebook, The Game Scorer)."""
_CLEAR = 2
"""By how many to lead where the next rally or game does not decide."""


def opening_score(setup: Setup) -> Score:
    """Nothing won yet."""
    return Score(counting="simplified" if setup.simplified else "tennis")


def score_rally(score: Score, winner: Side, setup: Setup) -> tuple[Score, tuple[Event, ...]]:
    """The score after `winner` has won a rally, and what that brought about, smallest first."""
    points, lead = _counted(score.points, winner)
    if not _game_is_won(setup, score.counting, max(points), lead):
        after = Score(points, score.games, score.sets, score.counting)
        return after, (RallyWon(winner, after),)
    if score.counting == "simplified":
        after = Score(points, score.games, score.sets, score.counting)
        return after, (RallyWon(winner, after), MatchWon(Outcome(winner, "points"), after))
    games, lead = _counted(score.games, winner)
    if not _set_is_won(setup, score.counting, max(games), lead):
        after = Score((0, 0), games, score.sets, _next_counting(setup, games))
        events: tuple[Event, ...] = (RallyWon(winner, after), GameWon(winner, after))
        if after.counting == "tie-break":
            events += (TieBreakBegan(after),)
        return after, events
    sets, _ = _counted(score.sets, winner)
    after = Score((0, 0), (0, 0), sets)
    events = (RallyWon(winner, after), GameWon(winner, after), SetWon(winner, games, after))
    if max(sets) == setup.sets_to_win:
        events += (MatchWon(Outcome(winner, "sets"), after),)
    return after, events


def _game_is_won(setup: Setup, counting: Counting, most: int, lead: int) -> bool:
    match counting:
        case "simplified":
            return most == SIMPLIFIED_GOAL  # SM-16: no two clear
        case "tie-break":
            return most >= TIE_BREAK_GOAL and lead >= _CLEAR  # rulebook, Tie Break; SM-14
        case "tennis":
            # Rulebook, Advantage; without it 40-40 is decided by the next rally (SM-15).
            return most >= _PAST_FORTY and (lead >= _CLEAR or not setup.options.advantage)


def _set_is_won(setup: Setup, counting: Counting, most: int, lead: int) -> bool:
    """SM-15: of three games the third wins, also from 2-2; of six, two clear. A tie-break ends the
    set whatever the games are."""
    if counting == "tie-break":
        return True
    if most < setup.games_to_set:
        return False
    return setup.games_to_set == 3 or lead >= _CLEAR


def _next_counting(setup: Setup, games: tuple[int, int]) -> Counting:
    """How the next game of the set is counted: a tie-break at 2-2, or at 6-6 (SM-14, SM-15)."""
    level_at = 2 if setup.games_to_set == 3 else 6
    return "tie-break" if setup.options.tie_break and games == (level_at, level_at) else "tennis"


def _counted(pair: tuple[int, int], winner: Side) -> tuple[tuple[int, int], int]:
    """The pair with one more for `winner`, and by how many `winner` then leads."""
    a, b = pair
    return ((a + 1, b), a + 1 - b) if winner == "A" else ((a, b + 1), b + 1 - a)
