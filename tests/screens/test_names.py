"""Players' names on the panels: shortened where they have no room, and nothing else with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.screens.letters import printable
from firmware.screens.names import fitted_with_names, shortened
from firmware.screens.panels import game_panel, in_rally_panel
from firmware.screens.scoreboard import Scoreboard, Seat, Side
from firmware.texts import LANGUAGES, Language, load
from tests.screens.test_panels import KINDS, assert_whole_and_apart, texts_drawn, words

EN = load("en")


def test_a_name_is_shortened_to_its_first_letters_and_a_full_stop() -> None:
    texts = EN.named({"A": "Jean-Baptiste", "B": "Ève", "A2": "Zoé"})
    assert [texts.side(side) for side in ("A", "B")] == ["Jean-Baptiste", "Ève"]
    short = shortened(texts, 6)
    assert (short.side("A"), short.side("B"), short.table["names.A2"]) == ("Jean-B.", "Ève", "Zoé")
    assert shortened(texts, 5).side("A") == "Jean."  # not behind the hyphen
    assert shortened(texts, 2).side("B") == "Ève"  # a full stop is no shorter than the letter it stands for


def test_as_many_letters_are_left_as_there_is_room_for() -> None:
    texts = EN.named({"A": "Maximilianferdin"})
    whole = fitted_with_names(lambda named: f"{named.side('A')} SERVES", texts, 200, 7, largest=1)
    assert whole.lines == ("MAXIMILIANFERDIN SERVES",)
    short = fitted_with_names(lambda named: f"{named.side('A')} SERVES", texts, 90, 7, largest=1)
    assert short.lines == ("MAXIMILIA. SERVES",)
    assert short.width_px <= 90
    one_more = fitted_with_names(lambda named: f"{named.side('A')} SERVES", texts, 96, 7, largest=1)
    assert one_more.lines == ("MAXIMILIAN. SERVES",)


def test_where_no_name_is_to_blame_the_rest_ends_in_dots() -> None:
    block = fitted_with_names(lambda named: "a sentence that has no room", EN, 40, 7, largest=1)
    assert not block.whole


@given(
    st.from_type(Scoreboard).filter(lambda board: board.notice is None and board.outcome is None),
    st.sampled_from(LANGUAGES),
    st.sampled_from(KINDS),
    st.text("ABCDEÉMW", min_size=1, max_size=16),
    st.text("abcm -'", min_size=1, max_size=16).filter(str.strip),
)
def test_no_name_takes_the_room_of_what_is_said(
    board: Scoreboard, language: Language, kind: tuple[tuple[int, int], str], one: str, other: str
) -> None:
    """On no panel and in no state is anything left off but letters of names."""
    names: dict[Side | Seat, str] = {"A": one, "B": other, "B2": one}
    texts = load(language).named(names)
    for draw in (in_rally_panel, game_panel):
        with texts_drawn() as drawn:
            draw(board, texts, *kind)  # type: ignore[arg-type]
        assert_whole_and_apart(drawn, kind[0])
        assert "..." not in words(drawn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_deed_is_read_on_every_panel_with_the_longest_names(language: Language) -> None:
    texts = load(language).named({"A": "Maximilianferdin"})
    board = Scoreboard(to_play="A1", placing=True)
    deed = printable(texts.say("panel.places", seat="")).split()
    for size, mode in KINDS:
        with texts_drawn() as drawn:
            in_rally_panel(board, texts, size, mode)
        shown = words(drawn).split()
        assert set(deed) <= set(shown), size
