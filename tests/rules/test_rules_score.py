"""The optional ways to count: six games to a set, advantage, the tie-break and its order of service,
change of ends (rulebook, Advantage, Tie Break; SM-14, SM-15, SM-18)."""

import pytest

from firmware.rules import (
    Called,
    EndsChanged,
    GameWon,
    MatchWon,
    Options,
    Outcome,
    RallyWon,
    Score,
    ServeAwaited,
    Setup,
    SetWon,
    State,
    TieBreakBegan,
    start,
)
from tests.rules.builder import (
    NET,
    OUT,
    YES,
    awaited_serve,
    for_striker,
    good_serve,
    play,
    rallies,
    rally,
    serve,
    stroke,
)

ADVANTAGE = Options(advantage=True)
TIE_BREAK = Options(tie_break=True)


def match(
    options: Options | None = None,
    *,
    doubles: bool = False,
    games: int = 3,
    sets: int = 2,
) -> State:
    return start(Setup(chosen=options, doubles=doubles, games_to_set=games, sets_to_win=sets))


def servers(state: State, winners: str) -> list[str]:
    """Who serves each rally, from which side, and who serves after the last."""
    seen = []
    for winner in winners:
        seen.append(f"{awaited_serve(state).seat} {awaited_serve(state).side}")
        state = rallies(state, winner)
    return [*seen, f"{awaited_serve(state).seat} {awaited_serve(state).side}"]


# Advantage


def test_advantage_the_next_rally_gives_the_advantage() -> None:
    state = rallies(match(ADVANTAGE), "ABABAB")
    assert state.score.point_names == ("40", "40")
    assert rallies(state, "A").score.point_names == ("AD", "40")
    assert rallies(state, "B").score.point_names == ("40", "AD")


def test_advantage_won_again_wins_the_game() -> None:
    assert rallies(match(ADVANTAGE), "ABABAB" + "AA").score == Score(games=(1, 0))
    assert rallies(match(ADVANTAGE), "ABABAB" + "BB").score == Score(games=(0, 1))


@pytest.mark.parametrize("swings", ["AB", "BA", "ABBAAB", "AB" * 10])
def test_advantage_lost_goes_back_to_forty_all(swings: str) -> None:
    state = rallies(match(ADVANTAGE), "ABABAB" + swings)
    assert state.score.point_names == ("40", "40")
    assert rallies(state, "BB").score == Score(games=(0, 1))


def test_advantage_is_not_needed_before_forty_all() -> None:
    assert rallies(match(ADVANTAGE), "AABBAA").score == Score(games=(1, 0))


def test_advantage_serves_keep_alternating_sides() -> None:
    sides = [entry[3:] for entry in servers(match(ADVANTAGE), "ABABABAB")]
    assert sides == ["right", "left"] * 4 + ["right"]


# Sets of three and of six games


def test_sm_15_six_games_want_two_clear() -> None:
    five_all = rallies(match(games=6), "AAAABBBB" * 5)
    assert five_all.score.games == (5, 5)
    six_five = rallies(five_all, "AAAA")
    assert six_five.score == Score(games=(6, 5))
    assert rallies(six_five, "AAAA").score == Score(sets=(1, 0))


def test_sm_15_six_games_to_four_are_a_set() -> None:
    state = rallies(match(games=6), "AAAABBBB" * 4 + "BBBB")
    assert rallies(state, "BBBB").score == Score(sets=(0, 1))


def test_sm_15_without_a_tie_break_six_all_goes_on() -> None:
    six_all = rallies(match(games=6), "AAAABBBB" * 6)
    assert six_all.score == Score(games=(6, 6))
    assert rallies(six_all, "AAAABBBB").score == Score(games=(7, 7))
    assert rallies(six_all, "AAAABBBB" + "BBBBBBBB").score == Score(sets=(0, 1))


def test_sm_15_of_three_games_the_third_wins_also_by_one() -> None:
    state = rallies(match(), "AAAABBBB" * 2)
    assert rallies(state, "BBBB").score == Score(sets=(0, 1))


