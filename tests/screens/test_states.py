"""That the recorded pictures are of everything the panels can have to show."""

from typing import get_args
from unittest import mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules import Landing, Lay, PlacementAwaited, State, Stroke, step
from firmware.screens.from_rules import scoreboard_of
from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.scoreboard import CALL_NAMES, Scoreboard, Seat, Side
from firmware.texts import LANGUAGES, Language, Texts, load
from tests.rules.builder import ANYWHERE
from tests.rules.strategies import CLEAR, landings, states
from tests.screens.states import GROUPS, calls, with_notice
from tests.screens.test_golden import STATES

Feature = tuple[object, ...]
TOLD = ("notice", "trouble", "review", "reason", "goes-on", "asked", "waiting", "outcome")
"""The texts' sections of which sentences can stand on the panels."""


def features(board: Scoreboard) -> set[Feature]:
    """What of a scoreboard the panels show in a way of its own."""
    found: set[Feature] = {
        ("server", board.server),
        ("to play", board.to_play),
        ("marker", board.marker),
        ("rally", board.rally_winner),
        ("won", None if board.outcome is None else board.outcome.winner),
        ("ends changed", board.ends_changed),
        ("counting", _counting(board)),
        ("notice", board.notice is not None),
    }
    if board.to_play is not None:
        found.add(("deed", _deed(board)))
    if board.serve is not None:
        found.add(("serve", board.serve.attempt, board.serve.side))
    if board.last is not None:
        found.add(("call", board.last.call, board.last.certain))
    if _counting(board) == "tennis":
        found |= {("points", points) for points in board.points}
    return found


def _counting(board: Scoreboard) -> str:
    return "race" if board.points_to_win is not None else "tie-break" if board.tie_break else "tennis"


def _deed(board: Scoreboard) -> str:
    deeds = {
        "decides": board.deciding,
        "places": board.placing,
        "serves": board.serve is not None,
        "under pressure": board.pressure,
    }
    return next((deed for deed, here in deeds.items() if here), "plays")


RECORDED = set().union(*(features(board) for board in (*STATES.values(), *calls().values())))


def test_every_value_of_a_scoreboard_has_a_picture() -> None:
    seats, sides = get_args(Seat), get_args(Side)
    wanted: set[Feature] = {
        *(("server", seat) for seat in seats),
        *(("to play", seat) for seat in (*seats, None)),
        *(("marker", marker) for marker in range(-3, 4)),
        *(("rally", side) for side in (*sides, None)),
        *(("won", side) for side in (*sides, None)),
        *(("ends changed", changed) for changed in (True, False)),
        *(("counting", counting) for counting in ("tennis", "tie-break", "race")),
        *(("notice", told) for told in (True, False)),
        *(("deed", deed) for deed in ("decides", "places", "serves", "under pressure", "plays")),
        *(("serve", attempt, side) for attempt in (1, 2) for side in ("right", "left")),
        *(("call", call, certain) for call in CALL_NAMES for certain in (True, False)),
        *(("points", points) for points in ("0", "15", "30", "40", "AD")),
    }
    assert wanted - RECORDED == set()


def test_every_field_of_a_scoreboard_is_thought_of_here() -> None:
    """A new one belongs into `features`, or beside those that are only numbers."""
    numbers = {"games", "sets", "sets_to_win"}
    shown = {"points", "tie_break", "points_to_win", "server", "to_play", "serve", "marker", "pressure"}
    shown |= {"placing", "deciding", "last", "rally_winner", "ends_changed", "outcome", "notice"}
    assert set(Scoreboard.__struct_fields__) == numbers | shown


@given(states(), st.one_of(st.sampled_from(CLEAR), landings()))
def test_whatever_a_match_comes_to_has_a_picture(state: State, landing: Landing) -> None:
    after = step(state, Stroke(landing)).state
    reached = [state, after]
    if isinstance(after.waiting, PlacementAwaited):
        reached.append(step(after, Lay(ANYWHERE)).state)
    for each in reached:
        assert features(scoreboard_of(each)) - RECORDED == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_can_be_told_on_a_panel_has_a_picture(language: Language) -> None:
    texts, used = load(language), set()
    say = Texts.say

    def noting(self: Texts, key: str, **values: str | int) -> str:
        used.add(key)
        return say(self, key, **values)

    with mock.patch.object(Texts, "say", noting):
        for sentences in GROUPS.values():
            sentences(texts)
    spoken = ("waiting.serve", "waiting.return")  # the panels say it in their own words
    told = {key for key in texts.table if key.split(".")[0] in TOLD and not key.startswith(spoken)}
    assert told
    assert told - used == set()


def test_the_score_is_seen_whatever_is_told() -> None:
    plain = msgspec.structs.replace(with_notice("scoring waits"), notice=None)
    assert game_panel(with_notice("scoring waits")).tobytes() == game_panel(plain).tobytes()
    assert in_rally_panel(with_notice("scoring waits")).tobytes() != in_rally_panel(plain).tobytes()
