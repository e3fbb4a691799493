"""A match from its records is the match that was played: score, strokes' lines, panels."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.edition import load_edition
from firmware.journal import Acted, JournalError, Later, board_warning, replayed, resume
from firmware.journal.coding import CODER
from firmware.match import Match
from firmware.report import Line
from firmware.rules import Correct, IllegalAction, Press, Setup
from tests.firmware.journal.made import CLASSIC, SHORT, act, again, began, disputed, live, played

SETUPS = [SHORT, Setup("advanced", sets_to_win=1), Setup("discovery", doubles=True, sets_to_win=1)]


def told(match: Match) -> tuple[Line, Line | None]:
    """What can be seen of a match, beside its state."""
    return match.waiting_line(), msgspec.to_builtins(match.scoreboard())


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.preset)
def test_a_match_that_was_kept_is_the_one_that_was_played(setup: Setup) -> None:
    """Through the text of the rows, to the end of the match."""
    records = [began(setup)]
    kept = [
        CODER.decoded(CODER.encoded(1, n, record)) for n, record in enumerate(played(setup=setup), start=2)
    ]
    match = Match(CLASSIC, setup)
    lines = [again(match, record) for record in played(setup=setup)]
    told_again = list(replayed(CLASSIC, [*records, *kept]))
    assert [its for _, _, its in told_again] == lines
    assert told_again[-1][1].state == match.state
    assert match.state.outcome is not None


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_resuming_anywhere_is_as_if_nothing_had_been(data: st.DataObject) -> None:
    """Strokes, presses and rulings at random; what is called anew afterwards is told alike, so the
    lines of the strokes are there again, too."""
    match, records = Match(CLASSIC, SHORT), []
    for stroke in played()[: data.draw(st.integers(1, 25))]:
        meddling = data.draw(MEDDLING)
        records.extend(each for each in (stroke, meddling) if each is not None and _done(match, each))
    resumed = resume(CLASSIC, [began(), *records])
    assert resumed.state == match.state
    assert told(resumed) == told(match)
    number = data.draw(st.integers(1, len(match.state.strokes) + 1))
    for ruling in (Correct(number, "in"), Correct(number, points=0), Press("undo", "A")):
        assert _answer(resumed, ruling) == _answer(match, ruling)


MEDDLING = st.one_of(
    st.none(),
    st.builds(
        lambda button, side: act(Press(button, side)),
        st.sampled_from(["undo", "flick-fault", "challenge", "confirm"]),
        st.sampled_from(["A", "B"]),
    ),
    st.builds(
        lambda number, call: act(Correct(number, call)),
        st.integers(1, 10),
        st.sampled_from(["in", "out", "fault", "ace"]),
    ),
)


def _done(match: Match, record: Acted) -> bool:
    try:
        again(match, record)
    except IllegalAction:
        return False
    return True


def _answer(match: Match, action: Correct | Press) -> list[Line] | str:
    try:
        return match.act(action)
    except IllegalAction as error:
        return error.reason


def test_reviews_change_nothing_by_themselves() -> None:
    assert resume(CLASSIC, [began(), *disputed()]).state == live(disputed()).state


def test_a_score_that_was_shown_stays_on_another_board() -> None:
    maxi = load_edition("maxi", require_zones=True)
    records = (began(), *played()[:10])
    assert resume(maxi, records).state == resume(CLASSIC, records).state
    warning = board_warning(maxi, records)
    assert warning is not None
    assert "'maxi'" in warning
    assert "'classic'" in warning
    assert board_warning(CLASSIC, records) is None


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ((), "begin with none"),
        (played()[:1], "begin with none"),
        ((began(), act(Press("undo", "A"))), "record 2"),
    ],
)
def test_records_that_are_no_match_are_refused(records: tuple[Later, ...], words: str) -> None:
    with pytest.raises(JournalError, match=words):
        resume(CLASSIC, records)