# Tie-break


@pytest.mark.parametrize(("games", "each"), [(3, 2), (6, 6)])
def test_tie_break_begins_when_the_games_are_level(games: int, each: int) -> None:
    before = rallies(match(TIE_BREAK, games=games), "AAAABBBB" * (each - 1) + "AAAA" + "BBB")
    assert before.score.counting == "tennis"
    # B serves the even games, and A misses.
    after = play(before, good_serve(before), NET)
    score = Score(games=(each, each), counting="tie-break")
    assert after.events[-3:] == (RallyWon("B", score), GameWon("B", score), TieBreakBegan(score))
    assert after.state.score.point_names == ("0", "0")


def test_tie_break_is_not_played_at_two_all_of_six() -> None:
    assert rallies(match(TIE_BREAK, games=6), "AAAABBBB" * 2).score == Score(games=(2, 2))


def test_tie_break_is_optional() -> None:
    assert rallies(match(), "AAAABBBB" * 2).score == Score(games=(2, 2))


def tie_break(**setup: int | bool) -> State:
    return rallies(match(TIE_BREAK, **setup), "AAAABBBB" * (6 if setup.get("games") == 6 else 2))  # type: ignore[arg-type]


def test_tie_break_to_five_with_two_clear() -> None:
    state = rallies(tie_break(), "ABABABAB")
    assert state.score.point_names == ("4", "4")
    state = rallies(state, "A")
    assert (state.score.point_names, state.score.sets) == (("5", "4"), (0, 0))
    state = rallies(state, "BB")
    assert state.score.point_names == ("5", "6")
    assert rallies(state, "B").score == Score(sets=(0, 1))


@pytest.mark.parametrize("to_love", ["AAAAA", "BBBBB"])
def test_tie_break_is_won_with_five_rallies(to_love: str) -> None:
    assert rallies(tie_break(), to_love[:4]).score.sets == (0, 0)
    assert rallies(tie_break(), to_love).score == Score(sets=(1, 0) if to_love[0] == "A" else (0, 1))


def test_tie_break_five_to_three_is_won() -> None:
    before = rallies(tie_break(), "AABBAAB")
    assert before.score.points == (4, 3)
    after = rally(before, "A")
    assert after.score == Score(sets=(1, 0))


def test_tie_break_ends_the_set_three_to_two() -> None:
    state = rallies(tie_break(), "BBBB")
    assert awaited_serve(state).seat == "A1"
    wins = play(state, good_serve(state), stroke(0), NET)
    score = Score(sets=(0, 1))
    assert wins.events[-3:] == (RallyWon("B", score), GameWon("B", score), SetWon("B", (2, 3), score))


def test_sm_14_tie_break_one_serve_then_two_each() -> None:
    seats = [entry[:2] for entry in servers(tie_break(), "ABABABAB")]
    assert seats == ["A1", "B1", "B1", "A1", "A1", "B1", "B1", "A1", "A1"]


def test_sm_14_tie_break_starts_on_the_right_and_alternates() -> None:
    sides = [entry[3:] for entry in servers(tie_break(), "ABABABA")]
    assert sides == ["right", "left"] * 4


@pytest.mark.parametrize("winners", ["AAAAA", "ABABABAA", "BABABABABB"])
def test_sm_14_the_set_after_a_tie_break_starts_with_the_other_side(winners: str) -> None:
    """Whoever served its last rally."""
    state = tie_break()
    assert awaited_serve(state).seat == "A1"
    assert rallies(state, winners).waiting == ServeAwaited("B1", "right", "left", 1)


def test_sm_14_tie_break_is_begun_by_whose_turn_it_is() -> None:
    """Twelve games in, the first server's; in the second set, after five games, the other's."""
    assert awaited_serve(tie_break(games=6)).seat == "A1"
    second_set = rallies(tie_break(), "AAAAA" + "AAAABBBB" * 2)
    assert second_set.score == Score(games=(2, 2), sets=(1, 0), counting="tie-break")
    seats = [entry[:2] for entry in servers(second_set, "ABAB")]
    assert seats == ["B1", "A1", "A1", "B1", "B1"]


def test_sm_14_tie_break_in_doubles_goes_round_the_four() -> None:
    state = tie_break(doubles=True)
    seats = [entry[:2] for entry in servers(state, "ABABABAB")]
    assert seats == ["A1", "B1", "B1", "A2", "A2", "B2", "B2", "A1", "A1"]
    assert awaited_serve(rallies(state, "AAAAA")).seat == "B1"


def test_tie_break_may_end_the_match() -> None:
    state = rallies(tie_break(sets=1), "AAAA")
    over = rallies(state, "A")
    assert over.outcome == Outcome("A", "sets")


def test_tie_break_knows_no_advantage() -> None:
    both = Options(advantage=True, tie_break=True)
    state = rallies(match(both), "AAAABBBB" * 2 + "ABABABAB" + "A")
    assert state.score.point_names == ("5", "4")


# Change of ends


def ends(state: State, winners: str) -> list[tuple[int, int]]:
    """The games at which the ends are changed."""
    at = []
    for winner in winners:
        served = good_serve(state)
        server_wins = awaited_serve(state).seat[0] == winner
        after = play(state, *((served, NET) if server_wins else (served, stroke(0), NET)))
        at += [event.score.games for event in after.events if isinstance(event, EndsChanged)]
        state = after.state
    return at


def test_sm_18_no_change_of_ends_unless_it_is_agreed() -> None:
    assert ends(match(), "AAAABBBB" * 2) == []


def test_sm_18_ends_change_after_odd_games() -> None:
    changing = Options(change_ends=True)
    assert ends(match(changing, games=6), "AAAABBBB" * 3) == [(1, 0), (2, 1), (3, 2)]


def test_sm_18_ends_change_with_a_set_of_an_odd_number_of_games() -> None:
    changing = Options(change_ends=True)
    three_love = "AAAA" * 3
    assert ends(match(changing), three_love + "AAAA") == [(1, 0), (0, 0), (1, 0)]
    three_one = "AAAABBBBAAAAAAAA"
    assert ends(match(changing), three_one + "AAAA") == [(1, 0), (2, 1), (1, 0)]


def test_sm_18_no_change_after_the_match() -> None:
    state = rallies(match(Options(change_ends=True), sets=1), "AAAA" * 2 + "AAA")
    after = play(state, good_serve(state), NET)
    assert isinstance(after.events[-1], MatchWon)
    assert not [event for event in after.events if isinstance(event, EndsChanged)]


def test_sm_18_with_changed_ends_the_facts_are_those_of_the_other_end() -> None:
    """B serves the second game, now from end A."""
    state = rallies(match(Options(change_ends=True)), "AAAA")
    assert state.standing.ends_changed
    served = for_striker("A", serve("left", 2), OUT)
    event = play(state, served).events[0]
    assert isinstance(event, Called)
    assert (event.seat, event.call, event.points, event.marker) == ("B1", "in", 2, -2)
    # The score stays with the players, wherever they sit.
    assert event.score.games == (1, 0)


def test_sm_18_ends_change_back() -> None:
    changing = match(Options(change_ends=True))
    assert not rallies(changing, "AAAA" + "BBBB" + "AAAA").standing.ends_changed


def test_sm_18_a_stroke_keeps_the_end_from_which_it_was_played() -> None:
    state = rallies(match(Options(change_ends=True)), "AAAA")
    state = play(state, serve("left", 1)).state
    assert [played.end for played in state.strokes] == ["A", "B"] * 4 + ["A"]


def test_first_server_b_is_served_and_counted_the_other_way_round() -> None:
    state = start(Setup(first_server="B", chosen=TIE_BREAK))
    state = rallies(state, "AAAABBBB" * 2)
    assert [entry[:2] for entry in servers(state, "ABA")] == ["B1", "A1", "A1", "B1"]


def test_an_ace_counts_in_the_tie_break() -> None:
    state = tie_break()
    assert play(state, serve("left", ace=YES)).state.score.points == (1, 0)
